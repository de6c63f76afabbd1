//! Enums of words: `<changefreq>`, and the keywords of extensions.

/// Makes an enum from a row for each of its words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$member_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $member,)*
        }

        impl $name {
            /// All words, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$member,)*];

            /// Returns the word as it is written to a file.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)*
                }
            }

            /// The word that is written exactly so.
            #[inline]
            pub(crate) fn exact(text: &[u8]) -> Option<Self> {
                $(if text == $word.as_bytes() {
                    return Some(Self::$member);
                })*
                None
            }

            fn in_any_case(text: &str) -> Option<Self> {
                let mut all = Self::ALL.iter().copied();
                let found = || all.find(|word| word.as_str().eq_ignore_ascii_case(text));
                Self::exact(text.as_bytes()).or_else(found)
            }
        }

        $crate::value::words!(@display $name);
    };
    (@display $name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
pub(crate) use words;
