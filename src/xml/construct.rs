//! Comments and similar markup, which may be longer than the window: how they begin, and how they are skipped piece by
//! piece.

use memchr::memchr;

use crate::text::span::{TakePart, floor_char_boundary};

/// Markup that is skipped, and its state after its opener.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Construct {
    Comment,
    CData,
    Instruction,
    /// The constructs that are open within it.
    Doctype(Doctype),
}

/// The opener of each construct.
const OPENERS: [(&str, Construct); 4] = [
    ("<!--", Construct::Comment),
    ("<![CDATA[", Construct::CData),
    ("<!DOCTYPE", Construct::DOCTYPE),
    ("<?", Construct::Instruction),
];

/// The start of an XML declaration. White space follows.
pub(crate) const DECLARATION: &str = "<?xml";

/// The kind of markup, by its first bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Opened {
    /// A construct with this opener.
    Construct(Construct, &'static str),
    /// The bytes end within what may be an opener.
    Cut,
    /// Something else.
    Other,
}

impl Construct {
    /// A document type after its opener.
    pub(crate) const DOCTYPE: Self = Self::Doctype(Doctype {
        in_subset: false,
        in_declaration: false,
        until: None,
    });

    /// The construct that begins here. The word DOCTYPE may be in any case.
    #[inline]
    pub(crate) fn opened(bytes: &[u8]) -> Opened {
        // In 99 % of all calls.
        if matches!(bytes, [b'<', behind, ..] if !matches!(behind, b'!' | b'?')) {
            return Opened::Other;
        }
        // Up to the end of the shorter text.
        let begins = |(opener, construct): &&(&str, Self)| {
            let any_case = matches!(construct, Self::Doctype(_));
            let mut pairs = opener.bytes().zip(bytes);
            pairs.all(|(o, b)| o == *b || (any_case && o.eq_ignore_ascii_case(b)))
        };
        match OPENERS.iter().find(begins) {
            Some((opener, _)) if bytes.len() < opener.len() => Opened::Cut,
            Some((opener, construct)) => Opened::Construct(*construct, opener),
            None => Opened::Other,
        }
    }

    /// Its name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::CData => "CDATA section",
            Self::Instruction => "processing instruction",
            Self::Doctype(_) => "document type declaration",
        }
    }

    /// The characters that end it; a document type is not ended by such a mark alone.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::Comment => "-->",
            Self::CData => "]]>",
            Self::Instruction => "?>",
            Self::Doctype(_) => ">",
        }
    }

    /// Skips as much as possible. Returns the number of bytes, and whether the markup ends with them. If it does not, the
    /// other bytes must come again, with more.
    pub(crate) fn pass(&mut self, text: &str) -> (usize, bool) {
        let bytes = text.as_bytes();
        let (passed, is_over) = match self {
            Self::Doctype(doctype) => doctype.pass(bytes),
            other => until(bytes, other.end().as_bytes()),
        };
        (floor_char_boundary(text, passed), is_over)
    }
}

/// The constructs that are open within a document type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doctype {
    in_subset: bool,
    /// In a `<!ENTITY` or the like, which `>` ends.
    in_declaration: bool,
    /// In quotes, a comment or an instruction, up to this end.
    until: Option<&'static str>,
}

/// The number of bytes up to and including `end`, or of those that cannot be the beginning of `end`.
pub(super) fn until(bytes: &[u8], end: &[u8]) -> (usize, bool) {
    let last = end.last().copied().unwrap_or(b'>');
    let mut at = 0;
    while let Some(before) = memchr(last, bytes.part(at..)) {
        at += before + 1;
        if bytes.part(..at).ends_with(end) {
            return (at, true);
        }
    }
    (bytes.len().saturating_sub(end.len() - 1), false)
}

/// Constructs that hide the marks of a document type: the beginning and the end of each. The first two can be in a
/// declaration.
const HIDING: [(&str, &str); 4] = [("\"", "\""), ("'", "'"), ("<!--", "-->"), ("<?", "?>")];

impl Doctype {
    fn pass(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        loop {
            if let Some(end) = self.until {
                let (passed, is_over) = until(bytes.part(at..), end.as_bytes());
                at += passed;
                if !is_over {
                    return (at, false);
                }
                self.until = None;
            }
            let marks: &[u8] = if self.in_declaration {
                b">\"'"
            } else {
                b"<>[]\"'"
            };
            let is_mark = |byte: &u8| marks.contains(byte);
            let Some(mark) = bytes.part(at..).iter().position(is_mark) else {
                return (bytes.len(), false);
            };
            at += mark;
            let rest = bytes.part(at..);
            let mut hiding = HIDING.into_iter();
            let hidden = hiding.find(|(opener, _)| rest.starts_with(opener.as_bytes()));
            at += match (hidden, rest) {
                (Some((opener, end)), _) => {
                    self.until = Some(end);
                    opener.len()
                }
                (None, [b'>', ..]) if !self.in_declaration && !self.in_subset => {
                    return (at + 1, true);
                }
                (None, [b'<'] | [b'<', b'!'] | [b'<', b'!', b'-']) => return (at, false),
                (None, [b'<', b'!', ..]) => {
                    self.in_declaration = true;
                    2
                }
                (None, [mark, ..]) => {
                    self.in_declaration &= *mark != b'>';
                    self.in_subset = *mark == b'[' || (self.in_subset && *mark != b']');
                    1
                }
                (None, []) => 0,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doctype_len(text: &str, step: usize) -> Option<usize> {
        let mut skip = Construct::DOCTYPE;
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
