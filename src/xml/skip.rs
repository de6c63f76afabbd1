//! Comments and similar markup that may be longer than the window, skipped piece by piece.

use memchr::{memchr, memchr3, memmem};

use crate::error::Markup;
use crate::span::floor_char_boundary;

/// Markup between entries of any length, which is skipped while it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Skip {
    Comment,
    CData,
    Pi,
    /// The state inside a DOCTYPE.
    Doctype(Doctype),
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Doctype {
    subset: bool,
    within: DoctypeState,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum DoctypeState {
    #[default]
    Nothing,
    Quotes(u8),
    Comment,
    Pi,
    /// In a declaration such as `<!ENTITY`, which `>` ends.
    Declaration,
    /// In quotes inside such a declaration.
    DeclarationQuotes(u8),
}

impl Skip {
    pub(crate) const fn markup(&self) -> Markup {
        match self {
            Self::Comment => Markup::Comment,
            Self::CData => Markup::CData,
            Self::Pi => Markup::Instruction,
            Self::Doctype(_) => Markup::Doctype,
        }
    }

    /// Skips as much as possible. Returns the number of bytes, and whether the markup ends with them.
    pub(crate) fn pass(&mut self, text: &str) -> (usize, bool) {
        match self {
            Self::Comment => until(text, b"-->"),
            Self::CData => until(text, b"]]>"),
            Self::Pi => until(text, b"?>"),
            Self::Doctype(doctype) => doctype.pass(text),
        }
    }
}

/// The length of the text up to and including `end`, or of the part that cannot be the beginning of `end`.
fn until(text: &str, end: &[u8]) -> (usize, bool) {
    match memmem::find(text.as_bytes(), end) {
        Some(at) => (at + end.len(), true),
        None => {
            let kept = end.len() - 1;
            (
                floor_char_boundary(text, text.len().saturating_sub(kept)),
                false,
            )
        }
    }
}

impl Doctype {
    pub(crate) fn pass(&mut self, text: &str) -> (usize, bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let step = match self.within {
                DoctypeState::Quotes(quote) | DoctypeState::DeclarationQuotes(quote) => {
                    let Some(i) = memchr(quote, rest) else {
                        return (text.len(), false);
                    };
                    self.within = match self.within {
                        DoctypeState::Quotes(_) => DoctypeState::Nothing,
                        _ => DoctypeState::Declaration,
                    };
                    i + 1
                }
                DoctypeState::Comment | DoctypeState::Pi => {
                    let end: &[u8] = if self.within == DoctypeState::Pi {
                        b"?>"
                    } else {
                        b"-->"
                    };
                    let (passed, done) = until(text.get(at..).unwrap_or_default(), end);
                    if !done {
                        return (at + passed, false);
                    }
                    self.within = DoctypeState::Nothing;
                    passed
                }
                DoctypeState::Declaration => {
                    let Some(i) = memchr3(b'>', b'"', b'\'', rest) else {
                        return (text.len(), false);
                    };
                    self.within = match rest.get(i) {
                        Some(b'>') | None => DoctypeState::Nothing,
                        Some(quote) => DoctypeState::DeclarationQuotes(*quote),
                    };
                    i + 1
                }
                DoctypeState::Nothing => match rest {
                    [] => return (text.len(), false),
                    [b'>', ..] if !self.subset => return (at + 1, true),
                    [b'[', ..] => {
                        self.subset = true;
                        1
                    }
                    [b']', ..] => {
                        self.subset = false;
                        1
                    }
                    [quote @ (b'"' | b'\''), ..] => {
                        self.within = DoctypeState::Quotes(*quote);
                        1
                    }
                    [b'<', b'!', b'-', b'-', ..] => {
                        self.within = DoctypeState::Comment;
                        4
                    }
                    [b'<', b'?', ..] => {
                        self.within = DoctypeState::Pi;
                        2
                    }
                    [b'<'] | [b'<', b'!'] | [b'<', b'!', b'-'] => return (at, false),
                    [b'<', b'!', ..] => {
                        self.within = DoctypeState::Declaration;
                        2
                    }
                    _ => rest
                        .iter()
                        .skip(1)
                        .position(|b| matches!(b, b'<' | b'>' | b'[' | b']' | b'"' | b'\''))
                        .map_or(rest.len(), |i| i + 1),
                },
            };
            at += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doctype_len(text: &str, step: usize) -> Option<usize> {
        let mut skip = Skip::Doctype(Doctype::default());
        let mut start = 0;
        for end in (step..text.len()).step_by(step).chain([text.len()]) {
            let (passed, done) = skip.pass(&text[start..end]);
            start += passed;
            if done {
                return Some(start);
            }
        }
        None
    }

    #[test]
    fn a_doctype_ends_where_it_ends() {
        for (text, rest) in [
            (" html>", "<html>"),
            (
                " a SYSTEM \"x>y\" [<!ENTITY e \"]>\"><!-- ]> ' --><?p ]>?><!ATTLIST a b CDATA '>'>] >",
                "<a/>",
            ),
            (" a [ <!ENTITY lol \"&lol;\"> ]>", " <!-- -->"),
        ] {
            for step in 1..9 {
                let whole = format!("{text}{rest}");
                assert_eq!(
                    doctype_len(&whole, step),
                    Some(text.len()),
                    "{whole} {step}"
                );
            }
        }
        assert_eq!(doctype_len(" a [ <!ENTITY b 'c'> ", 3), None);
    }
}
