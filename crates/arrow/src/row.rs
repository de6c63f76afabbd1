//! [`Row`]: the values of one row.

use quick_sitemap::{EntryKind, UrlEntry};

/// The values of one row. Each column takes its own.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row<'a> {
    /// The name of the file.
    pub(crate) source: Option<&'a str>,
    /// `None` in the row of an error.
    pub(crate) kind: Option<EntryKind>,
    pub(crate) loc: Option<&'a str>,
    pub(crate) host: Option<&'a str>,
    pub(crate) lastmod: Option<i64>,
    /// Only needed if its column is requested, like `host`.
    pub(crate) lastmod_text: Option<&'a str>,
    pub(crate) changefreq: Option<&'static str>,
    pub(crate) priority: Option<f64>,
    /// The page, from which the columns of extensions are taken. `None` if it has none, or if they are not requested.
    pub(crate) page: Option<&'a UrlEntry>,
    pub(crate) error: Option<RowError<'a>>,
}

/// An error as a row shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowError<'a> {
    pub(crate) kind: &'a str,
    pub(crate) text: &'a str,
}

impl<'a> Row<'a> {
    pub(crate) fn of_error(kind: &'a str, text: &'a str) -> Self {
        Self {
            error: Some(RowError { kind, text }),
            ..Self::default()
        }
    }

    /// The name of the kind of the entry or the error.
    pub(crate) fn kind_name(&self) -> Option<&'a str> {
        match self.kind {
            Some(EntryKind::Url) => Some("url"),
            Some(EntryKind::Sitemap) => Some("sitemap"),
            None => self.error.map(|error| error.kind),
        }
    }

    /// A list of the entry's, which is empty if the entry has none. `None` in the row of an error.
    pub(crate) fn list<T>(&self, take: impl FnOnce(&'a UrlEntry) -> &'a [T]) -> Option<&'a [T]> {
        self.kind.map(|_| self.page.map_or(&[][..], take))
    }
}
