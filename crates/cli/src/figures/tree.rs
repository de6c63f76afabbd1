//! Pages by host and folder, in a tree of bounded size.

use std::cmp::Reverse;
use std::collections::HashSet;

use hashbrown::HashMap;
use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;
use serde::{Deserialize, Serialize};

use super::names::{OTHERS, folders, host};
use crate::judge::dates;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Number of folders that are distinguished, so that memory does not grow with the sitemap.
const FOLDERS: usize = 10_000;
/// Number of folders within one folder, so that a folder per user does not exclude later ones.
const CHILDREN: usize = 2_000;
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
    /// `www.example.com`, then `blog/`; `(others)` for what came too late.
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
    /// A folder comes after the one that it is in.
    nodes: Vec<Node>,
}

/// A host or a folder.
#[derive(Debug, Default)]
struct Node {
    /// Its name, as URLs have it, and the numbers of its own pages.
    folder: Section,
    parent: Place,
    host: Place,
    /// The folders inside, as URLs name them.
    inside: HashMap<Box<str>, Place>,
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

    /// The largest first, and the sum of the small ones last.
    fn sort(&mut self) {
        let key = |section: &Self| (section.name == OTHERS, Reverse(section.pages));
        self.sections
            .sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name)));
    }
}

impl Tree {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            nodes: vec![Node::default()],
        }
    }

    /// Counts pages of that folder, pages with a date, and a date, unless it cannot be true.
    pub(crate) fn add(&mut self, place: Place, counts: [u64; 2], date: Option<W3cDatetime>) {
        if let Some(Node { folder, .. }) = self.nodes.get_mut(place) {
            let [pages, dated] = counts;
            folder.pages += pages;
            folder.dated += dated;
            folder.newest = folder.newest.max(date);
            let age = date.and_then(|date| folder.ages.get_mut(age(date, self.now)));
            age.into_iter().for_each(|age| *age += 1);
        }
    }

    /// Counts a finding about a page of that folder.
    pub(crate) fn found(&mut self, place: Place, severity: Severity) {
        if let Some(Node { folder, .. }) = self.nodes.get_mut(place) {
            folder.errors += u64::from(severity == Severity::Error);
            folder.warnings += u64::from(severity == Severity::Warning);
        }
    }

    /// The host that a folder belongs to.
    pub(crate) fn host(&self, place: Place) -> Option<Place> {
        self.nodes.get(place).map(|node| node.host)
    }

    /// The folder of a page.
    pub(crate) fn place(&mut self, loc: &Url) -> Place {
        let host = self.child(ROOT, host(loc));
        let folders = folders(loc).take(DEEPEST);
        folders.fold(host, |place, folder| self.child(place, folder))
    }

    /// The folder of this name in its parent, which is created if it is new. Folders beyond the limit share one.
    fn child(&mut self, parent: Place, name: &str) -> Place {
        let (next, is_full) = (self.nodes.len(), self.nodes.len() >= FOLDERS);
        let Some(node) = self.nodes.get_mut(parent) else {
            return parent;
        };
        if node.folder.name == OTHERS {
            return parent;
        }
        if let Some(place) = node.inside.get(name) {
            return *place;
        }
        let is_full = is_full || node.inside.len() >= CHILDREN;
        let name = if is_full { OTHERS } else { name };
        let place = *node.inside.entry(name.into()).or_insert(next);
        if place == next {
            let host = if parent == ROOT { next } else { node.host };
            let mut node = Node {
                parent,
                host,
                ..Node::default()
            };
            name.clone_into(&mut node.folder.name);
            self.nodes.push(node);
        }
        place
    }

    /// Hosts, the largest first, with the largest folders inside; the others are summed up.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let mut folders: Vec<Section> = self.nodes.iter().map(|node| node.folder.clone()).collect();
        for (place, node) in self.nodes.iter().enumerate().skip(1).rev() {
            if let Ok([above, own]) = folders.get_disjoint_mut([node.parent, place]) {
                above.add(own);
            }
        }
        let mut order: Vec<_> = folders.iter().enumerate().skip(1).collect();
        // No folder is before the one that it is in, which is at least as large.
        order.sort_by_key(|(place, folder)| (Reverse(folder.pages), *place));
        let kept = order.into_iter().take(KEPT);
        let kept: HashSet<Place> = kept.map(|(place, _)| place).collect();
        for (place, node) in self.nodes.iter().enumerate().skip(1).rev() {
            let mut folder = folders.pop().unwrap_or_default();
            let Some(above) = folders.get_mut(node.parent) else {
                continue;
            };
            if kept.contains(&place) && folder.name != OTHERS {
                folder.name = shown(&folder.name);
                folder.sort();
                above.sections.push(folder);
                continue;
            }
            let mut sections = above.sections.iter_mut();
            match sections.find(|section| section.name == OTHERS) {
                Some(others) => others.add(&folder),
                None => above.sections.push(Section {
                    name: OTHERS.to_owned(),
                    sections: Vec::new(),
                    ..folder
                }),
            }
        }
        let mut root = folders.pop().unwrap_or_default();
        root.sort();
        root.sections
    }
}

/// The pages of each host and first folder, without those in the folders of a host; the largest first.
pub(crate) fn by_section(hosts: &[Section]) -> Vec<(String, u64)> {
    let mut counts = Vec::new();
    for host in hosts {
        let folders = host.sections.iter();
        let inside: u64 = folders.clone().map(|folder| folder.pages).sum();
        let own = (format!("{}/", host.name), host.pages.saturating_sub(inside));
        counts.push(own);
        counts
            .extend(folders.map(|folder| (format!("{}/{}", host.name, folder.name), folder.pages)));
    }
    counts.retain(|(_, pages)| *pages > 0);
    counts.sort_by(|(a_name, a), (b_name, b)| b.cmp(a).then_with(|| a_name.cmp(b_name)));
    counts
}

/// A week, a month, a quarter, a year, older.
fn age(lastmod: W3cDatetime, now: DateTime<Utc>) -> usize {
    match (now.timestamp_micros() - lastmod.timestamp_micros()) / dates::DAY {
        ..=7 => 0,
        8..=30 => 1,
        31..=91 => 2,
        92..=365 => 3,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    fn tree(pages: &[(&str, &str)]) -> Tree {
        let mut tree = Tree::new(now());
        for (loc, lastmod) in pages {
            let place = tree.place(&loc.parse().unwrap());
            let date = lastmod.parse().ok();
            tree.add(place, [1, u64::from(date.is_some())], date);
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
        assert_eq!((first.name.as_str(), first.pages), ("example.com", 5));
        assert_eq!((first.dated, first.ages), (4, [1, 1, 1, 1, 0]));
        assert_eq!(first.newest, "2026-11-20".parse().ok());
        assert_eq!(
            (second.name.as_str(), second.ages),
            ("example.com:8080", [0, 0, 0, 0, 1])
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
            "http://third.example",
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
                ("example.com", 7),
                ("other.example", 1),
                ("third.example", 1),
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
            tree.add(place, [1, 0], None);
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
            tree.nodes.len() < FOLDERS + 3 * CHILDREN,
            "{}",
            tree.nodes.len()
        );
        let sections = tree.sections();
        assert_eq!(
            sections.iter().map(|section| section.pages).sum::<u64>(),
            total + 20_010
        );
        assert_eq!(sections[0].name, "example.com");
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
