//! The events of the intake: everything that a command learns about its inputs.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots::Answer;

use crate::net::driver::Driver;
use crate::net::robots::{NotAsked, Wanted};
use crate::source::not_read::NotRead;
use crate::source::walk::{Content, End, Item};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;

/// Returns the names of the robots to which robots.txt of its site forbids a URL, if there are any; `Err` if that robots.txt
/// was not looked at.
pub(crate) type Forbids<'r> = dyn Fn(&Url, Wanted) -> Result<Option<String>, NotAsked> + 'r;

/// Returns whether the sitemap may list pages of the site of a URL; `None` if that is not known.
pub(crate) type MayList<'r> = dyn Fn(&Url) -> Option<bool> + 'r;

/// Whose robots.txt it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RobotsOf {
    /// Of a site, which is read from there.
    Site,
    /// Of the site of a single sitemap.
    Sitemap,
    Folder,
}

/// A robots.txt, or what is in its place.
#[derive(Clone, Copy)]
pub(crate) struct RobotsTxt<'a> {
    pub(crate) of: RobotsOf,
    /// As a message names it.
    pub(crate) name: &'a str,
    /// The site whose rules it has, if that is known.
    pub(crate) site: Option<&'a Url>,
    pub(crate) answer: &'a Answer,
    /// Why it is not one that was read, as it may be shown.
    pub(crate) why: Option<&'a str>,
}

/// A document that is read.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    /// As a message names it, without users and passwords.
    pub(crate) name: &'a str,
    /// Its file.
    pub(crate) path: Option<&'a Path>,
    /// Its URL: from `--location`, or where it was fetched.
    pub(crate) location: Option<&'a Url>,
    /// The name of a sitemap of a site as an index or robots.txt lists it: before redirects.
    pub(crate) listed: Option<&'a str>,
    /// The name of the index that lists it.
    pub(crate) listed_in: Option<&'a str>,
    /// The charset of the header `Content-Type`.
    pub(crate) charset: Option<&'a str>,
    /// It was named as an input.
    pub(crate) is_input: bool,
    /// `None` if its beginning has not been read, or cannot be.
    pub(crate) content: Option<Content>,
    pub(crate) robots: &'a Forbids<'a>,
    /// The URL that was asked for, before redirects.
    pub(crate) asked: Option<&'a Url>,
    /// Redirects have led to another site.
    pub(crate) is_redirected: bool,
    /// Something lists other sitemaps of its folder, and nothing lists it.
    pub(crate) is_unlisted: bool,
    /// The places of its pages are judged: its location is known, and so is whether robots.txt names it.
    pub(crate) judges_places: bool,
    /// Which pages it may list, if it was fetched.
    pub(crate) may_list: Option<&'a MayList<'a>>,
}

impl<'a> About<'a> {
    pub(crate) fn is_index(&self) -> bool {
        self.content.is_some_and(Content::is_index)
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.content, Some(Content::List(_)))
    }

    /// The name of a sitemap of a site as it is listed, and of any other document.
    pub(crate) fn listed_name(&self) -> &'a str {
        self.listed.unwrap_or(self.name)
    }

    /// Where redirects have led, as the end of a message about [`listed_name`](Self::listed_name).
    pub(crate) fn redirected(&self) -> String {
        let location = match self.listed {
            Some(_) => Cow::Borrowed(self.name),
            None => match self.location.filter(|_| self.path.is_none()) {
                Some(location) => without_logins(location.as_str()),
                None => return String::new(),
            },
        };
        if location == self.listed_name() {
            return String::new();
        }
        format!(" (redirected to {})", clipped(&location))
    }
}

/// Takes what is read, in the order of reading. An error ends the run, and is returned. After a `Break`, nothing more is
/// read.
pub(crate) trait Sink {
    /// The robots.txt of a site or of a folder was requested, or read.
    fn robots(&mut self, _robots: &RobotsTxt<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    /// A document will be read.
    fn document(&mut self, _about: &About<'_>) {}

    /// The document has been opened. Not called if its beginning cannot be read.
    fn begin(&mut self, _about: &About<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    /// The next entry, or something in place of one.
    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>>;

    /// The document has been read, or cannot be read any further.
    fn end(&mut self, _about: &About<'_>, _end: &End<'_>) -> anyhow::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    /// Something was not read.
    fn not_read(&mut self, _not_read: &NotRead<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap of a crawl that can be continued has been taken, or will be requested again because an error ends the run.
    fn taken(&mut self, _driver: &Driver, _is_taken: bool) -> anyhow::Result<()> {
        Ok(())
    }
}
