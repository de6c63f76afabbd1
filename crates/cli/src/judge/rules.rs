//! All names of findings, with their explanations.

use std::ffi::OsStr;
use std::io::Write;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use console::Style;

use super::unknown::unknown;
use super::verdicts::{Class, TABLE, Verdict, verdict};
#[cfg(feature = "full")]
use crate::term::count::Grouped;
use crate::term::messages::Severity;

/// A section for each rule.
const TEXTS: &str = include_str!("rules.md");

/// A line of the table with its texts.
pub(crate) struct Described {
    pub(crate) verdict: &'static Verdict,
    /// The consequence, which is the reason for the severity.
    pub(crate) why: &'static str,
    /// A description of the problem, after the number of findings: for one, and for several.
    pub(crate) happened: [&'static str; 2],
    /// The solution, for the owner of the site.
    pub(crate) fix: &'static str,
    /// The requirement, one sentence.
    pub(crate) summary: &'static str,
    /// The summary and the explanation.
    pub(crate) text: &'static str,
}

impl Described {
    /// A description of the problem, as a sentence without its full stop: `2 sitemaps that your index names are
    /// missing`.
    #[cfg(feature = "full")]
    pub(crate) fn heading(&self, count: u64) -> String {
        let [one, many] = self.happened;
        format!("{} {}", Grouped(count), if count == 1 { one } else { many })
    }
}

/// The table with its texts.
pub(crate) fn all() -> impl Iterator<Item = Described> {
    TABLE.iter().map(described)
}

/// The line of that name.
#[cfg(feature = "full")]
pub(crate) fn find(name: &str) -> Option<Described> {
    verdict(name).map(described)
}

fn described(verdict: &'static Verdict) -> Described {
    let mut sections = TEXTS.split("\n## ");
    let section =
        sections.find_map(|section| section.strip_prefix(verdict.name)?.strip_prefix('\n'));
    let (fields, text) = section
        .and_then(|section| section.split_once("\n\n"))
        .unwrap_or_default();
    let field = |name| {
        let mut lines = fields.lines();
        lines
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default()
    };
    Described {
        verdict,
        why: field("- Why: "),
        happened: [field("- One: "), field("- Several: ")],
        fix: field("- Fix: "),
        summary: text.split("\n\n").next().unwrap_or_default(),
        text: text.trim(),
    }
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
        let value = |described: Described| {
            PossibleValue::new(described.verdict.name).help(described.summary)
        };
        match self {
            Self::ToExplain => Some(Box::new(all().map(value))),
            Self::ToJudge => {
                let every = PossibleValue::new("all").help("All rules not named in another option");
                let rules = all().filter(|described| described.verdict.class != Class::End);
                Some(Box::new(std::iter::once(every).chain(rules.map(value))))
            }
        }
    }
}

/// The consequence comes first.
///
/// # Errors
///
/// A name that nothing has.
pub(crate) fn explain(out: &mut dyn Write, name: &str) -> anyhow::Result<()> {
    let Some(verdict) = verdict(name) else {
        return Err(unknown(name, TABLE.iter().map(|verdict| verdict.name)));
    };
    let severity = verdict.severity;
    let kind = match (verdict.class, severity) {
        (Class::Advice, _) => "advice, with --advice",
        (Class::Rule | Class::Check, Severity::Error) => "an error, unless it is allowed",
        (Class::Rule, _) => "a warning, or an error if an entry is skipped because of it",
        (Class::Check, _) => "a warning",
        (Class::End, _) => "always an error: reading ends there",
    };
    writeln!(out, "{}: {kind}\n", severity.style().apply_to(name))?;
    let described = described(verdict);
    writeln!(out, "{}\n\n{}", described.why, described.text)?;
    Ok(())
}

/// Prints the table: each name with its severity and what it requires, and the consequence below.
pub(crate) fn list(out: &mut dyn Write) -> anyhow::Result<()> {
    let names = TABLE.iter().map(|verdict| verdict.name.len());
    let width = names.max().unwrap_or(0);
    let mut before = None;
    for described in all() {
        let (verdict, summary) = (described.verdict, described.summary);
        if before.replace(verdict.class) != Some(verdict.class) {
            let heading = match verdict.class {
                Class::Rule => "Rules (--deny, --allow)",
                Class::Check => "\nOther checks (--deny, --allow)",
                Class::Advice => "\nAdvice (--advice)",
                Class::End => "\nErrors that end reading",
            };
            writeln!(out, "{}", Style::new().bold().apply_to(heading))?;
        }
        let (name, severity) = (verdict.name, verdict.severity);
        let shown = severity.style().apply_to(format!("{:7}", severity.name()));
        let summary = summary.replace('\n', " ");
        writeln!(out, "  {name:width$}  {shown}  {summary}")?;
        let why = Style::new().dim().apply_to(described.why);
        writeln!(out, "  {:width$}  {:7}  {why}", "", "")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quick_sitemap::url::Url;
    use quick_sitemap::{Extension, Reader, ReaderBuilder};

    use super::*;

    #[test]
    fn everything_is_described_once() {
        let headings: Vec<_> = TEXTS
            .lines()
            .filter_map(|line| line.strip_prefix("## "))
            .collect();
        let names: Vec<_> = all().map(|described| described.verdict.name).collect();
        assert_eq!(headings, names);
        for described in all() {
            let name = described.verdict.name;
            assert!(described.summary.len() > 10, "{name}");
            for sentence in [described.why, described.fix] {
                assert!(sentence.ends_with('.') && sentence.len() <= 80, "{name}");
            }
            let [one, many] = described.happened;
            assert!(
                !one.is_empty() && one != many && !one.ends_with('.') && many.len() <= 60,
                "{name}: {many}"
            );
            assert!(
                described.text.contains("\n\n"),
                "{}",
                described.verdict.name
            );
            let widest = described
                .text
                .lines()
                .map(|line| line.chars().count())
                .max();
            assert!(widest <= Some(80), "{}", described.verdict.name);
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
                Some(Ok(_)) => {}
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

    #[test]
    fn examples_break_their_rules() {
        let mut count = 0;
        let has_examples =
            |described: &Described| matches!(described.verdict.class, Class::Rule | Class::End);
        for described in all().filter(has_examples) {
            let examples = described
                .text
                .split("\n\n")
                .filter(|paragraph| paragraph.starts_with("    "));
            for example in examples {
                let lines: Vec<_> = example.lines().map(str::trim).collect();
                let document = document(&lines.join("\n"));
                let names = named(&document);
                assert!(
                    names.contains(described.verdict.name),
                    "{}: {names:?}\n{document}",
                    described.verdict.name
                );
                count += 1;
            }
        }
        assert!(count > 40, "{count}");
    }
}
