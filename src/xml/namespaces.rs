//! The namespaces that a document declares: which are in scope, and the vocabulary of each.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::OnceLock;

use crate::limits::{MAX_NAMESPACES, MAX_URIS, NAMESPACE_BYTES};
use crate::text::span::{TakePart, WrongBounds};
use crate::value::NamespaceUri;
use crate::vocabulary::{Judgement, Vocabulary, judge};
use crate::xml::attributes::has_duplicates;
use crate::xml::lexer::name_key;
use crate::xml::name::XML;

/// The number of a namespace of a document; 0 is no namespace. Equal numbers mean the same URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NsId(u32);

impl NsId {
    pub(crate) const NONE: Self = Self(0);
    /// The namespace of the prefix `xml`, which needs no declaration.
    const XML: Self = Self(u32::MAX);

    fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// Returns `true` if it must be declared: it is neither no namespace nor that of the prefix `xml`.
    pub(crate) fn is_declared(self) -> bool {
        self != Self::NONE && self != Self::XML
    }
}

/// The relation of an element's namespace to the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The namespace of the root, so the element belongs to the format of the document.
    Root,
    /// Another namespace of the same vocabulary, or none. It is treated like that of the root.
    Alike,
    /// Any other namespace.
    Foreign,
}

/// The namespaces that a document declares, and which are in scope.
///
/// Each URI is classified once, when it first occurs, and keeps its number until it is forgotten. The number of URIs and
/// their bytes are limited, in documents and in what is written.
#[derive(Debug, Default)]
pub(crate) struct Namespaces {
    /// The URIs, one after another.
    text: String,
    uris: Vec<Uri>,
    /// The numbers of the URIs, by their keys. Its hasher also makes the keys, so that the author of a
    /// document cannot predict them.
    index: HashMap<u64, NsId>,
    /// The prefixes in scope, one after another.
    prefixes: String,
    bindings: Vec<Binding>,
    /// The URI of the root's namespace, which stays known after the root has ended.
    root: String,
    /// The vocabulary of the document, whose namespaces mean the same as the root's.
    vocabulary: Vocabulary,
    /// Mistakes in the current entry.
    pub(crate) wrong_bounds: WrongBounds,
}

#[derive(Debug)]
struct Uri {
    end: u32,
    judgement: Judgement,
    relation: Relation,
    key: u64,
    /// The text that all typed elements in this namespace share. It is made when it is first needed.
    shared: OnceLock<NamespaceUri>,
}

#[derive(Debug, Clone, Copy)]
struct Binding {
    start: u32,
    end: u32,
    uri: NsId,
    /// The key of the prefix, which speeds up the search.
    key: u64,
}

/// A state of [`Namespaces`] to which [`leave`](Namespaces::leave) and [`forget`](Namespaces::forget) return.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scope {
    uris: usize,
    bindings: usize,
}

/// Maximum capacity of a text, in bytes, that is kept after an entry.
const KEPT_TEXT: usize = 64 << 10;

/// The error for more declarations or bytes than the limits allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Namespaces {
    pub(crate) fn scope(&self) -> Scope {
        Scope {
            uris: self.uris.len(),
            bindings: self.bindings.len(),
        }
    }

    /// Bytes of all prefixes and URIs.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.prefixes.len()
    }

    /// Ends the scope of later declarations, but keeps their URIs, because a tape may still refer to them.
    pub(crate) fn leave(&mut self, scope: Scope) {
        if self.bindings.len() > scope.bindings {
            self.bindings.truncate(scope.bindings);
            let end = self
                .bindings
                .last()
                .map_or(0, |binding| binding.end as usize);
            self.prefixes.truncate(end);
        }
    }

    /// Ends the scope of later declarations, and forgets their URIs.
    pub(crate) fn forget(&mut self, scope: Scope) {
        self.leave(scope);
        if self.uris.len() > scope.uris {
            for uri in self.uris.drain(scope.uris..) {
                self.index.remove(&uri.key);
            }
            let end = self.uris.last().map_or(0, |uri| uri.end as usize);
            self.text.truncate(end);
        }
    }

    /// Binds a prefix (empty: the default namespace), and returns the number of the URI.
    pub(crate) fn declare(&mut self, prefix: &str, uri: &str) -> Result<NsId, TooMany> {
        if self.bindings.len() >= MAX_NAMESPACES || self.bytes() + prefix.len() > NAMESPACE_BYTES {
            return Err(TooMany);
        }
        let uri = self.intern(uri)?;
        let start = self.prefixes.len() as u32;
        self.prefixes.push_str(prefix);
        let end = self.prefixes.len() as u32;
        let key = name_key(prefix);
        self.bindings.push(Binding {
            start,
            end,
            uri,
            key,
        });
        Ok(uri)
    }

    /// Returns `true` if a later declaration repeats the prefix of another later one.
    pub(crate) fn has_doubles_since(&self, scope: Scope) -> bool {
        let new = self.bindings.part(scope.bindings..);
        has_duplicates(new, |binding| self.prefix(binding))
    }

    fn prefix(&self, binding: &Binding) -> &str {
        let range = binding.start as usize..binding.end as usize;
        self.prefixes.part(range)
    }

    /// The number of a URI, which gets one if it has none.
    pub(crate) fn intern(&mut self, uri: &str) -> Result<NsId, TooMany> {
        match uri {
            "" => return Ok(NsId::NONE),
            XML => return Ok(NsId::XML),
            _ => {}
        }
        let key = self.index.hasher().hash_one(uri);
        let known = self.index.get(&key).copied();
        if let Some(id) = known.filter(|id| self.uri(*id) == uri) {
            return Ok(id);
        }
        if self.uris.len() >= MAX_URIS || self.bytes() + uri.len() > NAMESPACE_BYTES {
            return Err(TooMany);
        }
        self.text.push_str(uri);
        let judgement = judge(uri);
        self.uris.push(Uri {
            end: self.text.len() as u32,
            judgement,
            relation: self.related(uri, judgement),
            key,
            shared: OnceLock::new(),
        });
        let id = NsId(self.uris.len() as u32);
        self.index.insert(key, id);
        Ok(id)
    }

    /// The namespace of a prefix, or `None` if the prefix is not declared.
    #[inline]
    pub(crate) fn resolve(&self, prefix: &str) -> Option<NsId> {
        if prefix.is_empty() {
            let default = self.bindings.iter().rev().find(|b| b.start == b.end);
            return Some(default.map_or(NsId::NONE, |binding| binding.uri));
        }
        self.resolve_prefix(prefix)
    }

    fn resolve_prefix(&self, prefix: &str) -> Option<NsId> {
        if prefix == "xml" {
            return Some(NsId::XML);
        }
        let mut inside_out = self.bindings.iter().rev();
        let key = name_key(prefix);
        let found = inside_out.find(|b| b.key == key && self.prefix(b) == prefix);
        found
            .map(|binding| binding.uri)
            .filter(|uri| *uri != NsId::NONE)
    }

    /// Sets the namespace of the root and the vocabulary of the document, from which the relation of each namespace
    /// follows.
    pub(crate) fn set_root(&mut self, root: NsId, vocabulary: Vocabulary) {
        self.root = self.uri(root).to_owned();
        self.vocabulary = vocabulary;
        for id in (1..=self.uris.len() as u32).map(NsId) {
            let relation = self.related(self.uri(id), self.judgement(id));
            if let Some(uri) = id.index().and_then(|index| self.uris.get_mut(index)) {
                uri.relation = relation;
            }
        }
    }

    fn related(&self, uri: &str, judgement: Judgement) -> Relation {
        if uri == self.root {
            Relation::Root
        } else if judgement.vocabulary == self.vocabulary {
            Relation::Alike
        } else {
            Relation::Foreign
        }
    }

    /// The URI, or an empty text for no namespace.
    pub(crate) fn uri(&self, id: NsId) -> &str {
        if id == NsId::XML {
            return XML;
        }
        let end_of = |index: usize| self.uris.get(index).map_or(0, |uri| uri.end as usize);
        let Some(index) = id.index() else { return "" };
        let start = index.checked_sub(1).map_or(0, end_of);
        self.text
            .checked_part(start..end_of(index), &self.wrong_bounds)
    }

    /// The URI as a text that all callers share.
    pub(crate) fn shared(&self, id: NsId) -> NamespaceUri {
        /// All documents share it.
        static XML: OnceLock<NamespaceUri> = OnceLock::new();
        let of_xml = (id == NsId::XML).then_some(&XML);
        let slot = self.get(id).map(|uri| &uri.shared).or(of_xml);
        slot.map_or(NamespaceUri::NONE, |slot| {
            slot.get_or_init(|| self.uri(id).into()).clone()
        })
    }

    /// The larger capacity of the two texts.
    pub(crate) fn text_capacity(&self) -> usize {
        self.text.capacity().max(self.prefixes.capacity())
    }

    /// Releases the memory of unusually many declarations after they were forgotten.
    pub(crate) fn trim(&mut self) {
        self.text.shrink_to(KEPT_TEXT);
        self.uris.shrink_to(MAX_NAMESPACES);
        self.prefixes.shrink_to(KEPT_TEXT);
    }

    /// A declared URI; `None` for no namespace and for that of the prefix `xml`.
    fn get(&self, id: NsId) -> Option<&Uri> {
        // The numbers of no namespace and of `xml` have no entry in the list.
        let found = self.uris.get((id.0 as usize).wrapping_sub(1));
        if found.is_none() {
            self.check_missing(id);
        }
        found
    }

    #[cold]
    fn check_missing(&self, id: NsId) {
        if id.is_declared() {
            self.wrong_bounds.recorded(());
        }
    }

    /// A hash of the URI, which is the same throughout the document.
    pub(crate) fn key(&self, id: NsId) -> u64 {
        self.get(id).map_or(id.0.into(), |uri| uri.key)
    }

    /// The vocabulary of the URI.
    pub(crate) fn judgement(&self, id: NsId) -> Judgement {
        const NOTHING: Judgement = Judgement {
            vocabulary: Vocabulary::Other,
            is_misspelt: false,
        };
        self.get(id).map_or(NOTHING, |uri| uri.judgement)
    }

    /// The relation of a namespace that may not have been declared yet to the document.
    pub(crate) fn relation_of(&self, uri: &str) -> Relation {
        if uri.is_empty() {
            return self.relation(NsId::NONE);
        }
        self.related(uri, judge(uri))
    }

    #[inline]
    pub(crate) fn relation(&self, id: NsId) -> Relation {
        self.get(id)
            .map_or_else(|| self.relation_of_other(id), |uri| uri.relation)
    }

    /// The relation of no namespace, or of that of the prefix `xml`.
    #[cold]
    fn relation_of_other(&self, id: NsId) -> Relation {
        if self.uri(id) == self.root {
            Relation::Root
        } else if id == NsId::NONE {
            Relation::Alike
        } else {
            Relation::Foreign
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::SITEMAP;

    #[test]
    fn inner_declarations_win_and_end_with_their_scope() {
        let mut names = Namespaces::default();
        names.declare("", SITEMAP.uri).unwrap();
        let root = names.resolve("").unwrap();
        names.set_root(root, Vocabulary::Sitemap);
        assert_eq!(names.relation(root), Relation::Root);
        let scope = names.scope();
        names.declare("", "urn:x").unwrap();
        names.declare("sm", SITEMAP.uri).unwrap();
        let old = "http://www.google.com/schemas/sitemap/0.84";
        names.declare("old", old).unwrap();
        let relation = |names: &Namespaces, prefix| names.relation(names.resolve(prefix).unwrap());
        assert_eq!(relation(&names, ""), Relation::Foreign);
        assert_eq!(relation(&names, "sm"), Relation::Root);
        assert_eq!(relation(&names, "old"), Relation::Alike);
        assert_eq!(relation(&names, "xml"), Relation::Foreign);
        names.declare("", "").unwrap();
        assert_eq!(relation(&names, ""), Relation::Alike);
        assert_eq!(names.resolve("y"), None);
        names.leave(scope);
        assert_eq!(names.resolve(""), Some(root));
        assert_eq!(names.resolve("sm"), None);
    }

    #[test]
    fn a_uri_has_one_number_while_it_is_kept() {
        let mut names = Namespaces::default();
        let root = names.intern("urn:root").unwrap();
        names.set_root(root, Vocabulary::Sitemap);
        let scope = names.scope();
        for _ in 0..2 {
            let ids: Vec<_> = (0..1_000)
                .map(|n| names.intern(&format!("urn:{n}")).unwrap())
                .collect();
            for (n, id) in ids.iter().enumerate() {
                let uri = format!("urn:{n}");
                assert_eq!((names.intern(&uri), names.uri(*id)), (Ok(*id), &*uri));
            }
            names.forget(scope);
            assert_eq!(names.bytes(), "urn:root".len());
            assert_eq!(names.index.len(), 1);
        }
        // The namespace of the root is recognized by any number, and no other is mistaken for it.
        names.forget(Scope::default());
        let other = names.intern("urn:x").unwrap();
        let again = names.intern("urn:root").unwrap();
        assert_eq!((other, again == root), (root, false));
        let relations = (names.relation(other), names.relation(again));
        assert_eq!(relations, (Relation::Foreign, Relation::Root));
    }

    #[test]
    fn numbers_and_bytes_are_bounded() {
        let mut names = Namespaces::default();
        let mut all = 0..1_000_000;
        all.find(|n| names.intern(&format!("urn:{n}")).is_err());
        assert_eq!(all.start, MAX_URIS as i32 + 1);
        assert!(names.intern("urn:0").is_ok());
        names.forget(Scope::default());

        let long = "u".repeat(NAMESPACE_BYTES - 10);
        names.declare("p", &long).unwrap();
        assert!(names.text.capacity() <= NAMESPACE_BYTES);
        assert_eq!(names.declare("0123456789", "urn:x"), Err(TooMany));
        names.declare("q", &long).unwrap();
        assert_eq!(names.intern("urn:abcdef"), Err(TooMany));
        assert_eq!(names.resolve("q"), names.resolve("p"));
    }
}
