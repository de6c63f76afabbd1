//! [`Issue`]: a violation that was not returned as an error, and its [`Effect`].

use std::fmt;
use std::ops::Range;

use super::{Rule, Violation};
use crate::text::excerpt::Excerpt;
use crate::text::position::{Position, is_padded, pad};
#[cfg(feature = "serde")]
use crate::text::serde::is_default;

/// The part of the result that is lost because of a violation. Displayed as `noted`, `value dropped` or `entry skipped`.
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Effect {
    /// Nothing is lost: the intended value is clear, or does not matter.
    Noted,
    /// One value (or one element of an extension) is missing from the entry.
    ValueDropped,
    /// The entry is missing from the result.
    EntrySkipped,
}

impl Effect {
    /// Returns `noted`, `value-dropped` or `entry-skipped`, for reports and tables.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Effect;
    ///
    /// assert_eq!(Effect::ValueDropped.name(), "value-dropped");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Noted => "noted",
            Self::ValueDropped => "value-dropped",
            Self::EntrySkipped => "entry-skipped",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name().replace('-', " "))
    }
}

/// A violation that was not returned as an error, with its position and its effect.
///
/// If an entry has denied violations, one of them is returned as an error instead of the entry. The other denied
/// violations, and all allowed ones, are issues.
///
/// Displayed as `line:column: violation`, followed by the effect unless it is `noted`. With the feature `serde`, the
/// [`span`](Self::span) is represented by its length in bytes, the field `len`, which is left out if the span is empty.
/// The [excerpt](Self::excerpt) is not serialized, because it is a copy of the document at the position. An issue that has
/// been deserialized has no excerpt.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Effect, Reader, Rule};
///
/// let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">
/// <url><loc>https://example.com/</loc>
///    <priority>1.5</priority></url></urlset>";
/// let mut reader = Reader::new(text.as_bytes());
/// let entry = reader.next().unwrap()?;
/// let issue = &reader.issues()[0];
/// assert_eq!(issue.violation.rule(), Rule::InvalidPriority);
/// assert_eq!(issue.effect, Effect::ValueDropped);
/// assert_eq!(issue.to_string(), "3:14: priority `1.5` is not a number from 0.0 to 1.0; value dropped");
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Issue {
    /// The violation.
    pub violation: Violation,
    /// The first character of the value, or the `<` of the element.
    pub position: Position,
    /// The effect of the violation.
    pub effect: Effect,
    /// Number of bytes of the offending text, starting at `position`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "is_default"))]
    pub(crate) len: u64,
    /// The line of the issue, if excerpts are enabled.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) excerpt: Option<Box<Excerpt>>,
}

impl Issue {
    /// Returns the rule that was broken. Short for `issue.violation.rule()`.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.violation.rule()
    }

    /// Returns the byte range of the offending text, for tools that underline it: the complete value as it is written,
    /// the character, or the beginning of the tag (`<` and the name). For text between two entries, it is the part that
    /// the violation quotes. The range is empty if only a position is known, as for `too-many-bytes`. Bytes are counted
    /// as in [`Position::byte`], in the decoded text.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com/a\nnonsense\n";
    /// let reader = Reader::from_bytes(text);
    /// let mut found = Vec::new();
    /// for outcome in reader.outcomes() {
    ///     for issue in &outcome.issues {
    ///         let span = issue.span();
    ///         found.push(&text[span.start as usize..span.end as usize]);
    ///     }
    /// }
    /// assert_eq!(found, ["nonsense"]);
    /// ```
    #[must_use]
    pub const fn span(&self) -> Range<u64> {
        let start = self.position.byte();
        start..start.saturating_add(self.len)
    }

    /// Returns the line that the issue is on and the byte range of the offending text in it, if
    /// [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts) is set. The range is the [`span`](Self::span), as far as
    /// it is on this line and in the excerpt.
    ///
    /// The text is as it is written in the document, decoded, and without its line end. It can contain control characters,
    /// so escape it before you print it. At most 256 bytes of the line before the [`position`](Self::position) are kept,
    /// and at most 768 bytes from there on. `…` replaces the part that is left out at either end.
    ///
    /// The line is taken when the issue is found. If the issue is more than 15 KiB after the start of an entry, the last
    /// part of the line may not have been read by then, and is missing. Nothing else in an issue depends on how the bytes
    /// were divided.
    ///
    /// The excerpt begins `range.start` bytes before the position (an `…` at its start stands for the bytes before it), so a
    /// tool that shows it as a part of the file can give it that place: the [cookbook](crate::guide::cookbook#problems-in-colour)
    /// has a program for miette. See [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts) for an example.
    #[must_use]
    pub fn excerpt(&self) -> Option<(&str, Range<usize>)> {
        Some(self.excerpt.as_ref()?.parts())
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_padded(f) {
            return pad(self, f);
        }
        write!(f, "{}: {}", self.position, self.violation)?;
        match self.effect {
            Effect::Noted => Ok(()),
            effect if self.rule() == Rule::IssuesOmitted => {
                write!(f, " (worst effect: {effect})")
            }
            effect => write!(f, "; {effect}"),
        }
    }
}
