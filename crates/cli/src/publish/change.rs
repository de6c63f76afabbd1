//! The changes to a page.

use std::borrow::Cow;
use std::time::SystemTime;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use quick_sitemap::url::Url;
use quick_sitemap::{Extension, UrlEntry, Violation, W3cDatetime};
use regex_lite::Regex;

use crate::term::json::page_fields;

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Changes")]
pub(crate) struct Options {
    #[command(flatten)]
    hosts: HostChanges,

    /// Replace the match of the regex in the URL of a page and of its alternates (not of images and videos)
    ///
    /// $1 or ${name} inserts the match of a group; `=` within the regex is written `\=`. If the option is given several
    /// times, the replacements are applied in that order, after --replace-host.
    #[arg(long, value_name = "REGEX=REPLACEMENT", value_parser = rewrite)]
    rewrite: Vec<(Regex, String)>,

    /// Set the lastmod of every page; `now` is the time of the run
    #[arg(long, value_name = "DATE", value_parser = lastmod)]
    set_lastmod: Option<W3cDatetime>,

    /// Remove these fields from every page; separate them by commas
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = droppable())]
    drop: Vec<String>,
}

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct HostChanges {
    /// Replace the host FROM by TO in all URLs of a page, including those of alternates, images and videos
    ///
    /// FROM and TO can have a scheme and a port. If FROM has a scheme, only URLs with that scheme are changed; if TO has
    /// one, the scheme is changed as well. If the option is given several times, the first that matches a URL is applied.
    #[arg(long, value_name = "FROM=TO", value_parser = host_change)]
    replace_host: Vec<(Host, Host)>,
}

impl HostChanges {
    pub(crate) fn apply(&self, entry: &mut UrlEntry) {
        if self.replace_host.is_empty() {
            return;
        }
        for url in entry.urls_mut() {
            self.apply_to(url);
        }
    }

    pub(crate) fn apply_to(&self, url: &mut Url) {
        let mut changes = self.replace_host.iter();
        if let Some((_, to)) = changes.find(|(from, _)| from.is_of(url)) {
            to.put_into(url);
        }
    }
}

/// The values of `--drop`.
fn droppable() -> PossibleValuesParser {
    PossibleValuesParser::new(page_fields().map(|name| match name {
        "foreign" => PossibleValue::new(name).help("Elements from other namespaces"),
        name => PossibleValue::new(name),
    }))
}

/// `www.example.com`, `https://www.example.com:8443`.
#[derive(Clone, Debug)]
struct Host {
    has_scheme: bool,
    url: Url,
}

fn host_change(text: &str) -> Result<(Host, Host), String> {
    let (from, to) = text.split_once('=').ok_or("there is no `=` in it")?;
    Ok((host(from)?, host(to)?))
}

fn host(text: &str) -> Result<Host, String> {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    // URLs omit the default port of their scheme. Without a scheme, no port is a default.
    let url = match scheme {
        Some("http" | "https") => Url::parse(text),
        Some(_) => return Err(format!("`{text}` has a scheme other than http or https")),
        None => Url::parse(&format!("http://{text}")),
    };
    let url = url.map_err(|error| format!("`{text}` is no host: {error}"))?;
    // A text that is not a host ends up in another part of the URL.
    if url.as_str().strip_suffix('/') != Some(&url.origin().ascii_serialization()) {
        return Err(format!("`{text}` is no host"));
    }
    let has_scheme = scheme.is_some();
    Ok(Host { has_scheme, url })
}

fn rewrite(text: &str) -> Result<(Regex, String), String> {
    let mut is_escaped = false;
    let at = text.find(|character| {
        let is_it = character == '=' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_it
    });
    let (regex, replacement) = at
        .and_then(|at| text.split_at_checked(at))
        .ok_or("there is no `=` in it")?;
    let regex = Regex::new(regex).map_err(|error| error.to_string())?;
    let replacement = replacement.strip_prefix('=').unwrap_or(replacement);
    Ok((regex, replacement.to_owned()))
}

impl Host {
    fn is_of(&self, url: &Url) -> bool {
        url.host() == self.url.host()
            && url.port() == self.url.port()
            && (!self.has_scheme || url.scheme() == self.url.scheme())
    }

    fn put_into(&self, url: &mut Url) {
        // None fails: the host was parsed, and all URLs are http or https.
        let _ = url.set_host(self.url.host_str());
        if self.has_scheme {
            let _ = url.set_scheme(self.url.scheme());
        }
        let _ = url.set_port(self.url.port());
    }
}

fn lastmod(text: &str) -> Result<W3cDatetime, Violation> {
    match text {
        "now" => Ok(W3cDatetime::from(SystemTime::now())),
        date => date.parse(),
    }
}

impl Options {
    /// # Errors
    ///
    /// If two options contradict each other.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.set_lastmod.is_some() && self.drop.iter().any(|field| field == "lastmod") {
            bail!("--set-lastmod cannot be used with --drop lastmod");
        }
        Ok(())
    }

    /// # Errors
    ///
    /// If a URL is none any more.
    pub(crate) fn apply(&self, entry: &mut UrlEntry) -> Result<(), Violation> {
        for field in &self.drop {
            match &**field {
                "lastmod" => entry.lastmod = None,
                "changefreq" => entry.changefreq = None,
                "priority" => entry.priority = None,
                "foreign" => entry.foreign.clear(),
                name => {
                    let known = Extension::ALL.iter().find(|known| known.name() == name);
                    known.into_iter().for_each(|known| entry.clear(*known));
                }
            }
        }
        entry.lastmod = self.set_lastmod.or(entry.lastmod);
        self.hosts.apply(entry);
        if !self.rewrite.is_empty() {
            self.rewrite_url(&mut entry.loc)?;
            for alternate in &mut entry.alternates {
                self.rewrite_url(&mut alternate.href)?;
            }
        }
        Ok(())
    }

    fn rewrite_url(&self, url: &mut Url) -> Result<(), Violation> {
        let mut text = url.as_str().to_owned();
        for (regex, replacement) in &self.rewrite {
            let replaced = regex.replace_all(&text, replacement);
            if let Cow::Owned(replaced) = replaced {
                text = replaced;
            }
        }
        if text != url.as_str() {
            *url = UrlEntry::try_from(text.as_str())?.loc;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(options: &Options, loc: &str) -> Result<String, Violation> {
        let mut entry = UrlEntry::try_from(loc)?;
        options.apply(&mut entry)?;
        Ok(entry.loc.into())
    }

    fn options(hosts: &[&str], rewrites: &[&str]) -> Options {
        Options {
            hosts: HostChanges {
                replace_host: hosts
                    .iter()
                    .map(|text| host_change(text).unwrap())
                    .collect(),
            },
            rewrite: rewrites.iter().map(|text| rewrite(text).unwrap()).collect(),
            set_lastmod: None,
            drop: Vec::new(),
        }
    }

    #[test]
    fn hosts() {
        let move_to = |change: &str, loc: &str| changed(&options(&[change], &[]), loc).unwrap();
        assert_eq!(
            move_to("a.com=b.com", "https://a.com/x?a.com"),
            "https://b.com/x?a.com"
        );
        assert_eq!(
            move_to("a.com=b.com", "https://www.a.com/"),
            "https://www.a.com/"
        );
        assert_eq!(
            move_to("a.com=b.com", "https://a.com:8443/"),
            "https://a.com:8443/"
        );
        assert_eq!(
            move_to("a.com:8443=b.com", "https://a.com:8443/"),
            "https://b.com/"
        );
        assert_eq!(
            move_to("A.com=https://b.com", "http://a.com/"),
            "https://b.com/"
        );
        assert_eq!(
            move_to("http://a.com=https://a.com", "http://a.com/x"),
            "https://a.com/x"
        );
        // Each URL is changed once: two hosts can be exchanged.
        let both = options(&["a.com=b.com", "b.com=a.com"], &[]);
        assert_eq!(changed(&both, "https://a.com/").unwrap(), "https://b.com/");
        for wrong in [
            "a.com",
            "a.com/x=b.com",
            "a.com=",
            "ftp://a.com=b.com",
            "a.com=u@b.com",
        ] {
            assert!(host_change(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rewrites() {
        let rewritten = |rewrites: &[&str], loc: &str| changed(&options(&[], rewrites), loc);
        let loc = "https://a.com/p?id=7&x=1";
        assert_eq!(
            rewritten(&[r"/p\?id\=(\d+).*=/p/$1"], loc).unwrap(),
            "https://a.com/p/7"
        );
        assert_eq!(
            rewritten(&[r"\?.*=", "/p$=/q"], loc).unwrap(),
            "https://a.com/q"
        );
        assert!(rewritten(&["^https:=ftp:"], loc).is_err());
        assert!(rewrite("a").is_err() && rewrite("(=b").is_err());
    }
}
