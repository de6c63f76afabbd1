//! The elements that are open outside of entries: roots, the channel of a feed, unknown ones.

use crate::format::root_name;
use crate::limits::{MAX_DEPTH, OUTER_BYTES};
use crate::text::span::TakePart;
use crate::xml::lexer::{local_part, name_key};
use crate::xml::namespaces::{Namespaces, Scope};

/// The elements that are open around the current place, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Ancestors {
    open: Vec<Ancestor>,
    /// The names of the open elements, one after another.
    names: String,
    /// Unknown elements that are open below those, but of which nothing is kept.
    untracked: u64,
    /// The local name of the root that was closed last; empty before the first.
    closed_root: &'static str,
    /// The outermost element contains the root, and another issue covers all in it but the root.
    pub(crate) is_wrapped: bool,
}

#[derive(Debug, Clone, Copy)]
struct Ancestor {
    /// The start of its name in `names`.
    name: usize,
    key: u64,
    scope: Scope,
    /// The local name of a root; empty for other elements. (A prefix may be long, and end tags many.)
    root: &'static str,
}

impl Ancestor {
    fn is_root(&self) -> bool {
        !self.root.is_empty()
    }
}

/// The element that an end tag has closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// The innermost element; `exact`: its name is written in the same way.
    Innermost { exact: bool },
    /// An element further out, and with it all that were open in it.
    Outer,
    /// No element of this name is open.
    Nothing,
}

impl Ancestors {
    /// Adds an opened element, whose declarations are in effect since `scope`. Returns `false` if there is no room for
    /// another root, which is not pushed then: the end tag of an outer one ends it.
    pub(crate) fn push(
        &mut self,
        name: &str,
        scope: Scope,
        is_root: bool,
        namespaces: &mut Namespaces,
    ) -> bool {
        let is_large = self.is_large_with(name, namespaces);
        let depth = if is_root { 2 * MAX_DEPTH } else { MAX_DEPTH };
        let is_only_root = is_root && !self.has_root();
        if !is_only_root && (is_large || self.open.len() > depth) {
            namespaces.forget(scope);
            self.untracked += u64::from(!is_root);
            return !is_root;
        }
        self.open.push(Ancestor {
            name: self.names.len(),
            key: name_key(name),
            scope,
            root: if is_root {
                root_name(local_part(name))
            } else {
                ""
            },
        });
        self.names.push_str(name);
        true
    }

    /// Returns `true` if an element of this name below the outermost, whose declarations are in effect already, exceeds
    /// the limit for names and namespaces.
    pub(crate) fn is_large_with(&self, name: &str, namespaces: &Namespaces) -> bool {
        !self.open.is_empty() && self.names.len() + name.len() + namespaces.bytes() > OUTER_BYTES
    }

    /// Number of open elements, or `None` if the innermost is an untracked one.
    pub(crate) fn depth(&self) -> Option<usize> {
        (self.untracked == 0).then_some(self.open.len())
    }

    pub(crate) fn has_root(&self) -> bool {
        self.open.iter().any(|element| element.is_root())
    }

    /// Returns `true` if the innermost open element is unknown, so that nothing is reported about its content.
    pub(crate) fn in_unknown(&self) -> bool {
        self.untracked > 0 || self.open.last().is_some_and(|element| !element.is_root())
    }

    /// The local name of the innermost root; where none is open, of the one that was closed last. Empty before the first.
    pub(crate) fn root_name(&self) -> &'static str {
        let mut inside_out = self.open.iter().rev();
        let root = inside_out.find(|element| element.is_root());
        root.map_or(self.closed_root, |element| element.root)
    }

    /// A root follows. Returns `true` if it is in another element.
    pub(crate) fn wrap(&mut self) -> bool {
        self.is_wrapped = !self.open.is_empty();
        self.is_wrapped
    }

    /// Returns `true` if this is true of the name of an open element.
    pub(crate) fn any(&self, is_such: impl Fn(&str) -> bool) -> bool {
        (0..self.open.len()).any(|index| is_such(self.name(index)))
    }

    fn name(&self, index: usize) -> &str {
        let start = self.open.get(index).map_or(0, |element| element.name);
        let next = self.open.get(index + 1);
        let end = next.map_or(self.names.len(), |element| element.name);
        self.names.part(start..end)
    }

    /// An end tag closes the innermost element of exactly its name, else in any case, else a root of its local name,
    /// and what is open in that.
    pub(crate) fn close(&mut self, written: &str, namespaces: &mut Namespaces) -> Closed {
        let found = self.closed_by(written);
        let is_root = |index: usize| {
            self.open
                .get(index)
                .is_some_and(|element| element.is_root())
        };
        if self.untracked > 0 && !found.is_some_and(is_root) {
            self.untracked -= 1;
            return Closed::Innermost { exact: true };
        }
        let Some((index, element)) = found.and_then(|index| Some((index, *self.open.get(index)?)))
        else {
            return Closed::Nothing;
        };
        let name = self.name(index);
        let is_innermost = self.untracked == 0 && index + 1 == self.open.len();
        let closed = if is_innermost && name.eq_ignore_ascii_case(written) {
            Closed::Innermost {
                exact: name == written,
            }
        } else {
            Closed::Outer
        };
        self.untracked = 0;
        self.closed_root = self.root_name();
        self.open.truncate(index);
        self.is_wrapped &= index > 0;
        self.names.truncate(element.name);
        namespaces.forget(element.scope);
        closed
    }

    fn closed_by(&self, written: &str) -> Option<usize> {
        let key = |index: usize| self.open.get(index).map(|element| element.key);
        let named = innermost_named(written, self.open.len(), key, |index| self.name(index));
        named.or_else(|| match root_name(local_part(written)) {
            "" => None,
            root => self.open.iter().rposition(|element| element.root == root),
        })
    }
}

/// Which of so many open elements an end tag of this name closes: the innermost of exactly that name, else in any case.
/// Names are compared by their keys first, since they can be long, and there can be many end tags that close nothing.
pub(crate) fn innermost_named<'t>(
    written: &str,
    open: usize,
    key_of: impl Fn(usize) -> Option<u64>,
    name_of: impl Fn(usize) -> &'t str,
) -> Option<usize> {
    let key = Some(name_key(written));
    let mut in_other_case = None;
    for index in (0..open).rev().filter(|index| key_of(*index) == key) {
        let name = name_of(index);
        if name == written {
            return Some(index);
        }
        if in_other_case.is_none() && name.eq_ignore_ascii_case(written) {
            in_other_case = Some(index);
        }
    }
    in_other_case
}
