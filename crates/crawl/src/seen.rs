//! What a run has seen of a document, after the comparison with the row of an earlier run.
//!
//! A document can be wrong for one night: deployed too early, generated from an empty table, behind a login. So if it loses
//! what it listed, all at once, it must say so a second time before anything is deleted. The second look is that of the next
//! run, whose row says what the first one has seen.

use quick_sitemap::Completeness;

/// The kind of document that a [`Known`](super::Known) is about. From [`Known::kind`](super::Known::kind).
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KnownKind {
    /// It lists sitemaps: an index, or robots.txt.
    Index,
    /// It lists pages: a urlset, a feed or a text sitemap.
    Pages,
    /// There was no document: the status 404 or 410, or a redirect to another sitemap of the crawl.
    Absent,
    /// The answer was another status from 400 to 499, or something else than a sitemap, such as an HTML page.
    Refused,
}

impl KnownKind {
    pub(super) const ALL: [Self; 4] = [Self::Index, Self::Pages, Self::Absent, Self::Refused];
}

/// What was seen of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) kind: KnownKind,
    pub(super) look: Look,
    /// Whether all of its entries were returned, in this run or in an earlier one.
    pub(super) completeness: Completeness,
}

/// How far it can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// It was not read to its end.
    Cut,
    /// It is absent, refused or lists nothing, and no row says what it was before.
    First,
    /// It is absent, refused or lists nothing, is of another kind, or has entries that were skipped, and its row says
    /// otherwise.
    Surprise,
    /// A list of pages, whose row has another number of skipped entries. It lists no sitemap.
    Skips,
    /// It can be believed.
    Whole,
    /// It can be believed, but its pages were returned earlier: in an earlier run (304), or before the crawl was resumed.
    Earlier,
}

impl Look {
    pub(super) const ALL: [Self; 6] = [
        Self::Cut,
        Self::First,
        Self::Surprise,
        Self::Skips,
        Self::Whole,
        Self::Earlier,
    ];
}

impl Seen {
    /// Returns `true` if the rows of its pages that were not returned may be deleted.
    pub(super) fn rows_may_go(self) -> bool {
        self.look == Look::Whole && self.kind != KnownKind::Refused
    }
}
