//! Comments and similar markup that may be longer than the window, skipped piece by piece.

use crate::prolog::{Construct, Doctype};
use crate::text::span::floor_char_boundary;

/// Markup between entries of any length, which is skipped while it is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skip(pub(crate) Construct);

impl Skip {
    /// After the opener of a document type.
    pub(crate) const DOCTYPE: Self = Self(Construct::Doctype(Doctype::NEW));

    /// Skips as much as possible. Returns the number of bytes, and whether the markup ends with them.
    pub(crate) fn pass(&mut self, text: &str) -> (usize, bool) {
        let (passed, is_over) = self.0.pass(text.as_bytes());
        (floor_char_boundary(text, passed), is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doctype_len(text: &str, step: usize) -> Option<usize> {
        let mut skip = Skip::DOCTYPE;
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
