//! One entry of an XML document, read onto the tape.

use crate::dialect::{Dialect, ends_root};
use crate::format::EntryKind;
use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::parse::context::{Context, quote};
use crate::parse::feed;
use crate::parse::tag::{Class, ReadTag, classify, read_tag};
use crate::search::skip_blank;
use crate::span::Span;
use crate::tape::{Node, Piece, Tape, Value};
use crate::violation::{Effect, Rule};
use crate::xml::lexer::{Lexer, Tag, Token, name_at};
use crate::xml::namespaces::{Relation, Scope};
use crate::xml::references;

/// Reads an entry onto the tape, token by token. Where the text ends in mid-entry it waits behind the last complete
/// token, so that an entry that comes in small pieces is not read again from its start.
#[derive(Debug)]
pub(crate) struct EntryParser {
    /// Where the next token begins. Everything here counts from the start of the entry.
    at: usize,
    /// Behind the entry's start tag: from there on the next entry is looked for if this one fails.
    body: usize,
    /// The elements that are open, the entry first.
    open: Vec<OpenElement>,
    /// Texts of open elements, the innermost's last; joined when their element ends.
    pieces: Vec<Piece>,
    has_loc: bool,
    /// The name of the entry's element as written, if the entry begins with the second `<loc>` of the one before and
    /// so has no start tag.
    continued: Option<String>,
}

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    /// Its index on the tape.
    node: usize,
    /// The namespaces that are in effect around it.
    scope: Scope,
    /// How many pieces of text there were before it.
    pieces: usize,
}

/// What has become of the entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// It is on the tape, and ends there.
    Complete { end: usize },
    /// It can't be read; the next entry may begin anywhere behind `body`. What was looked at ends at `failed`.
    Failed { body: usize, failed: usize },
    /// More text is needed.
    Waiting,
}

/// What follows a token.
enum Next {
    Token,
    /// The entry ends there.
    End(usize),
    /// It can't be read, for something that stands there.
    Fail(Rule, usize),
}

impl EntryParser {
    pub(crate) fn new() -> Self {
        Self {
            at: 0,
            body: 0,
            open: Vec::new(),
            pieces: Vec::new(),
            has_loc: false,
            continued: None,
        }
    }

    /// An entry begins at the start of the text.
    pub(crate) fn begin(&mut self, kind: EntryKind, tape: &mut Tape) {
        tape.clear();
        tape.kind = kind;
        self.at = 0;
        self.body = 0;
        self.has_loc = false;
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

    /// Whether the entry that begins now is the rest of one that had two locs.
    pub(crate) fn is_continued(&self) -> bool {
        self.continued.is_some()
    }

    /// Reads on. `root` is the name of the root that the entry stands in.
    pub(crate) fn parse(&mut self, lexer: &mut Lexer, root: &str, cx: &mut Context<'_>) -> Parsed {
        loop {
            self.skip_white_space(cx.text);
            let Some(token) = lexer.token(cx.text, self.at) else {
                if cx.text.len() > cx.max_entry_bytes {
                    return self.fail(Rule::EntryTooLarge, 0, cx.max_entry_bytes, cx);
                }
                return Parsed::Waiting;
            };
            if token.end() > cx.max_entry_bytes {
                return self.fail(Rule::EntryTooLarge, 0, cx.max_entry_bytes, cx);
            }
            // By reference: to move a tag that was just put together takes as long as to find it.
            let next = match &token {
                &Token::Text { end } => {
                    let text = Span::new(self.at, end);
                    self.text(text, end, references::Context::Content, cx)
                }
                &Token::CData { text, end } => self.text(text, end, references::Context::CData, cx),
                &(Token::Comment { end } | Token::Pi { end }) => {
                    self.at = end;
                    Next::Token
                }
                Token::Start(tag) => self.start(tag, cx),
                &Token::End { name, end } => self.end(name, end, root, cx),
                Token::Malformed { .. } | Token::Doctype => {
                    Next::Fail(Rule::MalformedMarkup, self.at)
                }
            };
            match next {
                Next::Token => {}
                Next::End(end) => {
                    self.finish(cx);
                    return Parsed::Complete { end };
                }
                Next::Fail(rule, at) => {
                    let failed = token.end().max(self.at + 1);
                    return self.fail(rule, at, failed, cx);
                }
            }
        }
    }

    fn fail(&mut self, rule: Rule, at: usize, failed: usize, cx: &mut Context<'_>) -> Parsed {
        let found = match rule {
            Rule::MalformedMarkup => quote(Span::new(at, failed).of(cx.text)),
            Rule::TooDeep => name_at(cx.text, at + 1),
            _ => cx.tape.kind.element(),
        };
        cx.report.flaw(rule, Effect::EntrySkipped, at, found);
        if let Some(entry) = self.open.first() {
            cx.tape.namespaces.leave(entry.scope);
        }
        self.continued = None;
        Parsed::Failed {
            // A start tag that is broken itself has no end; what follows its `<` is looked at.
            body: self.body.max(1),
            failed,
        }
    }

    /// Goes on to the next tag, if there is only white space before it that is no part of a value.
    fn skip_white_space(&mut self, text: &str) {
        let in_value = self
            .open
            .last()
            .is_none_or(|open| self.pieces.len() > open.pieces);
        let rest = text.as_bytes().get(self.at..).unwrap_or_default();
        let next = skip_blank(rest);
        if !in_value && next.first() == Some(&b'<') {
            self.at += rest.len() - next.len();
        }
    }

    /// A piece of text, which is dealt with at `end`.
    fn text(
        &mut self,
        span: Span,
        end: usize,
        kind: references::Context,
        cx: &mut Context<'_>,
    ) -> Next {
        self.at = end;
        let Some(open) = self.open.last().copied() else {
            return Next::Token;
        };
        let raw = span.of(cx.text);
        if raw.bytes().all(|b| b.is_ascii_whitespace()) {
            // What is blank can only matter between the parts of a value.
            if self.pieces.len() > open.pieces {
                self.push(open.node, Value::in_window(span), cx.tape);
            }
        } else if open.node == 0 {
            let visible = raw.trim_start();
            if !visible.is_empty() {
                let at = span.end() - visible.len();
                cx.note(Rule::StrayText, at, quote(visible));
            }
        } else {
            let cost = match cx.tape.nodes.get(open.node) {
                Some(node) if self.open.len() == 2 && is_loc(node, cx) => Effect::EntrySkipped,
                _ => Effect::Noted,
            };
            let piece = cx.decode(span, kind, cost);
            self.push(open.node, piece, cx.tape);
        }
        if self.pieces.len() + cx.tape.mixed.len() > MAX_NODES {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        Next::Token
    }

    fn push(&mut self, node: usize, text: Value, tape: &Tape) {
        self.pieces.push(Piece {
            node: node as u32,
            before: tape.nodes.len() as u32,
            text,
        });
    }

    fn start(&mut self, tag: &Tag, cx: &mut Context<'_>) -> Next {
        let class = classify(tag, cx.text, cx.tape);
        if !self.open.is_empty() && self.ends_before(class, cx.tape.dialect) {
            self.end_before(tag, class, cx);
            return Next::End(self.at);
        }
        let scope = cx.tape.namespaces.scope();
        let ReadTag { node, is_overfull } = read_tag(tag, self.at, cx);
        let is_entry = self.open.is_empty();
        if is_entry && cx.tape.dialect == Dialect::Sitemap {
            check_namespace(&node, cx);
        }
        if self.open.len() > MAX_DEPTH {
            return Next::Fail(Rule::TooDeep, self.at);
        }
        if is_overfull || cx.tape.nodes.len() + cx.tape.attributes.len() >= MAX_NODES {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        let is_loc = self.open.len() == 1 && class == Class::Loc;
        self.has_loc |= is_loc;
        if node.broken {
            let effect = if is_entry || is_loc {
                Effect::EntrySkipped
            } else {
                Effect::ValueDropped
            };
            let found = quote(Span::new(self.at, tag.end).of(cx.text));
            cx.report
                .flaw(Rule::MalformedMarkup, effect, self.at, found);
        }
        self.at = tag.end;
        if self.body == 0 {
            self.body = tag.end;
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

    /// Whether such an element can't stand in an entry, which so has ended before it.
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
        if class != Class::Loc {
            self.continued = None;
            cx.note(Rule::UnclosedEntry, self.at, name);
            return;
        }
        cx.note(Rule::SecondLoc, self.at, name);
        if self.continued.is_none() {
            let entry = cx.tape.nodes.first();
            let name = entry.map_or("", |entry| entry.name.of(cx.text));
            self.continued = Some(name.to_owned());
        }
    }

    fn end(&mut self, name: Span, end: usize, root: &str, cx: &mut Context<'_>) -> Next {
        let written = name.of(cx.text);
        let innermost = self.open.len().checked_sub(1);
        let level = match innermost {
            // Nearly always.
            Some(level) if self.name(level, cx) == written => level,
            _ => match self.level(written, cx) {
                Some(level) => {
                    if Some(level) != innermost {
                        cx.note(Rule::MismatchedTag, self.at, written);
                    } else {
                        cx.note(Rule::WrongCase, self.at, written);
                    }
                    level
                }
                None if ends_root(written, root) => {
                    cx.note(Rule::UnclosedEntry, self.at, written);
                    self.continued = None;
                    return Next::End(self.at);
                }
                None => {
                    cx.note(Rule::MismatchedTag, self.at, written);
                    self.at = end;
                    return Next::Token;
                }
            },
        };
        self.at = end;
        while self.open.len() > level + 1 {
            self.close(cx);
        }
        if level == 0 {
            self.continued = None;
        }
        self.close(cx)
    }

    /// Which open element an end tag of this name closes: the innermost of exactly that name, else in any case.
    fn level(&self, written: &str, cx: &Context<'_>) -> Option<usize> {
        let inside_out = || (0..self.open.len()).rev();
        inside_out()
            .find(|level| self.name(*level, cx) == written)
            .or_else(|| inside_out().find(|l| self.name(*l, cx).eq_ignore_ascii_case(written)))
    }

    /// The name of an open element as written.
    fn name<'t>(&'t self, level: usize, cx: &Context<'t>) -> &'t str {
        match (&self.continued, self.open.get(level)) {
            (Some(name), Some(open)) if open.node == 0 => name,
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
        if let Some(pieces) = self.pieces.get(open.pieces..).filter(|_| has_children) {
            cx.tape.mixed.extend_from_slice(pieces);
        }
        let text = cx.join(&mut self.pieces, open.pieces);
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

/// Notes an entry of a sitemap in another namespace than the root's.
fn check_namespace(node: &Node, cx: &mut Context<'_>) {
    if cx.tape.relation(node) == Relation::Alike {
        let namespaces = &cx.tape.namespaces;
        let (key, uri) = (
            namespaces.key(node.namespace),
            namespaces.uri(node.namespace),
        );
        cx.report.wrong_namespace(key, uri, node.at as usize);
    }
}

fn is_loc(node: &Node, cx: &Context<'_>) -> bool {
    cx.is_own(node) && cx.tape.dialect.is_loc(cx.local_name(node))
}

/// Puts the text of a child where the entry's accessors look for it; the first that isn't blank counts.
fn fill_slot(local: &str, text: Value, tape: &mut Tape) {
    if tape.dialect != Dialect::Sitemap {
        return;
    }
    let slot = match local {
        "loc" => &mut tape.loc,
        "lastmod" => &mut tape.lastmod,
        "changefreq" => &mut tape.changefreq,
        "priority" => &mut tape.priority,
        _ if local.eq_ignore_ascii_case("loc") => &mut tape.loc,
        _ if local.eq_ignore_ascii_case("lastmod") => &mut tape.lastmod,
        _ if local.eq_ignore_ascii_case("changefreq") => &mut tape.changefreq,
        _ if local.eq_ignore_ascii_case("priority") => &mut tape.priority,
        _ => return,
    };
    if slot.is_empty() {
        *slot = text;
    }
}
