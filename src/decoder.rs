use std::collections::VecDeque;

use crate::engine::Engine;
use crate::entry::{Entry, Interpreter, NewsCount};
use crate::error::{Error, Result};
use crate::location::Location;
use crate::raw::RawEntry;
use crate::reader::{Format, ReaderBuilder};
use crate::source::Event;
use crate::violation::Issue;

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
    engine: Engine,
    location: Location,
    news: NewsCount,
    /// What was met while only the format was asked for.
    waiting: VecDeque<Error>,
    /// What has been reported comes with the next call.
    issues_waiting: bool,
}

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

/// While the format is looked for, errors are put aside, up to so many.
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
            engine: Engine::new(&options),
            location: options.location,
            news: NewsCount::default(),
            waiting: VecDeque::new(),
            issues_waiting: false,
        }
    }

    /// Takes bytes, as they come: any number, cut anywhere. They are decoded when entries are asked for.
    ///
    /// What is pushed after [`finish`](Self::finish) or a fatal error is ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.engine.done || self.engine.eof {
            return;
        }
        let room = self.engine.window.spare();
        let input = &mut self.engine.input;
        if room > 0 {
            self.engine
                .window
                .append(|out| input.push(bytes, out, room));
        } else {
            input.push(bytes, &mut String::new(), 0);
        }
    }

    /// Says that these were all the bytes.
    pub fn finish(&mut self) {
        self.engine.input.finish();
    }

    /// Makes the decoder ready for another document, with the same options; its buffers are kept.
    pub fn reset(&mut self) {
        self.engine.reset();
        self.news = NewsCount::default();
        self.waiting.clear();
        self.issues_waiting = false;
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
    /// # Errors
    ///
    /// A violation in the entry's values that the policy denies.
    pub fn to_entry(&mut self) -> Result<Option<Entry>> {
        self.begin_call();
        if !self.engine.has_entry {
            return Ok(None);
        }
        let entry = self.interpret();
        if let Some(error) = self.engine.settle() {
            return self.raise(error);
        }
        self.engine.report.complete_item();
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
                    self.engine.report.complete_item();
                }
                return Ok(None);
            }
            let entry = self.interpret();
            if let Some(error) = self.engine.settle() {
                self.engine.has_entry = false;
                return self.raise(error);
            }
            if let Some(entry) = entry {
                self.engine.report.complete_item();
                return Ok(Some(entry));
            }
        }
    }

    /// What the latest call reported, in the order of the document. At most 1,000, then one that says how many more.
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

    /// Reads on until the format is known. What is met on the way is kept for the next call.
    /// `false`: more bytes are needed.
    pub(crate) fn find_format(&mut self) -> bool {
        if self.format().is_some() || self.engine.done {
            return true;
        }
        if !self.issues_waiting {
            self.begin_call();
            self.issues_waiting = true;
        }
        while self.format().is_none() && !self.engine.done && self.waiting.len() < WAITING {
            match self.engine.event() {
                Ok(Some(Event::NeedMore)) => return false,
                Ok(_) => {}
                Err(error) => self.waiting.push_back(error),
            }
        }
        true
    }

    /// Whether nothing more will come out.
    pub(crate) fn is_done(&self) -> bool {
        self.engine.done && self.waiting.is_empty()
    }

    /// The next call goes on with the one before: its issues stay.
    pub(crate) fn keep_issues(&mut self) {
        self.issues_waiting = true;
    }

    /// The input failed for good: the entries before that are still given, then the error.
    pub(crate) fn cut(&mut self, failure: Error) {
        self.engine.failure = Some(failure.into_kind());
        self.engine.input.finish();
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

    fn interpret(&mut self) -> Option<Entry> {
        let (raw, report) = self.engine.raw_and_report();
        self.news.begin_entry(raw.number());
        Interpreter::new(report, &self.location, &mut self.news).entry(raw)
    }

    /// The next entry that its markup does not cost; its flaws are not settled yet.
    #[inline]
    fn step(&mut self) -> Result<Step> {
        if let Some(error) = self.waiting.pop_front() {
            return self.raise(error);
        }
        loop {
            if self.engine.done {
                return Ok(Step::End);
            }
            match self.engine.event() {
                Ok(Some(Event::Entry { .. })) => return Ok(Step::Entry),
                Ok(Some(Event::NeedMore)) => return Ok(Step::NeedMore),
                Ok(_) => {}
                Err(error) => return self.raise(error),
            }
        }
    }
}
