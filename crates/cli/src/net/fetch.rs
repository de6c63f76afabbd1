//! Requests over HTTP, of which the library's crawl judges the responses: see [`driver`](crate::net::driver).
//!
//! | what | bound |
//! |---|---|
//! | one response, from the connection to its last byte | `--timeout`, 60 s |
//! | its bytes, as they are sent | `--max-bytes`, 500 MiB |

mod body;
mod cache;
mod error;
mod headers;
mod login;
mod page;
mod proxy;

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Failure, Pace, Response};
use ureq::http::{HeaderMap, HeaderValue, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use self::body::Body;
use self::cache::Cache;
use self::headers::{is_challenge, text, texts};
use self::proxy::Proxies;
use crate::disk::open_regular;
use crate::net::robots::{Origins, USER_AGENT};
use crate::term::address::Address;

pub(crate) use self::error::status_text;
pub(crate) use self::headers::Headers;
pub(crate) use self::login::{Login, one_origin};
pub(crate) use self::page::{Answer, Html};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Connections that are kept: as many as there can be jobs.
const IDLE: usize = 256;

/// The default is for commands that request nothing.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Network")]
pub(crate) struct Options {
    /// Maximum time for one response, in seconds, from the connection to the last byte
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = time)]
    pub(crate) timeout: Duration,

    /// Maximum number of retries if a connection fails or breaks off, or if the server answers 408, 429, 500, 502, 503, 504
    /// or 520 to 524; each waits longer than the one before
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) retries: u8,

    /// Pause between two requests to the same host, in seconds, such as 0.5 [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = delay)]
    pub(crate) delay: Option<Duration>,

    /// Maximum size of one sitemap in bytes, both as sent and unpacked; with a suffix K, M or G
    #[arg(long, value_name = "BYTES", default_value = "500M", value_parser = bytes)]
    pub(crate) max_bytes: u64,

    /// Folder in which responses are kept, so that they are sent again only if they have changed
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,

    /// Trust only the certificates in this PEM file [default: $SSL_CERT_FILE, or the list of Mozilla]
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,

    /// Also follow redirects from https to http
    #[arg(long)]
    pub(crate) allow_downgrade: bool,

    /// The header `User-Agent` of each request
    #[arg(long, value_name = "TEXT", default_value = USER_AGENT, value_parser = user_agent)]
    pub(crate) user_agent: String,

    #[command(flatten)]
    pub(crate) login: Login,

    /// The pace of all requests of the run, for sitemaps, robots.txt and pages.
    #[arg(skip)]
    pub(crate) pace: Pace,

    /// The robots.txt that the run has read.
    #[arg(skip)]
    pub(crate) origins: Arc<Mutex<Origins>>,
}

const ENCODINGS: &str = "gzip";

/// A day at most, so that no sum of times overflows.
fn delay(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "it is not a number of seconds".to_owned())?;
    if (0.0..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("it is not between 0 and 86400".to_owned())
    }
}

fn time(text: &str) -> Result<Duration, String> {
    match delay(text)? {
        Duration::ZERO => Err("it must be more than 0".to_owned()),
        time => Ok(time),
    }
}

fn user_agent(text: &str) -> Result<String, String> {
    match HeaderValue::from_str(text) {
        Ok(_) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err("it is not the value of a header".to_owned()),
    }
}

fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (text.get(..at), 10),
        Some((at, 'm' | 'M')) => (text.get(..at), 20),
        Some((at, 'g' | 'G')) => (text.get(..at), 30),
        _ => (Some(text), 0),
    };
    let number = digits.and_then(|digits| digits.parse::<u64>().ok());
    match number.and_then(|number| number.checked_mul(1 << shift)) {
        Some(number @ 1..) => Ok(number),
        _ => Err("it is not a number of bytes, such as 50M".to_owned()),
    }
}

pub(crate) struct Fetcher {
    agent: ureq::Agent,
    /// It keeps no connection, so that each request has a new one.
    unpooled: ureq::Agent,
    proxies: Proxies,
    /// Origins that have answered, so that a connection to them may have been kept.
    answered: Mutex<HashSet<String>>,
    pub(crate) options: Options,
    cache: Option<Cache>,
    pub(crate) pace: Pace,
    received: Arc<AtomicU64>,
}

type Bytes = Box<dyn Read + Send>;

/// The answer to a request, with its body as it was sent.
pub(crate) struct Exchange {
    pub(crate) response: Response,
    pub(crate) body: Bytes,
    /// A wall against bots answers in place of the server.
    pub(crate) is_wall: bool,
}

impl Fetcher {
    /// # Errors
    ///
    /// If the file of certificates or the cache folder cannot be used, or if the environment names no proxy where one is
    /// expected.
    pub(crate) fn new(options: &Options) -> anyhow::Result<Self> {
        let variable = || std::env::var_os("SSL_CERT_FILE").filter(|path| !path.is_empty());
        let file = options
            .cacert
            .clone()
            .or_else(|| variable().map(PathBuf::from));
        let roots = match file {
            Some(path) => RootCerts::Specific(Arc::new(certificates(&path)?)),
            None => RootCerts::WebPki,
        };
        let delay = options.delay.unwrap_or_default();
        let tls = TlsConfig::builder().root_certs(roots).build();
        let agent = |idle| {
            let config = ureq::Agent::config_builder()
                .proxy(None)
                .http_status_as_error(false)
                .max_redirects(0)
                .max_redirects_will_error(false)
                .timeout_global(Some(options.timeout))
                .timeout_connect(Some(connect_timeout(options)))
                .user_agent(&options.user_agent)
                .max_idle_connections(idle)
                .max_idle_connections_per_host(idle)
                .tls_config(tls.clone());
            ureq::Agent::from(config.build())
        };
        Ok(Self {
            // With fewer, of many requests at a time to one host, most end their connection.
            agent: agent(IDLE),
            unpooled: agent(0),
            proxies: Proxies::from_environment(|name| std::env::var_os(name))?,
            answered: Mutex::default(),
            cache: options.cache.as_deref().map(Cache::new).transpose()?,
            pace: options.pace.clone().delay(delay).per_host(usize::MAX),
            received: Arc::default(),
            options: options.clone(),
        })
    }

    /// Bytes of all bodies that were read so far, as they were sent.
    pub(crate) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// The headers of a request for a document that the cache may have. The crawl does not know of it: an entry answers as
    /// the server would, and says nothing of what an earlier run has seen.
    pub(crate) fn condition(&self, url: &Url) -> Headers {
        let cache = self.cache.as_ref();
        cache.map_or(Headers::new(), |cache| cache.condition(url))
    }

    /// One request: the part of the response that the library's crawl judges, all headers, and the body as it is sent.
    fn get(
        &self,
        url: &Url,
        accept: &str,
        headers: Headers,
    ) -> Result<(Response, HeaderMap, Body), Failure> {
        let proxy = self.proxies.of(url);
        let send = |agent: &ureq::Agent| {
            let mut request = agent
                .get(url.as_str())
                .config()
                .proxy(proxy.map(|proxy| proxy.proxy.clone()))
                .build()
                .header(header::ACCEPT, accept)
                .header(header::ACCEPT_ENCODING, ENCODINGS);
            for (name, value) in &headers {
                request = request.header(name, value);
            }
            request.call()
        };
        let origin = url.origin().ascii_serialization();
        let answered = || self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = match send(&self.agent) {
            // A server may close a connection that is kept at any time, and a GET may be sent again (RFC 9112, 9.3.1).
            Err(error) if error::is_closed(&error) && answered().contains(&origin) => {
                send(&self.unpooled)
            }
            sent => sent,
        };
        let sent = sent.map_err(|error| {
            let (connect, timeout) = (connect_timeout(&self.options), self.options.timeout);
            error::failure(error, connect, timeout, proxy)
        })?;
        answered().insert(origin);
        let (head, body) = sent.into_parts();
        let mut response = Response::new(head.status.as_u16());
        for name in [header::LOCATION, header::RETRY_AFTER, header::CONTENT_TYPE] {
            if let Some(value) = text(&head.headers, &name) {
                response = response.header(name, value);
            }
        }
        for value in texts(&head.headers, header::CONTENT_ENCODING.as_str()) {
            response = response.header("content-encoding", value);
        }
        let announced = text(&head.headers, &header::CONTENT_LENGTH);
        let body = Body {
            inner: body.into_with_config().limit(u64::MAX).reader(),
            received: 0,
            announced: announced.and_then(|text| text.parse().ok()),
            max_bytes: self.options.max_bytes,
            is_over: false,
            timeout: self.options.timeout,
            total: Arc::clone(&self.received),
            pending: None,
        };
        Ok((response, head.headers, body))
    }

    /// One request, of which the caller judges the response. Its status is 200 for a response of the cache folder that has not
    /// changed. The body comes as it was sent, and ends with an error if less came than was announced, or more than is allowed;
    /// it is written to the cache while it is read, unless the server forbids that.
    pub(crate) fn exchange(
        &self,
        url: &Url,
        site: &Address,
        condition: Headers,
    ) -> Result<Exchange, Failure> {
        let is_conditional = !condition.is_empty();
        let mut headers = site.headers(url);
        headers.extend(condition);
        let (mut response, headers, mut sent) = self.get(url, "*/*", headers)?;
        let is_wall = is_challenge(&headers);
        let rules = text(&headers, &header::CACHE_CONTROL).unwrap_or_default();
        let is_private = rules.to_ascii_lowercase().contains("no-store")
            || response.coding().is_some()
            || is_wall;
        let mut body: Bytes = Box::new(io::empty());
        match (&self.cache, response.status) {
            (cache, 200..=299) => {
                let cache = cache.as_ref();
                let cache = cache.filter(|_| response.status == 200 && !is_private);
                sent.pending = cache.and_then(|cache| cache.begin(url, &headers));
                body = Box::new(sent);
            }
            (Some(cache), 304) if is_conditional => {
                let Some((about, kept)) = cache.find(url) else {
                    // The entry is damaged, or another program has removed it.
                    return self.exchange(url, site, Headers::new());
                };
                response.status = 200;
                response.content_type = about.content_type;
                body = Box::new(kept);
            }
            _ => {}
        }
        Ok(Exchange {
            response,
            body,
            is_wall,
        })
    }
}

fn connect_timeout(options: &Options) -> Duration {
    CONNECT_TIMEOUT.min(options.timeout)
}

/// Reads the certificates of a PEM file.
fn certificates(path: &Path) -> anyhow::Result<Vec<Certificate<'static>>> {
    let name = || format!("certificates: {}", path.display());
    let mut pem = Vec::new();
    let read = open_regular(path).and_then(|mut file| file.read_to_end(&mut pem));
    read.with_context(name)?;
    let mut certificates = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.with_context(name)? {
            certificates.push(certificate);
        }
    }
    if certificates.is_empty() {
        anyhow::bail!("{} contains no certificate in PEM format", name());
    }
    Ok(certificates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times() {
        assert_eq!(bytes("50M"), Ok(50 << 20));
        assert_eq!(bytes("7"), Ok(7));
        for wrong in ["", "0", "M", "-1", "1.5M", "99999999999G", "5µ"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert_eq!(delay("0.5"), Ok(Duration::from_millis(500)));
        for wrong in ["", "-1", "NaN", "inf", "1e300"] {
            assert!(delay(wrong).is_err(), "{wrong}");
        }
        assert!(time("0").is_err());
    }
}
