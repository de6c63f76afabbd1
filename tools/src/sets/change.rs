//! The changes to a page.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::SystemTime;

use anyhow::{Context, bail};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use quick_sitemap::url::Url;
use quick_sitemap::{Extension, UrlEntry, Violation, W3cDatetime};
use regex_lite::Regex;

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Changes")]
pub(crate) struct Options {
    /// Replace the host FROM by TO in all URLs of a page, including those of alternates, images and videos
    ///
    /// FROM and TO can have a scheme and a port. If FROM has a scheme, only URLs with that scheme are changed; if TO has
    /// one, the scheme is changed as well. If the option is given several times, the first that matches a URL is applied.
    #[arg(long, value_name = "FROM=TO", value_parser = host_change)]
    replace_host: Vec<HostChange>,

    /// Replace the match of the regex in the URL of a page and of its alternates (not of images and videos)
    ///
    /// $1 or ${name} inserts the match of a group; `=` within the regex is written `\=`. If the option is given several
    /// times, the replacements are applied in that order, after --replace-host.
    #[arg(long, value_name = "REGEX=REPLACEMENT", value_parser = rewrite)]
    rewrite: Vec<Rewrite>,

    /// Set the lastmod of every page; `now` is the time of the run
    #[arg(long, value_name = "DATE")]
    set_lastmod: Option<String>,

    /// Remove these fields from every page; separate them by commas
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    drop: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Field {
    Lastmod,
    Changefreq,
    Priority,
    Extension(Extension),
    Foreign,
}

impl ValueEnum for Field {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Field>> = LazyLock::new(|| {
            let extensions = Extension::ALL.iter().copied().map(Field::Extension);
            [Field::Lastmod, Field::Changefreq, Field::Priority]
                .into_iter()
                .chain(extensions)
                .chain([Field::Foreign])
                .collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Lastmod => PossibleValue::new("lastmod"),
            Self::Changefreq => PossibleValue::new("changefreq"),
            Self::Priority => PossibleValue::new("priority"),
            Self::Extension(extension) => PossibleValue::new(extension.name()),
            Self::Foreign => PossibleValue::new("foreign").help("Elements from other namespaces"),
        })
    }
}

#[derive(Clone, Debug)]
struct HostChange {
    from: Host,
    to: Host,
}

/// `www.example.com`, `https://www.example.com:8443`.
#[derive(Clone, Debug)]
struct Host {
    scheme: Option<String>,
    host: String,
    port: Option<u16>,
}

#[derive(Clone, Debug)]
struct Rewrite {
    regex: Regex,
    replacement: String,
}

fn host_change(text: &str) -> Result<HostChange, String> {
    let (from, to) = text.split_once('=').ok_or("there is no `=` in it")?;
    Ok(HostChange {
        from: host(from)?,
        to: host(to)?,
    })
}

fn host(text: &str) -> Result<Host, String> {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) if matches!(scheme, "http" | "https") => (Some(scheme), rest),
        Some(_) => return Err(format!("`{text}` has a scheme other than http or https")),
        None => (None, text),
    };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    // A port that is the scheme's own does not show in URLs, and without a scheme none is.
    let url = Url::parse(&format!("{}://{rest}/", scheme.unwrap_or("http")));
    let url = url.map_err(|error| format!("`{text}` is no host: {error}"))?;
    match url.host_str() {
        // A text that is not a host ends up in another part of the URL.
        Some(host)
            if url.path() == "/"
                && url.username().is_empty()
                && url.password().is_none()
                && url.query().is_none()
                && url.fragment().is_none() =>
        {
            Ok(Host {
                scheme: scheme.map(ToOwned::to_owned),
                host: host.to_owned(),
                port: url.port(),
            })
        }
        _ => Err(format!("`{text}` is no host")),
    }
}

fn rewrite(text: &str) -> Result<Rewrite, String> {
    let mut is_escaped = false;
    let at = text.char_indices().find(|(_, character)| {
        let is_it = *character == '=' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        is_it
    });
    let (regex, replacement) = at
        .and_then(|(at, _)| text.split_at_checked(at))
        .ok_or("there is no `=` in it")?;
    let regex = Regex::new(regex).map_err(|error| error.to_string())?;
    let replacement = replacement.strip_prefix('=').unwrap_or(replacement);
    Ok(Rewrite {
        regex,
        replacement: replacement.to_owned(),
    })
}

impl Host {
    fn is_of(&self, url: &Url) -> bool {
        url.host_str() == Some(&self.host)
            && url.port() == self.port
            && self
                .scheme
                .as_ref()
                .is_none_or(|scheme| scheme == url.scheme())
    }

    fn put_into(&self, url: &mut Url) {
        // None fails: the host was parsed, and all URLs are http or https.
        let _ = url.set_host(Some(&self.host));
        if let Some(scheme) = &self.scheme {
            let _ = url.set_scheme(scheme);
        }
        let _ = url.set_port(self.port);
    }
}

/// The options, read once.
#[derive(Debug)]
pub(crate) struct Changes<'o> {
    options: &'o Options,
    lastmod: Option<W3cDatetime>,
    drop: HashSet<Field>,
}

impl Options {
    /// # Errors
    ///
    /// For a lastmod that is not a date.
    pub(crate) fn changes(&self) -> anyhow::Result<Changes<'_>> {
        let lastmod = match self.set_lastmod.as_deref() {
            None => None,
            Some("now") => Some(W3cDatetime::from(SystemTime::now())),
            Some(date) => Some(date.parse().context("--set-lastmod")?),
        };
        let drop: HashSet<Field> = self.drop.iter().copied().collect();
        if lastmod.is_some() && drop.contains(&Field::Lastmod) {
            bail!("--set-lastmod cannot be used with --drop lastmod");
        }
        Ok(Changes {
            options: self,
            lastmod,
            drop,
        })
    }
}

impl Changes<'_> {
    /// # Errors
    ///
    /// If a URL is none any more.
    pub(crate) fn apply(&self, entry: &mut UrlEntry) -> Result<(), Violation> {
        self.take_fields(entry);
        if self.lastmod.is_some() {
            entry.lastmod = self.lastmod;
        }
        if !self.options.replace_host.is_empty() {
            entry.urls_mut().for_each(|url| self.replace_host(url));
        }
        if !self.options.rewrite.is_empty() {
            self.rewrite(&mut entry.loc)?;
            for alternate in &mut entry.alternates {
                self.rewrite(&mut alternate.href)?;
            }
        }
        Ok(())
    }

    fn take_fields(&self, entry: &mut UrlEntry) {
        for field in &self.drop {
            match field {
                Field::Lastmod => entry.lastmod = None,
                Field::Changefreq => entry.changefreq = None,
                Field::Priority => entry.priority = None,
                Field::Extension(extension) => entry.clear(*extension),
                Field::Foreign => entry.foreign.clear(),
            }
        }
    }

    fn replace_host(&self, url: &mut Url) {
        let mut changes = self.options.replace_host.iter();
        if let Some(change) = changes.find(|change| change.from.is_of(url)) {
            change.to.put_into(url);
        }
    }

    fn rewrite(&self, url: &mut Url) -> Result<(), Violation> {
        let mut text = url.as_str().to_owned();
        for rewrite in &self.options.rewrite {
            let rewritten = rewrite.regex.replace_all(&text, &rewrite.replacement);
            if let std::borrow::Cow::Owned(rewritten) = rewritten {
                text = rewritten;
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
        options.changes().unwrap().apply(&mut entry)?;
        Ok(entry.loc.into())
    }

    fn options(hosts: &[&str], rewrites: &[&str]) -> Options {
        Options {
            replace_host: hosts
                .iter()
                .map(|text| host_change(text).unwrap())
                .collect(),
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
