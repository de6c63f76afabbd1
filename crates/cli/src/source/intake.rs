//! The one intake: reads inputs of any kind, in one order, and passes what it reads to a [`Sink`].
//!
//! The documents of an input are its indexes, then their parts, and then the rest. A file that several inputs name, or
//! are, is read once. A part of an index on disk is looked for below the folder of the index, by as much of the end of
//! its loc's path as there is a file for: `https://example.com/maps/a.xml` is `maps/a.xml`, or `a.xml`, and either with
//! `.gz` put behind it or taken off. A loc with a query is looked for under the name that ends in this query, as wget
//! saves it. No file stands for two locs.

mod document;
mod reading;
#[cfg(feature = "full")]
pub(crate) mod site;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;

use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;

use crate::rows::Form;
use crate::source::documents::{Documents, Target, canonical, documents};
use crate::source::folder::parts::{Claim, Claims};
use crate::source::input::Input;
use crate::source::not_read::{NotRead, Why};
use crate::source::options::ReadOptions;
use crate::source::sink::Sink;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;

/// Names of sitemaps that are kept of those that were not read for one reason.
const EXAMPLES: usize = 20;

/// The reason for files of a folder that are something else.
pub(crate) const NOT_A_SITEMAP: &str = "not a sitemap";
/// The reason for a feed whose pages the sitemaps list.
pub(crate) const FEED: &str = "a feed next to sitemaps";

/// The reason for parts of an index in a file, if only the file was named.
pub(crate) const NOT_FOLLOWED: &str =
    "a part of an index in a file; pass the folder to read it, too";

/// The reason for a part that is on a host that is not trusted.
pub(crate) const OTHER_HOST: &str = "on another host (see --other-hosts)";

/// The options that decide how far inputs are read.
pub(crate) struct Options<'o> {
    pub(crate) location: Option<&'o Url>,
    pub(crate) reading: &'o ReadOptions,
    /// Only a URL itself is read.
    pub(crate) no_follow: bool,
    /// The parts of an index in a file that is named are read, too.
    pub(crate) follows_files: bool,
    /// What an input that is named may be.
    pub(crate) form: Form,
    /// Paths in lists are resolved against this URL, if it is not that of the list.
    pub(crate) base: Option<&'o Url>,
    pub(crate) messages: &'o Messages,
}

impl<'o> Options<'o> {
    /// Sitemaps and lists, with all parts of sites, and without those of files.
    pub(crate) fn new(reading: &'o ReadOptions, messages: &'o Messages) -> Self {
        Self {
            location: None,
            reading,
            no_follow: false,
            follows_files: false,
            form: Form::Any,
            base: None,
            messages,
        }
    }
}

/// Reads the inputs one after the other, or stops early if there is a request to.
///
/// # Errors
///
/// Those of the sink, of folders that do not exist, and of the network's options.
pub(crate) fn read(
    inputs: &[Input],
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> anyhow::Result<()> {
    let all = documents(inputs, options.location, options.messages)?;
    let named = all.iter().flat_map(Documents::all);
    let named = named.filter_map(|target| Some((canonical(target.path()?), target.clone())));
    let mut intake = Intake::new(options, sink);
    intake.named = named.collect();
    for documents in all {
        intake.input(documents)?;
    }
    intake.finish()
}

struct Intake<'i> {
    options: &'i Options<'i>,
    /// The files that are read without being listed.
    named: HashMap<PathBuf, Target>,
    /// The files that have been begun.
    claims: Claims,
    /// Gzipped copies of files of a folder, with the files that are read instead.
    copies: HashMap<PathBuf, PathBuf>,
    /// Indexes of folders.
    indexes: HashSet<PathBuf>,
    /// Parts of indexes on disk, which wait to be read.
    queue: VecDeque<Part>,
    /// Inputs that had been read already.
    again: u64,
    pages: u64,
    sitemaps: u64,
    /// Documents that a bound has kept from being read.
    beyond: Beyond,
    sink: &'i mut dyn Sink,
}

/// A part of an index on disk.
struct Part {
    target: Target,
    depth: usize,
    is_waived: bool,
    index: String,
}

#[derive(Default)]
struct Beyond {
    is_cut: bool,
    sitemaps: Names,
}

/// The number of sitemaps, and the names of the first.
#[derive(Default)]
struct Names {
    count: u64,
    first: Vec<String>,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first.push(name.to_owned());
        }
    }
}

impl<'i> Intake<'i> {
    fn new(options: &'i Options<'i>, sink: &'i mut dyn Sink) -> Self {
        Self {
            options,
            named: HashMap::new(),
            claims: Claims::default(),
            copies: HashMap::new(),
            indexes: HashSet::new(),
            queue: VecDeque::new(),
            again: 0,
            pages: 0,
            sitemaps: 0,
            beyond: Beyond::default(),
            sink,
        }
    }
}

impl Intake<'_> {
    fn is_over(&self) -> bool {
        interrupt::is_requested() || self.sink.is_over()
    }

    fn input(&mut self, documents: Documents) -> anyhow::Result<()> {
        let Documents {
            folder,
            indexes,
            others,
            feeds,
            ignored,
            replaced,
            copies,
            is_waived,
            #[cfg(feature = "full")]
            robots,
        } = documents;
        #[cfg(feature = "full")]
        if let Some((path, lines)) = robots
            && !self.is_over()
        {
            let name = path.display().to_string();
            self.sink.unusable_lines(&name, &lines)?;
        }
        self.copies.extend(copies);
        self.leave_out(&replaced, Why::Replaced, "replaced by a newer set")?;
        self.leave_out(&ignored, Why::Excluded, NOT_A_SITEMAP)?;
        let paths = indexes.iter().filter_map(Target::path);
        self.indexes.extend(paths.map(canonical));
        for target in indexes {
            self.named(&target, is_waived)?;
        }
        self.parts()?;
        for target in others {
            self.named(&target, is_waived)?;
            self.parts()?;
        }
        let is_read = |feed: &Target| {
            let path = feed.path();
            path.is_some_and(|path| self.claims.holds(&canonical(path)))
        };
        let feeds = feeds.iter().filter(|feed| !is_read(feed));
        let feeds: Vec<_> = feeds.map(|feed| feed.name.clone()).collect();
        if !feeds.is_empty() && !self.is_over() {
            self.options.messages.note(format_args!(
                "{folder}: {} ignored: the pages of the folder are those of its sitemaps",
                Count(feeds.len() as u64, "feed"),
            ));
        }
        self.leave_out(&feeds, Why::Excluded, FEED)
    }

    fn leave_out(&mut self, names: &[String], why: Why, reason: &str) -> anyhow::Result<()> {
        if names.is_empty() || self.is_over() {
            return Ok(());
        }
        self.sink.not_read(&NotRead::new(names, why, reason))
    }

    /// Reads the parts that indexes list.
    fn parts(&mut self) -> anyhow::Result<()> {
        while let Some(part) = self.queue.pop_front() {
            let index = Some(&*part.index);
            self.file(&part.target, index, part.depth, part.is_waived)?;
        }
        Ok(())
    }

    /// Reads a document that was named, or found in a folder.
    fn named(&mut self, target: &Target, is_waived: bool) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        #[cfg(feature = "full")]
        if let (Input::Url(address), false) = (&target.input, self.options.no_follow) {
            return self.site(target, address);
        }
        if let Some(path) = target.path()
            && self.claims.claim(canonical(path), None) != Claim::New
        {
            self.again += u64::from(target.root.is_none());
            return Ok(());
        }
        self.file(target, None, 1, is_waived)
    }

    /// Reads a file, standard input, or only the document at a URL.
    fn file(
        &mut self,
        target: &Target,
        index: Option<&str>,
        depth: usize,
        is_waived: bool,
    ) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        if self.is_full() {
            self.beyond.sitemaps.add(&target.name);
            return Ok(());
        }
        let opened = match target.open(&self.options.reading.network) {
            Ok(opened) => opened,
            Err(error) => {
                let names = [target.name.clone()];
                let reason = format!("{error:#}");
                return self.sink.not_read(&NotRead {
                    listed_in: index,
                    is_input: target.root.is_none() && index.is_none(),
                    ..NotRead::new(&names, Why::Failed, reason_of(&target.name, &reason))
                });
            }
        };
        self.sitemaps += 1;
        self.document(target, opened, depth, is_waived)
    }

    /// Reports what concerns all inputs.
    fn finish(self) -> anyhow::Result<()> {
        if interrupt::is_requested() {
            return Ok(());
        }
        if self.again > 0 {
            self.options.messages.note(format_args!(
                "{} had already been read as part of another input",
                Count(self.again, "input")
            ));
        }
        if self.beyond.is_cut || self.beyond.sitemaps.count > 0 {
            let scope = &self.options.reading.scope;
            let reason = if self.beyond.is_cut || self.pages >= scope.max_pages {
                scope.more_pages()
            } else {
                scope.more_sitemaps()
            };
            self.sink.not_read(&NotRead {
                count: self.beyond.sitemaps.count,
                ..NotRead::new(&self.beyond.sitemaps.first, Why::Bound, &reason)
            })?;
        }
        Ok(())
    }

    /// Returns `true` if a bound forbids to read another document.
    fn is_full(&self) -> bool {
        let scope = &self.options.reading.scope;
        self.beyond.is_cut
            || self.pages >= scope.max_pages
            || self.sitemaps >= scope.max_sitemaps as u64
    }

    /// Returns `false` if the page is one too many.
    fn may_take_page(&mut self) -> bool {
        let may = self.pages < self.options.reading.scope.max_pages;
        self.pages += u64::from(may);
        may
    }
}

/// A reader of a sitemap that can list all pages of this host.
fn waived(builder: ReaderBuilder, host: Option<&str>) -> ReaderBuilder {
    let builder = builder.any_directory();
    match host {
        Some(host) => builder.allow_host(host),
        None => builder,
    }
}

/// The error of a file, without its name.
fn reason_of<'e>(name: &str, error: &'e str) -> &'e str {
    let rest = error.strip_prefix(name);
    let rest = rest.and_then(|rest| rest.strip_prefix(": "));
    rest.unwrap_or(error)
}
