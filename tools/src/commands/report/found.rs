//! Findings by rule, with a few examples each.

use std::collections::HashMap;
use std::ops::Range;

use quick_sitemap::Effect;

use super::model::{Example, Findings, Level};
use super::text::shown;
use crate::findings::finding::{Finding, cost};
use crate::findings::observer::Shown;
use crate::judge::rules;
use crate::judge::verdicts::verdict;
use crate::term::address::without_logins;
use crate::term::messages::Severity;

/// Examples of a rule, and how many of them may be of one sitemap.
const EXAMPLES: usize = 4;
const OF_SITEMAP: usize = 2;

/// It grows with the number of rules, not with that of findings.
#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: HashMap<&'static str, Found>,
}

#[derive(Debug)]
struct Found {
    level: Level,
    count: u64,
    sitemaps: u64,
    /// The sitemap of the last finding.
    last: String,
    effect: Option<Effect>,
    examples: Vec<Example>,
}

impl Rules {
    pub(super) fn add(
        &mut self,
        file: &str,
        finding: &Finding,
        excerpt: &mut dyn FnMut() -> Option<Shown>,
    ) {
        let level = level_of(finding.severity);
        let found = self.rules.entry(finding.rule).or_insert_with(|| Found {
            level,
            count: 0,
            sitemaps: 0,
            last: String::new(),
            effect: None,
            examples: Vec::new(),
        });
        found.level = found.level.min(level);
        if found.count == 0 || found.last != file {
            found.sitemaps += 1;
            file.clone_into(&mut found.last);
        }
        found.count += 1;
        found.effect = worse(found.effect, finding.effect);
        let here = found
            .examples
            .iter()
            .filter(|example| example.sitemap == file);
        if found.examples.len() < EXAMPLES && here.count() < OF_SITEMAP {
            let excerpt = excerpt().map(without_login);
            found.examples.push(Example {
                sitemap: file.to_owned(),
                line: finding.position.map(|position| position.line()),
                column: finding.position.map(|position| position.column()),
                message: shown(&finding.message),
                marked: excerpt
                    .as_ref()
                    .map(|(_, marked)| (marked.start, marked.end)),
                excerpt: excerpt.map(|(line, _)| line),
            });
        }
    }

    /// The worst first, then the most frequent.
    pub(super) fn finish(self) -> Vec<Findings> {
        let mut findings: Vec<_> = self
            .rules
            .into_iter()
            .map(|(rule, found)| Findings {
                rule: rule.to_owned(),
                level: found.level,
                count: found.count,
                sitemaps: found.sitemaps,
                explanation: verdict(rule).map_or(String::new(), |verdict| {
                    format!("{}\n\n{}", verdict.why, rules::described(verdict).text)
                }),
                cost: cost(found.effect),
                examples: found.examples,
            })
            .collect();
        findings.sort_by(|a, b| {
            let order = (a.level, b.count).cmp(&(b.level, a.count));
            order.then_with(|| a.rule.cmp(&b.rule))
        });
        findings
    }
}

fn level_of(severity: Severity) -> Level {
    match severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
        Severity::Advice => Level::Advice,
    }
}

/// The one that costs more.
fn worse(one: Option<Effect>, other: Option<Effect>) -> Option<Effect> {
    let weight = |effect: Option<Effect>| match effect {
        Some(Effect::EntrySkipped) => 3,
        Some(Effect::ValueDropped) => 2,
        Some(Effect::Noted) => 1,
        None => 0,
    };
    if weight(other) > weight(one) {
        other
    } else {
        one
    }
}

/// A line without the passwords of URLs, and what is marked of it then.
fn without_login((line, marked): Shown) -> Shown {
    let hidden = without_logins(&line);
    if hidden == line {
        return (line, marked);
    }
    let place = |end: usize| {
        let before = without_logins(line.get(..end).unwrap_or_default());
        let mut place = before.len().min(hidden.len());
        while !hidden.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let (start, end) = (place(marked.start), place(marked.end));
    let marked = Range {
        start: start.min(end),
        end,
    };
    (hidden.into_owned(), marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_no_password() {
        let line = "<loc>https://me:secret@example.com/ü</loc>";
        let start = line.find("https").unwrap();
        let end = line.find("</loc>").unwrap();
        let (hidden, marked) = without_login((line.to_owned(), start..end));
        assert_eq!(hidden, "<loc>https://***@example.com/ü</loc>");
        assert_eq!(&hidden[marked], "https://***@example.com/ü");
        // Within the password.
        let (hidden, marked) = without_login((line.to_owned(), start..start + 12));
        assert!(hidden.get(marked).is_some());
        let plain = ("<loc>a</loc>".to_owned(), 5..6);
        assert_eq!(without_login(plain.clone()), plain);
    }
}
