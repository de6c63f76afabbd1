//! Rows of typed entries: the general way.

use quick_sitemap::{Entry, EntryKind, Priority, UrlEntry, W3cDatetime};

use super::{Rows, put};
use crate::extensions::shortest;

impl Rows {
    /// `priority` is its text in the document, if there is one.
    pub(crate) fn add_entry(&mut self, entry: &Entry, priority: Option<&str>) {
        let page = entry.as_url();
        let kind = match entry {
            Entry::Url(_) => EntryKind::Url,
            Entry::Sitemap(_) => EntryKind::Sitemap,
        };
        self.begin_entry(kind);
        let loc = entry.loc();
        let lastmod = entry.lastmod();
        let changefreq = page.and_then(|page| page.changefreq);
        let value = page.and_then(|page| page.priority);
        let mut bytes = put(&mut self.loc, Some(loc.as_str()));
        bytes += put(
            &mut self.lastmod,
            lastmod.map(W3cDatetime::timestamp_micros),
        );
        bytes += put(&mut self.changefreq, changefreq.map(|word| word.as_str()));
        bytes += put(
            &mut self.priority,
            value.map(|value| nearest(value, priority)),
        );
        bytes += put(&mut self.host, loc.host_str());
        if self.lastmod_text.is_some() {
            let text = lastmod.map(|date| date.to_string());
            bytes += put(&mut self.lastmod_text, text.as_deref());
        }
        self.bytes += bytes;
        self.add_extensions(page);
    }

    fn add_extensions(&mut self, page: Option<&UrlEntry>) {
        let news = page.and_then(|page| page.news.as_deref());
        let mut bytes = put(
            &mut self.alternates,
            Some(page.map_or(&[], |page| &page.alternates)),
        );
        bytes += put(
            &mut self.images,
            Some(page.map_or(&[], |page| &page.images)),
        );
        bytes += put(
            &mut self.videos,
            Some(page.map_or(&[], |page| &page.videos)),
        );
        bytes += put(&mut self.news, Some(news.map_or(&[], std::slice::from_ref)));
        self.bytes += bytes;
    }
}

/// The number nearest to the decimal text. A text that the priority was not read from as it stands (`0,8`) is not asked;
/// then it is the shortest decimal that means the priority.
pub(super) fn nearest(value: Priority, text: Option<&str>) -> f64 {
    let exact = text.filter(|text| text.parse() == Ok(value));
    let number = exact.and_then(|text| text.parse().ok());
    number.unwrap_or_else(|| shortest(value.get()))
}
