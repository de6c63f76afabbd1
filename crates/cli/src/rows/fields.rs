//! Sets of the fields of a page.

use crate::term::json::page_fields;

/// A set of the fields that a page can have in addition to its loc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields(u16);

impl Fields {
    pub(crate) const ALL: Self = Self(u16::MAX);
    pub(crate) const NONE: Self = Self(0);

    /// Names that are not fields are ignored.
    pub(crate) fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let bit = |name| page_fields().position(|field| field == name);
        let bits = names.into_iter().filter_map(bit);
        Self(bits.fold(0, |fields, bit| fields | 1 << bit))
    }

    pub(crate) fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn either(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn is_all(self) -> bool {
        self.names().count() == page_fields().count()
    }

    /// In the order in which a page is written.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let is_in = move |bit: usize| self.0 >> bit & 1 == 1;
        page_fields()
            .enumerate()
            .filter_map(move |(bit, name)| is_in(bit).then_some(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_fields() {
        let names = |fields: Fields| fields.names().collect::<Vec<_>>().join(" ");
        let some = Fields::of(["priority", "loc", "lastmod", "images"]);
        assert_eq!(names(some), "lastmod priority images");
        assert_eq!(names(some.both(Fields::of(["images"]))), "images");
        assert_eq!(
            names(some.without(Fields::of(["images"]))),
            "lastmod priority"
        );
        assert!(Fields::ALL.is_all() && !some.is_all());
        assert_eq!(names(Fields::NONE), "");
    }
}
