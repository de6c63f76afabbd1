//! Decimal numbers without a sign or an exponent: `4`, `4.5`.

/// Makes the type of a number from 0.0 to `most`, which has `new`, `parse` and `Display` besides.
macro_rules! decimal {
    ($(#[$doc:meta])* $name:ident: $most:literal, $rule:ident $why:literal) => {
        $(#[$doc])*
        // The bits of an f32 that is neither negative nor NaN, so that their order is that of the values.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The violation of a text that is not such a number.
            fn violation(text: &str) -> $crate::violation::Violation {
                $crate::violation::Violation::with_detail($crate::violation::Rule::$rule, text, $why)
            }

            #[doc = concat!("Returns the number, from 0.0 to ", $most, ".")]
            #[must_use]
            pub const fn get(self) -> f32 {
                f32::from_bits(self.0)
            }
        }

        /// Accepts decimal digits, optionally with a point and more digits after it: `1`, `0.85`, `00.50`.
        ///
        /// # Errors
        ///
        #[doc = concat!("[`", stringify!($rule), "`](crate::Rule::", stringify!($rule), ") for any other text (signs, \
            exponents, `.5`, spaces), and for a number that exceeds ", $most, " by any amount.")]
        impl std::str::FromStr for $name {
            type Err = $crate::violation::Violation;

            #[inline]
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text).ok_or_else(|| Self::violation(text))
            }
        }

        impl TryFrom<f32> for $name {
            type Error = $crate::violation::Violation;

            fn try_from(value: f32) -> Result<Self, Self::Error> {
                Self::new(value)
            }
        }

        /// Returns the `f64` with the same shortest decimal: 0.8 stays 0.8. (`f64::from(value.get())` would be
        /// 0.800000011920929.)
        impl From<$name> for f64 {
            fn from(value: $name) -> Self {
                $crate::value::decimal::shortest(value.get())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        #[cfg(feature = "serde")]
        $crate::text::serde::as_number!($name, $most, $name::violation);
    };
}
pub(crate) use decimal;

/// The hundredths of a number up to 2.55, or `None` if it has more than two digits after the point.
pub(crate) fn hundredths(value: f32) -> Option<u8> {
    // Rounded; another number than the nearest fails the comparison.
    let hundredths = (value * 100.0 + 0.5) as u8;
    (f32::from(hundredths) / 100.0 == value).then_some(hundredths)
}

/// Returns the number with the same shortest decimal.
pub(crate) fn shortest(value: f32) -> f64 {
    // The quotient is rounded once, as the decimal would be.
    if let Some(hundredths) = hundredths(value) {
        return f64::from(hundredths) / 100.0;
    }
    let wide = value.to_string().parse().ok();
    wide.filter(|wide| *wide as f32 == value)
        .unwrap_or(f64::from(value))
}

/// Returns the digits before and after the point, or `None` if the text is not such a number.
fn digits(text: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (number(whole) && number(fraction)).then_some((whole, fraction))
}

pub(crate) fn is_decimal(text: &str) -> bool {
    digits(text).is_some()
}

/// Returns the number if it is at most `most`, which has one digit. The range is checked on the digits: as an f32,
/// `1.00000001` is 1.
pub(crate) fn up_to(most: u8, text: &str) -> Option<f32> {
    let (whole, fraction) = digits(text)?;
    let in_range = match whole.trim_start_matches('0').as_bytes() {
        [] => true,
        [digit] if *digit == b'0' + most => fraction.bytes().all(|b| b == b'0'),
        [digit] => *digit < b'0' + most,
        _ => false,
    };
    in_range.then(|| text.parse().ok()).flatten()
}
