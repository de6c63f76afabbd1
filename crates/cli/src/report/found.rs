//! Findings by rule: the first ones of each, and all of them as a table.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io;

use quick_sitemap::Limits;

use super::model::{Example, Findings, Report, RuleChange};
use crate::disk::destination::Destination;
use crate::findings::format::csv::{COLUMNS, cells, cells_of};
use crate::findings::identity::{Identity, Known};
use crate::findings::tally::Tally;
use crate::judge::finding::{Finding, cost};
use crate::judge::host_changes::HostChanges;
use crate::judge::rules::{self, FindingRule, rule};
use crate::probe::found::Found;
use crate::rows::writer::row;
use crate::source::account::Account;
use crate::term::address::shown;

/// Findings of a rule that are in the report.
const EXAMPLES: usize = 200;
/// Those of them with their lines, and how many of these may be of one sitemap.
const LINES: usize = 4;
const OF_SITEMAP: usize = 2;
/// Findings of a rule that a later report can recognize.
const IDENTITIES: u64 = 5_000;

/// Rules whose findings hide the document that they name.
const HIDING: [&FindingRule; 2] = [rule!("nested-index"), rule!("disallowed-sitemap")];

/// The column that `--csv` adds to those of `sitemap check --format csv`, if there is an earlier report.
const CHANGE: &str = "change";

/// The findings by rule. It grows with the number of rules, not with that of findings.
#[derive(Default)]
pub(crate) struct Rules {
    rules: HashMap<&'static str, Findings>,
    /// Findings of an earlier report. Those that are left at the end are not found again.
    pub(crate) earlier: Known,
    /// Rules with findings that the earlier report cannot recognize. `None` if there is no earlier report.
    unrecognized: Option<HashSet<String>>,
    /// The documents that findings hide, by rule.
    hiding: HashMap<&'static str, HashSet<String>>,
    /// Documents with too many entries.
    too_long: HashSet<String>,
    /// All findings, as they come.
    csv: Option<Destination>,
}

impl Rules {
    /// With `earlier`, findings are compared. All findings go to `csv`.
    pub(crate) fn new(
        earlier: Option<&Report>,
        hosts: &HostChanges,
        mut csv: Option<Destination>,
    ) -> anyhow::Result<Self> {
        if let Some(csv) = &mut csv {
            csv.begin_csv()?;
            row(
                csv,
                b',',
                COLUMNS.into_iter().chain(earlier.map(|_| CHANGE)),
            )?;
        }
        let mut rules = Self {
            csv,
            earlier: Known::before(hosts),
            ..Self::default()
        };
        if let Some(earlier) = earlier {
            let (known, others): (Vec<_>, Vec<_>) =
                earlier.rules.iter().partition(|rule| rule.is_identified());
            let identities = known
                .iter()
                .flat_map(|rule| rule.identities.values().flatten());
            identities.for_each(|identity| rules.earlier.add(*identity));
            let others = others.into_iter().map(|rule| rule.rule.clone());
            rules.unrecognized = Some(others.collect());
        }
        Ok(rules)
    }

    pub(crate) fn has_earlier(&self) -> bool {
        self.unrecognized.is_some()
    }

    /// Counts a finding, compares it with the baseline, and keeps it as an example if it is one of the first of its
    /// rule.
    ///
    /// # Errors
    ///
    /// Those of the table.
    pub(crate) fn add(&mut self, file: &str, finding: &Finding) -> io::Result<()> {
        let identity = Identity::of_finding(file, finding);
        let compared = self.unrecognized.as_ref();
        let is_compared = compared.is_some_and(|others| !others.contains(finding.rule.name));
        let is_known = is_compared.then(|| self.earlier.knows(file, finding));
        let change = match is_known {
            Some(true) => "known",
            Some(false) => "new",
            None => "",
        };
        self.row(|| cells(file, finding), change)?;
        let findings = self.rules.entry(finding.rule.name).or_default();
        findings.count += 1;
        findings.new += u64::from(is_known == Some(false));
        if findings.count <= IDENTITIES {
            let identities = findings.identities.entry(file.to_owned());
            identities.or_default().push(identity);
        }
        findings.add_example(file, finding, identity, is_known == Some(false));
        findings.unseen += finding.hidden;
        if HIDING.contains(&finding.rule)
            && let Some(page) = &finding.page
        {
            self.hiding
                .entry(finding.rule.name)
                .or_default()
                .insert(page.clone());
        }
        if finding.rule == rule!("too-many-entries") {
            self.too_long.insert(file.to_owned());
        }
        Ok(())
    }

    /// The findings with their texts, the worst first, then those that hide most pages, and the most frequent.
    pub(crate) fn findings(&mut self, tally: &Tally, account: &Account) -> Vec<Findings> {
        self.count_unseen(account);
        let rows = tally.rows().into_iter();
        let findings = rows.filter_map(|row| {
            let own = self.rules.remove(row.rule)?;
            let described = rules::find(row.rule)?;
            Some(Findings {
                rule: row.rule.to_owned(),
                level: row.severity,
                sitemaps: row.sitemaps,
                heading: described.heading(row.findings),
                why: described.why.to_owned(),
                fix: described.fix.to_owned(),
                explanation: described.text.to_owned(),
                cost: own.examples.iter().find_map(|example| example.cost.clone()),
                ..own
            })
        });
        let mut findings: Vec<_> = findings.collect();
        findings.sort_by_key(|found| Reverse((found.level, found.unseen)));
        findings
    }

    /// Counts the pages that no search engine sees because a finding hides a whole document, or its end.
    fn count_unseen(&mut self, account: &Account) {
        for (rule, names) in &self.hiding {
            if let Some(findings) = self.rules.get_mut(rule) {
                findings.unseen += account.pages_below(names.iter().map(String::as_str));
            }
        }
        let most = Limits::default().entries;
        let too_long = self.too_long.iter();
        let pages = too_long.filter_map(|name| Some(account.document(name)?.pages));
        let beyond: u64 = pages.map(|pages| pages.saturating_sub(most)).sum();
        if let Some(findings) = self.rules.get_mut("too-many-entries") {
            findings.unseen += beyond;
        }
    }

    /// Adds the result of a page of the probe to the table, with its verdict in place of a rule.
    pub(crate) fn probed(&mut self, found: &Found) -> io::Result<()> {
        let status = found.status.map(|status| format!("status {status}"));
        let message = format!("{}{}", status.unwrap_or_default(), found.remark());
        let (verdict, page) = (found.verdict.to_string(), Some(&*found.url));
        let level = found.verdict.severity();
        let cells = || cells_of(&found.sitemap, None, level, &verdict, page, message.trim());
        self.row(cells, "")
    }

    /// Adds a row to the table, if there is one. `change` is for one that is compared.
    fn row(&mut self, cells: impl FnOnce() -> [String; 7], change: &str) -> io::Result<()> {
        let Some(csv) = &mut self.csv else {
            return Ok(());
        };
        let change = self.unrecognized.as_ref().map(|_| change.to_owned());
        row(csv, b',', cells().into_iter().chain(change))
    }

    /// Adds the fixed findings of a rule to the table.
    pub(crate) fn fixed(&mut self, change: &RuleChange) -> io::Result<()> {
        for example in &change.examples {
            let cost = example.cost.as_ref().map(|cost| format!("; {cost}"));
            let message = format!("{}{}", example.message, cost.unwrap_or_default());
            let place = example.line.zip(example.column);
            let (sitemap, page) = (&example.sitemap, example.page.as_deref());
            let cells = || cells_of(sitemap, place, change.level, &change.rule, page, &message);
            self.row(cells, "fixed")?;
        }
        Ok(())
    }

    /// Puts the table in its place.
    pub(crate) fn complete(self) -> io::Result<()> {
        self.csv.map_or(Ok(()), Destination::complete)
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
        self.identities.values().map(Vec::len).sum::<usize>() as u64 == self.count
    }
}
