//! `--history`: a line for each run.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::model::Run;
use crate::disk::open_regular;
use crate::rows::log::{Kind, Log};
use crate::term::messages::Messages;

/// Runs that a report shows, the latest.
const RUNS: usize = 500;
const LINES: Kind = Kind {
    begin: "{\"made\"",
    name: "a run of `sitemap report`",
    advice: "name another file, or remove the line",
};

#[derive(Debug)]
pub(crate) struct History {
    path: PathBuf,
    /// `None` until there is a file.
    log: Option<Log>,
    /// The latest.
    runs: VecDeque<Run>,
}

impl History {
    /// Opens the file, if there is one, and reads the earlier runs.
    ///
    /// # Errors
    ///
    /// With the name of the file and the number of the line, if it is something else. If another run has the file.
    pub(crate) fn find(path: &Path) -> anyhow::Result<Self> {
        let mut history = Self {
            path: path.to_owned(),
            log: None,
            runs: VecDeque::new(),
        };
        match open_regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            _ => history.open()?,
        }
        Ok(history)
    }

    /// Makes the file if there is none, but writes nothing to it.
    fn open(&mut self) -> anyhow::Result<()> {
        self.log = Some(Log::open(&self.path, LINES, &mut |_, run| {
            self.runs.push_back(run);
            if self.runs.len() == RUNS {
                self.runs.pop_front();
            }
            Ok(())
        })?);
        Ok(())
    }

    /// The latest runs before this one, the oldest first, and this one. Makes the file if there is none.
    ///
    /// # Errors
    ///
    /// As of [`find`](Self::find).
    pub(crate) fn with(&mut self, run: &Run) -> anyhow::Result<Vec<Run>> {
        if self.log.is_none() {
            self.open()?;
        }
        Ok(self.runs.iter().chain([run]).cloned().collect())
    }

    /// Adds a run. When this returns, it is on the disk.
    pub(crate) fn add(self, run: &Run, messages: &Messages) -> anyhow::Result<()> {
        let Some(mut log) = self.log else {
            return Ok(());
        };
        if log.has_part_of_line() {
            messages.warning("the last line of --history was incomplete and has been removed");
        }
        let added = log.add(run).and_then(|()| log.sync());
        added.context("--history")
    }
}
