//! The one intake: reads inputs of any kind, in one order, and passes what it reads to a [`Sink`].
//!
//! The documents of an input are its indexes, then their parts, and then the rest. A file that several inputs name, or
//! are, is read once. A part of an index on disk is looked for below the folder of the index, by as much of the end of
//! its loc's path as there is a file for: `https://example.com/maps/a.xml` is `maps/a.xml`, or `a.xml`, and either with
//! `.gz` put behind it or taken off. A loc with a query is looked for under the name that ends in this query, as wget
//! saves it. No file stands for two locs.

mod document;
mod files;
mod reading;
pub(crate) mod site;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;

use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;

use crate::net::driver::is_site;
use crate::rows::Form;
use crate::source::account::Account;
use crate::source::documents::{Documents, FolderRobots, Target, canonical, documents};
use crate::source::folder::parts::{Claim, Claims};
use crate::source::input::Input;
use crate::source::not_read::{FEED, Names, NotRead, Why};
use crate::source::options::ReadOptions;
use crate::source::sink::{RobotsOf, RobotsTxt, Sink};
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;
use quick_sitemap_crawl::page_key;

/// The reason for files of a folder that are something else.
pub(crate) const NOT_A_SITEMAP: &str = "not a sitemap";

/// The reason for parts of an index in a file, if only the file was named.
pub(crate) const NOT_FOLLOWED: &str =
    "a part of an index in a file; pass the folder to read it, too";

/// The reason for parts of an index that is read by itself.
pub(crate) const ALONE: &str = "a part of an index that is read by itself";

/// The options that decide how far inputs are read.
pub(crate) struct Options<'o> {
    pub(crate) location: Option<&'o Url>,
    pub(crate) reading: &'o ReadOptions,
    /// Only a URL itself is read.
    pub(crate) no_follow: bool,
    /// The places of pages are judged, for which the robots.txt of the site of a single sitemap is requested, too.
    pub(crate) judges_places: bool,
    /// Reads every document. What listens to it gets the text of one after the other.
    pub(crate) reader: ReaderBuilder,
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
            judges_places: false,
            reader: ReaderBuilder::new(),
            follows_files: false,
            form: Form::Any,
            base: None,
            messages,
        }
    }
}

/// Reads the inputs one after the other, or stops early if there is a request to. Returns the account of what was read.
///
/// # Errors
///
/// Those of the sink, of folders that do not exist, and of the network's options.
pub(crate) fn read(
    inputs: &[Input],
    options: &Options<'_>,
    sink: &mut dyn Sink,
) -> anyhow::Result<Account> {
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
    /// The keys of the URLs that have been begun, of sites and of sitemaps.
    urls: HashSet<String>,
    /// Gzipped copies of files of a folder, with the files that are read instead.
    copies: HashMap<PathBuf, PathBuf>,
    /// Indexes of folders.
    indexes: HashSet<PathBuf>,
    /// Parts of indexes on disk, which wait to be read.
    queue: VecDeque<Target>,
    pages: u64,
    sitemaps: u64,
    /// A bound has ended a document.
    is_cut: bool,
    /// The sink wants nothing more.
    is_over: bool,
    /// Documents that a bound has kept from being read.
    beyond: Names,
    account: Account,
    sink: &'i mut dyn Sink,
}

impl<'i> Intake<'i> {
    fn new(options: &'i Options<'i>, sink: &'i mut dyn Sink) -> Self {
        Self {
            options,
            named: HashMap::new(),
            claims: Claims::default(),
            urls: HashSet::new(),
            copies: HashMap::new(),
            indexes: HashSet::new(),
            queue: VecDeque::new(),
            pages: 0,
            sitemaps: 0,
            is_cut: false,
            is_over: false,
            beyond: Names::default(),
            account: Account::default(),
            sink,
        }
    }
}

impl Intake<'_> {
    fn is_over(&self) -> bool {
        interrupt::is_requested() || self.is_over
    }

    fn input(&mut self, documents: Documents) -> anyhow::Result<()> {
        if let Some(robots) = &documents.robots {
            self.robots_of_folder(robots)?;
        }
        for (name, reason) in documents.failures {
            let why = if name == documents.folder {
                Why::Unopened
            } else {
                Why::Failed
            };
            self.not_read(&NotRead {
                is_input: true,
                ..NotRead::new(&[name], why, &reason)
            })?;
        }
        self.copies.extend(documents.copies);
        self.leave_out(
            &documents.replaced,
            Why::Replaced,
            "replaced by a newer set",
        )?;
        self.leave_out(&documents.ignored, Why::Other, NOT_A_SITEMAP)?;
        let paths = documents.indexes.iter().filter_map(Target::path);
        self.indexes.extend(paths.map(canonical));
        for target in documents.indexes {
            self.named(&target)?;
        }
        self.parts()?;
        self.others(documents.others, &documents.listed, &documents.folder)?;
        let is_read = |feed: &Target| {
            let path = feed.path();
            path.is_some_and(|path| self.claims.holds(&canonical(path)))
        };
        let feeds = documents.feeds.into_iter().filter(|feed| !is_read(feed));
        let feeds: Vec<_> = feeds.map(|feed| feed.name).collect();
        if !feeds.is_empty() && !self.is_over() {
            self.options.messages.note(format_args!(
                "{}: {} ignored: the pages of the folder are those of its sitemaps",
                documents.folder,
                Count(feeds.len() as u64, "feed"),
            ));
        }
        self.leave_out(&feeds, Why::Other, FEED)
    }

    fn robots_of_folder(&mut self, robots: &FolderRobots) -> anyhow::Result<()> {
        if self.is_over() || self.claims.claim(canonical(&robots.path), None) != Claim::New {
            return Ok(());
        }
        let why = robots.answer.failure().map(|why| why.to_string());
        self.sink.robots(&RobotsTxt {
            of: RobotsOf::Folder,
            name: &robots.path.display().to_string(),
            site: robots.site.as_ref(),
            answer: &robots.answer,
            why: why.as_deref(),
        })
    }

    /// Reads the sitemaps of a folder that are no indexes. `listed` are those that its robots.txt lists.
    fn others(
        &mut self,
        others: Vec<Target>,
        listed: &HashSet<PathBuf>,
        folder: &str,
    ) -> anyhow::Result<()> {
        // What nothing lists is known if all that could list it was read.
        let lists = !listed.is_empty() || !self.indexes.is_empty();
        let is_known = lists && self.account.whole().is_ok();
        let mut unlisted = Names::default();
        for mut target in others {
            let path = target.path().map(canonical);
            let is_listed = |path: &PathBuf| listed.contains(path) || self.claims.holds(path);
            target.is_unlisted =
                is_known && target.root.is_some() && !path.as_ref().is_none_or(is_listed);
            if target.is_unlisted {
                unlisted.add(&target.name);
            }
            self.named(&target)?;
            self.parts()?;
        }
        if unlisted.count > 0 && !self.options.judges_places {
            self.options.messages.note(format_args!(
                "{folder}: {} that no index and no robots.txt of the folder lists: {}",
                Count(unlisted.count, "sitemap"),
                unlisted.first.join(", ")
            ));
        }
        Ok(())
    }

    fn leave_out(&mut self, names: &[String], why: Why, reason: &str) -> anyhow::Result<()> {
        match names {
            [] => Ok(()),
            names => self.not_read(&NotRead::new(names, why, reason)),
        }
    }

    fn not_read(&mut self, not_read: &NotRead<'_>) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        self.account.not_read(not_read);
        self.sink.not_read(not_read)
    }

    /// Reads the parts that indexes list.
    fn parts(&mut self) -> anyhow::Result<()> {
        while let Some(part) = self.queue.pop_front() {
            self.file(&part)?;
        }
        Ok(())
    }

    /// Reads a document that was named, or found in a folder.
    fn named(&mut self, target: &Target) -> anyhow::Result<()> {
        if self.is_over() {
            return Ok(());
        }
        if let Input::Url(address) = &target.input {
            let url = address.url();
            let site = url.join("/").ok().filter(|_| is_site(url));
            if !self.is_new(site.as_ref().unwrap_or(url)) {
                return Ok(());
            }
            if !self.options.no_follow {
                return self.site(target, address);
            }
        }
        if let Some(path) = target.path()
            && self.claims.claim(canonical(path), None) != Claim::New
        {
            return Ok(());
        }
        self.file(target)
    }

    /// Returns `true` if nothing at the URL has been read before.
    fn is_new(&mut self, url: &Url) -> bool {
        self.urls.insert(page_key(url).into_owned())
    }

    /// Reports what concerns all inputs.
    fn finish(mut self) -> anyhow::Result<Account> {
        if self.is_over() {
            self.account.stop();
            return Ok(self.account);
        }
        if !self.is_cut && self.beyond.count == 0 {
            return Ok(self.account);
        }
        let scope = &self.options.reading.scope;
        let reason = if self.is_cut || self.pages >= scope.max_pages {
            scope.more_pages()
        } else {
            scope.more_sitemaps()
        };
        let beyond = std::mem::take(&mut self.beyond);
        self.not_read(&NotRead::of(&beyond, Why::Bound, &reason))?;
        Ok(self.account)
    }

    /// Returns `true` if a bound forbids to read another document.
    fn is_full(&self) -> bool {
        let scope = &self.options.reading.scope;
        self.is_cut || self.pages >= scope.max_pages || self.sitemaps >= scope.max_sitemaps as u64
    }

    /// Returns `false` if the page is one too many.
    fn may_take_page(&mut self) -> bool {
        let may = self.pages < self.options.reading.scope.max_pages;
        self.pages += u64::from(may);
        may
    }
}
