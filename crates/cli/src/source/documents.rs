//! The documents of inputs, in the order in which they are read: the only place in which folders are searched.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use quick_sitemap::url::Url;
use quick_sitemap::{ErrorKind, Format, Reader};
use quick_sitemap_crawl::robots::{self, Answer};
use quick_sitemap_crawl::{Failure, Response};

use super::folder::{is_feed, search};
use crate::disk::open_regular;
use crate::net::robots::NotAsked;
use crate::source::folder::parts::{Listing, find};
use crate::source::folder::superseded::is_superseded;
use crate::source::input::{Input, Network, Opened};
use crate::term::address::without_logins;
use crate::term::messages::Messages;

/// Bytes of the robots.txt of a folder that are looked at.
const LONGEST_ROBOTS: u64 = 8 << 20;

/// One document to read.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) input: Input,
    pub(crate) location: Option<Url>,
    /// The folder that was named, in which the parts of an index have to be.
    pub(crate) root: Option<Rc<Listing>>,
    /// The index that lists it, if it was found there.
    pub(crate) index: Option<String>,
    /// 1 for what was named, and for the files of a folder.
    pub(crate) depth: usize,
    /// The robots.txt of the folder lists a sitemap, which can then list all pages of its host.
    pub(crate) is_waived: bool,
    /// The robots.txt of the folder.
    pub(crate) robots: Option<Rc<FolderRobots>>,
    /// Something lists other sitemaps of the folder, and nothing lists it.
    pub(crate) is_unlisted: bool,
}

/// The documents of one input.
#[derive(Default)]
pub(crate) struct Documents {
    /// The name of the folder that was searched.
    pub(crate) folder: String,
    /// They are read first, and then their parts.
    pub(crate) indexes: Vec<Target>,
    pub(crate) others: Vec<Target>,
    /// Feeds next to sitemaps, which are read only if something lists them.
    pub(crate) feeds: Vec<Target>,
    /// Folders that cannot be read, or have no sitemaps, and why.
    pub(crate) failures: Vec<(String, String)>,
    /// Files of a folder that are something else.
    pub(crate) ignored: Vec<String>,
    /// Parts that a newer set has replaced.
    pub(crate) replaced: Vec<String>,
    /// Gzipped copies, with the files that are read instead.
    pub(crate) copies: Vec<(PathBuf, PathBuf)>,
    pub(crate) robots: Option<Rc<FolderRobots>>,
    /// The files that it lists.
    pub(crate) listed: HashSet<PathBuf>,
}

/// The robots.txt at the top of a folder, judged as a server of the folder would send it.
pub(crate) struct FolderRobots {
    pub(crate) path: PathBuf,
    pub(crate) answer: Answer,
    /// The site whose rules it has: that of `--location`, or the one that all its sitemaps are on.
    pub(crate) site: Option<Url>,
    /// It lists a sitemap, so that the sitemaps of the folder can list all pages of their host.
    lists: bool,
}

impl FolderRobots {
    /// The answer for a URL.
    pub(crate) fn answer(&self, url: &Url) -> Result<&Answer, NotAsked> {
        let site = self.site.as_ref();
        let is_own = || site.is_some_and(|site| site.origin() == url.origin());
        let is_known = self.answer.is_gone() || is_own();
        is_known.then_some(&self.answer).ok_or(NotAsked)
    }
}

/// The documents of each input. `location` is the URL of the only file, or of the folder that the files are in.
///
/// # Errors
///
/// If the location does not fit the inputs.
pub(crate) fn documents(
    inputs: &[Input],
    location: Option<&Url>,
    messages: &Messages,
) -> anyhow::Result<Vec<Documents>> {
    let is_folder = |input: &Input| input.path().is_some_and(Path::is_dir);
    let of = match inputs {
        [_, _, ..] => Some("several files"),
        inputs if inputs.iter().any(is_folder) => Some("a folder"),
        _ => None,
    };
    if let (Some(base), Some(of)) = (location, of)
        && !base.path().ends_with('/')
    {
        let shown = without_logins(base.as_str());
        anyhow::bail!(
            "the location of {of} must end with a slash: `{shown}/` instead of `{shown}`"
        );
    }
    let is_only = inputs.len() == 1;
    let replaced = inputs
        .iter()
        .filter(|input| input.path().is_some_and(is_superseded));
    for input in replaced {
        messages.note(format_args!(
            "{input}: a newer set has replaced this part of an index"
        ));
    }
    let of_input = |input: &Input| match input {
        Input::File(path) if path.is_dir() => {
            folder(path, location, messages).with_context(|| input.to_string())
        }
        _ => Ok(Documents {
            others: vec![Target {
                location: if is_only {
                    location.cloned()
                } else {
                    beside(location, input)
                },
                ..Target::of(input.clone())
            }],
            ..Documents::default()
        }),
    };
    inputs.iter().map(of_input).collect()
}

/// The sitemaps in a folder and below it. Feeds are read if there is no other sitemap, or if something lists them.
fn folder(folder: &Path, location: Option<&Url>, messages: &Messages) -> anyhow::Result<Documents> {
    let name = |path: &Path| path.display().to_string();
    let found = search::search(folder, messages)?;
    let root = Rc::new(Listing::new(folder.to_owned()).within(Some(&found.root)));
    let (robots, listed) = robots_of(folder, &root, location);
    let robots = Rc::new(robots);
    let failures = found.failures.iter();
    let mut documents = Documents {
        folder: name(folder),
        failures: failures
            .map(|(path, error)| (name(path), error.to_string()))
            .collect(),
        replaced: found.replaced.iter().map(|path| name(path)).collect(),
        robots: Some(Rc::clone(&robots)),
        ..Documents::default()
    };
    for candidate in found.candidates {
        if let Some(copy) = &candidate.copy {
            let pair = (canonical(copy), candidate.path.clone());
            documents.copies.push(pair);
        }
        let target = Target {
            location: location.and_then(|base| base.join(&candidate.relative).ok()),
            is_waived: robots.lists,
            robots: Some(Rc::clone(&robots)),
            ..Target::found(candidate.path, Some(&root))
        };
        let is_listed = target
            .path()
            .is_some_and(|path| listed.contains(&canonical(path)));
        match kind(&target, candidate.is_guess && !is_listed) {
            Kind::Index => documents.indexes.push(target),
            Kind::Feed if !is_listed => documents.feeds.push(target),
            Kind::Feed | Kind::Other => documents.others.push(target),
            Kind::None => documents.ignored.push(target.name),
        }
    }
    documents.listed = listed;
    if documents.indexes.is_empty() && documents.others.is_empty() {
        documents.others = std::mem::take(&mut documents.feeds);
        if documents.others.is_empty() && documents.failures.is_empty() {
            let why = "there are no sitemaps in this folder".to_owned();
            documents.failures.push((name(folder), why));
        }
    }
    Ok(documents)
}

enum Kind {
    Index,
    Feed,
    Other,
    None,
}

/// The kind of a file of a folder, from its content. Files that are named like a sitemap and are not are read, so that
/// they are reported (an error page, an empty file).
fn kind(file: &Target, is_guess: bool) -> Kind {
    let Some(Ok(opened)) = file.path().map(open_regular) else {
        return Kind::Other;
    };
    let mut reader = Reader::new(opened);
    match reader.format() {
        Some(Format::Index) => return Kind::Index,
        format if is_feed(format) => return Kind::Feed,
        Some(_) => return Kind::Other,
        None => {}
    }
    match reader.next() {
        Some(Err(error)) if !is_guess || !is_no_sitemap(error.kind()) => Kind::Other,
        _ => Kind::None,
    }
}

pub(crate) fn is_no_sitemap(error: &ErrorKind) -> bool {
    matches!(error, ErrorKind::NotASitemap(_) | ErrorKind::UnknownRoot(_))
}

/// The sitemap that a line of robots.txt names by an absolute URL.
fn named_by(line: &str) -> Option<Url> {
    robots::sitemaps(line.as_bytes(), None).next()
}

pub(crate) fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The location of a file among several.
fn beside(location: Option<&Url>, input: &Input) -> Option<Url> {
    let name = input.path()?.file_name()?.to_str()?;
    location?.join(&format!("./{name}")).ok()
}

/// Reads the robots.txt of the folder, as a server of the folder would send it. Returns the files that it lists, too.
fn robots_of(
    folder: &Path,
    root: &Listing,
    location: Option<&Url>,
) -> (FolderRobots, HashSet<PathBuf>) {
    let path = folder.join("robots.txt");
    let mut text = Vec::new();
    let file = open_regular(&path);
    let read = file.and_then(|file| file.take(LONGEST_ROBOTS).read_to_end(&mut text));
    let answer = match read {
        Ok(_) => Answer::new(&Response::new(200), &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Answer::new(&Response::new(404), &[])
        }
        Err(error) => Answer::Unreachable(Failure::permanent(error.to_string())),
    };
    let rules = answer.rules().into_iter();
    let lines = rules.flat_map(|rules| rules.sitemap_lines());
    let absolute: Vec<Url> = lines.filter_map(|line| named_by(line.text)).collect();
    let first = absolute.first();
    let is_one = absolute
        .iter()
        .all(|url| Some(url.origin()) == first.map(Url::origin));
    let listed = absolute.iter().filter_map(|url| find(&[root], url));
    let robots = FolderRobots {
        path,
        site: location.or(first.filter(|_| is_one)).cloned(),
        lists: !absolute.is_empty(),
        answer,
    };
    (robots, listed.map(|file| canonical(&file)).collect())
}

impl Documents {
    /// All of them, in their order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Target> {
        self.indexes.iter().chain(&self.others)
    }
}

impl Target {
    fn of(input: Input) -> Self {
        Self {
            name: input.to_string(),
            input,
            location: None,
            root: None,
            index: None,
            depth: 1,
            is_waived: false,
            robots: None,
            is_unlisted: false,
        }
    }

    /// A file of that folder.
    pub(crate) fn found(path: PathBuf, root: Option<&Rc<Listing>>) -> Self {
        Self {
            name: path.display().to_string(),
            root: root.cloned(),
            ..Self::of(Input::File(path))
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.input.path()
    }

    /// A file that was found in a folder may have been replaced meanwhile.
    pub(crate) fn open(&self, network: &Network) -> anyhow::Result<Opened> {
        match (&self.root, &self.input) {
            (Some(_), Input::File(path)) => Ok(Opened::of(open_regular(path)?)),
            _ => self.input.open(network),
        }
    }
}
