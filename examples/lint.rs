//! Says what is wrong with sitemaps, as compilers do.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::SystemTime;

use console::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use quick_sitemap::chrono::{DateTime, Days, Utc};
use quick_sitemap::url::Url;
use quick_sitemap::{
    Effect, Entry, Error, Issue, Policy, Position, RawEntry, Reader, ReaderBuilder, Rule, UrlEntry,
};
use serde_json::json;

const HELP: &str = "\
Says what is wrong with sitemaps: urlsets, indexes, text, RSS and Atom, gzipped or not.

Usage: lint [OPTIONS] FILE...

Arguments:
  FILE             a sitemap; `-` reads standard input

Options:
  --format FORMAT  text (the default): file:line:column: severity: message [rule]
                   json: JSON Lines, an object a finding
                   github: workflow commands, which annotate a pull request
  --deny RULE      a breach of RULE is an error; `all` for every rule
  --allow RULE     a breach of RULE is not mentioned; `all` for every rule
  --advice         also what search engines think of it: what they ignore, dates that they reject, URLs listed
                   twice or in two spellings, old news, hreflang links that do not come back
  --location URL   where the sitemap is on the web: relative URLs are resolved, and pages noted that a sitemap
                   at that place may not list (with one FILE only)
  --rules          the names of all rules
  --help           this text

A rule that is neither denied nor allowed is a warning, or an error where it costs the entry. Of --deny and --allow
for one rule the last counts. --deny and --allow know the names of advice, too.

Exit status: 0 no errors, 1 errors, 2 a file that is no sitemap or could not be read to its end, or wrong usage.
";

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    let outcome = match options(lexopt::Parser::from_env()) {
        Ok(Command::Lint(options)) => lint(&options, &mut out),
        Ok(Command::Print(text)) => out.write_all(text.as_bytes()).map(|()| 0),
        Err(error) => {
            let _ = writeln!(io::stderr(), "lint: {error}; see --help");
            Ok(2)
        }
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        // Whoever was reading has seen enough: `lint … | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "lint: cannot write: {error}");
            ExitCode::from(2)
        }
    }
}

enum Command {
    Lint(Options),
    Print(String),
}

struct Options {
    files: Vec<String>,
    format: Format,
    verdicts: Verdicts,
    advice: bool,
    location: Option<Url>,
    /// The moment that news and dates are judged at.
    now: DateTime<Utc>,
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Text,
    Json,
    Github,
}

#[derive(Clone, Copy, PartialEq)]
enum Severity {
    Error,
    Warning,
    Advice,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Advice => "advice",
        }
    }
}

/// The names of what is not a rule of the protocol.
const ADVICE: [&str; 8] = [
    "ignored-changefreq",
    "ignored-priority",
    "implausible-lastmod",
    "duplicate-url",
    "several-spellings",
    "old-news",
    "hreflang-without-self",
    "hreflang-without-return",
];

/// What was said on the command line about each rule.
#[derive(Default)]
struct Verdicts {
    denied: Policy,
    allowed: Policy,
    advice: HashMap<&'static str, bool>,
}

impl Verdicts {
    fn set(&mut self, name: &str, deny: bool) -> Result<(), lexopt::Error> {
        let is_meant = |own: &str| name == "all" || name == own;
        let mut known = false;
        for rule in Rule::ALL.iter().filter(|rule| is_meant(rule.name())) {
            known = true;
            // A policy is a set of rules, which is all that is wanted here.
            let (into, out_of) = match deny {
                true => (&mut self.denied, &mut self.allowed),
                false => (&mut self.allowed, &mut self.denied),
            };
            *into = into.deny(*rule);
            *out_of = out_of.allow(*rule);
        }
        for advice in ADVICE.iter().filter(|advice| is_meant(advice)) {
            known = true;
            self.advice.insert(advice, deny);
        }
        match known {
            true => Ok(()),
            false => Err(format!("no rule is called `{name}` (--rules lists them)").into()),
        }
    }

    /// `None`: not to be mentioned.
    fn of_issue(&self, issue: &Issue) -> Option<Severity> {
        let rule = issue.violation.rule();
        match issue.effect {
            _ if self.denied.denies(rule) => Some(Severity::Error),
            _ if self.allowed.denies(rule) => None,
            Effect::EntrySkipped => Some(Severity::Error),
            Effect::Noted | Effect::ValueDropped => Some(Severity::Warning),
        }
    }

    fn of_advice(&self, name: &str) -> Option<Severity> {
        match self.advice.get(name) {
            Some(true) => Some(Severity::Error),
            Some(false) => None,
            None => Some(Severity::Advice),
        }
    }
}

fn options(mut arguments: lexopt::Parser) -> Result<Command, lexopt::Error> {
    use lexopt::prelude::*;
    let mut options = Options {
        files: Vec::new(),
        format: Format::Text,
        verdicts: Verdicts::default(),
        advice: false,
        location: None,
        now: SystemTime::now().into(),
    };
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("format") => {
                options.format = match arguments.value()?.string()?.as_str() {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    "github" => Format::Github,
                    other => {
                        return Err(format!("format `{other}` is not text, json or github").into());
                    }
                }
            }
            Long("deny") => options.verdicts.set(&arguments.value()?.string()?, true)?,
            Long("allow") => options.verdicts.set(&arguments.value()?.string()?, false)?,
            Long("advice") => options.advice = true,
            Long("location") => options.location = Some(arguments.value()?.parse()?),
            Long("rules") => return Ok(Command::Print(rules())),
            Short('h') | Long("help") => return Ok(Command::Print(HELP.to_owned())),
            Value(file) => options.files.push(file.string()?),
            _ => return Err(argument.unexpected()),
        }
    }
    match options.files.len() {
        0 => Err("a FILE is missing".into()),
        1 => Ok(Command::Lint(options)),
        _ if options.location.is_some() => Err("--location is for one FILE".into()),
        _ => Ok(Command::Lint(options)),
    }
}

fn rules() -> String {
    let names = Rule::ALL.iter().map(|rule| rule.name().to_owned());
    let advice = ADVICE.iter().map(|name| format!("{name} (advice)"));
    names.chain(advice).map(|line| line + "\n").collect()
}

/// The exit status; an error is one of the output's.
fn lint(options: &Options, out: &mut dyn Write) -> io::Result<u8> {
    let mut report = Report {
        out,
        options,
        counts: [0; 3],
        unreadable: false,
    };
    let mut adviser = options.advice.then(|| Adviser::new(options.now));
    let progress = progress(&options.files);
    for (number, file) in options.files.iter().enumerate() {
        let input: Box<dyn Read> = match file.as_str() {
            "-" => Box::new(io::stdin()),
            _ => match File::open(file) {
                Ok(open) => Box::new(open),
                Err(error) => {
                    report.error(file, &error.into())?;
                    continue;
                }
            },
        };
        let mut builder = ReaderBuilder::new();
        if let Some(location) = &options.location {
            builder = builder.location(location.clone());
        }
        if let Some(adviser) = &mut adviser {
            adviser.begin(number);
        }
        let input: Box<dyn Read> = Box::new(progress.wrap_read(input));
        read(
            &mut builder.build(input),
            file,
            &mut report,
            adviser.as_mut(),
        )?;
    }
    if let Some(adviser) = adviser {
        for (place, message) in adviser.unreturned() {
            let file = options.files.get(place.file).map_or("", String::as_str);
            report.advice(file, &place, "hreflang-without-return", &message)?;
        }
    }
    progress.finish_and_clear();
    report.finish()
}

/// How far it is, on standard error. Not where the findings go to a terminal: those say enough.
fn progress(files: &[String]) -> ProgressBar {
    if io::stdout().is_terminal() {
        return ProgressBar::hidden();
    }
    let sizes: Option<u64> = files
        .iter()
        .map(|file| fs::metadata(file).ok().map(|found| found.len()))
        .sum();
    let bar = ProgressBar::with_draw_target(sizes, ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{wide_bar} {bytes} of {total_bytes}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn read(
    reader: &mut Reader<Box<dyn Read>>,
    file: &str,
    report: &mut Report<'_>,
    mut adviser: Option<&mut Adviser>,
) -> io::Result<()> {
    loop {
        // Raw first: that says where each element of the entry stands.
        let places = match reader.read_raw() {
            Ok(Some(raw)) => Some(Ok(adviser.as_ref().map(|adviser| adviser.places(raw)))),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        };
        let (places, entry) = match places {
            None => return report.issues(file, reader.issues()),
            Some(Ok(places)) => (places, reader.to_entry()),
            // The reader is lenient: an error is fatal, or one that asking again won't mend.
            Some(Err(error)) => {
                report.issues(file, reader.issues())?;
                return report.error(file, &error);
            }
        };
        report.issues(file, reader.issues())?;
        match entry {
            Ok(Some(entry)) => {
                if let (Some(adviser), Some(places)) = (&mut adviser, places) {
                    for (place, name, message) in adviser.judge(&entry, &places) {
                        report.advice(file, &place, name, &message)?;
                    }
                }
            }
            Ok(None) => {}
            Err(error) => return report.error(file, &error),
        }
    }
}

struct Report<'a> {
    out: &'a mut dyn Write,
    options: &'a Options,
    /// Errors, warnings, advice.
    counts: [u64; 3],
    unreadable: bool,
}

/// One thing to say.
struct Finding<'a> {
    file: &'a str,
    at: Option<(u64, u64)>,
    severity: Severity,
    rule: &'a str,
    message: &'a str,
    effect: Option<Effect>,
}

impl Report<'_> {
    fn issues(&mut self, file: &str, issues: &[Issue]) -> io::Result<()> {
        for issue in issues {
            let Some(severity) = self.options.verdicts.of_issue(issue) else {
                continue;
            };
            let message = match issue.effect {
                Effect::Noted => issue.violation.to_string(),
                effect => format!("{}, {effect}", issue.violation),
            };
            self.say(&Finding {
                file,
                at: Some(line_and_column(issue.position)),
                severity,
                rule: issue.violation.rule().name(),
                message: &message,
                effect: Some(issue.effect),
            })?;
        }
        Ok(())
    }

    fn error(&mut self, file: &str, error: &Error) -> io::Result<()> {
        self.unreadable = true;
        self.say(&Finding {
            file,
            at: error.position().map(line_and_column),
            severity: Severity::Error,
            rule: error.kind().name(),
            message: &format!("{:#}", error.kind()),
            effect: None,
        })
    }

    fn advice(&mut self, file: &str, place: &Place, rule: &str, message: &str) -> io::Result<()> {
        let Some(severity) = self.options.verdicts.of_advice(rule) else {
            return Ok(());
        };
        self.say(&Finding {
            file,
            at: Some((place.line, place.column)),
            severity,
            rule,
            message,
            effect: None,
        })
    }

    fn say(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if let Some(count) = self.counts.get_mut(finding.severity as usize) {
            *count += 1;
        }
        let &Finding {
            file,
            at,
            severity,
            rule,
            message,
            effect,
        } = finding;
        match self.options.format {
            Format::Text => {
                let style = Style::new().bold();
                let style = match severity {
                    Severity::Error => style.red(),
                    Severity::Warning => style.yellow(),
                    Severity::Advice => style.cyan(),
                };
                let place = at.map_or(String::new(), |(line, column)| format!("{line}:{column}:"));
                let severity = style.apply_to(severity.name());
                writeln!(self.out, "{file}:{place} {severity}: {message} [{rule}]")
            }
            Format::Json => {
                let object = json!({
                    "file": file,
                    "line": at.map(|at| at.0),
                    "column": at.map(|at| at.1),
                    "severity": severity.name(),
                    "rule": rule,
                    "message": message,
                    "effect": effect.map(|effect| effect.to_string()),
                });
                writeln!(self.out, "{object}")
            }
            Format::Github => {
                let command = match severity {
                    Severity::Advice => "notice",
                    _ => severity.name(),
                };
                let place = at.map_or(String::new(), |(line, column)| {
                    format!(",line={line},col={column}")
                });
                let file = escaped(file).replace(':', "%3A").replace(',', "%2C");
                writeln!(
                    self.out,
                    "::{command} file={file}{place},title={rule}::{}",
                    escaped(message)
                )
            }
        }
    }

    fn finish(self) -> io::Result<u8> {
        self.out.flush()?;
        if self.options.format == Format::Text && io::stderr().is_terminal() {
            let [errors, warnings, advice] = self.counts;
            let _ = writeln!(
                io::stderr(),
                "{errors} errors, {warnings} warnings, {advice} pieces of advice"
            );
        }
        Ok(match (self.unreadable, self.counts) {
            (true, _) => 2,
            (false, [0, ..]) => 0,
            (false, _) => 1,
        })
    }
}

fn line_and_column(position: Position) -> (u64, u64) {
    (position.line(), position.column())
}

/// What would end a workflow command early.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[derive(Clone, Copy)]
struct Place {
    file: usize,
    line: u64,
    column: u64,
}

/// Where the parts of an entry stand.
struct Places {
    entry: Place,
    named: HashMap<&'static str, Place>,
}

impl Places {
    fn of(&self, name: &str) -> Place {
        self.named.get(name).copied().unwrap_or(self.entry)
    }
}

/// Search engines' own rules. It remembers a few numbers for each URL, and each hreflang link.
struct Adviser {
    now: DateTime<Utc>,
    file: usize,
    /// What is said once a file.
    said: HashSet<&'static str>,
    /// By the hash of a URL without what spellings differ in: the hash of its first spelling, and its place.
    seen: HashMap<u64, (u64, Place)>,
    /// Page and alternate, by their hashes.
    links: HashSet<(u64, u64)>,
    /// Pages that have alternates, or have been linked to: page, alternate, where.
    to_check: Vec<(Url, Url, Place)>,
    pages: HashSet<u64>,
}

type Advice = (Place, &'static str, String);

impl Adviser {
    fn new(now: DateTime<Utc>) -> Self {
        Self {
            now,
            file: 0,
            said: HashSet::new(),
            seen: HashMap::new(),
            links: HashSet::new(),
            to_check: Vec::new(),
            pages: HashSet::new(),
        }
    }

    fn begin(&mut self, file: usize) {
        self.file = file;
        self.said.clear();
    }

    fn place(&self, position: Position) -> Place {
        let (line, column) = line_and_column(position);
        Place {
            file: self.file,
            line,
            column,
        }
    }

    fn places(&self, raw: RawEntry<'_>) -> Places {
        const NAMES: [&str; 6] = ["loc", "lastmod", "changefreq", "priority", "news", "link"];
        let mut named = HashMap::new();
        for element in raw.elements() {
            if let Some(name) = NAMES.iter().find(|name| **name == element.name()) {
                named
                    .entry(*name)
                    .or_insert_with(|| self.place(element.position()));
            }
        }
        Places {
            entry: self.place(raw.position()),
            named,
        }
    }

    fn judge(&mut self, entry: &Entry, places: &Places) -> Vec<Advice> {
        let mut advice = Vec::new();
        if let Some(lastmod) = entry.lastmod() {
            let start = lastmod.start();
            if start > self.now || start.timestamp() < 0 {
                let when = if start > self.now {
                    "in the future"
                } else {
                    "before 1970"
                };
                advice.push((
                    places.of("lastmod"),
                    "implausible-lastmod",
                    format!("lastmod `{lastmod}` is {when}"),
                ));
            }
        }
        if let Entry::Url(page) = entry {
            self.spelling(page, places, &mut advice);
            self.ignored(page, places, &mut advice);
            self.news(page, places, &mut advice);
            self.alternates(page, places, &mut advice);
        }
        advice
    }

    fn spelling(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let (spelling, place) = (hash(&page.loc), places.of("loc"));
        match self.seen.get(&hash(&sameness(&page.loc))) {
            None => {
                self.seen
                    .insert(hash(&sameness(&page.loc)), (spelling, place));
            }
            Some(&(first, at)) => {
                let before = match at.file == place.file {
                    true => format!("on line {}", at.line),
                    false => format!("in an earlier file, on line {}", at.line),
                };
                advice.push(match first == spelling {
                    true => (
                        place,
                        "duplicate-url",
                        format!("`{}` was listed {before} already", page.loc),
                    ),
                    false => (
                        place,
                        "several-spellings",
                        format!("`{}` is spelt differently {before}", page.loc),
                    ),
                });
            }
        }
    }

    fn ignored(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let found = [
            (
                page.changefreq.is_some(),
                "changefreq",
                "ignored-changefreq",
            ),
            (page.priority.is_some(), "priority", "ignored-priority"),
        ];
        for (is_there, element, name) in found {
            if is_there && self.said.insert(name) {
                advice.push((
                    places.of(element),
                    name,
                    format!("Google ignores `{element}` (said once a file)"),
                ));
            }
        }
    }

    fn news(&self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let date = page.news.as_ref().and_then(|news| news.publication_date);
        // A date without a time may be the end of its day.
        let limit = self.now - Days::new(2);
        let is_old = |date: quick_sitemap::W3cDatetime| {
            let limit = quick_sitemap::W3cDatetime::from(limit).with_precision(date.precision());
            date.start() < limit.start()
        };
        if let Some(date) = date.filter(|date| is_old(*date)) {
            advice.push((
                places.of("news"),
                "old-news",
                format!("published `{date}`, more than two days ago"),
            ));
        }
    }

    fn alternates(&mut self, page: &UrlEntry, places: &Places, advice: &mut Vec<Advice>) {
        let own = hash(&page.loc);
        self.pages.insert(own);
        if page.alternates.is_empty() {
            return;
        }
        let place = places.of("link");
        if !page
            .alternates
            .iter()
            .any(|alternate| alternate.href == page.loc)
        {
            let message = format!(
                "the alternates of `{}` do not list the page itself",
                page.loc
            );
            advice.push((place, "hreflang-without-self", message));
        }
        let mut listed = HashSet::new();
        for alternate in page
            .alternates
            .iter()
            .filter(|alternate| alternate.href != page.loc)
        {
            if listed.insert(&alternate.href) {
                self.links.insert((own, hash(&alternate.href)));
                self.to_check
                    .push((page.loc.clone(), alternate.href.clone(), place));
            }
        }
    }

    /// Links that do not come back, of pages that are in the files: nothing is known of others.
    fn unreturned(self) -> impl Iterator<Item = (Place, String)> {
        let Self {
            links,
            pages,
            to_check,
            ..
        } = self;
        to_check
            .into_iter()
            .filter_map(move |(page, alternate, place)| {
                let (from, to) = (hash(&page), hash(&alternate));
                (pages.contains(&to) && !links.contains(&(to, from))).then(|| {
                    (
                        place,
                        format!("the alternate `{alternate}` does not link back to `{page}`"),
                    )
                })
            })
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A URL without what spellings of one page differ in: scheme, `www.`, a final slash, the fragment.
fn sameness(url: &Url) -> (&str, &str, Option<&str>) {
    let host = url.host_str().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    (host, url.path().trim_end_matches('/'), url.query())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<url><loc>https://example.com/a</loc><lastmod>2031-01-01</lastmod><priority>1.5</priority></url>
<url><loc>https://www.example.com/a/</loc><changefreq>daily</changefreq></url>
<url><lastmod>2024-05-06</lastmod></url>
<url><loc>https://example.com/en</loc><xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/></url>
<url><loc>https://example.com/de</loc></url>
</urlset>"#;

    /// What is printed of `FILE`, under the name `sitemap.xml`, and the exit status.
    fn run(arguments: &[&str]) -> (String, u8) {
        let folder =
            std::env::temp_dir().join(format!("lint-{}-{}", std::process::id(), hash(&arguments)));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("sitemap.xml");
        std::fs::write(&path, FILE).unwrap();
        let path = path.to_str().unwrap();
        let arguments = ["lint", "--format", "text"]
            .iter()
            .chain(arguments)
            .chain([&path]);
        let Ok(Command::Lint(mut options)) = options(lexopt::Parser::from_iter(arguments)) else {
            panic!("not understood");
        };
        options.now = "2026-01-01T00:00:00Z".parse().unwrap();
        let mut out = Vec::new();
        let code = lint(&options, &mut out).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let out = console::strip_ansi_codes(std::str::from_utf8(&out).unwrap()).into_owned();
        (out.replace(path, "sitemap.xml"), code)
    }

    #[test]
    fn as_compilers_print_it() {
        let expected = "\
sitemap.xml:2:77: warning: priority `1.5` is not a number from 0.0 to 1.0, dropped [invalid-priority]
sitemap.xml:4:1: error: `url` has no loc, entry skipped [missing-loc]
";
        assert_eq!(run(&[]), (expected.to_owned(), 1));
    }

    #[test]
    fn rules_by_name() {
        let (out, code) = run(&["--allow", "missing-loc", "--deny", "invalid-priority"]);
        assert_eq!(out.lines().count(), 1);
        assert!(out.contains(" error: priority"), "{out}");
        assert_eq!(code, 1);
        assert_eq!(run(&["--allow", "all"]), (String::new(), 0));
        let none = lexopt::Parser::from_iter(["lint", "--deny", "no-such-rule", "x"]);
        assert!(options(none).is_err());
    }

    #[test]
    fn advice() {
        let expected = "\
sitemap.xml:2:38: advice: lastmod `2031-01-01` is in the future [implausible-lastmod]
sitemap.xml:3:6: advice: `https://www.example.com/a/` is spelt differently on line 2 [several-spellings]
sitemap.xml:3:43: advice: Google ignores `changefreq` (said once a file) [ignored-changefreq]
sitemap.xml:5:39: advice: the alternates of `https://example.com/en` do not list the page itself [hreflang-without-self]
sitemap.xml:5:39: advice: the alternate `https://example.com/de` does not link back to `https://example.com/en` [hreflang-without-return]
";
        let rules = Rule::ALL.iter().flat_map(|rule| ["--allow", rule.name()]);
        let arguments: Vec<&str> = rules.chain(["--advice"]).collect();
        assert_eq!(run(&arguments), (expected.to_owned(), 0));
        assert_eq!(
            run(&[
                "--allow",
                "all",
                "--advice",
                "--deny",
                "implausible-lastmod"
            ])
            .1,
            1
        );
    }

    #[test]
    fn formats() {
        let (out, _) = run(&["--format", "json"]);
        let first: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["line"], &first["rule"]),
            (&json!(2), &json!("invalid-priority"))
        );
        let (out, _) = run(&["--format", "github"]);
        assert!(out.starts_with(
            "::warning file=sitemap.xml,line=2,col=77,title=invalid-priority::priority `1.5`"
        ));
    }
}
