//! The entries of one document, judged.

use std::fs;
use std::ops::ControlFlow;
use std::rc::Rc;

use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Entry, Error, ErrorKind, Format, Issue, Rule};

use super::strict::Strict;
use super::{Checker, Context};
use crate::findings::sink::{Absence, End};
use crate::judge::advice;
use crate::judge::duplicates::FileKind;
use crate::judge::entry_source::EntrySource;
use crate::judge::finding::Finding;
use crate::judge::verdicts::{
    DISALLOWED, EMPTY_INDEX, EMPTY_SITEMAP, HTTP_ON_HTTPS, INVALID_ROW, MISSING_PART, NOT_GZIP,
    NOT_WELL_FORMED, PART_ELSEWHERE, TEMPLATE, severity,
};
use crate::judge::wellformed::StrictReader;
use crate::source::folder::is_feed;
use crate::source::folder::parts::{self, Claim, Listing};
use crate::source::span::SourceSpan;
use crate::source::walk::{self, Content, Document, Item, Origin, Outcome, Sink, Unusable, walk};
use crate::term::address::without_logins;
use crate::term::clipped::clipped;
use crate::term::messages::Severity;

impl Checker<'_> {
    /// Returns the format of the sitemap, if it is one.
    pub(super) fn document(
        &mut self,
        mut document: Document<'_>,
        context: &Context<'_>,
    ) -> anyhow::Result<Option<Format>> {
        let name = document.name;
        document.builder = document.builder.excerpts(self.sink.wants_excerpts());
        let strict = self.settings.verdicts.of(NOT_WELL_FORMED).map(|_| {
            let (reader, builder) = StrictReader::beside(document.builder.clone());
            document.builder = builder;
            Strict::new(reader)
        });
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
            strict,
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
    /// The verdict on the document as XML, if it is reported.
    strict: Option<Strict>,
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
        if let Entry::Url(page) = entry {
            if let Some(links) = &mut self.checker.links {
                let file = self.checker.read.len().saturating_sub(1);
                links.add(page, file, || source.span("link"));
            }
            findings.extend(advice::unknown_codes(page, source));
        }
        if let Some(adviser) = &mut self.checker.adviser {
            adviser.judge(entry, source, findings);
        }
    }

    /// The findings of the library's issues.
    fn issues(&mut self, issues: &[Issue]) -> Vec<Finding> {
        if issues.is_empty() {
            return Vec::new();
        }
        let template = issues.iter().filter(|_| !self.is_template);
        let template = template.filter_map(template_finding).next();
        self.is_template |= template.is_some();
        let of_issues = issues.iter().map(|issue| {
            let mut finding = Finding::issue(issue, severity(issue));
            if let Some(why) = self.context.robots_failure
                && issue.rule() == Rule::OutsideLocation
            {
                let but = format!(" (robots.txt, which may allow it, cannot be read: {why})");
                finding.message.push_str(&but);
            }
            finding
        });
        template.into_iter().chain(of_issues).collect()
    }

    /// Passes the findings of one item on, in the order of their places.
    fn report(&mut self, mut findings: Vec<Finding>) -> anyhow::Result<()> {
        if let Some(strict) = &mut self.strict {
            findings.retain(|finding| !strict.takes(finding));
        }
        findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
        for finding in findings {
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
        let on_loc = |rule, text: &str| {
            let message = format!("`{}` {text}", clipped(loc.as_str()));
            source.finding_on("loc", rule, &message)
        };
        if let (Some(is_elsewhere), Entry::Sitemap(_)) = (self.context.is_elsewhere, entry)
            && is_elsewhere(loc)
        {
            // The host is the reason, and is reported once.
            findings.retain(|finding| finding.rule != Rule::OutsideLocation.name());
            let text = "is on a host that is not trusted, so it is not read";
            findings.push(on_loc(PART_ELSEWHERE, text));
            let reason = "on a host that is not trusted";
            let loc = without_logins(loc.as_str());
            self.checker.sink.absent(&loc, Absence::LeftOut, reason);
        }
        if let Some(robot) = self.context.forbidden.and_then(|forbidden| forbidden(loc)) {
            let text = format!("is forbidden by robots.txt for `{robot}`");
            findings.push(on_loc(DISALLOWED, &text));
        }
        if let Some(location) = &self.context.location
            && (location.scheme(), loc.scheme()) == ("https", "http")
            && location.host_str() == loc.host_str()
        {
            // The scheme of the sitemap is that of its location.
            findings.retain(|finding| finding.rule != Rule::OutsideLocation.name());
            let text = "is http, but the sitemap is at an https URL";
            findings.push(on_loc(HTTP_ON_HTTPS, text));
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
                let is_other = self.checker.others.contains(&file);
                match self.checker.parts.claim(file, Some(part)) {
                    Claim::New | Claim::Known if is_other => {
                        "the file with that name is no sitemap"
                    }
                    Claim::New | Claim::Known => return None,
                    Claim::Taken => "the only file with that name is another part",
                }
            }
        };
        let shown = without_logins(part.as_str());
        self.checker.sink.absent(&shown, Absence::Unreadable, why);
        let part = clipped(part.as_str());
        let message = format!("the part `{part}` is missing: {why}");
        Some(source.finding_on("loc", MISSING_PART, &message))
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
        let mut findings = self.issues(item.issues);
        match &item.entry {
            Ok(entry) => self.entry(entry, source, &mut findings),
            // A row that is not an entry, or whose entry a writer would reject.
            Err(Unusable::Refused(refused)) => {
                let rule = refused.rule.map_or(INVALID_ROW, Rule::name);
                findings.push(Finding {
                    severity: Severity::Error,
                    effect: Some(Effect::EntrySkipped),
                    ..source.finding_on("loc", rule, &refused.why)
                });
            }
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
            let about_entry = |finding: Finding| finding.about_entry(start, loc);
            findings = findings.into_iter().map(about_entry).collect();
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
            let finding = Finding::new(NOT_GZIP, message);
            self.checker.finding(self.name, finding)?;
        }
        let is_list = self.is_list();
        let checked = &mut self.checker.checked;
        checked.files += u64::from(format.is_some() || is_list);
        checked.no_sitemaps += u64::from(!is_sitemap);
        checked.entries += end.entries;
        self.checker.sink.end(End {
            format: match format.filter(|_| is_sitemap) {
                _ if is_list => Some("list"),
                Some(Format::Index) => Some("index"),
                format => format.map(Format::as_str),
            },
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
        let mut findings = self.issues(end.issues);
        let entries = end.entries + end.skipped;
        match &end.outcome {
            Outcome::Stopped => return Ok(()),
            Outcome::Whole => {
                // A section of a site that has no news yet has a feed all the same.
                if entries == 0 && !is_feed(self.format()) {
                    findings.push(if self.format() == Some(Format::Index) {
                        Finding::new(EMPTY_INDEX, "the index lists no sitemap")
                    } else {
                        Finding::new(EMPTY_SITEMAP, "the sitemap has no entries")
                    });
                }
                if let Some(adviser) = &mut self.checker.adviser {
                    findings.extend(adviser.end());
                    findings.extend(end.stylesheet.and_then(advice::of_stylesheet));
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
        self.report(findings)?;
        self.not_well_formed(end, entries)
    }

    /// The finding of the strict reader, which comes last.
    fn not_well_formed(&mut self, end: &walk::End<'_>, entries: u64) -> anyhow::Result<()> {
        let strict = self.strict.take();
        let is_xml = !matches!(self.format(), None | Some(Format::Text));
        let Some(strict) = strict.filter(|_| is_xml) else {
            return Ok(());
        };
        match strict.finish(&end.outcome, entries) {
            Ok(Some(finding)) => self.checker.finding(self.name, finding),
            Ok(None) => Ok(()),
            Err(why) => {
                self.checker.messages.warning(format_args!(
                    "{} was not checked to its end for well-formed XML: {why}",
                    self.name
                ));
                Ok(())
            }
        }
    }
}

/// The finding about the placeholder of a template, if the issue is about one.
fn template_finding(issue: &Issue) -> Option<Finding> {
    let found = issue.violation.found();
    (found.starts_with("{{") || found.starts_with("{%")).then(|| Finding {
        position: Some(issue.position),
        ..Finding::new(
            TEMPLATE,
            &format!("this is a template, not a sitemap: `{found}`"),
        )
    })
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
