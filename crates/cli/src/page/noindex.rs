//! Directives for robots: of headers `X-Robots-Tag`, and of `<meta name="robots">`.

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};

use super::tag::is;
use crate::net::clock;

/// The search engine whose own directives count as those for all.
pub(super) const ROBOT: &str = "googlebot";

const UNAVAILABLE_AFTER: &str = "unavailable_after";
/// Directives with a value. Other names before a colon are those of robots.
const WITH_VALUE: [&str; 4] = [
    UNAVAILABLE_AFTER,
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

/// Returns `true` if the directives forbid the index to all robots or to Google's, or did so from a date that has passed.
pub(crate) fn is_noindex(directives: &str) -> bool {
    forbids(directives, clock::now().into())
}

fn forbids(directives: &str, now: DateTime<Utc>) -> bool {
    let (mut is_for_us, mut is_date) = (true, false);
    directives.split([',', ';']).any(|directive| {
        let mut words = directive;
        // The rest of the value is for this robot.
        if let Some((name, rest)) = named(words).filter(|(name, _)| !has_value(name)) {
            is_for_us = name == "*" || is(name, ROBOT);
            words = rest;
        }
        if let Some((name, value)) = named(words) {
            is_date = is(name, UNAVAILABLE_AFTER);
            words = if is_date { value } else { "" };
        }
        let mut all = words.split_ascii_whitespace();
        let is_forbidden = all.any(|word| is(word, "noindex") || is(word, "none"));
        // The weekday of a date is followed by a comma.
        is_for_us && (is_forbidden || is_date && is_past(words, now))
    })
}

/// A name and what it is followed by. A date may have a colon, before which there is more than a name.
fn named(directive: &str) -> Option<(&str, &str)> {
    let (name, rest) = directive.split_once(':')?;
    let name = name.trim();
    (!name.contains(' ')).then_some((name, rest))
}

fn has_value(name: &str) -> bool {
    WITH_VALUE.iter().any(|known| is(name, known))
}

/// Returns `true` if the text is a date, or a time, that is over.
fn is_past(text: &str, now: DateTime<Utc>) -> bool {
    let text = text.trim();
    let date = W3cDatetime::parse_lenient(text);
    // RFC 850: `25-Jun-2010 15:00:00 GMT`.
    let date = date.or_else(|| W3cDatetime::parse_lenient(&text.replacen('-', " ", 2)));
    date.is_some_and(|(date, _)| !date.may_be_since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noindex(directives: &str) -> bool {
        forbids(directives, "2026-11-28T12:00:00Z".parse().unwrap())
    }

    #[test]
    fn directives_forbid_the_index() {
        for directives in [
            "noindex",
            "nofollow, NoIndex",
            "none",
            "*: noindex",
            "nofollow noindex",
            "noindex;nofollow",
            "max-snippet: 5, noindex",
            "Googlebot: noindex",
            "googlebot: nofollow, noindex",
            "bingbot: nofollow, googlebot: none",
            "unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT, noindex",
            "unavailable_after: 25 Jun 2010 15:00:00 PST",
            "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT",
            "unavailable_after: Fri, 25-Jun-2010 15:00:00 GMT",
            "nofollow, Unavailable_After: 2020-09-21",
            "googlebot: unavailable_after: 2020-09-21T10:00:00Z",
            "unavailable_after: 2026-11-28T11:59:59Z",
        ] {
            assert!(noindex(directives), "{directives}");
        }
        for directives in [
            "nofollow",
            "index, follow",
            "noindexes",
            "bingbot: noindex",
            "otherbot: nofollow, noindex",
            "otherbot: unavailable_after: 2020-09-21",
            "unavailable_after: 25 Jun 2030 15:00:00 PST",
            "unavailable_after: Tuesday, 25-Jun-2030 15:00:00 GMT",
            "unavailable_after: 2026-11-28",
            "unavailable_after: 2026-11-28T12:00:01Z",
            "unavailable_after: soon",
            "max-video-preview: none",
            "",
        ] {
            assert!(!noindex(directives), "{directives}");
        }
    }
}
