//! The request for a page, of which the beginning is read.

use std::cell::Cell;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Failure, Response};
use ureq::http::header;

use super::Fetcher;
use super::headers::{in_ascii, text, url as url_of};
use crate::disk::{Counted, unzipped};
use crate::page;
use crate::term::address::{Address, LONGEST, bare};

/// The rest of a body that is read although it is not needed: less than a new connection costs.
const SMALL: u64 = 64 << 10;
/// Bytes after which the end of the head is looked for.
const PIECE: u64 = 16 << 10;

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
    /// The header.
    retry_after: Option<String>,
}

impl Fetcher {
    /// Requests a page once. The body of an HTML page is read to the end of its head, and at most [`page::BOUND`] bytes of it.
    pub(crate) fn page(&self, url: &Url, login: Option<&Address>) -> Result<Answer, Failure> {
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
        let mut answer = Answer {
            status: response.status().as_u16(),
            location: location.filter(|_| response.status().is_redirection()),
            content_type: text(headers, &header::CONTENT_TYPE),
            robots: all("x-robots-tag"),
            links: all("link"),
            bytes: text(headers, &header::CONTENT_LENGTH).and_then(|text| text.parse().ok()),
            body: Vec::new(),
            took: Duration::ZERO,
            retry_after: text(headers, &header::RETRY_AFTER),
        };
        let (body, count) = (response.into_body().into_with_config(), Cell::new(0));
        let mut sent = Counted(body.limit(u64::MAX).reader(), &count);
        if answer.may_be_html() && answer.status == 200 {
            // If a body breaks off, its beginning is used.
            let _ = beginning(&mut sent, &mut answer.body);
        }
        let announced = answer.bytes.unwrap_or(0);
        if announced.saturating_sub(count.get()) <= SMALL {
            // The connection can be used again. A failure here costs only the connection.
            let read = io::copy(&mut sent.take(SMALL + 1), &mut io::sink());
            let is_whole = read.is_ok_and(|read| read <= SMALL);
            answer.bytes = answer.bytes.or(is_whole.then_some(count.get()));
        }
        answer.took = begin.elapsed();
        Ok(answer)
    }
}

impl Answer {
    /// The part of it that the library's crawl judges: as a redirect to this URL, if there is one.
    pub(crate) fn response(&self, redirect: Option<&Url>) -> Response {
        let mut response = match redirect {
            Some(to) => Response::new(302).header("Location", to.as_str()),
            None => Response::new(self.status),
        };
        response.retry_after.clone_from(&self.retry_after);
        response
    }

    /// Returns `true` if the head of the content may name a canonical URL, or forbid the index.
    pub(crate) fn may_be_html(&self) -> bool {
        let kind = self.content_type.as_deref();
        kind.is_none_or(|kind| kind.to_ascii_lowercase().contains("html"))
    }
}

/// Unpacks the beginning of a page: to the end of its head, or as much of it as is read.
fn beginning(body: impl Read, content: &mut Vec<u8>) -> io::Result<()> {
    let mut unpacked = unzipped(body.take(page::BOUND)).take(page::BOUND);
    loop {
        let count = unpacked.by_ref().take(PIECE).read_to_end(content)?;
        if count == 0 || page::head_has_ended(content) {
            return Ok(());
        }
    }
}
