//! Findings on their way to the output: counted, grouped, with their lines.

use std::collections::HashMap;
use std::io::Write;

use super::baseline::Baseline;
use super::checker::Checked;
use super::form::Form;
use super::sink::Sink;
use super::summary::{Summary, SummaryForm, Totals};
use crate::judge::finding::Finding;
use crate::term::count::{First, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Messages, Severity};
use crate::term::status::Status;

pub(crate) struct Report<'o> {
    out: Box<dyn Write + Send>,
    /// `None` if only the summary is written.
    form: Option<Box<dyn Form>>,
    summary: Summary,
    all: bool,
    /// Findings per rule in this file, with the first one's severity.
    of_file: HashMap<&'static str, (First, Severity)>,
    baseline: Option<Baseline<'o>>,
}

impl<'o> Report<'o> {
    /// Findings of the baseline are counted by it, and not reported.
    pub(crate) fn new(
        out: Box<dyn Write + Send>,
        form: Option<Box<dyn Form>>,
        all: bool,
        baseline: Option<Baseline<'o>>,
    ) -> Self {
        Self {
            out,
            form,
            summary: Summary::default(),
            all,
            of_file: HashMap::new(),
            baseline,
        }
    }

    pub(crate) fn start(&mut self) -> anyhow::Result<()> {
        match &mut self.form {
            Some(form) => form.begin(&mut self.out),
            None => Ok(()),
        }
    }

    /// Ends the findings, and writes the summary in that form.
    pub(crate) fn finish(
        &mut self,
        status: Status,
        summary: Option<SummaryForm>,
        totals: &Totals,
    ) -> anyhow::Result<()> {
        if let Some(form) = &mut self.form {
            form.end(&mut self.out, status)?;
        }
        if let Some(summary) = summary {
            self.summary.write(&mut self.out, summary, totals)?;
        }
        self.out.flush()?;
        Ok(())
    }

    pub(crate) fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Numbers of the baseline, if there is one: `200 known, 12 fixed`. With `is_verbose`, its findings that are fixed are
    /// named.
    ///
    /// # Errors
    ///
    /// Those of its file.
    pub(crate) fn known(
        &mut self,
        checked: &Checked,
        is_verbose: bool,
        messages: &Messages,
    ) -> anyhow::Result<Option<String>> {
        let is_whole = !checked.has_more && !interrupt::is_requested();
        let Some(baseline) = &mut self.baseline else {
            return Ok(None);
        };
        let known = baseline.finish(is_whole, &mut |fixed| {
            if is_verbose {
                messages.note(format_args!("fixed: {fixed}"));
            }
        });
        if baseline.is_of_others() && is_whole {
            messages.warning(
                "no sitemap of --baseline is among the inputs; they must be named as when it was made",
            );
        }
        known.map(Some)
    }
}

impl Sink for Report<'_> {
    fn begin(&mut self, name: &str) {
        if let Some(baseline) = &mut self.baseline {
            baseline.begin(name);
        }
    }

    fn wants_excerpts(&self) -> bool {
        self.form.as_ref().is_some_and(|form| form.wants_excerpts())
    }

    fn finding(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        if let Some(baseline) = &mut self.baseline
            && baseline.knows(file, finding)?
        {
            return Ok(false);
        }
        let of_rule = self.of_file.entry(finding.rule);
        let (first, _) = of_rule.or_insert((First::default(), finding.severity));
        let is_named = first.names();
        self.summary.add(file, finding, first.count() == 1);
        if let Some(form) = &mut self.form
            && (is_named || self.all)
        {
            form.finding(&mut self.out, file, finding)?;
        }
        Ok(true)
    }

    /// Prints how many findings of this file were not shown.
    fn end_findings(&mut self, file: &str) -> anyhow::Result<()> {
        let mut hidden: Vec<_> = self
            .of_file
            .drain()
            .filter(|(_, (first, _))| first.more() > 0 && !self.all)
            .map(|(rule, (first, severity))| (first.more(), severity, rule))
            .collect();
        hidden.sort_by(|a, b| b.cmp(a));
        let hidden = hidden.into_iter().map(|(count, severity, rule)| Finding {
            severity,
            ..Finding::new(rule, &format!("and {} more", Grouped(count)))
        });
        let hidden: Vec<_> = hidden.collect();
        if let Some(form) = &mut self.form
            && !hidden.is_empty()
        {
            form.hidden(&mut self.out, file, &hidden)?;
        }
        Ok(())
    }
}
