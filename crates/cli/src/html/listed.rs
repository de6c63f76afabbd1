//! A page of a folder that is to be listed.

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;

#[derive(Debug)]
pub(crate) struct ListedPage {
    /// Its folder's number among those of the run.
    pub(crate) folder: usize,
    /// As messages name the file.
    pub(crate) name: String,
    pub(crate) entry: UrlEntry,
    /// That of `<html>`.
    pub(crate) language: Option<String>,
    /// The translations that the page itself names.
    pub(crate) alternates: Vec<(String, Url)>,
    /// The digest of its content, if it was read.
    pub(crate) content: Option<String>,
    /// The digest is that of its title and its description alone.
    pub(crate) is_blank: bool,
}
