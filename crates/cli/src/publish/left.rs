//! The sitemaps that nothing lists any more.

use std::io::BufReader;
use std::path::Path;

use quick_sitemap::{Format, Reader};

use crate::disk::files::without_links;
use crate::disk::{folder_of, open_regular};
use crate::source::folder::parts::{Listing, find};
use crate::term::clipped::clipped;
use crate::term::count::Grouped;

/// Files that are named.
const EXAMPLES: usize = 3;

/// If one sitemap is about to replace the index of a set at `path`: a sentence about the parts of the set, which stay.
pub(super) fn parts_left_behind(path: &Path) -> Option<String> {
    let path = without_links(path);
    let mut reader = Reader::new(BufReader::new(open_regular(&path).ok()?));
    if reader.format() != Some(Format::Index) {
        return None;
    }
    let folder = Listing::new(folder_of(&path).to_owned());
    let parts = reader.filter_map(|entry| find(&[&folder], entry.ok()?.loc()));
    let parts: Vec<_> = parts.filter(|part| *part != path).collect();
    Some(format!(
        "it was the index of a set, whose sitemaps stay, but are not listed any more: {}; remove them, or write a set, with a folder as --out",
        named(parts.iter().map(|part| &**part))?
    ))
}

/// The names of the first files, and the number of the others. `None` if there are no files.
pub(super) fn named<'p>(files: impl ExactSizeIterator<Item = &'p Path>) -> Option<String> {
    let more = files.len().saturating_sub(EXAMPLES);
    let names = files.take(EXAMPLES).filter_map(Path::file_name);
    let names: Vec<_> = names
        .map(|name| clipped(&name.to_string_lossy()).into_owned())
        .collect();
    let mut list = (!names.is_empty()).then(|| names.join(", "))?;
    if more > 0 {
        list.push_str(&format!(" and {} more", Grouped(more as u64)));
    }
    Some(list)
}
