use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use url::Url;

use super::identity::ParseError;
use super::known::Known;
use super::rules::check_start;
use super::text::bare;

/// The small state of a [`Crawl`](super::Crawl), as a value that can be stored in any format of serde. From
/// [`Crawl::save`](super::Crawl::save), for [`CrawlBuilder::resume`](super::CrawlBuilder::resume). The other part of the
/// progress is the [`Known`](super::Known) of each sitemap. Feature: `serde`.
///
/// It contains no user and no password, and none of the options of the crawl. Its serialized form can change in a new
/// minor version; then reading an old one is an error. Reading a state that no crawl has saved is an error too, which does
/// not quote it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    #[serde(deserialize_with = "version")]
    pub(super) version: u32,
    /// In each [`Known`](super::Known) of this crawl; never 0.
    pub(super) run: u64,
    /// The site, or the first sitemap.
    #[serde(deserialize_with = "url")]
    pub(super) start: Url,
    /// The sitemaps that the caller named. `None` if the crawl begins with the robots.txt of `start`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(deserialize_with = "sitemaps")]
    pub(super) sitemaps: Option<Vec<Url>>,
    /// Pages of the sitemaps of which something is known.
    pub(super) pages: u64,
    /// Hosts with their ports, and the ends of the pauses that they require.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) pauses: BTreeMap<String, SystemTime>,
}

pub(super) const VERSION: u32 = 3;

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        other => Err(Error::custom(format!(
            "the crawl was saved in version {other}, but this is version {VERSION}"
        ))),
    }
}

/// A URL as a crawl keeps it. Otherwise, it may contain a password, so the error does not quote it.
fn kept<E: Error>(text: &str) -> Result<Url, E> {
    let is_kept = |url: &Url| bare(url) == *url && check_start(url).is_ok();
    let url = Url::parse(text).ok().filter(is_kept);
    url.ok_or_else(|| E::custom(ParseError("no crawl has saved this URL")))
}

fn url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Url, D::Error> {
    kept(&String::deserialize(deserializer)?)
}

fn sitemaps<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Url>>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts
        .iter()
        .map(|text| kept(text))
        .collect::<Result<_, _>>()
        .map(Some)
}

impl Saved {
    /// Returns the sitemaps that the caller named, without users and passwords: none if the crawl began with a robots.txt.
    /// Compare them if somebody else may have changed the stored state, because they can be on any host.
    #[must_use]
    pub fn sitemaps(&self) -> &[Url] {
        self.sitemaps.as_deref().unwrap_or_default()
    }

    /// Returns the site or the first sitemap with which the crawl began, without user and password.
    #[must_use]
    pub fn start(&self) -> &Url {
        &self.start
    }

    /// Checks that these are the [`Known`]s that were stored with the state. Call this before you append pages to those of
    /// the crawl that is continued: a sitemap without its `Known` is read again, so its pages come twice.
    ///
    /// # Errors
    ///
    /// If the sitemaps of this crawl that are known have fewer or more pages than the crawl had returned, because `Known`s
    /// are missing, or belong to another state.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::SystemTime;
    ///
    /// use quick_sitemap_crawl::{Crawl, Next, Response};
    ///
    /// let mut crawl = Crawl::sitemap(&"https://example.com/a.xml".parse()?);
    /// let Next::Fetch(request) = crawl.next(SystemTime::now()) else { panic!() };
    /// let mut receiver = crawl.begin(request, Response::new(200));
    /// assert_eq!(receiver.pages(&b"https://example.com/1\n"[..]).count(), 1);
    /// let known = crawl.end(receiver).known();
    /// assert!(crawl.save().check(&known).is_ok());
    /// assert!(crawl.save().check([]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check<'k>(&self, known: impl IntoIterator<Item = &'k Known>) -> Result<(), ParseError> {
        let pages = known.into_iter().map(|known| known.pages_of(self.run));
        if pages.sum::<u64>() == self.pages {
            Ok(())
        } else {
            Err(ParseError(
                "the pages that are known are not those that the crawl has returned",
            ))
        }
    }
}
