//! Hosts and folders: a list that opens. The script draws the treemap of it.

use askama::Template;

use crate::figures::tree::Section;
use crate::report::words;
use crate::term::count::{Count, Grouped};

/// A folder with more is closed at first.
const OPENED: usize = 40;

/// The columns of the list after the name: their heads and classes. `x` has no room on a narrow screen.
pub(super) const COLUMNS: [(&str, &str); 6] = [
    ("Pages", "n pages"),
    ("Share", "n x"),
    ("Dated", "n x"),
    ("Newest", ""),
    ("Errors", "n"),
    ("Warnings", "n"),
];

/// An item of the list, with the folders inside.
#[derive(Debug, Template)]
#[template(path = "report/page/folder.html")]
pub(super) struct Folder<'a> {
    section: &'a Section,
    /// A host without `https://`.
    name: String,
    /// Number of pages that is 100 %.
    of: u64,
    is_open: bool,
    inside: Vec<Folder<'a>>,
}

/// The list. A single host is opened: its folders are what there is to see.
pub(super) fn folders(hosts: &[Section]) -> Vec<Folder<'_>> {
    let of = hosts.iter().map(|host| host.pages).sum();
    hosts
        .iter()
        .map(|host| {
            let mut folder = folder(host, of);
            folder.is_open = hosts.len() == 1 && host.sections.len() <= OPENED;
            folder
        })
        .collect()
}

fn folder(section: &Section, of: u64) -> Folder<'_> {
    let inside = section.sections.iter();
    Folder {
        section,
        name: words::without_scheme(&section.name),
        of,
        is_open: false,
        inside: inside.map(|section| folder(section, of)).collect(),
    }
}

impl Folder<'_> {
    /// The cells of the [columns](COLUMNS), each with the class of its colour.
    fn cells(&self) -> [(String, &'static str); COLUMNS.len()] {
        let section = self.section;
        let newest = section.newest.map(|newest| newest.to_string());
        let newest = newest.as_deref().map_or("none", words::day);
        let number = |count: u64| Grouped(count).to_string();
        let tone = |count: u64, tone| if count > 0 { tone } else { "" };
        [
            (number(section.pages), ""),
            (words::share(section.pages, self.of), ""),
            (words::share(section.dated, section.pages), ""),
            (newest.to_owned(), ""),
            (number(section.errors), tone(section.errors, "bad")),
            (number(section.warnings), tone(section.warnings, "warn")),
        ]
    }

    /// Classes of its colours in the treemap: `a0` to `a5` by age, `f0` to `f4` by findings.
    fn colours(&self) -> String {
        format!("a{} f{}", age(self.section), findings(self.section))
    }

    /// Its description in the treemap.
    fn description(&self) -> String {
        let age = match age(self.section) {
            0 => "median age up to a week",
            1 => "median age up to a month",
            2 => "median age up to a quarter",
            3 => "median age up to a year",
            4 => "median age more than a year",
            _ => "no dates",
        };
        format!(
            "{}: {}, {} of all; {age}; {}, {}",
            self.name,
            Count(self.section.pages, "page"),
            words::share(self.section.pages, self.of),
            Count(self.section.errors, "error"),
            Count(self.section.warnings, "warning"),
        )
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
