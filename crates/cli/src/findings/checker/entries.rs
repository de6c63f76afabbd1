//! The entries of one document, judged.

use quick_sitemap::{Effect, Entry, Error, ErrorKind, Format, Issue, Rule};

use super::{Checker, Current, nested};
use crate::findings::sink::{End, Read};
use crate::judge::advice;
use crate::judge::duplicates::FileKind;
use crate::judge::entry_source::EntrySource;
use crate::judge::finding::Finding;
use crate::judge::page_key::page_key;
use crate::judge::rules::{self, rule};
use crate::judge::verdicts::severity;
use crate::source::folder::is_feed;
use crate::source::not_read::Why;
use crate::source::sink::About;
use crate::source::span::SourceSpan;
use crate::source::walk::{self, Content, Item, Origin, Outcome, Unusable};
use crate::term::clipped::clipped;
use crate::term::messages::Severity;

/// The entries of the document that is being read.
pub(super) struct Entries<'e, 'a> {
    checker: &'e mut Checker<'a>,
    about: &'e About<'e>,
}

impl<'a> Checker<'a> {
    pub(super) fn entries<'e>(&'e mut self, about: &'e About<'e>) -> Entries<'e, 'a> {
        Entries {
            checker: self,
            about,
        }
    }
}

impl Entries<'_, '_> {
    /// The format of the sitemap, if it is one.
    fn format(&self) -> Option<Format> {
        match self.checker.current.content {
            Some(Content::Sitemap(format)) => format,
            Some(Content::List(_)) | None => None,
        }
    }

    fn is_list(&self) -> bool {
        matches!(self.checker.current.content, Some(Content::List(_)))
    }

    fn kind(&self) -> FileKind {
        match self.checker.current.content {
            _ if is_feed(self.format()) => FileKind::Feed,
            Some(Content::List(_) | Content::Sitemap(Some(Format::Text))) => FileKind::Text,
            _ => FileKind::Sitemap,
        }
    }

    /// Judges an entry. The findings so far are those of its issues.
    fn entry(
        &mut self,
        entry: &Entry,
        source: EntrySource<'_>,
        not_read: Option<&(Why, String)>,
        is_nested: bool,
        findings: &mut Vec<Finding>,
    ) {
        if let (Some(list), Entry::Url(page)) = (&mut self.checker.must_list, entry) {
            list.found(&page.loc);
        }
        // The entries of a list are not at the URL of the list.
        if !self.is_list() {
            self.listed(entry, source, not_read, findings);
        }
        let is_itself = self.is_itself(entry);
        if matches!(entry, Entry::Sitemap(_)) && (is_nested || is_itself) {
            let loc = entry.loc().as_str();
            let message = if is_itself {
                format!("the index lists itself, `{}`", clipped(loc))
            } else {
                nested(loc).message
            };
            findings.push(source.finding_on("loc", rule!("nested-index"), &message));
        }
        let mut problems = Vec::new();
        let is_local = self.checker.current.is_local;
        let page = advice::page_of(entry);
        let urls = &mut self.checker.urls;
        urls.judge(entry.loc(), page, is_local, &mut problems);
        if problems.iter().any(|problem| problem.element == "loc") {
            // The host is the reason, and is reported once.
            let is_other = |finding: &Finding| finding.rule != rule!("outside-location");
            findings.retain(is_other);
        }
        findings.extend(problems.iter().map(|problem| source.problem(problem)));
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

    /// Returns `true` if an index lists itself.
    fn is_itself(&self, entry: &Entry) -> bool {
        let is_index = self.format() == Some(Format::Index);
        let location = self.about.location.filter(|_| is_index);
        location.is_some_and(|own| page_key(own) == page_key(entry.loc()))
    }

    /// The findings of the library's issues.
    fn issues(&mut self, issues: &[Issue]) -> Vec<Finding> {
        if issues.is_empty() {
            return Vec::new();
        }
        let is_conflict = |issue: &Issue| issue.rule() == Rule::EncodingConflict;
        self.checker.current.has_conflict |= issues.iter().any(is_conflict);
        let is_known = self.checker.current.is_template;
        let template = issues.iter().filter(|_| !is_known);
        let template = template.filter_map(template_finding).next();
        self.checker.current.is_template |= template.is_some();
        let of_issues = issues.iter().map(|issue| {
            let mut finding = Finding::issue(issue, severity(issue));
            if let Some(why) = self.about.robots_failure
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
        if let Some(strict) = &mut self.checker.current.strict {
            findings.retain(|finding| !strict.takes(finding));
        }
        findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
        for finding in findings {
            self.checker.finding(self.about.name, finding)?;
        }
        Ok(())
    }

    fn named_gzipped(&self) -> bool {
        let path = match self.about.location {
            _ if self.about.path.is_some() => self.about.name,
            Some(location) => location.path(),
            None => return false,
        };
        path.to_ascii_lowercase().ends_with(".gz")
    }

    /// Judges what the library does not: where the entry leads, and whether a crawler may follow it.
    fn listed(
        &mut self,
        entry: &Entry,
        source: EntrySource<'_>,
        not_read: Option<&(Why, String)>,
        findings: &mut Vec<Finding>,
    ) {
        let loc = entry.loc();
        let on_loc = |rule, text: &str| {
            let message = format!("`{}` {text}", clipped(loc.as_str()));
            source.finding_on("loc", rule, &message)
        };
        match not_read {
            Some((Why::OtherHost, _)) => {
                // The host is the reason, and is reported once.
                findings.retain(|finding| finding.rule != rule!("outside-location"));
                let text = "is on a host that is not trusted, so it is not read";
                findings.push(on_loc(rule!("part-elsewhere"), text));
            }
            Some((why, reason)) if why.is_failure() => {
                let message = format!("the part `{}` is missing: {reason}", clipped(loc.as_str()));
                findings.push(source.finding_on("loc", rule!("missing-part"), &message));
            }
            _ => {}
        }
        if let Some(robot) = self.about.robots.and_then(|forbids| forbids(loc)) {
            let text = format!("is forbidden by robots.txt for `{robot}`");
            let rule = match entry {
                Entry::Url(_) => rule!("disallowed"),
                Entry::Sitemap(_) => rule!("disallowed-sitemap"),
            };
            findings.push(on_loc(rule, &text));
        }
        if let Some(location) = self.about.location
            && (location.scheme(), loc.scheme()) == ("https", "http")
            && location.host_str() == loc.host_str()
        {
            // The scheme of the sitemap is that of its location.
            findings.retain(|finding| finding.rule != rule!("outside-location"));
            let text = "is http, but the sitemap is at an https URL";
            findings.push(on_loc(rule!("http-listed-on-https"), text));
        }
    }
}

impl Entries<'_, '_> {
    pub(super) fn begin(&mut self, content: Content) {
        self.checker.current.content = Some(content);
        let kind = self.kind();
        if let Some(adviser) = &mut self.checker.adviser {
            adviser.is_of_kind(kind);
        }
        self.checker.read.push(self.about.name.to_owned());
    }

    pub(super) fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<()> {
        self.checker.current.entries += u64::from(item.entry.is_ok());
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
                None => return Ok(()),
            },
        };
        let entry = item.entry.as_ref().ok();
        self.checker.sink.entry(entry)?;
        let mut findings = self.issues(item.issues);
        match &item.entry {
            Ok(entry) => {
                let not_read = item.not_read.as_ref();
                self.entry(entry, source, not_read, item.is_nested, &mut findings);
            }
            // A row that is not an entry, or whose entry a writer would reject.
            Err(Unusable::Refused(refused)) => {
                let rule = refused.rule.map_or(rule!("invalid-row"), rules::of);
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
            return Ok(());
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
        self.report(findings)
    }

    pub(super) fn end(&mut self, end: &walk::End<'_>) -> anyhow::Result<()> {
        let format = self.format();
        let is_part = !self.about.is_input || format == Some(Format::Index);
        self.checker.is_partial |= !is_part || !matches!(end.outcome, Outcome::Whole);
        self.last(end)?;
        let is_named_so = self.named_gzipped();
        if format.is_some() && is_named_so && !end.is_gzipped {
            let message = "the name ends in .gz, but the content is not gzipped";
            let finding = Finding::new(rule!("not-gzip-but-named-so"), message);
            self.checker.finding(self.about.name, finding)?;
        }
        let is_list = self.is_list();
        let checked = &mut self.checker.checked;
        checked.files += u64::from(format.is_some() || is_list);
        checked.entries += self.checker.current.entries;
        self.checker.sink.end(End {
            format: match format {
                _ if is_list => Some("list"),
                Some(Format::Index) => Some("index"),
                format => format.map(Format::as_str),
            },
            bytes: end.bytes,
            fields: end.fields,
            read: match end.outcome {
                Outcome::Whole => Read::Whole,
                Outcome::Stopped | Outcome::Cut => Read::Cut,
                _ => Read::Failed,
            },
        });
        Ok(())
    }
}

impl Entries<'_, '_> {
    /// The findings at the end.
    fn last(&mut self, end: &walk::End<'_>) -> anyhow::Result<()> {
        if !matches!(end.outcome, Outcome::Stopped | Outcome::Cut) {
            self.checker.sink.entry(None)?;
        }
        let mut findings = self.issues(end.issues);
        match &end.outcome {
            Outcome::Stopped => return Ok(()),
            Outcome::Cut => {
                self.checker.checked.has_more = true;
                return Ok(());
            }
            Outcome::Whole => {
                // A section of a site that has no news yet has a feed all the same.
                if end.is_empty() && !is_feed(self.format()) {
                    findings.push(if self.format() == Some(Format::Index) {
                        Finding::new(rule!("empty-index"), walk::EMPTY_INDEX)
                    } else {
                        Finding::new(rule!("empty-sitemap"), "the sitemap has no entries")
                    });
                }
                if let Some(adviser) = &mut self.checker.adviser {
                    findings.extend(adviser.end());
                    findings.extend(end.stylesheet.and_then(advice::of_stylesheet));
                }
            }
            Outcome::Failed(error) => {
                self.checker.checked.unreadable += 1;
                // A page in place of a sitemap is one error.
                if matches!(error.kind(), ErrorKind::UnknownRoot(_)) {
                    findings.retain(|finding| finding.rule != rule!("doctype"));
                }
                findings.push(self.failed(error));
            }
            Outcome::Broken(error) => {
                self.checker.checked.unreadable += 1;
                let header = format!("{}:1", self.about.name);
                let is_header = error.to_string() == header;
                let name = if is_header { &header } else { self.about.name };
                findings.push(Finding::unopened(name, error));
            }
        }
        findings.extend(self.not_utf_8(end));
        self.report(findings)?;
        self.not_well_formed(end)
    }

    /// The error that ended the reading, with the URL that was requested.
    fn failed(&self, error: &Error) -> Finding {
        let mut finding = Finding::error(error, self.format());
        if let Some(listed) = self
            .about
            .listed
            .filter(|listed| *listed != self.about.name)
        {
            let from = format!("; `{}` redirects here", clipped(listed));
            finding.message.push_str(&from);
        }
        finding
    }

    fn not_utf_8(&self, end: &walk::End<'_>) -> Option<Finding> {
        let Current {
            strict,
            has_conflict,
            ..
        } = &self.checker.current;
        if self.format().is_none() || is_feed(self.format()) || *has_conflict {
            return None;
        }
        let charset = self.about.charset;
        let encoding = strict.as_ref()?.foreign_encoding(end.sure, charset)?;
        let message = format!("the document is in {encoding}, and a sitemap must be in UTF-8");
        Some(Finding::new(rule!("not-utf-8"), &message))
    }

    /// The finding of the strict reader, which comes last.
    fn not_well_formed(&mut self, end: &walk::End<'_>) -> anyhow::Result<()> {
        let strict = self.checker.current.strict.take();
        let is_xml = !matches!(self.format(), None | Some(Format::Text));
        let Some(strict) = strict.filter(|_| is_xml) else {
            return Ok(());
        };
        match strict.finish(&end.outcome, end.count()) {
            Ok(Some(finding)) => self.checker.finding(self.about.name, finding),
            Ok(None) => Ok(()),
            Err(why) => {
                self.checker.messages.warning(format_args!(
                    "{} was not checked to its end for well-formed XML: {why}",
                    self.about.name
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
            rule!("template"),
            &format!("this is a template, not a sitemap: `{found}`"),
        )
    })
}
