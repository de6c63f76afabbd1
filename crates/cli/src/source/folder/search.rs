//! The sitemaps in a folder.

use std::collections::HashSet;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::disk::open_regular;
use crate::rows::Begun;
use crate::source::folder::superseded::superseded;
use crate::source::folder::walk;
use crate::term::count::Count;
use crate::term::interrupt;
use crate::term::messages::Messages;

/// The files of a folder.
pub(crate) struct Folder {
    /// Without links.
    pub(crate) root: PathBuf,
    /// In the order of their names.
    pub(crate) candidates: Vec<Candidate>,
    /// Parts that a newer set has replaced.
    pub(crate) replaced: Vec<PathBuf>,
    /// Folders that could not be read.
    pub(crate) failures: Vec<(PathBuf, io::Error)>,
}

/// A file that may be a sitemap.
pub(crate) struct Candidate {
    pub(crate) path: PathBuf,
    /// From the folder on, with slashes.
    pub(crate) relative: String,
    /// Its name does not contain `sitemap`.
    pub(crate) is_guess: bool,
    /// The same content, gzipped, which is not read.
    pub(crate) copy: Option<PathBuf>,
}

/// # Errors
///
/// If there is no such folder.
pub(crate) fn search(folder: &Path, messages: &Messages) -> std::io::Result<Folder> {
    let found = walk::files(folder, messages)?;
    let mut candidates: Vec<_> = found.files.into_iter().filter_map(candidate).collect();
    let others: HashSet<_> = candidates.iter().map(|found| found.path.clone()).collect();
    let mut copies = HashSet::new();
    for found in &mut candidates {
        let mut copy = found.path.clone();
        copy.as_mut_os_string().push(".gz");
        // Files that cannot be compared are read, which reports the reason.
        if others.contains(&copy) && is_gzipped(&copy, &found.path).unwrap_or(false) {
            copies.insert(copy.clone());
            found.copy = Some(copy);
        }
    }
    candidates.retain(|found| !copies.contains(&found.path));
    let former = superseded(candidates.iter().map(|found| found.path.as_path()));
    candidates.retain(|found| !former.contains(&found.path));
    for (ignored, why) in [
        (former.len(), "replaced by a newer set"),
        (copies.len(), "a gzipped copy of the sitemap next to it"),
    ] {
        if ignored > 0 {
            let sitemaps = Count(ignored as u64, "sitemap");
            messages.note(format_args!(
                "{}: {sitemaps} ignored: {why}",
                folder.display()
            ));
        }
    }
    Ok(Folder {
        root: found.root,
        candidates,
        replaced: former.into_iter().collect(),
        failures: found.failures,
    })
}

/// Returns `true` if one file is the other, gzipped. Search engines read both, so an outdated one is not a copy.
fn is_gzipped(gzipped: &Path, plain: &Path) -> io::Result<bool> {
    let mut plain = BufReader::new(open_regular(plain)?);
    let gzipped = BufReader::new(open_regular(gzipped)?);
    let mut unpacked = BufReader::new(MultiGzDecoder::new(gzipped));
    while !interrupt::is_requested() {
        let (one, other) = (plain.fill_buf()?, unpacked.fill_buf()?);
        if one.is_empty() || other.is_empty() {
            return Ok(one.is_empty() && other.is_empty());
        }
        let length = one.len().min(other.len());
        if one.get(..length) != other.get(..length) {
            return Ok(false);
        }
        plain.consume(length);
        unpacked.consume(length);
    }
    Ok(false)
}

/// Returns the file if it may be a sitemap, by its name and, for a text, by its first line.
fn candidate(found: walk::FoundFile) -> Option<Candidate> {
    let name = found.path.file_name()?.to_string_lossy().to_lowercase();
    let is_guess = !name.contains("sitemap");
    let packed = name.strip_suffix(".gz");
    let stem = packed.unwrap_or(&name);
    let is_candidate = match stem.rsplit_once('.')?.1 {
        "xml" | "rss" | "rdf" | "atom" => true,
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
            copy: None,
        }
    })
}

/// Returns `true` if the first line that is not blank is a URL, unlike the first line of a robots.txt, of a licence or
/// of a list of requirements. Reading a file that cannot be opened will report the reason.
fn begins_with_url(path: &Path) -> bool {
    open_regular(path).map_or(true, |file| Begun::new(file).is_text())
}
