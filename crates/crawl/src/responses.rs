//! What a crawl makes of a response: from its beginning to the result of reading it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use quick_sitemap::Completeness;
use url::Url;

use super::body::inflated;
use super::crawl::{Crawl, Over};
use super::failure::{Failure, Reason};
use super::known::{Known, Listed, read_http_date};
use super::pace::LATEST;
use super::receiver::{Body, Ended, ROBOTS_BYTES, Reading, Receiver, Robots};
use super::record::{ROBOTS, State};
use super::request::{Request, Response, Ticket};
use super::robots;
use super::text::{bare, is_too_long};

/// Redirects of one attempt.
const MAX_REDIRECTS: u8 = 10;
/// Before the first retry.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// A longer `Crawl-delay` is not kept.
const LONGEST_CRAWL_DELAY: Duration = Duration::from_secs(30);
const NOT_MODIFIED: u16 = 304;

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
    /// redirect, or if the sitemap is known under another URL. [`end`](Self::end) then returns the reason.
    #[must_use = "pass the receiver to `end`"]
    pub fn begin(&mut self, request: Request, response: Response) -> Receiver {
        let (ticket, location, body) = match self.judge(&request, &response) {
            Ok(location) => {
                let body = self.body(&request, &location, &response);
                (Some(request.ticket), location, body)
            }
            Err(ended) => {
                self.close(&request.ticket);
                (None, request.url, Body::Unwanted(ended))
            }
        };
        Receiver {
            ticket,
            sitemap: request.sitemap,
            location,
            body,
        }
    }

    /// Returns the URL at which the body is read, or the result of a request whose body is not read.
    fn judge(&mut self, request: &Request, response: &Response) -> Result<Url, Ended> {
        let Request { url, sitemap, .. } = request;
        if !self.owns(&request.ticket) {
            return Err(Ended::of_another_crawl());
        }
        let number = request.ticket.number;
        let depth = self.frontier.records.get(number).depth;
        let location = response
            .final_url
            .as_ref()
            .map_or_else(|| url.clone(), |url| bare(url).into_owned());
        if location != *url
            && let Err(reason) = self.frontier.rules.redirect(url, &location, sitemap, depth)
        {
            let failure = Failure::redirect(reason).with_location(location.as_str());
            return Err(self.failed(number, failure, Some(url)));
        }
        let failure = match response.status {
            NOT_MODIFIED if !is_known(request, &location) => match request.condition() {
                Some(_) => return Err(self.request_in_full(number)),
                None => Failure::status(NOT_MODIFIED)
                    .with_message("status 304 (not modified) to a request without a condition"),
            },
            200..=299 | NOT_MODIFIED => {
                let is_own = number == ROBOTS || location == *sitemap;
                if is_own || self.frontier.claim(number, &location) {
                    return Ok(location);
                }
                self.frontier.finish(number, State::Duplicate);
                return Err(Ended::new(State::Duplicate));
            }
            301 | 302 | 303 | 307 | 308 => {
                match self.redirect(number, depth, &location, sitemap, response) {
                    Ok(state) => return Err(Ended::new(state)),
                    Err(failure) => failure,
                }
            }
            status => {
                let now = self.frontier.schedule.now;
                let wait = response.retry_after.as_deref();
                let wait = wait.and_then(|value| retry_after(value, now));
                Failure::status(status).with_retry_after(wait)
            }
        };
        Err(self.failed(number, failure, Some(&location)))
    }

    /// Nothing is known of a document that has not changed.
    fn request_in_full(&mut self, number: u32) -> Ended {
        let record = self.frontier.records.get_mut(number);
        record.rare().is_unconditional = true;
        record.state = State::Queued;
        self.frontier.push_next(number);
        Ended::new(State::Queued)
    }

    /// Requests the target of a redirect next, unless that is another sitemap of the crawl.
    fn redirect(
        &mut self,
        number: u32,
        depth: u16,
        from: &Url,
        sitemap: &Url,
        response: &Response,
    ) -> Result<State, Failure> {
        let Some(location) = &response.location else {
            return Err(Failure::redirect(Reason::BadRedirect));
        };
        let Ok(to) = from.join(location) else {
            return Err(Failure::redirect(Reason::BadRedirect).with_location(location));
        };
        let to = bare(&to).into_owned();
        if is_too_long(&to) {
            return Err(Failure::redirect(Reason::UrlTooLong));
        }
        self.frontier
            .rules
            .redirect(from, &to, sitemap, depth)
            .map_err(|reason| Failure::redirect(reason).with_location(to.as_str()))?;
        if number != ROBOTS && self.frontier.has_another(number, &to) {
            self.frontier.finish(number, State::Duplicate);
            return Ok(State::Duplicate);
        }
        let record = self.frontier.records.get_mut(number);
        let rare = record.rare();
        if rare.redirects >= MAX_REDIRECTS {
            return Err(Failure::redirect(Reason::TooManyRedirects).with_location(to.as_str()));
        }
        rare.redirects += 1;
        rare.target = Some(to);
        record.state = State::Queued;
        self.frontier.push_next(number);
        Ok(State::Queued)
    }

    /// Prepares reading the body of a response, with the location and the charset that the response has.
    fn body(&self, request: &Request, location: &Url, response: &Response) -> Body {
        let number = request.ticket.number;
        if number == ROBOTS {
            return Body::Robots(Robots::default());
        }
        let headers = response.known(location.clone());
        let before = request.known.as_ref();
        if let Some(before) = before.filter(|_| response.status == NOT_MODIFIED) {
            let children = self.listed_by(number, request.sitemap.clone(), before);
            let mut known = before.clone();
            if headers.has_validator() {
                (known.etag, known.last_modified) = (headers.etag, headers.last_modified);
            }
            return Body::Unchanged(Box::new(known), children);
        }
        let options = &self.frontier.rules.options;
        let mut reader = options
            .reader
            .clone()
            .base_url(location.clone())
            .location(location.clone())
            .max_bytes(options.max_bytes);
        if let Some(charset) = response.charset() {
            reader = reader.charset(charset);
        }
        // The sitemaps that robots.txt lists can list all pages of the site.
        if self.robots().is_some() {
            reader = reader.any_directory();
            if let Some(host) = self.start.host_str() {
                reader = reader.allow_host(host);
            }
        }
        let children = self.children(number, request.sitemap.clone(), location);
        let pages = Arc::clone(&self.all_pages);
        let mut reading = Reading::new(reader, options.max_bytes, children, pages, headers);
        reading.before = before.cloned();
        Body::Sitemap(Box::new(reading))
    }

    /// Takes a receiver back at the end of the body, or when you do not want to read further. Entries that have arrived and
    /// were not taken are lost, but counted, and the sitemaps among them are read.
    pub fn end(&mut self, receiver: Receiver) -> Ended {
        let Receiver {
            ticket,
            location,
            body,
            ..
        } = receiver;
        match (body, ticket.and_then(|ticket| self.close(&ticket))) {
            (Body::Unwanted(ended), _) => ended,
            (_, None) => Ended::of_another_crawl(),
            (Body::Robots(robots), _) => self.end_robots(robots, &location),
            (Body::Sitemap(reading), Some(number)) => self.end_sitemap(number, *reading, &location),
            (Body::Unchanged(known, children), Some(number)) => {
                self.frontier.adopt(number, children);
                let record = self.frontier.records.get_mut(number);
                record.was_complete = known.completeness == Completeness::Complete;
                self.frontier.finish(number, State::Unchanged);
                let known = Known {
                    run: self.run,
                    is_unchanged: true,
                    ..*known
                };
                Ended::read(State::Unchanged, Some(known))
            }
        }
    }

    /// Returns `false` if the ticket is from another crawl.
    fn owns(&self, ticket: &Ticket) -> bool {
        let at_work = self.at_work.get(&ticket.number);
        at_work.is_some_and(|it| it.token.as_ptr() == Arc::as_ptr(&ticket.token))
    }

    /// Takes a ticket back. Returns the number of its sitemap, or `None` if it is from another crawl.
    fn close(&mut self, ticket: &Ticket) -> Option<u32> {
        let is_own = self.owns(ticket);
        is_own.then(|| self.release(ticket.number))?;
        Some(ticket.number)
    }

    fn end_robots(&mut self, robots: Robots, location: &Url) -> Ended {
        if let Some(failure) = robots.failure {
            let ended = self.failed(ROBOTS, failure, Some(location));
            if ended.state() != State::Queued {
                // Its beginning may list sitemaps.
                self.enter(robots.text, location, true);
            }
            return ended;
        }
        let state = State::Done(Completeness::Complete);
        self.frontier.finish(ROBOTS, state);
        let listed = self.enter(robots.text, location, true);
        let before = self.recall(location);
        self.compare(before.as_ref(), &listed);
        let mut known = Known::new(location.clone());
        known.run = self.run;
        known.completeness = Completeness::Complete;
        known.sitemaps = Some(listed.into());
        Ended::read(state, Some(known))
    }

    /// Records the result of reading a sitemap, and adds the sitemaps that it lists.
    fn end_sitemap(&mut self, number: u32, mut reading: Reading, location: &Url) -> Ended {
        let (completeness, skipped) = reading.complete();
        self.bytes += reading.received;
        self.has_more_pages |= reading.is_cut;
        if let Some(failure) = reading.failure {
            let ended = self.failed(number, failure, Some(location));
            if ended.state() == State::Queued {
                reading.all_pages.give_back(reading.pages);
            } else {
                self.skipped += skipped;
                self.frontier.add_pages(number, reading.pages);
                self.frontier.adopt(number, reading.children);
            }
            return ended;
        }
        self.skipped += skipped;
        self.frontier.add_pages(number, reading.pages);
        let is_index = reading.children.is_index();
        let listed = reading.children.listed();
        if let Some(listed) = listed.as_ref().filter(|_| !reading.is_cut) {
            self.compare(reading.before.as_ref(), listed);
        }
        self.frontier.adopt(number, reading.children);
        if reading.is_cut {
            self.frontier.finish(number, State::Partial);
            return Ended::new(State::Partial);
        }
        self.done_pages += reading.pages;
        let state = State::Done(completeness);
        self.frontier.finish(number, state);
        let known = listed.map(|listed| Known {
            run: self.run,
            completeness,
            skipped,
            pages: u32::try_from(reading.pages).unwrap_or(u32::MAX),
            sitemaps: is_index.then_some(listed),
            ..reading.known
        });
        Ended::read(state, known)
    }

    /// Reports that there is no response to a request, or that you have given it up.
    pub fn fail(&mut self, request: Request, failure: Failure) -> Ended {
        match self.close(&request.ticket) {
            Some(number) => self.failed(number, failure, Some(&request.url)),
            None => Ended::of_another_crawl(),
        }
    }

    /// Decides whether to try again. `url` is the one that was requested or to which that led; a `Retry-After` is for its host.
    pub(super) fn failed(&mut self, number: u32, mut failure: Failure, url: Option<&Url>) -> Ended {
        let options = &self.frontier.rules.options;
        let (retries, longest) = (options.retries, options.max_retry_after);
        let record = self.frontier.records.get_mut(number);
        let attempts = record.attempts;
        if let Some(url) = url.filter(|url| url.as_str() != &*record.url)
            && failure.location().is_none()
        {
            failure = failure.with_location(url.as_str());
        }
        let asked = failure.retry_after();
        if let (Some(wait), Some(url)) = (asked, url) {
            let authority = url.authority().to_owned();
            self.ended.push(Over::Pause(authority, wait));
        }
        let is_waited_for = asked.is_none_or(|wait| wait <= longest);
        if !failure.is_transient() || attempts > retries || !is_waited_for {
            return self.give_up(number, failure);
        }
        record.rare().failure = Some(failure.clone());
        record.state = State::Queued;
        let wait = asked.unwrap_or_else(|| back_off(attempts));
        self.ended.push(Over::Retry(number, wait));
        Ended::failed(State::Queued, failure)
    }

    /// The last attempt has failed, or there is none.
    pub(super) fn give_up(&mut self, number: u32, failure: Failure) -> Ended {
        let record = self.frontier.records.get_mut(number);
        let is_missing = match (number, record.is_guess) {
            (ROBOTS, _) => failure.is_missing(),
            (_, is_guess) => is_guess && (failure.is_missing() || failure.is_other_document),
        };
        let state = if is_missing {
            State::Missing
        } else {
            State::Failed
        };
        let url = record.url.clone();
        if !is_missing {
            record.rare().failure = Some(failure.clone());
        }
        if failure.is_busy() {
            // The usual places are tried later.
            self.frontier.guesses.clear();
        }
        self.frontier.finish(number, state);
        if number == ROBOTS {
            // A server that answers may have a sitemap nevertheless.
            let location = failure.location().unwrap_or(&url).parse();
            if let Ok(location) = location.or_else(|_| url.parse()) {
                let may_guess = failure.is_answer() && !failure.is_busy();
                self.enter(Vec::new(), &location, may_guess);
            }
        }
        if is_missing {
            Ended::new(state)
        } else {
            Ended::failed(state, failure)
        }
    }

    /// Adds the sitemaps that robots.txt lists, or the usual places. Returns those that it lists, up to the maximum.
    fn enter(&mut self, text: Vec<u8>, location: &Url, may_guess: bool) -> Vec<Listed> {
        self.frontier.rules_mut().trust(location);
        let text = inflated(text, ROBOTS_BYTES);
        self.obey_delay(&text, location);
        let most = self.frontier.rules.options.max_sitemaps;
        let (mut is_named, mut listed) = (false, Vec::new());
        for url in robots::sitemaps(&text, Some(location)) {
            is_named = true;
            self.frontier.add_root(&url);
            if listed.len() < most && !is_too_long(&url) {
                let url = bare(&url).as_str().into();
                listed.push(Listed { url, lastmod: None });
            }
        }
        let has_guessed = self.records().iter().any(|record| record.is_guess);
        if !is_named && !has_guessed && may_guess {
            let places = PLACES.iter().filter_map(|place| location.join(place).ok());
            self.frontier.guess(places);
        }
        listed
    }

    /// Keeps the `Crawl-delay` of robots.txt.
    fn obey_delay(&mut self, text: &[u8], location: &Url) {
        let options = &self.frontier.rules.options;
        let name = options.user_agent.as_deref();
        let Some(asked) = name.and_then(|name| robots::crawl_delay(text, name)) else {
            return;
        };
        let kept = asked.min(LONGEST_CRAWL_DELAY).max(options.pace.own_delay());
        if let Some(host) = location.host_str() {
            self.frontier.schedule.pace.set_delay(host, kept);
        }
        self.crawl_delay = Some((asked, kept));
    }
}

/// Returns `true` if a 304 of this URL is an answer to the condition of the request.
fn is_known(request: &Request, location: &Url) -> bool {
    request
        .condition()
        .is_some_and(|known| known.url() == location || *location == request.url)
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
fn retry_after(value: &str, now: Duration) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds).min(LATEST));
    }
    Some(read_http_date(value)?.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Duration::from_secs(784_111_777); // Sun, 06 Nov 1994 08:49:37 GMT
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
