//! What a run may conclude from a document that it has requested.

/// What a run may conclude from a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Look {
    /// Nothing was seen.
    #[default]
    Unseen,
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
    /// Those that a row can have.
    pub(super) const NAMES: [(Self, &str); 6] = [
        (Self::Cut, "cut"),
        (Self::First, "first"),
        (Self::Surprise, "surprise"),
        (Self::Skips, "skips"),
        (Self::Whole, "whole"),
        (Self::Earlier, "unchanged"),
    ];

    pub(super) fn is_believed(self) -> bool {
        matches!(self, Self::Whole | Self::Earlier)
    }

    /// Returns `true` if the next run must see the same before it is believed.
    pub(super) fn is_doubted(self) -> bool {
        matches!(self, Self::First | Self::Surprise | Self::Skips)
    }
}
