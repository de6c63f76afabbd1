//! A crawl as a value that can be stored.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::record::{Record, State};
use super::rules::check_start;
use super::schedule::Pause;
use super::text::{bare, clipped};

/// The progress of a [`Crawl`](super::Crawl), as a value that can be stored in any format of serde. From
/// [`Crawl::save`](super::Crawl::save), for [`Crawl::resume`](super::Crawl::resume).
///
/// It contains no user and no password, and none of the options of the crawl. Its serialized form can change in a new
/// minor version; then reading an old one is an error.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Saved {
    #[serde(deserialize_with = "version")]
    pub(super) version: u32,
    pub(super) start: Url,
    /// The URL of robots.txt, if the crawl begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "robots")]
    pub(super) robots: Option<Arc<str>>,
    /// The sitemaps that robots.txt lists are known.
    pub(super) is_entered: bool,
    /// The hosts of the site.
    pub(super) hosts: Vec<String>,
    pub(super) skipped: u64,
    /// Hosts with their ports, and the pauses that they require.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pauses: Vec<(String, Pause)>,
    #[serde(deserialize_with = "sitemaps")]
    pub(super) sitemaps: Vec<Record>,
}

pub(super) const VERSION: u32 = 1;

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(Error::custom(format!(
            "the crawl was saved in version {other}, but this is version {VERSION}"
        ))),
    }
}

fn robots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arc<str>>, D::Error> {
    let robots = Option::<Arc<str>>::deserialize(deserializer)?;
    robots.iter().try_for_each(check_url)?;
    Ok(robots)
}

/// Sitemaps that a crawl could have kept: each can be requested, and the indexes that list them are there.
fn sitemaps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Record>, D::Error> {
    let sitemaps = Vec::<Record>::deserialize(deserializer)?;
    for sitemap in &sitemaps {
        check_url(&sitemap.url)?;
        sitemap.location().into_iter().try_for_each(check_url)?;
        if sitemap.parent as usize > sitemaps.len() {
            let url = clipped(&sitemap.url);
            let message = format!("the index that lists {url:?} is missing");
            return Err(Error::custom(message));
        }
    }
    Ok(sitemaps)
}

fn check_url<E: Error>(text: &Arc<str>) -> Result<(), E> {
    let url = Url::parse(text).map_err(E::custom)?;
    if *url.as_str() == **text && *bare(&url) == url && check_start(&url).is_ok() {
        Ok(())
    } else {
        let text = clipped(text);
        let message = format!("{text:?} is not the URL of a sitemap in normal form");
        Err(E::custom(message))
    }
}

impl Saved {
    /// Returns the site or the first sitemap with which the crawl began, without user and password.
    #[must_use]
    pub fn start(&self) -> &Url {
        &self.start
    }
}

impl Record {
    /// Returns `true` if the sitemap was read, or is to be read. If there is none, the crawl of a site begins anew.
    pub(super) fn is_found(&self) -> bool {
        use State::{Active, Done, Partial, Queued, Unchanged};
        matches!(self.state, Queued | Active | Done(_) | Partial | Unchanged)
    }

    /// The sitemap as it is resumed: to be read again if it was not read to its end.
    pub(super) fn resumed(mut self) -> Self {
        match self.state {
            State::Unchanged | State::Missing | State::Duplicate | State::Done(_) => {}
            _ => {
                if !self.is_read {
                    self.pages = 0;
                }
                self.state = State::Queued;
                self.rare = None;
            }
        }
        self
    }
}
