//! Memory of an entry that was given back, to be used again for the next.

use url::Url;

/// Texts without content, but with room.
///
/// What is kept is bounded, so that one extraordinary entry does not stay in memory as long as the reader does.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    texts: Vec<String>,
    /// The capacity of all of them.
    bytes: usize,
    lists: Vec<Vec<String>>,
}

/// Bytes of texts that are kept.
const MAX_BYTES: usize = 256 << 10;
/// Texts, and lists, that are kept.
const MAX_TEXTS: usize = 4096;
/// Values of an extension, and elements, that are kept without their content.
pub(crate) const MAX_SHELLS: usize = 64;
/// Items of a list that is kept.
pub(crate) const MAX_ITEMS: usize = 1024;

impl Spare {
    /// A text, in memory that is there if possible.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) -> String {
        match self.texts.pop() {
            Some(mut room) => {
                self.bytes -= room.capacity();
                room.clear();
                room.push_str(text);
                room
            }
            None => text.to_owned(),
        }
    }

    /// Keeps the memory of a text.
    #[inline(always)]
    pub(crate) fn keep(&mut self, text: String) {
        let bytes = self.bytes + text.capacity();
        if text.capacity() > 0 && bytes <= MAX_BYTES && self.texts.len() < MAX_TEXTS {
            self.bytes = bytes;
            self.texts.push(text);
        }
    }

    #[inline]
    pub(crate) fn keep_url(&mut self, url: Url) {
        self.keep(url.into());
    }

    /// A list of texts.
    pub(crate) fn list(&mut self) -> Vec<String> {
        self.lists.pop().unwrap_or_default()
    }

    /// Keeps the memory of a list of texts, and of these.
    pub(crate) fn keep_list(&mut self, mut list: Vec<String>) {
        while let Some(text) = list.pop() {
            self.keep(text);
        }
        if list.capacity() <= MAX_ITEMS && self.lists.len() < MAX_TEXTS {
            self.lists.push(list);
        }
    }
}

/// Empties a list, from its end; what becomes of its items is said by `keep`. The memory of one of extraordinary length is
/// given back.
#[inline]
pub(crate) fn empty<T>(list: &mut Vec<T>, keep: impl FnMut(T)) {
    if !list.is_empty() {
        empty_some(list, keep);
    }
}

#[inline(never)]
fn empty_some<T>(list: &mut Vec<T>, mut keep: impl FnMut(T)) {
    while let Some(item) = list.pop() {
        keep(item);
    }
    if list.capacity() > MAX_ITEMS {
        *list = Vec::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut spare = Spare::default();
        for _ in 0..2 * MAX_TEXTS {
            spare.keep("a".repeat(1000));
        }
        let kept: usize = spare.texts.iter().map(String::capacity).sum();
        assert!(kept <= MAX_BYTES && kept == spare.bytes);
        spare.keep("a".repeat(MAX_BYTES));
        while !spare.texts.is_empty() {
            assert_eq!(spare.text("b"), "b");
        }
        assert_eq!(spare.bytes, 0);
        spare.keep_list(vec![String::new(); MAX_ITEMS + 1]);
        assert!(spare.lists.is_empty() && spare.texts.is_empty());
        let mut list = vec!["c".to_owned(); MAX_ITEMS + 1];
        empty(&mut list, |text| spare.keep(text));
        assert_eq!(list.capacity(), 0);
        assert_eq!(spare.texts.len(), MAX_ITEMS + 1);
    }
}
