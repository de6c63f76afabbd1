use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use url::Url;

use super::Parts;
use super::commit::{Run, at, remove};
use super::earlier::{Earlier, damaged};
use super::file::PartFile;
use super::names::{Names, PartId};
use super::set::{self, Set};
use crate::entry::SitemapEntry;
use crate::error::Result;
use crate::format::Format;
use crate::limits::MAX_ENTRIES;
use crate::writer::WriterBuilder;
use crate::xml::writer::check_url;

/// The ready-made [`Parts`]: files in a directory, `sitemap-1.xml` (or `.xml.gz`, `.txt`, `.txt.gz`), `sitemap-2.xml`
/// and so on, and their index, `sitemap.xml`.
///
/// # Nothing half-done is visible
///
/// Every file is written beside its final name, as `.sitemap-1.xml.….tmp`, and synced to the disk.
/// [`finish`](crate::SplitWriter::finish) renames the parts, then the index, and then removes the parts of an earlier
/// run that the new index does not name. So at every moment, also after the process was killed or the power failed,
/// each visible file is a whole sitemap, and every part that the visible index names is there. (Killed while it
/// renames, a run leaves the old index with some of its parts replaced by new ones.) If `finish` is never called, or
/// fails before that, the old files stand untouched, and the temporary ones are removed: when this is dropped, or,
/// had the process no time for it, by the next run.
///
/// # What is whose
///
/// The files called `sitemap.xml` and `sitemap-1.xml`, `sitemap-1.xml.gz`, `sitemap-1.txt`, `sitemap-1.txt.gz` and so
/// on are this directory's to replace and to remove (those that the old index named, and those whose numbers go on
/// without a gap); others are not touched. Several sets can share a directory under different [names](Self::name).
///
/// Of two runs at once the one that began later wins: the other's next part or `finish` fails, and it leaves nothing
/// behind. That is seen by a file which each run has; where two runs may rename at the very same moment, take turns
/// by means of your own.
///
/// The same entries and settings give the same bytes: there is no time stamp, also not in gzip headers.
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
    gzip: bool,
    level: u32,
    stylesheet: Option<String>,
    single: bool,
    /// The name of the set that is carried on.
    opened: Option<String>,
    begun: Option<Begun>,
}

/// What is known from `begin` on.
#[derive(Debug)]
struct Begun {
    run: Run,
    text: bool,
    index: WriterBuilder,
    /// Parts of the earlier run that stay; those of them that may be files of ours.
    stay: usize,
    kept: HashSet<PartId>,
    /// By how much the number of a file is larger than that of its part.
    shift: u32,
}

impl Directory {
    /// A set of sitemaps in the directory `path`, which is made if it is not there, to be found on the web below
    /// `base`: with or without a final slash the directory's URL. A set that is there already is replaced.
    /// Nothing else is written before the first entry.
    ///
    /// (A sitemap may list only pages at or below its own directory on the web; Sitemap Protocol 0.9.)
    ///
    /// # Errors
    ///
    /// An I/O error, if the directory cannot be made. [`UnsupportedScheme`](crate::Rule::UnsupportedScheme),
    /// [`UrlTooLong`](crate::Rule::UrlTooLong) or [`UrlNotEscaped`](crate::Rule::UrlNotEscaped) for `base`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-create-{}", std::process::id()));
    /// use quick_sitemap::{Directory, SplitWriter, UrlEntry};
    ///
    /// let maps = Directory::create(&public, &"https://example.com/maps?x".parse().unwrap())?;
    /// assert_eq!(SplitWriter::new(maps).finish()?.as_str(), "https://example.com/maps/sitemap.xml");
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn create(path: impl AsRef<Path>, base: &Url) -> Result<Self> {
        let path = path.as_ref();
        let directory = Self::new(path, "sitemap", base)?;
        fs::create_dir_all(path).map_err(at(path))?;
        Ok(directory)
    }

    /// The set of sitemaps that is in the directory `path`, to add entries to. `path` may also be the index itself,
    /// where it is not called `sitemap.xml`.
    ///
    /// The last part that the index names is carried on: its entries are written again, before the new ones. The
    /// other parts are not touched, nor read, wherever they are. With the same settings, what is written is what
    /// [`create`](Self::create) would have written of all the entries. If the last part is not one that a `Directory`
    /// with this name and base, and parts of this format, would have made, it stays as it is, too.
    ///
    /// [`gzip`](Self::gzip) and [`single`](Self::single) are by default as they were; [`name`](Self::name) must be.
    ///
    /// # Errors
    ///
    /// An I/O error, of the kind [`NotFound`](io::ErrorKind::NotFound) if there is no index; those of reading the
    /// index; an index of which something would be lost ([`InvalidData`](io::ErrorKind::InvalidData)); those of
    /// [`create`](Self::create) for `base`. A last part that cannot be read whole is an error of the first
    /// [`write`](crate::SplitWriter::write); nothing is changed then.
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
        let is_folder = fs::metadata(path).map_err(at(path))?.is_dir();
        let mut directory = if is_folder {
            Self::new(path, "sitemap", base)?
        } else {
            let name = path.file_name().and_then(|file| file.to_str());
            let name = name.and_then(|file| file.strip_suffix(".xml"));
            let name = name.ok_or_else(|| {
                let message = format!("{}: an index is called ….xml", path.display());
                io::Error::new(io::ErrorKind::InvalidInput, message)
            })?;
            let folder = path
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            Self::new(folder.unwrap_or(Path::new(".")), name, base)?
        };
        let names = Names::new(&directory.name, &directory.base)?;
        match Set::read(&directory.folder.join(names.index()))? {
            Set::Single => directory.single = true,
            Set::Index(parts) => {
                let last = parts.last().and_then(|last| names.part_at(&last.loc));
                directory.gzip = last.is_some_and(|last| last.gzip);
            }
        }
        directory.opened = Some(directory.name.clone());
        Ok(directory)
    }

    fn new(folder: &Path, name: &str, base: &Url) -> Result<Self> {
        check_url(base)?;
        let mut base = base.clone();
        base.set_query(None);
        base.set_fragment(None);
        if let Ok(mut segments) = base.path_segments_mut() {
            segments.pop_if_empty().push("");
        }
        Ok(Self {
            folder: folder.to_owned(),
            base,
            name: name.to_owned(),
            gzip: false,
            level: 6,
            stylesheet: None,
            single: false,
            opened: None,
            begun: None,
        })
    }

    /// Whether the parts are gzipped; the index never is. The default is `false`.
    pub const fn gzip(mut self, gzip: bool) -> Self {
        self.gzip = gzip;
        self
    }

    /// How hard gzip tries: from 0, not at all, to 9 (a larger number counts as that). The default is 6.
    /// Counts only where [`gzip`](Self::gzip) is `true`.
    pub const fn gzip_level(mut self, level: u32) -> Self {
        self.level = if level > 9 { 9 } else { level };
        self
    }

    /// What the files are called: `name.xml`, `name-1.xml` and so on. The default is `sitemap`.
    ///
    /// 1 to 100 of the characters A–Z, a–z, 0–9, `-`, `_`, `~` and `.`, which must not be the first; any other name,
    /// or one that is not that of a set that was [opened](Self::open), is an error of the first
    /// [`write`](crate::SplitWriter::write), of the kind [`InvalidInput`](io::ErrorKind::InvalidInput).
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

    /// An XSLT style sheet that browsers show the files with: the index, and the parts unless the
    /// [`WriterBuilder`] has one for them. The default is none.
    pub fn stylesheet(mut self, href: impl Into<String>) -> Self {
        self.stylesheet = Some(href.into());
        self
    }

    /// Whether a set of one part is that part alone, as `sitemap.xml` (never gzipped), without an index. With more
    /// parts there is an index as ever, and text parts always have one. The default is `false`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-single-{}", std::process::id()));
    /// use quick_sitemap::{Directory, Format, Reader, SplitWriter, UrlEntry};
    ///
    /// let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
    /// let mut site = SplitWriter::new(directory.single(true));
    /// site.write(&UrlEntry::try_from("https://example.com/a")?)?;
    /// site.finish()?;
    /// let mut reader = Reader::from_path(public.join("sitemap.xml"))?;
    /// assert_eq!(reader.format(), Some(Format::Urlset));
    /// assert!(!public.join("sitemap-1.xml").exists());
    /// # std::fs::remove_dir_all(&public).unwrap();
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn single(mut self, single: bool) -> Self {
        self.single = single;
        self
    }

    fn begun(&self) -> io::Result<&Begun> {
        let unknown = || io::Error::other("a directory is begun before parts are opened");
        self.begun.as_ref().ok_or_else(unknown)
    }

    fn part(&self, begun: &Begun, number: usize) -> io::Result<PartId> {
        let number = u32::try_from(number).ok();
        let number = number.and_then(|number| number.checked_add(begun.shift));
        Ok(PartId {
            number: number.ok_or_else(|| io::Error::other("part numbers have run out"))?,
            text: begun.text,
            gzip: self.gzip,
        })
    }

    /// Writes the file that stands for the set, and gives the name it was created under.
    fn write_index(&self, begun: &Begun, parts: &[SitemapEntry], new: &[PartId]) -> Result<String> {
        let index = begun.run.names().index();
        let file = match new {
            [part] if self.is_single(begun, parts) => {
                let part = begun.run.names().part(*part);
                if !self.gzip {
                    return Ok(part);
                }
                let path = begun.run.temporary(&part);
                let packed = File::open(&path).map_err(at(&path))?;
                let mut file = begun.run.create(&index)?;
                io::copy(&mut GzDecoder::new(packed), &mut file)?;
                remove(&path)?;
                file
            }
            _ => {
                let mut writer = begun.index.index(begun.run.create(&index)?);
                parts.iter().try_for_each(|part| writer.write(part))?;
                writer.finish()?
            }
        };
        file.sync_all()?;
        Ok(index)
    }

    const fn is_single(&self, begun: &Begun, parts: &[SitemapEntry]) -> bool {
        self.single && !begun.text && begun.stay == 0 && parts.len() == 1
    }
}

impl Parts for Directory {
    type Writer = PartFile;
    /// The URL of `sitemap.xml`, to be told to search engines or in robots.txt.
    type Output = Url;

    fn begin(&mut self, format: Format, settings: &mut WriterBuilder) -> Result<Earlier> {
        let names = Names::new(&self.name, &self.base)?;
        if self.opened.as_ref().is_some_and(|name| *name != self.name) {
            let message = "the name of a set that is carried on cannot be changed";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message).into());
        }
        let text = format == Format::Text;
        let longest = PartId {
            number: MAX_ENTRIES as u32,
            text,
            gzip: self.gzip,
        };
        check_url(&names.url(&names.part(longest)))?;
        settings.stylesheet_or(self.stylesheet.as_deref());
        let mut begun = Begun {
            run: Run::begin(&self.folder, names)?,
            text,
            index: settings.for_index(self.stylesheet.as_deref()),
            stay: 0,
            kept: HashSet::new(),
            shift: 0,
        };
        let mut earlier = Earlier::default();
        if self.opened.is_some() {
            earlier = self.carry_on(&mut begun)?;
        }
        self.begun = Some(begun);
        Ok(earlier)
    }

    fn open(&mut self, number: usize) -> io::Result<PartFile> {
        let begun = self.begun()?;
        let part = self.part(begun, number)?;
        let file = begun.run.create(&begun.run.names().part(part))?;
        Ok(match part.gzip {
            true => PartFile::gzip(file, self.level),
            false => PartFile::plain(file),
        })
    }

    fn close(&mut self, number: usize, writer: PartFile) -> io::Result<Url> {
        let begun = self.begun()?;
        let file = begun.run.names().part(self.part(begun, number)?);
        writer.close().map_err(at(&begun.run.path(&file)))?;
        Ok(begun.run.names().url(&file))
    }

    fn finish(self, parts: &[SitemapEntry]) -> Result<Url> {
        let begun = self.begun()?;
        let names = begun.run.names();
        let numbers = begun.stay + 1..=parts.len();
        let mut new = numbers
            .map(|number| self.part(begun, number))
            .collect::<io::Result<Vec<PartId>>>()?;
        let first = self.write_index(begun, parts, &new)?;
        if self.is_single(begun, parts) {
            new.clear();
        }
        let before = set::named_by(&begun.run.path(&names.index()), names)?;
        begun.run.publish(&new, &first, &begun.kept, before)?;
        Ok(names.url(&names.index()))
    }
}

impl Directory {
    fn carry_on(&self, begun: &mut Begun) -> Result<Earlier> {
        let names = begun.run.names();
        let mut parts = match Set::read(&begun.run.path(&names.index()))? {
            Set::Index(parts) => parts,
            Set::Single if begun.text => {
                return Err(damaged("text parts would lose what a urlset says").into());
            }
            Set::Single => {
                let earlier = Earlier {
                    parts: Vec::new(),
                    last: Some(self.input(&names.index())?),
                };
                return Ok(earlier);
            }
        };
        let last = parts.last().and_then(|last| names.part_at(&last.loc));
        let last = last.filter(|last| last.text == begun.text);
        let mut input = None;
        if let Some(last) = last {
            parts.pop();
            input = Some(self.input(&names.part(last))?);
        }
        begun.kept = parts
            .iter()
            .filter_map(|part| names.part_like(&part.loc))
            .collect();
        begun.stay = parts.len();
        // No new part may take the name of one that stays, in whatever order an index lists them.
        let highest = begun.kept.iter().map(|part| part.number).max();
        let highest = highest.max(last.map(|last| last.number - 1)).unwrap_or(0);
        begun.shift = highest.saturating_sub(parts.len() as u32);
        Ok(Earlier { parts, last: input })
    }

    fn input(&self, file: &str) -> io::Result<Box<dyn Read>> {
        let path = self.folder.join(file);
        Ok(Box::new(File::open(&path).map_err(at(&path))?))
    }
}
