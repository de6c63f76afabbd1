//! The entries of one input, shown.

use std::ops::ControlFlow;

use quick_sitemap::Entry;

use super::view::View;
use crate::source::filter::{DateFilter, LocFilter};
use crate::source::input::{Input, Network};
use crate::source::targets::Target;
use crate::source::walk::{Content, End, Item, Outcome, Sink, Unusable, walk};
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::{Messages, Severity};
use crate::term::output;
use crate::term::status::Status;

/// The reader of the output has ended.
pub(super) fn is_over() -> bool {
    interrupt::is_requested() || output::is_closed()
}

pub(super) struct Show<'a> {
    pub(super) filter: &'a LocFilter,
    pub(super) dates: &'a DateFilter,
    pub(super) network: &'a Network,
    pub(super) messages: &'a Messages,
    pub(super) view: View,
    /// How many entries may still be shown.
    pub(super) left: u64,
    pub(super) status: Status,
}

impl Show<'_> {
    /// An error is one of the output's; those of the input are printed, and the next input is read.
    pub(super) fn target(&mut self, target: &Target, has_heading: bool) -> anyhow::Result<()> {
        let name = &*target.name;
        let opened = match target.open(self.network) {
            Ok(opened) => opened,
            Err(error) => {
                // The name once.
                let error = format!("{error:#}");
                if error.starts_with(name) {
                    self.messages.error(error);
                } else {
                    self.messages.error(format_args!("{name}: {error}"));
                }
                self.print_tip(&target.input);
                self.status = Status::Failure;
                return Ok(());
            }
        };
        let messages = self.messages;
        let mut entries = Entries {
            name,
            has_heading,
            issues: 0,
            status: Status::Success,
            is_guess: target.is_guess,
            is_ignored: false,
            show: self,
        };
        walk(target.document(opened), messages, &mut entries)?;
        let status = entries.status;
        if status == Status::Failure {
            self.print_tip(&target.input);
        }
        self.status = self.status.max(status);
        Ok(())
    }

    fn keeps(&self, entry: &Entry) -> bool {
        self.dates.keeps(entry.lastmod()) && self.filter.keeps(entry.loc().as_str())
    }

    /// A user who names a site may have meant another command.
    fn print_tip(&self, input: &Input) {
        let is_site = match input.clone().or_site() {
            Input::Url(address) => address.url().path() == "/",
            Input::File(_) | Input::Stdin => false,
        };
        if is_site && cfg!(feature = "full") {
            self.messages.note(format_args!(
                "use `sitemap crawl {input}` for the pages of a site, or `sitemap check {input}` to check it"
            ));
        }
    }
}

/// The entries of one document.
struct Entries<'e, 'a> {
    name: &'e str,
    has_heading: bool,
    /// Its problems.
    issues: u64,
    status: Status,
    is_guess: bool,
    /// It was found in a folder, and is something else.
    is_ignored: bool,
    show: &'e mut Show<'a>,
}

impl Sink for Entries<'_, '_> {
    fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        if self.is_guess && content == Content::Sitemap(None) {
            self.is_ignored = true;
            return Ok(());
        }
        let format = match content {
            Content::Sitemap(format) => format.map(|format| format.as_str()),
            Content::List(format) => Some(format.name()),
        };
        let heading = self.has_heading.then_some(self.name);
        self.show.view.begin(heading, format)
    }

    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        if is_over() {
            return Ok(ControlFlow::Break(()));
        }
        self.issues += item.issues.len() as u64;
        match item.take() {
            Ok(entry) if self.show.keeps(&entry) => {
                self.show.left -= 1;
                self.show.view.entry(&entry)?;
            }
            Ok(_) => self.show.view.left_out(),
            Err(Unusable::Skipped) => {}
            Err(Unusable::Refused(_)) => self.issues += 1,
        }
        Ok(if self.show.left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }

    fn end(&mut self, end: &End<'_>) -> anyhow::Result<()> {
        if self.is_ignored {
            return Ok(());
        }
        let messages = self.show.messages;
        if matches!(end.outcome, Outcome::Whole | Outcome::Failed(_)) {
            self.issues += end.issues.len() as u64;
        }
        if self.issues > 0 {
            self.status = Status::Findings;
        }
        match &end.outcome {
            Outcome::Whole | Outcome::Stopped => {}
            Outcome::Failed(error) => {
                self.status = Status::Failure;
                let position = error.position().map(|position| format!(":{position}"));
                let place = format!("{}{}", self.name, position.unwrap_or_default());
                let kind = error.kind();
                let message = format_args!("{kind:#} [{}]", kind.name());
                messages.at(&place, Severity::Error, message);
            }
            Outcome::Broken(error) | Outcome::Unopened(error) => {
                self.status = Status::Failure;
                messages.error(format_args!("{error:#}"));
            }
        }
        let is_limited = self.show.left == 0 || interrupt::is_requested();
        self.show.view.end(is_limited)?;
        if self.issues > 0 {
            let skipped = match end.skipped {
                0 => String::new(),
                skipped => format!(", {} skipped", Count(skipped, "entry")),
            };
            let name = if self.name == "<stdin>" {
                "-"
            } else {
                self.name
            };
            let issues = Count(self.issues, "issue");
            let message =
                format_args!("{issues}{skipped}; use `sitemap check {name}` to show them");
            messages.at(self.name, Severity::Warning, message);
        }
        Ok(())
    }
}
