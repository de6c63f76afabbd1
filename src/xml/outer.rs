use crate::limits::{MAX_DEPTH, OUTER_BYTES};
use crate::source::dialect::root_name;
use crate::tape::Tape;
use crate::xml::namespace::Scope;
use crate::xml::token::name_key;

/// The elements that are open outside of entries: roots, the channel of a feed, unknown ones.
#[derive(Debug)]
pub(crate) struct Outer {
    open: Vec<OpenElement>,
    /// The open elements' names, one after another.
    names: String,
    /// Elements open below those; their names are not kept.
    deeper: u64,
}

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    name: usize,
    key: u64,
    scope: Scope,
    /// The local name of a root; empty for other elements. (A prefix may be long, and end tags many.)
    root: &'static str,
}

impl OpenElement {
    fn is_root(self) -> bool {
        !self.root.is_empty()
    }
}

/// What an end tag has closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// An element; `innermost`: the one that was expected. `exact`: its name is written in the same way.
    Element { innermost: bool, exact: bool },
    /// Nothing has this name.
    Nothing,
}

impl Outer {
    pub(crate) fn new() -> Self {
        Self {
            open: Vec::new(),
            names: String::new(),
            deeper: 0,
        }
    }

    /// `false`: it is a root too many, whose end is not waited for.
    pub(crate) fn push(
        &mut self,
        name: &str,
        scope: Scope,
        is_root: bool,
        tape: &mut Tape,
    ) -> bool {
        let is_large = self.is_large_with(name, tape);
        let depth = if is_root { 2 * MAX_DEPTH } else { MAX_DEPTH };
        if is_large || self.open.len() > depth {
            tape.namespaces.forget(scope);
            self.deeper += u64::from(!is_root);
            return !is_root;
        }
        self.open.push(OpenElement {
            name: self.names.len(),
            key: name_key(name),
            scope,
            root: if is_root { root_name(name) } else { "" },
        });
        self.names.push_str(name);
        true
    }

    /// Whether names and namespaces are more than is kept, with those of an element below the root, which are
    /// declared already.
    pub(crate) fn is_large_with(&self, name: &str, tape: &Tape) -> bool {
        !self.open.is_empty()
            && self.names.len() + name.len() + tape.namespaces.bytes() > OUTER_BYTES
    }

    /// Whether the innermost open element is none of ours, so that what stands in it is none of our business.
    pub(crate) fn in_unknown(&self) -> bool {
        self.deeper > 0 || self.open.last().is_some_and(|element| !element.is_root())
    }

    /// The local name of the innermost root, if there is one.
    pub(crate) fn root(&self) -> Option<&'static str> {
        let innermost = self.open.iter().rev().find(|element| element.is_root());
        innermost.map(|element| element.root)
    }

    fn name(&self, index: usize) -> &str {
        let start = self.open.get(index).map_or(0, |element| element.name);
        let end = self
            .open
            .get(index + 1)
            .map_or(self.names.len(), |element| element.name);
        self.names.get(start..end).unwrap_or_default()
    }

    /// The innermost element of exactly this name, else in any case.
    fn named(&self, written: &str) -> Option<usize> {
        let key = name_key(written);
        let mut in_other_case = None;
        let inside_out = self.open.iter().enumerate().rev();
        for (index, _) in inside_out.filter(|(_, element)| element.key == key) {
            let name = self.name(index);
            if name == written {
                return Some(index);
            }
            if in_other_case.is_none() && name.eq_ignore_ascii_case(written) {
                in_other_case = Some(index);
            }
        }
        in_other_case
    }

    /// An end tag closes the innermost element of exactly its name, else in any case, else a root of its local name.
    pub(crate) fn close(&mut self, written: &str, tape: &mut Tape) -> Closed {
        let is_root = |i: usize| self.open.get(i).is_some_and(|element| element.is_root());
        let found = self.named(written).or_else(|| match root_name(written) {
            "" => None,
            root => self.open.iter().rposition(|element| element.root == root),
        });
        if self.deeper > 0 && !found.is_some_and(is_root) {
            self.deeper -= 1;
            return Closed::Element {
                innermost: true,
                exact: true,
            };
        }
        let Some(element) = found.and_then(|index| self.open.get(index).copied()) else {
            return Closed::Nothing;
        };
        let same = |index: usize| self.name(index).eq_ignore_ascii_case(written);
        let innermost = self.deeper == 0
            && found.is_some_and(|index| index + 1 == self.open.len() && same(index));
        let exact = found.is_some_and(|index| self.name(index) == written);
        self.deeper = 0;
        self.open.truncate(found.unwrap_or(0));
        self.names.truncate(element.name);
        tape.namespaces.forget(element.scope);
        Closed::Element { innermost, exact }
    }
}
