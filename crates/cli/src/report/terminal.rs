//! The first page of a report for a terminal: figures, the worst findings, bars.

use std::borrow::Cow;
use std::io::{self, Write};

use console::Style;
use unicode_width::UnicodeWidthStr;

use super::figures;
use super::model::{Changes, Findings, Report};
use super::words::{day, minute};
use crate::figures::tree::{Section, by_section};
use crate::findings::summary;
use crate::findings::tally::Row;
use crate::term::bars::chart;
use crate::term::count::{Count, First, Grouped};
use crate::term::messages::{Messages, Severity, printable};
use crate::term::shortened::shortened;

/// Findings, runs, sections and months that are shown.
const FINDINGS: usize = 10;
const RUNS: usize = 10;
const SECTIONS: usize = 10;
const MONTHS: usize = 12;
/// An example that has less room than this is not readable.
const LEAST: usize = 20;

/// `width` is that of the terminal, if there is one.
pub(crate) fn write(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let subject = printable(&report.subject);
    let subject = fitted(&subject, width, 12);
    let subject = Style::new().bold().apply_to(subject);
    writeln!(out, "{subject}  {}", dim(day(&report.made)))?;
    figures(report, out, width)?;
    if let Some(unseen) = report.of_unseen() {
        writeln!(out, "\n  {}", printable(&unseen))?;
    }
    unread(report, out, width)?;
    findings(&report.rules, out)?;
    sections(&report.sections, out, width)?;
    months(report, out, width)?;
    extensions(report, out)?;
    if let Some(changes) = &report.changes {
        self::changes(changes, out)?;
    }
    if let Some(probe) = &report.probe {
        let verdicts = probe.verdicts.iter().filter(|(_, pages)| *pages > 0);
        let sample = probe
            .sample_of
            .map(|all| format!(", a sample of {}", Grouped(all)));
        let name = if probe.only_bad { "bad page" } else { "page" };
        let pages = Count(probe.pages, name);
        let title = format!("probe: {pages}{}", sample.unwrap_or_default());
        chart(out, &title, verdicts.cloned(), width)?;
    }
    if report.history.len() > 1 {
        let runs = report.history.iter().rev().take(RUNS).rev();
        let runs = runs.map(|run| {
            let part = if run.part.is_some() { " (a part)" } else { "" };
            (format!("{}{part}", minute(&run.made)), run.totals.pages)
        });
        chart(out, "pages by run", runs, width)?;
    }
    Ok(())
}

/// The largest sections.
fn sections(hosts: &[Section], out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let mut counts = by_section(hosts);
    let rest = counts.split_off(SECTIONS.min(counts.len()));
    // A single host need not be named in each row.
    let (title, host) = match hosts {
        [host] => (format!("sections of {}", host.name), &*host.name),
        _ => ("sections".to_owned(), ""),
    };
    for (name, _) in &mut counts {
        *name = name.strip_prefix(host).unwrap_or(name).to_owned();
    }
    chart(out, &title, counts.into_iter(), width)?;
    if !rest.is_empty() {
        let more = Count(rest.len() as u64, "smaller one");
        let pages = Count(rest.iter().map(|(_, pages)| pages).sum(), "page");
        writeln!(out, "  and {more} with {pages}")?;
    }
    Ok(())
}

/// The latest months that have pages, and the number of pages without a date.
fn months(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    if report.months.is_empty() {
        return Ok(());
    }
    let months = report.months.iter().rev();
    let earlier = months.clone().skip(MONTHS).map(|(_, pages)| pages).sum();
    let undated = report.totals.pages.saturating_sub(report.totals.dated);
    let others = [("earlier", earlier), ("none", undated)].into_iter();
    let others = others.filter(|(_, pages)| *pages > 0);
    let others = others.map(|(name, pages)| (name.to_owned(), pages));
    let latest = months.take(MONTHS).cloned();
    chart(out, "lastmod", latest.chain(others), width)
}

fn figures(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let figures = figures::figures(report);
    let values = figures.iter().map(|figure| figure.value.width());
    let values = values.max().unwrap_or(0);
    for figure in figures {
        let style = figure.severity.map_or_else(Style::new, Severity::style);
        let value = style.apply_to(format!("{:>values$}", figure.value));
        let word = printable(&figure.word);
        let word = fitted(&word, width, 2 + 12 + 2 + values + 2);
        writeln!(out, "  {:12}  {value}  {word}", figure.name.to_lowercase())?;
    }
    Ok(())
}

/// Those that could not be read, or not to their end: the first of them with the reason, and the number of the others.
fn of_unread(report: &Report) -> Vec<String> {
    let sitemaps = report.sitemaps.iter();
    let unread = sitemaps.filter(|sitemap| sitemap.status.is_unread());
    let lines = unread.clone().take(First::NAMED).map(|sitemap| {
        let reason = sitemap.reason.as_deref().unwrap_or_default();
        format!("{}: {reason}", sitemap.name)
    });
    let more = unread.count().saturating_sub(First::NAMED);
    let more = (more > 0).then(|| format!("and {more} more"));
    lines.chain(more).collect()
}

fn unread(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let mut lines = of_unread(report);
    lines.extend(report.lost());
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", dim("not read, or not to the end"))?;
    for line in lines {
        writeln!(out, "  {}", fitted(&printable(&line), width, 2))?;
    }
    Ok(())
}

/// Instead of a report, if nothing was read.
pub(crate) fn print_unread(report: &Report, messages: &Messages) {
    for line in of_unread(report) {
        messages.error(line);
    }
}

/// The worst rules, in the form of `sitemap check --summary`.
fn findings(rules: &[Findings], out: &mut dyn Write) -> io::Result<()> {
    if rules.is_empty() {
        return Ok(());
    }
    let rows = rules.iter().take(FINDINGS).map(|found| {
        let example = found.examples.first().map(|example| {
            let place = example.line.zip(example.column);
            let place = place.map(|(line, column)| format!(":{line}:{column}"));
            let place = format!("{}{}", example.sitemap, place.unwrap_or_default());
            format!("{}: {}", shortened(&place, 40), example.message)
        });
        Row {
            rule: &found.rule,
            severity: found.level,
            sitemaps: found.sitemaps,
            findings: found.count,
            example: example.unwrap_or_default().into(),
        }
    });
    writeln!(out)?;
    summary::table(out, &rows.collect::<Vec<_>>())?;
    let more = rules.iter().skip(FINDINGS);
    let findings = Count(more.clone().map(|rule| rule.count).sum(), "finding");
    let more = Count(more.count() as u64, "more rule");
    if more.0 > 0 {
        writeln!(out, "  and {findings} by {more}")?;
    }
    Ok(())
}

/// Languages and media.
fn extensions(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (languages, media) = (&report.languages, &report.media);
    let mut parts = Vec::new();
    if languages.pages > 0 {
        // A link to the page for all other languages is no language.
        let names = languages.languages.iter();
        let names = names.filter(|language| !language.hreflang.eq_ignore_ascii_case("x-default"));
        let names = Count(names.count() as u64, "language");
        let pages = Count(languages.pages, "page");
        parts.push(format!("{pages} with alternates in {names}"));
    }
    parts.extend(Count::nonzero([
        Count(media.images, "image"),
        Count(media.videos, "video"),
        Count(media.news, "news article"),
    ]));
    if !parts.is_empty() {
        writeln!(out, "\n{}", parts.join("; "))?;
    }
    Ok(())
}

/// Writes the changes since the earlier report.
fn changes(changes: &Changes, out: &mut dyn Write) -> io::Result<()> {
    let against = format!("against {} of {}", changes.earlier, day(&changes.made));
    writeln!(out, "\n{}", dim(&printable(&against)))?;
    writeln!(out, "  {} before", Count(changes.pages_before, "page"))?;
    let findings = &changes.findings;
    let (fixed, still) = (Grouped(findings.fixed), Grouped(findings.still));
    let new = Count(findings.new, "new problem");
    writeln!(out, "  {new}, {fixed} fixed, {still} still there")
}

fn dim(text: &str) -> console::StyledObject<&str> {
    Style::new().dim().apply_to(text)
}

/// The text, cut to the width of the terminal less some columns.
fn fitted(text: &str, width: Option<usize>, less: usize) -> Cow<'_, str> {
    match width {
        Some(columns) => shortened(text, columns.saturating_sub(less).max(LEAST)),
        None => text.into(),
    }
}
