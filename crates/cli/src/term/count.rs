//! Numbers in the form of messages.

use std::fmt;

/// `44,104 pages`, `1 page`, `2 entries`: a number, and the singular of what it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(pub(crate) u64, pub(crate) &'static str);

impl Count {
    /// Those that are not 0.
    pub(crate) fn nonzero<const N: usize>(counts: [Self; N]) -> Vec<String> {
        let counts = counts.iter().filter(|count| count.0 > 0);
        counts.map(Self::to_string).collect()
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(number, one) = self;
        write!(f, "{} ", Grouped(number))?;
        // `pieces of advice`
        let (noun, rest) = one.split_at(one.find(" of ").unwrap_or(one.len()));
        match noun.strip_suffix('y') {
            _ if number == 1 => f.write_str(one),
            // `days`
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => write!(f, "{stem}ies{rest}"),
            _ => write!(f, "{noun}s{rest}"),
        }
    }
}

/// Counts things of which messages name the first five.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct First(u64);

impl First {
    pub(crate) const NAMED: usize = 5;

    /// Counts one more. Returns `true` if it is to be named.
    pub(crate) fn names(&mut self) -> bool {
        self.0 += 1;
        self.0 <= Self::NAMED as u64
    }

    pub(crate) fn count(self) -> u64 {
        self.0
    }

    /// The number of those that were not named.
    pub(crate) fn more(self) -> u64 {
        self.0.saturating_sub(Self::NAMED as u64)
    }
}

/// With a comma between the thousands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grouped(pub(crate) u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_and_the_plural() {
        assert_eq!(Count(1, "page").to_string(), "1 page");
        assert_eq!(Count(0, "page").to_string(), "0 pages");
        assert_eq!(Count(999, "page").to_string(), "999 pages");
        assert_eq!(
            Count(3, "piece of advice").to_string(),
            "3 pieces of advice"
        );
        assert_eq!(Count(2, "entry").to_string(), "2 entries");
        assert_eq!(Count(2, "day").to_string(), "2 days");
        assert_eq!(Count(1_044_104, "page").to_string(), "1,044,104 pages");
    }
}
