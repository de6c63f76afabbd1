//! The namespaces that the entries of a set have needed so far.

use super::namespace::Namespace;
use crate::entry::UrlEntry;
use crate::extension::Extension;

/// The namespaces of all entries so far, which the roots of later files declare.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// `true` for each extension that has occurred, in the order of `Extension::ALL`.
    extensions: [bool; Extension::ALL.len()],
    pub(super) namespaces: Vec<Namespace>,
}

/// Namespaces of other vocabularies that are remembered.
const MOST_FOREIGN: usize = 16;

impl Seen {
    /// Adds the namespaces that the entry uses, so that the file declares them at its root.
    pub(crate) fn note(&mut self, entry: &UrlEntry) {
        for (extension, seen) in Extension::ALL.iter().zip(&mut self.extensions) {
            if !*seen && entry.has(*extension) {
                *seen = true;
                self.namespaces.push(Namespace::of(*extension));
            }
        }
        for element in &entry.foreign {
            let is_it = |seen: &Namespace| {
                seen.prefix() == element.prefix && seen.uri() == element.namespace.as_str()
            };
            if self.namespaces.len() < Extension::ALL.len() + MOST_FOREIGN
                && !self.namespaces.iter().any(is_it)
            {
                let seen = Namespace::new(&*element.prefix, element.namespace.as_str());
                self.namespaces.push(seen);
            }
        }
    }
}
