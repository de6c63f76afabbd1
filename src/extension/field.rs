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

    #[inline]
    fn values(&self) -> &[T] {
        self
    }

    #[inline]
    fn put(&mut self, value: Option<T>) {
        self.extend(value);
    }
}

impl<T> Field for Option<T> {
    type Value = T;

    const EMPTY: Self = None;
    const IS_LIST: bool = false;

    #[inline]
    fn values(&self) -> &[T] {
        self.as_slice()
    }

    #[inline]
    fn put(&mut self, value: Option<T>) {
        *self = value;
    }
}

/// The limits of one extension.
#[derive(Clone, Copy)]
struct Most {
    /// A limit of the format for an entry: a reader keeps and notes what is beyond it.
    allowed: Option<(usize, Rule)>,
    /// A limit of memory for an entry: a reader drops what is beyond it.
    kept: Option<usize>,
}

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident {
        $(#[$field_doc:meta])* $field:ident: $type:ty,
        $(#[$with_doc:meta])* $with:ident,
        element: $prefix:literal $local:literal,
        uri: $scheme:literal $address:literal $version:literal,
        $(most: $most:literal $rule:ident,)?
        $(kept: $kept:literal,)?
        $(in_file: $in_file:literal $file_rule:ident,)?
    })*) => {
        impl Extension {
            const fn most(self) -> Most {
                let (mut allowed, mut kept) = (None, None);
                match self {
                    $(Self::$name => {
                        $(allowed = Some(($most, Rule::$rule));)?
                        $(kept = Some($kept);)?
                    })*
                }
                Most { allowed, kept }
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
        } else if self.most().kept.is_some_and(|kept| count >= kept) {
            cx.refuse(Rule::EntryTooLarge, element.tag(), self.element());
        } else if let Some(read) = read(element, cx) {
            field.put(Some(read.into()));
            self.note_excess(count + 1, element, cx);
        }
    }

    /// Notes the first element beyond the limit of the format; it is number `count` of its entry.
    #[inline]
    pub(crate) fn note_excess(
        self,
        count: usize,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) {
        if let Some((most, rule)) = self.most().allowed
            && count == most + 1
        {
            cx.note(rule, element.tag(), &grouped(most as u64));
        }
    }

    /// Checks that an entry with so many elements can be written.
    #[inline]
    pub(crate) fn check_count(self, count: usize) -> Result<(), Violation> {
        let Most { allowed, kept } = self.most();
        if let Some((most, rule)) = allowed.filter(|(most, _)| count > *most) {
            return Err(Violation::new(rule, &grouped(most as u64)));
        }
        if let Some(most) = kept.filter(|most| count > *most) {
            let most = grouped(most as u64);
            let detail = format!("an entry has at most {most} {}", self.name());
            let (rule, found) = (Rule::EntryTooLarge, self.element());
            return Err(Violation::with_detail(rule, found, detail));
        }
        Ok(())
    }
}
