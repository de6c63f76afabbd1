//! What has come of a sitemap, in addition to what the library's crawl keeps.

use serde::{Deserialize, Serialize};

use crate::term::shortened::shortened;

/// Characters of a finding that are kept.
const LONGEST: usize = 600;

/// The first pages of a sitemap, as they were put out: so that they are not put out again when it is read again, unless
/// it has changed meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Given {
    pub(super) pages: u64,
    /// Of their lines.
    pub(super) hash: u64,
}

/// Entries that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Skipped {
    pub(super) count: u64,
    pub(super) first: String,
}

impl Skipped {
    pub(super) fn new(count: u64, first: &str) -> Self {
        let first = shortened(first, LONGEST).into_owned();
        Self { count, first }
    }
}
