//! An XML document, read entry by entry: the content before, between and after the entries.
//!
//! # The states of the parser
//!
//! A document has three **sections**, with their content and their ends:
//!
//! | section | content | it ends at |
//! |---|---|---|
//! | prolog | byte order marks, white space, comments, processing instructions, the XML declaration, a DOCTYPE; and any other content, if a known root follows within the first 64 KiB | the start tag of the first root |
//! | body | entries, comments, processing instructions; text, unknown elements and further roots are reported | the end tag of the outermost root |
//! | epilog | comments and processing instructions; text and elements are reported, but an entry is read, and a root begins another body | the end of the input |
//!
//! Within a section the parser is in one of these **states**:
//!
//! * `Markup`: the next construct begins at the start of the text. Text, tags and the beginnings of the constructs
//!   below are distinguished by their first characters.
//! * `StrayText`: in a run of text that has been reported. It ends at the next `<`.
//! * `StrayLine`: after a `<` that begins no markup, which has been reported. It ends with the line, or at the next
//!   markup.
//! * `Skipping`: in a comment, a processing instruction, a CDATA section or a DOCTYPE, of which nothing is kept. Each can
//!   be longer than the window, and passes as it streams by.
//! * `Entry`: an entry begins at the start of the text, but its end is not there yet. It is read by [`EntryParser`] when
//!   its [`Frame`] is there, so there is no state within an entry. An entry that a second `<loc>` has ended is followed
//!   by another one, which begins with that `<loc>` and has no start tag.
//! * `Recovering`: after an entry that could not be read. Nothing is interpreted until the next start tag of an entry
//!   or the end tag of the root.
//!
//! An entry leaves the parser in the state `Markup`, `Entry` (before a second `<loc>`) or, if it could not be read, `Recovering`. A document
//! has ended where the input ends in the epilog and nothing is open that needs an end (states `Markup`, `StrayText` and
//! `Recovering`); where the input ends anywhere else, the document is truncated.

use memchr::{memchr, memchr2};

use crate::error::{ErrorKind, LooksLike};
use crate::format::{EntryKind, Format};
use crate::input::head::{Head, Verdict};
use crate::input::is_label;
use crate::parse::Event;
use crate::parse::ancestors::{Ancestors, Closed};
use crate::parse::context::{Context, PEEK, TextEnd};
use crate::parse::entry::{EntryFailure, EntryParser, Parsed};
use crate::parse::frame::Frame;
use crate::parse::instruction::look_into;
use crate::parse::plain::Plain;
use crate::parse::recovery::{Found, RetryBudget, find_entry};
use crate::parse::tag::{Class, ReadTag, classify, read_tag};
use crate::tape::dialect::{BaseChild, Dialect};
use crate::tape::{Node, Tape};
use crate::text::mark::is_blank;
use crate::text::search::skip_blank;
use crate::text::span::{Span, TakePart};
use crate::violation::{Case, Detail, Effect, Rule, Violation, case, quotable};
use crate::vocabulary::{SITEMAP, Vocabulary, is_historic};
use crate::xml::construct::{Construct, DECLARATION, Opened};
use crate::xml::lexer::{
    Tag, TagSearch, Token, TokenKind, end_of_stray_line, is_declaration, is_no_markup, local_part,
    name_at, name_len, split_name,
};
use crate::xml::namespaces::{NsId, Scope};
use crate::xml::references::known_reference;

/// The parser of a document.
#[derive(Debug, Default)]
pub(crate) struct Document {
    section: Section,
    prolog: Prolog,
    state: DocumentState,
    format: Option<Format>,
    tags: TagSearch,
    ancestors: Ancestors,
    entry: EntryParser,
    frame: Frame,
    /// The state while an entry is on the tape: the namespaces that are in effect around it. Those of the entry itself
    /// are kept until it is released, because the tape refers to them.
    around_entry: Option<Scope>,
    retries: RetryBudget,
    plain: Plain,
    /// Number of open elements outside of the outermost one that contains the root. `None` if the root is not inside
    /// another element, or that one has ended.
    wrapper: Option<usize>,
    /// Position of stray text that was reported, as long as its line has not ended and no entry has followed.
    stray_at: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Section {
    #[default]
    Prolog,
    Body,
    Epilog,
}

/// The state that is kept of the text before the root.
#[derive(Debug, Default)]
struct Prolog {
    /// Content that must not be before the XML declaration has been seen.
    has_content: bool,
    /// Some markup has been seen, so this is meant to be XML.
    is_xml: bool,
    judgement: Judgement,
    /// Position of a declaration with content before it. That has been reported, and nothing else is reported about it.
    declared_at: u64,
}

/// The kind of the document, as far as it is known.
#[derive(Debug)]
enum Judgement {
    /// It is not known. The head is the text from here on.
    Looking(Box<Head>),
    /// Only markup that can be before a root comes before `until`. There the verdict takes effect, or another is needed.
    Judged {
        until: u64,
        verdict: Verdict,
        head: Box<Head>,
    },
    /// The root begins there. The content before it is reported and skipped, except that around the root: that of the
    /// outermost element that contains it.
    Root {
        at: u64,
        format: Format,
        wrapper: Option<u64>,
    },
}

impl Default for Judgement {
    fn default() -> Self {
        Self::Looking(Box::default())
    }
}

#[derive(Debug, Clone, Copy, Default)]
enum DocumentState {
    #[default]
    Markup,
    StrayText,
    StrayLine,
    Skipping(Construct),
    /// The place of the token that the text cut when the entry was last tried.
    Entry {
        cut: usize,
    },
    Recovering,
}

impl Document {
    pub(crate) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns `true` if an entry has begun that is not complete.
    pub(crate) fn is_in_entry(&self) -> bool {
        matches!(self.state, DocumentState::Entry { .. })
    }

    /// Returns `true` if a construct has begun whose start is not in the text any more.
    pub(crate) fn is_skipping(&self) -> bool {
        matches!(self.state, DocumentState::Skipping(_))
    }

    /// The markup that this text ends in, and where it begins, if it is one that can be longer than a tag.
    pub(crate) fn unclosed(&self, text: &str) -> Option<(&'static str, usize)> {
        match self.state {
            DocumentState::Entry { cut } => match Construct::opened(text.get(cut..)?.as_bytes()) {
                Opened::Construct(Construct::Doctype(_), _) | Opened::Cut | Opened::Other => None,
                Opened::Construct(construct, _) => Some((construct.name(), cut)),
            },
            DocumentState::Markup if is_declaration(text.as_bytes()) => {
                Some(("XML declaration", 0))
            }
            _ => None,
        }
    }

    /// One step, by the plain parser if it can.
    #[inline]
    pub(crate) fn advance(&mut self, cx: &mut Context<'_>) -> Event {
        match self.plain_entry(cx) {
            Some(len) => Event::Entry(len),
            None => self.general(cx),
        }
    }

    /// One step from the start of the text, or after white space between entries: an event for that would take as long as
    /// one for a tag.
    fn general(&mut self, cx: &mut Context<'_>) -> Event {
        cx.pass_blank(self.blank(cx.text));
        let event = self.step(cx);
        if let Some(stray) = self.stray_at {
            let is_over = match event {
                // As by the plain parser, which does not look at the lines.
                Event::Entry(_) => true,
                Event::Passed(end) | Event::Begun(_, end) => {
                    let behind = stray.saturating_sub(cx.offset) as usize;
                    let passed = cx.text.as_bytes().part(behind..end);
                    memchr2(b'\n', b'\r', passed).is_some()
                }
                _ => false,
            };
            self.stray_at = self.stray_at.filter(|_| !is_over);
        }
        event
    }

    /// Handles what is at the start of the text, by the state.
    fn step(&mut self, cx: &mut Context<'_>) -> Event {
        self.plain.leave();
        self.leave_entry(cx.tape);
        if cx.text.is_empty() {
            return self.at_end(cx);
        }
        if self.section == Section::Prolog
            && !matches!(self.state, DocumentState::Skipping(_))
            && let Some(event) = self.prolog.look(cx)
        {
            return event;
        }
        match &mut self.state {
            DocumentState::Skipping(construct) => {
                let (passed, is_over) = construct.pass(cx.text);
                if is_over {
                    self.state = DocumentState::Markup;
                }
                match passed {
                    0 => unfinished(cx),
                    _ => Event::Passed(passed),
                }
            }
            DocumentState::Recovering => self.recover(cx),
            DocumentState::Entry { .. } => {
                if !self.frame.is_ready(cx, self.ancestors.root_name()) {
                    Event::NeedMore
                } else if self.entry.continued_scope().is_some() {
                    self.parse_entry(cx.tape.kind, None, cx)
                } else {
                    self.markup(cx)
                }
            }
            DocumentState::StrayLine => self.stray_line(cx),
            DocumentState::Markup | DocumentState::StrayText if cx.text.starts_with('<') => {
                self.markup(cx)
            }
            DocumentState::Markup | DocumentState::StrayText => self.text(cx),
        }
    }

    /// Reads an entry of the usual shape, after white space, and returns its length.
    #[inline]
    fn plain_entry(&mut self, cx: &mut Context<'_>) -> Option<usize> {
        let (text, offset, tape) = (cx.text, cx.offset, &mut *cx.tape);
        if !self.plain.is_entered() && !self.may_be_plain(tape) {
            return None;
        }
        if !self.frame.is_known(text, offset) {
            let root = self.ancestors.root_name();
            self.frame.search(text, offset, tape.dialect, root);
            self.frame.is_known(text, offset).then_some(())?;
        }
        if !self.plain.is_entered() {
            self.leave_entry(tape);
            self.plain.enter(self.expected_kind(), &tape.namespaces)?;
        }
        let start = text.len() - skip_blank(text.as_bytes()).len();
        #[cfg(test)]
        tests::count_work(text.find("</url>").unwrap_or(text.len()));
        let len = self.plain.parse(text.part(start..), tape)?;
        if len > cx.max_entry_bytes || !cx.pass_blank(start) {
            return None;
        }
        if self.plain.arrive() {
            self.state = DocumentState::Markup;
            self.stray_at = None;
        }
        Some(len)
    }

    /// Returns `true` if an entry of a sitemap with a start tag of its own can begin here.
    fn may_be_plain(&self, tape: &Tape) -> bool {
        let may_begin = match self.state {
            DocumentState::Markup | DocumentState::StrayText => true,
            DocumentState::Entry { .. } => self.entry.continued_scope().is_none(),
            _ => false,
        };
        may_begin && self.section == Section::Body && tape.dialect == Dialect::Sitemap
    }

    /// Length of the white space at the start of the text, if only the tag after it matters: between entries.
    #[inline]
    fn blank(&self, text: &str) -> usize {
        let is_between = matches!(self.state, DocumentState::Markup)
            && self.section == Section::Body
            && self.stray_at.is_none();
        let rest = skip_blank(text.as_bytes());
        match rest.first() {
            Some(b'<') if is_between => text.len() - rest.len(),
            _ => 0,
        }
    }

    /// The kind of entry that the innermost root is for.
    fn expected_kind(&self) -> EntryKind {
        if self.ancestors.root_name() == Format::Index.name() {
            EntryKind::Sitemap
        } else {
            EntryKind::Url
        }
    }

    /// Forgets what the entry on the tape declared, but not what the rest of its element needs.
    fn leave_entry(&mut self, tape: &mut Tape) {
        match (self.around_entry, self.entry.continued_scope()) {
            (Some(_), Some(scope)) => tape.namespaces.forget(scope),
            (Some(scope), None) => {
                tape.namespaces.forget(scope);
                self.around_entry = None;
            }
            (None, _) => return,
        }
        tape.trim();
    }

    /// The result when all text has been handled: the end, if the document can end here.
    fn at_end(&self, cx: &mut Context<'_>) -> Event {
        if cx.end != TextEnd::Reached {
            return Event::NeedMore;
        }
        use DocumentState::{Entry, Skipping};
        let is_open = matches!(self.state, Skipping(_) | Entry { .. });
        match self.section {
            Section::Epilog if !is_open => Event::End,
            Section::Prolog if !self.prolog.is_xml => {
                Event::Fatal(ErrorKind::NotASitemap(LooksLike::Empty), 0)
            }
            _ => Event::Fatal(ErrorKind::Truncated, 0),
        }
    }

    // Entries.

    /// Reads the entry at the start of the text. If it does not end there, nothing has been reported.
    fn parse_entry(
        &mut self,
        kind: EntryKind,
        start: Option<&Token>,
        cx: &mut Context<'_>,
    ) -> Event {
        let scope = cx.tape.namespaces.scope();
        let most = cx.max_entry_bytes;
        cx.max_entry_bytes = most.saturating_sub(self.entry.kept());
        let parsed = self
            .entry
            .parse(kind, start, self.ancestors.root_name(), cx);
        #[cfg(test)]
        tests::count_work(match &parsed {
            Parsed::Complete { end } => *end,
            Parsed::Failed(failure) => failure.failed,
            Parsed::NotYet { .. } => cx.text.len(),
        });
        let end = match parsed {
            Parsed::NotYet { at } => {
                cx.report.forget_from(0);
                cx.tape.namespaces.forget(scope);
                self.frame.not_yet(cx);
                self.state = DocumentState::Entry { cut: at };
                return unfinished(cx);
            }
            Parsed::Complete { end } => {
                self.state = if self.entry.continued_scope().is_some() {
                    DocumentState::Entry { cut: 0 }
                } else {
                    DocumentState::Markup
                };
                end
            }
            Parsed::Failed(failure) => {
                self.state = DocumentState::Recovering;
                self.report_failure(&failure, cx)
            }
        };
        // An entry that continues after a second `<loc>` is in the element of the first, so the scope of the first stays.
        self.around_entry.get_or_insert(scope);
        Event::Entry(end)
    }

    /// Reports why the entry can't be read, and returns where the next is looked for.
    ///
    /// Text that is read again is reported then, as the construct that it then is. To report nothing twice, and
    /// everything in the order of the document, the flaws found there so far are removed, and a failure there is
    /// reported at the entry's start.
    fn report_failure(&mut self, failure: &EntryFailure, cx: &mut Context<'_>) -> usize {
        let failed = cx.offset + failure.failed as u64;
        let end = match self.retries.failed(cx.offset, failed) {
            Some(until) => (until - cx.offset) as usize,
            None => {
                // The search begins after the `<` of the entry. A complete start tag contains no other one.
                let rest = cx.text.part(1..);
                match find_entry(rest, cx.tape.dialect, self.ancestors.root_name(), false) {
                    Found::Here(passed) if 1 + passed < failure.read => 1 + passed,
                    Found::Here(_) | Found::NotIn(_) => failure.read.max(1),
                }
            }
        };
        cx.report.forget_from(end);
        let (found, span) = match failure.rule {
            Rule::MalformedMarkup => {
                let failed = Span::new(failure.at, failure.failed).trimmed(cx.text);
                (quotable(failed.of(cx.text)), failed)
            }
            Rule::TooDeep => {
                let name = name_at(cx.text, failure.at + 1);
                (name, tag_at(cx.text, failure.at))
            }
            _ => (cx.tape.kind.element(), tag_at(cx.text, failure.at)),
        };
        let at = if failure.at < end { failure.at } else { 0 };
        let span = if at == failure.at {
            span
        } else {
            tag_at(cx.text, at)
        };
        // A broken start tag has been reported already.
        let is_broken = cx.tape.nodes.first().is_some_and(|entry| entry.broken);
        if !(at == 0 && is_broken && failure.rule == Rule::MalformedMarkup) {
            let effect = Effect::EntrySkipped;
            cx.report.flaw(failure.rule, effect, span, found);
        }
        end
    }

    /// Searches the place at which reading continues after an entry that could not be read.
    fn recover(&mut self, cx: &mut Context<'_>) -> Event {
        let is_all = cx.end == TextEnd::Reached;
        match find_entry(cx.text, cx.tape.dialect, self.ancestors.root_name(), is_all) {
            Found::Here(0) => {
                self.state = DocumentState::Markup;
                self.general(cx)
            }
            Found::NotIn(0) => unfinished(cx),
            Found::Here(bytes) | Found::NotIn(bytes) => Event::Passed(bytes),
        }
    }

    // Text.

    /// Text between tags: at most as much as is needed to judge and quote it is waited for.
    fn text(&mut self, cx: &mut Context<'_>) -> Event {
        let next_tag = memchr(b'<', cx.text.as_bytes());
        let run = next_tag.map_or(cx.text, |end| cx.text.part(..end));
        let is_silent = matches!(self.state, DocumentState::StrayText) || self.is_silent(cx.tape);
        let visible = match self.section {
            Section::Prolog => {
                let visible = run.trim_start_matches(is_blank);
                self.prolog.has_content |= visible.is_empty() && run.contains(char::is_whitespace);
                visible
            }
            Section::Body | Section::Epilog => run.trim_start(),
        };
        let blank = run.len() - visible.len();
        let is_whole = next_tag.is_some();
        let is_ignored = visible.is_empty() || is_silent;
        // Only markup that can be before a root comes before this place.
        let place = cx.offset + blank as u64;
        let is_judged =
            matches!(self.prolog.judgement, Judgement::Judged { until, .. } if until == place);
        if self.section == Section::Prolog && is_judged && !is_ignored {
            return Event::Passed(blank);
        }
        if is_ignored {
            return Event::Passed(run.len());
        }
        if !is_whole && visible.len() < PEEK && cx.end == TextEnd::Open {
            return passed_or_more(blank);
        }
        let mut rule = self.stray_rule();
        if rule == Rule::StrayText && visible.starts_with('&') && known_reference(visible).is_none()
        {
            rule = Rule::MalformedMarkup;
        }
        if !self.is_covered(cx) {
            cx.note_beginning(rule, Span::new(blank, run.len()));
            self.stray_at = Some(cx.offset + blank as u64);
        }
        self.prolog.has_content = true;
        // The rest is looked at by the next step. An ampersand that was reported is passed.
        self.state = DocumentState::StrayText;
        Event::Passed(blank + usize::from(rule == Rule::MalformedMarkup))
    }

    /// The rule that text or a CDATA section breaks at this place.
    fn stray_rule(&self) -> Rule {
        match self.section {
            Section::Epilog => Rule::ContentAfterRoot,
            Section::Prolog | Section::Body => Rule::StrayText,
        }
    }

    /// A `<` that begins no markup is text, which is reported once per line and again after an entry; or the rest of
    /// such a line.
    fn stray_line(&mut self, cx: &mut Context<'_>) -> Event {
        let is_new = !matches!(self.state, DocumentState::StrayLine);
        let (len, is_whole) = end_of_stray_line(cx.text.as_bytes(), usize::from(is_new));
        let len = if cx.end == TextEnd::Reached && !is_whole {
            cx.text.len()
        } else {
            len
        };
        if is_new && !is_whole && len < PEEK && cx.end == TextEnd::Open {
            return Event::NeedMore;
        }
        self.prolog.has_content = true;
        if is_new && self.stray_at.is_none() && !self.is_silent(cx.tape) && !self.is_covered(cx) {
            cx.note_beginning(self.stray_rule(), Span::new(0, len));
            self.stray_at = Some(cx.offset);
        }
        self.state = if is_whole {
            DocumentState::Markup
        } else {
            DocumentState::StrayLine
        };
        // The next character decides whether a `<` at the very end begins markup.
        if is_whole {
            Event::Passed(len)
        } else {
            passed_or_more(len)
        }
    }

    /// Returns `true` if another issue stands for the content at this place: it is before the declaration, or in an
    /// element around the root.
    fn is_covered(&self, cx: &Context<'_>) -> bool {
        match (self.section, &self.prolog.judgement) {
            (Section::Prolog, _) if cx.offset < self.prolog.declared_at => true,
            (
                Section::Prolog,
                Judgement::Root {
                    at,
                    wrapper: Some(wrapper),
                    ..
                },
            ) => (*wrapper..*at).contains(&cx.offset),
            (Section::Epilog, _) => self.wrapper.is_some(),
            _ => false,
        }
    }

    /// Returns `true` if content at this place is not reported: in unknown elements, and between the items of a feed.
    fn is_silent(&self, tape: &Tape) -> bool {
        self.section == Section::Body
            && (self.ancestors.in_unknown() || tape.dialect != Dialect::Sitemap)
    }

    // Markup.

    /// One step over the markup at the start of the text.
    fn markup(&mut self, cx: &mut Context<'_>) -> Event {
        self.state = DocumentState::Markup;
        let rest = cx.text;
        if let Opened::Construct(construct, opener) = Construct::opened(rest.as_bytes()) {
            return self.construct(construct, opener, cx);
        }
        if rest.as_bytes().get(1).copied().is_some_and(is_no_markup) {
            return self.stray_line(cx);
        }
        let token = self.tags.token(rest, 0, cx.offset);
        let known_until = token.map_or(rest.len(), |token| token.end);
        if known_until > cx.max_entry_bytes {
            return self.outsized(cx);
        }
        let Some(token) = token else {
            return self.incomplete(cx);
        };
        match token.kind {
            TokenKind::Start(tag) => self.start(&token, &tag, cx),
            TokenKind::End(name) => self.end(name, token.end, cx),
            TokenKind::Malformed => self.malformed(token.end, cx),
            _ => Event::Passed(token.end),
        }
    }

    /// A comment or the like, of which nothing is kept.
    fn construct(
        &mut self,
        construct: Construct,
        opener: &'static str,
        cx: &mut Context<'_>,
    ) -> Event {
        match construct {
            Construct::Comment => {}
            Construct::Doctype(_) => {
                let span = Span::new(0, opener.len());
                cx.note_beginning(Rule::Doctype, span);
            }
            Construct::Instruction if is_declaration(cx.text.as_bytes()) => {
                return self.declaration(cx);
            }
            Construct::Instruction => {
                let may_go_on = cx.text.len() <= DECLARATION.len();
                if may_go_on && cx.end != TextEnd::Reached {
                    return Event::NeedMore;
                }
                // So much of it is waited for that the name and what follows it are there. In the prolog all of it is there.
                if cx.text.len() < PEEK && !cx.text.contains('>') && cx.end == TextEnd::Open {
                    return Event::NeedMore;
                }
                look_into(cx, self.section == Section::Prolog);
            }
            Construct::CData if !self.is_silent(cx.tape) && !self.is_covered(cx) => {
                cx.note_beginning(self.stray_rule(), Span::new(0, opener.len()));
            }
            Construct::CData => {}
        }
        self.pass_construct();
        // The next step handles its content.
        self.state = DocumentState::Skipping(construct);
        Event::Begun(construct.name(), opener.len())
    }

    /// Something that only XML has.
    fn pass_construct(&mut self) {
        self.prolog.has_content = true;
        self.prolog.is_xml = true;
    }

    /// The XML declaration.
    fn declaration(&mut self, cx: &mut Context<'_>) -> Event {
        let token = self.tags.token(cx.text, 0, cx.offset);
        let known_until = token.map_or(cx.text.len(), |token| token.end);
        let (end, is_closed) = match token {
            // The rest is handled as text.
            _ if known_until > cx.max_entry_bytes => (DECLARATION.len() + 1, false),
            Some(token) => (token.end, token.kind == TokenKind::Ignored),
            None => return unfinished(cx),
        };
        if self.section == Section::Prolog {
            let is_said = cx.offset == self.prolog.declared_at;
            let opener = Span::new(0, DECLARATION.len());
            // Another declaration, or one that is too far away from the start.
            if std::mem::take(&mut self.prolog.has_content) && !is_said && !self.is_covered(cx) {
                cx.note(Rule::ContentBeforeDeclaration, opener, DECLARATION);
            }
            if let Some(label) = cx.report.facts.conflict.as_deref() {
                let detail = if is_label(label) {
                    Detail::from(cx.report.facts.encoding)
                } else {
                    case::UNKNOWN.into()
                };
                let violation = Violation::with_detail(Rule::EncodingConflict, label, detail);
                cx.report.add(violation, Effect::Noted, opener);
            }
        }
        if !is_closed && !self.is_covered(cx) {
            cx.note_text(Rule::MalformedMarkup, Span::new(0, end));
        }
        self.pass_construct();
        Event::Passed(end)
    }

    /// Markup whose end is not there yet.
    fn incomplete(&mut self, cx: &mut Context<'_>) -> Event {
        match self.section {
            Section::Epilog if cx.end == TextEnd::Reached && !may_be_markup(cx.text) => {
                self.malformed(cx.text.len(), cx)
            }
            _ => unfinished(cx),
        }
    }

    /// A tag that does not end within the bounds of an entry.
    fn outsized(&mut self, cx: &mut Context<'_>) -> Event {
        let name = name_at(cx.text, 1);
        let end = 1 + name.len();
        if let Some(kind) = self.broken_entry(name, cx.tape) {
            self.state = DocumentState::Recovering;
            cx.tape.clear();
            cx.tape.kind = kind;
            let (effect, tag) = (Effect::EntrySkipped, Span::new(0, end));
            cx.report
                .flaw(Rule::EntryTooLarge, effect, tag, kind.element());
            return Event::Entry(end);
        }
        if self.section != Section::Prolog || self.root_here(cx).is_some() {
            self.state = DocumentState::Recovering;
        }
        cx.note_beginning(Rule::MalformedMarkup, Span::new(0, cx.text.len()));
        self.open_broken_root(name, cx);
        Event::Passed(end)
    }

    /// The format of the document, if its root begins at this place.
    fn root_here(&self, cx: &Context<'_>) -> Option<Format> {
        match self.prolog.judgement {
            Judgement::Root { at, format, .. } => (at == cx.offset).then_some(format),
            _ => None,
        }
    }

    /// The kind of entry that a broken tag of this name is the start of.
    fn broken_entry(&self, name: &str, tape: &Tape) -> Option<EntryKind> {
        let kind = tape.dialect.entry(local_part(name));
        kind.filter(|_| self.section != Section::Prolog)
    }

    /// Handles a tag without an end. If it is that of an entry, the entry is counted and skipped.
    fn malformed(&mut self, end: usize, cx: &mut Context<'_>) -> Event {
        let name = name_at(cx.text, 1);
        if let Some(kind) = self.broken_entry(name, cx.tape) {
            // The start tag of the entry is broken: the entry is skipped, but counted.
            return self.parse_entry(kind, None, cx);
        }
        if !self.is_covered(cx) {
            cx.note_text(Rule::MalformedMarkup, Span::new(0, end));
        }
        self.open_broken_root(name, cx);
        Event::Passed(end)
    }

    // Tags.

    /// Handles a start tag: it begins an entry or a root, or opens another element.
    fn start(&mut self, token: &Token, tag: &Tag, cx: &mut Context<'_>) -> Event {
        let name = tag.name.of(cx.text);
        let root = self.root_here(cx);
        let class = match self.section {
            Section::Prolog => {
                self.prolog.has_content |= root.is_none();
                root.map_or(Class::Other, Class::Root)
            }
            Section::Body | Section::Epilog => classify(tag, cx.text, cx.tape),
        };
        if let Class::Entry(kind) = class {
            // It is read when its end is there.
            if !tag.empty && !self.frame.is_ready(cx, self.ancestors.root_name()) {
                self.state = DocumentState::Entry { cut: 0 };
                return Event::NeedMore;
            }
            self.announce(kind, tag, cx);
            return self.parse_entry(kind, Some(token), cx);
        }
        cx.tape.clear();
        let scope = cx.tape.namespaces.scope();
        let ReadTag { node, is_overfull } = read_tag(tag, 0, cx);
        let is_large = self.ancestors.is_large_with(name, &cx.tape.namespaces);
        if (node.broken || is_overfull || is_large) && !self.is_covered(cx) {
            cx.note_beginning(Rule::MalformedMarkup, Span::new(0, token.end));
        }
        let is_open = if let Class::Root(format) = class {
            self.root(format, &node, scope, cx)
        } else {
            self.note_unknown(&node, cx);
            self.ancestors
                .push(name, scope, false, &mut cx.tape.namespaces)
        };
        if is_open && cx.tape.dialect != Dialect::Sitemap {
            self.declare_base(&node, cx);
        }
        if tag.empty && is_open {
            self.close(name, cx);
        }
        Event::Passed(token.end)
    }

    /// Remembers the `xml:base` of an element that has been opened.
    fn declare_base(&self, node: &Node, cx: &mut Context<'_>) {
        let attribute = cx.tape.attribute(node, "xml:base", cx.text);
        let Some((depth, attribute)) = self.ancestors.depth().zip(attribute) else {
            return;
        };
        let reference = attribute.value.of(cx.text, &cx.tape.scratch).to_owned();
        cx.tape.bases.declare(depth, &reference);
    }

    /// Reports violations in an entry's own tag.
    fn announce(&self, kind: EntryKind, tag: &Tag, cx: &mut Context<'_>) {
        let local = local_part(tag.name.of(cx.text));
        let span = Span::new(0, tag.name.end());
        if self.section == Section::Epilog {
            Self::note_after_root(local, None, span, cx);
        }
        if cx.tape.dialect != Dialect::Sitemap {
            return;
        }
        if kind != self.expected_kind() {
            cx.note(Rule::MisplacedEntry, span, local);
        }
        if local != kind.element() {
            cx.note(Rule::WrongCase, span, local);
        }
    }

    /// Reports an unknown element between the entries.
    fn note_unknown(&mut self, node: &Node, cx: &mut Context<'_>) {
        let name = node.name.of(cx.text);
        let is_sitemap = cx.tape.dialect == Dialect::Sitemap;
        let is_covered = self.is_covered(cx);
        if self.section == Section::Prolog {
            if matches!(self.prolog.judgement, Judgement::Root { wrapper, .. } if wrapper == Some(cx.offset))
            {
                self.wrapper = Some(self.ancestors.len());
                cx.note(Rule::WrappedRoot, node.tag(), name);
            } else if !is_covered {
                cx.note(Rule::UnknownElement, node.tag(), name);
            }
            // The namespaces of its prefixes are known to the root, but the root is not in its default namespace.
            let _ = cx.tape.namespaces.declare("", "");
        } else if self.section == Section::Epilog {
            if !is_covered {
                Self::note_after_root(name, None, node.tag(), cx);
            }
        } else if !is_sitemap {
            // A feed cannot contain a sitemap: the root of a sitemap in it is reported, and its entries are not read.
            if is_sitemap_root(name, node, cx.tape) {
                cx.note(Rule::SecondRoot, node.tag(), name);
            }
        } else if !self.ancestors.in_unknown() && cx.is_own(node) {
            let kind = self.expected_kind();
            let violation = if BaseChild::named(cx.local_name(node), kind).is_some() {
                let detail = format!("outside a {}", kind.element());
                Violation::with_detail(Rule::UnknownElement, name, &*detail)
            } else {
                Violation::new(Rule::UnknownElement, name)
            };
            cx.report.add(violation, Effect::Noted, node.tag());
        }
    }

    /// Reports content after the root.
    fn note_after_root(found: &str, detail: Option<Case>, span: Span, cx: &mut Context<'_>) {
        let violation = Violation::with_detail(Rule::ContentAfterRoot, found, detail);
        cx.report.add(violation, Effect::Noted, span);
    }

    /// Handles an end tag outside of entries. One that closes nothing, or an outer element, is reported.
    fn end(&mut self, name: Span, end: usize, cx: &mut Context<'_>) -> Event {
        let (tag, name) = (Span::new(0, name.end()), name.of(cx.text));
        let is_epilog = self.section == Section::Epilog;
        let is_silent = self.is_covered(cx);
        match self.close(name, cx) {
            _ if is_silent => {}
            Closed::Innermost { exact: true } => {}
            Closed::Innermost { exact: false } => {
                cx.note(Rule::WrongCase, tag, name);
            }
            Closed::Nothing if is_epilog => {
                Self::note_after_root(name, Some(case::END_TAG), tag, cx);
            }
            Closed::Outer | Closed::Nothing => cx.note(Rule::MismatchedTag, tag, name),
        }
        Event::Passed(end)
    }

    fn close(&mut self, written: &str, cx: &mut Context<'_>) -> Closed {
        let closed = self.ancestors.close(written, &mut cx.tape.namespaces);
        let open = self.ancestors.len();
        self.wrapper = self.wrapper.filter(|outside| open > *outside);
        if let Some(depth) = self.ancestors.depth() {
            cx.tape.bases.close(depth);
        }
        if self.section == Section::Body && !self.ancestors.has_root() {
            self.section = Section::Epilog;
        }
        closed
    }

    // Roots.

    /// Opens the root that determines the format, or one more of the same vocabulary. Returns `true` if it has been opened.
    fn root(&mut self, format: Format, node: &Node, scope: Scope, cx: &mut Context<'_>) -> bool {
        let name = node.name.of(cx.text);
        let is_first = self.section == Section::Prolog;
        let mut id = node.namespace;
        if !is_first {
            cx.note(Rule::SecondRoot, node.tag(), name);
        } else if node.undeclared {
            let prefix = node.prefix().of(cx.text);
            // If there is no room for another declaration, the root is treated as one without a namespace.
            let _ = cx.tape.namespaces.declare(prefix, SITEMAP.uri);
            id = cx.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        }
        check_namespace(format, id, node.tag(), cx);
        let local = cx.local_name(node);
        if is_first && Dialect::of(format) == Dialect::Sitemap && local != format.name() {
            cx.note(Rule::WrongCase, node.tag(), local);
        }
        if self.section == Section::Epilog {
            let vocabulary = cx.tape.dialect.vocabulary();
            cx.tape.namespaces.set_root(id, vocabulary);
        }
        self.open_root(name, format, id, scope, cx)
    }

    /// Opens the root with a broken tag, if it begins here. Its attributes can't be read, so it is taken to be in the
    /// standard namespace.
    fn open_broken_root(&mut self, name: &str, cx: &mut Context<'_>) {
        let Some(format) = self.root_here(cx) else {
            return;
        };
        let scope = cx.tape.namespaces.scope();
        let (prefix, _) = split_name(name);
        let uri = match Dialect::of(format) {
            Dialect::Sitemap => SITEMAP.uri,
            Dialect::Rss | Dialect::Atom => "",
        };
        let _ = cx.tape.namespaces.declare(prefix, uri);
        let id = cx.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        self.open_root(name, format, id, scope, cx);
    }

    /// Opens a root, and enters the body. The first root determines the dialect.
    fn open_root(
        &mut self,
        name: &str,
        format: Format,
        id: NsId,
        scope: Scope,
        cx: &mut Context<'_>,
    ) -> bool {
        if self.format.is_none() {
            self.format = Some(format);
            let dialect = Dialect::of(format);
            cx.tape.dialect = dialect;
            cx.tape.namespaces.set_root(id, dialect.vocabulary());
        }
        self.section = Section::Body;
        self.ancestors
            .push(name, scope, true, &mut cx.tape.namespaces)
    }
}

impl Prolog {
    /// Judges the document, if nothing more is known. Returns an event if it cannot be parsed on from here.
    fn look(&mut self, cx: &mut Context<'_>) -> Option<Event> {
        loop {
            match &mut self.judgement {
                Judgement::Root { .. } => return None,
                Judgement::Judged { until, .. } if cx.offset < *until => return None,
                Judgement::Judged {
                    verdict: Verdict::Prolog(_),
                    ..
                } => {
                    self.judgement = Judgement::Looking(Box::new(Head::new(self.is_xml)));
                }
                Judgement::Judged { .. } => return self.decide(cx),
                Judgement::Looking(head) => {
                    let Some(verdict) = judge(head, cx) else {
                        return Some(Event::NeedMore);
                    };
                    let passed = match verdict {
                        Verdict::Prolog(end) => end.max(1),
                        _ => head.content(),
                    };
                    let declaration = head.first_declaration(cx.text);
                    self.judgement = Judgement::Judged {
                        until: cx.offset + passed as u64,
                        verdict,
                        head: std::mem::take(head),
                    };
                    if let Some(at) = declaration.filter(|_| cx.offset == 0) {
                        self.note_before_declaration(at, cx);
                    }
                }
            }
        }
    }

    /// The verdict takes effect at this place.
    fn decide(&mut self, cx: &mut Context<'_>) -> Option<Event> {
        let Judgement::Judged { verdict, head, .. } = std::mem::take(&mut self.judgement) else {
            return None;
        };
        let start = head.content();
        Some(match verdict {
            Verdict::Root(at, format) => {
                let content = cx.text.part(..at - start);
                let at = cx.offset + content.len() as u64;
                let outermost = head.outermost().map(|at| cx.offset + (at - start) as u64);
                let wrapper = outermost.filter(|outermost| *outermost < at);
                self.judgement = Judgement::Root {
                    at,
                    format,
                    wrapper,
                };
                let declaration = head.declaration_in(content);
                if let Some(at) = declaration.filter(|_| cx.offset >= self.declared_at) {
                    self.note_before_declaration(at, cx);
                }
                return (!content.is_empty()).then_some(Event::Passed(0));
            }
            Verdict::Text if !self.is_xml => Event::IsText,
            Verdict::Text => Event::Fatal(ErrorKind::NotASitemap(LooksLike::NoRoot), 0),
            Verdict::Not(kind, at) => Event::Fatal(kind, at - start),
            // The input has failed, which is reported.
            Verdict::NeedMore | Verdict::Prolog(_) => Event::NeedMore,
        })
    }

    /// Reports the content before the declaration, which begins there.
    fn note_before_declaration(&mut self, at: usize, cx: &mut Context<'_>) {
        let before = cx.text.part(..at);
        self.declared_at = cx.offset + at as u64;
        let found = match before.trim_end() {
            "" => before,
            visible => visible,
        };
        if !found.is_empty() {
            let start = at - before.len();
            cx.note(
                Rule::ContentBeforeDeclaration,
                Span::from(start, found),
                found,
            );
        }
    }
}

/// The verdict on the head, or `None` if more text is needed.
fn judge(head: &mut Head, cx: &Context<'_>) -> Option<Verdict> {
    match head.look(cx.text, cx.end == TextEnd::Reached) {
        Verdict::NeedMore if cx.end != TextEnd::Cut => None,
        // The part that the input could not return might have determined the kind of the document. So the failure of the
        // input is reported, unless the rest determines the kind.
        Verdict::NeedMore => Some(match head.look(cx.text, true) {
            Verdict::Not(..) if !head.has_page => Verdict::NeedMore,
            verdict => verdict,
        }),
        verdict => Some(verdict),
    }
}

/// The beginning of the tag at `at`, if one is there: `<` and the name.
fn tag_at(text: &str, at: usize) -> Span {
    if text.get(at..).is_some_and(|rest| rest.starts_with('<')) {
        Span::new(at, at + 1 + name_at(text, at + 1).len())
    } else {
        Span::at(at)
    }
}

/// Something has begun whose end is not there.
fn unfinished(cx: &Context<'_>) -> Event {
    match cx.end {
        TextEnd::Reached => Event::Fatal(ErrorKind::Truncated, cx.text.len()),
        TextEnd::Open | TextEnd::Cut => Event::NeedMore,
    }
}

/// This number of bytes is passed. If it is 0, more text is needed.
fn passed_or_more(bytes: usize) -> Event {
    match bytes {
        0 => Event::NeedMore,
        _ => Event::Passed(bytes),
    }
}

/// Returns `true` if more text could make this `<` the beginning of markup.
fn may_be_markup(text: &str) -> bool {
    let behind = text.as_bytes().part(1..);
    matches!(behind, [] | [b'!' | b'?' | b'/', ..]) || name_len(behind) > 0
}

/// Returns `true` if this is the root of a urlset or an index.
fn is_sitemap_root(name: &str, node: &Node, tape: &Tape) -> bool {
    let format = Format::of_root(local_part(name));
    let vocabulary = tape.namespaces.judgement(node.namespace).vocabulary;
    format.is_some_and(|format| Dialect::of(format) == Dialect::Sitemap)
        && (node.namespace == NsId::NONE || vocabulary == Vocabulary::Sitemap)
}

/// Sitemaps have a namespace; feeds have many.
fn check_namespace(format: Format, id: NsId, tag: Span, cx: &mut Context<'_>) {
    let namespaces = &cx.tape.namespaces;
    let uri = namespaces.uri(id);
    if Dialect::of(format) == Dialect::Sitemap && is_historic(uri) {
        let rule = Rule::HistoricNamespace;
        cx.report.flaw(rule, Effect::Noted, tag, uri);
    } else if Dialect::of(format) == Dialect::Sitemap && uri != SITEMAP.uri {
        let key = namespaces.key(id);
        cx.report.wrong_namespace(key, uri, "", tag);
    }
}

#[cfg(test)]
pub(super) mod tests;
