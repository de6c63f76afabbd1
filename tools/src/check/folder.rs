//! The sitemaps in a folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// So much of a text is looked at.
const HEAD: u64 = 4 << 10;

pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// From the folder on, with slashes.
    pub(crate) relative: String,
    /// Its name does not say that it is a sitemap.
    pub(crate) is_guess: bool,
}

/// In the order of their names. Hidden files and folders are left out, and links are not followed.
pub(crate) fn search(folder: &Path) -> impl Iterator<Item = Result<Found, walkdir::Error>> {
    let is_hidden = |entry: &DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    let walk = WalkDir::new(folder).sort_by_file_name();
    let entries = walk
        .into_iter()
        .filter_entry(move |entry| entry.depth() == 0 || !is_hidden(entry));
    let folder = folder.to_owned();
    entries.filter_map(move |entry| {
        let entry = match entry {
            Ok(entry) if entry.file_type().is_file() => entry,
            Ok(_) => return None,
            Err(error) => return Some(Err(error)),
        };
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_guess = !name.contains("sitemap");
        let stem = name.strip_suffix(".gz").unwrap_or(&name);
        let is_candidate = match stem.rsplit_once('.')?.1 {
            "xml" | "rss" | "atom" => true,
            "txt" => !is_guess || name.ends_with(".gz") || begins_with_url(entry.path()),
            _ => false,
        };
        is_candidate.then(|| {
            let relative = entry.path().strip_prefix(&folder).unwrap_or(entry.path());
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            Ok(Found {
                relative: parts.join("/"),
                path: entry.into_path(),
                is_guess,
            })
        })
    })
}

/// Whether the first line that is not blank is a URL: the line of a robots.txt, of a licence or of a list of
/// requirements is none.
fn begins_with_url(path: &Path) -> bool {
    let mut head = Vec::new();
    let Ok(file) = File::open(path) else {
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
