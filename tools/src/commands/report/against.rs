//! The comparison of pages with those of an earlier state, as by `sitemap diff`.

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use serde_json::Value;

use super::changes::{SectionCounts, with_sections};
use super::model::{ChangeExample, Changes};
use super::sections::Sections;
use crate::figures::names::section;
use crate::rows::Fields;
use crate::sets::comparison::{Comparison, PageLine, Which};
use crate::term::address::shown;
use crate::term::count::Count;
use crate::term::json;

/// Examples of each kind.
const EXAMPLES: usize = 20;

pub(super) struct Against {
    comparison: Comparison,
    sections: Sections<SectionCounts>,
    name: String,
    before: u64,
    is_whole: bool,
}

impl Against {
    pub(super) fn new(name: String) -> anyhow::Result<Self> {
        Ok(Self {
            comparison: Comparison::new()?,
            sections: Sections::default(),
            name,
            before: 0,
            is_whole: true,
        })
    }

    /// A page of the earlier state. All of these come first.
    pub(super) fn before(&mut self, page: UrlEntry) -> anyhow::Result<()> {
        self.before += 1;
        self.sections.at(section(&page.loc)).before += 1;
        self.comparison.add(Which::A, page)
    }

    /// Pages of the earlier state may be missing.
    pub(super) fn is_incomplete(&mut self) {
        self.is_whole = false;
    }

    pub(super) fn now(&mut self, page: &UrlEntry) -> anyhow::Result<()> {
        self.sections.at(section(&page.loc)).now += 1;
        self.comparison.add(Which::B, page.clone())
    }

    /// `is_whole` is false if pages may be missing now.
    pub(super) fn finish(self, is_whole: bool) -> anyhow::Result<Changes> {
        let mut differences = self.comparison.finish(Fields::ALL)?;
        let mut sections = self.sections;
        let mut examples = Vec::new();
        let lines = &mut differences.lines;
        // A page that is missing on one side would be mistaken for one of the other.
        if self.is_whole {
            for (number, place) in differences.added_at.iter().enumerate() {
                let page = lines.at(*place)?;
                of(&page, &mut sections).added += 1;
                if number < EXAMPLES {
                    examples.push(example("added", &page, None, value(&page, "lastmod")));
                }
            }
        }
        let removed = if is_whole { "removed" } else { "not seen" };
        for (number, place) in differences.removed_at.iter().enumerate() {
            let page = lines.at(*place)?;
            of(&page, &mut sections).removed += 1;
            if number < EXAMPLES {
                examples.push(example(removed, &page, value(&page, "lastmod"), None));
            }
        }
        for (number, (before, now)) in differences.changed_at.iter().enumerate() {
            let now = lines.at(*now)?;
            of(&now, &mut sections).changed += 1;
            if number < EXAMPLES {
                let before = lines.at(*before)?;
                let (was, is) = change(&before, &now);
                examples.push(example("changed", &now, was, is));
            }
        }
        let mut notes = Vec::new();
        if !self.is_whole {
            notes.push(format!(
                "{} is incomplete, so added pages are not counted; {} are not in it.",
                self.name,
                Count(differences.added, "page")
            ));
        }
        if !is_whole {
            notes.push(format!(
                "Not all sitemaps could be read to their end, so removed pages are not counted; {} of the earlier list were not seen.",
                Count(differences.removed, "page")
            ));
        }
        let changes = Changes {
            earlier: self.name,
            pages_before: self.before,
            added: self.is_whole.then_some(differences.added),
            removed: is_whole.then_some(differences.removed),
            changed: Some(differences.changed),
            examples,
            notes,
            ..Changes::default()
        };
        Ok(with_sections(changes, sections))
    }
}

fn of<'s>(page: &PageLine, sections: &'s mut Sections<SectionCounts>) -> &'s mut SectionCounts {
    let name = page.loc().parse::<Url>().map(|loc| section(&loc));
    sections.at(name.unwrap_or_default())
}

fn example(
    change: &str,
    page: &PageLine,
    before: Option<String>,
    now: Option<String>,
) -> ChangeExample {
    ChangeExample {
        change: change.to_owned(),
        loc: shown(page.loc()),
        before,
        now,
    }
}

/// The first value that differs, before and now.
fn change(before: &PageLine, now: &PageLine) -> (Option<String>, Option<String>) {
    let differs = |field: &&str| before.field(field) != now.field(field);
    match json::page_fields().find(differs) {
        Some(field) => (value(before, field), value(now, field)),
        None => (None, None),
    }
}

/// A date as it is; any other value with its name.
fn value(page: &PageLine, field: &str) -> Option<String> {
    let value = page.field(field)?;
    Some(match (field, value) {
        ("lastmod", Value::String(date)) => shown(date),
        (_, Value::String(text)) => format!("{field} {}", shown(text)),
        (_, Value::Array(values)) => format!("{} in {field}", values.len()),
        (_, value) => format!("{field} {}", shown(&value.to_string())),
    })
}
