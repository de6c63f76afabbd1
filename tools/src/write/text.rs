//! A URL on each line.

use std::io::BufRead;

use anyhow::Context;
use quick_sitemap::{Rule, UrlEntry, Violation};

use super::lines::Lines;
use super::sink::{Line, Sink};

/// Empty lines are passed over. A path that begins with a slash is one below `--base`.
pub(super) fn read(name: &str, reader: impl BufRead, sink: &mut Sink<'_>) -> anyhow::Result<()> {
    let mut lines = Lines::new(reader);
    while let Some((number, line)) = lines.next().with_context(|| name.to_owned())? {
        let place = Line { file: name, number };
        let Ok(line) = std::str::from_utf8(line) else {
            sink.refuse(
                Some(Rule::InvalidCharacter),
                place,
                "this line is not UTF-8",
            )?;
            continue;
        };
        match entry(line, sink) {
            Ok(entry) => sink.page(entry, place)?,
            Err(violation) => sink.refuse(Some(violation.rule()), place, &violation.to_string())?,
        }
    }
    Ok(())
}

/// A page at a URL, or at a path of the site.
pub(super) fn entry(loc: &str, sink: &Sink<'_>) -> Result<UrlEntry, Violation> {
    let base = sink.base;
    let joined = base
        .filter(|_| loc.starts_with('/') && !loc.starts_with("//"))
        .and_then(|base| base.join(loc).ok());
    match joined {
        Some(loc) => Ok(UrlEntry::new(loc)),
        None => UrlEntry::try_from(loc),
    }
}
