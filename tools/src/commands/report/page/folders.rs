//! Hosts and folders: a list that opens, and the treemap that is drawn of it.
//!
//! Each folder has its place in the treemap of the folder that it is in, and in that of the one above. The script draws
//! an opened folder from these places, so that there is one layout, here.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ptr;

use super::escape::without_scheme;
use super::treemap::{Rect, squarified};
use crate::figures::tree::Section;
use crate::term::count::Count;

/// More are not in the page; the smallest are left out.
const MOST: usize = 300;
/// A folder with more is closed at first.
const OPENED: usize = 40;
/// The room of a treemap: on a desk it is wider than this, on a phone narrower.
const ROOM: Rect = Rect {
    x: 0.0,
    y: 0.0,
    width: 1_500.0,
    height: 1_000.0,
};
/// The line with the name above the folders inside: 22 of 460 pixels.
const NAME: f64 = 48.0;
const MARGIN: f64 = 7.0;

/// A line of the list, in the order of reading.
#[derive(Debug)]
pub(super) struct Folder<'a> {
    /// Its place in the list.
    pub(super) id: usize,
    pub(super) section: &'a Section,
    /// A host without `https://`.
    pub(super) name: String,
    /// Number of pages that is 100 %.
    pub(super) of: u64,
    pub(super) is_open: bool,
    pub(super) has_folders: bool,
    /// Number of lists that end after it.
    pub(super) ends: usize,
    /// In the treemap of the folder that it is in.
    pub(super) place: Place,
    /// In that of the folder above, if it has room there.
    pub(super) above: Option<Place>,
    /// Its colours: `a0` to `a5` by age, `f0` to `f4` by findings.
    pub(super) colours: String,
    /// Its text in the treemap.
    pub(super) said: String,
    /// Levels above it.
    pub(super) depth: usize,
}

/// A folder in the treemap, with those inside it.
#[derive(Debug)]
pub(super) struct Cell<'a> {
    pub(super) folder: &'a Folder<'a>,
    pub(super) inside: Vec<(&'a Folder<'a>, &'a Place)>,
}

/// The treemap that is shown first: of the hosts, or of the folders of the only one.
pub(super) fn cells<'a>(folders: &'a [Folder<'a>]) -> Vec<Cell<'a>> {
    let top = usize::from(only_host(folders).is_some());
    let mut cells: Vec<Cell<'_>> = Vec::new();
    for folder in folders {
        if folder.depth == top {
            let inside = Vec::new();
            cells.push(Cell { folder, inside });
        } else if folder.depth == top + 1
            && let (Some(cell), Some(place)) = (cells.last_mut(), &folder.above)
        {
            cell.inside.push((folder, place));
        }
    }
    cells
}

/// The host, if there is only one, and folders in it.
pub(super) fn only_host<'a>(folders: &'a [Folder<'a>]) -> Option<&'a Folder<'a>> {
    let mut hosts = folders.iter().filter(|folder| folder.depth == 0);
    let first = hosts.next().filter(|host| host.has_folders)?;
    hosts.next().is_none().then_some(first)
}

/// A place in the treemap, in percent.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    /// `t0` without text, `t1` with the name, `t2` with a number too; `narrow` if there is no text on a phone.
    pub(super) text: &'static str,
}

impl Place {
    fn new(rect: Rect, is_frame: bool) -> Self {
        let percent = |part: f64, whole: f64| format!("{:.2}", part * 100.0 / whole);
        let is_narrow = rect.width < ROOM.width / 6.0;
        let lines = match (rect.width / ROOM.width, rect.height / ROOM.height) {
            (width, height) if width < 0.055 || height < 0.045 => 0,
            (width, height) if is_frame || width < 0.06 || height < 0.09 => 1,
            _ => 2,
        };
        Self {
            x: percent(rect.x, ROOM.width),
            y: percent(rect.y, ROOM.height),
            width: percent(rect.width, ROOM.width),
            height: percent(rect.height, ROOM.height),
            text: match (lines, is_narrow) {
                (0, _) => "t0",
                (1, true) => "t1 narrow",
                (1, false) => "t1",
                (_, true) => "t2 narrow",
                (_, false) => "t2",
            },
        }
    }
}

/// The list, and how many folders are too small for it.
pub(super) fn folders(sections: &[Section]) -> (Vec<Folder<'_>>, usize) {
    let mut all = Vec::new();
    add_all(sections, &mut all);
    // A folder precedes those in it, and has at least as many pages, so it is kept if one of them is.
    all.sort_by_key(|section| Reverse(section.pages));
    let left_out = all.len().saturating_sub(MOST);
    let kept = all.into_iter().take(MOST).map(ptr::from_ref).collect();
    let mut list = List {
        kept,
        of: sections.iter().map(|section| section.pages).sum(),
        // A single host is opened: its folders are what there is to see.
        opened: if sections.len() == 1 { 1 } else { 0 },
        folders: Vec::new(),
    };
    let rects = squarified(&list.sizes(sections), ROOM);
    list.add(sections, &rects, &[], 0);
    (list.folders, left_out)
}

fn add_all<'a>(sections: &'a [Section], all: &mut Vec<&'a Section>) {
    for section in sections {
        all.push(section);
        add_all(&section.sections, all);
    }
}

struct List<'a> {
    /// Folders that are not left out, by their addresses.
    kept: HashSet<*const Section>,
    of: u64,
    opened: usize,
    folders: Vec<Folder<'a>>,
}

impl<'a> List<'a> {
    fn listed<'b>(&self, sections: &'b [Section]) -> impl Iterator<Item = &'b Section> {
        let is_kept = |section: &&Section| self.kept.contains(&ptr::from_ref(*section));
        sections.iter().filter(is_kept)
    }

    fn sizes(&self, sections: &[Section]) -> Vec<u64> {
        self.listed(sections).map(|section| section.pages).collect()
    }

    /// Adds folders with those inside them. `places` are theirs in the folder that they are in, `above` those in the
    /// folder above, if they have room there.
    fn add(&mut self, sections: &'a [Section], places: &[Rect], above: &[Rect], depth: usize) {
        let listed: Vec<_> = self.listed(sections).collect();
        for (index, section) in listed.into_iter().enumerate() {
            let place = places.get(index).copied().unwrap_or_default();
            let inside = self.sizes(&section.sections);
            let is_frame = !inside.is_empty();
            let of_this = squarified(&inside, ROOM);
            let of_above = if place.width > 60.0 && place.height > NAME + 40.0 {
                squarified(&inside, place.inside(MARGIN, NAME))
            } else {
                Vec::new()
            };
            self.folders.push(Folder {
                id: self.folders.len(),
                section,
                name: without_scheme(&section.name),
                of: self.of,
                is_open: depth < self.opened && inside.len() <= OPENED,
                has_folders: is_frame,
                ends: 0,
                place: Place::new(place, is_frame && !of_above.is_empty()),
                above: above.get(index).map(|&rect| Place::new(rect, true)),
                colours: format!("a{} f{}", age(section), findings(section)),
                said: said(section, self.of),
                depth,
            });
            self.add(&section.sections, &of_this, &of_above, depth + 1);
        }
        if depth > 0
            && let Some(last) = self.folders.last_mut()
            && !places.is_empty()
        {
            last.ends += 1;
        }
    }
}

/// The age of the median page with a date, as a place in `Section::ages`; 5 without dates.
fn age(section: &Section) -> usize {
    let dated: u64 = section.ages.iter().sum();
    let mut younger = 0;
    let median = section.ages.iter().position(|count| {
        younger += count;
        dated > 0 && younger * 2 >= dated
    });
    median.unwrap_or(5)
}

/// 0 without errors and warnings; 1, 2 with warnings, 3, 4 with errors; the second of each from one in a hundred pages.
fn findings(section: &Section) -> usize {
    let is_many = |count: u64| usize::from(count.saturating_mul(100) >= section.pages);
    match (section.errors, section.warnings) {
        (0, 0) => 0,
        (0, warnings) => 1 + is_many(warnings),
        (errors, _) => 3 + is_many(errors),
    }
}

fn said(section: &Section, of: u64) -> String {
    let age = match age(section) {
        0 => "median age up to a week",
        1 => "median age up to a month",
        2 => "median age up to a quarter",
        3 => "median age up to a year",
        4 => "median age more than a year",
        _ => "no dates",
    };
    format!(
        "{}: {}, {} of all; {age}; {}, {}",
        without_scheme(&section.name),
        Count(section.pages, "page"),
        super::words::share(section.pages, of),
        Count(section.errors, "error"),
        Count(section.warnings, "warning"),
    )
}
