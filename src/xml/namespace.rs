use std::sync::OnceLock;

use crate::limits::MAX_NAMESPACES;
use crate::value::NamespaceUri;

/// The namespace of the sitemap protocol.
pub(crate) const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// An index into the namespaces of a document; 0 is no namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NsId(u32);

impl NsId {
    pub(crate) const NONE: Self = Self(0);
    /// That of the prefix `xml`, which needs no declaration.
    const XML: Self = Self(u32::MAX);

    /// Which of the URIs that the document has declared so far it is; `None` for none, and for that of `xml`.
    pub(crate) fn index(self) -> Option<usize> {
        let index = (self.0 as usize).checked_sub(1)?;
        (self != Self::XML).then_some(index)
    }
}

/// What an element's namespace means to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// The sitemap's own: the root's namespace, whatever it is called.
    Base,
    /// Not the root's, but another known one of sitemaps, or none: taken for the sitemap's own.
    NearlyBase,
    /// Anything else.
    Foreign,
}

/// The namespaces a document declares, and which are in scope.
#[derive(Debug)]
pub(crate) struct Namespaces {
    /// Prefixes and URIs, one after another.
    names: String,
    uris: Vec<Uri>,
    bindings: Vec<Binding>,
    root: NsId,
    /// Which other namespaces mean the same as the root's.
    is_kindred: fn(&str) -> bool,
}

#[derive(Debug)]
struct Uri {
    start: usize,
    end: usize,
    vocabulary: Vocabulary,
    /// What owned elements have of it, from the first of them on.
    shared: OnceLock<NamespaceUri>,
}

#[derive(Debug, Clone, Copy)]
struct Binding {
    start: usize,
    end: usize,
    uri: NsId,
}

/// A state to return to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scope {
    names: usize,
    uris: usize,
    bindings: usize,
}

impl Namespaces {
    pub(crate) const fn new() -> Self {
        Self {
            names: String::new(),
            uris: Vec::new(),
            bindings: Vec::new(),
            root: NsId::NONE,
            is_kindred: is_known_sitemap,
        }
    }

    pub(crate) fn reset(&mut self) {
        self.names.clear();
        self.names.shrink_to(4096);
        self.uris.clear();
        self.bindings.clear();
        self.root = NsId::NONE;
        self.is_kindred = is_known_sitemap;
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope {
            names: self.names.len(),
            uris: self.uris.len(),
            bindings: self.bindings.len(),
        }
    }

    /// Bytes of all prefixes and URIs.
    pub(crate) fn bytes(&self) -> usize {
        self.names.len()
    }

    /// Ends the scope of what was declared since, but keeps the URIs: a tape may still name them.
    pub(crate) fn leave(&mut self, scope: Scope) {
        self.bindings.truncate(scope.bindings);
    }

    /// Forgets what was declared since altogether.
    pub(crate) fn forget(&mut self, scope: Scope) {
        self.names.truncate(scope.names);
        self.uris.truncate(scope.uris);
        self.bindings.truncate(scope.bindings);
    }

    /// Binds a prefix (empty: the default namespace). `false`: there are too many.
    pub(crate) fn declare(&mut self, prefix: &str, uri: &str) -> bool {
        if self.bindings.len() >= MAX_NAMESPACES {
            return false;
        }
        let start = self.names.len();
        self.names.push_str(prefix);
        let end = self.names.len();
        let uri = self.intern(uri);
        self.bindings.push(Binding { start, end, uri });
        true
    }

    /// Whether a prefix has been declared twice since.
    pub(crate) fn has_doubles_since(&self, scope: Scope) -> bool {
        let new = self.bindings.get(scope.bindings..).unwrap_or_default();
        let prefix = |binding: &Binding| self.names.get(binding.start..binding.end);
        (1..new.len()).any(|n| {
            let (before, rest) = new.split_at(n);
            let own = rest.first().map(prefix);
            before.iter().any(|binding| Some(prefix(binding)) == own)
        })
    }

    /// The number of a URI.
    pub(crate) fn intern(&mut self, uri: &str) -> NsId {
        if uri.is_empty() {
            return NsId::NONE;
        }
        let last = self
            .uris
            .iter()
            .rposition(|u| self.names.get(u.start..u.end) == Some(uri));
        if let Some(index) = last.filter(|_| self.uris.len() <= MAX_NAMESPACES) {
            return NsId(index as u32 + 1);
        }
        let vocabulary = self.judge(uri);
        let start = self.names.len();
        self.names.push_str(uri);
        let end = self.names.len();
        self.uris.push(Uri {
            start,
            end,
            vocabulary,
            shared: OnceLock::new(),
        });
        NsId(self.uris.len() as u32)
    }

    /// The namespace bound to a prefix; `None` if it is not declared.
    pub(crate) fn resolve(&self, prefix: &str) -> Option<NsId> {
        let mut inside_out = self.bindings.iter().rev();
        if prefix.is_empty() {
            let default = inside_out.find(|b| b.start == b.end);
            return Some(default.map_or(NsId::NONE, |binding| binding.uri));
        }
        if prefix == "xml" {
            return Some(NsId::XML);
        }
        let bound = |b: &&Binding| {
            b.end - b.start == prefix.len() && self.names.get(b.start..b.end) == Some(prefix)
        };
        inside_out
            .find(bound)
            .map(|binding| binding.uri)
            .filter(|uri| *uri != NsId::NONE)
    }

    /// Makes this the namespace of the root, whose elements are the document's own.
    pub(crate) fn set_root(&mut self, root: NsId) {
        self.root = root;
        for index in 0..self.uris.len() {
            let uri = self.uri(NsId(index as u32 + 1));
            let vocabulary = self.judge(uri);
            if let Some(uri) = self.uris.get_mut(index) {
                uri.vocabulary = vocabulary;
            }
        }
    }

    /// Which other namespaces count as the root's; those of sitemaps, if nothing else is said.
    pub(crate) fn set_kindred(&mut self, is_kindred: fn(&str) -> bool) {
        self.is_kindred = is_kindred;
    }

    fn judge(&self, uri: &str) -> Vocabulary {
        if self.root != NsId::NONE && self.uri(self.root) == uri {
            Vocabulary::Base
        } else if (self.is_kindred)(uri) {
            Vocabulary::NearlyBase
        } else {
            Vocabulary::Foreign
        }
    }

    /// Whether elements of this namespace are the document's own, however it is spelt.
    pub(crate) fn is_own(&self, id: NsId) -> bool {
        self.vocabulary(id) != Vocabulary::Foreign
    }

    /// The URI; empty for no namespace.
    pub(crate) fn uri(&self, id: NsId) -> &str {
        if id == NsId::XML {
            return "http://www.w3.org/XML/1998/namespace";
        }
        (id.0 as usize)
            .checked_sub(1)
            .and_then(|index| self.uris.get(index))
            .and_then(|uri| self.names.get(uri.start..uri.end))
            .unwrap_or_default()
    }

    /// The same, with one text for all that ask for it.
    pub(crate) fn shared(&self, id: NsId) -> NamespaceUri {
        /// `xml:lang` and the like stand in every document.
        static XML: OnceLock<NamespaceUri> = OnceLock::new();
        let slot = match id.index() {
            Some(index) => self.uris.get(index).map(|uri| &uri.shared),
            None => (id == NsId::XML).then_some(&XML),
        };
        slot.map_or(NamespaceUri::NONE, |slot| {
            slot.get_or_init(|| self.uri(id).into()).clone()
        })
    }

    pub(crate) fn vocabulary(&self, id: NsId) -> Vocabulary {
        match (id.0 as usize).checked_sub(1) {
            None if self.root == NsId::NONE => Vocabulary::Base,
            None => Vocabulary::NearlyBase,
            Some(index) => self
                .uris
                .get(index)
                .map_or(Vocabulary::Foreign, |uri| uri.vocabulary),
        }
    }
}

/// What identifies a namespace that is spelt with `https:` or with white space round it.
pub(crate) fn without_scheme(uri: &str) -> &str {
    let uri = uri.trim();
    uri.strip_prefix("http://")
        .or_else(|| uri.strip_prefix("https://"))
        .unwrap_or(uri)
}

/// The namespaces that sitemaps have been written in: the standard, its versions and its misspellings.
pub(crate) fn is_known_sitemap(uri: &str) -> bool {
    let rest = without_scheme(uri);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let version = rest
        .strip_prefix("sitemaps.org/schemas/sitemap")
        .or_else(|| rest.strip_prefix("google.com/schemas/sitemap"));
    // Not those of extensions, which go on with a hyphen.
    version.is_some_and(|version| version.is_empty() || version.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_declarations_win_and_end_with_their_scope() {
        let mut names = Namespaces::new();
        assert!(names.declare("", SITEMAP));
        let root = names.resolve("").unwrap();
        names.set_root(root);
        assert_eq!(names.vocabulary(root), Vocabulary::Base);
        let scope = names.scope();
        names.declare("", "urn:x");
        names.declare("sm", SITEMAP);
        names.declare("old", "http://www.google.com/schemas/sitemap/0.84");
        assert_eq!(
            names.vocabulary(names.resolve("").unwrap()),
            Vocabulary::Foreign
        );
        assert_eq!(
            names.vocabulary(names.resolve("sm").unwrap()),
            Vocabulary::Base
        );
        assert_eq!(
            names.vocabulary(names.resolve("old").unwrap()),
            Vocabulary::NearlyBase
        );
        names.declare("", "");
        assert_eq!(
            names.vocabulary(names.resolve("").unwrap()),
            Vocabulary::NearlyBase
        );
        assert_eq!(names.resolve("y"), None);
        names.leave(scope);
        assert_eq!(names.resolve(""), Some(root));
        assert_eq!(names.resolve("sm"), None);
    }
}
