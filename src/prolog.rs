//! The scanner for the text before the root, which arrives piece by piece.
//!
//! The encoding and the format are decided by the first landmark: a declaration, an element, a line that is a URL. The
//! scanner finds landmarks; its callers judge them. It reads no byte twice, and its results do not depend on the
//! division of the bytes.

use memchr::{memchr, memchr2, memchr3, memmem};

use crate::text::search::is_name_byte;
use crate::text::span::TakePart;

/// Finds one [`Landmark`] after another in bytes of which more and more are there.
#[derive(Debug, Default)]
pub(crate) struct PrologScanner {
    /// Everything before this position has been handled.
    at: usize,
    /// This number of bytes from `at` on was searched without finding the end of the construct that begins there.
    searched: usize,
    /// A `<` was seen. From then on lines are not looked at: the document may be XML whose root is still to come.
    has_markup: bool,
    within: ScanState,
}

/// The construct that contains `at`.
#[derive(Debug, Clone, Copy, Default)]
enum ScanState {
    #[default]
    Content,
    Construct(Construct),
    /// An XML declaration.
    Declaration,
}

/// Places are counted from the start of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Landmark {
    /// A line that has ended, without its end, with nothing before it or in it that could be markup.
    Line { start: usize, end: usize },
    /// The text between `<?xml` and the next `>` or `<` (`?>` may be missing).
    Declaration {
        /// Its `<`.
        at: usize,
        start: usize,
        end: usize,
    },
    /// The name of an element that begins at `start`; an empty one if the bytes end with its `<`.
    Element { start: usize, name_end: usize },
}

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
    ("<!DOCTYPE", Construct::Doctype(Doctype::NEW)),
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
    /// The construct that begins here. The word DOCTYPE may be in any case.
    #[inline]
    pub(crate) fn opened(bytes: &[u8]) -> Opened {
        // In 99 % of all calls.
        if matches!(bytes, [b'<', behind, ..] if !matches!(behind, b'!' | b'?')) {
            return Opened::Other;
        }
        let exact = |(opener, _): &&(&str, Self)| bytes.starts_with(opener.as_bytes());
        match OPENERS.iter().find(exact) {
            Some((opener, construct)) => Opened::Construct(*construct, opener),
            None => Self::find(bytes, |opener, construct| match construct {
                Self::Doctype(_) => begin_alike(opener, bytes),
                _ => opener.as_bytes().starts_with(bytes),
            }),
        }
    }

    /// Like `name_at`, ignoring case; for the head of a document.
    fn opened_in_head(bytes: &[u8]) -> Opened {
        Self::find(bytes, |opener, _| begin_alike(opener, bytes))
    }

    fn find(bytes: &[u8], begins: impl Fn(&str, Self) -> bool) -> Opened {
        let mut openers = OPENERS.iter();
        match openers.find(|(opener, construct)| begins(opener, *construct)) {
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

    /// Skips as much as possible. Returns the number of bytes, and whether the markup ends with them. If it does not, the
    /// other bytes must come again, with more.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> (usize, bool) {
        match self {
            Self::Comment => until(bytes, b"-->"),
            Self::CData => until(bytes, b"]]>"),
            Self::Instruction => until(bytes, b"?>"),
            Self::Doctype(doctype) => doctype.pass(bytes),
        }
    }
}

/// Returns `true` if one begins with the other, ignoring case.
fn begin_alike(opener: &str, bytes: &[u8]) -> bool {
    opener
        .bytes()
        .zip(bytes)
        .all(|(opener, byte)| opener.eq_ignore_ascii_case(byte))
}

/// The constructs that are open within a document type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doctype {
    subset: bool,
    within: DoctypeState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DoctypeState {
    Nothing,
    Quotes(u8),
    Comment,
    Pi,
    /// A `<!ENTITY` or the like, which `>` ends.
    Declaration,
    /// Quotes inside such a declaration.
    DeclarationQuotes(u8),
}

/// The number of bytes up to and including `end`, or of those that cannot be the beginning of `end`.
fn until(bytes: &[u8], end: &[u8]) -> (usize, bool) {
    match memmem::find(bytes, end) {
        Some(at) => (at + end.len(), true),
        None => (bytes.len().saturating_sub(end.len() - 1), false),
    }
}

impl Doctype {
    pub(crate) const NEW: Self = Self {
        subset: false,
        within: DoctypeState::Nothing,
    };

    fn pass(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        loop {
            let rest = bytes.part(at..);
            let step = match self.within {
                DoctypeState::Quotes(quote) | DoctypeState::DeclarationQuotes(quote) => {
                    let Some(i) = memchr(quote, rest) else {
                        return (bytes.len(), false);
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
                    let (passed, done) = until(rest, end);
                    if !done {
                        return (at + passed, false);
                    }
                    self.within = DoctypeState::Nothing;
                    passed
                }
                DoctypeState::Declaration => {
                    let Some(i) = memchr3(b'>', b'"', b'\'', rest) else {
                        return (bytes.len(), false);
                    };
                    self.within = match rest.get(i) {
                        Some(b'>') | None => DoctypeState::Nothing,
                        Some(quote) => DoctypeState::DeclarationQuotes(*quote),
                    };
                    i + 1
                }
                DoctypeState::Nothing => match rest {
                    [] => return (bytes.len(), false),
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

impl PrologScanner {
    /// A scanner for which there was markup before.
    pub(crate) fn behind_markup() -> Self {
        Self {
            has_markup: true,
            ..Self::default()
        }
    }

    /// Returns the next landmark, or `None` if more bytes are needed; the bytes seen before must be the beginning of
    /// the next ones. `complete`: there are no more bytes.
    pub(crate) fn next(&mut self, bytes: &[u8], complete: bool) -> Option<Landmark> {
        loop {
            let rest = bytes.part(self.at..);
            let landmark = match self.within {
                ScanState::Construct(construct) => self.pass(rest, construct)?,
                ScanState::Declaration => self.declaration(rest, complete)?,
                ScanState::Content if rest.first() == Some(&b'<') => self.markup(rest, complete)?,
                ScanState::Content if self.has_markup => {
                    let len = self.search(rest, |fresh| memchr(b'<', fresh))?;
                    self.proceed(len, ScanState::Content)
                }
                ScanState::Content => self.line(rest)?,
            };
            if landmark.is_some() {
                return landmark;
            }
        }
    }

    /// Continues after this number of bytes.
    fn proceed(&mut self, bytes: usize, within: ScanState) -> Option<Landmark> {
        self.at += bytes;
        self.searched = 0;
        self.within = within;
        None
    }

    /// Searches the bytes that are new.
    fn search(&mut self, rest: &[u8], find: impl FnOnce(&[u8]) -> Option<usize>) -> Option<usize> {
        let from = self.searched;
        let found = find(rest.part(from..));
        self.searched = rest.len();
        found.map(|at| from + at)
    }

    fn pass(&mut self, rest: &[u8], mut construct: Construct) -> Option<Option<Landmark>> {
        let (passed, is_over) = construct.pass(rest);
        if is_over {
            Some(self.proceed(passed, ScanState::Content))
        } else {
            self.proceed(passed, ScanState::Construct(construct));
            None
        }
    }

    fn declaration(&mut self, rest: &[u8], complete: bool) -> Option<Option<Landmark>> {
        let found = self.search(rest, |fresh| memchr2(b'<', b'>', fresh));
        let len = found.or(complete.then_some(rest.len()))?;
        let start = self.at;
        self.proceed(len, ScanState::Content);
        Some(Some(Landmark::Declaration {
            at: start - DECLARATION.len(),
            start,
            end: start + len,
        }))
    }

    fn line(&mut self, rest: &[u8]) -> Option<Option<Landmark>> {
        let len = self.search(rest, |fresh| memchr3(b'\n', b'\r', b'<', fresh))?;
        if rest.get(len) == Some(&b'<') {
            return Some(self.proceed(len, ScanState::Content));
        }
        let start = self.at;
        self.proceed(len + 1, ScanState::Content);
        Some(Some(Landmark::Line {
            start,
            end: start + len,
        }))
    }

    /// At a `<`.
    fn markup(&mut self, rest: &[u8], complete: bool) -> Option<Option<Landmark>> {
        self.has_markup = true;
        let opened = Construct::opened_in_head(rest);
        let may_declare = rest == DECLARATION.as_bytes()
            || rest.len() < DECLARATION.len() && begin_alike(DECLARATION, rest);
        if !complete && (may_declare || matches!(opened, Opened::Cut)) {
            return None;
        }
        let declared = rest.strip_prefix(DECLARATION.as_bytes());
        if declared.is_some_and(begins_blank) {
            return Some(self.proceed(DECLARATION.len(), ScanState::Declaration));
        }
        if let Opened::Construct(construct, opener) = opened {
            return Some(self.proceed(opener.len(), ScanState::Construct(construct)));
        }
        self.searched = self.searched.max(1);
        let found = self.search(rest, |fresh| {
            fresh.iter().position(|byte| !is_name_byte(*byte))
        });
        let len = found.or(complete.then_some(rest.len()))?;
        let start = self.at;
        self.proceed(len, ScanState::Content);
        // At the very end, a name may be incomplete.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The landmarks of bytes that arrive `step` at a time, as texts.
    fn landmarks(text: &str, step: usize) -> Vec<String> {
        let mut scanner = PrologScanner::default();
        let mut found = Vec::new();
        let ends = (step..text.len()).step_by(step).map(|end| (end, false));
        for (end, complete) in ends.chain([(text.len(), true)]) {
            while let Some(landmark) = scanner.next(&text.as_bytes()[..end], complete) {
                found.push(match landmark {
                    Landmark::Line { start, end } => format!("line {}", &text[start..end]),
                    Landmark::Declaration { start, end, .. } => {
                        format!("xml {}", &text[start..end])
                    }
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
}
