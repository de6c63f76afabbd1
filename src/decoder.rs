use std::collections::VecDeque;

use url::Url;

use crate::entry::{Entry, Interpreter};
use crate::error::{Error, ErrorKind, Result};
use crate::input::{Fault, Fill, Input, Window};
use crate::limits::{MAX_BYTES, MAX_ENTRIES};
use crate::raw::{Lent, RawEntry};
use crate::reader::{Format, ReaderBuilder};
use crate::report::Report;
use crate::source::Event;
use crate::source::dialect::Dialect;
use crate::source::text::TextSource;
use crate::tape::Tape;
use crate::violation::{Effect, Issue, Rule};
use crate::xml::reading::Reading;
use crate::xml::source::{Place, XmlSource};

/// A sitemap reader without I/O: bytes are pushed in, entries taken out.
///
/// It never blocks and knows no runtime, so it fits any: feed it the chunks of an async HTTP response as they arrive.
/// [`Reader`](crate::Reader) is a loop round it. The result never depends on how the bytes are cut into pushes.
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
/// let mut decoder = Decoder::new();
/// let mut found = Vec::new();
/// for chunk in text.chunks(10) {
///     decoder.push(chunk);
///     while let Some(entry) = decoder.next_entry()? {
///         found.push(entry.loc().path().to_owned());
///     }
/// }
/// decoder.finish();
/// while let Some(entry) = decoder.next_entry()? {
///     found.push(entry.loc().path().to_owned());
/// }
/// assert_eq!(found, ["/a", "/b"]);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
pub struct Decoder {
    input: Input,
    window: Window,
    source: Source,
    tape: Tape,
    report: Report,
    location: Option<Url>,
    max_entry_bytes: usize,
    /// Entries begun so far, the skipped ones too.
    entries: u64,
    /// News elements interpreted so far.
    news: u64,
    /// Bytes of the text that the entry on the tape takes; it is lent until the next is asked for.
    held: usize,
    has_entry: bool,
    eof: bool,
    /// The input failed: what it gave before is still decoded.
    failure: Option<ErrorKind>,
    /// Why there is no more text, though the document has not ended.
    cut: Option<ErrorKind>,
    done: bool,
    trailing_reported: bool,
    /// What was met while only the format was asked for.
    waiting: VecDeque<Error>,
    issues_waiting: bool,
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder")
            .field("format", &self.format())
            .field("entries", &self.entries)
            .field("byte", &self.window.offset())
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

#[expect(clippy::large_enum_variant, reason = "there is one a decoder")]
enum Source {
    Xml(XmlSource),
    Text(TextSource),
}

/// How far [`Decoder::advance`] has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// An entry is there: see [`Decoder::raw`] and [`Decoder::to_entry`].
    Entry,
    /// More bytes have to be pushed, or [`Decoder::finish`] called.
    NeedMore,
    /// There is nothing more.
    End,
}

/// So many errors of a document's head are kept for later while its format is looked for.
const WAITING: usize = 1000;

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder with the lenient policy and the default bounds; see [`ReaderBuilder::decoder`] for others.
    #[must_use]
    pub fn new() -> Self {
        ReaderBuilder::new().decoder()
    }

    pub(crate) fn with(options: ReaderBuilder) -> Self {
        Self {
            input: Input::new(options.max_bytes),
            window: Window::new(),
            source: Source::Xml(XmlSource::new()),
            tape: Tape::new(),
            report: Report::new(options.policy),
            location: options.location,
            max_entry_bytes: options.max_entry_bytes,
            entries: 0,
            news: 0,
            held: 0,
            has_entry: false,
            eof: false,
            failure: None,
            cut: None,
            done: false,
            trailing_reported: false,
            waiting: VecDeque::new(),
            issues_waiting: false,
        }
    }

    /// Takes bytes, as they come: any number, cut anywhere. They are decoded when entries are asked for.
    ///
    /// What is pushed after [`finish`](Self::finish) or a fatal error is ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.done || self.eof {
            return;
        }
        let room = self.window.spare();
        let input = &mut self.input;
        if room > 0 {
            self.window.append(|out| input.push(bytes, out, room));
        } else {
            input.push(bytes, &mut String::new(), 0);
        }
    }

    /// Says that these were all the bytes.
    pub fn finish(&mut self) {
        self.input.finish();
    }

    /// Makes the decoder ready for another document, with the same options; its buffers are kept.
    pub fn reset(&mut self) {
        self.input.reset();
        self.window.reset();
        self.source = Source::Xml(XmlSource::new());
        self.tape.reset();
        self.report.reset();
        self.entries = 0;
        self.news = 0;
        self.held = 0;
        self.has_entry = false;
        self.eof = false;
        self.failure = None;
        self.cut = None;
        self.done = false;
        self.trailing_reported = false;
        self.waiting.clear();
        self.issues_waiting = false;
    }

    /// Goes on to the next entry, without interpreting it.
    ///
    /// # Errors
    ///
    /// A violation of the markup that the policy denies (then the next call goes on behind it),
    /// or a fatal error (then there is nothing more).
    pub fn advance(&mut self) -> Result<Step> {
        self.begin_call();
        let step = self.step()?;
        if step == Step::Entry {
            if let Some(error) = self.settle() {
                self.has_entry = false;
                return self.raise(error);
            }
        }
        if step != Step::NeedMore {
            self.report.complete_item();
        }
        Ok(step)
    }

    /// The entry that [`advance`](Self::advance) stopped at; an empty one if it did not stop at one.
    #[must_use]
    pub fn raw(&self) -> RawEntry<'_> {
        static NOTHING: Tape = Tape::new();
        RawEntry::new(Lent {
            tape: if self.has_entry { &self.tape } else { &NOTHING },
            window: &self.window,
            number: self.entries,
        })
    }

    /// Interprets the entry that [`advance`](Self::advance) stopped at. `None`: it has to be skipped, for
    /// what [`issues`](Self::issues) says, or there is none.
    ///
    /// # Errors
    ///
    /// A violation in the entry's values that the policy denies.
    pub fn to_entry(&mut self) -> Result<Option<Entry>> {
        self.begin_call();
        if !self.has_entry {
            return Ok(None);
        }
        let entry = self.interpret();
        if let Some(error) = self.settle() {
            return self.raise(error);
        }
        self.report.complete_item();
        Ok(entry)
    }

    /// The next entry, interpreted. `None`: push more, or, after [`finish`](Self::finish), there are no more.
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
                    self.report.complete_item();
                }
                return Ok(None);
            }
            let entry = self.interpret();
            if let Some(error) = self.settle() {
                self.has_entry = false;
                return self.raise(error);
            }
            if let Some(entry) = entry {
                self.report.complete_item();
                return Ok(Some(entry));
            }
        }
    }

    /// What the latest call reported, in the order of the document. At most 1,000, then one that says how many more.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        self.report.issues()
    }

    /// The format, as soon as it is known.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        match &self.source {
            Source::Xml(source) => source.format(),
            Source::Text(_) => Some(Format::Text),
        }
    }

    /// Reads on until the format is known. What is met on the way is kept for the next call.
    /// `false`: more bytes are needed.
    pub(crate) fn find_format(&mut self) -> bool {
        if !self.issues_waiting {
            self.begin_call();
            self.issues_waiting = true;
        }
        while self.format().is_none() && !self.done && self.waiting.len() < WAITING {
            match self.event() {
                Ok(Some(Event::NeedMore)) => return false,
                Ok(_) => {}
                Err(error) => self.waiting.push_back(error),
            }
        }
        true
    }

    /// Whether nothing more will come out.
    pub(crate) fn is_done(&self) -> bool {
        self.done && self.waiting.is_empty()
    }

    /// The next call goes on with the one before: its issues stay.
    pub(crate) fn keep_issues(&mut self) {
        self.issues_waiting = true;
    }

    /// The input failed for good: the entries before that are still given, then the error.
    pub(crate) fn cut(&mut self, failure: Error) {
        self.failure = Some(failure.into_kind());
        self.input.finish();
    }

    fn begin_call(&mut self) {
        if !std::mem::take(&mut self.issues_waiting) {
            self.report.begin_call();
        }
    }

    fn raise<T>(&mut self, error: Error) -> Result<T> {
        self.report.complete_item();
        Err(error)
    }

    fn settle(&mut self) -> Option<Error> {
        self.report.settle(&self.window, self.entries)
    }

    fn interpret(&mut self) -> Option<Entry> {
        let raw = RawEntry::new(Lent {
            tape: &self.tape,
            window: &self.window,
            number: self.entries,
        });
        Interpreter::new(&mut self.report, self.location.as_ref(), &mut self.news).entry(raw)
    }

    /// The next entry that its markup does not cost; its flaws are not settled yet.
    fn step(&mut self) -> Result<Step> {
        if let Some(error) = self.waiting.pop_front() {
            return self.raise(error);
        }
        loop {
            if self.done {
                return Ok(Step::End);
            }
            match self.event() {
                Ok(Some(Event::Entry { .. })) => return Ok(Step::Entry),
                Ok(Some(Event::NeedMore)) => return Ok(Step::NeedMore),
                Ok(_) => {}
                Err(error) => return self.raise(error),
            }
        }
    }

    /// One event of the source's, dealt with.
    fn event(&mut self) -> Result<Option<Event>> {
        self.release();
        let place = Place {
            offset: self.window.offset(),
            eof: self.eof,
            cut: self.cut.is_some(),
            conflict: self.input.conflict(),
        };
        let mut reading = Reading {
            text: self.window.text(),
            dirty: self.window.is_dirty(),
            tape: &mut self.tape,
            report: &mut self.report,
            dialect: Dialect::Sitemap,
            max_bytes: self.max_entry_bytes,
        };
        let event = match &mut self.source {
            Source::Xml(source) => source.advance(&mut reading, place),
            Source::Text(source) => source.advance(&mut reading, place.eof),
        };
        match event {
            Event::Passed(bytes) => {
                self.note_too_many_bytes(bytes);
                let error = self.settle();
                self.window.consume(bytes);
                error.map_or(Ok(None), Err)
            }
            Event::Entry {
                start,
                end,
                skipped,
            } => {
                self.window.consume(start);
                self.entry(end - start, skipped)
            }
            Event::IsText => {
                self.source = Source::Text(TextSource::new());
                Ok(None)
            }
            Event::NeedMore => match self.cut.take() {
                Some(kind) => self.fatal(kind, self.window.text().len()),
                None => self.fill(),
            },
            Event::End => {
                self.note_last_bytes();
                if let Some(error) = self.settle() {
                    return Err(error);
                }
                self.done = true;
                Ok(Some(Event::End))
            }
            Event::Fatal(kind, at) => self.fatal(kind, at),
        }
    }

    /// Gives up the entry that was lent.
    fn release(&mut self) {
        if self.held > 0 {
            self.window.consume(std::mem::take(&mut self.held));
        }
        self.has_entry = false;
    }

    fn entry(&mut self, end: usize, skipped: bool) -> Result<Option<Event>> {
        self.entries += 1;
        self.held = end;
        if self.entries > MAX_ENTRIES {
            self.report
                .flaw(Rule::TooManyEntries, Effect::Noted, 0, "50,000");
        }
        self.note_too_many_bytes(end);
        if skipped {
            return self.settle().map_or(Ok(None), Err);
        }
        self.has_entry = true;
        Ok(Some(Event::Entry {
            start: 0,
            end,
            skipped,
        }))
    }

    fn fill(&mut self) -> Result<Option<Event>> {
        let room = self.window.room();
        let input = &mut self.input;
        match self.window.append(|out| input.fill(out, room)) {
            Ok(Fill::More) => Ok(None),
            Ok(Fill::Starved) => Ok(Some(Event::NeedMore)),
            Ok(Fill::End) => {
                self.eof = self.failure.is_none();
                self.cut = self.failure.take();
                Ok(None)
            }
            Err(fault) => {
                self.cut = Some(self.failure.take().unwrap_or(match fault {
                    Fault::Gzip(what) => ErrorKind::Gzip(what),
                    Fault::Truncated => ErrorKind::Truncated,
                    Fault::LimitExceeded(what) => ErrorKind::LimitExceeded(what),
                    Fault::NotASitemap(what) => ErrorKind::NotASitemap(what),
                }));
                Ok(None)
            }
        }
    }

    /// Notes the byte past the limit, if it is among the next so many.
    fn note_too_many_bytes(&mut self, bytes: usize) {
        let start = self.window.offset();
        if start + bytes as u64 > MAX_BYTES {
            let at = MAX_BYTES.saturating_sub(start) as usize;
            self.report
                .flaw(Rule::TooManyBytes, Effect::Noted, at, "52,428,800");
        }
    }

    /// Notes what can only be known at the end.
    fn note_last_bytes(&mut self) {
        self.note_too_many_bytes(self.window.text().len());
        if let Some(found) = self.input.trailing().filter(|_| !self.trailing_reported) {
            self.trailing_reported = true;
            let at = self.window.text().len();
            self.report
                .flaw(Rule::TrailingGzipData, Effect::Noted, at, &found);
        }
    }

    fn fatal(&mut self, kind: ErrorKind, at: usize) -> Result<Option<Event>> {
        // What was found in an entry that never became whole goes with it.
        self.report.discard();
        if self.eof {
            self.note_last_bytes();
            if let Some(error) = self.settle() {
                return Err(error);
            }
        }
        self.done = true;
        let in_entry = match &self.source {
            Source::Xml(source) => source.is_in_entry(),
            Source::Text(_) => false,
        };
        let number = self.entries + u64::from(in_entry);
        let position = self.window.position(at, number);
        let position = (!matches!(kind, ErrorKind::Io(_))).then_some(position);
        Err(Error::new(kind, position))
    }
}
