use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::raw::EntryKind;
use crate::report::Report;
use crate::source::dialect::Dialect;
use crate::source::feed::fill_slots;
use crate::tape::{AttributeSpan, Node, Piece, Tape, Value};
use crate::violation::{Effect, QUOTED, Rule};
use crate::xml::attributes::{BrokenAttribute, SpeltAttribute, SpeltAttributes, has_duplicates};
use crate::xml::namespace::{NsId, Scope, Vocabulary};
use crate::xml::text::{Context, Decoding};
use crate::xml::token::{Scanner, Tag, Token};

/// Reads one entry onto the tape, token by token; where the text ends in mid-entry it waits there for more.
#[derive(Debug)]
pub(crate) struct Builder {
    /// Where the next token begins, counted, as everything here, from the start of the entry.
    at: usize,
    /// Behind the entry's start tag: from there on the next entry is looked for if this one fails.
    body: usize,
    open: Vec<Open>,
    /// Texts of open elements, the innermost's last; joined when their element ends.
    pieces: Vec<Piece>,
    has_loc: bool,
    skipped: bool,
    /// The element's name where the entry began at its second `<loc>`.
    continued: Option<String>,
    /// The root element's name as written.
    root: String,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    node: usize,
    scope: Scope,
    pieces: usize,
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

/// What an entry is read from and to.
pub(crate) struct Reading<'a> {
    pub(crate) text: &'a str,
    /// Whether the window holds characters that XML forbids.
    pub(crate) dirty: bool,
    pub(crate) tape: &'a mut Tape,
    pub(crate) report: &'a mut Report,
    pub(crate) dialect: Dialect,
    pub(crate) max_bytes: usize,
}

impl<'a> Reading<'a> {
    pub(crate) fn slice(&self, (start, end): (usize, usize)) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(crate) fn local_name(&self, node: &Node) -> &'a str {
        self.slice((node.local as usize, node.name_end as usize))
    }

    /// Whether the element is one of the sitemap's (the feed's) own.
    pub(crate) fn is_own(&self, node: &Node) -> bool {
        matches!(
            self.tape.vocabulary(node),
            Vocabulary::Base | Vocabulary::NearlyBase
        )
    }
}

enum Next {
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
            root: String::new(),
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
        if self.continued.is_some() {
            let scope = tape.namespaces.scope();
            tape.nodes.push(EMPTY_NODE);
            self.open.push(Open {
                node: 0,
                scope,
                pieces: 0,
            });
        }
    }

    /// Whether the entry that begins now is the rest of one that had two locs.
    pub(crate) fn is_continued(&self) -> bool {
        self.continued.is_some()
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
            let Some(token) = scanner.token(r.text, self.at) else {
                if r.text.len() > r.max_bytes {
                    return self.fail(Rule::EntryTooLarge, 0, r.max_bytes, r);
                }
                return Built::Waiting;
            };
            if token.end() > r.max_bytes {
                return self.fail(Rule::EntryTooLarge, 0, r.max_bytes, r);
            }
            let next = match token {
                Token::Text { end } => {
                    self.text((self.at, end), Context::Content, r);
                    self.at = end;
                    Next::Go
                }
                Token::CData { text: span, end } => {
                    self.text(span, Context::CData, r);
                    self.at = end;
                    Next::Go
                }
                Token::Comment { end } | Token::Pi { end } => {
                    self.at = end;
                    Next::Go
                }
                Token::Start(tag) => self.start(&tag, r),
                Token::End { name, end } => self.end(name, end, r),
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
        let (node, attributes) = read_tag(tag, at, r);
        let local = r.local_name(&node);
        let own = r.is_own(&node);
        if !self.open.is_empty() && own {
            let second_loc =
                self.open.len() == 1 && self.has_loc && r.dialect.ends_at_second(local);
            if second_loc || r.dialect.entry(local).is_some() || r.dialect.is_root(local) {
                r.tape.attributes.truncate(node.attributes.0 as usize);
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

    fn end(&mut self, name: (usize, usize), end: usize, r: &mut Reading<'_>) -> Next {
        let written = r.slice(name);
        let Some(level) = self.level(written, r) else {
            if r.dialect.ends_root(written, &self.root) {
                r.report
                    .flaw(Rule::UnclosedEntry, Effect::Noted, self.at, written);
                self.continued = None;
                return Next::End(self.at);
            }
            r.report
                .flaw(Rule::MismatchedTag, Effect::Noted, self.at, written);
            self.at = end;
            return Next::Go;
        };
        if level + 1 != self.open.len() {
            r.report
                .flaw(Rule::MismatchedTag, Effect::Noted, self.at, written);
        }
        self.at = end;
        while self.open.len() > level + 1 {
            self.close(r);
        }
        if level == 0 {
            self.continued = None;
        }
        self.close(r)
    }

    /// Which open element an end tag of this name closes: the innermost of exactly that name, else in any case.
    fn level(&self, written: &str, r: &Reading<'_>) -> Option<usize> {
        let name = |open: &Open| match &self.continued {
            Some(name) if open.node == 0 => name.as_str(),
            _ => r
                .tape
                .nodes
                .get(open.node)
                .map_or("", |node| r.slice(node.full_name())),
        };
        let in_any_case = |open: &Open| name(open).eq_ignore_ascii_case(written);
        self.open
            .iter()
            .rposition(|open| name(open) == written)
            .or_else(|| self.open.iter().rposition(in_any_case))
    }

    /// Closes the innermost element.
    fn close(&mut self, r: &mut Reading<'_>) -> Next {
        let Some(open) = self.open.pop() else {
            return Next::Go;
        };
        let has_children = r.tape.nodes.len() > open.node + 1;
        if let Some(pieces) = self.pieces.get(open.pieces..).filter(|_| has_children) {
            r.tape.mixed.extend_from_slice(pieces);
        }
        let text = join(&mut self.pieces, open.pieces, r);
        r.tape.namespaces.leave(open.scope);
        let end = r.tape.nodes.len() as u32;
        let Some(node) = r.tape.nodes.get_mut(open.node) else {
            return Next::Go;
        };
        node.end = end;
        node.text = text;
        let node = *node;
        match self.open.len() {
            0 => return Next::End(self.at),
            1 if !node.broken && r.is_own(&node) => {
                r.dialect.fill_slot(r.local_name(&node), text, r.tape);
            }
            _ => {}
        }
        Next::Go
    }

    /// Closes what is still open where an entry ends without its end tag.
    fn finish(&mut self, r: &mut Reading<'_>) {
        while !self.open.is_empty() {
            self.close(r);
        }
        fill_slots(r.dialect, r.text, r.tape);
    }
}

const EMPTY_NODE: Node = Node {
    at: 0,
    name: 0,
    name_end: 0,
    local: 0,
    text: Value::NONE,
    attributes: (0, 0),
    end: 0,
    namespace: NsId::NONE,
    undeclared: false,
    broken: false,
};

/// What was odd about the attributes of a tag.
pub(crate) struct AttributeFindings {
    /// More than may be declared at one place.
    pub(crate) too_many: bool,
}

/// Reads a start tag: attributes go on the tape, declarations take effect, the name is resolved.
pub(crate) fn read_tag(tag: &Tag, at: usize, r: &mut Reading<'_>) -> (Node, AttributeFindings) {
    let name = r.slice(tag.name);
    let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
    let local = tag.name.0 + prefix.len() + usize::from(name.contains(':'));
    let first = r.tape.attributes.len();
    let mut findings = AttributeFindings { too_many: false };
    let mut broken = false;
    if tag.attributes.0 < tag.attributes.1 {
        for attribute in SpeltAttributes::new(r.text, tag) {
            match attribute {
                Ok(attribute) => findings.too_many |= !read_attribute(&attribute, r),
                Err(BrokenAttribute) => broken = true,
            }
            if r.tape.attributes.len() >= MAX_NODES {
                findings.too_many = true;
                break;
            }
        }
    }
    let own = r.tape.attributes.get(first..).unwrap_or_default();
    broken |= has_duplicates(own, r.text);
    for index in first..r.tape.attributes.len() {
        resolve_attribute(index, r);
    }
    let namespaces = &mut r.tape.namespaces;
    let declared = namespaces.resolve(prefix);
    let namespace = declared.unwrap_or_else(|| {
        let meant = crate::extension::conventional_namespace(prefix);
        namespaces.intern(meant.unwrap_or_default())
    });
    let node = Node {
        at: at as u32,
        name: tag.name.0 as u32,
        name_end: tag.name.1 as u32,
        local: local as u32,
        text: Value::NONE,
        attributes: (first as u32, r.tape.attributes.len() as u32),
        end: 0,
        namespace,
        undeclared: declared.is_none(),
        broken,
    };
    (node, findings)
}

/// Finds the namespace of an attribute with a prefix, after all of its tag's declarations.
fn resolve_attribute(index: usize, r: &mut Reading<'_>) {
    let tape = &mut *r.tape;
    let Some(attribute) = tape.attributes.get_mut(index) else {
        return;
    };
    let name = r
        .text
        .get(attribute.name as usize..attribute.name_end as usize);
    let prefix = name.and_then(|name| name.split_once(':'));
    if let Some((prefix, _)) = prefix {
        attribute.namespace = tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
    }
}

/// `false`: there are too many declarations.
fn read_attribute(attribute: &SpeltAttribute, r: &mut Reading<'_>) -> bool {
    let (value, _) = decode(attribute.value, Context::Attribute, Effect::Noted, r);
    let name = r.slice(attribute.name);
    let prefix = match name.strip_prefix("xmlns") {
        Some("") => "",
        Some(rest) if rest.starts_with(':') => rest.trim_start_matches(':'),
        _ => {
            r.tape.attributes.push(AttributeSpan {
                name: attribute.name.0 as u32,
                name_end: attribute.name.1 as u32,
                namespace: NsId::NONE,
                value,
            });
            return true;
        }
    };
    let tape = &mut *r.tape;
    let home = if value.is_in_scratch() {
        tape.scratch.as_str()
    } else {
        r.text
    };
    let uri = home.get(value.range()).unwrap_or_default().trim();
    tape.namespaces.declare(prefix, uri)
}

/// The text of an attribute or a piece of content; whether a bad character spoiled the entry.
pub(crate) fn decode(
    span: (usize, usize),
    context: Context,
    cost: Effect,
    r: &mut Reading<'_>,
) -> (Value, bool) {
    let raw = r.slice(span);
    let mut decoding = Decoding {
        report: r.report,
        dirty: r.dirty,
        cost,
        spoiled: false,
    };
    if !decoding.is_needed(raw, context) {
        return (Value::in_window(span.0, span.1), false);
    }
    let start = r.tape.scratch.len();
    decoding.append(raw, span.0, context, &mut r.tape.scratch);
    let spoiled = decoding.spoiled && cost == Effect::EntrySkipped;
    let at = span.0 + raw.len() - raw.trim_start().len();
    let value = Value::in_scratch(start, r.tape.scratch.len(), at);
    (value, spoiled)
}

/// Joins the pieces from `first` on into one text, trimmed.
fn join(pieces: &mut Vec<Piece>, first: usize, r: &mut Reading<'_>) -> Value {
    let tape = &mut *r.tape;
    let joined = match pieces.get(first..).unwrap_or_default() {
        [] => return Value::NONE,
        [one] => one.text,
        [head, ..] => {
            let at = head.text.at as usize;
            let start = tape.scratch.len();
            for piece in pieces.get(first..).unwrap_or_default() {
                let text = piece.text;
                if text.is_in_scratch() {
                    let part = tape
                        .scratch
                        .get(text.range())
                        .unwrap_or_default()
                        .to_owned();
                    tape.scratch.push_str(&part);
                } else {
                    tape.scratch
                        .push_str(r.text.get(text.range()).unwrap_or_default());
                }
            }
            Value::in_scratch(start, tape.scratch.len(), at)
        }
    };
    pieces.truncate(first);
    let home = if joined.is_in_scratch() {
        tape.scratch.as_str()
    } else {
        r.text
    };
    joined.trimmed(home)
}

/// As much of a text as a message quotes, without the white space round it.
pub(crate) fn quote(text: &str) -> &str {
    let text = text.trim_start();
    let end = text
        .char_indices()
        .nth(QUOTED)
        .map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or_default().trim_end()
}
