//! The journal of a set: the files that belong to the set, but may not be in its index. These are parts that a run was
//! about to make visible, parts that the index no longer lists, and parts of groups.
//!
//! It is the file `.NAME.set/journal` next to the index, a text in UTF-8. Lines that begin with `#` are comments. Each other
//! line has the name of a file, a space, and the time since when the file is out of use, in whole seconds since 1970, or
//! `-` for a file that is in use.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::fs::read_own;
use super::names::{hidden, is_plain};

/// Its name in the hidden folder.
pub(super) const FILE: &str = "journal";

/// The first line, which explains the file to people who find it.
const HEAD: &str = "# Files of this set that its index may not name, and since when, in seconds. Kept by quick-sitemap.";

/// For each file name, the time since when the file has been out of use, in seconds since 1970. `None`: the file is in use,
/// or no run has noticed yet that it is not.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Journal(pub(super) BTreeMap<String, Option<u64>>);

impl Journal {
    /// Reads the journal of a set. A missing file is treated as empty.
    pub(super) fn read(folder: &Path, set: &str) -> io::Result<Self> {
        let mut journal = Self::default();
        if let Some(text) = read_own(&folder.join(hidden(set)).join(FILE))? {
            let text = String::from_utf8_lossy(&text);
            for line in text.lines().filter(|line| !line.starts_with('#')) {
                let line = line.rsplit_once(' ');
                if let Some((file, since)) = line.filter(|(file, _)| is_plain(file)) {
                    journal.0.insert(file.to_owned(), since.parse().ok());
                }
            }
        }
        Ok(journal)
    }

    pub(super) fn write(&self, mut file: File) -> io::Result<()> {
        let mut text = format!("{HEAD}\n");
        for (name, since) in &self.0 {
            let since = since.map_or("-".to_owned(), |since| since.to_string());
            text.push_str(&format!("{name} {since}\n"));
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Returns `true` if the grace period of a file that went out of use at `since` is over.
pub(super) fn is_over(since: u64, now: u64, grace: Duration) -> bool {
    now.checked_sub(since)
        .is_some_and(|unnamed| unnamed >= grace.as_secs())
}
