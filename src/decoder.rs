//! [`Decoder`]: reading pushed bytes. All other ways to read are built upon it.

use std::collections::VecDeque;
use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::engine::{Engine, Step};
use crate::entry::{Base, Entry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::interpret::{Interpreter, NewsCount};
use crate::location::Location;
use crate::options::Options;
use crate::position::Position;
use crate::raw::RawEntry;
use crate::summary::Summary;
use crate::violation::Issue;

/// A sitemap reader without I/O: bytes are pushed in, entries taken out.
///
/// It never blocks and knows no runtime, so it fits any: feed it the chunks of an async HTTP response as they arrive.
/// [`Reader`](crate::Reader) is a loop round it, written with what is public here alone. The result never depends on how
/// the bytes are cut into pushes.
///
/// Every way of calling it is the same loop: ask for an entry; where there is none, stop if the decoder
/// [is done](Self::is_done), else give it what there is: bytes to [`push`](Self::push), the end
/// ([`finish`](Self::finish)), or a transport that failed ([`fail`](Self::fail)).
///
/// An entry is given as soon as the byte that completes it has been pushed: the `>` of its end tag, or the end of its
/// line. So nothing that had arrived is lost when a connection breaks off. (Gzip gives what it can unpack.) The format
/// is decided by what comes first: a root element, or, if there is no `<` before it, a line that is an http(s) URL,
/// which makes the document a text whatever follows.
///
/// Pushed bytes are stored until they are asked for, so take out the entries after every push.
/// At most one window of text (64 KiB, or what the largest entry needs) is decoded at a time:
/// a small chunk that unpacks to gigabytes does not grow.
///
/// # Examples
///
/// ```
/// use quick_sitemap::Decoder;
///
/// let text = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>
///   <url><loc>https://example.com/a</loc></url>
///   <url><loc>https://example.com/b</loc></url>
/// </urlset>";
/// let mut chunks = text.chunks(10);
/// let mut decoder = Decoder::new();
/// let mut found = Vec::new();
/// while !decoder.is_done() {
///     match chunks.next() {
///         Some(chunk) => decoder.push(chunk),
///         None => decoder.finish(),
///     }
///     for entry in decoder.entries() {
///         found.push(entry?.loc().path().to_owned());
///     }
/// }
/// assert_eq!(found, ["/a", "/b"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
pub struct Decoder {
    engine: Engine,
    location: Location,
    news: NewsCount,
    /// Errors that were met while only the format was asked for; the next calls return them.
    waiting: VecDeque<Error>,
    /// The issues so far belong to the next call, which is not to clear them.
    issues_waiting: bool,
    /// The entry at hand has been interpreted.
    interpreted: Option<Interpreted>,
}

/// What came of interpreting an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interpreted {
    Given,
    Lost,
}

// What may be in disorder after a panic (in a callback, say) is data, which `reset` puts in order.
impl UnwindSafe for Decoder {}
impl RefUnwindSafe for Decoder {}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder")
            .field("format", &self.format())
            .field("entries", &self.engine.entries)
            .field("byte", &self.engine.window.offset())
            .field("done", &self.engine.done)
            .finish_non_exhaustive()
    }
}

/// What came of one entry: from [`Reader::outcomes`](crate::Reader::outcomes) or [`Decoder::next_outcome`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// Where the entry begins, with its number; of an error that belongs to no entry, where that was met.
    pub position: Position,
    /// The entry; `None` if it was skipped, for what `issues` says. An error is a violation that the policy denies,
    /// or ended the reading.
    pub entry: Result<Option<Entry>>,
    /// What was found in this entry, and in what stands between the entry before and this one. What stands behind the
    /// last entry counts as that entry's.
    pub issues: Vec<Issue>,
}

/// While the format is looked for, errors are put aside, up to so many.
const WAITING: usize = 1000;

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder with the lenient policy and the default bounds; see [`ReaderBuilder::decoder`](crate::ReaderBuilder::decoder) for others.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Options::new())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self {
            engine: Engine::new(&options),
            location: options.location,
            news: NewsCount::default(),
            waiting: VecDeque::new(),
            issues_waiting: false,
            interpreted: None,
        }
    }

    /// Takes bytes, as they come: any number, cut anywhere. They are decoded when entries are asked for.
    ///
    /// What is pushed after [`finish`](Self::finish) or a fatal error is ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if !self.engine.takes_input() {
            return;
        }
        let room = self.engine.window.spare();
        let input = &mut self.engine.input;
        if room > 0 {
            self.engine
                .window
                .append(0, |out| input.push(bytes, out, room));
        } else {
            input.push(bytes, &mut String::new(), 0);
        }
    }

    /// Says that these were all the bytes. Entries may still come out: ask until the decoder
    /// [is done](Self::is_done).
    pub fn finish(&mut self) {
        self.engine.input.finish();
    }

    /// Says that no more bytes will come because the transport failed. The entries that are complete are still given,
    /// then the error, which is [fatal](Error::is_fatal) whatever its kind. After [`finish`](Self::finish) it does
    /// nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::io;
    ///
    /// use quick_sitemap::{Decoder, ErrorKind};
    ///
    /// let mut decoder = Decoder::new();
    /// decoder.push(b"https://example.com/a\nhttps://example.c");
    /// decoder.fail(io::ErrorKind::ConnectionReset.into());
    /// assert_eq!(decoder.next_entry()?.unwrap().loc().path(), "/a");
    /// let error = decoder.next_entry().unwrap_err();
    /// assert!(matches!(error.kind(), ErrorKind::Io(io) if io.kind() == io::ErrorKind::ConnectionReset));
    /// assert!(decoder.is_done());
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn fail(&mut self, error: io::Error) {
        self.engine.input.fail(ErrorKind::Io(error));
    }

    /// Makes the decoder ready for another document, with the same options; its buffers are kept.
    pub fn reset(&mut self) {
        self.engine.reset();
        self.news = NewsCount::default();
        self.waiting.clear();
        self.issues_waiting = false;
        self.interpreted = None;
    }

    /// Goes on to the next entry, without interpreting it.
    ///
    /// # Errors
    ///
    /// A violation of the markup that the policy denies (then the next call goes on behind it),
    /// or a fatal error (then there is nothing more).
    #[inline]
    pub fn advance(&mut self) -> Result<Step> {
        self.begin_call();
        let step = self.step()?;
        if step == Step::Entry {
            if let Some(error) = self.engine.settle() {
                self.engine.has_entry = false;
                self.engine.report.summary.skip_given();
                return self.raise(error);
            }
        }
        if step != Step::NeedMore {
            self.engine.report.complete_item();
        }
        Ok(step)
    }

    /// The entry that [`advance`](Self::advance) stopped at; an empty one if it did not stop at one.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> RawEntry<'_> {
        self.engine.raw()
    }

    /// Interprets the entry that [`advance`](Self::advance) stopped at. `None`: it has to be skipped, for
    /// what [`issues`](Self::issues) says, or there is none.
    ///
    /// What is found is added to the issues of `advance`, in the order of the document. To interpret the same entry again
    /// gives it again, and adds nothing.
    ///
    /// # Errors
    ///
    /// A violation in the entry's values that the policy denies. It is raised once, then the answer is `None`.
    pub fn to_entry(&mut self) -> Result<Option<Entry>> {
        if !self.engine.has_entry || self.interpreted == Some(Interpreted::Lost) {
            return Ok(None);
        }
        if self.interpreted.is_some() {
            let entry = self.interpret();
            self.engine.report.discard();
            return Ok(entry);
        }
        self.engine.report.begin_part();
        let entry = self.interpret();
        let error = self.engine.settle();
        let is_given = error.is_none() && entry.is_some();
        if is_given {
            self.interpreted = Some(Interpreted::Given);
        } else {
            self.interpreted = Some(Interpreted::Lost);
            self.engine.report.summary.skip_given();
        }
        self.engine.report.complete_item();
        self.engine.report.merge_issues(self.engine.entries);
        error.map_or(Ok(entry), Err)
    }

    /// The next entry, interpreted. `None`: push more, unless the decoder [is done](Self::is_done).
    ///
    /// # Errors
    ///
    /// A violation that the policy denies (then the next call gives the next entry),
    /// or a fatal error (then there is nothing more).
    pub fn next_entry(&mut self) -> Result<Option<Entry>> {
        self.begin_call();
        loop {
            let step = self.step()?;
            if step != Step::Entry {
                if step == Step::End {
                    self.engine.report.complete_item();
                }
                return Ok(None);
            }
            let (raw, mut i) = self.interpreter();
            let base = Base::read(raw, &mut i);
            let entry = match base {
                // Nearly always. An entry is large: this one is put together where it is returned.
                Some(base) if !base.has_foreign && !i.report.has_flaws() => {
                    let kind = raw.kind();
                    self.interpreted = Some(Interpreted::Given);
                    self.engine.report.complete_item();
                    return Ok(Some(Entry::of_base(base, kind)));
                }
                base => base.map(|base| Entry::read_rest(base, raw, &mut i)),
            };
            if let Some(error) = self.engine.settle() {
                self.engine.has_entry = false;
                self.engine.report.summary.skip_given();
                return self.raise(error);
            }
            if let Some(entry) = entry {
                self.interpreted = Some(Interpreted::Given);
                self.engine.report.complete_item();
                return Ok(Some(entry));
            }
            self.engine.report.summary.skip_given();
        }
    }

    /// The entries whose bytes are there, interpreted. The iterator ends where more must be pushed, as well as where the
    /// decoder [is done](Self::is_done); it is asked for again after each push.
    ///
    /// [`issues`](Self::issues) holds those of the last step only: for all of them there is
    /// [`on_issue`](crate::ReaderBuilder::on_issue).
    ///
    /// # Errors
    ///
    /// As for [`next_entry`](Self::next_entry).
    pub fn entries(&mut self) -> impl Iterator<Item = Result<Entry>> {
        std::iter::from_fn(|| self.next_entry().transpose())
    }

    /// What came of the next entry, also where it is skipped, with its own issues (they are moved out of
    /// [`issues`](Self::issues)); or an error that belongs to no entry. `None`: push more, unless the decoder
    /// [is done](Self::is_done); then `issues` holds what stands behind the last entry.
    ///
    /// [`Reader::outcomes`](crate::Reader::outcomes) is the iterator of these.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Decoder;
    ///
    /// let mut decoder = Decoder::new();
    /// decoder.push(b"https://example.com/a\nnonsense\n");
    /// decoder.finish();
    /// assert!(decoder.next_outcome().unwrap().entry?.is_some());
    /// let skipped = decoder.next_outcome().unwrap();
    /// assert!(skipped.entry?.is_none());
    /// assert_eq!(skipped.issues[0].to_string(), "2:1: `nonsense` is not an absolute http or https URL, entry skipped");
    /// assert!(decoder.next_outcome().is_none() && decoder.is_done());
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.begin_call();
        self.interpreted = None;
        if let Some(error) = self.waiting.pop_front() {
            return Some(self.outcome(error.position(), Err(error)));
        }
        while !self.engine.done {
            let before = self.engine.entries;
            let entry = match self.engine.event() {
                Ok(Some(Step::NeedMore)) => return None,
                Ok(Some(Step::Entry)) if !self.engine.has_entry => Ok(None),
                Ok(Some(Step::Entry)) => self.judged(),
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            let position = match &entry {
                Err(error) if self.engine.entries == before => error.position(),
                _ => None,
            };
            return Some(self.outcome(position, entry));
        }
        self.engine.report.complete_item();
        None
    }

    /// What the latest call reported, in the order of the document; [`to_entry`](Self::to_entry) adds to what `advance`
    /// reported. At most 1,000 a call, then one that says how many more, with the worst effect among theirs.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        if self.issues_waiting {
            return &[];
        }
        self.engine.report.issues()
    }

    /// The format, as soon as it is known.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.engine.format()
    }

    /// Reads on until the format is known, but to no entry. What is met on the way, issues and errors, comes with the
    /// next call that asks for an entry. `false`: more bytes are needed. `true`: there is a [`format`](Self::format), or
    /// there will be none.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Decoder, Format};
    ///
    /// let mut decoder = Decoder::new();
    /// decoder.push(b"<!DOCTYPE urlset><url");
    /// assert!(!decoder.find_format());
    /// decoder.push(b"set xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>");
    /// decoder.finish();
    /// assert!(decoder.find_format());
    /// assert_eq!(decoder.format(), Some(Format::Urlset));
    /// ```
    pub fn find_format(&mut self) -> bool {
        if self.format().is_some() || self.engine.done {
            return true;
        }
        if !self.issues_waiting {
            self.begin_call();
            self.issues_waiting = true;
        }
        while self.format().is_none() && !self.engine.done && self.waiting.len() < WAITING {
            match self.engine.event() {
                Ok(Some(Step::NeedMore)) => return false,
                Ok(_) => {}
                Err(error) => self.waiting.push_back(error),
            }
        }
        true
    }

    /// Whether nothing more will come out: the end, or a fatal error, has been given. Where a call gave no entry and
    /// this is `false`, more bytes have to be pushed, or [`finish`](Self::finish) called.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Decoder;
    ///
    /// let mut decoder = Decoder::new();
    /// decoder.push(b"https://example.com/a");
    /// assert!(decoder.next_entry()?.is_none() && !decoder.is_done()); // the line may go on
    /// decoder.finish();
    /// assert!(decoder.next_entry()?.is_some() && !decoder.is_done());
    /// assert!(decoder.next_entry()?.is_none() && decoder.is_done());
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.engine.done && self.waiting.is_empty()
    }

    /// Lets the next call add to the issues of this one instead of replacing them: for whoever makes one call of
    /// several, as `Reader::next` does, which asks, pushes, and asks again.
    pub fn keep_issues(&mut self) {
        self.issues_waiting = true;
    }

    /// What has come out so far, and whether that is all: see [`Summary`].
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.engine.report.summary
    }

    /// Where the document has been read to: the entry that was given last, or what is looked at next.
    #[must_use]
    pub fn position(&self) -> Position {
        self.engine.position()
    }

    #[inline]
    fn begin_call(&mut self) {
        if !std::mem::take(&mut self.issues_waiting) {
            self.engine.report.begin_call();
        }
    }

    fn raise<T>(&mut self, error: Error) -> Result<T> {
        self.engine.report.complete_item();
        Err(error)
    }

    /// The entry at hand, and what interprets it.
    #[inline]
    fn interpreter(&mut self) -> (RawEntry<'_>, Interpreter<'_>) {
        let (raw, report) = self.engine.raw_and_report();
        self.news.begin_entry(raw.number());
        let interpreter = Interpreter::new(report, &self.location, &mut self.news);
        (raw, interpreter)
    }

    fn interpret(&mut self) -> Option<Entry> {
        let (raw, mut interpreter) = self.interpreter();
        Entry::read(raw, &mut interpreter)
    }

    /// Interprets the entry at hand and judges what was found.
    fn judged(&mut self) -> Result<Option<Entry>> {
        let entry = self.interpret();
        let error = self.engine.settle();
        if error.is_some() || entry.is_none() {
            self.engine.report.summary.skip_given();
        }
        error.map_or(Ok(entry), Err)
    }

    /// At the entry at hand, if there is no position given.
    fn outcome(&mut self, position: Option<Position>, entry: Result<Option<Entry>>) -> Outcome {
        self.engine.report.complete_item();
        self.engine.has_entry = false;
        Outcome {
            position: position.unwrap_or_else(|| self.engine.position()),
            entry,
            issues: self.engine.report.take_issues(),
        }
    }

    /// The next entry that its markup does not cost; its flaws are not settled yet.
    #[inline]
    fn step(&mut self) -> Result<Step> {
        self.interpreted = None;
        if let Some(error) = self.waiting.pop_front() {
            return self.raise(error);
        }
        loop {
            if self.engine.done {
                return Ok(Step::End);
            }
            match self.engine.event() {
                Ok(Some(Step::Entry)) if !self.engine.has_entry => {}
                Ok(Some(step)) => return Ok(step),
                Ok(None) => {}
                Err(error) => return self.raise(error),
            }
        }
    }
}
