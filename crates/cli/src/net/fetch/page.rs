//! The request for a page, of which the beginning is read.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Failure, Response};

use super::Fetcher;
use super::body::Body;
use super::headers::texts;
use crate::disk::unzipped;
use crate::term::address::{Address, LONGEST, bare};
use crate::term::clipped::clipped;
use crate::term::count::Grouped;

/// The rest of a body that is read although it is not needed: less than a new connection costs.
const SMALL: u64 = 64 << 10;
/// Bytes after which it is looked whether they are enough; then after twice as many, so that the work does not grow faster
/// than the head.
const PIECE: usize = 16 << 10;
/// Bytes within which the head of a page must end.
const MOST: usize = 2 << 20;

/// An answer to a request for a page.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The part of it that the library's crawl judges.
    pub(crate) response: Response,
    /// The target of a redirect.
    pub(crate) location: Option<Url>,
    /// The value of the header `Refresh`.
    pub(crate) refresh: Option<String>,
    /// The values of all headers `X-Robots-Tag`.
    pub(crate) robots: Vec<String>,
    /// The values of all headers `Link`.
    pub(crate) links: Vec<String>,
    /// The size, as it is sent; `None` if it is not known.
    pub(crate) bytes: Option<u64>,
    /// The beginning of the content of an HTML page, unpacked.
    pub(crate) body: Vec<u8>,
    /// Why the head of an HTML page was not read whole, or not understood.
    pub(crate) unread: Option<String>,
    /// From the request to the last byte that was read.
    pub(crate) took: Duration,
}

/// How HTML is understood.
pub(crate) struct Html {
    pub(crate) is_document: fn(&[u8]) -> bool,
    /// Returns `true` if the head ends in this beginning of a page with this charset, or the reason why it is not understood.
    pub(crate) has_ended: fn(&[u8], Option<&str>) -> Result<bool, String>,
}

impl Fetcher {
    /// Requests a page once. The body of an HTML page is read to the end of its head.
    pub(crate) fn page(
        &self,
        url: &Url,
        login: Option<&Address>,
        html: &Html,
    ) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let headers = login.map(|login| login.headers(url)).unwrap_or_default();
        let (response, headers, mut sent) = self.get(url, "text/html,*/*;q=0.8", headers)?;
        let location = response.location.as_ref();
        let is_redirect = (300..400).contains(&response.status);
        let location = location.filter(|to| to.len() <= LONGEST && is_redirect);
        let mut answer = Answer {
            location: location.and_then(|to| url.join(to).ok()).map(bare),
            refresh: texts(&headers, "refresh").into_iter().next(),
            robots: texts(&headers, "x-robots-tag"),
            links: texts(&headers, "link"),
            bytes: sent.announced,
            body: Vec::new(),
            unread: None,
            took: Duration::ZERO,
            response,
        };
        if (200..300).contains(&answer.response.status) {
            answer.unread = answer.read(&mut sent, html).err();
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

impl Answer {
    /// Reads the body of an HTML page to the end of its head, and nothing of anything else.
    ///
    /// # Errors
    ///
    /// The reason why the head is not known.
    fn read(&mut self, sent: &mut Body, html: &Html) -> Result<(), String> {
        let kind = self.response.content_type.as_deref().unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let is_html = kind.contains("html");
        // A page may have another type, or none.
        if !is_html && !kind.is_empty() && !kind.contains("xml") && !kind.starts_with("text/") {
            return Ok(());
        }
        if let Some(coding) = self.response.coding().filter(|_| is_html) {
            return Err(format!("the page is in the coding `{}`", clipped(coding)));
        }
        if self.response.status == 206 && is_html {
            return Err("the server sent only a part of the page".to_owned());
        }
        let mut unpacked = unzipped(sent.by_ref().take(2 * MOST as u64)).take(MOST as u64);
        let mut size = PIECE;
        loop {
            let left = size.saturating_sub(self.body.len()) as u64;
            let read = unpacked.by_ref().take(left).read_to_end(&mut self.body);
            let is_page = is_html || (html.is_document)(&self.body);
            if !is_page {
                self.body.clear();
                return Ok(());
            }
            if !is_html && !kind.is_empty() {
                self.body.clear();
                return Err(format!(
                    "it is an HTML page of the type `{}`",
                    clipped(kind)
                ));
            }
            if (html.has_ended)(&self.body, self.response.charset())? {
                return Ok(());
            }
            match read {
                Err(error) => return Err(error.to_string()),
                Ok(_) if self.body.len() >= MOST => {
                    let most = Grouped(MOST as u64);
                    return Err(format!("the head of the page is longer than {most} bytes"));
                }
                Ok(_) if self.body.len() < size => return Ok(()),
                Ok(_) => size *= 2,
            }
        }
    }
}
