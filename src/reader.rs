//! The reader over `io::Read`: `Reader`, and `ReaderBuilder` with its options.

pub(crate) mod decoder;
mod outcomes;
#[cfg(feature = "stream")]
mod stream;

use std::fs::File;
use std::io::{self, BufRead, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};

use url::Url;

use crate::engine::Step;
use crate::entry::Entry;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result, is_not_ready};
use crate::format::Format;
use crate::raw::RawEntry;
use crate::report::options::{Options, TextPiece};
use crate::summary::Summary;
use crate::text::position::Position;
use crate::violation::{Issue, Policy};
use crate::xml::stylesheet::Stylesheet;

pub use self::decoder::{Decoder, Outcome};
pub use self::outcomes::Outcomes;
#[cfg(feature = "stream")]
pub use self::stream::EntryStream;

/// Options for a [`Reader`] or a [`Decoder`].
///
/// # Examples
///
/// ```
/// use quick_sitemap::{ErrorKind, Policy, ReaderBuilder, Rule};
///
/// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url/></urlset>";
/// let mut reader = ReaderBuilder::new()
///     .policy(Policy::LENIENT.deny(Rule::MissingLoc))
///     .max_bytes(10_000_000)
///     .build(text.as_bytes());
/// let error = reader.next().unwrap().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::MissingLoc));
/// assert!(reader.next().is_none());
/// ```
#[derive(Debug, Clone)]
#[must_use = "it is `build` or `decoder` that makes something of the options"]
pub struct ReaderBuilder {
    options: Options,
}

impl Default for ReaderBuilder {
    fn default() -> Self {
        Self::new()
    }
}

/// The largest entry that offsets on the tape can hold.
const LARGEST_ENTRY: usize = 256 << 20;

impl ReaderBuilder {
    /// Creates the default options: [`Policy::LENIENT`], no location, 500 MiB per document, 2 MiB per entry.
    pub const fn new() -> Self {
        Self {
            options: Options::new(),
        }
    }

    /// Sets which violations are returned as errors, at most one per entry. The default is [`Policy::LENIENT`], under
    /// which no violation is an error.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.options.policy = policy;
        self
    }

    /// Calls `on_issue` for each [`Issue`] when it is found, so a plain `for` loop sees all of them. Issues of an entry
    /// are reported before the entry is returned, and issues after the last entry before the loop ends.
    ///
    /// The callback gets the same issues in the same order as all calls of [`issues`](Reader::issues) together: at most 1,000
    /// per call, then one [`IssuesOmitted`](crate::Rule::IssuesOmitted) with the number of further issues.
    ///
    /// Readers built from clones of one builder share the callback, and threads wait for each other to call it. Setting
    /// a callback replaces the previous one. The callback must not read with a reader of the same builder.
    ///
    /// The callback must be `Send + 'static`, so it cannot borrow a local `Vec`. To keep issues with their entries, use
    /// [`outcomes`](Reader::outcomes), or send them through a channel:
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// let text = "https://example.com/a\nnonsense\nhttps://example.com/b\nmore nonsense\n";
    /// let (sender, issues) = mpsc::channel();
    /// let builder = ReaderBuilder::new().on_issue(move |issue| sender.send(issue.clone()).unwrap());
    /// let mut pages = 0;
    /// for entry in builder.from_bytes(text) {
    ///     entry?;
    ///     pages += 1;
    /// }
    /// assert_eq!(pages, 2);
    /// assert_eq!(issues.try_iter().map(|issue| issue.position.line()).collect::<Vec<_>>(), [2, 4]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn on_issue(mut self, on_issue: impl FnMut(&Issue) + Send + 'static) -> Self {
        self.options.on_issue = Some(Arc::new(Mutex::new(on_issue)));
        self
    }

    /// Calls `on_text` with each piece of the decoded text, once and in order, before the piece is parsed. Use this to look
    /// at a document in another way while it is read, for example with a parser that rejects ill-formed XML.
    ///
    /// The text is what the reader parses: decompressed, converted to UTF-8, without a byte order mark, and with its line
    /// ends as they are. It is cut between characters at any place. All pieces together do not depend on how the input was
    /// divided. The callback gets the complete document if it is read to its end. If reading ends with a fatal error, the
    /// callback has got at least the text up to the position of the error.
    ///
    /// Readers built from clones of one builder share the callback, and threads wait for each other to call it. Setting
    /// a callback replaces the previous one. The callback must not read with a reader of the same builder. By default there
    /// is none.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use quick_sitemap::{ReaderBuilder, TextPiece};
    ///
    /// let (sender, pieces) = mpsc::channel();
    /// let builder = ReaderBuilder::new().on_text(move |piece| {
    ///     let text = match piece {
    ///         TextPiece::Text(text) => text,
    ///         TextPiece::BadBytes => "?",
    ///     };
    ///     sender.send(text.to_owned()).unwrap();
    /// });
    /// assert_eq!(builder.from_bytes(b"https://example.com/a\n# caf\xE9\n").count(), 1);
    /// assert_eq!(pieces.try_iter().collect::<String>(), "https://example.com/a\n# caf?\n");
    /// ```
    pub fn on_text(mut self, on_text: impl FnMut(TextPiece<'_>) + Send + 'static) -> Self {
        self.options.on_text = Some(Arc::new(Mutex::new(on_text)));
        self
    }

    /// Sets the URL against which relative URLs are resolved ([`RelativeUrl`](crate::Rule::RelativeUrl)), usually the
    /// URL at which the sitemap was found. This has no other effect. In particular, URLs of other sites are not
    /// reported; use [`location`](Self::location) for that. By default there is no base URL, and a relative URL is an
    /// [`InvalidUrl`](crate::Rule::InvalidUrl). In a feed, `xml:base` takes precedence; it is resolved against this URL.
    ///
    /// Every relative reference is resolved: `/a`, `../a`, `?a`, `//example.com/a`, and `index.html`. Three kinds of text
    /// are still an [`InvalidUrl`](crate::Rule::InvalidUrl): a fragment alone (`#a`), text with white space that does not
    /// begin as a path does, and text that begins with `www.` or with the host of the base URL, because it is an absolute
    /// URL without its scheme.
    ///
    /// A line of a text sitemap is resolved only if it begins with `/`, `./`, `../` or `?`. Any other line that is not a URL
    /// is an [`InvalidUrl`](crate::Rule::InvalidUrl), because it is more likely a word than the name of a page.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ReaderBuilder, Rule, url::Url};
    ///
    /// let base = Url::parse("https://example.com/shop/sitemap.txt")?;
    /// let text = "/a\n./kettles.html\nhttps://cdn.example.net/b\n";
    /// let mut reader = ReaderBuilder::new().base_url(base).from_bytes(text);
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://example.com/a");
    /// assert_eq!(reader.issues()[0].rule(), Rule::RelativeUrl);
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://example.com/shop/kettles.html");
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://cdn.example.net/b");
    /// assert!(reader.issues().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base_url(mut self, base: Url) -> Self {
        self.options.location.base = Some(base);
        self
    }

    /// Sets the URL at which the sitemap was found. Relative URLs are resolved against it (unless there is a
    /// [`base_url`](Self::base_url)). URLs that a sitemap at that place may not list are reported as
    /// [`OutsideLocation`](crate::Rule::OutsideLocation), with the reason: another host, scheme, port or directory. By
    /// default there is no location, so no URL is resolved or reported.
    ///
    /// The source of the rule is the protocol's
    /// [Sitemap file location](https://www.sitemaps.org/protocol.html#location).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ReaderBuilder, Rule, url::Url};
    ///
    /// let found_at = Url::parse("https://example.com/shop/sitemap.txt")?;
    /// let text = "https://example.com/shop/a\nhttps://example.com/b\nhttps://cdn.example.net/c\n";
    /// let builder = ReaderBuilder::new().location(found_at);
    /// let mut reader = builder.build(text.as_bytes());
    /// reader.next();
    /// assert!(reader.issues().is_empty());
    /// reader.next();
    /// assert_eq!(reader.issues()[0].violation.rule(), Rule::OutsideLocation);
    /// assert!(reader.issues()[0].to_string().ends_with("(another directory)"));
    ///
    /// let builder = builder.any_directory().allow_site(&Url::parse("https://cdn.example.net")?);
    /// let outcomes: Vec<_> = builder.build(text.as_bytes()).outcomes().collect();
    /// assert_eq!(outcomes.len(), 3);
    /// assert!(outcomes.iter().all(|outcome| outcome.issues.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn location(mut self, location: Url) -> Self {
        self.options.location.url = Some(location);
        self
    }

    /// Allows the sitemap to list all URLs of another site: those with the scheme, host and port of `site`. Use this if the
    /// robots.txt of that site lists the sitemap ([cross
    /// submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits)). The path of `site` is ignored. The method can
    /// be called for several sites. It has no effect without a [`location`](Self::location).
    pub fn allow_site(mut self, site: &Url) -> Self {
        self.options.location.sites.push(site.clone());
        self
    }

    /// Allows the sitemap to list URLs outside its own directory. Use this if robots.txt lists the sitemap, because
    /// search engines then ignore the directory. It has no effect without a [`location`](Self::location).
    pub fn any_directory(mut self) -> Self {
        self.options.location.any_directory = true;
        self
    }

    /// Sets the maximum number of bytes per document, counted after decompression and decoding: as UTF-8 without a byte
    /// order mark, in any encoding. A larger document ends with [`LimitExceeded`](ErrorKind::LimitExceeded), after the
    /// entries before the limit have been returned. The default is 524,288,000 (500 MiB).
    ///
    /// If gzip is nested, the output of each outer layer may have up to twice this many bytes plus 64 KiB.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.options.max_bytes = bytes;
        self
    }

    /// Sets the maximum number of bytes per entry. A larger entry is skipped
    /// ([`EntryTooLarge`](crate::Rule::EntryTooLarge)). This limits memory use: with the default, no entry uses more
    /// than 16 MiB. The default is 2,097,152 (2 MiB), the minimum 4,096, and the maximum 256 MiB.
    pub fn max_entry_bytes(mut self, bytes: usize) -> Self {
        self.options.max_entry_bytes = bytes.clamp(4096, LARGEST_ENTRY);
        self
    }

    /// Sets the encoding to use for documents without a byte order mark and without an encoding in the XML declaration.
    /// This is usually the `charset` of the header `Content-Type`. The default is UTF-8.
    ///
    /// `label` is one of the [labels of the Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), in any
    /// case. A label that is not known is ignored, as are those of UTF-16, which is recognized from the bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// // Content-Type: text/plain; charset=windows-1251
    /// let body = b"https://example.com/\xEF\xF0\xE8\n";
    /// let mut reader = ReaderBuilder::new().charset("windows-1251").from_bytes(body);
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://example.com/%D0%BF%D1%80%D0%B8");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn charset(mut self, label: impl Into<String>) -> Self {
        self.options.charset = Some(label.into());
        self
    }

    /// Sets whether issues and errors keep the line that they are on, for [`Issue::excerpt`] and
    /// [`Error::excerpt`](crate::Error::excerpt). The default is `false`. At most 256 bytes of the line are kept before the
    /// place and 768 bytes from it on, so the issues of one call hold at most 1 MB of lines.
    ///
    /// So that these lines are complete, an entry is returned only when 16 KiB of text from its start on have been read. A
    /// [`Decoder`] therefore needs more bytes until these have been pushed, or until [`finish`](Decoder::finish) is called.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::ReaderBuilder;
    ///
    /// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
    ///   <url><loc>https://example.com/</loc><priority>1.5</priority></url>
    /// </urlset>";
    /// let mut reader = ReaderBuilder::new().excerpts(true).from_bytes(text);
    /// reader.next().unwrap()?;
    /// let issue = &reader.issues()[0];
    /// let (line, span) = issue.excerpt().unwrap();
    /// assert_eq!(line, "  <url><loc>https://example.com/</loc><priority>1.5</priority></url>");
    /// assert_eq!(&line[span], "1.5");
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn excerpts(mut self, keep: bool) -> Self {
        self.options.excerpts = keep;
        self
    }

    /// Creates a reader of `input`. Nothing is read yet.
    pub fn build<R: Read>(&self, input: R) -> Reader<R> {
        self.build_with(input, push_from_input)
    }

    fn build_with<R: Read>(&self, input: R, push: Push<R>) -> Reader<R> {
        Reader {
            input,
            decoder: self.decoder(),
            buffer: Vec::new(),
            push,
        }
    }

    /// Creates a reader of bytes or text in memory: `&[u8]`, `Vec<u8>`, `&str`, `String` and others.
    pub fn from_bytes<T: AsRef<[u8]>>(&self, bytes: T) -> Reader<Cursor<T>> {
        self.build_with(Cursor::new(bytes), push_from_slice)
    }

    /// Opens a file. The file name does not matter, because gzip is detected from the content.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file cannot be opened, or is a directory. The message contains the path.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Policy, ReaderBuilder};
    ///
    /// let error = ReaderBuilder::new().policy(Policy::STRICT).from_path("no/such.xml").unwrap_err();
    /// assert_eq!(error.to_string(), "no/such.xml: I/O error");
    /// ```
    pub fn from_path(&self, path: impl AsRef<Path>) -> Result<Reader<File>> {
        let path = path.as_ref();
        let file = File::open(path).and_then(|file| {
            // Unix opens a directory. Reading it fails, but with an error that does not name it.
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        });
        Ok(self.build(file.map_err(|error| Error::at_path(error, path))?))
    }

    /// Creates a decoder, into which the caller pushes the bytes.
    #[must_use]
    pub fn decoder(&self) -> Decoder {
        Decoder::with(self.options.clone())
    }
}

/// Reads the entries of a sitemap of any format, gzipped or not, from any [`Read`].
///
/// It is an [`Iterator`] over `Result<Entry>`. Issues are reported to [`on_issue`](ReaderBuilder::on_issue), and are in
/// [`issues`](Self::issues) after each step. The input needs no buffering of its own.
///
/// An input that returns `WouldBlock` or `TimedOut` has not ended; `next` returns that error each time it is called
/// (see [continuing after errors](crate::guide::policy#continuing-after-errors)).
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Format, Reader};
///
/// let mut reader = Reader::new(&b"https://example.com/a\nhttps://example.com/b\n"[..]);
/// assert_eq!(reader.format(), Some(Format::Text));
/// let locs = reader.map(|entry| Ok(entry?.loc().to_string())).collect::<quick_sitemap::Result<Vec<_>>>()?;
/// assert_eq!(locs, ["https://example.com/a", "https://example.com/b"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    pub(crate) decoder: Decoder,
    buffer: Vec<u8>,
    push: Push<R>,
}

/// Pushes the next bytes of an input, and returns their number. The last argument is a buffer that it can use.
type Push<R> = fn(&mut R, &mut Decoder, &mut Vec<u8>) -> io::Result<usize>;

/// Size of the first read from an input, and of the largest one, in bytes. A read that fills the buffer doubles it, so
/// readers of small files take little memory.
const FIRST_READ: usize = 8 << 10;
const LARGEST_READ: usize = 64 << 10;
/// Bytes in memory that are pushed at once. The window has room for them, so they are decoded where they are.
const PIECE: usize = 32 << 10;

fn push_from_input<R: Read>(
    input: &mut R,
    decoder: &mut Decoder,
    buffer: &mut Vec<u8>,
) -> io::Result<usize> {
    if buffer.is_empty() {
        buffer.resize(FIRST_READ, 0);
    }
    let read = input.read(buffer)?;
    // A wrong `Read` can return a number that is larger than the buffer.
    decoder.push(buffer.get(..read).unwrap_or(buffer));
    let room = buffer.len();
    if read >= room && room < LARGEST_READ {
        buffer.resize(2 * room, 0);
    }
    Ok(read)
}

fn push_from_slice<T: AsRef<[u8]>>(
    input: &mut Cursor<T>,
    decoder: &mut Decoder,
    _buffer: &mut Vec<u8>,
) -> io::Result<usize> {
    let rest = input.fill_buf()?;
    let piece = rest.get(..PIECE).unwrap_or(rest);
    decoder.push(piece);
    let read = piece.len();
    input.consume(read);
    Ok(read)
}

impl Reader<File> {
    /// Opens a file with the default options. See [`ReaderBuilder::from_path`] for other options.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file cannot be opened, or is a directory. The message contains the path.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self> {
        ReaderBuilder::new().from_path(path)
    }
}

impl<T: AsRef<[u8]>> Reader<Cursor<T>> {
    /// Creates a reader of bytes or text in memory (`&[u8]`, `Vec<u8>`, `&str`, `String` and others) with the default
    /// options. See [`ReaderBuilder::from_bytes`] for other options.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let body: Vec<u8> = b"https://example.com/a\n".to_vec();
    /// assert_eq!(Reader::from_bytes(body).count(), 1);
    /// assert_eq!(Reader::from_bytes("https://example.com/a\nhttps://example.com/b\n").count(), 2);
    /// ```
    pub fn from_bytes(bytes: T) -> Self {
        ReaderBuilder::new().from_bytes(bytes)
    }
}

impl<R: Read> Reader<R> {
    /// Creates a reader with the lenient policy and the default limits. See [`ReaderBuilder`] for other options.
    /// Nothing is read yet.
    pub fn new(input: R) -> Self {
        ReaderBuilder::new().build(input)
    }

    /// Returns the next entry as text, without interpreting its values and without allocating. Returns `None` at the
    /// end of the document.
    ///
    /// Only violations of the markup are reported; those of values are reported by [`take_entry`](Self::take_entry). So
    /// this method can return more entries than the iterator, which skips entries without a usable loc.
    ///
    /// # Errors
    ///
    /// A violation of the markup that the policy denies (the next call returns the next entry), or a fatal error (later
    /// calls return `None`).
    pub fn read_raw(&mut self) -> Result<Option<RawEntry<'_>>> {
        loop {
            match self.decoder.advance()? {
                Step::Entry => return Ok(self.decoder.raw()),
                Step::End => return Ok(None),
                Step::NeedMore => self.feed()?,
            }
        }
    }

    /// Returns the entry that was read last, as text. Returns `None` if there is none: before the first call, at the end, and
    /// after an error.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let mut reader = Reader::from_bytes("https://example.com/\n");
    /// reader.read_raw()?;
    /// let entry = reader.take_entry()?.unwrap();
    /// assert_eq!(reader.raw().and_then(|raw| raw.loc()), Some(entry.loc().as_str()));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn raw(&self) -> Option<RawEntry<'_>> {
        self.decoder.raw()
    }

    /// Interprets the entry that [`read_raw`](Self::read_raw) returned last, so you can filter raw entries and convert
    /// only those you keep. Returns `None` if the entry must be skipped ([`issues`](Self::issues) gives the reason) or
    /// if there is no such entry.
    ///
    /// The issues of the values are added to those of the markup, which `read_raw` reported. Calling this again for the
    /// same entry returns `None`.
    ///
    /// # Errors
    ///
    /// A violation in the values of the entry that the policy denies. The error is returned once; after that, the
    /// method returns `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com/a\nhttps://example.com/b\n";
    /// let mut reader = Reader::new(text.as_bytes());
    /// let mut kept = Vec::new();
    /// while let Some(raw) = reader.read_raw()? {
    ///     if raw.loc().is_some_and(|loc| loc.ends_with("/b")) {
    ///         kept.extend(reader.take_entry()?);
    ///     }
    /// }
    /// assert_eq!(kept.len(), 1);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn take_entry(&mut self) -> Result<Option<Entry>> {
        self.decoder.take_entry()
    }

    /// Returns the format of the document, reading only as far as necessary. Returns `None` if the document is not a
    /// sitemap or could not be read. Issues and errors found meanwhile are reported by the next call that reads an
    /// entry.
    pub fn format(&mut self) -> Option<Format> {
        while !self.decoder.find_format() && self.feed().is_ok() {}
        self.decoder.format()
    }

    /// Returns the style sheet that the document names for browsers: the first processing instruction `xml-stylesheet`
    /// before the root element that has a `type` and an `href`. It does not change what is read.
    ///
    /// Returns `None` if there is none, or before the first entry is returned. An instruction longer than 4 KiB is ignored.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "<?xml version='1.0'?>
    /// <?xml-stylesheet type='text/xsl' href='/sitemap.xsl'?>
    /// <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>";
    /// let mut reader = Reader::from_bytes(text);
    /// assert!(reader.next().is_none());
    /// let stylesheet = reader.stylesheet().unwrap();
    /// assert_eq!((&*stylesheet.media_type, &*stylesheet.href), ("text/xsl", "/sitemap.xsl"));
    /// assert_eq!(stylesheet.position.line(), 2);
    /// ```
    #[must_use]
    pub fn stylesheet(&self) -> Option<&Stylesheet> {
        self.decoder.stylesheet()
    }

    /// Returns the issues of the latest result, in the order of the document, even if that result is `None` or an error.
    /// (If the input is not ready, issues found so far belong to the next result.) [`take_entry`](Self::take_entry) adds to the
    /// issues of `read_raw`.
    ///
    /// The issues of a skipped entry are those of the *next* result, and the last ones are those of `None`. So a loop that
    /// looks at this list after each entry must look once more after the last one. [`outcomes`](Self::outcomes), or
    /// [`on_issue`](ReaderBuilder::on_issue) in a plain `for` loop, miss nothing.
    ///
    /// A violation that is returned as an error is not in the list, and its position can be before those of the issues. At
    /// most 1,000 issues are listed per call, followed by one [`IssuesOmitted`](crate::Rule::IssuesOmitted)
    /// with the number of further issues and their worst effect.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.decoder.issues()
    }

    /// Returns how many entries were returned and lost so far, and whether all were returned. See [`Summary`].
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.decoder.summary()
    }

    /// Returns how far the document has been read: the start of the latest entry, or the place that is parsed next if there is
    /// none. After the last entry, it is the size of the decoded document.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Reader;
    ///
    /// let text = "https://example.com/a\nhttps://example.com/b\n";
    /// let mut reader = Reader::from_bytes(text);
    /// while reader.next().transpose()?.is_some() {}
    /// assert_eq!(reader.position().byte(), text.len() as u64);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn position(&self) -> Position {
        self.decoder.position()
    }

    /// Starts another document with the same options and returns the previous input, as
    /// [`into_inner`](Self::into_inner) does. The buffers are kept, so that small documents need no new ones.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Reader, Result};
    ///
    /// let mut reader = Reader::new(&b""[..]);
    /// let mut counts = Vec::new();
    /// for body in ["https://example.com/a\n", "https://example.com/b\nhttps://example.com/c\n"] {
    ///     reader.reset(body.as_bytes());
    ///     counts.push(reader.by_ref().collect::<Result<Vec<_>>>()?.len());
    /// }
    /// assert_eq!(counts, [1, 2]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn reset(&mut self, input: R) -> R {
        self.decoder.reset();
        std::mem::replace(&mut self.input, input)
    }

    /// Returns the input. The reader reads ahead, so the position in the input is not defined.
    pub fn into_inner(self) -> R {
        self.input
    }

    /// Reads once. Returns an error only if the input is not ready; other errors are passed to the decoder.
    pub(crate) fn feed(&mut self) -> Result<()> {
        loop {
            match (self.push)(&mut self.input, &mut self.decoder, &mut self.buffer) {
                Ok(0) => self.decoder.finish(),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if is_not_ready(&error) => return Err(error.into()),
                Err(error) => self.decoder.fail(error),
            }
            return Ok(());
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Entry>;

    fn next(&mut self) -> Option<Result<Entry>> {
        loop {
            match self.decoder.next_entry() {
                Ok(None) if self.decoder.is_done() => return None,
                Ok(None) => {}
                entry => return entry.transpose(),
            }
            if let Err(error) = self.feed() {
                return Some(Err(error));
            }
        }
    }
}

impl<R: Read> std::iter::FusedIterator for Reader<R> {}
