//! The flaws for which the list of issues has no room. Only their number and their effects are reported.

use crate::summary::Effects;
use crate::violation::Effect;

/// The place and the effect of each flaw for which the list of issues has no room, in the order in which they were found.
///
/// The places are needed because a part of the text may be read again. An entry of two megabytes can have as many flaws,
/// so each takes one or two bytes.
#[derive(Debug, Default)]
pub(super) struct Surplus {
    /// The distance of each flaw from the one before and its effect, as one number of seven bits per byte. The lowest
    /// bits come first, and the eighth bit is set in all bytes of a number except the last.
    packed: Vec<u8>,
    /// The place of the last flaw.
    last: usize,
}

/// Bytes that a number takes at most.
const LONGEST: usize = 10;

impl Surplus {
    pub(super) fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    pub(super) fn push(&mut self, at: usize, effect: Effect) {
        if self.packed.capacity() - self.packed.len() < LONGEST {
            // Not doubled, so that little is spare.
            let more = (self.packed.capacity() / 4).max(1024);
            self.packed.reserve_exact(more);
        }
        let distance = at as i64 - self.last as i64;
        self.last = at;
        // Signed numbers near zero become small ones.
        let distance = ((distance << 1) ^ (distance >> 63)) as u64;
        let mut rest = distance << 2 | effect as u64;
        while rest > 0x7F {
            self.packed.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.packed.push(rest as u8);
    }

    fn iter(&self) -> impl Iterator<Item = (usize, Effect)> {
        let mut bytes = self.packed.iter();
        let mut at = 0_i64;
        std::iter::from_fn(move || {
            let (mut number, mut shift) = (0, 0);
            loop {
                let byte = *bytes.next()?;
                number |= u64::from(byte & 0x7F) << shift;
                if byte < 0x80 {
                    break;
                }
                shift += 7;
            }
            let distance = number >> 2;
            at += (distance >> 1) as i64 ^ -((distance & 1) as i64);
            let effect = match number & 3 {
                0 => Effect::Noted,
                1 => Effect::ValueDropped,
                _ => Effect::EntrySkipped,
            };
            Some((at as usize, effect))
        })
    }

    /// Number of flaws per effect.
    pub(super) fn effects(&self) -> Effects {
        let mut effects = Effects::NONE;
        for (_, effect) in self.iter() {
            effects.add(effect);
        }
        effects
    }

    /// Removes the flaws at and after `at`.
    pub(super) fn forget_from(&mut self, at: usize) {
        let before = std::mem::take(self);
        for (place, effect) in before.iter().filter(|(place, _)| *place < at) {
            self.push(place, effect);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let mut surplus = Surplus::default();
        let places = [0, 1, 2, 200, 3, 1 << 20, (1 << 31) - 1, 0, 70_000];
        let effects = [Effect::Noted, Effect::ValueDropped, Effect::EntrySkipped];
        let flaws: Vec<_> = places
            .into_iter()
            .zip(effects.into_iter().cycle())
            .collect();
        for (at, effect) in &flaws {
            surplus.push(*at, *effect);
        }
        assert_eq!(surplus.iter().collect::<Vec<_>>(), flaws);
        assert_eq!(surplus.effects().count(), 9);
        surplus.forget_from(200);
        let left: Vec<usize> = surplus.iter().map(|(at, _)| at).collect();
        assert_eq!(left, [0, 1, 2, 3, 0]);
    }
}
