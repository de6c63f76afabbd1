//! Finds out when an entry can be parsed: when an end tag for it is there.

use memchr::memrchr;

use crate::parse::context::{Context, TextEnd};
use crate::tape::dialect::{Dialect, ends_root};
use crate::text::span::TakePart;
use crate::xml::lexer::{is_name_byte, is_space, local_part};

/// An entry is parsed at once or not at all, so the parser has no state between two calls. It is tried when an end tag of
/// an entry or of the root comes after its start, and at the end of the text that it may have. An end tag can be part of
/// a comment, a CDATA section or a value. Then the entry is tried again with the next one.
///
/// Offsets count from the start of the document.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The text before this offset has been searched for end tags.
    searched: u64,
    /// Entries that begin before this offset can be parsed.
    known: u64,
    /// The start of the entry that was last tried in vain, and the end of the text then.
    tried: Option<(u64, u64)>,
    /// Number of times that the same text was tried in vain.
    tries: u32,
}

/// An entry is tried this often with each new end tag. After that, its text must have doubled, so that the time stays
/// linear.
const TRIES: u32 = 16;

impl Frame {
    /// Returns `true` if the entry at the start of the text can be parsed. `root` is the name of the root that contains it.
    pub(super) fn is_ready(&mut self, cx: &Context<'_>, root: &str) -> bool {
        let end = cx.offset + cx.text.len() as u64;
        if cx.end != TextEnd::Open || cx.text.len() > cx.max_entry_bytes {
            // There is no end tag for the next entries in this text either.
            self.known = end;
            return true;
        }
        self.search(cx.text, cx.offset, cx.tape.dialect, root);
        self.is_known(cx.text, cx.offset)
    }

    /// Returns `true` if an end tag comes after the start of this text, which is not tried in vain too often.
    pub(super) fn is_known(&self, text: &str, offset: u64) -> bool {
        let may_try = match self.tried {
            Some((start, before)) if start == offset && self.tries >= TRIES => {
                text.len() as u64 >= 2 * (before - start)
            }
            _ => true,
        };
        self.known > offset && may_try
    }

    /// Looks for end tags in text that has arrived since the last search.
    pub(super) fn search(&mut self, text: &str, offset: u64, dialect: Dialect, root: &str) {
        let from = self.searched.saturating_sub(offset) as usize;
        #[cfg(test)]
        super::document::tests::count_work(text.len().saturating_sub(from));
        if let Some(at) = last_end_tag(text, from, dialect, root) {
            self.known = offset + at as u64;
        }
        self.searched = offset + text.len() as u64;
    }

    /// The entry at the start of the text was tried, but ends later.
    pub(super) fn not_yet(&mut self, cx: &Context<'_>) {
        if self.tried.is_none_or(|(_, end)| end <= cx.offset) {
            self.tries = 0;
        }
        self.tries += 1;
        self.tried = Some((cx.offset, cx.offset + cx.text.len() as u64));
        self.known = 0;
    }
}

/// The place of the last end tag of an entry or of the root that ends at `from` or after it. Every byte is looked at once,
/// however the text arrives.
fn last_end_tag(text: &str, from: usize, dialect: Dialect, root: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut end = bytes.len();
    while let Some(at) = memrchr(b'>', bytes.get(from..end)?) {
        end = from + at;
        let tag = bytes.part(..end);
        let name_end = tag.iter().rposition(|byte| !is_space(*byte))? + 1;
        let before = tag.part(..name_end).iter();
        let start = before.rev().take_while(|byte| is_name_byte(**byte)).count();
        let start = name_end - start;
        let name = text.part(start..name_end);
        if tag.part(..start).ends_with(b"</")
            && (dialect.entry(local_part(name)).is_some() || ends_root(name, root))
        {
            return Some(end);
        }
    }
    None
}
