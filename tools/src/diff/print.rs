//! Differences as text, JSON Lines, or a count.

use std::io::Write;

use console::Style;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Format;
use super::compare::Differences;
use crate::json;

/// In this order: what goes, what comes, what stays but has changed.
#[derive(Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
enum Difference<'d> {
    Removed {
        loc: &'d str,
        old: &'d Value,
    },
    Added {
        loc: &'d str,
        new: &'d Value,
    },
    Changed {
        loc: &'d str,
        fields: Vec<&'d str>,
        old: &'d Value,
        new: &'d Value,
    },
}

impl Differences {
    pub(super) fn print(&mut self, format: Format, out: &mut dyn Write) -> anyhow::Result<()> {
        match format {
            Format::Count => {
                writeln!(out, "added {}", self.added)?;
                writeln!(out, "removed {}", self.removed)?;
                writeln!(out, "changed {}", self.changed)?;
                writeln!(out, "same {}", self.same)?;
                writeln!(out, "repeated-in-a {}", self.repeated_in_a)?;
                writeln!(out, "repeated-in-b {}", self.repeated_in_b)?;
                Ok(())
            }
            Format::Text => self.each(&mut |difference| text(difference, out)),
            Format::Jsonl => self.each(&mut |difference| {
                writeln!(out, "{}", json::text(difference)?)?;
                Ok(())
            }),
        }
    }

    fn each(
        &mut self,
        print: &mut dyn FnMut(&Difference<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let lines = &mut self.lines;
        for place in &self.removed_at {
            let old = lines.at(*place)?;
            print(&Difference::Removed {
                loc: loc(&old),
                old: &old,
            })?;
        }
        for place in &self.added_at {
            let new = lines.at(*place)?;
            print(&Difference::Added {
                loc: loc(&new),
                new: &new,
            })?;
        }
        for (before, after) in &self.changed_at {
            let (old, new) = (lines.at(*before)?, lines.at(*after)?);
            let fields = fields(&old, &new);
            print(&Difference::Changed {
                loc: loc(&new),
                fields,
                old: &old,
                new: &new,
            })?;
        }
        Ok(())
    }
}

fn loc(page: &Value) -> &str {
    page.get("loc").and_then(Value::as_str).unwrap_or_default()
}

/// The names of what differs, in the order of the library's form.
fn fields<'v>(old: &'v Value, new: &'v Value) -> Vec<&'v str> {
    let (Value::Object(old), Value::Object(new)) = (old, new) else {
        return Vec::new();
    };
    let mut names: Vec<&str> = Vec::new();
    let differs = |name: &str| old.get(name) != new.get(name);
    let all = old
        .keys()
        .chain(new.keys().filter(|name| !old.contains_key(*name)));
    names.extend(all.map(String::as_str).filter(|name| differs(name)));
    names
}

fn text(difference: &Difference<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let (style, sign, loc) = match difference {
        Difference::Removed { loc, .. } => (Style::new().red(), '-', loc),
        Difference::Added { loc, .. } => (Style::new().green(), '+', loc),
        Difference::Changed { loc, .. } => (Style::new().yellow(), '~', loc),
    };
    writeln!(out, "{}", style.apply_to(format_args!("{sign} {loc}")))?;
    if let Difference::Changed {
        fields, old, new, ..
    } = difference
    {
        for name in fields {
            change(name, old.get(name), new.get(name), out)?;
        }
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
    let empty = Vec::new();
    let list = |value: Option<&Value>| match value {
        Some(Value::Array(elements)) => Some(elements.clone()),
        None => Some(empty.clone()),
        Some(_) => None,
    };
    let is_list = matches!(
        (old, new),
        (Some(Value::Array(_)), _) | (_, Some(Value::Array(_)))
    );
    if let (true, Some(old), Some(new)) = (is_list, list(old), list(new)) {
        let (gone, come) = (without(&old, &new), without(&new, &old));
        if gone.is_empty() && come.is_empty() {
            writeln!(out, "    {name}: in another order")?;
        }
        for (sign, style, elements) in [
            ('-', Style::new().red(), gone),
            ('+', Style::new().green(), come),
        ] {
            for element in elements {
                let element = shown(Some(element))?;
                writeln!(
                    out,
                    "    {name}: {}",
                    style.apply_to(format_args!("{sign} {element}"))
                )?;
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
    Ok(match value {
        None => "(none)".to_owned(),
        Some(Value::String(text)) if text.chars().all(|c| c.is_ascii_graphic()) => text.clone(),
        Some(Value::Object(fields)) if is_short(fields) => pairs(fields),
        Some(value) => json::text(value)?,
    })
}

/// Nothing but words: `hreflang=de href=https://example.com/de`.
fn is_short(fields: &Map<String, Value>) -> bool {
    let is_word = |value: &Value| {
        value.as_str().is_some_and(|text| {
            !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic() && c != '"')
        })
    };
    fields.values().all(is_word)
}

fn pairs(fields: &Map<String, Value>) -> String {
    let pair =
        |(name, value): (&String, &Value)| format!("{name}={}", value.as_str().unwrap_or_default());
    fields.iter().map(pair).collect::<Vec<_>>().join(" ")
}
