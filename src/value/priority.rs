//! `<priority>`.

use std::fmt;

use crate::value::decimal;
use crate::value::escape::{EscapeIn, XmlValue};
use crate::value::text::pad_ascii;
use crate::violation::{Rule, Salvaged, Violation};

decimal::decimal! {
    /// The priority of a page relative to other pages of its site: the `<priority>` of the Sitemap Protocol 0.9.
    ///
    /// The value is from 0.0 to 1.0 inclusive, never NaN, and −0.0 becomes 0.0, so it can be compared, sorted and hashed.
    /// An entry without a priority is treated as 0.5, the [`Default`]. Priorities of different sites cannot be compared,
    /// and Google ignores them.
    ///
    /// A value has at most 24 digits after the point, because schema validators read no more. A value that needs more
    /// digits (one smaller than a quadrillionth) is rounded to 24 digits.
    ///
    /// `Display` prints the shortest decimal that reads back to the same value, always with a decimal point and never with
    /// an exponent.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Priority;
    ///
    /// let priority: Priority = "0.850".parse()?;
    /// assert_eq!(priority.get(), 0.85);
    /// assert_eq!(f64::from(priority), 0.85); // for JSON and databases
    /// assert_eq!(priority.to_string(), "0.85");
    /// assert_eq!(Priority::MAX.to_string(), "1.0");
    /// assert!(priority > Priority::default());
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    Priority: 1.0, InvalidPriority ""
}

impl Priority {
    /// 1.0.
    pub const MAX: Self = Self::of(1.0);

    /// 0.0.
    pub const MIN: Self = Self::of(0.0);

    /// Returns the priority of this many tenths: 8 is 0.8. Numbers above 10 are treated as 10.
    ///
    /// It cannot fail and can be called in a `const`, so it is the shortest way to a fixed priority.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Priority;
    ///
    /// const ARTICLE: Priority = Priority::tenths(8);
    /// assert_eq!(ARTICLE, Priority::new(0.8)?);
    /// assert_eq!((Priority::tenths(0), Priority::tenths(10)), (Priority::MIN, Priority::MAX));
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    #[must_use]
    pub const fn tenths(tenths: u8) -> Self {
        // One division of small integers is rounded once, so the result is that of parsing `0.8`.
        Self::of(if tenths < 10 {
            tenths as f32 / 10.0
        } else {
            1.0
        })
    }

    /// Creates a priority with this value.
    ///
    /// # Errors
    ///
    /// [`Rule::InvalidPriority`] for NaN and for values below 0.0 or above 1.0; values are not clamped. (A value too
    /// small for 24 digits after the point is rounded, as every decimal number is when it becomes an `f32`.)
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Priority, Rule};
    ///
    /// assert_eq!(Priority::new(-0.0)?, Priority::new(0.0)?);
    /// assert_eq!(Priority::new(1.1).unwrap_err().rule(), Rule::InvalidPriority);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    pub fn new(value: f32) -> Result<Self, Violation> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self::rounded(value.abs()))
        } else {
            Err(Violation::new(Rule::InvalidPriority, &value.to_string()))
        }
    }

    const fn of(value: f32) -> Self {
        Self(value.to_bits())
    }

    /// The protocol's grammar only.
    #[inline]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::usual(text.as_bytes()).or_else(|| Self::parse_digits(text))
    }

    /// The forms in which nearly all are written: `0.8`, `0.85`, `1`, `1.0`.
    #[inline]
    pub(crate) fn usual(text: &[u8]) -> Option<Self> {
        // A quotient of two small integers is rounded once, so it is the same f32 as on the general path.
        match *text {
            [b'0', b'.', a @ b'0'..=b'9'] => Some(Self::of(f32::from(a - b'0') / 10.0)),
            [b'0', b'.', a @ b'0'..=b'9', b @ b'0'..=b'9'] => {
                Some(Self::of(f32::from((a - b'0') * 10 + (b - b'0')) / 100.0))
            }
            [b'1'] | [b'1', b'.', b'0'] => Some(Self::of(1.0)),
            _ => None,
        }
    }

    fn parse_digits(text: &str) -> Option<Self> {
        decimal::up_to(1, text).map(Self::rounded)
    }

    /// The value with at most 24 digits after the point.
    fn rounded(value: f32) -> Self {
        // Nine digits, which distinguish one f32 from another, end before that.
        if value >= 1e-15 || value == 0.0 {
            return Self::of(value);
        }
        Self::of(format!("{value:.24}").parse().unwrap_or(0.0))
    }

    /// Understands a missing zero (`.5`, `1.`), a decimal comma and a sign that changes nothing.
    pub(crate) fn salvage(text: &str) -> Salvaged<Self> {
        if let Some(exact) = Self::parse(text) {
            return Ok((exact, None));
        }
        let violation = |rule| Violation::new(rule, text);
        match Self::tolerant(text) {
            Some(value) => Ok((value, Some(violation(Rule::NonStandardPriority)))),
            None => Err(violation(Rule::InvalidPriority)),
        }
    }

    /// Parses forms that the protocol does not allow but whose meaning is clear: a sign, a comma, a missing digit
    /// before or after it.
    fn tolerant(text: &str) -> Option<Self> {
        let (minus, digits) = match text.strip_prefix(['+', '-']) {
            Some(digits) => (text.starts_with('-'), digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        // The zeros replace a part that is missing, and have no effect otherwise.
        let value = Self::parse_digits(&format!("0{whole}.{fraction}0"))?;
        (!minus || value.get() == 0.0).then_some(value)
    }

    pub(crate) fn append_to(self, out: &mut Vec<u8>) {
        match decimal::hundredths(self.get()) {
            Some(100) => out.extend_from_slice(b"1.0"),
            Some(n) if n % 10 == 0 => out.extend_from_slice(&[b'0', b'.', b'0' + n / 10]),
            Some(n) => out.extend_from_slice(&[b'0', b'.', b'0' + n / 10, b'0' + n % 10]),
            None => out.extend_from_slice(self.get().to_string().as_bytes()),
        }
    }
}

impl XmlValue for Priority {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, _: EscapeIn) -> Result<(), Violation> {
        self.append_to(out);
        Ok(())
    }
}

/// Returns 0.5, the value that the protocol assigns to an absent priority.
impl Default for Priority {
    fn default() -> Self {
        Self::of(0.5)
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.precision().is_some() {
            // As a number: `pad` would cut the text.
            fmt::Display::fmt(&self.get(), f)
        } else {
            pad_ascii(f, |out| self.append_to(out))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn salvage_takes_what_is_certain() {
        for (text, value) in [
            (".5", 0.5),
            ("1.", 1.0),
            ("0.", 0.0),
            ("+0.5", 0.5),
            ("+1", 1.0),
            ("0,8", 0.8),
            (",8", 0.8),
            ("1,0", 1.0),
            ("-0", 0.0),
            ("-0.0", 0.0),
            ("0,12345678901234567890", 0.123_456_79),
        ] {
            let (priority, noted) = Priority::salvage(text).unwrap();
            assert_eq!(priority.get().to_bits(), f32::to_bits(value), "{text}");
            let noted = noted.map(|violation| violation.rule());
            assert_eq!(noted, Some(Rule::NonStandardPriority), "{text}");
        }
        assert_eq!(Priority::salvage("0.8"), Ok((Priority::of(0.8), None)));
    }

    #[test]
    fn salvage_never_guesses() {
        for text in [
            "80%",
            "1e-1",
            "inf",
            "NaN",
            "-0.1",
            "-1",
            "1.5",
            "1,5",
            "high",
            "",
            ".",
            "+",
            "-",
            "+.",
            ",",
            "--0",
            "+-0",
            "0.5.0",
            "0,5.0",
            "0 .5",
            " 0.5",
            "٠.٥",
            "０.５",
            "½",
            "1.00000001",
            ".5f",
            "0x1",
            "−0",
        ] {
            let violation = Priority::salvage(text).unwrap_err();
            assert_eq!(
                (violation.rule(), violation.found()),
                (Rule::InvalidPriority, text)
            );
        }
    }

    #[test]
    fn tenths_are_what_is_parsed() {
        for tenths in 0..=10 {
            let text = format!("{}.{}", tenths / 10, tenths % 10);
            assert_eq!(Priority::tenths(tenths), text.parse().unwrap(), "{text}");
            assert_eq!(Priority::tenths(tenths).to_string(), text);
        }
        assert_eq!(Priority::tenths(u8::MAX), Priority::MAX);
    }

    #[test]
    fn every_appended_text_reads_back() {
        for bits in (0..=f32::to_bits(1.0)).step_by(65_521).chain(1..200) {
            let priority = Priority::new(f32::from_bits(bits)).unwrap();
            let value = f32::from_bits(bits);
            assert!(
                (priority.get() - value).abs() <= 5e-25 + value / 8e6,
                "{value}"
            );
            let mut text = Vec::new();
            priority.append_to(&mut text);
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text.parse(), Ok(priority), "{text}");
            assert!(text.contains('.') && !text.contains('e'), "{text}");
            assert!(text.len() <= "0.".len() + 24, "{text}");
        }
        for n in 0..=100_u8 {
            let value = f32::from(n) / 100.0;
            assert_eq!(Priority::of(value).to_string(), format!("{value:?}"));
            let wide: f64 = format!("{value}").parse().unwrap();
            assert_eq!(f64::from(Priority::of(value)), wide);
        }
    }
}
