//! URLs that are named on the command line, and the user and password in them.
//!
//! [`Address`] is the only type that keeps a password, that of the URL or of `--user`. It takes the password out of the URL when the URL is parsed, so
//! the rest of the program has URLs without one, and cannot print or store it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use anyhow::bail;
use percent_encoding::percent_decode_str;
use quick_sitemap::url::{Position, Url};
use ureq::http::header::{AUTHORIZATION, HeaderName, HeaderValue};

/// Characters of a text in a report.
const LONGEST_SHOWN: usize = 300;

/// Placeholder for credentials.
const HIDDEN: &str = "***@";

/// Characters of a URL that a server may name, percent-encoded: the protocol allows no more of a loc.
pub(crate) const LONGEST: usize = 2_047;

/// What is sent to one origin alone.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Credentials {
    /// `user:password`
    pub(crate) login: Option<Vec<u8>>,
    /// Those of `--header`.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// An http or https URL without fragment, user and password. User, password and the headers of `--header` are kept apart,
/// for requests to the origin of the URL.
///
/// It is displayed as `https://***@example.com/` if there are a user and a password.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Address {
    url: Url,
    credentials: Credentials,
    /// It was named by this text, which may be the name of a file that is not there.
    taken_for_host: Option<Box<str>>,
}

impl Address {
    pub(crate) fn new(mut url: Url) -> Self {
        // It is not sent.
        url.set_fragment(None);
        let login = has_login(&url).then(|| {
            let user = percent_decode_str(url.username());
            let password = percent_decode_str(url.password().unwrap_or_default());
            user.chain(*b":").chain(password).collect()
        });
        Self {
            url: bare(url),
            credentials: Credentials {
                login,
                headers: Vec::new(),
            },
            taken_for_host: None,
        }
    }

    pub(crate) fn taken_for_host(self, name: &str) -> Self {
        // A user and a password are in no name of a file.
        let name = Some(name.into()).filter(|_| !self.has_login());
        Self {
            taken_for_host: name,
            ..self
        }
    }

    /// Why a site cannot be read, with the other meaning that its name may have.
    pub(crate) fn or_file(&self, why: String) -> String {
        match &self.taken_for_host {
            Some(name) => {
                format!("there is no file `{name}`, and for the host of that name: {why}")
            }
            None => why,
        }
    }

    /// A user and a password take the place of those in the URL.
    pub(crate) fn give(&mut self, credentials: &Credentials) {
        let own = self.credentials.login.take();
        self.credentials = credentials.clone();
        self.credentials.login = self.credentials.login.take().or(own);
    }

    /// The headers of requests to this URL that requests to other origins do not have.
    pub(crate) fn headers(&self, url: &Url) -> Vec<(HeaderName, HeaderValue)> {
        if !self.is_origin_of(url) {
            return Vec::new();
        }
        let mut headers = self.credentials.headers.clone();
        let is_named = headers.iter().any(|(name, _)| *name == AUTHORIZATION);
        let authorization = self.authorization(url).filter(|_| !is_named);
        if let Some(Ok(mut value)) = authorization.map(HeaderValue::try_from) {
            value.set_sensitive(true);
            headers.push((AUTHORIZATION, value));
        }
        headers
    }

    pub(crate) fn is_origin_of(&self, url: &Url) -> bool {
        self.url.origin() == url.origin()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn has_login(&self) -> bool {
        self.credentials.login.is_some()
    }

    /// Returns `true` if requests to its origin have a login or headers of their own.
    pub(crate) fn has_secrets(&self) -> bool {
        self.has_login() || !self.credentials.headers.is_empty()
    }

    /// The value of the header `Authorization` for requests to this URL. `None` if there is no login, or if it belongs
    /// to another origin.
    fn authorization(&self, url: &Url) -> Option<String> {
        use base64::prelude::{BASE64_STANDARD, Engine};
        let login = self.credentials.login.as_ref();
        let login = login.filter(|_| self.is_origin_of(url))?;
        Some(format!("Basic {}", BASE64_STANDARD.encode(login)))
    }

    /// Another URL as it may be shown: with `***@` if requests to it get the login.
    pub(crate) fn shown(&self, url: &Url) -> String {
        if has_login(url) || self.has_login() && self.is_origin_of(url) {
            let rest = &url[Position::BeforeHost..];
            return format!("{}://{HIDDEN}{rest}", url.scheme());
        }
        url.to_string()
    }
}

impl FromStr for Address {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url: Url = match text.parse() {
            Ok(url) => url,
            Err(error) => bail!("`{}` is not a URL: {error}", hidden(text)),
        };
        if !matches!(url.scheme(), "http" | "https") {
            bail!("`{}` is neither http nor https", hidden(text));
        }
        Ok(Self::new(url))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(&self.url))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

/// Returns `true` if the URL is one that no server may name.
pub(crate) fn is_too_long(url: &Url) -> bool {
    url.as_str().len() > LONGEST
}

fn has_login(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

/// The URL without user and password. A server that names one decides what is read, not who reads it.
pub(crate) fn bare(mut url: Url) -> Url {
    // Fails only if the URL can have neither.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// Takes out user and password, for what is printed or stored.
pub(crate) fn hide_login(url: &mut Url) {
    if has_login(url) {
        *url = bare(url.clone());
    }
}

/// Returns `true` if the text is a URL with a password, of any scheme.
fn has_password(text: &str) -> bool {
    text.parse().is_ok_and(|url| has_login(&url))
}

/// Returns `true` if a text that may name a file is a URL: one of http or https, complete or not, or one with a
/// password. The name of a file is shown and may be created, which must not happen to a password.
pub(crate) fn names_url(text: &str) -> bool {
    let begins_with = |scheme: &str| {
        text.get(..scheme.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    };
    begins_with("http://") || begins_with("https://") || has_password(text)
}

/// For options that name what is written: a folder would be made of each part of a URL, its password too.
///
/// # Errors
///
/// If it is a URL; `what` describes the expected value.
pub(crate) fn no_url(path: &Path, what: &str) -> anyhow::Result<()> {
    let text = path.to_string_lossy();
    if names_url(&text) {
        bail!("{}: {what}, not a URL", hidden(&text))
    } else {
        Ok(())
    }
}

/// A text of the command line as it may be shown, which may be a URL or have one in it.
pub(crate) fn hidden(text: &str) -> Cow<'_, str> {
    match text.parse::<Url>() {
        Ok(url) if !has_login(&url) => return Cow::Borrowed(text),
        Ok(url) if url.has_host() => return Cow::Owned(Address::new(url).to_string()),
        _ => {}
    }
    // In a text that is not a URL, the end of the password is not known: the last `@`, to be safe.
    let begin = text.find("://").map(|at| at + 3);
    let parts = begin.and_then(|begin| text.split_at_checked(begin));
    match parts.and_then(|(begin, rest)| Some((begin, rest.rsplit_once('@')?.1))) {
        Some((begin, rest)) => Cow::Owned(format!("{begin}{HIDDEN}{rest}")),
        None => Cow::Borrowed(text),
    }
}

/// A message with any number of URLs, without their users and passwords.
pub(crate) fn without_logins(text: &str) -> Cow<'_, str> {
    redact(text, 0..0).0
}

/// As [`without_logins`]. The range moves accordingly; if it covers a part of a hidden text, it is extended to all of it.
pub(crate) fn redact(text: &str, span: Range<usize>) -> (Cow<'_, str>, Range<usize>) {
    let logins = logins(text);
    if logins.is_empty() {
        return (Cow::Borrowed(text), span);
    }
    let (mut shown, mut shown_to) = (String::new(), 0);
    let Range { mut start, mut end } = span.clone();
    for login in logins {
        shown.push_str(text.get(shown_to..login.start).unwrap_or_default());
        let hidden = shown.len()..shown.len() + HIDDEN.len();
        shown.push_str(HIDDEN);
        shown_to = login.end;
        let moved = |place: usize, within: usize| match place.checked_sub(login.end) {
            Some(after) => hidden.end + after,
            None => within,
        };
        if span.start > login.start {
            start = moved(span.start, hidden.start);
        }
        if span.end > login.start {
            end = moved(span.end, hidden.end);
        }
    }
    shown.push_str(text.get(shown_to..).unwrap_or_default());
    (Cow::Owned(shown), start..end)
}

/// The start of the authority of a URL, also in the form of JSON.
const OPENERS: [&str; 2] = ["//", r"\/\/"];
/// The end of a login, also in the form of XML.
const ENDS: [&str; 4] = ["@", "&#64;", "&#x40;", "&#X40;"];
/// Replaces the part of a text that is left out.
const LEFT_OUT: char = '…';
/// No host is longer.
const LONGEST_HOST: usize = 253;

/// The ranges of users and passwords of URLs, each with its `@`, in the order of the text. The text can be the part of
/// a longer one between two `…`: text that may be a part of a password there is included, too.
pub(crate) fn logins(text: &str) -> Vec<Range<usize>> {
    let mut logins = Vec::new();
    let mut at = 0;
    if let Some(rest) = text.strip_prefix(LEFT_OUT) {
        at = text.len() - rest.trim_start_matches([':', '/', '\\']).len();
        let word = word(text.get(at..).unwrap_or_default());
        if let Some(end) = end_of_login(word) {
            logins.push(at..at + end);
            at += end;
        }
    }
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let opened = |opener: &&str| Some((rest.find(*opener)?, opener.len()));
        let Some((found, len)) = OPENERS.iter().filter_map(opened).min() else {
            return logins;
        };
        let has_scheme = rest.get(..found).is_some_and(|rest| rest.ends_with(':'));
        at += found + len;
        let rest = text.get(at..).unwrap_or_default();
        // More slashes are none to a browser.
        at += rest.len() - rest.trim_start_matches(['/', '\\']).len();
        let word = word(text.get(at..).unwrap_or_default());
        let authority = authority(word);
        let end = match end_of_login(authority) {
            // Without a scheme it is a path more often than a URL, and a path may hold an `@`.
            Some(end) if has_scheme || authority.contains(':') => Some(end),
            Some(_) => None,
            // The `@` may be in the part that is left out.
            None => authority
                .strip_suffix(LEFT_OUT)
                .filter(|cut| cut.contains(':') || cut.len() > LONGEST_HOST)
                .map(str::len),
        };
        if let Some(end) = end {
            logins.push(at..at + end);
            at += end;
        }
    }
}

fn word(text: &str) -> &str {
    let is_end =
        |character: char| character.is_whitespace() || matches!(character, '`' | '"' | '<' | '>');
    text.split(is_end).next().unwrap_or_default()
}

/// The part of a URL between `//` and its path. A `/` in a password ends it, too, but the text after the colon is not a
/// port then: in such a URL, it reaches up to the last `@`.
fn authority(word: &str) -> &str {
    let is_end = |character: char| matches!(character, '/' | '?' | '#' | '\\');
    let authority = word.split(is_end).next().unwrap_or_default();
    let port = authority.rsplit_once(':').map(|(_, port)| port);
    let is_port =
        |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) || port.ends_with(']');
    match end_of_login(word) {
        Some(end) if !authority.contains('@') && port.is_some_and(|port| !is_port(port)) => {
            word.get(..end).unwrap_or_default()
        }
        _ => authority,
    }
}

/// The end of the last login in the text, with its `@`.
fn end_of_login(text: &str) -> Option<usize> {
    let end = |end: &&str| Some(text.rfind(*end)? + end.len());
    ENDS.iter().filter_map(end).max()
}

/// The text without the password of any URL in it, and not longer than a report has room for.
pub(crate) fn shown(text: &str) -> String {
    let text = without_logins(text);
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::clipped::clipped;

    fn address(text: &str) -> Address {
        text.parse().unwrap()
    }

    #[test]
    fn a_password_is_not_shown() {
        let site = address("https://us%40er:s%3Acret@example.com:8080/a@b?c=d@e#f");
        let shown = "https://***@example.com:8080/a@b?c=d@e";
        assert_eq!(site.to_string(), shown);
        assert_eq!(format!("{site:?}"), format!("Address({shown})"));
        assert_eq!(site.url().as_str(), "https://example.com:8080/a@b?c=d@e");
        assert_eq!(
            address("https://user@example.com").to_string(),
            "https://***@example.com/"
        );
        let none = address("https://example.com/@me");
        assert_eq!(none.to_string(), "https://example.com/@me");
        assert!(site.has_login() && !none.has_login());
    }

    #[test]
    fn a_login_is_that_of_one_origin() {
        let site = address("https://us%40er:s%3Acret@example.com/a");
        let authorization = |url: &str| site.authorization(&url.parse().unwrap());
        assert_eq!(
            authorization("https://example.com/b").as_deref(),
            // us@er:s:cret
            Some("Basic dXNAZXI6czpjcmV0")
        );
        for other in [
            "http://example.com/",
            "https://example.com:444/",
            "https://www.example.com/",
        ] {
            assert_eq!(authorization(other), None, "{other}");
        }
        assert_eq!(
            site.shown(&"https://example.com/b".parse().unwrap()),
            "https://***@example.com/b"
        );
        let other = "https://other.example/".parse().unwrap();
        assert_eq!(site.shown(&other), "https://other.example/");
    }

    #[test]
    fn what_is_not_a_url_shows_no_password_either() {
        for (text, shown) in [
            ("https://u:se/cret@exa mple/", "https://***@exa mple/"),
            ("https://u:secret@exa mple/", "https://***@exa mple/"),
            ("ftp://u:secret@example.com/a", "ftp://***@example.com/a"),
            ("--x=https://u:secret@h/", "--x=https://***@h/"),
            ("https://example.com/@me", "https://example.com/@me"),
            ("me@example.com", "me@example.com"),
            ("10x", "10x"),
        ] {
            assert_eq!(hidden(text), shown);
        }
        let error = "https://u:secret@exa mple/".parse::<Address>();
        assert!(!format!("{:?}", error.unwrap_err()).contains("secret"));
        let error = "ftp://u:secret@example.com/".parse::<Address>();
        assert!(!format!("{:?}", error.unwrap_err()).contains("secret"));
    }

    #[test]
    fn a_message_shows_no_password_of_any_url() {
        for (text, shown) in [
            (
                "`https://u:secret@h/a@b` and ftp://u@h, \"//u:secret@h\"",
                "`https://***@h/a@b` and ftp://***@h, \"//***@h\"",
            ),
            ("(https://u:se@cret@ho st/=x", "(https://***@ho st/=x"),
            ("https://***@h/", "https://***@h/"),
            ("https://h//u:secret@i/", "https://h//***@i/"),
            ("https:////u:secret@h/", "https:////***@h/"),
            ("https:///u:secret@h/", "https:///***@h/"),
            ("https://u:se/cret@h/", "https://***@h/"),
            (r#""https:\/\/u:secret@h\/""#, r#""https:\/\/***@h\/""#),
            ("<loc>https://u:secret&#64;h/<", "<loc>https://***@h/<"),
            // The part that is left out may contain the `@`.
            ("`https://u:secr…` is", "`https://***@…` is"),
            ("…cret@h/ https://u:s…", "…***@h/ https://***@…"),
            ("…//u:se/cret@h/", "…//***@h/"),
        ] {
            assert_eq!(without_logins(text), shown);
        }
        for text in [
            "a//me@b/c",
            "https://h/@me",
            "me:x@h",
            "a // b",
            "http://",
            "//",
            "https://h:80/@me",
            "https://[::1]/@me",
            "https://www.example.com…",
            "…/a https://h/",
        ] {
            assert_eq!(without_logins(text), text);
        }
    }

    #[test]
    fn messages_are_not_as_long_as_urls() {
        let long: Url = format!("https://example.com/{}", "x".repeat(5_000))
            .parse()
            .unwrap();
        let site = address("https://example.com/");
        assert_eq!(clipped(&site.shown(&long)).chars().count(), 201);
        assert_eq!(site.shown(&long), long.as_str());
    }

    #[test]
    fn passwords_go_before_a_text_is_cut() {
        let long = format!("https://u:{}@example.com/", "x".repeat(1_000));
        assert_eq!(shown(&long), "https://***@example.com/");
        assert_eq!(shown(&"é".repeat(1_000)).chars().count(), 301);
    }
}
