//! The table of all findings: `rules.md`, which is read when the program is compiled.

use std::ffi::OsStr;
use std::io::Write;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use console::Style;
use quick_sitemap::Rule;

use crate::term::count::Grouped;
use crate::term::messages::Severity;

const TEXTS: &str = include_str!("rules.md");

/// In the order of the file.
pub(crate) static TABLE: [FindingRule; count()] = table();

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

/// What a later run must have read to call a finding fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Evidence {
    /// Its sitemap.
    File,
    /// Its sitemap, whose location is known.
    Location,
    /// Its sitemap, and the part that it names.
    Part,
    AllFiles,
    /// All files, beside the same list of pages.
    MustList,
    WholeSite,
}

/// A section of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FindingRule {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    pub(crate) evidence: Evidence,
    /// Severity of a finding without a setting that costs no entry.
    pub(crate) severity: Severity,
    /// The consequence, which is the reason for the severity.
    pub(crate) why: &'static str,
    /// A description of the problem, after the number of findings: for one, and for several.
    pub(crate) happened: [&'static str; 2],
    /// The solution, for the owner of the site.
    pub(crate) fix: &'static str,
    /// The requirement, the details and an example.
    pub(crate) text: &'static str,
}

/// The rule of that name. A name that the file does not have is an error of the compiler.
macro_rules! rule {
    ($name:literal) => {
        const { $crate::judge::rules::named($name) }
    };
}
pub(crate) use rule;

#[expect(clippy::panic, reason = "an error of the compiler")]
pub(crate) const fn named(name: &str) -> &'static FindingRule {
    let mut rows: &'static [FindingRule] = &TABLE;
    while let [row, rest @ ..] = rows {
        if row.name.len() == name.len() && begins(row.name.as_bytes(), name.as_bytes()) {
            return row;
        }
        rows = rest;
    }
    panic!("rules.md has no section of this name")
}

/// The rule of a name that is not known when the program is compiled.
pub(crate) fn find(name: &str) -> Option<&'static FindingRule> {
    TABLE.iter().find(|rule| rule.name == name)
}

/// The row of a rule of the library. All of them have one.
pub(crate) fn of(rule: Rule) -> &'static FindingRule {
    find(rule.name()).unwrap_or(rule!("internal"))
}

const fn count() -> usize {
    let (mut count, mut rest) = (0, split(TEXTS, "\n## ").1);
    while !rest.is_empty() {
        (count, rest) = (count + 1, split(rest, "\n## ").1);
    }
    count
}

const fn table() -> [FindingRule; count()] {
    let mut rest = split(TEXTS, "\n## ").1;
    let mut table = [section(split(rest, "\n## ").0); count()];
    let mut rows: &mut [FindingRule] = &mut table;
    while let [row, others @ ..] = rows {
        let (text, behind) = split(rest, "\n## ");
        *row = section(text);
        (rows, rest) = (others, behind);
    }
    table
}

/// Reads a section. If it lacks a field, the last one of it is empty.
#[expect(clippy::panic, reason = "an error of the compiler")]
const fn section(text: &'static str) -> FindingRule {
    let (name, text) = split(text, "\n- Class: ");
    let (class, text) = split(text, "\n- Severity: ");
    let (severity, text) = split(text, "\n- Evidence: ");
    let (evidence, text) = split(text, "\n- Why: ");
    let (why, text) = split(text, "\n- One: ");
    let (one, text) = split(text, "\n- Several: ");
    let (several, text) = split(text, "\n- Fix: ");
    let (fix, text) = split(text, "\n\n");
    assert!(
        !text.is_empty(),
        "a section of rules.md lacks a line of its beginning, or has it at another place"
    );
    FindingRule {
        name,
        class: match class.as_bytes() {
            b"rule" => Class::Rule,
            b"check" => Class::Check,
            b"advice" => Class::Advice,
            b"end" => Class::End,
            _ => panic!("a class of rules.md is unknown"),
        },
        evidence: match evidence.as_bytes() {
            b"file" => Evidence::File,
            b"location" => Evidence::Location,
            b"part" => Evidence::Part,
            b"files" => Evidence::AllFiles,
            b"list" => Evidence::MustList,
            b"site" => Evidence::WholeSite,
            _ => panic!("an evidence of rules.md is unknown"),
        },
        severity: match severity.as_bytes() {
            b"error" => Severity::Error,
            b"warning" => Severity::Warning,
            b"advice" => Severity::Advice,
            _ => panic!("a severity of rules.md is unknown"),
        },
        why,
        happened: [one, several],
        fix,
        text: text.trim_ascii_end(),
    }
}

/// The text before and after the first `at`, which begins with a line feed.
const fn split<'t>(text: &'t str, at: &str) -> (&'t str, &'t str) {
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        if *first == b'\n' && begins(rest, at.as_bytes()) {
            let (before, rest) = text.split_at(text.len() - rest.len());
            return (before, rest.split_at(at.len()).1);
        }
        rest = others;
    }
    (text, "")
}

const fn begins(mut text: &[u8], mut with: &[u8]) -> bool {
    while let [byte, rest @ ..] = with {
        let [first, others @ ..] = text else {
            return false;
        };
        if *first != *byte {
            return false;
        }
        (text, with) = (others, rest);
    }
    true
}

impl FindingRule {
    /// The requirement, one sentence.
    pub(crate) fn summary(&self) -> &'static str {
        self.text.split("\n\n").next().unwrap_or_default()
    }

    /// A description of the problem, as a sentence without its full stop: `2 sitemaps that your index names are
    /// missing`.
    pub(crate) fn heading(&self, count: u64) -> String {
        let [one, many] = self.happened;
        format!("{} {}", Grouped(count), if count == 1 { one } else { many })
    }

    /// Returns `true` if it can be denied and allowed.
    pub(crate) fn is_optional(&self) -> bool {
        self.class != Class::End
    }
}

/// The message for a name that no rule has, or only one that `may_be` meant.
pub(crate) fn unknown(name: &str, may_be: fn(&FindingRule) -> bool) -> anyhow::Error {
    if find(name).is_some() {
        return anyhow::anyhow!(
            "`{name}` can be neither denied nor allowed, because reading ends there"
        );
    }
    let known = TABLE.iter().filter(|rule| may_be(rule));
    // As clap suggests options.
    let alike = known.map(|known| (strsim::jaro(name, known.name), known.name));
    let nearest = alike
        .filter(|(alike, _)| *alike > 0.75)
        .max_by(|(a, _), (b, _)| a.total_cmp(b));
    let advice = match nearest {
        Some((_, nearest)) => format!("; did you mean `{nearest}`?"),
        None => String::new(),
    };
    anyhow::anyhow!("there is no rule `{name}`{advice} (`sitemap check --rules` lists them)")
}

/// The name of a rule on the command line: any text, because the configuration file may name rules too and both are
/// looked up in one place. The names are there for completions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RuleName {
    /// One that can be denied and allowed, or `all`.
    ToJudge,
    /// One that can be explained.
    ToExplain,
}

impl TypedValueParser for RuleName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        let is_to_judge = matches!(self, Self::ToJudge);
        let every = PossibleValue::new("all").help("All rules not named in another option");
        let every = is_to_judge.then_some(every).into_iter();
        let mut rules: Vec<_> = TABLE.iter().collect();
        rules.retain(|rule| !is_to_judge || rule.is_optional());
        let rules = rules.into_iter();
        let rules = rules.map(|rule| PossibleValue::new(rule.name).help(rule.summary()));
        Some(Box::new(every.chain(rules)))
    }
}

/// The consequence comes first, then the solution.
///
/// # Errors
///
/// A name that nothing has.
pub(crate) fn explain(out: &mut dyn Write, name: &str) -> anyhow::Result<()> {
    let rule = find(name).ok_or_else(|| unknown(name, |_| true))?;
    let kind = match (rule.class, rule.severity) {
        (Class::Advice, _) => "advice, with --advice",
        (Class::Rule | Class::Check, Severity::Error) => "an error, unless it is allowed",
        (Class::Rule, _) => "a warning, or an error if an entry is skipped because of it",
        (Class::Check, _) => "a warning",
        (Class::End, _) => "always an error: reading ends there",
    };
    let name = rule.severity.style().apply_to(name);
    writeln!(out, "{name}: {kind}\n\n{}\n{}", rule.why, rule.fix)?;
    Ok(writeln!(out, "\n{}", rule.text)?)
}

/// Prints the table: each name with its severity and what it requires, and the consequence below.
pub(crate) fn list(out: &mut dyn Write) -> anyhow::Result<()> {
    let width = TABLE.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut before = None;
    for rule in &TABLE {
        if before.replace(rule.class) != Some(rule.class) {
            let heading = match rule.class {
                Class::Rule => "Rules (--deny, --allow)",
                Class::Check => "\nOther checks (--deny, --allow)",
                Class::Advice => "\nAdvice (--advice)",
                Class::End => "\nErrors that end reading",
            };
            writeln!(out, "{}", Style::new().bold().apply_to(heading))?;
        }
        let (name, severity) = (rule.name, rule.severity);
        let shown = severity.style().apply_to(format!("{:7}", severity.name()));
        let summary = rule.summary().replace('\n', " ");
        writeln!(out, "  {name:width$}  {shown}  {summary}")?;
        let why = Style::new().dim().apply_to(rule.why);
        writeln!(out, "  {:width$}  {:7}  {why}", "", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quick_sitemap::chrono::{DateTime, Utc};
    use quick_sitemap::url::Url;
    use quick_sitemap::{Extension, Reader, ReaderBuilder};

    use super::*;
    use crate::judge::{dates, urls};

    #[test]
    fn every_section_is_complete_and_every_rule_has_one_in_its_order() {
        let names: BTreeSet<_> = TABLE.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), TABLE.len());
        let of_class = |class| move |rule: &&FindingRule| rule.class == class;
        let rules = TABLE.iter().filter(of_class(Class::Rule));
        let rules: Vec<_> = rules.map(|rule| rule.name).collect();
        let expected: Vec<_> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        assert_eq!(
            rules, expected,
            "rules.md: the sections of the library's rules must be in its order"
        );
        assert!(
            TABLE.is_sorted_by_key(|rule| rule.class as u8),
            "rules.md: the sections of a class must be together: rules, checks, advice, ends"
        );
        for rule in &TABLE {
            let name = rule.name;
            let is_advice = rule.class == Class::Advice;
            assert_eq!(
                is_advice,
                rule.severity == Severity::Advice,
                "rules.md: `{name}`: the severity of advice, and of nothing else, is `advice`"
            );
            assert!(
                rule.summary().len() > 10,
                "rules.md: `{name}` needs the requirement in one line"
            );
            for sentence in [rule.why, rule.fix] {
                assert!(
                    sentence.ends_with('.') && sentence.len() <= 80,
                    "rules.md: `{name}`: one sentence of at most 80 characters: {sentence}"
                );
            }
            let [one, many] = rule.happened;
            assert!(
                !one.is_empty() && one != many && !one.ends_with('.') && many.len() <= 60,
                "rules.md: `{name}`: two texts without a full stop, of at most 60 characters: {many}"
            );
            let is_source = |text: &&str| {
                ["Source: ", "Sources: ", "Assumption: "]
                    .iter()
                    .any(|start| text.starts_with(start))
            };
            let sources: Vec<_> = rule.text.split("\n\n").filter(is_source).collect();
            assert!(
                matches!(*sources, [text] if text.ends_with('.')),
                "rules.md: `{name}` needs one paragraph that begins with `Source:`, `Sources:` or `Assumption:`: {sources:?}"
            );
            let widest = rule.text.lines().map(|line| line.chars().count()).max();
            assert!(
                widest <= Some(80),
                "rules.md: `{name}`: a line has more than 80 characters"
            );
        }
    }

    /// The rules that reading the document names, errors too.
    fn named(document: &str) -> BTreeSet<&'static str> {
        let location = Url::parse("https://www.example.com/shop/sitemap.xml").unwrap();
        let mut reader: Reader<_> = ReaderBuilder::new().location(location).from_bytes(document);
        let mut names = BTreeSet::new();
        loop {
            let step = reader.next();
            names.extend(reader.issues().iter().map(|issue| issue.rule().name()));
            match step {
                Some(Ok(entry)) => {
                    let mut found = Vec::new();
                    let lastmod = entry.lastmod();
                    let (loc, page) = (entry.loc().clone(), entry.into_url());
                    urls::judge(&loc, page.as_ref(), false, &mut found);
                    urls::advice(&loc, page.as_ref(), &mut found);
                    dates::judge(lastmod, page.as_ref(), DateTime::<Utc>::MAX_UTC, &mut found);
                    names.extend(found.iter().map(|problem| problem.rule.name));
                }
                Some(Err(error)) => {
                    names.insert(error.kind().name());
                }
                None => return names,
            }
        }
    }

    /// An example that begins with an entry is put into a urlset, one with an extension's element into a complete
    /// entry.
    fn document(example: &str) -> String {
        let mut namespaces = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"".to_owned();
        for extension in Extension::ALL {
            namespaces += &format!(
                " xmlns:{}=\"{}\"",
                extension.prefix(),
                extension.namespace()
            );
        }
        let in_urlset = |entries: &str| format!("<urlset {namespaces}>\n{entries}\n</urlset>");
        if example.starts_with("<url>") || example.starts_with("<url/>") {
            return in_urlset(example);
        }
        let is_own = ["<lastmod", "<changefreq", "<priority", "<author"]
            .iter()
            .any(|name| example.starts_with(name));
        let is_extension = Extension::ALL
            .iter()
            .any(|extension| example.starts_with(&format!("<{}:", extension.prefix())));
        if is_own || is_extension {
            let loc = "<loc>https://www.example.com/shop/a</loc>";
            return in_urlset(&format!("<url>{loc}{example}</url>"));
        }
        if example.starts_with("<loc>") {
            return in_urlset(&format!("<url>{example}</url>"));
        }
        example.to_owned()
    }

    /// Returns `true` if one entry breaks it, so that `sitemap write` warns of it, too.
    fn is_of_entry(rule: &FindingRule) -> bool {
        let call = format!("rule!(\"{}\")", rule.name);
        let judges = [include_str!("urls.rs"), include_str!("dates.rs")];
        judges.iter().any(|judge| judge.contains(&call))
    }

    #[test]
    fn warnings_of_write_are_documented() {
        let mut documented = include_str!("../../README.md").lines();
        let documented = documented.find(|line| line.contains("warnings name the first five"));
        // A foreign link breaks rules of the library.
        let is_own = |rule: &&FindingRule| rule.class != Class::Rule && is_of_entry(rule);
        for rule in TABLE.iter().filter(is_own) {
            let name = format!("`{}`", rule.name);
            assert!(
                documented.unwrap().contains(&name),
                "crates/cli/README.md: add {name} to the sentence `warnings name the first five`"
            );
        }
    }

    #[test]
    fn examples_break_their_rules() {
        let mut count = 0;
        let has_examples = |rule: &&FindingRule| {
            matches!(rule.class, Class::Rule | Class::End) || is_of_entry(rule)
        };
        for rule in TABLE.iter().filter(has_examples) {
            let paragraphs = rule.text.split("\n\n");
            for example in paragraphs.filter(|paragraph| paragraph.starts_with("    ")) {
                let lines: Vec<_> = example.lines().map(str::trim).collect();
                let document = document(&lines.join("\n"));
                let names = named(&document);
                assert!(
                    names.contains(rule.name),
                    "{}: {names:?}\n{document}",
                    rule.name
                );
                count += 1;
            }
        }
        assert!(count > 40, "{count}");
    }
}
