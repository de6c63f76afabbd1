//! The engine drives the input, the window, the parser and the report, event by event.

use crate::error::{Error, ErrorKind, Result};
use crate::format::Format;
use crate::input::{Fill, Input, Window};
use crate::limits::{MAX_BYTES, MAX_ENTRIES};
use crate::parse::Event;
use crate::parse::context::{Context, TextEnd};
use crate::parse::parser::Parser;
use crate::raw::RawEntry;
use crate::report::Report;
use crate::report::options::{OnText, Options, TextPiece, with};
use crate::summary::Completeness;
use crate::tape::Tape;
use crate::text::position::Position;
use crate::text::span::{Span, TakePart};
use crate::violation::{Effect, Rule};

/// Reads a document entry by entry, without I/O and without interpreting what it reads.
pub(crate) struct Engine {
    pub(crate) input: Input,
    pub(crate) window: Window,
    parser: Parser,
    tape: Tape,
    pub(crate) report: Report,
    /// Entries begun so far, the skipped ones too.
    pub(crate) entries: u64,
    /// Name and position of the markup outside of entries that began last and may be open.
    begun: Option<(&'static str, Position)>,
    /// Length of the entry that was read last. Its text and the tape are kept until the next event.
    held: usize,
    /// That entry is on the tape, and is not skipped.
    pub(crate) has_entry: bool,
    keeps_lines: bool,
    on_text: Option<OnText>,
}

/// Bytes of text that must be available before each event if the lines of issues are kept: an entry of a usual size,
/// and the part of the line after it.
const AHEAD: usize = 16 << 10;

/// The result of [`Decoder::advance`](crate::Decoder::advance).
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The decoder stopped at an entry. See [`Decoder::raw`](crate::Decoder::raw) and
    /// [`Decoder::take_entry`](crate::Decoder::take_entry).
    Entry,
    /// More bytes are needed: push them, or call [`Decoder::finish`](crate::Decoder::finish).
    NeedMore,
    /// Reading has ended.
    End,
}

impl Engine {
    pub(crate) fn new(options: &Options) -> Self {
        let mut tape = Tape::new(options.max_entry_bytes);
        tape.bases.given = options.location.base().cloned();
        Self {
            input: Input::new(options.max_bytes, options.charset.as_deref()),
            window: Window::new(options.excerpts),
            parser: Parser::default(),
            tape,
            report: Report::new(options),
            entries: 0,
            begun: None,
            held: 0,
            has_entry: false,
            keeps_lines: options.excerpts,
            on_text: options.on_text.clone(),
        }
    }

    /// Begins a new document with the same options, and keeps the buffers.
    pub(crate) fn reset(&mut self) {
        self.input.reset();
        self.window.reset();
        self.parser = Parser::default();
        self.tape.reset();
        self.report.reset();
        self.entries = 0;
        self.begun = None;
        (self.held, self.has_entry) = (0, false);
    }

    /// Takes bytes, unless reading has ended.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.is_done() {
            return;
        }
        let room = self.window.spare();
        if room > 0 {
            self.decode(0, |input, out| input.push(bytes, out, room));
        } else {
            // Appending to a full window would move or enlarge it, so the bytes are stored in the input.
            self.input.push(bytes, &mut String::new(), 0);
        }
    }

    /// Appends text of the input to the window, and passes it to the callback.
    fn decode<T>(&mut self, room: usize, decode: impl FnOnce(&mut Input, &mut String) -> T) -> T {
        let (input, on_text) = (&mut self.input, &self.on_text);
        let facts = &mut self.report.facts;
        self.window.append(room, |out| {
            let before = out.len();
            let decoded = decode(input, out);
            facts.encoding = input.encoding();
            facts.conflict = input.conflict.take().or_else(|| facts.conflict.take());
            if let Some(on_text) = on_text
                && out.len() > before
            {
                with(on_text, |call| {
                    TextPiece::all_of(out.part(before..)).for_each(call)
                });
            }
            decoded
        })
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.parser.format()
    }

    /// Returns the entry on the tape, if there is one.
    #[inline]
    pub(crate) fn raw(&self) -> Option<RawEntry<'_>> {
        self.has_entry
            .then(|| RawEntry::new(&self.tape, &self.window, self.entries))
    }

    /// The entry on the tape, and where to report what is found in it.
    pub(crate) fn raw_and_report(&mut self) -> (RawEntry<'_>, &mut Report) {
        let raw = RawEntry::new(&self.tape, &self.window, self.entries);
        (raw, &mut self.report)
    }

    /// Returns the start of the available text: that of the entry, if there is one.
    pub(crate) fn position(&self) -> Position {
        self.window.position(0, self.entries)
    }

    /// Applies the policy to the flaws so far. Returns the error that one of them becomes, if any.
    #[inline]
    pub(crate) fn settle(&mut self) -> Result<()> {
        let error = self.report.settle(&self.window, self.entries);
        error.map_or(Ok(()), Err)
    }

    /// The work before the next event, if reading has ended or lines are kept. Returns the step that replaces the event, if any.
    #[cold]
    fn before_event(&mut self) -> Option<Step> {
        if self.is_done() {
            return Some(Step::End);
        }
        // Waits for more text, so that the line of an issue is complete for every division of the input.
        while self.keeps_lines
            && self.input.end() == TextEnd::Open
            && self.window.text().len() < AHEAD
        {
            if let Some(step) = self.fill() {
                return Some(step);
            }
        }
        None
    }

    /// Handles one event of the parser. Returns `None` if the caller has nothing to do for it. An entry that is skipped
    /// is a step, too, but `has_entry` is `false` then. If `entries` has grown and there is an error, the error belongs
    /// to that entry.
    pub(crate) fn event(&mut self) -> Result<Option<Step>> {
        self.release();
        // One branch decides both for each entry.
        if (self.is_done() | self.keeps_lines)
            && let Some(step) = self.before_event()
        {
            return Ok(Some(step));
        }
        match self.parse() {
            Event::Passed(bytes) => self.pass(bytes),
            Event::Begun(markup, at, bytes) => {
                self.begun = Some((markup, self.window.position(at, self.entries)));
                self.pass(bytes)
            }
            Event::Entry(bytes) => self.entry(bytes),
            Event::NeedMore => match self.input.take_failure() {
                Some(kind) => {
                    self.report.discard();
                    self.fatal(kind, self.window.text().len(), None)
                }
                None => Ok(self.fill()),
            },
            Event::End => {
                self.note_last_bytes()?;
                let format = self.format();
                let completeness = match format {
                    // A text sitemap has no end marker, and a feed lists only recent items.
                    Some(Format::Urlset | Format::Index) => Completeness::Complete,
                    _ => Completeness::Unknown,
                };
                self.report.end(format, completeness);
                Ok(Some(Step::End))
            }
            Event::Fatal(kind, at) => {
                // An entry that was never completed is not returned, so its issues are not reported either.
                self.report.discard();
                // Bytes after the place of the error are ignored: how many of them have arrived depends on the pushes.
                if self.input.end() == TextEnd::Reached && at == self.window.text().len() {
                    self.note_last_bytes()?;
                }
                let unclosed = self
                    .unclosed()
                    .filter(|_| matches!(kind, ErrorKind::Truncated));
                self.fatal(kind, at, unclosed)
            }
        }
    }

    /// One step of the parser of the format. White space before it is removed from the window.
    fn parse(&mut self) -> Event {
        let mut cx = Context {
            text: self.window.text(),
            offset: self.window.offset(),
            blank: 0,
            end: self.input.end(),
            max_entry_bytes: self.tape.max_entry_bytes,
            tape: &mut self.tape,
            report: &mut self.report,
        };
        let event = self.parser.advance(&mut cx);
        let blank = cx.blank;
        if blank > 0 {
            self.window.consume(blank);
        }
        event
    }

    /// Removes this number of bytes from the window.
    fn pass(&mut self, bytes: usize) -> Result<Option<Step>> {
        self.note_too_many_bytes(bytes);
        let (window, entries) = (&self.window, self.entries);
        let facts = &mut self.report.facts;
        facts.place_stylesheet(|at| window.position(at, entries));
        let settled = self.settle();
        self.window.consume(bytes);
        settled.map(|()| None)
    }

    /// The construct that is open where the document ends.
    fn unclosed(&self) -> Option<(&'static str, Position)> {
        let (markup, at) = self.parser.unclosed(self.window.text())?;
        let Some(at) = at else {
            return self.begun;
        };
        let number = self.entries + u64::from(self.parser.is_in_entry());
        Some((markup, self.window.position(at, number)))
    }

    /// Releases the entry that was borrowed.
    fn release(&mut self) {
        self.window.consume(self.held);
        (self.held, self.has_entry) = (0, false);
    }

    /// Counts the entry on the tape as one that is not returned.
    pub(crate) const fn count_skipped(&mut self) {
        self.report.count_entry(self.entries, false);
    }

    /// Returns `true` if reading has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.report.summary().is_over()
    }

    /// An entry of this number of bytes is on the tape, unless a violation in it skips it.
    fn entry(&mut self, bytes: usize) -> Result<Option<Step>> {
        self.entries += 1;
        if self.entries > MAX_ENTRIES || self.tape.has_wrong_bounds() {
            self.note_exceptional_entry();
        }
        self.note_too_many_bytes(bytes);
        let is_returned = !self.report.skips_entry();
        self.report.count_entry(self.entries, is_returned);
        (self.held, self.has_entry) = (bytes, is_returned);
        if !is_returned {
            self.settle()?;
        }
        Ok(Some(Step::Entry))
    }

    // Not inlined, so that `entry` can be inlined.
    #[cold]
    #[inline(never)]
    fn note_exceptional_entry(&mut self) {
        if self.entries > MAX_ENTRIES {
            self.report
                .over_limit(Rule::TooManyEntries, MAX_ENTRIES, Span::EMPTY);
        }
        if self.tape.has_wrong_bounds() {
            self.report.internal(self.tape.kind);
        }
    }

    /// Moves text from the input to the window. Returns a step if the caller must act first.
    fn fill(&mut self) -> Option<Step> {
        let room = self.window.room(self.tape.max_entry_bytes);
        let fill = self.decode(room, |input, out| input.fill(out, room));
        (fill == Fill::Starved).then_some(Step::NeedMore)
    }

    /// Reports the first byte over the limit, if it is among the next `bytes`.
    fn note_too_many_bytes(&mut self, bytes: usize) {
        let start = self.window.offset();
        if start + bytes as u64 > MAX_BYTES {
            let at = Span::at(MAX_BYTES.saturating_sub(start) as usize);
            self.report.over_limit(Rule::TooManyBytes, MAX_BYTES, at);
        }
    }

    /// Reports violations that are only known at the end, and applies the policy.
    fn note_last_bytes(&mut self) -> Result<()> {
        self.note_too_many_bytes(self.window.text().len());
        if let Some(found) = self.input.trailing() {
            let at = Span::at(self.window.text().len());
            self.report
                .flaw(Rule::TrailingGzipData, Effect::Noted, at, &found);
        }
        self.settle()
    }

    /// Ends reading with an error at `at`.
    fn fatal(
        &mut self,
        kind: ErrorKind,
        at: usize,
        unclosed: Option<(&'static str, Position)>,
    ) -> Result<Option<Step>> {
        let format = self.format();
        self.report.end(format, Completeness::Incomplete);
        let number = self.entries + u64::from(self.parser.is_in_entry());
        let (markup, position) = match unclosed {
            Some((markup, position)) => (Some(markup), position),
            None => (None, self.window.position(at, number)),
        };
        if matches!(kind, ErrorKind::Io(_)) {
            return Err(Error::fatal(kind, None));
        }
        let excerpt = self.window.kept_excerpt(position, 0);
        let error = Error::fatal(kind, Some(position)).marking(0, excerpt);
        Err(error.within(markup))
    }
}
