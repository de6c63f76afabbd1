//! The columns of lists, for reading, writing and detection, and the names that other programs give them.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;
use quick_sitemap::{ChangeFreq, Entry, Violation};

use crate::term::clipped::clipped;
use crate::term::count::First;

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// `url` or `sitemap`, in what `sitemap show` prints.
    Kind,
    Loc,
    Lastmod,
    Changefreq,
    Priority,
    /// The sitemap that lists the page, in what `sitemap crawl` prints. It is no part of an entry.
    Sitemap,
    /// The publication date of an article, in what `sitemap show` prints. It is no part of what is read.
    Published,
    /// The page to which this one should lead. It is no part of an entry, and known only where it is compared.
    Expected,
}

use Column::{Changefreq, Expected, Kind, Lastmod, Loc, Priority, Published, Sitemap};

/// The columns of a page, in all lists that the program writes.
pub(crate) const PAGE: [Column; 4] = [Loc, Lastmod, Changefreq, Priority];
/// Those of an entry.
pub(crate) const ENTRY: [Column; 6] = [Kind, Loc, Lastmod, Changefreq, Priority, Published];

impl Column {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind => "kind",
            Loc => "loc",
            Lastmod => "lastmod",
            Changefreq => "changefreq",
            Priority => "priority",
            Sitemap => "sitemap",
            Published => "publication_date",
            Expected => "expected",
        }
    }

    /// The column of that name, in any case, and as spreadsheets name it.
    fn by_name(name: &str) -> Option<Self> {
        if name.eq_ignore_ascii_case("url") {
            return Some(Loc);
        }
        let mut columns = ENTRY.into_iter().chain([Sitemap, Expected]);
        columns.find(|column| column.name().eq_ignore_ascii_case(name))
    }

    /// The cell of an entry; empty for an absent value.
    pub(crate) fn cell(self, entry: &Entry) -> Cow<'_, str> {
        let page = entry.as_url();
        match self {
            Kind => page.map_or("sitemap", |_| "url").into(),
            Loc => entry.loc().as_str().into(),
            Lastmod => text(entry.lastmod()),
            Changefreq => {
                let word = page.and_then(|page| page.changefreq);
                word.map_or("", ChangeFreq::as_str).into()
            }
            Priority => text(page.and_then(|page| page.priority)),
            Published => text(page.and_then(|page| page.news.as_ref()?.publication_date)),
            Sitemap | Expected => "".into(),
        }
    }

    /// Takes a cell that is not empty. An entry is made of its loc, and ignores a value that it cannot have.
    pub(super) fn set(self, entry: &mut Entry, cell: &str) -> Result<(), Violation> {
        match (self, entry) {
            (Lastmod, Entry::Url(page)) => page.lastmod = Some(cell.parse()?),
            (Lastmod, Entry::Sitemap(sitemap)) => sitemap.lastmod = Some(cell.parse()?),
            (Changefreq, Entry::Url(page)) => page.changefreq = Some(cell.parse()?),
            (Priority, Entry::Url(page)) => page.priority = Some(cell.parse()?),
            _ => {}
        }
        Ok(())
    }
}

fn text(value: Option<impl ToString>) -> Cow<'static, str> {
    value.map_or("".into(), |value| value.to_string().into())
}

#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(crate) struct ColumnNames {
    /// In a table (CSV, TSV), the column NAME contains the FIELD: loc, lastmod, changefreq, priority, or expected for `probe
    /// --follow`, such as loc=Address; can be given several times
    #[arg(long, value_name = "FIELD=NAME", help_heading = None::<&str>)]
    column: Vec<ColumnName>,

    /// The targets of redirects are compared.
    #[arg(skip)]
    pub(crate) expects: bool,

    /// The first table that lacks a column that was named, and the names that it has.
    #[arg(skip)]
    lacking: Arc<OnceLock<(String, Vec<String>)>>,

    /// A list was read that has no columns.
    #[arg(skip)]
    has_plain: Arc<AtomicBool>,
}

impl ColumnNames {
    /// A column was named that has expected targets.
    pub(crate) fn names_targets(&self) -> bool {
        let mut named = self.column.iter();
        named.any(|named| named.column == Column::Expected)
    }

    /// Notes which of the columns that were named a table has.
    pub(super) fn see(&self, table: &str, header: &[String]) {
        for named in &self.column {
            if header.iter().any(|name| named.is(name)) {
                named.is_found.store(true, Ordering::Relaxed);
            } else {
                let lacking = || (table.to_owned(), header.to_vec());
                self.lacking.get_or_init(lacking);
            }
        }
    }

    /// Notes a list that has no columns, such as a table without its header.
    pub(super) fn see_plain(&self) {
        self.has_plain.store(true, Ordering::Relaxed);
    }

    /// Checks that each column that was named is one of a table that was read, if there was a list.
    ///
    /// # Errors
    ///
    /// If it is not: the field would be absent in silence.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let mut named = self.column.iter();
        let lost = named.find(|named| !named.is_found.load(Ordering::Relaxed));
        match (lost, self.lacking.get()) {
            (Some(lost), Some((table, header))) => bail!("{table}:1: {}", lost.is_not_in(header)),
            (Some(lost), None) if self.has_plain.load(Ordering::Relaxed) => {
                bail!("no table has a {lost}")
            }
            _ => Ok(()),
        }
    }

    /// The error of a table that has no column of URLs.
    pub(super) fn without_loc(&self, header: &[String]) -> String {
        let mut named = self.column.iter();
        match named.find(|named| named.column == Loc) {
            Some(named) => named.is_not_in(header),
            None => format!(
                "the first line must name the columns, and has no column `loc` or `url`, but {}; --column loc=NAME gives it another name",
                listed(header)
            ),
        }
    }

    /// The column of that name, in any case. A field that was given a name is in no other column.
    pub(super) fn of(&self, name: &str) -> Option<Column> {
        let mut named = self.column.iter();
        let column = match named.find(|named| named.is(name)) {
            Some(named) => Some(named.column),
            None => Column::by_name(name)
                .filter(|column| self.column.iter().all(|named| named.column != *column)),
        };
        column.filter(|column| *column != Column::Expected || self.expects)
    }
}

#[derive(Clone, Debug)]
struct ColumnName {
    column: Column,
    name: String,
    /// A table has it.
    is_found: Arc<AtomicBool>,
}

impl ColumnName {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn is_not_in(&self, header: &[String]) -> String {
        format!("there is no {self}; there are {}", listed(header))
    }
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (field, name) = (self.column.name(), clipped(&self.name));
        write!(f, "column `{name}` (--column {field}={name})")
    }
}

/// The first names of the columns of a table.
pub(crate) fn listed(names: &[String]) -> String {
    let named = names.iter().take(First::NAMED);
    let named: Vec<_> = named.map(|name| format!("`{}`", clipped(name))).collect();
    let more = if names.len() > named.len() {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", named.join(", "))
}

impl FromStr for ColumnName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (field, name) = text.split_once('=').ok_or("it is not FIELD=NAME")?;
        match Column::by_name(field) {
            Some(column)
                if !matches!(column, Kind | Sitemap | Published) && !name.trim().is_empty() =>
            {
                Ok(Self {
                    column,
                    name: name.trim().to_owned(),
                    is_found: Arc::default(),
                })
            }
            _ => Err("FIELD must be loc, lastmod, changefreq, priority or expected".to_owned()),
        }
    }
}
