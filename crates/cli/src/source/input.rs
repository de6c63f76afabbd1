//! Inputs: a URL, a file, or standard input.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{OsStringValueParser, TypedValueParser, ValueParser, ValueParserFactory};
use quick_sitemap::url::Url;

use crate::disk::files::Files;
pub(crate) use crate::net::fetch::Options as Network;
use crate::term::address::{self, Address};
use crate::term::clipped::clipped;

/// One sitemap, as it is named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Url(Box<Address>),
    File(PathBuf),
    Stdin,
}

impl FromStr for Input {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "-" {
            Ok(Self::Stdin)
        } else if address::names_url(text) {
            Ok(Self::Url(Box::new(text.parse()?)))
        } else {
            Ok(Self::File(PathBuf::from(text)))
        }
    }
}

/// Names of files need not be UTF-8.
impl ValueParserFactory for Input {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        let named = |name: OsString| match name.to_str() {
            Some(text) => text.parse(),
            None => Ok(Self::File(PathBuf::from(name))),
        };
        ValueParser::new(OsStringValueParser::new().try_map(named))
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => url.fmt(f),
            Self::File(path) => match without_scheme(path).filter(|(_, host)| host.contains('@')) {
                // It is meant to be a URL, whose login is not shown.
                Some((url, _)) => url.to_string().trim_start_matches("https://").fmt(f),
                None => path.display().fmt(f),
            },
            Self::Stdin => f.write_str("<stdin>"),
        }
    }
}

/// An input that has been opened.
pub(crate) struct Opened {
    pub(crate) reader: Box<dyn Read + Send>,
    /// The URL of the sitemap after redirects: the base of relative URLs.
    pub(crate) location: Option<Url>,
    /// That of the header `Content-Type`.
    pub(crate) charset: Option<String>,
}

impl Opened {
    pub(crate) fn of(reader: impl Read + Send + 'static) -> Self {
        Self {
            reader: Box::new(reader),
            location: None,
            charset: None,
        }
    }
}

impl Input {
    /// A bare host name, such as `example.com`, is the site at `https://example.com/`, unless there is a file of that
    /// name. A name with a slash at its end is a folder.
    pub(crate) fn or_site(self) -> Self {
        match &self {
            Self::File(path) if !path.exists() => match path.to_str().and_then(named_site) {
                Some(address) => Self::Url(Box::new(address)),
                None => self,
            },
            _ => self,
        }
    }

    /// # Errors
    ///
    /// If standard input is named twice: it would be empty the second time.
    pub(crate) fn stdin_once<'a>(inputs: impl IntoIterator<Item = &'a Self>) -> anyhow::Result<()> {
        let from_stdin = inputs.into_iter().filter(|input| **input == Self::Stdin);
        match from_stdin.count() {
            0 | 1 => Ok(()),
            _ => anyhow::bail!("standard input can be read only once"),
        }
    }

    /// The inputs of a command that reads sites, with the credentials of the command line. `others` are read, too.
    ///
    /// # Errors
    ///
    /// Those of [`stdin_once`](Self::stdin_once) and of credentials that no URL needs.
    pub(crate) fn prepare<'a>(
        inputs: &'a [Self],
        others: impl IntoIterator<Item = &'a Self>,
        network: &Network,
    ) -> anyhow::Result<Vec<Self>> {
        Self::stdin_once(inputs.iter().chain(others))?;
        let mut inputs: Vec<_> = inputs.iter().cloned().map(Self::or_site).collect();
        Self::log_in(&mut inputs, network)?;
        Ok(inputs)
    }

    /// The files among the inputs, which must not be written.
    pub(crate) fn files(inputs: &[Self]) -> Files {
        let paths = inputs.iter().map(Self::path);
        paths.fold(Files::default(), |files, path| {
            files.reads("the input", path)
        })
    }

    /// Adds the credentials of the command line to the URLs among the inputs.
    ///
    /// # Errors
    ///
    /// Those of [`Login::give`](crate::net::fetch::login::Login::give).
    pub(crate) fn log_in(inputs: &mut [Self], network: &Network) -> anyhow::Result<()> {
        network
            .login
            .give(inputs.iter_mut().filter_map(Self::address))?;
        Ok(())
    }

    /// That of a URL.
    pub(crate) fn address(&mut self) -> Option<&mut Address> {
        match self {
            Self::Url(address) => Some(address),
            Self::File(_) | Self::Stdin => None,
        }
    }

    /// That of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Url(_) | Self::Stdin => None,
        }
    }

    /// # Errors
    ///
    /// Without the name of the input.
    pub(crate) fn open(&self, network: &Network) -> anyhow::Result<Opened> {
        match self {
            Self::Stdin => Ok(Opened::of(crate::source::stdin::interruptible())),
            Self::File(path) => {
                let file = File::open(path).map_err(|error| or_url(path, error))?;
                Ok(Opened::of(file))
            }
            Self::Url(address) => {
                let document = crate::net::driver::document(address, network)?;
                Ok(Opened {
                    location: Some(document.location),
                    charset: document.charset,
                    reader: document.bytes,
                })
            }
        }
    }
}

/// The error of a file that is not there, with the URL that its name is without a scheme, if it may be one. A file is not
/// looked for on the web unasked: `v1.2/sitemap.xml` may be mistyped.
pub(crate) fn or_url(path: &Path, error: io::Error) -> io::Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let text = path.to_str().unwrap_or_default();
    // A site has no sitemap at its root, but a folder may be meant to be a site.
    let url = without_scheme(path).filter(|(url, _)| text.contains('/') || url.url().path() != "/");
    let url = url.map(|(url, _)| format!("if it is a URL, use `{url}`"));
    match url.or_else(|| wrong_scheme(text)) {
        Some(hint) => io::Error::new(error.kind(), format!("{error}; {hint}")),
        None => error,
    }
}

/// The remedy for the name of a file that begins as a URL does, of another scheme.
fn wrong_scheme(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(":/")?;
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    // A letter alone is a drive.
    if scheme.len() < 2 || !scheme.chars().all(is_scheme) {
        return None;
    }
    let rest = rest.trim_start_matches('/');
    Some(match &*scheme.to_ascii_lowercase() {
        "http" | "https" => format!("a URL begins with `{scheme}://`"),
        "file" => format!("use the path alone, `/{}`", clipped(rest)),
        _ => format!("`{scheme}:` is not read, only http: and https:"),
    })
}

/// The URL that the name of a file is without its scheme, and what names the host, if it may be one.
fn without_scheme(path: &Path) -> Option<(Address, &str)> {
    let text = path.to_str()?;
    let host = text.split_once('/').map_or(text, |(host, _)| host);
    site(host)?;
    Some((format!("https://{text}").parse().ok()?, host))
}

/// The URL of an option, without user and password. As for inputs, a bare host name means https.
pub(crate) fn web_url(text: &str) -> anyhow::Result<Url> {
    let named = without_scheme(Path::new(text)).filter(|_| !address::names_url(text));
    let address = match named {
        Some((address, _)) => address,
        None => text.parse()?,
    };
    Ok(address.url().clone())
}

/// The URL of a folder, with its final slash.
pub(crate) fn folder_url(text: &str) -> anyhow::Result<Url> {
    let mut url = web_url(text)?;
    url.set_query(None);
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push("");
    }
    Ok(url)
}

/// Names that end like this are files that are not there.
const EXTENSIONS: [&str; 15] = [
    "atom", "br", "bz2", "csv", "gz", "htm", "html", "json", "jsonl", "ndjson", "rss", "tsv",
    "txt", "xml", "zst",
];

/// The site of a name that is no file's.
fn named_site(text: &str) -> Option<Address> {
    Some(site(text)?.taken_for_host(text))
}

/// The site of a bare host name, with or without a user and a password, and a port.
fn site(authority: &str) -> Option<Address> {
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    let last = name
        .rsplit_once('.')
        .map(|(_, last)| last.to_ascii_lowercase());
    let is_file = name.starts_with('.') || last.is_some_and(|last| EXTENSIONS.contains(&&*last));
    if is_file || host.contains(['/', '?', '#']) || !is_site(host) {
        return None;
    }
    format!("https://{authority}/").parse().ok()
}

fn is_site(host: &str) -> bool {
    quick_sitemap_crawl::site(host).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_host_name_is_a_site() {
        let shown = |text: &str| text.parse::<Input>().unwrap().or_site();
        for (text, site) in [
            ("example.com", "https://example.com/"),
            ("example.com:8443", "https://example.com:8443/"),
            ("localhost:80", "https://localhost:80/"),
            ("münchen.example", "https://xn--mnchen-3ya.example/"),
            ("127.0.0.1:80", "https://127.0.0.1:80/"),
            ("me:secret@example.com", "https://***@example.com/"),
            ("me@example.com:8443", "https://***@example.com:8443/"),
        ] {
            assert_eq!(
                shown(text).to_string(),
                site.replace(":443/", "/"),
                "{text}"
            );
        }
        for text in [
            "sitemap.xml",
            "public",
            "dist.old/",
            "www.example.com/",
            "a.b/c",
            ".hidden",
            "a.jsonl",
            "src",
            "x:y.z",
            "a b.c",
            "-",
        ] {
            assert!(!matches!(shown(text), Input::Url(_)), "{text}");
        }
    }

    #[test]
    fn the_url_that_lacks_its_scheme_is_named() {
        let message = |text: &str, kind: ErrorKind| {
            or_url(Path::new(text), io::Error::new(kind, "no")).to_string()
        };
        for (text, url) in [
            ("example.com/s.xml", "https://example.com/s.xml"),
            ("localhost:80/a/b", "https://localhost:80/a/b"),
            ("me:secret@example.com/s", "https://***@example.com/s"),
            ("dist.old/", "https://dist.old/"),
        ] {
            let expected = format!("no; if it is a URL, use `{url}`");
            assert_eq!(message(text, ErrorKind::NotFound), expected);
            assert_eq!(message(text, ErrorKind::PermissionDenied), "no");
        }
        for text in [
            "public/s.xml",
            "./s.xml",
            "../s.xml",
            "/a.b/s.xml",
            "s.xml",
            "s.xml/a",
        ] {
            assert_eq!(message(text, ErrorKind::NotFound), "no", "{text}");
        }
        for (text, hint) in [
            (
                "htps://e.com/",
                "`htps:` is not read, only http: and https:",
            ),
            (
                "ftp://e.com/a.xml",
                "`ftp:` is not read, only http: and https:",
            ),
            ("file:///srv/a.xml", "use the path alone, `/srv/a.xml`"),
            ("https:/e.com", "a URL begins with `https://`"),
        ] {
            let expected = format!("no; {hint}");
            assert_eq!(message(text, ErrorKind::NotFound), expected);
            assert_eq!(message(text, ErrorKind::PermissionDenied), "no");
        }
    }

    #[test]
    fn no_login_is_shown_in_the_name_of_a_file() {
        for (text, shown) in [
            ("me:secret@example.com/s.xml", "***@example.com/s.xml"),
            ("me@example.com/s.xml", "***@example.com/s.xml"),
            ("me:secret@example.com", "***@example.com/"),
            ("example.com/s.xml", "example.com/s.xml"),
            ("public/me@example.com/s.xml", "public/me@example.com/s.xml"),
        ] {
            assert_eq!(Input::File(text.into()).to_string(), shown);
        }
    }

    #[test]
    fn a_name_is_a_url_a_file_or_standard_input() {
        let input = |text: &str| text.parse::<Input>().unwrap();
        assert_eq!(input("-"), Input::Stdin);
        assert!(matches!(input("HTTPS://example.com/s.xml"), Input::Url(_)));
        assert_eq!(input("https"), Input::File("https".into()));
        assert_eq!(
            input("ftp://example.com/"),
            Input::File("ftp://example.com/".into())
        );
        for wrong in ["http://", "ftp://user:secret@example.com/"] {
            assert!(wrong.parse::<Input>().is_err(), "{wrong}");
        }
        assert!(matches!(
            input("https:/me:secret@example.com"),
            Input::Url(_)
        ));
        assert_eq!(
            input("https://me:secret@example.com/s.xml").to_string(),
            "https://***@example.com/s.xml"
        );
    }
}
