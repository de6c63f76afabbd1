//! What ends a call: [`Error`], and what it can be about.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::Path;
use std::{fmt, io};

use crate::position::{Position, is_padded, pad};
use crate::violation::Violation;

/// A `Result` whose error is this crate's [`Error`] unless said otherwise.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where.
///
/// One word in size. Displayed as `line:column: kind`, or `kind` alone where there is no position. The cause of an I/O
/// error is its [`source`](std::error::Error::source), and is not displayed, so that it is said once where a chain of
/// causes is printed; `{:#}`, of the kind too, and `{:?}` say all of it.
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
    is_fatal: bool,
}

/// The kinds of [`Error`]. There may be more of them one day.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input or the output failed. Fatal when reading, but for a [`Read`](io::Read) that says `WouldBlock` or
    /// `TimedOut`: it may be asked again.
    #[error(fmt = io_error)]
    Io(#[source] io::Error),
    /// The gzip stream is broken. Fatal.
    #[error("broken gzip stream: {0}")]
    Gzip(GzipFault),
    /// The root element is none of `urlset`, `sitemapindex`, `rss`, `RDF`, `feed`; an HTML page above all. Fatal.
    #[error("root element `{0}` is not that of a sitemap")]
    UnknownRoot(String),
    /// Neither XML with a known root nor text with a URL; what it looks like instead. Fatal.
    #[error("not a sitemap: {0}")]
    NotASitemap(LooksLike),
    /// The XML document or the gzip stream ends early. The entries before the cut have been given. Fatal.
    #[error("the document is cut off")]
    Truncated,
    /// A bound that protects the caller was reached. Fatal.
    #[error("{0}")]
    LimitExceeded(Bound),
    /// A rule that the policy denies, or that a writer was asked to break. Not fatal: the next call goes on.
    #[error("{0}")]
    Violation(Violation),
}

/// The cause is the source's to say, but for `{:#}`.
fn io_error(error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("I/O error")?;
    let mut cause = f.alternate().then_some(error as &dyn std::error::Error);
    while let Some(error) = cause {
        write!(f, ": {error}")?;
        cause = error.source();
    }
    Ok(())
}

/// An enum of what was found, each with its text.
macro_rules! found {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $text:literal,)* }) => {
        $(#[$doc])*
        ///
        /// There may be more of them one day.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$member_doc])* $member,)*
        }

        impl $name {
            /// As an error's message says it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $text,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

found! {
    /// What is wrong with a gzip stream: [`ErrorKind::Gzip`].
    GzipFault {
        /// A member is not compressed by deflate.
        UnknownMethod = "unknown compression method",
        /// Flags are set that mean nothing.
        ReservedFlags = "reserved flags are set",
        /// The compressed data can't be unpacked.
        Data = "compressed data makes no sense",
        /// What was unpacked does not have the checksum that is named.
        Checksum = "checksum does not match",
        /// What was unpacked does not have the length that is named.
        Length = "length does not match",
    }
}

found! {
    /// What a document that is no sitemap looks like: [`ErrorKind::NotASitemap`].
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
    LooksLike {
        /// There are no bytes, or nothing but white space.
        Empty = "it is empty",
        /// JSON, such as the error of an API.
        Json = "it looks like JSON",
        /// Markup without a root element.
        NoRoot = "it has no root element",
        /// Bytes that are no text, and of no kind that is known.
        Binary = "the bytes are binary or compressed, perhaps by brotli",
        /// Words, none of which is a URL on a line of its own.
        Prose = "it is neither XML nor text with a URL on a line",
        /// Text in UTF-32.
        Utf32 = "UTF-32 is not supported",
        /// A ZIP archive.
        Zip = "the bytes are a ZIP archive",
        /// A 7z archive.
        SevenZip = "the bytes are a 7z archive",
        /// A RAR archive.
        Rar = "the bytes are a RAR archive",
        /// Compressed by brotli. (Only framed brotli can be told; what servers send is seen as binary or prose.)
        Brotli = "the bytes are brotli-compressed",
        /// Compressed by zstd.
        Zstd = "the bytes are zstd-compressed",
        /// Compressed by xz.
        Xz = "the bytes are xz-compressed",
        /// Compressed by bzip2.
        Bzip2 = "the bytes are bzip2-compressed",
        /// Compressed by Unix `compress`.
        Compress = "the bytes are compressed with compress",
        /// A PDF document.
        Pdf = "the bytes are a PDF document",
        /// A PNG image.
        Png = "the bytes are a PNG image",
        /// A JPEG image.
        Jpeg = "the bytes are a JPEG image",
        /// A GIF image.
        Gif = "the bytes are a GIF image",
        /// A WebP image.
        WebP = "the bytes are a WebP image",
    }
}

found! {
    /// A bound that protects the caller: [`ErrorKind::LimitExceeded`].
    Bound {
        /// [`ReaderBuilder::max_bytes`](crate::ReaderBuilder::max_bytes).
        Bytes = "more bytes than max_bytes allows",
        /// Three layers of gzip, one in the other.
        GzipLayers = "more than three layers of gzip",
    }
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
            path: None,
            is_fatal,
        }))
    }

    /// The last error of a reader, whatever its kind.
    pub(crate) fn fatal(kind: ErrorKind, position: Option<Position>) -> Self {
        let mut error = Self::new(kind, position);
        error.0.is_fatal = true;
        error
    }

    /// Of a file, which is named.
    pub(crate) fn at_path(error: io::Error, path: &Path) -> Self {
        let mut error = Self::fatal(ErrorKind::Io(error), None);
        error.0.path = Some(path.into());
        error
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
    /// [the loop under other policies](crate#the-loop-under-other-policies).
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
        if is_padded(f) {
            return pad(self, f);
        }
        if let Some(path) = &self.0.path {
            write!(f, "{}: ", path.display())?;
        }
        if let Some(position) = self.position() {
            write!(f, "{position}: ")?;
        }
        self.kind().fmt(f)
    }
}

/// `Error(` and all that is known: what a `main` or an `unwrap` prints should be readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self:#})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// For functions that return `io::Result`. An I/O error becomes what it was before; others are of the kind
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) (for [`Truncated`](ErrorKind::Truncated)) or
/// [`InvalidData`](io::ErrorKind::InvalidData), and this error is their [inner one](io::Error::get_ref).
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
