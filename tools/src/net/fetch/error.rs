//! The reason why there is no response, in plain words.

use std::fmt;
use std::io;
use std::time::Duration;

use quick_sitemap::crawl::Failure;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// No connection, or one that broke off; may be better the next time.
    Connection(String),
    /// Failures that another attempt would not change: a certificate, a redirect that is not followed, a timeout.
    Permanent(String),
}

impl Cause {
    /// As the library's crawl judges it.
    pub(crate) fn failure(&self) -> Failure {
        match self {
            Self::Connection(text) => Failure::connection(text),
            Self::Permanent(text) => Failure::permanent(text),
        }
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
    if text.contains("UnknownIssuer") {
        "TLS: the certificate is not signed by a trusted authority (see --cacert)".to_owned()
    } else if text.contains("InvalidContentType") {
        "the server does not answer in TLS; if it speaks HTTP, use http://".to_owned()
    } else {
        format!("TLS: {text}")
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(text) | Self::Permanent(text) => f.write_str(text),
        }
    }
}

/// `404 Not Found`: the status of a response without the document.
pub(crate) fn status_text(code: u16) -> String {
    let status = ureq::http::StatusCode::from_u16(code).ok();
    match status.and_then(|status| status.canonical_reason()) {
        Some(reason) => format!("{code} {reason}"),
        None => format!("status {code}"),
    }
}
