//! The comparison of pages with those of an earlier state, as by `sitemap diff`.

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use serde_json::Value;

use super::changes::with_sections;
use super::model::{ChangeExample, Changes, SectionChange};
use super::sections::Sections;
use crate::figures::names::section;
use crate::rows::Fields;
use crate::sets::comparison::{Comparison, PageLine, Which};
use crate::term::address::shown;
use crate::term::count::Count;
use crate::term::json;

/// Examples of each kind.
const EXAMPLES: usize = 20;

/// The number of a section that a page belongs to.
type Number = fn(&mut SectionChange) -> &mut Option<u64>;

pub(super) struct Against {
    comparison: Comparison,
    sections: Sections<SectionChange>,
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
        let (lines, mut sections, mut examples) =
            (&mut differences.lines, self.sections, Vec::new());
        let mut add =
            |change: &str, number, before: Option<u64>, now: Option<u64>, count: Number| {
                // The earlier values of a page that changed are for the examples.
                let before = before.filter(|_| now.is_none() || number < EXAMPLES);
                let before = before.map(|place| lines.at(place)).transpose()?;
                let now = now.map(|place| lines.at(place)).transpose()?;
                let Some(page) = now.as_ref().or(before.as_ref()) else {
                    return anyhow::Ok(());
                };
                let name = page.loc().parse::<Url>().map(|loc| section(&loc));
                *count(sections.at(name.unwrap_or_default())).get_or_insert(0) += 1;
                if number < EXAMPLES {
                    let field = match (&before, &now) {
                        (Some(before), Some(now)) => json::page_fields()
                            .find(|field| before.field(field) != now.field(field)),
                        _ => Some("lastmod"),
                    };
                    let value = |page: &Option<PageLine>| value(page.as_ref()?, field?);
                    examples.push(ChangeExample {
                        change: change.to_owned(),
                        loc: shown(page.loc()),
                        before: value(&before),
                        now: value(&now),
                    });
                }
                Ok(())
            };
        // A page that is missing on one side would be mistaken for one of the other.
        if self.is_whole {
            for (number, now) in differences.added_at.iter().enumerate() {
                add("added", number, None, Some(*now), |pages| &mut pages.added)?;
            }
        }
        let removed = if is_whole { "removed" } else { "not seen" };
        for (number, before) in differences.removed_at.iter().enumerate() {
            add(removed, number, Some(*before), None, |pages| {
                &mut pages.removed
            })?;
        }
        for (number, (before, now)) in differences.changed_at.iter().enumerate() {
            add("changed", number, Some(*before), Some(*now), |pages| {
                &mut pages.changed
            })?;
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
