//! The pages of folders of HTML files.

mod alternates;
mod git;
mod left_out;
pub(crate) mod listed;
mod state;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use glob::Pattern;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use quick_sitemap::extension::Image;
use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, W3cDatetime};

use self::left_out::LeftOut;
use self::listed::ListedPage;
use self::state::State;
use crate::disk::at;
use crate::disk::replacement::Replacement;
use crate::disk::sync_name;
use crate::judge::finding::Finding;
use crate::judge::lastmods::LastmodCounts;
use crate::judge::rules::rule;
use crate::page::{self, Selector, is_same_page};
use crate::source::folder::walk;
use crate::term::count::{Count, Grouped};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::progress;

#[derive(Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Folders of HTML files")]
pub(crate) struct Options {
    /// The source of lastmod [default: page]; with --state, that of a page which the state does not list
    #[arg(long, value_name = "SOURCE")]
    lastmod: Option<Source>,

    /// Use the date since which the content of a page is the same, and keep it in this file
    ///
    /// The content is the title, the description and the text, with the places of links and images but not their URLs.
    /// Scripts and comments do not count. The file has one line per page. Keep it from one run to the next, for example in the
    /// repository. A page that the file does not list gets the date of --lastmod.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// The date of a page that the state does not list and that has no other date
    #[arg(long, value_name = "DATE", default_value = "none", requires = "state")]
    first: First,

    /// The element that is the content of a page (a name, #ID or .CLASS), instead of all of it
    #[arg(long, value_name = "ELEMENT")]
    content: Option<Selector>,

    /// The site serves about.html as /about
    #[arg(long)]
    clean_urls: bool,

    /// List these files even if they look like error pages, redirects, fragments, or files that verify ownership; the
    /// pattern is matched below the folder, and `**` matches any folders; can be given several times
    #[arg(long, value_name = "GLOB")]
    include: Vec<Pattern>,

    /// Write the translations that pages name in `<link rel=alternate hreflang=…>`, completed both ways
    #[arg(long)]
    alternates: bool,

    /// Write the images of each page: each `<img>` of its content, and its `og:image`
    #[arg(long)]
    images: bool,

    /// Name each file that is left out, and with --state each page that is new, changed or moved
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Source {
    /// The last commit of the file
    Git,
    /// The page's own date: article:modified_time, JSON-LD or <meta name=date>
    Page,
    /// The time of the file, which a build or a checkout changes
    Mtime,
    /// No lastmod
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum First {
    /// No lastmod
    None,
    /// The time of this run
    Now,
}

/// Images per page that a sitemap may have.
const IMAGES: usize = 1_000;

impl Options {
    pub(crate) fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }
}

/// The pages of all folders of a run, with their dates and alternates.
#[derive(Debug)]
pub(crate) struct Folders<'o> {
    options: &'o Options,
    messages: &'o Messages,
    base: Option<&'o Url>,
    source: Source,
    now: SystemTime,
    state: Option<State>,
    pages: Vec<ListedPage>,
    folders: usize,
    unusable_images: u64,
    without_element: u64,
}

impl<'o> Folders<'o> {
    /// # Errors
    ///
    /// Options that contradict each other, and a state that cannot be read.
    pub(crate) fn new(
        options: &'o Options,
        base: Option<&'o Url>,
        messages: &'o Messages,
    ) -> anyhow::Result<Self> {
        if options.content.is_some() && options.state.is_none() && !options.images {
            bail!("--content is for --state and --images");
        }
        let of = options.content.as_ref().map(ToString::to_string);
        let state = options.state.as_deref();
        let state = state.map(|path| State::read(path, of)).transpose()?;
        Ok(Self {
            options,
            messages,
            base,
            source: options.lastmod.unwrap_or(Source::Page),
            now: SystemTime::now(),
            state,
            pages: Vec::new(),
            folders: 0,
            unusable_images: 0,
            without_element: 0,
        })
    }

    /// Reads the HTML files in the folder and below it, sorted by name.
    pub(crate) fn read(&mut self, folder: &Path) -> anyhow::Result<()> {
        let Some(base) = self.base else {
            bail!(
                "{}: a folder of HTML files needs --base, the URL of the folder",
                folder.display()
            );
        };
        let is_git = self.source == Source::Git;
        let is_shallow = is_git && git::is_shallow(folder);
        let commits = is_git.then(|| git::dates(folder, is_shallow)).transpose()?;
        if is_shallow {
            self.messages.warning(format_args!(
                "{}: this is a shallow clone, so a file that no later commit has changed has no date; `git fetch --unshallow` fetches the missing commits",
                folder.display()
            ));
        }
        let walked = walk::files(folder, self.messages);
        let walked = walked.with_context(|| folder.display().to_string())?;
        if let Some((path, error)) = walked.failures.into_iter().next() {
            return Err(error).context(path.display().to_string());
        }
        let mut left_out = LeftOut {
            folder,
            included: &self.options.include,
            is_verbose: self.options.verbose,
            messages: self.messages,
            counts: BTreeMap::new(),
            bases: BTreeMap::new(),
            contradictions: None,
        };
        let mut found = 0;
        for file in walked.files {
            interrupt::check()?;
            if is_html(&file.path) {
                found += 1;
                progress::entry();
                let commit = commits.as_ref();
                let commit = commit.and_then(|dates| dates.get(&git_path(&file.relative)));
                self.file(&file, base, commit.copied(), &mut left_out)
                    .with_context(|| file.path.display().to_string())?;
            }
        }
        if found == 0 {
            bail!("{}: there is no HTML file in this folder", folder.display());
        }
        left_out.finish();
        self.folders += 1;
        Ok(())
    }

    /// Reads a file, and lists its page unless there is a reason not to.
    fn file(
        &mut self,
        file: &walk::FoundFile,
        base: &Url,
        commit: Option<W3cDatetime>,
        left_out: &mut LeftOut<'_>,
    ) -> anyhow::Result<()> {
        let name = file.path.display().to_string();
        let Some(path) = url_path(&file.relative, self.options.clean_urls) else {
            bail!("this name cannot be part of a URL");
        };
        let loc = Url::parse(&format!("{base}{path}"))?;
        let options = self.options;
        let page = page::read(&file.path, options.content.as_ref())?;
        let canonical = page::canonical(page.canonicals(&loc)).map(|mut canonical| {
            // A fragment has no meaning there.
            canonical.set_fragment(None);
            canonical
        });
        if canonical.is_none() && page.canonicals(&loc).next().is_some() {
            left_out.contradicts(&name);
        }
        let is_own = |canonical: &Url| is_same_page(canonical, &loc);
        let elsewhere = canonical.as_ref().filter(|canonical| !is_own(canonical));
        if left_out.leaves_out(&file.relative, &page, &loc, &name, elsewhere) {
            return Ok(());
        }
        let loc = canonical.unwrap_or(loc);
        self.without_element += u64::from(options.content.is_some() && !page.is_selected);
        let mut entry = UrlEntry::new(loc);
        entry.lastmod = match self.source {
            Source::None => None,
            Source::Git => commit,
            Source::Page => page.dates.own(self.now.into()),
            Source::Mtime => Some(modified(&file.path)?),
        };
        if options.first == First::Now {
            entry.lastmod = entry.lastmod.or(Some(seconds(self.now)));
        }
        if options.images {
            entry.images = self.images(&page, &entry.loc);
        }
        self.pages.push(ListedPage {
            folder: self.folders,
            name,
            alternates: translations(&page, &entry.loc),
            entry,
            language: page.language,
            content: page.content,
            is_blank: page.is_blank,
        });
        Ok(())
    }

    /// Each image once. Images that a sitemap cannot list are counted.
    fn images(&mut self, page: &page::HtmlPage, loc: &Url) -> Vec<Image> {
        let base = page.base(loc);
        let mut listed = HashSet::new();
        let mut images = Vec::new();
        for source in page.images.iter().chain(&page.shared_images) {
            let mut url = base.join(source).ok();
            if let Some(url) = &mut url {
                url.set_fragment(None);
                if url.query() == Some("") {
                    url.set_query(None);
                }
            }
            // `#`, `?` and nothing lead to the page.
            if url.as_ref().is_some_and(|url| is_same_page(url, loc)) {
                continue;
            }
            match url.filter(|url| UrlEntry::try_from(url.as_str()).is_ok()) {
                None => self.unusable_images += u64::from(!source.starts_with("data:")),
                Some(url) if images.len() < IMAGES && listed.insert(url.clone()) => {
                    images.push(Image::new(url));
                }
                Some(_) => {}
            }
        }
        images
    }

    /// Sets the dates and alternates of the pages of all folders, and returns them, folder by folder.
    ///
    /// # Errors
    ///
    /// A state without a folder.
    pub(crate) fn finish(&mut self) -> anyhow::Result<Vec<ListedPage>> {
        let mut pages = std::mem::take(&mut self.pages);
        if self.folders == 0 {
            if self.state.is_some() {
                bail!("--state is for folders of HTML files, and no input is one");
            }
            return Ok(pages);
        }
        if let Some(state) = &mut self.state {
            state.date(&mut pages, seconds(self.now), &mut |loc, why| {
                if self.options.verbose {
                    self.messages.note(format_args!("{loc}: {why}"));
                }
            });
        }
        if self.options.alternates {
            alternates::link(&mut pages, self.base, self.options.verbose, self.messages);
        }
        self.print(&pages);
        Ok(pages)
    }

    /// Prints where the dates come from, the comparison with the state, and the content that was left out.
    fn print(&self, pages: &[ListedPage]) {
        let count = pages.len() as u64;
        let undated = pages.iter().filter(|page| page.entry.lastmod.is_none());
        let undated = undated.count() as u64;
        let messages = self.messages;
        match self.source {
            Source::Page if self.options.lastmod.is_none() && self.state.is_none() => messages.note(format_args!(
                "lastmod is the date that a page gives itself ({} of {} do); --state FILE uses the date since which its \
                 content is the same, --lastmod git that of its last commit, --lastmod mtime that of its file, --lastmod none \
                 none",
                Grouped(count - undated),
                Count(count, "page"),
            )),
            Source::Git if undated > 0 && self.state.is_none() => messages.note(format_args!(
                "{} without lastmod, because of files whose commit is not known",
                Count(undated, "page")
            )),
            _ => {}
        }
        self.print_state(undated);
        if self.without_element > 0
            && let Some(selector) = &self.options.content
        {
            messages.note(format_args!(
                "{} without `{selector}`, whose content is the whole page",
                Count(self.without_element, "page")
            ));
        }
        if self.unusable_images > 0 {
            messages.note(format_args!(
                "{} left out, because a sitemap cannot list their URLs",
                Count(self.unusable_images, "image")
            ));
        }
        self.warn_of_one_date(pages);
    }

    /// Prints the comparison with the state.
    fn print_state(&self, undated: u64) {
        let (Some(state), messages) = (&self.state, self.messages) else {
            return;
        };
        let counts = state.counts;
        let path = self.options.state.as_deref().unwrap_or(Path::new(""));
        messages.note(format_args!(
            "{}: {} new, {} changed, {} moved, {} the same{}; {} without lastmod{}",
            path.display(),
            Count(counts.new, "page"),
            Grouped(counts.changed),
            Grouped(counts.moved),
            Grouped(counts.same),
            match counts.gone {
                0 => String::new(),
                gone => format!(", {} gone", Grouped(gone)),
            },
            Grouped(undated),
            match (state.is_new(), undated > 0 && self.options.lastmod.is_none()) {
                (false, _) => "",
                (true, false) => "; the file is new",
                (true, true) => {
                    "; the file is new, so a page has no date until it changes: --lastmod git uses the date of its last \
                     commit, --first now that of this run"
                }
            },
        ));
        if counts.blank > 0 {
            messages.warning(format_args!(
                "{}: it is not known whether {} changed, which scripts draw: without text, only title and description are \
                 compared; their dates stay",
                path.display(),
                Count(counts.blank, "page")
            ));
        }
        if counts.not_compared > 0 {
            messages.warning(format_args!(
                "{}: {} not compared, because the file was written with another --content or by another version; their \
                 dates stay",
                path.display(),
                Count(counts.not_compared, "page")
            ));
        }
    }

    /// Search engines stop believing a site whose pages all claim to have changed on one day.
    fn warn_of_one_date(&self, pages: &[ListedPage]) {
        let mut dates = LastmodCounts::default();
        for page in pages {
            dates.add(page.entry.lastmod, || {
                Finding::new(rule!("shared-lastmod"), "")
            });
        }
        let Some(shared) = dates.take() else {
            return;
        };
        let is_of_this_run = shared.date == seconds(self.now);
        let counts = self.state.as_ref().map(|state| state.counts);
        let why = match (counts, self.source) {
            // An earlier run has given it, and warned.
            (Some(counts), _) if counts.new == 0 && (counts.changed == 0 || !is_of_this_run) => {
                return;
            }
            (Some(counts), _) if is_of_this_run && counts.new < counts.changed => {
                "if it is a part that all pages share, --content ELEMENT leaves it out"
            }
            (Some(_), _) if is_of_this_run => "--first now gives new pages this date",
            (_, Source::Mtime) => "a build or a checkout changes the times of files",
            (_, Source::Git) => "one commit may have changed all of them",
            (_, Source::Page | Source::None) => "the pages may give the time of the build",
        };
        self.messages.warning(format_args!(
            "{} of {} have the lastmod {}: search engines ignore such dates ({why})",
            Grouped(shared.with),
            Count(shared.pages, "page"),
            shared.date,
        ));
    }

    /// The pages of the state before this run, with their dates. `None` without a state.
    pub(crate) fn former(&self) -> Option<Vec<UrlEntry>> {
        self.state.as_ref().map(State::former)
    }

    /// The state after this run, complete but not yet in its place. `None` if it is that before it, or without a state.
    pub(crate) fn new_state(self) -> anyhow::Result<Option<Replacement>> {
        let (Some(state), Some(path)) = (self.state, &self.options.state) else {
            return Ok(None);
        };
        let Some(text) = state.text()? else {
            // A run that was killed may have renamed it, and not yet synced the folder.
            sync_name(path).map_err(at(path))?;
            return Ok(None);
        };
        let mut file = Replacement::of(path)?;
        file.write_all(&text)?;
        Ok(Some(file))
    }
}

/// The time in the form of a state, in whole seconds.
fn seconds(time: SystemTime) -> W3cDatetime {
    let fraction = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    W3cDatetime::from(time - std::time::Duration::from_nanos(fraction.into()))
}

/// The targets of the links in the head.
fn translations(page: &page::HtmlPage, loc: &Url) -> Vec<(String, Url)> {
    let base = page.base(loc);
    let links = page.alternates.iter();
    links
        .filter_map(|(language, href)| {
            let mut url = base.join(href).ok()?;
            url.set_fragment(None);
            matches!(url.scheme(), "http" | "https").then(|| (language.clone(), url))
        })
        .collect()
}

/// Characters that need no escape in a path.
pub(crate) const IN_PATH: &AsciiSet =
    &unescaped(NON_ALPHANUMERIC.remove(b'-'), b"._~!$&'()*+,;=:@");

const fn unescaped(set: AsciiSet, characters: &[u8]) -> AsciiSet {
    match characters {
        [first, rest @ ..] => unescaped(set.remove(*first), rest),
        [] => set,
    }
}

fn is_html(path: &Path) -> bool {
    path.extension().is_some_and(|extension| {
        ["html", "htm", "xhtml"]
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// `a b/index.html` is `a%20b/`.
fn url_path(relative: &Path, clean_urls: bool) -> Option<String> {
    let mut path = String::new();
    for component in relative.parent()?.components() {
        let std::path::Component::Normal(name) = component else {
            return None;
        };
        path.extend(percent_encode(name.as_encoded_bytes(), IN_PATH));
        path.push('/');
    }
    let is_index = relative.file_stem()?.eq_ignore_ascii_case("index");
    if !is_index {
        let name = if clean_urls {
            relative.file_stem()?
        } else {
            relative.file_name()?
        };
        path.extend(percent_encode(name.as_encoded_bytes(), IN_PATH));
    }
    Some(path)
}

/// In the form of git: with slashes.
fn git_path(relative: &Path) -> Vec<u8> {
    let names = relative.iter().map(|name| name.as_encoded_bytes());
    names.collect::<Vec<_>>().join(&b'/')
}

fn modified(path: &Path) -> io::Result<W3cDatetime> {
    Ok(W3cDatetime::from(fs::metadata(path)?.modified()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_urls() {
        let path = |file: &str| url_path(Path::new(file), false).unwrap();
        assert_eq!(path("index.html"), "");
        assert_eq!(path("a b/index.htm"), "a%20b/");
        assert_eq!(path("a/50%[x]?#é.html"), "a/50%25%5Bx%5D%3F%23%C3%A9.html");
        assert_eq!(url_path(Path::new("a/b.html"), true).unwrap(), "a/b");
        assert_eq!(url_path(Path::new("../b.html"), true), None);
    }
}
