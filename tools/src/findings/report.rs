//! Findings on their way to the output: counted, grouped, with their lines.

use std::collections::HashMap;
use std::io::Write;

use super::baseline::Baseline;
use super::finding::Finding;
use super::form::Form;
use super::form::text::fitted;
use super::observer::Observer;
use super::summary::{Summary, SummaryForm, Totals};
use crate::term::messages::Severity;
use crate::term::status::Status;

/// Number of findings that are shown per rule and file.
const SHOWN: u64 = 5;
/// Columns of a line that an observer gets.
const OBSERVED: usize = 160;

pub(crate) struct Report<'o> {
    out: Box<dyn Write + Send>,
    /// `None` if only the summary is written.
    form: Option<Box<dyn Form>>,
    summary: Summary,
    all: bool,
    /// By severity.
    counts: [u64; 3],
    /// Number of findings per rule in this file, with the severity of the first one.
    of_file: HashMap<&'static str, (u64, Severity)>,
    observer: Option<&'o mut dyn Observer>,
    baseline: Option<Baseline<'o>>,
}

impl<'o> Report<'o> {
    pub(crate) fn new(out: Box<dyn Write + Send>, form: Option<Box<dyn Form>>, all: bool) -> Self {
        Self {
            out,
            form,
            summary: Summary::default(),
            all,
            counts: [0; 3],
            of_file: HashMap::new(),
            observer: None,
            baseline: None,
        }
    }

    /// Findings of the baseline are counted by it, and not reported.
    pub(crate) fn against(self, baseline: Option<Baseline<'o>>) -> Self {
        Self { baseline, ..self }
    }

    /// For an observer, which prints nothing before the end.
    pub(crate) fn observed(observer: &'o mut dyn Observer) -> Self {
        Self {
            observer: Some(observer),
            ..Self::new(Box::new(std::io::sink()), None, false)
        }
    }

    pub(crate) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    pub(crate) fn observer(&mut self) -> Option<&mut (dyn Observer + 'o)> {
        self.observer.as_deref_mut()
    }

    pub(crate) fn wants_excerpts(&self) -> bool {
        let form = self.form.as_ref();
        self.observer.is_some() || form.is_some_and(|form| form.wants_excerpts())
    }

    pub(crate) fn begin(&mut self) -> anyhow::Result<()> {
        match &mut self.form {
            Some(form) => form.begin(&mut self.out),
            None => Ok(()),
        }
    }

    pub(crate) fn finding(&mut self, file: &str, finding: &Finding) -> anyhow::Result<()> {
        if let Some(baseline) = &mut self.baseline
            && baseline.knows(file, finding)?
        {
            return Ok(());
        }
        if let Some(count) = self.counts.get_mut(finding.severity as usize) {
            *count += 1;
        }
        let of_rule = self.of_file.entry(finding.rule);
        let (before, _) = of_rule.or_insert((0, finding.severity));
        *before += 1;
        self.summary.add(file, finding, *before == 1);
        if let Some(observer) = &mut self.observer {
            observer.finding(file, finding, &mut || {
                Some(fitted(&finding.excerpt()?, OBSERVED))
            });
        }
        let Some(form) = &mut self.form else {
            return Ok(());
        };
        if *before > SHOWN && !self.all {
            return Ok(());
        }
        let excerpt = if form.wants_excerpts() {
            finding.excerpt()
        } else {
            None
        };
        form.finding(&mut self.out, file, finding, excerpt.as_ref())
    }

    /// Reports the number of findings of this file that were not shown.
    pub(crate) fn end_file(&mut self, file: &str) -> anyhow::Result<()> {
        let mut hidden: Vec<_> = self
            .of_file
            .drain()
            .filter(|(_, (count, _))| *count > SHOWN && !self.all)
            .map(|(rule, (count, severity))| (count - SHOWN, severity, rule))
            .collect();
        hidden.sort_by(|a, b| b.cmp(a));
        if let Some(form) = &mut self.form
            && !hidden.is_empty()
        {
            form.hidden(&mut self.out, file, &hidden)?;
        }
        Ok(())
    }

    /// Ends the findings, and writes the summary in that form.
    pub(crate) fn end(
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

    pub(crate) fn baseline(&mut self) -> Option<&mut Baseline<'o>> {
        self.baseline.as_mut()
    }

    /// Findings of the baseline that ended the reading of a sitemap.
    pub(crate) fn known_ends(&self) -> u64 {
        self.baseline.as_ref().map_or(0, Baseline::ends)
    }

    /// Advice, warnings, errors.
    pub(crate) fn counts(&self) -> [u64; 3] {
        self.counts
    }
}
