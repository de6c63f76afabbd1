//! The changes to a page.

use std::time::SystemTime;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use quick_sitemap::url::Url;
use quick_sitemap::{Extension, UrlEntry, Violation, W3cDatetime};
use regex_lite::Regex;

use crate::judge::host_changes::HostChanges;
use crate::term::json::page_fields;

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Changes")]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) hosts: HostChanges,

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

/// The values of `--drop`.
fn droppable() -> PossibleValuesParser {
    PossibleValuesParser::new(page_fields().map(|name| match name {
        "foreign" => PossibleValue::new(name).help("Elements from other namespaces"),
        name => PossibleValue::new(name),
    }))
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
            text = regex.replace_all(&text, replacement).into_owned();
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

    fn options(rewrites: &[&str]) -> Options {
        Options {
            hosts: HostChanges::default(),
            rewrite: rewrites.iter().map(|text| rewrite(text).unwrap()).collect(),
            set_lastmod: None,
            drop: Vec::new(),
        }
    }

    #[test]
    fn rewrites() {
        let rewritten = |rewrites: &[&str], loc: &str| changed(&options(rewrites), loc);
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
