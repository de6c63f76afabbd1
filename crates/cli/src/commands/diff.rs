//! `sitemap diff`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use quick_sitemap::Completeness;
use quick_sitemap::chrono::{DateTime, Utc};

use crate::rows::Fields;
use crate::sets::alarms::Alarms;
use crate::sets::change::HostChanges;
use crate::sets::comparison::{Comparison, DiffFormat, Differences, Key, Which};
use crate::source::input::Input;
use crate::source::losses::Totals;
use crate::source::pages::{self, ReadOptions};
use crate::term::age::Age;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::json::page_fields;
use crate::term::messages::Messages;
use crate::term::output;
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
/// Exit status: 0 if both have the same pages with the same values, 1 if they differ, 2 if they cannot be compared, 3 for
/// an alarm, 130 after Ctrl-C.
#[derive(Args, Debug)]
#[command(
    after_long_help = AFTER,
    mut_arg("replace_host", |argument| argument.help("Compare pages of A with the host FROM as if they were at TO")),
)]
pub(crate) struct Arguments {
    /// The old side: a file, a folder, a URL, a site such as example.com, or - for standard input
    a: Input,

    /// The new side
    b: Input,

    /// How differences are written
    #[arg(long, short, value_name = "FORMAT", default_value = "text")]
    format: DiffFormat,

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

    /// Alarm, with status 3, if the newest lastmod of B is older than this, such as 7d or 36h, or if B has none
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
    if arguments.key.is_some() && arguments.format != DiffFormat::Indexnow {
        anyhow::bail!("--key is for --format indexnow");
    }
    let inputs = [arguments.a.clone(), arguments.b.clone()];
    let inputs = Input::prepare(&inputs, None, &arguments.reading.network)?;
    let [a, b] = inputs.as_slice() else {
        anyhow::bail!("two sides are compared");
    };
    interrupt::catch_while_reading("interrupted; nothing was compared")?;
    let mut comparison = Comparison::new()?;
    let mut sides = [Totals::NONE; 2];
    for ((input, which), side) in [(a, Which::A), (b, Which::B)].into_iter().zip(&mut sides) {
        let inputs = std::slice::from_ref(input);
        let progress = Progress::start("reading", messages);
        *side = pages::read(inputs, &arguments.reading, messages, &mut |page| {
            let mut page = page.entry;
            if which == Which::A {
                arguments.hosts.apply(&mut page);
            }
            comparison.add(which, page)
        })?;
        drop(progress);
        if side.is_incomplete() {
            if !arguments.allow_incomplete {
                anyhow::bail!(
                    "{input} is incomplete: pages missing from it would be reported as {}; \
                     use --allow-incomplete to compare anyway",
                    which.label_of_missing()
                );
            }
            messages.warning(format_args!("{input} is incomplete"));
        }
    }
    let [in_a, in_b] = sides.map(|side| side.fields);
    let fields = arguments.fields().both(in_a).both(in_b);
    if in_a != in_b {
        let names: Vec<_> = ["loc"].into_iter().chain(fields.names()).collect();
        messages.note(format_args!(
            "only {} {} compared, because one side is a list without other fields",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" }
        ));
    }
    let mut differences = comparison.finish(fields)?;
    for (input, count) in [
        (a, differences.repeated_in_a),
        (b, differences.repeated_in_b),
    ] {
        if count > 0 {
            let (repeats, is) = match count {
                1 => ("an entry repeats".to_owned(), "is"),
                count => (format!("{} entries repeat", Grouped(count)), "are"),
            };
            messages.warning(format_args!(
                "{input}: {repeats} a page that is listed before, and {is} not compared"
            ));
        }
    }
    let doubts = [(a, differences.added), (b, differences.removed)];
    for ((input, count), side) in doubts.into_iter().zip(sides) {
        if side.completeness == Completeness::Unknown && count > 0 {
            messages.note(format_args!(
                "{input} contains a text, a list or a feed: the end of a text or a list cannot be checked, and a feed lists \
                 only recent pages"
            ));
        }
    }
    let mut out = output::stdout();
    interrupt::from_here("interrupted; only a part of the differences was printed");
    match (arguments.format, &arguments.key) {
        (DiffFormat::Indexnow, Some(key)) => {
            differences.print_requests(key, &mut out)?;
        }
        (format, _) => differences.print(format, &mut out)?,
    }
    out.flush()?;
    if arguments.format != DiffFormat::Count {
        messages.note(format_args!(
            "{} added, {} removed, {} changed, {} the same",
            Count(differences.added, "page"),
            Grouped(differences.removed),
            Grouped(differences.changed),
            Grouped(differences.same)
        ));
    }
    let mut alarms = arguments.alarms.raised(&differences);
    let max_age = arguments.max_age.as_ref();
    alarms.extend(max_age.and_then(|age| too_old(age, &differences)));
    if !alarms.is_empty() {
        messages.error(alarms.join("; "));
        return Ok(Status::Alarm);
    }
    Ok(if differences.is_empty() {
        Status::Success
    } else {
        Status::Findings
    })
}

impl Arguments {
    /// The fields that are compared if both sides have them.
    fn fields(&self) -> Fields {
        if !self.fields.is_empty() {
            return Fields::of(self.fields.iter().map(String::as_str));
        }
        match self.format {
            DiffFormat::Indexnow => Fields::ALL.without(Fields::of(["changefreq", "priority"])),
            _ => Fields::ALL,
        }
    }
}

/// Why the new side is too old.
fn too_old(age: &Age, differences: &Differences) -> Option<String> {
    let limit = DateTime::<Utc>::from(age.ago()?);
    match differences.newest_in_b {
        None => Some(format!(
            "no page of the new side has a lastmod, which --max-age {age} needs"
        )),
        // A date without a time may be the end of its day.
        Some(newest) if newest.may_be_since(limit) => None,
        Some(newest) => Some(format!(
            "the newest lastmod is {newest}, older than --max-age {age}"
        )),
    }
}
