//! Pages by host and folder, in a tree of bounded size.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use quick_sitemap::W3cDatetime;
use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::{Position, Url};

use super::model::{MonthRow, Months, Section};
use super::text::{OTHERS, folders, origin, shown};
use crate::term::age::is_in_future;
use crate::term::messages::Severity;

/// Number of folders that are distinguished, so that memory does not grow with the sitemap.
const FOLDERS: usize = 10_000;
/// Number of folders within one folder, so that a folder per user does not exclude later ones.
const CHILDREN: u32 = 2_000;
/// Folders below the host.
const DEEPEST: usize = 4;
/// Number of folders in a report: the largest.
const KEPT: usize = 800;
/// Sections that have a row of months.
const ROWS: usize = 24;
/// Columns of months.
const MONTHS: u32 = 36;
/// Months are numbered from January of this year on; what is before is month 0, too.
const FIRST_YEAR: i32 = 1990;
/// Numbers of pages by section and month that are kept.
const COUNTS: usize = 100_000;

/// The number of a folder.
pub(super) type Place = usize;

const ROOT: Place = 0;

#[derive(Debug)]
pub(super) struct Tree {
    now: DateTime<Utc>,
    nodes: Vec<Node>,
    places: HashMap<u64, Place>,
    hasher: RandomState,
    /// The folder of the page before, up to its last slash: most pages follow one of the same folder.
    before: (String, Place),
    /// Pages by section and month.
    months: HashMap<(Place, u32), u64>,
}

/// A host or a folder, with the numbers of its own pages.
#[derive(Debug, Default)]
struct Node {
    name: String,
    parent: Place,
    /// 0 for the root, 1 for a host.
    depth: usize,
    /// The host, or the first folder: what has a row of months.
    section: Place,
    children: u32,
    figures: Figures,
    undated: u64,
}

#[derive(Clone, Debug, Default)]
struct Figures {
    pages: u64,
    dated: u64,
    newest: Option<W3cDatetime>,
    ages: [u64; 5],
    errors: u64,
    warnings: u64,
}

impl Figures {
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
    pub(super) fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            nodes: vec![Node::default()],
            places: HashMap::new(),
            hasher: RandomState::new(),
            before: (String::new(), ROOT),
            months: HashMap::new(),
        }
    }

    /// Counts a page, and returns its folder.
    pub(super) fn add(&mut self, loc: &Url, lastmod: Option<W3cDatetime>) -> Place {
        let place = self.place(loc);
        let age = lastmod.map(|lastmod| age(lastmod, self.now));
        let now = self.now;
        let Some(node) = self.nodes.get_mut(place) else {
            return ROOT;
        };
        let section = node.section;
        node.figures.pages += 1;
        if let (Some(lastmod), Some(age)) = (lastmod, age) {
            node.figures.dated += 1;
            if !is_in_future(lastmod, now) {
                node.figures.newest = node.figures.newest.max(Some(lastmod));
            }
            if let Some(age) = node.figures.ages.get_mut(age) {
                *age += 1;
            }
        } else {
            node.undated += 1;
        }
        if let Some(lastmod) = lastmod {
            let month = number_of(lastmod.year(), lastmod.month().unwrap_or(1));
            let is_full = self.months.len() >= COUNTS;
            match self.months.get_mut(&(section, month)) {
                Some(count) => *count += 1,
                None if is_full => *self.months.entry((section, 0)).or_default() += 1,
                None => drop(self.months.insert((section, month), 1)),
            }
        }
        place
    }

    /// Counts a finding about a page of that folder.
    pub(super) fn found(&mut self, place: Place, severity: Severity) {
        if let Some(node) = self.nodes.get_mut(place) {
            match severity {
                Severity::Error => node.figures.errors += 1,
                Severity::Warning => node.figures.warnings += 1,
                Severity::Advice => {}
            }
        }
    }

    /// The host that a folder belongs to.
    pub(super) fn host(&self, mut place: Place) -> Option<Place> {
        loop {
            let node = self.nodes.get(place)?;
            match node.depth {
                0 => return None,
                1 => return Some(place),
                _ => place = node.parent,
            }
        }
    }

    fn place(&mut self, loc: &Url) -> Place {
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
        self.nodes.get(place).is_none_or(|node| node.name == OTHERS)
    }

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
            name,
            parent,
            depth,
            section: if depth <= 2 { place } else { section },
            ..Node::default()
        });
        self.places.insert(hash, place);
        place
    }

    /// Hosts, the largest first, with the largest folders inside; the others are summed up.
    pub(super) fn sections(&self) -> Vec<Section> {
        let mut figures: Vec<Figures> =
            self.nodes.iter().map(|node| node.figures.clone()).collect();
        // A folder comes after the one that it is in.
        for (place, node) in self.nodes.iter().enumerate().skip(1).rev() {
            let own = figures.get(place).cloned().unwrap_or_default();
            if let Some(above) = figures.get_mut(node.parent) {
                above.add(&own);
            }
        }
        let mut order: Vec<Place> = (1..self.nodes.len()).collect();
        // No folder is before the one that it is in, which is at least as large.
        let key = |place: &Place| {
            let depth = self.nodes.get(*place).map_or(0, |node| node.depth);
            let pages = figures.get(*place).map_or(0, |figures| figures.pages);
            (std::cmp::Reverse(pages), depth, *place)
        };
        order.sort_by_key(key);
        let mut is_kept = vec![false; self.nodes.len()];
        for place in order.iter().take(KEPT) {
            if let Some(is_kept) = is_kept.get_mut(*place) {
                *is_kept = true;
            }
        }
        let mut inside: HashMap<Place, Vec<Place>> = HashMap::new();
        for place in order {
            let parent = self.nodes.get(place).map_or(ROOT, |node| node.parent);
            inside.entry(parent).or_default().push(place);
        }
        self.inside(ROOT, &figures, &is_kept, &inside)
    }

    fn inside(
        &self,
        parent: Place,
        figures: &[Figures],
        is_kept: &[bool],
        inside: &HashMap<Place, Vec<Place>>,
    ) -> Vec<Section> {
        let mut sections = Vec::new();
        let mut others: Option<Figures> = None;
        for place in inside.get(&parent).into_iter().flatten() {
            let (Some(node), Some(figures_of)) = (self.nodes.get(*place), figures.get(*place))
            else {
                continue;
            };
            let kept = is_kept.get(*place).copied().unwrap_or(false);
            if !kept || node.name == OTHERS {
                others.get_or_insert_default().add(figures_of);
                continue;
            }
            let folders = self.inside(*place, figures, is_kept, inside);
            sections.push(section(&node.name, figures_of, folders));
        }
        sections.extend(others.map(|others| section(OTHERS, &others, Vec::new())));
        sections
    }

    /// Pages by month, of the largest sections.
    pub(super) fn months(&self) -> Months {
        let now = number_of_now(self.now);
        let numbers = self.months.keys().map(|(_, month)| *month);
        let Some(latest) = numbers.clone().filter(|month| *month <= now).max() else {
            // All are to come, or there are none.
            return match numbers.max() {
                Some(_) => self.months_from(now, now, now),
                None => Months::default(),
            };
        };
        let earliest = numbers.filter(|month| *month > 0).min().unwrap_or(latest);
        let first = earliest
            .max((latest + 1).saturating_sub(MONTHS))
            .min(latest);
        self.months_from(first, latest, now)
    }

    /// With columns for those months, and for all before and after them if there are any.
    fn months_from(&self, first: u32, latest: u32, now: u32) -> Months {
        let mut numbers = self.months.keys().map(|(_, month)| *month);
        let has_before = numbers.clone().any(|month| month < first);
        let has_after = numbers.any(|month| month > now);
        let mut months = Vec::new();
        months.extend(has_before.then(|| format!("before {}", name_of(first))));
        months.extend((first..=latest).map(name_of));
        months.extend(has_after.then(|| format!("after {}", name_of(now))));
        let column = |month: u32| match month {
            month if month < first => 0,
            month if month > now => months.len().saturating_sub(1),
            month => (month - first) as usize + usize::from(has_before),
        };
        let mut rows: HashMap<Place, MonthRow> = HashMap::new();
        for ((section, month), count) in &self.months {
            let row = rows
                .entry(*section)
                .or_insert_with(|| self.row(*section, months.len()));
            if let Some(pages) = row.pages.get_mut(column(*month)) {
                *pages += count;
            }
        }
        for node in &self.nodes {
            if node.undated > 0 {
                let row = rows
                    .entry(node.section)
                    .or_insert_with(|| self.row(node.section, months.len()));
                row.undated += node.undated;
            }
        }
        let mut rows: Vec<MonthRow> = rows.into_values().collect();
        let size = |row: &MonthRow| row.pages.iter().sum::<u64>() + row.undated;
        rows.sort_by(|a, b| {
            size(b)
                .cmp(&size(a))
                .then_with(|| a.section.cmp(&b.section))
        });
        if rows.len() > ROWS {
            let mut others = MonthRow {
                section: OTHERS.to_owned(),
                pages: vec![0; months.len()],
                undated: 0,
            };
            for row in rows.drain(ROWS - 1..) {
                others.undated += row.undated;
                for (pages, more) in others.pages.iter_mut().zip(row.pages) {
                    *pages += more;
                }
            }
            rows.push(others);
        }
        Months { months, rows }
    }

    fn row(&self, section: Place, columns: usize) -> MonthRow {
        MonthRow {
            section: self.name(section),
            pages: vec![0; columns],
            undated: 0,
        }
    }

    /// Host and folder.
    fn name(&self, section: Place) -> String {
        match self.nodes.get(section) {
            Some(node) if node.depth > 1 => {
                let host = self
                    .nodes
                    .get(node.parent)
                    .map_or("", |host| host.name.as_str());
                format!("{host}/{}", node.name)
            }
            Some(node) if node.name == OTHERS => node.name.clone(),
            Some(node) => format!("{}/", node.name),
            None => String::new(),
        }
    }
}

fn section(name: &str, figures: &Figures, sections: Vec<Section>) -> Section {
    Section {
        name: name.to_owned(),
        pages: figures.pages,
        dated: figures.dated,
        newest: figures.newest.map(|newest| newest.to_string()),
        ages: figures.ages,
        errors: figures.errors,
        warnings: figures.warnings,
        sections,
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

fn number_of(year: i32, month: u32) -> u32 {
    let years = u32::try_from(year - FIRST_YEAR).unwrap_or(0);
    if year < FIRST_YEAR {
        0
    } else {
        years * 12 + month.saturating_sub(1)
    }
}

fn number_of_now(now: DateTime<Utc>) -> u32 {
    use quick_sitemap::chrono::Datelike;
    number_of(now.year(), now.month())
}

fn name_of(number: u32) -> String {
    format!("{}-{:02}", FIRST_YEAR as u32 + number / 12, number % 12 + 1)
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
            tree.add(&loc.parse().unwrap(), lastmod.parse().ok());
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
        assert_eq!(first.newest.as_deref(), Some("2026-11-20"));
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
        let mut tree = Tree::new(now());
        let mut total = 0;
        for user in 0..5_000 {
            for page in 0..(1 + user % 3) {
                let loc = format!("https://example.com/u/{user}/{page}");
                tree.add(&loc.parse().unwrap(), None);
                total += 1;
            }
        }
        for page in 0..10 {
            let loc = format!("https://example.com/late/{page}");
            tree.add(&loc.parse().unwrap(), None);
        }
        for host in 0..20_000 {
            tree.add(
                &format!("https://{host}.example.com/a/b").parse().unwrap(),
                None,
            );
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
        fn count(sections: &[Section]) -> usize {
            sections
                .iter()
                .map(|section| 1 + count(&section.sections))
                .sum()
        }
        assert!(count(&sections) <= 2 * KEPT + 1, "{}", count(&sections));
    }

    #[test]
    fn months_before_and_after_have_a_column_each() {
        let tree = tree(&[
            ("https://example.com/a", "1980"),
            ("https://example.com/blog/a", "2020-05-06"),
            ("https://example.com/blog/b", "2026-10-30T23:00:00+02:00"),
            ("https://example.com/blog/b", "2026-09"),
            ("https://example.com/c", "2031-01-01"),
            ("https://example.com/d", ""),
        ]);
        let Months { months, rows } = tree.months();
        assert_eq!(months.len(), 38);
        assert_eq!(months[0], "before 2023-11");
        assert_eq!(months[35..], ["2026-09", "2026-10", "after 2026-11"]);
        assert_eq!(
            (rows[0].section.as_str(), rows[0].undated),
            ("https://example.com/", 1)
        );
        assert_eq!((rows[0].pages[0], rows[0].pages[37]), (1, 1));
        assert_eq!(rows[1].section, "https://example.com/blog/");
        assert_eq!(
            (rows[1].pages[0], rows[1].pages[35], rows[1].pages[36]),
            (1, 1, 1)
        );
    }

    #[test]
    fn where_nothing_has_a_date_there_are_no_months() {
        assert_eq!(tree(&[]).months(), Months::default());
        let undated = tree(&[("https://example.com/a", "")]).months();
        assert_eq!(undated, Months::default());
    }
}
