//! All pages of inputs, one after the other, in constant memory: the sink of the commands that work on pages.
//!
//! An index on standard input is an error: its parts would have to be fetched, which `sitemap crawl` does.

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::ControlFlow;

use anyhow::bail;
use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Entry, Issue, RawEntry, UrlEntry};

use crate::net::spelling::spellings;
use crate::rows::Fields;
use crate::source::account::Account;
use crate::source::documents::is_no_sitemap;
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::NotRead;
use crate::source::notes::Notes;
use crate::source::options::ReadOptions;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Item, Origin, Outcome};
use crate::term::interrupt;
use crate::term::messages::Messages;

/// A page, and where it is listed.
pub(crate) struct Page<'f> {
    pub(crate) entry: UrlEntry,
    /// The URL to which it should lead, in the column or field `expected` of a list.
    pub(crate) expected: Option<String>,
    /// A sitemap that was fetched lists it, which may not list its host.
    pub(crate) is_elsewhere: bool,
    pub(crate) listed: Listed<'f>,
}

/// The entry of a page. It is displayed with its place and with the first problem that has cost it a value, because of
/// which the page may not be usable.
pub(crate) struct Listed<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    origin: &'f Origin<'f>,
    issues: &'f [Issue],
}

impl<'f> Listed<'f> {
    /// The fields with a value that could not be used.
    pub(crate) fn dropped(&self) -> Fields {
        let mut dropped = Fields::NONE;
        for issue in self.issues {
            if issue.effect == Effect::ValueDropped
                && let Origin::Entry(raw) = self.origin
            {
                dropped = dropped.either(field_at(raw, issue.position.byte()));
            }
        }
        dropped
    }

    /// Counting the lines before an entry takes as long as reading it.
    pub(crate) fn place(&self) -> Place<'f> {
        Place {
            file: self.file,
            line: self.origin.line(),
        }
    }
}

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().fmt(f)?;
        let mut issues = self.issues.iter();
        match issues.find(|issue| issue.effect != Effect::Noted) {
            Some(cause) => write!(f, ": {}", cause.violation),
            None => Ok(()),
        }
    }
}

/// The field of the page that has its element there.
fn field_at(raw: &RawEntry<'_>, byte: u64) -> Fields {
    let elements = raw.elements();
    let before = elements.take_while(|element| element.position().byte() <= byte);
    let Some(element) = before.last() else {
        return Fields::NONE;
    };
    let is_of = |part: &str| element.prefix().contains(part) || element.name() == part;
    let field = match element.name() {
        _ if is_of("image") => "images",
        _ if is_of("video") => "videos",
        _ if is_of("news") => "news",
        "link" => "alternates",
        name => name,
    };
    Fields::of([field])
}

/// The start of an entry: displayed as `public/sitemap-1.xml:17`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place<'f> {
    /// The file as a message names it; `<stdin>`, or a URL.
    pub(crate) file: &'f str,
    /// From 1, in the unpacked and decoded text.
    pub(crate) line: u64,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

pub(crate) type OnPage<'p> = dyn FnMut(Page<'_>) -> anyhow::Result<()> + 'p;

/// Reads one input after the other, and passes every page to `on_page`. A URL is crawled as by `sitemap crawl`.
///
/// # Errors
///
/// Those of `on_page` and of temporary files; an input that cannot be opened or is not a sitemap; a folder without a
/// sitemap; a site of which nothing can be read; an index that is not on disk; a request to stop. Never for a sitemap that
/// breaks off: its pages have been returned, and the account is incomplete.
pub(crate) fn read(
    inputs: &[Input],
    options: &ReadOptions,
    messages: &Messages,
    on_page: &mut OnPage<'_>,
) -> anyhow::Result<Account> {
    let mut pages = Pages {
        notes: Notes::new(messages, "read"),
        on_page,
    };
    let options = intake::Options {
        follows_files: true,
        ..intake::Options::new(options, messages)
    };
    let read = intake::read(inputs, &options, &mut pages);
    interrupt::check()?;
    let account = read?;
    pages.notes.finish(&account);
    if account.read == 0 {
        bail!("no sitemap could be read");
    }
    Ok(account)
}

struct Pages<'w> {
    notes: Notes<'w>,
    on_page: &'w mut OnPage<'w>,
}

impl Sink for Pages<'_> {
    fn begin(&mut self, about: &About<'_>) -> anyhow::Result<()> {
        if about.is_index() && about.path.is_none() && about.listed.is_none() {
            bail!(
                "{} is an index, and only indexes in files are followed, to parts in the same folder; use \
                 `sitemap crawl` to fetch the sitemaps that an index lists",
                about.name
            );
        }
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        interrupt::check()?;
        self.notes.item(about, item);
        if let Ok(Entry::Url(entry)) = item.take() {
            let is_elsewhere = about.may_list.is_some_and(|may_list| {
                let may = |url: &Url| may_list(url) == Some(true);
                !may(&entry.loc) && !spellings(&entry.loc).any(|url| may(&url))
            });
            (self.on_page)(Page {
                entry,
                is_elsewhere,
                expected: item.expected.take(),
                listed: Listed {
                    file: about.listed_name(),
                    origin: &item.origin,
                    issues: item.issues,
                },
            })?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<ControlFlow<()>> {
        // A request to stop is not a fault of the document.
        interrupt::check()?;
        let is_no_input = match &end.outcome {
            Outcome::Failed(error) => about.is_input && is_no_sitemap(error.kind()),
            _ => end.is_unopened(),
        };
        match &end.failure {
            Some(failure) if is_no_input => bail!("{failure}"),
            _ => self.notes.end(about, end, true),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        if not_read.is_input && not_read.why.is_lost() {
            bail!(not_read.to_string());
        }
        self.notes.not_read(not_read);
        Ok(())
    }
}
