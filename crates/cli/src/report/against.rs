//! The comparison of pages with those of an earlier state, as by `sitemap diff`.

use quick_sitemap::UrlEntry;
use quick_sitemap::url::Url;
use serde_json::Value;

use super::changes::with_sections;
use super::model::{ChangeExample, Changes, SectionChange};
use super::sections::Sections;
use crate::figures::names::section;
use crate::publish::comparison::{Comparison, Differences, PageLine, Which};
use crate::rows::Fields;
use crate::term::address::shown;
use crate::term::count::Count;
use crate::term::json;

/// Examples of each kind.
const EXAMPLES: usize = 20;

pub(crate) struct Against {
    comparison: Comparison,
    sections: Sections<SectionChange>,
    name: String,
    is_whole: bool,
    /// The fields that both sides can have.
    fields: Fields,
}

impl Against {
    pub(crate) fn new(name: String) -> anyhow::Result<Self> {
        Ok(Self {
            comparison: Comparison::new()?,
            sections: Sections::default(),
            name,
            is_whole: true,
            fields: Fields::ALL,
        })
    }

    /// A page of the earlier state. All of these come first.
    pub(crate) fn before(&mut self, page: UrlEntry) -> anyhow::Result<()> {
        self.sections.at(section(&page.loc)).before += 1;
        self.comparison.add(Which::A, page)
    }

    /// The pages of a side can have these fields.
    pub(crate) fn has_fields(&mut self, fields: Fields) {
        self.fields = self.fields.both(fields);
    }

    /// Pages of the earlier state may be missing.
    pub(crate) fn is_incomplete(&mut self) {
        self.is_whole = false;
    }

    pub(crate) fn now(&mut self, page: &UrlEntry) -> anyhow::Result<()> {
        self.sections.at(section(&page.loc)).now += 1;
        self.comparison.add(Which::B, page.clone())
    }

    /// `is_whole` is false if pages may be missing now.
    pub(crate) fn finish(self, is_whole: bool) -> anyhow::Result<Changes> {
        let mut differences = self.comparison.finish(self.fields)?;
        let (mut sections, mut examples) = (self.sections, Vec::new());
        // A page that is missing on one side would be mistaken for one of the other.
        let added = differences.added_at.iter().filter(|_| self.is_whole);
        let added = added.map(|now| ("added", None, Some(*now)));
        let name = if is_whole { "removed" } else { "not seen" };
        let removed = differences.removed_at.iter();
        let removed = removed.map(|before| (name, Some(*before), None));
        let changed = differences.changed_at.iter();
        let changed = changed.map(|(before, now)| ("changed", Some(*before), Some(*now)));
        let kinds = added.enumerate().chain(removed.enumerate());
        for (number, (change, before, now)) in kinds.chain(changed.enumerate()) {
            let is_example = number < EXAMPLES;
            // The earlier values of a page that changed are for the examples.
            let before = before.filter(|_| now.is_none() || is_example);
            let mut line = |place: Option<u64>| place.map(|place| differences.lines.at(place));
            let (before, now) = (line(before).transpose()?, line(now).transpose()?);
            let Some(page) = now.as_ref().or(before.as_ref()) else {
                continue;
            };
            let name = page.loc().parse::<Url>().map(|loc| section(&loc));
            let section = sections.at(name.unwrap_or_default());
            let count = match change {
                "added" => &mut section.added,
                "changed" => &mut section.changed,
                _ => &mut section.removed,
            };
            *count.get_or_insert(0) += 1;
            if is_example {
                examples.push(example(change, page.loc(), before.as_ref(), now.as_ref()));
            }
        }
        let changes = Changes {
            notes: notes(
                &self.name,
                self.fields,
                self.is_whole,
                is_whole,
                &differences,
            ),
            earlier: self.name,
            pages_before: differences.removed + differences.changed + differences.same,
            added: self.is_whole.then_some(differences.added),
            removed: is_whole.then_some(differences.removed),
            changed: Some(differences.changed),
            examples,
            ..Changes::default()
        };
        Ok(with_sections(changes, sections))
    }
}

fn example(
    change: &str,
    loc: &str,
    before: Option<&PageLine>,
    now: Option<&PageLine>,
) -> ChangeExample {
    let field = match (before, now) {
        (Some(before), Some(now)) => {
            json::page_fields().find(|field| before.field(field) != now.field(field))
        }
        _ => Some("lastmod"),
    };
    let value = |page: Option<&PageLine>| value(page?, field?);
    ChangeExample {
        change: change.to_owned(),
        loc: shown(loc),
        before: value(before),
        now: value(now),
    }
}

/// Which pages and fields could not be compared.
fn notes(
    name: &str,
    fields: Fields,
    was_whole: bool,
    is_whole: bool,
    differences: &Differences,
) -> Vec<String> {
    let names: Vec<_> = ["loc"].into_iter().chain(fields.names()).collect();
    let fields = (!fields.is_all()).then(|| {
        format!(
            "Only {} {} compared, because a list or a text has no other fields.",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" }
        )
    });
    let before = (!was_whole).then(|| {
        format!(
            "{name} is incomplete, so added pages are not counted; {} are not in it.",
            Count(differences.added, "page")
        )
    });
    let now = (!is_whole).then(|| {
        format!(
            "Not all sitemaps could be read to their end, so removed pages are not counted; {} of the earlier list were not seen.",
            Count(differences.removed, "page")
        )
    });
    [fields, before, now].into_iter().flatten().collect()
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
