//! The sitemaps in a folder.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::folder::open_regular;
use crate::folder::walk::{self, Walk};
use crate::messages::Messages;

/// So much of a text is looked at.
const HEAD: u64 = 4 << 10;

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
    Ok(Folder {
        root: walk.root().to_owned(),
        candidates: walk::distinct(files)
            .into_iter()
            .filter_map(candidate)
            .collect(),
        failures,
    })
}

fn candidate(found: walk::Found) -> Option<Candidate> {
    let name = found.path.file_name()?.to_string_lossy().to_lowercase();
    let is_guess = !name.contains("sitemap");
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    let is_candidate = match stem.rsplit_once('.')?.1 {
        "xml" | "rss" | "atom" => true,
        "txt" => !is_guess || name.ends_with(".gz") || begins_with_url(&found.path),
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
