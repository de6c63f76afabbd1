//! Detects the kind of a document that does not begin with a known root: XML with something else before its root, text,
//! or not a sitemap.

use crate::error::{ErrorKind, LooksLike};
use crate::input::Landmarks;
use crate::limits::DETECTION_BYTES;
use crate::parse::open_elements::OpenElements;
use crate::parse::tag::format_of;
use crate::prolog::{Landmark, PrologScanner};
use crate::tape::dialect::format_of_root;
use crate::text::span::{TakePart, floor_char_boundary};
use crate::value::url::read_url;
use crate::violation::shortened;
use crate::xml::lexer::{Lexer, Token, local_part};

/// Detects the kind of a document that does not begin with a known root.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// XML after all: a known root begins there, what comes before is junk.
    Root(usize),
    /// Text, with a URL on some line.
    Text,
    /// No sitemap, and where that shows.
    Not(ErrorKind, usize),
    NeedMore,
}

/// Finds out what a document is that does not begin with a known root.
///
/// It is decided at the first byte that determines the kind, from the text before that byte alone: a line that is a
/// URL, if nothing before its end could be markup; the name of a known root; otherwise the first 64 KiB, or the
/// complete document. The state is kept, so that tiny pushes take no more time than one large push.
#[derive(Debug, Default)]
pub(crate) struct Detection {
    scanner: PrologScanner,
    /// The start of the first element, and the end of its name; an element of a web page takes precedence.
    first_element: Option<(usize, usize)>,
    has_page: bool,
    open: OpenElements,
    /// The element that is looked at, and the lexer that looks for the end of its tag.
    at_hand: Option<(usize, usize)>,
    lexer: Lexer,
}

impl Detection {
    /// `behind_markup`: there was some before; then no line decides that this is text.
    pub(crate) fn new(behind_markup: bool) -> Self {
        Self {
            scanner: if behind_markup {
                PrologScanner::behind_markup()
            } else {
                PrologScanner::default()
            },
            first_element: None,
            has_page: false,
            open: OpenElements::default(),
            at_hand: None,
            lexer: Lexer::default(),
        }
    }

    /// Returns `true` if it contains an element that is the root of a web page.
    pub(crate) fn has_page(&self) -> bool {
        self.has_page
    }

    /// Looks for a URL and for a known root in what follows the first thing that is neither: as much of it as is
    /// there, always from the same beginning on.
    pub(crate) fn look(&mut self, text: &str, eof: bool) -> Verdict {
        let whole = eof || text.len() >= DETECTION_BYTES;
        // The result must not depend on how much more text has arrived.
        let (text, eof) = match text.get(..floor_char_boundary(text, DETECTION_BYTES)) {
            Some(head) if text.len() > DETECTION_BYTES => (head, false),
            _ => (text, eof),
        };
        let spelt = |start: usize, end: usize| text.part(start..end);
        loop {
            let (start, name_end) = match self.at_hand.take() {
                Some(element) => element,
                None => match self.scanner.next(text.as_bytes(), whole) {
                    Some(Landmark::Line { start, end }) if is_url_line(spelt(start, end)) => {
                        return Verdict::Text;
                    }
                    Some(Landmark::Line { .. } | Landmark::Declaration { .. }) => continue,
                    Some(Landmark::Element { start, name_end }) => (start, name_end),
                    None => break,
                },
            };
            if eof && name_end == text.len() && self.first_element.is_none() {
                return Verdict::Not(ErrorKind::Truncated, text.len());
            }
            let name = spelt(start + 1, name_end);
            let mut format = format_of_root(local_part(name));
            if local_part(name).eq_ignore_ascii_case("RDF") {
                // The end of its tag decides whether it is a feed.
                match self.lexer.token(text, start) {
                    Some(Token::Start(tag)) => format = format_of(&tag, text),
                    None if !whole => {
                        self.at_hand = Some((start, name_end));
                        return Verdict::NeedMore;
                    }
                    _ => {}
                }
                self.lexer.restart();
            }
            if format.is_some_and(|format| self.open.allow(format, text, start, &mut self.lexer)) {
                return Verdict::Root(start);
            }
            if local_part(name).eq_ignore_ascii_case("html") && !self.has_page {
                self.has_page = true;
                self.first_element = Some((start, name_end));
            } else if !name.is_empty() {
                self.first_element.get_or_insert((start, name_end));
            }
        }
        if !whole {
            return Verdict::NeedMore;
        }
        let unknown_root = |(start, end)| {
            Verdict::Not(
                ErrorKind::UnknownRoot(shortened(spelt(start + 1, end))),
                start,
            )
        };
        match self.first_element {
            Some(element) if element.0 == 0 || self.has_page => unknown_root(element),
            _ if text.split(['\n', '\r']).any(is_url_line) => Verdict::Text,
            _ if looks_binary(text) => Verdict::Not(ErrorKind::NotASitemap(LooksLike::Binary), 0),
            Some(element) => unknown_root(element),
            None => Verdict::Not(ErrorKind::NotASitemap(looks_like(text)), 0),
        }
    }
}

/// Landmarks in undecoded text that show that no XML declaration will come.
pub(crate) const LANDMARKS: Landmarks = Landmarks {
    is_root,
    is_url_line,
};

fn is_root(name: &str) -> bool {
    format_of_root(local_part(name)).is_some()
}

/// Returns `true` if this line makes the document a text sitemap: an http or https URL.
fn is_url_line(line: &str) -> bool {
    let line = line.trim().trim_start_matches('\u{FEFF}');
    read_url(line, None).is_ok()
}

/// Returns `true` if there are more control characters than in text: in compressed data, one byte in nine is one.
fn looks_binary(text: &str) -> bool {
    let mut chars = 0;
    let mut controls = 0;
    for c in text.chars().take(1024) {
        chars += 1;
        controls += usize::from(c.is_ascii_control() && !c.is_ascii_whitespace());
    }
    controls > 2 && controls * 50 > chars
}

fn looks_like(text: &str) -> LooksLike {
    let mut visible = text.chars().filter(|c| !c.is_whitespace());
    match visible.next() {
        None => LooksLike::Empty,
        Some('{') if matches!(visible.next(), Some('{' | '%')) => LooksLike::Template,
        Some('{') => LooksLike::Json,
        // And not like a section of a configuration file.
        Some('[') if matches!(visible.next(), Some('{' | '[' | ']' | '"' | '0'..='9')) => {
            LooksLike::Json
        }
        Some('<') => LooksLike::NoRoot,
        Some(_) => LooksLike::Prose,
    }
}
