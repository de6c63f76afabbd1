//! Findings by rule: the first ones of each, and all of them as a table.

use std::collections::HashMap;
use std::io;

use quick_sitemap::Effect;

use super::model::{Example, Findings, FoundIn, Report};
use crate::disk::destination::Destination;
use crate::findings::format::csv::{COLUMNS, cells, cells_of};
use crate::findings::identity::{Identity, Known};
use crate::findings::tally::Tally;
use crate::judge::finding::{Finding, cost};
use crate::judge::rules;
use crate::rows::writer::RowWriter;
use crate::term::address::shown;
use crate::term::messages::Severity;

/// Findings of a rule that are in the report.
const EXAMPLES: usize = 200;
/// Those of them with their lines, and how many of these may be of one sitemap.
const LINES: usize = 4;
const OF_SITEMAP: usize = 2;
/// Findings of a rule that a later report can recognize.
const IDENTITIES: u64 = 5_000;

/// The column that `--csv` adds to those of `sitemap check --format csv`, if there is an earlier report.
const CHANGE: &str = "change";

/// The findings by rule. It grows with the number of rules, not with that of findings.
#[derive(Default)]
pub(crate) struct Rules {
    rules: HashMap<&'static str, OfRule>,
    /// Findings of an earlier report. Those that are left at the end are not found again.
    pub(crate) earlier: Known,
    /// Rules whose findings the earlier report has, and can recognize. `None` if there is no earlier report.
    compared: Option<HashMap<String, bool>>,
    /// All findings, as they come.
    csv: Option<RowWriter<Destination>>,
}

/// The examples and identities of a rule.
#[derive(Default)]
struct OfRule {
    findings: Findings,
    /// Number of identities.
    identified: u64,
    effect: Option<Effect>,
    /// Findings that are in the earlier report.
    known: u64,
}

impl Rules {
    /// With `earlier`, findings are compared. All findings go to `csv`.
    pub(crate) fn new(earlier: Option<&Report>, csv: Option<Destination>) -> anyhow::Result<Self> {
        let mut columns = COLUMNS.to_vec();
        columns.extend(earlier.map(|_| CHANGE));
        let csv = csv.map(|mut file| {
            file.begin_csv()?;
            RowWriter::new(b',', &columns, file)
        });
        let mut rules = Self {
            compared: earlier.map(|_| HashMap::new()),
            csv: csv.transpose()?,
            ..Self::default()
        };
        for rule in earlier.iter().flat_map(|report| &report.rules) {
            let is_identified = rule.is_identified();
            for identity in rule.identities().filter(|_| is_identified) {
                rules.earlier.add(identity);
            }
            if let Some(compared) = &mut rules.compared {
                compared.insert(rule.rule.clone(), is_identified);
            }
        }
        Ok(rules)
    }

    /// Counts a finding, compares it with the baseline, and keeps it as an example if it is one of the first of its
    /// rule.
    ///
    /// # Errors
    ///
    /// Those of the table.
    pub(crate) fn add(&mut self, file: &str, finding: &Finding) -> io::Result<()> {
        let identity = self.earlier.see(file, finding);
        let is_compared = |rules: &HashMap<_, _>| rules.get(finding.rule.name) != Some(&false);
        let is_compared = self.compared.as_ref().is_some_and(is_compared);
        let is_known = is_compared.then(|| self.earlier.take(identity));
        if let Some(csv) = &mut self.csv {
            let change = self.compared.as_ref().map(|_| match is_known {
                Some(true) => "known",
                Some(false) => "new",
                None => "",
            });
            let cells = cells(file, finding);
            csv.row(cells.iter().map(String::as_str).chain(change))?;
        }
        let rule = self.rules.entry(finding.rule.name).or_default();
        rule.effect = rule.effect.max(finding.effect);
        rule.known += u64::from(is_known == Some(true));
        if rule.identified < IDENTITIES {
            rule.identified += 1;
            let identities = &mut rule.findings.identities;
            match identities.last_mut() {
                Some(last) if last.sitemap == file => last.identities.push(identity),
                _ => identities.push(FoundIn {
                    sitemap: file.to_owned(),
                    identities: vec![identity],
                }),
            }
        }
        rule.findings
            .add_example(file, finding, identity, is_known == Some(false));
        Ok(())
    }

    /// The findings with their texts, the worst first, then the most frequent.
    pub(crate) fn findings(&mut self, tally: &Tally) -> Vec<Findings> {
        let rows = tally.rows().into_iter();
        let findings = rows.filter_map(|row| {
            let own = self.rules.get_mut(row.rule)?;
            let described = rules::find(row.rule)?;
            Some(Findings {
                rule: row.rule.to_owned(),
                level: row.severity,
                count: row.findings,
                sitemaps: row.sitemaps,
                heading: described.heading(row.findings),
                why: described.why.to_owned(),
                fix: described.fix.to_owned(),
                explanation: described.text.to_owned(),
                cost: cost(own.effect),
                ..std::mem::take(&mut own.findings)
            })
        });
        findings.collect()
    }

    /// Findings of the rule that the earlier report has, too.
    pub(crate) fn still(&self, rule: &str) -> u64 {
        self.rules.get(rule).map_or(0, |rule| rule.known)
    }

    /// Adds a finding of the earlier report to the table.
    pub(crate) fn fixed(
        &mut self,
        rule: &str,
        level: Severity,
        example: &Example,
    ) -> io::Result<()> {
        let Some(csv) = &mut self.csv else {
            return Ok(());
        };
        let cost = example.cost.as_ref().map(|cost| format!("; {cost}"));
        let message = format!("{}{}", example.message, cost.unwrap_or_default());
        let place = example.line.zip(example.column);
        let page = example.page.as_deref();
        let cells = cells_of(&example.sitemap, place, level, rule, page, &message);
        csv.row(cells.iter().map(String::as_str).chain(["fixed"]))
    }

    /// Puts the table in its place.
    pub(crate) fn complete(self) -> io::Result<()> {
        match self.csv {
            Some(csv) => csv.into_inner()?.complete(),
            None => Ok(()),
        }
    }
}

impl Findings {
    /// Keeps the finding if it is one of the first, or new.
    fn add_example(&mut self, file: &str, finding: &Finding, identity: Identity, is_new: bool) {
        if self.examples.len() >= EXAMPLES {
            // One that is new takes the place of one that is not.
            let place = self.examples.iter().rposition(|example| !example.is_new);
            match place.filter(|_| is_new) {
                Some(place) => drop(self.examples.remove(place)),
                None => return,
            }
        }
        let lines = self.examples.iter();
        let lines = lines.filter(|example| example.excerpt.is_some());
        let here = lines.clone().filter(|example| example.sitemap == file);
        let has_line = lines.count() < LINES && here.count() < OF_SITEMAP;
        let line = has_line.then(|| finding.excerpt()).flatten();
        let line = line.map(|line| line.line());
        self.examples.push(Example {
            sitemap: file.to_owned(),
            line: finding.position.map(|position| position.line()),
            column: finding.position.map(|position| position.column()),
            page: finding.page.as_deref().map(shown),
            message: shown(&finding.message),
            cost: cost(finding.effect),
            is_new,
            identity,
            marked: line.as_ref().map(|(_, marked)| (marked.start, marked.end)),
            excerpt: line.map(|(line, _)| line),
        });
    }

    /// Returns `true` if all findings can be recognized.
    pub(crate) fn is_identified(&self) -> bool {
        self.identities().count() as u64 == self.count
    }

    pub(crate) fn identities(&self) -> impl Iterator<Item = Identity> {
        let found = self.identities.iter();
        found.flat_map(|found| found.identities.iter().copied())
    }
}
