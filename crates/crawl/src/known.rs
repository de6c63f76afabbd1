//! What is known of a document for the next run.

use std::fmt::{self, Write as _};
use std::str::{FromStr, Lines};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use quick_sitemap::{Completeness, W3cDatetime};
use url::Url;

use super::identity::ParseError;
use super::look::Look;
use super::sealed::{seal, unseal};

/// The first line of the text.
const VERSION: &str = "quick-sitemap known 2";

/// What a run has seen of a document, for the next run: its validators, and the sitemaps that it lists if it is an index.
/// Returned by [`Ended::known`](super::Ended::known), for [`CrawlBuilder::known`](super::CrawlBuilder::known).
///
/// Store one for each [URL](Self::url), in the same step as the pages of that sitemap, and delete it in the same step as
/// these. Otherwise, the response 304 (not modified) hides pages that you do not have.
///
/// [`Display`](fmt::Display) writes it as text, which [`FromStr`] reads. With the feature `serde`, it is serialized as this
/// text. The text ends with its number of lines and a digest, so a text that was cut or changed is an error. A text of another
/// version of this crate is an error, too. Then ignore it, and the document is requested in full.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::Known;
///
/// let url = Url::parse("https://example.com/a.xml")?;
/// let known = Known::new(url).with_etag("\"7\"");
/// let stored = known.to_string();
/// assert_eq!(stored.parse(), Ok(known));
/// assert!("quick-sitemap known 99".parse::<Known>().is_err());
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Known {
    pub(super) url: Url,
    /// The URL at which it was read, after redirects: that of the validators.
    pub(super) location: Url,
    pub(super) etag: Option<String>,
    /// In seconds since the Unix epoch, up to the year 9999.
    pub(super) last_modified: Option<u64>,
    /// The crawl that has read it; 0 if none has.
    pub(super) run: u64,
    pub(super) kind: KnownKind,
    pub(super) look: Look,
    pub(super) completeness: Completeness,
    pub(super) pages: u32,
    pub(super) skipped: u64,
    /// All sitemaps that an index lists, if it is whole.
    pub(super) sitemaps: Arc<[Listed]>,
}

/// The kind of document that a [`Known`] is about. From [`Known::kind`].
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
    const NAMES: [(Self, &str); 4] = [
        (Self::Index, "index"),
        (Self::Pages, "pages"),
        (Self::Absent, "absent"),
        (Self::Refused, "refused"),
    ];
}

/// A sitemap that an index lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    /// Without fragment, user and password.
    pub(super) url: Arc<str>,
    pub(super) lastmod: Option<W3cDatetime>,
}

impl Known {
    /// Creates a `Known` for a sitemap of pages (not for an index). The validators that you set must be those of this URL.
    pub fn new(url: Url) -> Self {
        Self {
            location: url.clone(),
            url,
            etag: None,
            last_modified: None,
            run: 0,
            kind: KnownKind::Pages,
            look: Look::Whole,
            completeness: Completeness::Unknown,
            pages: 0,
            skipped: 0,
            sitemaps: Arc::default(),
        }
    }

    /// Sets the header `ETag`, with its quotation marks. A text that is empty or has control characters is ignored.
    pub fn with_etag(mut self, etag: impl Into<String>) -> Self {
        let is_valid = |etag: &String| !etag.is_empty() && !etag.contains(char::is_control);
        self.etag = Some(etag.into()).filter(is_valid);
        self
    }

    /// Sets the header `Last-Modified`, or the time of the last request, in whole seconds. A time before 1970 or after
    /// the year 9999 is ignored.
    pub fn with_last_modified(mut self, at: SystemTime) -> Self {
        let since = at.duration_since(SystemTime::UNIX_EPOCH).ok();
        self.last_modified = since.map(|since| since.as_secs()).filter(is_of_http);
        self
    }

    /// Returns the URL under which the document is listed, as in [`Receiver::sitemap`](super::Receiver::sitemap) and
    /// [`Crawl::gone`](super::Crawl::gone). The function of [`CrawlBuilder::known`](super::CrawlBuilder::known) is called with
    /// it.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the header `ETag`.
    #[must_use]
    pub fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    /// Returns the header `Last-Modified`.
    #[must_use]
    pub fn last_modified(&self) -> Option<SystemTime> {
        let since = Duration::from_secs(self.last_modified?);
        SystemTime::UNIX_EPOCH.checked_add(since)
    }

    /// Returns the kind of document that it is about.
    #[must_use]
    pub fn kind(&self) -> KnownKind {
        self.kind
    }

    /// Returns `false` if the document was not read to its end, or if a bound of the crawl was reached in it. Then only its
    /// kind is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.look != Look::Cut
    }

    /// Returns the sitemaps that an index or robots.txt lists.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.sitemaps.iter().map(|listed| &*listed.url)
    }

    /// Returns `true` if this crawl has read the document to its end, so that it need not be requested again.
    pub(super) fn is_read_by(&self, run: u64) -> bool {
        let is_list = matches!(self.kind, KnownKind::Index | KnownKind::Pages);
        self.run == run && is_list && self.is_whole()
    }

    /// Adds what was read. `sitemaps` is `None` if not all of them are kept.
    pub(super) fn of_list(
        self,
        completeness: Completeness,
        pages: u32,
        sitemaps: Option<Arc<[Listed]>>,
    ) -> Self {
        Self {
            completeness,
            pages,
            look: sitemaps.as_ref().map_or(Look::Cut, |_| Look::Whole),
            sitemaps: sitemaps.unwrap_or_default(),
            ..self
        }
    }

    /// Removes what a later run must not believe: the validators, and the list and the numbers if it is not whole.
    pub(super) fn checked(mut self) -> Self {
        if !self.look.is_believed() {
            (self.etag, self.last_modified) = (None, None);
        }
        if !self.is_whole() {
            (self.sitemaps, self.pages, self.skipped) = (Arc::default(), 0, 0);
        }
        self
    }

    /// Pages that this crawl has returned.
    #[cfg(feature = "serde")]
    pub(super) fn pages_of(&self, run: u64) -> u64 {
        if self.run == run && self.look != Look::Earlier {
            u64::from(self.pages)
        } else {
            0
        }
    }

    pub(super) fn has_validator(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}

/// One line each: a version, the URLs, the validators, the numbers, and the sitemaps of an index.
impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let etag = self.etag.as_deref().unwrap_or_default();
        let since = self.last_modified.map(|since| since.to_string());
        let since = since.unwrap_or_default();
        let look = name_of(&Look::NAMES, self.look);
        let kind = name_of(&KnownKind::NAMES, self.kind);
        let completeness = self.completeness.name();
        let mut lines = format!("{VERSION}\nurl {}\nlocation {}\n", self.url, self.location);
        writeln!(lines, "etag {etag}\nlast-modified {since}")?;
        write!(lines, "{look} {kind} {completeness}")?;
        writeln!(lines, " {} {} {:x}", self.pages, self.skipped, self.run)?;
        for Listed { url, lastmod } in self.sitemaps.iter() {
            match lastmod {
                Some(lastmod) => writeln!(lines, "{url} {lastmod}")?,
                None => writeln!(lines, "{url}")?,
            }
        }
        seal(f, &lines)
    }
}

impl FromStr for Known {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        unseal(text, VERSION, Self::parse)
    }
}

fn name_of<T: PartialEq>(names: &[(T, &'static str)], value: T) -> &'static str {
    let mut names = names.iter();
    names.find(|(it, _)| *it == value).map_or("", |it| it.1)
}

fn named<T: Copy>(names: &[(T, &str)], name: &str) -> Option<T> {
    Some(names.iter().find(|it| it.1 == name)?.0)
}

impl Known {
    /// Reads the lines after that of the version.
    fn parse(lines: &mut Lines<'_>) -> Option<Self> {
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let mut known = Self::new(value("url")?.parse().ok()?);
        known.location = value("location")?.parse().ok()?;
        known = known.with_etag(value("etag")?);
        let since = value("last-modified")?;
        known.last_modified = since.parse().ok().filter(is_of_http);
        let numbers: Vec<&str> = lines.next()?.split(' ').collect();
        let [look, kind, completeness, pages, skipped, run] = numbers.try_into().ok()?;
        known.look = named(&Look::NAMES, look)?;
        known.kind = named(&KnownKind::NAMES, kind)?;
        let mut all = [
            Completeness::Complete,
            Completeness::Unknown,
            Completeness::Incomplete,
        ]
        .into_iter();
        known.completeness = all.find(|it| it.name() == completeness)?;
        (known.pages, known.skipped) = (pages.parse().ok()?, skipped.parse().ok()?);
        known.run = u64::from_str_radix(run, 16).ok()?;
        let listed = lines.take_while(|line| !line.starts_with("end "));
        let listed = listed.map(|line| {
            let (url, lastmod) = line.split_once(' ').unwrap_or((line, ""));
            Listed {
                url: url.into(),
                lastmod: lastmod.parse().ok(),
            }
        });
        known.sitemaps = listed.collect();
        Some(known)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Known {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Known {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Returns `true` if HTTP can write this second: not after the year 9999.
fn is_of_http(since_epoch: &u64) -> bool {
    *since_epoch < 253_402_300_800
}

/// Reads a date as HTTP writes it.
pub(super) fn read_http_date(text: &str) -> Option<SystemTime> {
    parse_http_date(text.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_that_http_can_write() {
        let at =
            |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(seconds * 1_000 + 999);
        let kept = |time: SystemTime| {
            let known = Known::new("https://example.com/".parse().unwrap());
            known.with_last_modified(time).last_modified()
        };
        let text = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(kept(at(784_111_777)), read_http_date(text));
        assert_eq!(
            kept(at(784_111_777))
                .map(httpdate::fmt_http_date)
                .as_deref(),
            Some(text)
        );
        assert_eq!(kept(at(0)), Some(SystemTime::UNIX_EPOCH));
        assert!(
            kept(at(253_402_300_799))
                .map(httpdate::fmt_http_date)
                .is_some()
        );
        assert_eq!(kept(at(253_402_300_800)), None);
        assert_eq!(kept(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
        assert_eq!(read_http_date("yesterday"), None);
    }

    #[test]
    fn the_text_is_read_as_it_was_written() {
        let mut known = Known::new("https://example.com/i.xml?a%20b".parse().unwrap())
            .with_etag("W/\"a b\"")
            .with_last_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_900));
        known.location = "https://example.com/moved".parse().unwrap();
        known.run = u64::MAX;
        (known.kind, known.look) = (KnownKind::Index, Look::Earlier);
        (known.completeness, known.pages, known.skipped) = (Completeness::Incomplete, 7, 8);
        let listed = |url: &str, lastmod: Option<&str>| Listed {
            url: url.into(),
            lastmod: lastmod.map(|date| date.parse().unwrap()),
        };
        let sitemaps = [
            listed("https://example.com/a", Some("2025-01-01T00:00+01:00")),
            listed("https://example.com/b", None),
        ];
        known.sitemaps = sitemaps.into();
        for known in [&known, &Known::new(known.url().clone())] {
            assert_eq!(known.to_string().parse().as_ref(), Ok(known));
        }
        for (look, _) in Look::NAMES {
            for (kind, _) in KnownKind::NAMES {
                let known = Known {
                    kind,
                    look,
                    ..known.clone()
                };
                assert_eq!(known.to_string().parse().as_ref(), Ok(&known));
            }
        }
        // It contains no characters that would end the header.
        assert_eq!(known.with_etag("\"1\"\nX: y").etag(), None);
    }
}
