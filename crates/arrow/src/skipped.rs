//! [`Skipped`]: how many entries of a file were skipped, and the first of them.

use std::fmt;

use quick_sitemap::{Effect, Issue, Position, Rule};

/// How many entries of a file were skipped, and where the first of them is.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Reader;
/// use quick_sitemap_arrow::Skipped;
///
/// let mut reader = Reader::from_bytes("https://example.com/\nnonsense\n");
/// let mut skipped = Skipped::default();
/// while let Some(entry) = reader.next() {
///     entry?;
///     skipped.look_at(reader.issues());
/// }
/// skipped.look_at(reader.issues());
/// skipped.count = reader.summary().skipped;
/// assert_eq!(skipped.to_string(), "1 skipped, at 2:1: invalid-url");
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Skipped {
    /// The number of skipped entries.
    pub count: u64,
    /// The first issue that cost an entry: where it is, and the rule.
    pub first: Option<(Position, Rule)>,
}

impl Skipped {
    /// Looks for the first skipped entry in these issues, unless it has been found before.
    #[inline]
    pub fn look_at(&mut self, issues: &[Issue]) {
        if self.first.is_none() && !issues.is_empty() {
            let cost_an_entry = |issue: &&Issue| issue.effect == Effect::EntrySkipped;
            let first = issues.iter().find(cost_an_entry);
            self.first = first.map(|issue| (issue.position, issue.rule()));
        }
    }
}

/// `107 skipped, the first at 9:5: missing-loc`
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} skipped", self.count)?;
        let Some((position, rule)) = self.first else {
            return Ok(());
        };
        let the_first = if self.count > 1 { "the first " } else { "" };
        write!(f, ", {the_first}at {position}: {rule}")
    }
}
