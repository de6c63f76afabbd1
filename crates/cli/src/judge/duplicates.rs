//! Pages that are listed more than once, in any form of their URLs.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use quick_sitemap::UrlEntry;

use super::page_hash::PageHash;

/// Marks a page that is listed with images, videos or news; the other bits are the line.
const HAS_MEDIA: u32 = 1 << 31;

/// The relation of a file to others that list the same pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FileKind {
    #[default]
    Sitemap,
    /// A text sitemap, or a list of pages.
    Text,
    /// It lists pages of a site once more, for its readers.
    Feed,
}

/// A page that is listed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Duplicate<'l> {
    pub(crate) is_same_spelling: bool,
    /// The file of the earlier listing, if it is another one.
    pub(crate) file: Option<&'l str>,
    pub(crate) line: u64,
}

/// Some thirty bytes per page.
#[derive(Debug, Default)]
pub(crate) struct Listings {
    files: Vec<(Box<str>, FileKind)>,
    all: Vec<Listing>,
    /// The indexes of the listings by their hashes. They are apart, so that a table that grows copies little.
    by_hash: HashTable<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Listing {
    /// Hash of what all spellings of a page share; `url`, for spellings after the first.
    hash: u64,
    /// Hash of the URL.
    url: u64,
    file: u32,
    line: u32,
}

impl Listings {
    /// The pages of another file follow.
    pub(crate) fn begin(&mut self, file: &str, kind: FileKind) {
        self.files.push((file.into(), kind));
    }

    /// Adds a page on that line of the file that is being read, and returns the earlier listing of it, if the page counts
    /// as a duplicate.
    pub(crate) fn add(
        &mut self,
        page: &UrlEntry,
        hash: PageHash,
        line: u64,
    ) -> Option<Duplicate<'_>> {
        let file = self.files.len().checked_sub(1)?;
        let kind = |file: usize| {
            self.files
                .get(file)
                .map_or(FileKind::Sitemap, |file| file.1)
        };
        let now = kind(file);
        // The items of a feed can be parts of one page.
        if now == FileKind::Feed && page.loc.fragment().is_some() {
            return None;
        }
        let has_media = !page.images.is_empty() || !page.videos.is_empty() || page.news.is_some();
        let line = u32::try_from(line).map_or(HAS_MEDIA - 1, |line| line.min(HAS_MEDIA - 1));
        let listing = Listing {
            hash: hash.every,
            url: hash.url,
            file: u32::try_from(file).unwrap_or(u32::MAX),
            line: if has_media { line | HAS_MEDIA } else { line },
        };
        let (all, by_hash) = (&mut self.all, &mut self.by_hash);
        let first = earlier(all, by_hash, listing)?;
        let (is_same_spelling, index) = if all.get(first)?.url == listing.url {
            (true, first)
        } else {
            let spelling = Listing {
                hash: listing.url,
                ..listing
            };
            match earlier(all, by_hash, spelling) {
                Some(same) => (true, same),
                None => (false, first),
            }
        };
        let known = all.get_mut(index)?;
        if known.file != listing.file {
            let (before, had_media) = (kind(known.file as usize), known.line & HAS_MEDIA > 0);
            let is_beside = before != now || before == FileKind::Feed;
            if is_beside || has_media || had_media {
                // A listing of its own counts from here on.
                if had_media || before != FileKind::Sitemap {
                    (known.file, known.line) = (listing.file, listing.line);
                }
                return None;
            }
        }
        let other = Some(known.file as usize).filter(|other| *other != file);
        Some(Duplicate {
            is_same_spelling,
            file: other
                .and_then(|file| self.files.get(file))
                .map(|file| &*file.0),
            line: u64::from(known.line & !HAS_MEDIA),
        })
    }
}

/// The index of the listing with this hash. If there is none, the listing is added.
fn earlier(all: &mut Vec<Listing>, by_hash: &mut HashTable<u32>, new: Listing) -> Option<usize> {
    let hash = |index: &u32| all.get(*index as usize).map_or(0, |known| known.hash);
    match by_hash.entry(new.hash, |index| hash(index) == new.hash, hash) {
        Entry::Occupied(known) => Some(*known.get() as usize),
        Entry::Vacant(free) => {
            free.insert(u32::try_from(all.len()).ok()?);
            all.push(new);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::extension::Image;

    use super::*;
    use crate::judge::page_hash::PageHasher;

    /// The listings, with the keys of the hashes.
    type Hashed = (Listings, PageHasher);

    fn add<'l>(
        (listings, hasher): &'l mut Hashed,
        page: &UrlEntry,
        line: u64,
    ) -> Option<Duplicate<'l>> {
        let hash = hasher.of(&page.loc);
        listings.add(page, hash, line)
    }

    /// Finding about a page that is listed again in one file: the line of the page before, and whether its URL is
    /// identical.
    fn advice_for(urls: &[&str]) -> Vec<Option<(u64, bool)>> {
        let mut listings = Hashed::default();
        listings.0.begin("", FileKind::Sitemap);
        let pages = urls.iter().zip(1..);
        pages
            .map(|(url, line)| {
                let found = add(&mut listings, &UrlEntry::try_from(*url).unwrap(), line)?;
                Some((found.line, found.is_same_spelling))
            })
            .collect()
    }

    #[test]
    fn every_spelling_is_remembered() {
        let (a, www) = ("https://e.com/a", "https://www.e.com/a");
        assert_eq!(
            advice_for(&[a, www, www, a, "http://e.com/a/", "https://e.com/b", www]),
            [
                None,
                Some((1, false)),
                Some((2, true)),
                Some((1, true)),
                Some((1, false)),
                None,
                Some((2, true)),
            ]
        );
        for other in [
            "https://e.com/a?x",
            "https://e.com/A",
            "https://e.com:8443/a",
            "https://www.www.e.com/a",
        ] {
            assert_eq!(advice_for(&[a, other]), [None, None], "{other}");
        }
        for other in [
            "https://e.com/a#b",
            "https://e.com/a/",
            "http://www.e.com/a",
        ] {
            assert_eq!(advice_for(&[a, other]), [None, Some((1, false))], "{other}");
        }
    }

    #[test]
    fn what_google_documents_is_no_duplicate() {
        let page = UrlEntry::try_from("https://e.com/a").unwrap();
        let image = Image::new("https://e.com/a.png".parse().unwrap());
        let with_image = page.clone().with_image(image);
        let again = |first: (FileKind, &UrlEntry), second: (FileKind, &UrlEntry)| {
            let mut listings = Hashed::default();
            let mut found = false;
            for (kind, page) in [first, second] {
                listings.0.begin("", kind);
                found = add(&mut listings, page, 1).is_some();
            }
            found
        };
        use FileKind::{Feed, Sitemap, Text};
        assert!(again((Sitemap, &page), (Sitemap, &page)));
        assert!(again((Text, &page), (Text, &page)));
        for (first, second) in [
            ((Sitemap, &page), (Sitemap, &with_image)),
            ((Sitemap, &with_image), (Sitemap, &page)),
            ((Sitemap, &page), (Text, &page)),
            ((Text, &page), (Sitemap, &page)),
            ((Sitemap, &page), (Feed, &page)),
            ((Feed, &page), (Feed, &page)),
        ] {
            assert!(!again(first, second), "{first:?} {second:?}");
        }
    }

    /// What follows `#` is no part of a page, but the items of a feed may differ only so.
    #[test]
    fn parts_of_a_page() {
        let urls = [
            "https://e.com/a#x",
            "https://e.com/a#y",
            "https://e.com/a#x",
            "https://e.com/a",
        ];
        let found = [None, Some((1, false)), Some((1, true)), Some((1, false))];
        assert_eq!(advice_for(&urls), found);
        let mut listings = Hashed::default();
        listings.0.begin("", FileKind::Feed);
        for url in urls {
            let page = UrlEntry::try_from(url).unwrap();
            assert_eq!(add(&mut listings, &page, 1), None, "{url}");
        }
    }

    #[test]
    fn a_duplicate_in_a_later_file_names_the_sitemap_and_not_the_feed() {
        let page = UrlEntry::try_from("https://e.com/a").unwrap();
        let mut listings = Hashed::default();
        for (file, kind, line, expected) in [
            ("feed", FileKind::Feed, 3, None),
            ("a", FileKind::Sitemap, 4, None),
            ("b", FileKind::Sitemap, 5, Some((Some("a"), 4))),
            ("b", FileKind::Sitemap, 6, Some((Some("a"), 4))),
        ] {
            listings.0.begin(file, kind);
            let found = add(&mut listings, &page, line);
            assert_eq!(found.map(|found| (found.file, found.line)), expected);
        }
    }
}
