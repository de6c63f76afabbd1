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
use crate::violation::{Effect, Rule};
use crate::xml::reading::{Place, Reading};
use crate::xml::source::XmlSource;

/// What brings input, window, source and tape together: one event after another, until there is an entry.
pub(crate) struct Engine {
    pub(crate) input: Input,
    pub(crate) window: Window,
    source: Source,
    tape: Tape,
    pub(crate) report: Report,
    max_entry_bytes: usize,
    /// Entries begun so far, the skipped ones too.
    pub(crate) entries: u64,
    /// Bytes of the text that the entry on the tape takes; it is lent until the next is asked for.
    held: usize,
    pub(crate) has_entry: bool,
    pub(crate) eof: bool,
    /// The input failed: what it gave before is still decoded.
    pub(crate) failure: Option<ErrorKind>,
    /// Why there is no more text, though the document has not ended.
    cut: Option<ErrorKind>,
    pub(crate) done: bool,
    trailing_reported: bool,
}

#[expect(clippy::large_enum_variant, reason = "there is one a decoder")]
enum Source {
    Xml(XmlSource),
    Text(TextSource),
}

impl Engine {
    pub(crate) fn new(options: &ReaderBuilder) -> Self {
        Self {
            input: Input::new(options.max_bytes),
            window: Window::new(),
            source: Source::Xml(XmlSource::new()),
            tape: Tape::new(),
            report: Report::new(options.policy),
            max_entry_bytes: options.max_entry_bytes,
            entries: 0,
            held: 0,
            has_entry: false,
            eof: false,
            failure: None,
            cut: None,
            done: false,
            trailing_reported: false,
        }
    }

    /// Begins anew with the same options; the buffers are kept.
    pub(crate) fn reset(&mut self) {
        self.input.reset();
        self.window.reset();
        self.source = Source::Xml(XmlSource::new());
        self.tape.reset();
        self.report.reset();
        self.entries = 0;
        self.held = 0;
        self.has_entry = false;
        self.eof = false;
        self.failure = None;
        self.cut = None;
        self.done = false;
        self.trailing_reported = false;
    }

    pub(crate) fn format(&self) -> Option<Format> {
        match &self.source {
            Source::Xml(source) => source.format(),
            Source::Text(_) => Some(Format::Text),
        }
    }

    /// The entry on the tape; an empty one if there is none.
    #[inline]
    pub(crate) fn raw(&self) -> RawEntry<'_> {
        static NOTHING: Tape = Tape::new();
        RawEntry::new(Lent {
            tape: if self.has_entry { &self.tape } else { &NOTHING },
            window: &self.window,
            text: self.window.text(),
            number: self.entries,
        })
    }

    /// The entry on the tape, and where to report what is found in it.
    pub(crate) fn raw_and_report(&mut self) -> (RawEntry<'_>, &mut Report) {
        let raw = RawEntry::new(Lent {
            tape: &self.tape,
            window: &self.window,
            text: self.window.text(),
            number: self.entries,
        });
        (raw, &mut self.report)
    }

    /// Judges what was found; the error that the policy makes of it, if any.
    #[inline]
    pub(crate) fn settle(&mut self) -> Option<Error> {
        self.report.settle(&self.window, self.entries)
    }

    /// One event of the source's, dealt with.
    pub(crate) fn event(&mut self) -> Result<Option<Event>> {
        self.release();
        let (text, tape, most) = (self.window.text(), &mut self.tape, self.max_entry_bytes);
        let found = match &mut self.source {
            Source::Xml(source) => source.shortcut(text, tape, most),
            Source::Text(source) => source.shortcut(text, tape, most),
        };
        if let Some((start, end)) = found {
            self.window.consume(start);
            return self.entry(end - start, false);
        }
        self.report.set_encoding(self.input.encoding());
        let place = Place {
            offset: self.window.offset(),
            eof: self.eof,
            cut: self.cut.is_some(),
            conflict: self.input.conflict(),
        };
        let mut reading = Reading {
            text: self.window.text(),
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
    #[inline]
    fn release(&mut self) {
        if self.held > 0 {
            self.window.consume(std::mem::take(&mut self.held));
        }
        self.has_entry = false;
    }

    #[inline]
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
        // What stands behind the place where it ends is not looked at, whether it is known already or not.
        if self.eof && at == self.window.text().len() {
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
