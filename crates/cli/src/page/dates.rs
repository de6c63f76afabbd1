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

/// The latest date of each place, the preferred place first: dates of modification come before dates of publication. Of
/// either kind, `<meta>` comes before JSON-LD, and that before microdata. The last one is `<meta name="date">`.
#[derive(Debug, Default)]
pub(crate) struct Dates([Option<W3cDatetime>; 7]);

const MODIFIED: usize = 0;
const PUBLISHED: usize = 3;
const PLAIN: usize = 6;
/// Properties of schema.org.
const KINDS: [(&str, usize); 2] = [("dateModified", MODIFIED), ("datePublished", PUBLISHED)];
const META: usize = 0;
const LINKED_DATA: usize = 1;
const MICRODATA: usize = 2;

impl Dates {
    /// The page's own date. Dates that cannot be true are ignored.
    pub(crate) fn own(&self, now: DateTime<Utc>) -> Option<W3cDatetime> {
        let mut dates = self.0.iter().flatten();
        dates
            .find(|date| dates::implausible(**date, now).is_none())
            .copied()
    }

    /// A `<meta>` with that name or property, in lower case.
    pub(super) fn meta(&mut self, name: &str, value: &str) {
        match name {
            "article:modified_time" => self.latest(MODIFIED + META, value),
            "article:published_time" => self.latest(PUBLISHED + META, value),
            "date" => self.latest(PLAIN, value),
            _ => {}
        }
    }

    /// `<meta itemprop="dateModified" content="…">` or `<time itemprop="dateModified" datetime="…">`.
    pub(super) fn item(&mut self, tag: &StartTag<()>) {
        if let Some(property) = attribute(tag, b"itemprop")
            && let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == property)
            && let value = attribute(tag, b"content").or_else(|| attribute(tag, b"datetime"))
        {
            self.latest(kind + MICRODATA, &value.unwrap_or_default());
        }
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
                for (name, kind) in KINDS {
                    if let Some(date) = fields.get(name).and_then(Value::as_str) {
                        self.latest(kind + LINKED_DATA, date);
                    }
                }
                if let Some(graph) = fields.get("@graph") {
                    self.node(graph, depth);
                }
            }
            _ => {}
        }
    }

    fn latest(&mut self, place: usize, text: &str) {
        if let Some((date, _)) = W3cDatetime::parse_lenient(text)
            && let Some(slot) = self.0.get_mut(place)
            && slot.is_none_or(|before| before.start() < date.start())
        {
            *slot = Some(date);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::with_body;

    fn own(html: &str) -> Option<String> {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let date = with_body(html.as_bytes(), None).0.dates.own(now)?;
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
