//! The flaws of one item beyond the first thousand. They are not listed, but a callback is called for each.

use crate::summary::Effects;
use crate::violation::{Effect, Rule, Violation, quotable, spelt_code_point};

use super::flaw::{Flaw, Packed};

/// Bytes that are kept of flaws as they were found. Of those beyond it only the place, the rule and the effect are kept.
const WHOLE_BYTES: usize = 1 << 20;

/// The flaws beyond the first thousand, in the order in which they were found.
///
/// An entry of two megabytes can have as many flaws, so all but the first of these take two or three bytes each.
#[derive(Debug, Default)]
pub(super) struct Surplus {
    /// The first of them, if they are kept whole.
    whole: Vec<Flaw>,
    whole_bytes: usize,
    /// The others: how far each is from the one before, in as few bytes as that takes, then its rule and its effect.
    packed: Vec<u8>,
    /// Where the last of these is.
    last: usize,
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
        let distance = flaw.at as i64 - self.last as i64;
        self.last = flaw.at;
        // Signed numbers that are near zero become small ones.
        let mut rest = ((distance << 1) ^ (distance >> 63)) as u64;
        while rest > 0x7F {
            self.packed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.packed.push(rest as u8);
        self.packed.push((flaw.rule as u8) << 2 | flaw.effect as u8);
    }

    /// Those that are kept whole; they come before the others.
    pub(super) fn take_whole(&mut self) -> Vec<Flaw> {
        std::mem::take(&mut self.whole)
    }

    /// The others.
    pub(super) fn packed(&self) -> impl Iterator<Item = Packed> {
        let mut bytes = self.packed.iter();
        let mut at = 0_i64;
        std::iter::from_fn(move || {
            let (mut number, mut shift) = (0_u64, 0);
            loop {
                let byte = *bytes.next()?;
                number |= u64::from(byte & 0x7F) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            at += (number >> 1) as i64 ^ -((number & 1) as i64);
            let kind = *bytes.next()?;
            Some(Packed {
                at: at as usize,
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
        for flaw in before.packed().filter(|flaw| flaw.at < at) {
            self.push(flaw);
        }
        let (forgotten, kept) = before.whole.into_iter().partition(|flaw| flaw.at >= at);
        self.whole = kept;
        self.whole_bytes = before.whole_bytes;
        forgotten
    }
}

/// Bytes that a packed flaw takes at most.
const LONGEST: usize = 12;

/// The violation of a flaw of which only the place is known: what stands there was found.
pub(super) fn violation_at(flaw: Packed, text: &str, encoding: &'static str) -> Violation {
    let rest = text.get(flaw.at..).unwrap_or_default();
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
    match rest.chars().next() {
        Some('\u{FFFF}') => Violation::undecodable(encoding),
        Some(c) if flaw.rule == Rule::InvalidCharacter && c != '&' => {
            Violation::new(flaw.rule, &spelt_code_point(c))
        }
        _ => Violation::new(flaw.rule, what_stands_at(flaw.rule, rest)),
    }
}

/// The reference, the name of the tag or the value with which a text begins.
fn what_stands_at(rule: Rule, rest: &str) -> &str {
    let rest = quotable(rest);
    let up_to = |end: fn(char) -> bool| rest.split(end).next().unwrap_or_default();
    let tag = rest.strip_prefix('<');
    match (rule, tag) {
        (Rule::StrayText, _) => up_to(|c| c == '\n').trim_end(),
        (Rule::MalformedMarkup, Some(_)) => {
            let end = rest.find('>').map_or(rest.len(), |end| end + 1);
            rest.get(..end).unwrap_or_default()
        }
        (_, Some(tag)) => {
            let name = tag.strip_prefix('/').unwrap_or(tag);
            let is_end = |c: char| c.is_whitespace() || matches!(c, '/' | '>');
            name.split(is_end).next().unwrap_or_default()
        }
        (Rule::BareAmpersand, None) => up_to(char::is_whitespace),
        (_, None) if rest.starts_with('&') => {
            let end = rest.find(';').map_or(rest.len(), |end| end + 1);
            rest.get(..end).unwrap_or_default()
        }
        (_, None) => up_to(|c| matches!(c, '<' | '"')).trim_end(),
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
                at: *at,
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
        let left: Vec<usize> = surplus.packed().map(|flaw| flaw.at).collect();
        assert_eq!(left, [0, 1, 2, 3, 0]);
    }

    #[test]
    fn what_stands_at_a_place() {
        for (rule, text, found) in [
            (Rule::BareAmpersand, "&b=2 c", "&b=2"),
            (Rule::UnknownEntity, "&nbsp;x", "&nbsp;"),
            (Rule::InvalidCharacter, "&#0;x", "&#0;"),
            (Rule::InvalidCharacter, "\u{1}x", "U+0001"),
            (Rule::InvalidCharacter, "\u{FFFF}x", "\u{FFFD}"),
            (Rule::MismatchedTag, "</x:a ><b>", "x:a"),
            (Rule::UnknownElement, "<foo/>", "foo"),
            (Rule::MalformedMarkup, "<x a=1>t", "<x a=1>"),
            (Rule::StrayText, "<<< HEAD \n<b>", "<<< HEAD"),
            (Rule::InvalidDatetime, "soon </lastmod>", "soon"),
            (Rule::TooManyTags, "<video:tag>", "32"),
        ] {
            let effect = Effect::Noted;
            let flaw = Packed {
                at: 1,
                rule,
                effect,
            };
            let violation = violation_at(flaw, &format!("-{text}"), "UTF-8");
            assert_eq!(violation.found(), found, "{text}");
        }
    }
}
