//! The parts of an index on disk.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use quick_sitemap::url::Url;
use quick_sitemap_crawl::page_key;

use crate::net::spelling::without_scheme;

/// Maximum number of segments of a loc's path that are searched, from its end. No set is deeper, and a hostile loc may
/// have a million.
const SEGMENTS: usize = 16;

/// A folder that parts are looked for in. Its names are listed once, so that an index of a million parts which are not
/// there does not ask the system for each.
#[derive(Debug)]
pub(crate) struct Listing {
    path: PathBuf,
    /// The folder, without links, that the files have to lie in. `None`: links may lead anywhere.
    within: Option<PathBuf>,
    /// `None` if they cannot be listed.
    names: OnceCell<Option<HashSet<OsString>>>,
    #[cfg(test)]
    looks: std::cell::Cell<usize>,
}

impl Listing {
    /// For a folder whose links may lead anywhere.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            within: None,
            names: OnceCell::new(),
            #[cfg(test)]
            looks: std::cell::Cell::new(0),
        }
    }

    /// Omits files outside the folder `root`, whose path contains no links.
    pub(crate) fn within(mut self, root: Option<&Path>) -> Self {
        self.within = root.map(ToOwned::to_owned);
        self
    }

    /// For another folder, under the same rule for links.
    pub(crate) fn beside(&self, folder: &Path) -> Self {
        Self::new(folder.to_owned()).within(self.within.as_deref())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if the folder contains something of that name.
    fn has(&self, name: &OsStr) -> bool {
        #[cfg(test)]
        self.looks.set(self.looks.get() + 1);
        let names = self.names.get_or_init(|| {
            let entries = fs::read_dir(&self.path).ok()?;
            Some(entries.flatten().map(|entry| entry.file_name()).collect())
        });
        names.as_ref().is_none_or(|names| names.contains(name))
    }

    /// The regular file at the path of these names below the folder.
    fn file(&self, names: &[String]) -> Option<PathBuf> {
        // In most cases, a missing path is detected by its first name.
        if !self.has(OsStr::new(names.first()?)) {
            return None;
        }
        let path = self.path.join(names.iter().collect::<PathBuf>());
        let is_inside = |path: &Path, root: &Path| {
            fs::canonicalize(path).is_ok_and(|path| path.starts_with(root))
        };
        let root = self.within.as_deref();
        (path.is_file() && root.is_none_or(|root| is_inside(&path, root))).then_some(path)
    }
}

/// The file for `loc` in one of the folders, or below it: that which fits most of the path's end.
pub(crate) fn find(folders: &[&Listing], loc: &Url) -> Option<PathBuf> {
    // A name that no file can have hides all segments before it.
    let segments = loc.path_segments()?.rev().take(SEGMENTS);
    let mut names: Vec<String> = segments.map_while(name_of).collect();
    names.reverse();
    if let Some(query) = loc.query() {
        if query.contains(['/', '\\', '\0']) {
            return None;
        }
        let last = names.last_mut()?;
        last.push('?');
        last.push_str(query);
    }
    for last in spellings(names.pop()?) {
        names.push(last);
        for from in 0..names.len() {
            let below = names.get(from..).unwrap_or_default();
            let found = folders.iter().find_map(|folder| folder.file(below));
            if found.is_some() {
                return found;
            }
        }
        names.pop();
    }
    None
}

/// The file that a server has at `loc`, if the folder is at the URL `base`. `None` if the loc is elsewhere.
pub(crate) fn at_server(root: &Path, base: &Url, loc: &Url) -> Option<PathBuf> {
    let (own, path) = (base.path().rsplit_once('/')?.0, loc.path());
    if base.host() != loc.host() || base.port() != loc.port() {
        return None;
    }
    let below = path.strip_prefix(own)?.strip_prefix('/')?;
    let below = percent_decode_str(below).decode_utf8().ok()?;
    let query = loc.query().map(|query| format!("?{query}"));
    Some(root.join(format!("{below}{}", query.unwrap_or_default())))
}

/// The files that are parts, each by its canonical path, with the loc of the part once an index has named it. No file
/// is used for two parts.
#[derive(Debug, Default)]
pub(crate) struct Claims(HashMap<PathBuf, Option<Url>>);

/// The use of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// It is not used yet.
    New,
    /// It has been claimed, for the same part.
    Known,
    /// It is used for another part.
    Taken,
}

impl Claims {
    /// `loc` is that of the part, if an index has named it.
    pub(crate) fn claim(&mut self, canonical: PathBuf, loc: Option<&Url>) -> Claim {
        let Some(known) = self.0.get_mut(&canonical) else {
            self.0.insert(canonical, loc.cloned());
            return Claim::New;
        };
        match (&known, loc) {
            (Some(known), Some(loc)) if !is_same_part(known, loc) => return Claim::Taken,
            (None, Some(loc)) => *known = Some(loc.clone()),
            _ => {}
        }
        Claim::Known
    }

    pub(crate) fn holds(&self, canonical: &Path) -> bool {
        self.0.contains_key(canonical)
    }
}

/// Returns `true` for two spellings of one part: with or without `www.`, by http or https.
fn is_same_part(a: &Url, b: &Url) -> bool {
    without_scheme(&page_key(a)) == without_scheme(&page_key(b))
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

/// The names that the file of a part may have: the name in the loc, with or without `.gz`.
fn spellings(name: String) -> [String; 2] {
    let other = match name.strip_suffix(".gz") {
        Some(unpacked) if !unpacked.is_empty() => unpacked.to_owned(),
        _ => format!("{name}.gz"),
    };
    [name, other]
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

    fn put(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    #[test]
    fn the_longest_end_of_the_path_wins() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| put(folder.path(), name);
        let find = |loc: &str| {
            let folder = Listing::new(folder.path().to_owned());
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
        // A segment that cannot be a name hides the segments before it, and none after it.
        assert_eq!(find("https://example.com/a%2Fb/maps/a.xml").unwrap(), below);
    }

    /// For a loc of any length, a few lookups in a listing suffice, and an existing path is found at its end.
    #[test]
    fn a_loc_of_a_million_segments_takes_a_few_looks() {
        let folder = tempfile::tempdir().unwrap();
        let file = put(folder.path(), "a/b/c.xml");
        let looks = |segments: usize, end: &str| {
            let listing = Listing::new(folder.path().to_owned());
            let loc = format!("https://example.com/{}{end}", "a/".repeat(segments));
            let found = find(&[&listing], &loc.parse().unwrap());
            (found, listing.looks.get())
        };
        for segments in [100, 1_000, 1_000_000] {
            let (found, missing) = looks(segments, "none.xml");
            assert_eq!(found, None);
            assert!(missing <= 3 * SEGMENTS, "{missing}");
            let (found, present) = looks(segments, "b/c.xml");
            assert_eq!(found.as_deref(), Some(&*file));
            assert!(present <= SEGMENTS, "{present}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_no_parts() {
        use std::os::unix::fs::symlink;
        let all = tempfile::tempdir().unwrap();
        put(all.path(), "outside.xml");
        let inside = put(all.path(), "folder/inside.xml");
        let folder = fs::canonicalize(all.path().join("folder")).unwrap();
        symlink("../outside.xml", folder.join("out.xml")).unwrap();
        symlink("inside.xml", folder.join("in.xml")).unwrap();
        assert!(inside.exists());
        let find = |name: &str, root: Option<&Path>| {
            let listing = Listing::new(folder.clone()).within(root);
            find(
                &[&listing],
                &format!("https://example.com/{name}").parse().unwrap(),
            )
            .is_some()
        };
        assert!(find("out.xml", None) && find("in.xml", Some(&folder)));
        assert!(!find("out.xml", Some(&folder)));
    }

    #[test]
    fn no_file_stands_for_two_parts() {
        let mut claims = Claims::default();
        let [a, b, http, encoded] = [
            "https://example.com/a",
            "https://example.com/b",
            "http://www.example.com/a",
            "https://example.com/%61",
        ]
        .map(|loc| loc.parse().unwrap());
        let mut claim = |loc| claims.claim("file".into(), loc);
        assert_eq!(claim(None), Claim::New);
        assert_eq!(claim(Some(&a)), Claim::Known);
        assert_eq!(claim(Some(&a)), Claim::Known);
        assert_eq!(claim(None), Claim::Known);
        assert_eq!(claim(Some(&b)), Claim::Taken);
        assert_eq!(claim(Some(&http)), Claim::Known);
        assert_eq!(claim(Some(&encoded)), Claim::Known);
        assert!(claims.holds(Path::new("file")) && !claims.holds(Path::new("other")));
    }
}
