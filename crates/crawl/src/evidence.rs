//! What a run has seen of a document, compared with the row of an earlier run.
//!
//! A document can be wrong for one night: deployed too early, generated from an empty table, behind a login. So if it loses
//! what it listed, all at once, it must say so a second time before anything is deleted. The second look is that of the next
//! run, whose row says what the first one has seen.

use super::known::{Known, KnownKind};
use super::look::Look;

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
