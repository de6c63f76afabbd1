//! A URL on each line.

use std::io::BufRead;

use anyhow::Context;
use quick_sitemap::Rule;

use super::sink::{Line, Sink};
use crate::rows::{self, Lines};

/// Empty lines are passed over. A path that begins with a slash is one below `--base`.
pub(super) fn read(name: &str, reader: impl BufRead, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let mut lines = Lines::new(reader);
    while let Some(line) = lines.next().with_context(|| name.to_owned())? {
        let place = Line {
            file: name,
            number: line.number,
        };
        let Ok(line) = std::str::from_utf8(line.text) else {
            sink.refuse(
                Some(Rule::InvalidCharacter),
                place,
                "this line is not UTF-8",
            )?;
            continue;
        };
        match rows::page(line, sink.base) {
            Ok(entry) => sink.page(entry, place)?,
            Err(violation) => sink.refuse(Some(violation.rule()), place, &violation.to_string())?,
        }
    }
    Ok(())
}
