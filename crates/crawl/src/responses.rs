//! The steps of a response in a crawl, from its beginning to the result of reading it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use httpdate::parse_http_date;
use quick_sitemap::{Completeness, Format, ReaderBuilder};
use url::{Position, Url};

use super::children::Children;
use super::crawl::Crawl;
use super::failure::{Failure, Reason};
use super::known::Known;
use super::receiver::{Ended, Receiver};
use super::record::{ROBOTS, State};
use super::request::{Request, RequestKind, Response, Ticket};
use super::robots::{self, Answer, Why};
use super::seen::{KnownKind, Look, Seen};
use super::text::{bare, site_key};

/// Maximum number of redirects of one attempt.
const MAX_REDIRECTS: usize = 10;
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
            robots: (number == ROBOTS).then(|| (response.clone(), Vec::new())),
            builder: self.reader(&request.sitemap, &location, response.charset()),
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
        if !self.owns(&request.ticket) {
            return Some(Ended::of_another_crawl());
        }
        let (number, status) = (request.ticket.number, response.status);
        // The client may have followed redirects itself.
        let followed = self.rules.redirect(&request.url, location, request);
        let target = followed.and_then(|()| match status {
            200 | 201 | 203 | 204 | 304 => Ok(None),
            // 206 is a part of the document, although all of it was requested.
            200..=299 if status != 206 && request.kind != RequestKind::Robots => Ok(None),
            _ if Failure::is_redirect_status(status) => {
                self.rules.target(response, location, request).map(Some)
            }
            _ => {
                let wait = retry_after(response, self.schedule.now);
                Err(Failure::status(status).with_retry_after(wait))
            }
        });
        Some(match target {
            Ok(Some(to)) => self.follow(number, location, to),
            Ok(None) if status == 304 => self.unchanged(request, response, location),
            Ok(None) if self.claim(number, location) => return None,
            Ok(None) => self.duplicate(number),
            Err(failure) => self.failed(number, failure, Some(location)),
        })
    }

    /// The document has not changed since the caller got its `Known`.
    fn unchanged(&mut self, request: &Request, response: &Response, location: &Url) -> Ended {
        let number = request.ticket.number;
        match &request.known {
            // The caller keeps the pages under the URL of the sitemap.
            Some(known) if *location == request.url && known.url == request.sitemap => {
                let headers = response.known(known.url.clone(), location.clone());
                let mut known = known.clone();
                if headers.has_validator() {
                    (known.etag, known.last_modified) = (headers.etag, headers.last_modified);
                }
                (known.run, known.seen.look) = (self.run, Look::Earlier);
                self.take_over(number, known)
            }
            // It is that of another URL.
            Some(_) => {
                self.records.get_mut(number).rare_mut().is_unconditional = true;
                self.again(number, Duration::ZERO)
            }
            None => {
                let message = "status 304 (not modified) to a request without a condition";
                let failure = Failure::status(304).with_message(message);
                self.failed(number, failure, Some(location))
            }
        }
    }

    /// Requests a sitemap again, this time after the end of the response.
    fn again(&mut self, number: u32, wait: Duration) -> Ended {
        if let Some(at_work) = self.schedule.at_work.get_mut(&number) {
            at_work.retry = Some(wait);
        }
        self.finish(number, State::Queued)
    }

    /// Requests the target of a redirect next, unless that is another sitemap of the crawl.
    fn follow(&mut self, number: u32, from: &Url, to: Url) -> Ended {
        if number != ROBOTS && self.has_another(number, &to) {
            return self.duplicate(number);
        }
        let rare = self.records.get_mut(number).rare_mut();
        rare.way.push(from[..Position::AfterQuery].into());
        let is_loop = rare.way.iter().any(|from| **from == *to.as_str());
        if is_loop || rare.way.len() > MAX_REDIRECTS {
            let reason = if is_loop {
                Reason::RedirectLoop
            } else {
                Reason::TooManyRedirects
            };
            let failure = Failure::new(reason).with_location(to.as_str());
            return self.failed(number, failure, None);
        }
        rare.target = Some(to);
        self.again(number, Duration::ZERO)
    }

    /// Takes over a document that need not be read: it has not changed, or was read before the crawl was continued.
    pub(super) fn take_over(&mut self, number: u32, mut known: Known) -> Ended {
        if !self.claim(number, &known.location) {
            return self.duplicate(number);
        }
        let mut children = self.children(number, known.url.clone(), &known.location);
        for listed in known.sitemaps.iter() {
            if let Ok(url) = listed.url.parse() {
                children.add(&url, listed.lastmod);
            }
        }
        let is_cut = children.is_cut;
        self.adopt(number, children);
        let state = if known.seen.look == Look::Earlier {
            State::Unchanged
        } else {
            self.skipped += known.skipped;
            State::Done(known.seen.completeness)
        };
        let mut seen = known.seen;
        if seen.look == Look::Whole {
            seen.look = Look::Earlier;
        }
        let record = self.records.get_mut(number);
        (record.seen, record.pages) = (Some(seen), known.pages);
        if is_cut {
            known.seen.look = Look::Cut;
        }
        let mut ended = self.finish(number, state);
        ended.known = Some(Box::new(known.checked()));
        ended
    }

    /// The options with which a sitemap is read that was found at this location.
    fn reader(&self, sitemap: &Url, location: &Url, charset: Option<&str>) -> ReaderBuilder {
        let options = &self.rules.options;
        let reader = options.reader.clone().max_bytes(options.max_bytes);
        let mut reader = reader.base_url(location.clone()).location(location.clone());
        if let Some(charset) = charset {
            reader = reader.charset(charset);
        }
        if self.begins_with_robots() {
            reader = reader.any_directory();
        }
        // The URL under which it is listed counts, too.
        let sites = self.listings.sites(sitemap);
        let sites = sites.iter().filter_map(|site| site.parse::<Url>().ok());
        let others = sites.chain([sitemap.clone()]);
        for site in others.filter(|site| site.origin() != location.origin()) {
            reader = reader.allow_site(&site);
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
        if let Some((response, body)) = receiver.robots.take() {
            return self.end_robots(receiver, &response.final_url(location), &body);
        }
        let found = receiver.complete();
        self.bytes += receiver.received;
        self.has_more_pages |= receiver.is_cut;
        let ended = match receiver.failure {
            Some(failure) => self.failed(number, failure, Some(&location)),
            None if receiver.is_cut => self.finish(number, State::Partial),
            None => self.finish(number, State::Done(found.completeness())),
        };
        if ended.state() == State::Queued {
            self.give_back(receiver.pages);
            return ended;
        }
        self.skipped += found.skipped;
        let (children, pages) = (receiver.children, receiver.pages);
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        self.records.get_mut(number).pages = pages;
        let (sitemaps, lists_none, is_cut) = (children.all(), children.is_empty(), children.is_cut);
        self.adopt(number, children);
        if found.format.is_none() && pages == 0 && lists_none {
            return ended;
        }
        // Without a format, the caller has not reported the end.
        let is_to_end = matches!(ended.state(), State::Done(_)) && found.format.is_some();
        let is_index = !lists_none || found.format == Some(Format::Index);
        let seen = Seen {
            kind: if is_index {
                KnownKind::Index
            } else {
                KnownKind::Pages
            },
            look: if is_to_end { Look::Whole } else { Look::Cut },
            completeness: found.completeness(),
        };
        let known = Known {
            seen,
            pages,
            skipped: found.skipped,
            sitemaps,
            ..receiver.known
        };
        self.compare(number, known, is_cut, ended)
    }

    /// Compares what was seen of a document with the row of the earlier run, and adds the row for the next run to the result,
    /// which is not whole if not all of its sitemaps are kept.
    fn compare(&mut self, number: u32, mut known: Known, is_cut: bool, mut ended: Ended) -> Ended {
        let row = self.recall(&known.url);
        known.run = self.run;
        known.seen.look = known.compared_with(row.as_ref(), is_cut);
        self.records.get_mut(number).seen = Some(known.seen);
        ended.rows_may_go = known.seen.rows_may_go();
        // A refusal does not replace a row, so only what was refused from the first has a row of that kind.
        if known.kind() != KnownKind::Refused || row.is_none() {
            if is_cut {
                known.seen.look = Look::Cut;
            }
            let known = known.checked();
            self.known_pages += u64::from(known.pages);
            ended.known = Some(Box::new(known));
        }
        ended
    }

    /// A document that has no pages of its own: it is not there, was refused, or redirects to another sitemap. `None` if nothing
    /// was seen of it.
    fn compare_nothing(&mut self, number: u32, kind: Option<KnownKind>, ended: Ended) -> Ended {
        let record = self.records.get_mut(number);
        record.seen = None;
        let known = record.url.parse().map(Known::new);
        let (Some(kind), Ok(mut known)) = (kind, known) else {
            return ended;
        };
        known.seen.kind = kind;
        self.compare(number, known, false, ended)
    }

    /// A redirect leads to another sitemap of the crawl, so there is nothing at the sitemap's own URL.
    fn duplicate(&mut self, number: u32) -> Ended {
        let ended = self.finish(number, State::Duplicate);
        self.compare_nothing(number, Some(KnownKind::Absent), ended)
    }

    /// Judges a robots.txt, and adds the sitemaps that it lists.
    fn end_robots(&mut self, mut receiver: Receiver, response: &Response, body: &[u8]) -> Ended {
        let location = receiver.location;
        if let Some(failure) = receiver.failure {
            return self.failed(ROBOTS, failure, Some(&location));
        }
        let answer = Answer::new(response, body);
        let (failure, absence) = (answer.failure(), answer.absence());
        self.records.robots.rare_mut().failure.clone_from(&failure);
        let mut read = None;
        if let Answer::Read(rules) = &answer {
            let children = &mut receiver.children;
            let sitemaps = rules.sitemaps(&location);
            sitemaps.for_each(|url| children.add(&url, None));
            let seen = Seen {
                kind: KnownKind::Index,
                look: if rules.is_cut() {
                    Look::Cut
                } else {
                    Look::Whole
                },
                completeness: completeness(rules),
            };
            let known = Known {
                seen,
                skipped: rules.unusable,
                sitemaps: children.all(),
                ..receiver.known
            };
            read = Some((known, children.is_cut));
            self.keep_delay(rules, &location);
            self.adopt(ROBOTS, receiver.children);
        }
        let state = self.take_answer(answer, Some(&location));
        let ended = Ended::new(state, failure);
        match read {
            Some((known, is_cut)) => self.compare(ROBOTS, known, is_cut, ended),
            None => self.compare_nothing(ROBOTS, absence, ended),
        }
    }

    /// Keeps the answer to the request for robots.txt, and decides whether the usual places are tried. `url` is the one that
    /// was requested at last.
    fn take_answer(&mut self, answer: Answer, url: Option<&Url>) -> State {
        let ignores = self.rules.options.ignore_robots;
        // A failure of the site, not of another one to which it redirects.
        let is_own = url.is_none_or(|url| site_key(url) == site_key(&self.start));
        let answered = url.filter(|_| match &answer {
            Answer::Read(_) => true,
            Answer::Absent(why) => !matches!(why, Why::Redirect(_)),
            _ => false,
        });
        let (state, may_guess) = match &answer {
            Answer::Read(rules) => {
                let lists_none = rules.sitemaps(&self.start).next().is_none();
                (State::Done(completeness(rules)), lists_none)
            }
            Answer::Absent(_) => (State::Missing, true),
            Answer::Refused(_) => (State::Failed, true),
            Answer::NotUnderstood(_) => (State::Failed, ignores),
            Answer::Unreachable(_) => (State::Failed, ignores || !is_own),
        };
        self.listings.add(&self.start, &answer);
        self.robots = Some(answer);
        self.set_state(ROBOTS, state);
        if may_guess {
            self.guess_at(answered);
        }
        state
    }

    /// Keeps the `Crawl-delay` of the site that was asked, and of another spelling of it.
    fn keep_delay(&mut self, rules: &robots::Rules, location: &Url) {
        let options = &self.rules.options;
        let name = options.user_agent.as_deref();
        if let Some(asked) = name.and_then(|name| rules.crawl_delay(name)) {
            let kept = asked.min(LONGEST_CRAWL_DELAY).max(options.pace.delay);
            for url in self.spellings(Some(location)) {
                options.pace.keep_delay(url, kept);
            }
            self.crawl_delay = Some((asked, kept));
        }
    }

    /// The site that was asked, and the URL that has answered for it, if it differs only by `www.`, or by http and https with
    /// their default ports.
    fn spellings<'u>(&'u self, answered: Option<&'u Url>) -> impl Iterator<Item = &'u Url> {
        let site = &self.start;
        let is_other =
            |url: &&Url| site_key(site) == site_key(url) && site.origin() != url.origin();
        [Some(site), answered.filter(is_other)]
            .into_iter()
            .flatten()
    }

    /// Tries the usual places on the site that was asked, and then on another spelling of it, if that has answered.
    fn guess_at(&mut self, answered: Option<&Url>) {
        let spellings = self.spellings(answered);
        let places = spellings.flat_map(|site| PLACES.iter().map(|place| site.join(place)));
        let places: Vec<Url> = places.flatten().collect();
        self.guess(places);
    }

    /// Pages that will be returned again.
    pub(super) fn give_back(&self, pages: u64) {
        self.pages_left.fetch_add(pages, Ordering::Relaxed);
    }

    fn finish(&mut self, number: u32, state: State) -> Ended {
        self.set_state(number, state);
        Ended::new(state, None)
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
            return self.give_up(number, failure, url);
        }
        record.rare_mut().failure = Some(failure.clone());
        let wait = asked.unwrap_or_else(|| back_off(record.attempts));
        self.again(number, wait);
        Ended::new(State::Queued, Some(failure))
    }

    /// Ends a sitemap whose last attempt has failed. `url` is the one that has answered.
    pub(super) fn give_up(&mut self, number: u32, failure: Failure, url: Option<&Url>) -> Ended {
        let mut absence = failure.absence();
        let record = self.records.get_mut(number);
        let is_missing = record.is_guess && absence.is_some();
        record.rare_mut().failure = Some(failure.clone());
        let state = if number == ROBOTS {
            let answer = Answer::of_failure(failure.clone());
            absence = answer.absence();
            self.take_answer(answer, url)
        } else if is_missing {
            State::Missing
        } else {
            State::Failed
        };
        self.set_state(number, state);
        let ended = Ended::new(state, Some(failure));
        self.compare_nothing(number, absence, ended)
    }
}

/// Whether all lines of a robots.txt that name a sitemap were read, and can be used.
fn completeness(rules: &robots::Rules) -> Completeness {
    if !rules.is_cut() && rules.unusable == 0 {
        Completeness::Complete
    } else {
        Completeness::Incomplete
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

/// The header `Retry-After`: seconds, or a date.
fn retry_after(response: &Response, now: SystemTime) -> Option<Duration> {
    let value = response.retry_after.as_deref()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
        let after = |value| {
            let response = Response::new(503).header("Retry-After", value);
            retry_after(&response, now).map(|wait| wait.as_secs())
        };
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
