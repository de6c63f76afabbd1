//! Findings by rule: the first ones of each, and all of them as a table.

use std::collections::{HashMap, HashSet};
use std::io;

use quick_sitemap::Effect;

use super::model::{Example, Findings, FoundIn, Report};
use crate::figures::names::shown;
use crate::findings::finding::{Finding, cost};
use crate::findings::form::csv::{COLUMNS, cells};
use crate::findings::form::message;
use crate::findings::form::text::fitted;
use crate::findings::identity::{Identity, Known};
use crate::judge::rules;
use crate::judge::verdicts::{Class, MISSING_PART, Verdict, verdict};
use crate::rows::writer::RowWriter;
use crate::sets::destination::Destination;
use crate::term::messages::{Severity, printable};

/// Findings of a rule that are in the report.
const EXAMPLES: usize = 200;
/// Those of them with their lines, and how many of these may be of one sitemap.
const LINES: usize = 4;
const OF_SITEMAP: usize = 2;
/// Columns of a line.
const COLUMNS_OF_LINE: usize = 160;
/// Findings of a rule that a later report can recognize.
const IDENTITIES: u64 = 5_000;

/// The column that `--csv` adds to those of `sitemap check --format csv`, if there is an earlier report.
const CHANGE: &str = "change";

/// It grows with the number of rules, not with that of findings.
#[derive(Default)]
pub(super) struct Rules {
    rules: HashMap<&'static str, RuleTally>,
    /// Findings of an earlier report.
    known: Option<Known>,
    /// Rules of which the earlier report has more findings than it can recognize.
    uncompared: HashSet<String>,
    /// All findings, as they come.
    csv: Option<RowWriter<Destination>>,
    /// The error of the table, which is returned at the end.
    failure: Option<io::Error>,
    /// Sitemaps that could not be read to their end, and missing parts.
    unread: HashSet<String>,
}

#[derive(Default)]
struct RuleTally {
    /// Without its texts.
    findings: Findings,
    /// The sitemap of the last finding.
    last: String,
    effect: Option<Effect>,
    /// Findings that are in the earlier report.
    known: u64,
}

/// All findings of a run.
pub(super) struct AllFindings {
    pub(super) findings: Vec<Findings>,
    /// Findings of each rule that the earlier report has, too.
    pub(super) still: HashMap<String, u64>,
    /// The findings of the earlier report that are compared with them.
    pub(super) gone: Known,
    pub(super) unread: HashSet<String>,
    pub(super) csv: Option<RowWriter<Destination>>,
}

impl Rules {
    /// With `earlier`, findings are compared. All findings go to `csv`.
    pub(super) fn new(earlier: Option<&Report>, csv: Option<Destination>) -> anyhow::Result<Self> {
        let mut columns = COLUMNS.to_vec();
        columns.extend(earlier.map(|_| CHANGE));
        let csv = csv.map(|file| RowWriter::new(b',', &columns, file));
        Ok(Self {
            known: earlier.map(|report| {
                let mut known = Known::default();
                let rules = report.rules.iter().filter(|rule| rule.is_identified());
                for identity in rules.flat_map(Findings::identities) {
                    known.add(identity);
                }
                known
            }),
            uncompared: earlier.map_or(HashSet::new(), |report| {
                let rules = report.rules.iter().filter(|rule| !rule.is_identified());
                rules.map(|rule| rule.rule.clone()).collect()
            }),
            csv: csv.transpose()?,
            ..Self::default()
        })
    }

    /// Counts a finding, compares it with the baseline, and keeps it as an example if it is one of the first of its
    /// rule.
    pub(super) fn add(&mut self, file: &str, finding: &Finding) {
        let page = finding.page.as_deref();
        let identity = Identity::of(finding.rule, file, page, &message(finding));
        let known = self.known.as_mut();
        let known = known.filter(|_| !self.uncompared.contains(finding.rule));
        let is_known = known.map(|known| known.take(identity));
        self.row(file, finding, is_known);
        if verdict(finding.rule).is_some_and(|verdict| verdict.class == Class::End) {
            self.unread.insert(file.to_owned());
        }
        if let (MISSING_PART, Some(part)) = (finding.rule, page) {
            self.unread.insert(part.to_owned());
        }
        let tally = self.rules.entry(finding.rule).or_default();
        let found = &mut tally.findings;
        found.level = found.level.max(finding.severity);
        found.count += 1;
        tally.effect = worse(tally.effect, finding.effect);
        tally.known += u64::from(is_known == Some(true));
        if found.count == 1 || tally.last != file {
            found.sitemaps += 1;
            file.clone_into(&mut tally.last);
        }
        if found.count <= IDENTITIES {
            match found.identities.last_mut() {
                Some(last) if last.sitemap == file => last.identities.push(identity),
                _ => found.identities.push(FoundIn {
                    sitemap: file.to_owned(),
                    identities: vec![identity],
                }),
            }
        }
        let is_new = is_known == Some(false);
        if found.examples.len() >= EXAMPLES {
            // One that is new takes the place of one that is not.
            let place = found.examples.iter().rposition(|example| !example.is_new);
            match place.filter(|_| is_new) {
                Some(place) => drop(found.examples.remove(place)),
                None => return,
            }
        }
        let lines = found.examples.iter();
        let lines = lines.filter(|example| example.excerpt.is_some());
        let here = lines.clone().filter(|example| example.sitemap == file);
        let has_line = lines.count() < LINES && here.count() < OF_SITEMAP;
        let line = has_line.then(|| finding.excerpt()).flatten();
        let line = line.map(|line| fitted(&line, COLUMNS_OF_LINE));
        found.examples.push(Example {
            sitemap: file.to_owned(),
            line: finding.position.map(|position| position.line()),
            column: finding.position.map(|position| position.column()),
            page: page.map(shown),
            message: shown(&finding.message),
            cost: cost(finding.effect),
            is_new,
            identity,
            marked: line.as_ref().map(|(_, marked)| (marked.start, marked.end)),
            excerpt: line.map(|(line, _)| line),
        });
    }

    /// Writes the row of a finding to the CSV file, if there is one.
    fn row(&mut self, file: &str, finding: &Finding, is_known: Option<bool>) {
        let Some(csv) = &mut self.csv else {
            return;
        };
        let change = self.known.as_ref().map(|_| match is_known {
            Some(true) => "known",
            Some(false) => "new",
            None => "",
        });
        let cells = cells(file, finding);
        let row = csv.row(cells.iter().map(String::as_str).chain(change));
        if let Err(error) = row {
            self.failure.get_or_insert(error);
            self.csv = None;
        }
    }

    /// The worst first, then the most frequent.
    ///
    /// # Errors
    ///
    /// Those of the table.
    pub(super) fn finish(self) -> anyhow::Result<AllFindings> {
        if let Some(error) = self.failure {
            return Err(error.into());
        }
        let still = self.rules.iter();
        let still = still.map(|(rule, found)| ((*rule).to_owned(), found.known));
        let still = still.collect();
        let mut findings: Vec<_> = self.rules.into_iter().map(findings).collect();
        findings.sort_by(|a, b| {
            let order = (b.level, b.count).cmp(&(a.level, a.count));
            order.then_with(|| a.rule.cmp(&b.rule))
        });
        Ok(AllFindings {
            findings,
            still,
            gone: self.known.unwrap_or_default(),
            unread: self.unread,
            csv: self.csv,
        })
    }
}

impl AllFindings {
    /// Adds a finding of the earlier report to the table.
    pub(super) fn fixed(
        &mut self,
        rule: &str,
        level: Severity,
        example: &Example,
    ) -> io::Result<()> {
        let Some(csv) = &mut self.csv else {
            return Ok(());
        };
        let number =
            |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let cost = example.cost.as_ref().map(|cost| format!("; {cost}"));
        let message = format!("{}{}", example.message, cost.unwrap_or_default());
        let cells = [
            &*printable(&example.sitemap),
            &number(example.line),
            &number(example.column),
            level.name(),
            rule,
            &printable(example.page.as_deref().unwrap_or_default()),
            &printable(&message),
            "fixed",
        ];
        csv.row(cells)
    }

    /// Puts the table in its place.
    pub(super) fn complete(self) -> io::Result<()> {
        match self.csv {
            Some(csv) => csv.into_inner()?.complete(),
            None => Ok(()),
        }
    }
}

fn findings((rule, tally): (&'static str, RuleTally)) -> Findings {
    let verdict = verdict(rule);
    let text = |of: fn(&'static Verdict) -> &'static str| {
        verdict.map_or(String::new(), |verdict| of(verdict).to_owned())
    };
    let count = tally.findings.count;
    Findings {
        rule: rule.to_owned(),
        heading: verdict.map_or_else(|| rule.to_owned(), |verdict| verdict.heading(count)),
        why: text(|verdict| verdict.why),
        fix: text(|verdict| verdict.fix),
        explanation: text(|verdict| rules::described(verdict).text),
        cost: cost(tally.effect),
        ..tally.findings
    }
}

impl Findings {
    /// Returns `true` if all findings can be recognized.
    pub(super) fn is_identified(&self) -> bool {
        self.identities().count() as u64 == self.count
    }

    pub(super) fn identities(&self) -> impl Iterator<Item = Identity> {
        let found = self.identities.iter();
        found.flat_map(|found| found.identities.iter().copied())
    }
}

/// The one that costs more.
fn worse(one: Option<Effect>, other: Option<Effect>) -> Option<Effect> {
    let weight = |effect: &Option<Effect>| match effect {
        Some(Effect::EntrySkipped) => 3,
        Some(Effect::ValueDropped) => 2,
        Some(Effect::Noted) => 1,
        None => 0,
    };
    [one, other].into_iter().max_by_key(weight).flatten()
}
