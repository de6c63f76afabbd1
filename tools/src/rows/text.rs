//! A URL on each line.

use std::io::BufRead;

use anyhow::Context;
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Rule};

use super::lines::Lines;
use super::row::{Refused, Row, page};

pub(super) struct Rows<R> {
    lines: Lines<R>,
    base: Option<Url>,
}

impl<R: BufRead> Rows<R> {
    pub(super) fn new(reader: R, base: Option<&Url>) -> Self {
        Self {
            lines: Lines::new(reader),
            base: base.cloned(),
        }
    }

    pub(super) fn line(&self) -> &[u8] {
        self.lines.latest()
    }

    /// Empty lines are skipped.
    pub(super) fn next(&mut self, name: &str) -> anyhow::Result<Option<Row>> {
        let Some(line) = self.lines.next().with_context(|| name.to_owned())? else {
            return Ok(None);
        };
        let entry = match std::str::from_utf8(line.text) {
            Ok(loc) => page(loc, self.base.as_ref())
                .map(Entry::Url)
                .map_err(Refused::from),
            Err(_) => Err(Refused::new(
                Rule::InvalidCharacter,
                "this line is not UTF-8",
            )),
        };
        Ok(Some(Row {
            line: line.number,
            byte: line.byte,
            entry,
            unknown: None,
        }))
    }
}
