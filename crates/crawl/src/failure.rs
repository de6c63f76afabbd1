//! The reasons why a sitemap could not be fetched or read, and whether another attempt makes sense.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::iter::successors;
use std::time::Duration;

use quick_sitemap::{Error, ErrorKind};

use super::seen::KnownKind;
use super::text::{LONGEST_URL, shown};

/// Characters of a message that are kept.
const MESSAGE: usize = 600;

/// The reason why a sitemap or robots.txt could not be fetched or read.
///
/// The caller creates one for [`Crawl::fail`](super::Crawl::fail) if there is no response. The crawl creates all others:
/// from the status of a response, for a redirect that is not followed, and for a document that cannot be read.
///
/// # Examples
///
/// ```
/// use quick_sitemap_crawl::{Failure, Reason};
///
/// let failure = Failure::connection("connection refused");
/// assert!(failure.is_transient());
/// assert_eq!(failure.to_string(), "connection refused");
/// assert!(!Failure::permanent("the certificate has expired").is_transient());
/// assert_eq!(failure.reason(), Reason::Connection);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Failure {
    reason: Reason,
    message: Option<String>,
    retry_after: Option<Duration>,
    location: Option<String>,
    /// The document is complete, but something else than a sitemap.
    pub(super) is_other_document: bool,
}

/// The reason why a sitemap could not be fetched or read, or is listed and not read. See [`Failure::reason`] and
/// [`LeftOut`](super::LeftOut).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// The server answered with this status, which is neither a success nor a redirect that can be followed. A part of a
    /// document (206), which was not requested, is not a success.
    Status(u16),
    /// There was no connection, or it broke off. Another attempt may succeed.
    Connection,
    /// Another attempt would not help: an unknown host, an invalid certificate, a timeout of your own.
    Permanent,
    /// It was not requested, because its host requires a pause of more than
    /// [`CrawlBuilder::max_retry_after`](super::CrawlBuilder::max_retry_after).
    Paused,
    /// The document is not a sitemap, or ends with a [fatal error](quick_sitemap::Error::is_fatal).
    Unreadable,
    /// A redirect without a `Location`, or with one that is not an http or https URL.
    BadRedirect,
    /// A redirect leads to the URL that was requested, or to one that has redirected to it.
    RedirectLoop,
    /// A redirect leads from https to http. See [`CrawlBuilder::allow_downgrade`](super::CrawlBuilder::allow_downgrade).
    Downgrade,
    /// The chain has more than ten redirects.
    TooManyRedirects,
    /// It is, or a redirect leads to one, on a host that is not trusted. See [hosts](super#hosts).
    OtherHost,
    /// It is listed deeper than [`CrawlBuilder::max_depth`](super::CrawlBuilder::max_depth).
    TooDeep,
    /// Its URL, or that to which a redirect leads, has more than 2,047 characters.
    UrlTooLong,
    /// Its URL is neither http nor https.
    OtherScheme,
    /// The function of [`CrawlBuilder::filter_children`](super::CrawlBuilder::filter_children) rejected it.
    Rejected,
    /// There are more than [`CrawlBuilder::max_sitemaps`](super::CrawlBuilder::max_sitemaps), or more in one index than
    /// [`CrawlBuilder::max_children`](super::CrawlBuilder::max_children).
    TooMany,
}

impl Reason {
    /// Returns `true` if a redirect was not followed.
    #[must_use]
    pub fn is_of_redirect(self) -> bool {
        matches!(
            self,
            Self::BadRedirect
                | Self::RedirectLoop
                | Self::TooManyRedirects
                | Self::Downgrade
                | Self::OtherHost
                | Self::UrlTooLong
        )
    }
}

impl Failure {
    pub(super) fn new(reason: Reason) -> Self {
        Self {
            reason,
            message: None,
            retry_after: None,
            location: None,
            is_other_document: false,
        }
    }

    /// The connection failed or broke off. The crawl requests the URL again after a time.
    pub fn connection(message: impl AsRef<str>) -> Self {
        Self::new(Reason::Connection).with_message(message)
    }

    /// Another attempt would not help, so the crawl does not request the URL again.
    pub fn permanent(message: impl AsRef<str>) -> Self {
        Self::new(Reason::Permanent).with_message(message)
    }

    /// Creates a failure from the error of a client. Its message is that of the error and of all its
    /// [sources](StdError::source).
    ///
    /// If there is an [`io::Error`] among them, its kind decides whether another attempt may help, as
    /// [`Error::is_transient`](quick_sitemap::Error::is_transient) does: not for an unknown host or an invalid certificate.
    /// Otherwise it is a [connection failure](Self::connection). The crawl cannot recognize a timeout of your own, nor the
    /// cause that an error does not return as its source: pass `ureq::Error::into_io`, for example.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io;
    ///
    /// use quick_sitemap_crawl::Failure;
    ///
    /// let cause = io::Error::new(io::ErrorKind::ConnectionReset, "reset by peer");
    /// assert!(Failure::from_error(&cause).is_transient());
    /// let unknown = io::Error::other("failed to lookup address information");
    /// assert!(!Failure::from_error(&unknown).is_transient());
    /// ```
    pub fn from_error(error: &(dyn StdError + 'static)) -> Self {
        let chain = || successors(Some(error), |&error| error.source());
        let mut texts: Vec<String> = chain().map(ToString::to_string).collect();
        // Some errors print their source themselves.
        texts.dedup_by(|source, error| error.ends_with(&**source));
        let message = texts.join(": ");
        let mut kinds = chain().filter_map(|error| Some(error.downcast_ref::<io::Error>()?.kind()));
        let may_pass = |kind| Error::from(io::Error::from(kind)).is_transient();
        if chain().all(|error| !error.is::<io::Error>()) || kinds.any(may_pass) {
            Self::connection(message)
        } else {
            Self::permanent(message)
        }
    }

    /// The server answered with this status, which is neither a success nor a redirect.
    /// [`Crawl::begin`](super::Crawl::begin) creates this from a [`Response`](super::Response).
    pub fn status(code: u16) -> Self {
        Self::new(Reason::Status(code))
    }

    /// A sitemap that was not requested, because its host requires this pause.
    pub(super) fn paused(wait: Duration) -> Self {
        let pause = rounded(wait);
        let message = format!("not requested: the host asks for a pause of {pause}");
        let failure = Self::new(Reason::Paused).with_message(message);
        failure.with_retry_after(Some(wait))
    }

    /// A document that could not be read to its end.
    pub(super) fn unreadable(error: &Error) -> Self {
        if let ErrorKind::Io(error) = error.kind() {
            return Self::from_error(error);
        }
        let mut failure = Self::new(Reason::Unreadable).with_message(format!("{error:#}"));
        let kind = error.kind();
        failure.is_other_document =
            matches!(kind, ErrorKind::NotASitemap(_) | ErrorKind::UnknownRoot(_));
        failure
    }

    /// Sets the text that [`Display`](fmt::Display) prints. A user and a password in a URL become `***`, and at most
    /// 600 characters are kept.
    pub fn with_message(mut self, message: impl AsRef<str>) -> Self {
        self.message = Some(shown(message.as_ref(), MESSAGE));
        self
    }

    /// Sets the time that the server requires before the next request.
    pub(super) fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    pub(super) fn with_location(mut self, location: &str) -> Self {
        self.location = Some(shown(location, LONGEST_URL));
        self
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the time that the server requires before the next request, if any.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// Returns the URL that failed, if redirects have led to another one than the sitemap's own. For a redirect that is
    /// not followed, it is the target.
    #[must_use]
    pub fn location(&self) -> Option<&str> {
        self.location.as_deref()
    }

    /// Returns `true` if another attempt may succeed: after [`Reason::Connection`], and after the status 408, 429, 500, 502,
    /// 503, 504, or 520 to 524, which a content delivery network sends for a server that it cannot reach.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.reason {
            Reason::Status(408 | 429 | 500 | 502..=504 | 520..=524) => true,
            reason => reason == Reason::Connection,
        }
    }

    /// Returns how the document is absent, or `None` if the failure does not show that: the server is overloaded, or there was
    /// no response.
    pub(super) fn absence(&self) -> Option<KnownKind> {
        match self.reason {
            Reason::Status(404 | 410) => Some(KnownKind::Absent),
            Reason::Status(429) => None,
            Reason::Status(400..=499) => Some(KnownKind::Refused),
            reason if reason.is_of_redirect() => Some(KnownKind::Refused),
            _ => self.is_other_document.then_some(KnownKind::Refused),
        }
    }

    /// Returns `true` for a status that redirects to the header `Location`.
    pub(super) fn is_redirect_status(status: u16) -> bool {
        matches!(status, 301..=303 | 307 | 308)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Status(code) => return write!(f, "status {code}"),
            Self::Connection => "no connection",
            Self::Permanent => "no response",
            Self::Paused => "not requested",
            Self::Unreadable => "not a sitemap",
            Self::BadRedirect => "a redirect without a Location that is an http or https URL",
            Self::RedirectLoop => "a loop of redirects",
            Self::Downgrade => "a redirect from https to http",
            Self::TooManyRedirects => "more than 10 redirects",
            Self::OtherHost => "on another host",
            Self::TooDeep => "listed too deep",
            Self::UrlTooLong => "with a URL of more than 2,047 characters",
            Self::OtherScheme => "with a URL that is neither http nor https",
            Self::Rejected => "rejected by the caller",
            Self::TooMany => "more than the maximum number of sitemaps",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.message, self.reason, self.retry_after) {
            (Some(message), ..) => f.write_str(message),
            (None, Reason::OtherHost, _) => f.write_str("a redirect to another host"),
            (None, Reason::UrlTooLong, _) => f.write_str("the redirect's target is too long"),
            (None, reason, None) => reason.fmt(f),
            (None, reason, Some(wait)) => write!(f, "{reason}, retry after {} s", wait.as_secs()),
        }
    }
}

impl std::error::Error for Failure {}

/// A time in the greatest unit that fits; from two minutes on, the next full minute.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    match (seconds.div_ceil(60), seconds) {
        (_, ..120) => format!("{seconds} s"),
        (minutes, _) if minutes % 60 == 0 => format!("{} h", minutes / 60),
        (minutes, _) => format!("{minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_told_in_its_unit() {
        let told = |seconds| rounded(Duration::from_secs(seconds));
        assert_eq!([told(61), told(119)], ["61 s", "119 s"]);
        assert_eq!([told(121), told(3_599)], ["3 min", "1 h"]);
        assert_eq!([told(5_400), told(86_400)], ["90 min", "24 h"]);
    }
}
