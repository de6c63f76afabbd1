//! What a run has seen of a document, compared with the row of an earlier run.
//!
//! A document can be wrong for one night: deployed too early, generated from an empty table, behind a login. So if it loses
//! what it listed, all at once, it must say so a second time before anything is deleted. The second look is that of the next
//! run, whose row says what the first one has seen.

use super::known::{Known, KnownKind};

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

/// What an answer is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) kind: KnownKind,
    pub(super) is_to_end: bool,
    /// It lists no sitemap.
    pub(super) is_empty: bool,
    pub(super) skipped: u64,
}

impl Seen {
    /// A document that is not there, or is not a sitemap.
    pub(super) fn nothing(kind: KnownKind) -> Self {
        Self {
            kind,
            is_to_end: true,
            is_empty: true,
            skipped: 0,
        }
    }

    /// Compares it with what the caller has stored before this request.
    pub(super) fn look(self, row: Option<&Known>, run: u64) -> Look {
        if !self.is_to_end {
            return Look::Cut;
        }
        let row_of_kind = row.filter(|row| row.kind == self.kind);
        // A row of the same run is not a second look.
        if let Some(own) = row_of_kind.filter(|row| row.run == run && row.look.is_doubted()) {
            return own.look;
        }
        let is_new = match self.kind {
            KnownKind::Absent | KnownKind::Refused => row_of_kind.is_none(),
            KnownKind::Index if self.is_empty => {
                row_of_kind.is_none_or(|row| !row.is_whole() || !row.sitemaps.is_empty())
            }
            KnownKind::Index => row.is_some_and(|row| row.kind == KnownKind::Pages),
            KnownKind::Pages => row.is_some_and(|row| row.kind == KnownKind::Index),
        };
        let skips_more =
            self.skipped > 0 && row_of_kind.is_none_or(|row| row.skipped != self.skipped);
        match (self.kind, is_new, skips_more) {
            (_, true, _) if row.is_none() => Look::First,
            (_, true, _) => Look::Surprise,
            (KnownKind::Pages, false, true) => Look::Skips,
            (_, false, true) => Look::Surprise,
            (_, false, false) => Look::Whole,
        }
    }
}
