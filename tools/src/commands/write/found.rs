//! A page that was found in a folder.

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;

use crate::page::Digest;

#[derive(Debug)]
pub(super) struct Found {
    /// As messages name the file.
    pub(super) name: String,
    pub(super) entry: UrlEntry,
    /// That of `<html>`.
    pub(super) language: Option<String>,
    /// The translations that the page itself names.
    pub(super) alternates: Vec<(String, Url)>,
    pub(super) content: Option<Digest>,
}
