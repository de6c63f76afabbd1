//! The files of a run. None is written that the run also reads, or writes as something else.
//!
//! Commands list their files here before anything is read. Pipes and devices are not listed, because nothing in them is
//! replaced.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::disk::folder_of;
use crate::source::input::Input;
use crate::term::address::no_url;

#[derive(Debug, Default)]
pub(crate) struct Files(Vec<RunFile>);

#[derive(Debug)]
struct RunFile {
    /// As a message names it, such as `--out`.
    role: &'static str,
    /// As it is named on the command line.
    named: PathBuf,
    is_written: bool,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Without links.
    File(PathBuf),
    /// All files of a set, most of whose names depend on its pages.
    Set {
        folder: PathBuf,
        /// The name of the set, then those of its groups.
        names: Vec<String>,
    },
}

impl Files {
    pub(crate) fn reads(&mut self, role: &'static str, path: Option<&Path>) {
        self.list(role, path, false);
    }

    pub(crate) fn reads_inputs(&mut self, inputs: &[Input]) {
        for input in inputs {
            self.reads("the input", input.path());
        }
    }

    /// `-` is standard output.
    pub(crate) fn writes(&mut self, role: &'static str, path: Option<&Path>) {
        self.list(role, path.filter(|path| *path != Path::new("-")), true);
    }

    /// `names` are that of the set and those of its groups.
    pub(crate) fn writes_set(&mut self, role: &'static str, folder: &Path, names: Vec<String>) {
        self.0.push(RunFile {
            role,
            named: folder.to_owned(),
            is_written: true,
            place: Place::Set {
                folder: without_links(folder, LINKS),
                names,
            },
        });
    }

    fn list(&mut self, role: &'static str, path: Option<&Path>, is_written: bool) {
        let is_stream = |path: &&Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
        let Some(path) = path.filter(|path| !is_stream(path)) else {
            return;
        };
        self.0.push(RunFile {
            role,
            named: path.to_owned(),
            is_written,
            place: Place::File(without_links(path, LINKS)),
        });
    }

    /// # Errors
    ///
    /// If one file has two roles, and is written in one of them. If a file to write is a URL.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for file in self.0.iter().filter(|file| file.is_written) {
            let kind = match file.place {
                Place::File(_) => "a file",
                Place::Set { .. } => "a folder or a file",
            };
            no_url(&file.named, &format!("{} is {kind}", file.role))?;
        }
        for (index, second) in self.0.iter().enumerate() {
            for first in self.0.iter().take(index) {
                if first.is_written || second.is_written {
                    first.check_against(second)?;
                }
            }
        }
        Ok(())
    }
}

impl RunFile {
    /// Fails if two options name the same file, or a file that belongs to a set.
    fn check_against(&self, other: &Self) -> anyhow::Result<()> {
        let (file, path, set) = match (&self.place, &other.place) {
            (Place::File(one), Place::File(two)) if one == two => bail!(
                "{} and {} are one file: {}",
                self.role,
                other.role,
                other.named.display()
            ),
            (Place::File(path), Place::Set { folder, names }) => (self, path, (folder, names)),
            (Place::Set { folder, names }, Place::File(path)) => (other, path, (folder, names)),
            _ => return Ok(()),
        };
        if is_of_set(path, set.0, set.1) {
            bail!(
                "{} would be a file of the set in --out: {}",
                file.role,
                file.named.display()
            );
        }
        Ok(())
    }
}

/// Links that are followed at most, as by the system.
const LINKS: usize = 40;

/// The place of a file that need not exist, nor its folder.
fn without_links(path: &Path, links: usize) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    if let (Ok(target), Some(links)) = (fs::read_link(path), links.checked_sub(1)) {
        return without_links(&folder_of(path).join(target), links);
    }
    match path.file_name() {
        Some(name) => without_links(folder_of(path), links).join(name),
        None => path.to_owned(),
    }
}

/// Returns `true` for the names of a set of sitemaps: `NAME.xml`, `NAME-1.xml.gz`,
/// `NAME-1-9f86d081884c7d659a2feaa0c55ad015.xml`, and for the files in its hidden folder.
fn is_of_set(path: &Path, folder: &Path, names: &[String]) -> bool {
    let Ok(below) = path.strip_prefix(folder) else {
        return false;
    };
    let mut components = below.iter();
    let Some(Some(first)) = components.next().map(|first| first.to_str()) else {
        return false;
    };
    let mut sets = names.iter();
    if components.next().is_some() {
        return sets.any(|set| first == format!(".{set}.set"));
    }
    let file = first.strip_suffix(".gz").unwrap_or(first);
    let stem = file
        .strip_suffix(".xml")
        .or_else(|| file.strip_suffix(".txt"));
    let is_part = |rest: &str| {
        let (number, fingerprint) = rest.split_once('-').unwrap_or((rest, ""));
        !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    stem.is_some_and(|stem| {
        sets.any(|set| {
            let rest = stem.strip_prefix(&**set);
            stem == set || rest.is_some_and(|rest| rest.strip_prefix('-').is_some_and(is_part))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_set() {
        let names = ["maps".to_owned(), "blog".to_owned()];
        let is_of_set = |path: &str| is_of_set(Path::new(path), Path::new("/w"), &names);
        for path in [
            "/w/maps.xml",
            "/w/maps.xml.gz",
            "/w/maps-1.txt",
            "/w/blog-12.xml",
            "/w/maps-1-9f86d081884c7d659a2feaa0c55ad015.xml.gz",
            "/w/.maps.set/lock",
        ] {
            assert!(is_of_set(path), "{path}");
        }
        for path in [
            "/w/maps.jsonl",
            "/w/maps-one.xml",
            "/w/sitemap.xml",
            "/w/a/maps.xml",
            "/maps.xml",
        ] {
            assert!(!is_of_set(path), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_to_nothing_are_followed() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink("b", path("a")).unwrap();
        symlink("new/c", path("b")).unwrap();
        symlink("circle", path("circle")).unwrap();
        assert_eq!(
            without_links(&path("a"), LINKS),
            without_links(&path("./new/c"), LINKS)
        );
        assert!(without_links(&path("circle"), LINKS).ends_with("circle"));
    }
}
