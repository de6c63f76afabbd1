//! What is known of a document for the next run.

use std::fmt::{self, Write as _};
use std::str::{FromStr, Lines};
use std::sync::Arc;
use std::time::SystemTime;

use httpdate::HttpDate;
use quick_sitemap::{Completeness, W3cDatetime};
use url::Url;

use super::identity::ParseError;
use super::sealed::{seal, unseal};
use super::seen::{KnownKind, Look, Seen};

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
    pub(super) last_modified: Option<HttpDate>,
    /// The crawl that has read it; 0 if none has.
    pub(super) run: u64,
    pub(super) seen: Seen,
    pub(super) pages: u32,
    pub(super) skipped: u64,
    /// All sitemaps that an index lists, if it is whole.
    pub(super) sitemaps: Arc<[Listed]>,
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
            seen: Seen {
                kind: KnownKind::Pages,
                look: Look::Whole,
                completeness: Completeness::Unknown,
            },
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
        let since = at.duration_since(SystemTime::UNIX_EPOCH);
        let is_of_http = since.is_ok_and(|since| since.as_secs() < 253_402_300_800);
        self.last_modified = is_of_http.then(|| at.into());
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
        self.last_modified.map(SystemTime::from)
    }

    /// Returns the kind of document that it is about.
    #[must_use]
    pub fn kind(&self) -> KnownKind {
        self.seen.kind
    }

    /// Returns `false` if the document was not read to its end, or if a bound of the crawl was reached in it. Then only its
    /// kind is known.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.seen.look != Look::Cut
    }

    /// Returns the sitemaps that an index or robots.txt lists.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.sitemaps.iter().map(|listed| &*listed.url)
    }

    /// Returns `true` if this crawl has read the document to its end, so that it need not be requested again.
    pub(super) fn is_read_by(&self, run: u64) -> bool {
        let is_list = matches!(self.seen.kind, KnownKind::Index | KnownKind::Pages);
        self.run == run && is_list && self.is_whole()
    }

    /// Compares what this run has seen with the row that the caller has stored before. If it `is_cut`, not all of the sitemaps
    /// that it lists are kept.
    pub(super) fn compared_with(&self, row: Option<&Self>, is_cut: bool) -> Look {
        let kind = self.kind();
        if !self.is_whole() {
            return Look::Cut;
        }
        let row_of_kind = row.filter(|row| row.kind() == kind);
        // A row of the same run is not a second look.
        if let Some(own) = row_of_kind.filter(|row| row.run == self.run)
            && let look @ (Look::First | Look::Surprise | Look::Skips) = own.seen.look
        {
            return look;
        }
        let is_new = match kind {
            KnownKind::Absent | KnownKind::Refused => row_of_kind.is_none(),
            KnownKind::Index if self.sitemaps.is_empty() && !is_cut => {
                row_of_kind.is_none_or(|row| !row.is_whole() || !row.sitemaps.is_empty())
            }
            KnownKind::Index => row.is_some_and(|row| row.kind() == KnownKind::Pages),
            KnownKind::Pages => row.is_some_and(|row| row.kind() == KnownKind::Index),
        };
        let skips_more =
            self.skipped > 0 && row_of_kind.is_none_or(|row| row.skipped != self.skipped);
        match (kind, is_new, skips_more) {
            (_, true, _) if row.is_none() => Look::First,
            (_, true, _) => Look::Surprise,
            (KnownKind::Pages, false, true) => Look::Skips,
            (_, false, true) => Look::Surprise,
            (_, false, false) => Look::Whole,
        }
    }

    /// Removes what a later run must not believe: the validators, and the list and the numbers if it is not whole.
    pub(super) fn checked(mut self) -> Self {
        if !matches!(self.seen.look, Look::Whole | Look::Earlier) {
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
        if self.run == run && self.seen.look != Look::Earlier {
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
        let date = self.last_modified.map(|date| date.to_string());
        let date = date.unwrap_or_default();
        let mut lines = format!("{VERSION}\nurl {}\nlocation {}\n", self.url, self.location);
        writeln!(lines, "etag {etag}\nlast-modified {date}")?;
        // The names of the variants are part of the format.
        let (seen, pages, skipped) = (self.seen, self.pages, self.skipped);
        write!(
            lines,
            "{:?} {:?} {:?}",
            seen.look, seen.kind, seen.completeness
        )?;
        writeln!(lines, " {pages} {skipped} {:x}", self.run)?;
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

fn named<T: fmt::Debug + Copy>(all: &[T], name: &str) -> Option<T> {
    let mut all = all.iter();
    all.find(|it| format!("{it:?}") == name).copied()
}

impl Known {
    /// Reads the lines after that of the version.
    fn parse(lines: &mut Lines<'_>) -> Option<Self> {
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let mut known = Self::new(value("url")?.parse().ok()?);
        known.location = value("location")?.parse().ok()?;
        known = known.with_etag(value("etag")?);
        known.last_modified = value("last-modified")?.parse().ok();
        let numbers: Vec<&str> = lines.next()?.split(' ').collect();
        let [look, kind, completeness, pages, skipped, run] = numbers.try_into().ok()?;
        use Completeness::{Complete, Incomplete, Unknown};
        known.seen = Seen {
            look: named(&Look::ALL, look)?,
            kind: named(&KnownKind::ALL, kind)?,
            completeness: named(&[Complete, Unknown, Incomplete], completeness)?,
        };
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_are_those_that_http_can_write() {
        let at =
            |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(seconds * 1_000 + 999);
        let kept = |time: SystemTime| {
            let known = Known::new("https://example.com/".parse().unwrap());
            known.with_last_modified(time).last_modified()
        };
        let written = |seconds| kept(at(seconds)).map(httpdate::fmt_http_date);
        let text = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(kept(at(784_111_777)), httpdate::parse_http_date(text).ok());
        assert_eq!(written(784_111_777).as_deref(), Some(text));
        assert_eq!(kept(at(0)), Some(SystemTime::UNIX_EPOCH));
        assert!(written(253_402_300_799).is_some());
        assert_eq!(kept(at(253_402_300_800)), None);
        assert_eq!(kept(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
    }

    #[test]
    fn the_text_is_read_as_it_was_written() {
        let mut known = Known::new("https://example.com/i.xml?a%20b".parse().unwrap())
            .with_etag("W/\"a b\"")
            .with_last_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_900));
        known.location = "https://example.com/moved".parse().unwrap();
        known.run = u64::MAX;
        (known.pages, known.skipped) = (7, 8);
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
        for look in Look::ALL {
            for kind in KnownKind::ALL {
                let seen = Seen {
                    kind,
                    look,
                    completeness: Completeness::Incomplete,
                };
                let known = Known {
                    seen,
                    ..known.clone()
                };
                assert_eq!(known.to_string().parse().as_ref(), Ok(&known));
            }
        }
        // It contains no characters that would end the header.
        assert_eq!(known.with_etag("\"1\"\nX: y").etag(), None);
    }
}
