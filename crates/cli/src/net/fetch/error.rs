//! The reason why there is no response, in plain words.

use std::io;
use std::time::Duration;

use quick_sitemap_crawl::Failure;

/// As the library's crawl judges it: a connection that failed or broke off may be better the next time, but a certificate
/// or a timeout is not. `connect` is the time that a connection may take, `timeout` the time that a response may take.
pub(super) fn failure(error: ureq::Error, connect: Duration, timeout: Duration) -> Failure {
    use ureq::{Error, Timeout};
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            Failure::connection(format!("no connection within {} s", connect.as_secs_f64()))
        }
        Error::Timeout(_) => Failure::permanent(format!(
            "no complete response within {} s (--timeout)",
            timeout.as_secs_f64()
        )),
        Error::HostNotFound => Failure::permanent("unknown host name"),
        Error::ConnectionFailed => Failure::connection("no connection"),
        Error::Io(error) => of_io(&error),
        Error::Rustls(error) => Failure::permanent(tls(&error)),
        Error::Protocol(error) => Failure::permanent(format!("the response is not HTTP: {error}")),
        Error::LargeResponseHeader(..) => {
            Failure::permanent("the header of the response is too long")
        }
        other => Failure::permanent(other.to_string()),
    }
}

fn of_io(error: &io::Error) -> Failure {
    use io::ErrorKind;
    Failure::connection(match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused",
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => "connection reset",
        ErrorKind::ConnectionAborted => "connection aborted",
        ErrorKind::UnexpectedEof => "connection closed before there was a response",
        ErrorKind::HostUnreachable => "the host cannot be reached",
        ErrorKind::NetworkUnreachable => "the network cannot be reached",
        ErrorKind::TimedOut => "connection timed out",
        ErrorKind::InvalidData => return Failure::permanent(tls(error)),
        _ => return Failure::permanent(error.to_string()),
    })
}

fn tls(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    if text.contains("UnknownIssuer") {
        "TLS: the certificate is not signed by a trusted authority (see --cacert)".to_owned()
    } else if text.contains("InvalidContentType") {
        "the server does not answer in TLS; if it speaks HTTP, use http://".to_owned()
    } else {
        format!("TLS: {text}")
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
