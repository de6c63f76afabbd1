//! The entries of one document, judged.

use std::fs;
use std::ops::ControlFlow;
use std::rc::Rc;

use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Entry, Error, ErrorKind, Format, Issue, Position, Rule};

use super::{Checker, Context};
use crate::findings::finding::Finding;
use crate::findings::sink::{Absence, End};
use crate::judge::advice;
use crate::judge::duplicates::FileKind;
use crate::judge::entry_source::EntrySource;
use crate::judge::verdicts::{
    DISALLOWED, EMPTY_INDEX, EMPTY_SITEMAP, HTTP_ON_HTTPS, INVALID_ROW, MISSING_PART, NOT_GZIP,
    NOT_WELL_FORMED, PART_ELSEWHERE, TEMPLATE,
};
use crate::rows::Refused;
use crate::source::folder::is_feed;
use crate::source::folder::parts::{self, Claim, Listing};
use crate::source::span::SourceSpan;
use crate::source::walk::{self, Content, Document, Item, Origin, Outcome, Sink, Unusable, walk};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};

impl Checker<'_> {
    /// Returns the format of the sitemap, if it is one.
    pub(super) fn document(
        &mut self,
        mut document: Document<'_>,
        context: &Context<'_>,
    ) -> anyhow::Result<Option<Format>> {
        let name = document.name;
        document.builder = document.builder.excerpts(self.sink.wants_excerpts());
        self.sink.begin(name);
        if let Some(adviser) = &mut self.adviser {
            adviser.begin(name);
        }
        let messages = self.messages;
        let is_file = document.path.is_some();
        let mut entries = Entries {
            checker: self,
            context,
            name,
            is_file,
            content: None,
            broken: None,
            is_template: false,
        };
        walk(document, messages, &mut entries)?;
        let format = entries.format();
        self.sink.end_findings(name)?;
        Ok(format)
    }
}

/// The sink of one document.
struct Entries<'e, 'a> {
    checker: &'e mut Checker<'a>,
    context: &'e Context<'e>,
    name: &'e str,
    is_file: bool,
    /// `None` if its beginning cannot be read.
    content: Option<Content>,
    /// The first place that is not well-formed, and the entries before it.
    broken: Option<(Position, u64)>,
    is_template: bool,
}

impl Entries<'_, '_> {
    /// The format of the sitemap, if it is one.
    fn format(&self) -> Option<Format> {
        match self.content {
            Some(Content::Sitemap(format)) => format,
            Some(Content::List(_)) | None => None,
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.content, Some(Content::List(_)))
    }

    fn kind(&self) -> FileKind {
        match self.content {
            _ if is_feed(self.format()) => FileKind::Feed,
            Some(Content::List(_) | Content::Sitemap(Some(Format::Text))) => FileKind::Text,
            _ => FileKind::Sitemap,
        }
    }

    /// Judges an entry. The findings so far are those of its issues.
    fn entry(&mut self, entry: &Entry, source: EntrySource<'_>, findings: &mut Vec<Finding>) {
        if let (Some(list), Entry::Url(page)) = (&mut self.checker.must_list, entry) {
            list.found(&page.loc);
        }
        // The entries of a list are not at the URL of the list.
        if !self.is_list() {
            self.listed(entry, source, findings);
        }
        findings.extend(self.hreflang(entry, source));
        if let Some(adviser) = &mut self.checker.adviser {
            let advice = adviser.judge(entry, source);
            findings.extend(self.checker.settings.of_advice(advice));
        }
    }

    /// The finding for a row that is not an entry, or whose entry a writer would reject.
    fn refused(&self, refused: &Refused, source: EntrySource<'_>) -> Option<Finding> {
        let verdicts = &self.checker.settings.verdicts;
        let severity = match refused.rule {
            Some(rule) => verdicts.of_skipped(rule),
            None => verdicts.of(INVALID_ROW),
        };
        let rule = refused.rule.map_or(INVALID_ROW, Rule::name);
        let EntrySource::Row { span, line } = source else {
            return None;
        };
        Some(Finding {
            position: Some(span.position),
            line: Some(line()),
            effect: Some(Effect::EntrySkipped),
            ..Finding::new(rule, severity?, &refused.why)
        })
    }

    /// The findings of the library's issues.
    fn issues(&mut self, issues: &[Issue], before: u64) -> Vec<Finding> {
        if issues.is_empty() {
            return Vec::new();
        }
        if self.broken.is_none() {
            let first = issues.iter().find(|issue| issue.violation.breaks_xml());
            self.broken = first.map(|issue| (issue.position, before));
        }
        let verdicts = &self.checker.settings.verdicts;
        let mut findings: Vec<Finding> = issues
            .iter()
            .filter_map(|issue| Some(Finding::issue(issue, verdicts.of_issue(issue)?)))
            .collect();
        if !self.is_template
            && let Some(finding) = self.template(issues)
        {
            self.is_template = true;
            findings.insert(0, finding);
        }
        if let Some(why) = self.context.robots_failure {
            let outside = Rule::OutsideLocation.name();
            for finding in findings
                .iter_mut()
                .filter(|finding| finding.rule == outside)
            {
                let but = format!(" (robots.txt, which may allow it, cannot be read: {why})");
                finding.message.push_str(&but);
            }
        }
        findings
    }

    /// The first placeholder of a template in what was found.
    fn template(&self, issues: &[Issue]) -> Option<Finding> {
        let is_placeholder = |text: &str| text.starts_with("{{") || text.starts_with("{%");
        let issue = issues
            .iter()
            .find(|issue| is_placeholder(issue.violation.found()))?;
        let severity = self.checker.settings.verdicts.of(TEMPLATE)?;
        let message = format!(
            "this is a template, not a sitemap: `{}`",
            issue.violation.found()
        );
        Some(Finding {
            position: Some(issue.position),
            ..Finding::new(TEMPLATE, severity, &message)
        })
    }

    /// Passes the findings of one item on, in the order of their places.
    fn report(&mut self, mut findings: Vec<Finding>) -> anyhow::Result<()> {
        findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
        for finding in &findings {
            self.checker.finding(self.name, finding)?;
        }
        Ok(())
    }

    fn named_gzipped(&self) -> bool {
        let path = match &self.context.location {
            _ if self.is_file => self.name,
            Some(location) => location.path(),
            None => return false,
        };
        path.to_ascii_lowercase().ends_with(".gz")
    }

    /// Judges what the library does not: where the entry leads, and whether a crawler may follow it.
    fn listed(&mut self, entry: &Entry, source: EntrySource<'_>, findings: &mut Vec<Finding>) {
        let loc = entry.loc();
        if let (Some(folders), Entry::Sitemap(part)) = (&self.context.folders, entry) {
            findings.extend(self.part(folders, &part.loc, source));
        }
        let mut found = Vec::new();
        if let (Some(is_elsewhere), Entry::Sitemap(_)) = (self.context.is_elsewhere, entry)
            && is_elsewhere(loc)
        {
            // The host is the reason, and is reported once.
            findings.retain(|finding| finding.rule != Rule::OutsideLocation.name());
            let text = "is on a host that is not trusted, so it is not read";
            found.push((PART_ELSEWHERE, text.to_owned()));
            let reason = "on a host that is not trusted";
            let loc = without_logins(loc.as_str());
            self.checker.sink.absent(&loc, Absence::LeftOut, reason);
        }
        if let Some(robot) = self.context.forbidden.and_then(|forbidden| forbidden(loc)) {
            found.push((
                DISALLOWED,
                format!("is forbidden by robots.txt for `{robot}`"),
            ));
        }
        if let Some(location) = &self.context.location
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
            if let Some(severity) = self.checker.settings.verdicts.of(rule) {
                let message = format!("`{}` {text}", clipped(loc.as_str()));
                let advice = source.advice_on("loc", rule, message);
                findings.push(Finding::advice(advice, severity));
            }
        }
    }

    /// A part of an index that is not in the folder.
    fn part(
        &mut self,
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
                match self.checker.parts.claim(file, Some(part)) {
                    Claim::New | Claim::Known => return None,
                    Claim::Taken => "the only file with that name is another part",
                }
            }
        };
        let shown = without_logins(part.as_str());
        self.checker.sink.absent(&shown, Absence::Unreadable, why);
        let severity = self.checker.settings.verdicts.of(MISSING_PART)?;
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
        let severity = self.checker.settings.verdicts.of(rule)?;
        (entries == 0).then(|| Finding::new(rule, severity, message))
    }

    /// The cost of a document that is not well-formed: the entries behind the first place where it is not.
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
        let severity = self.checker.settings.verdicts.of(NOT_WELL_FORMED)?;
        Some(Finding {
            position: Some(position),
            not_well_formed: true,
            ..Finding::new(NOT_WELL_FORMED, severity, &message)
        })
    }

    /// Keeps the links of a page, and judges their codes.
    fn hreflang(&mut self, entry: &Entry, source: EntrySource<'_>) -> Vec<Finding> {
        let Entry::Url(page) = entry else {
            return Vec::new();
        };
        if let Some(links) = &mut self.checker.links {
            let file = self.checker.read.len().saturating_sub(1);
            links.add(page, file, || source.span("link"));
        }
        if page.alternates.is_empty() {
            return Vec::new();
        }
        let advice = advice::unknown_codes(page, source);
        self.checker.settings.of_advice(advice).collect()
    }
}

impl Sink for Entries<'_, '_> {
    fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        self.content = Some(content);
        let kind = self.kind();
        if let Some(adviser) = &mut self.checker.adviser {
            adviser.is_of_kind(kind);
        }
        self.checker.read.push(self.name.to_owned());
        Ok(())
    }

    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let keeps_line = self.checker.sink.wants_excerpts();
        let source = match item.origin {
            Origin::Entry(raw) => EntrySource::Raw { raw, keeps_line },
            Origin::Row {
                line,
                byte,
                number,
                text,
            } => match SourceSpan::of_row(byte, line, number) {
                Some(span) => EntrySource::Row { span, line: text },
                None => return Ok(ControlFlow::Continue(())),
            },
        };
        let entry = item.entry.as_ref().ok();
        self.checker.sink.entry(entry)?;
        let mut findings = self.issues(item.issues, item.before);
        match &item.entry {
            Ok(entry) => self.entry(entry, source, &mut findings),
            Err(Unusable::Refused(refused)) => findings.extend(self.refused(refused, source)),
            Err(Unusable::Skipped) => {}
        }
        if findings.is_empty() {
            // Most entries: the place of an entry is not counted for nothing.
            return Ok(ControlFlow::Continue(()));
        }
        let about = match source {
            EntrySource::Raw { raw, .. } => raw.loc().map(|loc| (raw.position(), loc)),
            EntrySource::Row { span, .. } => {
                entry.map(|entry| (span.position, entry.loc().as_str()))
            }
        };
        if let Some((start, loc)) = about {
            let findings = &mut findings;
            *findings = findings
                .drain(..)
                .map(|finding| finding.about_entry(start, loc))
                .collect();
        }
        self.report(findings)?;
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, end: &walk::End<'_>) -> anyhow::Result<()> {
        let format = self.format();
        let is_sitemap = match &end.outcome {
            Outcome::Failed(error) => !self.context.is_guess || !is_something_else(error),
            _ => true,
        };
        if is_sitemap {
            self.last(end)?;
        }
        let is_named_so = self.named_gzipped();
        if is_sitemap && format.is_some() && is_named_so && !end.is_gzipped {
            let message = "the name ends in .gz, but the content is not gzipped";
            self.checker.unplaced(self.name, NOT_GZIP, message)?;
        }
        let is_list = self.is_list();
        let checked = &mut self.checker.checked;
        checked.files += u64::from(format.is_some() || is_list);
        checked.no_sitemaps += u64::from(!is_sitemap);
        checked.entries += end.entries;
        self.checker.sink.end(End {
            format: format.filter(|_| is_sitemap),
            is_list,
            is_something_else: !is_sitemap,
            bytes: end.bytes,
            is_whole: is_sitemap && matches!(end.outcome, Outcome::Whole | Outcome::Stopped),
        });
        Ok(())
    }
}

impl Entries<'_, '_> {
    /// The findings at the end.
    fn last(&mut self, end: &walk::End<'_>) -> anyhow::Result<()> {
        if !matches!(end.outcome, Outcome::Stopped) {
            self.checker.sink.entry(None)?;
        }
        let mut findings = self.issues(end.issues, end.before);
        match &end.outcome {
            Outcome::Stopped => return Ok(()),
            Outcome::Whole => {
                let is_index = self.format() == Some(Format::Index);
                // A section of a site that has no news yet has a feed all the same.
                if !is_feed(self.format()) {
                    findings.extend(self.empty(end.entries + end.skipped, is_index));
                }
                if let Some(adviser) = &mut self.checker.adviser {
                    let stylesheet = end.stylesheet.and_then(advice::of_stylesheet);
                    let advice = adviser.end().into_iter().chain(stylesheet);
                    findings.extend(self.checker.settings.of_advice(advice));
                }
            }
            Outcome::Failed(error) => {
                self.checker.checked.unreadable += 1;
                findings.push(Finding::error(error, self.format()));
            }
            Outcome::Broken(error) | Outcome::Unopened(error) => {
                self.checker.checked.unreadable += 1;
                let header = format!("{}:1", self.name);
                let is_header = error.to_string() == header;
                let name = if is_header { &header } else { self.name };
                findings.push(Finding::unopened(name, error));
            }
        }
        if let Some((position, before)) = self.broken {
            let entries = end.entries + end.skipped;
            findings.extend(self.not_well_formed(position, before, entries));
        }
        self.report(findings)
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

fn is_something_else(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::UnknownRoot(_) | ErrorKind::NotASitemap(_)
    )
}
