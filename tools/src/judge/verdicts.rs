//! What was said about each rule on the command line and in the configuration file.

use std::collections::HashMap;

use quick_sitemap::{Effect, Issue, Rule};

use super::advice;
use super::unknown::unknown;
use crate::term::messages::Severity;

/// An index in a folder names a part that is not there.
pub(crate) const MISSING_PART: &str = "missing-part";
/// There is no entry in the sitemap.
pub(crate) const EMPTY_SITEMAP: &str = "empty-sitemap";
/// A page that has to be listed is not.
pub(crate) const MISSING_PAGE: &str = "missing-page";
/// A line of a list is not an entry.
pub(crate) const INVALID_ROW: &str = "invalid-row";

/// A part is on a host that is not trusted.
pub(crate) const PART_ELSEWHERE: &str = "part-elsewhere";
/// robots.txt forbids a page or a sitemap that is listed.
pub(crate) const DISALLOWED: &str = "disallowed";
pub(crate) const ROBOTS_WITHOUT_SITEMAP: &str = "robots-without-sitemap";
/// The name ends in .gz, and the content is not gzipped.
pub(crate) const NOT_GZIP: &str = "not-gzip-but-named-so";
/// A sitemap at an https URL lists an http URL of its host.
pub(crate) const HTTP_ON_HTTPS: &str = "http-listed-on-https";

/// What is no rule of the protocol, but wrong with the set that is checked.
pub(crate) const CHECKS: [(&str, Severity); 9] = [
    (MISSING_PART, Severity::Error),
    (MISSING_PAGE, Severity::Error),
    (EMPTY_SITEMAP, Severity::Warning),
    (INVALID_ROW, Severity::Error),
    (PART_ELSEWHERE, Severity::Warning),
    (DISALLOWED, Severity::Warning),
    (ROBOTS_WITHOUT_SITEMAP, Severity::Warning),
    (NOT_GZIP, Severity::Warning),
    (HTTP_ON_HTTPS, Severity::Error),
];

/// What a finding is if nothing was said about its rule and no entry is lost: an error if search engines reject the file
/// or the page for it.
pub(crate) fn default_of(rule: Rule) -> Severity {
    match rule {
        Rule::TooManyEntries | Rule::TooManyBytes | Rule::OutsideLocation => Severity::Error,
        _ => Severity::Warning,
    }
}

/// A rule that nothing was said about has [its default](default_of), and is an error where it costs an entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    /// Whether the rule is denied.
    named: HashMap<&'static str, bool>,
    asks_for_advice: bool,
}

impl Verdicts {
    /// What is said here overrides what was said before. `all` stands for the rules that are not named beside it.
    ///
    /// # Errors
    ///
    /// A name that no rule has, or one that is in both lists.
    pub(crate) fn set(&mut self, deny: &[String], allow: &[String]) -> anyhow::Result<()> {
        if let Some(both) = deny.iter().find(|name| allow.contains(name)) {
            anyhow::bail!("`{both}` is both denied and allowed");
        }
        for (names, is_denied) in [(deny, true), (allow, false)] {
            if names.iter().any(|name| name == "all") {
                for name in names_of_all() {
                    self.named.insert(name, is_denied);
                }
            }
        }
        for (names, is_denied) in [(deny, true), (allow, false)] {
            for name in names.iter().filter(|name| *name != "all") {
                let Some(known) = names_of_all().find(|known| known == name) else {
                    return Err(unknown(name, names_of_all()));
                };
                self.named.insert(known, is_denied);
                self.asks_for_advice |= is_denied && advice::RULES.contains(&known);
            }
        }
        Ok(())
    }

    /// Whether advice has been denied by name, so that it has to be looked for.
    pub(crate) fn ask_for_advice(&self) -> bool {
        self.asks_for_advice
    }

    /// `None`: not to be mentioned.
    pub(crate) fn of_issue(&self, issue: &Issue) -> Option<Severity> {
        match (self.named.get(issue.rule().name()), issue.effect) {
            (Some(true), _) | (None, Effect::EntrySkipped) => Some(Severity::Error),
            (Some(false), _) => None,
            (None, Effect::Noted | Effect::ValueDropped) => Some(default_of(issue.rule())),
        }
    }

    /// Of an entry that is skipped because of the rule. `None`: not to be mentioned.
    pub(crate) fn of_skipped(&self, rule: Rule) -> Option<Severity> {
        match self.named.get(rule.name()) {
            Some(false) => None,
            Some(true) | None => Some(Severity::Error),
        }
    }

    /// Of one of [`CHECKS`]. `None`: not to be mentioned.
    pub(crate) fn of_check(&self, name: &str) -> Option<Severity> {
        let default = CHECKS.iter().find(|(known, _)| *known == name);
        match self.named.get(name) {
            Some(true) => Some(Severity::Error),
            Some(false) => None,
            None => default.map(|(_, severity)| *severity),
        }
    }

    /// `None`: not to be mentioned.
    pub(crate) fn of_advice(&self, name: &str, is_wanted: bool) -> Option<Severity> {
        match self.named.get(name) {
            Some(true) => Some(Severity::Error),
            Some(false) => None,
            None => is_wanted.then_some(Severity::Advice),
        }
    }
}

fn names_of_all() -> impl Iterator<Item = &'static str> {
    let rules = Rule::ALL.iter().map(|rule| rule.name());
    rules
        .chain(CHECKS.map(|(name, _)| name))
        .chain(advice::RULES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(verdicts: &mut Verdicts, deny: &[&str], allow: &[&str]) -> anyhow::Result<()> {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        verdicts.set(&owned(deny), &owned(allow))
    }

    #[test]
    fn names_override_all_and_the_later_the_earlier() {
        let mut verdicts = Verdicts::default();
        set(&mut verdicts, &["all"], &["doctype"]).unwrap();
        assert_eq!(verdicts.of_advice("old-news", false), Some(Severity::Error));
        assert!(!verdicts.named["doctype"]);
        assert!(!verdicts.ask_for_advice());
        set(&mut verdicts, &["doctype"], &["all"]).unwrap();
        assert_eq!(verdicts.of_advice("old-news", true), None);
        assert!(verdicts.named["doctype"]);
        let mut verdicts = Verdicts::default();
        set(&mut verdicts, &["old-news"], &[]).unwrap();
        assert!(verdicts.ask_for_advice());
        assert_eq!(verdicts.of_advice("duplicate-url", false), None);
        assert_eq!(
            verdicts.of_advice("duplicate-url", true),
            Some(Severity::Advice)
        );
    }

    #[test]
    fn unknown_names_and_contradictions_are_errors() {
        let mut verdicts = Verdicts::default();
        assert!(set(&mut verdicts, &["no-such-rule"], &[]).is_err());
        assert!(set(&mut verdicts, &[], &["truncated"]).is_err());
        assert!(set(&mut verdicts, &["doctype"], &["doctype"]).is_err());
        assert!(set(&mut verdicts, &["all"], &["all"]).is_err());
    }
}
