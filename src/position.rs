//! Where something stands in a document.

use std::fmt;

/// A place in a document, as an editor would show it.
///
/// Bytes, lines and columns are those of the *decoded* text: after gunzipping, after transcoding to UTF-8,
/// and without a leading byte order mark. LF, CRLF and a lone CR each end a line.
///
/// Displayed as `line:column`. Of two in one document, the one that comes first is the smaller.
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
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serde::from_one"))]
    pub(crate) line: u64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serde::from_one"))]
    pub(crate) column: u64,
    pub(crate) entry: u64,
}

impl Position {
    /// Bytes before this place, from 0, in the decoded UTF-8 text without its byte order mark.
    #[must_use]
    pub const fn byte(&self) -> u64 {
        self.byte
    }

    /// The line, from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// The column, from 1, counted in Unicode characters (not bytes).
    #[must_use]
    pub const fn column(&self) -> u64 {
        self.column
    }

    /// The number of the entry this place belongs to, from 1; skipped entries are counted too.
    /// 0 before the first entry; between two entries, the number of the one before.
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

/// Whether a width is asked for, as texts in a table need it: what is put together of several texts is padded as one.
pub(crate) fn is_padded(f: &fmt::Formatter<'_>) -> bool {
    f.width().is_some() || f.precision().is_some()
}

/// What `whole` displays without a width, padded.
pub(crate) fn pad(whole: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match f.alternate() {
        true => f.pad(&format!("{whole:#}")),
        false => f.pad(&format!("{whole}")),
    }
}
