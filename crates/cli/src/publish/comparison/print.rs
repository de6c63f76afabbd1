//! Differences as text, JSON Lines, or a count.

use std::io::Write;

use clap::ValueEnum;
use console::Style;
use serde_json::{Map, Value};

use super::{Differences, PageLine};
use crate::rows::writer::RowWriter;
use crate::term::interrupt;
use crate::term::json;
use crate::term::messages::printable;

/// A page that one side lacks, or whose fields differ.
struct Difference<'d> {
    old: Option<&'d PageLine>,
    new: Option<&'d PageLine>,
    /// The names of those that differ, if both sides have the page.
    fields: Vec<&'static str>,
}

impl Difference<'_> {
    fn change(&self) -> &'static str {
        match (self.old, self.new) {
            (_, None) => "removed",
            (None, _) => "added",
            _ => "changed",
        }
    }

    fn loc(&self) -> &str {
        self.new.or(self.old).map_or("", PageLine::loc)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// One line per page: - removed, + added, ~ changed, with each changed value below it
    Text,
    /// One object per page: change, loc, old, new, and the fields that have changed
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
    pub(crate) fn print(&mut self, format: DiffFormat, out: &mut dyn Write) -> anyhow::Result<()> {
        match format {
            DiffFormat::Count => {
                writeln!(out, "added {}", self.added)?;
                writeln!(out, "removed {}", self.removed)?;
                writeln!(out, "changed {}", self.changed)?;
                writeln!(out, "same {}", self.same)?;
                writeln!(out, "repeated-in-a {}", self.repeated_in_a)?;
                writeln!(out, "repeated-in-b {}", self.repeated_in_b)?;
                Ok(())
            }
            DiffFormat::Text => self.each(&mut |difference| text(difference, out)),
            DiffFormat::Jsonl => self.each(&mut |difference| jsonl(difference, out)),
            DiffFormat::Csv => {
                let mut rows = RowWriter::new(b',', &COLUMNS, out)?;
                self.each(&mut |difference| row(difference, &mut rows))?;
                Ok(rows.finish()?)
            }
            // Printed with the key.
            DiffFormat::Indexnow => Ok(()),
        }
    }

    /// Removed pages first, then added and changed ones.
    fn each(
        &mut self,
        print: &mut dyn FnMut(&Difference<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let lines = &mut self.lines;
        let removed = self.removed_at.iter().map(|at| (Some(at), None));
        let added = self.added_at.iter().map(|at| (None, Some(at)));
        let changed = self.changed_at.iter();
        let changed = changed.map(|(before, after)| (Some(before), Some(after)));
        for (old, new) in removed.chain(added).chain(changed) {
            interrupt::check()?;
            let old = old.map(|place| lines.at(*place)).transpose()?;
            let new = new.map(|place| lines.at(*place)).transpose()?;
            let fields = match (&old, &new) {
                (Some(old), Some(new)) => new.changed_fields(old, self.fields).collect(),
                _ => Vec::new(),
            };
            print(&Difference {
                old: old.as_ref(),
                new: new.as_ref(),
                fields,
            })?;
        }
        Ok(())
    }
}

/// The values with columns of their own.
const VALUES: [&str; 3] = ["lastmod", "changefreq", "priority"];

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

/// Writes a difference as a row: the change, the URL, the names of the changed fields, and the old and new values.
fn row(difference: &Difference<'_>, rows: &mut RowWriter<&mut dyn Write>) -> anyhow::Result<()> {
    let value = |page: Option<&PageLine>, name| match page.and_then(|page| page.field(name)) {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let values = VALUES.map(|name| [value(difference.old, name), value(difference.new, name)]);
    let fields = difference.fields.join(" ");
    let cells = [difference.change(), difference.loc(), &fields].into_iter();
    rows.row(cells.chain(values.iter().flatten().map(String::as_str)))?;
    Ok(())
}

/// Writes a difference as a JSON object with the old and the new page.
fn jsonl(difference: &Difference<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let (change, loc) = (difference.change(), json::text(&difference.loc())?);
    write!(out, r#"{{"change":"{change}","loc":{loc}"#)?;
    if !difference.fields.is_empty() {
        let fields = json::text(&difference.fields)?;
        write!(out, r#","fields":{fields}"#)?;
    }
    // The pages are JSON already.
    for (name, page) in [("old", difference.old), ("new", difference.new)] {
        if let Some(page) = page {
            write!(out, r#","{name}":{}"#, page.json())?;
        }
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// Writes a difference as a line that begins with `-`, `+` or `~`, and a line for each changed field.
fn text(difference: &Difference<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let (style, sign) = match difference.change() {
        "removed" => (Style::new().red(), '-'),
        "added" => (Style::new().green(), '+'),
        _ => (Style::new().yellow(), '~'),
    };
    let line = format_args!("{sign} {}", difference.loc());
    writeln!(out, "{}", style.apply_to(line))?;
    let value = |page: Option<&PageLine>, name| page.and_then(|page| page.field(name)).cloned();
    for name in &difference.fields {
        let (old, new) = (value(difference.old, name), value(difference.new, name));
        change(name, old.as_ref(), new.as_ref(), out)?;
    }
    Ok(())
}

/// Lists one element after the other, anything else as old → new.
fn change(
    name: &str,
    old: Option<&Value>,
    new: Option<&Value>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
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
        for (sign, style, elements) in [
            ('-', Style::new().red(), gone),
            ('+', Style::new().green(), come),
        ] {
            for element in elements {
                let element = format!("{sign} {}", shown(Some(element))?);
                writeln!(out, "    {name}: {}", style.apply_to(element))?;
            }
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
    let text = match value {
        None => Some("(none)".to_owned()),
        Some(Value::String(text)) if is_word(text) => Some(text.clone()),
        Some(Value::Object(fields)) => pairs(fields),
        Some(_) => None,
    };
    text.map_or_else(|| Ok(json::text(&value)?), Ok)
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_graphic())
}

/// If there are only words: `hreflang=de href=https://example.com/de`.
fn pairs(fields: &Map<String, Value>) -> Option<String> {
    let pair = |(name, value): (&String, &Value)| {
        let is_short = |text: &&str| is_word(text) && !text.is_empty() && !text.contains('"');
        let text = value.as_str().filter(is_short)?;
        // A name may be that of an attribute in another vocabulary.
        Some(format!("{}={text}", printable(name)))
    };
    let pairs: Option<Vec<_>> = fields.iter().map(pair).collect();
    pairs.map(|pairs| pairs.join(" "))
}
