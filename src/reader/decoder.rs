//! [`Decoder`]: reading pushed bytes. All other ways to read use it.

use std::io;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::engine::{Engine, Step};
use crate::entry::{Base, Entry};
use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::interpret::Interpreter;
use crate::raw::RawEntry;
use crate::report::options::Options;
use crate::summary::Summary;
use crate::text::position::Position;
use crate::value::location::Location;
use crate::violation::Issue;
use crate::vocabulary::InFile;
use crate::xml::stylesheet::Stylesheet;

/// A sitemap reader without I/O: the caller pushes bytes and takes entries.
///
/// It never blocks and does not depend on an async runtime: push the chunks of an HTTP response as they arrive.
/// [`Reader`](crate::Reader) is a loop around a decoder; you can write the same loop with the public methods. The result
/// never depends on how the bytes are divided into pushes.
///
/// Use it in a loop. Ask for an entry. If there is none and the decoder [is done](Self::is_done), stop. Otherwise call
/// [`push`](Self::push) with more bytes, [`finish`](Self::finish) at the end of the input, or [`fail`](Self::fail) if
/// the transport failed.
///
/// An entry is returned as soon as its last byte has been pushed: the `>` of its end tag, or the end of its line. So a
/// broken connection loses no entry that has arrived. (With gzip, this applies to the bytes that can be decompressed. An
/// entry without an end tag of its own is returned with the next end tag, or at the end of the input.)
/// The start of the document decides the format. It is decided by the root element, or by a line that is an http(s) URL
/// if there is no `<` before it. Such a line makes the document a text sitemap, regardless of the text after it.
///
/// Pushed bytes are buffered until entries are taken, so take the entries after every push. At most one window of text
/// (64 KiB, or the size of the largest entry) is decoded at a time, so a small chunk that decompresses to gigabytes
/// does not use more memory.
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
    /// News elements of the document so far.
    in_file: InFile,
    /// The error that was found while only the format was requested; the next call returns it.
    waiting: Option<Error>,
    call: Call,
}

/// The state of the latest call, which decides to which result the issues belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    /// It had no result, because more bytes are needed. The issues so far belong to the result of the next call.
    Unfinished,
    /// It had a result, to which the issues belong.
    Finished,
    /// The same, and the result is an interpreted entry.
    Interpreted,
}

// After a panic (in a callback, for example), only data can be inconsistent, and `reset` clears it.
impl UnwindSafe for Decoder {}
impl RefUnwindSafe for Decoder {}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder")
            .field("format", &self.format())
            .field("entries", &self.engine.entries)
            .field("byte", &self.engine.window.offset())
            .field("done", &self.engine.is_done())
            .finish_non_exhaustive()
    }
}

/// The result for one entry, from [`Reader::outcomes`](crate::Reader::outcomes) or [`Decoder::next_outcome`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The start of the entry, with its number. For an error that belongs to no entry, the place where it was found.
    pub position: Position,
    /// The entry, or `None` if it was skipped; `issues` gives the reason. An error is either a violation that the
    /// policy denies, or a fatal error.
    pub entry: Result<Option<Entry>>,
    /// Issues found in this entry and in the text between the previous entry and this one. Issues after the last entry
    /// belong to the last entry.
    pub issues: Vec<Issue>,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// Creates a decoder with the lenient policy and the default limits. See
    /// [`ReaderBuilder::decoder`](crate::ReaderBuilder::decoder) for other options.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Options::new())
    }

    pub(crate) fn with(options: Options) -> Self {
        Self {
            engine: Engine::new(&options),
            location: options.location,
            in_file: InFile::default(),
            waiting: None,
            call: Call::Finished,
        }
    }

    /// Adds bytes of the document: any number of bytes, divided anywhere. They are decoded when entries are taken.
    ///
    /// Bytes that are pushed after [`finish`](Self::finish) or after a fatal error are ignored.
    ///
    /// Push large documents in pieces of up to 64 KiB, which are decoded directly. The rest of a larger piece is copied
    /// and stored until it is needed, so pushing 10 MB at once takes 10 MB of memory and about half as much time again.
    /// [`Reader::from_bytes`](crate::Reader::from_bytes) reads a document in memory in such pieces.
    pub fn push(&mut self, bytes: &[u8]) {
        self.engine.push(bytes);
    }

    /// Marks the end of the input. More entries can follow: take entries until the decoder [is done](Self::is_done).
    pub fn finish(&mut self) {
        self.engine.input.finish(None);
    }

    /// Marks the end of the input because the transport failed. The decoder still returns the complete entries, then
    /// the error, which is [fatal](Error::is_fatal) regardless of its kind. After [`finish`](Self::finish), this has no
    /// effect.
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
        self.engine.input.finish(Some(ErrorKind::Io(error)));
    }

    /// Prepares the decoder for another document with the same options. Its buffers are kept.
    pub fn reset(&mut self) {
        self.engine.reset();
        self.in_file = InFile::default();
        self.waiting = None;
        self.call = Call::Finished;
    }

    /// Advances to the next entry without interpreting it.
    ///
    /// # Errors
    ///
    /// A violation of the markup that the policy denies (the next call continues after it), or a fatal error (later
    /// calls return [`Step::End`]).
    #[inline]
    pub fn advance(&mut self) -> Result<Step> {
        self.begin_call();
        let step = self.step()?;
        if step == Step::Entry
            && let Err(error) = self.settle_entry(true)
        {
            self.engine.has_entry = false;
            return self.raise(error);
        }
        if step != Step::NeedMore {
            self.end_call(Call::Finished);
        }
        Ok(step)
    }

    /// Returns the entry at which [`advance`](Self::advance) stopped, or that another method read last. Returns `None` if
    /// there is none: before the first entry, at the end, if more bytes are needed, and after an error.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> Option<RawEntry<'_>> {
        self.engine.raw()
    }

    /// Interprets the entry at which [`advance`](Self::advance) stopped. Returns `None` if the entry must be skipped
    /// ([`issues`](Self::issues) gives the reason), if there is no such entry, or if this method was already called for
    /// it.
    ///
    /// Issues are added to those of `advance`, in the order of the document.
    ///
    /// # Errors
    ///
    /// A violation in the values of the entry that the policy denies.
    pub fn take_entry(&mut self) -> Result<Option<Entry>> {
        if !self.engine.has_entry || self.call == Call::Interpreted {
            return Ok(None);
        }
        let entry = self.interpreted();
        self.end_call(Call::Interpreted);
        self.engine.report.merge_issues(self.engine.entries);
        entry
    }

    /// Returns the next entry, interpreted. Returns `None` if more bytes are needed, or if the decoder [is
    /// done](Self::is_done).
    ///
    /// # Errors
    ///
    /// A violation that the policy denies (the next call returns the next entry), or a fatal error (later calls return
    /// `None`).
    pub fn next_entry(&mut self) -> Result<Option<Entry>> {
        self.begin_call();
        loop {
            let step = self.step()?;
            if step != Step::Entry {
                if step == Step::End {
                    self.end_call(Call::Finished);
                }
                return Ok(None);
            }
            let entry = self.interpreted();
            match entry {
                Ok(None) => continue,
                Ok(Some(_)) => self.end_call(Call::Interpreted),
                Err(_) => {
                    self.engine.has_entry = false;
                    self.end_call(Call::Finished);
                }
            }
            return entry;
        }
    }

    /// Returns an iterator over the entries whose bytes have been pushed, interpreted. It ends if more bytes are
    /// needed, or if the decoder [is done](Self::is_done). Call this method again after each push.
    ///
    /// [`issues`](Self::issues) contains only the issues of the last step. Use
    /// [`on_issue`](crate::ReaderBuilder::on_issue) or [`next_outcome`](Self::next_outcome) to see all of them, also those
    /// after the last entry.
    ///
    /// # Errors
    ///
    /// The items have the errors of [`next_entry`](Self::next_entry).
    pub fn entries(&mut self) -> impl Iterator<Item = Result<Entry>> {
        std::iter::from_fn(|| self.next_entry().transpose())
    }

    /// Returns the result for the next entry, even if the entry is skipped, with its own issues and those before it
    /// (moved out of [`issues`](Self::issues)). An error that belongs to no entry is a result of its own. Returns `None` if
    /// more bytes are needed, or if the decoder [is done](Self::is_done); in the latter case `issues` contains the issues
    /// after the last entry.
    ///
    /// [`Reader::outcomes`](crate::Reader::outcomes) is an iterator over these.
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
    /// assert_eq!(skipped.issues[0].to_string(), "2:1: `nonsense` is not an absolute http or https URL; entry skipped");
    /// assert!(decoder.next_outcome().is_none() && decoder.is_done());
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.begin_call();
        if let Some(error) = self.waiting.take() {
            return Some(self.outcome(error.position(), Err(error)));
        }
        while !self.engine.is_done() {
            let before = self.engine.entries;
            let entry = match self.engine.event() {
                Ok(Some(Step::NeedMore)) => return None,
                Ok(Some(Step::Entry)) if !self.engine.has_entry => Ok(None),
                Ok(Some(Step::Entry)) => self.interpreted(),
                Ok(_) => continue,
                Err(error) => Err(error),
            };
            let position = match &entry {
                Err(error) if self.engine.entries == before => error.position(),
                _ => None,
            };
            return Some(self.outcome(position, entry));
        }
        self.end_call(Call::Finished);
        None
    }

    /// Returns the issues of the latest result, in the order of the document. [`take_entry`](Self::take_entry) adds to the
    /// issues of `advance`. The list is empty if the latest call needs more bytes: issues found so far belong to the result
    /// of the next call. At most 1,000 issues are listed per call, followed by one with the number of further issues and
    /// their worst effect.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        match self.call {
            Call::Unfinished => &[],
            Call::Finished | Call::Interpreted => &self.engine.report.issues,
        }
    }

    /// Returns the format, once it is known.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.engine.format()
    }

    pub(crate) fn stylesheet(&self) -> Option<&Stylesheet> {
        self.engine.report.facts.stylesheet.as_ref()
    }

    /// Reads the head, so that the format is known, but not an entry. Issues and an error of the head are reported by the next
    /// call that reads an entry. Returns `false` if more bytes are needed. Returns `true` if the [`format`](Self::format) is
    /// known, or if it will not be found, because the document is not a sitemap.
    pub(crate) fn find_format(&mut self) -> bool {
        if self.format().is_some() || self.engine.is_done() {
            return true;
        }
        self.begin_call();
        while self.format().is_none() && !self.engine.is_done() && self.waiting.is_none() {
            match self.engine.event() {
                Ok(Some(Step::NeedMore)) => return false,
                Ok(_) => {}
                // The head is one item, which has one error.
                Err(error) => self.waiting = Some(error),
            }
        }
        true
    }

    /// Returns `true` if reading has ended: a call has found the end of the document, or returned a fatal error. If a call
    /// returned no entry and this is `false`, push more bytes or call [`finish`](Self::finish).
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
        self.engine.is_done() && self.waiting.is_none()
    }

    /// Returns how many entries were returned and lost so far, and whether all were returned. See [`Summary`].
    #[must_use]
    pub fn summary(&self) -> &Summary {
        self.engine.report.summary()
    }

    pub(crate) fn position(&self) -> Position {
        self.engine.position()
    }

    /// Begins a call, or continues with the issues of an unfinished one.
    #[inline]
    fn begin_call(&mut self) {
        if self.call != Call::Unfinished {
            self.call = Call::Unfinished;
            self.engine.report.issues.clear();
        }
    }

    #[inline]
    fn end_call(&mut self, call: Call) {
        self.call = call;
        self.engine.report.end_issues();
    }

    fn raise<T>(&mut self, error: Error) -> Result<T> {
        self.end_call(Call::Finished);
        Err(error)
    }

    /// The current entry, and its interpreter.
    #[inline]
    fn interpreter(&mut self) -> (RawEntry<'_>, Interpreter<'_>) {
        let (raw, report) = self.engine.raw_and_report();
        let interpreter = Interpreter::new(report, &self.location, &mut self.in_file);
        (raw, interpreter)
    }

    /// Interprets the current entry and judges its flaws.
    fn interpreted(&mut self) -> Result<Option<Entry>> {
        let (raw, mut cx) = self.interpreter();
        match Base::read(raw, &mut cx) {
            // Most entries. An entry is large, so it is built where it is returned instead of being moved there.
            Some(base) if !base.has_foreign && cx.report.worst.is_none() && cx.is_kept(raw) => {
                Ok(Some(Entry::of_base(base, raw.kind())))
            }
            base => self.judged(base),
        }
    }

    /// Interprets the rest of the current entry and judges its flaws.
    fn judged(&mut self, base: Option<Base>) -> Result<Option<Entry>> {
        let (raw, mut cx) = self.interpreter();
        let entry = base.map(|base| Entry::read_rest(base, raw, &mut cx));
        let entry = entry.filter(|_| cx.is_kept(raw));
        self.settle_entry(entry.is_some()).map(|()| entry)
    }

    /// Judges the flaws of the current entry, and counts it if it is not returned: one that is skipped, or has an error.
    #[inline]
    fn settle_entry(&mut self, is_kept: bool) -> Result<()> {
        let settled = self.engine.settle();
        if !is_kept || settled.is_err() {
            self.engine.count_skipped();
        }
        settled
    }

    /// Creates the outcome of the current entry. `position` replaces the start of the entry for an error that belongs to no
    /// entry.
    pub(super) fn outcome(
        &mut self,
        position: Option<Position>,
        entry: Result<Option<Entry>>,
    ) -> Outcome {
        self.end_call(Call::Finished);
        self.engine.has_entry = false;
        Outcome {
            position: position.unwrap_or_else(|| self.engine.position()),
            entry,
            issues: std::mem::take(&mut self.engine.report.issues),
        }
    }

    /// Advances to the next entry that is not skipped because of its markup, to the end, or until more bytes are needed.
    /// The flaws of the entry are not judged yet.
    #[inline(always)]
    fn step(&mut self) -> Result<Step> {
        if let Some(error) = self.waiting.take() {
            return self.raise(error);
        }
        loop {
            match self.engine.event() {
                Ok(Some(Step::Entry)) if !self.engine.has_entry => {}
                Ok(Some(step)) => return Ok(step),
                Ok(None) => {}
                Err(error) => return self.raise(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::{Effect, Policy, Rule};

    const PAGES: &[u8] = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
        <url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>";

    fn decoder(policy: Policy) -> Decoder {
        let mut decoder = crate::ReaderBuilder::new().policy(policy).decoder();
        decoder.push(PAGES);
        decoder.finish();
        decoder
    }

    /// A decoder at the first entry, which is not interpreted yet.
    fn at_entry(policy: Policy) -> Decoder {
        let mut decoder = decoder(policy);
        assert_eq!(decoder.advance().unwrap(), Step::Entry);
        decoder
    }

    /// The behavior of a release build; a debug build panics if bounds are wrong.
    #[test]
    fn an_entry_with_a_mistake_of_this_crate_is_skipped_and_reported() {
        let mut lenient = at_entry(Policy::LENIENT);
        lenient.raw().unwrap().source.tape.record_wrong_bounds();
        assert_eq!(lenient.take_entry().unwrap(), None);
        let issues = lenient.issues().iter();
        let issues: Vec<_> = issues.map(|issue| (issue.rule(), issue.effect)).collect();
        assert_eq!(issues, [(Rule::Internal, Effect::EntrySkipped)]);
        assert_eq!(lenient.summary().skipped, 1);
        // It costs no other entry.
        let entry = lenient.next_entry().unwrap().unwrap();
        assert_eq!(entry.loc().path(), "/b");
        assert!(lenient.issues().is_empty());

        let mut strict = at_entry(Policy::STRICT);
        strict.raw().unwrap().source.tape.record_wrong_bounds();
        let error = strict.take_entry().unwrap_err();
        assert_eq!(error.kind().name(), "internal");
        assert_eq!(strict.next_entry().unwrap().unwrap().loc().path(), "/b");
    }

    /// A reader of an entry who is given the wrong bounds by a mistake.
    #[test]
    fn a_mistake_belongs_to_the_decoder_that_made_it() {
        let first = at_entry(Policy::LENIENT);
        first.raw().unwrap().source.tape.record_wrong_bounds();
        let mut second = at_entry(Policy::STRICT);
        assert_eq!(second.take_entry().unwrap().unwrap().loc().path(), "/a");
    }
}
