//! The events of the intake: everything that a command learns about its inputs.

use std::ops::ControlFlow;
use std::path::Path;

use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;

#[cfg(feature = "full")]
use crate::net::driver::{Driver, SiteRobots};
#[cfg(feature = "full")]
use crate::net::robots::UnusableLine;
use crate::source::not_read::NotRead;
use crate::source::walk::{Content, End, Item};

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
    /// The charset of the header `Content-Type`.
    pub(crate) charset: Option<&'a str>,
    /// It was named as an input.
    pub(crate) is_input: bool,
    /// The robots.txt of its site.
    #[cfg(feature = "full")]
    pub(crate) robots: Option<&'a SiteRobots>,
    /// The robots.txt of its site allows it to list all pages of the host.
    pub(crate) is_waived: bool,
}

impl<'a> About<'a> {
    /// The name of a sitemap of a site as it is listed, and of any other document.
    pub(crate) fn listed_name(&self) -> &'a str {
        self.listed.unwrap_or(self.name)
    }

    /// Returns the robot that robots.txt forbids a URL to: `*`, or the name of this program.
    #[cfg(feature = "full")]
    pub(crate) fn forbidden_for(&self, url: &Url) -> Option<String> {
        let (place, rules) = self.robots?.read.as_ref()?;
        let rules = Some(rules).filter(|_| place.origin() == url.origin())?;
        rules.forbidden_for(url).map(str::to_owned)
    }

    #[cfg(not(feature = "full"))]
    pub(crate) fn forbidden_for(&self, _: &Url) -> Option<String> {
        None
    }

    /// The reason why robots.txt, which may allow the sitemap to list all pages of its host, could not be read.
    pub(crate) fn robots_failure(&self) -> Option<&str> {
        #[cfg(feature = "full")]
        if !self.is_waived {
            return self.robots?.failure.as_deref();
        }
        None
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
    #[cfg(feature = "full")]
    fn robots(&mut self, _name: &str, _robots: &SiteRobots) -> anyhow::Result<()> {
        Ok(())
    }

    /// The lines of the robots.txt of a folder that name no sitemap, or one by a relative URL.
    #[cfg(feature = "full")]
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

    /// A sitemap of a site was read, and has this state. If there is a request to stop, it is in the queue again.
    #[cfg(feature = "full")]
    fn settled(
        &mut self,
        _driver: &mut Driver,
        _number: usize,
        state: anyhow::Result<quick_sitemap_crawl::State>,
    ) -> anyhow::Result<()> {
        state.map(drop)
    }

    /// All sitemaps of a site were read.
    #[cfg(feature = "full")]
    fn site(&mut self, _driver: &Driver) -> anyhow::Result<()> {
        Ok(())
    }
}
