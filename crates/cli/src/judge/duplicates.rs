//! Pages that are listed more than once, in any form of their URLs.

use std::borrow::Cow;
use std::collections::{HashMap, hash_map};
use std::hash::{BuildHasher, Hash, RandomState};
use std::mem;
use std::ops::Index;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use quick_sitemap::UrlEntry;
use quick_sitemap::url::{Position, Url};

use super::page_key::page_key;

/// Tables that a listing may be in. They grow one after the other, so that little is kept twice at a time.
const SHARDS: usize = 64;
/// Words of 64 bits: 4 MB. Each page sets two bits, and 2 % of two million pages find theirs set by others.
const SEEN: usize = 1 << 19;
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
pub(crate) struct Duplicate {
    pub(crate) is_same_spelling: bool,
    /// File and line of the earlier listing.
    pub(crate) file: usize,
    pub(crate) line: u64,
}

/// Twenty bytes per page, and as many for the slots that are free.
#[derive(Debug)]
pub(crate) struct Listings {
    hasher: RandomState,
    /// Bits of the hashes. Most pages are new, which these bits show without a look into the tables: they are small enough for
    /// the processor's cache.
    seen: Vec<u64>,
    /// The first listing of each page, by the hash of what all of its spellings share.
    shards: Vec<Shard>,
    /// Other spellings, by the hash of the URL.
    spellings: HashMap<u64, Listing>,
    kinds: Vec<FileKind>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Listing {
    /// Hash of what spellings differ in.
    spelling: u32,
    file: u32,
    line: u32,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    listings: HashTable<(Key, Listing)>,
    /// New pages, which are put into the map when one is looked for.
    new: Vec<(Key, Listing)>,
}

/// A hash in two halves, so that no room is lost between it and a listing.
type Key = [u32; 2];

impl Shard {
    /// The place of the page with this hash.
    fn find(&mut self, key: Key) -> Entry<'_, (Key, Listing)> {
        for new in mem::take(&mut self.new) {
            self.entry(new.0).or_insert(new);
        }
        self.entry(key)
    }

    /// The listing of the page with this hash, or `None` if it is new. `seen` has the bits of such pages.
    fn first(&mut self, hash: u64, seen: &mut u64, listing: Listing) -> Option<&mut Listing> {
        let place = [hash as u32, (hash >> 32) as u32];
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63);
        if *seen & bits != bits {
            *seen |= bits;
            self.new.push((place, listing));
            return None;
        }
        match self.find(place) {
            Entry::Occupied(known) => Some(&mut known.into_mut().1),
            Entry::Vacant(unknown) => {
                unknown.insert((place, listing));
                None
            }
        }
    }

    fn entry(&mut self, key: Key) -> Entry<'_, (Key, Listing)> {
        let hash = |[low, high]: Key| u64::from(high) << 32 | u64::from(low);
        let is_same = |(known, _): &(Key, Listing)| *known == key;
        self.listings
            .entry(hash(key), is_same, |(key, _)| hash(*key))
    }
}

impl Default for Listings {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            seen: vec![0; SEEN],
            shards: vec![Shard::default(); SHARDS],
            spellings: HashMap::new(),
            kinds: Vec::new(),
        }
    }
}

impl Listings {
    /// The pages of another file follow.
    pub(crate) fn begin(&mut self) {
        self.kinds.push(FileKind::Sitemap);
    }

    /// Sets the kind of the current file.
    pub(crate) fn is_of_kind(&mut self, kind: FileKind) {
        if let Some(last) = self.kinds.last_mut() {
            *last = kind;
        }
    }

    /// Adds a page on that line of the file that is being read, and returns the earlier listing of it, if the page counts
    /// as a duplicate.
    pub(crate) fn add(&mut self, page: &UrlEntry, line: u64) -> Option<Duplicate> {
        let file = self.kinds.len().saturating_sub(1);
        let has_media = !page.images.is_empty() || !page.videos.is_empty() || page.news.is_some();
        let key = page_key(&page.loc);
        let normal = match &key {
            Cow::Borrowed(_) => None,
            Cow::Owned(key) => Some(key.as_str()),
        };
        let line = u32::try_from(line).map_or(HAS_MEDIA - 1, |line| line.min(HAS_MEDIA - 1));
        let listing = Listing {
            spelling: self.hasher.hash_one(spelling(&page.loc, normal)) as u32,
            file: u32::try_from(file).unwrap_or(u32::MAX),
            line: if has_media { line | HAS_MEDIA } else { line },
        };
        let hash = self.hasher.hash_one(shared(&page.loc, normal));
        let shard = self.shards.get_mut((hash >> 40) as usize % SHARDS)?;
        let word = self.seen.get_mut((hash >> 12) as usize % SEEN)?;
        let first = shard.first(hash, word, listing)?;
        let (is_same_spelling, earlier) = if first.spelling == listing.spelling {
            (true, first)
        } else {
            let known = self.spellings.entry(self.hasher.hash_one(&page.loc));
            match known {
                hash_map::Entry::Vacant(unknown) => {
                    unknown.insert(listing);
                    (false, first)
                }
                hash_map::Entry::Occupied(known) => (true, known.into_mut()),
            }
        };
        if earlier.file != listing.file {
            let kind = |listing: &Listing| {
                let kind = self.kinds.get(listing.file as usize);
                kind.copied().unwrap_or_default()
            };
            let (before, now) = (kind(earlier), kind(&listing));
            let is_beside = before != now || before == FileKind::Feed;
            if is_beside || has_media || earlier.has_media() {
                // A listing of its own counts from here on.
                if earlier.has_media() || before != FileKind::Sitemap {
                    *earlier = listing;
                }
                return None;
            }
        }
        Some(Duplicate {
            is_same_spelling,
            file: earlier.file as usize,
            line: u64::from(earlier.line & !HAS_MEDIA),
        })
    }
}

impl Listing {
    fn has_media(&self) -> bool {
        self.line & HAS_MEDIA > 0
    }
}

/// The URL without what spellings of one page differ in: scheme, `www.`, final slashes, the fragment, percent-encoding that
/// is not needed. `normal` is the key of the page, if it is not the URL.
fn shared<'u>(url: &'u Url, normal: Option<&str>) -> Cow<'u, str> {
    if let Some(Ok(normal)) = normal.map(Url::parse) {
        let shared = shared(&normal, None);
        return Cow::Owned(shared.into_owned());
    }
    let whole = url.index(Position::BeforeHost..Position::AfterQuery);
    let whole = whole.strip_prefix("www.").unwrap_or(whole);
    match url.query() {
        None => Cow::Borrowed(whole.trim_end_matches('/')),
        Some(query) if url.path().ends_with('/') => {
            let end = whole.len() - query.len() - 1;
            let before = whole.get(..end).unwrap_or_default();
            Cow::Owned(format!("{}?{query}", before.trim_end_matches('/')))
        }
        Some(_) => Cow::Borrowed(whole),
    }
}

/// The parts of a URL in which spellings of one page differ.
fn spelling<'u>(url: &'u Url, normal: Option<&str>) -> impl Hash + use<'u> {
    let slashes = url.path().len() - url.path().trim_end_matches('/').len();
    let has_www = url.host_str().is_some_and(|host| host.starts_with("www."));
    let is_secure = url.scheme() == "https";
    // Percent-encoded in another way.
    let written = normal.map(|_| url.as_str());
    (
        is_secure,
        has_www,
        slashes,
        url.fragment(),
        url.username(),
        written,
    )
}

#[cfg(test)]
mod tests {
    use quick_sitemap::extension::Image;

    use super::*;

    /// Finding about a page that is listed again in one file: the line of the page before, and whether its URL is
    /// identical.
    fn advice_for(urls: &[&str]) -> Vec<Option<(u64, bool)>> {
        let mut listings = Listings::default();
        listings.begin();
        let pages = urls.iter().zip(1..);
        pages
            .map(|(url, line)| {
                let found = listings.add(&UrlEntry::try_from(*url).unwrap(), line)?;
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
            let mut listings = Listings::default();
            let mut found = None;
            for (kind, page) in [first, second] {
                listings.begin();
                listings.is_of_kind(kind);
                found = listings.add(page, 1);
            }
            found.is_some()
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

    #[test]
    fn a_duplicate_in_a_later_file_names_the_sitemap_and_not_the_feed() {
        let page = UrlEntry::try_from("https://e.com/a").unwrap();
        let mut listings = Listings::default();
        let mut add = |kind, line| {
            listings.begin();
            listings.is_of_kind(kind);
            listings.add(&page, line)
        };
        assert_eq!(add(FileKind::Feed, 3), None);
        assert_eq!(add(FileKind::Sitemap, 4), None);
        let found = add(FileKind::Sitemap, 5).unwrap();
        assert_eq!((found.file, found.line), (1, 4));
    }
}
