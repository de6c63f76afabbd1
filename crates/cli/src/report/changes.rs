//! `--against`: what has changed since an earlier state.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::found::Rules;
use super::model::{
    Changes, Example, FindingChanges, Findings, Probed, Report, RuleChange, SectionChange, Sitemap,
    SitemapChange, VerdictChange,
};
use super::sections::Sections;
use crate::figures::text::by_section;
use crate::findings::identity::Identity;
use crate::judge::page_key::stable_name;
use crate::judge::rules;
use crate::term::count::{Count, Grouped};

impl SectionChange {
    fn add(&mut self, other: Self) {
        self.before += other.before;
        self.now += other.now;
        for (own, more) in [
            (&mut self.added, other.added),
            (&mut self.removed, other.removed),
            (&mut self.changed, other.changed),
        ] {
            *own.get_or_insert(0) += more.unwrap_or(0);
        }
    }

    fn size(&self) -> (u64, u64, u64) {
        let moved = [self.added, self.removed, self.changed].into_iter();
        let difference = self.before.abs_diff(self.now);
        (moved.flatten().sum(), difference, self.now)
    }
}

/// Compared with an earlier report. If a bound has left something out, no finding is fixed.
///
/// # Errors
///
/// Those of the table of all findings, to which fixed ones are added.
pub(crate) fn since(
    earlier: &Report,
    now: &Report,
    counted: &mut Rules,
    is_bounded: bool,
) -> anyhow::Result<Changes> {
    let mut sections = Sections::<SectionChange>::default();
    // A section of the earlier report has the name that it has now, with another scheme.
    let mut names = HashMap::new();
    for (section, pages) in by_section(&now.sections) {
        names.insert(stable_name(&section).into_owned(), section.clone());
        sections.at(section).now += pages;
    }
    for (section, pages) in by_section(&earlier.sections) {
        let name = names.get(&*stable_name(&section)).cloned();
        sections.at(name.unwrap_or(section)).before += pages;
    }
    let mut notes = Vec::new();
    let findings = findings(earlier, now, counted, is_bounded, &mut notes)?;
    let verdicts = match (&earlier.probe, &now.probe) {
        (Some(before), Some(now)) => verdicts(before, now),
        (Some(_), None) => {
            notes.push(
                "The earlier report has the results of a probe, and this one has none.".to_owned(),
            );
            Vec::new()
        }
        (None, Some(_)) => {
            notes.push("The earlier report has no results of a probe.".to_owned());
            Vec::new()
        }
        (None, None) => Vec::new(),
    };
    let changes = Changes {
        made: Some(earlier.made.clone()),
        pages_before: earlier.totals.pages,
        totals: Some(earlier.totals.clone()),
        findings: Some(findings),
        sitemaps: sitemaps(earlier, now, &mut notes),
        verdicts,
        notes,
        ..Changes::default()
    };
    Ok(with_sections(changes, sections))
}

/// Compares the findings with those of the earlier report. If a rule had too many before, only the numbers are
/// compared.
fn findings(
    earlier: &Report,
    now: &Report,
    counted: &mut Rules,
    is_bounded: bool,
    notes: &mut Vec<String>,
) -> anyhow::Result<FindingChanges> {
    let mut changes = FindingChanges::default();
    fn of<'r>(report: &'r Report, rule: &Findings) -> Option<&'r Findings> {
        report.rules.iter().find(|found| found.rule == rule.rule)
    }
    let others = now.rules.iter().filter(|rule| of(earlier, rule).is_none());
    for rule in earlier.rules.iter().chain(others) {
        let (before, after) = (of(earlier, rule), of(now, rule));
        let (change, still) = of_rule(rule, before, after, counted, is_bounded, notes);
        for example in &change.examples {
            counted.fixed(&rule.rule, rule.level, example)?;
        }
        changes.new += change.new;
        changes.fixed += change.fixed;
        changes.still += still;
        changes.unread += change.unread;
        if change.new + change.fixed + change.unread > 0 {
            changes.rules.push(change);
        }
    }
    changes
        .rules
        .sort_by_key(|change| std::cmp::Reverse((change.level, change.new)));
    if changes.unread > 0 {
        notes.push(format!(
            "{} of the earlier report could not be checked again, because their sitemaps were not read to the end.",
            Count(changes.unread, "finding")
        ));
    }
    Ok(changes)
}

/// The change of a rule, and how many of its earlier findings are still there.
fn of_rule(
    rule: &Findings,
    before: Option<&Findings>,
    after: Option<&Findings>,
    counted: &mut Rules,
    is_bounded: bool,
    notes: &mut Vec<String>,
) -> (RuleChange, u64) {
    let count = |findings: Option<&Findings>| findings.map_or(0, |findings| findings.count);
    let mut change = RuleChange {
        rule: rule.rule.clone(),
        level: rule.level,
        heading: rules::find(&rule.rule).map_or_else(
            || rule.rule.clone(),
            |described| described.happened[1].to_owned(),
        ),
        before: count(before),
        now: count(after),
        ..RuleChange::default()
    };
    let still = match before {
        Some(before) if !before.is_identified() => {
            notes.push(format!(
                "{} {}: too many before to be compared one by one, so only the numbers are compared.",
                Grouped(before.count),
                change.heading
            ));
            change.fixed = change.before.saturating_sub(change.now);
            change.before.min(change.now)
        }
        before => {
            let still = counted.still(&rule.rule);
            if let Some(before) = before {
                gone(before, counted, is_bounded, &mut change);
            }
            still
        }
    };
    change.new = change.now - still.min(change.now);
    (change, still)
}

/// Counts the earlier findings of a rule that were not found again.
fn gone(before: &Findings, counted: &mut Rules, is_bounded: bool, change: &mut RuleChange) {
    let mut fixed: HashSet<Identity> = HashSet::new();
    for found in &before.identities {
        let is_unread = is_bounded || counted.earlier.is_unread(&found.sitemap);
        for identity in &found.identities {
            if !counted.earlier.take(*identity) {
                continue;
            }
            if is_unread {
                change.unread += 1;
            } else {
                change.fixed += 1;
                fixed.insert(*identity);
            }
        }
    }
    let examples = before.examples.iter();
    let is_fixed = |example: &&Example| fixed.contains(&example.identity);
    change.examples = examples
        .filter(is_fixed)
        .map(|example| Example {
            is_new: false,
            ..example.clone()
        })
        .collect();
}

/// Those that came or went, that can be read or not, or that list more or fewer pages; the broken ones first.
fn sitemaps(earlier: &Report, now: &Report, notes: &mut Vec<String>) -> Vec<SitemapChange> {
    if earlier.more_sitemaps + now.more_sitemaps > 0 {
        notes.push("There are too many sitemaps to compare all of them; those of both tables are compared.".to_owned());
    }
    // A sitemap that was not read is neither gone nor new.
    fn by_name(report: &Report) -> HashMap<Cow<'_, str>, &Sitemap> {
        let sitemaps = report.sitemaps.iter();
        let named = sitemaps.map(|sitemap| (stable_name(&sitemap.name), sitemap));
        named.collect()
    }
    let (before, after) = (by_name(earlier), by_name(now));
    let gone = earlier.sitemaps.iter();
    let gone = gone.filter(|sitemap| !after.contains_key(&stable_name(&sitemap.name)));
    let names = now.sitemaps.iter().chain(gone);
    let is_broken = |sitemap: &Sitemap| sitemap.status.is_unread();
    let is_bounded = |sitemap: &Sitemap| sitemap.status.is_bounded();
    let mut changes: Vec<_> = names
        .filter_map(|sitemap| {
            let name = stable_name(&sitemap.name);
            let (before, after) = (before.get(&name), after.get(&name));
            let change = match (before, after) {
                (Some(sitemap), _) | (None, Some(sitemap)) if is_bounded(sitemap) => return None,
                (_, Some(sitemap)) if is_bounded(sitemap) => return None,
                (None, Some(after)) if is_broken(after) => "now unreadable",
                (None, Some(_)) if earlier.more_sitemaps == 0 && !earlier.is_bounded => "new",
                (Some(_), None) if now.more_sitemaps == 0 && !now.is_bounded => "gone",
                (Some(before), Some(after)) if is_broken(after) && !is_broken(before) => {
                    "now unreadable"
                }
                (Some(before), Some(after)) if is_broken(before) && !is_broken(after) => {
                    "readable again"
                }
                (Some(before), Some(after)) if before.entries != after.entries => "other entries",
                _ => return None,
            };
            let entries = |sitemap: Option<&&Sitemap>| Some(sitemap?.entries);
            Some(SitemapChange {
                name: sitemap.name.clone(),
                change: change.to_owned(),
                before: entries(before),
                now: entries(after),
            })
        })
        .collect();
    let order = ["now unreadable", "gone", "new", "readable again"];
    let rank = |change: &SitemapChange| order.iter().position(|name| *name == change.change);
    changes.sort_by_cached_key(|change| {
        let rank = rank(change).unwrap_or(order.len());
        // The parts of a set have numbers.
        (rank, change.name.len(), change.name.clone())
    });
    changes
}

fn verdicts(before: &Probed, now: &Probed) -> Vec<VerdictChange> {
    let of = |probe: &Probed, name: &str| {
        let verdict = probe.verdicts.iter().find(|(verdict, _)| verdict == name);
        verdict.map_or(0, |(_, pages)| *pages)
    };
    let names = now.verdicts.iter().map(|(name, _)| name);
    names
        .map(|name| VerdictChange {
            verdict: name.clone(),
            before: of(before, name),
            now: of(now, name),
        })
        .collect()
}

/// Adds the largest sections. A number that is not known for all pages is not known for those of a section either.
pub(crate) fn with_sections(changes: Changes, sections: Sections<SectionChange>) -> Changes {
    let largest = sections.largest(SectionChange::size, SectionChange::add);
    let known = |all: Option<u64>, own: Option<u64>| all.map(|_| own.unwrap_or(0));
    let sections = largest.into_iter().map(|(section, change)| SectionChange {
        section,
        added: known(changes.added, change.added),
        removed: known(changes.removed, change.removed),
        changed: known(changes.changed, change.changed),
        ..change
    });
    Changes {
        sections: sections.collect(),
        ..changes
    }
}
