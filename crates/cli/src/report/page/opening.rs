//! The result in sentences, the worst consequence first, for a reader who does not know sitemaps.

use crate::judge::rules::{Class, find, rule};
use crate::report::model::{Changes, Findings, Probed, Report};
use crate::report::words::{day, listed};
use crate::term::count::{Count, Grouped};
use crate::term::messages::Severity;

/// Kinds of problems that a sentence names.
const NAMED: usize = 3;

#[derive(Debug, PartialEq)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// `bad`, `warn`, `good`, or nothing.
    pub(super) tone: &'static str,
    /// The section that has more of it.
    pub(super) section: &'static str,
}

impl Sentence {
    fn new(text: String, tone: &'static str, section: &'static str) -> Self {
        Self {
            text,
            tone,
            section,
        }
    }
}

/// Sentences, and what is to be done first.
#[derive(Debug, PartialEq)]
pub(super) struct Opening {
    pub(super) sentences: Vec<Sentence>,
    pub(super) first: Option<String>,
}

/// The sentences at the top of the page: the most important problems first, then what has changed.
pub(super) fn opening(report: &Report) -> Opening {
    let probe = report.probe.as_ref();
    let (unread, others): (Vec<_>, Vec<_>) =
        report.rules.iter().partition(|rule| is_of_reading(rule));
    let of = |level: Severity| {
        let rules = others.iter().copied();
        rules.filter(|rule| rule.level == level).collect::<Vec<_>>()
    };
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let mut sentences = problems(report, &unread, &errors, &warnings);
    if sentences.is_empty() {
        let totals = &report.totals;
        let read = format!(
            "Search engines can read {} with {}, and nothing is wrong with them.",
            Count(totals.sitemaps, "sitemap"),
            Count(totals.pages, "page")
        );
        sentences.push(Sentence::new(read, "good", "sitemaps"));
    }
    let changes = report.changes.as_ref();
    sentences.extend(changes.and_then(of_changes));
    let missing = probe.and_then(|probe| {
        let mut verdicts = probe.verdicts.iter();
        verdicts.find(|(name, pages)| name == "missing" && *pages > 0)
    });
    let missing = missing.map(|(_, pages)| match pages {
        1 => "Restore the missing page, or remove it from the sitemaps.".to_owned(),
        _ => "Restore the missing pages, or remove them from the sitemaps.".to_owned(),
    });
    let worst = unread.first().map(|rule| first_of(rule));
    let serious = errors.first().or(warnings.first());
    Opening {
        sentences,
        first: worst
            .or(missing)
            .or_else(|| serious.map(|rule| first_of(rule))),
    }
}

/// What was not read, and what is wrong; the worst consequence first.
fn problems(
    report: &Report,
    unread: &[&Findings],
    errors: &[&Findings],
    warnings: &[&Findings],
) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let lost = report.lost();
    if !lost.is_empty() {
        let text = format!(
            "This report is about a part of the input: {}.",
            listed(&lost)
        );
        sentences.push(Sentence::new(text, "warn", "sitemaps"));
    }
    let of_sitemaps = of_sitemaps(report, unread);
    sentences.extend(of_sitemaps.map(|text| Sentence::new(text, "bad", "sitemaps")));
    let of_pages = report.probe.as_ref().and_then(of_pages);
    sentences.extend(of_pages.map(|text| Sentence::new(text, "bad", "probe")));
    let told = |rule: &&&Findings| !is_of_probe(rule, report.probe.as_ref());
    let errors: Vec<_> = errors.iter().filter(told).copied().collect();
    let of_errors = of_rules(&errors, "problem", ["costs pages", "cost pages"]);
    sentences.extend(of_errors.map(|text| Sentence::new(text, "bad", "findings")));
    let name = if sentences.is_empty() {
        "problem"
    } else {
        "further problem"
    };
    let costs = ["costs no page yet", "cost no pages yet"];
    let warnings: Vec<_> = warnings.iter().filter(told).copied().collect();
    let of_warnings = of_rules(&warnings, name, costs);
    sentences.extend(of_warnings.map(|text| Sentence::new(text, "warn", "findings")));
    sentences
}

/// Returns `true` if the sentence about the probe names the pages of these findings.
fn is_of_probe(rule: &Findings, probe: Option<&Probed>) -> bool {
    let verdict = match &*rule.rule {
        "disallowed" => "disallowed",
        "http-listed-on-https" => "redirect",
        _ => return false,
    };
    let mut verdicts = probe.into_iter().flat_map(|probe| &probe.verdicts);
    verdicts.any(|(name, pages)| name == verdict && *pages >= rule.count)
}

/// `Since 2026-11-23, 3 problems are new and 12 are fixed.`
fn of_changes(changes: &Changes) -> Option<Sentence> {
    let findings = changes.findings.as_ref()?;
    let since = changes.made.as_deref().map_or("the earlier report", day);
    let is = |count| if count == 1 { "is" } else { "are" };
    let text = format!(
        "Since {since}, {} {} new and {} {} fixed.",
        Count(findings.new, "problem"),
        is(findings.new),
        Grouped(findings.fixed),
        is(findings.fixed)
    );
    let tone = if findings.new > 0 { "warn" } else { "" };
    Some(Sentence::new(text, tone, "changes"))
}

/// Returns `true` if a sitemap cannot be read, or not to its end.
fn is_of_reading(rule: &Findings) -> bool {
    let listed = find(&rule.rule);
    listed.is_some_and(|rule| rule.class == Class::End || rule == rule!("missing-part"))
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

/// `4 of 13 sitemaps cannot be read by search engines: 2 sitemaps that your index names are missing, and …`
fn of_sitemaps(report: &Report, rules: &[&Findings]) -> Option<String> {
    let totals = &report.totals;
    if totals.unread == 0 {
        return None;
    }
    let partly = totals.partly;
    let unread = totals.unread.saturating_sub(partly);
    let all = totals.sitemaps + unread;
    let of_all = format!("of {}", Count(all, "sitemap"));
    let mut text = match (unread, partly) {
        (0, partly) => format!(
            "Search engines can read {} {of_all} only in part",
            Grouped(partly)
        ),
        (unread, 0) => format!("Search engines cannot read {} {of_all}", Grouped(unread)),
        (unread, partly) => format!(
            "Search engines cannot read {} {of_all}, and {} more only in part",
            Grouped(unread),
            Grouped(partly)
        ),
    };
    let kinds = kinds(rules);
    if !kinds.is_empty() {
        text = format!("{text}: {}", listed(&kinds));
    }
    Some(text + ".")
}

/// `37 of 100 pages that were requested should not be listed: 6 are missing, and 31 redirect.`
fn of_pages(probe: &Probed) -> Option<String> {
    let kinds: Vec<String> = probe
        .verdicts
        .iter()
        .filter(|(_, count)| *count > 0)
        .filter(|(name, _)| name != "ok")
        .map(|(name, count)| {
            let [one, many] = match name.as_str() {
                "missing" => ["is missing", "are missing"],
                "error" => ["fails", "fail"],
                "redirect" => ["leads to another page", "lead to other pages"],
                "noindex" => ["asks not to be listed", "ask not to be listed"],
                "canonical-elsewhere" => [
                    "names another page as its original",
                    "name another page as their original",
                ],
                "wrong-target" => [
                    "leads to another page than expected",
                    "lead to other pages than expected",
                ],
                "home-page" => ["leads to the home page", "lead to the home page"],
                "disallowed" => ["is forbidden by robots.txt", "are forbidden by robots.txt"],
                name => return format!("{} with the result {name}", Grouped(*count)),
            };
            let does = if *count == 1 { one } else { many };
            format!("{} {does}", Grouped(*count))
        })
        .collect();
    let bad: u64 = probe
        .verdicts
        .iter()
        .filter(|(name, _)| name != "ok")
        .map(|(_, count)| count)
        .sum();
    (bad > 0).then(|| {
        format!(
            "{} of {} that {} requested should not be listed: {}.",
            Grouped(bad),
            Count(probe.pages, "page"),
            if probe.pages == 1 { "was" } else { "were" },
            listed(&kinds)
        )
    })
}

/// `9 problems cost pages: 4 entries name no page and 5 URLs lack their host.` A single kind is named with its consequence.
fn of_rules(rules: &[&Findings], name: &'static str, [costs, cost]: [&str; 2]) -> Option<String> {
    match rules {
        [] => None,
        [only] => Some(format!("{}. {}", only.heading, only.why)),
        rules => {
            let count = rules.iter().map(|rule| rule.count).sum();
            let verb = if count == 1 { costs } else { cost };
            let kinds = listed(&kinds(rules));
            Some(format!("{} {verb}: {kinds}.", Count(count, name)))
        }
    }
}

/// The most frequent kinds in words, and the number of findings of the others.
fn kinds(rules: &[&Findings]) -> Vec<String> {
    let mut kinds: Vec<_> = rules
        .iter()
        .take(NAMED)
        .map(|rule| rule.heading.clone())
        .collect();
    let others: u64 = rules.iter().skip(NAMED).map(|rule| rule.count).sum();
    if others > 0 {
        kinds.push(format!("{} of other kinds", Grouped(others)));
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::rules;
    use crate::report::model::{Example, NotReadRow, Totals};

    fn found(rule: &str, level: Severity, count: u64) -> Findings {
        let described = rules::find(rule).unwrap();
        Findings {
            rule: rule.to_owned(),
            level,
            count,
            heading: described.heading(count),
            why: described.why.to_owned(),
            fix: described.fix.to_owned(),
            examples: vec![Example {
                sitemap: "https://e.com/sitemap.xml".to_owned(),
                page: Some("https://e.com/part.xml".to_owned()),
                ..Example::default()
            }],
            ..Findings::default()
        }
    }

    fn texts(report: &Report) -> Vec<String> {
        let sentences = opening(report).sentences.into_iter();
        sentences.map(|sentence| sentence.text).collect()
    }

    #[test]
    fn the_worst_consequence_comes_first() {
        let report = Report {
            totals: Totals {
                sitemaps: 9,
                not_read: 4,
                unread: 4,
                ..Totals::default()
            },
            rules: vec![
                found("missing-loc", Severity::Error, 1_204),
                found("missing-part", Severity::Error, 1),
                found("relative-url", Severity::Error, 1),
                found("invalid-datetime", Severity::Warning, 24),
                found("ignored-priority", Severity::Advice, 3),
            ],
            probe: Some(Probed {
                pages: 100,
                verdicts: vec![
                    ("ok".to_owned(), 93),
                    ("missing".to_owned(), 6),
                    ("redirect".to_owned(), 1),
                ],
                ..Probed::default()
            }),
            ..Report::default()
        };
        assert_eq!(
            texts(&report),
            [
                "Search engines cannot read 4 of 13 sitemaps: 1 sitemap that your index names is missing.",
                "7 of 100 pages that were requested should not be listed: 6 are missing and 1 leads to another page.",
                "1,205 problems cost pages: 1,204 entries name no page and 1 URL lacks its host.",
                "24 dates cannot be understood. The date is ignored.",
            ]
        );
        assert_eq!(
            opening(&report).first.unwrap(),
            "Publish the missing sitemap, or remove it from the index. It is https://e.com/part.xml."
        );
    }

    #[test]
    fn nothing_wrong_is_a_sentence() {
        let mut report = Report::default();
        report.totals.sitemaps = 2;
        report.totals.pages = 1;
        report.rules = vec![found("ignored-priority", Severity::Advice, 3)];
        let result = opening(&report);
        let text =
            "Search engines can read 2 sitemaps with 1 page, and nothing is wrong with them.";
        assert_eq!(result.sentences[0].text, text);
        assert_eq!((result.sentences[0].tone, result.first), ("good", None));
        // A report on a part does not say so.
        report.not_read.push(NotReadRow {
            reason: "there are more than 7 sitemaps (--max-sitemaps)".to_owned(),
            sitemaps: 3,
            is_lost: true,
            ..NotReadRow::default()
        });
        assert_eq!(
            texts(&report),
            [
                "This report is about a part of the input: 3 sitemaps were not read: there are more than 7 sitemaps (--max-sitemaps)."
            ]
        );
    }
}
