//! Pages by host and folder, in a tree of bounded size.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::{Position, Url};
use serde::{Deserialize, Serialize};

use super::months::{MonthCount, MonthCounts};
use super::names::{OTHERS, folders, origin};
use crate::judge::dates;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Number of folders that are distinguished, so that memory does not grow with the sitemap.
const FOLDERS: usize = 10_000;
/// Number of folders within one folder, so that a folder per user does not exclude later ones.
const CHILDREN: u32 = 2_000;
/// Folders below the host.
const DEEPEST: usize = 4;
/// Number of folders that [`Tree::sections`] returns: the largest.
const KEPT: usize = 400;

/// The number of a folder.
pub(crate) type Place = usize;

const ROOT: Place = 0;

/// A host, or a folder.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Section {
    /// `https://www.example.com`, then `blog/`; `(others)` for what came too late.
    pub(crate) name: String,
    /// With those of all folders inside.
    pub(crate) pages: u64,
    pub(crate) dated: u64,
    /// Except for dates that cannot be true.
    pub(crate) newest: Option<W3cDatetime>,
    /// Pages by age on the day of the report: a week, a month, a quarter, a year, older.
    pub(crate) ages: [u64; 5],
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    /// The largest first.
    pub(crate) sections: Vec<Section>,
}

#[derive(Debug)]
pub(crate) struct Tree {
    now: DateTime<Utc>,
    nodes: Vec<Node>,
    places: HashMap<u64, Place>,
    hasher: RandomState,
    /// The folder of the page before, up to its last slash: most pages follow one of the same folder.
    before: (String, Place),
    months: MonthCounts,
}

/// A host or a folder.
#[derive(Debug, Default)]
struct Node {
    /// Its name, and the numbers of its own pages.
    folder: Section,
    parent: Place,
    /// 0 for the root, 1 for a host.
    depth: usize,
    /// The host, or the first folder: what has a row of months.
    section: Place,
    children: u32,
}

impl Section {
    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.dated += other.dated;
        self.newest = self.newest.max(other.newest);
        for (age, more) in self.ages.iter_mut().zip(other.ages) {
            *age += more;
        }
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

impl Tree {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            nodes: vec![Node::default()],
            places: HashMap::new(),
            hasher: RandomState::new(),
            before: (String::new(), ROOT),
            months: MonthCounts::default(),
        }
    }

    /// Counts a page of that folder.
    pub(crate) fn add(&mut self, place: Place, lastmod: Option<W3cDatetime>) {
        let Some(node) = self.nodes.get_mut(place) else {
            return;
        };
        let counts = &mut node.folder;
        counts.pages += 1;
        if let Some(lastmod) = lastmod {
            counts.dated += 1;
            if dates::implausible(lastmod, self.now).is_none() {
                counts.newest = counts.newest.max(Some(lastmod));
                if let Some(age) = counts.ages.get_mut(age(lastmod, self.now)) {
                    *age += 1;
                }
            }
            self.months.add(lastmod, self.now);
        }
    }

    /// Counts a finding about a page of that folder.
    pub(crate) fn found(&mut self, place: Place, severity: Severity) {
        if let Some(node) = self.nodes.get_mut(place) {
            match severity {
                Severity::Error => node.folder.errors += 1,
                Severity::Warning => node.folder.warnings += 1,
                Severity::Advice => {}
            }
        }
    }

    /// The host that a folder belongs to.
    pub(crate) fn host(&self, mut place: Place) -> Option<Place> {
        loop {
            let node = self.nodes.get(place)?;
            match node.depth {
                0 => return None,
                1 => return Some(place),
                _ => place = node.parent,
            }
        }
    }

    /// The folder of a page. A page in the same folder as the one before takes one comparison.
    pub(crate) fn place(&mut self, loc: &Url) -> Place {
        let text = loc.as_str().trim_end_matches('/');
        let (folder, before) = &self.before;
        if let Some(rest) = text.strip_prefix(folder.as_str())
            && !folder.is_empty()
            && !rest.contains('/')
        {
            return *before;
        }
        let mut place = self.child(ROOT, (loc.scheme(), loc.host_str(), loc.port()), || {
            origin(loc)
        });
        for folder in folders(loc).take(DEEPEST) {
            if self.is_full(place) {
                break;
            }
            place = self.child(place, folder, || shown(folder));
        }
        // A slash in a query is not that of a folder, nor is one before the host.
        let first = loc[..Position::BeforePath].len();
        let end = if text.contains(['?', '#']) {
            None
        } else {
            text.rfind('/').filter(|slash| *slash >= first)
        };
        let end = end.map_or(0, |slash| slash + 1);
        self.before = (text.get(..end).unwrap_or_default().to_owned(), place);
        place
    }

    /// Represents folders beyond the limit.
    fn is_full(&self, place: Place) -> bool {
        let node = self.nodes.get(place);
        node.is_none_or(|node| node.folder.name == OTHERS)
    }

    /// The folder with this key in its parent, which is created if it is new.
    fn child(
        &mut self,
        parent: Place,
        key: impl std::hash::Hash,
        name: impl FnOnce() -> String,
    ) -> Place {
        let hash = self.hasher.hash_one((parent, 0, key));
        if let Some(place) = self.places.get(&hash) {
            return *place;
        }
        let children = self.nodes.get(parent).map_or(0, |node| node.children);
        if self.nodes.len() < FOLDERS && children < CHILDREN {
            return self.insert(hash, parent, name());
        }
        // At most one of these for each folder.
        let hash = self.hasher.hash_one((parent, 1));
        match self.places.get(&hash) {
            Some(place) => *place,
            None => self.insert(hash, parent, OTHERS.to_owned()),
        }
    }

    /// Adds a folder. The first folder below a host determines the section of all in it.
    fn insert(&mut self, hash: u64, parent: Place, name: String) -> Place {
        let place = self.nodes.len();
        let (depth, section) = match self.nodes.get_mut(parent) {
            Some(node) => {
                node.children += 1;
                (node.depth + 1, node.section)
            }
            None => (1, place),
        };
        self.nodes.push(Node {
            folder: Section {
                name,
                ..Section::default()
            },
            parent,
            depth,
            section: if depth <= 2 { place } else { section },
            ..Node::default()
        });
        self.places.insert(hash, place);
        place
    }

    /// Hosts, the largest first, with the largest folders inside; the others are summed up.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let mut folders: Vec<Section> = self.nodes.iter().map(|node| node.folder.clone()).collect();
        // A folder comes after the one that it is in.
        for (place, node) in self.nodes.iter().enumerate().skip(1).rev() {
            let own = folders.get(place).cloned().unwrap_or_default();
            if let Some(above) = folders.get_mut(node.parent) {
                above.add(&own);
            }
        }
        let nodes = self.nodes.iter().enumerate().zip(folders);
        let mut order: Vec<_> = nodes.skip(1).collect();
        // No folder is before the one that it is in, which is at least as large.
        order.sort_by_key(|((place, node), folder)| (Reverse(folder.pages), node.depth, *place));
        let mut inside: HashMap<Place, VecDeque<Section>> = HashMap::new();
        for (rank, ((place, node), mut folder)) in order.into_iter().enumerate().rev() {
            let folders = inside.remove(&place).unwrap_or_default();
            let above = inside.entry(node.parent).or_default();
            if rank < KEPT && folder.name != OTHERS {
                folder.sections = folders.into();
                above.push_front(folder);
                continue;
            }
            match above.back_mut().filter(|last| last.name == OTHERS) {
                Some(others) => others.add(&folder),
                None => {
                    OTHERS.clone_into(&mut folder.name);
                    above.push_back(folder);
                }
            }
        }
        inside.remove(&ROOT).unwrap_or_default().into()
    }

    /// Pages by month of lastmod.
    pub(crate) fn months(&self) -> Vec<MonthCount> {
        self.months.table()
    }
}

/// A week, a month, a quarter, a year, older.
fn age(lastmod: W3cDatetime, now: DateTime<Utc>) -> usize {
    match (now - lastmod.start().to_utc()).num_days() {
        ..=7 => 0,
        8..=30 => 1,
        31..=91 => 2,
        92..=365 => 3,
        _ => 4,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    pub(crate) fn tree(pages: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::new(now());
        for (loc, lastmod) in pages {
            let place = tree.place(&loc.parse().unwrap());
            tree.add(place, lastmod.parse().ok());
        }
        tree
    }

    #[test]
    fn folders_are_in_folders() {
        let tree = tree(&[
            ("https://example.com/", "2026-11-20"),
            ("https://example.com/blog/a", "2026-10-30"),
            ("https://example.com/blog/b?c=/d/e", "2026-09-01"),
            ("https://example.com/blog/2026/c", "2026-01-01"),
            ("https://example.com/blog/2026/d", ""),
            ("http://example.com:8080/e", "2019"),
        ]);
        let sections = tree.sections();
        let [first, second] = &sections[..] else {
            panic!("{sections:?}")
        };
        assert_eq!(
            (first.name.as_str(), first.pages),
            ("https://example.com", 5)
        );
        assert_eq!((first.dated, first.ages), (4, [1, 1, 1, 1, 0]));
        assert_eq!(first.newest, "2026-11-20".parse().ok());
        assert_eq!(
            (second.name.as_str(), second.ages),
            ("http://example.com:8080", [0, 0, 0, 0, 1])
        );
        let [blog] = &first.sections[..] else {
            panic!()
        };
        assert_eq!((blog.name.as_str(), blog.pages), ("blog/", 4));
        assert_eq!(blog.sections[0].name, "2026/");
        assert_eq!(blog.sections[0].pages, 2);
    }

    /// For every order of the pages.
    #[test]
    fn a_page_is_not_a_folder() {
        let pages = [
            "https://example.com/",
            "https://other.example/",
            "https://example.com/blog/",
            "https://example.com/blog/a/",
            "https://example.com/blog/a/b",
            "https://example.com/blog/c/",
            "https://example.com/blog/a",
            "https://example.com//",
            "https://third.example",
        ];
        let tree = tree(&pages.map(|page| (page, "")));
        let sections = tree.sections();
        let names: Vec<_> = sections
            .iter()
            .map(|host| (host.name.as_str(), host.pages))
            .collect();
        assert_eq!(
            names,
            [
                ("https://example.com", 7),
                ("https://other.example", 1),
                ("https://third.example", 1),
            ]
        );
        let [blog] = &sections[0].sections[..] else {
            panic!("{sections:?}")
        };
        assert_eq!((blog.name.as_str(), blog.pages), ("blog/", 4));
        assert_eq!(
            (blog.sections[0].name.as_str(), blog.sections[0].pages),
            ("a/", 1)
        );
        assert_eq!(blog.sections.len(), 1);
    }

    #[test]
    fn many_folders_are_folded() {
        fn count(tree: &mut Tree, loc: &str) {
            let place = tree.place(&loc.parse().unwrap());
            tree.add(place, None);
        }
        let mut tree = Tree::new(now());
        let mut total = 0;
        for user in 0..5_000 {
            for page in 0..(1 + user % 3) {
                let loc = format!("https://example.com/u/{user}/{page}");
                count(&mut tree, &loc);
                total += 1;
            }
        }
        for page in 0..10 {
            let loc = format!("https://example.com/late/{page}");
            count(&mut tree, &loc);
        }
        for host in 0..20_000 {
            count(&mut tree, &format!("https://{host}.example.com/a/b"));
        }
        assert!(
            tree.nodes.len() < FOLDERS + 3 * CHILDREN as usize,
            "{}",
            tree.nodes.len()
        );
        let sections = tree.sections();
        assert_eq!(
            sections.iter().map(|section| section.pages).sum::<u64>(),
            total + 20_010
        );
        assert_eq!(sections[0].name, "https://example.com");
        assert_eq!(sections.last().unwrap().name, OTHERS);
        let users = &sections[0].sections[0];
        assert_eq!((users.name.as_str(), users.pages), ("u/", total));
        assert_eq!(
            users
                .sections
                .iter()
                .map(|section| section.pages)
                .sum::<u64>(),
            total
        );
        assert_eq!(sections[0].sections[1].name, "late/");
        fn all(sections: &[Section]) -> usize {
            sections
                .iter()
                .map(|section| 1 + all(&section.sections))
                .sum()
        }
        assert!(all(&sections) <= 2 * KEPT + 1, "{}", all(&sections));
    }
}
