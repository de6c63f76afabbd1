//! The XML declaration of a document that begins with something else.

use memchr::memchr;

use crate::dialect::format_of_root;
use crate::limits::DETECTION_BYTES;
use crate::span::floor_char_boundary;
use crate::xml::lexer::{local_part, name_at};
use crate::xml::skip::{Doctype, Skip};

/// The search for a declaration behind other content, which goes on where it ended when more text has come.
#[derive(Debug)]
pub(crate) struct DeclarationSearch {
    /// What lies before holds none.
    at: usize,
    /// There was nothing but white space before that.
    is_blank: bool,
    /// What `at` lies in.
    within: Option<Skip>,
}

/// No root has a longer name.
const LONGEST_NAME: usize = 256;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Searched {
    /// It begins there.
    Found(usize),
    /// There is none before the root, or none that is near enough.
    Nowhere,
    NeedMore,
}

impl DeclarationSearch {
    pub(crate) const fn new() -> Self {
        Self {
            at: 0,
            is_blank: true,
            within: None,
        }
    }

    /// Looks for it from the start of the document on. `last`: no more text will come.
    pub(crate) fn look(&mut self, text: &str, last: bool) -> Searched {
        // Whatever has come by chance, the verdict is on this.
        let head = text
            .get(..floor_char_boundary(text, DETECTION_BYTES))
            .unwrap_or(text);
        let last = last || head.len() < text.len();
        if self.is_blank {
            let blank = |c: char| c.is_whitespace() || c == '\u{FEFF}';
            let rest = head.get(self.at..).unwrap_or_default();
            let visible = rest.trim_start_matches(blank);
            self.at = head.len() - visible.len();
            self.is_blank = visible.is_empty();
            if !self.is_blank && !visible.starts_with('<') {
                // Text, of which it is asked later what it stands before.
                return Searched::Nowhere;
            }
        }
        self.search(head, last)
    }

    /// The same in text that is known to stand before a root.
    pub(crate) fn before_root(text: &str) -> Option<usize> {
        match Self::new().search(text, true) {
            Searched::Found(at) => Some(at),
            Searched::Nowhere | Searched::NeedMore => None,
        }
    }

    fn search(&mut self, text: &str, last: bool) -> Searched {
        let more = if last {
            Searched::Nowhere
        } else {
            Searched::NeedMore
        };
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            if let Some(skip) = &mut self.within {
                let (passed, is_done) = skip.pass(rest);
                self.at += passed;
                if !is_done {
                    return more;
                }
                self.within = None;
                continue;
            }
            let Some(markup) = memchr(b'<', rest.as_bytes()) else {
                self.at = text.len();
                return more;
            };
            self.at += markup;
            let rest = text.get(self.at..).unwrap_or_default();
            if !last && rest.len() < "<![CDATA[".len() && !rest.contains('>') {
                return more;
            }
            let declaration = rest.strip_prefix("<?xml");
            if declaration
                .is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_whitespace()))
            {
                return Searched::Found(self.at);
            }
            let skip = [
                ("<!--", Skip::Comment),
                ("<![CDATA[", Skip::CData),
                ("<?", Skip::Pi),
                ("<!DOCTYPE", Skip::Doctype(Doctype::default())),
            ]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin));
            if let Some((begin, skip)) = skip {
                self.at += begin.len();
                self.within = Some(skip);
                continue;
            }
            // Longer ones are not waited for.
            let name = name_at(
                rest.get(..floor_char_boundary(rest, LONGEST_NAME))
                    .unwrap_or(rest),
                1,
            );
            if 1 + name.len() == rest.len() {
                return more;
            }
            let local = local_part(name);
            if format_of_root(local).is_some() || local.eq_ignore_ascii_case("html") {
                return Searched::Nowhere;
            }
            self.at += 1;
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
