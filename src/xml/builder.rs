use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::raw::EntryKind;
use crate::scan::skip_blank;
use crate::source::detect::name_at;
use crate::source::dialect::Dialect;
use crate::tape::{Node, Piece, Tape, Value};
use crate::violation::{Effect, Rule};
use crate::xml::namespace::Scope;
use crate::xml::reading::{Reading, decode, quote};
use crate::xml::tag::read_tag;
use crate::xml::text::Context;
use crate::xml::token::{Scanner, Tag, Token, name_key};

/// Reads one entry onto the tape, token by token; where the text ends in mid-entry it waits there for more.
#[derive(Debug)]
pub(crate) struct Builder {
    /// Where the next token begins, counted, as everything here, from the start of the entry.
    pub(super) at: usize,
    /// Behind the entry's start tag: from there on the next entry is looked for if this one fails.
    body: usize,
    pub(super) open: Vec<Open>,
    /// Texts of open elements, the innermost's last; joined when their element ends.
    pub(super) pieces: Vec<Piece>,
    has_loc: bool,
    skipped: bool,
    /// The element's name where the entry began at its second `<loc>`.
    pub(super) continued: Option<String>,
    /// The root element's local name.
    pub(super) root: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) node: usize,
    /// That of its name.
    pub(super) key: u64,
    pub(super) scope: Scope,
    pub(super) pieces: usize,
}

/// What has become of the entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Built {
    /// It is on the tape, and ends there. `skipped`: its markup costs it.
    Complete { end: usize, skipped: bool },
    /// It can't be read; the next entry may begin anywhere behind `body`. What was looked at ends at `failed`.
    Failed { body: usize, failed: usize },
    /// More text is needed.
    Waiting,
}

pub(super) enum Next {
    Go,
    /// The entry ends there.
    End(usize),
    Fail(Rule, usize),
}

impl Builder {
    pub(crate) fn new() -> Self {
        Self {
            at: 0,
            body: 0,
            open: Vec::new(),
            pieces: Vec::new(),
            has_loc: false,
            skipped: false,
            continued: None,
            root: "",
        }
    }

    /// An entry begins at the start of the text.
    pub(crate) fn begin(&mut self, kind: EntryKind, dialect: Dialect, tape: &mut Tape) {
        tape.clear();
        tape.kind = kind;
        tape.dialect = dialect;
        self.at = 0;
        self.body = 0;
        self.has_loc = false;
        self.skipped = false;
        self.open.clear();
        self.pieces.clear();
        if let Some(name) = &self.continued {
            let scope = tape.namespaces.scope();
            tape.nodes.push(Node::EMPTY);
            self.open.push(Open {
                node: 0,
                key: name_key(name),
                scope,
                pieces: 0,
            });
        }
    }

    /// Whether the entry that begins now is the rest of one that had two locs.
    pub(crate) fn is_continued(&self) -> bool {
        self.continued.is_some()
    }

    /// Makes this the local name whose end tag ends the entry too.
    pub(crate) fn set_root(&mut self, name: &'static str) {
        self.root = name;
    }

    pub(crate) fn root(&self) -> &'static str {
        self.root
    }

    pub(crate) fn build(&mut self, scanner: &mut Scanner, r: &mut Reading<'_>) -> Built {
        loop {
            self.pass_blank(r.text);
            let Some(token) = scanner.token(r.text, self.at) else {
                if r.text.len() > r.max_bytes {
                    return self.fail(Rule::EntryTooLarge, 0, r.max_bytes, r);
                }
                return Built::Waiting;
            };
            if token.end() > r.max_bytes {
                return self.fail(Rule::EntryTooLarge, 0, r.max_bytes, r);
            }
            // By reference: to move a tag that was just put together takes as long as to find it.
            let next = match &token {
                &Token::Text { end } => {
                    self.text((self.at, end), Context::Content, r);
                    self.behind_text(end, r)
                }
                &Token::CData { text, end } => {
                    self.text(text, Context::CData, r);
                    self.behind_text(end, r)
                }
                &(Token::Comment { end } | Token::Pi { end }) => {
                    self.at = end;
                    Next::Go
                }
                Token::Start(tag) => self.start(tag, r),
                &Token::End { name, end } => self.end(name, end, r),
                Token::Malformed { .. } | Token::Doctype => {
                    Next::Fail(Rule::MalformedMarkup, self.at)
                }
            };
            match next {
                Next::Go => {}
                Next::End(end) => {
                    self.finish(r);
                    return Built::Complete {
                        end,
                        skipped: self.skipped,
                    };
                }
                Next::Fail(rule, at) => {
                    let failed = token.end().max(self.at + 1);
                    return self.fail(rule, at, failed, r);
                }
            }
        }
    }

    fn fail(&mut self, rule: Rule, at: usize, failed: usize, r: &mut Reading<'_>) -> Built {
        let found = match rule {
            Rule::MalformedMarkup => quote(r.slice((at, failed))),
            Rule::TooDeep => name_at(r.text, at + 1),
            _ => r.tape.kind.element(),
        };
        r.report.flaw(rule, Effect::EntrySkipped, at, found);
        if let Some(entry) = self.open.first() {
            r.tape.namespaces.leave(entry.scope);
        }
        self.continued = None;
        Built::Failed {
            // A start tag that is broken itself has no end; what follows its `<` is looked at.
            body: self.body.max(1),
            failed,
        }
    }

    /// Goes on to the next tag, if there is only white space before it that is no part of a value.
    fn pass_blank(&mut self, text: &str) {
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

    fn behind_text(&mut self, end: usize, r: &Reading<'_>) -> Next {
        self.at = end;
        if self.pieces.len() + r.tape.mixed.len() > MAX_NODES {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        Next::Go
    }

    fn text(&mut self, span: (usize, usize), context: Context, r: &mut Reading<'_>) {
        let Some(open) = self.open.last().copied() else {
            return;
        };
        let raw = r.slice(span);
        if raw.bytes().all(|b| b.is_ascii_whitespace()) {
            // What is blank can only matter between the parts of a value.
            if self.pieces.len() > open.pieces {
                self.push(open.node, Value::in_window(span.0, span.1), r);
            }
            return;
        }
        if open.node == 0 {
            let at = span.0 + raw.len() - raw.trim_start().len();
            if !raw.trim().is_empty() {
                r.report
                    .flaw(Rule::StrayText, Effect::Noted, at, quote(raw));
            }
            return;
        }
        let cost = match r.tape.nodes.get(open.node) {
            Some(node) if self.open.len() == 2 && self.is_loc(node, r) => Effect::EntrySkipped,
            _ => Effect::Noted,
        };
        let (piece, spoiled) = decode(span, context, cost, r);
        self.skipped |= spoiled;
        self.push(open.node, piece, r);
    }

    fn push(&mut self, node: usize, text: Value, r: &Reading<'_>) {
        self.pieces.push(Piece {
            node: node as u32,
            before: r.tape.nodes.len() as u32,
            text,
        });
    }

    fn is_loc(&self, node: &Node, r: &Reading<'_>) -> bool {
        r.is_own(node) && r.dialect.is_loc(r.local_name(node))
    }

    fn start(&mut self, tag: &Tag, r: &mut Reading<'_>) -> Next {
        let at = self.at;
        let scope = r.tape.namespaces.scope();
        let mark = r.report.mark();
        let (node, attributes) = read_tag(tag, at, r);
        let local = r.local_name(&node);
        let own = r.is_own(&node);
        if !self.open.is_empty() && own {
            let second_loc =
                self.open.len() == 1 && self.has_loc && r.dialect.ends_at_second(local);
            if second_loc || r.dialect.entry(local).is_some() || r.dialect.is_root(local) {
                r.tape.attributes.truncate(node.attributes.0 as usize);
                r.report.rewind(mark);
                r.tape.namespaces.leave(scope);
                if second_loc {
                    self.second_loc(tag, r);
                } else {
                    self.continued = None;
                    let name = r.slice(tag.name);
                    r.report.flaw(Rule::UnclosedEntry, Effect::Noted, at, name);
                }
                return Next::End(at);
            }
        }
        if self.open.len() > MAX_DEPTH {
            return Next::Fail(Rule::TooDeep, at);
        }
        if attributes.too_many || r.tape.nodes.len() + r.tape.attributes.len() >= MAX_NODES {
            return Next::Fail(Rule::EntryTooLarge, 0);
        }
        let is_loc = self.open.len() == 1 && own && r.dialect.is_loc(local);
        self.has_loc |= is_loc;
        if node.broken {
            let costs_entry = self.open.is_empty() || is_loc;
            let effect = if costs_entry {
                Effect::EntrySkipped
            } else {
                Effect::ValueDropped
            };
            self.skipped |= costs_entry;
            let found = quote(r.slice((at, tag.end)));
            r.report.flaw(Rule::MalformedMarkup, effect, at, found);
        }
        self.at = tag.end;
        if self.body == 0 {
            self.body = tag.end;
        }
        self.open.push(Open {
            node: r.tape.nodes.len(),
            key: name_key(r.slice(tag.name)),
            scope,
            pieces: self.pieces.len(),
        });
        r.tape.nodes.push(node);
        if tag.empty { self.close(r) } else { Next::Go }
    }

    /// The entry ends here, and another begins with this loc and none of the first's metadata.
    fn second_loc(&mut self, tag: &Tag, r: &mut Reading<'_>) {
        let name = r.slice(tag.name);
        r.report.flaw(Rule::SecondLoc, Effect::Noted, self.at, name);
        if self.continued.is_none() {
            let name = r.tape.nodes.first().map(|node| r.slice(node.full_name()));
            self.continued = Some(name.unwrap_or_default().to_owned());
        }
    }
}
