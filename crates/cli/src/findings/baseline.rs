//! `--baseline`: findings that are known and fail no check.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::format::json;
use super::identity::{Identity, Known};
use crate::disk::open_regular;
use crate::judge::finding::Finding;
use crate::rows::Lines;
use crate::source::input::Input;
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
    /// Its lines, and those about files of this run.
    lines: u64,
    looked_for: u64,
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
            lines: 0,
            looked_for: 0,
            update,
        })
    }

    /// A sitemap is read from here on.
    pub(super) fn begin(&mut self, file: &str) {
        self.known.begin(file);
    }

    /// These inputs are checked.
    pub(crate) fn searches(&mut self, inputs: &[Input]) {
        self.known.searches(inputs);
    }

    /// Returns `true` if it has findings, all of which are in other files than those of this run.
    pub(crate) fn is_of_others(&self) -> bool {
        self.lines > 0 && self.looked_for == 0
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

    /// Numbers of this run: `200 known, 12 fixed`. `on_fixed` gets each known finding that was not found again, as a line,
    /// unless its sitemap could not be read to its end. If the run is not `is_whole`, none is fixed.
    pub(crate) fn finish(
        &mut self,
        is_whole: bool,
        on_fixed: &mut dyn FnMut(&str),
    ) -> anyhow::Result<String> {
        let (mut fixed, mut unread) = (0, 0);
        let (known, update) = (&mut self.known, &mut self.update);
        let (all, looked_for) = (&mut self.lines, &mut self.looked_for);
        lines(&self.path, update.is_some(), &mut |line, text| {
            *all += 1;
            *looked_for += u64::from(known.is_searched(&line.file));
            if !known.take(line.identity()) {
                return Ok(());
            }
            if !is_whole || known.is_unread(&line.file) {
                unread += 1;
                // It is as known as before.
                if let Some(update) = update {
                    update.write_all(text)?;
                    update.write_all(b"\n")?;
                }
            } else {
                fixed += 1;
                on_fixed(&format!("{}: {} [{}]", line.file, line.message, line.rule));
            }
            Ok(())
        })?;
        let not_read = "not looked for, as not everything was read";
        let others = [
            (self.accepted, "added to them"),
            (fixed, "fixed"),
            (unread, not_read),
        ];
        let mut text = format!("{} known", Grouped(self.count));
        for (number, name) in others.into_iter().filter(|(number, _)| *number > 0) {
            text.push_str(&format!(", {} {name}", Grouped(number)));
        }
        Ok(text)
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
