//! The largest values next to the limits of the protocol, and the parts that pages have in addition to their URL.

use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::{Format, UrlEntry};

use super::model::{Limit, Media};

/// From sitemaps.org (entries, bytes, length of a loc) and the documentation of Google (images, news).
const ENTRIES: u64 = 50_000;
const BYTES: u64 = 52_428_800;
const LOC: u64 = 2_047;
const IMAGES: u64 = 1_000;
const NEWS: u64 = 1_000;
const TITLE: u64 = 100;
const DESCRIPTION: u64 = 2_048;
const TAGS: u64 = 32;

/// A value, and the number of the sitemap that has it.
#[derive(Clone, Copy, Debug, Default)]
struct Largest {
    value: u64,
    sitemap: Option<usize>,
}

impl Largest {
    fn add(&mut self, value: u64, sitemap: Option<usize>) {
        if value > self.value {
            *self = Self { value, sitemap };
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Measures {
    pub(super) media: Media,
    entries: Largest,
    in_index: Largest,
    bytes: Largest,
    loc: Largest,
    images: Largest,
    news: Largest,
    title: Largest,
    description: Largest,
    tags: Largest,
    /// News of this sitemap.
    news_here: u64,
}

impl Measures {
    /// Another sitemap begins.
    pub(super) fn begin(&mut self) {
        self.news_here = 0;
    }

    pub(super) fn loc(&mut self, characters: usize, sitemap: Option<usize>) {
        self.loc.add(characters as u64, sitemap);
    }

    pub(super) fn page(&mut self, page: &UrlEntry, sitemap: Option<usize>, now: DateTime<Utc>) {
        let (images, videos) = (page.images.len() as u64, page.videos.len() as u64);
        self.media.images += images;
        self.media.pages_with_images += u64::from(images > 0);
        self.media.videos += videos;
        self.media.pages_with_videos += u64::from(videos > 0);
        self.images.add(images, sitemap);
        let characters = |text: &Option<String>| {
            let text = text.as_deref().unwrap_or_default();
            text.chars().count() as u64
        };
        for video in &page.videos {
            self.title.add(characters(&video.title), sitemap);
            self.description
                .add(characters(&video.description), sitemap);
            self.tags.add(video.tags.len() as u64, sitemap);
        }
        if let Some(news) = &page.news {
            self.media.news += 1;
            self.news_here += 1;
            self.news.add(self.news_here, sitemap);
            let date = news.publication_date;
            let is_recent = date.is_some_and(|date| date.may_be_since(now - Days::new(2)));
            self.media.recent_news += u64::from(is_recent);
        }
    }

    pub(super) fn end(
        &mut self,
        format: Option<Format>,
        entries: u64,
        bytes: u64,
        sitemap: Option<usize>,
    ) {
        match format {
            Some(Format::Index) => self.in_index.add(entries, sitemap),
            Some(_) => self.entries.add(entries, sitemap),
            // A list is not a sitemap.
            None => return,
        }
        self.bytes.add(bytes, sitemap);
    }

    /// `name` is that of a sitemap.
    pub(super) fn limits(&self, name: impl Fn(usize) -> Option<String>) -> Vec<Limit> {
        let limits = [
            ("entries of a sitemap", self.entries, ENTRIES, true),
            ("bytes of a sitemap, unpacked", self.bytes, BYTES, true),
            ("sitemaps of an index", self.in_index, ENTRIES, false),
            ("characters of a loc", self.loc, LOC, true),
            ("images of a page", self.images, IMAGES, false),
            ("news of a sitemap", self.news, NEWS, false),
            (
                "characters of the title of a video",
                self.title,
                TITLE,
                false,
            ),
            (
                "characters of the description of a video",
                self.description,
                DESCRIPTION,
                false,
            ),
            ("tags of a video", self.tags, TAGS, false),
        ];
        limits
            .into_iter()
            .filter(|(_, largest, _, is_shown)| *is_shown || largest.value > 0)
            .map(|(what, largest, limit, _)| Limit {
                what: what.to_owned(),
                largest: largest.value,
                limit,
                sitemap: largest.sitemap.and_then(&name),
            })
            .collect()
    }
}
