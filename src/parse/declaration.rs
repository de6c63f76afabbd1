//! The XML declaration of a document that begins with something else.

use crate::limits::DETECTION_BYTES;
use crate::prolog::{Landmark, PrologScanner};
use crate::tape::dialect::format_of_root;
use crate::text::span::{TakePart, floor_char_boundary};
use crate::xml::lexer::local_part;

/// The search for a declaration after other content, which continues where it ended when more text arrives.
#[derive(Debug)]
pub(crate) struct DeclarationSearch {
    scanner: PrologScanner,
    /// So much white space comes before all else; or so much there is, if nothing else has come.
    blank: usize,
    is_blank: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    /// It begins there.
    Found(usize),
    /// There is none before the root, or none that is near enough.
    Nowhere,
    NeedMore,
}

impl DeclarationSearch {
    pub(crate) fn new() -> Self {
        Self {
            scanner: PrologScanner::behind_markup(),
            blank: 0,
            is_blank: true,
        }
    }

    /// Looks for it from the start of the document on. `last`: no more text will come.
    pub(crate) fn look(&mut self, text: &str, last: bool) -> Searched {
        // The result must not depend on how much more text has arrived.
        let head = text
            .get(..floor_char_boundary(text, DETECTION_BYTES))
            .unwrap_or(text);
        let last = last || head.len() < text.len();
        if self.is_blank {
            let blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
            let rest = head.part(self.blank..);
            let visible = rest.trim_start_matches(blank);
            self.blank = head.len() - visible.len();
            self.is_blank = visible.is_empty();
            if !self.is_blank && !visible.starts_with('<') {
                // Text; the construct after it decides whether it is before a root.
                return Searched::Nowhere;
            }
        }
        self.search(head, last)
    }

    /// Like `Text`, if it is known to be before a root.
    pub(crate) fn before_root(text: &str) -> Option<usize> {
        match Self::new().search(text, true) {
            Searched::Found(at) => Some(at),
            Searched::Nowhere | Searched::NeedMore => None,
        }
    }

    fn search(&mut self, text: &str, last: bool) -> Searched {
        while let Some(landmark) = self.scanner.next(text.as_bytes(), last) {
            match landmark {
                Landmark::Declaration { at, .. } => return Searched::Found(at),
                Landmark::Element { start, name_end } => {
                    let name = text.part(start + 1..name_end);
                    let local = local_part(name);
                    if format_of_root(local).is_some() || local.eq_ignore_ascii_case("html") {
                        return Searched::Nowhere;
                    }
                }
                Landmark::Line { .. } => {}
            }
        }
        if last {
            Searched::Nowhere
        } else {
            Searched::NeedMore
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_however_the_text_comes() {
        for (text, expected) in [
            ("<?xml version='1.0'?><urlset>", Searched::Found(0)),
            (" <?xml ?>", Searched::Found(1)),
            ("\u{FEFF}\n<!-- <?xml --><?xml ?>", Searched::Found(18)),
            ("<?a <?xml ?><?xml ?><urlset>", Searched::Found(12)),
            (
                "<!DOCTYPE a [<!ENTITY b '<?xml '>]><?xml ?>",
                Searched::Found(35),
            ),
            ("<b>a</b> c <?xml ?>", Searched::Found(11)),
            ("<urlset ><?xml ?>", Searched::Nowhere),
            ("<html><?xml ?>", Searched::Nowhere),
            ("a <?xml ?>", Searched::Nowhere),
            ("\n a <?xml ?>", Searched::Nowhere),
            ("<?xml-stylesheet ?><urlset>", Searched::Nowhere),
            ("<!-- <?xml ", Searched::Nowhere),
            ("<urlset", Searched::Nowhere),
            ("", Searched::Nowhere),
        ] {
            let whole = DeclarationSearch::new().look(text, true);
            assert_eq!(whole, expected, "{text}");
            let mut search = DeclarationSearch::new();
            let mut ends = (0..=text.len()).filter(|end| text.is_char_boundary(*end));
            let found = ends.find_map(|end| match search.look(&text[..end], end == text.len()) {
                Searched::NeedMore => None,
                found => Some(found),
            });
            assert_eq!(found, Some(expected), "{text} in pieces");
        }
        let far = format!("{}<?xml ?>", " ".repeat(DETECTION_BYTES - 5));
        assert_eq!(DeclarationSearch::new().look(&far, true), Searched::Nowhere);
    }
}
