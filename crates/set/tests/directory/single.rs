//! `SplitWriter::single` in a directory: one file until the site outgrows it.

use std::time::Duration;

use quick_sitemap::Format;

use super::folder::{Folder, page, read_set, write_single};

/// For any number of pages, the sitemap has one name, and is never gzipped.
#[test]
fn the_sitemap_of_a_directory_has_one_name() {
    for (gzip, fingerprint) in [(false, false), (true, false), (true, true)] {
        let folder = Folder::new();
        for (count, format, parts) in [
            (0, Format::Urlset, 0),
            (3, Format::Urlset, 0),
            (4, Format::Index, 2),
            (9, Format::Index, 3),
            (1, Format::Urlset, 0),
        ] {
            let publish = || {
                let directory = folder.create().gzip(gzip).fingerprint(fingerprint);
                write_single(directory.grace(Duration::ZERO), 0..count).unwrap()
            };
            let published = publish();
            let index = published.index().as_str();
            assert_eq!(index, "https://example.com/sitemap.xml", "{count}");
            assert_eq!(published.path(), folder.path("sitemap.xml"));
            let found = (published.format(), published.parts().len());
            assert_eq!(found, (format, parts), "{count}");
            assert!(published.is_changed() && folder.files()["sitemap.xml"].starts_with(b"<?xml"));
            // Unused files are removed by the next run, even without a grace period.
            let again = publish();
            assert!(!again.is_index_changed() && again.parts().iter().all(|part| !part.changed));
            assert!(!publish().is_changed());
            assert_eq!(folder.names().len(), 1 + parts, "{:?}", folder.names());
            assert_eq!(read_set(&folder), (0..count).map(page).collect::<Vec<_>>());
        }
    }
}
