//! [`Error`], which ends a call, and its kinds.

use std::ops::Range;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;
use std::{fmt, io};

use crate::text::excerpt::Excerpt;
use crate::text::position::{Position, is_padded, pad};
use crate::text::printable::Printable;
use crate::violation::Violation;

/// A `Result` with this crate's [`Error`] as the default error type.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error and its position.
///
/// The size of a pointer. Displayed as `line:column: kind`, or as `kind` if there is no position. If a writer rejected an
/// entry, the message ends with [the call that helps](Violation::help).
///
/// The cause of an I/O error is its [`source`](std::error::Error::source). It is not part of the `{}` output, so it is not
/// repeated when a chain of sources is printed. `{:#}` (also on the kind) and `{:?}` include it.
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
///
/// let error = Reader::from_path("no/such.xml").unwrap_err();
/// assert_eq!(error.to_string(), "no/such.xml: I/O error");
/// assert!(format!("{error:#}").starts_with("no/such.xml: I/O error: "));
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    position: Option<Position>,
    path: Option<Box<Path>>,
    /// Number of bytes of the offending text, starting at the position.
    len: usize,
    /// The markup that is not closed; the position is its start.
    unclosed: Option<&'static str>,
    is_fatal: bool,
    excerpt: Option<Box<Excerpt>>,
}

/// The kinds of [`Error`]. Members can be added in a later version.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input or the output failed, or [`Parts`](crate::Parts) rejected a set. Fatal when reading, unless the
    /// [`Read`](io::Read) returned `WouldBlock` or `TimedOut`: then reading can be tried again.
    #[error(fmt = io_error)]
    Io(#[source] io::Error),
    /// The gzip stream is damaged; the value describes how. Entries that were returned before this error can be wrong,
    /// because often only the checksum at the end shows the damage. Fatal.
    #[error("broken gzip stream: {0}")]
    Gzip(&'static str),
    /// The root element is not `urlset`, `sitemapindex`, `rss`, `RDF` or `feed`; most often the document is an HTML
    /// page. Fatal.
    #[error("root element `{}` is not that of a sitemap", Printable(.0))]
    UnknownRoot(String),
    /// The document is neither XML with a known root nor text with a URL. The value describes its content. Fatal.
    #[error("not a sitemap: {0}")]
    NotASitemap(LooksLike),
    /// The document is not in UTF-8, and this crate was built without the feature `encodings`, which is on by default. The
    /// value is the declared encoding. Fatal.
    #[error("encoding {} can be read only with the feature `encodings` of quick-sitemap", Printable(.0))]
    UnsupportedEncoding(String),
    /// The XML document or the gzip stream ends too early. The entries before the end have been returned. If the document
    /// ends inside a comment, a processing instruction, a CDATA section, a document type declaration or an XML
    /// declaration, the message of the error names it, and the position is its start. Fatal.
    #[error("the document is truncated")]
    Truncated,
    /// The document exceeds a limit that protects the caller: [`max_bytes`](crate::ReaderBuilder::max_bytes), or three
    /// nested layers of gzip. The value describes the limit. Fatal.
    #[error("{0}")]
    LimitExceeded(&'static str),
    /// A violation of a rule that the policy denies, or of any rule when writing. Not fatal: the next call continues.
    #[error("{0}")]
    Violation(Violation),
}

/// The source displays the cause; only `{:#}` repeats it.
fn io_error(error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("I/O error")?;
    let mut cause = f.alternate().then_some(error as &dyn std::error::Error);
    while let Some(error) = cause {
        write!(f, ": {}", Printable(&error.to_string()))?;
        cause = error.source();
    }
    Ok(())
}

/// The kinds of content of documents that are not sitemaps, each with its text.
macro_rules! looks_like {
    ($($(#[$doc:meta])* $kind:ident = $text:literal,)*) => {
        /// The kind of content of a document that is not a sitemap, in [`ErrorKind::NotASitemap`]. Members can be added in a
        /// later version.
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap::{ErrorKind, LooksLike, Reader};
        ///
        /// let error = Reader::from_bytes(r#"{"error": "not found"}"#).next().unwrap().unwrap_err();
        /// assert!(matches!(error.kind(), ErrorKind::NotASitemap(LooksLike::Json)));
        /// assert_eq!(error.to_string(), "1:1: not a sitemap: it looks like JSON");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum LooksLike {
            $($(#[$doc])* $kind,)*
        }

        impl fmt::Display for LooksLike {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $(Self::$kind => $text,)*
                })
            }
        }
    };
}

looks_like! {
    /// No bytes, or only white space.
    Empty = "it is empty",
    /// JSON.
    Json = "it looks like JSON",
    /// Markup without a root element.
    NoRoot = "it has no root element",
    /// Bytes that are not text and not of a known kind.
    Binary = "the bytes are binary or compressed, perhaps by brotli",
    /// Text without a line that is a URL.
    Prose = "it is neither XML nor text with a URL on a line",
    /// A template that was not filled in, with `{{` or `{%`.
    Template = "it looks like a template",
    /// UTF-32.
    Utf32 = "UTF-32 is not supported",
    /// A ZIP archive.
    Zip = "the bytes are a ZIP archive",
    /// Compressed by brotli. Only framed brotli can be detected; the brotli that servers send looks like binary data or
    /// prose.
    Brotli = "the bytes are brotli-compressed",
    /// Compressed by zstd.
    Zstd = "the bytes are zstd-compressed",
    /// Compressed by xz.
    Xz = "the bytes are xz-compressed",
    /// Compressed by bzip2.
    Bzip2 = "the bytes are bzip2-compressed",
    /// A PDF document.
    Pdf = "the bytes are a PDF document",
}

impl ErrorKind {
    /// Returns a name for reports: the [name of the rule](crate::Rule::name), or `io`, `gzip`, `unknown-root`,
    /// `not-a-sitemap`, `unsupported-encoding`, `truncated` or `limit-exceeded`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::Gzip(_) => "gzip",
            Self::UnknownRoot(_) => "unknown-root",
            Self::NotASitemap(_) => "not-a-sitemap",
            Self::UnsupportedEncoding(_) => "unsupported-encoding",
            Self::Truncated => "truncated",
            Self::LimitExceeded(_) => "limit-exceeded",
            Self::Violation(violation) => violation.rule().name(),
        }
    }
}

impl Error {
    /// Creates an error. Violations and an I/O operation that can be repeated are not fatal; all others are.
    pub(crate) fn new(kind: ErrorKind, position: Option<Position>) -> Self {
        let is_fatal = match &kind {
            ErrorKind::Violation(_) => false,
            ErrorKind::Io(error) => !is_not_ready(error),
            _ => true,
        };
        Self(Box::new(Inner {
            kind,
            position,
            path: None,
            len: 0,
            unclosed: None,
            is_fatal,
            excerpt: None,
        }))
    }

    /// Creates the last error of a reader, of any kind.
    pub(crate) fn fatal(kind: ErrorKind, position: Option<Position>) -> Self {
        let mut error = Self::new(kind, position);
        error.0.is_fatal = true;
        error
    }

    /// With the number of bytes of the offending text, and the line that it is on.
    pub(crate) fn marking(mut self, len: usize, excerpt: Option<Box<Excerpt>>) -> Self {
        self.0.len = len;
        self.0.excerpt = excerpt;
        self
    }

    /// Adds the markup that is not closed before the end of the document, and starts at the position of the error.
    pub(crate) fn within(mut self, unclosed: Option<&'static str>) -> Self {
        self.0.unclosed = unclosed;
        self
    }

    /// Creates the error of a file, with its name.
    pub(crate) fn at_path(error: io::Error, path: &Path) -> Self {
        let mut error = Self::fatal(ErrorKind::Io(error), None);
        error.0.path = Some(path.into());
        error
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the violation, or `None` if the error is not a violation.
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

    /// Returns the position of the error, or `None` when writing and for I/O errors.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the byte range of the offending text, as [`Issue::span`](crate::Issue::span) does. The range is empty if only a
    /// position is known, as for fatal errors. Returns `None` for errors without a position.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Policy, ReaderBuilder};
    ///
    /// let text = "https://example.com/a\nnonsense\n";
    /// let mut reader = ReaderBuilder::new().policy(Policy::LOSSLESS).from_bytes(text);
    /// reader.next().unwrap()?;
    /// let span = reader.next().unwrap().unwrap_err().span().unwrap();
    /// assert_eq!(&text[span.start as usize..span.end as usize], "nonsense");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn span(&self) -> Option<Range<u64>> {
        let start = self.position()?.byte();
        Some(start..start.saturating_add(self.0.len as u64))
    }

    /// Returns the line that the error is on and the byte range of the offending text in it, as
    /// [`Issue::excerpt`](crate::Issue::excerpt) does. The range is the [`span`](Self::span), as far as it is on this line.
    /// `None` without [`ReaderBuilder::excerpts`](crate::ReaderBuilder::excerpts), and for errors without a position.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// let mut reader = ReaderBuilder::new().excerpts(true).from_bytes("<!-- a page -->\n<html></html>");
    /// let error = reader.next().unwrap().unwrap_err();
    /// assert_eq!(error.excerpt(), Some(("<html></html>", 0..0)));
    /// ```
    #[must_use]
    pub fn excerpt(&self) -> Option<(&str, Range<usize>)> {
        Some(self.0.excerpt.as_ref()?.parts())
    }

    /// Returns the kind of the error, without the position.
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

    /// Returns `true` if another request for the same document may help: the connection broke off, or was never made. The
    /// crate `quick-sitemap-crawl` decides with the same function.
    ///
    /// | kind | |
    /// |---|---|
    /// | [`Io`](ErrorKind::Io): connection refused, reset, aborted, not connected, broken pipe, unreachable, timed out, unexpected end, interrupted, would block | `true` |
    /// | [`Io`](ErrorKind::Io): any other | `false` |
    /// | [`Gzip`](ErrorKind::Gzip), [`Truncated`](ErrorKind::Truncated): the server has sent all that it has | `false` |
    /// | [`UnknownRoot`](ErrorKind::UnknownRoot), [`NotASitemap`](ErrorKind::NotASitemap), [`UnsupportedEncoding`](ErrorKind::UnsupportedEncoding), [`LimitExceeded`](ErrorKind::LimitExceeded), [`Violation`](ErrorKind::Violation) | `false` |
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io;
    ///
    /// use quick_sitemap::{Decoder, Reader};
    ///
    /// let mut decoder = Decoder::new();
    /// decoder.fail(io::ErrorKind::ConnectionReset.into());
    /// assert!(decoder.next_entry().unwrap_err().is_transient());
    /// assert!(!Reader::from_bytes("<html>").next().unwrap().unwrap_err().is_transient());
    /// ```
    #[must_use]
    pub fn is_transient(&self) -> bool {
        use io::ErrorKind::*;
        let ErrorKind::Io(error) = self.kind() else {
            return false;
        };
        #[rustfmt::skip]
        let is_broken = matches!(
            error.kind(),
            BrokenPipe | ConnectionAborted | ConnectionRefused | ConnectionReset | HostUnreachable | Interrupted
                | NetworkDown | NetworkUnreachable | NotConnected | UnexpectedEof
        );
        is_broken || is_not_ready(error)
    }

    /// Returns `true` if this error ends reading or writing. After a fatal error, there are no more entries. After any
    /// other error, the next call continues.
    ///
    /// A loop over entries should continue only after an error that is a [`violation`](Self::violation). See [continuing
    /// after errors](crate::guide::policy#continuing-after-errors).
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        self.0.is_fatal
    }
}

/// Returns `true` if the same operation can be tried again on the same input.
pub(crate) fn is_not_ready(error: &io::Error) -> bool {
    use io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut)
}

// An error is looked at, never changed: a panic leaves none half-changed.
impl UnwindSafe for Error {}
impl RefUnwindSafe for Error {}
impl UnwindSafe for ErrorKind {}
impl RefUnwindSafe for ErrorKind {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_padded(f) {
            return pad(self, f);
        }
        if let Some(path) = &self.0.path {
            write!(f, "{}: ", Printable(&path.to_string_lossy()))?;
        }
        if let Some(position) = self.position() {
            write!(f, "{position}: ")?;
        }
        self.kind().fmt(f)?;
        if let Some(unclosed) = self.0.unclosed {
            write!(f, ": the {unclosed} is not closed")?;
        }
        // The caller of a reader cannot fix the document, so there is no help.
        let violation = self.violation().filter(|_| self.position().is_none());
        match violation.and_then(Violation::help) {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// Prints `Error(` and all details, so that the output of a `main` or an `unwrap` is readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self:#})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind().source()
    }
}

/// For functions that return `io::Result`. An I/O error is converted back to the original error. Other errors get the
/// kind [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) (for [`Truncated`](ErrorKind::Truncated)) or
/// [`InvalidData`](io::ErrorKind::InvalidData), and contain this error as their [inner error](io::Error::get_ref).
///
/// # Examples
///
/// ```
/// use std::io;
///
/// fn count(input: impl io::Read) -> io::Result<usize> {
///     let mut pages = 0;
///     for entry in quick_sitemap::Reader::new(input) {
///         entry?;
///         pages += 1;
///     }
///     Ok(pages)
/// }
///
/// assert_eq!(count(&b"https://example.com/"[..])?, 1);
/// assert_eq!(count(&b"<urlset>"[..]).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
/// # Ok::<(), io::Error>(())
/// ```
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Io(cause) => cause.kind(),
            ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
            _ => io::ErrorKind::InvalidData,
        };
        match *error.0 {
            Inner {
                kind: ErrorKind::Io(cause),
                path: None,
                ..
            } => cause,
            inner => Self::new(kind, Error(Box::new(inner))),
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
