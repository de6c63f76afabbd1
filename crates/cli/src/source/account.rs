//! The account of a reading: every document that the inputs name or that was listed, with its end, and what was lost.
//!
//! The intake fills it. A statement that something is not there takes a [`Whole`] or an [`Asked`], which only an account
//! without a loss makes, so that no command can make one about something that was not looked at. The exit statuses of all
//! commands are one table here. Whether evidence is lost and whether the status is 0 are two questions.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display};

use quick_sitemap::{Completeness, Format};
use serde::{Deserialize, Serialize};

use crate::rows::Fields;
use crate::source::documents::is_no_sitemap;
use crate::source::lost::Lost;
use crate::source::not_read::{FEED, NotRead, Why, were_not_read};
use crate::source::sink::About;
use crate::source::walk::{Content, End, Outcome};
use crate::term::clipped::clipped;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::status::Status;

/// Losses that a sentence names.
const NAMED: usize = 3;

/// The end of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It was read to its end.
    Whole,
    /// It was read before a resume, so its pages were not returned now.
    Resumed,
    /// It broke off, or a part of it could not be read.
    Cut,
    /// It is not a sitemap, although something asked for it.
    NotASitemap,
    /// It was not read, or a bound has ended it.
    Not(Why),
}

/// A document of the account.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) fate: Fate,
    /// `urlset`, `index`, `text`, `rss`, `atom`, or `list`; `None` if it could not be opened.
    pub(crate) format: Option<&'static str>,
    /// Entries of pages.
    pub(crate) pages: u64,
    /// The index that lists it.
    pub(crate) listed_in: Option<String>,
    /// The places of its pages were judged, because its URL is known, and whether robots.txt names it.
    pub(crate) has_location: bool,
}

impl Document {
    /// One that this run has not read.
    fn not_read(fate: Fate, listed_in: Option<&str>) -> Self {
        Self {
            fate,
            format: None,
            pages: 0,
            listed_in: listed_in.map(str::to_owned),
            has_location: false,
        }
    }
}

/// Everything that the inputs name was read and understood, and no option has left anything out. A report stores it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Whole {
    /// Those that were read.
    documents: u64,
}

impl Whole {
    /// The same about a table of the documents, if it has all of them.
    pub(crate) fn of_table(self, rows: usize) -> Option<Self> {
        (self.documents == rows as u64).then_some(self)
    }
}

/// Every document that there is was read to its end, though entries may have been skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllRead(());

/// Everything that the options ask for was read and understood. A statement about it names what the options leave out.
#[derive(Clone, Debug)]
pub(crate) struct Asked(Option<String>);

impl Asked {
    /// For the pages that a run writes, all of which it knows.
    pub(crate) fn of_output() -> Self {
        Self(None)
    }

    /// `2 sitemaps were not read: not selected by the options`, if the options leave something out.
    pub(crate) fn limits(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// The reason why nothing can be said about something that was not found.
#[derive(Clone, Debug)]
pub(crate) struct NotLooked(String);

impl Display for NotLooked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// See the documentation of the module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    documents: HashMap<String, Document>,
    /// Other names of documents: the URL before a redirect, and that of a part in a folder.
    aliases: HashMap<String, String>,
    /// Documents that were opened, whether they were read to their end or not.
    pub(crate) read: u64,
    /// Those that were read before a resume.
    pub(crate) resumed: u64,
    /// Entries of pages.
    pub(crate) pages: u64,
    pub(crate) lost: Lost,
    /// Documents that could not be read, or not to their end.
    pub(crate) broken: u64,
    /// Those of them that were opened.
    pub(crate) partly: u64,
    /// Documents that the inputs ask for, and that were not opened.
    pub(crate) not_read: u64,
    /// Files of folders that are something else, and that nothing asked for.
    pub(crate) others: Vec<String>,
    /// Those of them that are feeds, which a note has counted.
    feeds: u64,
    /// The first losses of evidence as sentences, and the number of all.
    losses: Vec<String>,
    lost_documents: u64,
    /// Those that are entries, or documents that there are none of.
    no_links: u64,
    /// What options left out, by reason.
    excluded: Vec<(String, u64)>,
    /// Something was left out because of a bound or of its host.
    pub(crate) has_more: bool,
    /// Why it is not known which sitemaps a robots.txt lists, if others are found without it.
    hidden_list: Option<String>,
    /// An input that was named cannot be opened, so the command line is wrong.
    pub(crate) has_wrong_input: bool,
    /// Indexes that were opened, to whose parts options apply.
    indexes: u64,
    /// A sitemap was named that is not an index, so its site may have others.
    is_of_one: bool,
    /// The worst of all documents.
    completeness: Option<Completeness>,
    /// The fields that pages of some document cannot have.
    lacking: Fields,
}

/// What the intake records.
impl Account {
    /// A document has ended.
    pub(super) fn end(&mut self, about: &About<'_>, end: &End<'_>) {
        let fate = match &end.outcome {
            Outcome::Whole if end.failure.is_none() => Fate::Whole,
            Outcome::Stopped | Outcome::Cut => Fate::Not(Why::Bound),
            Outcome::Failed(error) if is_no_sitemap(error.kind()) => Fate::NotASitemap,
            Outcome::Whole | Outcome::Failed(_) | Outcome::Broken(_) => Fate::Cut,
        };
        let format = about.content.and_then(Content::name);
        let document = Document {
            fate,
            format,
            pages: end.pages,
            listed_in: about.listed_in.map(str::to_owned),
            has_location: about.judges_places,
        };
        self.documents.insert(about.name.to_owned(), document);
        if let Some(listed) = about.listed.filter(|listed| *listed != about.name) {
            self.name(listed.to_owned(), about.name.to_owned());
        }
        let is_opened = format.is_some() && !end.is_unopened();
        self.has_wrong_input |= about.is_input && end.is_unopened();
        self.read += u64::from(is_opened);
        self.pages += end.pages;
        self.lost.skipped += end.lost.skipped;
        self.lost.dropped += end.lost.dropped;
        self.lost.outside += end.lost.outside;
        self.lacking = self.lacking.either(Fields::ALL.without(end.fields));
        let is_index = about.is_index();
        self.not_read += if is_index { end.lost.skipped } else { 0 };
        self.indexes += u64::from(is_index);
        self.is_of_one |= about.is_input && !is_index;
        let completeness = end.completeness.unwrap_or(Completeness::Incomplete);
        self.completeness = self.completeness.max(Some(completeness));
        let name = clipped(about.listed_name());
        if end.lost.skipped > 0 {
            let entries = Count(end.lost.skipped, "entry");
            self.no_links += 1;
            self.lose(format!("{name}: {entries} cannot be used"));
        }
        match fate {
            Fate::Whole | Fate::Resumed => {}
            Fate::Not(_) => {
                self.has_more = true;
                self.lose(format!("{name} was not read to its end"));
            }
            Fate::Cut | Fate::NotASitemap => {
                self.broken += 1;
                self.partly += u64::from(is_opened);
                self.not_read += u64::from(!is_opened);
                let failure = end.failure.clone();
                self.lose(failure.unwrap_or_else(|| format!("{name} was not read to its end")));
            }
        }
    }

    /// Something was not read.
    pub(super) fn not_read(&mut self, not_read: &NotRead<'_>) {
        let NotRead {
            names,
            count,
            why,
            reason,
            listed_in,
            ..
        } = *not_read;
        if why == Why::Other {
            self.others.extend_from_slice(names);
            self.feeds += if reason == FEED { count } else { 0 };
            return;
        }
        for name in names {
            let document = || Document::not_read(Fate::Not(why), listed_in);
            self.documents.entry(name.clone()).or_insert_with(document);
        }
        match why {
            Why::Replaced | Why::Other => {}
            Why::Excluded => {
                let mut known = self.excluded.iter_mut();
                match known.find(|(known, _)| known == reason) {
                    Some((_, known)) => *known += count,
                    None => self.excluded.push((reason.to_owned(), count)),
                }
            }
            _ => {
                self.not_read += count;
                self.broken += if why.is_failure() { count } else { 0 };
                self.has_more |= !why.is_failure();
                self.has_wrong_input |= why == Why::Unopened;
                self.no_links += u64::from(why == Why::Missing);
                self.lose(not_read.to_string());
            }
        }
    }

    /// A document has another name, too.
    pub(super) fn name(&mut self, other: String, name: String) {
        self.aliases.insert(other, name);
    }

    /// A sitemap that an earlier run has read.
    pub(super) fn resume(&mut self, name: String) {
        self.resumed += 1;
        let document = Document::not_read(Fate::Resumed, None);
        self.documents.insert(name, document);
    }

    /// Evidence is lost.
    pub(super) fn lose(&mut self, sentence: String) {
        self.completeness = Some(Completeness::Incomplete);
        self.lost_documents += 1;
        if self.losses.len() < NAMED {
            self.losses.push(sentence);
        }
    }

    /// A robots.txt that was refused may list other sitemaps than those that were found.
    pub(super) fn hide_list(&mut self, why: String) {
        self.hidden_list = Some(why);
    }

    /// The reading was ended before everything was read.
    pub(super) fn stop(&mut self) {
        self.has_more = true;
        self.lose("the reading was ended early".to_owned());
    }
}

/// What may be said.
impl Account {
    /// The licence for a statement about everything that the inputs name.
    ///
    /// # Errors
    ///
    /// What was not read or not understood, or what an option left out.
    pub(crate) fn whole(&self) -> Result<Whole, NotLooked> {
        let asked = self.asked()?;
        match asked.0.or_else(|| self.hidden_list.clone()) {
            Some(limits) => Err(NotLooked(limits)),
            None => Ok(Whole {
                documents: self.read,
            }),
        }
    }

    /// The licence for a statement about links between pages whose entries were read.
    pub(crate) fn all_read(&self) -> Option<AllRead> {
        let is_all = self.lost_documents == self.no_links && self.excluded.is_empty();
        is_all.then_some(AllRead(()))
    }

    /// The licence for a statement about a whole site: a site, a folder, or an index with its parts.
    ///
    /// # Errors
    ///
    /// As of [`whole`](Self::whole), and if only some sitemaps of a site were named.
    pub(crate) fn whole_site(&self) -> Result<Whole, NotLooked> {
        if self.is_of_one {
            let why = "the site may have other sitemaps than those that were named";
            return Err(NotLooked(why.to_owned()));
        }
        self.whole()
    }

    /// The licence for a statement about everything that the options ask for.
    ///
    /// # Errors
    ///
    /// What was not read or not understood.
    pub(crate) fn asked(&self) -> Result<Asked, NotLooked> {
        if self.lost_documents > 0 {
            let mut losses = self.losses.join("; ");
            let more = self.lost_documents - self.losses.len() as u64;
            if more > 0 {
                losses.push_str(&format!("; and {} more", Grouped(more)));
            }
            return Err(NotLooked(losses));
        }
        let excluded = self.excluded.iter();
        let excluded: Vec<_> = excluded
            .map(|(reason, count)| were_not_read(*count, reason))
            .collect();
        Ok(Asked((!excluded.is_empty()).then(|| excluded.join("; "))))
    }

    /// [`Unknown`](Completeness::Unknown) if a text, a feed or a list was among the documents: these look complete when they
    /// are truncated.
    pub(crate) fn completeness(&self) -> Completeness {
        self.completeness.unwrap_or(Completeness::Complete)
    }

    /// The fields that the pages of all documents can have.
    pub(crate) fn fields(&self) -> Fields {
        Fields::ALL.without(self.lacking)
    }

    /// Evidence of what the options ask for is lost.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.lost_documents > 0
    }

    /// Returns `true` if a document was not read, or not to its end.
    pub(crate) fn is_part(&self) -> bool {
        self.has_more || self.broken + self.not_read + self.left_out() > 0
    }

    /// Files of folders that are no sitemaps.
    pub(crate) fn ignored(&self) -> u64 {
        self.others.len() as u64 - self.feeds
    }

    /// Sitemaps that options left out.
    pub(crate) fn left_out(&self) -> u64 {
        self.excluded.iter().map(|(_, count)| count).sum()
    }

    /// Options that select sitemaps could apply to something.
    pub(crate) fn was_selected_from(&self) -> bool {
        self.indexes > 0
    }

    /// A file that is something else, although the other reading has a sitemap of that name. The names begin with those of
    /// the inputs.
    pub(crate) fn turned(&self, input: &str, other: &Self, of_other: &str) -> Option<&str> {
        let names = other.documents.iter();
        let whole = names.filter(|(_, document)| document.format.is_some());
        let names: HashSet<&str> = whole.map(|(name, _)| below(of_other, name)).collect();
        let mut turned = self.others.iter().map(String::as_str);
        turned.find(|name| names.contains(below(input, name)))
    }

    /// `None` if the document was not looked for.
    pub(crate) fn document(&self, name: &str) -> Option<&Document> {
        self.documents.get(self.known(name))
    }

    /// The documents by all of their names.
    pub(crate) fn documents(&self) -> impl Iterator<Item = (&str, &Document)> {
        let documents = self.documents.iter();
        let documents = documents.map(|(name, document)| (&**name, document));
        let aliases = self.aliases.iter();
        documents
            .chain(aliases.filter_map(|(other, name)| Some((&**other, self.documents.get(name)?))))
    }

    /// Entries of pages in these documents, and in those that they list.
    pub(crate) fn pages_below<'n>(&'n self, names: impl IntoIterator<Item = &'n str>) -> u64 {
        let mut children: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, document) in &self.documents {
            if let Some(index) = &document.listed_in {
                children.entry(self.known(index)).or_default().push(name);
            }
        }
        let mut waiting: Vec<&str> = names.into_iter().map(|name| self.known(name)).collect();
        let (mut seen, mut pages) = (HashSet::new(), 0);
        while let Some(name) = waiting.pop() {
            if seen.insert(name) {
                pages += self
                    .documents
                    .get(name)
                    .map_or(0, |document| document.pages);
                waiting.extend(children.get(name).into_iter().flatten());
            }
        }
        pages
    }

    /// The first name of a document.
    pub(crate) fn known<'n>(&'n self, name: &'n str) -> &'n str {
        self.aliases.get(name).map_or(name, |name| name)
    }

    /// Sitemaps that were opened, in this run or in an earlier one.
    pub(crate) fn opened(&self) -> u64 {
        self.read + self.resumed
    }
}

/// The name of a document from its input on.
fn below<'n>(input: &str, name: &'n str) -> &'n str {
    let rest = name.strip_prefix(input).unwrap_or(name);
    rest.trim_start_matches(['/', '\\'])
}

/// Who asks for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// `check` and `report`, with the errors that are new, and with those that a baseline knows.
    Check { errors: u64, known: u64 },
    /// `crawl`, `show` and `probe`.
    Read,
    /// `edit` and `diff`, which change and compare nothing if evidence is lost, unless that `is_allowed`.
    Use { is_allowed: bool },
}

impl Account {
    /// The exit status for what was read. Filters and options that leave something out do not change it.
    pub(crate) fn status(&self, command: Command) -> Status {
        if interrupt::is_requested() {
            return Status::Interrupted;
        }
        if self.has_wrong_input {
            return Status::Failure;
        }
        let is_nothing = self.opened() == 0;
        match command {
            // An error gives the reason.
            Command::Check { errors: 1.., .. } => Status::Findings,
            Command::Check { known: 0, .. } if is_nothing => Status::Failure,
            Command::Check { .. } if self.has_more => Status::Findings,
            Command::Check { .. } => Status::Success,
            _ if is_nothing => Status::Failure,
            _ if !self.is_incomplete() => Status::Success,
            Command::Use { is_allowed: false } => Status::Failure,
            Command::Read | Command::Use { is_allowed: true } => Status::Findings,
        }
    }
}

impl Content {
    /// The name of the format; `None` if it is not a sitemap.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::List(_) => Some("list"),
            Self::Sitemap(Some(Format::Index)) => Some("index"),
            Self::Sitemap(format) => format.map(Format::name),
        }
    }

    pub(crate) fn is_index(self) -> bool {
        self == Self::Sitemap(Some(Format::Index))
    }
}
