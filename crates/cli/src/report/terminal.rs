//! The first page of a report for a terminal: figures, the worst findings, bars.

use std::io::{self, Write};

use console::Style;
use unicode_width::UnicodeWidthStr;

use super::figures;
use super::model::{Changes, Findings, Report};
use super::words::day;
use crate::figures::text;
use crate::findings::summary;
use crate::findings::tally::Row;
use crate::term::bars::bars;
use crate::term::count::{Count, Grouped};
use crate::term::messages::{Messages, Severity, printable};
use crate::term::shortened::shortened;

/// Findings, runs, sitemaps that are shown.
const FINDINGS: usize = 10;
const RUNS: usize = 10;
const UNREAD: usize = 5;
/// An example that has less room than this is not readable.
const LEAST: usize = 20;

/// `width` is that of the terminal, if there is one.
pub(crate) fn write(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let subject = printable(&report.subject);
    writeln!(
        out,
        "{}  {}",
        Style::new().bold().apply_to(fitted(&subject, width, 12)),
        dim(day(&report.made))
    )?;
    figures(report, out, width)?;
    unread(report, out, width)?;
    findings(&report.rules, out)?;
    text::sections(&report.sections, out, width)?;
    let undated = report.totals.pages.saturating_sub(report.totals.dated);
    text::months(&report.months, undated, out, width)?;
    extensions(report, out)?;
    if let Some(changes) = &report.changes {
        self::changes(changes, out)?;
    }
    if let Some(probe) = &report.probe {
        let counts: Vec<_> = probe
            .verdicts
            .iter()
            .filter(|(_, pages)| *pages > 0)
            .map(|(verdict, pages)| (printable(verdict).into_owned(), *pages))
            .collect();
        bars(
            out,
            &format!("probe: {}", Count(probe.pages, "page")),
            &counts,
            width,
        )?;
    }
    if report.history.len() > 1 {
        let runs = report.history.iter().rev().take(RUNS).rev();
        let counts: Vec<_> = runs
            .map(|run| (printable(day(&run.made)).into_owned(), run.totals.pages))
            .collect();
        bars(out, "pages by run", &counts, width)?;
    }
    Ok(())
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
fn of_unread(report: &Report) -> (Vec<String>, usize) {
    let mut unread = report
        .sitemaps
        .iter()
        .filter(|sitemap| sitemap.status.is_unread());
    let lines = unread
        .by_ref()
        .take(UNREAD)
        .map(|sitemap| {
            let reason = sitemap.reason.as_deref().unwrap_or_default();
            format!("{}: {reason}", sitemap.name)
        })
        .collect();
    (lines, unread.count())
}

fn unread(report: &Report, out: &mut dyn Write, width: Option<usize>) -> io::Result<()> {
    let (mut lines, more) = of_unread(report);
    lines.extend(report.not_read.iter().map(ToString::to_string));
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", dim("not read, or not to the end"))?;
    for line in lines {
        writeln!(out, "  {}", fitted(&printable(&line), width, 2))?;
    }
    if more > 0 {
        writeln!(out, "  and {more} more")?;
    }
    Ok(())
}

/// Instead of a report, if nothing was read.
pub(crate) fn print_unread(report: &Report, messages: &Messages) {
    let (lines, more) = of_unread(report);
    for line in lines {
        messages.error(line);
    }
    if more > 0 {
        messages.error(format_args!("{more} more could not be read"));
    }
}

/// The worst rules, in the form of `sitemap check --summary`.
fn findings(rules: &[Findings], out: &mut dyn Write) -> io::Result<()> {
    if rules.is_empty() {
        return Ok(());
    }
    let rows = rules.iter().take(FINDINGS).map(|found| {
        let example = found.examples.first().map_or(String::new(), |example| {
            let place = match (example.line, example.column) {
                (Some(line), Some(column)) => format!(":{line}:{column}"),
                _ => String::new(),
            };
            let place = format!("{}{place}", example.sitemap);
            format!("{}: {}", shortened(&place, 40), example.message)
        });
        Row {
            rule: &found.rule,
            severity: found.level,
            sitemaps: found.sitemaps,
            findings: found.count,
            example: example.into(),
        }
    });
    writeln!(out)?;
    summary::table(out, &rows.collect::<Vec<_>>())?;
    let more = rules.iter().skip(FINDINGS);
    let (more_rules, count) = more.fold((0, 0), |(rules, count), found| {
        (rules + 1, count + found.count)
    });
    if more_rules > 0 {
        writeln!(
            out,
            "  and {} by {}",
            Count(count, "finding"),
            Count(more_rules, "more rule")
        )?;
    }
    Ok(())
}

/// Languages and media.
fn extensions(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let (languages, media) = (&report.languages, &report.media);
    let mut parts = Vec::new();
    if languages.pages > 0 {
        let names = languages.languages.len() as u64;
        let unreturned = match languages.unreturned {
            0 => String::new(),
            links => format!(", {} not returned", Count(links, "link")),
        };
        parts.push(format!(
            "{} with alternates in {}{unreturned}",
            Count(languages.pages, "page"),
            Count(names, "language")
        ));
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
    let earlier = printable(&changes.earlier);
    let made = changes.made.as_deref();
    let made = made.map_or(String::new(), |made| {
        format!(" of {}", printable(day(made)))
    });
    writeln!(out, "\n{}", dim(&format!("against {earlier}{made}")))?;
    let number = |number: Option<u64>, name: &str| {
        number.map(|number| format!("{} {name}", Grouped(number)))
    };
    let parts: Vec<String> = [
        Some(format!("{} before", Count(changes.pages_before, "page"))),
        number(changes.added, "added"),
        number(changes.removed, "removed"),
        number(changes.changed, "changed"),
    ]
    .into_iter()
    .flatten()
    .collect();
    writeln!(out, "  {}", parts.join(", "))?;
    if let Some(findings) = &changes.findings {
        writeln!(
            out,
            "  {}, {} fixed, {} still there",
            Count(findings.new, "new problem"),
            Grouped(findings.fixed),
            Grouped(findings.still)
        )?;
    }
    Ok(())
}

fn dim(text: &str) -> console::StyledObject<&str> {
    Style::new().dim().apply_to(text)
}

/// The text, cut to the width of the terminal less some columns.
fn fitted(text: &str, width: Option<usize>, less: usize) -> String {
    match width {
        Some(columns) if text.width() + less > columns => {
            shortened(text, columns.saturating_sub(less).max(LEAST)).into_owned()
        }
        _ => text.to_owned(),
    }
}
