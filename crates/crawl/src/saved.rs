use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::str::{FromStr, Lines};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use url::Url;

use super::identity::ParseError;
use super::known::Known;
use super::rules::check_start;
use super::sealed::{seal, unseal};
use super::text::bare;

/// The first line of the text.
const VERSION: &str = "quick-sitemap crawl 1";

/// The small state of a [`Crawl`](super::Crawl), as a value that can be stored. From [`Crawl::save`](super::Crawl::save), for
/// [`CrawlBuilder::resume`](super::CrawlBuilder::resume). The other part of the progress is the [`Known`](super::Known) of
/// each sitemap. Feature: `serde`.
///
/// It is serialized as a text of some lines, which [`Display`](fmt::Display) writes and [`FromStr`] reads. It contains no user
/// and no password, and none of the options of the crawl. The text ends with its number of lines and a digest, so a state that
/// was cut or changed is an error. A state of another version of this crate is an error, too. The error does not quote the
/// text.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// In each [`Known`](super::Known) of this crawl; never 0.
    pub(super) run: u64,
    /// The site, or the first sitemap.
    pub(super) start: Url,
    /// The sitemaps that the caller named. `None` if the crawl begins with the robots.txt of `start`.
    pub(super) sitemaps: Option<Vec<Url>>,
    /// Pages of the sitemaps of which something is known.
    pub(super) pages: u64,
    /// Hosts with their ports, and the ends of the pauses that they require, in seconds since the Unix epoch.
    pub(super) pauses: BTreeMap<String, u64>,
}

/// A URL as a crawl keeps it.
fn kept(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| bare(url) == *url)
}

/// One line each: a version, the run, the start, the number of pages, the pauses, and the sitemaps that the caller named.
impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.sitemaps.as_ref().map_or("site", |_| "sitemaps");
        let mut lines = format!("{VERSION}\nrun {:x}\n{kind} {}\n", self.run, self.start);
        writeln!(lines, "pages {}", self.pages)?;
        for (host, until) in &self.pauses {
            writeln!(lines, "pause {until} {host}")?;
        }
        for sitemap in self.sitemaps() {
            writeln!(lines, "sitemap {sitemap}")?;
        }
        seal(f, &lines)
    }
}

impl FromStr for Saved {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        unseal(text, VERSION, Self::parse)
    }
}

impl Saved {
    /// Reads the lines after that of the version.
    fn parse(lines: &mut Lines<'_>) -> Option<Self> {
        let mut next = || lines.next()?.split_once(' ');
        let (("run", run), (kind, start), ("pages", pages)) = (next()?, next()?, next()?) else {
            return None;
        };
        let run = u64::from_str_radix(run, 16).ok()?;
        let mut saved = Self {
            run: Some(run).filter(|run| *run > 0)?,
            start: kept(start)?,
            sitemaps: (kind == "sitemaps").then(Vec::new),
            pages: pages.parse().ok()?,
            pauses: BTreeMap::new(),
        };
        for line in lines {
            match line.split_once(' ')? {
                ("pause", pause) => {
                    let (until, host) = pause.split_once(' ')?;
                    saved.pauses.insert(host.to_owned(), until.parse().ok()?);
                }
                ("sitemap", url) => {
                    let url = kept(url).filter(|url| check_start(url).is_ok());
                    saved.sitemaps.as_mut()?.push(url?);
                }
                _ => {}
            }
        }
        Some(saved)
    }

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

impl Serialize for Saved {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Saved {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}
