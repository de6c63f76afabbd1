use crate::error::ErrorKind;
use crate::limits::DETECTION_BYTES;
use crate::raw::EntryKind;
use crate::reader::Format;
use crate::source::Event;
use crate::source::detect::{Verdict, look_ahead};
use crate::source::dialect::Dialect;
use crate::tape::Tape;
use crate::violation::{Effect, Rule};
use crate::xml::builder::{Builder, Built};
use crate::xml::declaration::{DeclarationSearch, Searched};
use crate::xml::namespace::{NsId, Scope, Vocabulary};
use crate::xml::outer::Outer;
use crate::xml::reading::{Place, Reading, quote};
use crate::xml::resync::{Patience, Resync, resync};
use crate::xml::shortcut;
use crate::xml::skip::Skip;
use crate::xml::text::known_reference;
use crate::xml::token::Scanner;

/// Reads an XML document entry by entry, whatever stands between, before and after the entries.
#[derive(Debug)]
pub(crate) struct XmlSource {
    pub(super) stage: Stage,
    pub(super) format: Option<Format>,
    pub(super) scanner: Scanner,
    pub(super) builder: Builder,
    pub(super) outer: Outer,
    in_entry: bool,
    /// The tape holds an entry; its namespaces are kept until the next step.
    entry_given: bool,
    pub(super) skip: Option<Skip>,
    pub(super) resyncing: bool,
    patience: Patience,
    /// How often in a row the shortcut led nowhere.
    missed: u8,
    /// The kind of entries that the shortcut reads, and their namespace, as long as it leads somewhere.
    lane: Option<(EntryKind, NsId)>,
    habits: Box<shortcut::Habits>,
    /// As long as it is not known whether a declaration stands behind what the document begins with.
    declaration: Option<DeclarationSearch>,
    /// The place of a declaration that something stands before, of which that has been said; nothing else is.
    pub(super) declared_at: u64,
    /// Something that may not stand before the XML declaration has been seen.
    pub(super) before_declaration: bool,
    /// Some markup has been seen: this is meant to be XML.
    pub(super) is_xml: bool,
    /// A root is known to begin there, counted from the start of the document; what comes before is junk.
    pub(super) junk_until: u64,
    /// How much text has to be there before it is asked again what this is.
    look_again_at: usize,
    /// The run of text at hand has been reported.
    pub(super) run_reported: bool,
    /// The namespaces declared outside of the entry at hand.
    outside: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Prolog,
    Body,
    Epilog,
}

/// Where the shortcut has led nowhere so often, it is only tried now and then.
const PATIENCE: u8 = 8;
/// How often it is left out then.
const PAUSE: u8 = 64;

/// So much text is enough to tell what it is and to quote it.
pub(super) const PEEK: usize = 400;

impl XmlSource {
    pub(crate) fn new() -> Self {
        Self {
            stage: Stage::Prolog,
            format: None,
            scanner: Scanner::new(),
            builder: Builder::new(),
            outer: Outer::new(),
            in_entry: false,
            entry_given: false,
            skip: None,
            resyncing: false,
            patience: Patience::default(),
            missed: 0,
            lane: None,
            habits: Box::default(),
            declaration: Some(DeclarationSearch::new()),
            declared_at: 0,
            before_declaration: false,
            is_xml: false,
            junk_until: 0,
            look_again_at: 0,
            run_reported: false,
            outside: Scope::default(),
        }
    }

    pub(crate) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Whether an entry has begun that is not complete.
    pub(crate) fn is_in_entry(&self) -> bool {
        self.in_entry
    }

    /// One step from the start of the text.
    #[inline]
    pub(crate) fn advance(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        self.lane = None;
        r.dialect = self.format.map_or(Dialect::Sitemap, Dialect::of);
        if self.in_entry {
            return self.entry(r, place);
        }
        self.leave_entry(r.tape);
        if r.text.is_empty() {
            return self.at_end(place);
        }
        if let Some(search) = &mut self.declaration {
            match search.look(r.text, place.is_last()) {
                Searched::Found(at) => self.note_before_declaration(at, r, place),
                Searched::Nowhere => {}
                Searched::NeedMore => return Event::NeedMore,
            }
            self.declaration = None;
        }
        if let Some(skip) = &mut self.skip {
            let (passed, done) = skip.pass(r.text);
            if done {
                self.skip = None;
            }
            return match passed {
                0 => Self::unfinished(r, place),
                _ => Event::Passed(passed),
            };
        }
        if self.resyncing {
            return match resync(r.text, r.dialect, self.builder.root(), place.eof) {
                Resync::Found(0) => {
                    self.resyncing = false;
                    self.advance(r, place)
                }
                Resync::Passed(0) => Self::unfinished(r, place),
                Resync::Found(bytes) | Resync::Passed(bytes) => Event::Passed(bytes),
            };
        }
        if self.builder.is_continued() {
            return self.begin(r.tape.kind, r, place);
        }
        if r.text.starts_with('<') {
            self.markup(r, place)
        } else {
            self.text(r, place)
        }
    }

    /// Where an entry of the common shape begins, after white space, and ends: read without the general lane.
    /// `None`: it is for [`advance`](Self::advance).
    #[inline]
    pub(crate) fn shortcut(
        &mut self,
        text: &str,
        tape: &mut Tape,
        max_bytes: usize,
    ) -> Option<(usize, usize)> {
        let (kind, own) = match self.lane {
            Some(lane) => lane,
            None => self.lane(tape)?,
        };
        let start = text.len() - self.habits.pass_gap(text.as_bytes()).len();
        let len = shortcut::entry(text.get(start..)?, kind, own, &mut self.habits, tape)?;
        if len > max_bytes {
            return None;
        }
        if self.lane.is_none() {
            self.lane = Some((kind, own));
            self.missed = 0;
            self.run_reported = false;
            self.scanner.restart();
        }
        Some((start, start + len))
    }

    /// What the shortcut would read here, if it may be tried.
    fn lane(&mut self, tape: &mut Tape) -> Option<(EntryKind, NsId)> {
        let elsewhere = self.in_entry || self.skip.is_some() || self.resyncing;
        if elsewhere || self.stage != Stage::Body || self.builder.is_continued() {
            return None;
        }
        let is_hopeless = self.missed > PATIENCE;
        self.missed = match self.missed {
            missed if missed < PATIENCE + PAUSE => missed + 1,
            _ => PATIENCE,
        };
        if is_hopeless {
            return None;
        }
        let kind = match self.format? {
            Format::Urlset => EntryKind::Url,
            Format::Index => EntryKind::Sitemap,
            _ => return None,
        };
        self.leave_entry(tape);
        self.habits.forget();
        let own = tape.namespaces.resolve("")?;
        if tape.namespaces.vocabulary(own) != Vocabulary::Base {
            return None;
        }
        Some((kind, own))
    }

    /// Forgets what the entry on the tape declared.
    fn leave_entry(&mut self, tape: &mut Tape) {
        if std::mem::take(&mut self.entry_given) {
            tape.namespaces.forget(self.outside);
        }
    }

    pub(super) fn unfinished(r: &Reading<'_>, place: Place<'_>) -> Event {
        if place.eof {
            Event::Fatal(ErrorKind::Truncated, r.text.len())
        } else {
            Event::NeedMore
        }
    }

    fn at_end(&self, place: Place<'_>) -> Event {
        match self.stage {
            _ if !place.eof => Event::NeedMore,
            Stage::Epilog if self.skip.is_none() => Event::End,
            Stage::Prolog if !self.is_xml => Event::Fatal(ErrorKind::NotASitemap("it is empty"), 0),
            _ => Event::Fatal(ErrorKind::Truncated, 0),
        }
    }

    pub(super) fn begin(
        &mut self,
        kind: EntryKind,
        r: &mut Reading<'_>,
        place: Place<'_>,
    ) -> Event {
        self.outside = r.tape.namespaces.scope();
        self.in_entry = true;
        self.run_reported = false;
        self.scanner.restart();
        self.builder.begin(kind, r.dialect, r.tape);
        self.entry(r, place)
    }

    fn entry(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        match self.builder.build(&mut self.scanner, r) {
            Built::Waiting => Self::unfinished(r, place),
            Built::Complete { end, skipped } => {
                self.in_entry = false;
                self.entry_given = true;
                self.scanner.restart();
                Event::Entry {
                    start: 0,
                    end,
                    skipped,
                }
            }
            Built::Failed { body, failed } => {
                self.in_entry = false;
                self.entry_given = true;
                self.scanner.restart();
                self.resyncing = true;
                let failed = place.offset + failed as u64;
                let end = match self.patience.failed(place.offset, failed) {
                    Some(until) => (until - place.offset) as usize,
                    None => body,
                };
                Event::Entry {
                    start: 0,
                    end,
                    skipped: true,
                }
            }
        }
    }

    /// Text between tags: at most as much as is needed to judge and quote it is waited for.
    fn text(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let end = memchr::memchr(b'<', r.text.as_bytes());
        let run = r.slice((0, end.unwrap_or(r.text.len())));
        let visible = match self.stage {
            Stage::Prolog => run.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}'),
            _ => run.trim_start(),
        };
        let blank = run.len() - visible.len();
        if visible.is_empty() {
            self.before_declaration |= run.contains(char::is_whitespace);
            self.run_reported &= end.is_none();
            return Event::Passed(blank);
        }
        if self.run_reported || self.is_silent(r) {
            self.run_reported &= end.is_none();
            return Event::Passed(run.len());
        }
        if end.is_none() && visible.len() < PEEK && !place.is_last() {
            return match blank {
                0 => Event::NeedMore,
                _ => Event::Passed(blank),
            };
        }
        if self.stage == Stage::Prolog && place.offset + (blank as u64) >= self.junk_until {
            return match blank {
                0 => self.junk(r, place),
                _ => Event::Passed(blank),
            };
        }
        let rule = match self.stage {
            Stage::Epilog => Rule::ContentAfterRoot,
            _ if visible.starts_with('&') && known_reference(visible).is_none() => {
                Rule::MalformedMarkup
            }
            _ => Rule::StrayText,
        };
        if !self.is_before_declaration(place) {
            r.report.flaw(rule, Effect::Noted, blank, quote(visible));
        }
        self.before_declaration = true;
        self.run_reported = end.is_none();
        Event::Passed(run.len())
    }

    /// Says what stands before the declaration, which begins there.
    fn note_before_declaration(&mut self, at: usize, r: &mut Reading<'_>, place: Place<'_>) {
        let before = r.slice((0, at)).trim_start_matches('\u{FEFF}');
        self.declared_at = place.offset + at as u64;
        let found = match before.trim_end() {
            "" => before,
            visible => visible,
        };
        if !found.is_empty() {
            let start = at - before.len();
            r.report
                .flaw(Rule::ContentBeforeDeclaration, Effect::Noted, start, found);
        }
    }

    /// Whether it has been said that this stands before the declaration.
    pub(super) fn is_before_declaration(&self, place: Place<'_>) -> bool {
        place.offset < self.declared_at
    }

    /// Whether what stands here is none of our business.
    pub(super) fn is_silent(&self, r: &Reading<'_>) -> bool {
        self.stage == Stage::Body && (self.outer.in_unknown() || r.dialect != Dialect::Sitemap)
    }

    /// The first thing that may not stand before a root: what is this document?
    pub(super) fn junk(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        // Looked at again only when it has doubled, so that tiny pushes stay linear.
        if r.text.len() < self.look_again_at && !place.is_last() {
            return Event::NeedMore;
        }
        self.look_again_at = 0;
        let verdict = match look_ahead(r.text, place.eof) {
            // What is missing might have shown what it is: why it is missing is all that is known.
            Verdict::NeedMore if place.cut => match look_ahead(r.text, true) {
                Verdict::Not(_, _) => Verdict::NeedMore,
                verdict => verdict,
            },
            verdict => verdict,
        };
        match verdict {
            // The root's own tag is not complete yet.
            Verdict::Root(0) => Self::unfinished(r, place),
            Verdict::Root(at) => {
                self.junk_until = place.offset + at as u64;
                let declaration = DeclarationSearch::before_root(r.slice((0, at)));
                if let Some(at) = declaration.filter(|_| !self.is_before_declaration(place)) {
                    self.note_before_declaration(at, r, place);
                }
                Event::Passed(0)
            }
            Verdict::Text if !self.is_xml => Event::IsText,
            Verdict::Text => Event::Fatal(ErrorKind::NotASitemap("it has no root element"), 0),
            Verdict::Not(kind, at) => Event::Fatal(kind, at),
            Verdict::NeedMore => {
                self.look_again_at = (2 * r.text.len()).min(DETECTION_BYTES);
                Event::NeedMore
            }
        }
    }
}
