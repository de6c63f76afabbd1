//! The small state of a crawl.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::pace::Pause;
use super::rules::check_start;
use super::text::{bare, clipped};

/// The small state of a [`Crawl`](super::Crawl), as a value that can be stored in any format of serde. From
/// [`Crawl::save`](super::Crawl::save), for [`CrawlBuilder::resume`](super::CrawlBuilder::resume). The other part of the
/// progress is the [`Known`](super::Known) of each sitemap.
///
/// It contains no user and no password, and none of the options of the crawl. Its serialized form can change in a new
/// minor version; then reading an old one is an error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    #[serde(deserialize_with = "version")]
    pub(super) version: u32,
    /// In each [`Known`](super::Known) of this crawl.
    pub(super) run: u64,
    /// The site, or the first sitemap.
    pub(super) start: Url,
    /// The URL of robots.txt, if the crawl begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "robots")]
    pub(super) robots: Option<Url>,
    /// The sitemaps that the caller named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(deserialize_with = "sitemaps")]
    pub(super) sitemaps: Vec<Url>,
    /// Pages of the sitemaps that are done.
    pub(super) pages: u64,
    /// Hosts with their ports, and the pauses that they require.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) pauses: Vec<(String, Pause)>,
}

pub(super) const VERSION: u32 = 2;

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(Error::custom(format!(
            "the crawl was saved in version {other}, but this is version {VERSION}"
        ))),
    }
}

fn robots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Url>, D::Error> {
    let robots = Option::<Url>::deserialize(deserializer)?;
    robots.iter().try_for_each(check)?;
    Ok(robots)
}

fn sitemaps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Url>, D::Error> {
    let sitemaps = Vec::<Url>::deserialize(deserializer)?;
    sitemaps.iter().try_for_each(check)?;
    Ok(sitemaps)
}

/// A URL that a crawl could have kept.
fn check<E: Error>(url: &Url) -> Result<(), E> {
    if *bare(url) == *url && check_start(url).is_ok() {
        Ok(())
    } else {
        let message = format!(
            "{:?} is not the URL of a sitemap in normal form",
            clipped(url.as_str())
        );
        Err(E::custom(message))
    }
}

impl Saved {
    /// Returns the sitemaps that the caller named, without users and passwords: none if the crawl began with a robots.txt.
    /// Compare them if somebody else may have changed the stored state, because they can be on any host.
    #[must_use]
    pub fn sitemaps(&self) -> &[Url] {
        &self.sitemaps
    }

    /// Returns the site or the first sitemap with which the crawl began, without user and password.
    #[must_use]
    pub fn start(&self) -> &Url {
        &self.start
    }
}
