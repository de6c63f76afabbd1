//! Single pages: every response is a result, and no redirect is followed.

use std::cell::Cell;
use std::io::{self, Read};
use std::time::{Duration, Instant, SystemTime};

use quick_sitemap::chrono::DateTime;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Failure, Permit, Turn};
use ureq::http::header;

use super::Fetcher;
use super::headers::{in_ascii, text, url as url_of};
use crate::disk::{Counted, unzipped};
use crate::net::clock;
use crate::term::address::{Address, LONGEST, bare};
use crate::term::interrupt;

/// Before the second attempt.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// A server that requires a longer pause gets no further request.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The rest of a body that is read although it is not needed: less than a new connection costs.
const SMALL: u64 = 64 << 10;
/// How often a host with too many requests at work is asked for again.
const TICK: Duration = Duration::from_millis(20);
/// Bytes that are read at once.
const PIECE: usize = 16 << 10;

/// An answer to a request for a page.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The target of a redirect.
    pub(crate) location: Option<Url>,
    pub(crate) content_type: Option<String>,
    /// The values of all headers `X-Robots-Tag`.
    pub(crate) robots: Vec<String>,
    /// The values of all headers `Link`.
    pub(crate) links: Vec<String>,
    /// The size, as it is sent; `None` if it is not known.
    pub(crate) bytes: Option<u64>,
    /// The beginning of the content, unpacked.
    pub(crate) body: Vec<u8>,
    /// From the request to the last byte that was read.
    pub(crate) took: Duration,
    /// The header, as a time from now on.
    retry_after: Option<Duration>,
}

impl Fetcher {
    /// Waits until a request to the host of the URL is allowed. Returns `None` if the program is interrupted.
    fn turn(&self, url: &Url) -> Option<Permit> {
        loop {
            let now = clock::now();
            let wait = match self.pace.turn(url, now) {
                Turn::Now(permit) => return Some(permit),
                Turn::Wait(until) => until.duration_since(now).unwrap_or_default(),
                Turn::Busy => TICK,
            };
            if !interrupt::sleep(wait) {
                return None;
            }
        }
    }

    /// Repeats the request until the response is final, or another attempt makes no sense. For HTML, the content is
    /// read until `is_enough` returns `true`, but no more than `most` bytes, neither as sent nor unpacked. Returns `None` if
    /// the program is interrupted.
    pub(crate) fn page(
        &self,
        url: &Url,
        login: Option<&Address>,
        most: u64,
        is_enough: fn(&[u8]) -> bool,
    ) -> Option<Result<Answer, Failure>> {
        let mut attempts = 0;
        loop {
            let permit = self.turn(url)?;
            let answer = self.ask_page(url, login, most, is_enough);
            permit.end(clock::now());
            attempts += 1;
            let (failure, asked) = match &answer {
                Ok(page) => (Failure::status(page.status), page.retry_after),
                Err(failure) => (failure.clone(), None),
            };
            let wait = asked.unwrap_or_else(|| back_off(attempts));
            if !failure.is_transient() || attempts > self.options.retries || wait > LONGEST_WAIT {
                return Some(answer);
            }
            if asked.is_some() {
                self.pace.pause(url, wait, clock::now());
            } else if !interrupt::sleep(wait) {
                return Some(answer);
            }
        }
    }

    /// Requests a page once. The body of an HTML page is read until `is_enough` returns `true`, and at most `most`
    /// bytes of it.
    fn ask_page(
        &self,
        url: &Url,
        login: Option<&Address>,
        most: u64,
        is_enough: fn(&[u8]) -> bool,
    ) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let headers = login.map(|login| login.headers(url)).unwrap_or_default();
        let response = self.get(url, "text/html,*/*;q=0.8", headers)?;
        let headers = response.headers();
        let all = |name: &str| {
            let values = headers.get_all(name).iter();
            let texts = values.map(|value| in_ascii(value.as_bytes()));
            texts.collect::<Vec<_>>()
        };
        let location = url_of(headers, &header::LOCATION)
            .filter(|to| to.len() <= LONGEST)
            .and_then(|to| url.join(&to).ok())
            .map(bare);
        let mut page = Answer {
            status: response.status().as_u16(),
            location: location.filter(|_| response.status().is_redirection()),
            content_type: text(headers, &header::CONTENT_TYPE),
            robots: all("x-robots-tag"),
            links: all("link"),
            bytes: text(headers, &header::CONTENT_LENGTH).and_then(|text| text.parse().ok()),
            body: Vec::new(),
            took: Duration::ZERO,
            retry_after: text(headers, &header::RETRY_AFTER).and_then(|text| wait(&text)),
        };
        let (body, count) = (response.into_body().into_with_config(), Cell::new(0));
        let mut sent = Counted(body.limit(u64::MAX).reader(), &count);
        if page.may_be_html() && page.status == 200 {
            // If a body breaks off, its beginning is used.
            let read = beginning(sent.by_ref().take(most), most, is_enough, &mut page.body);
            if read.is_ok_and(|is_whole| is_whole) {
                page.bytes = Some(count.get());
            }
        }
        let rest = page.bytes.map(|bytes| bytes.saturating_sub(count.get()));
        if rest.is_some_and(|rest| rest <= SMALL) {
            // The connection can be used again. A failure here costs only the connection.
            let _ = io::copy(&mut sent.take(SMALL + 1), &mut io::sink());
        }
        page.took = begin.elapsed();
        Ok(page)
    }
}

impl Answer {
    /// Returns `true` if the head of the content may name a canonical URL, or forbid the index.
    pub(crate) fn may_be_html(&self) -> bool {
        let kind = self.content_type.as_deref();
        kind.is_none_or(|kind| kind.to_ascii_lowercase().contains("html"))
    }
}

/// The value of a `Retry-After`: seconds, or a date.
fn wait(retry_after: &str) -> Option<Duration> {
    let text = retry_after.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    let wait = SystemTime::from(date).duration_since(SystemTime::now());
    Some(wait.unwrap_or_default())
}

/// Half a second at first and twice as long each time, of which a half is random.
fn back_off(attempts: u32) -> Duration {
    let whole = FIRST_WAIT.saturating_mul(1 << (attempts - 1).min(10));
    whole
        .min(LONGEST_WAIT / 2)
        .mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// Unpacks the beginning of a body. Returns `true` if that is all of it.
fn beginning(
    body: impl Read,
    most: u64,
    is_enough: fn(&[u8]) -> bool,
    content: &mut Vec<u8>,
) -> io::Result<bool> {
    let mut unpacked = unzipped(body).take(most);
    let mut piece = vec![0; PIECE];
    // Looked at whenever it has doubled, so that small pieces take linear time.
    let mut next_look = 1;
    loop {
        let count = match unpacked.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if count == 0 {
            return Ok((content.len() as u64) < most);
        }
        content.extend_from_slice(piece.get(..count).unwrap_or_default());
        if content.len() >= next_look {
            if is_enough(content) {
                return Ok(false);
            }
            next_look = content.len() * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_seconds_or_a_date() {
        assert_eq!(wait(" 7 "), Some(Duration::from_secs(7)));
        let past = wait("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(past, Some(Duration::ZERO));
        assert!(wait("Sat, 06 Nov 2094 08:49:37 GMT").unwrap() > LONGEST_WAIT);
        for text in ["", "-1", "soon"] {
            assert_eq!(wait(text), None, "{text}");
        }
        for (attempts, longest) in [(1, 500), (2, 1_000), (3, 2_000), (100, 30_000)] {
            let wait = back_off(attempts).as_millis();
            assert!(wait * 2 >= longest && wait <= longest, "{attempts} {wait}");
        }
    }
}
