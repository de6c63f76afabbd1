//! The date in a page itself.

use html5gum::StartTag;
use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};
use serde_json::Value;

use super::tag::attribute;
use crate::judge::dates;

/// Nested objects of JSON-LD that are looked at.
const DEPTH: usize = 8;

/// Things on a page whose dates are not the page's.
const OTHERS: [&str; 9] = [
    "Answer",
    "AudioObject",
    "Comment",
    "Event",
    "ImageObject",
    "Question",
    "Review",
    "UserReview",
    "VideoObject",
];

/// Dates of modification come before dates of publication. In either kind, `<meta>` comes before JSON-LD, and that
/// before microdata.
#[derive(Debug, Default)]
pub(crate) struct Dates {
    modified: [Option<W3cDatetime>; 3],
    published: [Option<W3cDatetime>; 3],
    /// `<meta name="date">`
    plain: Option<W3cDatetime>,
}

const META: usize = 0;
const LINKED_DATA: usize = 1;
const MICRODATA: usize = 2;

impl Dates {
    /// The page's own date. Dates that cannot be true are ignored.
    pub(crate) fn own(&self, now: DateTime<Utc>) -> Option<W3cDatetime> {
        self.modified
            .iter()
            .chain(&self.published)
            .chain([&self.plain])
            .flatten()
            .find(|date| dates::implausible(**date, now).is_none())
            .copied()
    }

    /// A `<meta>` with that name or property, in lower case.
    pub(super) fn meta(&mut self, name: &str, value: &str) {
        match name {
            "article:modified_time" => latest(self.modified.get_mut(META), value),
            "article:published_time" => latest(self.published.get_mut(META), value),
            "date" => latest(Some(&mut self.plain), value),
            _ => {}
        }
    }

    /// `<meta itemprop="dateModified" content="…">` or `<time itemprop="dateModified" datetime="…">`.
    pub(super) fn item(&mut self, tag: &StartTag<()>) {
        let Some(property) = attribute(tag, b"itemprop") else {
            return;
        };
        let slot = match &*property {
            "dateModified" => self.modified.get_mut(MICRODATA),
            "datePublished" => self.published.get_mut(MICRODATA),
            _ => return,
        };
        let value = attribute(tag, b"content").or_else(|| attribute(tag, b"datetime"));
        latest(slot, &value.unwrap_or_default());
    }

    /// The text of a `<script type="application/ld+json">`. Text that is not JSON is ignored.
    pub(super) fn linked_data(&mut self, text: &[u8]) {
        if let Ok(value) = serde_json::from_slice(text) {
            self.node(&value, DEPTH);
        }
    }

    /// Reads a node of JSON-LD and the nodes in it, up to this depth.
    fn node(&mut self, value: &Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        match value {
            Value::Array(nodes) => nodes.iter().for_each(|node| self.node(node, depth)),
            Value::Object(fields) => {
                let is_other =
                    |kind: &Value| kind.as_str().is_some_and(|kind| OTHERS.contains(&kind));
                let is_other = match fields.get("@type") {
                    Some(Value::Array(kinds)) => kinds.iter().any(is_other),
                    Some(kind) => is_other(kind),
                    None => false,
                };
                if is_other {
                    return;
                }
                for (name, slot) in [
                    ("dateModified", self.modified.get_mut(LINKED_DATA)),
                    ("datePublished", self.published.get_mut(LINKED_DATA)),
                ] {
                    if let Some(date) = fields.get(name).and_then(Value::as_str) {
                        latest(slot, date);
                    }
                }
                if let Some(graph) = fields.get("@graph") {
                    self.node(graph, depth);
                }
            }
            _ => {}
        }
    }
}

/// Keeps the latest of several.
fn latest(slot: Option<&mut Option<W3cDatetime>>, text: &str) {
    let Some((date, _)) = W3cDatetime::parse_lenient(text) else {
        return;
    };
    if let Some(slot) = slot {
        *slot = Some(match *slot {
            Some(before) if before.start() >= date.start() => before,
            _ => date,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::html::Wanted;
    use super::super::page;

    fn own(html: &str) -> Option<String> {
        let wanted = Wanted { selector: None };
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let date = page(html.as_bytes(), Some(wanted)).0.dates.own(now)?;
        Some(date.to_string())
    }

    #[test]
    fn where_a_page_says_its_date() {
        for (html, date) in [
            (
                "<meta property='article:modified_time' content='2024-05-06T07:08:09+02:00'>",
                Some("2024-05-06T07:08:09+02:00"),
            ),
            (
                "<meta property='article:published_time' content=2024-05-06>",
                Some("2024-05-06"),
            ),
            ("<meta name=Date content='2024-05-06'>", Some("2024-05-06")),
            ("<meta name=date content=soon>", None),
            (
                "<meta name=date content=2027-01-01><meta property=article:published_time content=2020>",
                Some("2020"),
            ),
            (
                "<body><script type='application/ld+json'>{\"datePublished\":\"2020-01-02\"}</script>",
                Some("2020-01-02"),
            ),
            (
                "<script type='application/ld+json'>{\"@graph\":[{\"@type\":\"Article\",\"dateModified\":\"2021-02-03\",\
                 \"datePublished\":\"2022-01-01\"},{\"@type\":\"Comment\",\"dateModified\":\"2023-01-01\"},\
                 {\"@type\":[\"WebPage\"],\"dateModified\":\"2021-02-04T05:06:07Z\",\"comment\":{\"dateModified\":\"2024\"}}]}</script>",
                Some("2021-02-04T05:06:07Z"),
            ),
            (
                "<script type='application/ld+json'>{\"dateModified\":</script>",
                None,
            ),
            ("<script>{\"dateModified\":\"2020-01-01\"}</script>", None),
            (
                "<body><time itemprop=dateModified datetime=2019-01-01>x</time>",
                Some("2019-01-01"),
            ),
            (
                "<meta name=date content=2020><meta property=article:published_time content=2021>\
                 <meta itemprop=dateModified content=2018-03-04>",
                Some("2018-03-04"),
            ),
        ] {
            assert_eq!(own(html).as_deref(), date, "{html}");
        }
    }
}
