//! How much memory an entry may still take while it is interpreted. A few bytes of markup can become a hundred times
//! as many of structs, so a bound on the bytes of an entry is not enough.

use crate::limits::EXTENSION_BYTES;
use crate::xml::namespaces::NsId;

/// Bytes of heap that an entry's extensions and foreign elements may still take.
///
/// What is allocated is paid for before, with its spare capacity and with what the allocator adds to it, so that the
/// bound is one of memory, not of what the document says. While a vector grows the old one is there beside the new one:
/// for that too there has to be room.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    /// Something could not be paid for: nothing more is.
    is_spent: bool,
    /// The namespaces that are paid for, of which there is one text whatever has them: a bit each, the first in a word.
    namespaces: (u64, Vec<u64>),
}

/// What an allocation of so many bytes takes: a header, and room up to a multiple of 16.
pub(crate) const fn allocated(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        1..=24 => 32,
        _ => (bytes + 8).next_multiple_of(16),
    }
}

impl Budget {
    pub(crate) const fn new() -> Self {
        Self {
            left: EXTENSION_BYTES,
            is_spent: false,
            namespaces: (0, Vec::new()),
        }
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Whether there is room for so many bytes that are soon given back.
    pub(crate) const fn has(&self, bytes: usize) -> bool {
        !self.is_spent && bytes <= self.left
    }

    /// There is no room for something: nothing more is paid for.
    pub(crate) const fn spend(&mut self) {
        self.is_spent = true;
    }

    /// Pays for so many bytes, if there are as many left; otherwise nothing more can be paid for.
    #[inline]
    pub(crate) fn pay(&mut self, bytes: usize) -> bool {
        self.is_spent |= bytes > self.left;
        if !self.is_spent {
            self.left -= bytes;
        }
        !self.is_spent
    }

    /// Pays for one more item. `more`: how many items, this one included, are in sight; a list that is read to its end
    /// has no spare room then.
    #[inline]
    pub(crate) fn pay_for_one<T>(
        &mut self,
        items: &mut Vec<T>,
        more: impl FnOnce() -> usize,
    ) -> bool {
        if items.len() < items.capacity() {
            return !self.is_spent;
        }
        self.pay_for_growth(items, more())
    }

    #[inline(never)]
    fn pay_for_growth<T>(&mut self, items: &mut Vec<T>, more: usize) -> bool {
        let held = items.capacity();
        // By a half at least, so that a list of many short runs is not moved again and again.
        let more = more.max(held / 2).max(1);
        let grown = allocated((held + more) * size_of::<T>());
        self.is_spent |= !self.has(grown);
        if self.pay(grown.saturating_sub(allocated(held * size_of::<T>()))) {
            items.reserve_exact(more);
        }
        !self.is_spent
    }

    /// Whether this namespace has not been paid for.
    pub(crate) fn is_new(&mut self, namespace: NsId) -> bool {
        let Some(index) = namespace.declared() else {
            return false;
        };
        let (first, more) = &mut self.namespaces;
        let word = match (index / 64).checked_sub(1) {
            None => first,
            Some(number) => {
                if more.len() <= number {
                    more.resize(number + 1, 0);
                }
                match more.get_mut(number) {
                    Some(word) => word,
                    None => return false,
                }
            }
        };
        let bit = 1 << (index % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_is_paid_for_is_what_is_allocated() {
        let mut budget = Budget::new();
        let mut items = Vec::<[u8; 100]>::new();
        while budget.pay_for_one(&mut items, || 3) {
            let room = items.capacity();
            items.push([0; 100]);
            assert_eq!(items.capacity(), room);
            assert!(EXTENSION_BYTES - budget.left >= 100 * room);
        }
        // The last growth would have needed the old vector beside the new one.
        assert!(100 * items.len() > EXTENSION_BYTES / 4);
        assert!(budget.is_spent() && !budget.pay(0) && !budget.has(0));
    }

    #[test]
    fn a_namespace_is_new_once() {
        let mut names = crate::xml::namespaces::Namespaces::new();
        let ids: Vec<_> = (0..200)
            .map(|n| names.intern(&format!("urn:{n}")).unwrap())
            .collect();
        let mut budget = Budget::new();
        for new in [true, false] {
            assert!(ids.iter().all(|id| budget.is_new(*id) == new));
        }
        assert!(!budget.is_new(NsId::NONE));
        assert!(!budget.is_new(names.resolve("xml").unwrap()));
    }
}
