//! `<changefreq>`.

use std::fmt;
use std::str::FromStr;

use crate::violation::{Rule, Violation};

/// Defines the type, from a row for each of its words.
macro_rules! words {
    ($(#[$type_doc:meta])* $type:ident { $($(#[$doc:meta])* $name:ident = $word:literal,)* }) => {
        $(#[$type_doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
        pub enum $type {
            $($(#[$doc])* $name,)*
        }

        impl $type {
            /// All seven values, from the most to the least frequent.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::ChangeFreq;
            ///
            /// assert_eq!(ChangeFreq::ALL.len(), 7);
            /// assert!(ChangeFreq::ALL.is_sorted());
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the word that is written to the file: lower case, as in the schema of the protocol.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::ChangeFreq;
            ///
            /// assert_eq!(ChangeFreq::Never.as_str(), "never");
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// Exactly the lower-case words.
            #[inline]
            pub(crate) fn from_word(text: &[u8]) -> Option<Self> {
                $(if text == $word.as_bytes() {
                    return Some(Self::$name);
                })*
                None
            }
        }
    };
}

words! {
    /// How often a page is likely to change: the `<changefreq>` of the Sitemap Protocol 0.9.
    ///
    /// This is a hint, not a command: the protocol lets a crawler come more or less often, and Google ignores it. The
    /// values are ordered from the most to the least frequent. Parsing accepts only the seven lower-case words; a
    /// [`Reader`](crate::Reader) also understands `Daily` and reports it as [`Rule::NonStandardChangefreq`].
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ChangeFreq, Rule};
    ///
    /// let often: ChangeFreq = "daily".parse()?;
    /// assert_eq!(often, ChangeFreq::Daily);
    /// assert_eq!(often.to_string(), "daily");
    /// assert!(often < ChangeFreq::Monthly);
    ///
    /// let violation = "Daily".parse::<ChangeFreq>().unwrap_err();
    /// assert_eq!(violation.rule(), Rule::InvalidChangefreq);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    ChangeFreq {
        /// Changes each time it is accessed.
        Always = "always",
        /// About once an hour.
        Hourly = "hourly",
        /// About once a day.
        Daily = "daily",
        /// About once a week.
        Weekly = "weekly",
        /// About once a month.
        Monthly = "monthly",
        /// About once a year.
        Yearly = "yearly",
        /// An archived page. According to the protocol, crawlers can still look at it now and then.
        Never = "never",
    }
}

impl ChangeFreq {
    /// Accepts the words in any case; the rule is that for a word in the wrong case.
    pub(crate) fn salvage(text: &str) -> Result<(Self, Option<Rule>), Violation> {
        if let Some(exact) = Self::from_word(text.as_bytes()) {
            return Ok((exact, None));
        }
        let mut all = Self::ALL.iter();
        match all.find(|word| word.as_str().eq_ignore_ascii_case(text)) {
            Some(word) => Ok((*word, Some(Rule::NonStandardChangefreq))),
            None => Err(Violation::new(Rule::InvalidChangefreq, text)),
        }
    }
}

/// Accepts exactly the lower-case words.
///
/// # Errors
///
/// [`Rule::InvalidChangefreq`] for any other text, including other cases and surrounding spaces.
impl FromStr for ChangeFreq {
    type Err = Violation;

    #[inline]
    fn from_str(text: &str) -> Result<Self, Violation> {
        Self::from_word(text.as_bytes())
            .ok_or_else(|| Violation::new(Rule::InvalidChangefreq, text))
    }
}

impl fmt::Display for ChangeFreq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn salvage_knows_any_case_and_says_so() {
        for word in ChangeFreq::ALL {
            assert_eq!(ChangeFreq::salvage(word.as_str()), Ok((*word, None)));
            let capitals = word.as_str().to_uppercase();
            let noted = Some(Rule::NonStandardChangefreq);
            assert_eq!(ChangeFreq::salvage(&capitals), Ok((*word, noted)));
        }
        for text in [
            "sometimes",
            "Not Weekly",
            "",
            "daily ",
            "dailyx",
            "ＤＡＩＬＹ",
            "ſ",
        ] {
            let violation = ChangeFreq::salvage(text)
                .map(|_| ())
                .map_err(|v| (v.rule(), v.found().to_owned()));
            assert_eq!(violation, Err((Rule::InvalidChangefreq, text.to_owned())));
        }
    }
}
