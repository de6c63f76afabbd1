//! `--history`: a line for each run.
//!
//! A line is written in one piece, at the end of the file, under a lock. A run that is killed, or a full disk, may leave a
//! part of a line at the end: the next run completes it or removes it.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::model::Run;
use crate::disk::{append_regular, open_regular};
use crate::term::address::no_url;
use crate::term::json;
use crate::term::messages::{Advised, Messages};

/// Runs that a report shows, the latest.
const RUNS: usize = 500;
/// No history has more bytes.
const LARGEST: u64 = 64 << 20;
/// The first bytes of a run.
const BEGIN: &[u8] = b"{\"made\"";

/// The file, locked from the moment when it is read until a line has been added.
#[derive(Debug)]
pub(super) struct History {
    path: PathBuf,
    /// `None` until there is one.
    file: Option<File>,
    runs: Vec<Run>,
    /// The last line is complete, except for its end.
    lacks_end: bool,
    /// The start of a part of a line at the end, in bytes.
    cut: Option<u64>,
}

impl History {
    /// Opens the file, if there is one, and reads the earlier runs.
    ///
    /// # Errors
    ///
    /// With the name of the file and the number of the line, if it is something else. If another run has the file.
    pub(super) fn find(path: &Path) -> anyhow::Result<Self> {
        no_url(path, "--history is a file")?;
        let mut history = Self {
            path: path.to_owned(),
            file: None,
            runs: Vec::new(),
            lacks_end: false,
            cut: None,
        };
        match open_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => history.create()?,
        }
        Ok(history)
    }

    /// Makes the file if there is none, but writes nothing to it.
    fn create(&mut self) -> anyhow::Result<()> {
        if self.file.is_some() {
            return Ok(());
        }
        let name = || self.path.display().to_string();
        let file = append_regular(&self.path).with_context(name)?;
        // Some file systems know no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            bail!("another run is writing to {}", self.path.display());
        }
        self.read(&file)
            .with_context(|| self.path.display().to_string())?;
        self.file = Some(file);
        Ok(())
    }

    /// Reads the earlier runs, one JSON object per line. A run that is cut at the end of the file is to be removed; any
    /// other line that is not a run is an error.
    fn read(&mut self, file: &File) -> anyhow::Result<()> {
        if file.metadata()?.len() > LARGEST {
            bail!("it is too large to be a history");
        }
        let mut text = Vec::new();
        file.take(LARGEST).read_to_end(&mut text)?;
        let mut at = 0;
        for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
            let run = line.trim_ascii();
            self.lacks_end = !line.ends_with(b"\n");
            match serde_json::from_slice(run) {
                Ok(run) => self.runs.push(run),
                Err(_) if run.is_empty() => {}
                // Only the beginning of a run is removed.
                Err(_) if self.lacks_end && (run.starts_with(BEGIN) || BEGIN.starts_with(run)) => {
                    (self.cut, self.lacks_end) = (Some(at), false);
                }
                Err(_) => {
                    let error = Advised::new(
                        format!("line {number} is not a run of `sitemap report`"),
                        "name another file, or remove the line",
                    );
                    return Err(error.into());
                }
            }
            at += line.len() as u64;
        }
        Ok(())
    }

    /// The latest runs before this one, the oldest first, and this one. Makes the file if there is none.
    ///
    /// # Errors
    ///
    /// As of [`find`](Self::find).
    pub(super) fn with(&mut self, run: &Run) -> anyhow::Result<Vec<Run>> {
        self.create()?;
        let first = (self.runs.len() + 1).saturating_sub(RUNS);
        let before = self.runs.iter().skip(first);
        Ok(before.chain([run]).cloned().collect())
    }

    /// Adds a run. When this returns, it is on the disk.
    pub(super) fn add(mut self, run: &Run, messages: &Messages) -> anyhow::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        if let Some(start) = self.cut {
            file.set_len(start)?;
            messages.warning("the last line of --history was incomplete and has been removed");
        }
        let mut line = String::new();
        if self.lacks_end {
            line.push('\n');
        }
        line.push_str(&json::text(run)?);
        line.push('\n');
        let before = file.seek(SeekFrom::End(0))?;
        let written = file
            .write_all(line.as_bytes())
            .and_then(|()| file.sync_data());
        if let Err(error) = written {
            // No part of the line stays.
            let _ = file.set_len(before);
            bail!("--history: {error}");
        }
        Ok(())
    }
}
