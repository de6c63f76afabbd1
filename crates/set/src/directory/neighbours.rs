//! The files of other sets in the directory.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

use super::found::Found;
use super::names::file_name;
use crate::files::at;

/// Returns the files that other indexes in the directory list, each with that index. Every file that can be an index is read,
/// except those for which `is_own_index` returns `true`. `is_own(file, index)` returns `true` if `file` belongs to this
/// set even though `index` lists it.
pub(super) fn neighbours(
    folder: &Path,
    is_own_index: impl Fn(&str) -> bool,
    is_own: impl Fn(&str, &str) -> bool,
) -> io::Result<HashMap<String, String>> {
    let mut named = HashMap::new();
    let entries = match fs::read_dir(folder) {
        // A dry run does not create the directory.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(named),
        entries => entries.map_err(at(folder))?,
    };
    for entry in entries {
        let file = entry.map_err(at(folder))?.file_name();
        let Some(file) = file.to_str() else { continue };
        let may_be = file.ends_with(".xml") || file.ends_with(".xml.gz");
        if !may_be || file.starts_with('.') || is_own_index(file) {
            continue;
        }
        let found = match Found::read(&folder.join(file)) {
            // Files that this process may not read are ignored.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
            found => found?,
        };
        for loc in &found.listed() {
            let part = file_name(loc).filter(|part| !is_own(part, file));
            if let Some(part) = part {
                let index = named.entry(part.to_owned());
                index.or_insert_with(|| file.to_owned());
            }
        }
    }
    Ok(named)
}
