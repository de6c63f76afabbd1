//! `sitemap show`.

mod faults;
mod filter;
mod stats;
mod table;
mod view;

use std::fmt;

use std::ops::ControlFlow;

use clap::Args;
use quick_sitemap::{Policy, ReaderBuilder};

use self::faults::Faults;
use self::filter::Filter;
use self::view::{Format, View};
use crate::source::input::Input;
use crate::source::targets::{Target, targets};
use crate::source::walk::{Content, Document, End, Item, Outcome, Sink, Unusable, walk};
use crate::term::age;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::output;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap show https://www.example.com/sitemap.xml
  sitemap show sitemap.xml.gz --since 2024-05 --match /news/
  sitemap show sitemap.xml --format csv > pages.csv
  curl -s https://www.example.com/sitemap.xml | sitemap show - --stats";

/// Show the entries of sitemaps
///
/// An input can also be a list of pages as JSON Lines, CSV or TSV, as `show` and `crawl` write them. Each entry is a row with its URL and, if present, its date, change frequency and priority. If the terminal is too
/// narrow, URLs are shortened in the middle. Output to a file or a pipe is never shortened.
///
/// Exit status: 0 if there were no problems, 1 if an input breaks a rule (`sitemap check` shows the details), 2 if an
/// input is not a sitemap or cannot be read to its end, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Arguments {
    /// The sitemaps: files, folders, URLs, or `-` for standard input
    #[arg(value_name = "URL|FILE|FOLDER|-", required = true)]
    inputs: Vec<Input>,

    /// How entries are written
    #[arg(long, short, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Show only entries that may have changed since this date, in a form that sitemaps use, from 2024 to
    /// 2024-05-06T07:08:09Z, or in the time before now, such as 7d
    ///
    /// Entries without a date are omitted. A less precise date means a period, and the entry is shown if any part of it
    /// is late enough: 2024-05 matches 2024-05-20.
    #[arg(long, value_name = "DATE|AGE", value_parser = age::date)]
    since: Option<quick_sitemap::W3cDatetime>,

    /// Show only entries whose URL matches this regular expression anywhere; prefix it with `(?i)` to ignore case
    #[arg(long = "match", value_name = "REGEX")]
    pattern: Option<regex_lite::Regex>,

    /// Show at most N entries of all inputs together; the rest is not read
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<u64>,

    /// Count entries by folder, month, change frequency and priority instead of showing them
    ///
    /// The counts are drawn as bars or, with `--format jsonl`, printed as one JSON object.
    #[arg(long)]
    stats: bool,

    /// Show non-ASCII letters of URLs decoded, not as %C3%BC (in tables only)
    #[arg(long)]
    decoded: bool,

    /// Print every problem on standard error, not only their number
    #[arg(long)]
    issues: bool,

    /// Treat each violation of a rule as an error; the entry that contains it is not shown
    #[arg(long)]
    strict: bool,

    /// Format the table for this width instead of the width of the terminal
    #[arg(long, value_name = "COLUMNS")]
    width: Option<usize>,

    #[cfg(feature = "full")]
    #[command(flatten)]
    network: crate::net::fetch::Options,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    if arguments.stats && matches!(arguments.format, Format::Csv | Format::Tsv) {
        anyhow::bail!(
            "--stats can only be printed as a table or, with `--format jsonl`, as a JSON object"
        );
    }
    #[cfg_attr(not(feature = "full"), expect(unused_mut, reason = "no input has a login"))]
    let mut inputs = arguments.inputs.clone();
    Input::stdin_once(&inputs)?;
    #[cfg(feature = "full")]
    arguments
        .network
        .login
        .give(Input::addresses(&mut inputs))?;
    interrupt::catch_while_reading("interrupted; the entries after that are not shown")?;
    let mut show = Show {
        arguments,
        messages,
        filter: Filter::new(arguments.since, arguments.pattern.as_ref()),
        view: View::new(
            arguments.format,
            arguments.stats,
            arguments.width,
            arguments.decoded,
        )?,
        left: arguments.limit.unwrap_or(u64::MAX),
        status: Status::Success,
    };
    let targets = targets(&inputs, None, messages)?;
    for target in &targets {
        if show.left == 0 || is_over() {
            break;
        }
        show.target(target, targets.len() > 1)?;
    }
    show.view.finish()?;
    interrupt::check()?;
    Ok(show.status)
}

/// The reader of the output has ended.
fn is_over() -> bool {
    interrupt::is_requested() || output::is_closed()
}

struct Show<'a> {
    arguments: &'a Arguments,
    messages: &'a Messages,
    filter: Filter<'a>,
    view: View,
    /// How many entries may still be shown.
    left: u64,
    status: Status,
}

impl Show<'_> {
    /// An error is one of the output's; those of the input are printed, and the next input is read.
    fn target(&mut self, target: &Target, has_heading: bool) -> anyhow::Result<()> {
        let name = &*target.name;
        #[cfg(feature = "full")]
        let network = &self.arguments.network;
        #[cfg(not(feature = "full"))]
        let network = &crate::source::input::Network;
        let opened = match target.open(network) {
            Ok(opened) => opened,
            Err(error) => {
                self.messages.error(Opening(name, &error));
                self.say_what_is_meant(&target.input);
                self.status = Status::Failure;
                return Ok(());
            }
        };
        let policy = if self.arguments.strict {
            Policy::STRICT
        } else {
            Policy::LENIENT
        };
        let mut builder = ReaderBuilder::new().policy(policy);
        if let Some(location) = &opened.location {
            builder = builder.base_url(location.clone());
        }
        let document = Document {
            name,
            bytes: opened.reader,
            builder,
            path: target.input.path().map(ToOwned::to_owned),
            base: opened.location,
            may_be_list: target.root.is_none(),
            follower: None,
        };
        let messages = self.messages;
        let mut entries = Entries {
            heading: has_heading.then_some(name),
            faults: Faults {
                name,
                messages,
                says_all: self.arguments.issues,
                policy,
                issues: 0,
                status: Status::Success,
            },
            is_guess: target.is_guess,
            is_ignored: false,
            show: self,
        };
        walk(document, messages, &mut entries)?;
        let status = entries.faults.status;
        if status == Status::Failure {
            self.say_what_is_meant(&target.input);
        }
        self.status = self.status.max(status);
        Ok(())
    }

    /// A user who names a site may have meant another command.
    fn say_what_is_meant(&self, input: &Input) {
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

/// An error of opening, with the name once.
struct Opening<'o>(&'o str, &'o anyhow::Error);

impl fmt::Display for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, error) = self;
        let error = format!("{error:#}");
        if error.starts_with(*name) {
            f.write_str(&error)
        } else {
            write!(f, "{name}: {error}")
        }
    }
}

/// The entries of one document.
struct Entries<'e, 'a> {
    heading: Option<&'e str>,
    faults: Faults<'e>,
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
        self.show.view.begin(self.heading, format)
    }

    fn item(&mut self, item: Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        if is_over() {
            return Ok(ControlFlow::Break(()));
        }
        self.faults.issues(item.issues);
        match item.entry {
            Ok(entry) if self.show.filter.takes(&entry) => {
                self.show.left -= 1;
                self.show.view.entry(&entry)?;
            }
            Ok(_) => self.show.view.left_out(),
            Err(Unusable::Skipped) => {}
            Err(Unusable::Denied(error)) => self.faults.error(&error),
            Err(Unusable::Refused(refused)) => self.faults.refused(item.origin.line(), &refused),
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
        match &end.outcome {
            Outcome::Whole => self.faults.issues(end.issues),
            Outcome::Stopped => {}
            Outcome::Failed(error) => {
                self.faults.issues(end.issues);
                self.faults.error(error);
            }
            Outcome::Broken(error) | Outcome::Unopened(error) => {
                self.faults.unreadable(&format!("{error:#}"));
            }
        }
        let is_limited = self.show.left == 0 || interrupt::is_requested();
        self.show.view.end(is_limited)?;
        self.faults.finish(end.skipped);
        Ok(())
    }
}
