//! How many elements of an extension an entry may have, for readers and writers, from the table of extensions.

use super::Extension;
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::violation::{Rule, Violation, grouped};
use crate::vocabulary::extensions;

/// A limit of the elements of one extension in an entry.
#[derive(Clone, Copy)]
enum Most {
    /// A limit of the format: a reader keeps and notes what is beyond it.
    Allowed(usize, Rule),
    /// A limit of memory: a reader drops what is beyond it.
    Kept(usize),
}

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident {
        field: $field:ident,
        $(most: $most:literal $rule:ident,)?
        $(kept: $kept:literal,)?
        element: $prefix:literal $local:literal,
        $($columns:tt)*
    })*) => {
        impl Extension {
            const fn most(self) -> Option<Most> {
                #[allow(unreachable_code, reason = "a row has at most one limit")]
                match self {
                    $(Self::$name => {
                        $(return Some(Most::Allowed($most, Rule::$rule));)?
                        $(return Some(Most::Kept($kept));)?
                        None
                    })*
                }
            }

            /// The element of an entry as it is written.
            const fn written(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($prefix, ":", $local),)*
                }
            }
        }
    };
}
extensions!(limits);

impl Extension {
    /// Returns `false`, and reports it, if a reader does not keep another element after `count` of them.
    pub(super) fn has_room(
        self,
        count: usize,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> bool {
        match self.most() {
            Some(Most::Kept(most)) if count >= most => {
                cx.refuse(Rule::EntryTooLarge, element.tag(), self.written());
                false
            }
            _ => true,
        }
    }

    /// Notes, once, that an element is beyond the limit of the format; it is the last of `count`.
    #[inline]
    pub(super) fn note_excess(
        self,
        count: usize,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) {
        if let Some(Most::Allowed(most, rule)) = self.most()
            && count == most + 1
        {
            cx.note(rule, element.tag(), &grouped(most as u64));
        }
    }

    /// Checks that an entry with so many elements can be written.
    pub(crate) fn check_count(self, count: usize) -> Result<(), Violation> {
        match self.most() {
            Some(Most::Allowed(most, rule)) if count > most => {
                Err(Violation::new(rule, &grouped(most as u64)))
            }
            Some(Most::Kept(most)) if count > most => {
                let detail = format!(
                    "an entry has at most {} {}",
                    grouped(most as u64),
                    self.name()
                );
                let (rule, found) = (Rule::EntryTooLarge, self.written());
                Err(Violation::with_detail(rule, found, detail))
            }
            _ => Ok(()),
        }
    }
}
