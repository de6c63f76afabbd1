//! The one table of verdicts: each rule with its severity and the reason, and what the user said about it.
//!
//! An error costs pages at a search engine: something is refused or dropped, whole or in part. A warning is understood
//! all the same, or costs something later. Advice is about what search engines ignore.

use std::collections::HashMap;

use quick_sitemap::{Effect, Issue, Rule};

use super::unknown::unknown;
use crate::term::messages::Severity;
use crate::term::messages::Severity::{Advice, Error, Warning};

/// An index in a folder or on a site names a part that is not there.
pub(crate) const MISSING_PART: &str = "missing-part";
/// The document is not well-formed XML.
pub(crate) const NOT_WELL_FORMED: &str = "not-well-formed";
/// The file is what a generator makes a sitemap of.
pub(crate) const TEMPLATE: &str = "template";
/// There is no entry in the sitemap.
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
    /// A rule of the protocol, which the library knows.
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
    /// Severity of a finding that nothing was said about and that costs no entry.
    pub(crate) severity: Severity,
    /// The consequence, which is the reason for the severity.
    pub(crate) why: &'static str,
}

const UP_TO_HERE: &str = "Search engines read the file up to this place and drop the rest.";

const fn rule(name: &'static str, severity: Severity, why: &'static str) -> Verdict {
    Verdict {
        name,
        class: Class::Rule,
        severity,
        why,
    }
}

const fn check(name: &'static str, severity: Severity, why: &'static str) -> Verdict {
    Verdict {
        class: Class::Check,
        ..rule(name, severity, why)
    }
}

const fn advice(name: &'static str, severity: Severity, why: &'static str) -> Verdict {
    Verdict {
        class: Class::Advice,
        ..rule(name, severity, why)
    }
}

const fn end(name: &'static str, severity: Severity, why: &'static str) -> Verdict {
    Verdict {
        class: Class::End,
        ..rule(name, severity, why)
    }
}

/// In the order of the documentation.
#[rustfmt::skip]
pub(crate) static TABLE: [Verdict; 82] = [
    rule("missing-loc", Error, "The entry names no page, so search engines drop it."),
    rule("invalid-url", Warning, "An entry without a usable URL is dropped; elsewhere only the value is."),
    rule("relative-url", Error, "Search engines do not resolve relative URLs and drop the page."),
    rule("unsupported-scheme", Warning, "Search engines fetch only http and https, so an entry is dropped."),
    rule("url-too-long", Warning, "Search engines may drop a URL of this length."),
    rule("url-not-escaped", Warning, "Readers may take it for different URLs."),
    rule("outside-location", Error, "Search engines drop pages that the sitemap may not list."),
    rule("invalid-datetime", Warning, "The date is ignored."),
    rule("non-standard-datetime", Warning, "Readers that know only the standard form ignore the date."),
    rule("invalid-changefreq", Warning, "The value is ignored."),
    rule("non-standard-changefreq", Warning, "Readers that know only the standard form ignore the value."),
    rule("invalid-priority", Warning, "The value is ignored."),
    rule("non-standard-priority", Warning, "Readers that know only the standard form ignore the value."),
    rule("duplicate-element", Warning, "The first one counts; the others are ignored."),
    rule("second-loc", Error, "Search engines read one URL per entry, so the others are not seen."),
    rule("unknown-element", Warning, "The element is ignored."),
    rule("misplaced-entry", Error, "Search engines read pages in a urlset and sitemaps in an index only."),
    rule("wrong-namespace", Warning, "Readers that compare namespaces find no entries."),
    rule("wrong-case", Error, "XML is case-sensitive, so search engines do not see the element."),
    rule("undeclared-prefix", Error, UP_TO_HERE),
    rule("bare-ampersand", Error, UP_TO_HERE),
    rule("unknown-entity", Error, UP_TO_HERE),
    rule("mismatched-tag", Error, UP_TO_HERE),
    rule("unclosed-entry", Error, UP_TO_HERE),
    rule("malformed-markup", Error, UP_TO_HERE),
    rule("invalid-character", Error, UP_TO_HERE),
    rule("doctype", Warning, "Nothing that it declares is read."),
    rule("stray-text", Warning, "The text is ignored."),
    rule("content-after-root", Error, UP_TO_HERE),
    rule("content-before-declaration", Error, UP_TO_HERE),
    rule("second-root", Error, UP_TO_HERE),
    rule("too-many-entries", Error, "Search engines reject the file, or read only its beginning."),
    rule("too-many-bytes", Error, "Search engines reject the file, or read only its beginning."),
    rule("entry-too-large", Warning, "This program skips the entry; others may read it."),
    rule("too-deep", Warning, "This program skips the entry; others may read it."),
    rule("trailing-gzip-data", Warning, "The bytes are ignored."),
    rule("encoding-conflict", Warning, "Other readers may reject the file, or read other characters."),
    rule("missing-element", Warning, "Search engines ignore the image, video or article, not the page."),
    rule("missing-attribute", Warning, "Search engines ignore the link."),
    rule("invalid-number", Warning, "The value is ignored."),
    rule("invalid-keyword", Warning, "The value is ignored, or understood all the same."),
    rule("invalid-language", Warning, "Search engines ignore the link, or the language of the article."),
    rule("invalid-country", Warning, "The value is ignored."),
    rule("text-too-long", Warning, "Search engines may cut or ignore the text."),
    rule("too-many-images", Warning, "Search engines ignore the images beyond the limit."),
    rule("too-many-tags", Warning, "Search engines ignore the tags beyond the limit."),
    rule("too-many-tickers", Warning, "Search engines ignore the tickers beyond the limit."),
    rule("too-many-news", Warning, "Search engines ignore the articles beyond the limit."),
    rule("issues-omitted", Warning, "Some issues are only counted."),
    check("not-well-formed", Error, UP_TO_HERE),
    check("template", Error, "Search engines read the placeholders as they are."),
    check("missing-part", Error, "Search engines see none of the pages of the part."),
    check("missing-page", Error, "A page that has to be listed is not."),
    check("empty-sitemap", Warning, "Search engines report the sitemap, which lists no page."),
    check("empty-index", Error, "Search engines reject an index that lists no sitemap."),
    check("invalid-row", Error, "The row names no page that can be used."),
    check("part-elsewhere", Warning, "Search engines read the part only if the other host allows it."),
    check("disallowed", Warning, "Search engines do not fetch the page, and report it."),
    check("robots-without-sitemap", Warning, "Search engines do not find the sitemaps by themselves."),
    check("unreadable-robots", Error, "Search engines may fetch nothing while robots.txt cannot be read."),
    check("not-gzip-but-named-so", Warning, "Readers that go by the name cannot unpack the file."),
    check("http-listed-on-https", Error, "Search engines drop pages that the sitemap may not list."),
    check("hreflang-unknown-code", Warning, "Google ignores the link for this language."),
    check("hreflang-without-return", Warning, "Google ignores a link that is not returned."),
    advice("ignored-changefreq", Advice, "Google ignores changefreq."),
    advice("ignored-priority", Advice, "Google ignores priority."),
    advice("deprecated-tag", Advice, "Google ignores the tag."),
    advice("implausible-lastmod", Advice, "Google ignores the date, and may ignore the other ones, too."),
    advice("shared-lastmod", Advice, "Google ignores dates that are not those of the pages."),
    advice("duplicate-url", Advice, "The page counts once."),
    advice("several-spellings", Advice, "Search engines choose one of the spellings."),
    advice("escaped-twice", Advice, "Search engines fetch another URL than the one that was meant."),
    advice("old-news", Advice, "Google News ignores the article."),
    advice("hreflang-twice", Advice, "Google uses one of the pages, or none."),
    advice("hreflang-without-self", Advice, "Google may ignore the links of the page."),
    advice("xslt-stylesheet", Advice, "Browsers will ignore the style sheet; search engines do already."),
    end("io", Error, "Nothing more can be read."),
    end("gzip", Error, "Nothing behind the place can be read."),
    end("unknown-root", Error, "Search engines reject the file."),
    end("not-a-sitemap", Error, "Search engines reject the file."),
    end("truncated", Error, "The entries behind the place are lost."),
    end("limit-exceeded", Error, "Nothing behind the place is read."),
];

/// The line of that name.
pub(crate) fn verdict(name: &str) -> Option<&'static Verdict> {
    TABLE.iter().find(|verdict| verdict.name == name)
}

/// Severity of an issue that nothing was said about.
///
/// An issue that costs an entry or breaks XML is an error whatever its rule is. An issue by a rule of XML that does not
/// break it, such as a control character in a text sitemap, is a warning.
pub(crate) fn severity(issue: &Issue) -> Severity {
    let breaks_xml = issue.violation.breaks_xml();
    match verdict(issue.rule().name()) {
        _ if breaks_xml || issue.effect == Effect::EntrySkipped => Error,
        Some(verdict) if verdict.why != UP_TO_HERE => verdict.severity,
        _ => Warning,
    }
}

/// What was said on the command line and in the configuration file: a rule that nothing was said about has the severity of
/// the [table](TABLE).
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdicts {
    /// Whether the rule is denied.
    named: HashMap<&'static str, bool>,
    /// Whether advice is reported.
    pub(crate) with_advice: bool,
    denies_advice: bool,
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

    /// Severity of an issue, or `None` if it is not reported.
    pub(crate) fn of_issue(&self, issue: &Issue) -> Option<Severity> {
        self.said(issue.rule().name(), severity(issue))
    }

    /// Severity of an entry that is skipped for the rule, or `None` if it is not reported.
    pub(crate) fn of_skipped(&self, rule: Rule) -> Option<Severity> {
        self.said(rule.name(), Error)
    }

    /// Severity of a finding by the rule, or `None` if it is not reported.
    pub(crate) fn of(&self, name: &str) -> Option<Severity> {
        let verdict = verdict(name)?;
        let severity = self.said(name, verdict.severity)?;
        (severity != Advice || self.with_advice).then_some(severity)
    }

    fn said(&self, name: &str, severity: Severity) -> Option<Severity> {
        match self.named.get(name) {
            Some(true) => Some(Error),
            Some(false) => None,
            None => Some(severity),
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_sitemap::Reader;

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
            assert!(verdict.why.ends_with('.') && verdict.why.len() <= 80);
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
            [("bare-ampersand", Error)]
        );
        assert_eq!(urlset("<url></url>"), [("missing-loc", Error)]);
        assert_eq!(
            urlset(&format!("<url>{loc}<priority>2</priority></url>")),
            [("invalid-priority", Warning)]
        );
        // Text between two entries is well-formed, a `<` that begins no markup is not.
        assert_eq!(
            urlset(&format!("hello<url>{loc}</url>")),
            [("stray-text", Warning)]
        );
        let marker = urlset(&format!("\n<<<<<<< HEAD\n<url>{loc}</url>"));
        assert!(marker.contains(&("stray-text", Error)), "{marker:?}");
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
