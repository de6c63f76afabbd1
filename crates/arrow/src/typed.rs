//! Rows of typed entries: the general way.

use quick_sitemap::{Entry, EntryKind, Priority, W3cDatetime};

use crate::row::Row;

impl<'a> Row<'a> {
    /// The row of an entry. `priority` is the text in the document, and `lastmod` the text that the column shows.
    pub(crate) fn of_entry(
        entry: &'a Entry,
        priority: Option<&str>,
        lastmod: Option<&'a str>,
    ) -> Self {
        let page = entry.as_url();
        let loc = entry.loc();
        let value = page.and_then(|page| page.priority);
        Self {
            source: None,
            kind: Some(match entry {
                Entry::Url(_) => EntryKind::Url,
                Entry::Sitemap(_) => EntryKind::Sitemap,
            }),
            loc: Some(loc.as_str()),
            host: loc.host_str(),
            lastmod: entry.lastmod().map(W3cDatetime::timestamp_micros),
            lastmod_text: lastmod,
            changefreq: page
                .and_then(|page| page.changefreq)
                .map(|word| word.as_str()),
            priority: value.map(|value| nearest(value, priority)),
            page,
            error: None,
        }
    }
}

/// The number nearest to the decimal text. If the priority was not read from that text as it is (`0,8`), it is the
/// shortest decimal that means the priority.
pub(crate) fn nearest(value: Priority, text: Option<&str>) -> f64 {
    let exact = text.filter(|text| text.parse() == Ok(value));
    let number = exact.and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| value.into())
}
