//! `--against`: what has changed since an earlier state.

use super::model::{Changes, Report, Section, SectionChange};
use super::sections::Sections;

/// Pages before and now, and what became of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    pub(super) before: u64,
    pub(super) now: u64,
    pub(super) added: u64,
    pub(super) removed: u64,
    pub(super) changed: u64,
}

impl Numbers {
    pub(super) fn add(&mut self, other: Self) {
        self.before += other.before;
        self.now += other.now;
        self.added += other.added;
        self.removed += other.removed;
        self.changed += other.changed;
    }

    pub(super) fn size(&self) -> (u64, u64, u64) {
        let difference = self.before.abs_diff(self.now);
        (
            self.added + self.removed + self.changed,
            difference,
            self.now,
        )
    }
}

/// Beside an earlier report.
pub(super) fn since(earlier: &Report, now: &Report, name: String) -> Changes {
    let mut sections = Sections::<Numbers>::default();
    count(&earlier.sections, &mut |section, pages| {
        sections.at(section).before += pages
    });
    count(&now.sections, &mut |section, pages| {
        sections.at(section).now += pages
    });
    let changes = Changes {
        earlier: name,
        made: Some(earlier.made.clone()),
        pages_before: earlier.totals.pages,
        ..Changes::default()
    };
    with_sections(changes, sections)
}

/// Adds the largest sections. What is not known of all pages is not known of those of a section either.
pub(super) fn with_sections(changes: Changes, sections: Sections<Numbers>) -> Changes {
    let largest = sections.largest(Numbers::size, Numbers::add);
    let sections = largest.into_iter().map(|(section, numbers)| SectionChange {
        section,
        before: numbers.before,
        now: numbers.now,
        added: changes.added.map(|_| numbers.added),
        removed: changes.removed.map(|_| numbers.removed),
        changed: changes.changed.map(|_| numbers.changed),
    });
    Changes {
        sections: sections.collect(),
        ..changes
    }
}

/// Gives the pages of each host and first folder.
fn count(hosts: &[Section], on_section: &mut dyn FnMut(String, u64)) {
    for host in hosts {
        let mut own = host.pages;
        for folder in &host.sections {
            own = own.saturating_sub(folder.pages);
            on_section(format!("{}/{}", host.name, folder.name), folder.pages);
        }
        if own > 0 {
            let name = if host.name.contains("://") {
                format!("{}/", host.name)
            } else {
                host.name.clone()
            };
            on_section(name, own);
        }
    }
}
