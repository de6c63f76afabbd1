//! Where the parts of an index lie on disk.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use quick_sitemap::url::Url;

/// A folder that parts are looked for in. Its names are listed once, so that an index of a million parts which are not
/// there does not ask the system for each.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// `None` if they cannot be listed.
    names: OnceCell<Option<HashSet<OsString>>>,
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self {
            path,
            names: OnceCell::new(),
        }
    }

    /// The file at this path below the folder.
    fn file(&self, below: &Path) -> Option<PathBuf> {
        let names = self.names.get_or_init(|| {
            let entries = fs::read_dir(&self.path).ok()?;
            Some(entries.flatten().map(|entry| entry.file_name()).collect())
        });
        let first = below.iter().next()?;
        if names.as_ref().is_some_and(|names| !names.contains(first)) {
            return None;
        }
        Some(self.path.join(below)).filter(|path| path.is_file())
    }
}

/// The file for `loc` in one of the folders, or below it: that which fits most of the path's end.
pub(super) fn find(folders: &[&Folder], loc: &Url) -> Option<PathBuf> {
    let mut names = loc.path_segments()?.map(name_of).collect::<Vec<_>>();
    // A name that no file can have hides all that stands before it.
    let usable = names
        .iter()
        .rposition(Option::is_none)
        .map_or(0, |at| at + 1);
    let mut names: Vec<String> = names.drain(usable..).flatten().collect();
    if let Some(query) = loc.query() {
        let last = names.last_mut()?;
        last.push('?');
        last.push_str(query);
        if query.contains(['/', '\\', '\0']) {
            return None;
        }
    }
    for spelling in Spelling::ALL {
        for from in 0..names.len() {
            let mut below: PathBuf = names.iter().skip(from).collect();
            if !spelling.apply(&mut below) {
                continue;
            }
            let found = folders.iter().find_map(|folder| folder.file(&below));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// The name of a file or folder; `None` for what might lead out of the folder.
fn name_of(segment: &str) -> Option<String> {
    let name = percent_decode_str(segment).decode_utf8().ok()?;
    // On Windows a colon leads to a drive, or to a stream of the file.
    let leads_out = matches!(&*name, "" | "." | "..")
        || name.contains(['/', '\\', '\0'])
        || (cfg!(windows) && name.contains(':'));
    (!leads_out).then(|| name.into_owned())
}

/// How the file's name may differ from the loc's.
#[derive(Clone, Copy)]
enum Spelling {
    Same,
    Unpacked,
    Packed,
}

impl Spelling {
    const ALL: [Self; 3] = [Self::Same, Self::Unpacked, Self::Packed];

    /// `false`: this one is none for such a name.
    fn apply(self, path: &mut PathBuf) -> bool {
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        match self {
            Self::Same => true,
            Self::Unpacked if is_packed => path.set_extension(""),
            Self::Packed if !is_packed => {
                path.as_mut_os_string().push(".gz");
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for segment in ["", "..", ".", "%2e%2e", "a%2Fb", "a%5Cb", "%00", "%FF"] {
            assert_eq!(name_of(segment), None, "{segment}");
        }
        assert_eq!(name_of("caf%C3%A9.xml").as_deref(), Some("café.xml"));
    }

    #[test]
    fn the_longest_end_of_the_path_wins() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            path
        };
        let find = |loc: &str| {
            let folder = Folder::new(folder.path().to_owned());
            find(&[&folder], &loc.parse().unwrap())
        };
        let beside = file("a.xml");
        assert_eq!(find("https://example.com/maps/a.xml").unwrap(), beside);
        let below = file("maps/a.xml");
        assert_eq!(find("https://example.com/maps/a.xml").unwrap(), below);
        assert_eq!(find("https://example.com/x/a.xml.gz").unwrap(), beside);
        assert_eq!(find("https://example.com/a.xml?page=2"), None);
        let query = file("a.xml?page=2");
        assert_eq!(find("https://example.com/a.xml?page=2").unwrap(), query);
        assert_eq!(find("https://example.com/b.xml"), None);
        assert_eq!(find("https://example.com/"), None);
        let packed = file("b.xml.gz");
        assert_eq!(find("https://example.com/b.xml").unwrap(), packed);
    }
}
