//! Numbers of things, as people read them.

use std::fmt;

/// A number with commas between the thousands, and what it counts in the singular or the plural.
pub(crate) struct Quantity(
    pub(crate) u64,
    pub(crate) &'static str,
    pub(crate) &'static str,
);

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(number, one, many) = self;
        write!(
            f,
            "{} {}",
            grouped(number),
            if number == 1 { one } else { many }
        )
    }
}

/// With commas between the thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        let shown = |number| Quantity(number, "entry", "entries").to_string();
        assert_eq!(shown(0), "0 entries");
        assert_eq!(shown(1), "1 entry");
        assert_eq!(shown(999), "999 entries");
        assert_eq!(shown(44_099), "44,099 entries");
        assert_eq!(shown(1_000_000), "1,000,000 entries");
    }
}
