//! A crawl as a value that can be stored.

use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use crate::summary::Completeness;

use super::record::{NONE, Record, State};
use super::text::bare;

/// The progress of a [`Crawl`](super::Crawl), as a value that can be stored in any format of serde. From
/// [`Crawl::save`](super::Crawl::save), for [`Crawl::resume`](super::Crawl::resume).
///
/// It contains no user and no password, and none of the options of the crawl. Its serialized form can change in a new
/// minor version; then reading an old one is an error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Saved {
    #[serde(deserialize_with = "version")]
    version: u32,
    pub(super) start: Url,
    /// The URL of robots.txt, if the crawl begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) robots: Option<Url>,
    /// What robots.txt lists is known.
    pub(super) is_entered: bool,
    /// The hosts of the site.
    pub(super) hosts: Vec<String>,
    /// Pages of the sitemaps that are done.
    pub(super) pages: u64,
    pub(super) skipped: u64,
    pub(super) sitemaps: Vec<SavedSitemap>,
}

const VERSION: u32 = 1;

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(serde::de::Error::custom(format!(
            "the crawl was saved in version {other}, but this is version {VERSION}"
        ))),
    }
}

impl Saved {
    pub(super) fn new(start: Url, robots: Option<Url>) -> Self {
        Self {
            version: VERSION,
            start,
            robots,
            is_entered: false,
            hosts: Vec::new(),
            pages: 0,
            skipped: 0,
            sitemaps: Vec::new(),
        }
    }

    /// Returns the site or the sitemap with which the crawl began, without user and password.
    #[must_use]
    pub fn start(&self) -> &Url {
        &self.start
    }

    /// Whether a sitemap was read, or is to be read. If not, the crawl begins anew.
    pub(super) fn has_found_something(&self) -> bool {
        self.sitemaps.iter().any(|sitemap| {
            use SavedState::{Done, Partial, Queued, Unchanged};
            matches!(sitemap.state, Queued | Done | Partial | Unchanged)
        })
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedSitemap {
    url: Url,
    depth: u16,
    #[serde(default, skip_serializing_if = "is_zero")]
    pages: u32,
    /// The place in this list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<Url>,
    #[serde(default, skip_serializing_if = "is_false")]
    is_guess: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    is_index: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    has_left_out: bool,
    state: SavedState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    completeness: Option<Completeness>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SavedState {
    /// At work, too.
    Queued,
    Done,
    Partial,
    Unchanged,
    Missing,
    Duplicate,
    Failed,
}

impl SavedSitemap {
    /// `None` if the record has no URL, which cannot be.
    pub(super) fn new(record: &Record) -> Option<Self> {
        Some(Self {
            url: record.url.parse().ok()?,
            depth: record.depth,
            pages: record.pages,
            parent: Some(record.parent).filter(|parent| *parent != NONE),
            location: record.location().and_then(|location| location.parse().ok()),
            is_guess: record.is_guess,
            is_index: record.is_index,
            has_left_out: record.has_left_out,
            state: match record.state {
                State::Queued | State::Active if record.is_read => SavedState::Done,
                State::Queued | State::Active => SavedState::Queued,
                State::Done(_) => SavedState::Done,
                State::Partial => SavedState::Partial,
                State::Unchanged => SavedState::Unchanged,
                State::Missing => SavedState::Missing,
                State::Duplicate => SavedState::Duplicate,
                State::Failed => SavedState::Failed,
            },
            completeness: match record.state {
                State::Done(completeness) => Some(completeness),
                _ => None,
            },
        })
    }

    /// The record, to be read again if it was not read to its end, or if it lists sitemaps that were left out.
    pub(super) fn record(self) -> Record {
        let mut record = Record::new(bare(self.url).as_str().into(), NONE, self.depth);
        record.parent = self.parent.unwrap_or(NONE);
        record.pages = self.pages;
        record.is_guess = self.is_guess;
        record.is_index = self.is_index;
        record.is_read = self.state == SavedState::Done;
        record.state = match (self.state, self.completeness) {
            (SavedState::Done, Some(completeness)) if !self.has_left_out => {
                State::Done(completeness)
            }
            (SavedState::Unchanged, _) => State::Unchanged,
            (SavedState::Missing, _) => State::Missing,
            (SavedState::Duplicate, _) => State::Duplicate,
            _ => State::Queued,
        };
        if let Some(location) = self.location
            && record.state != State::Queued
        {
            record.rare().location = Some(bare(location).as_str().into());
        }
        record
    }
}
