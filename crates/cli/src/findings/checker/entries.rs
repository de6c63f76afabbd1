//! The entries of one document, judged.

use std::cell::LazyCell;

use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Entry, Error, ErrorKind, Format, Issue, Rule, SitemapEntry};

use super::{Checker, nested, unread_part};
use crate::judge::advice;
use crate::judge::dates;
use crate::judge::duplicates::FileKind;
use crate::judge::entry_source::EntrySource;
use crate::judge::finding::Finding;
use crate::judge::page_key::page_key;
use crate::judge::rules::{self, rule};
use crate::judge::urls;
use crate::net::robots::{NotAsked, Wanted};
use crate::source::folder::is_feed;
use crate::source::not_read::Why;
use crate::source::sink::{About, Forbids};
use crate::source::span::SourceSpan;
use crate::source::walk::{self, Content, Item, Origin, Outcome, Unusable};
use crate::term::clipped::clipped;
use crate::term::messages::Severity;

/// Beginnings of placeholders of Jinja, Hugo, Liquid, JSP and SPIP.
const PLACEHOLDERS: [&str; 5] = ["{{", "{%", "${", "[(#", "(#URL"];

impl Checker<'_> {
    pub(super) fn judge_item(&mut self, about: &About<'_>, item: &Item<'_>) -> anyhow::Result<()> {
        let keeps_line = self.sink.wants_excerpts();
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
        self.current.entries += u64::from(entry.is_some());
        self.sink.entry(entry)?;
        let mut findings = self.issues(item.issues);
        match &item.entry {
            Ok(entry) => self.entry(about, entry, source, item, &mut findings),
            // A row that is not an entry, or whose entry a writer would reject.
            Err(Unusable::Refused(refused)) => {
                let rule = refused.rule.map_or(rule!("invalid-row"), rules::of);
                findings.push(Finding {
                    severity: Severity::Error,
                    effect: Some(Effect::EntrySkipped),
                    ..Finding::of("loc", rule, &refused.why)
                });
            }
            Err(Unusable::Skipped) => {}
        }
        if findings.is_empty() {
            // Most entries: the place of an entry is not counted for nothing.
            return Ok(());
        }
        let of_entry = match source {
            EntrySource::Raw { raw, .. } => raw.loc().map(|loc| (raw.position(), loc)),
            EntrySource::Row { span, .. } => {
                entry.map(|entry| (span.position, entry.loc().as_str()))
            }
        };
        let placed = |finding| source.placed(finding);
        findings = findings.into_iter().map(placed).collect();
        if let Some((start, loc)) = of_entry {
            let about_entry = |finding: Finding| {
                let mut finding = finding.about_entry(start, loc);
                let at = finding.position.filter(|at| at.byte() >= start.byte());
                let element = finding.element.take();
                finding.element = element.or_else(|| source.element_at(at?));
                finding
            };
            findings = findings.into_iter().map(about_entry).collect();
        }
        self.report(about, findings)
    }

    /// Judges an entry. The findings so far are those of its issues.
    fn entry(
        &mut self,
        about: &About<'_>,
        entry: &Entry,
        source: EntrySource<'_>,
        item: &Item<'_>,
        findings: &mut Vec<Finding>,
    ) {
        // The entries of a list are not at the URL of the list.
        if !self.current.is_list() {
            let has_earlier = self.sink.has_earlier();
            listed(about, entry, item, has_earlier, findings);
            let is_judged = about.location.is_none() && !is_feed(self.current.format());
            if is_judged && self.current.sites.see(entry.loc()) {
                let several = self.current.sites.several();
                let rule = rule!("several-hosts");
                findings.extend(several.map(|text| Finding::of("loc", rule, &text)));
            }
        }
        if let Entry::Sitemap(sitemap) = entry {
            let nested = self.part(about, sitemap, item.part.is_nested);
            let rule = rule!("nested-index");
            findings.extend(nested.map(|message| Finding::of("loc", rule, &message)));
        }
        let page = advice::page_of(entry);
        urls::judge(entry.loc(), page, self.current.is_local, findings);
        let is_unreachable = |finding: &Finding| {
            finding.rule == rule!("unreachable-host") && finding.element.as_deref() == Some("loc")
        };
        if findings.iter().any(is_unreachable) {
            // The host is the reason, and is reported once.
            findings.retain(|finding| finding.rule != rule!("outside-location"));
        }
        if let Some(adviser) = &self.adviser {
            adviser.judge(entry, findings);
        }
        if let Some(page) = page {
            // Not every page has to be hashed.
            let hash = LazyCell::new(|| self.hasher.of(&page.loc));
            if let Some(list) = &mut self.must_list {
                list.found(hash.key, &page.loc);
            }
            let newest = &mut self.current.newest;
            if dates::of_page(page) > *newest {
                *newest = dates::plausible_of_page(page, self.settings.now).max(*newest);
            }
            if let Some(links) = &mut self.links {
                let file = self.read.len().saturating_sub(1);
                let can_have_links = self.current.kind() == FileKind::Sitemap;
                links.add(
                    page,
                    || hash.key,
                    file,
                    can_have_links,
                    || source.span("link").position,
                );
            }
            let is_plain = page.alternates.is_empty() && page.videos.is_empty();
            if !is_plain || page.news.is_some() {
                findings.extend(advice::unknown_codes(page, source));
            }
            if let Some(adviser) = &mut self.adviser {
                adviser.judge_page(page, *hash, source, findings);
            }
        }
    }

    /// Keeps the date of a part of an index. Returns what is wrong if the part is an index, too.
    fn part(
        &mut self,
        about: &About<'_>,
        sitemap: &SitemapEntry,
        is_nested: bool,
    ) -> Option<String> {
        let loc = &sitemap.loc;
        let dated = sitemap
            .lastmod
            .map(|date| (about.name.to_owned(), loc.to_string(), date));
        self.dated.extend(dated);
        let is_index = self.current.format() == Some(Format::Index);
        let own = about.location.filter(|_| is_index);
        if own.is_some_and(|own| page_key(own) == page_key(loc)) {
            let loc = clipped(loc.as_str());
            return Some(format!("the index lists itself, `{loc}`"));
        }
        is_nested.then(|| nested(loc.as_str()))
    }

    /// The findings of the library's issues.
    fn issues(&mut self, issues: &[Issue]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for issue in issues {
            let found = issue.violation.found();
            let mut marks = PLACEHOLDERS.iter();
            let is_template = found.starts_with("<%") || marks.any(|mark| found.contains(mark));
            if is_template && !std::mem::replace(&mut self.current.is_template, true) {
                let message = format!("a placeholder of a template is left: `{found}`");
                findings.push(Finding::new(rule!("template"), &message).at(issue.position));
            }
            self.current.has_conflict |= issue.rule() == Rule::EncodingConflict;
            findings.push(Finding::issue(issue));
        }
        findings
    }

    /// Passes the findings of one item on, in the order of their places.
    fn report(&mut self, about: &About<'_>, mut findings: Vec<Finding>) -> anyhow::Result<()> {
        if let Some(strict) = &mut self.current.strict {
            findings.retain_mut(|finding| !strict.takes(finding));
        }
        findings.sort_by_key(|finding| finding.position.map_or(u64::MAX, |at| at.byte()));
        let mut findings = findings.into_iter();
        findings.try_for_each(|finding| self.finding(about.name, finding))
    }

    pub(super) fn end_document(
        &mut self,
        about: &About<'_>,
        end: &walk::End<'_>,
    ) -> anyhow::Result<()> {
        let format = self.current.format();
        if !matches!(end.outcome, Outcome::Stopped | Outcome::Cut) {
            self.last(about, end)?;
        }
        if format.is_some() && !end.is_gzipped && is_named_gzipped(about) {
            let message = "the name ends in .gz, but the content is not gzipped";
            self.finding(
                about.name,
                Finding::new(rule!("not-gzip-but-named-so"), message),
            )?;
        }
        self.checked.entries += self.current.entries;
        let newest = self.current.newest.filter(|_| about.listed_in.is_some());
        let newest = newest.map(|date| (about.name.to_owned(), date));
        self.newest.extend(newest);
        let format = about.content.and_then(Content::name);
        self.sink.end(format, end);
        Ok(())
    }

    /// The findings at the end.
    fn last(&mut self, about: &About<'_>, end: &walk::End<'_>) -> anyhow::Result<()> {
        self.sink.entry(None)?;
        let mut findings = self.issues(end.issues);
        let format = self.current.format();
        match &end.outcome {
            Outcome::Failed(error) => {
                // A page in place of a sitemap is one error.
                if matches!(error.kind(), ErrorKind::UnknownRoot(_)) {
                    findings.retain(|finding| finding.rule != rule!("doctype"));
                }
                findings.push(failed(about, error, format));
            }
            Outcome::Broken(error) => {
                findings.push(Finding::unopened(about.name, error));
            }
            Outcome::Whole | Outcome::Stopped | Outcome::Cut => {
                // A section of a site that has no news yet has a feed all the same.
                if end.is_empty() && format == Some(Format::Index) {
                    findings.push(Finding::new(rule!("empty-index"), walk::EMPTY_INDEX));
                } else if end.is_empty() && !is_feed(format) && !self.is_for_news() {
                    let message = "the sitemap has no entries";
                    findings.push(Finding::new(rule!("empty-sitemap"), message));
                }
                if let Some(adviser) = &mut self.adviser {
                    findings.extend(adviser.end());
                    findings.extend(end.stylesheet.and_then(advice::of_stylesheet));
                }
            }
        }
        if let Some(strict) = &self.current.strict
            && format.is_some()
            && !is_feed(format)
            && !self.current.has_conflict
            && let Some(encoding) = strict.foreign_encoding(end.sure, about.charset)
        {
            let message = format!("the document is in {encoding}, and a sitemap must be in UTF-8");
            findings.push(Finding::new(rule!("not-utf-8"), &message));
        }
        self.report(about, findings)?;
        self.not_well_formed(about, end)
    }

    /// Returns `true` if the document is a news sitemap. For Google, an empty one is harmless.
    fn is_for_news(&self) -> bool {
        let strict = self.current.strict.as_ref();
        strict.is_some_and(|strict| strict.reader.is_for_news())
    }

    /// The finding of the strict reader, which comes last.
    fn not_well_formed(&mut self, about: &About<'_>, end: &walk::End<'_>) -> anyhow::Result<()> {
        let is_xml = !matches!(self.current.format(), None | Some(Format::Text));
        let strict = self.current.strict.take().filter(|_| is_xml);
        let verdict = strict.map(|strict| strict.finish(&end.outcome, end.count()));
        match verdict {
            Some(Ok(Some(mut finding))) => {
                // The pages of the parts of an index are not known here.
                if self.current.format() == Some(Format::Index) {
                    finding.hidden = 0;
                }
                self.finding(about.name, finding)
            }
            Some(Err(why)) => {
                self.messages.warning(format_args!(
                    "{} was not checked to its end for well-formed XML: {why}",
                    about.name
                ));
                Ok(())
            }
            Some(Ok(None)) | None => Ok(()),
        }
    }
}

/// Judges what the library does not: where the entry leads, and whether a crawler may follow it.
fn listed(
    about: &About<'_>,
    entry: &Entry,
    item: &Item<'_>,
    has_earlier: bool,
    findings: &mut Vec<Finding>,
) {
    let loc = entry.loc();
    let on_loc = |rule, text: &str| {
        let message = format!("`{}` {text}", clipped(loc.as_str()));
        Finding::of("loc", rule, &message)
    };
    let is_elsewhere = matches!(item.part.not_read, Some((Why::OtherHost, _)));
    let is_http = about.location.is_some_and(|own| {
        (own.scheme(), loc.scheme()) == ("https", "http") && own.host_str() == loc.host_str()
    });
    let is_outside = |finding: &Finding| finding.rule == rule!("outside-location");
    if let Some(own) = about.location.filter(|_| findings.iter().any(is_outside)) {
        // The host or the scheme is the reason, and is reported once.
        let may_be = (is_elsewhere || is_http).then_some(true);
        let may_be = may_be.or_else(|| may_be_listed(about, own, loc));
        findings.retain(|finding| may_be != Some(true) || !is_outside(finding));
        for finding in findings.iter_mut().filter(|finding| is_outside(finding)) {
            finding.message.push_str(remedy(own, loc));
            finding.is_unknown = may_be.is_none();
        }
    }
    match &item.part.not_read {
        _ if is_elsewhere => {
            let text = "is on a host that is not trusted, so it is not read";
            findings.push(on_loc(rule!("part-elsewhere"), text));
        }
        Some((why, reason)) if why.is_failure() => {
            let (rule, message) = unread_part(*why, loc.as_str(), reason);
            findings.push(Finding::of("loc", rule, &message));
        }
        _ => {}
    }
    if let Some(file) = &item.part.guessed {
        let text = format!(
            "is taken to be {}, which a server has elsewhere",
            clipped(file)
        );
        findings.push(on_loc(rule!("missing-part"), &text).warning());
    }
    forbidden(about.robots, entry, has_earlier, findings);
    if is_http {
        let text = "is http, but the sitemap is at an https URL";
        findings.push(on_loc(rule!("http-listed-on-https"), text));
    }
}

/// What to do about an entry outside the location of its sitemap, as the end of a message.
fn remedy(own: &Url, loc: &Url) -> &'static str {
    if own.host() != loc.host() || own.port() != loc.port() {
        "; name the sitemap in the robots.txt of that site, or list the URL in a sitemap there"
    } else if own.scheme() != loc.scheme() {
        "; list the URL with the scheme of the sitemap"
    } else {
        "; move the sitemap to a folder above, or name it in robots.txt"
    }
}

/// Judges whether robots.txt forbids the entry, or an image or a video of it.
fn forbidden(forbids: &Forbids<'_>, entry: &Entry, has_earlier: bool, findings: &mut Vec<Finding>) {
    let mut judge = |element, rule, url: &Url, wanted| {
        let (message, is_unknown) = match forbids(url, wanted) {
            Ok(Some(robots)) => {
                let url = clipped(url.as_str());
                let message = format!("`{url}` is forbidden by robots.txt to {robots}");
                (message, false)
            }
            Err(NotAsked) if has_earlier => (String::new(), true),
            Ok(None) | Err(NotAsked) => return false,
        };
        findings.push(Finding {
            is_unknown,
            ..Finding::of(element, rule, &message)
        });
        !is_unknown
    };
    let Entry::Url(page) = entry else {
        let rule = rule!("disallowed-sitemap");
        judge("loc", rule, entry.loc(), Wanted::Page);
        return;
    };
    let rule = rule!("disallowed");
    judge("loc", rule, &page.loc, Wanted::Page);
    // The first of each kind.
    let mut images = page.images.iter().map(|image| &image.loc);
    images.any(|url| judge("image", rule, url, Wanted::Image));
    let videos = page.videos.iter();
    let files = videos.flat_map(|video| [&video.thumbnail_loc, &video.content_loc]);
    let mut files = files.flatten();
    files.any(|url| judge("video", rule, url, Wanted::Video));
}

/// Returns whether the sitemap may list an entry outside its location; `None` if that is not known.
fn may_be_listed(about: &About<'_>, own: &Url, loc: &Url) -> Option<bool> {
    // The library compares directories as they are written.
    let mut places = [Some(own), about.asked].into_iter().flatten();
    if places.any(|place| is_below(place, loc)) {
        return Some(true);
    }
    match about.may_list {
        Some(may_list) if own.origin() != loc.origin() => may_list(loc),
        _ => Some(false),
    }
}

/// Returns `true` if a page is in the directory of the sitemap, or below it.
fn is_below(sitemap: &Url, page: &Url) -> bool {
    let sitemap = page_key(sitemap);
    let path = sitemap.split('?').next().unwrap_or_default();
    let directory = path.rfind('/').and_then(|slash| path.get(..=slash));
    directory.is_some_and(|directory| page_key(page).starts_with(directory))
}

/// The error that ended the reading, with the URL that was requested.
fn failed(about: &About<'_>, error: &Error, format: Option<Format>) -> Finding {
    let mut finding = Finding::error(error, format);
    if let Some(listed) = about.listed.filter(|listed| *listed != about.name) {
        let from = format!("; `{}` redirects here", clipped(listed));
        finding.message.push_str(&from);
    }
    finding
}

fn is_named_gzipped(about: &About<'_>) -> bool {
    let path = match about.location {
        _ if about.path.is_some() => about.name,
        Some(location) => location.path(),
        None => return false,
    };
    path.to_ascii_lowercase().ends_with(".gz")
}
