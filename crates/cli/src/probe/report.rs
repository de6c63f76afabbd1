//! Written as they are printed.

use std::collections::BTreeMap;
use std::io::Write;

use console::Style;
use serde_json::Value;

use crate::disk::destination::Destination;
use crate::probe::found::{Found, Tally, Verdict};
use crate::rows::writer::{ListWriter, ViewFormat};
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Messages, printable};
use crate::term::status::Status;
use crate::term::table::{Cell, Table};

/// Pages of a verdict that the table shows.
const SHOWN: usize = 20;

const COLUMNS: &str =
    "url sitemap status location noindex canonical disallowed bytes ms verdict error";
/// In addition, if redirects are followed.
const FOLLOWED: &str = "first_status temporary hops listed expected";

pub(crate) struct Report {
    list: ListWriter,
    columns: Vec<&'static str>,
    tally: Tally,
    /// Pages that were requested although robots.txt forbids them.
    ignored: u64,
    /// Pages by the number of redirects.
    hops: BTreeMap<u32, u64>,
    /// Only the results that are not good are written.
    only_bad: bool,
}

impl Report {
    pub(crate) fn new(
        format: ViewFormat,
        follows: bool,
        only_bad: bool,
        out: Destination,
    ) -> anyhow::Result<Self> {
        let followed = if follows { FOLLOWED } else { "" };
        let columns = [COLUMNS, followed].map(str::split_whitespace);
        let columns: Vec<_> = columns.into_iter().flatten().collect();
        Ok(Self {
            list: ListWriter::new(format, &columns, out)?,
            columns,
            tally: Tally::default(),
            ignored: 0,
            hops: BTreeMap::new(),
            only_bad,
        })
    }

    /// Counts the result of a page, and writes it. For a table, the first pages of each verdict are kept.
    pub(crate) fn add(&mut self, mut found: Found) -> anyhow::Result<()> {
        found.only_bad = self.only_bad;
        let is_left_out = self.only_bad && found.verdict.is_good();
        if !is_left_out && !self.list.is_aligned() {
            let values = serde_json::to_value(&found)?;
            let cell = |column: &&str| match values.get(column) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => printable(text).into_owned(),
                Some(value) => value.to_string(),
            };
            self.list.row(&found, || self.columns.iter().map(cell))?;
        }
        self.ignored += u64::from(found.disallowed && found.verdict != Verdict::Disallowed);
        if let Some(hops) = found.hops {
            *self.hops.entry(hops).or_default() += 1;
        }
        self.tally.add(found, SHOWN);
        Ok(())
    }

    pub(crate) fn pages(&self) -> u64 {
        self.tally.pages()
    }

    fn status(&self) -> Status {
        let is_good = |(verdict, pages): (Verdict, u64)| verdict.is_good() || pages == 0;
        // No page was asked, because robots.txt of their hosts cannot be read.
        if self.tally.count(Verdict::Robots) == self.pages() {
            Status::Failure
        } else if self.tally.verdicts().all(is_good) {
            Status::Success
        } else {
            Status::Findings
        }
    }

    /// `3 pages: 1 missing, 2 ok`
    fn summary(&self) -> String {
        let counts: Vec<String> = self
            .tally
            .verdicts()
            .filter(|(_, pages)| *pages > 0)
            .map(|(verdict, pages)| format!("{} {verdict}", Grouped(pages)))
            .collect();
        format!("{}: {}", Count(self.pages(), "page"), counts.join(", "))
    }

    /// What `--ignore-robots` has done, or could do. robots.txt of so many hosts could not be read.
    pub(crate) fn print_robots(&self, ignores: bool, unread: u64, messages: &Messages) {
        let count = |of: Verdict| self.tally.count(of);
        if count(Verdict::OtherHost) > 0 {
            messages
                .note("--other-hosts also requests pages on hosts that their sitemap may not list");
        }
        if unread > 0 {
            let hosts = Count(unread, "host");
            messages.note(format_args!(
                "robots.txt of {hosts} could not be read and may forbid pages, which --ignore-robots requests nevertheless"
            ));
        }
        if ignores && (self.ignored > 0 || unread == 0) {
            let pages = Count(self.ignored, "page");
            messages.note(format_args!(
                "robots.txt forbids {pages}, which --ignore-robots requests nevertheless"
            ));
        } else if !ignores && count(Verdict::Disallowed) + count(Verdict::Robots) > 0 {
            messages.note(
                "--ignore-robots also requests pages that robots.txt forbids, or may forbid, for a site of your own",
            );
        }
    }

    /// Writes the end of the output, and reports the totals.
    pub(crate) fn end(
        self,
        total: u64,
        continues: bool,
        messages: &Messages,
    ) -> anyhow::Result<Status> {
        let (missing, summary, status) = (total - self.pages(), self.summary(), self.status());
        self.finish()?;
        if !interrupt::is_requested() {
            messages.note(summary);
            return Ok(status);
        }
        let advice = if continues {
            "the same command continues from here"
        } else {
            "--resume FILE makes a run that can be continued"
        };
        messages.error(format_args!(
            "interrupted; {} of {} {} not requested; {advice}",
            Count(missing, "page"),
            Grouped(total),
            if missing == 1 { "was" } else { "were" },
        ));
        Ok(Status::Interrupted)
    }

    /// Writes the end of the output. The table is written here, because its pages are sorted.
    fn finish(mut self) -> anyhow::Result<()> {
        self.tally
            .first
            .sort_by_key(|found| (found.verdict, found.status));
        if self.list.is_aligned() {
            let mut rows = Vec::new();
            self.table(&mut rows)?;
            self.list.out.write_all(&rows)?;
        }
        Ok(self.list.out.complete()?)
    }

    /// Writes the number of pages per verdict and per number of redirects, then the pages that are not as they should be.
    fn table(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut verdicts = Table::new(["verdict", "pages"]);
        let mut hops = Table::new(["redirects", "pages"]);
        let mut pages = Table::new(["verdict", "status", "page"]);
        for (verdict, count) in self.tally.verdicts().filter(|(_, count)| *count > 0) {
            let name = || Cell::styled(verdict, style(verdict));
            verdicts.row([name(), Cell::number(count)]);
            let is_ok = verdict == Verdict::Ok;
            let mut left = if is_ok { 0 } else { count };
            for found in self
                .tally
                .first
                .iter()
                .filter(|found| found.verdict == verdict)
            {
                left -= 1;
                let status = found
                    .status
                    .map_or("-".to_owned(), |status| status.to_string());
                let page = format!("{}{}", found.url, found.remark());
                pages.row([name(), Cell::text(status), Cell::text(page)]);
            }
            if left > 0 {
                let more = Grouped(left);
                let more = format!("and {more} more (`--format jsonl` shows all pages)");
                pages.row([name(), Cell::text(""), Cell::text(more)]);
            }
        }
        for (count, pages) in &self.hops {
            hops.row([Cell::text(count), Cell::number(*pages)]);
        }
        verdicts.write(out)?;
        if !self.hops.is_empty() {
            writeln!(out)?;
        }
        hops.write(out)?;
        if !self.tally.first.is_empty() {
            writeln!(out)?;
        }
        Ok(pages.write(out)?)
    }
}

fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Ok => Style::new().green(),
        Verdict::Missing | Verdict::Error => Style::new().red().bold(),
        _ => Style::new().yellow().bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the tables, and in the documentation.
    #[test]
    fn every_value_is_a_column() {
        // From the source, because a field without a value may not be written.
        let source = include_str!("found.rs");
        let (_, fields) = source.split_once("pub(crate) struct Found {\n").unwrap();
        let (fields, _) = fields.split_once("\n}").unwrap();
        let fields = fields.lines().map(str::trim);
        let names = fields.filter_map(|line| line.strip_prefix("pub(crate) ")?.split_once(':'));
        let names: Vec<_> = names.map(|(name, _)| name).collect();
        assert!(names.len() > 15, "{names:?}");
        let columns: Vec<_> = COLUMNS.split(' ').chain(FOLLOWED.split(' ')).collect();
        let documented = include_str!("../../README.md").lines();
        let mut documented = documented.filter(|line| line.starts_with("| `jsonl` |"));
        let row = documented.find(|line| line.contains("`noindex`")).unwrap();
        // Those that are left out are about all results, for `sitemap report`.
        for name in names
            .iter()
            .filter(|name| !["sample_of", "only_bad"].contains(name))
        {
            assert!(
                columns.contains(name),
                "probe/report.rs: add `{name}` to COLUMNS or to FOLLOWED"
            );
            assert!(
                row.contains(&format!("`{name}`")),
                "crates/cli/README.md, section sitemap probe, row `jsonl`: add `{name}`"
            );
        }
    }
}
