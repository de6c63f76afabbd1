//! Types that behave like the text that they contain, and values that append their text.

/// The implementations that let a type with `as_str` be used like its text: it is compared, ordered, hashed, looked up
/// and displayed as text, and is accepted as an `AsRef<str>`.
macro_rules! as_its_text {
    ($name:ident) => {
        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        /// Hashes the text, so that a map can be searched by text.
        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.as_str().hash(state);
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.as_str().cmp(other.as_str())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.as_str().to_owned()
            }
        }

        $crate::value::text::as_its_text!(@equal $name: str, &str, String);
    };
    (@equal $name:ident: $($type:ty),*) => {
        $(impl PartialEq<$type> for $name {
            fn eq(&self, text: &$type) -> bool {
                let text: &str = text.as_ref();
                self.as_str() == text
            }
        }

        impl PartialEq<$name> for $type {
            fn eq(&self, text: &$name) -> bool {
                text == self
            }
        })*
    };
}
pub(super) use as_its_text;

/// Displays the ASCII that a value appends, with the padding of the formatter.
pub(super) fn pad_ascii(
    f: &mut std::fmt::Formatter<'_>,
    append: impl FnOnce(&mut Vec<u8>),
) -> std::fmt::Result {
    // Room for a date, so that it need not grow.
    let mut text = Vec::with_capacity(40);
    append(&mut text);
    f.pad(std::str::from_utf8(&text).map_err(|_| std::fmt::Error)?)
}
