use std::panic::{RefUnwindSafe, UnwindSafe};
use std::{fmt, io};

use crate::position::Position;
use crate::violation::Violation;

/// A `Result` whose error is this crate's [`Error`] unless said otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where.
///
/// One word in size. Displayed as `line:column: kind`, or `kind` alone where there is no position.
/// An I/O error is displayed whole; its own cause, if it has one, is the [`source`](std::error::Error::source).
///
/// # Examples
///
/// ```
/// use quick_sitemap::{ErrorKind, Reader};
///
/// let error = Reader::new(&b"<html></html>"[..]).next().unwrap().unwrap_err();
/// assert!(error.is_fatal());
/// assert!(matches!(error.kind(), ErrorKind::UnknownRoot(name) if name == "html"));
/// assert_eq!(error.kind().name(), "unknown-root");
/// assert_eq!(error.to_string(), "1:1: root element `html` is not that of a sitemap");
/// assert_eq!(format!("{error:?}"), "Error(1:1: root element `html` is not that of a sitemap)");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    position: Option<Position>,
    is_fatal: bool,
}

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input or the output failed. Fatal when reading, but for `WouldBlock` and `TimedOut`: call again.
    #[error("I/O error: {0}")]
    Io(io::Error),
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

impl ErrorKind {
    /// A name for reports: that of the [rule](crate::Rule::name), or `io`, `gzip`, `unknown-root`, `not-a-sitemap`,
    /// `truncated`, `limit-exceeded`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::Gzip(_) => "gzip",
            Self::UnknownRoot(_) => "unknown-root",
            Self::NotASitemap(_) => "not-a-sitemap",
            Self::Truncated => "truncated",
            Self::LimitExceeded(_) => "limit-exceeded",
            Self::Violation(violation) => violation.rule().name(),
        }
    }
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, position: Option<Position>) -> Self {
        let is_fatal = match &kind {
            ErrorKind::Violation(_) => false,
            ErrorKind::Io(error) => !matches!(
                error.kind(),
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
            ),
            _ => true,
        };
        Self(Box::new(Inner {
            kind,
            position,
            is_fatal,
        }))
    }

    /// The last error of a reader, whatever its kind.
    pub(crate) fn fatal(kind: ErrorKind, position: Option<Position>) -> Self {
        Self(Box::new(Inner {
            kind,
            position,
            is_fatal: true,
        }))
    }

    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The rule that was broken and what broke it, if this is no fatal error.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Policy, ReaderBuilder, Rule};
    ///
    /// let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url/></urlset>";
    /// let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(text.as_bytes());
    /// let error = reader.next().unwrap().unwrap_err();
    /// assert_eq!(error.violation().map(|violation| violation.rule()), Some(Rule::MissingLoc));
    /// ```
    #[must_use]
    pub fn violation(&self) -> Option<&Violation> {
        match self.kind() {
            ErrorKind::Violation(violation) => Some(violation),
            _ => None,
        }
    }

    /// Where it went wrong; `None` when writing, and for I/O errors.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// What went wrong, without where.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ErrorKind, Reader};
    ///
    /// let error = Reader::from_path("no/such.xml").unwrap_err();
    /// let ErrorKind::Io(cause) = error.into_kind() else { unreachable!() };
    /// assert_eq!(cause.kind(), std::io::ErrorKind::NotFound);
    /// ```
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Whether this ends the reading or writing. After a fatal error a reader is done;
    /// after any other the next call goes on.
    ///
    /// That does not make `!is_fatal()` the condition of a loop: see
    /// [the loop under other policies](crate#strict-lenient-and-your-own-policy).
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.0.is_fatal
    }
}

// An error is looked at, never changed: a panic leaves none half-changed.
impl UnwindSafe for Error {}
impl RefUnwindSafe for Error {}
impl UnwindSafe for ErrorKind {}
impl RefUnwindSafe for ErrorKind {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position() {
            write!(f, "{position}: ")?;
        }
        self.kind().fmt(f)
    }
}

/// `Error(` and what is displayed: what a `main` or an `unwrap` prints should be readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => error.source(),
            _ => None,
        }
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
