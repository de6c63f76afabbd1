//! The state file of `--resume`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use quick_sitemap_crawl::{Known, Saved};
use serde::{Deserialize, Serialize};

use super::output::Before;
use crate::disk::replacement::Replacement;
use crate::disk::{lock, open_regular};
use crate::rows::RowFormat;
use crate::source::filter::PageFilter;
use crate::term::address::{Address, hidden};
use crate::term::messages::Advised;

/// The progress of a crawl. The output contains the finished sitemaps completely; all others are read again.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resume {
    /// The filters of pages.
    #[serde(default)]
    pub(super) filters: Vec<String>,
    /// There were a user and a password.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) login: bool,
    pub(super) format: RowFormat,
    pub(super) source: bool,
    /// Pages in the output.
    pub(super) output_pages: u64,
    /// The length of `--output` after the last of these sitemaps. Bytes after it were written by a crawl that was
    /// killed before it could update this.
    pub(super) output_bytes: Option<u64>,
    /// Of each document that was read.
    pub(super) known: BTreeMap<String, Known>,
    pub(super) crawl: Saved,
}

/// The state file is not written more often than would take this part of the time,
const SAVING: u32 = 20;
/// unless it has not been written for so long.
const LONGEST_UNSAVED: Duration = Duration::from_secs(5);

/// Begins the error if the file is locked.
const IN_USE: &str = "another crawl is using";

/// A state file, which no other crawl uses meanwhile.
#[derive(Debug)]
pub(super) struct StateFile {
    path: PathBuf,
    /// The file, for its lock; `None` before it is written for the first time.
    locked: Option<File>,
    saved: Option<Instant>,
    took: Duration,
}

impl StateFile {
    /// Opens the file, and reads what an earlier crawl has left.
    ///
    /// # Errors
    ///
    /// If the file is not a state file, or if a crawl is using it.
    pub(super) fn open(path: &Path) -> anyhow::Result<(Self, Option<Resume>)> {
        let mut state = Self {
            path: path.to_owned(),
            locked: None,
            saved: None,
            took: Duration::ZERO,
        };
        let earlier = match open_regular(path) {
            Ok(file) => {
                lock(&file, path, IN_USE)?;
                is_current(&file, path)?;
                let earlier = Resume::read(path, &file)?;
                state.locked = Some(file);
                Some(earlier)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).context(path.display().to_string()),
        };
        Ok((state, earlier))
    }

    pub(super) fn is_due(&self) -> bool {
        let longest = (self.took * SAVING).min(LONGEST_UNSAVED);
        self.saved.is_none_or(|at| at.elapsed() >= longest)
    }

    /// Writes the file: at any moment it is the old one or the new one, complete. It is locked before it has its name.
    ///
    /// # Errors
    ///
    /// If another crawl has begun the file since this one began.
    pub(super) fn save(&mut self, state: &Resume) -> anyhow::Result<()> {
        let begin = Instant::now();
        let json = serde_json::to_vec(state)?;
        let mut file = Replacement::of(&self.path)?;
        file.write_all(&json)?;
        let Some(written) = file.put_in_place_locked(self.locked.is_none())? else {
            bail!("{IN_USE} {}", self.path.display());
        };
        self.locked = Some(written);
        self.saved = Some(Instant::now());
        self.took = begin.elapsed();
        Ok(())
    }
}

/// Another crawl can have replaced the file after it was opened, and before it was locked.
fn is_current(file: &File, path: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let now = std::fs::metadata(path).with_context(|| path.display().to_string())?;
        if file.metadata()?.ino() != now.ino() {
            bail!("{IN_USE} {}", path.display());
        }
    }
    Ok(())
}

impl Resume {
    /// The part of the output that the earlier crawl has written.
    pub(super) fn before(&self) -> Before {
        let is_table = matches!(self.format, RowFormat::Csv | RowFormat::Tsv);
        Before {
            bytes: self.output_bytes,
            // The names of the columns are a line, too.
            lines: self.output_pages.saturating_add(u64::from(is_table)),
            is_table,
        }
    }

    /// # Errors
    ///
    /// If the file is not a state file.
    fn read(path: &Path, mut file: &File) -> anyhow::Result<Self> {
        let name = path.display();
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .with_context(|| name.to_string())?;
        let read = || -> anyhow::Result<Self> {
            let state: Self = serde_json::from_slice(&text)?;
            let checked = state.crawl.check(state.known.values());
            checked.map_err(anyhow::Error::msg)?;
            Ok(state)
        };
        read().map_err(|error| {
            // It may quote a URL with a password.
            let error = error.to_string();
            let error = hidden(&error);
            let message = format!("{name} is not a state file of `sitemap crawl`: {error}");
            let advice = "delete it to begin the crawl anew, or name another one";
            Advised::new(message, advice).into()
        })
    }

    /// # Errors
    ///
    /// If it is the state of another crawl.
    pub(super) fn check(
        &self,
        path: &Path,
        site: &Address,
        format: RowFormat,
        source: bool,
        filter: &PageFilter,
    ) -> anyhow::Result<()> {
        let name = path.display();
        let named = iter::once(self.crawl.start()).chain(self.crawl.sitemaps());
        if let Some(other) = named.into_iter().find(|url| *url != site.url()) {
            bail!("{name} belongs to a crawl of {other}");
        }
        if self.filters != filter.question() {
            let filters = match &*self.filters {
                [] => "without filters".to_owned(),
                filters => format!("with `{}`", filters.join(" ")),
            };
            bail!("{name} belongs to a crawl {filters}; use the same filters");
        }
        if self.login && !site.has_login() {
            bail!(
                "{name} belongs to a crawl with a user and a password, which are not stored; pass them again, as in \
                 https://user:password@example.com"
            );
        }
        if (self.format, self.source) != (format, source) {
            bail!(
                "{name} belongs to a crawl with `--format {}`, {} `--source`; use the same options",
                format!("{:?}", self.format).to_lowercase(),
                if self.source { "with" } else { "without" }
            );
        }
        Ok(())
    }
}
