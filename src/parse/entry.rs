//! One entry of an XML document, read onto the tape.

use memchr::memchr2;

use crate::format::EntryKind;
use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::parse::ancestors::innermost_named;
use crate::parse::context::Context;
use crate::parse::feed;
use crate::parse::tag::{Class, classify, read_tag};
use crate::tape::dialect::{BaseChild, Dialect, ends_root};
use crate::tape::{Node, Piece, Tape, Value};
use crate::text::search::skip_blank;
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::violation::{Effect, Rule, Violation, case, quotable, shortened};
use crate::xml::lexer::{Tag, Token, TokenKind, end_tag_of, name_key, token};
use crate::xml::namespaces::{Relation, Scope};
use crate::xml::references::TextKind;

/// Reads an entry onto the tape, token by token. Only the memory of its lists is kept for the next entry.
#[derive(Debug, Default)]
pub(crate) struct EntryParser {
    /// Start of the next token. All positions here count from the start of the entry.
    at: usize,
    /// The elements that are open, the entry first.
    open: Vec<OpenElement>,
    /// Texts of open elements, the innermost last; joined when their element ends.
    pieces: Vec<Piece>,
    has_loc: bool,
    /// Position of the last stray text.
    stray_at: Option<usize>,
    /// `true` if white space between elements is kept in the current child, because it is a foreign element.
    keeps_space: bool,
    /// The namespaces that are in effect in the entry, with those that its start tag declares.
    inside: Scope,
    /// Bytes of names and namespaces that the start tag has declared.
    declared: usize,
    /// The element that goes on in the next entry, if this one ends at a second `<loc>` or began at one. The next entry
    /// has no start tag then.
    continued: Option<Continued>,
}

/// An element with more than one `<loc>`: its start tag applies to every entry in it.
#[derive(Debug)]
struct Continued {
    /// Its name as written.
    name: String,
    /// With the namespaces that its start tag declares.
    scope: Scope,
    /// Bytes that are kept for it.
    bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    /// Its index on the tape.
    node: usize,
    /// The namespaces that are in effect around it.
    scope: Scope,
    /// Number of pieces of text before it.
    pieces: usize,
}

/// The result of reading an entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// It is on the tape, and ends at this position.
    Complete { end: usize },
    /// It can't be read.
    Failed(EntryFailure),
    /// It does not end in this text. `at` is the start of the token that the text cuts.
    NotYet { at: usize },
}

/// The reason why an entry cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct EntryFailure {
    pub(crate) rule: Rule,
    /// Position of the problem.
    pub(crate) at: usize,
    /// All tokens up to this position have been read, and nothing after it has been reported.
    pub(crate) read: usize,
    /// End of the text that was read.
    pub(crate) failed: usize,
}

/// The next step after a token.
enum Next {
    Token,
    /// The entry ends there.
    End(usize),
    /// The entry cannot be read, because of the text at this position.
    Fail(Rule, usize),
}

impl EntryParser {
    fn begin(&mut self, kind: EntryKind, tape: &mut Tape) {
        tape.clear();
        tape.kind = kind;
        self.at = 0;
        self.has_loc = false;
        self.stray_at = None;
        self.keeps_space = false;
        self.open.clear();
        self.pieces.clear();
        if self.continued.is_some() {
            self.open.push(OpenElement {
                node: 0,
                scope: tape.namespaces.scope(),
                pieces: 0,
            });
            tape.nodes.push(Node::EMPTY);
        }
    }

    /// If the next entry is the rest of an element that has two locs: the namespaces that are in effect in that element, with
    /// those that its start tag declares.
    pub(crate) fn continued_scope(&self) -> Option<Scope> {
        Some(self.continued.as_ref()?.scope)
    }

    /// Bytes that are kept for that element; the limit for the rest of it is lower by this number.
    pub(crate) fn kept(&self) -> usize {
        self.continued.as_ref().map_or(0, |element| element.bytes)
    }

    /// Reads the entry at the start of the text. `start` is its start tag, unless that is broken, or the entry continues an
    /// element; `root` is the name of the root that contains it.
    pub(crate) fn parse(
        &mut self,
        kind: EntryKind,
        mut start: Option<&Token>,
        root: &str,
        cx: &mut Context<'_>,
    ) -> Parsed {
        self.begin(kind, cx.tape);
        loop {
            let token = if let Some(start) = start.take() {
                *start
            } else {
                self.skip_white_space(cx.text);
                if let Some(end) = self.own_end_tag(cx) {
                    self.at = end;
                    match self.close_innermost(cx) {
                        Next::End(end) => return self.complete(end, cx),
                        Next::Token | Next::Fail(..) => continue,
                    }
                }
                let Some(token) = token(cx.text, self.at) else {
                    if cx.text.len() > cx.max_entry_bytes {
                        return self.too_large(cx);
                    }
                    return Parsed::NotYet { at: self.at };
                };
                token
            };
            if token.end > cx.max_entry_bytes {
                return self.too_large(cx);
            }
            let begun = self.at;
            let next = self.token(&token, root, cx);
            match next {
                Next::Token => {}
                Next::End(end) => return self.complete(end, cx),
                Next::Fail(rule, at) => {
                    let failed = token.end.max(begun + 1);
                    return self.fail(rule, at, failed, failed, cx);
                }
            }
        }
    }

    /// Handles the token at the current place.
    // By reference: moving a `Tag` takes as long as finding its end.
    #[inline(always)]
    fn token(&mut self, token: &Token, root: &str, cx: &mut Context<'_>) -> Next {
        let end = token.end;
        match token.kind {
            TokenKind::Text => self.text(Span::new(self.at, end), end, TextKind::Content, cx),
            TokenKind::CData(text) => self.text(text, end, TextKind::CData, cx),
            TokenKind::Start(ref tag) => self.start(tag, end, cx),
            TokenKind::End(name) => self.end(name, end, root, cx),
            TokenKind::Stray if self.is_between_elements(cx) => self.stray(end, cx),
            TokenKind::Malformed | TokenKind::Stray => Next::Fail(Rule::MalformedMarkup, self.at),
            TokenKind::Ignored | TokenKind::Unclosed => {
                if token.kind == TokenKind::Unclosed {
                    cx.note_text(Rule::MalformedMarkup, Span::new(self.at, end));
                }
                self.at = end;
                Next::Token
            }
        }
    }

    /// The entry has ended there.
    fn complete(&mut self, end: usize, cx: &mut Context<'_>) -> Parsed {
        self.finish(cx);
        if cx.tape.is_full {
            return self.fail(Rule::EntryTooLarge, 0, end, end, cx);
        }
        Parsed::Complete { end }
    }

    /// Returns the end of the end tag of the innermost element if it comes next, as in a well-formed document:
    /// comparing it takes less time than reading an unknown tag.
    #[inline(always)]
    fn own_end_tag(&self, cx: &Context<'_>) -> Option<usize> {
        let node = cx.tape.nodes.get(self.open.last()?.node)?;
        let end = end_tag_of(cx.text, node.name, self.at)?;
        (end <= cx.max_entry_bytes).then_some(end)
    }

    /// The current token ends after the bound.
    fn too_large(&mut self, cx: &mut Context<'_>) -> Parsed {
        let within = floor_char_boundary(cx.text, cx.max_entry_bytes);
        self.fail(Rule::EntryTooLarge, 0, self.at, within, cx)
    }

    /// Gives up the entry: its namespaces are left, and `EntryFailure` contains what recovery needs.
    fn fail(
        &mut self,
        rule: Rule,
        at: usize,
        read: usize,
        failed: usize,
        cx: &mut Context<'_>,
    ) -> Parsed {
        if let Some(entry) = self.open.first() {
            cx.tape.namespaces.leave(entry.scope);
        }
        self.continued = None;
        Parsed::Failed(EntryFailure {
            rule,
            at,
            read,
            failed,
        })
    }

    /// Continues at the next tag, if there is only white space before it that is not part of a value.
    fn skip_white_space(&mut self, text: &str) {
        if self.open.last().is_none_or(|open| self.is_in_value(open)) {
            return;
        }
        let next = skip_blank(text.as_bytes().part(self.at..));
        if next.first() == Some(&b'<') {
            self.at = text.len() - next.len();
        }
    }

    /// Returns `true` if white space matters here: between the parts of a value, or in a foreign element.
    fn is_in_value(&self, open: &OpenElement) -> bool {
        open.node > 0 && (self.keeps_space || self.pieces.len() > open.pieces)
    }

    /// A piece of text, which is dealt with at `end`.
    fn text(&mut self, span: Span, end: usize, kind: TextKind, cx: &mut Context<'_>) -> Next {
        self.at = end;
        let Some(open) = self.open.last().copied() else {
            return Next::Token;
        };
        let raw = span.of(cx.text);
        if open.node == 0 {
            let visible = raw.trim_start();
            if !visible.is_empty() {
                cx.note_text(Rule::StrayText, span);
                self.stray_at = Some(span.end() - visible.len());
            }
        } else if self.is_in_value(&open) || !skip_blank(raw.as_bytes()).is_empty() {
            let is_child = self.open.len() == 2;
            let piece = cx.decode(span, kind, |cx| match cx.tape.nodes.get(open.node) {
                Some(node) if is_child && is_loc(node, cx) => Effect::EntrySkipped,
                _ => Effect::Noted,
            });
            self.push(open.node, piece, cx.tape);
        }
        if self.pieces.len() + cx.tape.mixed.len() > MAX_NODES || cx.tape.is_full {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        Next::Token
    }

    /// Returns `true` between elements, `false` inside a value.
    fn is_between_elements(&self, cx: &Context<'_>) -> bool {
        let Some(open) = self.open.last() else {
            return false;
        };
        let Some(node) = cx.tape.nodes.get(open.node).filter(|_| open.node > 0) else {
            return true;
        };
        let vocabulary = cx.tape.namespaces.judgement(node.namespace).vocabulary;
        cx.tape.dialect == Dialect::Sitemap
            && cx.tape.kind == EntryKind::Url
            && vocabulary.holds_elements(cx.local_name(node))
    }

    /// A `<` that begins no markup is text, which is reported once per line.
    fn stray(&mut self, end: usize, cx: &mut Context<'_>) -> Next {
        let is_on_line = self.stray_at.is_some_and(|before| {
            let between = cx.text.as_bytes().part(before..self.at);
            memchr2(b'\n', b'\r', between).is_none()
        });
        if !is_on_line {
            let span = Span::new(self.at, end).trimmed(cx.text);
            cx.note(Rule::StrayText, span, quotable(span.of(cx.text)));
        }
        self.stray_at = Some(self.at);
        self.at = end;
        Next::Token
    }

    fn push(&mut self, node: usize, text: Value, tape: &Tape) {
        self.pieces.push(Piece {
            node: node as u32,
            before: tape.nodes.len() as u32,
            text,
        });
    }

    /// Reads a start tag in the entry, or the one that begins it, and pushes its element. A tag that cannot be in an
    /// entry ends it.
    fn start(&mut self, tag: &Tag, end: usize, cx: &mut Context<'_>) -> Next {
        let is_entry = self.open.is_empty();
        // The tag that begins an entry was classified when the entry was found.
        let class = if is_entry {
            Class::Other
        } else {
            classify(tag, cx.text, cx.tape)
        };
        if !is_entry && self.ends_before(class, cx.tape.dialect) {
            self.end_before(tag, class, cx);
            return Next::End(self.at);
        }
        let scope = cx.tape.namespaces.scope();
        let outside = cx.tape.namespaces.bytes();
        let (node, is_overfull) = read_tag(tag, self.at, cx);
        if is_entry && cx.tape.dialect == Dialect::Sitemap {
            check_namespace(&node, cx);
        }
        if self.open.len() > MAX_DEPTH {
            return Next::Fail(Rule::TooDeep, self.at);
        }
        if is_overfull || cx.tape.nodes.len() + cx.tape.attributes.len() >= MAX_NODES {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        if self.open.len() == 1 {
            self.keeps_space = is_carried_through(&node, cx);
        }
        let is_loc = self.open.len() == 1 && class == Class::Loc;
        self.has_loc |= is_loc;
        if node.broken {
            let effect = if is_entry || is_loc {
                Effect::EntrySkipped
            } else {
                Effect::ValueDropped
            };
            let span = Span::new(self.at, end);
            let found = quotable(span.of(cx.text));
            cx.report.flaw(Rule::MalformedMarkup, effect, span, found);
        }
        self.at = end;
        if is_entry {
            self.inside = cx.tape.namespaces.scope();
            self.declared = cx.tape.namespaces.bytes() - outside;
        }
        self.open.push(OpenElement {
            node: cx.tape.nodes.len(),
            scope,
            pieces: self.pieces.len(),
        });
        cx.tape.nodes.push(node);
        if tag.empty {
            self.close(cx)
        } else {
            Next::Token
        }
    }

    /// Returns `true` if such an element cannot be in an entry, so that the entry has ended before it.
    fn ends_before(&self, class: Class, dialect: Dialect) -> bool {
        match class {
            Class::Entry(_) | Class::Root(_) => true,
            Class::Loc => dialect == Dialect::Sitemap && self.open.len() == 1 && self.has_loc,
            Class::Other => false,
        }
    }

    /// The entry ends before this tag, which is read again as what it is: the start of the next entry or of another
    /// root, or a second loc, with which an entry begins that has none of this one's metadata.
    fn end_before(&mut self, tag: &Tag, class: Class, cx: &mut Context<'_>) {
        let name = tag.name.of(cx.text);
        let span = Span::new(self.at, tag.name.end());
        if class != Class::Loc {
            self.continued = None;
            cx.note(Rule::UnclosedEntry, span, name);
            return;
        }
        cx.note(Rule::SecondLoc, span, name);
        if self.continued.is_none() {
            let entry = cx.tape.nodes.first();
            let name = entry.map_or("", |entry| entry.name.of(cx.text)).to_owned();
            self.continued = Some(Continued {
                bytes: name.len() + self.declared,
                name,
                scope: self.inside,
            });
        }
        if let (Some(element), Some(open)) = (&self.continued, self.open.first_mut()) {
            open.scope = element.scope;
        }
    }

    /// Reads an end tag: it closes the innermost open element with its name. The end tag of the root ends an entry that
    /// is not closed.
    fn end(&mut self, name: Span, end: usize, root: &str, cx: &mut Context<'_>) -> Next {
        let written = name.of(cx.text);
        let tag = Span::new(self.at, name.end());
        let innermost = self.open.len().checked_sub(1);
        let level = match innermost {
            // In every well-formed entry.
            Some(level) if self.name(level, cx) == written => level,
            _ => match self.level(written, cx) {
                Some(level) => {
                    if Some(level) != innermost {
                        self.note_mismatch(written, tag, cx);
                    } else {
                        cx.note(Rule::WrongCase, tag, written);
                    }
                    level
                }
                None if ends_root(written, root) => {
                    let violation =
                        Violation::with_detail(Rule::UnclosedEntry, written, case::END_TAG);
                    cx.report.add(violation, Effect::Noted, tag);
                    self.continued = None;
                    return Next::End(self.at);
                }
                None => {
                    self.note_mismatch(written, tag, cx);
                    self.at = end;
                    return Next::Token;
                }
            },
        };
        self.at = end;
        while self.open.len() > level + 1 {
            self.close(cx);
        }
        self.close_innermost(cx)
    }

    /// The innermost element has come to its end tag.
    #[inline(always)]
    fn close_innermost(&mut self, cx: &mut Context<'_>) -> Next {
        if self.open.len() == 1 {
            self.continued = None;
        }
        self.close(cx)
    }

    /// Returns the open element that an end tag of this name closes.
    fn level(&self, written: &str, cx: &Context<'_>) -> Option<usize> {
        let key = |level: usize| Some(name_key(self.name(level, cx)));
        innermost_named(written, self.open.len(), key, |level| self.name(level, cx))
    }

    /// Reports an end tag that does not match the innermost open element.
    fn note_mismatch(&self, written: &str, tag: Span, cx: &mut Context<'_>) {
        let open = self.open.len().checked_sub(1);
        let open = open.map_or("", |level| self.name(level, cx));
        let violation = Violation::with_detail(Rule::MismatchedTag, written, &*shortened(open));
        cx.report.add(violation, Effect::Noted, tag);
    }

    /// The name of an open element as written.
    fn name<'t>(&'t self, level: usize, cx: &Context<'t>) -> &'t str {
        match (&self.continued, self.open.get(level)) {
            (Some(element), Some(open)) if open.node == 0 => &element.name,
            (_, Some(open)) => {
                let node = cx.tape.nodes.get(open.node);
                node.map_or("", |node| node.name.of(cx.text))
            }
            (_, None) => "",
        }
    }

    /// Closes the innermost element.
    fn close(&mut self, cx: &mut Context<'_>) -> Next {
        let Some(open) = self.open.pop() else {
            return Next::Token;
        };
        let has_children = cx.tape.nodes.len() > open.node + 1;
        match self.pieces.get(open.pieces..) {
            Some(pieces @ [_, ..]) if has_children => cx.tape.mixed.extend_from_slice(pieces),
            _ => {}
        }
        let text = cx.join(&mut self.pieces, open.pieces, !has_children);
        cx.tape.namespaces.leave(open.scope);
        let end = cx.tape.nodes.len() as u32;
        let Some(node) = cx.tape.nodes.get_mut(open.node) else {
            return Next::Token;
        };
        node.end = end;
        node.text = text;
        match self.open.len() {
            0 => return Next::End(self.at),
            1 if !node.broken => {
                let node = *node;
                if cx.is_own(&node) {
                    fill_slot(cx.local_name(&node), text, cx.tape);
                }
            }
            _ => {}
        }
        Next::Token
    }

    /// Closes what is still open where an entry ends without its end tag.
    fn finish(&mut self, cx: &mut Context<'_>) {
        while !self.open.is_empty() {
            self.close(cx);
        }
        feed::fill_slots(cx.text, cx.tape);
    }
}

/// Reports an entry of a sitemap in another namespace than the root's.
fn check_namespace(node: &Node, cx: &mut Context<'_>) {
    if cx.tape.relation(node) == Relation::Alike {
        let namespaces = &cx.tape.namespaces;
        cx.report
            .wrong_namespace(namespaces, node.namespace, "", node.tag());
    }
}

/// Returns `true` if a child of an entry is foreign: neither the sitemap's own nor an extension's.
fn is_carried_through(node: &Node, cx: &Context<'_>) -> bool {
    if cx.tape.dialect != Dialect::Sitemap || cx.is_own(node) {
        return false;
    }
    let vocabulary = cx.tape.namespaces.judgement(node.namespace).vocabulary;
    cx.tape.kind != EntryKind::Url || !vocabulary.has_extension(cx.local_name(node))
}

fn is_loc(node: &Node, cx: &Context<'_>) -> bool {
    cx.is_own(node) && cx.tape.dialect.is_loc(cx.local_name(node))
}

/// Stores the text of a child in the slot that the entry's accessors use; the first one that is not blank is used.
fn fill_slot(local: &str, text: Value, tape: &mut Tape) {
    if tape.dialect != Dialect::Sitemap {
        return;
    }
    // Also those that an entry of this kind does not have: a raw entry shows them.
    let Some(child) = BaseChild::named(local, EntryKind::Url) else {
        return;
    };
    let slot = tape.base.slot(child);
    if slot.is_empty() {
        *slot = text;
    }
}
