//! Decimal numbers without a sign or an exponent: `4`, `4.5`.

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
