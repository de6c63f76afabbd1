//! The flaws for which the list of issues has no room. They are not listed, but a callback is called for each.

use crate::span::Span;
use crate::summary::Effects;
use crate::violation::{Effect, Rule, Violation, spelt_code_point};

use super::flaw::{Flaw, Packed};

/// Bytes that are kept of flaws as they were found. Of those beyond it only the place, the rule and the effect are kept.
const WHOLE_BYTES: usize = 1 << 20;

/// The flaws for which the list of issues has no room, in the order in which they were found.
///
/// An entry of two megabytes can have as many flaws, so all but the first of these take two or three bytes each.
#[derive(Debug, Default)]
pub(super) struct Surplus {
    /// The first of them, if they are kept whole.
    whole: Vec<Flaw>,
    whole_bytes: usize,
    /// The others: how far each is from the one before, how long it is if that one is not as long, both in as few bytes
    /// as they take; then its rule and its effect.
    packed: Vec<u8>,
    /// Where the last of these is, and how long.
    last: usize,
    last_len: usize,
}

impl Surplus {
    pub(super) fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.packed.is_empty()
    }

    /// Whether a flaw that is added now is kept as it was found.
    pub(super) fn has_room(&self) -> bool {
        self.whole_bytes < WHOLE_BYTES && self.packed.is_empty()
    }

    pub(super) fn push_whole(&mut self, flaw: Flaw) {
        self.whole_bytes += size_of::<Flaw>() + flaw.violation.heap_bytes();
        self.whole.push(flaw);
    }

    pub(super) fn push(&mut self, flaw: Packed) {
        if self.packed.capacity() - self.packed.len() < LONGEST {
            // Not doubled: little is spare where there is much.
            let more = (self.packed.capacity() / 4).max(1024);
            self.packed.reserve_exact(more);
        }
        let distance = flaw.span.start() as i64 - self.last as i64;
        self.last = flaw.span.start();
        // Signed numbers that are near zero become small ones.
        let distance = ((distance << 1) ^ (distance >> 63)) as u64;
        let len = flaw.span.len();
        if len == std::mem::replace(&mut self.last_len, len) {
            self.push_number(distance << 1);
        } else {
            self.push_number(distance << 1 | 1);
            self.push_number(len as u64);
        }
        self.packed.push((flaw.rule as u8) << 2 | flaw.effect as u8);
    }

    /// Seven bits per byte, the lowest first; the eighth is set in all but the last.
    fn push_number(&mut self, mut rest: u64) {
        while rest > 0x7F {
            self.packed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.packed.push(rest as u8);
    }

    /// Those that are kept whole; they come before the others.
    pub(super) fn take_whole(&mut self) -> Vec<Flaw> {
        std::mem::take(&mut self.whole)
    }

    /// The others.
    pub(super) fn packed(&self) -> impl Iterator<Item = Packed> {
        let mut bytes = self.packed.iter();
        let (mut at, mut len) = (0_i64, 0);
        std::iter::from_fn(move || {
            let number = next_number(&mut bytes)?;
            let (distance, has_len) = (number >> 1, number & 1 == 1);
            at += (distance >> 1) as i64 ^ -((distance & 1) as i64);
            if has_len {
                len = next_number(&mut bytes)? as usize;
            }
            let kind = *bytes.next()?;
            Some(Packed {
                span: Span::new(at as usize, at as usize + len),
                rule: *Rule::ALL.get(usize::from(kind >> 2))?,
                effect: match kind & 3 {
                    0 => Effect::Noted,
                    1 => Effect::ValueDropped,
                    _ => Effect::EntrySkipped,
                },
            })
        })
    }

    /// What all of them cost.
    pub(super) fn effects(&self) -> Effects {
        let mut effects = Effects::NONE;
        for flaw in &self.whole {
            effects.add(flaw.effect);
        }
        for flaw in self.packed() {
            effects.add(flaw.effect);
        }
        effects
    }

    /// Forgets those at `at` and behind it, and returns those of them that were kept whole.
    pub(super) fn forget_from(&mut self, at: usize) -> Vec<Flaw> {
        if self.is_empty() {
            return Vec::new();
        }
        let before = std::mem::take(self);
        for flaw in before.packed().filter(|flaw| flaw.span.start() < at) {
            self.push(flaw);
        }
        let (forgotten, kept) = before.whole.into_iter().partition(|flaw| flaw.at() >= at);
        self.whole = kept;
        self.whole_bytes = before.whole_bytes;
        forgotten
    }
}

/// Bytes that a packed flaw takes at most.
const LONGEST: usize = 17;

fn next_number<'b>(bytes: &mut impl Iterator<Item = &'b u8>) -> Option<u64> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// The violation of a flaw of which only the place is known: the text there was found.
pub(super) fn violation_at(flaw: Packed, text: &str, encoding: &'static str) -> Violation {
    // What was found then is the limit.
    let limit = match flaw.rule {
        Rule::TooManyImages | Rule::TooManyNews => "1,000",
        Rule::TooManyTags => "32",
        Rule::TooManyTickers => "5",
        _ => "",
    };
    if !limit.is_empty() {
        return Violation::new(flaw.rule, limit);
    }
    let found = flaw.span.of(text);
    match found.chars().next() {
        Some('\u{FFFF}') => Violation::undecodable(encoding),
        Some(c) if flaw.rule == Rule::InvalidCharacter && c != '&' => {
            Violation::new(flaw.rule, &spelt_code_point(c))
        }
        _ => Violation::new(flaw.rule, name_or_text(flaw.rule, found)),
    }
}

/// The name of a tag, or all of what was found.
fn name_or_text(rule: Rule, found: &str) -> &str {
    match found.strip_prefix('<') {
        Some(tag) if !matches!(rule, Rule::StrayText | Rule::MalformedMarkup) => {
            tag.strip_prefix('/').unwrap_or(tag)
        }
        _ => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let mut surplus = Surplus::default();
        let places = [0, 1, 2, 200, 3, 1 << 20, (1 << 31) - 1, 0, 70_000];
        let flaws: Vec<Packed> = places
            .iter()
            .zip(Rule::ALL.iter().rev())
            .zip(
                [Effect::Noted, Effect::ValueDropped, Effect::EntrySkipped]
                    .iter()
                    .cycle(),
            )
            .map(|((at, rule), effect)| Packed {
                span: Span::new(*at, at + at % 300),
                rule: *rule,
                effect: *effect,
            })
            .collect();
        for flaw in &flaws {
            surplus.push(*flaw);
        }
        assert_eq!(surplus.packed().collect::<Vec<_>>(), flaws);
        assert_eq!(surplus.effects().count(), 9);
        surplus.forget_from(200);
        let left: Vec<usize> = surplus.packed().map(|flaw| flaw.span.start()).collect();
        assert_eq!(left, [0, 1, 2, 3, 0]);
    }

    #[test]
    fn what_stands_at_a_place() {
        for (rule, span, behind, found) in [
            (Rule::BareAmpersand, "&b=2", " c", "&b=2"),
            (Rule::UnknownEntity, "&nbsp;", "x", "&nbsp;"),
            (Rule::InvalidCharacter, "&#0;", "x", "&#0;"),
            (Rule::InvalidCharacter, "\u{1}", "x", "U+0001"),
            (Rule::InvalidCharacter, "\u{FFFF}", "x", "\u{FFFD}"),
            (Rule::MismatchedTag, "</x:a", " ><b>", "x:a"),
            (Rule::UnknownElement, "<foo", "/>", "foo"),
            (Rule::MalformedMarkup, "<x a=1>", "t", "<x a=1>"),
            (Rule::StrayText, "<<< HEAD", " \n<b>", "<<< HEAD"),
            (Rule::InvalidDatetime, "soon", " </lastmod>", "soon"),
            (Rule::TooManyTags, "<video:tag", ">", "32"),
        ] {
            let flaw = Packed {
                span: Span::from(1, span),
                rule,
                effect: Effect::Noted,
            };
            let violation = violation_at(flaw, &format!("-{span}{behind}"), "UTF-8");
            assert_eq!(violation.found(), found, "{span}");
        }
    }
}
