//! `--baseline`: findings that are known and fail no check.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::format::json;
use super::identity::{Identity, Known};
use crate::disk::open_regular;
use crate::judge::finding::Finding;
use crate::judge::host_changes::HostChanges;
use crate::rows::Lines;
use crate::source::input::Input;
use crate::term::address::no_url;
use crate::term::count::Grouped;
use crate::term::messages::{Advised, Messages};

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
struct KnownFinding {
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
    pub(crate) fn read(
        path: &Path,
        update: Option<&'o mut dyn Write>,
        hosts: &HostChanges,
    ) -> anyhow::Result<Self> {
        no_url(path, "--baseline is a file")?;
        let mut known = Known::before(hosts);
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

    /// A sitemap is read from here on.
    pub(super) fn begin(&mut self, file: &str) {
        self.known.begin(file);
    }

    /// These inputs are checked.
    pub(crate) fn searches(&mut self, inputs: &[Input]) {
        self.known.searches(inputs);
    }

    /// Returns `true` if the finding was there before, or is accepted by an update.
    pub(super) fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        if let Some(update) = &mut self.update {
            json::write(update, file, finding)?;
        }
        let identity = self
            .known
            .see(file, finding, Identity::of_finding(file, finding));
        let is_known = self.known.take(identity);
        let is_accepted = !is_known && self.update.is_some();
        self.count += u64::from(is_known);
        self.accepted += u64::from(is_accepted);
        Ok(is_known || is_accepted)
    }

    /// Numbers of this run: `200 known, 12 fixed`. A finding that was not found again is fixed unless its sitemap could not
    /// be read to its end. If the run is not `is_whole`, none is fixed. With `is_verbose`, those that are fixed are named.
    ///
    /// # Errors
    ///
    /// Those of the files.
    pub(crate) fn finish(
        &mut self,
        is_whole: bool,
        is_verbose: bool,
        messages: &Messages,
    ) -> anyhow::Result<String> {
        let (mut fixed, mut unread, mut searched, mut first) = (0, 0, 0_u64, None);
        let (known, update) = (&mut self.known, &mut self.update);
        lines(&self.path, update.is_some(), &mut |line, text| {
            first.get_or_insert_with(|| line.file.clone());
            searched += u64::from(known.is_searched(&line.file));
            if !known.take(line.identity()) {
                return Ok(());
            }
            if is_whole && !known.is_unread(&line.file) {
                fixed += 1;
                if is_verbose {
                    let KnownFinding {
                        file,
                        message,
                        rule,
                        ..
                    } = line;
                    messages.note(format_args!("fixed: {file}: {message} [{rule}]"));
                }
                return Ok(());
            }
            unread += 1;
            // It is as known as before.
            if let Some(update) = update {
                update.write_all(text)?;
                update.write_all(b"\n")?;
            }
            Ok(())
        })?;
        if let Some(first) = first.filter(|_| searched == 0 && is_whole) {
            messages.warning(format_args!(
                "no sitemap of --baseline is among the inputs; it has `{first}`, and a relative path begins at the working folder"
            ));
        }
        let others = [
            (self.accepted, "added to them"),
            (fixed, "fixed"),
            (unread, "not looked for"),
        ];
        let others = others.iter().filter(|(number, _)| *number > 0);
        let others = others.map(|(number, name)| format!(", {} {name}", Grouped(*number)));
        Ok(format!(
            "{} known{}",
            Grouped(self.count),
            others.collect::<String>()
        ))
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
        let Ok(finding) = serde_json::from_slice(text) else {
            let (name, number) = (name(), line.number);
            bail!(Advised::new(
                format!("{name}: line {number} is not a finding of `sitemap check --format jsonl`"),
                "`--baseline FILE --update` writes the file",
            ));
        };
        on_line(&finding, text)?;
    }
    Ok(())
}
