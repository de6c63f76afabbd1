use memchr::memchr;

use crate::source::detect::name_at;
use crate::source::dialect::{Dialect, ends_root};
use crate::xml::token::local_part;

/// Where reading goes on after an entry that could not be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resync {
    /// There the next entry or the root's end tag begins.
    Found(usize),
    /// Not in these bytes; they need not be kept.
    Passed(usize),
}

/// No prefix is longer: a `<` with a longer name begins no entry.
const LONGEST_NAME: usize = 256;

/// Looks for `<`, an optional prefix, an entry's name and what may follow a name; or the root's end tag.
/// Comments and CDATA are looked into: what is broken may have opened them.
pub(crate) fn resync(text: &str, dialect: Dialect, root: &str, eof: bool) -> Resync {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(i) = memchr(b'<', bytes.get(at..).unwrap_or_default()) {
        let start = at + i;
        let closing = bytes.get(start + 1) == Some(&b'/');
        let name = name_at(text, start + 1 + usize::from(closing));
        let behind = start + 1 + usize::from(closing) + name.len();
        let Some(next) = bytes.get(behind) else {
            let undecided = name.len() <= LONGEST_NAME && !eof;
            return Resync::Passed(if undecided { start } else { text.len() });
        };
        let ended = next.is_ascii_whitespace() || matches!(next, b'/' | b'>');
        let local = local_part(name);
        if ended && name.len() <= LONGEST_NAME {
            let found = if closing {
                ends_root(name, root)
            } else {
                dialect.entry(local).is_some()
            };
            if found {
                return Resync::Found(start);
            }
        }
        at = start + 1;
    }
    Resync::Passed(text.len())
}

/// Keeps looking again linear: entries that fail inside of what an earlier one failed over
/// may not do so again and again.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    failed_until: u64,
    repeated: u32,
}

/// So often the same bytes may be looked at in vain.
const REPEATS: u32 = 16;

impl Patience {
    /// An entry at `start` failed; `failed` is how far it had been looked at. Where to look on, if not right behind its start tag.
    pub(crate) fn failed(&mut self, start: u64, failed: u64) -> Option<u64> {
        if start >= self.failed_until {
            self.repeated = 0;
        }
        self.repeated += 1;
        self.failed_until = self.failed_until.max(failed);
        if self.repeated <= REPEATS {
            return None;
        }
        self.repeated = 0;
        Some(self.failed_until)
    }
}
