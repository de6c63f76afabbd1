//! Creating entries from the text of their locs.

/// Implements `FromStr` and `TryFrom` for an entry: from the text of its loc, borrowed or owned.
macro_rules! from_text {
    ($entry:ident) => {
        /// Reads a loc: an absolute http or https URL. White space around it is ignored.
        ///
        /// # Errors
        ///
        /// [`InvalidUrl`](crate::Rule::InvalidUrl), [`UnsupportedScheme`](crate::Rule::UnsupportedScheme) or
        /// [`UrlTooLong`](crate::Rule::UrlTooLong) if the text is not an absolute http or https URL of fewer
        /// than 2,048 characters.
        impl std::str::FromStr for $entry {
            type Err = crate::violation::Violation;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                crate::value::url::parse_url(text).map(Self::new)
            }
        }

        from_text!($entry, &str, String);
    };
    ($entry:ident, $($text:ty),*) => {
        $(
            /// Reads a loc, as [`FromStr`](std::str::FromStr) does.
            ///
            /// # Errors
            ///
            /// The errors of [`FromStr`](std::str::FromStr).
            impl TryFrom<$text> for $entry {
                type Error = crate::violation::Violation;

                fn try_from(text: $text) -> Result<Self, Self::Error> {
                    text.parse()
                }
            }
        )*
    };
}

pub(super) use from_text;
