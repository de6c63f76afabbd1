use crate::report::Report;
use crate::source::dialect::Dialect;
use crate::tape::{Node, Piece, Tape, Value};
use crate::violation::{self, Effect};
use crate::xml::namespace::Vocabulary;
use crate::xml::text::{Context, Decoding, is_encoded};

/// What an entry is read from and to.
pub(crate) struct Reading<'a> {
    pub(crate) text: &'a str,
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
    pub(super) fn is_last(self) -> bool {
        self.eof || self.cut
    }
}

/// The text of an attribute or a piece of content; whether a bad character spoiled the entry.
pub(crate) fn decode(
    span: (usize, usize),
    context: Context,
    cost: Effect,
    r: &mut Reading<'_>,
) -> (Value, bool) {
    let raw = r.slice(span);
    if !is_encoded(raw, context) {
        return (Value::in_window(span.0, span.1), false);
    }
    let mut decoding = Decoding {
        report: r.report,
        window: r.text,
        cost,
        spoiled: false,
    };
    let start = r.tape.scratch.len();
    decoding.append(raw, span.0, context, &mut r.tape.scratch);
    let spoiled = decoding.spoiled && cost == Effect::EntrySkipped;
    let at = span.0 + raw.len() - raw.trim_start().len();
    let value = Value::in_scratch(start, r.tape.scratch.len(), at);
    (value, spoiled)
}

/// Joins the pieces from `first` on into one text, trimmed.
pub(crate) fn join(pieces: &mut Vec<Piece>, first: usize, r: &mut Reading<'_>) -> Value {
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
    violation::quote(text.trim_start()).trim_end()
}
