//! The columns: one table, from which all code for single columns is generated.

use std::fmt;
use std::str::FromStr;

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType};
use quick_sitemap::{Alternate, Image, News, Video};

use crate::cells::{Cell, Last, List, Number, OpenList, Runs, Strings, Text, Timestamp};
use crate::extensions::{AlternateRecord, ImageRecord, NewsRecord, VideoRecord};
use crate::issues::IssueRecord;
use crate::row::Row;
use crate::source_name::one_line;

/// For each column: the variant of [`Column`], its name, its cell, and the value that the cell takes from a row. The
/// columns of `extensions` are those for which an entry must be interpreted.
macro_rules! columns {
    (
        default { $($(#[$default_doc:meta])* $default:ident $default_name:ident: $default_cell:ty = $default_take:expr,)* }
        on_demand { $($(#[$demand_doc:meta])* $demand:ident $demand_name:ident: $demand_cell:ty = $demand_take:expr,)* }
        extensions { $($(#[$extension_doc:meta])* $extension:ident $extension_name:ident: $extension_cell:ty = $extension_take:expr,)* }
        issues { $($(#[$issue_doc:meta])* $issue:ident $issue_name:ident: $issue_cell:ty = $issue_take:expr,)* }
    ) => {
        columns! {
            @default $($default,)*
            @extensions $($extension,)*
            @all
            $($(#[$default_doc])* $default $default_name: $default_cell = $default_take,)*
            $($(#[$demand_doc])* $demand $demand_name: $demand_cell = $demand_take,)*
            $($(#[$extension_doc])* $extension $extension_name: $extension_cell = $extension_take,)*
            $($(#[$issue_doc])* $issue $issue_name: $issue_cell = $issue_take,)*
        }
    };
    (
        @default $($default:ident,)*
        @extensions $($extension:ident,)*
        @all $($(#[$doc:meta])* $column:ident $name:ident: $cell:ty = $take:expr,)*
    ) => {
        /// A column of the record batches. Every column can be null. The number of rows and their order do not depend on
        /// the columns that you choose.
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap_arrow::Column;
        ///
        /// assert_eq!(Column::DEFAULT.len(), 8);
        /// assert_eq!("lastmod".parse(), Ok(Column::Lastmod));
        /// assert_eq!(Column::LastmodText.name(), "lastmod_text");
        /// let error = "loca".parse::<Column>().unwrap_err().to_string();
        /// assert!(error.starts_with("there is no column `loca`; the columns are source, kind, loc, "));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Column {
            $($(#[$doc])* $column,)*
        }

        impl Column {
            /// All columns.
            pub const ALL: &'static [Self] = &[$(Self::$column,)*];

            /// The columns by default: the first eight.
            pub const DEFAULT: &'static [Self] = &[$(Self::$default,)*];

            const EXTENSIONS: &'static [Self] = &[$(Self::$extension,)*];

            /// Returns the name of the column in the schema.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$column => stringify!($name),)*
                }
            }

            pub(crate) fn data_type(self, strings: Strings) -> DataType {
                match self {
                    $(Self::$column => <$cell as Cell>::data_type(strings),)*
                }
            }
        }

        /// The cells of the requested columns.
        #[derive(Debug)]
        pub(crate) struct Cells {
            $(pub(crate) $name: Option<$cell>,)*
        }

        impl Cells {
            pub(crate) fn new(asked: &[Column], strings: Strings) -> Self {
                Self {
                    $($name: asked.contains(&Column::$column).then(|| <$cell as Cell>::new(strings)),)*
                }
            }

            /// Appends a row, and returns about how many bytes it takes, besides those of its run.
            #[inline]
            pub(crate) fn append(&mut self, row: &Row<'_>) -> usize {
                let mut bytes = 0;
                $(if let Some(cell) = &mut self.$name {
                    let take: for<'r, 'a> fn(&'r Row<'a>) -> <$cell as Cell>::Value<'a> = $take;
                    bytes += cell.append(take(row));
                })*
                bytes
            }

            /// Begins a run of rows that have the same source, kind and error. Returns about how many bytes these take
            /// per row.
            pub(crate) fn begin_run(&mut self, row: &Row<'_>) -> usize {
                let mut bytes = 0;
                $(if let Some(cell) = &mut self.$name {
                    let take: for<'r, 'a> fn(&'r Row<'a>) -> <$cell as Cell>::Value<'a> = $take;
                    bytes += cell.begin_run(take(row));
                })*
                bytes
            }

            pub(crate) fn end_run(&mut self, rows: usize) {
                $(if let Some(cell) = &mut self.$name {
                    cell.end_run(rows);
                })*
            }

            /// Returns the array of a column, or `None` if the column was not requested.
            pub(crate) fn finish(&mut self, column: Column) -> Option<Result<ArrayRef, ArrowError>> {
                match column {
                    $(Column::$column => self.$name.as_mut().map(Cell::finish),)*
                }
            }
        }
    };
}

columns! {
    default {
        /// `source`, text: the name of the file, as the caller passed it. A user and a password in it are replaced by
        /// `***`. Null if the file has no name.
        Source source: Runs = |row| row.source,
        /// `kind`, text: `url` for a page, `sitemap` for a sitemap that an index lists. In the row of an error it is the
        /// kind of the error: the name of an [`ErrorKind`](quick_sitemap::ErrorKind::name), such as `truncated`, or
        /// `no-entries`.
        Kind kind: Runs = |row| row.kind_name(),
        /// `loc`, text: the URL as `Url` prints it, so that equal URLs are equal texts.
        Loc loc: Text = |row| row.loc,
        /// `lastmod`, timestamp in microseconds, UTC: the start of the period that was written. `2024-05` is
        /// 2024-05-01T00:00:00Z. Smaller parts than microseconds are truncated. Null if there is none, or if an offset
        /// leads out of the years 1 to 9999.
        Lastmod lastmod: Timestamp = |row| row.lastmod,
        /// `changefreq`, text: one of the seven words of the protocol, in lower case.
        Changefreq changefreq: Text = |row| row.changefreq,
        /// `priority`, 64-bit float: the number nearest to the decimal text, so that `priority = 0.8` finds `0.8`. Null
        /// if there is none, which means 0.5.
        Priority priority: Number = |row| row.priority,
        /// `error`, text: the reason why reading a file ended early, with its position, or that the file has no entries. Such
        /// a row is null in all other columns except `source`, `kind`, `skipped` and `issues`. In every other row, `error` is
        /// null.
        Error error: Runs = |row| row.error.map(|error| error.text),
        /// `skipped`, 64-bit integer: the number of entries of the file that were skipped or raised as an error, in the last
        /// row of each file. Null in every other row, so the sum over the rows of a file is this number.
        Skipped skipped: Last = |_| (),
    }
    on_demand {
        /// `host`, text: the host of the loc, as `Url` returns it.
        Host host: Text = |row| row.host,
        /// `lastmod_text`, text: the lastmod in W3C form with the precision and the offset that were written. Null if
        /// there is no lastmod.
        LastmodText lastmod_text: Text = |row| row.lastmod_text,
    }
    extensions {
        /// `alternates`, list of structs: the `xhtml:link` elements. Like all lists of extensions it is empty if there
        /// are none, and null only in the row of an error.
        Alternates alternates: List<AlternateRecord, Alternate> = |row| row.list(|page| &page.alternates),
        /// `images`, list of structs.
        Images images: List<ImageRecord, Image> = |row| row.list(|page| &page.images),
        /// `videos`, list of structs.
        Videos videos: List<VideoRecord, Video> = |row| row.list(|page| &page.videos),
        /// `news`, list of structs: one at most.
        News news: List<NewsRecord, News> = |row| row.list(|page| page.news.as_deref().map_or(&[], std::slice::from_ref)),
    }
    issues {
        /// `issues`, list of structs: the issues of the entry, and of entries that were skipped before it. Issues after
        /// the last entry are in the last row of the file. A row has at most 1,000 issues, and one with the number of further
        /// issues. The last row of a file can have twice as many.
        Issues issues: OpenList<IssueRecord> = |_| (),
    }
}

impl Cells {
    /// Returns `true` if a column of extensions is requested.
    pub(crate) fn has_extensions(asked: &[Column]) -> bool {
        asked
            .iter()
            .any(|column| Column::EXTENSIONS.contains(column))
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that is not the name of a [`Column`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no column `{}`; the columns are {}", one_line(.0), names().join(", "))]
pub struct UnknownColumn(Box<str>);

fn names() -> Vec<&'static str> {
    Column::ALL.iter().map(|column| column.name()).collect()
}

/// Looks up the column by its [`name`](Column::name).
///
/// # Errors
///
/// [`UnknownColumn`] for any other name.
impl FromStr for Column {
    type Err = UnknownColumn;

    fn from_str(name: &str) -> Result<Self, UnknownColumn> {
        let mut all = Self::ALL.iter();
        let found = all.find(|column| column.name() == name);
        found.copied().ok_or_else(|| UnknownColumn(name.into()))
    }
}
