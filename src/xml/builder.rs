use crate::extension::claims_all;
use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::raw::EntryKind;
use crate::scan::skip_blank;
use crate::source::detect::boundary;
use crate::source::dialect::Dialect;
use crate::tape::{Node, Piece, Tape, Value};
use crate::violation::{Effect, Rule};
use crate::xml::namespace::Scope;
use crate::xml::reading::{Reading, decode, quote};
use crate::xml::tag::read_tag;
use crate::xml::text::Context;
use crate::xml::token::{Scanner, Tag, Token};

/// Reads one entry onto the tape, token by token; where the text ends in mid-entry it waits there for more.
#[derive(Debug)]
pub(crate) struct Builder {
    /// Where the next token begins, counted, as everything here, from the start of the entry.
    pub(super) at: usize,
    /// Up to there, from `at` on, there is nothing but white space.
    blank_until: usize,
    /// Behind the entry's start tag: from there on the next entry is looked for if this one fails.
    body: usize,
    pub(super) open: Vec<Open>,
    /// Texts of open elements, the innermost's last; joined when their element ends.
    pub(super) pieces: Vec<Piece>,
    has_loc: bool,
    skipped: bool,
    /// In the child at hand white space between elements is kept: it is carried through as it is.
    keeps_space: bool,
    /// The namespaces that the entry's start tag has declared, and those outside of it.
    inside: Scope,
    /// Bytes of names and namespaces that the start tag has added to those outside.
    declared: usize,
    /// What goes on in the next entry, where this one ends at a second `<loc>`, or began at one.
    pub(super) continued: Option<Continued>,
    /// The root element's name as written.
    pub(super) root: String,
}

/// An element that has more than one `<loc>`: what it says of itself holds for every entry in it.
#[derive(Debug)]
pub(super) struct Continued {
    /// Its name as written.
    pub(super) name: String,
    kind: EntryKind,
    /// With the namespaces that its start tag declares.
    scope: Scope,
    /// Bytes kept for it.
    bytes: usize,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub(super) node: usize,
    pub(super) scope: Scope,
    pub(super) pieces: usize,
}

/// What has become of the entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Built {
    /// It is on the tape, and ends there. `skipped`: its markup costs it.
    Complete { end: usize, skipped: bool },
    /// It can't be read.
    Failed(Failure),
    /// More text is needed.
    Waiting,
}

/// Why an entry can't be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) rule: Rule,
    /// Where that shows.
    pub(crate) at: usize,
    /// The next entry may begin anywhere behind this.
    pub(crate) body: usize,
    /// All tokens up to there have been looked at, and nothing behind it has been reported.
    pub(crate) read: usize,
    /// What was looked at ends there.
    pub(crate) failed: usize,
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
            blank_until: 0,
            body: 0,
            open: Vec::new(),
            pieces: Vec::new(),
            has_loc: false,
            skipped: false,
            keeps_space: false,
            inside: Scope::default(),
            declared: 0,
            continued: None,
            root: String::new(),
        }
    }

    /// An entry begins at the start of the text.
    pub(crate) fn begin(&mut self, kind: EntryKind, dialect: Dialect, tape: &mut Tape) {
        tape.clear();
        tape.kind = kind;
        tape.dialect = dialect;
        self.at = 0;
        self.blank_until = 0;
        self.body = 0;
        self.has_loc = false;
        self.skipped = false;
        self.keeps_space = false;
        self.open.clear();
        self.pieces.clear();
        if self.continued.is_some() {
            let scope = tape.namespaces.scope();
            tape.nodes.push(Node::EMPTY);
            self.open.push(Open {
                node: 0,
                scope,
                pieces: 0,
            });
        }
    }

    /// The kind of the entry that begins now, if it is the rest of an element that had two locs.
    pub(crate) fn continued_kind(&self) -> Option<EntryKind> {
        Some(self.continued.as_ref()?.kind)
    }

    /// The namespaces that hold for it, declared by the element's start tag.
    pub(crate) fn continued_scope(&self) -> Option<Scope> {
        Some(self.continued.as_ref()?.scope)
    }

    /// Bytes that are kept of an element that had two locs: so many fewer it may have from there on.
    pub(crate) fn kept(&self) -> usize {
        self.continued.as_ref().map_or(0, |element| element.bytes)
    }

    pub(crate) fn set_root(&mut self, name: &str) {
        self.root.clear();
        self.root.push_str(name);
    }

    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    pub(crate) fn build(&mut self, scanner: &mut Scanner, r: &mut Reading<'_>) -> Built {
        loop {
            self.pass_blank(r.text);
            let Some(token) = scanner.token(r.text, self.at) else {
                if r.text.len() > r.max_bytes {
                    return self.too_large(r);
                }
                return Built::Waiting;
            };
            if token.end() > r.max_bytes {
                return self.too_large(r);
            }
            let begun = self.at;
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
                    let failed = token.end().max(begun + 1);
                    return self.fail(rule, at, failed, failed, r);
                }
            }
        }
    }

    /// The token at hand ends behind the bound.
    fn too_large(&mut self, r: &mut Reading<'_>) -> Built {
        let within = boundary(r.text, r.max_bytes);
        self.fail(Rule::EntryTooLarge, 0, self.at, within, r)
    }

    fn fail(
        &mut self,
        rule: Rule,
        at: usize,
        read: usize,
        failed: usize,
        r: &mut Reading<'_>,
    ) -> Built {
        if let Some(entry) = self.open.first() {
            r.tape.namespaces.leave(entry.scope);
        }
        self.continued = None;
        Built::Failed(Failure {
            rule,
            at,
            // A start tag that is broken itself has no end; what follows its `<` is looked at.
            body: self.body.max(1),
            read,
            failed,
        })
    }

    /// Goes on to the next tag, if there is only white space before it that is no part of a value.
    fn pass_blank(&mut self, text: &str) {
        let in_value = self.open.last().is_none_or(|open| self.is_in_value(open));
        if in_value {
            return;
        }
        let from = self.at.max(self.blank_until);
        let next = skip_blank(text.as_bytes().get(from..).unwrap_or_default());
        self.blank_until = text.len() - next.len();
        if next.first() == Some(&b'<') {
            self.at = self.blank_until;
        }
    }

    /// Whether white space matters here: between the parts of a value, or of what is carried through.
    fn is_in_value(&self, open: &Open) -> bool {
        open.node > 0 && (self.keeps_space || self.pieces.len() > open.pieces)
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
        if open.node == 0 {
            let at = span.0 + raw.len() - raw.trim_start().len();
            if !raw.trim().is_empty() {
                r.report
                    .flaw(Rule::StrayText, Effect::Noted, at, quote(raw));
            }
            return;
        }
        if !self.is_in_value(&open) && skip_blank(raw.as_bytes()).is_empty() {
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
        let outside = r.tape.namespaces.bytes();
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
        if self.open.len() == 1 {
            self.keeps_space = !own && keeps_space(r.tape, &node, local);
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
        if self.open.is_empty() {
            self.inside = r.tape.namespaces.scope();
            self.declared = r.tape.namespaces.bytes() - outside;
        }
        self.open.push(Open {
            node: r.tape.nodes.len(),
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
            let name = name.unwrap_or_default().to_owned();
            self.continued = Some(Continued {
                bytes: name.len() + self.declared,
                name,
                kind: r.tape.kind,
                scope: self.inside,
            });
        }
        if let (Some(element), Some(open)) = (&self.continued, self.open.first_mut()) {
            open.scope = element.scope;
        }
    }
}

/// Whether a child of an entry that is not the sitemap's own may be carried through as it is: it is no extension's.
fn keeps_space(tape: &Tape, node: &Node, local: &str) -> bool {
    tape.dialect == Dialect::Sitemap
        && (tape.kind == EntryKind::Sitemap || !claims_all(tape.namespace(node), local))
}
