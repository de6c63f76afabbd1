//! The one table of verdicts: each rule with its severity and the reason, and the settings of the user.
//!
//! An error costs pages at a search engine: something is rejected or dropped, completely or in part. A warning is
//! understood all the same, or costs something later. Advice is about properties that search engines ignore.

use std::collections::HashMap;

use quick_sitemap::{Effect, Issue};

use super::unknown::unknown;
#[cfg(feature = "full")]
use crate::term::count::Grouped;
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
    /// The consequence, which is the reason for the severity.
    pub(crate) why: &'static str,
    /// A description of the problem, after the number of findings: for one, and for several.
    pub(crate) happened: [&'static str; 2],
    /// The solution, for the owner of the site.
    pub(crate) fix: &'static str,
}

impl Verdict {
    /// A description of the problem, as a sentence without its full stop: `2 sitemaps that your index names are
    /// missing`.
    #[cfg(feature = "full")]
    pub(crate) fn heading(&self, count: u64) -> String {
        let [one, many] = self.happened;
        format!("{} {}", Grouped(count), if count == 1 { one } else { many })
    }
}

const UP_TO_HERE: &str = "Search engines read the file up to this place and drop the rest.";

const fn line(
    class: Class,
    name: &'static str,
    severity: Severity,
    why: &'static str,
    happened: [&'static str; 2],
    fix: &'static str,
) -> Verdict {
    Verdict {
        name,
        class,
        severity,
        why,
        happened,
        fix,
    }
}

/// In the order of the documentation.
#[rustfmt::skip]
pub(crate) static TABLE: [Verdict; 83] = [
    line(Class::Rule, "missing-loc", Error, "The entry names no page, so search engines drop it.",
        ["entry names no page", "entries name no page"],
        "Add the URL of the page, or remove the entry."),
    line(Class::Rule, "invalid-url", Warning, "Search engines skip a page, an image or a video whose URL they cannot use.",
        ["URL cannot be used", "URLs cannot be used"],
        "Write the complete URL, with https:// and the host."),
    line(Class::Rule, "relative-url", Error, "Search engines do not resolve relative URLs and drop the page.",
        ["URL lacks its host", "URLs lack their host"],
        "Write the complete URL, with https:// and the host."),
    line(Class::Rule, "unsupported-scheme", Warning, "Search engines fetch only http and https, so an entry is dropped.",
        ["URL is neither http nor https", "URLs are neither http nor https"],
        "Remove the entry, or use the https URL of the page."),
    line(Class::Rule, "url-too-long", Warning, "Search engines may drop a URL of this length.",
        ["URL is too long", "URLs are too long"],
        "Find out what makes the URL long, mostly a parameter, and leave that out."),
    line(Class::Rule, "url-not-escaped", Warning, "Readers may take it for different URLs.",
        ["URL contains characters that must be encoded", "URLs contain characters that must be encoded"],
        "Percent-encode the URL, as browsers do."),
    line(Class::Rule, "outside-location", Error, "Search engines drop pages that the sitemap may not list.",
        ["page is outside of what its sitemap may list", "pages are outside of what their sitemap may list"],
        "Move the sitemap to the top of the site, or list it in robots.txt."),
    line(Class::Rule, "invalid-datetime", Warning, "The date is ignored.",
        ["date cannot be understood", "dates cannot be understood"],
        "Write dates like 2024-05-06, or leave them out."),
    line(Class::Rule, "non-standard-datetime", Warning, "Readers that know only the standard form ignore the date.",
        ["date is not in the standard form", "dates are not in the standard form"],
        "Write dates like 2024-05-06 or 2024-05-06T07:08:09+02:00."),
    line(Class::Rule, "invalid-changefreq", Warning, "The value is ignored.",
        ["changefreq cannot be understood", "values of changefreq cannot be understood"],
        "Leave changefreq out."),
    line(Class::Rule, "non-standard-changefreq", Warning, "Readers that know only the standard form ignore the value.",
        ["changefreq is not in lower case", "values of changefreq are not in lower case"],
        "Leave changefreq out, or write it in lower case."),
    line(Class::Rule, "invalid-priority", Warning, "The value is ignored.",
        ["priority is not a number from 0.0 to 1.0", "priorities are not numbers from 0.0 to 1.0"],
        "Leave priority out, or use a number from 0.0 to 1.0."),
    line(Class::Rule, "non-standard-priority", Warning, "Readers that know only the standard form ignore the value.",
        ["priority is not in the standard form", "priorities are not in the standard form"],
        "Leave priority out, or write it like 0.8."),
    line(Class::Rule, "duplicate-element", Warning, "The first one counts; the others are ignored.",
        ["value is given twice for one page", "values are given twice for one page"],
        "Write each element once per page."),
    line(Class::Rule, "second-loc", Error, "Search engines read one URL per entry, so the others are not seen.",
        ["entry names a second page", "entries name a second page"],
        "End each entry with </url> before the next one."),
    line(Class::Rule, "unknown-element", Warning, "The element is ignored.",
        ["element is unknown to the protocol", "elements are unknown to the protocol"],
        "Remove the element, or give it a namespace of its own."),
    line(Class::Rule, "misplaced-entry", Error, "Search engines read pages in a urlset and sitemaps in an index only.",
        ["entry is in the wrong kind of file", "entries are in the wrong kind of file"],
        "List pages in a urlset, and sitemaps in an index."),
    line(Class::Rule, "wrong-namespace", Warning, "Readers that compare namespaces find no entries.",
        ["file declares another namespace", "files declare another namespace"],
        "Declare xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"."),
    line(Class::Rule, "wrong-case", Error, "XML is case-sensitive, so search engines do not see the element.",
        ["element is written in the wrong case", "elements are written in the wrong case"],
        "Write the element as the protocol does, mostly in lower case."),
    line(Class::Rule, "undeclared-prefix", Error, UP_TO_HERE,
        ["prefix is used and not declared", "prefixes are used and not declared"],
        "Declare the namespace in the first element, such as xmlns:image."),
    line(Class::Rule, "bare-ampersand", Error, UP_TO_HERE,
        ["& is not escaped", "& characters are not escaped"],
        "Write &amp; for & in the file."),
    line(Class::Rule, "unknown-entity", Error, UP_TO_HERE,
        ["name after & is unknown to XML", "names after & are unknown to XML"],
        "Write the character itself, or its number such as &#233;."),
    line(Class::Rule, "mismatched-tag", Error, UP_TO_HERE,
        ["tag is closed by another one", "tags are closed by other ones"],
        "Close each tag by its own name; let a library write the XML."),
    line(Class::Rule, "unclosed-entry", Error, UP_TO_HERE,
        ["entry is not closed", "entries are not closed"],
        "End each entry with </url>."),
    line(Class::Rule, "malformed-markup", Error, UP_TO_HERE,
        ["place is not XML", "places are not XML"],
        "Let a library write the XML, so that everything is escaped."),
    line(Class::Rule, "invalid-character", Error, UP_TO_HERE,
        ["character is not allowed in the file", "characters are not allowed in the file"],
        "Remove the character, and save the file in UTF-8."),
    line(Class::Rule, "doctype", Warning, "Nothing that it declares is read.",
        ["file declares a document type", "files declare a document type"],
        "Remove the document type."),
    line(Class::Rule, "stray-text", Warning, "The text is ignored.",
        ["text stands between the elements", "texts stand between the elements"],
        "Remove the text."),
    line(Class::Rule, "content-after-root", Error, UP_TO_HERE,
        ["file continues after its end", "files continue after their end"],
        "Remove everything after the last tag."),
    line(Class::Rule, "content-before-declaration", Error, UP_TO_HERE,
        ["file has something before its first line", "files have something before their first line"],
        "Let the file begin with <?xml, without an empty line or text before it."),
    line(Class::Rule, "second-root", Error, UP_TO_HERE,
        ["file contains a second document", "files contain a second document"],
        "Write one document per file."),
    line(Class::Rule, "too-many-entries", Error, "Search engines reject the file, or read only its beginning.",
        ["sitemap has more than 50,000 entries", "sitemaps have more than 50,000 entries"],
        "Split the sitemap, and list its parts in an index."),
    line(Class::Rule, "too-many-bytes", Error, "Search engines reject the file, or read only its beginning.",
        ["sitemap has more than 50 MB", "sitemaps have more than 50 MB"],
        "Split the sitemap, and list its parts in an index."),
    line(Class::Rule, "entry-too-large", Warning, "This program skips the entry; others may read it.",
        ["entry is too large to be read", "entries are too large to be read"],
        "Find out what makes the entry large."),
    line(Class::Rule, "too-deep", Warning, "This program skips the entry; others may read it.",
        ["entry is nested too deeply", "entries are nested too deeply"],
        "Find out what nests the elements."),
    line(Class::Rule, "trailing-gzip-data", Warning, "The bytes are ignored.",
        ["packed file has bytes after its end", "packed files have bytes after their end"],
        "Pack the file anew."),
    line(Class::Rule, "encoding-conflict", Warning, "Other readers may reject the file, or read other characters.",
        ["file names one encoding and has another", "files name one encoding and have another"],
        "Save the file in UTF-8, and declare UTF-8."),
    line(Class::Rule, "missing-element", Warning, "Search engines ignore the image, video or article, not the page.",
        ["image, video or article lacks a required part", "images, videos or articles lack a required part"],
        "Add the part that the message names."),
    line(Class::Rule, "missing-attribute", Warning, "Search engines ignore the link.",
        ["link lacks a required attribute", "links lack a required attribute"],
        "Add the attribute that the message names."),
    line(Class::Rule, "invalid-number", Warning, "The value is ignored.",
        ["number cannot be understood", "numbers cannot be understood"],
        "Write a plain number within the range that the message names."),
    line(Class::Rule, "invalid-keyword", Warning, "The value is ignored, or understood all the same.",
        ["value is not allowed", "values are not allowed"],
        "Use one of the values that the message names."),
    line(Class::Rule, "invalid-language", Warning, "Search engines ignore the link, or the language of the article.",
        ["language code does not exist in this form", "language codes do not exist in this form"],
        "Write a language, and a country if it matters: en, or en-GB."),
    line(Class::Rule, "invalid-country", Warning, "The value is ignored.",
        ["country code does not exist", "country codes do not exist"],
        "Use the two-letter codes of countries."),
    line(Class::Rule, "text-too-long", Warning, "Search engines may cut or ignore the text.",
        ["text is longer than allowed", "texts are longer than allowed"],
        "Shorten the text."),
    line(Class::Rule, "too-many-images", Warning, "Search engines ignore the images beyond the limit.",
        ["page lists more than 1,000 images", "pages list more than 1,000 images"],
        "List the most important images."),
    line(Class::Rule, "too-many-tags", Warning, "Search engines ignore the tags beyond the limit.",
        ["video has more than 32 tags", "videos have more than 32 tags"],
        "Keep the most important tags."),
    line(Class::Rule, "too-many-tickers", Warning, "Search engines ignore the tickers beyond the limit.",
        ["article has more than five stock tickers", "articles have more than five stock tickers"],
        "Keep five tickers."),
    line(Class::Rule, "too-many-news", Warning, "Search engines ignore the articles beyond the limit.",
        ["sitemap has more than 1,000 articles", "sitemaps have more than 1,000 articles"],
        "Split the sitemap, or list only the articles of two days."),
    line(Class::Rule, "issues-omitted", Warning, "Some issues are only counted.",
        ["place has more problems than were listed", "places have more problems than were listed"],
        "Fix those that are listed, and check again."),
    line(Class::Rule, "internal", Error, "The entry is not checked.",
        ["entry was lost to a mistake in this program", "entries were lost to a mistake in this program"],
        "Report it, with the file."),
    line(Class::Check, "not-well-formed", Error, UP_TO_HERE,
        ["sitemap is broken in the middle", "sitemaps are broken in the middle"],
        "Fix the first place that the message names, and check again."),
    line(Class::Check, "template", Error, "Search engines read the placeholders as they are.",
        ["file is a template, not a sitemap", "files are templates, not sitemaps"],
        "Publish what the generator makes of the file, not the file itself."),
    line(Class::Check, "missing-part", Error, "Search engines see none of the pages of the part.",
        ["sitemap that your index names is missing", "sitemaps that your index names are missing"],
        "Publish the missing sitemap, or remove it from the index."),
    line(Class::Check, "missing-page", Error, "A page that has to be listed is not.",
        ["page that has to be listed is not", "pages that have to be listed are not"],
        "Find out why the page is left out, and list it."),
    line(Class::Check, "empty-sitemap", Warning, "Search engines report the sitemap, which lists no page.",
        ["sitemap lists no page", "sitemaps list no page"],
        "List its pages, or remove the sitemap."),
    line(Class::Check, "empty-index", Error, "Search engines reject an index that lists no sitemap.",
        ["index lists no sitemap", "indexes list no sitemap"],
        "List the sitemaps in the index, or remove it."),
    line(Class::Check, "invalid-row", Error, "The row names no page that can be used.",
        ["row of a list names no page", "rows of a list name no page"],
        "Write one URL per row."),
    line(Class::Check, "part-elsewhere", Warning, "Search engines read the part only if the other host allows it.",
        ["sitemap of the index is on another host", "sitemaps of the index are on another host"],
        "Move the sitemap to this host, or list it in robots.txt."),
    line(Class::Check, "disallowed", Warning, "Search engines do not fetch the page, and report it.",
        ["listed URL is forbidden by robots.txt", "listed URLs are forbidden by robots.txt"],
        "Allow the page in robots.txt, or remove it from the sitemap."),
    line(Class::Check, "robots-without-sitemap", Warning, "Search engines do not find the sitemaps by themselves.",
        ["robots.txt names no sitemap", "robots.txt files name no sitemap"],
        "Add a line Sitemap: with the URL of the sitemap to robots.txt."),
    line(Class::Check, "unreadable-robots", Error, "Search engines may fetch nothing while robots.txt cannot be read.",
        ["robots.txt cannot be read", "robots.txt files cannot be read"],
        "Let the server answer requests for robots.txt."),
    line(Class::Check, "not-gzip-but-named-so", Warning, "Readers that go by the name cannot unpack the file.",
        ["file is named .gz and is not packed", "files are named .gz and are not packed"],
        "Pack the file, or name it .xml."),
    line(Class::Check, "http-listed-on-https", Error, "Search engines drop pages that the sitemap may not list.",
        ["page is listed as http on an https site", "pages are listed as http on an https site"],
        "List the https URL."),
    line(Class::Check, "hreflang-unknown-code", Warning, "Google ignores the link for this language.",
        ["language or country code does not exist", "language or country codes do not exist"],
        "Use the code that exists: en-GB for British English, ja for Japanese."),
    line(Class::Check, "hreflang-without-return", Warning, "Google ignores a link that is not returned.",
        ["link between languages is not returned", "links between languages are not returned"],
        "Let each page of a group link to all pages of the group, itself included."),
    line(Class::Advice, "ignored-changefreq", Advice, "Google ignores changefreq.",
        ["sitemap has changefreq, which Google ignores", "sitemaps have changefreq, which Google ignores"],
        "Leave changefreq out."),
    line(Class::Advice, "ignored-priority", Advice, "Google ignores priority.",
        ["sitemap has priority, which Google ignores", "sitemaps have priority, which Google ignores"],
        "Leave priority out."),
    line(Class::Advice, "deprecated-tag", Advice, "Google ignores the tag.",
        ["tag is no longer used", "tags are no longer used"],
        "Leave the tag out."),
    line(Class::Advice, "implausible-lastmod", Advice, "Google ignores the date, and may ignore the other ones, too.",
        ["date cannot be true", "dates cannot be true"],
        "Write the date of the last change, or no date."),
    line(Class::Advice, "shared-lastmod", Advice, "Google ignores dates that are not those of the pages.",
        ["sitemap gives one date to many pages", "sitemaps give one date to many pages"],
        "Write the date of the last change of each page, or no date."),
    line(Class::Advice, "duplicate-url", Advice, "The page counts once.",
        ["page is listed twice", "pages are listed twice"],
        "List the page once."),
    line(Class::Advice, "several-spellings", Advice, "Search engines choose one of the spellings.",
        ["page is listed in two spellings", "pages are listed in two spellings"],
        "List the spelling that the server answers, once."),
    line(Class::Advice, "escaped-twice", Advice, "Search engines fetch another URL than the one that was meant.",
        ["URL is escaped twice", "URLs are escaped twice"],
        "Escape & once, as &amp;."),
    line(Class::Advice, "old-news", Advice, "Google News ignores the article.",
        ["article is too old for news", "articles are too old for news"],
        "List only the articles of the last two days."),
    line(Class::Advice, "hreflang-twice", Advice, "Google uses one of the pages, or none.",
        ["page names two pages for one language", "pages name two pages for one language"],
        "Name one page per language."),
    line(Class::Advice, "hreflang-without-self", Advice, "Google may ignore the links of the page.",
        ["page does not link to itself among its languages", "pages do not link to themselves among their languages"],
        "Let each page list itself among its languages."),
    line(Class::Advice, "xslt-stylesheet", Advice, "Browsers will ignore the style sheet; search engines do already.",
        ["sitemap has a style sheet that browsers will ignore", "sitemaps have style sheets that browsers will ignore"],
        "Use CSS, or no style sheet."),
    line(Class::End, "io", Error, "Nothing more can be read.",
        ["sitemap cannot be opened", "sitemaps cannot be opened"],
        "Let the server answer with the sitemap; the message has the reason."),
    line(Class::End, "gzip", Error, "Nothing behind the place can be read.",
        ["packed sitemap is damaged", "packed sitemaps are damaged"],
        "Pack the file anew, and upload it completely."),
    line(Class::End, "unknown-root", Error, "Search engines reject the file.",
        ["file is not a sitemap", "files are not sitemaps"],
        "Publish the sitemap at this URL; it is mostly an error page."),
    line(Class::End, "not-a-sitemap", Error, "Search engines reject the file.",
        ["file is not a sitemap", "files are not sitemaps"],
        "Publish the sitemap at this URL; the message has what is there."),
    line(Class::End, "truncated", Error, "The entries behind the place are lost.",
        ["sitemap ends in the middle", "sitemaps end in the middle"],
        "Upload the file completely."),
    line(Class::End, "limit-exceeded", Error, "Nothing behind the place is read.",
        ["sitemap is too large to be read", "sitemaps are too large to be read"],
        "Split the sitemap, and list its parts in an index."),
];

/// The line of that name.
pub(crate) fn verdict(name: &str) -> Option<&'static Verdict> {
    TABLE.iter().find(|verdict| verdict.name == name)
}

/// Severity of an issue without a setting.
///
/// An issue that costs an entry or breaks XML is an error for every rule. An issue of a rule of XML that does not break
/// it, such as a control character in a text sitemap, is a warning.
pub(crate) fn severity(issue: &Issue) -> Severity {
    let breaks_xml = issue.violation.breaks_xml();
    match verdict(issue.rule().name()) {
        _ if breaks_xml || issue.effect == Effect::EntrySkipped => Error,
        Some(verdict) if verdict.why != UP_TO_HERE => verdict.severity,
        _ => Warning,
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

    /// Severity of an issue, or `None` if it is not reported.
    pub(crate) fn of_issue(&self, issue: &Issue) -> Option<Severity> {
        self.judged(issue.rule().name(), severity(issue))
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
            assert!(verdict.why.ends_with('.') && verdict.why.len() <= 80);
            assert!(verdict.fix.ends_with('.') && verdict.fix.len() <= 80);
            let [one, many] = verdict.happened;
            assert!(
                one != many && !one.ends_with('.') && many.len() <= 60,
                "{many}"
            );
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
