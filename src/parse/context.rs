//! The context that the parsers of a document share: the available text, and the tape and the report that they fill.

pub(crate) use crate::input::TextEnd;
use crate::limits::MAX_BYTES;
use crate::report::Report;
use crate::tape::{KEPT, Node, Piece, Tape, Value};
use crate::text::span::{Span, TakePart};
use crate::violation::{self, Effect, QUOTED, Rule, quotable, spelt_code_point};
use crate::xml::namespaces::Relation;
use crate::xml::references::{self, Finding, TextKind, is_encoded};

/// Number of bytes that suffice to recognize a text and to quote it.
pub(crate) const PEEK: usize = 400;

/// The input and output of a parsing step. Offsets count from the start of `text`, which is the position of the parser;
/// they are valid until the processed text is removed from the window.
pub(crate) struct Context<'a> {
    pub(crate) text: &'a str,
    /// Offset of the text in the document.
    pub(crate) offset: u64,
    /// Length of the white space that was passed before `text`.
    pub(crate) blank: usize,
    pub(crate) end: TextEnd,
    pub(crate) tape: &'a mut Tape,
    pub(crate) report: &'a mut Report,
    pub(crate) max_entry_bytes: usize,
}

impl<'a> Context<'a> {
    /// Moves the start of the text behind white space, of which nothing is reported. Returns `false` if a byte of it is the
    /// first over the limit, which is reported.
    #[inline]
    pub(crate) fn pass_blank(&mut self, bytes: usize) -> bool {
        let passes = self.offset + bytes as u64 <= MAX_BYTES;
        if passes {
            self.text = self.text.part(bytes..);
            self.offset += bytes as u64;
            self.blank += bytes;
        }
        passes
    }

    /// Reports what costs nothing.
    pub(crate) fn note(&mut self, rule: Rule, span: Span, found: &str) {
        self.report.flaw(rule, Effect::Noted, span, found);
    }

    /// Like `note`, for a part of the text, which is quoted.
    pub(crate) fn note_text(&mut self, rule: Rule, span: Span) {
        let span = span.trimmed(self.text);
        self.note(rule, span, quotable(span.of(self.text)));
    }

    /// Like `note`, for text that may be incomplete: the span is the quoted part.
    pub(crate) fn note_beginning(&mut self, rule: Rule, span: Span) {
        let found = quotable(span.of(self.text));
        let span = Span::from(span.start(), violation::quote(found));
        self.note(rule, span, found);
    }

    pub(crate) fn local_name(&self, node: &Node) -> &'a str {
        node.local_name().of(self.text)
    }

    /// Returns `true` if the element belongs to the format of the document.
    pub(crate) fn is_own(&self, node: &Node) -> bool {
        self.tape.relation(node) != Relation::Foreign
    }

    /// Decodes the text of an attribute or a piece of content. `cost` is the effect of a character that XML forbids.
    pub(crate) fn decode(
        &mut self,
        span: Span,
        kind: TextKind,
        cost: impl FnOnce(&Self) -> Effect,
    ) -> Value {
        if is_encoded(self.text, span, kind) {
            let cost = cost(self);
            self.decode_to_scratch(span, kind, cost)
        } else {
            Value::in_window(span)
        }
    }

    /// Decodes references and line ends of a text into the scratch buffer, and reports what is wrong with them.
    fn decode_to_scratch(&mut self, span: Span, kind: TextKind, cost: Effect) -> Value {
        let raw = span.of(self.text);
        // Counting takes longer than seeing that there is room for any result.
        let has_room = self.tape.has_room_for_text(3 * raw.len());
        if !has_room && !self.tape.make_room_for_text(decoded_bytes(raw)) {
            return Value::NONE;
        }
        let report = &mut *self.report;
        let out = &mut self.tape.scratch;
        let start = out.len();
        let window = self.text;
        references::decode(raw, kind, out, &mut |at, finding| match finding {
            Finding::ForbiddenCharacter(c @ '\u{FFFF}') => {
                let at = span.start() + at;
                report.undecodable(window, Span::new(at, at + c.len_utf8()), cost);
            }
            _ => report_finding(report, finding, span.start() + at, cost),
        });
        Value::in_scratch(start, out.len(), span.trimmed(window))
    }

    /// Joins the pieces from `first` on, which are removed from the list, into one text, trimmed. `alone`: the pieces
    /// themselves are not needed.
    #[inline(always)]
    pub(crate) fn join(&mut self, pieces: &mut Vec<Piece>, first: usize, alone: bool) -> Value {
        match pieces.part(first..) {
            [] => Value::NONE,
            // In most elements, there is only one piece.
            [one] => {
                let text = one.text;
                pieces.truncate(first);
                text.trimmed(self.text, &self.tape.scratch)
            }
            several => {
                let joined = self.join_several(several, alone);
                pieces.truncate(first);
                if first <= KEPT {
                    pieces.shrink_to(KEPT);
                }
                joined
            }
        }
    }

    /// Joins the pieces of one value without white space around it. A single visible piece stays a span of the window.
    #[inline(never)]
    fn join_several(&mut self, pieces: &[Piece], alone: bool) -> Value {
        let scratch = &self.tape.scratch;
        let is_visible = |piece: &Piece| {
            let text = piece.text.of(self.text, scratch);
            !text.trim_start().is_empty()
        };
        let start = pieces.iter().position(is_visible).unwrap_or(pieces.len());
        let end = pieces
            .iter()
            .rposition(is_visible)
            .map_or(start, |last| last + 1);
        let visible = pieces.part(start..end);
        let Some(head) = visible.first() else {
            return Value::NONE;
        };
        let head = head.text.trimmed(self.text, scratch);
        if visible.len() == 1 {
            return head;
        }
        let bytes = visible.iter().map(|piece| piece.text.len()).sum();
        if !self.tape.make_room_for_text(bytes) {
            return Value::NONE;
        }
        let last = visible.last().map_or(head, |last| {
            last.text.trimmed(self.text, &self.tape.scratch)
        });
        let written = Span::new(head.written().start(), last.written().end());
        // The pieces are the last in the scratch buffer: the joined text replaces them.
        let first = pieces.iter().find(|piece| piece.text.is_in_scratch);
        let first = first.map(|piece| piece.text).filter(|_| alone);
        let scratch = &mut self.tape.scratch;
        let mut start = scratch.len();
        for piece in visible {
            match piece.text.in_scratch_at() {
                Some(from) => {
                    let part = from..from + piece.text.len();
                    if !scratch.part(part.clone()).is_empty() {
                        scratch.extend_from_within(part);
                    }
                }
                None => scratch.push_str(piece.text.of(self.text, "")),
            }
        }
        if let Some(first) = first.and_then(Value::in_scratch_at) {
            scratch.drain(first..start);
            start = first;
        }
        let joined = Value::in_scratch(start, scratch.len(), written);
        joined.trimmed(self.text, scratch)
    }
}

/// Upper bound for the bytes of a decoded text: a control character becomes U+FFFD, and nothing else grows.
fn decoded_bytes(raw: &str) -> usize {
    let is_control = |b: &u8| (*b < b' ') & (*b != b'\n') & (*b != b'\t') & (*b != b'\r');
    raw.len() + 2 * raw.bytes().filter(is_control).count()
}

/// Reports a violation of XML as one of a rule. `cost` is the effect of a character that XML forbids.
fn report_finding(report: &mut Report, finding: Finding<'_>, at: usize, cost: Effect) {
    match finding {
        Finding::BareAmpersand(rest) => {
            let words = rest.char_indices().take(QUOTED + 1);
            let last = words.take_while(|(_, c)| !c.is_whitespace()).last();
            let found = rest.part(..last.map_or(0, |(at, c)| at + c.len_utf8()));
            let span = Span::from(at, violation::quote(found));
            report.flaw(Rule::BareAmpersand, Effect::Noted, span, found);
        }
        Finding::UnknownEntity(whole) => {
            let span = Span::from(at, whole);
            report.flaw(Rule::UnknownEntity, Effect::Noted, span, whole);
        }
        Finding::ForbiddenReference(whole) => {
            let span = Span::from(at, whole);
            report.flaw(Rule::InvalidCharacter, cost, span, whole);
        }
        Finding::ForbiddenCharacter(c) => {
            let (span, found) = (Span::new(at, at + c.len_utf8()), spelt_code_point(c));
            report.flaw(Rule::InvalidCharacter, cost, span, &found);
        }
    }
}
