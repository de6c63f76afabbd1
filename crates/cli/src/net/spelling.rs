//! The spellings of a site: with and without `www.`, by http and by https.

use quick_sitemap::url::Url;

/// What the URLs of a site share: its host without `www.`, and its port, if that is not the default.
pub(crate) fn site_key(url: &Url) -> (&str, Option<u16>) {
    (without_www(url.host_str().unwrap_or_default()), url.port())
}

pub(crate) fn without_www(name: &str) -> &str {
    name.strip_prefix("www.").unwrap_or(name)
}

/// A URL after its scheme and `www.`; any other text as it is.
pub(crate) fn without_scheme(text: &str) -> &str {
    let rest = text
        .strip_prefix("https://")
        .or(text.strip_prefix("http://"));
    rest.map_or(text, without_www)
}

/// A URL in all spellings of its site.
pub(crate) fn spellings(url: &Url) -> impl Iterator<Item = Url> {
    let with = |scheme: &str, host: &str| {
        let mut url = url.clone();
        url.set_host(Some(host)).ok()?;
        url.set_scheme(scheme).ok()?;
        Some(url)
    };
    let host = url.host_str().unwrap_or_default();
    let other = host
        .strip_prefix("www.")
        .map_or(format!("www.{host}"), str::to_owned);
    let all = ["http", "https"].map(|scheme| [with(scheme, host), with(scheme, &other)]);
    all.into_iter().flatten().flatten()
}
