//! The events of the intake: everything that a command learns about its inputs.

use std::ops::ControlFlow;
use std::path::Path;

use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;

use crate::net::driver::Driver;
use crate::net::robots::{SiteRobots, UnusableLine};
use crate::source::not_read::NotRead;
use crate::source::walk::{Content, End, Item};

/// Returns the robot that robots.txt forbids a URL to: `*`, or the name of this program.
pub(crate) type Forbids<'r> = dyn Fn(&Url) -> Option<String> + 'r;

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
    pub(crate) robots: Option<&'a Forbids<'a>>,
    /// The reason why robots.txt, which may allow the sitemap to list all pages of its host, could not be read.
    pub(crate) robots_failure: Option<&'a str>,
}

impl<'a> About<'a> {
    /// The name of a sitemap of a site as it is listed, and of any other document.
    pub(crate) fn listed_name(&self) -> &'a str {
        self.listed.unwrap_or(self.name)
    }
}

/// Takes what is read, in the order of reading. An error ends the run, and is returned.
pub(crate) trait Sink {
    /// Returns `true` if the places of pages are judged, for which the robots.txt of the site of a single sitemap is
    /// requested, too.
    fn judges_places(&self) -> bool {
        false
    }

    /// Returns `true` if nothing more is to be read.
    fn is_over(&self) -> bool {
        false
    }

    /// The robots.txt of a site was read, or there is none.
    fn robots(&mut self, _name: &str, _robots: &SiteRobots) -> anyhow::Result<()> {
        Ok(())
    }

    /// The lines of the robots.txt of a folder that name no sitemap, or one by a relative URL.
    fn unusable_lines(&mut self, _name: &str, _lines: &[UnusableLine]) -> anyhow::Result<()> {
        Ok(())
    }

    /// A document will be read. Returns the reader, which the sink can change.
    fn document(&mut self, _about: &About<'_>, builder: ReaderBuilder) -> ReaderBuilder {
        builder
    }

    /// The document has been opened. Not called if its beginning cannot be read.
    fn begin(&mut self, _about: &About<'_>, _content: Content) -> anyhow::Result<()> {
        Ok(())
    }

    /// The next entry, or something in place of one.
    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>>;

    /// The document has been read, or cannot be read any further.
    fn end(&mut self, _about: &About<'_>, _end: &End<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    /// Something was not read.
    fn not_read(&mut self, _not_read: &NotRead<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    /// A sitemap of a crawl that can be continued has been taken, or could not be.
    fn taken(
        &mut self,
        _driver: &mut Driver,
        _number: usize,
        ended: anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        ended
    }
}
