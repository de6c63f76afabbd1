//! The journal of a set: the files that belong to the set, but whose names or whose index do not show it. These are parts
//! that a run was about to make visible, parts that the index no longer lists, and the parts of a set with groups.
//!
//! It is the file `.NAME.set/journal` next to the index, a text in UTF-8. Lines that begin with `#` are comments. Each other
//! line has the name of a file, a space, and the time since when the file is out of use, in whole seconds since 1970, or
//! `-` for a file that is in use. The number of entries and the size in bytes can follow, so that a group is kept without
//! reading its parts. A line counts only if it is complete and its name is one that a part can have.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::fs::read_own;
use super::names::{hidden, parse};

/// Its name in the hidden folder.
pub(super) const FILE: &str = "journal";

/// The first line, which explains the file to people who find it.
const HEAD: &str = "# Files of this set, and since when the index does not list them, in seconds; for some, their entries and bytes. Kept by quick-sitemap.";

/// The notes on each file, by its name.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Journal(pub(super) BTreeMap<String, Note>);

#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Note {
    /// The time since when the file has been out of use, in seconds since 1970. `None`: the file is in use, or no run has
    /// noticed yet that it is not.
    pub(super) since: Option<u64>,
    /// Of a part in use: the number of entries, and the size of the file. A file of another size has been changed since.
    pub(super) content: Option<(u64, u64)>,
}

impl Journal {
    /// Reads the journal of a set. A missing file is treated as empty.
    pub(super) fn read(folder: &Path, set: &str) -> io::Result<Self> {
        let mut journal = Self::default();
        if let Some(text) = read_own(&folder.join(hidden(set)).join(FILE))? {
            let text = String::from_utf8_lossy(&text);
            // The last line may be cut.
            let lines = text.split_inclusive('\n');
            for line in lines.filter_map(|line| line.strip_suffix('\n')) {
                let mut fields = line.split(' ');
                let (Some(file), Some(since)) = (fields.next(), fields.next()) else {
                    continue;
                };
                if parse(file).is_some() {
                    let mut number = || fields.next()?.parse().ok();
                    let content = number().zip(number());
                    let since = since.parse().ok();
                    journal.0.insert(file.to_owned(), Note { since, content });
                }
            }
        }
        Ok(journal)
    }

    pub(super) fn write(&self, mut file: File) -> io::Result<()> {
        let mut text = format!("{HEAD}\n");
        for (name, Note { since, content }) in &self.0 {
            let since = since.map_or("-".to_owned(), |since| since.to_string());
            let content = content.map(|(entries, bytes)| format!(" {entries} {bytes}"));
            let content = content.unwrap_or_default();
            text.push_str(&format!("{name} {since}{content}\n"));
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
