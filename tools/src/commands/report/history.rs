//! `--history`: a line for each run.
//!
//! A line is written in one piece, at the end of the file, under a lock. A run that is killed, or a full disk, may leave a
//! part of a line at the end: the next run completes it or removes it.

use std::collections::VecDeque;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::model::Run;
use crate::disk::{append_regular, open_regular};
use crate::term::address::no_url;
use crate::term::json;
use crate::term::messages::{Advised, Messages};

/// Runs that a report shows, the latest.
const RUNS: usize = 500;
/// Bytes of a line.
const LONGEST: u64 = 64 << 10;

/// The file, locked from the moment when it is read until a line has been added.
#[derive(Debug)]
pub(super) struct History {
    path: PathBuf,
    /// `None` until there is one.
    file: Option<File>,
    runs: VecDeque<Run>,
    /// Bytes of lines that are complete.
    whole: u64,
    /// The last line is complete, except for its end.
    lacks_end: bool,
    /// There is a part of a line at the end.
    is_cut: bool,
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
            runs: VecDeque::new(),
            whole: 0,
            lacks_end: false,
            is_cut: false,
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

    fn read(&mut self, file: &File) -> anyhow::Result<()> {
        let mut reader = BufReader::new(file);
        let (mut line, mut number) = (Vec::new(), 0_u64);
        loop {
            line.clear();
            let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut line)? as u64;
            if read == 0 {
                return Ok(());
            }
            number += 1;
            let is_whole = line.last() == Some(&b'\n');
            let text = line.trim_ascii();
            if text.is_empty() && is_whole {
                self.whole += read;
                continue;
            }
            match serde_json::from_slice::<Run>(text) {
                Ok(run) => {
                    self.whole += read;
                    self.lacks_end = !is_whole;
                    if self.runs.len() >= RUNS {
                        self.runs.pop_front();
                    }
                    self.runs.push_back(run);
                }
                Err(_) if !is_whole && read < LONGEST => {
                    // Only the beginning of a run is removed.
                    if !text.starts_with(b"{\"made\"") && !b"{\"made\"".starts_with(text) {
                        return Err(not_a_run(number));
                    }
                    self.is_cut = true;
                    return Ok(());
                }
                Err(_) => return Err(not_a_run(number)),
            }
        }
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
        if self.is_cut {
            file.set_len(self.whole)?;
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

/// The caller prints the name of the file before it.
fn not_a_run(number: u64) -> anyhow::Error {
    Advised::new(
        format!("line {number} is not a run of `sitemap report`"),
        "name another file, or remove the line",
    )
    .into()
}
