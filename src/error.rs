use std::{fmt, io};

use crate::position::Position;
use crate::violation::Violation;

/// A `Result` whose error is this crate's [`Error`] unless said otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where.
///
/// One word in size. Displayed as `line:column: kind`, or `kind` alone where there is no position.
/// Of an I/O error only the kind is displayed: the error itself is the [`source`](std::error::Error::source).
///
/// # Examples
///
/// ```
/// use quick_sitemap::{ErrorKind, Reader};
///
/// let error = Reader::new(&b"<html></html>"[..]).next().unwrap().unwrap_err();
/// assert!(error.is_fatal());
/// assert!(matches!(error.kind(), ErrorKind::UnknownRoot(name) if name == "html"));
/// assert_eq!(error.to_string(), "1:1: root element `html` is not that of a sitemap");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    position: Option<Position>,
}

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input or the output failed. Fatal when reading, but for `WouldBlock` and `TimedOut`: call again.
    #[error("I/O error: {}", .0.kind())]
    Io(#[source] io::Error),
    /// The gzip stream is broken: bad header, bad data, wrong checksum or length. Fatal.
    #[error("broken gzip stream: {0}")]
    Gzip(&'static str),
    /// The root element is none of `urlset`, `sitemapindex`, `rss`, `RDF`, `feed`; an HTML page above all. Fatal.
    #[error("root element `{0}` is not that of a sitemap")]
    UnknownRoot(String),
    /// Neither XML with a known root nor text with a URL; what it looks like instead. Fatal.
    #[error("not a sitemap: {0}")]
    NotASitemap(&'static str),
    /// The XML document or the gzip stream ends early. The entries before the cut have been given. Fatal.
    #[error("the document is cut off")]
    Truncated,
    /// A bound that protects the caller was reached: `max_bytes`, or more than three layers of gzip. Fatal.
    #[error("{0}")]
    LimitExceeded(&'static str),
    /// A rule that the policy denies, or that a writer was asked to break. Not fatal: the next call goes on.
    #[error("{0}")]
    Violation(Violation),
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, position: Option<Position>) -> Self {
        Self(Box::new(Inner { kind, position }))
    }

    pub(crate) fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Where it went wrong; `None` when writing, and for the I/O errors of opening a file.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Whether this ends the reading or writing. After a fatal error a reader is done;
    /// after any other the next call goes on with the next entry.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        match self.kind() {
            ErrorKind::Violation(_) => false,
            ErrorKind::Io(error) => !matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
            ),
            _ => true,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position() {
            write!(f, "{position}: ")?;
        }
        self.kind().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", self.kind())
            .field("position", &self.position())
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self.kind())
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error), None)
    }
}

impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::new(ErrorKind::Violation(violation), None)
    }
}
