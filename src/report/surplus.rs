//! The flaws for which the list of issues has no room. Only their number and their effects are reported.

use crate::summary::Effects;
use crate::violation::Effect;

/// The places of the flaws for which the list of issues has no room: one list per effect, in the order of [`EFFECTS`].
///
/// The places are needed because a part of the text may be read again. An entry of two megabytes can have as many flaws,
/// so each takes only four bytes, in chunks: one list would take twice the memory while it grows.
#[derive(Debug, Default)]
pub(super) struct Surplus([Vec<Vec<u32>>; 3]);

const CHUNK: usize = 16 << 10;

const EFFECTS: [Effect; 3] = [Effect::Noted, Effect::ValueDropped, Effect::EntrySkipped];

impl Surplus {
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    pub(super) fn push(&mut self, at: usize, effect: Effect) {
        let list = EFFECTS.iter().position(|listed| *listed == effect);
        if let Some(list) = list.and_then(|list| self.0.get_mut(list)) {
            match list.last_mut().filter(|chunk| chunk.len() < CHUNK) {
                Some(chunk) => chunk.push(at as u32),
                None => list.push(vec![at as u32]),
            }
        }
    }

    /// Number of flaws per effect.
    pub(super) fn effects(&self) -> Effects {
        let mut effects = Effects::default();
        for (effect, places) in EFFECTS.into_iter().zip(&self.0) {
            let count: usize = places.iter().map(Vec::len).sum();
            effects.add_many(effect, count as u64);
        }
        effects
    }

    /// Removes the flaws at and after `at`.
    pub(super) fn forget_from(&mut self, at: usize) {
        for places in &mut self.0 {
            for chunk in places.iter_mut() {
                chunk.retain(|place| (*place as usize) < at);
            }
            places.retain(|chunk| !chunk.is_empty());
        }
    }
}
