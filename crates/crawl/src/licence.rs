//! Which statements about missing documents and pages a crawl has earned, from the evidence of each document.
//!
//! A sitemap is gone only if everything that could list it is known. So there is one list of documents, those that the crawl
//! has asked for, and each of them is known or keeps the crawl from saying that anything is missing.

use std::fmt;

use url::Url;

use quick_sitemap::Completeness;

use super::crawl::Crawl;
use super::failure::Reason;
use super::identity::{key_of, page_key};
use super::record::{Record, State};
use super::seen::{KnownKind, Look};
use super::summary::Coverage;
use super::text::bare;

/// Number of reasons that [`NotLooked`] names.
const NAMED: usize = 20;

/// The reasons why a crawl cannot say that a sitemap or a page is no longer listed: the documents that could list it and are
/// not known. From [`Crawl::gone`] and [`Crawl::pages_may_go`]. Up to 20 reasons are printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotLooked(String);

impl fmt::Display for NotLooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not everything that the site lists is known: {}", self.0)
    }
}

impl std::error::Error for NotLooked {}

/// A document of a crawl, and whether it is robots.txt.
type Document<'c> = (&'c Record, bool);

/// Returns what a document means for the coverage of the crawl, and why it is not known which sitemaps it lists, or all of its
/// pages.
fn conclude((record, is_robots): Document<'_>) -> (Coverage, Option<&'static str>) {
    use Coverage::{Changes, Complete, Incomplete, Unknown};
    use KnownKind::{Absent, Refused};
    use Look::{Cut, Earlier, First, Skips, Surprise, Whole};
    let is_listed = !is_robots && !record.is_guess;
    let (kind, look, completeness) = match (record.state, record.seen) {
        (State::Duplicate, _) => return (Complete, None),
        (State::Queued | State::Active, _) => return (Unknown, Some("it was not read")),
        (_, None) => return (Incomplete, Some("it was not read")),
        (_, Some(seen)) => (seen.kind, seen.look, seen.completeness),
    };
    let coverage = match (kind, look) {
        // The caller has read it, but has not reported its end.
        (_, Cut) if matches!(record.state, State::Done(_)) && !is_robots => Unknown,
        (_, Cut) => Incomplete,
        (Absent | Refused, _) if is_listed => Incomplete,
        (Refused, _) | (Absent, Surprise) => Unknown,
        // A site without robots.txt is not a surprise.
        (Absent, _) => Complete,
        (_, look) => match (completeness, look) {
            // A line of robots.txt that cannot be used may list a sitemap, but pages are not known to be missing.
            (Completeness::Incomplete, _) if !is_robots => Incomplete,
            (Completeness::Complete, Earlier) => Changes,
            (Completeness::Complete, Whole) => Complete,
            (Completeness::Complete, First) if is_robots => Complete,
            _ => Unknown,
        },
    };
    let doubt = match (kind, look) {
        (_, Cut) => "it was not read to its end",
        (Refused, _) if is_listed => "it is refused",
        (_, Whole | Earlier) => return (coverage, None),
        (Refused, First) => "it is refused, which the next run must confirm",
        (Refused, _) => {
            "it is refused, but an earlier run has read it; if it stays so, delete what you have stored of it"
        }
        (Absent, _) => "it is absent, which the next run must confirm",
        (_, Skips) => "entries were skipped, which the next run must confirm",
        _ => "it lists nothing or is of another kind, which the next run must confirm",
    };
    (coverage, Some(doubt))
}

impl Crawl {
    /// Everything that was requested, or waits for that.
    fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        let robots = Some((&self.records.robots, true)).filter(|_| self.begins_with_robots());
        let sitemaps = self.records.sitemaps.iter().map(|record| (record, false));
        robots.into_iter().chain(sitemaps)
    }

    pub(super) fn coverage(&self) -> Coverage {
        let has_pages = |(record, _): Document<'_>| record.pages > 0;
        let whole = match () {
            () if self.has_more_pages || !self.left_out.is_empty() => Coverage::Incomplete,
            () if !self.is_done() || !self.documents().any(has_pages) => Coverage::Unknown,
            () => Coverage::Complete,
        };
        let documents = self.documents().map(|it| conclude(it).0);
        documents.fold(whole, Coverage::max)
    }

    /// Checks that everything that could list a sitemap is known; with `pages`, also that all pages are.
    fn look_everywhere(&self, pages: bool) -> Result<(), NotLooked> {
        // What was skipped in a list of pages is no sitemap.
        let skips = |record: &Record| record.seen.is_some_and(|seen| seen.look == Look::Skips);
        let is_asked = |(record, _): &Document<'_>| pages || !skips(record);
        let doubted = self.documents().filter(is_asked).filter_map(|document| {
            let (why, url) = (conclude(document).1?, &document.0.url);
            Some(match document.0.failure() {
                Some(failure) => format!("{url}: {why} ({})", failure.reason()),
                None => format!("{url}: {why}"),
            })
        });
        let mut reasons: Vec<String> = doubted.collect();
        let left_out = self.left_out.list(|_| false).into_iter();
        // A document on another host has no right to be read, so it is not listed.
        let left_out = left_out.filter(|left_out| left_out.reason != Reason::OtherHost);
        reasons.extend(left_out.map(|left_out| {
            let (count, reason) = (left_out.count, left_out.reason);
            format!("{count} sitemaps were left out: {reason}")
        }));
        let has_page = |(record, _): Document<'_>| {
            record.pages > 0 && record.seen.is_some_and(|seen| seen.look != Look::Cut)
        };
        if !self.documents().any(has_page) {
            reasons.push("no page was read".to_owned());
        }
        if self.has_more_pages {
            reasons.push("the crawl has stopped at its maximum number of pages".to_owned());
        } else if !self.is_done() {
            reasons.push("the crawl is not done".to_owned());
        }
        if reasons.is_empty() {
            return Ok(());
        }
        let more = reasons.len().saturating_sub(NAMED);
        reasons.truncate(NAMED);
        if more > 0 {
            reasons.push(format!("and {more} more"));
        }
        Err(NotLooked(reasons.join("; ")))
    }

    /// Returns `true` if this document was requested, or is listed.
    fn has_asked_for(&self, url: &str) -> bool {
        let parsed = Url::parse(url).map(|url| bare(&url));
        let key = parsed.as_ref().map_or_else(|_| key_of(url), page_key);
        let is_of = |record: &Record| key_of(&record.url) == key;
        let is_asked = |number: &u32| {
            let record = self.records.get(*number);
            is_of(record)
                || record
                    .rare
                    .as_ref()
                    .is_some_and(|rare| rare.is_location_listed)
        };
        is_of(&self.records.robots) || self.known.get(&*key).is_some_and(is_asked)
    }

    /// Returns those of the sitemaps whose rows you keep that nothing lists any more, in alphabetical order. When the crawl is
    /// done, delete their pages and their [`Known`](super::Known)s together.
    ///
    /// `kept` are the URLs of all sitemaps of this site of which you have pages or a `Known`. The sitemaps of another site are
    /// listed by nothing here, so a store of several sites needs the site in its key.
    ///
    /// A document that was requested in this run is never gone. So if everything that you keep was requested, the result is
    /// empty on any night.
    ///
    /// # Errors
    ///
    /// If something else is kept, and a document could not be read that may list it. Then keep everything: the next run answers
    /// the same question. These documents must be known: robots.txt if the crawl begins with it, the usual places that were
    /// requested, and every sitemap that these list. A document is known if it
    ///
    /// * was read to its end, and lists what it listed before, more, or some of it;
    /// * has not [changed](State::Unchanged);
    /// * is absent (404 or 410), lists nothing, is of another kind, or has other skipped entries, for the second run in a row;
    /// * is a robots.txt or a usual place that was refused in this run, and in all earlier ones. An answer is refused if it has
    ///   another status from 400 to 499, or is an HTML page.
    ///
    /// In addition, nothing must be left out because of an option or a bound, and there must be at least one page. The
    /// [`Known`](super::Known)s that [`CrawlBuilder::known`](super::CrawlBuilder::known) returns tell what the run before has
    /// seen.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::{Clock, Crawl, Next, Response};
    /// use quick_sitemap::url::Url;
    ///
    /// let (mut crawl, clock) = (Crawl::site(&Url::parse("https://example.com/")?), Clock::new());
    /// while let Next::Fetch(request) = crawl.next(clock.now()) {
    ///     let (status, body) = match request.url.path() {
    ///         "/robots.txt" => (200, "Sitemap: /b.txt"),
    ///         "/b.txt" => (200, "https://example.com/1\n"),
    ///         _ => (404, ""),
    ///     };
    ///     let mut receiver = crawl.begin(request, Response::new(status));
    ///     receiver.pages(body.as_bytes()).count();
    ///     crawl.end(receiver);
    /// }
    /// let kept = ["https://example.com/a.txt", "https://example.com/b.txt"];
    /// assert_eq!(crawl.gone(kept)?, ["https://example.com/a.txt"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gone(
        &self,
        kept: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Vec<String>, NotLooked> {
        let kept = kept.into_iter();
        let mut gone: Vec<String> = kept
            .filter(|url| !self.has_asked_for(url.as_ref()))
            .map(|url| url.as_ref().to_owned())
            .collect();
        if !gone.is_empty() {
            self.look_everywhere(false)?;
        }
        gone.sort_unstable();
        gone.dedup();
        Ok(gone)
    }

    /// Checks whether you can delete a page that is no longer listed, when the crawl is done: a page of which no sitemap has a
    /// row, after the rows of this run were stored and those that [may go](super::Ended::rows_may_go) or are of
    /// [gone](Self::gone) sitemaps were deleted.
    ///
    /// # Errors
    ///
    /// If the page may be listed in a document that is not known. In addition to what [`gone`](Self::gone) requires, no sitemap
    /// must have other skipped entries than in the run before, because pages move from one sitemap to another.
    pub fn pages_may_go(&self) -> Result<(), NotLooked> {
        self.look_everywhere(true)
    }
}
