//! A page with every part that the schemas of the extensions know.

#![allow(clippy::unwrap_used)]

use quick_sitemap::{Reader, UrlEntry};

/// The page as a file, from which the tests of the members read it, too.
pub(crate) const PATH: &str = "tests/data/every-part.xml";

pub(crate) fn page() -> UrlEntry {
    let entry = Reader::from_path(PATH).unwrap().next().unwrap();
    entry.unwrap().into_url().unwrap()
}
