//! The request for a page, of which the beginning is read.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Failure, Response};

use super::Fetcher;
use super::headers::texts;
use crate::disk::unzipped;
use crate::term::address::{Address, LONGEST, bare};

/// The rest of a body that is read although it is not needed: less than a new connection costs.
const SMALL: u64 = 64 << 10;
/// Bytes after which it is looked whether they are enough.
const PIECE: u64 = 16 << 10;

/// An answer to a request for a page.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The part of it that the library's crawl judges.
    pub(crate) response: Response,
    /// The target of a redirect.
    pub(crate) location: Option<Url>,
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
}

impl Fetcher {
    /// Requests a page once. The body of an HTML page is read until `is_enough` returns `true`, and at most `most` bytes of it.
    pub(crate) fn page(
        &self,
        url: &Url,
        login: Option<&Address>,
        most: u64,
        is_enough: fn(&[u8]) -> bool,
    ) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let headers = login.map(|login| login.headers(url)).unwrap_or_default();
        let (response, headers, mut sent) = self.get(url, "text/html,*/*;q=0.8", headers)?;
        let location = response.location.as_ref();
        let location = location.filter(|to| to.len() <= LONGEST && is_redirect(&response));
        let mut answer = Answer {
            location: location.and_then(|to| url.join(to).ok()).map(bare),
            robots: texts(&headers, "x-robots-tag"),
            links: texts(&headers, "link"),
            bytes: sent.announced,
            body: Vec::new(),
            took: Duration::ZERO,
            response,
        };
        if answer.may_be_html() && answer.response.status == 200 {
            let mut unpacked = unzipped(sent.by_ref().take(most)).take(most);
            loop {
                let read = unpacked.by_ref().take(PIECE).read_to_end(&mut answer.body);
                // If a body breaks off, its beginning is used.
                if !read.is_ok_and(|count| count > 0) || is_enough(&answer.body) {
                    break;
                }
            }
        }
        if sent.announced.unwrap_or(0).saturating_sub(sent.received) <= SMALL {
            // The connection can be used again. A failure here costs only the connection.
            let read = io::copy(&mut sent.by_ref().take(SMALL + 1), &mut io::sink());
            let is_whole = read.is_ok_and(|read| read <= SMALL);
            answer.bytes = answer.bytes.or(is_whole.then_some(sent.received));
        }
        answer.took = begin.elapsed();
        Ok(answer)
    }
}

fn is_redirect(response: &Response) -> bool {
    (300..400).contains(&response.status)
}

impl Answer {
    /// Returns `true` if the head of the content may name a canonical URL, or forbid the index.
    pub(crate) fn may_be_html(&self) -> bool {
        let kind = self.response.content_type.as_deref();
        kind.is_none_or(|kind| kind.to_ascii_lowercase().contains("html"))
    }
}
