//! The memory of an entry's lists, which the next entry uses again.

/// Items of a list whose memory is kept when it is emptied.
const MAX_KEPT: usize = 1024;

#[inline(never)]
fn clear_list<T>(list: &mut Vec<T>) {
    list.clear();
    if list.capacity() > MAX_KEPT {
        *list = Vec::new();
    }
}

/// A list, or at most one value.
pub(crate) trait Clear {
    fn clear(&mut self);
}

impl<T> Clear for Vec<T> {
    #[inline]
    fn clear(&mut self) {
        if self.capacity() > 0 {
            clear_list(self);
        }
    }
}

impl<T> Clear for Option<T> {
    fn clear(&mut self) {
        *self = None;
    }
}
