//! The results of reading a document, and whether they are complete.

#[cfg(feature = "serde")]
use serde::ser::SerializeStruct;

use crate::format::Format;
use crate::violation::Effect;

/// The result of reading a document so far. Returned by [`Reader::summary`](crate::Reader::summary) and
/// [`Decoder::summary`](crate::Decoder::summary), which can be called at any time.
///
/// Entries are counted when they are returned. An entry of [`read_raw`](crate::Reader::read_raw) that is never
/// interpreted is counted as returned. Issues are counted even if they are [not listed](crate::Rule::IssuesOmitted). A
/// violation that is returned as an error is not an issue.
///
/// # Examples
///
/// A program that keeps a copy of a site's pages can remove those that are no longer listed only if the sitemap was
/// read to its end and no entry is missing.
///
/// ```
/// use quick_sitemap::{Completeness, Reader};
///
/// let mut whole = Reader::from_bytes("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
///     <url><loc>https://example.com/a</loc><priority>high</priority></url>
/// </urlset>");
/// assert_eq!(whole.summary().completeness(), Completeness::Unknown); // nothing has been read
/// for entry in &mut whole {
///     entry?;
/// }
/// assert_eq!((whole.summary().entries, whole.summary().dropped), (1, 1));
/// assert_eq!(whole.summary().completeness(), Completeness::Complete);
///
/// let mut skipping = Reader::from_bytes("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
///     <url><loc>https://example.com/a</loc></url><url><loc>www.example.com/b</loc></url>
/// </urlset>");
/// for entry in &mut skipping {
///     entry?;
/// }
/// assert_eq!((skipping.summary().entries, skipping.summary().skipped), (1, 1));
/// assert_eq!(skipping.summary().completeness(), Completeness::Incomplete);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
///
/// With the feature `serde`, a summary is serialized as `entries`, `skipped`, `dropped`, `noted` and its `completeness`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Number of entries that were returned.
    pub entries: u64,
    /// Number of entries that were not returned, because they were skipped or returned as an error.
    pub skipped: u64,
    /// Number of values that were [dropped](Effect::ValueDropped) from entries.
    pub dropped: u64,
    /// Number of issues with the effect [noted](Effect::Noted).
    pub noted: u64,
    /// Number of elements of other vocabularies that are in the root and in no entry. They break no rule, and are not
    /// returned, so a program that writes the entries again loses them.
    pub outside: u64,
    /// The format of the document, once reading has ended. `None` before that, and if it ended before the format was known.
    pub format: Option<Format>,
    /// Number of issues that report that an entry was skipped.
    skipping: u64,
    /// How complete a document is that ends like this, if no entry was skipped. `None` if reading has not ended.
    end: Option<Completeness>,
}

#[cfg(feature = "serde")]
impl serde::Serialize for Summary {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Summary", 5)?;
        fields.serialize_field("entries", &self.entries)?;
        fields.serialize_field("skipped", &self.skipped)?;
        fields.serialize_field("dropped", &self.dropped)?;
        fields.serialize_field("noted", &self.noted)?;
        fields.serialize_field("completeness", &self.completeness())?;
        fields.end()
    }
}

/// The answer to whether all entries of a document were returned. See [`Summary::completeness`].
///
/// The variants are ordered from complete to incomplete, so the completeness of several documents together is the
/// maximum:
///
/// ```
/// use quick_sitemap::Completeness;
///
/// let documents = [Completeness::Complete, Completeness::Unknown];
/// assert_eq!(documents.into_iter().max(), Some(Completeness::Unknown));
/// ```
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Completeness {
    /// A urlset or an index was read to its end, and every entry was returned.
    Complete,
    /// No entry is known to be missing, but some may be. Either reading has not reached the end, or the document is a
    /// text sitemap (whose truncation cannot be detected) or a feed (which lists only recent items).
    Unknown,
    /// Entries are missing, because reading ended with a [fatal error](crate::Error::is_fatal), or an entry was skipped
    /// or returned as an error.
    Incomplete,
}

impl Completeness {
    /// Returns `complete`, `unknown` or `incomplete`, for reports and tables.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Completeness;
    ///
    /// assert_eq!(Completeness::Incomplete.name(), "incomplete");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Unknown => "unknown",
            Self::Incomplete => "incomplete",
        }
    }
}

impl Summary {
    /// Returns whether all entries were returned. Call this when reading has ended; before that, the result is
    /// [`Unknown`](Completeness::Unknown) or [`Incomplete`](Completeness::Incomplete).
    #[must_use]
    pub const fn completeness(&self) -> Completeness {
        match self.end {
            _ if self.skipped > 0 || self.skipping > 0 => Completeness::Incomplete,
            Some(end) => end,
            None => Completeness::Unknown,
        }
    }

    /// Returns `true` if reading has ended.
    pub(crate) const fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// Counts an issue.
    pub(crate) const fn count(&mut self, effect: Effect) {
        match effect {
            Effect::Noted => self.noted += 1,
            Effect::ValueDropped => self.dropped += 1,
            Effect::EntrySkipped => self.skipping += 1,
        }
    }

    /// Counts the issues that another summary has counted.
    pub(crate) const fn count_all(&mut self, other: &Self) {
        self.noted += other.noted;
        self.dropped += other.dropped;
        self.skipping += other.skipping;
    }

    /// The number of issues, and the worst effect among them. Returns `None` if there are none.
    pub(crate) fn issues(&self) -> Option<(u64, Effect)> {
        let count = self.noted + self.dropped + self.skipping;
        let worst = match self {
            Self { skipping: 1.., .. } => Effect::EntrySkipped,
            Self { dropped: 1.., .. } => Effect::ValueDropped,
            _ => Effect::Noted,
        };
        (count > 0).then_some((count, worst))
    }

    pub(crate) const fn end(&mut self, format: Option<Format>, completeness: Completeness) {
        (self.format, self.end) = (format, Some(completeness));
    }
}
