//! Requests, and the beginning of the response.

use std::sync::Arc;

use url::Url;

use super::known::Known;
use super::record::ROBOTS;

/// Names in `Content-Encoding` that say nothing about bytes that are not gzipped. Badly configured servers name the charset.
const NO_CODING: [&str; 6] = ["", "gzip", "x-gzip", "identity", "none", "utf-8"];

/// A URL to fetch. From [`Crawl::next`](super::Crawl::next).
///
/// Pass it to [`Crawl::begin`](super::Crawl::begin) when the response begins, or to [`Crawl::fail`](super::Crawl::fail) if
/// there is none. If a request is dropped instead, for example because a task was cancelled or has panicked, the crawl
/// treats that as a [connection failure](super::Failure::connection).
#[derive(Debug)]
#[non_exhaustive]
pub struct Request {
    /// The URL to fetch.
    pub url: Url,
    /// The URL under which the sitemap is listed. It differs from `url` if a redirect is followed.
    pub sitemap: Url,
    /// The kind of document that is expected at the URL.
    pub kind: RequestKind,
    /// The index that lists the sitemap. `None` for robots.txt, for the sitemaps that it lists, and for
    /// [`RequestKind::Guess`].
    pub parent: Option<Url>,
    /// 0 for robots.txt, 1 for the first sitemaps, 2 for those that they list, and so on.
    pub depth: u32,
    /// 1 for the first attempt. The requests for the targets of redirects belong to the same attempt.
    pub attempt: u32,
    /// The validators from an earlier run, for a conditional request.
    pub(super) known: Option<Known>,
    pub(super) ticket: Ticket,
}

impl Request {
    /// Returns the number of the sitemap, which is its place in [`Crawl::sitemaps`](super::Crawl::sitemaps). `None` for
    /// robots.txt.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.ticket.sitemap()
    }

    /// Returns the value of the header `If-None-Match`, if the request has one. See
    /// [`CrawlBuilder::known`](super::CrawlBuilder::known).
    #[must_use]
    pub fn if_none_match(&self) -> Option<&str> {
        self.known.as_ref()?.etag()
    }

    /// Returns the value of the header `If-Modified-Since`, if the request has one, in the format of HTTP. See
    /// [`CrawlBuilder::known`](super::CrawlBuilder::known).
    #[must_use]
    pub fn if_modified_since(&self) -> Option<String> {
        let date = self.known.as_ref()?.last_modified?;
        Some(date.to_string())
    }
}

/// The kind of document that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestKind {
    /// The robots.txt of the site.
    Robots,
    /// A sitemap that is listed, or that the caller named.
    Sitemap,
    /// One of the usual places of a sitemap, because robots.txt lists none. There may be nothing.
    Guess,
}

/// The beginning of a response: its status, its URL and some headers.
///
/// Pass every response to the crawl, regardless of its status. The crawl decides what to do about redirects and errors.
///
/// # Examples
///
/// ```
/// use quick_sitemap_crawl::Response;
///
/// let moved = Response::new(301).header("Location", "/sitemap-new.xml");
/// assert_eq!(moved.location.as_deref(), Some("/sitemap-new.xml"));
/// let busy = Response::new(503).header("retry-after", "120").header("Server", "example");
/// assert_eq!(busy.retry_after.as_deref(), Some("120"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
#[must_use]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// The URL of the response, if your client has followed redirects itself.
    pub final_url: Option<Url>,
    /// The header `Content-Type`. Only its `charset` is used, because the format is detected from the content.
    pub content_type: Option<String>,
    /// The header `Content-Encoding`. It is only used for a robots.txt whose bytes are not UTF-8, because gzip is detected
    /// from the content.
    pub content_encoding: Option<String>,
    /// The header `Location`, if your client does not follow redirects.
    pub location: Option<String>,
    /// The header `Retry-After`: seconds or a date.
    pub retry_after: Option<String>,
    /// The header `ETag`, for [`Ended::known`](super::Ended::known).
    pub etag: Option<String>,
    /// The header `Last-Modified`, for [`Ended::known`](super::Ended::known).
    pub last_modified: Option<String>,
}

impl Response {
    /// Creates a response with this status and without headers.
    pub fn new(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// Sets the URL of the response, if your client has followed redirects itself. The crawl checks it like a redirect, but it
    /// cannot prevent that your client has contacted other hosts on the way.
    pub fn final_url(mut self, url: Url) -> Self {
        self.final_url = Some(url);
        self
    }

    /// Sets a header, whose name is matched in any case. Headers that the crawl does not use are ignored, so you can pass all
    /// of them. Several headers `Content-Encoding` are one list.
    pub fn header(mut self, name: impl AsRef<str>, value: impl Into<String>) -> Self {
        let name = name.as_ref().to_ascii_lowercase();
        let field = match name.as_str() {
            "content-type" => &mut self.content_type,
            "content-encoding" => &mut self.content_encoding,
            "location" => &mut self.location,
            "retry-after" => &mut self.retry_after,
            "etag" => &mut self.etag,
            "last-modified" => &mut self.last_modified,
            _ => return self,
        };
        let mut value = value.into();
        if let (true, Some(before)) = (name == "content-encoding", field.take()) {
            value = format!("{before}, {value}");
        }
        *field = Some(value);
        self
    }

    /// The last coding in the header `Content-Encoding` that the bytes do not show themselves, as those of gzip do.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::Response;
    ///
    /// let coding = |value: &str| Response::new(200).header("Content-Encoding", value).coding().map(str::to_owned);
    /// assert_eq!(coding("br").as_deref(), Some("br"));
    /// assert_eq!(coding("gzip"), None);
    /// ```
    #[must_use]
    pub fn coding(&self) -> Option<&str> {
        let mut names = self.content_encoding.as_deref()?.split(',').map(str::trim);
        let is_coding = |name: &&str| !NO_CODING.iter().any(|no| no.eq_ignore_ascii_case(name));
        names.rfind(is_coding)
    }

    /// Returns the validators of the response, for the next run.
    pub(super) fn known(&self, url: Url, location: Url) -> Known {
        let mut known = Known::new(url);
        known.location = location;
        if let Some(etag) = &self.etag {
            known = known.with_etag(etag.as_str());
        }
        let date = self.last_modified.as_deref();
        known.last_modified = date.and_then(|date| date.trim().parse().ok());
        known
    }

    /// The parameter `charset` of the header `Content-Type`, without quotes. It is not checked.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap_crawl::Response;
    ///
    /// let response = Response::new(200).header("Content-Type", "text/xml; Charset=\"ISO-8859-1\"");
    /// assert_eq!(response.charset(), Some("ISO-8859-1"));
    /// ```
    pub fn charset(&self) -> Option<&str> {
        let parameters = self.content_type.as_deref()?.split(';').skip(1);
        let charset = parameters
            .filter_map(|parameter| parameter.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        let (_, value) = charset?;
        Some(value.trim().trim_matches(['"', '\'']))
    }
}

/// Identifies a request that is at work. By the token, the crawl recognizes that the request is its own, and that it was
/// dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) number: u32,
    pub(super) token: Arc<()>,
}

impl Ticket {
    pub(super) fn sitemap(&self) -> Option<usize> {
        (self.number as usize).checked_sub(1 + ROBOTS as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_charset_is_a_parameter_of_the_content_type() {
        let charset = |value: &str| {
            let response = Response::new(200).header("Content-Type", value);
            response.charset().map(str::to_owned)
        };
        assert_eq!(charset("text/plain"), None);
        assert_eq!(
            charset("text/plain; x=y; Charset=\"Windows-1251\"").as_deref(),
            Some("Windows-1251")
        );
        assert_eq!(charset("charset=x"), None);
    }
}
