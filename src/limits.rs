//! The bounds of files, entries and readers. Those of extensions are in their tables (`src/vocabulary.rs`, `src/extension/`).

/// Limits for the size of one sitemap file: those of the protocol, or smaller ones.
///
/// The protocol allows 50,000 entries and 52,428,800 bytes (50 MiB, uncompressed) per file, for urlsets, indexes and
/// text sitemaps alike. Writers reject an entry that would exceed a limit.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Limits;
///
/// let limits = Limits::default();
/// assert_eq!((limits.entries, limits.bytes), (50_000, 52_428_800));
/// let smaller = limits.with_entries(1_000).with_bytes(1 << 20);
/// assert_eq!((smaller.entries, smaller.bytes), (1_000, 1_048_576));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of entries per file. The default is 50,000; larger values are treated as 50,000.
    pub entries: u64,
    /// Maximum number of uncompressed bytes per file, including the closing tag. The default is 52,428,800; larger
    /// values are treated as 52,428,800.
    pub bytes: u64,
}

/// Entries a sitemap may hold.
pub(crate) const MAX_ENTRIES: u64 = 50_000;
/// Uncompressed bytes a sitemap may hold.
pub(crate) const MAX_BYTES: u64 = 52_428_800;
/// A `<loc>` must have fewer Unicode characters than this.
pub(crate) const LOC_CHARS: usize = 2_048;
/// Maximum number of elements and attributes of an entry, and of pieces of text between them. An entry with more is
/// skipped.
pub(crate) const MAX_NODES: usize = 16_384;
/// Words in the lists of one entry, such as keywords and countries.
pub(crate) const MAX_WORDS: usize = 65_536;
/// Different namespaces of the foreign elements and attributes in one file that is written.
pub(crate) const MAX_FOREIGN: usize = 64;
/// Levels of elements below an entry.
pub(crate) const MAX_DEPTH: usize = 64;
/// Issues that one call reports before the rest are only counted.
pub(crate) const MAX_ISSUES: usize = 1_000;
/// Maximum number of namespaces of a document that are reported, and of prefixes.
pub(crate) const MAX_NOTED_NAMES: usize = 1_024;
/// Namespace declarations in scope at one place.
pub(crate) const MAX_NAMESPACES: usize = 256;
/// Different namespaces that are kept at one time: the root's, and all of an entry's.
pub(crate) const MAX_URIS: usize = 4_096;
/// Bytes of the URIs that are kept at one time, and of the prefixes in scope.
pub(crate) const NAMESPACE_BYTES: usize = 3 << 19;
/// Bytes of names and namespaces that elements outside of the entries may keep.
pub(crate) const OUTER_BYTES: usize = 64 << 10;
/// Default of `ReaderBuilder::max_bytes`.
pub(crate) const DEFAULT_MAX_BYTES: u64 = 500 << 20;
/// Default of `ReaderBuilder::max_entry_bytes`.
pub(crate) const DEFAULT_MAX_ENTRY_BYTES: usize = 2 << 20;
/// Bytes in which a known root must begin, or a text sitemap have its first URL.
pub(crate) const DETECTION_BYTES: usize = 64 << 10;

impl Limits {
    /// Returns the same limits with this number of entries per file.
    #[must_use]
    pub const fn with_entries(mut self, entries: u64) -> Self {
        self.entries = entries;
        self
    }

    /// Returns the same limits with this number of bytes per file.
    #[must_use]
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: MAX_ENTRIES,
            bytes: MAX_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::grouped;

    const GUIDE: &str = "src/guide/limits.md";
    const RULE: &str = "src/violation.rs";
    const PROGRAM: &str = "crates/cli/src/judge/rules.md";

    #[test]
    fn texts_have_the_same_numbers() {
        let reader = "src/reader.rs";
        let texts: [(u64, &[&str]); 11] = [
            (MAX_ENTRIES, &["src/limits.rs", GUIDE, RULE, PROGRAM]),
            (MAX_BYTES, &["src/limits.rs", GUIDE, RULE, PROGRAM]),
            (LOC_CHARS as u64, &[GUIDE, RULE, PROGRAM]),
            (MAX_NODES as u64, &[GUIDE, PROGRAM]),
            (MAX_WORDS as u64, &[GUIDE, RULE, PROGRAM]),
            (MAX_ISSUES as u64, &[GUIDE]),
            (MAX_URIS as u64, &[GUIDE]),
            (MAX_DEPTH as u64, &[RULE, PROGRAM]),
            (DEFAULT_MAX_BYTES, &[reader]),
            (DEFAULT_MAX_BYTES >> 20, &[GUIDE, PROGRAM]),
            (DEFAULT_MAX_ENTRY_BYTES as u64, &[reader]),
        ];
        for (most, paths) in texts {
            let most = grouped(most);
            for path in paths {
                // The program is not a part of the published crate.
                let Ok(text) = std::fs::read_to_string(path) else {
                    assert_eq!(*path, PROGRAM);
                    continue;
                };
                let mut words = text.split(|c: char| !c.is_ascii_digit() && c != ',');
                let has_it = words.any(|word| word.trim_matches(',') == most);
                assert!(has_it, "{path} does not have {most}");
            }
        }
    }
}
