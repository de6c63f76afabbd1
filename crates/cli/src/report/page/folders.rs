//! Hosts and folders: a list that opens. The script draws the treemap of it.

use askama::Template;

use crate::figures::tree::Section;
use crate::report::page::filters;

/// A folder with more is closed at first.
const OPENED: usize = 40;

/// An item of the list, with the folders inside.
#[derive(Debug, Template)]
#[template(path = "report/page/folder.html")]
pub(super) struct Folder<'a> {
    section: &'a Section,
    /// Number of pages that is 100 %.
    of: u64,
    is_open: bool,
}

/// The list. A single host is opened: its folders are what there is to see.
pub(super) fn folders(hosts: &[Section]) -> impl Iterator<Item = Folder<'_>> {
    let of = hosts.iter().map(|host| host.pages).sum();
    hosts.iter().map(move |section| Folder {
        section,
        of,
        is_open: hosts.len() == 1 && section.sections.len() <= OPENED,
    })
}

impl Folder<'_> {
    fn inside<'b>(&self, section: &'b Section) -> Folder<'b> {
        Folder {
            section,
            of: self.of,
            is_open: false,
        }
    }

    /// Classes of its colours in the treemap: `a0` to `a5` by age, `f0` to `f4` by findings.
    fn colours(&self) -> String {
        format!("a{} f{}", age(self.section), findings(self.section))
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
