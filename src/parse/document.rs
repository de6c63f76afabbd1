//! An XML document from its root on, read entry by entry.
//!
//! # The states of the parser
//!
//! A document begins at its root; the text before it is the [head](crate::parse::head). It has a **body**, in which a root is
//! open, and an **epilog**, in which none is:
//!
//! | section | content | it ends at |
//! |---|---|---|
//! | body | entries, comments, processing instructions; text, unknown elements and further roots are reported | the end tag of the outermost root |
//! | epilog | comments and processing instructions; text and elements are reported, but an entry is read, and a root begins another body | the end of the input |
//!
//! If the root is in another element, nothing else in that element is reported.
//!
//! Within a section the parser is in one of these **states**:
//!
//! * `Root`: the start tag of the first root begins at the start of the text. The document begins in this state.
//! * `Markup`: the next construct begins at the start of the text. Text, tags and the beginnings of the constructs
//!   below are distinguished by their first characters.
//! * `Stray`: in text that has been reported. It ends at the next `<`. If it began with a `<` that begins no markup, it ends
//!   with its line, or at the next markup.
//! * `Skipping`: in a comment, a processing instruction, a CDATA section or a DOCTYPE, of which nothing is kept. Each can
//!   be longer than the window, and passes as it streams by.
//! * `Entry`: an entry begins at the start of the text, but its end is not there yet. It is read by [`EntryParser`] when
//!   its [`Frame`] is there, so there is no state within an entry. An entry that a second `<loc>` has ended is followed
//!   by another one, which begins with that `<loc>` and has no start tag.
//! * `Recovering`: after an entry that could not be read. Nothing is interpreted until the next start tag of an entry
//!   or the end tag of the root.
//!
//! An entry leaves the parser in the state `Markup`, `Entry` (before a second `<loc>`) or, if it could not be read, `Recovering`. A document
//! has ended where the input ends in the epilog and nothing is open that needs an end (states `Markup`, `Stray` and
//! `Recovering`); where the input ends anywhere else, the document is truncated.

use memchr::{memchr, memchr2};

use crate::error::ErrorKind;
use crate::format::{EntryKind, Format};
use crate::parse::Event;
use crate::parse::ancestors::{Ancestors, Closed};
use crate::parse::context::{Context, PEEK, TextEnd};
use crate::parse::entry::{EntryFailure, EntryParser, Parsed};
use crate::parse::frame::Frame;
use crate::parse::plain::Plain;
use crate::parse::recovery::{Found, RetryBudget, find_entry};
use crate::parse::tag::{Class, classify, note_closed, read_outer};
use crate::tape::dialect::{BaseChild, Dialect};
use crate::tape::{Node, Tape};
use crate::text::search::skip_blank;
use crate::text::span::{Span, TakePart};
use crate::violation::{Case, Effect, Rule, Violation, case, quotable};
use crate::vocabulary::{SITEMAP, Vocabulary, is_historic};
use crate::xml::construct::{Construct, DECLARATION, Opened};
use crate::xml::lexer::{
    Tag, TagSearch, Token, TokenKind, end_of_stray_line, is_declaration, is_no_markup, local_part,
    name_at, name_len, split_name,
};
use crate::xml::namespaces::{NsId, Scope};
use crate::xml::references::known_reference;

/// The parser of a document.
#[derive(Debug)]
pub(crate) struct Document {
    format: Format,
    state: DocumentState,
    tags: TagSearch,
    ancestors: Ancestors,
    entry: EntryParser,
    frame: Frame,
    /// The state while an entry is on the tape: the namespaces that are in effect around it. Those of the entry itself
    /// are kept until it is released, because the tape refers to them.
    around_entry: Option<Scope>,
    retries: RetryBudget,
    plain: Plain,
    /// Position of stray text that was reported, as long as its line has not ended and no entry has followed.
    stray_at: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum DocumentState {
    Root,
    Markup,
    /// `by_line`: it ends with its line.
    Stray {
        by_line: bool,
    },
    Skipping(Construct),
    /// The place of the token that the text cut when the entry was last tried.
    Entry {
        cut: usize,
    },
    Recovering,
}

impl Document {
    /// A document of this format, whose root begins at the start of the text, in these elements.
    pub(crate) fn new(format: Format, ancestors: Ancestors) -> Self {
        Self {
            format,
            state: DocumentState::Root,
            tags: TagSearch::default(),
            ancestors,
            entry: EntryParser::default(),
            frame: Frame::default(),
            around_entry: None,
            retries: RetryBudget::default(),
            plain: Plain::default(),
            stray_at: None,
        }
    }

    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    /// Returns `true` if an entry has begun that is not complete.
    pub(crate) fn is_in_entry(&self) -> bool {
        matches!(self.state, DocumentState::Entry { .. })
    }

    /// The markup that this text ends in, if it is one that can be longer than a tag, and where it begins, unless that is not
    /// in the text any more.
    pub(crate) fn unclosed(&self, text: &str) -> Option<(&'static str, Option<usize>)> {
        match self.state {
            DocumentState::Skipping(construct) => Some((construct.name(), None)),
            DocumentState::Entry { cut } => match Construct::opened(text.get(cut..)?.as_bytes()) {
                Opened::Construct(Construct::Doctype(_), _) | Opened::Cut | Opened::Other => None,
                Opened::Construct(construct, _) => Some((construct.name(), Some(cut))),
            },
            DocumentState::Markup if is_declaration(text.as_bytes()) => {
                Some(("XML declaration", Some(0)))
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
        let is_covered = self.ancestors.is_wrapped && self.is_epilog();
        let event = self.step(cx);
        if is_covered && self.is_epilog() && !matches!(event, Event::Entry(_)) {
            cx.report.forget(|_, _| true);
        }
        if let Some(stray) = self.stray_at {
            let is_over = match event {
                // As by the plain parser, which does not look at the lines.
                Event::Entry(_) => true,
                Event::Passed(end) | Event::Begun(_, _, end) => {
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
            DocumentState::Root => self.first_root(cx),
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
            DocumentState::Stray { by_line: true } => self.text(cx),
            DocumentState::Markup | DocumentState::Stray { .. } if cx.text.starts_with('<') => {
                self.markup(cx)
            }
            DocumentState::Markup | DocumentState::Stray { .. } => self.text(cx),
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
            DocumentState::Markup | DocumentState::Stray { by_line: false } => true,
            DocumentState::Entry { .. } => self.entry.continued_scope().is_none(),
            _ => false,
        };
        may_begin && !self.is_epilog() && tape.dialect == Dialect::Sitemap
    }

    /// Length of the white space at the start of the text, if only the tag after it matters: between entries.
    fn blank(&self, text: &str) -> usize {
        let is_between = matches!(self.state, DocumentState::Markup)
            && self.stray_at.is_none()
            && !self.is_epilog();
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
        use DocumentState::{Entry, Root, Skipping};
        let is_open = matches!(self.state, Root | Skipping(_) | Entry { .. });
        if self.is_epilog() && !is_open {
            Event::End
        } else {
            Event::Fatal(ErrorKind::Truncated, 0)
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
                cx.report.forget(|_, _| true);
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
        cx.report.forget(|place, _| place >= end);
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
        let (at, span) = if failure.at < end {
            (failure.at, span)
        } else {
            (0, tag_at(cx.text, 0))
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

    /// Text between tags, or a `<` that begins no markup with the rest of its line, which is reported once per line and again
    /// after an entry. At most as much as is needed to judge and quote it is waited for.
    fn text(&mut self, cx: &mut Context<'_>) -> Event {
        let (bytes, state) = (cx.text.as_bytes(), self.state);
        let is_new = !matches!(state, DocumentState::Stray { .. });
        let is_sign = is_new && bytes.first() == Some(&b'<');
        let by_line = is_sign || matches!(state, DocumentState::Stray { by_line: true });
        let (len, is_whole) = if by_line {
            end_of_stray_line(bytes, usize::from(is_sign))
        } else {
            memchr(b'<', bytes).map_or((bytes.len(), false), |len| (len, true))
        };
        // The next character decides whether a `<` at the very end begins markup.
        let len = match cx.end {
            TextEnd::Reached if !is_whole => bytes.len(),
            _ => len,
        };
        let run = cx.text.part(..len);
        let visible = run.trim_start();
        let blank = len - visible.len();
        let is_silent = !is_new || self.is_silent(cx.tape) || (is_sign && self.stray_at.is_some());
        if !is_silent && !is_whole && visible.len() < PEEK && cx.end == TextEnd::Open {
            return passed_or_more(blank);
        }
        let is_reported = !is_silent && !visible.is_empty();
        if by_line && is_whole {
            self.state = DocumentState::Markup;
            if len == 0 {
                // The line was over where the text ended.
                return self.step(cx);
            }
        } else if by_line || is_reported {
            self.state = DocumentState::Stray { by_line };
        }
        if !is_reported {
            return passed_or_more(len);
        }
        let mut rule = self.stray_rule();
        if rule == Rule::StrayText && visible.starts_with('&') && known_reference(visible).is_none()
        {
            rule = Rule::MalformedMarkup;
        }
        cx.note_beginning(rule, Span::new(blank, len));
        self.stray_at = Some(cx.offset + blank as u64);
        // The rest of a text is looked at by the next step. An ampersand that was reported is passed.
        let rest = blank + usize::from(rule == Rule::MalformedMarkup);
        Event::Passed(if by_line { len } else { rest })
    }

    /// The rule that text or a CDATA section breaks at this place.
    fn stray_rule(&self) -> Rule {
        if self.is_epilog() {
            Rule::ContentAfterRoot
        } else {
            Rule::StrayText
        }
    }

    /// Returns `true` if no root is open any more.
    fn is_epilog(&self) -> bool {
        !self.ancestors.has_root()
    }

    /// Returns `true` if content at this place is not reported: in unknown elements, and between the items of a feed.
    fn is_silent(&self, tape: &Tape) -> bool {
        !self.is_epilog() && (self.ancestors.in_unknown() || tape.dialect != Dialect::Sitemap)
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
            return self.text(cx);
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
            Construct::Doctype(_) => cx.note_beginning(Rule::Doctype, Span::new(0, opener.len())),
            Construct::Instruction if is_declaration(cx.text.as_bytes()) => {
                return self.declaration(cx);
            }
            Construct::Instruction => {
                let may_go_on = cx.text.len() <= DECLARATION.len();
                if may_go_on && cx.end != TextEnd::Reached {
                    return Event::NeedMore;
                }
            }
            Construct::CData if !self.is_silent(cx.tape) => {
                cx.note_beginning(self.stray_rule(), Span::new(0, opener.len()));
            }
            Construct::CData | Construct::Comment => {}
        }
        // The next step handles its content.
        self.state = DocumentState::Skipping(construct);
        Event::Begun(construct.name(), 0, opener.len())
    }

    /// An instruction with the name of the XML declaration.
    fn declaration(&mut self, cx: &mut Context<'_>) -> Event {
        let token = self.tags.token(cx.text, 0, cx.offset);
        let known_until = token.map_or(cx.text.len(), |token| token.end);
        let (end, is_closed) = match token {
            // The rest is handled as text.
            _ if known_until > cx.max_entry_bytes => (DECLARATION.len() + 1, false),
            Some(token) => (token.end, token.kind == TokenKind::Ignored),
            None => return unfinished(cx),
        };
        if !is_closed {
            cx.note_text(Rule::MalformedMarkup, Span::new(0, end));
        }
        Event::Passed(end)
    }

    /// Markup whose end is not there yet.
    fn incomplete(&mut self, cx: &mut Context<'_>) -> Event {
        if self.is_epilog() && cx.end == TextEnd::Reached && !may_be_markup(cx.text) {
            return self.malformed(cx.text.len(), cx);
        }
        unfinished(cx)
    }

    /// A tag that does not end within the bounds of an entry.
    fn outsized(&mut self, cx: &mut Context<'_>) -> Event {
        let name = name_at(cx.text, 1);
        let end = 1 + name.len();
        if let Some(kind) = cx.tape.dialect.entry(local_part(name)) {
            self.state = DocumentState::Recovering;
            cx.tape.clear();
            cx.tape.kind = kind;
            let (effect, tag) = (Effect::EntrySkipped, Span::new(0, end));
            cx.report
                .flaw(Rule::EntryTooLarge, effect, tag, kind.element());
            return Event::Entry(end);
        }
        self.state = DocumentState::Recovering;
        cx.note_beginning(Rule::MalformedMarkup, Span::new(0, cx.text.len()));
        Event::Passed(end)
    }

    /// Handles a tag without an end. If it is that of an entry, the entry is counted and skipped.
    fn malformed(&mut self, end: usize, cx: &mut Context<'_>) -> Event {
        let name = name_at(cx.text, 1);
        if let Some(kind) = cx.tape.dialect.entry(local_part(name)) {
            // The start tag of the entry is broken: the entry is skipped, but counted.
            return self.parse_entry(kind, None, cx);
        }
        cx.note_text(Rule::MalformedMarkup, Span::new(0, end));
        Event::Passed(end)
    }

    // Tags.

    /// Handles a start tag: it begins an entry or a root, or opens another element.
    fn start(&mut self, token: &Token, tag: &Tag, cx: &mut Context<'_>) -> Event {
        let class = classify(tag, cx.text, cx.tape);
        if let Class::Entry(kind) = class {
            // It is read when its end is there.
            if !tag.empty && !self.frame.is_ready(cx, self.ancestors.root_name()) {
                self.state = DocumentState::Entry { cut: 0 };
                return Event::NeedMore;
            }
            self.announce(kind, tag, cx);
            return self.parse_entry(kind, Some(token), cx);
        }
        self.open(token, tag, class, cx)
    }

    /// Opens a root or another element outside of entries.
    fn open(&mut self, token: &Token, tag: &Tag, class: Class, cx: &mut Context<'_>) -> Event {
        let name = tag.name.of(cx.text);
        let (node, scope) = read_outer(tag, 0, token.end, &self.ancestors, cx);
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
        if self.is_epilog() {
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
        if self.is_epilog() {
            Self::note_after_root(name, None, node.tag(), cx);
        } else if !is_sitemap {
            // A feed cannot contain a sitemap: the root of a sitemap in it is reported, and its entries are not read.
            if is_sitemap_root(name, node, cx.tape) {
                cx.note(Rule::SecondRoot, node.tag(), name);
            }
        } else if self.ancestors.in_unknown() {
            // The outermost one was reported.
        } else if !cx.is_own(node) {
            cx.report.count_outside();
        } else {
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
        let is_epilog = self.is_epilog();
        match self.close(name, cx) {
            Closed::Nothing if is_epilog => {
                Self::note_after_root(name, Some(case::END_TAG), tag, cx);
            }
            closed => note_closed(closed, tag, name, cx),
        }
        Event::Passed(end)
    }

    fn close(&mut self, written: &str, cx: &mut Context<'_>) -> Closed {
        let closed = self.ancestors.close(written, &mut cx.tape.namespaces);
        if let Some(depth) = self.ancestors.depth() {
            cx.tape.bases.close(depth);
        }
        closed
    }

    // Roots.

    /// Opens the root that determines the format. If its tag is broken, its attributes cannot be read, so it is treated as one
    /// in the standard namespace.
    fn first_root(&mut self, cx: &mut Context<'_>) -> Event {
        let token = self.tags.token(cx.text, 0, cx.offset);
        let known_until = token.map_or(cx.text.len(), |token| token.end);
        let is_outsized = known_until > cx.max_entry_bytes;
        let dialect = Dialect::of(self.format);
        cx.tape.dialect = dialect;
        let end = match token {
            Some(token) if !is_outsized => {
                if let TokenKind::Start(tag) = token.kind {
                    return self.open(&token, &tag, Class::Root(self.format), cx);
                }
                cx.note_text(Rule::MalformedMarkup, Span::new(0, token.end));
                token.end
            }
            None if !is_outsized => return unfinished(cx),
            _ => {
                cx.note_beginning(Rule::MalformedMarkup, Span::new(0, cx.text.len()));
                1 + name_at(cx.text, 1).len()
            }
        };
        let name = name_at(cx.text, 1);
        let (prefix, _) = split_name(name);
        let uri = match dialect {
            Dialect::Sitemap => SITEMAP.uri,
            Dialect::Rss | Dialect::Atom => "",
        };
        let scope = cx.tape.namespaces.scope();
        let id = cx.tape.namespaces.declare(prefix, uri);
        self.open_root(name, id.unwrap_or(NsId::NONE), scope, cx);
        if is_outsized {
            self.state = DocumentState::Recovering;
        }
        Event::Passed(end)
    }

    /// Opens the root that determines the format, or one more of the same vocabulary. Returns `true` if it has been opened.
    fn root(&mut self, format: Format, node: &Node, scope: Scope, cx: &mut Context<'_>) -> bool {
        let name = node.name.of(cx.text);
        let is_first = matches!(self.state, DocumentState::Root);
        let mut id = node.namespace;
        if !is_first {
            cx.note(Rule::SecondRoot, node.tag(), name);
        } else if node.undeclared {
            let prefix = node.prefix().of(cx.text);
            // If there is no room for another declaration, the root is treated as one without a namespace.
            let declared = cx.tape.namespaces.declare(prefix, SITEMAP.uri);
            id = declared.unwrap_or(NsId::NONE);
        }
        check_namespace(format, id, node.tag(), cx);
        let local = cx.local_name(node);
        if is_first && Dialect::of(format) == Dialect::Sitemap && local != format.name() {
            cx.note(Rule::WrongCase, node.tag(), local);
        }
        self.open_root(name, id, scope, cx)
    }

    /// Opens a root. The first one, and one after the end of another, determine which namespace is the document's own.
    fn open_root(&mut self, name: &str, id: NsId, scope: Scope, cx: &mut Context<'_>) -> bool {
        let namespaces = &mut cx.tape.namespaces;
        if self.is_epilog() {
            namespaces.set_root(id, cx.tape.dialect.vocabulary());
        }
        self.state = DocumentState::Markup;
        self.ancestors.push(name, scope, true, namespaces)
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
        cx.report.wrong_namespace(namespaces, id, "", tag);
    }
}

#[cfg(test)]
pub(super) mod tests;
