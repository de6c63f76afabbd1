//! Why a URL could not be fetched, in plain words.

use std::fmt;
use std::io;
use std::time::Duration;

use quick_sitemap::url::Url;

use crate::address::hidden;
use crate::clipped::clipped;

#[derive(Clone, Debug)]
pub(crate) struct FetchError {
    /// The URL that was asked for, as it may be shown.
    pub(crate) asked: String,
    /// The URL that redirects have led to, as it may be shown, if it is another one.
    pub(crate) redirected: Option<String>,
    /// Where it went wrong.
    pub(crate) location: Url,
    pub(crate) cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The server answers, but not with what was asked for.
    Status {
        code: u16,
        /// How long the server asks to wait.
        retry_after: Option<Duration>,
    },
    /// No connection, or one that broke off; may be better the next time.
    Connection(String),
    /// Whatever another attempt would not change: a certificate, a redirect that is not followed, a timeout.
    Permanent(String),
}

impl Cause {
    /// Whether another attempt may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Status { code, .. } => matches!(code, 408 | 429 | 500 | 502 | 503 | 504),
            Self::Connection(_) => true,
            Self::Permanent(_) => false,
        }
    }

    /// Whether the server says that there is no such thing, or none for us.
    #[allow(dead_code, reason = "for single documents that may be missing")]
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Status { code, .. } if (400..500).contains(code) && !self.is_transient())
    }

    pub(crate) fn without_location(code: u16) -> Self {
        Self::Permanent(format!("{code} without a Location"))
    }

    pub(crate) fn not_a_url(location: &str) -> Self {
        let location = hidden(location);
        Self::Permanent(format!(
            "redirects to `{}`, which is not a URL",
            clipped(&location)
        ))
    }

    /// `connect` is the time that a connection may take, `timeout` the time that a response may take.
    pub(super) fn of(error: ureq::Error, connect: Duration, timeout: Duration) -> Self {
        use ureq::{Error, Timeout};
        match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                Self::Connection(format!("no connection within {} s", connect.as_secs_f64()))
            }
            Error::Timeout(_) => Self::Permanent(format!(
                "no complete response within {} s (--timeout)",
                timeout.as_secs_f64()
            )),
            Error::HostNotFound => Self::Permanent("unknown host name".to_owned()),
            Error::ConnectionFailed => Self::Connection("no connection".to_owned()),
            Error::Io(error) => Self::of_io(&error),
            Error::Rustls(error) => Self::Permanent(tls(&error)),
            Error::Protocol(error) => Self::Permanent(format!("the response is not HTTP: {error}")),
            Error::LargeResponseHeader(..) => {
                Self::Permanent("the header of the response is too long".to_owned())
            }
            other => Self::Permanent(other.to_string()),
        }
    }

    fn of_io(error: &io::Error) -> Self {
        use io::ErrorKind;
        let text = match error.kind() {
            ErrorKind::ConnectionRefused => "connection refused",
            ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => "connection reset",
            ErrorKind::ConnectionAborted => "connection aborted",
            ErrorKind::UnexpectedEof => "connection closed before there was a response",
            ErrorKind::HostUnreachable => "the host cannot be reached",
            ErrorKind::NetworkUnreachable => "the network cannot be reached",
            ErrorKind::TimedOut => "connection timed out",
            ErrorKind::InvalidData => return Self::Permanent(tls(error)),
            _ => return Self::Permanent(error.to_string()),
        };
        Self::Connection(text.to_owned())
    }
}

fn tls(error: &dyn fmt::Display) -> String {
    let text = error.to_string();
    match text.contains("UnknownIssuer") {
        true => {
            "TLS: the certificate is not signed by a trusted authority (see --cacert)".to_owned()
        }
        false => format!("TLS: {text}"),
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status { code, retry_after } => {
                let status = ureq::http::StatusCode::from_u16(*code).ok();
                match status.and_then(|status| status.canonical_reason()) {
                    Some(reason) => write!(f, "{code} {reason}")?,
                    None => write!(f, "status {code}")?,
                }
                match retry_after {
                    Some(wait) => write!(f, ", retry after {} s", wait.as_secs()),
                    None => Ok(()),
                }
            }
            Self::Connection(text) | Self::Permanent(text) => f.write_str(text),
        }
    }
}

impl FetchError {
    /// Why, without the URL that was asked for.
    pub(crate) fn reason(&self) -> String {
        match &self.redirected {
            None => self.cause.to_string(),
            Some(location) => format!("redirected to {location}: {}", self.cause),
        }
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.asked, self.reason())
    }
}

impl std::error::Error for FetchError {}
