//! `--baseline`: findings that are known and fail no check.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::form::json;
use super::identity::{Identity, Known};
use crate::disk::open_regular;
use crate::judge::finding::Finding;
use crate::rows::Lines;
use crate::term::address::no_url;
use crate::term::count::Grouped;
use crate::term::messages::Advised;

/// The output of an earlier `check --format jsonl`, compared with the current findings.
pub(crate) struct Baseline<'o> {
    path: PathBuf,
    known: Known,
    /// Findings that were known, and those that an update accepts.
    count: u64,
    accepted: u64,
    /// All findings are written to it, to be the next baseline.
    update: Option<&'o mut dyn Write>,
}

/// A line of the file. It may have more fields.
#[derive(Debug, Deserialize)]
pub(crate) struct KnownFinding {
    file: String,
    rule: String,
    page: Option<String>,
    message: String,
}

impl KnownFinding {
    fn identity(&self) -> Identity {
        Identity::of(&self.rule, &self.file, self.page.as_deref(), &self.message)
    }
}

/// Findings that were not found again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gone {
    pub(crate) fixed: u64,
    /// Findings of sitemaps that could not be read to their end.
    pub(crate) unread: u64,
}

impl<'o> Baseline<'o> {
    /// With `update`, all findings of this run are written there, and there may be no file yet.
    ///
    /// # Errors
    ///
    /// With the name of the file and the number of the line that is not a finding.
    pub(crate) fn read(path: &Path, update: Option<&'o mut dyn Write>) -> anyhow::Result<Self> {
        no_url(path, "--baseline is a file")?;
        let mut known = Known::default();
        lines(path, update.is_some(), &mut |line, _| {
            known.add(line.identity());
            Ok(())
        })?;
        Ok(Self {
            path: path.to_owned(),
            known,
            count: 0,
            accepted: 0,
            update,
        })
    }

    /// Returns `true` if the finding was there before, or is accepted by an update.
    pub(super) fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        if let Some(update) = &mut self.update {
            json::write(update, file, finding)?;
        }
        let identity = self.known.see(file, finding);
        let is_known = self.known.take(identity);
        let is_accepted = !is_known && self.update.is_some();
        self.count += u64::from(is_known);
        self.accepted += u64::from(is_accepted);
        Ok(is_known || is_accepted)
    }

    /// Numbers of this run: `200 known, 12 fixed`.
    pub(crate) fn counted(&self, gone: Gone) -> String {
        let numbers = [
            (self.count, "known"),
            (self.accepted, "added to them"),
            (gone.fixed, "fixed"),
            (
                gone.unread,
                "not looked for, as not everything could be read",
            ),
        ];
        let is_shown = |(number, name): &(u64, &str)| *number > 0 || *name == "known";
        let parts = numbers.into_iter().filter(is_shown);
        let parts: Vec<_> = parts
            .map(|(number, name)| format!("{} {name}", Grouped(number)))
            .collect();
        parts.join(", ")
    }

    /// The known findings that were not found again. `on_fixed` gets each that is fixed, as a line. If the run is not
    /// `is_whole`, none is fixed.
    pub(crate) fn gone(
        &mut self,
        is_whole: bool,
        on_fixed: &mut dyn FnMut(&str),
    ) -> anyhow::Result<Gone> {
        let mut gone = Gone::default();
        let (known, update) = (&mut self.known, &mut self.update);
        lines(&self.path, update.is_some(), &mut |line, text| {
            if !known.take(line.identity()) {
                return Ok(());
            }
            if !is_whole || known.is_unread(&line.file) {
                gone.unread += 1;
                // It is as known as before.
                if let Some(update) = update {
                    update.write_all(text)?;
                    update.write_all(b"\n")?;
                }
            } else {
                gone.fixed += 1;
                let KnownFinding {
                    file,
                    rule,
                    message,
                    ..
                } = line;
                on_fixed(&format!("{file}: {message} [{rule}]"));
            }
            Ok(())
        })?;
        Ok(gone)
    }
}

impl std::fmt::Debug for Baseline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Baseline({})", self.path.display())
    }
}

/// Reads the lines of the file. With `may_be_missing`, a file that does not exist has none.
fn lines(
    path: &Path,
    may_be_missing: bool,
    on_line: &mut dyn FnMut(&KnownFinding, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let name = || path.display().to_string();
    let file = match open_regular(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && may_be_missing => return Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(Advised::new(
            format!("{}: {error}", name()),
            "`--baseline FILE --update` makes the file",
        )),
        file => file.with_context(name)?,
    };
    let mut lines = Lines::new(BufReader::new(file));
    while let Some(line) = lines.next().with_context(name)? {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        match serde_json::from_slice::<KnownFinding>(text) {
            Ok(finding) => on_line(&finding, text)?,
            Err(_) => bail!(Advised::new(
                format!(
                    "{}: line {} is not a finding of `sitemap check --format jsonl`",
                    name(),
                    line.number
                ),
                "`--baseline FILE --update` writes the file",
            )),
        }
    }
    Ok(())
}
