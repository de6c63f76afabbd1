//! The one table of verdicts: each rule with its severity, and the settings of the user. `rules.md` has the reasons.
//!
//! An error costs pages at a search engine: something is rejected or dropped, completely or in part. A warning is
//! understood all the same, or costs something later. Advice is about properties that search engines ignore.

use std::collections::HashMap;

use quick_sitemap::{Effect, Issue};

use super::unknown::unknown;
use crate::term::messages::Severity;
use crate::term::messages::Severity::{Advice, Error, Warning};

/// An index in a folder or on a site names a part that is not there.
pub(crate) const MISSING_PART: &str = "missing-part";
/// The document is not well-formed XML.
pub(crate) const NOT_WELL_FORMED: &str = "not-well-formed";
/// The file is what a generator makes a sitemap of.
pub(crate) const TEMPLATE: &str = "template";
/// The sitemap contains no entry.
pub(crate) const EMPTY_SITEMAP: &str = "empty-sitemap";
pub(crate) const EMPTY_INDEX: &str = "empty-index";
/// A page that has to be listed is not.
pub(crate) const MISSING_PAGE: &str = "missing-page";
/// A line of a list is not an entry.
pub(crate) const INVALID_ROW: &str = "invalid-row";
/// A part is on a host that is not trusted.
pub(crate) const PART_ELSEWHERE: &str = "part-elsewhere";
/// robots.txt forbids a page or a sitemap that is listed.
pub(crate) const DISALLOWED: &str = "disallowed";
pub(crate) const ROBOTS_WITHOUT_SITEMAP: &str = "robots-without-sitemap";
pub(crate) const UNREADABLE_ROBOTS: &str = "unreadable-robots";
/// The name ends in .gz, and the content is not gzipped.
pub(crate) const NOT_GZIP: &str = "not-gzip-but-named-so";
/// A sitemap at an https URL lists an http URL of its host.
pub(crate) const HTTP_ON_HTTPS: &str = "http-listed-on-https";
pub(crate) const UNKNOWN_CODE: &str = "hreflang-unknown-code";
pub(crate) const WITHOUT_RETURN: &str = "hreflang-without-return";

/// Kinds of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A rule of the library.
    Rule,
    /// Anything else that is wrong with a set.
    Check,
    /// Reported with `--advice`.
    Advice,
    /// Ends the reading, so that it cannot be allowed.
    End,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Verdict {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    /// Severity of a finding without a setting that costs no entry.
    pub(crate) severity: Severity,
}

const fn line(class: Class, name: &'static str, severity: Severity) -> Verdict {
    Verdict {
        name,
        class,
        severity,
    }
}

/// In the order of the documentation.
pub(crate) static TABLE: [Verdict; 85] = [
    line(Class::Rule, "missing-loc", Error),
    line(Class::Rule, "invalid-url", Warning),
    line(Class::Rule, "relative-url", Error),
    line(Class::Rule, "unsupported-scheme", Warning),
    line(Class::Rule, "url-too-long", Warning),
    line(Class::Rule, "url-not-escaped", Warning),
    line(Class::Rule, "outside-location", Error),
    line(Class::Rule, "invalid-datetime", Warning),
    line(Class::Rule, "non-standard-datetime", Warning),
    line(Class::Rule, "invalid-changefreq", Warning),
    line(Class::Rule, "non-standard-changefreq", Warning),
    line(Class::Rule, "invalid-priority", Warning),
    line(Class::Rule, "non-standard-priority", Warning),
    line(Class::Rule, "duplicate-element", Warning),
    line(Class::Rule, "second-loc", Error),
    line(Class::Rule, "unknown-element", Warning),
    line(Class::Rule, "misplaced-entry", Error),
    line(Class::Rule, "wrong-namespace", Warning),
    line(Class::Rule, "historic-namespace", Warning),
    line(Class::Rule, "wrong-case", Error),
    line(Class::Rule, "undeclared-prefix", Warning),
    line(Class::Rule, "bare-ampersand", Warning),
    line(Class::Rule, "unknown-entity", Warning),
    line(Class::Rule, "mismatched-tag", Warning),
    line(Class::Rule, "unclosed-entry", Warning),
    line(Class::Rule, "malformed-markup", Warning),
    line(Class::Rule, "invalid-character", Warning),
    line(Class::Rule, "doctype", Warning),
    line(Class::Rule, "stray-text", Warning),
    line(Class::Rule, "content-after-root", Warning),
    line(Class::Rule, "content-before-declaration", Warning),
    line(Class::Rule, "second-root", Error),
    line(Class::Rule, "wrapped-root", Error),
    line(Class::Rule, "too-many-entries", Error),
    line(Class::Rule, "too-many-bytes", Error),
    line(Class::Rule, "entry-too-large", Warning),
    line(Class::Rule, "too-deep", Warning),
    line(Class::Rule, "trailing-gzip-data", Warning),
    line(Class::Rule, "encoding-conflict", Warning),
    line(Class::Rule, "missing-element", Warning),
    line(Class::Rule, "missing-attribute", Warning),
    line(Class::Rule, "invalid-number", Warning),
    line(Class::Rule, "invalid-keyword", Warning),
    line(Class::Rule, "invalid-language", Warning),
    line(Class::Rule, "invalid-country", Warning),
    line(Class::Rule, "text-too-long", Warning),
    line(Class::Rule, "too-many-images", Warning),
    line(Class::Rule, "too-many-tags", Warning),
    line(Class::Rule, "too-many-tickers", Warning),
    line(Class::Rule, "too-many-news", Warning),
    line(Class::Rule, "issues-omitted", Warning),
    line(Class::Rule, "internal", Error),
    line(Class::Check, "not-well-formed", Error),
    line(Class::Check, "template", Error),
    line(Class::Check, "missing-part", Error),
    line(Class::Check, "missing-page", Error),
    line(Class::Check, "empty-sitemap", Warning),
    line(Class::Check, "empty-index", Error),
    line(Class::Check, "invalid-row", Error),
    line(Class::Check, "part-elsewhere", Warning),
    line(Class::Check, "disallowed", Warning),
    line(Class::Check, "robots-without-sitemap", Warning),
    line(Class::Check, "unreadable-robots", Error),
    line(Class::Check, "not-gzip-but-named-so", Warning),
    line(Class::Check, "http-listed-on-https", Error),
    line(Class::Check, "hreflang-unknown-code", Warning),
    line(Class::Check, "hreflang-without-return", Warning),
    line(Class::Advice, "ignored-changefreq", Advice),
    line(Class::Advice, "ignored-priority", Advice),
    line(Class::Advice, "deprecated-tag", Advice),
    line(Class::Advice, "implausible-lastmod", Advice),
    line(Class::Advice, "shared-lastmod", Advice),
    line(Class::Advice, "duplicate-url", Advice),
    line(Class::Advice, "several-spellings", Advice),
    line(Class::Advice, "escaped-twice", Advice),
    line(Class::Advice, "old-news", Advice),
    line(Class::Advice, "hreflang-twice", Advice),
    line(Class::Advice, "hreflang-without-self", Advice),
    line(Class::Advice, "xslt-stylesheet", Advice),
    line(Class::End, "io", Error),
    line(Class::End, "gzip", Error),
    line(Class::End, "unknown-root", Error),
    line(Class::End, "not-a-sitemap", Error),
    line(Class::End, "truncated", Error),
    line(Class::End, "limit-exceeded", Error),
];

/// The line of that name.
pub(crate) fn verdict(name: &str) -> Option<&'static Verdict> {
    TABLE.iter().find(|verdict| verdict.name == name)
}

/// Severity of an issue without a setting.
///
/// An issue that costs an entry is an error for every rule.
pub(crate) fn severity(issue: &Issue) -> Severity {
    match verdict(issue.rule().name()) {
        Some(verdict) if issue.effect != Effect::EntrySkipped => verdict.severity,
        _ => Error,
    }
}

/// The settings of the command line and of the configuration file. A rule without a setting has the severity of the
/// [table](TABLE).
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
        let known = || TABLE.iter().filter(|verdict| verdict.class != Class::End);
        for (names, is_denied) in [(deny, true), (allow, false)] {
            if names.iter().any(|name| name == "all") {
                self.named
                    .extend(known().map(|verdict| (verdict.name, is_denied)));
            }
        }
        for (names, is_denied) in [(deny, true), (allow, false)] {
            for name in names.iter().filter(|name| *name != "all") {
                let Some(verdict) = known().find(|verdict| verdict.name == name) else {
                    return Err(unknown(name, known().map(|verdict| verdict.name)));
                };
                self.named.insert(verdict.name, is_denied);
                self.denies_advice |= is_denied && verdict.class == Class::Advice;
            }
        }
        Ok(())
    }

    /// Returns `true` if advice is reported, or was denied by name, so that it must be looked for.
    pub(crate) fn look_for_advice(&self) -> bool {
        self.with_advice || self.denies_advice
    }

    /// Severity of a finding by the rule, or `None` if it is not reported.
    pub(crate) fn of(&self, name: &str) -> Option<Severity> {
        self.judged(name, verdict(name)?.severity)
    }

    /// The severity of a finding with the settings, or `None` if it is not reported. Without a setting, it is `severity`.
    pub(crate) fn judged(&self, name: &str, severity: Severity) -> Option<Severity> {
        match self.named.get(name) {
            Some(true) => Some(Error),
            Some(false) => None,
            None => (severity != Advice || self.with_advice).then_some(severity),
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::{Reader, Rule};

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
    fn every_rule_has_a_line_in_its_order() {
        let rules: Vec<_> = TABLE
            .iter()
            .filter(|verdict| verdict.class == Class::Rule)
            .map(|verdict| verdict.name)
            .collect();
        let expected: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        assert_eq!(rules, expected);
        for verdict in &TABLE {
            let is_advice = verdict.class == Class::Advice;
            assert_eq!(is_advice, verdict.severity == Advice, "{}", verdict.name);
        }
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
        assert_eq!(verdicts.of("old-news"), Some(Error));
        assert_eq!(verdicts.of("doctype"), None);
        assert!(!verdicts.look_for_advice());
        set(&mut verdicts, &["doctype"], &["all"]).unwrap();
        verdicts.with_advice = true;
        assert_eq!(verdicts.of("old-news"), None);
        assert_eq!(verdicts.of("doctype"), Some(Error));
        let mut verdicts = Verdicts::default();
        set(&mut verdicts, &["old-news"], &[]).unwrap();
        assert!(verdicts.look_for_advice());
        assert_eq!(verdicts.of("duplicate-url"), None);
        verdicts.with_advice = true;
        assert_eq!(verdicts.of("duplicate-url"), Some(Advice));
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
