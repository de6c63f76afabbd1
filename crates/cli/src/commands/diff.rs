//! `sitemap diff`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use quick_sitemap::Completeness;
use quick_sitemap::chrono::{DateTime, Utc};

use crate::disk::destination::Out;
use crate::judge::host_changes::HostChanges;
use crate::publish::alarms::Alarms;
use crate::publish::comparison::{Comparison, DiffFormat, Differences, Key, Which};
use crate::rows::Fields;
use crate::source::account::{Account, Command};
use crate::source::filter::LocFilter;
use crate::source::input::Input;
use crate::source::options::ReadOptions;
use crate::source::pages;
use crate::term::age::Age;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::json::page_fields;
use crate::term::messages::Messages;
use crate::term::progress::Progress;
use crate::term::status::Status;

const AFTER: &str = "\
Examples:
  sitemap diff yesterday.xml today.xml
  sitemap diff public/ https://www.example.com/ --format count
  sitemap diff monday.jsonl tuesday.jsonl --format jsonl";

/// Compare two sitemaps, or two sets of sitemaps
///
/// A and B are files, folders, URLs or sites, in any combination. A file can also be a list of pages as JSON Lines, CSV or TSV,
/// as `sitemap crawl` and `show` write them. For an index on disk, the files that it lists are read; a URL is crawled as by
/// `sitemap crawl`. The order of pages does not matter; if a page is listed more than once, its
/// first entry is compared.
///
/// If one side is incomplete (a truncated file, an entry that cannot be used, a sitemap that cannot be fetched), nothing is
/// compared, because pages missing from it would be reported as removed or added.
///
/// Exit status: 0 if both have the same pages with the same values, 1 if they differ or if a side is incomplete
/// (--allow-incomplete), 2 if they cannot be compared, 3 for an alarm, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER,
    mut_arg("replace_host", |argument| {
        argument.long_help(None::<&str>).help(
            "Compare pages of A with the host FROM as if they were at TO; both can have a scheme and a port",
        )
    }),
)]
pub(crate) struct Arguments {
    /// The old side: a file, a folder, a URL, a site such as example.com, or - for standard input
    a: Input,

    /// The new side
    b: Input,

    /// How differences are written [default: text, or by the name of --out]
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<DiffFormat>,

    #[command(flatten)]
    out: Out,

    #[command(flatten)]
    filter: LocFilter,

    /// The fields whose change makes a page a changed one; separate them by commas
    ///
    /// By default these are all fields that both sides can have: lists of URLs have none. For --format indexnow they are all
    /// but changefreq and priority, because a page with other hints to crawlers has the same content.
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = PossibleValuesParser::new(["loc"].into_iter().chain(page_fields())))]
    fields: Vec<String>,

    /// The key for --format indexnow: 8 to 128 letters, digits and dashes
    #[arg(long, value_name = "KEY", required_if_eq("format", "indexnow"))]
    key: Option<Key>,

    #[command(flatten)]
    alarms: Alarms,

    /// Alarm, with status 3, if the newest lastmod of B, or publication date of an article without lastmod, is older than this, such as 7d or 36h, or if B has none
    #[arg(long, value_name = "TIME", help_heading = "Alarms")]
    max_age: Option<Age>,

    /// Compare even if a side is incomplete
    #[arg(long)]
    allow_incomplete: bool,

    #[command(flatten)]
    hosts: HostChanges,

    #[command(flatten)]
    reading: ReadOptions,
}

pub(crate) fn run(arguments: &Arguments, messages: &Messages) -> anyhow::Result<Status> {
    let format = arguments.out.format(arguments.format)?.unwrap_or_default();
    if arguments.key.is_some() && format != DiffFormat::Indexnow {
        anyhow::bail!("--key is for --format indexnow");
    }
    let inputs = [arguments.a.clone(), arguments.b.clone()];
    let inputs = Input::prepare(&inputs, None, &arguments.reading.network)?;
    let [a, b] = inputs.as_slice() else {
        anyhow::bail!("two sides are compared");
    };
    let files = Input::files(&inputs).writes("--out", arguments.out.path());
    files.check()?;
    interrupt::catch_while_reading("interrupted; nothing was compared")?;
    let mut comparison = Comparison::new()?;
    let mut read = |input, which| arguments.read(input, which, &mut comparison, messages);
    let sides = [read(a, Which::A)?, read(b, Which::B)?];
    arguments.reading.columns.check()?;
    arguments.hosts.print_unused("A", messages);
    let names = [a, b].map(ToString::to_string);
    let is_one = arguments.check_question(&names, &sides, messages)?;
    let asked = arguments.fields(format);
    let fields = arguments.fields_of_both(asked, &sides, messages)?;
    let licences = sides.each_ref();
    let licences = licences.map(|side| side.asked().ok().filter(|_| is_one));
    let mut differences = comparison.finish(fields, licences)?;
    print_doubts([a, b], &sides, &differences, messages);
    // Without a page there is nothing to say, and a file is not replaced by an empty one.
    if differences.pages() > 0 {
        let mut out = arguments.out.open()?;
        interrupt::from_here("interrupted; only a part of the differences was printed");
        if format == DiffFormat::Csv {
            out.begin_csv()?;
        }
        differences.print(format, arguments.key.as_ref(), &mut out)?;
        out.complete()?;
        if format != DiffFormat::Count {
            print_totals(&differences, &arguments.filter, &sides, messages);
        }
    }
    Ok(arguments.judge(&differences, asked, messages))
}

/// The numbers, with the question that they answer.
fn print_totals(
    differences: &Differences,
    filter: &LocFilter,
    sides: &[Account; 2],
    messages: &Messages,
) {
    let name = |certain: Option<u64>, name| certain.map_or("on one side only", |_| name);
    let mut question = String::new();
    if !filter.is_empty() {
        question.push_str(", of the pages that --match and --exclude keep");
    }
    let limits = sides.iter().filter_map(|side| side.asked().ok());
    if let Some(limits) = limits
        .filter_map(|asked| asked.limits().map(str::to_owned))
        .next()
    {
        question.push_str(&format!("; {limits}"));
    }
    messages.note(format_args!(
        "{} {}, {} {}, {} changed, {} the same{question}",
        Count(differences.only_in_b, "page"),
        name(differences.added(), "added"),
        Grouped(differences.only_in_a),
        name(differences.removed(), "removed"),
        Grouped(differences.changed),
        Grouped(differences.seen.same)
    ));
    let partly_compared = differences.seen.partly_compared;
    if partly_compared > 0 {
        messages.note(format_args!(
            "{}: a value could not be used on one side, and is not compared",
            Count(partly_compared, "page")
        ));
    }
}

/// Prints the pages that are listed twice, and the reasons why pages may seem to be missing.
fn print_doubts(
    inputs: [&Input; 2],
    sides: &[Account; 2],
    differences: &Differences,
    messages: &Messages,
) {
    let seen = &differences.seen;
    let repeated = [seen.repeated_in_a, seen.repeated_in_b];
    for (input, count) in inputs.into_iter().zip(repeated) {
        let (repeats, is) = match count {
            0 => continue,
            1 => ("an entry repeats".to_owned(), "is"),
            count => (format!("{} entries repeat", Grouped(count)), "are"),
        };
        messages.warning(format_args!(
            "{input}: {repeats} a page that is listed before, and {is} not compared"
        ));
    }
    let missing = [differences.only_in_b, differences.only_in_a];
    for ((input, count), side) in inputs.into_iter().zip(missing).zip(sides) {
        if side.completeness() == Completeness::Unknown && count > 0 {
            messages.note(format_args!(
                "{input} contains a text, a list or a feed: the end of a text or a list cannot be checked, and a feed lists \
                 only recent pages"
            ));
        }
    }
}

impl Arguments {
    /// Reads a side into the comparison.
    fn read(
        &self,
        input: &Input,
        which: Which,
        comparison: &mut Comparison,
        messages: &Messages,
    ) -> anyhow::Result<Account> {
        let inputs = std::slice::from_ref(input);
        let _progress = Progress::start("reading", messages);
        let side = pages::read(inputs, &self.reading, messages, &mut |page| {
            let dropped = page.listed.dropped();
            let mut page = page.entry;
            if which == Which::A {
                self.hosts.apply(&mut page);
            }
            if !self.filter.keeps(&page.loc) {
                return Ok(());
            }
            comparison.add(which, page, dropped)
        })?;
        if let Err(why) = side.asked() {
            let is_allowed = self.allow_incomplete;
            if side.status(Command::Use { is_allowed }) == Status::Failure {
                let missing = if which == Which::A {
                    "added"
                } else {
                    "removed"
                };
                anyhow::bail!(
                    "{input} is incomplete ({why}): pages missing from it would be reported as {missing}; \
                     use --allow-incomplete to compare anyway"
                );
            }
            messages.warning(format_args!("{input} is incomplete: {why}"));
        }
        Ok(side)
    }

    /// Returns `true` if the two sides answer the same question.
    ///
    /// # Errors
    ///
    /// If they do not answer the same question, unless that is allowed: an option applies to one of them only, or
    /// a sitemap of one side is something else on the other.
    fn check_question(
        &self,
        names: &[String; 2],
        sides: &[Account; 2],
        messages: &Messages,
    ) -> anyhow::Result<bool> {
        let ([a, b], [in_a, in_b]) = (names, sides);
        let mut why = None;
        for (name, side, other, of_other) in [(a, in_a, in_b, b), (b, in_b, in_a, a)] {
            if side.left_out() > 0 && !other.was_selected_from() {
                why = Some(format!(
                    "options left out {} of {name}, and do not apply to {of_other}, which has no index",
                    Count(side.left_out(), "sitemap")
                ));
            } else if let Some(turned) = side.turned(name, other, of_other) {
                why = Some(format!(
                    "{turned} is not a sitemap, but one of that name is in {of_other}"
                ));
            }
        }
        match why {
            None => Ok(true),
            Some(why) if self.allow_incomplete => {
                messages.warning(why);
                Ok(false)
            }
            Some(why) => anyhow::bail!(
                "{why}: pages would be reported as added or removed; use --allow-incomplete to compare anyway"
            ),
        }
    }

    /// # Errors
    ///
    /// If a side lacks a field that is named.
    fn fields_of_both(
        &self,
        asked: Fields,
        sides: &[Account; 2],
        messages: &Messages,
    ) -> anyhow::Result<Fields> {
        let [in_a, in_b] = sides.each_ref().map(Account::fields);
        let fields = asked.both(in_a).both(in_b);
        let lacking = asked.without(fields);
        if let (Some(field), false) = (lacking.names().next(), self.fields.is_empty()) {
            anyhow::bail!("--fields {field}: one side is a list without this field");
        }
        if in_a != in_b {
            let names: Vec<_> = ["loc"].into_iter().chain(fields.names()).collect();
            messages.note(format_args!(
                "only {} {} compared, because one side is a list without other fields",
                names.join(", "),
                if names.len() == 1 { "is" } else { "are" }
            ));
        }
        Ok(fields)
    }

    /// The status, with the alarms.
    fn judge(&self, differences: &Differences, asked: Fields, messages: &Messages) -> Status {
        let alarm = self.alarms.judge(differences, asked);
        let max_age = self.max_age.as_ref();
        let too_old = max_age.and_then(|age| too_old(age, differences));
        let alarms: Vec<_> = alarm.into_iter().chain(too_old).collect();
        if !alarms.is_empty() {
            messages.error(alarms.join("; "));
            return Status::Alarm;
        }
        if differences.pages() == 0 {
            messages.error("neither side has a page, so nothing was compared");
            return Status::Failure;
        }
        if differences.are_none() {
            Status::Success
        } else {
            Status::Findings
        }
    }

    /// The fields that are compared if both sides have them.
    fn fields(&self, format: DiffFormat) -> Fields {
        if !self.fields.is_empty() {
            return Fields::of(self.fields.iter().map(String::as_str));
        }
        match format {
            DiffFormat::Indexnow => Fields::ALL.without(Fields::of(["changefreq", "priority"])),
            _ => Fields::ALL,
        }
    }
}

/// Why the new side is too old.
fn too_old(age: &Age, differences: &Differences) -> Option<String> {
    let limit = DateTime::<Utc>::from(age.ago()?);
    match differences.seen.newest_in_b {
        None => Some(match differences.seen.implausible_in_b {
            None => format!("no page of the new side has a date, which --max-age {age} needs"),
            Some(date) => format!(
                "the newest date, {date}, cannot be true, so --max-age {age} cannot be judged"
            ),
        }),
        // A date without a time may be the end of its day.
        Some(newest) if newest.may_be_since(limit) => None,
        Some(newest) => Some(format!(
            "the newest date is {newest}, older than --max-age {age}"
        )),
    }
}
