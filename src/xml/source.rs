use crate::error::ErrorKind;
use crate::raw::EntryKind;
use crate::reader::Format;
use crate::source::Event;
use crate::source::detect::{Verdict, look_ahead, name_at};
use crate::source::dialect::{Dialect, format_of_root};
use crate::tape::Node;
use crate::violation::{Effect, Rule};
use crate::xml::builder::{Builder, Built};
use crate::xml::namespace::{NsId, SITEMAP, Scope, Vocabulary};
use crate::xml::outer::{Closed, Outer};
use crate::xml::reading::{Reading, quote};
use crate::xml::resync::{Patience, Resync, resync};
use crate::xml::shortcut;
use crate::xml::skip::{Doctype, Skip};
use crate::xml::tag::read_tag;
use crate::xml::token::{Scanner, Tag, Token};

/// Reads an XML document entry by entry, whatever stands between, before and after the entries.
#[derive(Debug)]
pub(crate) struct XmlSource {
    stage: Stage,
    format: Option<Format>,
    scanner: Scanner,
    builder: Builder,
    outer: Outer,
    in_entry: bool,
    /// The tape holds an entry; its namespaces are kept until the next step.
    entry_given: bool,
    skip: Option<Skip>,
    resyncing: bool,
    patience: Patience,
    /// How often in a row the shortcut led nowhere.
    missed: u8,
    /// Something that may not stand before the XML declaration has been seen.
    before_declaration: bool,
    /// Some markup has been seen: this is meant to be XML.
    is_xml: bool,
    /// A root is known to begin there, counted from the start of the document; what comes before is junk.
    junk_until: u64,
    /// The run of text at hand has been reported.
    run_reported: bool,
    /// The namespaces declared outside of the entry at hand.
    outside: Scope,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Prolog,
    Body,
    Epilog,
}

/// Where in the document the text begins, and whether it ends with it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) offset: u64,
    pub(crate) eof: bool,
    /// No more text will come, though the document has not ended.
    pub(crate) cut: bool,
    /// The declared encoding that had to be ignored.
    pub(crate) conflict: Option<&'a str>,
}

impl Place<'_> {
    /// Whether there is no more text than this.
    fn is_last(self) -> bool {
        self.eof || self.cut
    }
}

/// Where the shortcut has led nowhere so often, it is only tried now and then.
const PATIENCE: u8 = 8;

/// So much text is enough to tell what it is and to quote it.
const PEEK: usize = 400;

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
            before_declaration: false,
            is_xml: false,
            junk_until: 0,
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
    pub(crate) fn advance(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        r.dialect = self.format.map_or(Dialect::Sitemap, Dialect::of);
        if self.in_entry {
            return self.entry(r, place);
        }
        if std::mem::take(&mut self.entry_given) {
            r.tape.namespaces.forget(self.outside);
        }
        if r.text.is_empty() {
            return self.at_end(place);
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
        if let Some((start, end)) = self.shortcut(r) {
            return Event::Entry {
                start,
                end,
                skipped: false,
            };
        }
        if r.text.starts_with('<') {
            self.markup(r, place)
        } else {
            self.text(r, place)
        }
    }

    /// Where an entry of the common shape begins, after white space, and ends: read without the general lane.
    fn shortcut(&mut self, r: &mut Reading<'_>) -> Option<(usize, usize)> {
        let kind = match self.format? {
            Format::Urlset => EntryKind::Url,
            Format::Index => EntryKind::Sitemap,
            _ => return None,
        };
        let namespaces = &r.tape.namespaces;
        let own = namespaces.resolve("")?;
        if r.dirty || self.stage != Stage::Body || namespaces.vocabulary(own) != Vocabulary::Base {
            return None;
        }
        if self.missed >= PATIENCE && self.missed % PATIENCE != 0 {
            self.missed = self.missed.wrapping_add(1);
            return None;
        }
        self.missed = self.missed.wrapping_add(1);
        self.outside = namespaces.scope();
        let start = shortcut::blank(r.text.as_bytes());
        let len = shortcut::entry(r.text.get(start..)?, kind, own, r.tape)?;
        if len > r.max_bytes {
            return None;
        }
        self.missed = 0;
        self.entry_given = true;
        self.run_reported = false;
        self.scanner.restart();
        Some((start, start + len))
    }

    fn unfinished(r: &Reading<'_>, place: Place<'_>) -> Event {
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

    fn begin(&mut self, kind: EntryKind, r: &mut Reading<'_>, place: Place<'_>) -> Event {
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
            _ if visible.starts_with('&') => Rule::MalformedMarkup,
            _ => Rule::StrayText,
        };
        r.report.flaw(rule, Effect::Noted, blank, quote(visible));
        self.before_declaration = true;
        self.run_reported = end.is_none();
        Event::Passed(run.len())
    }

    /// Whether what stands here is none of our business.
    fn is_silent(&self, r: &Reading<'_>) -> bool {
        self.stage == Stage::Body && (self.outer.in_unknown() || r.dialect != Dialect::Sitemap)
    }

    /// The first thing that may not stand before a root: what is this document?
    fn junk(&mut self, r: &Reading<'_>, place: Place<'_>) -> Event {
        match look_ahead(r.text, place.is_last()) {
            // Why the text ends is known better than what it is.
            Verdict::Not(ErrorKind::Truncated | ErrorKind::NotASitemap(_), _) if place.cut => {
                Event::NeedMore
            }
            // The root's own tag is not complete yet.
            Verdict::Root(0) => Self::unfinished(r, place),
            Verdict::Root(at) => {
                self.junk_until = place.offset + at as u64;
                Event::Passed(0)
            }
            Verdict::Text if !self.is_xml => Event::IsText,
            Verdict::Text => Event::Fatal(ErrorKind::NotASitemap("it has no root element"), 0),
            Verdict::Not(kind, at) => Event::Fatal(kind, at),
            Verdict::NeedMore => Event::NeedMore,
        }
    }

    fn markup(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let is_junk = self.stage == Stage::Prolog && place.offset >= self.junk_until;
        if r.text.starts_with("<!--") {
            return self.pass_over(Skip::Comment, 4);
        }
        if r.text.starts_with("<?") {
            return self.instruction(r, place);
        }
        if r.text.starts_with("<![CDATA[") {
            if is_junk {
                return self.junk(r, place);
            }
            if !self.is_silent(r) {
                let rule = match self.stage {
                    Stage::Epilog => Rule::ContentAfterRoot,
                    _ => Rule::StrayText,
                };
                r.report.flaw(rule, Effect::Noted, 0, "<![CDATA[");
            }
            return self.pass_over(Skip::CData, 9);
        }
        match self.scanner.token(r.text, 0) {
            None if r.text.len() > r.max_bytes => self.outsized(r),
            None if is_junk && r.text.len() >= PEEK => self.junk(r, place),
            None => Self::unfinished(r, place),
            Some(Token::Doctype) => {
                r.report.flaw(Rule::Doctype, Effect::Noted, 0, "<!DOCTYPE");
                self.pass_over(Skip::Doctype(Doctype::default()), 9)
            }
            Some(Token::Start(tag)) => self.start(&tag, r, place),
            Some(Token::End { name, end }) => self.end(name, end, r, place),
            Some(Token::Malformed { end }) => self.malformed(end, r, place),
            Some(token) => Event::Passed(token.end()),
        }
    }

    fn pass_over(&mut self, skip: Skip, begin: usize) -> Event {
        self.before_declaration = true;
        self.is_xml = true;
        self.skip = Some(skip);
        self.scanner.restart();
        Event::Passed(begin)
    }

    /// A processing instruction, or the XML declaration.
    fn instruction(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        if r.text.len() < 6 && !place.eof {
            return Event::NeedMore;
        }
        let is_declaration = r
            .text
            .strip_prefix("<?xml")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
        if is_declaration && self.stage == Stage::Prolog {
            if std::mem::take(&mut self.before_declaration) {
                r.report
                    .flaw(Rule::ContentBeforeDeclaration, Effect::Noted, 0, "<?xml");
            }
            if let Some(label) = place.conflict {
                r.report
                    .flaw(Rule::EncodingConflict, Effect::Noted, 0, label);
            }
        }
        self.pass_over(Skip::Pi, 2)
    }

    /// A tag that does not end within the bounds of an entry.
    fn outsized(&mut self, r: &mut Reading<'_>) -> Event {
        let name = name_at(r.text, 1);
        let local = name.rsplit(':').next().unwrap_or_default();
        self.scanner.restart();
        self.resyncing = self.stage != Stage::Prolog || format_of_root(local).is_some();
        let passed = 1 + name.len();
        match r.dialect.entry(local) {
            Some(kind) if self.stage != Stage::Prolog => {
                r.tape.clear();
                r.tape.kind = kind;
                r.report
                    .flaw(Rule::EntryTooLarge, Effect::EntrySkipped, 0, kind.element());
                return Event::Entry {
                    start: 0,
                    end: passed,
                    skipped: true,
                };
            }
            _ => {
                r.report
                    .flaw(Rule::MalformedMarkup, Effect::Noted, 0, quote(r.text));
            }
        }
        if let (Stage::Prolog, Some(format)) = (self.stage, format_of_root(local)) {
            self.open_broken_root(name, format, r);
        }
        Event::Passed(passed)
    }

    fn malformed(&mut self, end: usize, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let name = name_at(r.text, 1);
        let local = name.rsplit(':').next().unwrap_or_default();
        let root = format_of_root(local).filter(|_| self.stage == Stage::Prolog);
        if root.is_none() && self.stage == Stage::Prolog && place.offset >= self.junk_until {
            return self.junk(r, place);
        }
        self.scanner.restart();
        if let Some(kind) = r
            .dialect
            .entry(local)
            .filter(|_| self.stage != Stage::Prolog)
        {
            // Its own start tag is broken: the entry is lost, but it is one.
            return self.begin(kind, r, place);
        }
        let found = quote(r.slice((0, end)));
        r.report
            .flaw(Rule::MalformedMarkup, Effect::Noted, 0, found);
        if let Some(format) = root {
            self.open_broken_root(name, format, r);
        }
        Event::Passed(end)
    }

    /// A root whose attributes can't be read is taken to be in the standard namespace.
    fn open_broken_root(&mut self, name: &str, format: Format, r: &mut Reading<'_>) {
        let scope = r.tape.namespaces.scope();
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        let uri = match Dialect::of(format) {
            Dialect::Sitemap => SITEMAP,
            _ => "",
        };
        r.tape.namespaces.declare(prefix, uri);
        let id = r.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        self.enter_root(name, format, id, scope, r);
    }

    fn enter_root(
        &mut self,
        name: &str,
        format: Format,
        id: NsId,
        scope: Scope,
        r: &mut Reading<'_>,
    ) {
        if self.format.is_none() {
            self.format = Some(format);
            let dialect = Dialect::of(format);
            r.tape.namespaces.set_kindred(dialect.kindred());
            r.tape.namespaces.set_root(id);
        }
        self.is_xml = true;
        self.stage = Stage::Body;
        self.builder.set_root(name);
        self.outer.push(name, scope, true, r.tape);
    }

    fn start(&mut self, tag: &Tag, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let name = r.slice(tag.name);
        let local = name.split_once(':').map_or(name, |(_, local)| local);
        let format = format_of_root(local);
        if self.stage == Stage::Prolog && format.is_none() {
            if place.offset >= self.junk_until {
                return self.junk(r, place);
            }
            r.report.flaw(Rule::UnknownElement, Effect::Noted, 0, name);
            self.before_declaration = true;
            self.scanner.restart();
            return Event::Passed(tag.end);
        }
        let scope = r.tape.namespaces.scope();
        r.tape.clear();
        let (node, findings) = read_tag(tag, 0, r);
        let own = r.is_own(&node);
        if self.stage != Stage::Prolog && own {
            if let Some(kind) = r.dialect.entry(local) {
                self.announce(kind, local, &node, r);
                r.tape.namespaces.forget(scope);
                return self.begin(kind, r, place);
            }
        }
        self.scanner.restart();
        self.run_reported = false;
        if node.broken || findings.too_many {
            let found = quote(r.slice((0, tag.end)));
            r.report
                .flaw(Rule::MalformedMarkup, Effect::Noted, 0, found);
        }
        match format {
            Some(format) if self.stage == Stage::Prolog => self.root(name, format, &node, scope, r),
            Some(format) if own && Dialect::of(format) == r.dialect => {
                r.report.flaw(Rule::SecondRoot, Effect::Noted, 0, name);
                if self.stage == Stage::Epilog {
                    r.tape.namespaces.set_root(node.namespace);
                }
                self.enter_root(name, format, NsId::NONE, scope, r);
            }
            _ => {
                self.unknown(name, own, &node, r);
                self.outer.push(name, scope, false, r.tape);
            }
        }
        if tag.empty {
            self.close(name, r);
        }
        Event::Passed(tag.end)
    }

    /// The root of the document.
    fn root(&mut self, name: &str, format: Format, node: &Node, scope: Scope, r: &mut Reading<'_>) {
        let mut id = node.namespace;
        if node.undeclared {
            let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
            r.report
                .flaw(Rule::UndeclaredPrefix, Effect::Noted, 0, prefix);
            r.tape.namespaces.declare(prefix, SITEMAP);
            id = r.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        }
        if Dialect::of(format) == Dialect::Sitemap {
            let uri = r.tape.namespaces.uri(id);
            if uri != SITEMAP {
                r.report.flaw(Rule::WrongNamespace, Effect::Noted, 0, uri);
            }
            let local = r.local_name(node);
            if !["urlset", "sitemapindex"].contains(&local) {
                r.report.flaw(Rule::WrongCase, Effect::Noted, 0, local);
            }
        }
        self.enter_root(name, format, id, scope, r);
    }

    /// Notes what is odd about an entry's own tag.
    fn announce(&mut self, kind: EntryKind, local: &str, node: &Node, r: &mut Reading<'_>) {
        if self.stage == Stage::Epilog {
            r.report
                .flaw(Rule::ContentAfterRoot, Effect::Noted, 0, local);
        }
        if r.dialect != Dialect::Sitemap {
            return;
        }
        let is_index = self.format == Some(Format::Index);
        if is_index != (kind == EntryKind::Sitemap) {
            r.report.flaw(Rule::MisplacedEntry, Effect::Noted, 0, local);
        }
        if local != kind.element() {
            r.report.flaw(Rule::WrongCase, Effect::Noted, 0, local);
        }
        if r.tape.vocabulary(node) == Vocabulary::NearlyBase {
            let uri = r.tape.namespace(node);
            r.report.flaw(Rule::WrongNamespace, Effect::Noted, 0, uri);
        }
    }

    /// Notes an element between the entries.
    fn unknown(&mut self, name: &str, own: bool, node: &Node, r: &mut Reading<'_>) {
        if self.stage == Stage::Epilog {
            r.report
                .flaw(Rule::ContentAfterRoot, Effect::Noted, 0, name);
        } else if r.dialect != Dialect::Sitemap || self.outer.in_unknown() {
        } else if own {
            r.report.flaw(Rule::UnknownElement, Effect::Noted, 0, name);
        } else if node.undeclared {
            let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
            r.report
                .flaw(Rule::UndeclaredPrefix, Effect::Noted, 0, prefix);
        }
    }

    fn end(
        &mut self,
        name: (usize, usize),
        end: usize,
        r: &mut Reading<'_>,
        place: Place<'_>,
    ) -> Event {
        if self.stage == Stage::Prolog {
            if place.offset >= self.junk_until {
                return self.junk(r, place);
            }
            self.scanner.restart();
            return Event::Passed(end);
        }
        self.scanner.restart();
        self.run_reported = false;
        let written = r.slice(name);
        match self.close(written, r) {
            Closed::Element {
                innermost: true,
                exact,
            } => {
                if !exact {
                    r.report.flaw(Rule::WrongCase, Effect::Noted, 0, written);
                }
            }
            Closed::Nothing if self.stage == Stage::Epilog => {
                r.report
                    .flaw(Rule::ContentAfterRoot, Effect::Noted, 0, written);
            }
            Closed::Element { .. } | Closed::Nothing => {
                r.report
                    .flaw(Rule::MismatchedTag, Effect::Noted, 0, written);
            }
        }
        Event::Passed(end)
    }

    fn close(&mut self, written: &str, r: &mut Reading<'_>) -> Closed {
        let closed = self.outer.close(written, r.dialect, r.tape);
        if self.stage == Stage::Body && !self.outer.has_root() {
            self.stage = Stage::Epilog;
        }
        if self.outer.has_root() {
            let name = self.outer.root_name();
            self.builder.set_root(name);
        }
        closed
    }
}
