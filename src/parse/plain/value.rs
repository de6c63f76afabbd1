//! Texts and values of attributes: their ends, and their content if they contain references.

use memchr::{memchr, memmem};

use crate::tape::{Tape, Value};
use crate::text::search::{find, is_angle, may_be_forbidden, skip_blank};
use crate::text::span::Span;
use crate::xml::references::known_reference;

/// The text of an entry, of which the values are parts, and the tape that they are put on.
pub(super) struct Values<'p, 't> {
    pub(super) text: &'t str,
    pub(super) tape: &'p mut Tape,
}

impl<'t> Values<'_, 't> {
    #[inline(always)]
    pub(super) fn at(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    /// A text that is not plain: a CDATA section, or one that [`text_with_references`](Self::text_with_references) reads.
    #[inline(never)]
    pub(super) fn other_text(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let start = skip_blank(rest);
        match start.strip_prefix(b"<![CDATA[") {
            Some(inside) => self.section(inside),
            None => self.text_with_references(start),
        }
    }

    /// The content of a CDATA section that is all of a text.
    fn section(&mut self, inside: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let (text, end) = inside.split_at_checked(memmem::find(inside, b"]]>")?)?;
        if find(text, may_be_forbidden).is_some() {
            return None;
        }
        let from = self.at(inside);
        let value = Value::in_window(Span::new(from, from + text.len()));
        let behind = skip_blank(end.get(3..)?);
        Some((value.trimmed(self.text, ""), behind))
    }

    /// A text that is blank, ends with white space, or holds references. One with a `>` may hold what ends a CDATA section,
    /// which the general path reports.
    fn text_with_references(&mut self, rest: &'t [u8]) -> Option<(Value, &'t [u8])> {
        let len = find(rest, |b| is_angle(b) | (b == b'&') | may_be_forbidden(b))?;
        let behind = rest.get(len..)?;
        let from = self.at(rest);
        // The line may end here, and white space follow.
        let next = skip_blank(behind);
        if next.first() == Some(&b'<') {
            let value = Value::in_window(Span::new(from, from + len));
            return Some((value.trimmed(self.text, ""), next));
        }
        let next = behind.get(find(behind, |b| is_angle(b) | may_be_forbidden(b))?..)?;
        if next.first() != Some(&b'<') {
            return None;
        }
        let value = self.resolved(from, self.at(next))?;
        Some((value.trimmed("", &self.tape.scratch), next))
    }

    /// The value of an attribute, and what follows it: the quote that ends it.
    #[inline(always)]
    pub(super) fn attribute(&mut self, rest: &'t [u8], quote: u8) -> Option<(Value, &'t [u8])> {
        let start = self.at(rest);
        // `"` and `&` differ in one bit, so that one comparison finds both.
        const DIFFERENCE: u8 = b'"' ^ b'&';
        let len = match quote {
            b'"' => find(rest, |b| {
                (b & !DIFFERENCE == b'"') | (b == b'<') | may_be_forbidden(b)
            })?,
            _ => find(rest, |b| {
                (b == b'\'') | (b == b'&') | (b == b'<') | may_be_forbidden(b)
            })?,
        };
        if *rest.get(len)? == quote {
            let value = Value::in_window(Span::new(start, start + len));
            return Some((value, rest.get(len..)?));
        }
        self.attribute_with_references(rest, quote)
    }

    /// The value of an attribute that holds references.
    #[inline(never)]
    fn attribute_with_references(
        &mut self,
        rest: &'t [u8],
        quote: u8,
    ) -> Option<(Value, &'t [u8])> {
        let start = self.at(rest);
        let (value, behind) = rest.split_at_checked(memchr(quote, rest)?)?;
        if find(value, |b| (b == b'<') | may_be_forbidden(b)).is_some() {
            return None;
        }
        Some((self.resolved(start, start + value.len())?, behind))
    }

    /// A text whose references are all known ones, resolved.
    fn resolved(&mut self, start: usize, end: usize) -> Option<Value> {
        let mut rest = self.text.get(start..end)?;
        let origin = Span::new(start, end).trimmed(self.text);
        // The resolved text is never longer.
        if !self.tape.make_room_for_text(end - start) {
            return None;
        }
        let scratch = self.tape.scratch.len();
        while let Some(plain) = memchr(b'&', rest.as_bytes()) {
            let (before, reference) = rest.split_at_checked(plain)?;
            let (c, len) = known_reference(reference)?;
            self.tape.scratch.push_str(before);
            self.tape.scratch.push(c);
            rest = reference.get(len..)?;
        }
        self.tape.scratch.push_str(rest);
        let origin = self.tape.push_origin(origin)?;
        Some(Value::in_scratch(scratch, self.tape.scratch.len(), origin))
    }
}

/// Returns the length of the text, and the text after it, if it begins and ends with a visible character and contains
/// no reference.
#[inline(always)]
pub(super) fn plain_text(rest: &[u8]) -> Option<(usize, &[u8])> {
    // As signed numbers, control characters and all beyond ASCII are less than a space.
    let len = find(rest, |b| {
        is_angle(b) | (b == b'&') | (b.cast_signed() < 0x20)
    })?;
    let (text, behind) = rest.split_at_checked(len)?;
    let is_trimmed = text.last()?.is_ascii_graphic();
    (is_trimmed && behind.first() == Some(&b'<')).then_some((len, behind))
}
