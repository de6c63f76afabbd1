//! `--history`: a line for each run.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::model::Run;
use crate::disk::open_regular;
use crate::rows::log::{Kind, Log};
use crate::term::messages::Messages;

/// The version of a line.
pub(crate) const VERSION: u32 = 1;
/// Runs that a report shows, the latest.
const RUNS: usize = 500;
const LINES: Kind = Kind {
    begin: "{\"made\"",
    name: "a run of `sitemap report`",
    version: VERSION,
    advice: "name another file, or remove the line",
};

#[derive(Debug)]
pub(crate) struct History {
    path: PathBuf,
    /// `None` until there is a file.
    log: Option<Log>,
    /// The latest, the oldest first.
    pub(crate) runs: Vec<Run>,
}

impl History {
    /// Opens the file, if there is one, and reads the earlier runs.
    ///
    /// # Errors
    ///
    /// With the name of the file and the number of the line, if it is something else. If another run has the file.
    pub(crate) fn find(path: &Path) -> anyhow::Result<Self> {
        let (path, mut runs) = (path.to_owned(), Vec::new());
        let log = match open_regular(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            _ => Some(Log::open(&path, LINES, &mut |_, run| {
                runs.push(run);
                Ok(())
            })?),
        };
        runs.drain(..(runs.len() + 1).saturating_sub(RUNS));
        Ok(Self { path, log, runs })
    }

    /// Adds a run. When this returns, it is on the disk. Makes the file if there is none.
    ///
    /// # Errors
    ///
    /// As of [`find`](Self::find), and those of the file.
    pub(crate) fn add(self, run: &Run, messages: &Messages) -> anyhow::Result<()> {
        let mut log = match self.log {
            Some(log) => log,
            None => Log::open(&self.path, LINES, &mut |_, _: Run| Ok(()))?,
        };
        if log.has_part_of_line() {
            messages.warning("the last line of --history was incomplete and has been removed");
        }
        let added = log.add(run).and_then(|()| log.sync());
        added.context("--history")
    }
}
