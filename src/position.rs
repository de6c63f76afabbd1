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
        pad(f, |out| write!(out, "{}:{}", self.line, self.column))
    }
}

/// Lets a text that is made of several honour a width, as texts in a table need it.
pub(crate) fn pad(
    f: &mut fmt::Formatter<'_>,
    put: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> fmt::Result {
    if f.width().is_none() && f.precision().is_none() {
        return put(f);
    }
    let mut text = String::new();
    put(&mut text)?;
    f.pad(&text)
}
