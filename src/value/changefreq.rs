//! `<changefreq>`.

use std::str::FromStr;

use super::escape::{EscapeIn, Plain, XmlValue};
use super::words::words;
use crate::violation::{Rule, Salvaged, Violation};

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
    ///
    /// assert_eq!(ChangeFreq::ALL.len(), 7);
    /// assert!(ChangeFreq::ALL.is_sorted());
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[derive(PartialOrd, Ord)]
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
    /// Accepts the words in any case, and returns the violation for a word in the wrong case.
    pub(crate) fn salvage(text: &str) -> Salvaged<Self> {
        let violation = |rule| Violation::new(rule, text);
        let word = Self::in_any_case(text).ok_or_else(|| violation(Rule::InvalidChangefreq))?;
        let is_exact = word.as_str() == text;
        let noted = (!is_exact).then(|| violation(Rule::NonStandardChangefreq));
        Ok((word, noted))
    }
}

impl XmlValue for ChangeFreq {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation> {
        Plain(self.as_str()).append(out, place)
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
        Self::exact(text.as_bytes()).ok_or_else(|| Violation::new(Rule::InvalidChangefreq, text))
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
            let noted = Some(Violation::new(Rule::NonStandardChangefreq, &capitals));
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
