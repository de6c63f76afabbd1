//! How much the extensions and foreign elements of an entry may contain. A few bytes of markup can become a hundred times
//! as many bytes of structs, so a limit for the bytes of an entry is not enough.

use crate::limits::EXTENSION_BYTES;

/// Bytes that the extensions and foreign elements of an entry may still have.
///
/// A text counts as many bytes as it has, and a place in a list twice its size: while a list grows, its old memory exists
/// next to the new memory.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    /// Something was too large. Nothing more is accepted, not even if it is smaller.
    is_spent: bool,
}

impl Budget {
    /// The budget of an entry whose namespaces have so many bytes. They count once, however many elements share them.
    pub(crate) const fn new(namespaces: usize) -> Self {
        Self {
            left: EXTENSION_BYTES.saturating_sub(namespaces),
            is_spent: false,
        }
    }

    pub(crate) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Returns whether so many bytes are left, for memory that is released soon.
    pub(crate) const fn has(&self, bytes: usize) -> bool {
        !self.is_spent && bytes <= self.left
    }

    /// Accepts nothing more.
    pub(crate) const fn spend(&mut self) {
        self.is_spent = true;
    }

    /// Takes so many bytes. Returns `false`, and accepts nothing more, if fewer are left.
    #[inline]
    pub(crate) const fn pay(&mut self, bytes: usize) -> bool {
        self.is_spent |= bytes > self.left;
        if !self.is_spent {
            self.left -= bytes;
        }
        !self.is_spent
    }

    /// Makes room for one more item of a list, if the budget suffices. `more`: how many items, this one included, are in
    /// sight, so that a list that is read to its end has no spare room.
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
        // By a half at least, so that a list of many short runs is not moved again and again.
        let more = more.max(items.capacity() / 2).max(1);
        let is_paid = self.pay(2 * more * size_of::<T>());
        if is_paid {
            items.reserve_exact(more);
        }
        is_paid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_large_ends_it() {
        let mut budget = Budget::new(EXTENSION_BYTES - 700);
        assert!(budget.pay(600) && budget.has(100));
        assert!(!budget.pay(101) && budget.is_spent());
        assert!(!budget.has(0) && !budget.pay(0));
        assert!(!Budget::new(usize::MAX).has(1));
    }

    #[test]
    fn a_list_has_as_much_room_as_is_paid_for() {
        let mut budget = Budget::new(0);
        let mut items = Vec::<[u8; 100]>::new();
        while budget.pay_for_one(&mut items, || 3) {
            let room = items.capacity();
            items.push([0; 100]);
            assert_eq!(items.capacity(), room);
            assert_eq!(EXTENSION_BYTES - budget.left, 200 * room);
        }
        assert!(100 * items.len() > EXTENSION_BYTES / 4);
    }
}
