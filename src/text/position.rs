//! Positions in a document.

use std::fmt;

/// A place in a document, as an editor shows it.
///
/// Bytes, lines and columns are counted in the *decoded* text: after decompression, after conversion to UTF-8, and
/// without a leading byte order mark. LF, CRLF and a single CR each end a line.
///
/// Displayed as `line:column`. Positions in one document are ordered by their place.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Error, Reader};
///
/// let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n<url/>\n<url/></urlset>";
/// let mut reader = Reader::new(text.as_bytes());
/// assert!(reader.next().is_none());
/// let [at, later] = [0, 1].map(|number| reader.issues()[number].position);
/// assert_eq!((at.byte(), at.line(), at.column(), at.entry()), (61, 2, 1, 1));
/// assert_eq!(at.to_string(), "2:1");
/// assert!(at < later);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Position {
    // The first field: what places are ordered by.
    pub(crate) byte: u64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::text::serde::from_one"))]
    pub(crate) line: u64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::text::serde::from_one"))]
    pub(crate) column: u64,
    pub(crate) entry: u64,
}

impl Position {
    /// Returns the number of bytes before this place in the decoded UTF-8 text, without the byte order mark.
    #[must_use]
    pub const fn byte(&self) -> u64 {
        self.byte
    }

    /// Returns the line, starting at 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the column, starting at 1, counted in Unicode characters (not bytes).
    #[must_use]
    pub const fn column(&self) -> u64 {
        self.column
    }

    /// Returns the number of the entry that this place belongs to, starting at 1. Skipped entries are counted too. The
    /// number is 0 before the first entry. Between two entries, it is the number of the previous one.
    #[must_use]
    pub const fn entry(&self) -> u64 {
        self.entry
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_padded(f) {
            return pad(self, f);
        }
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Returns `true` if a width is set, as for texts in a table: a text that is put together of several is padded as one.
pub(crate) fn is_padded(f: &fmt::Formatter<'_>) -> bool {
    f.width().is_some() || f.precision().is_some()
}

/// Pads the text that `whole` displays without a width.
pub(crate) fn pad(whole: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if f.alternate() {
        f.pad(&format!("{whole:#}"))
    } else {
        f.pad(&format!("{whole}"))
    }
}
