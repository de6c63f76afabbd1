//! Which columns there are.

use std::fmt;
use std::str::FromStr;

/// A column of the record batches. All of them may hold nulls, and a projection changes nothing but which are there: the
/// number of rows and their order stay the same.
///
/// # Examples
///
/// ```
/// use quick_sitemap_arrow::Column;
///
/// assert_eq!(Column::DEFAULT.len(), 7);
/// assert_eq!("lastmod".parse(), Ok(Column::Lastmod));
/// assert_eq!(Column::LastmodText.name(), "lastmod_text");
/// assert_eq!("loca".parse::<Column>().unwrap_err().to_string(), "there is no column `loca`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// `source`, text: the name of the file, as it was given. Null if none was.
    Source,
    /// `kind`, text: `url` for a page, `sitemap` for a sitemap that an index lists. Null in the row of an error.
    Kind,
    /// `loc`, text: the URL as `Url` prints it, so that equal URLs are equal texts.
    Loc,
    /// `lastmod`, timestamp in microseconds, UTC: the start of the period that was written. `2024-05` is
    /// 2024-05-01T00:00:00Z, and a nanosecond is cut off.
    Lastmod,
    /// `changefreq`, text: one of the seven words of the protocol, in lower case.
    Changefreq,
    /// `priority`, 64-bit float: the number nearest to the decimal text, so that `priority = 0.8` finds `0.8`. Null
    /// where there is none, which counts as 0.5.
    Priority,
    /// `error`, text: what ended the reading of a file, with its place, in a row of its own that is null in all other
    /// columns but `source` and `issues`. Null in every other row.
    Error,
    /// `host`, text: the host of the loc, as `Url` gives it.
    Host,
    /// `lastmod_text`, text: the lastmod in W3C form with the precision and the offset that were written. Null where
    /// `lastmod` is.
    LastmodText,
    /// `alternates`, list of structs: the `xhtml:link` elements. Like all lists it is empty where there are none, and
    /// null only in the row of an error.
    Alternates,
    /// `images`, list of structs.
    Images,
    /// `videos`, list of structs.
    Videos,
    /// `news`, list of structs: one at most.
    News,
    /// `issues`, list of structs: what was found in the entry and in what was skipped before it. What stands behind the
    /// last entry counts as that entry's. A file that gives no row has no place for its issues. At most 1,000 a row,
    /// then one that counts the rest; and once more as many in the last row of a file.
    Issues,
}

impl Column {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Source,
        Self::Kind,
        Self::Loc,
        Self::Lastmod,
        Self::Changefreq,
        Self::Priority,
        Self::Error,
        Self::Host,
        Self::LastmodText,
        Self::Alternates,
        Self::Images,
        Self::Videos,
        Self::News,
        Self::Issues,
    ];

    /// Those that are there unless others are asked for: the first seven.
    pub const DEFAULT: &'static [Self] = &[
        Self::Source,
        Self::Kind,
        Self::Loc,
        Self::Lastmod,
        Self::Changefreq,
        Self::Priority,
        Self::Error,
    ];

    /// Its name in the schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Kind => "kind",
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::Changefreq => "changefreq",
            Self::Priority => "priority",
            Self::Error => "error",
            Self::Host => "host",
            Self::LastmodText => "lastmod_text",
            Self::Alternates => "alternates",
            Self::Images => "images",
            Self::Videos => "videos",
            Self::News => "news",
            Self::Issues => "issues",
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no column of this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no column `{0}`")]
pub struct UnknownColumn(Box<str>);

/// By its name in the schema.
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
