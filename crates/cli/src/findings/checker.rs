//! Reads inputs one after another, judges them, and gives the findings to a [`Sink`].

mod entries;
#[cfg(feature = "full")]
mod site;
mod strict;

use std::collections::HashSet;
use std::fs;
use std::mem;
use std::path::PathBuf;
use std::rc::Rc;

use quick_sitemap::Format;
use quick_sitemap::url::Url;

use super::must_list::MustList;
use super::settings::Settings;
use super::sink::{Absence, Sink};
use crate::judge::advice::Adviser;
use crate::judge::finding::Finding;
use crate::judge::hreflang::{Languages, Links};
use crate::judge::verdicts::WITHOUT_RETURN;
use crate::source::folder::parts::{Claims, Listing};
use crate::source::input::Input;
use crate::source::targets::{Target, targets};
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

/// The result of a check.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    /// Sitemaps that were read, whether to their end or not.
    pub(crate) files: u64,
    pub(crate) entries: u64,
    /// Files of folders that turned out to be something else.
    pub(crate) no_sitemaps: u64,
    /// Inputs and sitemaps that could not be read, or not to their end.
    pub(crate) unreadable: u64,
    /// Those of them that were known before, which are not a reason to fail.
    known_ends: u64,
    /// A bound has kept something from being read.
    pub(crate) has_more: bool,
    /// Findings by severity: advice, warnings, errors.
    pub(crate) counts: [u64; 3],
    pub(crate) languages: Languages,
}

impl Checked {
    fn count(&mut self, finding: &Finding) {
        if let Some(count) = self.counts.get_mut(finding.severity as usize) {
            *count += 1;
        }
    }

    /// The status of the part that has been read.
    pub(crate) fn status(&self) -> Status {
        let [_, _, errors] = self.counts;
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
    let inputs = Input::or_sites(inputs);
    let targets = targets(&inputs, settings.location.as_ref(), messages)?;
    let verdicts = &settings.verdicts;
    let adviser = verdicts
        .look_for_advice()
        .then(|| Adviser::new(settings.now));
    let wants_links = sink.wants_links() || verdicts.of(WITHOUT_RETURN).is_some();
    let mut checker = Checker {
        sink,
        adviser,
        links: wants_links.then(Links::default),
        settings,
        messages,
        read: Vec::new(),
        parts: Claims::default(),
        others: HashSet::new(),
        must_list,
        checked: Checked::default(),
    };
    for target in &targets {
        if interrupt::is_requested() {
            break;
        }
        #[cfg(feature = "full")]
        if let (Input::Url(address), Some(scope)) = (&target.input, &settings.scope) {
            use crate::net::driver::Driver;
            let driver = Driver::of(address, scope, &settings.network, messages)?;
            checker.site(target, address, driver)?;
            continue;
        }
        checker.target(target)?;
    }
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
    /// The files that stand for parts of indexes.
    parts: Claims,
    /// Files of folders that turned out to be something else.
    others: HashSet<PathBuf>,
    must_list: Option<MustList>,
    checked: Checked,
}

type Forbidden<'f> = dyn Fn(&Url) -> Option<String> + 'f;

/// The context of a document.
#[derive(Default)]
struct Context<'c> {
    /// Its name does not show that it is a sitemap.
    is_guess: bool,
    /// The folders that hold the parts of an index, if it was found in a folder.
    folders: Option<[Rc<Listing>; 2]>,
    location: Option<Url>,
    /// Returns `true` for a part that is left out, because it is on a host that is not trusted.
    is_elsewhere: Option<&'c dyn Fn(&Url) -> bool>,
    /// The robot that robots.txt forbids a URL to.
    forbidden: Option<&'c Forbidden<'c>>,
    /// Why robots.txt, which may allow the sitemap to list all pages of its host, could not be read.
    robots_failure: Option<&'c str>,
}

impl Checker<'_> {
    /// Checks a target. A target that cannot be opened is a finding.
    fn target(&mut self, target: &Target) -> anyhow::Result<()> {
        let mut opened = match target.open(&self.settings.network) {
            Ok(opened) => opened,
            Err(error) => return self.unopened(&target.name, &error),
        };
        let location = target.location.clone().or(opened.location);
        opened.location = location.clone();
        let mut document = target.document(opened);
        if let Some(location) = &location {
            document.builder = document.builder.location(location.clone());
        }
        let guess = target.input.path().filter(|_| target.is_guess);
        let guess = guess.map(|file| fs::canonicalize(file).unwrap_or_else(|_| file.to_owned()));
        let context = Context {
            // A part of an index is a sitemap, whatever its name.
            is_guess: guess.as_ref().is_some_and(|file| !self.parts.holds(file)),
            folders: target.folders(),
            location,
            ..Context::default()
        };
        let before = self.checked.no_sitemaps;
        let format = self.document(document, &context)?;
        if self.checked.no_sitemaps > before {
            self.others.extend(guess);
        }
        if format == Some(Format::Index) && target.input.path().is_some() && target.root.is_none() {
            self.messages.note(format_args!(
                "{} is an index, and its parts are not read; pass the folder to read them, too",
                target.name
            ));
        }
        Ok(())
    }

    /// A sitemap that cannot be opened.
    fn unopened(&mut self, name: &str, error: &anyhow::Error) -> anyhow::Result<()> {
        let finding = Finding::unopened(name, error);
        self.checked.unreadable += 1;
        self.sink
            .absent(name, Absence::Unreadable, &finding.message);
        self.finding(name, finding)?;
        self.sink.end_findings(name)
    }

    /// Passes a finding on with the severity that the settings give it, unless they leave its rule out.
    fn finding(&mut self, file: &str, mut finding: Finding) -> anyhow::Result<()> {
        let verdicts = &self.settings.verdicts;
        let Some(severity) = verdicts.judged(finding.rule, finding.severity) else {
            return Ok(());
        };
        finding.severity = severity;
        if self.sink.finding(file, &finding)? {
            self.checked.count(&finding);
        } else if finding.ends_reading() {
            self.checked.known_ends += 1;
        }
        Ok(())
    }

    /// Reports the findings that depend on all files.
    fn end(&mut self) -> anyhow::Result<()> {
        self.unreturned()?;
        if !interrupt::is_requested() {
            self.missing_pages()?;
        }
        let checked = &mut self.checked;
        if checked.files == 0 && checked.unreadable == 0 && !interrupt::is_requested() {
            checked.unreadable += 1;
            self.messages.error(format_args!(
                "there are no sitemaps; {} ignored",
                Count(checked.no_sitemaps, "file")
            ));
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
        self.sink.end_findings(&list.name)
    }

    /// The hreflang links that are not returned, which is known when all files have been read.
    fn unreturned(&mut self) -> anyhow::Result<()> {
        let Some(links) = self.links.take() else {
            return Ok(());
        };
        let read = mem::take(&mut self.read);
        let mut current = None;
        let languages = links.finish(|link| {
            let Some(file) = read.get(link.file) else {
                return anyhow::Ok(());
            };
            if let Some(before) = current.replace(file)
                && !std::ptr::eq(before, file)
            {
                self.sink.end_findings(before)?;
            }
            let finding = Finding {
                position: Some(link.span.position),
                ..Finding::new(WITHOUT_RETURN, &link.message()).on_page(&link.page)
            };
            self.finding(file, finding)
        })?;
        self.checked.languages = languages;
        match current {
            Some(file) => self.sink.end_findings(file),
            None => Ok(()),
        }
    }
}
