//! The columns of a table, and the names that other programs give them.

use std::str::FromStr;

use clap::Args;

/// The columns that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// `url` or `sitemap`, in what `sitemap show` prints.
    Kind,
    Loc,
    Lastmod,
    Changefreq,
    Priority,
    /// The page to which this one should lead: not a field of a page, and known only where it is compared.
    Expected,
}

impl Column {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::Changefreq => "changefreq",
            Self::Priority => "priority",
            Self::Expected => "expected",
        }
    }

    /// In any case, and as spreadsheets name it.
    fn by_field(name: &str) -> Option<Self> {
        match &*name.to_ascii_lowercase() {
            "kind" => Some(Self::Kind),
            "loc" | "url" => Some(Self::Loc),
            "lastmod" => Some(Self::Lastmod),
            "changefreq" => Some(Self::Changefreq),
            "priority" => Some(Self::Priority),
            "expected" => Some(Self::Expected),
            _ => None,
        }
    }
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
}

impl ColumnNames {
    #[cfg(test)]
    pub(super) const NONE: Self = Self {
        column: Vec::new(),
        expects: false,
    };

    /// The column of that name, in any case. A field that was given a name is in no other column.
    pub(super) fn of(&self, name: &str) -> Option<Column> {
        let names = &self.column;
        let mut named = names.iter();
        let column = match named.find(|known| known.name.eq_ignore_ascii_case(name)) {
            Some(known) => Some(known.column),
            None => Column::by_field(name)
                .filter(|column| names.iter().all(|known| known.column != *column)),
        };
        column.filter(|column| *column != Column::Expected || self.expects)
    }
}

#[derive(Clone, Debug)]
struct ColumnName {
    column: Column,
    name: String,
}

impl FromStr for ColumnName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (field, name) = text.split_once('=').ok_or("it is not FIELD=NAME")?;
        match Column::by_field(field) {
            Some(column) if column != Column::Kind && !name.trim().is_empty() => Ok(Self {
                column,
                name: name.trim().to_owned(),
            }),
            _ => Err("FIELD must be loc, lastmod, changefreq, priority or expected".to_owned()),
        }
    }
}
