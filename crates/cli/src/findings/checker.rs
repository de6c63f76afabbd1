//! Judges what is read, and gives the findings to a [`Sink`].

mod entries;
mod strict;

use std::mem;
use std::ops::ControlFlow;

use quick_sitemap::{Format, ReaderBuilder};

use self::strict::Strict;
use super::must_list::MustList;
use super::settings::Settings;
use super::sink::Sink;
use super::tally::Tally;
use crate::judge::advice::Adviser;
use crate::judge::finding::Finding;
use crate::judge::hreflang::{Languages, Links};
use crate::judge::rules::rule;

use crate::judge::urls::{UrlJudge, is_reached};
use crate::judge::wellformed::StrictReader;
#[cfg(feature = "full")]
use crate::net::robots::UnusableLine;
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
        settings,
        messages,
        read: Vec::new(),
        current: Current::default(),
        missing: Vec::new(),
        urls: UrlJudge::default(),
        is_partial: false,
        is_over: false,
        must_list,
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
    settings: &'a Settings,
    messages: &'a Messages,
    /// The names of the sitemaps that were read, with the numbers that they have in `links`.
    read: Vec<String>,
    current: Current,
    /// Parts that could not be fetched, or are indexes, each with the name of the index that lists it.
    missing: Vec<(String, Finding)>,
    urls: UrlJudge,
    /// Not everything that belongs to the inputs was read.
    is_partial: bool,
    /// Nobody reads the output any longer.
    is_over: bool,
    must_list: Option<MustList>,
    checked: Checked,
}

/// The document that is being read.
#[derive(Default)]
struct Current {
    /// `None` if its beginning cannot be read.
    content: Option<Content>,
    /// The verdict on the document as XML, if it is reported.
    strict: Option<Strict>,
    is_template: bool,
    /// It declares an encoding that it does not have.
    has_conflict: bool,
    /// It is on a host that no search engine reaches.
    is_local: bool,
    entries: u64,
}

impl sink::Sink for Checker<'_> {
    fn judges_places(&self) -> bool {
        true
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    #[cfg(feature = "full")]
    fn robots(
        &mut self,
        name: &str,
        site: Option<&crate::net::driver::SiteRobots>,
        lines: &[UnusableLine],
    ) -> anyhow::Result<()> {
        let failed = site.and_then(|site| site.failure.as_ref());
        let lines = lines.iter().filter(|_| failed.is_none()).map(of_line);
        for finding in lines.chain(site.map(of_robots).unwrap_or_default()) {
            self.finding(name, finding)?;
        }
        self.end_findings(name)
    }

    fn document(&mut self, about: &About<'_>, builder: ReaderBuilder) -> ReaderBuilder {
        let mut builder = builder.excerpts(self.sink.wants_excerpts());
        let verdicts = &self.settings.verdicts;
        let is_reported = verdicts.of(rule!("not-well-formed")).is_some();
        let (reader, beside) = StrictReader::beside(builder);
        builder = beside;
        self.current = Current {
            strict: Some(Strict::new(reader, is_reported)),
            is_local: about.location.is_some_and(|url| !is_reached(url)),
            ..Current::default()
        };
        self.sink.begin(about.name);
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(about.name);
        }
        builder
    }

    fn begin(&mut self, about: &About<'_>, content: Content) -> anyhow::Result<()> {
        let is_index = content == Content::Sitemap(Some(Format::Index));
        // In a folder, the entry of the index is known to be one.
        if let (true, Some(index), Some(name)) = (is_index, about.listed_in, about.listed) {
            let finding = nested(name).on_page(name);
            self.missing.push((index.to_owned(), finding));
        }
        self.entries(about).begin(content);
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.entries(about).item(item)?;
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &walk::End<'_>) -> anyhow::Result<()> {
        self.entries(about).end(end)?;
        self.end_findings(about.name)?;
        // The exit status is decided.
        if about.listed.is_some() && output::is_closed() && self.checked.status() != Status::Success
        {
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
        let is_beside = [intake::NOT_A_SITEMAP, intake::FEED].contains(&not_read.reason);
        self.is_partial |= !is_beside && not_read.why != Why::Replaced;
        if !not_read.why.is_lost() {
            if not_read.reason == intake::NOT_A_SITEMAP {
                self.checked.others += not_read.count;
            } else if not_read.reason == intake::NOT_FOLLOWED {
                let index = not_read.listed_in.unwrap_or_default();
                self.messages.note(format_args!(
                    "{index} is an index, and its parts are not read; pass the folder to read them, too"
                ));
            }
            return Ok(());
        }
        self.checked.not_read += not_read.count;
        if not_read.is_at_entry {
            self.checked.has_more |= !not_read.why.is_failure();
            return Ok(());
        }
        if !not_read.why.is_failure() {
            self.checked.has_more = true;
            self.messages.warning(not_read);
            return Ok(());
        }
        if not_read.names.is_empty() {
            self.checked.unreadable += 1;
            self.messages.error(not_read);
        }
        for name in not_read.names {
            let error = anyhow::Error::msg(not_read.reason.to_owned());
            match not_read.listed_in {
                // Together with the others of the index, so that only the first ones are shown.
                Some(index) => {
                    let shown = clipped(name);
                    let message = format!("the part `{shown}` is missing: {}", not_read.reason);
                    let finding = Finding::new(rule!("missing-part"), &message).on_page(name);
                    self.missing.push((index.to_owned(), finding));
                }
                None => {
                    let finding = Finding::unopened(name, &error);
                    self.checked.unreadable += 1;
                    self.finding(name, finding)?;
                    self.end_findings(name)?;
                }
            }
        }
        Ok(())
    }
}

/// The findings about the robots.txt of a site.
#[cfg(feature = "full")]
fn of_robots(robots: &crate::net::driver::SiteRobots) -> Vec<Finding> {
    if let Some(why) = &robots.failure {
        let message = format!("robots.txt cannot be read: {why}");
        return vec![Finding::new(rule!("unreadable-robots"), &message)];
    }
    let mut found = Vec::new();
    let mut add = |rule, message: &str| found.push(Finding::new(rule, message));
    match &robots.read {
        None => add(
            rule!("robots-without-sitemap"),
            "there is no robots.txt, which should list the sitemaps",
        ),
        Some(_) if robots.is_html => add(
            rule!("robots-without-sitemap"),
            "robots.txt is an HTML page, which lists no sitemap",
        ),
        Some(_) if robots.sitemaps.is_empty() => {
            add(
                rule!("robots-without-sitemap"),
                "robots.txt lists no sitemap",
            );
        }
        Some((place, rules)) => {
            let own = robots.sitemaps.iter();
            for url in own.filter(|url| url.origin() == place.origin()) {
                if let Some(robot) = rules.forbidden_for(url) {
                    let shown = clipped(url.as_str());
                    let message =
                        format!("robots.txt lists `{shown}`, and forbids it for `{robot}`");
                    let finding = Finding::new(rule!("disallowed-sitemap"), &message);
                    found.push(finding.on_page(url.as_str()));
                }
            }
        }
    }
    found
}

/// A line of a robots.txt that names no sitemap by a complete URL.
#[cfg(feature = "full")]
fn of_line((number, line, is_relative): &UnusableLine) -> Finding {
    let line = clipped(line);
    let why = if *is_relative {
        "names a sitemap by a relative URL"
    } else {
        "names no sitemap, because it has no complete URL"
    };
    let message = format!("line {number}, `{line}`, {why}");
    Finding::new(rule!("robots-sitemap-line"), &message)
}

/// An index that an index lists.
fn nested(part: &str) -> Finding {
    let message = format!("the part `{}` is an index, too", clipped(part));
    Finding::new(rule!("nested-index"), &message)
}

impl Checker<'_> {
    /// Reports the parts that could not be fetched, in the order of their indexes.
    fn report_missing(&mut self) -> anyhow::Result<()> {
        let mut missing = mem::take(&mut self.missing);
        missing.sort_by(|(a, one), (b, other)| (a, &one.message).cmp(&(b, &other.message)));
        let mut missing = missing.into_iter().peekable();
        while let Some((index, finding)) = missing.next() {
            self.finding(&index, finding)?;
            if missing.peek().is_none_or(|(next, _)| *next != index) {
                self.end_findings(&index)?;
            }
        }
        Ok(())
    }

    /// Passes a finding on with the severity that the settings give it, unless they leave its rule out.
    fn finding(&mut self, file: &str, mut finding: Finding) -> anyhow::Result<()> {
        let verdicts = &self.settings.verdicts;
        let Some(severity) = verdicts.judged(finding.rule, finding.severity) else {
            return Ok(());
        };
        finding.severity = severity;
        if self.sink.knows(file, &finding)? {
            self.checked.known_ends += u64::from(finding.ends_reading());
            return Ok(());
        }
        let is_first = self.checked.tally.add(file, &finding);
        self.sink.finding(file, &finding, is_first)
    }

    fn end_findings(&mut self, file: &str) -> anyhow::Result<()> {
        let hidden = self.checked.tally.end_of_file();
        self.sink.end_findings(file, &hidden)
    }

    /// Reports the findings that depend on all files.
    fn end(&mut self) -> anyhow::Result<()> {
        self.report_missing()?;
        self.links()?;
        if !interrupt::is_requested() {
            self.missing_pages()?;
        }
        Ok(())
    }

    /// The URLs that are not listed, which is known when all files have been read.
    fn missing_pages(&mut self) -> anyhow::Result<()> {
        let Some(list) = self.must_list.take() else {
            return Ok(());
        };
        for finding in list.missing() {
            self.finding(&list.name, finding)?;
        }
        self.end_findings(&list.name)
    }

    /// The hreflang links that are not returned or lead to no listed page, which is known when all files have been read.
    fn links(&mut self) -> anyhow::Result<()> {
        let Some(links) = self.links.take() else {
            return Ok(());
        };
        let read = mem::take(&mut self.read);
        let verdicts = &self.settings.verdicts;
        let is_whole = !self.is_partial && !interrupt::is_requested();
        let wants_unlisted = is_whole && verdicts.of(rule!("hreflang-unlisted")).is_some();
        let mut current = None;
        let languages = links.finish(wants_unlisted, |link| {
            let Some(file) = read.get(link.file) else {
                return anyhow::Ok(());
            };
            if let Some(before) = current.replace(file)
                && !std::ptr::eq(before, file)
            {
                self.end_findings(before)?;
            }
            let finding = Finding {
                position: Some(link.span.position),
                ..Finding::new(link.rule(), &link.message()).on_page(&link.page)
            };
            self.finding(file, finding)
        })?;
        self.checked.languages = languages;
        match current {
            Some(file) => self.end_findings(file),
            None => Ok(()),
        }
    }
}
