//! What is known of a page.

use quick_sitemap::url::Url;

use super::content_hash::ContentHash;
use super::dates::Dates;
use super::selector::Selector;

/// Images and alternates that are kept per page. A page of a sitemap has at most 1,000 images.
pub(super) const LISTED: usize = 1_000;

/// What is wanted of a page beside its head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// The element that counts as the content, instead of the whole page.
    pub(crate) selector: Option<&'a Selector>,
}

#[derive(Debug, Default)]
pub(crate) struct Page {
    /// It has an `<html>` tag or a document type.
    pub(crate) is_document: bool,
    /// `<meta name="robots" content="noindex">`, or `none`.
    pub(crate) is_noindex: bool,
    /// `<meta http-equiv="refresh">` that leads to another URL, or the same in `<noscript>` beside a link that leads there.
    pub(crate) is_redirect: bool,
    /// The `href` of the first `<link rel="canonical">`.
    pub(crate) canonical: Option<String>,
    /// The `href` of the first `<base>`.
    pub(crate) base: Option<String>,
    /// The `lang` of `<html>`.
    pub(crate) language: Option<String>,
    /// `hreflang` and `href` of each `<link rel="alternate">` that has both.
    pub(crate) alternates: Vec<(String, String)>,
    pub(crate) dates: Dates,
    /// The `src` of each `<img>` of the content.
    pub(crate) images: Vec<String>,
    /// The `content` of each `<meta property="og:image">`.
    pub(crate) shared_images: Vec<String>,
    /// `None` if the body was not wanted.
    pub(crate) content: Option<ContentHash>,
    /// The selector was found.
    pub(crate) is_selected: bool,
}

impl Page {
    /// What a relative URL of the page is resolved against.
    pub(crate) fn base(&self, url: &Url) -> Url {
        let base = self.base.as_ref().and_then(|base| url.join(base).ok());
        base.unwrap_or_else(|| url.clone())
    }
}
