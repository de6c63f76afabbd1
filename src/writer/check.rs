//! `check`: what a writer would reject, without writing.

use super::builder::WriterBuilder;
use super::file_text::{Content, FileText};
use crate::entry::{SitemapEntry, UrlEntry};
use crate::violation::Violation;

impl UrlEntry {
    /// Returns the violation for which a [`UrlsetWriter`](crate::UrlsetWriter) with the settings of
    /// [`WriterBuilder::new`] would reject this entry. A `TextWriter` checks only the loc, and
    /// [`location`](WriterBuilder::location) checks more.
    ///
    /// # Errors
    ///
    /// The first violation. The page [Rejected entries](crate::guide::refused) lists all of them.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Rule, UrlEntry};
    ///
    /// let page = UrlEntry::try_from("https://example.com/")?;
    /// assert!(page.check().is_ok());
    /// let page = UrlEntry::new("https://example.com/a[1]".parse().unwrap());
    /// assert_eq!(page.check().unwrap_err().rule(), Rule::UrlNotEscaped);
    /// assert!(page.escaped().check().is_ok());
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn check(&self) -> Result<(), Violation> {
        FileText::new(&WriterBuilder::new(), Some("urlset")).add_as_it_is(Content::Page(self))
    }
}

impl SitemapEntry {
    /// Returns the violation for which an [`IndexWriter`](crate::IndexWriter) would reject this entry.
    ///
    /// # Errors
    ///
    /// The first violation.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Rule, SitemapEntry};
    ///
    /// let part = SitemapEntry::new("ftp://example.com/sitemap.xml".parse().unwrap());
    /// assert_eq!(part.check().unwrap_err().rule(), Rule::UnsupportedScheme);
    /// ```
    pub fn check(&self) -> Result<(), Violation> {
        FileText::new(&WriterBuilder::new(), Some("sitemapindex"))
            .add_as_it_is(Content::Sitemap(self))
    }
}
