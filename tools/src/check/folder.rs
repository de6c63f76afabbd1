//! The sitemaps in a folder.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::folder::open_regular;
use crate::folder::walk::{self, Walk};
use crate::messages::Messages;

/// So much of a text is looked at.
const HEAD: u64 = 4 << 10;

/// What a name ends in if the file is compressed in a form that the program can unpack.
#[cfg(feature = "http")]
const PACKED: [&str; 3] = [".gz", ".br", ".zst"];
#[cfg(not(feature = "http"))]
const PACKED: [&str; 1] = [".gz"];

/// What was found in a folder.
pub(crate) struct Folder {
    /// Without links.
    pub(crate) root: PathBuf,
    /// In the order of their names.
    pub(crate) candidates: Vec<Candidate>,
    /// Folders that could not be read.
    pub(crate) failures: Vec<walk::Failure>,
}

/// A file that may be a sitemap.
pub(crate) struct Candidate {
    pub(crate) path: PathBuf,
    /// From the folder on, with slashes.
    pub(crate) relative: String,
    /// Its name does not say that it is a sitemap.
    pub(crate) is_guess: bool,
}

/// # Errors
///
/// If there is no such folder.
pub(crate) fn search(folder: &Path, messages: &Messages) -> std::io::Result<Folder> {
    let mut walk = Walk::new(folder)?;
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    for found in walk.by_ref() {
        match found {
            Ok(found) => files.push(found),
            Err(failure) => failures.push(failure),
        }
    }
    walk.say_left_out(messages);
    let mut candidates: Vec<_> = walk::distinct(files)
        .into_iter()
        .filter_map(candidate)
        .collect();
    let others: HashSet<_> = candidates.iter().map(|found| found.path.clone()).collect();
    candidates.retain(|found| !is_copy(&found.path, &others));
    Ok(Folder {
        root: walk.root().to_owned(),
        candidates,
        failures,
    })
}

/// Whether it is a Brotli or zstd copy of another file, which a server sends instead of it.
fn is_copy(path: &Path, others: &HashSet<PathBuf>) -> bool {
    let is = |extension: &str| path.extension().is_some_and(|found| found == extension);
    let plain = path.with_extension("");
    let mut gzipped = plain.clone();
    gzipped.as_mut_os_string().push(".gz");
    (is("br") || is("zst")) && (others.contains(&plain) || others.contains(&gzipped))
}

fn candidate(found: walk::Found) -> Option<Candidate> {
    let name = found.path.file_name()?.to_string_lossy().to_lowercase();
    let is_guess = !name.contains("sitemap");
    let packed = PACKED.iter().find_map(|suffix| name.strip_suffix(suffix));
    let stem = packed.unwrap_or(&name);
    let is_candidate = match stem.rsplit_once('.')?.1 {
        "xml" | "rss" | "atom" => true,
        "txt" => !is_guess || packed.is_some() || begins_with_url(&found.path),
        _ => false,
    };
    is_candidate.then(|| {
        let parts: Vec<_> = found
            .relative
            .iter()
            .map(|part| part.to_string_lossy())
            .collect();
        Candidate {
            relative: parts.join("/"),
            path: found.path,
            is_guess,
        }
    })
}

/// Whether the first line that is not blank is a URL: the line of a robots.txt, of a licence or of a list of
/// requirements is none.
fn begins_with_url(path: &Path) -> bool {
    let mut head = Vec::new();
    let Ok(file) = open_regular(path) else {
        // Reading it will say why.
        return true;
    };
    if file.take(HEAD).read_to_end(&mut head).is_err() {
        return true;
    }
    let text = String::from_utf8_lossy(&head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let scheme = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    scheme.starts_with("http://") || scheme.starts_with("https://")
}
