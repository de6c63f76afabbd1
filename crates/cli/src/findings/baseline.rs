//! `--baseline`: findings that are known and fail no check.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use super::answered::{Answered, Earlier};
use super::format::json;
use super::identity::{Identity, Known};
use crate::disk::open_regular;
use crate::judge::finding::Finding;
use crate::judge::host_changes::HostChanges;
use crate::rows::Lines;
use crate::rows::sealed::{Seal, Sealing};
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
    update: Option<Update<'o>>,
}

/// The next baseline, which ends with a seal.
struct Update<'o> {
    file: &'o mut dyn Write,
    sealing: Sealing,
}

impl Update<'_> {
    fn line(&mut self, text: &[u8]) -> anyhow::Result<()> {
        self.sealing.line(text);
        self.file.write_all(text)?;
        Ok(self.file.write_all(b"\n")?)
    }

    fn seal(&mut self) -> anyhow::Result<()> {
        let seal = serde_json::to_vec(&self.sealing.seal())?;
        self.line(&seal)
    }
}

/// A line of the file. It may have more fields.
#[derive(Debug, Deserialize)]
struct KnownFinding {
    file: String,
    rule: String,
    page: Option<String>,
    element: Option<String>,
    /// The format of the sitemap.
    format: Option<String>,
    #[serde(default)]
    message: String,
}

impl KnownFinding {
    fn identity(&self) -> Identity {
        let (page, element) = (self.page.as_deref(), self.element.as_deref());
        Identity::of(&self.rule, &self.file, page, element)
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
            known.has_older |= line.element.is_none() && line.format.is_none();
            Ok(())
        })?;
        let sealing = Sealing::default();
        Ok(Self {
            path: path.to_owned(),
            known,
            count: 0,
            accepted: 0,
            update: update.map(|file| Update { file, sealing }),
        })
    }

    /// Returns `true` if the finding was there before, or is accepted by an update.
    pub(super) fn knows(&mut self, file: &str, finding: &Finding) -> anyhow::Result<bool> {
        if let Some(update) = &mut self.update {
            let mut line = Vec::new();
            json::write(&mut line, file, finding)?;
            update.line(line.trim_ascii_end())?;
        }
        let is_known = self.known.knows(file, finding);
        let is_accepted = !is_known && self.update.is_some();
        self.count += u64::from(is_known);
        self.accepted += u64::from(is_accepted);
        Ok(is_known || is_accepted)
    }

    pub(super) fn not_judged(&mut self, file: &str, finding: &Finding) {
        self.known.not_judged(file, finding);
    }

    /// Numbers of this run: `200 known, 12 fixed`. A finding that was not found again is fixed if its rule was asked of its
    /// sitemap. With `is_verbose`, those that are fixed are named.
    ///
    /// # Errors
    ///
    /// Those of the files.
    pub(crate) fn finish(
        &mut self,
        answered: &Answered<'_>,
        is_verbose: bool,
        messages: &Messages,
    ) -> anyhow::Result<String> {
        let (mut fixed, mut unread, mut searched, mut first) = (0, 0, 0_u64, None);
        let (known, update) = (&mut self.known, &mut self.update);
        lines(&self.path, update.is_some(), &mut |line, text| {
            first.get_or_insert_with(|| line.file.clone());
            let Some(is_judged) = known.left(&line.file, line.identity()) else {
                searched += 1;
                return Ok(());
            };
            let earlier = Earlier {
                file: &line.file,
                rule: &line.rule,
                page: line.page.as_deref(),
                format: line.format.as_deref(),
                is_listing_known: !known.has_lost_robots,
            };
            let is_fixed = is_judged && answered.is_fixed(earlier);
            searched += u64::from(is_fixed || answered.has(&line.file));
            if is_fixed {
                fixed += 1;
                if is_verbose {
                    let (file, message) = (&line.file, &line.message);
                    messages.note(format_args!("fixed: {file}: {message} [{}]", line.rule));
                }
                return Ok(());
            }
            unread += 1;
            // It is as known as before.
            update.as_mut().map_or(Ok(()), |update| update.line(text))
        })?;
        update.as_mut().map_or(Ok(()), Update::seal)?;
        if let Some(first) = first.filter(|_| searched == 0) {
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
    let (mut sealing, mut is_sealed) = (Sealing::default(), false);
    while let Some(line) = lines.next().with_context(name)? {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        if let Some(seal) = Seal::of(text) {
            seal.check(&sealing).with_context(name)?;
            is_sealed = true;
            continue;
        }
        if std::mem::replace(&mut is_sealed, false) {
            bail!("{}: line {} follows the last one", name(), line.number);
        }
        sealing.line(text);
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
