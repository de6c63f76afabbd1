//! A directory to write into, and ways to look at it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::extension::Alternate;
use quick_sitemap::{
    Entry, Error, ErrorKind, Limits, Policy, ReaderBuilder, Result, Rule, SplitWriter, UrlEntry,
    W3cDatetime, WriterBuilder,
};
use quick_sitemap_set::{Directory, Published};
use url::Url;

/// A directory that is gone after the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("quick-sitemap-directory-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(file), bytes).unwrap();
    }

    /// All files with their contents, including those in hidden folders of sets, except the lock.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(self.path(&folder)).unwrap() {
                let entry = entry.unwrap();
                let name = folder.clone() + entry.file_name().to_str().unwrap();
                let is_folder = entry.file_type().unwrap().is_dir();
                if is_folder && (name.ends_with(".set") || name.ends_with(".set/new")) {
                    folders.push(name + "/");
                } else if !name.ends_with(".set/lock") {
                    files.insert(name, fs::read(entry.path()).unwrap_or_default());
                }
            }
        }
        files
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.files().into_keys().collect()
    }

    /// The names of the visible files.
    pub(crate) fn visible(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
        names.sort_unstable();
        names
    }

    /// A directory that also accepts empty sets.
    pub(crate) fn create(&self) -> Directory {
        Directory::create(&self.0, &base()).unwrap().refuse_below(0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn base() -> Url {
    "https://example.com/".parse().unwrap()
}

pub(crate) const URLSET: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>";

/// An index of these files.
pub(crate) fn index(files: &[&str]) -> String {
    let lines = files
        .iter()
        .map(|file| line(&format!("https://example.com/{file}")));
    index_with(&lines.collect::<String>())
}

pub(crate) fn line(loc: &str) -> String {
    format!("<sitemap><loc>{loc}</loc></sitemap>")
}

pub(crate) fn index_with(body: &str) -> String {
    format!(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{body}</sitemapindex>"
    )
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn page(number: usize) -> UrlEntry {
    let loc = base().join(&format!("page/{number}")).unwrap();
    let date: W3cDatetime = format!("2024-01-{:02}", number % 28 + 1).parse().unwrap();
    let alternate = Alternate::new("de", base().join(&format!("de/{number}")).unwrap());
    UrlEntry::new(loc)
        .with_lastmod(date)
        .with_alternate(alternate)
}

/// Parts of three entries.
pub(crate) fn threes() -> WriterBuilder {
    let mut limits = Limits::default();
    limits.entries = 3;
    WriterBuilder::new().limits(limits)
}

pub(crate) fn write(directory: Directory, pages: Range<usize>) -> Result<Published> {
    write_with(threes().split(directory), pages)
}

/// Writes a single sitemap if the pages fit into one.
pub(crate) fn write_single(directory: Directory, pages: Range<usize>) -> Result<Published> {
    write_with(threes().split(directory).single(true), pages)
}

pub(crate) fn write_with(
    mut writer: SplitWriter<Directory>,
    pages: Range<usize>,
) -> Result<Published> {
    pages
        .into_iter()
        .try_for_each(|number| writer.write(&page(number)))?;
    writer.finish()
}

pub(crate) fn read(path: &Path) -> Vec<Entry> {
    let reader = ReaderBuilder::new()
        .policy(Policy::STRICT)
        .build(fs::File::open(path).unwrap());
    reader.map(|entry| entry.unwrap()).collect()
}

/// The pages of a set, in the order of its index.
pub(crate) fn read_set(folder: &Folder) -> Vec<UrlEntry> {
    let entries = read(&folder.path("sitemap.xml"));
    let pages = entries.into_iter().flat_map(|entry| match entry {
        Entry::Url(page) => vec![page],
        Entry::Sitemap(part) => {
            let part = read(&folder.path(part.loc.path().trim_start_matches('/')));
            part.into_iter()
                .map(|entry| entry.into_url().unwrap())
                .collect()
        }
    });
    pages.collect()
}

pub(crate) fn locs(folder: &Folder) -> Vec<String> {
    let entries = read(&folder.path("sitemap.xml"));
    entries
        .iter()
        .map(|entry| entry.loc().to_string())
        .collect()
}

pub(crate) fn kind(error: &Error) -> io::ErrorKind {
    match error.kind() {
        ErrorKind::Io(error) => error.kind(),
        other => panic!("{other:?}"),
    }
}

/// The run fails with an error of this kind, which says this.
#[track_caller]
pub(crate) fn refused(run: Result<Published>, expected: io::ErrorKind, says: &str) {
    let error = run.unwrap_err();
    let message = format!("{error:#}");
    assert_eq!(kind(&error), expected, "{message}");
    assert!(message.contains(says), "{says}: {message}");
}

pub(crate) fn rule(error: &Error) -> Rule {
    match error.kind() {
        ErrorKind::Violation(violation) => violation.rule(),
        other => panic!("{other:?}"),
    }
}
