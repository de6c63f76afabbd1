//! [`Published`]: the description of a set that was published.

use std::fmt;
use std::path::{Path, PathBuf};

use quick_sitemap::Format;
use url::Url;

/// A set of sitemaps that a [`Directory`](crate::Directory) has published, or would have published in a
/// [dry run](crate::Directory::dry_run). Returned by [`SplitWriter::finish`](quick_sitemap::SplitWriter::finish). It displays
/// the URL of the index.
///
/// # Examples
///
/// Upload the changed files, or purge them from a cache:
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-published-{}", std::process::id()));
/// use quick_sitemap::{Format, Limits, UrlEntry, WriterBuilder};
/// use quick_sitemap_set::Directory;
///
/// let base = "https://example.com/".parse().unwrap();
/// let settings = WriterBuilder::new().limits(Limits::default().with_entries(2));
/// let publish = |pages: &[&str]| {
///     let mut site = settings.split(Directory::create(&public, &base)?);
///     pages.iter().try_for_each(|page| site.write(&UrlEntry::new(base.join(page).unwrap())))?;
///     site.finish()
/// };
/// publish(&["a", "b", "c"])?;
/// let published = publish(&["a", "b", "c", "d"])?;
/// assert_eq!(published.format(), Format::Index);
/// let changed: Vec<_> = published.parts().iter().map(|part| (part.loc.path(), part.changed)).collect();
/// assert_eq!(changed, [("/sitemap-1.xml", false), ("/sitemap-2.xml", true)]);
/// # std::fs::remove_dir_all(&public).unwrap();
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Published {
    pub(super) index: Url,
    pub(super) path: PathBuf,
    pub(super) is_index_changed: bool,
    pub(super) format: Format,
    pub(super) parts: Vec<PublishedPart>,
    pub(super) removed: Vec<PathBuf>,
}

impl Published {
    /// Returns the URL of the index (or of the urlset that replaces it), for search engines and robots.txt.
    #[must_use]
    pub const fn index(&self) -> &Url {
        &self.index
    }

    /// Returns the path of the index.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the content of the index has changed.
    #[must_use]
    pub const fn is_index_changed(&self) -> bool {
        self.is_index_changed
    }

    /// Returns [`Format::Index`], or [`Format::Urlset`] if the set is a single urlset
    /// ([`single`](quick_sitemap::SplitWriter::single)), which has no parts.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Returns the parts, in the order of the index.
    #[must_use]
    pub fn parts(&self) -> &[PublishedPart] {
        &self.parts
    }

    /// Returns the parts of the groups that were [kept](quick_sitemap::SplitWriter::keep), in the order of the index.
    pub fn kept(&self) -> impl Iterator<Item = &PublishedPart> {
        self.parts.iter().filter(|part| part.is_kept)
    }

    /// Returns the paths of the parts that were removed, because the index no longer lists them. No other visible file is
    /// ever removed.
    #[must_use]
    pub fn removed(&self) -> &[PathBuf] {
        &self.removed
    }

    /// Returns `true` if any visible file was created, changed or removed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.is_index_changed
            || !self.removed.is_empty()
            || self.parts.iter().any(|part| part.changed)
    }
}

impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.index.as_str())
    }
}

/// One part of a [`Published`] set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PublishedPart {
    /// The URL of the part.
    pub loc: Url,
    /// The path of the file.
    pub path: PathBuf,
    /// `true` if the file is new or its content has changed.
    pub changed: bool,
    pub(super) is_kept: bool,
}
