//! The output of `write` and `edit`: one file, or a set of sitemaps with its index.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;

use anyhow::bail;
use quick_sitemap::url::Url;
use quick_sitemap::{
    Error, ErrorKind, Format, Limits, Namespace, Rule, UrlEntry, UrlsetWriter, WriterBuilder,
};
use quick_sitemap_set::Published as PublishedSet;

use crate::disk::destination::Destination;
use crate::publish::comparison::{PageLine, Which};
use crate::publish::concerns::Concerns;
use crate::publish::options::{Options, Published, Single};
use crate::publish::writer::Writer;
use crate::publish::{left, robots, section};
use crate::rows::Fields;
use crate::source::account::Asked;
use crate::source::input::Input;
use crate::term::address::hide_login;
use crate::term::clipped::clipped;
use crate::term::count::{Count, First, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Advised, Messages};
use crate::term::status::Status;

/// Entries that are looked at before the first is written, so that the file's root declares what they need.
const AHEAD: usize = 1_000;

/// Pages that are named when too many are removed or changed.
const EXAMPLES: usize = 3;

/// Takes pages; what becomes of them is seen when it is [finished](Self::finish).
pub(crate) struct Target<'o> {
    options: &'o Options,
    messages: &'o Messages,
    settings: WriterBuilder,
    /// Pages without extensions that are not written yet, each with its place.
    ahead: Vec<(UrlEntry, String)>,
    writer: Option<Writer>,
    /// By the name of the rule.
    refused: BTreeMap<Option<&'static str>, First>,
    concerns: Concerns,
    /// Finds what is wrong with a page while it waits in `ahead`.
    checker: UrlsetWriter<io::Sink>,
    /// `None` for a set.
    single: Option<Single>,
    /// The pages before this run, compared with those that are written, and the fields that both can have.
    published: Published,
}

/// The cause of an I/O error, which names what could not be written, or the error of the library itself.
fn cause(error: Error) -> anyhow::Error {
    match error.into_kind() {
        ErrorKind::Io(cause) => cause.into(),
        kind => anyhow::Error::msg(format!("{kind:#}")),
    }
}

impl<'o> Target<'o> {
    /// The pages come from the inputs; `former` are those that `--state` lists, with their dates. Nothing is written yet.
    ///
    /// # Errors
    ///
    /// If the options do not fit together.
    pub(crate) fn new(
        options: &'o Options,
        inputs: &[Input],
        former: Option<Vec<UrlEntry>>,
        messages: &'o Messages,
    ) -> anyhow::Result<Self> {
        let single = options.single();
        options.check(single)?;
        let settings = options.settings();
        let all = settings.clone().limits(Limits::default());
        Ok(Self {
            checker: all.urlset(io::sink()),
            options,
            messages,
            settings,
            ahead: Vec::new(),
            writer: None,
            refused: BTreeMap::new(),
            concerns: Concerns::new(options.base.as_ref(), options.robots.as_deref(), inputs),
            published: options.published(single, former, messages)?,
            single,
        })
    }

    /// Takes one page; `place` is its source in the form of messages.
    ///
    /// # Errors
    ///
    /// An output that cannot be written; a rejected page, unless such pages are omitted; a signal.
    pub(crate) fn page(&mut self, mut entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        interrupt::check()?;
        entry.urls_mut().for_each(hide_login);
        if self.options.escape {
            entry = entry.escaped();
        }
        if self.writer.is_some() {
            return self.write(&entry, place);
        }
        let needs = namespaces(&entry);
        if needs.is_empty() && entry.foreign.is_empty() && self.ahead.len() < AHEAD {
            if let Err(error) = self.checker.write(&entry) {
                return self.refuse_for(error, place);
            }
            self.ahead.push((entry, place.to_string()));
            return Ok(());
        }
        self.begin(needs)?;
        self.write(&entry, place)
    }

    /// Counts a page that could not even be made an entry of.
    ///
    /// # Errors
    ///
    /// The page's, unless such pages are left out.
    pub(crate) fn refuse(
        &mut self,
        rule: Option<Rule>,
        place: &dyn Display,
        why: &dyn Display,
    ) -> anyhow::Result<()> {
        if !self.options.skip_invalid {
            let hint = hint(rule).map(|hint| format!("{hint}, "));
            let advice = format!(
                "nothing has been changed; {}--skip-invalid skips such pages",
                hint.unwrap_or_default()
            );
            return Err(Advised::new(format!("{place}: {why}"), advice).into());
        }
        let count = self.refused.entry(rule.map(Rule::name)).or_default();
        if count.names() {
            let hint = hint(rule).filter(|_| count.count() == 1);
            let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
            self.messages
                .warning(format_args!("{place}: {why}; page skipped{hint}"));
        }
        Ok(())
    }

    /// Opens the writer, which declares these namespaces at the root, and writes the pages that were read ahead.
    fn begin(&mut self, needs: Vec<Namespace>) -> anyhow::Result<()> {
        let settings = self.settings.clone().declare(needs);
        let writer = match self.single {
            None => {
                let directory = self.options.directory()?;
                let writer = if self.options.text {
                    settings.split_text(directory)
                } else {
                    settings.split(directory)
                };
                Writer::Set(Box::new(writer.single(self.options.set.single)))
            }
            Some(Single { text, gzip }) => {
                let place = Destination::at(&self.options.out)?;
                let place = if gzip { place.gzipped() } else { place };
                if text {
                    Writer::Text(Box::new(settings.text(place)))
                } else {
                    Writer::Urlset(Box::new(settings.urlset(place)))
                }
            }
        };
        self.writer = Some(writer);
        for (entry, place) in std::mem::take(&mut self.ahead) {
            self.write(&entry, &place)?;
        }
        Ok(())
    }

    /// Writes a page. An invalid one is rejected; a target that is full is an error.
    fn write(&mut self, entry: &UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        let Some(writer) = &mut self.writer else {
            bail!("the output has not been opened");
        };
        let group = section::find(&self.options.set.group, entry.loc.as_str());
        let written = writer.write(entry, group);
        let Err(error) = written else {
            self.concerns.judge(entry, place, self.messages);
            if let Published::Pages(comparison, _) = &mut self.published {
                comparison.add(Which::B, entry.clone(), Fields::NONE)?;
            }
            return Ok(());
        };
        let rule = error.violation().map(|violation| violation.rule());
        let full = match (self.single, rule) {
            (None, Some(Rule::TooManyEntries)) => {
                Some("write the rest as another set, under another --name")
            }
            (Some(_), Some(Rule::TooManyEntries | Rule::TooManyBytes | Rule::TooManyNews)) => {
                Some("use a folder as --out for a set of several files")
            }
            _ => None,
        };
        if let Some(more) = full {
            let advice = format!("nothing has been changed; {more}");
            return Err(Advised::new(format!("{place}: {:#}", error.kind()), advice).into());
        }
        self.refuse_for(error, place)
    }

    fn refuse_for(&mut self, error: Error, place: &dyn Display) -> anyhow::Result<()> {
        match error.violation() {
            Some(violation) => self.refuse(Some(violation.rule()), place, violation),
            None => Err(cause(error)),
        }
    }

    /// Makes the written files visible, and prints the totals.
    ///
    /// # Errors
    ///
    /// An output that cannot be written; fewer pages than there should be; a signal.
    pub(crate) fn finish(mut self) -> anyhow::Result<Status> {
        if self.writer.is_none() {
            self.begin(Vec::new())?;
        }
        self.concerns.finish(self.messages);
        let Some(writer) = self.writer.take() else {
            bail!("the output has not been opened");
        };
        let (entries, bytes) = writer.written();
        self.options.accept(entries)?;
        if let Some(alarm) = self.alarm()? {
            self.messages.failure(&alarm.into());
            return Ok(Status::Alarm);
        }
        interrupt::check()?;
        let robots = self.options.robots.as_deref();
        if let Some(robots) = robots {
            robots::check(robots)?;
        }
        interrupt::from_here(
            "interrupted while the output was put in place; run the same command again",
        );
        let (pages, bytes) = (Count(entries, "page"), Count(bytes, "byte"));
        let (message, url) = self.put_in_place(writer, pages, bytes)?;
        if let (Some(robots), Some(url)) = (robots, &url) {
            let name = robots.display();
            let change = robots::name(robots, url).map_err(|error| {
                let advice =
                    format!("the sitemap is written, but {name} does not list it: {message}");
                Advised::new(error.to_string(), advice)
            })?;
            self.messages.note(format_args!("{name}: {change}"));
        }
        if !self.options.is_stdout() {
            self.messages.note(message);
        }
        Ok(self.print_refused())
    }

    /// The reason why too many pages differ from those that were published before.
    fn alarm(&mut self) -> anyhow::Result<Option<Advised>> {
        let name = self.options.out.display();
        let (comparison, fields) = match std::mem::take(&mut self.published) {
            Published::NotCompared => return Ok(None),
            Published::CannotTell(why) => {
                let message = format!("{name}: the alarms cannot be judged: {why}");
                let advice = "nothing has been changed; remove the earlier output, or omit --max-removed and --max-changed";
                return Ok(Some(Advised::new(message, advice)));
            }
            Published::Pages(comparison, fields) => (*comparison, fields),
        };
        let mut differences = comparison.finish(fields, [None, Some(Asked::of_output())])?;
        let Some(alarms) = self.options.alarms.judge(&differences, fields) else {
            return Ok(None);
        };
        let changed = differences.changed_at.iter().map(|(_, now)| now);
        let places = differences.removed_at.iter().chain(changed).take(EXAMPLES);
        let mut pages = Vec::new();
        for place in places {
            let page: PageLine = differences.lines.value(*place)?;
            pages.push(clipped(page.loc()).into_owned());
        }
        let colon = if pages.is_empty() { "" } else { ": " };
        let message = format!("{name}: {alarms}{colon}{}", pages.join(", "));
        Ok(Some(Advised::new(message, "nothing has been changed")))
    }

    /// Makes the files visible. Returns the sentence about them, and the URL of the index or of the file, if it is known.
    fn put_in_place(
        &self,
        writer: Writer,
        pages: Count,
        bytes: Count,
    ) -> anyhow::Result<(String, Option<Url>)> {
        let file = match writer {
            Writer::Set(writer) => {
                let published = writer.finish().map_err(cause)?;
                if let Some(files) = left::named(published.removed().iter().map(|path| &**path)) {
                    self.messages.note(format_args!("removed: {files}"));
                }
                let message = describe(&published, pages, bytes);
                return Ok((message, Some(published.index().clone())));
            }
            Writer::Urlset(writer) => writer.finish(),
            Writer::Text(writer) => writer.finish(),
        };
        let left = left::parts_left_behind(&self.options.out);
        file.map_err(cause)?.complete()?;
        if let Some(left) = left {
            let name = self.options.out.display();
            self.messages.warning(format_args!("{name}: {left}"));
        }
        let message = format!("{}: {pages}, {bytes}", self.options.out.display());
        Ok((message, self.options.url()))
    }

    /// Prints the pages that were skipped and not named yet.
    fn print_refused(&self) -> Status {
        let mut all = 0;
        for (rule, count) in &self.refused {
            all += count.count();
            if count.more() > 0 {
                let more = Grouped(count.more());
                let rule = rule.unwrap_or("not a page");
                self.messages
                    .warning(format_args!("{more} more pages were skipped ({rule})"));
            }
        }
        if all == 0 {
            return Status::Success;
        }
        self.messages
            .warning(format_args!("{} skipped", Count(all, "page")));
        Status::Findings
    }
}

/// The options that help, if the message does not name them.
fn hint(rule: Option<Rule>) -> Option<&'static str> {
    match rule? {
        Rule::OutsideLocation => {
            Some("--base sets the location, --any-directory and --allow-host allow more pages")
        }
        Rule::UrlNotEscaped => Some("--escape encodes it"),
        _ => None,
    }
}

/// The namespaces of the extensions of an entry, in the order in which a writer declares them all.
fn namespaces(entry: &UrlEntry) -> Vec<Namespace> {
    let mut extensions: Vec<_> = entry.extensions().map(|(extension, _)| extension).collect();
    extensions.sort_by_key(|extension| extension.name());
    extensions.into_iter().map(Namespace::from).collect()
}

/// The sentence about a set that has been published.
fn describe(published: &PublishedSet, pages: Count, bytes: Count) -> String {
    let (path, url) = (published.path().display(), published.index());
    let parts = published.parts();
    let changed = parts.iter().filter(|part| part.changed).count();
    let (parts, changed) = match (published.format(), published.is_index_changed()) {
        (Format::Index, _) => (
            format!(
                " in {} ({} changed)",
                Count(parts.len() as u64, "sitemap"),
                Grouped(changed as u64)
            ),
            "",
        ),
        (_, true) => (String::new(), ", changed"),
        (_, false) => (String::new(), ", unchanged"),
    };
    format!("{path}: {pages}{parts}, {bytes}{changed}; its URL is {url}")
}
