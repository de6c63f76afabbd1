//! Judges what is read, and gives the findings to a [`Sink`].

mod current;
mod entries;
mod robots;
mod strict;

use std::ops::ControlFlow;

use quick_sitemap::{Format, ReaderBuilder};

use self::current::Current;
use super::must_list::MustList;
use super::settings::Settings;
use super::sink::Sink;
use super::tally::Tally;
use crate::judge::advice::Adviser;
use crate::judge::finding::Finding;
use crate::judge::hreflang::{Languages, Links};
use crate::judge::rules::rule;
use crate::net::robots::{SiteRobots, UnusableLine};
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::{self, About};
use crate::source::walk::{self, Content, Item};
use crate::term::clipped::clipped;
use crate::term::interrupt;
use crate::term::messages::{Messages, Severity};
use crate::term::output;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Sitemaps that were read, whether to their end or not.
    pub(crate) files: u64,
    pub(crate) entries: u64,
    /// Files of folders that are something else.
    pub(crate) others: u64,
    /// Inputs and sitemaps that could not be read, or not to their end.
    pub(crate) unreadable: u64,
    /// Those of them that were known before, which are not a reason to fail.
    known_ends: u64,
    /// Sitemaps that the inputs ask for, and that were not read.
    pub(crate) not_read: u64,
    /// A bound, or a host that is not trusted, has kept something from being read.
    pub(crate) has_more: bool,
    pub(crate) tally: Tally,
    pub(crate) languages: Languages,
}

impl Checked {
    /// The status of the part that has been read.
    pub(crate) fn status(&self) -> Status {
        let errors = self.tally.of(Severity::Error);
        if interrupt::is_requested() {
            return Status::Interrupted;
        }
        match (self.unreadable.saturating_sub(self.known_ends), errors) {
            (1.., _) => Status::Failure,
            (0, 0) if !self.has_more => Status::Success,
            (0, _) => Status::Findings,
        }
    }
}

/// Reads and judges all inputs, or stops early if there is a request to.
///
/// # Errors
///
/// Those of the sink, of `--must-list`, of folders that do not exist, and of the network's options.
pub(crate) fn check(
    inputs: &[Input],
    settings: &Settings,
    sink: &mut dyn Sink,
    messages: &Messages,
) -> anyhow::Result<Checked> {
    let must_list = settings.must_list.as_ref();
    let must_list = must_list.map(MustList::read).transpose()?;
    let progress = Progress::start("checking", messages);
    let verdicts = &settings.verdicts;
    let adviser = verdicts
        .look_for_advice()
        .then(|| Adviser::new(settings.now));
    let of_links = [rule!("hreflang-without-return"), rule!("hreflang-unlisted")];
    let wants_links = sink.wants_links() || of_links.iter().any(|rule| verdicts.of(rule).is_some());
    let mut checker = Checker {
        sink,
        adviser,
        links: wants_links.then(Links::default),
        must_list,
        settings,
        messages,
        read: Vec::new(),
        current: Current::default(),
        open: None,
        missing: Vec::new(),
        is_partial: false,
        is_over: false,
        checked: Checked::default(),
    };
    let options = intake::Options {
        location: settings.location.as_ref(),
        no_follow: settings.no_follow,
        ..intake::Options::new(&settings.reading, messages)
    };
    intake::read(inputs, &options, &mut checker)?;
    drop(progress);
    checker.end()?;
    Ok(checker.checked)
}

struct Checker<'a> {
    sink: &'a mut dyn Sink,
    adviser: Option<Adviser>,
    /// The hreflang links, if they are judged.
    links: Option<Links>,
    must_list: Option<MustList>,
    settings: &'a Settings,
    messages: &'a Messages,
    /// The names of the sitemaps that were read, with the numbers that they have in `links`.
    read: Vec<String>,
    current: Current,
    /// The file that the latest findings are about.
    open: Option<String>,
    /// Parts that could not be fetched, or are indexes, each with the name of the index that lists it.
    missing: Vec<(String, Finding)>,
    /// Not everything that belongs to the inputs was read.
    is_partial: bool,
    /// Nobody reads the output any longer.
    is_over: bool,
    checked: Checked,
}

impl sink::Sink for Checker<'_> {
    fn judges_places(&self) -> bool {
        true
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn robots(&mut self, name: &str, robots: &SiteRobots) -> anyhow::Result<()> {
        let mut found = robots::of_site(robots).into_iter();
        found.try_for_each(|finding| self.finding(name, finding))
    }

    fn unusable_lines(&mut self, name: &str, lines: &[UnusableLine]) -> anyhow::Result<()> {
        let mut found = lines.iter().map(robots::of_line);
        found.try_for_each(|finding| self.finding(name, finding))
    }

    fn document(&mut self, about: &About<'_>, builder: ReaderBuilder) -> ReaderBuilder {
        self.sink.begin(about.name);
        self.open_document(about, builder)
    }

    fn begin(&mut self, about: &About<'_>, content: Content) -> anyhow::Result<()> {
        self.begin_document(about, content);
        let is_index = content == Content::Sitemap(Some(Format::Index));
        // In a folder, the entry of the index is known to be one.
        if let (true, Some(index), Some(name)) = (is_index, about.listed_in, about.listed) {
            let finding = Finding::new(rule!("nested-index"), &nested(name)).on_page(name);
            self.missing.push((index.to_owned(), finding));
        }
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.judge_item(about, item)?;
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &walk::End<'_>) -> anyhow::Result<()> {
        self.end_document(about, end)?;
        self.end_findings()?;
        // The exit status is decided.
        let is_decided = self.checked.status() != Status::Success;
        if about.listed.is_some() && output::is_closed() && is_decided {
            self.is_over = true;
            self.checked.has_more = true;
            self.messages.note(format_args!(
                "{}: nobody reads the output any longer, so no more sitemaps are read",
                about.name
            ));
        }
        Ok(())
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        self.sink.not_read(not_read);
        let (why, reason) = (not_read.why, not_read.reason);
        let is_beside = [intake::NOT_A_SITEMAP, intake::FEED].contains(&reason);
        self.is_partial |= !is_beside && why != Why::Replaced;
        if !why.is_lost() {
            if reason == intake::NOT_A_SITEMAP {
                self.checked.others += not_read.count;
            } else if reason == intake::NOT_FOLLOWED {
                let index = not_read.listed_in.unwrap_or_default();
                self.messages.note(format_args!(
                    "{index} is an index, and its parts are not read; pass the folder to read them, too"
                ));
            }
            return Ok(());
        }
        self.checked.not_read += not_read.count;
        self.checked.has_more |= !why.is_failure();
        if not_read.is_at_entry {
            return Ok(());
        }
        if !why.is_failure() {
            self.messages.warning(not_read);
            return Ok(());
        }
        if not_read.names.is_empty() {
            self.checked.unreadable += 1;
            self.messages.error(not_read);
        }
        for name in not_read.names {
            match not_read.listed_in {
                // Together with the others of the index, so that only the first ones are shown.
                Some(index) => {
                    let message = missing_part(name, reason);
                    let finding = Finding::new(rule!("missing-part"), &message).on_page(name);
                    self.missing.push((index.to_owned(), finding));
                }
                None => {
                    let error = anyhow::Error::msg(reason.to_owned());
                    self.checked.unreadable += 1;
                    self.finding(name, Finding::unopened(name, &error))?;
                }
            }
        }
        Ok(())
    }
}

/// The message about an index that an index lists.
fn nested(part: &str) -> String {
    format!("the part `{}` is an index, too", clipped(part))
}

fn missing_part(part: &str, reason: &str) -> String {
    format!("the part `{}` is missing: {reason}", clipped(part))
}

impl Checker<'_> {
    /// Passes a finding on with the severity that the settings give it, unless they leave its rule out. Findings of a file
    /// come one after another.
    fn finding(&mut self, file: &str, mut finding: Finding) -> anyhow::Result<()> {
        let verdicts = &self.settings.verdicts;
        let Some(severity) = verdicts.judged(finding.rule, finding.severity) else {
            return Ok(());
        };
        finding.severity = severity;
        if self.open.as_deref() != Some(file) {
            self.end_findings()?;
            self.open = Some(file.to_owned());
        }
        if self.sink.knows(file, &finding)? {
            self.checked.known_ends += u64::from(finding.ends_reading());
            return Ok(());
        }
        let is_first = self.checked.tally.add(file, &finding);
        self.sink.finding(file, &finding, is_first)
    }

    /// Ends the findings of the file that the latest one is about.
    fn end_findings(&mut self) -> anyhow::Result<()> {
        let Some(file) = self.open.take() else {
            return Ok(());
        };
        let hidden = self.checked.tally.end_of_file();
        self.sink.end_findings(&file, &hidden)
    }

    /// Reports the parts that could not be fetched, in the order of their indexes.
    fn report_missing(&mut self) -> anyhow::Result<()> {
        let mut missing = std::mem::take(&mut self.missing);
        missing.sort_by(|(a, one), (b, other)| (a, &one.message).cmp(&(b, &other.message)));
        let mut missing = missing.into_iter();
        missing.try_for_each(|(index, finding)| self.finding(&index, finding))
    }

    /// Reports the findings that depend on all files.
    fn end(&mut self) -> anyhow::Result<()> {
        self.report_missing()?;
        let is_interrupted = interrupt::is_requested();
        if let Some(links) = self.links.take() {
            let read = std::mem::take(&mut self.read);
            let of_unlisted = self.settings.verdicts.of(rule!("hreflang-unlisted"));
            let wants_unlisted = !self.is_partial && !is_interrupted && of_unlisted.is_some();
            self.checked.languages = links.finish(wants_unlisted, |file, finding| {
                let name = read.get(file);
                name.map_or(Ok(()), |name| self.finding(name, finding))
            })?;
        }
        if let Some(list) = self.must_list.take().filter(|_| !is_interrupted) {
            let name = list.name.clone();
            let mut missing = list.missing();
            missing.try_for_each(|finding| self.finding(&name, finding))?;
        }
        self.end_findings()
    }
}
