//! The steps of a response in a crawl, from its beginning to the result of reading it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use quick_sitemap::{Completeness, Format, ReaderBuilder};
use url::{Position, Url};

use super::children::Children;
use super::crawl::Crawl;
use super::evidence::Seen;
use super::failure::{Failure, Reason};
use super::known::{Known, KnownKind, read_http_date};
use super::look::Look;
use super::receiver::{Ended, Receiver};
use super::record::{ROBOTS, State};
use super::request::{Request, RequestKind, Response, Ticket};
use super::robots::{self, Answer, Why};
use super::rules::Rules;
use super::text::{bare, host, is_too_long};

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
        // A part of the document, although all of it was requested.
        206 => Err(Failure::status(206)),
        200 | 201 | 203 | 204 => Ok(Meaning::Document),
        200..=299 if request.kind != RequestKind::Robots => Ok(Meaning::Document),
        status if Failure::is_redirect_status(status) => {
            let target = response.location.as_deref().unwrap_or_default();
            let bad = || Failure::new(Reason::BadRedirect).with_location(target);
            let to = location.join(target).map_err(|_| bad())?;
            if target.trim().is_empty() {
                return Err(bad());
            }
            let to = bare(&to);
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
            Ok(Meaning::Redirect(to)) => self.follow(number, location, to),
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
        let record = self.records.get_mut(number);
        record.pages = u32::try_from(receiver.pages).unwrap_or(u32::MAX);
        let pages = record.pages;
        let (is_empty, listed) = (receiver.children.is_empty(), receiver.children.all());
        self.adopt(number, receiver.children);
        if found.format.is_none() && pages == 0 && is_empty {
            return ended;
        }
        let is_done = matches!(ended.state(), State::Done(_));
        if is_done && listed.is_some() {
            self.known_pages += u64::from(pages);
        }
        let seen = Seen {
            kind: if !is_empty || found.format == Some(Format::Index) {
                KnownKind::Index
            } else {
                KnownKind::Pages
            },
            // Without a format, the caller has not reported the end.
            is_to_end: is_done && found.format.is_some(),
            is_empty,
            skipped: found.skipped,
        };
        let known = receiver.known.of_list(found.completeness(), pages, listed);
        self.compare(number, seen, known, ended)
    }

    /// Compares what was seen of a document with the row of the earlier run, and adds the row for the next run to the result.
    fn compare(&mut self, number: u32, seen: Seen, known: Known, mut ended: Ended) -> Ended {
        let row = self.recall(&known.url);
        let look = seen.look(row.as_ref(), self.run);
        let record = self.records.get_mut(number);
        (record.kind, record.look) = (Some(seen.kind), look);
        ended.rows_may_go = record.rows_may_go();
        // A refusal does not replace a row, so only what was refused from the first has a row of that kind.
        if seen.kind != KnownKind::Refused || row.is_none() {
            let known = Known {
                run: self.run,
                kind: seen.kind,
                look: Some(known.look)
                    .filter(|it| *it == Look::Cut)
                    .unwrap_or(look),
                skipped: seen.skipped,
                ..known
            };
            ended.known = Some(Box::new(known.checked()));
        }
        ended
    }

    /// A document that has no pages of its own: it is not there, was refused, or redirects to another sitemap. `None` if nothing
    /// was seen of it.
    fn compare_nothing(&mut self, number: u32, kind: Option<KnownKind>, ended: Ended) -> Ended {
        let record = self.records.get_mut(number);
        match (kind, record.url.parse()) {
            (Some(kind), Ok(url)) => {
                self.compare(number, Seen::nothing(kind), Known::new(url), ended)
            }
            _ => {
                (record.kind, record.look) = (None, Look::Unseen);
                ended
            }
        }
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
            rules
                .sitemaps(&location)
                .for_each(|url| children.add(&url, None));
            let seen = Seen {
                kind: KnownKind::Index,
                is_to_end: !rules.is_cut(),
                is_empty: children.is_empty(),
                skipped: rules.unusable,
            };
            let known = receiver.known;
            read = Some((seen, known.of_list(completeness(rules), 0, children.all())));
            self.keep_delay(rules, &location);
            self.adopt(ROBOTS, receiver.children);
        }
        let state = self.take_answer(answer, Some(&location));
        let ended = Ended::new(state, failure, None);
        match read {
            Some((seen, known)) => self.compare(ROBOTS, seen, known, ended),
            None => self.compare_nothing(ROBOTS, absence, ended),
        }
    }

    /// Keeps the answer to the request for robots.txt, and decides whether the usual places are tried. `url` is the one that
    /// was requested at last.
    fn take_answer(&mut self, answer: Answer, url: Option<&Url>) -> State {
        let ignores = self.rules.options.ignore_robots;
        // A failure of the site, not of another one to which it redirects.
        let is_own = url.is_none_or(|url| host(url) == host(&self.start));
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
        let is_other = |url: &&Url| {
            let is_near = site.port() == url.port() && host(site) == host(url);
            is_near && site.origin() != url.origin()
        };
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
            return self.give_up(number, failure, url);
        }
        record.rare_mut().failure = Some(failure.clone());
        let wait = asked.unwrap_or_else(|| back_off(record.attempts));
        self.again(number, wait);
        Ended::new(State::Queued, Some(failure), None)
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
        let ended = Ended::new(state, Some(failure), None);
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
