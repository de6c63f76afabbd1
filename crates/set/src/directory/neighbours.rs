//! The files of other sets in the directory.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::found::Found;
use super::names::{file_name, parse};
use crate::files::at;

/// The indexes of other sets in the directory.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// The files that they list, each with the index.
    pub(super) listed: HashMap<String, String>,
    /// An index that could not be read to its end, or a file that could be one.
    pub(super) unread: Option<String>,
}

impl Neighbours {
    /// Reads every file that can be an index, except those for which `is_own_index` returns `true`. `is_own(file, index)`
    /// returns `true` if `file` belongs to this set even though `index` lists it.
    pub(super) fn read(
        folder: &Path,
        is_own_index: impl Fn(&str) -> bool,
        is_own: impl Fn(&str, &str) -> bool,
    ) -> io::Result<Self> {
        let mut neighbours = Self::default();
        let entries = match fs::read_dir(folder) {
            // A dry run does not create the directory.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(neighbours),
            entries => entries.map_err(at(folder))?,
        };
        for entry in entries {
            let entry = entry.map_err(at(folder))?;
            let file = entry.file_name().to_string_lossy().into_owned();
            if !can_be_index(&file) || is_own_index(&file) {
                continue;
            }
            // The usual name of a part is not that of an index, and neither is one without an ending.
            let is_plausible = file.contains('.') && parse(&file).is_none();
            let (locs, is_whole) = match Found::read(&entry.path()) {
                Ok(Found::Cut) if is_plausible => (Vec::new(), false),
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    (Vec::new(), false)
                }
                found => found?.locs(),
            };
            for loc in &locs {
                let part = file_name(loc);
                if !is_own(&part, &file) {
                    let index = neighbours.listed.entry(part);
                    index.or_insert_with(|| file.clone());
                }
            }
            if !is_whole {
                neighbours.unread = Some(file);
            }
        }
        Ok(neighbours)
    }
}

/// Returns `true` for a name that ends in `.xml`, in any case, gzipped or not, or has no ending.
fn can_be_index(file: &str) -> bool {
    let lower = file.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    let mut ending = plain.rsplit_once('.').into_iter();
    !file.starts_with('.') && ending.all(|(_, ending)| ending == "xml")
}
