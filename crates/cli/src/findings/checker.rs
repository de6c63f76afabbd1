//! Judges what is read, and gives the findings to a [`Sink`].

mod current;
mod entries;
mod robots;
mod strict;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use quick_sitemap::chrono::Days;
use quick_sitemap::{ReaderBuilder, W3cDatetime};
use quick_sitemap_crawl::robots::Answer;

use self::current::Current;
use self::strict::Strict;
pub(crate) use self::strict::hidden_by_xml;
use super::must_list::MustList;
use super::settings::Settings;
use super::sink::Sink;
use super::tally::Tally;
use crate::judge::advice::Adviser;
use crate::judge::finding::Finding;
use crate::judge::hreflang::{Languages, Links};
use crate::judge::page_hash::PageHasher;
use crate::judge::rules::{FindingRule, rule};
use crate::judge::urls;
use crate::judge::wellformed::StrictReader;
use crate::net::robots::Readers;
use crate::source::account::{Account, Command};
use crate::source::input::Input;
use crate::source::intake;
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::{self, About, RobotsTxt};
use crate::source::walk::{self, Content, Item};
use crate::term::clipped::clipped;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::{Messages, Severity};
use crate::term::output;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) entries: u64,
    /// Errors that were known before, which are not a reason to fail.
    known: u64,
    /// Findings that `--allow` hides, and that an entry was lost for.
    pub(crate) allowed: u64,
    pub(crate) account: Account,
    /// Sitemaps with a finding that stands for others.
    pub(crate) not_well_formed: HashSet<String>,
    /// A finding of robots.txt stands for those of its pages.
    pub(crate) forbids_the_site: bool,
    /// The files robots.txt that were understood.
    pub(crate) robots: HashSet<String>,
    pub(crate) tally: Tally,
    pub(crate) languages: Languages,
}

impl Checked {
    /// Notes which findings stand for others.
    fn see(&mut self, file: &str, finding: &Finding) {
        if finding.not_well_formed {
            self.not_well_formed.insert(file.to_owned());
        }
        self.forbids_the_site |= finding.rule == rule!("forbids-the-site");
    }

    /// The status of the part that has been read.
    pub(crate) fn status(&self) -> Status {
        let (errors, known) = (self.tally.of(Severity::Error), self.known);
        self.account.status(Command::Check { errors, known })
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
    let hasher = PageHasher::default();
    let must_list = settings.must_list.as_ref();
    let must_list = must_list.map(|list| MustList::read(list, &hasher));
    let must_list = must_list.transpose()?;
    let progress = Progress::start("checking", messages);
    let verdicts = &settings.verdicts;
    let adviser = verdicts
        .look_for_advice()
        .then(|| Adviser::new(settings.now));
    let of_links = [
        rule!("hreflang-without-return"),
        rule!("hreflang-group"),
        rule!("hreflang-unlisted"),
    ];
    let wants_links = sink.wants_links() || of_links.iter().any(|rule| verdicts.of(rule).is_some());
    let strict = StrictReader::default();
    let reader = strict.beside(ReaderBuilder::new().excerpts(sink.wants_excerpts()));
    let mut checker = Checker {
        sink,
        strict,
        adviser,
        links: wants_links.then(|| Links::new(&hasher)),
        must_list,
        hasher,
        settings,
        messages,
        formats: HashMap::new(),
        read: Vec::new(),
        current: Current::default(),
        open: None,
        missing: Vec::new(),
        dated: Vec::new(),
        newest: HashMap::new(),
        checked: Checked::default(),
    };
    let options = intake::Options {
        location: settings.location.as_ref(),
        no_follow: settings.no_follow,
        judges_places: true,
        reader,
        ..intake::Options::new(&settings.reading, messages)
    };
    checker.checked.account = intake::read(inputs, &options, &mut checker)?;
    settings.reading.columns.check()?;
    drop(progress);
    checker.end()?;
    Ok(checker.checked)
}

struct Checker<'a> {
    sink: &'a mut dyn Sink,
    /// Judges the text of each document.
    strict: StrictReader,
    adviser: Option<Adviser>,
    /// The hreflang links, if they are judged.
    links: Option<Links>,
    must_list: Option<MustList>,
    hasher: PageHasher,
    settings: &'a Settings,
    messages: &'a Messages,
    /// The formats of the sitemaps that were opened, by name.
    formats: HashMap<String, &'static str>,
    /// The names of the sitemaps that were read, with the numbers that they have in `links`.
    read: Vec<String>,
    current: Current,
    /// The file that the latest findings are about.
    open: Option<String>,
    /// Parts that could not be fetched, or are indexes, each with the name of the index that lists it.
    missing: Vec<(String, Finding)>,
    /// The parts that indexes list with a date, each with the name of the index.
    dated: Vec<(String, String, W3cDatetime)>,
    /// The newest date of the pages of each sitemap.
    newest: HashMap<String, W3cDatetime>,
    checked: Checked,
}

impl sink::Sink for Checker<'_> {
    fn robots(&mut self, robots: &RobotsTxt<'_>) -> anyhow::Result<()> {
        if matches!(robots.answer, Answer::Read(_)) || robots.answer.is_gone() {
            self.checked.robots.insert(robots.name.to_owned());
        }
        let readers = Readers::of(&self.settings.reading.network.user_agent);
        let mut found = robots::findings(robots, &readers).into_iter();
        found.try_for_each(|finding| self.finding(robots.name, finding))
    }

    fn document(&mut self, about: &About<'_>) {
        self.sink.begin(about.name);
        let verdicts = &self.settings.verdicts;
        self.current = Current {
            strict: Some(Strict {
                reader: self.strict.begin(),
                is_reported: verdicts.of(rule!("not-well-formed")).is_some(),
                ..Strict::default()
            }),
            is_local: about.location.is_some_and(|url| !urls::is_reached(url)),
            ..Current::default()
        };
    }

    fn begin(&mut self, about: &About<'_>) -> anyhow::Result<()> {
        self.current.content = about.content;
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(about.name, self.current.kind());
        }
        self.read.push(about.name.to_owned());
        let format = about.content.and_then(Content::name);
        let format = format.map(|format| (about.name.to_owned(), format));
        self.formats.extend(format);
        if let Some(listed) = about.listed.filter(|_| about.is_redirected) {
            let message = format!("`{}` redirects to another site", clipped(listed));
            self.finding(
                about.name,
                Finding::new(rule!("redirected-sitemap"), &message),
            )?;
        }
        if about.is_unlisted {
            let message = "no index and no robots.txt of the folder lists the sitemap";
            self.finding(about.name, Finding::new(rule!("unlisted-sitemap"), message))?;
        }
        // In a folder, the entry of the index is known to be one.
        if let (true, Some(index), Some(name)) = (about.is_index(), about.listed_in, about.listed) {
            let finding = Finding::new(rule!("nested-index"), &nested(name)).on_page(name);
            self.missing.push((index.to_owned(), finding));
        }
        Ok(())
    }

    fn item(&mut self, about: &About<'_>, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.judge_item(about, item)?;
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, about: &About<'_>, end: &walk::End<'_>) -> anyhow::Result<ControlFlow<()>> {
        self.end_document(about, end)?;
        self.end_findings()?;
        // The exit status is decided.
        let is_decided = self.checked.tally.of(Severity::Error) > 0;
        if about.listed.is_some() && output::is_closed() && is_decided {
            self.messages.note(format_args!(
                "{}: nobody reads the output any longer, so no more sitemaps are read",
                about.name
            ));
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        self.sink.not_read(not_read);
        let (why, reason) = (not_read.why, not_read.reason);
        if !why.is_lost() {
            if reason == intake::NOT_FOLLOWED {
                let index = not_read.listed_in.unwrap_or_default();
                self.messages.note(format_args!(
                    "{index} is an index, and its parts are not read; pass the folder to read them, too"
                ));
            }
            return Ok(());
        }
        // The finding `unreadable-robots` says so, or the one at the entry.
        if not_read.is_robots || not_read.is_at_entry && why != Why::Bound {
            return Ok(());
        }
        if !why.is_failure() {
            self.messages.warning(not_read);
            return Ok(());
        }
        if not_read.names.is_empty() {
            self.messages.error(not_read);
        }
        for name in not_read.names {
            match not_read.listed_in {
                // Together with the others of the index, so that only the first ones are shown.
                Some(index) => {
                    let (rule, message) = unread_part(why, name, reason);
                    let finding = Finding::new(rule, &message).on_page(name);
                    self.missing.push((index.to_owned(), finding));
                }
                None => {
                    let error = anyhow::Error::msg(reason.to_owned());
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

/// The rule and the message about a part that was tried, and could not be read.
fn unread_part(why: Why, part: &str, reason: &str) -> (&'static FindingRule, String) {
    let (rule, is) = match why {
        Why::Missing => (rule!("missing-part"), "is missing"),
        Why::Denied => (rule!("refused-part"), "is refused to this program"),
        _ => (rule!("unreachable-part"), "cannot be read"),
    };
    let remedy = match why {
        Why::Denied => "; --user-agent sends another name than that of this program",
        _ => "",
    };
    let part = clipped(part);
    (rule, format!("the part `{part}` {is}: {reason}{remedy}"))
}

impl Checker<'_> {
    /// Passes a finding on with the severity that the settings give it, unless they leave its rule out. Findings of a file
    /// come one after another.
    fn finding(&mut self, file: &str, mut finding: Finding) -> anyhow::Result<()> {
        let verdicts = &self.settings.verdicts;
        let Some(severity) = verdicts.judged(finding.rule, finding.severity) else {
            self.checked.allowed += u64::from(verdicts.allows(finding.rule));
            return Ok(());
        };
        if finding.is_unknown {
            self.sink.not_judged(file, &finding);
            return Ok(());
        }
        finding.severity = severity;
        finding.format = self.formats.get(file).copied();
        self.checked.see(file, &finding);
        if self.open.as_deref() != Some(file) {
            self.end_findings()?;
            self.open = Some(file.to_owned());
        }
        if self.sink.knows(file, &finding)? {
            self.checked.known += u64::from(severity == Severity::Error);
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

    /// Finds the parts that have newer pages than their indexes say.
    fn find_stale(&mut self) {
        for (index, part, lastmod) in std::mem::take(&mut self.dated) {
            let newest = self.newest.get(self.checked.account.known(&part));
            let Some(newest) = newest else {
                continue;
            };
            // Dates without a time begin at another time in each zone.
            let Some(since) = newest.start().checked_sub_days(Days::new(1)) else {
                continue;
            };
            if !lastmod.may_be_since(since) {
                let message = format!(
                    "the index has the lastmod `{lastmod}` for the part `{}`, whose newest page is of `{newest}`",
                    clipped(&part)
                );
                let finding = Finding::new(rule!("stale-index-lastmod"), &message).on_page(&part);
                self.missing.push((index, finding));
            }
        }
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
        self.find_stale();
        self.report_missing()?;
        let is_interrupted = interrupt::is_requested();
        let account = &self.checked.account;
        let (all_read, site) = (account.all_read(), account.whole_site());
        if let Some(links) = self.links.take() {
            let read = std::mem::take(&mut self.read);
            let of_unlisted = self.settings.verdicts.of(rule!("hreflang-unlisted"));
            let site = site.ok().filter(|_| of_unlisted.is_some());
            if all_read.is_none() && !links.is_empty() {
                self.messages.note("not everything was read, so it is not reported which alternates do not link back");
            }
            self.checked.languages = links.finish(all_read, site, |file, finding| {
                let name = read.get(file);
                name.map_or(Ok(()), |name| self.finding(name, finding))
            })?;
        }
        if let Some(list) = self.must_list.take().filter(|_| !is_interrupted) {
            let name = list.name.clone();
            match self.checked.account.whole() {
                Ok(whole) => {
                    let mut missing = list.missing(whole);
                    missing.try_for_each(|finding| self.finding(&name, finding))?;
                }
                Err(why) if list.left() > 0 => self.messages.warning(format_args!(
                    "{name}: {} not found in what was read, and it is not known whether another sitemap lists them: {why}",
                    Count(list.left(), "line")
                )),
                Err(_) => {}
            }
        }
        self.end_findings()
    }
}
