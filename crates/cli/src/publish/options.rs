//! The options for the output of `write` and `edit`.

use std::iter;
use std::path::PathBuf;
use std::slice;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use percent_encoding::percent_encode;
use quick_sitemap::url::Url;
use quick_sitemap::{Limits, UrlEntry, WriterBuilder};
use quick_sitemap_set::Directory;

use crate::disk::files::Files;
use crate::html::IN_PATH;
use crate::publish::alarms::Alarms;
use crate::publish::comparison::{Comparison, Which};
use crate::publish::section::Section;
use crate::rows::Fields;
use crate::source::input::{self, Input};
use crate::source::options::ReadOptions;
use crate::source::pages;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::{Advised, Messages};

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
    pub(super) out: PathBuf,

    /// The URL of the folder, such as https://www.example.com/ or www.example.com; required for a set
    ///
    /// A sitemap may list only pages at or below its own folder; others are rejected. For one file, this is checked
    /// only if --base is given.
    #[arg(long, value_name = "URL", value_parser = input::folder_url)]
    pub(crate) base: Option<Url>,

    /// Also allow pages outside the folder (for a sitemap that robots.txt lists)
    #[arg(long)]
    any_directory: bool,

    /// Also allow pages of this site, whose robots.txt lists the sitemap; can be given several times
    ///
    /// A site is a host name, which means https, or a URL such as http://cdn.example.com:8080.
    #[arg(long, value_name = "SITE", value_parser = input::web_url)]
    allow_host: Vec<Url>,

    /// Skip pages that break a rule, with exit status 1; without this option the first one ends the run
    #[arg(long)]
    pub(super) skip_invalid: bool,

    /// Percent-encode the characters that a URL must not contain (`[`, `]`, a bare `%`, a second `#`) instead of
    /// rejecting the page
    #[arg(long)]
    pub(super) escape: bool,

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
    pub(super) text: bool,

    /// List the index, or the only sitemap, in this robots.txt, which is created if it does not exist
    #[arg(long, value_name = "FILE")]
    pub(super) robots: Option<PathBuf>,

    #[command(flatten)]
    pub(super) set: SetOptions,

    #[command(flatten)]
    pub(super) alarms: Alarms,
}

/// Options for a set only.
#[derive(Args, Debug)]
#[command(next_help_heading = "A set of sitemaps")]
pub(super) struct SetOptions {
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
    pub(super) single: bool,

    /// Put pages whose URL matches the regex anywhere into sitemaps of their own, NAME-1.xml and so on, which the index
    /// lists too; can be given several times, and the first that matches is used
    #[arg(long, value_name = "REGEX=NAME")]
    pub(super) group: Vec<Section>,
}

/// The form of one file.
#[derive(Clone, Copy)]
pub(super) struct Single {
    pub(super) text: bool,
    pub(super) gzip: bool,
}

/// The pages that alarms compare with.
#[derive(Default)]
pub(super) enum Published {
    /// There are no alarms, or nothing was published before.
    #[default]
    NotCompared,
    /// With the fields that both sides can have.
    Pages(Box<Comparison>, Fields),
    /// With the reason.
    CannotTell(String),
}

impl Options {
    /// How every sitemap is written.
    pub(super) fn settings(&self) -> WriterBuilder {
        let limits = Limits::default();
        let entries = self.max_entries.unwrap_or(limits.entries);
        let mut settings = WriterBuilder::new().limits(limits.with_entries(entries));
        if self.any_directory {
            settings = settings.any_directory();
        }
        for site in &self.allow_host {
            settings = settings.allow_site(site);
        }
        match &self.base {
            Some(base) => settings.location(base.clone()),
            None => settings,
        }
    }

    /// Lists the files that will be written.
    ///
    /// # Errors
    ///
    /// If the folder of a set is a URL.
    pub(crate) fn list(&self, files: Files) -> anyhow::Result<Files> {
        let groups = self.set.group.iter().map(|group| &*group.name);
        let files = match self.single() {
            Some(_) => files.writes("--out", Some(&self.out)),
            None => files.writes_set(&self.out, iter::once(&*self.set.name).chain(groups))?,
        };
        Ok(files.writes("--robots", self.robots.as_deref()))
    }

    pub(super) fn is_stdout(&self) -> bool {
        self.out.as_os_str() == "-"
    }

    /// Returns the form of the one file for the name of the output, or `None` for a set.
    pub(super) fn single(&self) -> Option<Single> {
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
    pub(super) fn check(&self, single: Option<Single>) -> anyhow::Result<()> {
        let (out, set) = (self.out.display(), &self.set);
        let Some(Single { text, gzip }) = single else {
            if self.out.is_file() {
                bail!(
                    "{out}: this is not a folder, and its name does not end in .xml, .xml.gz, .txt or .txt.gz"
                );
            }
            if set.group.iter().any(|group| group.name == set.name) {
                bail!(
                    "--group cannot have the name of the set itself, {}; --name NAME changes that of the set",
                    set.name
                );
            }
            return self.set_base().map(drop);
        };
        let of_sets = [
            ("--fingerprint", set.fingerprint),
            ("--single", set.single),
            ("--name", set.name != "sitemap"),
            ("--group", !set.group.is_empty()),
        ];
        if let Some((option, _)) = of_sets.into_iter().find(|(_, is_given)| *is_given) {
            bail!("{option} is only for sets, but {out} is one file");
        }
        if self.is_stdout() && (self.alarms.are_set() || self.robots.is_some()) {
            bail!("--max-removed, --max-changed and --robots need a folder or a file as --out");
        }
        if self.robots.is_some() && self.base.is_none() {
            bail!("--robots needs --base, the URL of the folder that {out} is in");
        }
        if self.gzip && !gzip {
            bail!("with --gzip, the name of the file must end in .gz");
        }
        if self.text && !text {
            bail!("with --text, the name of the file must end in .txt or .txt.gz");
        }
        Ok(())
    }

    /// The URL of the one file, if it is known.
    pub(super) fn url(&self) -> Option<Url> {
        let name = self.out.file_name()?.as_encoded_bytes();
        let name = percent_encode(name, IN_PATH).to_string();
        self.base.as_ref()?.join(&name).ok()
    }

    fn set_base(&self) -> anyhow::Result<&Url> {
        self.base.as_ref().with_context(|| format!(
            "a set of sitemaps needs --base, the URL of the folder {} (for one file, use a name that ends in .xml, \
             .xml.gz, .txt or .txt.gz)",
            self.out.display()
        ))
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
    pub(super) fn accept(&self, pages: u64) -> anyhow::Result<()> {
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
    pub(super) fn published(
        &self,
        single: Option<Single>,
        former: Option<Vec<UrlEntry>>,
        messages: &Messages,
    ) -> anyhow::Result<Published> {
        if !self.alarms.are_set() {
            return Ok(Published::NotCompared);
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
            let read = pages::read(inputs, &options, messages, &mut |page| {
                let dropped = page.listed.dropped();
                comparison.add(Which::A, page.entry, dropped)
            });
            interrupt::check()?;
            let whole = read.and_then(|account| account.whole().map_err(anyhow::Error::msg));
            return Ok(match whole {
                Err(why) => Published::CannotTell(format!(
                    "the earlier output, {input}, cannot be read completely ({why:#})"
                )),
                Ok(_) if text => Published::Pages(Box::new(comparison), Fields::NONE),
                Ok(_) => Published::Pages(Box::new(comparison), Fields::ALL),
            });
        }
        if let Some(part) = self.part_without_index(single) {
            return Ok(Published::CannotTell(format!(
                "{part} is there, but its index {} is not",
                path.display()
            )));
        }
        let former = former.filter(|pages| !pages.is_empty());
        messages.note(format_args!(
            "{}: there is no earlier output, so --max-removed and --max-changed compare with {}",
            self.out.display(),
            former
                .as_ref()
                .map_or("nothing", |_| "the pages of --state"),
        ));
        let Some(pages) = former else {
            return Ok(Published::NotCompared);
        };
        for page in pages {
            comparison.add(Which::A, page, Fields::NONE)?;
        }
        // A state has no more.
        let fields: &[&str] = if text { &[] } else { &["lastmod"] };
        let fields = Fields::of(fields.iter().copied());
        Ok(Published::Pages(Box::new(comparison), fields))
    }

    /// The name of a part of an earlier set.
    fn part_without_index(&self, single: Option<Single>) -> Option<String> {
        let files = match single {
            Some(_) => return None,
            None => std::fs::read_dir(&self.out).ok()?,
        };
        let begin = format!("{}-", self.set.name);
        let mut names = files
            .flatten()
            .map(|file| file.file_name().to_string_lossy().into_owned());
        names.find(|name| {
            let rest = name.strip_prefix(&begin);
            let rest = rest.filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
            rest.is_some_and(|rest| rest.contains(".xml") || rest.contains(".txt"))
        })
    }

    pub(super) fn directory(&self) -> anyhow::Result<Directory> {
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
