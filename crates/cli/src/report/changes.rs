//! `--against` an earlier report: what has changed since then.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};

use indexmap::IndexMap;

use super::found::Rules;
use super::model::{
    Changes, Compared, FindingChanges, Findings, Report, RuleChange, Sitemap, SitemapChange,
};
use super::sections::Sections;
use crate::figures::tree::by_section;
use crate::findings::answered::{Answered, Earlier};
use crate::findings::identity::Identity;
use crate::judge::page_key::stable_name;
use crate::judge::rules;
use crate::probe::found::Verdict;
use crate::term::count::{Count, Grouped};

/// The things of two reports, paired by name: those of now, and then those that are gone.
fn pairs<'r, T>(
    before: &'r [T],
    now: &'r [T],
    name: impl Fn(&T) -> Cow<'_, str>,
) -> Vec<(Option<&'r T>, Option<&'r T>)> {
    let mut left: IndexMap<_, VecDeque<&T>> = IndexMap::new();
    for thing in before {
        left.entry(name(thing)).or_default().push_back(thing);
    }
    let mut pairs = Vec::new();
    for thing in now {
        let before = left.get_mut(&name(thing)).and_then(VecDeque::pop_front);
        pairs.push((before, Some(thing)));
    }
    let gone = left.into_values().flatten();
    pairs.extend(gone.map(|thing| (Some(thing), None)));
    pairs
}

/// The sections that changed most.
fn compared(sections: Sections<2>) -> Vec<Compared> {
    let size = |[before, now]: &[u64; 2]| (before.abs_diff(*now), *now);
    let rows = sections.largest(size).into_iter();
    let rows = rows.map(|(name, [before, now])| Compared { name, before, now });
    rows.collect()
}

/// The changes since the earlier report.
///
/// # Errors
///
/// Those of the table of all findings, to which fixed ones are added.
pub(crate) fn since(
    earlier: &Report,
    name: String,
    now: &Report,
    counted: &mut Rules,
    answered: &Answered<'_>,
) -> anyhow::Result<Changes> {
    let mut notes = Vec::new();
    let findings = findings(earlier, now, counted, answered, &mut notes)?;
    let has_lost_robots = counted.earlier.has_lost_robots;
    let sitemaps = sitemaps(earlier, now, has_lost_robots, &mut notes);
    let mut sections = Sections::<2>::default();
    for (section, pages) in by_section(&earlier.sections) {
        let [before, _] = sections.at(section);
        *before += pages;
    }
    for (section, pages) in by_section(&now.sections) {
        let [_, now] = sections.at(section);
        *now += pages;
    }
    let probes = earlier.probe.as_ref().zip(now.probe.as_ref());
    let verdicts = probes.into_iter().flat_map(|(before, now)| {
        // Of bad results alone, nobody knows how many were good.
        let is_known = !before.only_bad && !now.only_bad;
        let good = [Verdict::Ok, Verdict::OtherHost].map(|good| good.to_string());
        let verdicts = now.verdicts.iter();
        let verdicts = verdicts.filter(move |(name, _)| is_known || !good.contains(name));
        verdicts.map(|(name, pages)| Compared {
            name: name.clone(),
            before: before.with(name),
            now: *pages,
        })
    });
    Ok(Changes {
        earlier: name,
        made: earlier.made.clone(),
        pages_before: earlier.totals.pages,
        sections: compared(sections),
        notes,
        totals: earlier.totals.clone(),
        findings,
        sitemaps,
        verdicts: verdicts.collect(),
    })
}

/// Compares the findings with those of the earlier report.
fn findings(
    earlier: &Report,
    now: &Report,
    counted: &mut Rules,
    answered: &Answered<'_>,
    notes: &mut Vec<String>,
) -> anyhow::Result<FindingChanges> {
    let mut changes = FindingChanges::default();
    for (before, after) in pairs(&earlier.rules, &now.rules, |rule| (&*rule.rule).into()) {
        let Some(rule) = after.or(before) else {
            continue;
        };
        let described = rules::find(&rule.rule);
        let mut change = RuleChange {
            rule: rule.rule.clone(),
            level: rule.level,
            heading: described
                .map_or(&*rule.rule, |rule| rule.happened[1])
                .to_owned(),
            before: before.map_or(0, |findings| findings.count),
            now: after.map_or(0, |findings| findings.count),
            still: after.map_or(0, |findings| findings.count - findings.new),
            ..RuleChange::default()
        };
        match before {
            Some(before) if !before.is_identified() => {
                notes.push(format!(
                    "{} {} before, which cannot be compared one by one, so only the numbers are compared.",
                    Grouped(before.count),
                    change.heading
                ));
                change.still = change.before.min(change.now);
                change.unread = change.before - change.still;
            }
            Some(before) => gone(earlier, before, counted, answered, &mut change),
            None => {}
        }
        change.new = change.now.saturating_sub(change.still);
        counted.fixed(&change)?;
        changes.new += change.new;
        changes.fixed += change.fixed;
        changes.still += change.still;
        changes.unread += change.unread;
        changes.rules.push(change);
    }
    let rules = &mut changes.rules;
    rules.retain(|change| change.new + change.fixed + change.unread > 0);
    rules.sort_by_key(|change| Reverse((change.level, change.new)));
    if changes.unread > 0 {
        notes.push(format!(
            "{} of the earlier report could not be checked again, because their sitemaps were not read to the end, are not among the inputs, or their rules were not asked.",
            Count(changes.unread, "finding")
        ));
    }
    Ok(changes)
}

/// Counts the earlier findings of a rule that were not found again.
fn gone(
    earlier: &Report,
    before: &Findings,
    counted: &mut Rules,
    answered: &Answered<'_>,
    change: &mut RuleChange,
) {
    let mut fixed: HashSet<Identity> = HashSet::new();
    for (sitemap, identities) in &before.identities {
        let now = counted.earlier.hosts().done(sitemap);
        let mut rows = earlier.sitemaps.iter();
        let row = rows.find(|row| row.stable_name() == stable_name(&now));
        let is_fixed = answered.is_fixed(Earlier {
            file: sitemap,
            rule: &before.rule,
            page: None,
            format: row.and_then(|row| row.format.as_deref()),
            is_listing_known: !counted.earlier.has_lost_robots,
        });
        for identity in identities {
            match counted.earlier.left(sitemap, *identity) {
                Some(is_judged) if is_judged && is_fixed => {
                    fixed.insert(*identity);
                    change.fixed += 1;
                }
                Some(_) => change.unread += 1,
                None => {}
            }
        }
    }
    let examples = before.examples.iter();
    let examples = examples.filter(|example| fixed.contains(&example.identity));
    change.examples = examples.cloned().collect();
}

/// Those that came or went, that can be read or not, or that list more or fewer pages; the broken ones first.
fn sitemaps(
    earlier: &Report,
    now: &Report,
    has_lost_robots: bool,
    notes: &mut Vec<String>,
) -> Vec<SitemapChange> {
    if earlier.more_sitemaps + now.more_sitemaps > 0 {
        notes.push("There are too many sitemaps to compare all of them; those of both tables are compared.".to_owned());
    }
    let whole = |report: &Report| report.whole?.of_table(report.sitemaps.len());
    let (was_whole, is_whole) = (whole(earlier), whole(now));
    let entries = |sitemap: Option<&Sitemap>| sitemap.map(|sitemap| sitemap.entries);
    let is_broken = |sitemap: Option<&Sitemap>| sitemap.map(|sitemap| sitemap.status.is_unread());
    let mut changes = Vec::new();
    for (before, after) in pairs(&earlier.sitemaps, &now.sitemaps, Sitemap::stable_name) {
        let mut both = after.into_iter().chain(before);
        // A sitemap that was not read is neither gone nor new.
        let is_bounded = both.clone().any(|sitemap| sitemap.status.is_bounded());
        let Some(sitemap) = both.next().filter(|_| !is_bounded) else {
            continue;
        };
        let (rank, change) = match (is_broken(before), is_broken(after)) {
            (None | Some(false), Some(true)) => (0, "now unreadable"),
            (Some(true), Some(false)) => (3, "readable again"),
            (None, _) if was_whole.is_some() => (2, "new"),
            (_, None) if is_whole.is_some() && !has_lost_robots => (1, "gone"),
            (Some(_), Some(_)) if entries(before) != entries(after) => (4, "other entries"),
            _ => continue,
        };
        let change = SitemapChange {
            name: sitemap.name.clone(),
            change: change.to_owned(),
            before: entries(before),
            now: entries(after),
        };
        // The parts of a set have numbers.
        changes.push(((rank, change.name.len(), change.name.clone()), change));
    }
    changes.sort_by(|(a, _), (b, _)| a.cmp(b));
    changes.into_iter().map(|(_, change)| change).collect()
}
