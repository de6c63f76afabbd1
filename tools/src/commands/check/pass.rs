//! Reads the sitemaps one after another, and reports what is found in them.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[cfg(feature = "full")]
use quick_sitemap::crawl::{Reason, Receiver};
use quick_sitemap::url::Url;
use quick_sitemap::{
    Effect, Entry, Error, ErrorKind, Issue, Position, Reader, ReaderBuilder, Rule,
};

use crate::commands::options::Options;
use crate::findings::finding::Finding;
use crate::findings::format::Format;
use crate::findings::must_list::MustList;
use crate::findings::observer::{Absence, End, EntryText};
use crate::findings::report::Report;
use crate::findings::settings::Settings;
use crate::findings::summary::Totals;
use crate::judge::advice::{self, Adviser};
use crate::judge::duplicates::FileKind;
use crate::judge::entry_source::EntrySource;
use crate::judge::hreflang::{Figures, Links};
use crate::judge::verdicts::{
    DISALLOWED, EMPTY_INDEX, EMPTY_SITEMAP, HTTP_ON_HTTPS, INVALID_ROW, MISSING_PAGE, MISSING_PART,
    NOT_GZIP, NOT_WELL_FORMED, PART_ELSEWHERE, TEMPLATE, WITHOUT_RETURN,
};
#[cfg(feature = "full")]
use crate::net::driver::{self, Driver, Next};
#[cfg(feature = "full")]
use crate::net::failure;
use crate::rows::{self, RowFormat, Rows};
use crate::source::folder::is_feed;
use crate::source::folder::parts::{self, Claim, Claims, Listing};
use crate::source::input::Input;
use crate::source::reopened::Reopened;
use crate::source::span::{SourceSpan, first_line};
use crate::source::targets::{Target, targets};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
#[cfg(feature = "full")]
use crate::term::output;
use crate::term::progress::{self, Progress};
use crate::term::status::Status;

pub(super) struct Check<'a> {
    report: Report<'a>,
    adviser: Option<Adviser>,
    /// The hreflang links, if they are judged.
    links: Option<Links>,
    settings: &'a Settings,
    /// The sitemaps that were read, by the numbers that the adviser uses for them.
    read: Vec<FileRead>,
    /// The files that are parts of indexes.
    parts: Claims,
    /// Gzipped copies that are not read, with the files that are read instead.
    copies: HashMap<PathBuf, PathBuf>,
    must_list: Option<MustList>,
    entries: u64,
    pub(super) files: u64,
    /// Files of folders that turned out to be something else.
    no_sitemaps: u64,
    pub(super) unreadable: u64,
    /// A bound has kept something from being read.
    pub(super) has_more: bool,
    pub(super) languages: Figures,
}

impl<'a> Check<'a> {
    /// Reads all inputs, or stops early if there is a request to.
    pub(super) fn over(
        inputs: &[Input],
        options: &Options,
        settings: &'a Settings,
        report: Report<'a>,
        messages: &Messages,
    ) -> anyhow::Result<Self> {
        let must_list = options.must_list.as_ref();
        let must_list = must_list.map(MustList::read).transpose()?;
        let progress = Progress::start("checking", messages);
        let inputs = Input::or_sites(inputs);
        let targets = targets(&inputs, &settings.location, messages)?;
        let verdicts = &settings.verdicts;
        let adviser = verdicts
            .look_for_advice()
            .then(|| Adviser::new(settings.now));
        let wants_links = report.is_observed() || verdicts.of(WITHOUT_RETURN).is_some();
        let mut check = Self {
            report,
            adviser,
            links: wants_links.then(Links::default),
            settings,
            read: Vec::new(),
            parts: Claims::default(),
            copies: targets.iter().filter_map(Target::copied).collect(),
            must_list,
            entries: 0,
            files: 0,
            no_sitemaps: 0,
            unreadable: 0,
            has_more: false,
            languages: Figures::default(),
        };
        check.report.begin()?;
        for target in &targets {
            if interrupt::is_requested() {
                break;
            }
            #[cfg(feature = "full")]
            if let (Input::Url(address), false) = (&target.input, options.no_follow) {
                let driver = Driver::of(address, &options.scope, &options.network, messages)?;
                check.site(target, driver, messages)?;
                continue;
            }
            check.target(target, messages)?;
        }
        drop(progress);
        Ok(check)
    }

    /// An error is one of the output's.
    fn target(&mut self, target: &Target, messages: &Messages) -> anyhow::Result<()> {
        let opened = match target.open(&self.settings.network) {
            Ok(opened) => opened,
            Err(error) => {
                let finding = Finding::unopened(&target.name, &error);
                return self.unopened(&target.name, None, &finding);
            }
        };
        let location = target.location.clone().or(opened.location);
        let builder = match &location {
            Some(location) => ReaderBuilder::new().location(location.clone()),
            None => ReaderBuilder::new(),
        };
        let around = Around {
            parent: None,
            is_guess: target.is_guess,
            is_found: target.root.is_some(),
            folders: target.folders(),
            location,
            path: target.input.path(),
            is_elsewhere: None,
            forbidden: None,
            #[cfg(feature = "full")]
            crawl: None,
            robots_failure: None,
        };
        self.document(&target.name, opened.reader, builder, &around, messages)
    }

    /// A sitemap that cannot be opened.
    fn unopened(
        &mut self,
        name: &str,
        parent: Option<&str>,
        finding: &Finding,
    ) -> anyhow::Result<()> {
        self.unreadable += 1;
        if let Some(observer) = self.report.observer() {
            observer.absent(name, parent, Absence::Unreadable, &finding.message);
        }
        self.report.finding(name, finding)?;
        self.report.end_file(name)
    }

    /// A document that has been opened. An error is one of the output's.
    fn document(
        &mut self,
        name: &str,
        bytes: Box<dyn Read>,
        builder: ReaderBuilder,
        around: &Around<'_>,
        messages: &Messages,
    ) -> anyhow::Result<()> {
        let (head, mut bytes) = peeked(bytes);
        if let Some(observer) = self.report.observer() {
            observer.begin(name, around.parent);
        }
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(name);
        }
        let rows = if around.is_found {
            None
        } else {
            match rows::detect(around.path, bytes) {
                Ok((rows, whole)) => {
                    bytes = Box::new(whole);
                    rows
                }
                Err(error) => {
                    self.unreadable += 1;
                    let finding = Finding::unopened(name, &error.into());
                    self.report.finding(name, &finding)?;
                    self.ended(None, false, 0, false);
                    return self.report.end_file(name);
                }
            }
        };
        self.read.push(FileRead {
            name: name.to_owned(),
            path: around.path.map(Path::to_owned),
            is_list: rows.is_some(),
        });
        if let Some(format) = rows {
            let location = around.location.as_ref();
            let before = self.unreadable;
            let size = Rc::new(Cell::new(0));
            let bytes = Box::new(Counted(bytes, Rc::clone(&size)));
            self.rows(format, bytes, name, location, messages)?;
            self.ended(None, true, size.get(), self.unreadable == before);
            return self.report.end_file(name);
        }
        let builder = builder.excerpts(self.report.wants_excerpts());
        let mut reader = builder.build(bytes);
        let before = self.unreadable;
        let is_sitemap = self.read(&mut reader, name, around)?;
        let is_named_so = around.named_gzipped(name);
        if is_sitemap && reader.format().is_some() && is_named_so && !head.starts_with(&GZIP) {
            let message = "the name ends in .gz, but the content is not gzipped";
            self.unplaced(name, NOT_GZIP, message)?;
        }
        self.files += u64::from(reader.format().is_some());
        self.no_sitemaps += u64::from(!is_sitemap);
        self.entries += reader.summary().entries;
        if reader.format() == Some(quick_sitemap::Format::Index)
            && around.path.is_some()
            && !around.is_found
        {
            messages.note(format_args!(
                "{name} is an index, and its parts are not read; pass the folder to read them, too"
            ));
        }
        let (format, bytes) = (reader.format(), reader.position().byte());
        if is_sitemap {
            self.ended(format, false, bytes, self.unreadable == before)
        } else {
            self.is_something_else()
        }
        self.report.end_file(name)
    }

    /// Informs the observer that a sitemap has been read.
    fn ended(
        &mut self,
        format: Option<quick_sitemap::Format>,
        is_list: bool,
        bytes: u64,
        is_whole: bool,
    ) {
        if let Some(observer) = self.report.observer() {
            observer.end(End {
                format,
                is_list,
                is_something_else: false,
                bytes,
                is_whole,
            });
        }
    }

    /// Informs the observer that the file is not a sitemap, and was not expected to be one.
    fn is_something_else(&mut self) {
        if let Some(observer) = self.report.observer() {
            observer.end(End {
                format: None,
                is_list: false,
                is_something_else: true,
                bytes: 0,
                is_whole: false,
            });
        }
    }

    /// A finding of one of the other checks that is about a complete file.
    fn unplaced(&mut self, name: &str, rule: &'static str, message: &str) -> anyhow::Result<()> {
        let Some(severity) = self.settings.verdicts.of(rule) else {
            return Ok(());
        };
        let finding = Finding::new(rule, severity, message);
        self.report.finding(name, &finding)
    }

    /// All sitemaps of a site, or of an index.
    #[cfg(feature = "full")]
    fn site(
        &mut self,
        target: &Target,
        mut live: Driver,
        messages: &Messages,
    ) -> anyhow::Result<()> {
        use crate::judge::verdicts::{ROBOTS_WITHOUT_SITEMAP, UNREADABLE_ROBOTS};
        let Input::Url(address) = &target.input else {
            return Ok(());
        };
        let is_site = driver::is_site(address.url());
        let may_list_all = !is_site && live.is_listed()?;
        let robots_url = address.url().join("/robots.txt").ok();
        let robots_name = robots_url.as_ref().map(|url| live.shown(url));
        let robots_name = robots_name.unwrap_or_default();
        let mut documents = 0_u64;
        // Each with the file that lists it. They are reported together, so that only the first ones are shown.
        let mut missing: Vec<(String, String, String)> = Vec::new();
        let mut is_judged = !is_site;
        loop {
            // If the reader of the pipe has ended, waits for the network only if the status is still open.
            if output::is_closed() && self.status() != Status::Success {
                self.has_more = true;
                messages.note(format_args!(
                    "{}: nobody reads the output any longer, so no more sitemaps are read",
                    target.name
                ));
                return Ok(());
            }
            let next = live.next()?;
            if interrupt::is_requested() {
                break;
            }
            // `live.next` reads robots.txt first, so its result is known here.
            if !std::mem::replace(&mut is_judged, true) && live.summary().robots_failure.is_none() {
                let robots = live.robots();
                let finding = match (&robots.failure, &robots.read) {
                    (Some(why), _) => Some((
                        UNREADABLE_ROBOTS,
                        format!("robots.txt cannot be read: {why}"),
                    )),
                    (None, None) => {
                        let message = "there is no robots.txt, which should list the sitemaps";
                        Some((ROBOTS_WITHOUT_SITEMAP, message.to_owned()))
                    }
                    (None, Some(_)) if robots.sitemaps.is_empty() => {
                        let message = "robots.txt lists no sitemap";
                        Some((ROBOTS_WITHOUT_SITEMAP, message.to_owned()))
                    }
                    _ => None,
                };
                if let Some((rule, message)) = finding {
                    self.unplaced(&robots_name, rule, &message)?;
                    self.report.end_file(&robots_name)?;
                }
            }
            match next {
                None => break,
                Some(Next::Missing { url, parent, why }) => {
                    let lister = match (&parent, is_site) {
                        (Some(parent), _) => live.shown(parent),
                        (None, true) => robots_name.clone(),
                        // No index lists it: it was named by the caller.
                        (None, false) => {
                            let error = anyhow::Error::msg(why);
                            let finding = Finding::unopened(&target.name, &error);
                            self.unopened(&target.name, None, &finding)?;
                            continue;
                        }
                    };
                    if let Some(observer) = self.report.observer() {
                        let parent = parent.as_ref().map(|parent| live.shown(parent));
                        let name = live.shown(&url);
                        observer.absent(&name, parent.as_deref(), Absence::Unreadable, &why);
                    }
                    let part = clipped(url.as_str()).into_owned();
                    let message = format!("the part `{part}` is missing: {why}");
                    missing.push((lister, message, live.shown(&url)));
                }
                Some(Next::Document(mut document)) => {
                    documents += 1;
                    let bytes = std::mem::replace(&mut document.bytes, Box::new(std::io::empty()));
                    self.live_document(target, &live, &document, bytes, may_list_all, messages)?;
                    if interrupt::is_requested() {
                        break;
                    }
                    live.end(*document)?;
                }
            }
        }
        let is_empty = documents == 0 && missing.is_empty();
        missing.sort_by(|(a, ..), (b, ..)| a.cmp(b));
        let mut missing = missing.into_iter().peekable();
        while let Some((lister, message, part)) = missing.next() {
            if let Some(severity) = self.settings.verdicts.of(MISSING_PART) {
                let finding = Finding::new(MISSING_PART, severity, &message).on_page(&part);
                self.report.finding(&lister, &finding)?;
            }
            if missing.peek().is_none_or(|(next, ..)| *next != lister) {
                self.report.end_file(&lister)?;
            }
        }
        if interrupt::is_requested() {
            return Ok(());
        }
        let summary = live.summary();
        if let Some(failure) = &summary.robots_failure {
            let finding = Finding::unopened(&robots_name, &anyhow::Error::msg(failure.to_string()));
            self.unopened(&robots_name, None, &finding)?;
        } else if is_empty && is_site {
            self.unreadable += 1;
            let why = if live.is_unauthorized() {
                format!("401 Unauthorized{}", failure::what_to_do(address))
            } else {
                live.refusal().unwrap_or_else(|| {
                    "robots.txt lists no sitemap, and there is none in the usual places, such as /sitemap.xml"
                        .to_owned()
                })
            };
            messages.error(format_args!("{}: {why}", target.name));
        }
        for left_out in &summary.left_out {
            // Each sitemap on another host is a finding, and those that --sitemaps rejects are not missed.
            if !matches!(left_out.reason, Reason::OtherHost | Reason::Rejected) {
                let sitemaps = Count(left_out.count, "sitemap");
                self.has_more = true;
                if let Some(observer) = self.report.observer() {
                    let reason = left_out.reason.to_string();
                    observer.absent(&sitemaps.to_string(), None, Absence::LeftOut, &reason);
                }
                let were = if left_out.count == 1 { "was" } else { "were" };
                messages.warning(format_args!(
                    "{sitemaps} {were} not read: {}",
                    left_out.reason
                ));
            }
        }
        if summary.has_more_pages {
            self.has_more = true;
            messages.warning("there are more pages, which were not read (--max-pages)");
        }
        Ok(())
    }

    #[cfg(feature = "full")]
    fn live_document(
        &mut self,
        target: &Target,
        live: &Driver,
        document: &driver::Document,
        bytes: Box<dyn Read>,
        may_list_all: bool,
        messages: &Messages,
    ) -> anyhow::Result<()> {
        let Input::Url(address) = &target.input else {
            return Ok(());
        };
        let is_site = driver::is_site(address.url());
        let location = match &target.location {
            Some(location) if !is_site && document.depth == 1 => location.clone(),
            _ => document.location.clone(),
        };
        let mut builder = ReaderBuilder::new()
            .max_bytes(live.fetcher().options().max_bytes)
            .location(location.clone());
        // A sitemap that robots.txt lists may list all pages of the host.
        let robots = live.robots();
        let may_list_all = may_list_all || is_site && !robots.sitemaps.is_empty();
        if may_list_all {
            builder = builder.any_directory();
            if let Some(host) = address.url().host_str() {
                builder = builder.allow_host(host);
            }
        }
        let forbidden = |url: &Url| {
            let (place, rules) = robots.read.as_ref()?;
            let rules = Some(rules).filter(|_| place.origin() == url.origin())?;
            rules.forbidden_for(url).map(str::to_owned)
        };
        let parent = document.parent.as_ref().map(|parent| live.shown(parent));
        let around = Around {
            parent: parent.as_deref(),
            is_guess: document.is_guess,
            is_found: false,
            folders: None,
            location: Some(location),
            path: None,
            is_elsewhere: Some(&|part| live.leaves_out(part, document)),
            forbidden: Some(&forbidden),
            crawl: Some(&document.receiver),
            robots_failure: robots.failure.as_deref().filter(|_| !may_list_all),
        };
        let name = live.shown(&document.location);
        self.document(&name, bytes, builder, &around, messages)
    }

    /// Returns `true` if it is a sitemap, or was expected to be one.
    fn read(
        &mut self,
        reader: &mut Reader<Box<dyn Read>>,
        name: &str,
        around: &Around<'_>,
    ) -> anyhow::Result<bool> {
        let keeps_line = self.report.wants_excerpts();
        let mut broken = None;
        let mut is_template = false;
        loop {
            let before = entries_of(reader.summary());
            let mut text = EntryText::default();
            // Raw first: the raw entry has the positions of the elements.
            let entry = match reader.read_raw() {
                Ok(Some(raw)) => {
                    if self.report.observer().is_some() {
                        text.position = Some(raw.position());
                        text.loc = raw.loc().map_or(0, |loc| loc.chars().count());
                    }
                    reader.to_entry().map(Some)
                }
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            if interrupt::is_requested() {
                return Ok(true);
            }
            // The crawl needs no more entries, so this one is not read, either.
            if matches!(&entry, Ok(Some(Some(entry))) if !around.add(entry)) {
                return Ok(true);
            }
            progress::entry();
            if let Some(observer) = self.report.observer() {
                let entry = entry.as_ref().ok().and_then(|entry| entry.as_ref());
                observer.entry(entry.and_then(|entry| entry.as_ref()), text)?;
            }
            let issues = reader.issues();
            if broken.is_none() {
                let first = issues.iter().find(|issue| issue.violation.breaks_xml());
                broken = first.map(|issue| (issue.position, before));
            }
            let mut findings: Vec<Finding> = issues
                .iter()
                .filter_map(|issue| self.of_issue(issue))
                .collect();
            if !is_template && let Some(finding) = self.template(issues) {
                is_template = true;
                findings.insert(0, finding);
            }
            if let Some(why) = around.robots_failure {
                let outside = Rule::OutsideLocation.name();
                for finding in findings
                    .iter_mut()
                    .filter(|finding| finding.rule == outside)
                {
                    let but = format!(" (robots.txt, which may allow it, cannot be read: {why})");
                    finding.message.push_str(&but);
                }
            }
            let mut is_end = false;
            let is_feed = is_feed(reader.format());
            if let Some(adviser) = &mut self.adviser {
                adviser.is_of_kind(match reader.format() {
                    _ if is_feed => FileKind::Feed,
                    Some(quick_sitemap::Format::Text) => FileKind::Text,
                    _ => FileKind::Sitemap,
                });
            }
            match entry {
                Ok(Some(None)) => {}
                Ok(Some(Some(entry))) => {
                    self.found_in_list(&entry);
                    let source = EntrySource::Raw {
                        raw: reader.raw(),
                        keeps_line,
                    };
                    self.listed(name, &entry, source, around, &mut findings);
                    findings.extend(self.hreflang(&entry, source));
                    if let Some(adviser) = &mut self.adviser {
                        let advice = adviser.judge(&entry, source);
                        findings.extend(self.settings.of_advice(advice));
                    }
                }
                Ok(None) => {
                    let is_index = reader.format() == Some(quick_sitemap::Format::Index);
                    let summary = reader.summary();
                    around.end(summary);
                    // A section of a site that has no news yet has a feed all the same.
                    if !is_feed {
                        findings.extend(self.empty(entries_of(summary), is_index));
                    }
                    if let Some(adviser) = &mut self.adviser {
                        let stylesheet = reader.stylesheet().and_then(advice::of_stylesheet);
                        let advice = adviser.end().into_iter().chain(stylesheet);
                        findings.extend(self.settings.of_advice(advice));
                    }
                    is_end = true;
                }
                // The reader is lenient: an error is fatal, or one that asking again won't mend.
                Err(error) => {
                    around.fail(&error);
                    if around.is_guess && is_something_else(&error) {
                        return Ok(false);
                    }
                    self.unreadable += 1;
                    findings.push(Finding::error(&error, reader.format()));
                    is_end = true;
                }
            }
            if !is_end {
                let raw = reader.raw();
                if let Some(loc) = raw.loc() {
                    about_entry(&mut findings, raw.position(), loc);
                }
            }
            if let (Some((position, before)), true) = (broken, is_end) {
                let entries = entries_of(reader.summary());
                findings.extend(self.not_well_formed(position, before, entries));
            }
            findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
            for finding in &findings {
                self.report.finding(name, finding)?;
            }
            if is_end {
                return Ok(true);
            }
        }
    }

    /// A list of pages as JSON Lines, CSV or TSV. An error is one of the output's.
    fn rows(
        &mut self,
        format: RowFormat,
        reader: Box<dyn Read>,
        name: &str,
        location: Option<&Url>,
        messages: &Messages,
    ) -> anyhow::Result<()> {
        self.files += 1;
        let mut entries = 0;
        let opened = Rows::new(format, BufReader::new(reader), location);
        let mut rows = match opened.map_err(|error| error.context(format!("{name}:1"))) {
            Ok(rows) => rows,
            Err(error) => {
                self.unreadable += 1;
                let finding = Finding::unopened(&format!("{name}:1"), &error);
                return self.report.finding(name, &finding);
            }
        };
        loop {
            let row = match rows.next_noting(name, messages) {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(_) if interrupt::is_requested() => return Ok(()),
                Err(error) => {
                    self.unreadable += 1;
                    let finding = Finding::unopened(name, &error);
                    return self.report.finding(name, &finding);
                }
            };
            if interrupt::is_requested() {
                return Ok(());
            }
            entries += 1;
            progress::entry();
            let (byte, line) = (row.byte, row.line);
            let span = || SourceSpan::of_row(byte, line, entries);
            let line = || first_line(&rows.line());
            let verdicts = &self.settings.verdicts;
            if let Some(observer) = self.report.observer() {
                let entry = row.entry.as_ref().ok();
                let text = EntryText {
                    position: span().map(|span| span.position),
                    loc: entry.map_or(0, |entry| entry.loc().as_str().len()),
                };
                observer.entry(entry, text)?;
            }
            match row.entry {
                Ok(entry) => {
                    self.entries += 1;
                    self.found_in_list(&entry);
                    let Some(span) = span() else {
                        continue;
                    };
                    let source = EntrySource::Row { span, line: &line };
                    let mut findings = self.hreflang(&entry, source);
                    if let Some(adviser) = &mut self.adviser {
                        adviser.is_of_kind(FileKind::Text);
                        let advice = adviser.judge(&entry, source);
                        findings.extend(self.settings.of_advice(advice));
                    }
                    about_entry(&mut findings, span.position, entry.loc().as_str());
                    for finding in &findings {
                        self.report.finding(name, finding)?;
                    }
                }
                Err(refused) => {
                    let severity = match refused.rule {
                        Some(rule) => verdicts.of_skipped(rule),
                        None => verdicts.of(INVALID_ROW),
                    };
                    if let Some(severity) = severity {
                        let rule = refused.rule.map_or(INVALID_ROW, Rule::name);
                        let finding = Finding {
                            position: span().map(|span| span.position),
                            line: Some(line()),
                            effect: Some(Effect::EntrySkipped),
                            ..Finding::new(rule, severity, &refused.why)
                        };
                        self.report.finding(name, &finding)?;
                    }
                }
            }
        }
        let advice = self.adviser.as_mut().and_then(Adviser::end);
        let advice = self.settings.of_advice(advice);
        for finding in self.empty(entries, false).into_iter().chain(advice) {
            self.report.finding(name, &finding)?;
        }
        Ok(())
    }

    /// Findings about an entry in addition to the issues of the library.
    fn listed(
        &mut self,
        name: &str,
        entry: &Entry,
        source: EntrySource<'_>,
        around: &Around<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let loc = entry.loc();
        if let (Some(folders), Entry::Sitemap(part)) = (&around.folders, entry) {
            findings.extend(self.part(name, folders, &part.loc, source));
        }
        let mut found = Vec::new();
        if let (Some(is_elsewhere), Entry::Sitemap(_)) = (around.is_elsewhere, entry)
            && is_elsewhere(loc)
        {
            // The first cause, reported once.
            findings.retain(|finding| finding.rule != Rule::OutsideLocation.name());
            let text = "is on a host that is not trusted, so it is not read";
            found.push((PART_ELSEWHERE, text.to_owned()));
            if let Some(observer) = self.report.observer() {
                let reason = "on a host that is not trusted";
                let loc = without_logins(loc.as_str());
                observer.absent(&loc, Some(name), Absence::LeftOut, reason);
            }
        }
        if let Some(robot) = around.forbidden.and_then(|forbidden| forbidden(loc)) {
            found.push((
                DISALLOWED,
                format!("is forbidden by robots.txt for `{robot}`"),
            ));
        }
        if let Some(location) = &around.location
            && (location.scheme(), loc.scheme()) == ("https", "http")
            && location.host_str() == loc.host_str()
        {
            // The scheme of the sitemap is that of its location.
            findings.retain(|finding| finding.rule != Rule::OutsideLocation.name());
            found.push((
                HTTP_ON_HTTPS,
                "is http, but the sitemap is at an https URL".to_owned(),
            ));
        }
        for (rule, text) in found {
            if let Some(severity) = self.settings.verdicts.of(rule) {
                let message = format!("`{}` {text}", clipped(loc.as_str()));
                let advice = source.advice_on("loc", rule, message);
                findings.push(Finding::advice(advice, severity));
            }
        }
    }

    /// Checks that the part that an index names exists.
    fn part(
        &mut self,
        index: &str,
        folders: &[Rc<Listing>; 2],
        part: &Url,
        source: EntrySource<'_>,
    ) -> Option<Finding> {
        let [beside, root] = folders;
        if is_feed_of_a_service(part) {
            return None;
        }
        let why = match parts::find(&[beside, root], part) {
            None => "there is no file with that name in the folder",
            Some(file) => {
                let file = fs::canonicalize(&file).unwrap_or(file);
                if let Some(observer) = self.report.observer() {
                    observer.lists(self.copies.get(&file).unwrap_or(&file));
                }
                match self.parts.claim(file, Some(part)) {
                    Claim::New | Claim::Known => return None,
                    Claim::Taken => "the only file with that name is another part",
                }
            }
        };
        if let Some(observer) = self.report.observer() {
            let part = without_logins(part.as_str());
            observer.absent(&part, Some(index), Absence::Unreadable, why);
        }
        let severity = self.settings.verdicts.of(MISSING_PART)?;
        let part = clipped(part.as_str());
        let message = format!("the part `{part}` is missing: {why}");
        let advice = source.advice_on("loc", MISSING_PART, message);
        Some(Finding::advice(advice, severity))
    }

    fn empty(&self, entries: u64, is_index: bool) -> Option<Finding> {
        let (rule, message) = if is_index {
            (EMPTY_INDEX, "the index lists no sitemap")
        } else {
            (EMPTY_SITEMAP, "the sitemap has no entries")
        };
        let severity = self.settings.verdicts.of(rule)?;
        (entries == 0).then(|| Finding::new(rule, severity, message))
    }

    /// The cost of a document that is not well-formed: the entries after the first place where it is not.
    fn not_well_formed(&self, position: Position, before: u64, entries: u64) -> Option<Finding> {
        let behind = match entries - before.min(entries) {
            0 => "no entry stands behind it".to_owned(),
            behind => {
                let stand = if behind == 1 { "stands" } else { "stand" };
                let entries = Count(entries, "entry");
                format!("{} of {entries} {stand} behind it", Grouped(behind))
            }
        };
        let line = Grouped(position.line());
        let message = format!("not well-formed XML: a parser stops at line {line}; {behind}");
        let severity = self.settings.verdicts.of(NOT_WELL_FORMED)?;
        Some(Finding {
            position: Some(position),
            not_well_formed: true,
            ..Finding::new(NOT_WELL_FORMED, severity, &message)
        })
    }

    /// The first placeholder of a template in what was found.
    fn template(&self, issues: &[Issue]) -> Option<Finding> {
        let is_placeholder = |text: &str| text.starts_with("{{") || text.starts_with("{%");
        let issue = issues
            .iter()
            .find(|issue| is_placeholder(issue.violation.found()))?;
        let severity = self.settings.verdicts.of(TEMPLATE)?;
        let message = format!(
            "this is a template, not a sitemap: `{}`",
            issue.violation.found()
        );
        Some(Finding {
            position: Some(issue.position),
            ..Finding::new(TEMPLATE, severity, &message)
        })
    }

    /// Keeps the links of a page, and judges their codes.
    fn hreflang(&mut self, entry: &Entry, source: EntrySource<'_>) -> Vec<Finding> {
        let Entry::Url(page) = entry else {
            return Vec::new();
        };
        if let Some(links) = &mut self.links {
            let file = self.read.len().saturating_sub(1);
            links.add(page, file, || source.span("link"));
        }
        if page.alternates.is_empty() {
            return Vec::new();
        }
        let advice = advice::unknown_codes(page, source);
        self.settings.of_advice(advice).collect()
    }

    fn of_issue(&self, issue: &Issue) -> Option<Finding> {
        let severity = self.settings.verdicts.of_issue(issue)?;
        Some(Finding::issue(issue, severity))
    }

    fn found_in_list(&mut self, entry: &Entry) {
        if let (Some(list), Entry::Url(page)) = (&mut self.must_list, entry) {
            list.found(&page.loc);
        }
    }

    /// The URLs that are not listed, which is known when all files have been read.
    fn missing_pages(&mut self) -> anyhow::Result<()> {
        let severity = self.settings.verdicts.of(MISSING_PAGE);
        let (Some(list), Some(severity)) = (self.must_list.take(), severity) else {
            return Ok(());
        };
        for finding in list.missing(MISSING_PAGE, severity) {
            self.report.finding(&list.name, &finding)?;
        }
        self.report.end_file(&list.name)
    }

    /// Findings that need all files.
    pub(super) fn end(&mut self, messages: &Messages) -> anyhow::Result<()> {
        self.unreturned()?;
        if !interrupt::is_requested() {
            self.missing_pages()?;
        }
        if self.files == 0 && self.unreadable == 0 && !interrupt::is_requested() {
            self.unreadable += 1;
            messages.error(format_args!(
                "there are no sitemaps; {} ignored",
                Count(self.no_sitemaps, "file")
            ));
        }
        Ok(())
    }

    /// Returns the status for the sitemaps read so far.
    pub(super) fn status(&self) -> Status {
        let [_, _, errors] = self.report.counts();
        // An input that is known to be unreadable is not a reason to fail.
        match (
            self.unreadable.saturating_sub(self.report.known_ends()),
            errors,
        ) {
            (1.., _) => Status::Failure,
            (0, 0) if !self.has_more => Status::Success,
            (0, _) => Status::Findings,
        }
    }

    /// `is_verbose`: the findings of the baseline that are fixed are named.
    pub(super) fn finish(
        mut self,
        is_verbose: bool,
        messages: &Messages,
    ) -> anyhow::Result<Status> {
        self.end(messages)?;
        let known = self.known(is_verbose, messages)?;
        let [advice, warnings, errors] = self.report.counts();
        let status = if interrupt::is_requested() {
            Status::Interrupted
        } else {
            self.status()
        };
        let found: Vec<String> = [
            Count(errors, "error"),
            Count(warnings, "warning"),
            Count(advice, "piece of advice"),
        ]
        .iter()
        .filter(|quantity| quantity.0 > 0)
        .map(ToString::to_string)
        .collect();
        let totals = Totals {
            sitemaps: self.files,
            entries: self.entries,
            found: match found.is_empty() {
                true if status != Status::Success => "not everything could be read".to_owned(),
                true if known.is_some() => "no new problems found".to_owned(),
                true => "no problems found".to_owned(),
                false => found.join(", "),
            } + &known.unwrap_or_default(),
        };
        self.report.end(status, self.settings.summary, &totals)?;
        if self.settings.format == Format::Github
            && let Err(error) = self.report.summary().append_to_step(&totals)
        {
            messages.warning(format_args!("the summary cannot be appended: {error:#}"));
        }
        let is_for_people = matches!(self.settings.format, Format::Text | Format::Short);
        if is_for_people && self.files > 0 {
            let files = Count(totals.sitemaps, "sitemap");
            let entries = Count(totals.entries, "entry");
            let found = totals.found;
            let others = match self.no_sitemaps {
                0 => String::new(),
                n => format!(" ({} ignored)", Count(n, "other file")),
            };
            messages.note(format_args!("{files}, {entries}: {found}{others}"));
        }
        interrupt::check()?;
        Ok(status)
    }

    /// Numbers of the baseline, as the totals name them.
    fn known(&mut self, is_verbose: bool, messages: &Messages) -> anyhow::Result<Option<String>> {
        let is_whole = !self.has_more && !interrupt::is_requested();
        let Some(baseline) = self.report.baseline() else {
            return Ok(None);
        };
        let gone = baseline.gone(is_whole, &mut |fixed| {
            if is_verbose {
                messages.note(format_args!("fixed: {fixed}"));
            }
        })?;
        Ok(Some(format!("; {}", baseline.counted(gone))))
    }

    /// The hreflang links that are not returned, which is known when all files have been read.
    fn unreturned(&mut self) -> anyhow::Result<()> {
        let Some(links) = self.links.take() else {
            return Ok(());
        };
        let severity = self.settings.verdicts.of(WITHOUT_RETURN);
        let mut current: Option<(usize, Option<Reopened>)> = None;
        self.languages = links.finish(|link| {
            let (Some(severity), Some(file)) = (severity, self.read.get(link.file)) else {
                return Ok(());
            };
            let before = current.as_ref().map(|(before, _)| *before);
            if before != Some(link.file) {
                if let Some(before) = before.and_then(|before| self.read.get(before)) {
                    self.report.end_file(&before.name)?;
                }
                let wanted = file
                    .path
                    .as_deref()
                    .filter(|_| self.report.wants_excerpts());
                let reopened = wanted.and_then(|path| Reopened::open(path, file.is_list));
                current = Some((link.file, reopened));
            }
            let mut line = None;
            if let Some((_, Some(reopened))) = &mut current {
                line = reopened.line(link.span);
            }
            let finding = Finding {
                position: Some(link.span.position),
                line,
                ..Finding::new(WITHOUT_RETURN, severity, &link.message()).on_page(&link.page)
            };
            self.report.finding(&file.name, &finding)
        })?;
        match current.and_then(|(before, _)| self.read.get(before)) {
            Some(before) => self.report.end_file(&before.name),
            None => Ok(()),
        }
    }
}

/// Names the entry in the findings that are about it; the others are about the markup before it.
fn about_entry(findings: &mut [Finding], start: Position, loc: &str) {
    for finding in findings {
        if finding.position.is_some_and(|at| at.byte() >= start.byte()) {
            *finding = finding.clone().on_page(loc);
        }
    }
}

/// Blog services list their feeds, page by page, as the parts of an index: `/atom.xml?redirect=false&start-index=1`.
fn is_feed_of_a_service(part: &Url) -> bool {
    let is_feed = ["/atom.xml", "/rss.xml", "/feeds/posts/default"].contains(&part.path());
    is_feed
        && part
            .query_pairs()
            .any(|(name, value)| name == "redirect" && value == "false")
}

fn entries_of(summary: &quick_sitemap::Summary) -> u64 {
    summary.entries + summary.skipped
}

/// A sitemap that was read.
struct FileRead {
    name: String,
    /// The path from which it can be read again, if it is a regular file.
    path: Option<PathBuf>,
    /// It is a list of pages.
    is_list: bool,
}

type Forbidden<'f> = dyn Fn(&Url) -> Option<String> + 'f;

/// Properties of a document other than its content.
struct Around<'a> {
    /// The name of the index that lists it, if that is known.
    parent: Option<&'a str>,
    /// Its name does not contain `sitemap`.
    is_guess: bool,
    /// It was found in a folder, so it is not a list of pages.
    is_found: bool,
    /// The folder that must contain the parts of an index, if the index was found in a folder.
    folders: Option<[Rc<Listing>; 2]>,
    location: Option<Url>,
    /// That of a file.
    path: Option<&'a Path>,
    /// Returns `true` if a part is left out because it is on a host that is not trusted.
    is_elsewhere: Option<&'a dyn Fn(&Url) -> bool>,
    /// The robot that robots.txt forbids a URL to.
    forbidden: Option<&'a Forbidden<'a>>,
    /// Why robots.txt, which may allow the sitemap to list all pages of its host, could not be read.
    robots_failure: Option<&'a str>,
    /// Follows what a document lists, if it is one of a crawl.
    #[cfg(feature = "full")]
    crawl: Option<&'a std::cell::RefCell<Receiver>>,
}

#[cfg(feature = "full")]
impl Around<'_> {
    /// Passes an entry to the crawl. Returns `false` if the crawl needs no more.
    fn add(&self, entry: &Entry) -> bool {
        self.crawl
            .is_none_or(|receiver| receiver.borrow_mut().add(entry))
    }

    fn end(&self, summary: &quick_sitemap::Summary) {
        if let Some(receiver) = self.crawl {
            receiver.borrow_mut().finish_with(Ok(summary));
        }
    }

    fn fail(&self, error: &Error) {
        if let Some(receiver) = self.crawl {
            receiver.borrow_mut().finish_with(Err(error));
        }
    }
}

/// For a document outside of a crawl.
#[cfg(not(feature = "full"))]
#[expect(clippy::unused_self, reason = "as where there is a crawl")]
impl Around<'_> {
    fn add(&self, _: &Entry) -> bool {
        true
    }

    fn end(&self, _: &quick_sitemap::Summary) {}

    fn fail(&self, _: &Error) {}
}

impl Around<'_> {
    fn named_gzipped(&self, name: &str) -> bool {
        let path = match (&self.path, &self.location) {
            (Some(_), _) => name,
            (None, Some(location)) => location.path(),
            (None, None) => return false,
        };
        path.to_ascii_lowercase().ends_with(".gz")
    }
}

/// Reports the number of bytes of a list that have been read.
struct Counted(Box<dyn Read>, Rc<Cell<u64>>);

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let Self(input, count) = self;
        let read = input.read(bytes)?;
        count.set(count.get() + read as u64);
        Ok(read)
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The first two bytes, and all of them.
fn peeked(mut bytes: Box<dyn Read>) -> (Vec<u8>, Box<dyn Read>) {
    let mut head = Vec::new();
    let read = bytes
        .by_ref()
        .take(GZIP.len() as u64)
        .read_to_end(&mut head);
    let start = std::io::Cursor::new(head.clone());
    match read {
        Ok(_) => (head, Box::new(start.chain(bytes))),
        // Every read reports its bytes.
        Err(error) => (
            head,
            Box::new(start.chain(Failing(Some(error))).chain(bytes)),
        ),
    }
}

/// Returns an error once.
struct Failing(Option<std::io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn is_something_else(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnknownRoot(_) | ErrorKind::NotASitemap(_)
    )
}
