//! Pages on their way from lists to sitemaps.

use std::fmt::Display;
use std::ops::ControlFlow;

use anyhow::{Context, bail};
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Rule, UrlEntry};

use crate::rows::{self, RowFormat, Rows};
use crate::source::pages::Place;
use crate::sets::target::Target;
use crate::source::filter::LocFilter;
use crate::source::input::{Input, Network};
use crate::source::walk::{self, Item, Outcome, Unusable};
use crate::term::interrupt;

/// Takes the pages of all inputs.
pub(crate) struct Intake<'a> {
    pub(crate) filter: &'a LocFilter,
    /// Paths are resolved against this URL.
    pub(crate) base: Option<&'a Url>,
    /// Unknown columns and fields are ignored, instead of being an error.
    pub(crate) ignore_unknown: bool,
    pub(crate) target: Target<'a>,
    /// Pages that the filter has left out.
    pub(crate) filtered: u64,
    /// Number of pages and of rejected lines, with any result.
    pub(crate) entries: u64,
}

impl Intake<'_> {
    pub(crate) fn page(&mut self, entry: UrlEntry, place: &dyn Display) -> anyhow::Result<()> {
        self.entries += 1;
        if !self.filter.keeps(entry.loc.as_str()) {
            self.filtered += 1;
            return Ok(());
        }
        self.target.page(entry, place)
    }

    /// Reads a list, whose format is detected if it is `None`. An unknown column or field is an error, because a misspelled `lastmode` would otherwise be lost
    /// silently.
    pub(crate) fn read(&mut self, input: &Input, format: Option<RowFormat>) -> anyhow::Result<()> {
        let name = input.to_string();
        let reader = match input {
            Input::Url(url) => bail!(
                "{url}: `write` reads files; use `sitemap edit {url}` for the pages of a sitemap"
            ),
            input => input.open(&Network::default())?.reader,
        };
        let (format, reader) =
            rows::detect_list(format, input.path(), reader).with_context(|| name.clone())?;
        let mut rows = Rows::new(format, reader, self.base).with_context(|| format!("{name}:1"))?;
        if let Some(column) = rows.unknown_columns().first()
            && !self.ignore_unknown
        {
            bail!(
                "{name}:1: unknown column `{column}` (not loc, lastmod, changefreq or priority); use --ignore-unknown to ignore it"
            );
        }
        let list = walk::list(
            &mut rows,
            &name,
            None,
            &mut List {
                intake: self,
                name: &name,
            },
        )?;
        match list.outcome {
            Outcome::Broken(error) => Err(error),
            _ => interrupt::check().map_err(Into::into),
        }
    }

    /// A row that no entry could be made of.
    fn refuse(&mut self, rule: Option<Rule>, place: &Place<'_>, why: &str) -> anyhow::Result<()> {
        self.entries += 1;
        self.target.refuse(rule, place, &why)
    }
}

/// The rows of a list.
struct List<'l, 'a> {
    intake: &'l mut Intake<'a>,
    name: &'l str,
}

impl walk::Sink for List<'_, '_> {
    fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        let place = Place {
            file: self.name,
            line: item.origin.line(),
        };
        if let Some(field) = &item.unknown
            && !self.intake.ignore_unknown
        {
            bail!("{place}: unknown field `{field}`; use --ignore-unknown to ignore it");
        }
        match item.take() {
            Ok(Entry::Url(entry)) => self.intake.page(entry, &place)?,
            Ok(Entry::Sitemap(_)) => {
                let rule = Some(Rule::MisplacedEntry);
                self.intake
                    .refuse(rule, &place, "this is a sitemap, not a page")?;
            }
            Err(Unusable::Refused(refused)) => {
                self.intake.refuse(refused.rule, &place, &refused.why)?;
            }
            Err(Unusable::Skipped) => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
