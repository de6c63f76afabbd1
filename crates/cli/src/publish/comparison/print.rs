//! Differences as text, JSON Lines, or a count.

use std::io::Write;

use anyhow::Context;
use clap::ValueEnum;
use console::Style;
use serde::Serialize;
use serde_json::Value;

use super::{Differences, Key, PageLine};
use crate::rows::writer::row;
use crate::term::interrupt;
use crate::term::json;

/// A page that one side lacks, or whose fields differ.
#[derive(Serialize)]
pub(super) struct Difference<'d> {
    /// `not-in-b` in place of `removed`, if not all of B was read.
    pub(super) change: &'static str,
    pub(super) loc: &'d str,
    /// The names of those that differ, if both sides have the page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old: Option<&'d PageLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<&'d PageLine>,
}

impl Difference<'_> {
    /// The old and the new value of a field.
    fn values(&self, field: &str) -> [Option<&Value>; 2] {
        [self.old, self.new].map(|page| page?.field(field))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// One line per page: - removed, + added, ~ changed, with each changed value below it
    #[default]
    Text,
    /// JSON Lines, one object per page: change, loc, old, new, and the fields that have changed; `json` is another name
    #[value(alias = "json")]
    Jsonl,
    /// One row per page: change, loc, the fields that have changed, and the old and the new lastmod, changefreq and priority
    Csv,
    /// The numbers of added, removed, changed and unchanged pages, and of entries that repeat a page
    Count,
    /// The bodies of requests that tell IndexNow the added, changed and removed pages, one per line; needs --key
    Indexnow,
}

impl Differences {
    /// # Errors
    ///
    /// Those of the output, and a signal.
    pub(crate) fn print(
        &mut self,
        format: DiffFormat,
        key: Option<&Key>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match format {
            DiffFormat::Count => {
                let [added, removed] = self.names();
                for (name, count) in [
                    (added, self.only_in_b),
                    (removed, self.only_in_a),
                    ("changed", self.changed),
                    ("same", self.seen.same),
                    ("repeated-in-a", self.seen.repeated_in_a),
                    ("repeated-in-b", self.seen.repeated_in_b),
                ] {
                    writeln!(out, "{name} {count}")?;
                }
                Ok(())
            }
            DiffFormat::Text => self.each(&mut |difference| text(difference, out)),
            DiffFormat::Jsonl => self.each(&mut |difference| {
                writeln!(out, "{}", json::text(difference)?)?;
                Ok(())
            }),
            DiffFormat::Csv => {
                row(out, b',', COLUMNS)?;
                self.each(&mut |difference| Ok(row(out, b',', cells(difference))?))
            }
            DiffFormat::Indexnow => {
                let key = key.context("--format indexnow needs --key")?;
                self.print_requests(key, out)
            }
        }
    }

    /// The names of the pages that only B has, and of those that only A has.
    fn names(&self) -> [&'static str; 2] {
        [
            self.added().map_or("not-in-a", |_| "added"),
            self.removed().map_or("not-in-b", |_| "removed"),
        ]
    }

    /// Removed pages first, then added and changed ones.
    pub(super) fn each(
        &mut self,
        print: &mut dyn FnMut(&Difference<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let [added_name, removed_name] = self.names();
        let lines = &mut self.lines;
        let removed = self.removed_at.iter().map(|at| (Some(at), None));
        let added = self.added_at.iter().map(|at| (None, Some(at)));
        let changed = self.changed_at.iter();
        let changed = changed.map(|(before, after)| (Some(before), Some(after)));
        for (old, after) in removed.chain(added).chain(changed) {
            interrupt::check()?;
            let mut page = |place: Option<&u64>| place.map(|place| lines.value::<PageLine>(*place));
            let (old, new) = (page(old).transpose()?, page(after).transpose()?);
            let mut fields = Vec::new();
            if let (Some(old), Some(new), Some(after)) = (&old, &new, after) {
                let known = self.seen.known(self.fields, *after);
                fields.extend(new.changed_fields(old, known));
            }
            print(&Difference {
                change: match (&old, &new) {
                    (Some(_), Some(_)) => "changed",
                    (Some(_), None) => removed_name,
                    (None, _) => added_name,
                },
                loc: new.as_ref().or(old.as_ref()).map_or("", PageLine::loc),
                fields,
                old: old.as_ref(),
                new: new.as_ref(),
            })?;
        }
        Ok(())
    }
}

const COLUMNS: [&str; 9] = [
    "change",
    "loc",
    "fields",
    "old_lastmod",
    "new_lastmod",
    "old_changefreq",
    "new_changefreq",
    "old_priority",
    "new_priority",
];

/// The change, the URL, the names of the changed fields, and the old and new values.
fn cells(difference: &Difference<'_>) -> impl Iterator<Item = String> {
    let value = |value: Option<&Value>| match value {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let values = ["lastmod", "changefreq", "priority"];
    let values = values.map(|name| difference.values(name).map(value));
    let (change, loc) = (difference.change, difference.loc);
    let cells = [
        change.to_owned(),
        loc.to_owned(),
        difference.fields.join(" "),
    ];
    cells.into_iter().chain(values.into_iter().flatten())
}

/// Writes a difference as a line that begins with `-`, `+` or `~`, and a line for each changed field.
fn text(difference: &Difference<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let (style, sign) = match difference.change {
        "removed" | "not-in-b" => (Style::new().red(), '-'),
        "added" | "not-in-a" => (Style::new().green(), '+'),
        _ => (Style::new().yellow(), '~'),
    };
    let line = format_args!("{sign} {}", difference.loc);
    writeln!(out, "{}", style.apply_to(line))?;
    for name in &difference.fields {
        change(name, difference.values(name), out)?;
    }
    Ok(())
}

/// Lists one element after the other, anything else as old → new.
fn change(name: &str, [old, new]: [Option<&Value>; 2], out: &mut dyn Write) -> anyhow::Result<()> {
    let list = |value: Option<&Value>| match value {
        Some(Value::Array(elements)) => Some(elements.clone()),
        None => Some(Vec::new()),
        Some(_) => None,
    };
    if let (Some(old), Some(new)) = (list(old), list(new)) {
        let (gone, come) = (without(&old, &new), without(&new, &old));
        if gone.is_empty() && come.is_empty() {
            writeln!(out, "    {name}: in another order")?;
        }
        let gone = gone.into_iter().map(|gone| (Style::new().red(), '-', gone));
        let come = come
            .into_iter()
            .map(|come| (Style::new().green(), '+', come));
        for (style, sign, element) in gone.chain(come) {
            let element = format!("{sign} {}", shown(Some(element))?);
            writeln!(out, "    {name}: {}", style.apply_to(element))?;
        }
        return Ok(());
    }
    writeln!(out, "    {name}: {} → {}", shown(old)?, shown(new)?)?;
    Ok(())
}

/// The elements of a list that are not in the other one as often.
fn without<'v>(list: &'v [Value], other: &[Value]) -> Vec<&'v Value> {
    let mut other: Vec<&Value> = other.iter().collect();
    let mut left = Vec::new();
    for element in list {
        match other.iter().position(|candidate| *candidate == element) {
            Some(at) => drop(other.swap_remove(at)),
            None => left.push(element),
        }
    }
    left
}

/// A word as it is, anything else as JSON.
fn shown(value: Option<&Value>) -> anyhow::Result<String> {
    Ok(match value {
        None => "(none)".to_owned(),
        Some(Value::String(text)) if text.chars().all(|c| c.is_ascii_graphic()) => text.clone(),
        Some(value) => json::text(value)?,
    })
}
