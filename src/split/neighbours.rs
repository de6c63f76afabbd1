//! What other sets in the directory hold.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::fs::at;
use super::names::file_name;
use super::set::listed_by;

/// Files that other indexes in the directory name, and the index that does.
#[derive(Debug, Default)]
pub(super) struct Neighbours(HashMap<String, String>);

impl Neighbours {
    /// Looks at every file that may be an index, but those that `is_own_index` says are this set's. `is_own` says whether
    /// a file is this set's although an index, whose name comes second, lists it.
    pub(super) fn read(
        folder: &Path,
        is_own_index: impl Fn(&str) -> bool,
        is_own: impl Fn(&str, &str) -> bool,
    ) -> io::Result<Self> {
        let mut named = HashMap::new();
        for entry in fs::read_dir(folder).map_err(at(folder))? {
            let file = entry.map_err(at(folder))?.file_name();
            let Some(file) = file.to_str() else { continue };
            let may_be = file.ends_with(".xml") || file.ends_with(".xml.gz");
            if !may_be || file.starts_with('.') || is_own_index(file) {
                continue;
            }
            let listed = match listed_by(&folder.join(file)) {
                // What this process may not read is not looked into.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
                listed => listed?,
            };
            for loc in listed.iter().flatten() {
                let part = file_name(loc).filter(|part| !is_own(part, file));
                if let Some(part) = part {
                    let index = named.entry(part.to_owned());
                    index.or_insert_with(|| file.to_owned());
                }
            }
        }
        Ok(Self(named))
    }

    /// The other index that names this file.
    pub(super) fn index_of(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }
}
