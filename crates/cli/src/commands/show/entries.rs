//! The entries of one input, shown.

use std::io;
use std::ops::ControlFlow;

use quick_sitemap::Entry;

use super::table::EntryTable;
use crate::judge::dates;
use crate::rows::writer::{ListWriter, hide_logins};
use crate::rows::{Column, ENTRY};
use crate::source::filter::PageFilter;
use crate::source::input::Input;
use crate::source::not_read::NotRead;
use crate::source::sink::{About, Sink};
use crate::source::walk::{Content, End, Item, Outcome};
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::{Messages, Severity};
use crate::term::output;
use crate::term::shortened::decoded;

/// The reader of the output has ended.
pub(super) fn is_over() -> bool {
    interrupt::is_requested() || output::is_closed()
}

pub(super) struct Show<'a> {
    pub(super) filter: &'a PageFilter,
    pub(super) messages: &'a Messages,
    pub(super) list: ListWriter,
    pub(super) table: EntryTable,
    /// How many entries may still be shown.
    pub(super) left: u64,
    /// Each document has a heading.
    pub(super) has_headings: bool,
}

impl Show<'_> {
    fn entry(&mut self, entry: &Entry) -> io::Result<()> {
        if self.list.is_aligned() {
            return self.table.entry(entry, &mut self.list.out);
        }
        let cell = |column: Column| match (column, self.table.decoded) {
            (Column::Loc, true) => decoded(entry.loc().as_str()),
            _ => column.cell(entry),
        };
        self.list.row(entry, || ENTRY.map(cell))
    }

    /// A user who names a site may have meant another command.
    fn print_tip(&self, name: &str) {
        let Ok(input) = name.parse::<Input>() else {
            return;
        };
        let is_site = match input.clone().or_site() {
            Input::Url(address) => address.url().path() == "/",
            Input::File(_) | Input::Stdin => false,
        };
        if is_site {
            self.messages.note(format_args!(
                "use `sitemap crawl {input}` for the pages of a site, or `sitemap check {input}` to check it"
            ));
        }
    }
}

impl Sink for Show<'_> {
    fn begin(&mut self, about: &About<'_>) -> anyhow::Result<()> {
        let format = match about.content {
            Some(Content::List(format)) => Some(format.name()),
            Some(Content::Sitemap(Some(format))) => Some(format.name()),
            _ => None,
        };
        let heading = self.has_headings.then_some(about.name);
        if self.list.is_aligned() {
            self.table.begin(heading, format, &mut self.list.out)?;
        }
        Ok(())
    }

    fn item(&mut self, _: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        if self.left == 0 || is_over() {
            return Ok(ControlFlow::Break(()));
        }
        match &mut item.entry {
            Ok(entry) if self.filter.keeps(entry.loc(), dates::of_entry(entry)) => {
                self.left -= 1;
                hide_logins(entry);
                self.entry(entry)?;
            }
            Ok(_) => self.table.left_out += 1,
            Err(_) => {}
        }
        Ok(if self.left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    fn end(&mut self, about: &About<'_>, end: &End<'_>) -> anyhow::Result<ControlFlow<()>> {
        let messages = self.messages;
        match &end.outcome {
            Outcome::Whole | Outcome::Stopped | Outcome::Cut => {}
            Outcome::Failed(error) => {
                let position = error.position().map(|position| format!(":{position}"));
                let place = format!("{}{}", about.name, position.unwrap_or_default());
                let kind = error.kind();
                let redirected = about.redirected();
                let message = format_args!("{kind:#}{redirected} [{}]", kind.name());
                messages.at(&place, Severity::Error, message);
            }
            Outcome::Broken(error) => messages.error(format_args!("{error:#}")),
        }
        let is_limited = self.left == 0 || interrupt::is_requested();
        if self.list.is_aligned() {
            self.table.end(is_limited, &mut self.list.out)?;
        }
        let (skipped, dropped) = (end.lost.skipped, end.lost.dropped);
        if skipped + dropped > 0 {
            let counts = Count::nonzero([Count(skipped, "entry"), Count(dropped, "value")]);
            let message = format_args!("{} cannot be used", counts.join(" and "));
            messages.at(about.name, Severity::Warning, message);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        // A part of an index that is shown, or that an option leaves out, is not missed.
        if !not_read.why.is_failure() || not_read.is_at_entry {
            return Ok(());
        }
        self.messages.error(not_read);
        if let [name] = not_read.names {
            self.print_tip(name);
        }
        Ok(())
    }
}
