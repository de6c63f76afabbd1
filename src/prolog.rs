//! What stands in a document before its root, found piece by piece as the bytes arrive.
//!
//! Both the encoding and the format are decided by what comes first: a declaration, an element, a line that is a URL.
//! The scanner finds these places; what they mean is judged by those who ask. It looks at no byte twice, and what it
//! finds does not depend on how the bytes were cut.

use memchr::{memchr, memchr2, memchr3, memmem};

/// Finds one [`Landmark`] after another in bytes of which more and more are there.
#[derive(Debug, Default)]
pub(crate) struct PrologScanner {
    /// What comes before has been dealt with.
    at: usize,
    /// So many bytes from `at` on were searched in vain for the end of what begins there.
    searched: usize,
    /// A `<` was seen. From then on lines are not looked at: the document may be XML whose root is still to come.
    has_markup: bool,
    within: Within,
}

/// What `at` is in.
#[derive(Debug, Clone, Copy, Default)]
enum Within {
    #[default]
    Content,
    /// A comment or the like, which ends so.
    Until(&'static [u8]),
    /// A document type, before its internal subset.
    Doctype,
    /// An XML declaration.
    Declaration,
}

/// Places are counted from the start of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Landmark {
    /// A line that has ended, without its end, with nothing before it or in it that could be markup.
    Line { start: usize, end: usize },
    /// What stands between `<?xml` and the next `>` or `<` (`?>` may be missing).
    Declaration { start: usize, end: usize },
    /// The name of an element that begins at `start`; an empty one if the bytes end with its `<`.
    Element { start: usize, name_end: usize },
}

/// What is passed over, and how it ends.
const PASSED_OVER: [(&[u8], Within); 4] = [
    (b"<!--", Within::Until(b"-->")),
    (b"<![CDATA[", Within::Until(b"]]>")),
    (b"<!DOCTYPE", Within::Doctype),
    (b"<?", Within::Until(b"?>")),
];

const DECLARATION: &[u8] = b"<?xml";

impl PrologScanner {
    /// One that is told that there was markup before.
    pub(crate) fn behind_markup() -> Self {
        Self {
            has_markup: true,
            ..Self::default()
        }
    }

    /// The next landmark. `None`: it takes more bytes than these, of which those seen before must be the beginning.
    /// `complete`: there are no more.
    pub(crate) fn next(&mut self, bytes: &[u8], complete: bool) -> Option<Landmark> {
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let landmark = match self.within {
                Within::Until(end) => self.pass(rest, end)?,
                Within::Doctype => self.doctype(rest)?,
                Within::Declaration => self.declaration(rest, complete)?,
                Within::Content if rest.first() == Some(&b'<') => self.markup(rest, complete)?,
                Within::Content if self.has_markup => {
                    let len = self.search(rest, 0, |fresh| memchr(b'<', fresh))?;
                    self.proceed(len, Within::Content)
                }
                Within::Content => self.line(rest)?,
            };
            if landmark.is_some() {
                return landmark;
            }
        }
    }

    /// Goes on behind so many bytes.
    fn proceed(&mut self, bytes: usize, within: Within) -> Option<Landmark> {
        self.at += bytes;
        self.searched = 0;
        self.within = within;
        None
    }

    /// Searches the bytes that are new, and `again` of the others.
    fn search(
        &mut self,
        rest: &[u8],
        again: usize,
        find: impl FnOnce(&[u8]) -> Option<usize>,
    ) -> Option<usize> {
        let from = self.searched.saturating_sub(again);
        let found = find(rest.get(from..).unwrap_or_default());
        self.searched = rest.len();
        found.map(|at| from + at)
    }

    fn pass(&mut self, rest: &[u8], end: &[u8]) -> Option<Option<Landmark>> {
        let len = self.search(rest, end.len() - 1, |fresh| memmem::find(fresh, end))?;
        Some(self.proceed(len + end.len(), Within::Content))
    }

    fn doctype(&mut self, rest: &[u8]) -> Option<Option<Landmark>> {
        let len = self.search(rest, 0, |fresh| memchr2(b'[', b'>', fresh))?;
        let within = match rest.get(len) {
            Some(b'[') => Within::Until(b"]"),
            _ => Within::Content,
        };
        Some(self.proceed(len + 1, within))
    }

    fn declaration(&mut self, rest: &[u8], complete: bool) -> Option<Option<Landmark>> {
        let found = self.search(rest, 0, |fresh| memchr2(b'<', b'>', fresh));
        let len = found.or(complete.then_some(rest.len()))?;
        let start = self.at;
        self.proceed(len, Within::Content);
        Some(Some(Landmark::Declaration {
            start,
            end: start + len,
        }))
    }

    fn line(&mut self, rest: &[u8]) -> Option<Option<Landmark>> {
        let len = self.search(rest, 0, |fresh| memchr3(b'\n', b'\r', b'<', fresh))?;
        if rest.get(len) == Some(&b'<') {
            return Some(self.proceed(len, Within::Content));
        }
        let start = self.at;
        self.proceed(len + 1, Within::Content);
        Some(Some(Landmark::Line {
            start,
            end: start + len,
        }))
    }

    /// At a `<`.
    fn markup(&mut self, rest: &[u8], complete: bool) -> Option<Option<Landmark>> {
        self.has_markup = true;
        let begins = |what: &[u8]| {
            let len = what.len().min(rest.len());
            what.get(..len)
                .zip(rest.get(..len))
                .is_some_and(|(what, rest)| what.eq_ignore_ascii_case(rest))
        };
        let is_cut = |what: &[u8]| rest.len() < what.len() && begins(what);
        if !complete {
            let behind = rest.len() == DECLARATION.len() && rest == DECLARATION;
            if behind || is_cut(DECLARATION) || PASSED_OVER.iter().any(|(begin, _)| is_cut(begin)) {
                return None;
            }
        }
        if rest.strip_prefix(DECLARATION).is_some_and(begins_blank) {
            return Some(self.proceed(DECLARATION.len(), Within::Declaration));
        }
        let passed = PASSED_OVER
            .into_iter()
            .find(|(begin, _)| rest.len() >= begin.len() && begins(begin));
        if let Some((begin, within)) = passed {
            return Some(self.proceed(begin.len(), within));
        }
        self.searched = self.searched.max(1);
        let found = self.search(rest, 0, |fresh| {
            fresh.iter().position(|byte| !is_name_byte(*byte))
        });
        let len = found.or(complete.then_some(rest.len()))?;
        let start = self.at;
        self.proceed(len, Within::Content);
        // At the very end a name may be missing for want of bytes.
        let is_element = len > 1 || found.is_none();
        Some(is_element.then_some(Landmark::Element {
            start,
            name_end: start + len,
        }))
    }
}

fn begins_blank(bytes: &[u8]) -> bool {
    matches!(bytes, [b' ' | b'\t' | b'\r' | b'\n', ..])
}

/// Which bytes belong to a name; those of the lexer's.
fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-' | b'.' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The landmarks of bytes that come `step` at a time, as they are spelt.
    fn landmarks(text: &str, step: usize) -> Vec<String> {
        let mut scanner = PrologScanner::default();
        let mut found = Vec::new();
        let ends = (step..text.len()).step_by(step).map(|end| (end, false));
        for (end, complete) in ends.chain([(text.len(), true)]) {
            while let Some(landmark) = scanner.next(&text.as_bytes()[..end], complete) {
                found.push(match landmark {
                    Landmark::Line { start, end } => format!("line {}", &text[start..end]),
                    Landmark::Declaration { start, end } => format!("xml {}", &text[start..end]),
                    Landmark::Element { start, name_end } => text[start..name_end].to_owned(),
                });
            }
        }
        found
    }

    #[test]
    fn landmarks_do_not_depend_on_the_cuts() {
        for (text, expected) in [
            ("a\n\r\nb\rc", &["line a", "line ", "line ", "line b"][..]),
            ("a\nb <c d\ne\n</f><g:h/>", &["line a", "<c", "<g:h"]),
            ("<!-- <a> --><b>\nc\n", &["<b"]),
            ("<!--><a> --><b", &["<b"]),
            ("x<![CDATA[<a>]] >]]><b>", &["<b"]),
            ("<?x <a>? >?><?xml a='b' ?><c>", &["xml  a='b' ?", "<c"]),
            ("<?xml-x <a> ?><?xml\n>", &["xml \n"]),
            ("<?xml", &[]),
            ("<?xml a", &["xml  a"]),
            ("<!DOCTYPE a><b>", &["<b"]),
            ("<!doctype a [<!ENTITY b '<c>'>]><d>", &["<d"]),
            ("< <<a<>< b<é>", &["<a", "<é"]),
            ("<!- <a><![C <b><!D <c><!", &["<a", "<b", "<c"]),
            ("a<", &["<"]),
        ] {
            for step in 1..=text.len() {
                assert_eq!(landmarks(text, step), expected, "{text} in steps of {step}");
            }
        }
    }

    #[test]
    fn names_are_the_lexer_s() {
        for byte in 0..=u8::MAX {
            assert_eq!(is_name_byte(byte), crate::xml::lexer::is_name_byte(byte));
        }
    }
}
