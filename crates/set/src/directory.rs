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
//! | `.sitemap.set/new/FILE.old` | a second name (a hard link) of a visible file that a run replaces | that run, or the next one if it was killed |
//! | `.sitemap.set/journal` | the journal: files of this set that the index may not name, and since when; the parts of a set with groups, with their numbers of entries ([`journal`]) | the run that leaves none |
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
//! If a rename or a sync fails in the states 4 to 6, the run goes back to state 3 ([`switch`]): it puts back each file that it
//! has replaced, by the second name of the earlier file, and removes those that it has added, from the last to the first.
//! If a file cannot be put back, the run stops there, in a state that a kill could leave too, and its error names the files
//! of the new set.
//!
//! The parts of a group that is kept ([`kept`]) are parts of the new set in every state, and are never renamed. The journal
//! has their numbers of entries. A run that replaces a part removes its number in state 3, and writes the new one in state 7.
//! A number is used only if the file has the size that the journal notes; otherwise the part is read.
//!
//! So a client that reads the index finds every part that it lists, at every moment. With fingerprints, the index is the
//! only visible file whose content changes, so the set is replaced as a whole in state 6. A client that has read the old
//! index finds the old parts during the grace period. Without fingerprints, there is state 5. In it, the last part is
//! replaced first. If pages were added in front, a page can move to a later part, which is replaced before the earlier
//! one, so the page is in one of the two at every moment. If the new index lists all parts of the old one and more, state 6
//! comes before state 5, so that pages that moved to an added part are listed, too.
//!
//! A run removes only these visible files: files that the journal lists, and files that the index lists and whose names have
//! the form of this set's names. If the index is cut, it counts as listing the parts whose numbers follow each other. The
//! journal can have been copied from elsewhere, so it counts only for names that a part can have, and files of groups must be
//! sitemaps. Files stay if another index in the directory lists them ([`neighbours`]), if they are an index themselves, and as
//! long as another index cannot be read to its end.
//!
//! A run that fails empties `new/` itself when it is dropped.
//!
//! A dry run has neither a lock nor a hidden folder, so it goes through the same steps without reaching any of these states:
//! its [`PartFile`]s keep digests instead of bytes, and the files that it would rename or remove stay.

mod file;
mod found;
mod fs;
mod hidden;
mod journal;
mod kept;
mod names;
mod neighbours;
mod new_set;
mod published;
mod run;
mod switch;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_sitemap::{CompleteSet, Format, PartId, Parts, SitemapEntry, WriterBuilder};
use url::Url;

use self::names::{Names, invalid};
use self::new_set::{FileOptions, NewSet};
use self::run::Run;

use crate::files::failure;

pub use self::file::PartFile;
pub use self::published::{Published, PublishedPart};

/// The implementation of [`Parts`](quick_sitemap::Parts) for files in a directory: `sitemap-1.xml` (or `.xml.gz`, `.txt`,
/// `.txt.gz`), `sitemap-2.xml` and so on, and their index, `sitemap.xml`.
///
/// # Incomplete files are never visible
///
/// Every file is written in the hidden folder `.sitemap.set/new`, and synced to the disk.
/// [`finish`](quick_sitemap::SplitWriter::finish) renames the parts and the index. So at every moment, even after the process
/// was killed or the power failed, each visible file is a complete sitemap, and every part that the visible index lists
/// exists. If `finish` is never called, or fails before that, the old files are not changed, and temporary files are
/// removed when the `Directory` is dropped or, if the process was killed, by the next run.
///
/// Directories can be synced on Unix only. On other systems, which of the renames survive a power failure depends on the
/// file system, and permissions and owners are not passed on.
///
/// An unchanged file is not rewritten, and keeps its inode and its date. A file that is replaced passes on its
/// permissions and its owner, as far as the system allows it; new parts take those of the index. The set-user-ID,
/// set-group-ID and sticky bits are not passed on.
///
/// If a file cannot be replaced ([`finish`](quick_sitemap::SplitWriter::finish) fails), the files that were replaced before it are
/// put back, as far as the file system has hard links. If a file cannot be put back, the error names the files of the new
/// set. If only the removal of old parts fails, the error says that the new set is published.
///
/// If the directory is a symbolic link, the directory to which it leads when the run begins is written. A link in the place of
/// the index or of a part is an error, and nothing is changed: otherwise, anyone who can write to the directory could choose
/// which file the run replaces.
///
/// # Groups that stay
///
/// [`SplitWriter::keep`](quick_sitemap::SplitWriter::keep) keeps the parts of a group byte for byte, with their lines in the
/// index, so that only groups with changed pages must be written. The numbers of their entries are in the hidden folder, so
/// the parts are not read. If that folder was deleted, or if the size of a part has changed, the part is read and counted.
///
/// * With another [`gzip`](Self::gzip), [`fingerprint`](Self::fingerprint), limits or
///   [`single`](quick_sitemap::SplitWriter::single) than before, kept parts stay as they are, and the set is not single.
/// * It is an error if there is no index, if it lists no part of the group, or lists one under another base URL.
/// * It is an error if the index or a part that must be read is cut or damaged, or if a part is missing.
/// * Kept entries count for [`refuse_below`](Self::refuse_below), and kept parts for the 50,000 lines of the index.
///
/// After each of these errors, the old set stays.
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
/// on, and those of its [groups](quick_sitemap::SplitWriter::group). It removes such parts only if its own index listed them,
/// or if a killed run has left them, and [`Published::removed`] returns their paths. If `sitemap.xml` is neither a urlset nor an
/// index, a run fails and the file stays.
///
/// A file that the index of another set in the directory lists, or that is the index of another set, is never replaced
/// or removed. A run that would have to replace it fails; a run that would only have removed it leaves it there.
/// Every file that ends in `.xml` or `.xml.gz`, in any case, or that has no ending can be such an index. If one cannot be
/// read to its end (another program may be writing it), the set takes no names that it does not have yet, except those with a
/// fingerprint, and removes no file.
/// Several sets can share a directory under different [names](Self::name). Gzipped twins of the files, for servers that
/// send compressed files, are not changed unless a part is about to use the same name.
///
/// # Concurrent runs
///
/// If two runs write the same set, the first one wins: the first [`write`](quick_sitemap::SplitWriter::write) of the other run
/// fails at once with [`ResourceBusy`](io::ErrorKind::ResourceBusy), "another run is writing this set". A run is active from its
/// first `write` until it is finished or dropped. It holds a lock of the system
/// ([`File::try_lock`](std::fs::File::try_lock)) on the file `.sitemap.set/lock`. The system releases the lock when the
/// process ends, so a killed run never blocks the next one. On a file system without locks, the first `write` fails,
/// unless [`unlocked`](Self::unlocked) is set.
///
/// The hidden folder `.sitemap.set` stays in the directory. It gets the owner of the directory, as far as the system
/// allows it. You can delete it while no run is active; the set then forgets which files its index no longer lists. A hidden
/// folder of another directory, for example from a backup, does no harm: only names that a part can have are accepted from it.
///
/// The same entries and settings produce the same bytes: there are no time stamps, not even in gzip headers.
///
/// # Examples
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-directory-{}", std::process::id()));
/// use quick_sitemap::url::Url;
/// use quick_sitemap::{Reader, SplitWriter, UrlEntry, W3cDatetime};
/// use quick_sitemap_set::Directory;
///
/// let base: Url = "https://example.com/".parse().unwrap();
/// let mut site = SplitWriter::new(Directory::create(&public, &base)?.gzip(true));
/// site.write(&UrlEntry::try_from("https://example.com/a")?.with_lastmod("2024-03-04".parse::<W3cDatetime>()?))?;
/// site.write(&UrlEntry::try_from("https://example.com/b")?.with_lastmod("2024-01-02".parse::<W3cDatetime>()?))?;
/// assert!(!public.join("sitemap.xml").exists());
/// let index = site.finish()?;
/// assert_eq!(index.to_string(), "https://example.com/sitemap.xml");
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
    is_unlocked: bool,
    is_dry_run: bool,
    /// From `begin` on.
    begun: Option<NewSet>,
}

/// A day: longer than anyone takes to read a set of sitemaps.
const GRACE: Duration = Duration::from_secs(86_400);

impl Directory {
    /// Creates a set of sitemaps in the directory `path`, which is created with the first entry if it does not exist. `base`
    /// is the URL of the directory on the web, with or without a final slash; it is not the URL of the index. An existing set
    /// is replaced. Nothing is written before the first entry.
    ///
    /// A sitemap may list only pages at or below its own directory on the web (Sitemap Protocol 0.9). Other pages are
    /// rejected with [`OutsideLocation`](quick_sitemap::Rule::OutsideLocation), unless the settings of the writer allow them
    /// ([`any_directory`](WriterBuilder::any_directory), [`allow_site`](WriterBuilder::allow_site)). If all pages are
    /// rejected, check `base` first, because the URLs in the index start with it.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if `base` cannot be the start of the URL of a sitemap: it is not http or
    /// https, is too long, is not percent-encoded, or contains a user or a password.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-create-{}", std::process::id()));
    /// use quick_sitemap::{SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
    ///
    /// let mut maps = SplitWriter::new(Directory::create(&public, &"https://example.com/maps?x".parse().unwrap())?);
    /// maps.write(&UrlEntry::try_from("https://example.com/maps/a")?)?;
    /// assert_eq!(maps.finish()?.to_string(), "https://example.com/maps/sitemap.xml");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn create(path: impl AsRef<Path>, base: &Url) -> io::Result<Self> {
        let (mut base, name) = (base.clone(), "sitemap");
        if !base.username().is_empty() || base.password().is_some() {
            return Err(invalid(
                "the base URL of a set contains a user or a password",
            ));
        }
        check_url(&base)?;
        base.set_query(None);
        base.set_fragment(None);
        if let Ok(mut segments) = base.path_segments_mut() {
            segments.pop_if_empty().push("");
        }
        check_url(&Names::new(name, &base)?.longest_url(false))?;
        Ok(Self {
            folder: path.as_ref().to_owned(),
            base,
            name: name.to_owned(),
            options: FileOptions {
                gzip: false,
                fingerprint: false,
                grace: GRACE,
            },
            refuse_below: 1,
            is_unlocked: false,
            is_dry_run: false,
            begun: None,
        })
    }

    /// Sets whether the parts are gzipped, at level 5. The index is never gzipped, and neither is the one urlset of a
    /// [single](quick_sitemap::SplitWriter::single) set, because its name is that of the index. The default is `false`.
    pub const fn gzip(mut self, gzip: bool) -> Self {
        self.options.gzip = gzip;
        self
    }

    /// Sets the name of the files: `name.xml`, `name-1.xml` and so on. The default is `sitemap`.
    ///
    /// A name must consist of 1 to 100 of the characters A–Z, a–z, 0–9, `-`, `_`, `~` and `.`, and must not start with
    /// `.`. It must not end in `-` and digits, as the names of parts do, and must not be the name of a file that
    /// another index in the directory lists. With any other name, the first
    /// [`write`](quick_sitemap::SplitWriter::write) returns the error [`InvalidInput`](io::ErrorKind::InvalidInput).
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-name-{}", std::process::id()));
    /// use quick_sitemap::{SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.name("posts"));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// assert_eq!(site.finish()?.to_string(), "https://example.com/posts.xml");
    /// assert!(public.join("posts-1.xml").exists());
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
    /// see [atomic replacement](Self#atomic-replacement). The default is `false`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-fingerprint-{}", std::process::id()));
    /// use quick_sitemap::{Reader, SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
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

    /// Sets the minimum number of entries. If fewer entries were written or [kept](Self#groups-that-stay), [`finish`](quick_sitemap::SplitWriter::finish) fails
    /// and the old set stays, so that a failed query does not empty a site. The error is an I/O error of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData). The default is 1, so an empty set is an error; 0 allows it.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-below-{}", std::process::id()));
    /// use quick_sitemap::{SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.refuse_below(1_000));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// let error = site.finish().unwrap_err();
    /// assert!(format!("{error:#}").contains("the set is not published: 1 entry was written, but the minimum is 1000"));
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

    /// Sets whether the set is written without a lock. Use this on a file system that has no locks, and only if nothing else
    /// writes this set at the same time: of two runs at once, each removes the files that the other has not published yet. The
    /// default is `false`: a run takes the lock of the set, and on a file system without locks the first
    /// [`write`](quick_sitemap::SplitWriter::write) fails.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-unlocked-{}", std::process::id()));
    /// use quick_sitemap::{SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let mut site = SplitWriter::new(Directory::create(&public, &base)?.unlocked(true));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// assert!(public.join("sitemap.xml").exists() && !public.join(".sitemap.set/lock").exists());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn unlocked(mut self, unlocked: bool) -> Self {
        self.is_unlocked = unlocked;
        self
    }

    /// Sets whether nothing is written. The [`Published`] set is then the one that would have been published, so a build can
    /// check whether the sitemaps are up to date. Every part is compressed and compared with the visible file of its name,
    /// as in a real run. No lock is taken. The default is `false`.
    ///
    /// # Errors
    ///
    /// Writing returns the errors of a real run, except those of creating files and of a set that another run is writing.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-dry-run-{}", std::process::id()));
    /// use quick_sitemap::{SplitWriter, UrlEntry};
    /// use quick_sitemap_set::Directory;
    ///
    /// let base = "https://example.com/".parse().unwrap();
    /// let publish = |page: &str, dry_run| {
    ///     let mut site = SplitWriter::new(Directory::create(&public, &base)?.dry_run(dry_run));
    ///     site.write(&UrlEntry::try_from(page)?)?;
    ///     Ok::<_, quick_sitemap::Error>(site.finish()?.is_changed())
    /// };
    /// assert!(publish("https://example.com/a", true)?);
    /// assert!(!public.exists());
    /// publish("https://example.com/a", false)?;
    /// assert!(!publish("https://example.com/a", true)?);
    /// assert!(publish("https://example.com/b", true)?);
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn dry_run(mut self, dry_run: bool) -> Self {
        self.is_dry_run = dry_run;
        self
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
    type Part = PartFile;
    type Output = Published;

    fn location(&self) -> Option<Url> {
        let names = self.names().ok()?;
        Some(names.url(&names.index()))
    }

    fn begin(&mut self, format: Format, index: WriterBuilder) -> io::Result<()> {
        let names = self.names()?;
        check_url(&names.longest_url(self.options.fingerprint))?;
        let run = Run::begin(&self.folder, names, self.is_dry_run, !self.is_unlocked)?;
        let is_text = format == Format::Text;
        self.begun = Some(NewSet::new(run, self.options.clone(), is_text, index));
        Ok(())
    }

    fn open(&mut self, id: PartId<'_>) -> io::Result<PartFile> {
        self.begun()?.open(id)
    }

    fn close(&mut self, id: PartId<'_>, part: PartFile) -> io::Result<Url> {
        self.begun()?.close(id, part)
    }

    fn keep(&mut self, group: &str) -> io::Result<Vec<(SitemapEntry, u64)>> {
        self.begun()?.keep(group)
    }

    fn finish(mut self, set: CompleteSet<'_>) -> io::Result<Published> {
        let (least, written) = (self.refuse_below, set.entries);
        let begun = self.begun()?;
        if written >= least {
            return begun.finish(&set);
        }
        let were = if written == 1 {
            "entry was"
        } else {
            "entries were"
        };
        let why = format!(
            "the set is not published: {written} {were} written, but the minimum is {least}; `Directory::refuse_below` sets it"
        );
        let path = begun.index_path();
        Err(failure(io::ErrorKind::InvalidData, &path, &why))
    }
}

/// Returns an error if a sitemap cannot have this URL.
fn check_url(url: &Url) -> io::Result<()> {
    SitemapEntry::new(url.clone()).check().map_err(invalid)
}
