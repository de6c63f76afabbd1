//! The meaning of the answer to a request for robots.txt: the one place that judges it.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use flate2::bufread::GzDecoder;
use url::Url;

use super::{MAX_BYTES, Rules, utf_16};
use crate::failure::{Failure, Reason};
use crate::request::Response;
use crate::seen::KnownKind;
use crate::text::shown;

/// The first bytes of a gzip member.
const MAGIC: &[u8] = &[0x1F, 0x8B];
/// Layers of gzip that are undone, as many as of a sitemap.
const LAYERS: usize = 3;
/// Bytes in which an HTML page is recognized.
const HEAD: usize = 1 << 10;
/// The meaning of the answer to a request for `/robots.txt`, after redirects.
///
/// There are no other variants, and there will be none, so that a `match` decides about each.
///
/// | variant | answer | rules | sitemaps that it names |
/// |---|---|---|---|
/// | `Read` | a text with the status 200, 201 or 203, also an empty one; 204 | [`Rules`] | are read |
/// | `Absent` | 404 and 410; another status from 400 to 499 except 429; an HTML page; a redirect that cannot be followed, a loop, more than ten | none | none |
/// | `Refused` | a redirect from https to http, which the crawl does not follow | unknown | unknown |
/// | `NotUnderstood` | another status below 300, 304; a coding or an encoding that is not understood, bytes that are not a text, gzip data that is damaged or cut off, more than three layers of it | unknown | unknown |
/// | `Unreachable` | 429, and 500 to 599; no response, or one that broke off | everything is forbidden | unknown |
///
/// The bytes decide: UTF-8 without NUL is a text, even if `Content-Encoding` names a coding, because some clients decode the
/// body and keep the header. Other bytes are a text too, unless the header names a coding or there are control characters;
/// the lines that are not UTF-8 are then skipped.
///
/// An answer belongs to the site that was asked first: its scheme, host and port. A redirect changes the text, but not the
/// site. The source is RFC 9309, 2.3.1; its 2.3.1.4 forbids everything if robots.txt is unreachable, and Google treats 429
/// like a status from 500 to 599.
///
/// # Examples
///
/// ```
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::Response;
/// use quick_sitemap_crawl::robots::Answer;
///
/// let page = Url::parse("https://example.com/private/a")?;
/// let read = Answer::new(&Response::new(200), b"User-agent: *\nDisallow: /private");
/// assert_eq!(read.allows("my-crawler", &page), Some(false));
/// let absent = Answer::new(&Response::new(404), b"");
/// assert_eq!((absent.is_gone(), absent.allows("my-crawler", &page)), (true, Some(true)));
/// let brotli = Response::new(200).header("Content-Encoding", "br");
/// assert_eq!(Answer::new(&brotli, b"\x0b\x02\x80\xff\x03").allows("my-crawler", &page), None);
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It was read: these are its rules and its sitemaps.
    Read(Rules),
    /// There is none, so nothing is forbidden.
    Absent(Why),
    /// A redirect to this URL was not followed, because it leads from https to http.
    Refused(Url),
    /// It may forbid anything.
    NotUnderstood(Why),
    /// The server or the network failed, so everything is forbidden.
    Unreachable(Failure),
}

/// The reason why a robots.txt is [absent](Answer::Absent) or [not understood](Answer::NotUnderstood).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The status of the response.
    Status(u16),
    /// It is an HTML page.
    Page,
    /// A redirect that cannot be followed.
    Redirect(Failure),
    /// Its bytes are in this coding, which the header `Content-Encoding` names.
    Coding(String),
    /// Its bytes are not a text: they contain control characters.
    Binary,
    /// Its gzip data is damaged.
    Damaged,
    /// Its gzip data is cut off.
    Cut,
    /// It is gzipped more than three times.
    TooManyLayers,
}

impl Answer {
    /// Judges a response and its body, as it was sent or without gzip. If your client has followed redirects, set
    /// [`Response::final_url`]. At most 8 MiB of the body count; pass one byte more if there are more.
    ///
    /// A response that broke off, or did not come, is an [`Unreachable`](Self::Unreachable) of your own.
    #[must_use]
    pub fn new(response: &Response, body: &[u8]) -> Self {
        match response.status {
            200 | 201 | 203 => Self::of_text(response, body),
            204 => Self::Read(Rules::default()),
            status => Self::of_failure(match (&response.location, &response.final_url) {
                (Some(target), Some(from)) if Failure::is_redirect_status(status) => {
                    let is_refused = from.scheme() == "https"
                        && from.join(target).is_ok_and(|to| to.scheme() == "http");
                    let reason = if is_refused {
                        Reason::Downgrade
                    } else {
                        Reason::BadRedirect
                    };
                    Failure::new(reason).with_location(target)
                }
                _ => Failure::status(status),
            }),
        }
    }

    /// The answer of a crawl that could not get the document.
    pub(crate) fn of_failure(failure: Failure) -> Self {
        let target = failure.location().and_then(|to| to.parse().ok());
        match (failure.reason(), target) {
            (Reason::Status(429 | 500..=599), _) => Self::Unreachable(failure),
            (Reason::Status(code @ (304 | ..300 | 600..)), _) => {
                Self::NotUnderstood(Why::Status(code))
            }
            (Reason::Status(code), _) if !Failure::is_redirect_status(code) => {
                Self::Absent(Why::Status(code))
            }
            (Reason::Downgrade, Some(to)) => Self::Refused(to),
            (Reason::Status(_), _) => Self::Absent(Why::Redirect(failure)),
            (reason, _) if reason.is_of_redirect() => Self::Absent(Why::Redirect(failure)),
            _ => Self::Unreachable(failure),
        }
    }

    /// Judges the bytes of a document.
    fn of_text(response: &Response, body: &[u8]) -> Self {
        let (bytes, is_cut) = match unpacked(body) {
            Ok(unpacked) => unpacked,
            Err(why) => return Self::NotUnderstood(why),
        };
        let head = bytes.get(..HEAD).unwrap_or(&bytes);
        let head = utf_16(head).map_or_else(|| String::from_utf8_lossy(head), Cow::Owned);
        match not_text(&bytes, is_cut, response) {
            Some(why) => Self::NotUnderstood(why),
            None if is_page(&head) => Self::Absent(Why::Page),
            None => {
                let mut rules = Rules::read(&bytes, is_cut);
                rules.location.clone_from(&response.final_url);
                Self::Read(rules)
            }
        }
    }

    /// Returns the rules and the sitemaps of a robots.txt that was read.
    #[must_use]
    pub fn rules(&self) -> Option<&Rules> {
        match self {
            Self::Read(rules) => Some(rules),
            _ => None,
        }
    }

    /// Returns `true` if the server answered that there is no robots.txt (404 or 410).
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Absent(Why::Status(404 | 410)))
    }

    /// Returns how it is absent, or `None` if nothing was seen of it, or if it was read.
    pub(crate) fn absence(&self) -> Option<KnownKind> {
        match self {
            Self::Absent(Why::Status(404 | 410)) => Some(KnownKind::Absent),
            Self::Absent(_) | Self::Refused(_) => Some(KnownKind::Refused),
            _ => None,
        }
    }

    /// Returns whether a robot may request a URL of the site, or `None` if that is unknown, so the URL must not be requested.
    /// See [`Rules::allows`] for `product`.
    #[must_use]
    pub fn allows(&self, product: &str, url: &Url) -> Option<bool> {
        match self {
            Self::Read(rules) => Some(rules.allows(product, url)),
            Self::Absent(_) => Some(true),
            Self::Unreachable(_) => Some(false),
            Self::Refused(_) | Self::NotUnderstood(_) => None,
        }
    }

    /// Returns the failure for which the rules and the sitemaps are unknown.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        match self {
            Self::Read(_) | Self::Absent(_) => None,
            Self::Refused(url) => Some(Failure::new(Reason::Downgrade).with_location(url.as_str())),
            Self::NotUnderstood(Why::Status(code)) => Some(Failure::status(*code)),
            Self::NotUnderstood(why) => {
                Some(Failure::new(Reason::Unreadable).with_message(why.to_string()))
            }
            Self::Unreachable(failure) => Some(failure.clone()),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Status(code) => return write!(f, "status {code}"),
            Self::Redirect(failure) => return failure.fmt(f),
            Self::Coding(name) => {
                return write!(f, "it is in the unknown coding `{name}` (Content-Encoding)");
            }
            Self::Page => "it is an HTML page",
            Self::Binary => "it is not a text, because it contains control characters",
            Self::Damaged => "its gzip data is damaged",
            Self::Cut => "its gzip data is cut off",
            Self::TooManyLayers => "it is packed in too many layers",
        })
    }
}

/// The bytes without gzip, and `true` if there are more than [`MAX_BYTES`].
fn unpacked(body: &[u8]) -> Result<(Cow<'_, [u8]>, bool), Why> {
    let (mut bytes, mut is_cut) = (Cow::Borrowed(body), body.len() > MAX_BYTES);
    for _ in 0..LAYERS {
        if bytes.starts_with(MAGIC) {
            bytes = Cow::Owned(inflated(&bytes, is_cut)?);
            is_cut |= bytes.len() > MAX_BYTES;
        }
    }
    if bytes.starts_with(MAGIC) {
        return Err(Why::TooManyLayers);
    }
    Ok((bytes, is_cut))
}

/// The content of the members of gzip, up to one byte more than [`MAX_BYTES`]. Bytes after the last member are ignored, like
/// those after a sitemap.
fn inflated(mut packed: &[u8], is_cut: bool) -> Result<Vec<u8>, Why> {
    let mut text = Vec::new();
    while packed.starts_with(MAGIC) && text.len() <= MAX_BYTES {
        let mut member = GzDecoder::new(packed);
        let room = (MAX_BYTES + 1).saturating_sub(text.len()) as u64;
        match member.by_ref().take(room).read_to_end(&mut text) {
            Ok(_) => packed = member.into_inner(),
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(Why::Damaged),
            // The rest is beyond the bytes that count.
            Err(_) if is_cut => break,
            Err(_) => return Err(Why::Cut),
        }
    }
    Ok(text)
}

/// The reason why bytes are not a text.
fn not_text(bytes: &[u8], is_cut: bool, response: &Response) -> Option<Why> {
    let is_allowed = |byte: &u8| !byte.is_ascii_control() || b"\t\n\r\x0C".contains(byte);
    let is_utf_8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        // The bound is within a character.
        Err(error) => is_cut && error.error_len().is_none(),
    };
    let is_text = match utf_16(bytes) {
        Some(text) => !text.contains('\0'),
        None if is_utf_8 => !bytes.contains(&0),
        None => response.coding().is_none() && bytes.iter().all(is_allowed),
    };
    let coding = response.coding().map(|name| shown(name, 40));
    (!is_text).then(|| coding.map_or(Why::Binary, Why::Coding))
}

/// Returns `true` if this is the beginning of an HTML page. Comments and a declaration can be before its first tag.
fn is_page(head: &str) -> bool {
    let is_blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
    let mut rest = head.trim_start_matches(is_blank);
    for (begin, end) in [("<?xml", "?>"), ("<!--", "-->"), ("<!--", "-->")] {
        let after = rest
            .strip_prefix(begin)
            .and_then(|rest| rest.split_once(end));
        rest = after.map_or(rest, |(_, rest)| rest.trim_start_matches(is_blank));
    }
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|tag| {
            let found = rest.get(..tag.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(tag))
        })
}
