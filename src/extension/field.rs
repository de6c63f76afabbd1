//! Fields, and how many elements of an extension those of an entry may hold, for readers and writers, from the table of
//! extensions.

use super::Extension;
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::violation::{Rule, Violation, grouped};
use crate::vocabulary::extensions;

/// A field that is empty at first: a list, or an `Option` for at most one value.
pub(crate) trait Field {
    type Value;

    const EMPTY: Self;
    const IS_LIST: bool;

    fn values(&self) -> &[Self::Value];

    /// Sets the value, or adds it to the list.
    fn put(&mut self, value: Option<Self::Value>);
}

impl<T> Field for Vec<T> {
    type Value = T;

    const EMPTY: Self = Self::new();
    const IS_LIST: bool = true;

    fn values(&self) -> &[T] {
        self
    }

    fn put(&mut self, value: Option<T>) {
        self.extend(value);
    }
}

impl<T> Field for Option<T> {
    type Value = T;

    const EMPTY: Self = None;
    const IS_LIST: bool = false;

    fn values(&self) -> &[T] {
        self.as_slice()
    }

    fn put(&mut self, value: Option<T>) {
        *self = value;
    }
}

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident {
        $(#[$field_doc:meta])* $field:ident: $number:ident,
        $(#[$with_doc:meta])* $with:ident,
        element: $prefix:literal $local:literal,
        uri: $scheme:literal $address:literal $version:literal,
        holds: $holds:tt,
        $(most: $most:literal $rule:ident,)?
        $(in_file: $in_file:literal $file_rule:ident,)?
    })*) => {
        impl Extension {
            /// How many elements an entry may have, and the rule for more.
            #[inline(always)]
            const fn most(self) -> Option<(usize, Rule)> {
                let limits: &[(usize, Rule)] = match self {
                    $(Self::$name => &[$(($most, Rule::$rule))?],)*
                };
                limits.first().copied()
            }

            /// The extensions of which a file may have so many elements, and the rule for more.
            pub(crate) const IN_FILE: &[(Self, u64, Rule)] =
                &[$($((Self::$name, $in_file, Rule::$file_rule),)?)*];
        }
    };
}
extensions!(limits);

impl Extension {
    /// Reads an element into its field, unless a limit drops it.
    pub(crate) fn read_into<T: Into<F::Value>, F: Field>(
        self,
        field: &mut F,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
        read: impl FnOnce(RawElement<'_>, &mut Interpreter<'_>) -> Option<T>,
    ) {
        for (_, most, rule) in Self::IN_FILE.iter().filter(|(of, ..)| *of == self) {
            if cx.count(self) == most + 1 {
                cx.note(*rule, element.tag(), &grouped(*most));
            }
        }
        let count = field.values().len();
        if count > 0 && !F::IS_LIST {
            cx.refuse(Rule::DuplicateElement, element.tag(), self.element());
        } else if matches!(self.most(), Some((most, Rule::EntryTooLarge)) if count >= most) {
            cx.refuse(Rule::EntryTooLarge, element.tag(), self.element());
        } else if let Some(read) = read(element, cx) {
            field.put(Some(read.into()));
            self.note_excess(count + 1, element, cx);
        }
    }

    /// Notes the first element beyond the limit of the format; it is number `count` of its entry.
    pub(crate) fn note_excess(
        self,
        count: usize,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) {
        if let Some((most, rule)) = self.most()
            && count == most + 1
        {
            cx.note(rule, element.tag(), &grouped(most as u64));
        }
    }

    /// Checks that an entry with so many elements can be written.
    #[inline(always)]
    pub(crate) fn check_count(self, count: usize) -> Result<(), Violation> {
        let Some((most, rule)) = self.most().filter(|(most, _)| count > *most) else {
            return Ok(());
        };
        let most = grouped(most as u64);
        Err(if rule == Rule::EntryTooLarge {
            let detail = format!("an entry has at most {most} {}", self.name());
            Violation::with_detail(rule, self.element(), &*detail)
        } else {
            Violation::new(rule, &most)
        })
    }
}
