//! Parts of a set with fingerprints that a newer set has replaced. They stay for a day, for those who read the old index.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use quick_sitemap::{Entry, Format, Reader};

use super::parts::{Listing, find};
use crate::disk::{folder_of, open_regular};

/// Returns `true` if the file is named like a part with a fingerprint:
/// `sitemap-1-9f86d081884c7d659a2feaa0c55ad015.xml.gz`.
fn has_fingerprint(path: &Path) -> bool {
    let parts = || {
        let name = path.file_name()?.to_str()?;
        let (stem, _) = name
            .split_once(".xml")
            .or_else(|| name.split_once(".txt"))?;
        let (stem, fingerprint) = stem.rsplit_once('-')?;
        let (_, number) = stem.rsplit_once('-')?;
        Some((number, fingerprint))
    };
    parts().is_some_and(|(number, fingerprint)| {
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && fingerprint.len() == 32
            && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns `true` for a part that a newer set in its folder has replaced.
pub(crate) fn is_superseded(path: &Path) -> bool {
    let files = || {
        let files = fs::read_dir(folder_of(path)).ok()?;
        Some(
            files
                .filter_map(|file| Some(file.ok()?.path()))
                .collect::<Vec<_>>(),
        )
    };
    let is_it = |other: &PathBuf| other.file_name() == path.file_name();
    let in_files = |files: Vec<PathBuf>| {
        superseded(files.iter().map(PathBuf::as_path))
            .iter()
            .any(is_it)
    };
    has_fingerprint(path) && files().is_some_and(in_files)
}

/// The files with a fingerprint that no index in their folder names, if there is an index.
pub(crate) fn superseded<'p>(files: impl Iterator<Item = &'p Path> + Clone) -> HashSet<PathBuf> {
    let mut former: HashSet<PathBuf> = files
        .clone()
        .filter(|path| has_fingerprint(path))
        .map(Path::to_owned)
        .collect();
    let folders: HashSet<PathBuf> = former
        .iter()
        .map(|path| folder_of(path).to_owned())
        .collect();
    // Files are opened only in folders that may have former parts.
    let mut named: HashMap<&Path, HashSet<PathBuf>> = HashMap::new();
    for path in files.filter(|path| !has_fingerprint(path)) {
        let Some(folder) = folders.get(folder_of(path)) else {
            continue;
        };
        let Ok(file) = open_regular(path) else {
            continue;
        };
        let mut reader = Reader::new(file);
        if reader.format() != Some(Format::Index) {
            continue;
        }
        let listing = Listing::new(folder.clone());
        let parts = reader.map_while(|entry| match entry.ok()? {
            Entry::Sitemap(part) => Some(find(&[&listing], &part.loc)),
            Entry::Url(_) => Some(None),
        });
        named.entry(folder).or_default().extend(parts.flatten());
    }
    former.retain(|path| {
        let named = named.get(folder_of(path));
        named.is_some_and(|named| !named.contains(path))
    });
    former
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts() {
        let hash = "9f86d081884c7d659a2feaa0c55ad015";
        for name in [
            format!("sitemap-1-{hash}.xml.gz"),
            format!("a-b-12-{hash}.txt"),
        ] {
            assert!(has_fingerprint(Path::new(&name)), "{name}");
        }
        for name in [format!("sitemap-{hash}.xml"), "sitemap-1.xml".to_owned()] {
            assert!(!has_fingerprint(Path::new(&name)), "{name}");
        }
    }
}
