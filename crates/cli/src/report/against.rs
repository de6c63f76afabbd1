//! `--against` a list of pages: the comparison with those of an earlier state, as by `sitemap diff`.

use std::ops::ControlFlow;

use anyhow::bail;
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, UrlEntry};
use serde_json::Value;

use super::changes::compared;
use super::model::{ChangeExample, Changes};
use super::sections::Sections;
use crate::figures::names::section;
use crate::findings::settings::Settings;
use crate::judge::host_changes::HostChanges;
use crate::publish::comparison::{Comparison, PageLine, Which};
use crate::rows::Fields;
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::NotRead;
use crate::source::sink::{About, Sink};
use crate::source::walk::{End, Item, Outcome};
use crate::term::address::shown;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::json;
use crate::term::messages::Messages;

/// Examples of each kind.
const EXAMPLES: usize = 20;

/// The pages of an earlier state, and then those of now.
pub(crate) struct Against {
    comparison: Comparison,
    /// Pages before, now, added, removed and changed.
    sections: Sections<5>,
    name: String,
    hosts: HostChanges,
    /// Documents of the earlier state that could be opened.
    documents: u64,
    /// No page of the earlier state may be missing.
    is_whole: bool,
    /// The fields that both sides can have.
    fields: Fields,
}

impl Against {
    /// Reads the earlier state.
    ///
    /// # Errors
    ///
    /// If there is nothing that can be read.
    pub(crate) fn read(
        input: &Input,
        hosts: &HostChanges,
        settings: &Settings,
        messages: &Messages,
    ) -> anyhow::Result<Self> {
        let mut against = Self {
            comparison: Comparison::new()?,
            sections: Sections::default(),
            name: shown(&input.to_string()),
            hosts: hosts.clone(),
            documents: 0,
            is_whole: true,
            fields: Fields::ALL,
        };
        // As the present state is read, so that a state does not differ from itself.
        let options = intake::Options {
            location: settings.location.as_ref(),
            no_follow: settings.no_follow,
            ..intake::Options::new(&settings.reading, messages)
        };
        intake::read(std::slice::from_ref(input), &options, &mut against)?;
        interrupt::check()?;
        if against.documents == 0 {
            bail!("--against: {input} cannot be read");
        }
        Ok(against)
    }

    /// The pages of a side can have these fields.
    pub(crate) fn has_fields(&mut self, fields: Fields) {
        self.fields = self.fields.both(fields);
    }

    /// An entry of a page; `is_first` unless another one was before.
    pub(crate) fn now(&mut self, page: &UrlEntry, is_first: bool) -> anyhow::Result<()> {
        if is_first {
            // As if nothing had changed.
            let [before, now, ..] = self.sections.at(section(&page.loc));
            (*before, *now) = (*before + 1, *now + 1);
        }
        self.comparison.add(Which::B, page.clone())
    }

    /// Adds the changes. `is_whole` is false if pages may be missing now.
    pub(crate) fn finish(mut self, is_whole: bool, changes: &mut Changes) -> anyhow::Result<()> {
        let mut differences = self.comparison.finish(self.fields)?;
        let (added, removed) = (differences.added, differences.removed);
        changes.pages_before = removed + differences.changed + differences.same;
        // A page that is missing on one side would be mistaken for one of the other.
        changes.added = self.is_whole.then_some(added);
        changes.removed = is_whole.then_some(removed);
        changes.changed = Some(differences.changed);
        let was_whole = self.is_whole;
        let added_at = differences.added_at.iter();
        let added_at = added_at.map(|now| ("added", None, Some(*now)));
        let name = if is_whole { "removed" } else { "not seen" };
        let removed_at = differences.removed_at.iter();
        let removed_at = removed_at.map(|before| (name, Some(*before), None));
        let changed_at = differences.changed_at.iter();
        let changed_at = changed_at.map(|(before, now)| ("changed", Some(*before), Some(*now)));
        let kinds = added_at.enumerate().chain(removed_at.enumerate());
        for (number, (change, before, now)) in kinds.chain(changed_at.enumerate()) {
            let mut line = |place: Option<u64>| place.map(|place| differences.lines.at(place));
            let (old, new) = (line(before).transpose()?, line(now).transpose()?);
            let Some(page) = new.as_ref().or(old.as_ref()) else {
                continue;
            };
            let section = page.loc().parse::<Url>().map(|loc| section(&loc));
            let section = self.sections.at(section.unwrap_or_default());
            let [before, _, added, removed, changed] = section;
            match change {
                "added" => (*before, *added) = (before.saturating_sub(1), *added + 1),
                "changed" => *changed += 1,
                _ => (*before, *removed) = (*before + 1, *removed + 1),
            }
            if number < EXAMPLES && (was_whole || change != "added") {
                changes
                    .examples
                    .push(example(change, old.as_ref(), new.as_ref()));
            }
        }
        changes.sections = compared(self.sections);
        let mut names = vec!["loc"];
        names.extend(self.fields.names());
        if !self.fields.is_all() {
            let are = if names.len() == 1 { "is" } else { "are" };
            changes.notes.push(format!(
                "Only {} {are} compared, because a list or a text has no other fields.",
                names.join(", ")
            ));
        }
        if !was_whole {
            changes.notes.push(format!(
                "{} is incomplete, so added pages are not counted; {} are not in it.",
                self.name,
                Count(added, "page")
            ));
        }
        if !is_whole {
            changes.notes.push(format!(
                "Not all sitemaps could be read to their end, so removed pages are not counted; {} of the earlier list were not seen.",
                Count(removed, "page")
            ));
        }
        Ok(())
    }
}

impl Sink for Against {
    fn item(&mut self, _: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        match item.take() {
            Ok(Entry::Url(mut page)) => {
                self.hosts.apply(&mut page);
                self.comparison.add(Which::A, page)?;
            }
            Ok(Entry::Sitemap(_)) => {}
            Err(_) => self.is_whole = false,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, _: &About<'_>, end: &End<'_>) -> anyhow::Result<()> {
        self.has_fields(end.fields);
        self.documents += u64::from(!end.is_unopened());
        self.is_whole &= matches!(end.outcome, Outcome::Whole);
        Ok(())
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        self.is_whole &= !not_read.why.is_lost();
        Ok(())
    }
}

fn example(change: &str, before: Option<&PageLine>, now: Option<&PageLine>) -> ChangeExample {
    let differs = |field: &&str| match (before, now) {
        (Some(before), Some(now)) => before.field(field) != now.field(field),
        _ => *field == "lastmod",
    };
    let field = json::page_fields().find(differs);
    let value = |page: Option<&PageLine>| value(page?, field?);
    ChangeExample {
        change: change.to_owned(),
        loc: now
            .or(before)
            .map_or_else(String::new, |page| shown(page.loc())),
        before: value(before),
        now: value(now),
    }
}

/// A date as it is; any other value with its name.
fn value(page: &PageLine, field: &str) -> Option<String> {
    Some(match (field, page.field(field)?) {
        ("lastmod", Value::String(date)) => shown(date),
        (_, Value::String(text)) => format!("{field} {}", shown(text)),
        (_, Value::Array(values)) => format!("{} in {field}", values.len()),
        (_, value) => format!("{field} {}", shown(&value.to_string())),
    })
}
