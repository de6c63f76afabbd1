//! The facts of a page.

use quick_sitemap::url::Url;

use super::dates::Dates;
use super::same_page::is_same_page;
use super::tag::is;

/// Images and alternates that are kept per page. A page of a sitemap has at most 1,000 images.
pub(super) const LISTED: usize = 1_000;

#[derive(Debug, Default)]
pub(crate) struct HtmlPage {
    /// It has an `<html>` tag or a document type.
    pub(crate) is_document: bool,
    /// `<meta name="robots" content="noindex">`, or `none`.
    pub(crate) is_noindex: bool,
    /// The content of the first `<meta http-equiv="refresh">` with a URL, or of one in `<noscript>` if a link of the page leads
    /// to the same URL.
    pub(super) refresh: Option<String>,
    /// The `href` of each `<link rel="canonical">`, each text once.
    pub(super) canonicals: Vec<String>,
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
    /// The digest of the content; `None` if only the head was read.
    pub(crate) content: Option<String>,
    /// There is no text, link or image in the content, as in a page that a script draws.
    pub(crate) is_blank: bool,
    /// The selector was found.
    pub(crate) is_selected: bool,
}

/// The canonical URL of a page for which these are named. A search engine ignores several that differ.
pub(crate) fn canonical(named: impl IntoIterator<Item = Url>) -> Option<Url> {
    let mut named = named.into_iter();
    let first = named.next()?;
    named
        .all(|other| is_same_page(&other, &first))
        .then_some(first)
}

/// Returns `true` if there is a delay, and the URL in the content of a refresh, `5; url=/new`. Without one, the page only
/// reloads itself.
pub(super) fn target(content: &str) -> Option<(bool, &str)> {
    let (delay, url) = content.split_once([';', ','])?;
    let seconds = delay.trim().parse::<f64>();
    let url = url.trim();
    let named = url.split_once('=').filter(|(name, _)| is(name, "url"));
    let url = named.map_or(url, |(_, url)| url.trim());
    let url = url.trim_matches(['"', '\'']).trim();
    (!url.is_empty()).then_some((seconds.is_ok_and(|seconds| seconds >= 1.0), url))
}

impl HtmlPage {
    /// The base of relative URLs in the page.
    pub(crate) fn base(&self, url: &Url) -> Url {
        let base = self.base.as_ref().and_then(|base| url.join(base).ok());
        base.unwrap_or_else(|| url.clone())
    }

    /// The URLs that the page at `own` names as its canonical URL.
    pub(crate) fn canonicals(&self, own: &Url) -> impl Iterator<Item = Url> {
        let base = self.base(own);
        let named = self.canonicals.iter().filter(|href| !href.is_empty());
        named.filter_map(move |href| base.join(href).ok())
    }

    /// The other page to which this page at `own` redirects, itself or by the header `Refresh`, and `true` if it does so after
    /// a delay. A page that reloads itself is no redirect.
    pub(crate) fn redirect(&self, own: &Url, header: Option<&str>) -> Option<(Url, bool)> {
        let mut refreshes = header.into_iter().chain(self.refresh.as_deref());
        refreshes.find_map(|content| {
            let (is_delayed, to) = target(content)?;
            let to = self.base(own).join(to).ok()?;
            (!is_same_page(&to, own)).then_some((to, is_delayed))
        })
    }
}
