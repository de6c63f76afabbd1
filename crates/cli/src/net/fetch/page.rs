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
use crate::term::address::{Address, LONGEST, bare};

/// The rest of a body that is read although it is not needed: less than a new connection costs.
const SMALL: u64 = 64 << 10;
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
    /// The header.
    retry_after: Option<String>,
}

impl Fetcher {
    /// Requests a page once. The body of an HTML page is read until `is_enough` returns `true`, and at most `most`
    /// bytes of it.
    pub(crate) fn page(
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
            retry_after: text(headers, &header::RETRY_AFTER),
        };
        let (body, count) = (response.into_body().into_with_config(), Cell::new(0));
        let mut sent = Counted(body.limit(u64::MAX).reader(), &count);
        if page.may_be_html() && page.status == 200 {
            // If a body breaks off, its beginning is used.
            let _ = beginning(sent.by_ref().take(most), most, is_enough, &mut page.body);
        }
        let announced = page.bytes.unwrap_or(0);
        if announced.saturating_sub(count.get()) <= SMALL {
            // The connection can be used again. A failure here costs only the connection.
            let read = io::copy(&mut sent.take(SMALL + 1), &mut io::sink());
            let is_whole = read.is_ok_and(|read| read <= SMALL);
            page.bytes = page.bytes.or(is_whole.then_some(count.get()));
        }
        page.took = begin.elapsed();
        Ok(page)
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

/// Unpacks the beginning of a body.
fn beginning(
    body: impl Read,
    most: u64,
    is_enough: fn(&[u8]) -> bool,
    content: &mut Vec<u8>,
) -> io::Result<()> {
    let mut unpacked = unzipped(body).take(most);
    let mut piece = vec![0; PIECE];
    // Looked at whenever it has doubled, so that small pieces take linear time.
    let mut next_look = 1;
    loop {
        let count = match unpacked.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        content.extend_from_slice(piece.get(..count).unwrap_or_default());
        if count == 0 || content.len() >= next_look && is_enough(content) {
            return Ok(());
        }
        if content.len() >= next_look {
            next_look = content.len() * 2;
        }
    }
}
