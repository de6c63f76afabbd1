//! The steps of a response in a crawl, from its beginning to the result of reading it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use quick_sitemap::{Format, ReaderBuilder};
use url::{Position, Url};

use super::children::Children;
use super::crawl::Crawl;
use super::evidence::{Look, Seen, kind_of};
use super::failure::{Failure, Reason};
use super::known::{Known, KnownKind, read_http_date};
use super::licence::rows_may_go;
use super::receiver::{Ended, ROBOTS_BYTES, Receiver};
use super::record::{ROBOTS, State};
use super::request::{Request, Response, Ticket};
use super::robots;
use super::rules::Rules;
use super::text::{bare, is_too_long};

/// Maximum number of redirects of one attempt.
const MAX_REDIRECTS: u8 = 10;
/// The longest wait before the first retry.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// The longest `Crawl-delay` that is kept.
const LONGEST_CRAWL_DELAY: Duration = Duration::from_secs(30);

/// The usual places of sitemaps if robots.txt lists none, the most usual first.
const PLACES: [&str; 7] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap/sitemap.xml",
    "/sitemap.txt",
];

/// The meaning of the beginning of a response.
enum Meaning<'r> {
    /// The document follows.
    Document,
    /// The document has not changed since it got this `Known`.
    Unchanged(&'r Known),
    /// The server answered that it has not changed, but the `Known` is that of another URL.
    Unknown,
    Redirect(Url),
}

/// Decides what a response from this URL means, by its status, its headers and what was requested.
fn meaning<'r>(
    request: &'r Request,
    response: &Response,
    location: &Url,
    rules: &Rules,
    now: SystemTime,
) -> Result<Meaning<'r>, Failure> {
    let Request { url, sitemap, .. } = request;
    let depth = request.depth;
    if location != url {
        rules.redirect(url, location, sitemap, depth)?;
    }
    match response.status {
        304 => match &request.known {
            // The caller keeps the pages under the URL of the sitemap.
            Some(known) if location == url && known.url == *sitemap => {
                Ok(Meaning::Unchanged(known))
            }
            Some(_) => Ok(Meaning::Unknown),
            None => Err(Failure::status(304)
                .with_message("status 304 (not modified) to a request without a condition")),
        },
        200..=299 => Ok(Meaning::Document),
        301 | 302 | 303 | 307 | 308 => {
            let bad = Failure::new(Reason::BadRedirect);
            let Some(target) = &response.location else {
                return Err(bad);
            };
            let to = location.join(target);
            let to = match to {
                // A redirect without a target, or to itself, would be answered in the same way.
                Ok(to)
                    if target.trim().is_empty()
                        || to[..Position::AfterQuery] == location[..Position::AfterQuery] =>
                {
                    return Err(bad.with_location(target));
                }
                Ok(to) => bare(&to),
                Err(_) => return Err(bad.with_location(target)),
            };
            if is_too_long(&to) {
                return Err(Failure::new(Reason::UrlTooLong));
            }
            rules.redirect(location, &to, sitemap, depth)?;
            Ok(Meaning::Redirect(to))
        }
        status => {
            let wait = response.retry_after.as_deref();
            let wait = wait.and_then(|value| retry_after(value, now));
            Err(Failure::status(status).with_retry_after(wait))
        }
    }
}

impl Crawl {
    /// Takes the beginning of a response and returns a receiver for its body.
    ///
    /// Pass responses with any status. The body [is over](Receiver::is_over) from the start if the response is an error or a
    /// redirect, if the sitemap has not changed, or if it is known under another URL. [`end`](Self::end) then returns the
    /// reason.
    #[must_use = "pass the receiver to `end`"]
    pub fn begin(&mut self, request: Request, response: Response) -> Receiver {
        let number = request.ticket.number;
        let location = bare(response.final_url.as_ref().unwrap_or(&request.url));
        Receiver {
            ended: self.judge(&request, &response, &location),
            robots: (number == ROBOTS).then(Vec::new),
            builder: self.reader(&location, response.charset()),
            decoder: None,
            children: self.children(number, request.sitemap.clone(), &location),
            failure: None,
            received: 0,
            pages: 0,
            pages_left: Arc::clone(&self.pages_left),
            is_cut: false,
            known: response.known(request.sitemap.clone(), location.clone()),
            result: None,
            ticket: request.ticket,
            sitemap: request.sitemap,
            location,
        }
    }

    /// Returns the result if the body is not to be read.
    fn judge(&mut self, request: &Request, response: &Response, location: &Url) -> Option<Ended> {
        let number = request.ticket.number;
        if !self.owns(&request.ticket) {
            return Some(Ended::of_another_crawl());
        }
        let meaning = meaning(request, response, location, &self.rules, self.schedule.now);
        Some(match meaning {
            Ok(Meaning::Document) if self.claim(number, location) => return None,
            Ok(Meaning::Document) => self.duplicate(number),
            Ok(Meaning::Unchanged(known)) => {
                let mut known = known.clone();
                let headers = response.known(request.sitemap.clone(), location.clone());
                if headers.has_validator() {
                    (known.etag, known.last_modified) = (headers.etag, headers.last_modified);
                }
                known.url = request.sitemap.clone();
                (known.run, known.look) = (self.run, Look::Earlier);
                self.take_over(number, request.sitemap.clone(), known)
            }
            Ok(Meaning::Unknown) => {
                self.records.get_mut(number).rare_mut().is_unconditional = true;
                self.again(number, Duration::ZERO)
            }
            Ok(Meaning::Redirect(to)) => self.follow(number, to, request.redirects),
            Err(failure) => self.failed(number, failure, Some(location)),
        })
    }

    /// Requests a sitemap again, this time after the end of the response.
    fn again(&mut self, number: u32, wait: Duration) -> Ended {
        if let Some(at_work) = self.schedule.at_work.get_mut(&number) {
            at_work.retry = Some(wait);
        }
        self.finish(number, State::Queued)
    }

    /// Requests the target of a redirect next, unless that is another sitemap of the crawl.
    fn follow(&mut self, number: u32, to: Url, redirects: u8) -> Ended {
        if number != ROBOTS && self.has_another(number, &to) {
            return self.duplicate(number);
        }
        if redirects >= MAX_REDIRECTS {
            let failure = Failure::new(Reason::TooManyRedirects).with_location(to.as_str());
            return self.failed(number, failure, None);
        }
        self.records.get_mut(number).rare_mut().target = Some((to, redirects + 1));
        self.again(number, Duration::ZERO)
    }

    /// Takes over a document that need not be read: it has not changed, or was read before the crawl was continued.
    pub(super) fn take_over(&mut self, number: u32, sitemap: Url, mut known: Known) -> Ended {
        if !self.claim(number, &known.location) {
            return self.duplicate(number);
        }
        let mut children = self.children(number, sitemap, &known.location);
        for listed in known.sitemaps.iter() {
            if let Ok(url) = listed.url.parse() {
                children.add(&url, listed.lastmod);
            }
        }
        let has_all = children.all().is_some();
        self.adopt(number, children);
        let record = self.records.get_mut(number);
        (record.kind, record.pages) = (Some(known.kind), known.pages);
        record.earlier = Some(known.completeness);
        record.look = match known.look {
            Look::Whole => Look::Earlier,
            look => look,
        };
        let state = if known.look == Look::Earlier {
            State::Unchanged
        } else {
            self.skipped += known.skipped;
            State::Done(known.completeness)
        };
        self.set_state(number, state);
        if !has_all {
            known.look = Look::Cut;
        }
        Ended::new(state, None, Some(known.checked()))
    }

    /// The options with which a document from this URL is read.
    fn reader(&self, location: &Url, charset: Option<&str>) -> ReaderBuilder {
        let options = &self.rules.options;
        let reader = options.reader.clone().max_bytes(options.max_bytes);
        let mut reader = reader.base_url(location.clone()).location(location.clone());
        if let Some(charset) = charset {
            reader = reader.charset(charset);
        }
        // The sitemaps that robots.txt lists can list all pages of the site.
        if self.begins_with_robots() {
            reader = reader.any_directory().allow_site(&self.start);
        }
        reader
    }

    pub(super) fn children(&self, number: u32, sitemap: Url, location: &Url) -> Children {
        let depth = self.records.get(number).depth;
        Children::new(Arc::clone(&self.rules), sitemap, location, depth)
    }

    /// Ends a response, at the end of its body or earlier. Pages that have arrived and were not taken are counted, but not
    /// returned. Sitemaps that have arrived are read.
    pub fn end(&mut self, receiver: Receiver) -> Ended {
        match receiver.ended {
            Some(ended) => ended,
            None if self.owns(&receiver.ticket) => self.end_document(receiver),
            None => Ended::of_another_crawl(),
        }
    }

    /// Returns `false` if the ticket is from another crawl.
    fn owns(&self, ticket: &Ticket) -> bool {
        let at_work = self.schedule.at_work.get(&ticket.number);
        at_work.is_some_and(|it| it.token.as_ptr() == Arc::as_ptr(&ticket.token))
    }

    /// Records the result of reading, and adds the sitemaps that are listed.
    fn end_document(&mut self, mut receiver: Receiver) -> Ended {
        let (number, location) = (receiver.ticket.number, receiver.location.clone());
        let found = receiver.complete();
        self.bytes += receiver.received;
        self.has_more_pages |= receiver.is_cut;
        let is_robots = receiver.robots.is_some();
        let is_sitemap = found.format.is_some() || receiver.pages > 0;
        if is_sitemap || !receiver.children.is_empty() {
            // A sitemap ends the search, even if it cannot be read to its end.
            self.guesses.clear();
        }
        let ended = match receiver.failure.take() {
            Some(failure) => self.failed(number, failure, Some(&location)),
            None if receiver.is_cut => self.finish(number, State::Partial),
            None => self.finish(number, State::Done(found.completeness())),
        };
        if ended.state() == State::Queued {
            self.give_back(receiver.pages);
            return ended;
        }
        if let Some(text) = receiver.robots.take() {
            self.read_robots(text, &location, &mut receiver.children);
        }
        self.skipped += found.skipped;
        let record = self.records.get_mut(number);
        record.pages = u32::try_from(receiver.pages).unwrap_or(u32::MAX);
        let pages = record.pages;
        let (is_empty, listed) = (receiver.children.is_empty(), receiver.children.all());
        self.adopt(number, receiver.children);
        if is_robots && is_empty {
            self.guess_at(&location);
        }
        let is_done = matches!(ended.state(), State::Done(_));
        if !is_sitemap && is_empty && !(is_robots && is_done) {
            return ended;
        }
        // The caller has not reported the end.
        let is_ended = found.format.is_some() || is_robots;
        let is_index = is_robots || !is_empty || found.format == Some(Format::Index);
        let seen = Seen {
            kind: if is_index {
                KnownKind::Index
            } else {
                KnownKind::Pages
            },
            is_to_end: is_done && is_ended,
            is_empty,
            skipped: found.skipped,
        };
        if is_done && listed.is_some() {
            self.known_pages += u64::from(pages);
        }
        let known = Known {
            completeness: found.completeness(),
            pages,
            // Not all of them are kept.
            look: listed.as_ref().map_or(Look::Cut, |_| Look::Whole),
            sitemaps: listed.unwrap_or_default(),
            ..receiver.known
        };
        self.compare(number, seen, known, ended)
    }

    /// Compares what was seen of a document with the row of the earlier run, and adds the row for the next run to the result.
    fn compare(&mut self, number: u32, seen: Seen, known: Known, mut ended: Ended) -> Ended {
        let row = self.recall(&known.url);
        let look = seen.look(row.as_ref(), self.run);
        let record = self.records.get_mut(number);
        (record.kind, record.look) = (Some(seen.kind), look);
        ended.rows_may_go = rows_may_go(record);
        // A refusal does not replace a row, so only what was refused from the first has a row of that kind.
        if seen.kind != KnownKind::Refused || row.is_none() {
            let is_cut = known.look == Look::Cut;
            let known = Known {
                run: self.run,
                kind: seen.kind,
                look: if is_cut { Look::Cut } else { look },
                skipped: seen.skipped,
                ..known
            };
            ended.known = Some(Box::new(known.checked()));
        }
        ended
    }

    /// A document that has no pages of its own: it is not there, was refused, or redirects to another sitemap.
    fn compare_nothing(&mut self, number: u32, kind: KnownKind, ended: Ended) -> Ended {
        match self.records.get(number).url.parse() {
            Ok(url) => self.compare(number, Seen::nothing(kind), Known::new(url), ended),
            Err(_) => ended,
        }
    }

    /// A redirect leads to another sitemap of the crawl, so there is nothing at the sitemap's own URL.
    fn duplicate(&mut self, number: u32) -> Ended {
        let ended = self.finish(number, State::Duplicate);
        self.compare_nothing(number, KnownKind::Absent, ended)
    }

    /// Adds the sitemaps that robots.txt lists, and keeps its `Crawl-delay`.
    fn read_robots(&mut self, text: Vec<u8>, location: &Url, children: &mut Children) {
        self.rules_mut().trust(location);
        let text = robots::inflated(text, ROBOTS_BYTES);
        for url in robots::sitemaps(&text, Some(location)) {
            children.add(&url, None);
        }
        let options = &self.rules.options;
        let name = options.user_agent.as_deref();
        if let Some(asked) = name.and_then(|name| robots::crawl_delay(&text, name))
            && let Some(host) = location.host_str()
        {
            let kept = asked.min(LONGEST_CRAWL_DELAY).max(options.pace.delay);
            options.pace.set_delay(host, kept);
            self.crawl_delay = Some((asked, kept));
        }
    }

    /// Tries the usual places.
    fn guess_at(&mut self, location: &Url) {
        self.rules_mut().trust(location);
        let places = PLACES.iter().filter_map(|place| location.join(place).ok());
        self.guess(places);
    }

    /// Pages that will be returned again.
    pub(super) fn give_back(&self, pages: u64) {
        self.pages_left.fetch_add(pages, Ordering::Relaxed);
    }

    fn finish(&mut self, number: u32, state: State) -> Ended {
        self.set_state(number, state);
        Ended::new(state, None, None)
    }

    /// Reports that there is no response to a request, or that it was abandoned.
    pub fn fail(&mut self, request: Request, failure: Failure) -> Ended {
        if self.owns(&request.ticket) {
            self.failed(request.ticket.number, failure, Some(&request.url))
        } else {
            Ended::of_another_crawl()
        }
    }

    /// Decides whether to try again. `url` is the one that was requested or to which that led; a `Retry-After` is for its host.
    pub(super) fn failed(&mut self, number: u32, mut failure: Failure, url: Option<&Url>) -> Ended {
        let options = &self.rules.options;
        let record = self.records.get_mut(number);
        let asked = failure.retry_after();
        let is_last = record.attempts > options.retries
            || asked.is_some_and(|wait| wait > options.max_retry_after);
        if let Some(url) = url {
            if failure.location().is_none() && url.as_str() != &*record.url {
                failure = failure.with_location(url.as_str());
            }
            if let Some(at_work) = self.schedule.at_work.get_mut(&number) {
                at_work.pause = asked.map(|wait| (url.authority().to_owned(), wait));
            }
        }
        if is_last || !failure.is_transient() {
            return self.give_up(number, failure);
        }
        record.rare_mut().failure = Some(failure.clone());
        let wait = asked.unwrap_or_else(|| back_off(record.attempts));
        self.again(number, wait);
        Ended::new(State::Queued, Some(failure), None)
    }

    /// Ends a sitemap whose last attempt has failed.
    pub(super) fn give_up(&mut self, number: u32, failure: Failure) -> Ended {
        if failure.is_busy() {
            // The server is busy, so the usual places are not tried.
            self.guesses.clear();
        }
        let kind = kind_of(&failure);
        let record = self.records.get_mut(number);
        (record.kind, record.look) = (None, Look::Unseen);
        let may_be_missing = record.is_guess || number == ROBOTS;
        let ended = if may_be_missing && (failure.is_missing() || failure.is_other_document) {
            self.finish(number, State::Missing)
        } else {
            record.rare_mut().failure = Some(failure.clone());
            self.set_state(number, State::Failed);
            Ended::new(State::Failed, Some(failure.clone()), None)
        };
        if number == ROBOTS && failure.is_answer() && !failure.is_busy() {
            // A site whose robots.txt cannot be read can have a sitemap.
            let url = failure.location().unwrap_or(&self.records.robots.url);
            if let Ok(location) = url.parse() {
                self.guess_at(&location);
            }
        }
        match kind {
            Some(kind) => self.compare_nothing(number, kind, ended),
            None => ended,
        }
    }
}

/// Exponential, half of it random, so that requests that failed together do not come back together.
fn back_off(attempts: u8) -> Duration {
    let doubled = 2_u32.saturating_pow(u32::from(attempts.saturating_sub(1)));
    let chance = RandomState::new().hash_one(attempts) as f64 / u64::MAX as f64;
    FIRST_WAIT
        .saturating_mul(doubled)
        .min(LONGEST_WAIT)
        .mul_f64(0.5 + chance / 2.0)
}

/// A `Retry-After`: seconds, or a date.
fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = read_http_date(value)?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let after = |value| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(after(" 120 "), Some(120));
        assert_eq!(after("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30));
        assert_eq!(after("Sun, 06 Nov 1994 08:49:07 GMT"), Some(0));
        assert_eq!(after("soon"), None);
        assert_eq!(after("-1"), None);
    }

    #[test]
    fn waiting_doubles_within_bounds() {
        for (attempts, most) in [(1, 0.5), (2, 1.0), (4, 4.0), (40, 30.0)] {
            let wait = back_off(attempts).as_secs_f64();
            assert!(wait >= most / 2.0 && wait <= most, "{attempts}: {wait}");
        }
    }
}
