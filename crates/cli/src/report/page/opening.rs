//! The result in sentences, the worst consequence first, for a reader who does not know sitemaps.

use crate::judge::rules::{Class, find, rule};
use crate::report::model::{Findings, Probed, Report};
use crate::report::words::{listed, of_probe, unread};
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// Kinds of problems that a sentence names.
const NAMED: usize = 3;

/// The results of a probe in words.
const VERDICTS: [(&str, &str); 13] = [
    ("missing", "missing"),
    ("error", "failing"),
    ("unread", "with a head that could not be read"),
    ("redirect", "redirecting"),
    ("noindex", "asking not to be listed"),
    ("canonical-elsewhere", "naming another page as the original"),
    ("wrong-target", "leading to a page that is not expected"),
    ("home-page", "leading to the home page"),
    ("temporary-redirect", "redirecting for a time only"),
    ("unlisted", "leading to a page that no sitemap lists"),
    (
        "redirect-chain",
        "leading to the page by more than two redirects",
    ),
    ("disallowed", "forbidden by robots.txt"),
    ("robots", "on hosts whose robots.txt cannot be read"),
];

/// A problem in a sentence, after its colour and the section of the page that has more of it.
pub(super) type Problem = (&'static str, &'static str, String);

/// The most important problems, and what is to be done first. The template has the words for a report without any.
pub(super) fn opening(report: &Report) -> (Vec<Problem>, Option<String>) {
    let probe = report.probe.as_ref();
    let rules = report.rules.iter();
    let (unread, others): (Vec<_>, Vec<_>) = rules.partition(|rule| is_of_reading(rule));
    let unseen = report.unseen.as_ref();
    let hides = |rule: &&Findings| unseen.is_some_and(|unseen| unseen.rule == rule.rule);
    // The pages that the sentence about the probe counts are not counted again.
    let told = |level| {
        let others = others.iter().copied();
        let told =
            others.filter(|rule| rule.level == level && !is_of_probe(rule, probe) && !hides(rule));
        told.collect::<Vec<_>>()
    };
    let (errors, warnings) = (told(Severity::Error), told(Severity::Warning));
    let missing = probe.map_or(0, |probe| probe.with("missing"));
    let serious = others.first().copied();
    let serious = serious.filter(|rule| rule.level != Severity::Advice);
    let hiding = report.rules.iter().find(hides);
    let first = match (hiding.or(unread.first().copied()), missing, serious) {
        (Some(rule), ..) | (None, 0, Some(rule)) => Some(first_of(rule)),
        (None, 0, None) => None,
        _ if probe.is_some_and(|probe| probe.is_map) => {
            Some("Redirect the missing URLs to their new pages.".to_owned())
        }
        _ => Some("Restore the missing pages, or remove them from the sitemaps.".to_owned()),
    };
    let mut lost = report.lost();
    if lost.is_empty() && report.rules.is_empty() {
        lost.extend(report.not_whole.clone());
    }
    let of_lost = format!(
        "This report is about a part of the input: {}.",
        listed(&lost)
    );
    let problems = [
        ("bad", "findings", report.of_unseen()),
        ("warn", "sitemaps", (!lost.is_empty()).then_some(of_lost)),
        ("bad", "sitemaps", of_sitemaps(report, &unread)),
        ("bad", "probe", probe.and_then(of_pages)),
        ("bad", "findings", of_rules(&errors, "cost pages")),
        ("warn", "findings", of_rules(&warnings, "cost no pages yet")),
    ];
    let problems = problems.into_iter();
    let problems = problems.filter_map(|(class, section, text)| Some((class, section, text?)));
    (problems.collect(), first)
}

/// Returns `true` if the sentence about the probe names the pages of these findings.
fn is_of_probe(rule: &Findings, probe: Option<&Probed>) -> bool {
    let verdict = match &*rule.rule {
        "disallowed" => "disallowed",
        "http-listed-on-https" => "redirect",
        _ => return false,
    };
    probe.is_some_and(|probe| probe.with(verdict) >= rule.count)
}

/// Returns `true` if a sitemap cannot be read, or not to its end.
fn is_of_reading(rule: &Findings) -> bool {
    let listed = find(&rule.rule);
    let of_part = [rule!("missing-part"), rule!("unreachable-part")];
    listed.is_some_and(|rule| rule.class == Class::End || of_part.contains(&rule))
}

/// The solution, and the first place.
fn first_of(rule: &Findings) -> String {
    let example = rule.examples.first();
    let place = example.map(|example| example.page.as_deref().unwrap_or(&example.sitemap));
    match place {
        Some(place) if rule.count == 1 => format!("{} It is {place}.", rule.fix),
        Some(place) => format!("{} The first is {place}.", rule.fix),
        None => rule.fix.clone(),
    }
}

/// `Search engines cannot read 4 of 13 sitemaps to the end: 2 sitemaps that your index names are missing, and …`
fn of_sitemaps(report: &Report, rules: &[&Findings]) -> Option<String> {
    let kinds = match rules {
        [] => String::new(),
        rules => format!(": {}", kinds(rules)),
    };
    let unread = (report.totals.unread > 0).then(|| unread(report))?;
    Some(format!(
        "Search engines cannot read {unread} to the end{kinds}."
    ))
}

/// `37 of 100 requested pages should not be listed: 6 missing and 31 redirecting.`
fn of_pages(probe: &Probed) -> Option<String> {
    let kinds = VERDICTS.map(|(verdict, words)| (probe.with(verdict), words));
    let kinds = kinds.iter().filter(|(pages, _)| *pages > 0);
    let kinds = kinds.map(|(pages, words)| format!("{} {words}", Grouped(*pages)));
    let kinds = listed(&kinds.collect::<Vec<_>>());
    Some(format!("{}: {kinds}.", of_probe(probe)?))
}

/// `9 problems cost pages: 4 entries name no page and 5 URLs lack their host.` A single kind is named with its consequence.
fn of_rules(rules: &[&Findings], cost: &str) -> Option<String> {
    match rules {
        [] => None,
        [only] => Some(format!("{}. {}", only.heading, only.why)),
        rules => {
            let problems = Count(rules.iter().map(|rule| rule.count).sum(), "problem");
            Some(format!("{problems} {cost}: {}.", kinds(rules)))
        }
    }
}

/// The most frequent kinds in words, and the number of findings of the others.
fn kinds(rules: &[&Findings]) -> String {
    let named = rules.iter().take(NAMED);
    let mut kinds: Vec<_> = named.map(|rule| rule.heading.clone()).collect();
    let others: u64 = rules.iter().skip(NAMED).map(|rule| rule.count).sum();
    if others > 0 {
        kinds.push(format!("{} of other kinds", Grouped(others)));
    }
    listed(&kinds)
}
