//! The reason why there is no response, in plain words.

use std::io;
use std::time::Duration;

use quick_sitemap_crawl::Failure;

use super::proxy::NamedProxy;

/// Returns `true` if the connection was closed before there was a response.
pub(super) fn is_closed(error: &ureq::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let ureq::Error::Io(error) = error else {
        return false;
    };
    let closed = [
        BrokenPipe,
        ConnectionAborted,
        ConnectionReset,
        UnexpectedEof,
    ];
    closed.contains(&error.kind())
}

/// As the library's crawl judges it: a connection that failed or broke off may be better the next time, but a certificate
/// or a timeout is not. `connect` is the time that a connection may take, `timeout` the time that a response may take. A
/// proxy that cannot be reached is named, and not the site, whose certificate is its own.
pub(super) fn failure(
    error: ureq::Error,
    connect: Duration,
    timeout: Duration,
    proxy: Option<&NamedProxy>,
) -> Failure {
    use ureq::{Error, Timeout};
    // What goes wrong before there is a connection goes wrong at the proxy.
    let at_proxy = |text: &str| match proxy {
        Some(proxy) => format!("{proxy}: {text}"),
        None => text.to_owned(),
    };
    let at_lookup = |text: &str| match proxy {
        Some(proxy) if proxy.proxy.resolve_target() => {
            format!("{proxy}: {text} (socks5h:// lets the proxy look it up)")
        }
        _ => at_proxy(text),
    };
    match error {
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            let text = format!("no connection within {} s", connect.as_secs_f64());
            Failure::connection(at_proxy(&text))
        }
        Error::Timeout(_) => Failure::permanent(format!(
            "no complete response within {} s (--timeout)",
            timeout.as_secs_f64()
        )),
        Error::HostNotFound => Failure::permanent(at_lookup("unknown host name")),
        Error::ConnectionFailed => Failure::connection(at_proxy("no connection")),
        Error::ConnectProxyFailed(text) => Failure::permanent(at_proxy(&text)),
        Error::Io(error) => match of_io(&error) {
            Some(text) => Failure::connection(at_proxy(text)),
            None if is_of(Error::Rustls, &error) => Failure::permanent(tls(&error)),
            None => match error.to_string() {
                text if text.starts_with(LOOKUP) => Failure::permanent(at_lookup(&text)),
                text => Failure::permanent(at_proxy(&text)),
            },
        },
        Error::Rustls(error) => Failure::permanent(tls(&error)),
        Error::Protocol(error) => Failure::permanent(format!("the response is not HTTP: {error}")),
        Error::LargeResponseHeader(..) => {
            Failure::permanent("the header of the response is too long")
        }
        other => Failure::permanent(other.to_string()),
    }
}

/// The beginning of the error of the standard library for a name that cannot be looked up. It has no kind.
const LOOKUP: &str = "failed to lookup address";

/// Returns `true` if the error is one that this variant has.
fn is_of<E: std::error::Error + 'static>(_: fn(E) -> ureq::Error, error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<E>())
}

fn of_io(error: &io::Error) -> Option<&'static str> {
    use io::ErrorKind;
    Some(match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused",
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => "connection reset",
        ErrorKind::ConnectionAborted => "connection aborted",
        ErrorKind::UnexpectedEof => "connection closed before there was a response",
        ErrorKind::HostUnreachable => "the host cannot be reached",
        ErrorKind::NetworkUnreachable => "the network cannot be reached",
        ErrorKind::TimedOut => "connection timed out",
        _ => return None,
    })
}

/// A certificate of `openssl req -x509` is one of an authority, if nothing else is asked for.
const END_ENTITY: &str = "the certificate of the server is that of an authority (CA:TRUE), which a server must not use; \
    make one by `openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=HOST \
    -addext subjectAltName=DNS:HOST -addext basicConstraints=critical,CA:FALSE`, and name it by --cacert";

/// Failures of TLS by a word of their text.
const TLS: [(&str, &str); 9] = [
    ("CaUsedAsEndEntity", END_ENTITY),
    (
        "UnknownIssuer",
        "the certificate is not signed by a trusted authority (see --cacert)",
    ),
    ("NotValidYet", "the certificate is not valid yet"),
    ("not valid yet", "the certificate is not valid yet"),
    ("xpired", "the certificate has expired"),
    ("evoked", "the certificate has been revoked"),
    ("BadSignature", "the signature of the certificate is wrong"),
    (
        "HandshakeFailure",
        "the server and this program have no cipher in common",
    ),
    (
        "ProtocolVersion",
        "the server has no version of TLS from 1.2 on",
    ),
];

fn tls(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    if text.contains("InvalidContentType") {
        return "the server does not answer in TLS; if it speaks HTTP, use http://".to_owned();
    }
    let known = TLS.iter().find(|(word, _)| text.contains(word));
    format!("TLS: {}", known.map_or(&*text, |(_, sentence)| sentence))
}

/// `404 Not Found`: the status of a response without the document.
pub(crate) fn status_text(code: u16) -> String {
    let status = ureq::http::StatusCode::from_u16(code).ok();
    match status.and_then(|status| status.canonical_reason()) {
        Some(reason) => format!("{code} {reason}"),
        None => format!("status {code}"),
    }
}
