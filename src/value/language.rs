//! The text of a language tag. The extension that it belongs to checks its form.

use crate::text::span::TakePart;

use super::text::as_its_text;

/// The tag of a language, such as `de` or `zh-Hant`, or `x-default`. It can contain any text, because a reader keeps
/// the text of the document.
///
/// It is compared, ordered, hashed and displayed as text. [`as_str`](Self::as_str) returns the text. Up to 22 bytes are
/// stored without an allocation, which is enough for nearly every tag, because a sitemap in many languages has one tag for
/// each URL.
///
/// With the feature `serde`, it is serialized as its text.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::{Alternate, LanguageTag};
///
/// let mut swiss = Alternate::new("de-CH", "https://example.com/ch/".parse().unwrap());
/// assert_eq!(swiss.hreflang, "de-CH");
/// assert!(swiss.hreflang.as_str().starts_with("de"));
///
/// swiss.hreflang = "gsw".into();
/// assert_eq!(swiss.hreflang, LanguageTag::from("gsw"));
/// assert_eq!(swiss.hreflang.as_str(), "gsw");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LanguageTag(Kept);

/// A text that is short enough is always stored inline, so that equal texts have equal bytes. The bytes after its end
/// are zero.
#[derive(Clone, PartialEq, Eq)]
enum Kept {
    Inline { len: u8, bytes: [u8; INLINE] },
    Heap(Box<str>),
}

/// The largest number of bytes with which it is no larger than a `String`.
const INLINE: usize = 22;

impl LanguageTag {
    /// Returns the text, or an empty text if there is none.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Kept::Inline { len, bytes } => {
                let text = bytes.part(..usize::from(*len));
                // They were those of a text.
                std::str::from_utf8(text).unwrap_or_default()
            }
            Kept::Heap(text) => text,
        }
    }
}

as_its_text!(LanguageTag);

impl From<&str> for LanguageTag {
    #[inline]
    fn from(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        Self(match bytes.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text.as_bytes());
                Kept::Inline {
                    len: text.len() as u8,
                    bytes,
                }
            }
            None => Kept::Heap(text.into()),
        })
    }
}

impl From<String> for LanguageTag {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

#[cfg(feature = "serde")]
crate::text::serde::as_text!(LanguageTag, "a language tag", |tag| {
    Ok::<_, std::convert::Infallible>(tag.into())
});

#[cfg(test)]
mod tests {
    use super::{INLINE, Kept, LanguageTag};

    #[test]
    fn it_is_its_text_however_long() {
        for len in [0, 1, 2, 5, INLINE - 1, INLINE, INLINE + 1, 300] {
            for text in ["x".repeat(len), "\u{e9}".repeat(len)] {
                let tag = LanguageTag::from(text.as_str());
                assert_eq!(tag, text);
                assert_eq!(tag, LanguageTag::from(text.clone()));
                assert_eq!(String::from(tag.clone()), text);
                assert_ne!(tag, format!("{text}x"));
                assert_eq!(format!("{tag} {tag:?}"), format!("{text} {text:?}"));
                let is_inline = matches!(tag.0, Kept::Inline { .. });
                assert_eq!(is_inline, text.len() <= INLINE);
            }
        }
        assert!(LanguageTag::from("de").cmp(&"en".into()).is_lt());
        assert_eq!(size_of::<LanguageTag>(), size_of::<String>());
    }
}
