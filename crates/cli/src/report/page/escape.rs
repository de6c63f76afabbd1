//! Escapes text of a sitemap, a server or a user for the page.

use std::fmt;

use askama::filters::{Escaper, Html};
use quick_sitemap::url::Url;
use serde::Serialize;

use crate::term::address::{bare, without_logins};
use crate::term::messages::printable;

/// The escaper of the templates (`askama.toml` names it): markup has no effect, control characters and those that turn
/// the direction of text are shown as escapes, and URLs are without user and password.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageEscaper;

impl Escaper for PageEscaper {
    fn write_escaped_str<W: fmt::Write>(&self, to: W, text: &str) -> fmt::Result {
        Html.write_escaped_str(to, &printable(&without_logins(text)))
    }
}

/// The target of a link to this text: only http and https, and without user and password.
pub(super) fn target(text: &str) -> Option<String> {
    let url: Url = text.parse().ok()?;
    let is_written_so = text.starts_with("https://") || text.starts_with("http://");
    let is_web = matches!(url.scheme(), "http" | "https");
    (is_written_so && is_web).then(|| bare(url).into())
}

/// JSON that can be the content of a `<script>`: it is the same value, and no character in it is one of HTML's, or one
/// that ends a line of a script.
pub(super) fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let json = crate::term::json::text(value)?;
    // Outside of strings JSON has none of these.
    let escaped = without_logins(&json)
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    Ok(escaped)
}
