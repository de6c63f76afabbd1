//! [`Directory`]: where a set is written and how. It replaces a set while clients read it, and can be killed at any moment.
//!
//! A [`Run`] is one attempt to write a set, from taking the lock to switching the visible files. The [`NewSet`] contains the
//! parts that the run has written so far. A [`PartFile`] is a part that is being written; it becomes a
//! [`CompleteFile`](file::CompleteFile) when all of it is written, and is synced while the next parts are written.
//!
//! # Switching from one generation of a set to the next
//!
//! The files of a set with the name `sitemap`:
//!
//! | file | content | removed by |
//! |---|---|---|
//! | `sitemap.xml` | the index; or, if `single` is set, the only urlset | never; it is replaced |
//! | `sitemap-1.xml`, `sitemap-1-FINGERPRINT.xml`, `GROUP-1.xml` | a part, visible | the run that publishes an index without it, or, with fingerprints, the first run after the time of grace |
//! | `.sitemap.set/lock` | an empty file, which a run locks ([`hidden`]) | never |
//! | `.sitemap.set/new/FILE` | a file that is being written, or waits to be renamed | that run, or the next one if it was killed |
//! | `.sitemap.set/journal` | the journal: files of this set that the index may not name, and since when ([`journal`]) | the run that leaves none |
//!
//! A run goes through these states. Each is reached by one system call, or by several in any order. The last column
//! describes what is left if the run is killed in that state.
//!
//! | | state | reached by | a kill leaves |
//! |--:|---|---|---|
//! | 1 | at work | the lock taken; `new/` emptied; the hidden folder and the directory synced, because an earlier run may have renamed files without syncing them | the old set, and files in `new/`, which the next run removes |
//! | 2 | complete | every part written; those that differ from the visible file of their name synced, the others removed again; the index likewise | as 1 |
//! | 3 | announced | the journal replaced: its earlier content, the parts of the old index, the files about to become visible | as 1, and the journal, which lists more than necessary |
//! | 4 | adding | parts renamed whose names the old index does not list, from the last to the first; directory synced | as 3, and parts that no index names: the journal does. The old set |
//! | 5 | replacing | parts renamed whose names the old index lists, from the last to the first; directory synced. There are none with fingerprints | as 4, and a mixture: some parts of the new set under the old index |
//! | 6 | switched | the index renamed; directory synced | the new set, and old parts that no index names: the journal does |
//! | 7 | cleared | files that are no longer part of the set are removed: without fingerprints all of them, with fingerprints those whose grace period is over; directory synced; the journal replaced by the rest, or removed | as 6, with fewer of them |
//!
//! States 3 to 7 are skipped if there is nothing to do: a run that changes nothing renames nothing. The
//! lock is released at the end of the run, or by the system when the process ends.
//!
//! So a client that reads the index finds every part that it lists, at every moment. With fingerprints, the index is the
//! only visible file whose content changes, so the set is replaced as a whole in state 6. A client that has read the old
//! index finds the old parts during the grace period. Without fingerprints, there is state 5. In it, the last part is
//! replaced first. If pages were added in front, a page can move to a later part, which is replaced before the earlier
//! one, so the page is in one of the two at every moment. If the new index lists all parts of the old one and more, state 6
//! comes before state 5, so that pages that moved to an added part are listed, too.
//!
//! A run removes only these visible files: files that the journal lists, and files that the index lists and whose names have
//! the form of this set's names. They stay if another index in the directory lists them ([`neighbours`]), or if they are an
//! index themselves.
//!
//! A run that fails empties `new/` itself when it is dropped.

mod file;
mod fs;
mod gzip;
mod hidden;
mod journal;
mod names;
mod neighbours;
mod new_set;
mod run;
mod set;
mod task;

use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

use url::Url;

use self::fs::create_folder;
use self::names::Names;
use self::new_set::{FileOptions, NewSet};
use self::run::Run;
use self::set::Set;
use super::earlier::Earlier;
use super::parts::{Parts, Progress};
use super::split::SplitWriter;
use crate::entry::SitemapEntry;
use crate::error::{NotPublished, Result};
use crate::format::Format;
use crate::value::url::check_url;
use crate::violation::{Rule, Violation, case, grouped};
use crate::writer::{WriterBuilder, at};

pub use self::file::PartFile;
pub use self::new_set::{Published, PublishedPart};

/// The implementation of [`Parts`](crate::Parts) for files in a directory: `sitemap-1.xml` (or `.xml.gz`, `.txt`,
/// `.txt.gz`), `sitemap-2.xml` and so on, and their index, `sitemap.xml`.
///
/// # Incomplete files are never visible
///
/// Every file is written in the hidden folder `.sitemap.set/new`, and synced to the disk.
/// [`finish`](crate::SplitWriter::finish) renames the parts and the index. So at every moment, even after the process
/// was killed or the power failed, each visible file is a complete sitemap, and every part that the visible index lists
/// exists. If `finish` is never called, or fails before that, the old files are not changed, and temporary files are
/// removed when the `Directory` is dropped or, if the process was killed, by the next run.
///
/// Directories can be synced on Unix only. On other systems, which of the renames survive a power failure depends on the
/// file system, and permissions and owners are not passed on.
///
/// An unchanged file is not rewritten, and keeps its inode and its date. A file that is replaced passes on its
/// permissions and its owner, as far as the system allows it; new parts take those of the index. The set-user-ID,
/// set-group-ID and sticky bits are not passed on, and nothing is taken from a symbolic link or from its target.
///
/// # Atomic replacement
///
/// With [`fingerprint(true)`](Self::fingerprint), the name of a part contains a digest of its content, and the index is
/// the only file whose content ever changes. So anyone who reads the index gets either the complete old set or the
/// complete new one, even if a run is killed. Parts that the new index no longer lists stay for a [grace
/// period](Self::grace), for clients that have read the old index.
///
/// Without fingerprints, the default, the parts keep their names, because search consoles list sitemaps by name. So
/// they are replaced one at a time, from the last to the first. Pages that are added at the end or in front, or are
/// removed from the end, are in one of the two sets at every moment. But a run that is killed between the first rename
/// and the last leaves a mixture of both until the next run. A page that moved to an earlier part, because earlier
/// pages were removed, can then be missing from all files, and a page that moved to a later part can be in two files. A
/// client that reads the index and then its parts can get the same mixture while a run renames files. Use fingerprints
/// if that matters.
///
/// # Which files belong to a set
///
/// A set replaces files that have its names: `sitemap.xml`, `sitemap-1.xml`, `sitemap-1.xml.gz`, `sitemap-1.txt` and so
/// on, and those of its [groups](crate::SplitWriter::group). It removes such parts only if its own index listed them,
/// or if a killed run has left them. If `sitemap.xml` is neither a urlset nor an index, a run fails and the file stays.
///
/// A file that the index of another set in the directory lists, or that is the index of another set, is never replaced
/// or removed. A run that would have to replace it fails; a run that would only have removed it leaves it there.
/// Several sets can share a directory under different [names](Self::name). Gzipped twins of the files, for servers that
/// send compressed files, are not changed unless a part is about to use the same name.
///
/// # Feature
///
/// The feature `sets` of this crate, which is on by default.
///
/// # Concurrent runs
///
/// If two runs write the same set, the first one wins: the first [`write`](crate::SplitWriter::write) of the other run
/// fails at once with [`ResourceBusy`](io::ErrorKind::ResourceBusy), "another run is writing this set". A run is active from its
/// first `write` until it is finished or dropped. It holds a lock of the system
/// ([`File::try_lock`](std::fs::File::try_lock)) on the file `.sitemap.set/lock`. The system releases the lock when the
/// process ends, so a killed run never blocks the next one. On a file system without locks, the first `write` fails,
/// unless [`unlocked`](Self::unlocked) is set.
///
/// The hidden folder `.sitemap.set` stays in the directory. It gets the owner of the directory, as far as the system
/// allows it. You can delete it while no run is active; the set then forgets which files its index no longer lists.
///
/// The same entries and settings produce the same bytes: there are no time stamps, not even in gzip headers.
///
/// # Examples
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-directory-{}", std::process::id()));
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{Directory, Reader, SplitWriter, UrlEntry, W3cDatetime};
///
/// let base: Url = "https://example.com/".parse().unwrap();
/// let mut site = SplitWriter::new(Directory::create(&public, &base)?.gzip(true));
/// site.write(&UrlEntry::try_from("https://example.com/a")?.with_lastmod("2024-03-04".parse::<W3cDatetime>()?))?;
/// site.write(&UrlEntry::try_from("https://example.com/b")?.with_lastmod("2024-01-02".parse::<W3cDatetime>()?))?;
/// assert!(!public.join("sitemap.xml").exists());
/// let index = site.finish()?;
/// assert_eq!(index.as_str(), "https://example.com/sitemap.xml");
///
/// let part = Reader::from_path(public.join("sitemap.xml"))?.next().unwrap()?;
/// assert_eq!(part.loc().as_str(), "https://example.com/sitemap-1.xml.gz");
/// assert_eq!(part.lastmod().unwrap().to_string(), "2024-03-04");
/// # std::fs::remove_dir_all(&public).unwrap();
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "it is a `SplitWriter` that writes"]
pub struct Directory {
    folder: PathBuf,
    base: Url,
    name: String,
    options: FileOptions,
    refuse_below: u64,
    is_locked: bool,
    /// The name of the set that is continued.
    opened: Option<String>,
    /// From `begin` on.
    begun: Option<NewSet>,
}

/// Threads that can be of any use.
const MOST_THREADS: usize = 64;

/// A day: longer than anyone takes to read a set of sitemaps.
const GRACE: Duration = Duration::from_secs(86_400);

impl Directory {
    /// Creates a set of sitemaps in the directory `path`, which is created if it does not exist. `base` is the URL of
    /// the directory on the web, with or without a final slash; it is not the URL of the index. An existing set is
    /// replaced. Except for the directory, nothing is written before the first entry.
    ///
    /// A sitemap may list only pages at or below its own directory on the web (Sitemap Protocol 0.9). Other pages are
    /// rejected with [`OutsideLocation`](crate::Rule::OutsideLocation), unless the settings of the writer allow them
    /// ([`any_directory`](WriterBuilder::any_directory), [`allow_host`](WriterBuilder::allow_host); pass the settings to
    /// [`SplitWriter::with`](crate::SplitWriter::with)). If all pages are rejected, check `base` first, because the URLs
    /// in the index start with it.
    ///
    /// # Errors
    ///
    /// An I/O error if the directory cannot be created. For `base`:
    /// [`UnsupportedScheme`](crate::Rule::UnsupportedScheme); [`UrlTooLong`](crate::Rule::UrlTooLong), also if the URL
    /// of a part would be too long; [`UrlNotEscaped`](crate::Rule::UrlNotEscaped); or
    /// [`InvalidUrl`](crate::Rule::InvalidUrl) if it contains a user or a password.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-create-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let mut maps = SplitWriter::new(Directory::create(&public, &"https://example.com/maps?x".parse().unwrap())?);
    /// maps.write(&UrlEntry::try_from("https://example.com/maps/a")?)?;
    /// assert_eq!(maps.finish()?.as_str(), "https://example.com/maps/sitemap.xml");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn create(path: impl AsRef<Path>, base: &Url) -> Result<Self> {
        let path = path.as_ref();
        let directory = Self::new(path, "sitemap", base)?;
        create_folder(path)?;
        Ok(directory)
    }

    /// Opens the set of sitemaps in the directory `path`, to add entries to it. `path` can also be the path of the
    /// index; this is required if the index is not named `sitemap.xml`.
    ///
    /// The last part that the index lists is continued: its entries are written again, before the new ones. The other
    /// parts are not changed and not read. Style sheets are kept. With the same settings, the result is what
    /// [`create`](Self::create) would have written from all the entries. If the last part is not one that a `Directory`
    /// with this name, this base and this format would have made, it stays as it is, too.
    ///
    /// [`gzip`](Self::gzip) and [`fingerprint`](Self::fingerprint) default to those of the last part in the index if
    /// that part belongs to this set and not to a group, otherwise to `false`.
    /// [`SplitWriter::single`](crate::SplitWriter::single) defaults to `true` if there is one urlset instead of an index. An
    /// index does not show whether `single` was set. The [`name`](Self::name) cannot be changed.
    ///
    /// # Errors
    ///
    /// An I/O error: [`NotFound`](io::ErrorKind::NotFound) if there is no index;
    /// [`InvalidData`](io::ErrorKind::InvalidData) if rewriting the index would lose something, such as a comment, an
    /// unknown element, or content that could not be understood. The errors of reading the index, and those of
    /// [`create`](Self::create) for `base`. If the last part cannot be read completely, or rewriting it would lose
    /// something, the first [`write`](crate::SplitWriter::write) returns the error, and nothing is changed.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-open-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Reader, SplitWriter, UrlEntry};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?);
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    ///
    /// let mut site = SplitWriter::new(Directory::open(&public, &base)?);
    /// site.write(&UrlEntry::try_from("https://example.com/b")?)?;
    /// site.finish()?;
    /// assert_eq!(Reader::from_path(public.join("sitemap-1.xml"))?.count(), 2);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>, base: &Url) -> Result<Self> {
        let path = path.as_ref();
        let (folder, name) = place_of(path)?;
        let mut directory = Self::new(&folder, &name, base)?;
        let names = directory.names()?;
        let index = directory.folder.join(names.index());
        match Set::read(&index)? {
            Set::Single => {}
            Set::Index(parts, _) => {
                let last = parts.last().and_then(|last| names.part_at(&last.loc));
                directory.options.gzip = last.is_some_and(|last| last.gzip);
                directory.options.fingerprint = last.is_some_and(|last| last.fingerprint.is_some());
            }
        }
        directory.opened = Some(directory.name.clone());
        Ok(directory)
    }

    fn new(folder: &Path, name: &str, base: &Url) -> Result<Self> {
        let mut base = base.clone();
        if !base.username().is_empty() || base.password().is_some() {
            let _ = base.set_username("").and_then(|()| base.set_password(None));
            let url = base.as_str();
            return Err(Violation::with_detail(Rule::InvalidUrl, url, case::USER).into());
        }
        check_url(&base)?;
        base.set_query(None);
        base.set_fragment(None);
        if let Ok(mut segments) = base.path_segments_mut() {
            segments.pop_if_empty().push("");
        }
        check_url(&Names::new(name, &base)?.longest_url(false))?;
        Ok(Self {
            folder: folder.to_owned(),
            base,
            name: name.to_owned(),
            options: FileOptions {
                gzip: false,
                fingerprint: false,
                grace: GRACE,
                threads: 1,
            },
            refuse_below: 1,
            is_locked: true,
            opened: None,
            begun: None,
        })
    }

    /// Sets whether the parts are gzipped. The index is never gzipped, and neither is the one urlset of a
    /// [single](crate::SplitWriter::single) set, because its name is that of the index. The default is `false`, or for an
    /// opened set, the value described at [`open`](Self::open).
    pub const fn gzip(mut self, gzip: bool) -> Self {
        self.options.gzip = gzip;
        self
    }

    /// Sets the name of the files: `name.xml`, `name-1.xml` and so on. The default is `sitemap`.
    ///
    /// A name must consist of 1 to 100 of the characters A–Z, a–z, 0–9, `-`, `_`, `~` and `.`, and must not start with
    /// `.`. It must not end in `-` and digits, as the names of parts do, and must not be the name of a file that
    /// another index in the directory lists. With any other name, or with a name that differs from that of an
    /// [opened](Self::open) set, the first [`write`](crate::SplitWriter::write) returns the error
    /// [`InvalidInput`](io::ErrorKind::InvalidInput).
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-name-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.name("posts"));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// assert_eq!(site.finish()?.as_str(), "https://example.com/posts.xml");
    /// assert!(public.join("posts-1.xml").exists());
    /// assert!(Directory::open(public.join("posts.xml"), &base).is_ok());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets whether the name of a part contains a digest of its content:
    /// `sitemap-1-9f86d081884c7d659a2feaa0c55ad015.xml`, with the first 32 digits of the SHA-256 of the file. Then the
    /// index is the only file whose content ever changes, and the set is replaced atomically, by renaming the index:
    /// see [atomic replacement](Self#atomic-replacement). The default is `false`, or for an [opened](Self::open) set,
    /// its previous value.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-fingerprint-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Reader, SplitWriter, UrlEntry};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let publish = |page| {
    ///     let mut site = SplitWriter::new(Directory::create(&public, &base)?.fingerprint(true));
    ///     site.write(&UrlEntry::try_from(page)?)?;
    ///     site.finish()?;
    ///     let part = Reader::from_path(public.join("sitemap.xml"))?.next().unwrap()?;
    ///     Ok::<_, quick_sitemap::Error>(public.join(part.loc().path().trim_start_matches('/')))
    /// };
    /// let first = publish("https://example.com/a")?;
    /// assert_eq!(publish("https://example.com/a")?, first);
    /// // The old part stays for a day, for clients that have read the old index.
    /// let second = publish("https://example.com/b")?;
    /// assert!(first != second && first.exists() && second.exists());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn fingerprint(mut self, fingerprint: bool) -> Self {
        self.options.fingerprint = fingerprint;
        self
    }

    /// Sets how long a part with a [fingerprint](Self::fingerprint) stays after the index no longer lists it, for
    /// clients that have read the old index. It is removed by the first run after that. The default is a day; fractions
    /// of a second are ignored.
    pub const fn grace(mut self, grace: Duration) -> Self {
        self.options.grace = grace;
        self
    }

    /// Sets the number of threads that compress gzipped parts, from 1 to 64; larger values are treated as 64. The
    /// default is 1, and the thread that writes compresses. With more, that many threads compress (in blocks of 256
    /// KiB, so that one part keeps all of them busy). Each of them uses at most 3 MiB. The number of threads does not change the bytes of the files.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-threads-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::new(directory.gzip(true).threads(cores));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn threads(mut self, threads: usize) -> Self {
        self.options.threads = if threads > MOST_THREADS {
            MOST_THREADS
        } else {
            threads
        };
        self
    }

    /// Sets the minimum number of entries. If fewer entries were written, [`finish`](crate::SplitWriter::finish) fails
    /// and the old set stays, so that a failed query does not empty a site. The error is an I/O error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData). The default is 1, so an empty set is an error; 0 allows it. The entries
    /// of a last part that is continued are included. When the set is continued and other parts stay, the number is not
    /// checked.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-below-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.refuse_below(1_000));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// let error = site.finish().unwrap_err();
    /// assert_eq!(error.to_string(), "the set is not published");
    /// assert!(format!("{error:#}").contains("1 entry was written, but the minimum is 1,000"));
    ///
    /// assert!(SplitWriter::new(Directory::create(&public, &base)?).finish().is_err());
    /// assert!(SplitWriter::new(Directory::create(&public, &base)?.refuse_below(0)).finish().is_ok());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn refuse_below(mut self, entries: u64) -> Self {
        self.refuse_below = entries;
        self
    }

    /// Writes without a lock. Use this on a file system that has no locks, and only if nothing else writes this set at
    /// the same time: of two runs at once, each removes the files that the other has not published yet.
    ///
    /// By default a run takes the lock of the set; on a file system without locks the first
    /// [`write`](crate::SplitWriter::write) fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-unlocked-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.unlocked());
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// assert!(public.join("sitemap.xml").exists() && !public.join(".sitemap.set/lock").exists());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn unlocked(mut self) -> Self {
        self.is_locked = false;
        self
    }
}

impl Directory {
    pub(super) fn publish(&mut self, parts: &[SitemapEntry], single: bool) -> Result<Published> {
        self.begun()?.finish(parts, single)
    }

    fn names(&self) -> io::Result<Names> {
        Names::new(&self.name, &self.base)
    }

    fn begun(&mut self) -> io::Result<&mut NewSet> {
        let unknown = || io::Error::other("a directory is begun before parts are opened");
        self.begun.as_mut().ok_or_else(unknown)
    }
}

impl Parts for Directory {
    type Writer = PartFile;
    /// The URL of `sitemap.xml`, for search engines and robots.txt.
    type Output = Url;

    fn begin(&mut self, format: Format, settings: &mut WriterBuilder) -> Result<Earlier> {
        let is_text = format == Format::Text;
        let names = self.names()?;
        if self.opened.as_ref().is_some_and(|name| *name != self.name) {
            let message = "the name of a set that is continued cannot be changed";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message).into());
        }
        check_url(&names.longest_url(self.options.fingerprint))?;
        settings.location_or(|| names.url(&names.index()));
        let index = settings.for_index();
        let run = Run::begin(&self.folder, names, self.is_locked)?;
        let mut begun = NewSet::new(run, self.options.clone(), is_text, index);
        // Checked again, because now no other run can change it.
        let earlier = match self.opened {
            Some(_) => begun.carry_on()?,
            None => Earlier::default(),
        };
        self.begun = Some(begun);
        Ok(earlier)
    }

    fn open(&mut self, number: usize) -> io::Result<PartFile> {
        self.begun()?.open("", number)
    }

    fn close(&mut self, number: usize, writer: PartFile) -> io::Result<Url> {
        self.begun()?.close("", number, writer)
    }

    fn open_group(&mut self, group: &str, number: usize) -> io::Result<PartFile> {
        self.begun()?.open(group, number)
    }

    fn close_group(&mut self, group: &str, number: usize, writer: PartFile) -> io::Result<Url> {
        self.begun()?.close(group, number, writer)
    }

    fn accept(&mut self, written: &Progress) -> Result<()> {
        let least = self.refuse_below;
        if written.entries >= least || self.begun()?.keeps_parts() {
            return Ok(());
        }
        let message = format!(
            "{}: {} {} written, but the minimum is {}; `Directory::refuse_below` sets it",
            self.begun()?.index_path().display(),
            grouped(written.entries),
            if written.entries == 1 {
                "entry was"
            } else {
                "entries were"
            },
            grouped(least),
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, NotPublished(message)).into())
    }

    fn finish(mut self, parts: &[SitemapEntry]) -> Result<Url> {
        Ok(self.publish(parts, false)?.index)
    }

    fn finish_single(mut self, part: Option<&SitemapEntry>) -> Result<Url> {
        Ok(self.publish(part.map_or(&[], slice::from_ref), true)?.index)
    }
}

impl SplitWriter<Directory> {
    /// Finishes the set like [`finish`](Self::finish), and returns which files exist and which of them have changed.
    /// Use this to upload the changed files or to purge a cache.
    ///
    /// # Errors
    ///
    /// The errors of `finish`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-publish-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Format, Limits, SplitWriter, UrlEntry, WriterBuilder};
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let settings = WriterBuilder::new().limits(Limits::default().with_entries(2));
    /// let publish = |pages: &[&str]| {
    ///     let mut site = SplitWriter::with(settings.clone(), Directory::create(&public, &base)?);
    ///     pages.iter().try_for_each(|page| site.write(&UrlEntry::new(base.join(page).unwrap())))?;
    ///     site.publish()
    /// };
    /// publish(&["a", "b", "c"])?;
    /// let published = publish(&["a", "b", "c", "d"])?;
    /// assert_eq!(published.format, Format::Index);
    /// let changed: Vec<_> = published.parts.iter().map(|part| (part.loc.path(), part.changed)).collect();
    /// assert_eq!(changed, [("/sitemap-1.xml", false), ("/sitemap-2.xml", true)]);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn publish(self) -> Result<Published> {
        self.finish_by(|mut directory, parts, single| directory.publish(parts, single))
    }
}

/// The directory and the name of the set whose index is at `path`, or whose directory is, if it is called `sitemap`.
fn place_of(path: &Path) -> io::Result<(PathBuf, String)> {
    if std::fs::metadata(path).map_err(at(path))?.is_dir() {
        return Ok((path.to_owned(), "sitemap".to_owned()));
    }
    let file = path.file_name().and_then(|file| file.to_str());
    let name = file.and_then(Names::of_index).ok_or_else(|| {
        let message = format!("{}: the name of an index ends with .xml", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })?;
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    Ok((folder.to_owned(), name.to_owned()))
}
