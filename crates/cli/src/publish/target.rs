//! The output of `write` and `edit`: one file, or a set of sitemaps with its index.

mod concerns;
mod file;
mod robots;
mod section;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use quick_sitemap::url::Url;
use quick_sitemap::{
    Error, ErrorKind, Format, Limits, Namespace, Rule, UrlEntry, UrlsetWriter, WriterBuilder,
};
use quick_sitemap_set::{Directory, Published as PublishedSet};

use self::concerns::Concerns;
use self::file::Writer;
use self::section::Section;

use crate::disk::destination::Destination;
use crate::disk::files::Files;
use crate::publish::alarms::Alarms;
use crate::publish::comparison::{Comparison, Which};
use crate::rows::Fields;
use crate::source::input::Input;
use crate::source::options::ReadOptions;
use crate::source::pages;
use crate::term::address::hide_login;
use crate::term::count::{Count, First, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Advised, Messages};
use crate::term::progress;
use crate::term::status::Status;

/// The destination of the pages, and the way in which they are written.
#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Output")]
pub(crate) struct Options {
    /// The output: a folder for a set of sitemaps with its index, or one file
    ///
    /// A name that ends in .xml, .xml.gz, .txt or .txt.gz is one file, `-` is standard output, and anything else is a
    /// folder, which is created if it does not exist. The new files become visible only after all of them have been
    /// written; if the run fails, the existing files stay.
    #[arg(long, short, visible_alias = "output", value_name = "FOLDER|FILE")]
    out: PathBuf,

    /// The URL of the folder, such as https://www.example.com/; required for a set
    ///
    /// A sitemap may list only pages at or below its own folder; others are rejected. For one file, this is checked
    /// only if --base is given.
    #[arg(long, value_name = "URL", value_parser = crate::term::address::public)]
    pub(crate) base: Option<Url>,

    /// Also allow pages outside the folder (for a sitemap that robots.txt lists)
    #[arg(long)]
    any_directory: bool,

    /// Also allow pages of this host, whose robots.txt lists the sitemap; can be given several times
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,

    /// Skip pages that break a rule, with exit status 1; without this option the first one ends the run
    #[arg(long)]
    skip_invalid: bool,

    /// Percent-encode the characters that a URL must not contain (`[`, `]`, a bare `%`, a second `#`) instead of
    /// rejecting the page
    #[arg(long)]
    escape: bool,

    /// Allow an empty result, which is otherwise an error
    #[arg(long, conflicts_with = "refuse_below")]
    allow_empty: bool,

    /// Fail if there are fewer pages than this, and keep the existing files
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    refuse_below: u64,

    /// Maximum number of pages per file, at most 50,000
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=50_000))]
    max_entries: Option<u64>,

    /// Gzip the parts of a set (a single file is gzipped if its name ends in .gz)
    #[arg(long)]
    gzip: bool,

    /// Write only URLs, one per line
    #[arg(long)]
    text: bool,

    #[command(flatten)]
    set: SetOptions,

    #[command(flatten)]
    alarms: Alarms,
}

/// Options for a set only.
#[derive(Args, Debug)]
#[command(next_help_heading = "A set of sitemaps")]
struct SetOptions {
    /// Base name of the files: NAME.xml, NAME-1.xml and so on
    #[arg(long, value_name = "NAME", default_value = "sitemap")]
    name: String,

    /// Put a digest of its content into the name of each part, so that the set is replaced atomically
    #[arg(long)]
    fingerprint: bool,

    /// With --fingerprint, hours to keep a part after the index no longer lists it
    #[arg(long, value_name = "HOURS", default_value_t = 24, requires = "fingerprint")]
    grace: u64,

    /// Write one sitemap without an index if all pages fit into one; it is NAME.xml, which --gzip does not change
    #[arg(long)]
    single: bool,

    /// Put pages whose URL matches the regex anywhere into sitemaps of their own, NAME-1.xml and so on, which the index
    /// lists too; can be given several times, and the first that matches is used
    #[arg(long, value_name = "REGEX=NAME")]
    group: Vec<Section>,

    /// List the index in this robots.txt, which is created if it does not exist
    #[arg(long, value_name = "FILE")]
    robots: Option<PathBuf>,
}

/// Entries that are looked at before the first is written, so that the file's root declares what they need.
const AHEAD: usize = 1_000;

/// Takes pages; what becomes of them is seen when it is [finished](Self::finish).
pub(crate) struct Target<'o> {
    options: &'o Options,
    messages: &'o Messages,
    settings: WriterBuilder,
    /// Pages without extensions that are not written yet, each with its place.
    ahead: Vec<(UrlEntry, String)>,
    writer: Option<Writer>,
    refused: BTreeMap<Option<Rule>, First>,
    concerns: Concerns,
    /// Finds what is wrong with a page while it waits in `ahead`.
    checker: UrlsetWriter<io::Sink>,
    /// `None` for a set.
    single: Option<Single>,
    /// The pages before this run, compared with those that are written, and the fields that both can have.
    published: Option<(Comparison, Fields)>,
}

/// The form of one file.
#[derive(Clone, Copy)]
struct Single {
    text: bool,
    gzip: bool,
}

impl Options {
    /// # Errors
    ///
    /// If the options do not fit together. Nothing is written yet.
    ///
    /// `former` are the pages that `--state` lists, with their dates.
    pub(crate) fn target<'o>(
        &'o self,
        former: Option<Vec<UrlEntry>>,
        messages: &'o Messages,
    ) -> anyhow::Result<Target<'o>> {
        let single = self.single();
        self.check(single)?;
        let mut settings = WriterBuilder::new().limits(self.limits());
        if self.any_directory {
            settings = settings.any_directory();
        }
        for host in &self.allow_host {
            settings = settings.allow_host(host);
        }
        if let Some(base) = &self.base {
            // Only the folder of the file's own URL is used.
            let mut location = base.clone();
            if let Ok(mut segments) = location.path_segments_mut() {
                segments.pop_if_empty().push("");
            }
            settings = settings.location(location);
        }
        Ok(Target {
            checker: settings
                .clone()
                .limits(Limits::default())
                .urlset(io::sink()),
            options: self,
            messages,
            settings,
            ahead: Vec::new(),
            writer: None,
            refused: BTreeMap::new(),
            concerns: Concerns::new(self.base.as_ref()),
            published: self.published(single, former, messages)?,
            single,
        })
    }

    /// Lists the files that will be written.
    ///
    /// # Errors
    ///
    /// If the folder of a set is a URL.
    pub(crate) fn list(&self, files: &mut Files) -> anyhow::Result<()> {
        let single = self.single();
        if single.is_some() {
            files.writes("--out", Some(&self.out));
        } else {
            let groups = self.set.group.iter().map(Section::name);
            files.writes_set(&self.out, iter::once(&*self.set.name).chain(groups))?;
        }
        files.writes("--robots", self.set.robots.as_deref());
        Ok(())
    }

    fn is_stdout(&self) -> bool {
        self.out.as_os_str() == "-"
    }

    /// Returns the form of the one file for the name of the output, or `None` for a set.
    fn single(&self) -> Option<Single> {
        if self.is_stdout() {
            let (text, gzip) = (self.text, self.gzip);
            return Some(Single { text, gzip });
        }
        let name = self.out.file_name()?.to_string_lossy().to_ascii_lowercase();
        let plain = name.strip_suffix(".gz");
        let (name, gzip) = (plain.unwrap_or(&name), plain.is_some());
        let text = name.ends_with(".txt");
        let is_file = (text || name.ends_with(".xml")) && !self.out.is_dir();
        is_file.then_some(Single { text, gzip })
    }

    /// # Errors
    ///
    /// If the options do not fit the output.
    fn check(&self, single: Option<Single>) -> anyhow::Result<()> {
        let out = self.out.display();
        if let Some(Single { text, gzip }) = single {
            if self.is_stdout() {
                self.refuse_set_options("standard output is one sitemap")?;
                if self.alarms.are_set() {
                    bail!("--max-removed and --max-changed need a folder or a file as --out");
                }
                return Ok(());
            }
            self.refuse_set_options(&format!("{out} is one file"))?;
            if self.gzip && !gzip {
                bail!("with --gzip, the name of the file must end in .gz");
            }
            if self.text && !text {
                bail!("with --text, the name of the file must end in .txt or .txt.gz");
            }
            return Ok(());
        }
        if self.out.is_file() {
            bail!(
                "{out}: this is not a folder, and its name does not end in .xml, .xml.gz, .txt or .txt.gz"
            );
        }
        if section::is_named(&self.set.group, &self.set.name) {
            let name = &self.set.name;
            bail!(
                "--group cannot have the name of the set itself, {name}; --name NAME changes that of the set"
            );
        }
        self.set_base().map(drop)
    }

    fn set_base(&self) -> anyhow::Result<&Url> {
        self.base.as_ref().with_context(|| format!(
            "a set of sitemaps needs --base, the URL of the folder {} (for one file, use a name that ends in .xml, \
             .xml.gz, .txt or .txt.gz)",
            self.out.display()
        ))
    }

    fn refuse_set_options(&self, what: &str) -> anyhow::Result<()> {
        let of_sets = [
            ("--fingerprint", self.set.fingerprint),
            ("--single", self.set.single),
            ("--robots", self.set.robots.is_some()),
            ("--name", self.set.name != "sitemap"),
            ("--group", !self.set.group.is_empty()),
        ];
        match of_sets.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!("{option} is only for sets, but {what}"),
            None => Ok(()),
        }
    }

    fn limits(&self) -> Limits {
        let limits = Limits::default();
        let entries = self.max_entries.unwrap_or(limits.entries);
        limits.with_entries(entries)
    }

    fn least(&self) -> u64 {
        if self.allow_empty {
            0
        } else {
            self.refuse_below
        }
    }

    /// # Errors
    ///
    /// If there are fewer pages than required.
    fn accept(&self, pages: u64) -> anyhow::Result<()> {
        let least = self.least();
        if pages >= least {
            return Ok(());
        }
        let were = if pages == 1 { "was" } else { "were" };
        let message = format!(
            "{}: {} {were} to be written, but the minimum is {}",
            self.out.display(),
            Count(pages, "page"),
            Grouped(least),
        );
        let advice = match pages {
            0 => "nothing has been changed; use --allow-empty to allow an empty result",
            _ => "nothing has been changed",
        };
        Err(Advised::new(message, advice).into())
    }

    /// The pages that the alarms compare with, if they are set: those that the output has now or, where there is none,
    /// those of the state.
    fn published(
        &self,
        single: Option<Single>,
        former: Option<Vec<UrlEntry>>,
        messages: &Messages,
    ) -> anyhow::Result<Option<(Comparison, Fields)>> {
        if !self.alarms.are_set() {
            return Ok(None);
        }
        let path = match single {
            Some(_) => self.out.clone(),
            None => self.out.join(format!("{}.xml", self.set.name)),
        };
        let text = single.map_or(self.text, |single| single.text);
        let mut comparison = Comparison::new()?;
        if path.exists() {
            let input = Input::File(path);
            let (inputs, options) = (slice::from_ref(&input), ReadOptions::default());
            let totals = pages::read(inputs, &options, messages, &mut |page| {
                comparison.add(Which::A, page.entry)
            })?;
            if totals.is_incomplete() {
                messages.warning(format_args!(
                    "{input} is incomplete: alarms compare with the pages that can be read"
                ));
            }
            let fields = if text { Fields::NONE } else { Fields::ALL };
            return Ok(Some((comparison, fields)));
        }
        let out = self.out.display();
        match former {
            Some(pages) if !pages.is_empty() => {
                messages.note(format_args!(
                    "{out}: there is no earlier output, so --max-removed and --max-changed compare with the pages of --state"
                ));
                for page in pages {
                    comparison.add(Which::A, page)?;
                }
                // A state has no more.
                let fields: &[&str] = if text { &[] } else { &["lastmod"] };
                Ok(Some((comparison, Fields::of(fields.iter().copied()))))
            }
            _ => {
                messages.note(format_args!(
                    "{out}: there is no earlier output, so --max-removed and --max-changed compare with nothing"
                ));
                Ok(None)
            }
        }
    }

    fn directory(&self) -> anyhow::Result<Directory> {
        let set = &self.set;
        let directory = Directory::create(&self.out, self.set_base()?)?
            .name(&set.name)
            .gzip(self.gzip)
            .fingerprint(set.fingerprint)
            .grace(Duration::from_secs(set.grace.saturating_mul(3_600)))
            .refuse_below(self.least());
        Ok(directory)
    }
}

/// An error of the library with its cause. An I/O error stays one, so that a broken pipe is recognized.
fn into_anyhow(error: Error) -> anyhow::Error {
    let text = format!("{error:#}");
    match error.into_kind() {
        ErrorKind::Io(cause) => io::Error::new(cause.kind(), text).into(),
        _ => anyhow::Error::msg(text),
    }
}

impl Target<'_> {
    /// The pages come from these inputs.
    pub(crate) fn comes_from(&mut self, inputs: &[Input]) {
        self.concerns.come_from(inputs);
    }

    /// Takes one page; `place` is its source in the form of messages.
    ///
    /// # Errors
    ///
    /// An output that cannot be written; a rejected page, unless such pages are omitted; a signal.
    pub(crate) fn page(&mut self, mut entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        interrupt::check()?;
        entry.urls_mut().for_each(hide_login);
        if self.options.escape {
            entry = entry.escaped();
        }
        if self.writer.is_some() {
            return self.write(&entry, place);
        }
        let needs = namespaces(&entry);
        if needs.is_empty() && entry.foreign.is_empty() && self.ahead.len() < AHEAD {
            if let Err(error) = self.checker.write(&entry) {
                return self.refuse_for(error, place);
            }
            self.ahead.push((entry, place.to_string()));
            return Ok(());
        }
        self.begin(needs)?;
        self.write(&entry, place)
    }

    /// Counts a page that could not even be made an entry of.
    ///
    /// # Errors
    ///
    /// The page's, unless such pages are left out.
    pub(crate) fn refuse(
        &mut self,
        rule: Option<Rule>,
        place: &dyn Display,
        why: &dyn Display,
    ) -> anyhow::Result<()> {
        if !self.options.skip_invalid {
            let hint = hint(rule).map(|hint| format!("{hint}, "));
            let advice = format!(
                "nothing has been changed; {}--skip-invalid skips such pages",
                hint.unwrap_or_default()
            );
            return Err(Advised::new(format!("{place}: {why}"), advice).into());
        }
        let count = self.refused.entry(rule).or_default();
        if count.names() {
            let hint = hint(rule).filter(|_| count.count() == 1);
            let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
            self.messages
                .warning(format_args!("{place}: {why}; page skipped{hint}"));
        }
        Ok(())
    }

    /// Opens the writer, which declares these namespaces at the root, and writes the pages that were read ahead.
    fn begin(&mut self, needs: Vec<Namespace>) -> anyhow::Result<()> {
        let settings = self.settings.clone().declare(needs);
        let writer = match self.single {
            None => {
                let directory = self.options.directory()?;
                let writer = if self.options.text {
                    settings.split_text(directory)
                } else {
                    settings.split(directory)
                };
                Writer::Set(Box::new(writer.single(self.options.set.single)))
            }
            Some(Single { text, gzip }) => {
                let place = Destination::at(&self.options.out)?;
                let place = if gzip { place.gzipped() } else { place };
                if text {
                    Writer::Text(Box::new(settings.text(place)))
                } else {
                    Writer::Urlset(Box::new(settings.urlset(place)))
                }
            }
        };
        self.writer = Some(writer);
        for (entry, place) in std::mem::take(&mut self.ahead) {
            self.write(&entry, &place)?;
        }
        Ok(())
    }

    /// Writes a page. An invalid one is rejected; a target that is full is an error.
    fn write(&mut self, entry: &UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        let Some(writer) = &mut self.writer else {
            bail!("the output has not been opened");
        };
        let group = section::find(&self.options.set.group, entry.loc.as_str());
        let written = writer.write(entry, group);
        let Err(error) = written else {
            self.concerns.judge(entry, place, self.messages);
            if let Some((comparison, _)) = &mut self.published {
                comparison.add(Which::B, entry.clone())?;
            }
            return Ok(());
        };
        let rule = error.violation().map(|violation| violation.rule());
        let full = match (self.single, rule) {
            (None, Some(Rule::TooManyEntries)) => {
                Some("write the rest as another set, under another --name")
            }
            (Some(_), Some(Rule::TooManyEntries | Rule::TooManyBytes | Rule::TooManyNews)) => {
                Some("use a folder as --out for a set of several files")
            }
            _ => None,
        };
        if let Some(more) = full {
            let advice = format!("nothing has been changed; {more}");
            return Err(Advised::new(format!("{place}: {:#}", error.kind()), advice).into());
        }
        self.refuse_for(error, place)
    }

    fn refuse_for(&mut self, error: Error, place: &dyn Display) -> anyhow::Result<()> {
        match error.violation() {
            Some(violation) => self.refuse(Some(violation.rule()), place, violation),
            None => Err(into_anyhow(error)),
        }
    }

    /// Makes the written files visible, and prints the totals.
    ///
    /// # Errors
    ///
    /// An output that cannot be written; fewer pages than there should be; a signal.
    pub(crate) fn finish(mut self) -> anyhow::Result<Status> {
        if self.writer.is_none() {
            self.begin(Vec::new())?;
        }
        self.concerns.finish(self.messages);
        let Some(writer) = self.writer.take() else {
            bail!("the output has not been opened");
        };
        let (entries, bytes) = writer.written();
        self.options.accept(entries)?;
        if let Some(alarm) = self.alarm()? {
            self.messages.failure(&alarm.into());
            return Ok(Status::Alarm);
        }
        progress::doing_now("writing");
        interrupt::check()?;
        let robots = self.options.set.robots.as_deref();
        if let Some(robots) = robots {
            robots::check(robots)?;
        }
        interrupt::from_here(match self.single {
            None => "interrupted while the files were put in place; run the same command again",
            Some(_) => {
                "interrupted while the file was put in place: it is the old one or the new one, complete"
            }
        });
        let (pages, bytes) = (Count(entries, "page"), Count(bytes, "byte"));
        let (message, index) = self.put_in_place(writer, pages, bytes)?;
        if let (Some(robots), Some(index)) = (robots, &index) {
            let name = robots.display();
            let change = robots::name(robots, index).map_err(|error| {
                let advice = format!("the set is written, but {name} does not list it: {message}");
                Advised::new(error.to_string(), advice)
            })?;
            self.messages.note(format_args!("{name}: {change}"));
        }
        if !self.options.is_stdout() {
            self.messages.note(message);
        }
        Ok(self.print_refused())
    }

    /// The reason why too many pages differ from those that were published before.
    fn alarm(&mut self) -> anyhow::Result<Option<Advised>> {
        let Some((comparison, fields)) = self.published.take() else {
            return Ok(None);
        };
        let alarms = self.options.alarms.raised(&comparison.finish(fields)?);
        let message = format!("{}: {}", self.options.out.display(), alarms.join("; "));
        Ok((!alarms.is_empty()).then(|| Advised::new(message, "nothing has been changed")))
    }

    /// Makes the files visible. Returns the sentence about them, and the URL of the index of a set.
    fn put_in_place(
        &self,
        writer: Writer,
        pages: Count,
        bytes: Count,
    ) -> anyhow::Result<(String, Option<Url>)> {
        let file = match writer {
            Writer::Set(writer) => {
                let published = writer.finish().map_err(into_anyhow)?;
                let message = describe(&published, pages, bytes);
                return Ok((message, Some(published.index().clone())));
            }
            Writer::Urlset(writer) => writer.finish(),
            Writer::Text(writer) => writer.finish(),
        };
        file.map_err(into_anyhow)?.complete()?;
        let out = &self.options.out;
        let message = format!("{}: {pages}, {bytes}{}", out.display(), gzipped([&**out]));
        Ok((message, None))
    }

    /// Prints the pages that were skipped and not named yet.
    fn print_refused(&self) -> Status {
        let mut all = 0;
        for (rule, count) in &self.refused {
            all += count.count();
            if count.more() > 0 {
                let more = Grouped(count.more());
                let rule = rule.map_or("not a page", Rule::name);
                self.messages
                    .warning(format_args!("{more} more pages were skipped ({rule})"));
            }
        }
        if all == 0 {
            return Status::Success;
        }
        self.messages
            .warning(format_args!("{} skipped", Count(all, "page")));
        Status::Findings
    }
}

/// The options that help, if the message does not name them.
fn hint(rule: Option<Rule>) -> Option<&'static str> {
    match rule? {
        Rule::OutsideLocation => {
            Some("--base sets the location, --any-directory and --allow-host allow more pages")
        }
        Rule::UrlNotEscaped => Some("--escape encodes it"),
        _ => None,
    }
}

/// The namespaces of the extensions of an entry, in the order in which a writer declares them all.
fn namespaces(entry: &UrlEntry) -> Vec<Namespace> {
    let mut extensions: Vec<_> = entry.extensions().map(|(extension, _)| extension).collect();
    extensions.sort_by_key(|extension| extension.name());
    extensions.into_iter().map(Namespace::from).collect()
}

/// The sentence about a set that has been published.
fn describe(published: &PublishedSet, pages: Count, bytes: Count) -> String {
    let (path, url) = (published.path().display(), published.index());
    if published.format() != Format::Index {
        let changed = if published.is_index_changed() {
            "changed"
        } else {
            "unchanged"
        };
        return format!("{path}: {pages}, {bytes}, {changed}; its URL is {url}");
    }
    let parts = published.parts();
    let paths = parts.iter().map(|part| &*part.path);
    let changed = parts.iter().filter(|part| part.changed).count();
    format!(
        "{path}: {pages} in {} ({} changed), {bytes}{}; its URL is {url}",
        Count(parts.len() as u64, "sitemap"),
        Grouped(changed as u64),
        gzipped(paths),
    )
}

/// The size of those files that are gzipped.
fn gzipped<'p>(paths: impl IntoIterator<Item = &'p Path>) -> String {
    let is_packed = |path: &&Path| {
        let ending = path.extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
    };
    let sizes = paths.into_iter().filter(is_packed).map(fs::metadata);
    match sizes.map(|file| file.map_or(0, |file| file.len())).sum() {
        0 => String::new(),
        bytes => format!(" ({} gzipped)", Grouped(bytes)),
    }
}
