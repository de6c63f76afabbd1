//! The files of a run. None is written that the run also reads, or writes as something else.
//!
//! Commands list their files here before anything is read. Pipes and devices are not listed, because nothing in them is
//! replaced.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use regex_lite::Regex;

use crate::disk::folder_of;
use crate::term::address::no_url;

#[derive(Debug, Default)]
pub(crate) struct Files {
    files: Vec<RunFile>,
    /// The folder of the set in `--out`, and all names of its files.
    set: Option<(PathBuf, Regex)>,
}

#[derive(Debug)]
struct RunFile {
    /// As a message names it, such as `--out`.
    role: &'static str,
    /// As it is named on the command line.
    named: PathBuf,
    is_written: bool,
    /// Without links.
    path: PathBuf,
}

impl Files {
    pub(crate) fn reads(self, role: &'static str, path: Option<&Path>) -> Self {
        self.list(role, path, false)
    }

    /// `-` is standard output for results, and for nothing else.
    pub(crate) fn writes(self, role: &'static str, path: Option<&Path>) -> Self {
        let is_result = ["--out", "--csv"].contains(&role);
        let is_stdout = |path: &&Path| is_result && *path == Path::new("-");
        self.list(role, path.filter(|path| !is_stdout(path)), true)
    }

    /// The set of `--out`: `names` are that of the set and those of its groups.
    ///
    /// # Errors
    ///
    /// If the folder is a URL.
    pub(crate) fn writes_set<'n>(
        self,
        folder: &Path,
        names: impl Iterator<Item = &'n str>,
    ) -> anyhow::Result<Self> {
        no_url(folder, "--out is a folder or a file")?;
        let set = Some((without_links(folder), set_names(names)?));
        Ok(Self { set, ..self })
    }

    fn list(mut self, role: &'static str, path: Option<&Path>, is_written: bool) -> Self {
        let is_stream = |path: &&Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
        if let Some(named) = path.filter(|path| !is_stream(path)) {
            self.files.push(RunFile {
                role,
                named: named.to_owned(),
                is_written,
                path: without_links(named),
            });
        }
        self
    }

    /// # Errors
    ///
    /// If one file has two roles, and is written in one of them. If a file to write is a URL.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        for (index, file) in self.files.iter().enumerate() {
            let (role, named) = (file.role, file.named.display());
            if file.is_written {
                no_url(&file.named, &format!("{role} is a file"))?;
                if file.named == Path::new("-") {
                    bail!("{role} is a file, not standard output; `./-` is a file of that name");
                }
            }
            let is_same =
                |other: &&RunFile| other.path == file.path && (other.is_written || file.is_written);
            if let Some(other) = self.files.iter().take(index).find(is_same) {
                bail!("{} and {role} are one file: {named}", other.role);
            }
            let of_set = self.set.as_ref().is_some_and(|(folder, names)| {
                let name = file.path.strip_prefix(folder).ok().and_then(Path::to_str);
                name.is_some_and(|name| names.is_match(name))
            });
            if of_set {
                bail!("{role} would be a file of the set in --out: {named}");
            }
        }
        Ok(())
    }
}

/// Links that are followed at most, as by the system.
const LINKS: usize = 40;

/// The place of a file that need not exist, nor its folder.
pub(crate) fn without_links(path: &Path) -> PathBuf {
    resolved(path, LINKS)
}

fn resolved(path: &Path, links: usize) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    if let (Ok(target), Some(links)) = (fs::read_link(path), links.checked_sub(1)) {
        return resolved(&folder_of(path).join(target), links);
    }
    match path.file_name() {
        Some(name) => resolved(folder_of(path), links).join(name),
        None => path.to_owned(),
    }
}

/// The names of the files of a set: `NAME.xml`, `NAME-1.xml.gz`, `NAME-1-9f86d081884c7d659a2feaa0c55ad015.xml`, and those in
/// its hidden folder.
fn set_names<'n>(names: impl Iterator<Item = &'n str>) -> Result<Regex, regex_lite::Error> {
    let names: Vec<_> = names.map(regex_lite::escape).collect();
    let names = names.join("|");
    let file = format!(r"({names})(-[0-9]+(-[0-9a-fA-F]*)?)?\.(xml|txt)(\.gz)?");
    Regex::new(&format!(r"^({file}|\.({names})\.set[/\\].*)$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_set() {
        let names = set_names(["maps", "blog"].into_iter()).unwrap();
        let is_of_set = |path: &str| {
            let name = Path::new(path).strip_prefix("/w");
            name.is_ok_and(|name| names.is_match(name.to_str().unwrap()))
        };
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
        assert_eq!(without_links(&path("a")), without_links(&path("./new/c")));
        assert!(without_links(&path("circle")).ends_with("circle"));
    }
}
