//! The reader over `io::Read`: `Reader`, and `ReaderBuilder` with its options.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use url::Url;

use crate::decoder::Decoder;
use crate::engine::Step;
use crate::entry::Entry;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::options::{OnIssue, Options};
use crate::raw::RawEntry;
use crate::summary::Summary;
use crate::violation::{Issue, Policy};

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
    /// The defaults: [`Policy::LENIENT`], no location, 500 MiB a document, 2 MiB an entry.
    pub const fn new() -> Self {
        Self {
            options: Options::new(),
        }
    }

    /// Which violations are raised as errors: one of each entry's. The default is [`Policy::LENIENT`]: none.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.options.policy = policy;
        self
    }

    /// Calls `on_issue` for each [`Issue`] as it is found, so that a plain `for` loop misses none: those of an entry
    /// before the entry is given, those behind the last entry before the loop ends. They are the same issues, in the same
    /// order, as those of [`issues`](Reader::issues), calls added up.
    ///
    /// Readers made from clones of one builder share the function; in several threads one waits for the other. There is
    /// one function: the last that is set. It must not read with a reader of the same builder itself.
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
    /// assert_eq!(issues.iter().map(|issue| issue.position.line()).collect::<Vec<_>>(), [2, 4]);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn on_issue(mut self, on_issue: impl FnMut(&Issue) + Send + 'static) -> Self {
        self.options.on_issue = Some(OnIssue::new(on_issue));
        self
    }

    /// The URL that relative URLs are resolved against ([`RelativeUrl`](crate::Rule::RelativeUrl)): that at which the
    /// sitemap was found. Nothing else is done with it; in particular, URLs of other sites are not noted, for which there
    /// is [`location`](Self::location). By default there is none, and a relative URL is an
    /// [`InvalidUrl`](crate::Rule::InvalidUrl).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{ReaderBuilder, Rule, url::Url};
    ///
    /// let base = Url::parse("https://example.com/shop/sitemap.txt")?;
    /// let text = "/a\nhttps://cdn.example.net/b\n";
    /// let mut reader = ReaderBuilder::new().base_url(base).from_bytes(text);
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://example.com/a");
    /// assert_eq!(reader.issues()[0].rule(), Rule::RelativeUrl);
    /// assert_eq!(reader.next().unwrap()?.loc().as_str(), "https://cdn.example.net/b");
    /// assert!(reader.issues().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base_url(mut self, base: Url) -> Self {
        self.options.location.set_base(base);
        self
    }

    /// The URL at which the sitemap was found. Relative URLs are resolved against it
    /// (unless there is a [`base_url`](Self::base_url)), and URLs that a sitemap at that place may not list are noted
    /// ([`OutsideLocation`](crate::Rule::OutsideLocation), which says whether it is another host, scheme, port or
    /// directory). By default there is none, and neither is done.
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
    /// let mut reader = builder.clone().build(text.as_bytes());
    /// reader.next();
    /// assert!(reader.issues().is_empty());
    /// reader.next();
    /// assert_eq!(reader.issues()[0].violation.rule(), Rule::OutsideLocation);
    /// assert!(reader.issues()[0].to_string().ends_with("(another directory)"));
    ///
    /// let mut reader = builder.any_directory().allow_host("cdn.example.net").build(text.as_bytes());
    /// while let Some(entry) = reader.next() {
    ///     entry?;
    ///     assert!(reader.issues().is_empty());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn location(mut self, location: Url) -> Self {
        self.options.location.set_url(location);
        self
    }

    /// Lets the sitemap list URLs of another host too, of any scheme, port and directory: its robots.txt names
    /// this sitemap ([cross submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits)).
    /// `host` is a name in any case and script, or an IP address (IPv6 in brackets), without a port.
    /// May be called for several hosts; without a [`location`](Self::location) it does nothing.
    pub fn allow_host(mut self, host: impl Into<String>) -> Self {
        self.options.location.allow_host(host.into());
        self
    }

    /// Lets the sitemap list URLs above and beside its own directory: search engines do not insist on the directory
    /// where robots.txt names the sitemap. Without a [`location`](Self::location) it does nothing.
    pub fn any_directory(mut self) -> Self {
        self.options.location.allow_any_directory();
        self
    }

    /// How many bytes a document may have, unpacked and decoded: as UTF-8, without a byte order mark, whatever its
    /// encoding. One more is [`LimitExceeded`](ErrorKind::LimitExceeded), after the entries before it have been given.
    /// The default is 524,288,000 (500 MiB). A layer of gzip under another may unpack to twice as much and 64 KiB.
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.options.max_bytes = bytes;
        self
    }

    /// How many bytes one entry may have; a larger one is skipped
    /// ([`EntryTooLarge`](crate::Rule::EntryTooLarge)). This bounds the memory that is used: with the
    /// default, no entry costs more than 12 MiB.
    /// The default is 2,097,152 (2 MiB), the least 4,096, the most 256 MiB.
    pub fn max_entry_bytes(mut self, bytes: usize) -> Self {
        self.options.max_entry_bytes = bytes.clamp(4096, LARGEST_ENTRY);
        self
    }

    /// A reader of `input`. Nothing is read yet.
    pub fn build<R: Read>(self, input: R) -> Reader<R> {
        Reader {
            input,
            decoder: self.decoder(),
            buffer: Vec::new(),
        }
    }

    /// A reader of bytes or text that is in memory: `&[u8]`, `Vec<u8>`, `&str`, `String` and others.
    pub fn from_bytes<T: AsRef<[u8]>>(self, bytes: T) -> Reader<Cursor<T>> {
        self.build(Cursor::new(bytes))
    }

    /// A reader of a file. Its name does not matter: gzip is told by the content.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file can't be opened; the message names the path.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Policy, ReaderBuilder};
    ///
    /// let error = ReaderBuilder::new().policy(Policy::STRICT).from_path("no/such.xml").unwrap_err();
    /// assert_eq!(error.to_string(), "no/such.xml: I/O error");
    /// ```
    pub fn from_path(self, path: impl AsRef<Path>) -> Result<Reader<File>> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| Error::at_path(error, path))?;
        Ok(self.build(file))
    }

    /// A decoder, to which the bytes are pushed.
    #[must_use]
    pub fn decoder(self) -> Decoder {
        Decoder::with(self.options)
    }
}

/// Reads the entries of a sitemap of any format, gzipped or not, from any [`Read`].
///
/// It is an [`Iterator`] over `Result<Entry>`. What is wrong with the document but could be tolerated goes to
/// [`on_issue`](ReaderBuilder::on_issue), and is in [`issues`](Self::issues) after each step. An input that says
/// `WouldBlock` or `TimedOut` is not at its end: `next` gives that error each time it is asked
/// (see [the loop under other policies](crate#the-loop-under-other-policies)). The input needs no buffering of its own.
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
}

/// Bytes asked of the input at a time.
const BUFFER: usize = 64 << 10;

impl Reader<File> {
    /// Opens a file, to be read with the defaults; [`ReaderBuilder::from_path`] has others.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the file can't be opened; the message names the path.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self> {
        ReaderBuilder::new().from_path(path)
    }
}

impl<T: AsRef<[u8]>> Reader<Cursor<T>> {
    /// A reader of bytes or text that is in memory: `&[u8]`, `Vec<u8>`, `&str`, `String` and others, with the defaults;
    /// [`ReaderBuilder::from_bytes`] has others.
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
    /// A reader with the lenient policy and the default bounds; see [`ReaderBuilder`] for others.
    /// Nothing is read yet.
    pub fn new(input: R) -> Self {
        ReaderBuilder::new().build(input)
    }

    /// The next entry as it is spelt, not interpreted; `None` at the end. Nothing is allocated for it.
    ///
    /// Only violations of the markup are reported; those of values come with [`to_entry`](Self::to_entry).
    /// So more entries may be given than by the iterator, which skips those without a usable loc.
    ///
    /// # Errors
    ///
    /// A violation of the markup that the policy denies (then the next call gives the next entry),
    /// or a fatal error (then there is nothing more).
    pub fn read_raw(&mut self) -> Result<Option<RawEntry<'_>>> {
        loop {
            match self.decoder.advance()? {
                Step::Entry => return Ok(Some(self.decoder.raw())),
                Step::End => return Ok(None),
                Step::NeedMore => self.feed()?,
            }
        }
    }

    /// Interprets the entry that [`read_raw`](Self::read_raw) lent last: filter raw, pay for what you keep.
    /// `None`: it has to be skipped, for what [`issues`](Self::issues) says, or there is none.
    ///
    /// The issues of the values are added to those of the markup, which came with `read_raw`. To interpret the same entry
    /// again gives it again, and adds nothing.
    ///
    /// # Errors
    ///
    /// A violation in the entry's values that the policy denies. It is raised once, then the answer is `None`.
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
    ///         kept.extend(reader.to_entry()?);
    ///     }
    /// }
    /// assert_eq!(kept.len(), 1);
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn to_entry(&mut self) -> Result<Option<Entry>> {
        self.decoder.to_entry()
    }

    /// What kind of sitemap this is; reads as far as it must to know. `None`: it is none, or could not be read.
    /// What is met on the way, issues and errors, comes with the next call that asks for an entry.
    pub fn format(&mut self) -> Option<Format> {
        while !self.decoder.find_format() && self.read_more().is_ok() {}
        self.decoder.format()
    }

    /// What the latest call reported, in the order of the document, also when it returned `None` or an error;
    /// [`to_entry`](Self::to_entry) adds to what `read_raw` reported. A `for` loop borrows the reader, so it can't ask:
    /// there is [`on_issue`](ReaderBuilder::on_issue) for it.
    ///
    /// A violation that is raised is the error only, not an issue too; its position may come before theirs.
    /// At most 1,000 a call, then one [`IssuesOmitted`](crate::Rule::IssuesOmitted) that says how many more there were, with
    /// the worst effect among theirs.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.decoder.issues()
    }

    /// What has come out so far, and whether that is all: see [`Summary`].
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.decoder.summary()
    }

    /// Begins with another document, with the same options; the buffers are kept, so that small documents cost no more
    /// than their bytes. The input before is given back, as by [`into_inner`](Self::into_inner).
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

    /// Gives the input back. How far it has been read is not defined: the reader reads ahead.
    pub fn into_inner(self) -> R {
        self.input
    }

    /// Reads on; what was reported so far belongs to the same call.
    pub(crate) fn feed(&mut self) -> Result<()> {
        self.read_more()?;
        self.decoder.keep_issues();
        Ok(())
    }

    /// Reads once. An error that is returned is none for good.
    fn read_more(&mut self) -> Result<()> {
        self.buffer.resize(BUFFER, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(0) => self.decoder.finish(),
                Ok(n) => {
                    // A `Read` that claims more than there was room for has no more than that.
                    let read = self.buffer.get(..n).unwrap_or(&self.buffer);
                    self.decoder.push(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if may_pass(&error) => return Err(error.into()),
                Err(error) => self.decoder.fail(error),
            }
            return Ok(());
        }
    }
}

/// Whether reading may go on where it stopped, if it is tried again.
fn may_pass(error: &io::Error) -> bool {
    use io::ErrorKind::{TimedOut, WouldBlock};
    matches!(error.kind(), WouldBlock | TimedOut)
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
