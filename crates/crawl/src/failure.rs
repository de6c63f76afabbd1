//! The reasons why a sitemap could not be fetched or read, and whether another attempt makes sense.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::time::Duration;

use quick_sitemap::{Error, ErrorKind};

use super::text::clipped_to;

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
/// use quick_sitemap_crawl::{Cause, Failure};
///
/// let failure = Failure::connection("connection refused");
/// assert!(failure.is_transient());
/// assert_eq!(failure.to_string(), "connection refused");
/// assert!(!Failure::permanent("the certificate has expired").is_transient());
/// assert_eq!(failure.cause(), Cause::Connection);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Failure {
    cause: Cause,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    message: Option<Box<str>>,
    #[cfg_attr(feature = "serde", serde(skip))]
    retry_after: Option<Duration>,
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    location: Option<Box<str>>,
    /// The document is complete, but something else than a sitemap.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) is_other_document: bool,
}

/// The kind of a failure. See [`Failure::cause`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Cause {
    /// The server answered with this status, which is neither a success nor a redirect.
    Status(u16),
    /// There was no connection, or it broke off. Another attempt may succeed.
    Connection,
    /// Another attempt would not help: an unknown host, an invalid certificate, a timeout of your own.
    Permanent,
    /// A redirect that is not followed.
    Redirect(Refusal),
    /// The document is not a sitemap, or ends with a [fatal error](quick_sitemap::Error::is_fatal).
    Unreadable,
}

/// The reason why a redirect is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Refusal {
    /// It leads from https to http. See [`CrawlBuilder::allow_downgrade`](super::CrawlBuilder::allow_downgrade).
    Downgrade,
    /// It leads to another host. See [hosts](super#hosts).
    OtherHost,
    /// It leads to a URL that is neither http nor https.
    OtherScheme,
    /// The chain has more than ten redirects.
    TooMany,
    /// Its target has more than 2,047 characters.
    TooLong,
    /// Its target is not a URL.
    Invalid,
    /// The response has no `Location`.
    Missing,
}

impl Failure {
    fn new(cause: Cause) -> Self {
        Self {
            cause,
            message: None,
            retry_after: None,
            location: None,
            is_other_document: false,
        }
    }

    /// The connection failed or broke off. The crawl requests the URL again after a time.
    #[must_use]
    pub fn connection(message: impl AsRef<str>) -> Self {
        Self::new(Cause::Connection).with_message(message)
    }

    /// Another attempt would not help, so the crawl does not request the URL again.
    #[must_use]
    pub fn permanent(message: impl AsRef<str>) -> Self {
        Self::new(Cause::Permanent).with_message(message)
    }

    /// Creates a failure from the error of a client. Its message is that of the error and of all its
    /// [sources](StdError::source).
    ///
    /// If there is an [`io::Error`] among them, its kind decides whether another attempt may help, as
    /// [`Error::is_transient`](quick_sitemap::Error::is_transient) does: not for an unknown host or an invalid certificate.
    /// Otherwise it is a [connection failure](Self::connection). The crawl cannot recognize a timeout of your own.
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
    #[must_use]
    pub fn from_error(error: &(dyn StdError + 'static)) -> Self {
        let (mut message, mut last) = (String::new(), String::new());
        let (mut has_io, mut may_pass) = (false, false);
        let mut next = Some(error);
        while let Some(error) = next {
            let text = error.to_string();
            // Some errors print their source themselves.
            if !last.ends_with(&text) {
                let colon = if message.is_empty() { "" } else { ": " };
                message.push_str(colon);
                message.push_str(&text);
            }
            last = text;
            if let Some(error) = error.downcast_ref::<io::Error>() {
                has_io = true;
                may_pass |= Error::from(io::Error::from(error.kind())).is_transient();
            }
            next = error.source();
        }
        if may_pass || !has_io {
            Self::connection(message)
        } else {
            Self::permanent(message)
        }
    }

    /// The server answered with this status, which is neither a success nor a redirect.
    /// [`Crawl::begin`](super::Crawl::begin) creates this from a [`Response`](super::Response).
    #[must_use]
    pub fn status(code: u16) -> Self {
        Self::new(Cause::Status(code))
    }

    pub(super) fn redirect(refusal: Refusal) -> Self {
        Self::new(Cause::Redirect(refusal))
    }

    /// A document that could not be read to its end.
    pub(super) fn unreadable(error: &Error) -> Self {
        match error.kind() {
            ErrorKind::Io(error) => Self::from_error(error),
            kind => Self {
                is_other_document: matches!(
                    kind,
                    ErrorKind::NotASitemap(_) | ErrorKind::UnknownRoot(_)
                ),
                ..Self::new(Cause::Unreadable).with_message(format!("{error:#}"))
            },
        }
    }

    /// Sets the text that [`Display`](fmt::Display) prints. At most 600 characters of it are kept.
    #[must_use]
    pub fn with_message(mut self, message: impl AsRef<str>) -> Self {
        self.message = Some(clipped_to(message.as_ref(), MESSAGE).into());
        self
    }

    /// Sets the time that the server requires before the next request.
    pub(super) fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    pub(super) fn with_location(mut self, location: &str) -> Self {
        self.location = Some(clipped_to(location, super::text::LONGEST_URL).into());
        self
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.cause
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

    /// Returns `true` if another attempt may succeed: after [`Cause::Connection`], and after the status 408, 429, 500, 502,
    /// 503 or 504.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        match self.cause {
            Cause::Status(code) => matches!(code, 408 | 429 | 500 | 502 | 503 | 504),
            Cause::Connection => true,
            Cause::Permanent | Cause::Redirect(_) | Cause::Unreadable => false,
        }
    }

    /// Returns `true` if the server is too busy for other requests.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.cause, Cause::Status(429 | 503)) || self.retry_after.is_some()
    }

    /// Returns `true` if the document does not exist, or not for us: a status from 400 to 499, except 408 and 429.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.cause, Cause::Status(400..=499)) && !self.is_transient()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Downgrade => "a redirect from https to http",
            Self::OtherHost => "a redirect to another host",
            Self::OtherScheme => "a redirect to a URL that is neither http nor https",
            Self::TooMany => "more than 10 redirects",
            Self::TooLong => "the redirect's target is too long",
            Self::Invalid => "a redirect to something that is not a URL",
            Self::Missing => "a redirect without a Location",
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.message, self.cause) {
            (Some(message), _) => f.write_str(message),
            (None, Cause::Status(code)) => {
                write!(f, "status {code}")?;
                match self.retry_after {
                    Some(wait) => write!(f, ", retry after {} s", wait.as_secs()),
                    None => Ok(()),
                }
            }
            (None, Cause::Redirect(refusal)) => refusal.fmt(f),
            (None, Cause::Connection) => f.write_str("no connection"),
            (None, Cause::Permanent) => f.write_str("no response"),
            (None, Cause::Unreadable) => f.write_str("not a sitemap"),
        }
    }
}

impl std::error::Error for Failure {}
