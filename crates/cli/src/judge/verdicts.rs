//! The severity of a finding, with the settings of the user.

use std::collections::HashMap;

use quick_sitemap::{Effect, Issue};

use super::rules::{Class, FindingRule, TABLE, of, unknown};
use crate::term::messages::Severity;
use crate::term::messages::Severity::{Advice, Error};

/// Severity of an issue without a setting.
///
/// An issue that costs an entry is an error for every rule.
pub(crate) fn severity(issue: &Issue) -> Severity {
    match issue.effect {
        Effect::EntrySkipped => Error,
        _ => of(issue.rule()).severity,
    }
}

/// The settings of the command line and of the configuration file. A rule without a setting has the severity of the
/// table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    /// `true` if the rule is denied.
    named: HashMap<&'static str, bool>,
    /// `true` if advice is reported.
    pub(crate) with_advice: bool,
    denies_advice: bool,
}

impl Verdicts {
    /// Later settings override earlier ones. `all` means the rules that are not named in another option.
    ///
    /// # Errors
    ///
    /// A name that no rule has, or one that is in both lists.
    pub(crate) fn set(&mut self, deny: &[String], allow: &[String]) -> anyhow::Result<()> {
        if let Some(both) = deny.iter().find(|name| allow.contains(name)) {
            anyhow::bail!("`{both}` is both denied and allowed");
        }
        let known = || TABLE.iter().filter(|rule| rule.is_optional());
        for (names, is_denied) in [(deny, true), (allow, false)] {
            if names.iter().any(|name| name == "all") {
                self.named
                    .extend(known().map(|rule| (rule.name, is_denied)));
            }
        }
        for (names, is_denied) in [(deny, true), (allow, false)] {
            for name in names.iter().filter(|name| *name != "all") {
                let Some(rule) = known().find(|rule| rule.name == name) else {
                    return Err(unknown(name, FindingRule::is_optional));
                };
                self.named.insert(rule.name, is_denied);
                self.denies_advice |= is_denied && rule.class == Class::Advice;
            }
        }
        Ok(())
    }

    /// Returns `true` if advice is reported, or was denied by name, so that it must be looked for.
    pub(crate) fn look_for_advice(&self) -> bool {
        self.with_advice || self.denies_advice
    }

    /// Returns `true` if the user does not want findings of the rule.
    pub(crate) fn allows(&self, rule: &FindingRule) -> bool {
        self.named.get(rule.name) == Some(&false)
    }

    /// Severity of a finding by the rule, or `None` if it is not reported.
    pub(crate) fn of(&self, rule: &FindingRule) -> Option<Severity> {
        self.judged(rule, rule.severity)
    }

    /// The severity of a finding with the settings, or `None` if it is not reported. Without a setting, it is `severity`.
    pub(crate) fn judged(&self, rule: &FindingRule, severity: Severity) -> Option<Severity> {
        match self.named.get(rule.name) {
            Some(true) => Some(Error),
            Some(false) => None,
            None => (severity != Advice || self.with_advice).then_some(severity),
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::Reader;

    use super::Severity::Warning;
    use super::*;
    use crate::judge::rules::rule;

    fn set(verdicts: &mut Verdicts, deny: &[&str], allow: &[&str]) -> anyhow::Result<()> {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        verdicts.set(&owned(deny), &owned(allow))
    }

    /// The severities of the issues in the document.
    fn severities(document: &str) -> Vec<(&'static str, Severity)> {
        let mut reader = Reader::from_bytes(document);
        let mut found = Vec::new();
        loop {
            let step = reader.next();
            let issues = reader.issues().iter();
            found.extend(issues.map(|issue| (issue.rule().name(), severity(issue))));
            if !matches!(step, Some(Ok(_))) {
                return found;
            }
        }
    }

    #[test]
    fn an_error_is_what_costs_pages() {
        let urlset = |entries: &str| {
            let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
            severities(&format!("<urlset xmlns=\"{namespace}\">{entries}</urlset>"))
        };
        let loc = "<loc>https://e.com/</loc>";
        assert_eq!(
            urlset("<url><loc>https://e.com/?a&b</loc></url>"),
            [("bare-ampersand", Warning)]
        );
        assert_eq!(urlset("<url></url>"), [("missing-loc", Error)]);
        assert_eq!(
            urlset(&format!("<url>{loc}<priority>2</priority></url>")),
            [("invalid-priority", Warning)]
        );
        assert_eq!(
            urlset(&format!("hello<url>{loc}</url>")),
            [("stray-text", Warning)]
        );
        // Nothing of XML counts in a text.
        assert_eq!(severities("https://e.com/?a=1&b=2\n"), []);
    }

    #[test]
    fn names_override_all_and_the_later_the_earlier() {
        let mut verdicts = Verdicts::default();
        set(&mut verdicts, &["all"], &["doctype"]).unwrap();
        assert_eq!(verdicts.of(rule!("old-news")), Some(Error));
        assert_eq!(verdicts.of(rule!("doctype")), None);
        assert!(!verdicts.look_for_advice());
        set(&mut verdicts, &["doctype"], &["all"]).unwrap();
        verdicts.with_advice = true;
        assert_eq!(verdicts.of(rule!("old-news")), None);
        assert_eq!(verdicts.of(rule!("doctype")), Some(Error));
        let mut verdicts = Verdicts::default();
        set(&mut verdicts, &["old-news"], &[]).unwrap();
        assert!(verdicts.look_for_advice());
        assert_eq!(verdicts.of(rule!("duplicate-url")), None);
        verdicts.with_advice = true;
        assert_eq!(verdicts.of(rule!("duplicate-url")), Some(Advice));
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
