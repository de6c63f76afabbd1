//! Enums of words.

/// An enum of words. With `other`, it has a member for every other word, which is read but never written.
macro_rules! keywords {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)* } other) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$member_doc])* $member,)*
            /// Any other word. It can be read, but a writer rejects it.
            Other(String),
        }

        impl $name {
            /// Returns the word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$member => $word,)*
                    Self::Other(word) => word,
                }
            }

            /// Returns the word if a writer can write it; `element` is the element that contains it.
            fn allowed(&self, element: &'static str) -> Result<&str, Violation> {
                match self {
                    Self::Other(word) => Err(Violation::keyword(word, &[$($word),*]).owned_by(element)),
                    _ => Ok(self.as_str()),
                }
            }
        }

        /// Recognizes the known words in any case.
        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) {
                    return Self::$member;
                })*
                Self::Other(word.to_owned())
            }
        }

        $crate::extension::part::text_value! {
            $name: |text, row, cx| {
                let word = Self::from(text.text);
                cx.judge(word.allowed(row.element), $crate::violation::Effect::Noted, text);
                Some(word)
            }, |word, out, _place| {
                // Known words need no escapes.
                out.extend_from_slice(word.allowed(row.element)?.as_bytes());
                Ok(())
            };
        }

        #[cfg(feature = "serde")]
        $crate::text::serde::as_text!($name, "a word", |word| Ok::<_, Violation>($name::from(word)));

        $crate::value::words!(@display $name);
        keywords!(@shown $name);
    };
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)* }) => {
        $crate::value::words! {
            $(#[$doc])*
            #[non_exhaustive]
            $name { $($(#[$member_doc])* $member = $word,)* }
        }

        /// Accepts the words in any case.
        ///
        /// # Errors
        ///
        /// [`InvalidKeyword`](crate::Rule::InvalidKeyword) for any other word.
        impl std::str::FromStr for $name {
            type Err = Violation;

            fn from_str(word: &str) -> Result<Self, Violation> {
                Self::in_any_case(word).ok_or_else(|| Violation::keyword(word, &[$($word),*]))
            }
        }

        $crate::extension::part::text_value! {
            $name: |text, _row, cx| cx.demand(text.text.parse(), text),
                |word, out, _place| $crate::extension::part::display(word, out);
        }
        keywords!(@shown $name);
    };
    (@shown $name:ident) => {
        $crate::extension::visit::shown!($name, |word| $crate::extension::Part::Text(word.as_str()););
    };
}
pub(super) use keywords;
