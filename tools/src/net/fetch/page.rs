//! Single pages: whatever the server answers is a result, and no redirect is followed.

use std::io::Read;
use std::time::{Duration, Instant};

use quick_sitemap::url::Url;
use ureq::http::header;

use super::attempts::Attempts;
use super::{Cause, ENCODINGS, Fetcher, connect_timeout, is_brotli, text};
use crate::net::packed::Unpacked;
use crate::term::address::{Address, LONGEST, bare};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    Head,
    Get,
}

/// An answer to a request for a page.
#[derive(Debug)]
pub(crate) struct Page {
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
    /// Waits until the host of the URL may be asked. `false`: there is a request to stop.
    pub(crate) fn turn(&self, url: &Url) -> bool {
        self.pace.wait(url)
    }

    /// Asks until there is an answer that is no request to come back later, or no sense in asking again. At most
    /// `most` bytes of the content are read and unpacked.
    pub(crate) fn page(
        &self,
        url: &Url,
        login: Option<&Address>,
        method: Method,
        most: u64,
    ) -> Result<Page, Cause> {
        let mut attempts = Attempts::new(url, &self.options);
        loop {
            let answer = self.ask_page(url, login, method, most);
            let again = match &answer {
                Ok(page) => attempts.answered(page.status, page.retry_after.as_deref()),
                Err(cause) => attempts.failed(cause.failure()),
            };
            let Some(again) = again else {
                return answer;
            };
            if again.is_asked_for {
                self.pace.postpone(url, again.wait);
            }
            if !crate::term::interrupt::sleep(again.wait) {
                return answer;
            }
        }
    }

    fn ask_page(
        &self,
        url: &Url,
        login: Option<&Address>,
        method: Method,
        most: u64,
    ) -> Result<Page, Cause> {
        let begin = Instant::now();
        let mut request = match method {
            Method::Head => self.agent.head(url.as_str()),
            Method::Get => self.agent.get(url.as_str()),
        };
        request = request
            .header(header::ACCEPT, "text/html,*/*;q=0.8")
            .header(header::ACCEPT_ENCODING, ENCODINGS);
        for (name, value) in login.map(|login| login.headers(url)).unwrap_or_default() {
            request = request.header(name, value);
        }
        let failed = |error| Cause::of(error, connect_timeout(&self.options), self.options.timeout);
        let response = request.call().map_err(failed)?;
        let headers = response.headers();
        let all = |name: &str| {
            let values = headers.get_all(name).iter();
            let texts = values.filter_map(|value| value.to_str().ok());
            texts.map(str::to_owned).collect::<Vec<_>>()
        };
        let location = text(headers, &header::LOCATION)
            .filter(|to| to.len() <= LONGEST)
            .and_then(|to| url.join(&to).ok())
            .map(bare);
        let mut page = Page {
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
        let encoding = text(headers, &header::CONTENT_ENCODING);
        let is_brotli = encoding.is_some_and(|encoding| is_brotli(&encoding));
        if method == Method::Get && page.status == 200 {
            let body = response
                .into_body()
                .into_with_config()
                .limit(u64::MAX)
                .reader();
            let mut bytes = Vec::new();
            // A body that breaks off has said what it has said.
            let read = body.take(most).read_to_end(&mut bytes);
            if read.is_ok_and(|count| (count as u64) < most) {
                page.bytes = Some(bytes.len() as u64);
            }
            let is_gzip = bytes.starts_with(&[0x1f, 0x8b]);
            let bytes = std::io::Cursor::new(bytes);
            let mut content: Box<dyn Read> = match is_gzip {
                true => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
                false => Box::new(Unpacked::new(Box::new(bytes), is_brotli)),
            };
            let _ = content.by_ref().take(most).read_to_end(&mut page.body);
        }
        page.took = begin.elapsed();
        Ok(page)
    }
}
