//! Writing elements of any name and namespace, which can declare their own prefixes.

use std::collections::HashSet;

use super::XmlWriter;
use crate::limits::MAX_DEPTH;
use crate::value::escape::{EscapeIn, escape};
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::Extension;
use crate::xml::lexer::local_part;
use crate::xml::name::{check_name, malformed};
use crate::xml::namespaces::{Relation, Scope};

/// The state that [`XmlWriter::close`] restores.
#[derive(Debug)]
pub(crate) struct OpenedElement(Scope);

impl XmlWriter {
    /// Begins an element of any name in any namespace; [`close`](Self::close) ends it.
    ///
    /// `attributes` are name (with its prefix), namespace, value. With `may_be_bare`, the element can be without a namespace
    /// if it is inside another element of this kind.
    pub(crate) fn open<'a>(
        &mut self,
        (prefix, name, uri): (&'a str, &'a str, &'a str),
        attributes: impl Iterator<Item = (&'a str, &'a str, &'a str)> + Clone,
        may_be_bare: bool,
    ) -> Result<OpenedElement, Violation> {
        // The root and the entry are not counted.
        if self.depth - 1 > MAX_DEPTH {
            return Err(Violation::new(Rule::TooDeep, name));
        }
        // Checked for each element, because each can repeat a long namespace.
        self.check_size()?;
        check_name(name)?;
        if !prefix.is_empty() {
            check_name(prefix)?;
        }
        self.begin_element();
        self.push_str("<");
        self.push_name(prefix, name);
        self.open_tag();
        let opened = OpenedElement(self.namespaces.scope());
        let id = self.declare(prefix, uri)?;
        self.declare_for_attributes((prefix, uri), attributes.clone())?;
        let relation = self.namespaces.relation(id);
        let is_bare = may_be_bare && self.verbatim > 0 && uri.is_empty();
        if relation != Relation::Foreign && !is_bare {
            let (rule, detail) = (Rule::UnknownElement, case::NO_NAMESPACE);
            return Err(Violation::with_detail(rule, name, detail));
        }
        self.foreign_attributes(attributes, &[])?;
        self.verbatim += 1;
        Ok(opened)
    }

    /// Writes attributes of the extension's element that was started, after those that are `written`, and declares their
    /// namespaces in it.
    pub(crate) fn more_attributes<'a>(
        &mut self,
        extension: Extension,
        written: &[&'a str],
        attributes: impl Iterator<Item = (&'a str, &'a str, &'a str)> + Clone,
    ) -> Result<(), Violation> {
        let (scope, known) = (self.namespaces.scope(), extension.known());
        // The root declares it, or the tag. If the table is full, it is not bound.
        let _ = self.namespaces.declare(known.prefix, known.uri);
        self.declare_for_attributes((known.prefix, known.uri), attributes.clone())?;
        self.foreign_attributes(attributes, written)?;
        self.namespaces.leave(scope);
        Ok(())
    }

    /// Declares the namespaces of attributes in the start tag of an element, whose own namespace is declared.
    fn declare_for_attributes<'a>(
        &mut self,
        element: (&'a str, &'a str),
        attributes: impl Iterator<Item = (&'a str, &'a str, &'a str)> + Clone,
    ) -> Result<(), Violation> {
        let own = attributes
            .filter_map(|(name, uri, _)| name.split_once(':').map(|(prefix, _)| (prefix, uri)));
        for (prefix, uri) in own.clone() {
            self.declare(prefix, uri)?;
        }
        // If one prefix is bound to two namespaces, the second binding hides the first.
        for (prefix, uri) in std::iter::once(element).chain(own) {
            if !self.is_bound(prefix, uri) {
                return Err(malformed(prefix, "one prefix, two namespaces"));
            }
        }
        Ok(())
    }

    pub(crate) fn close(&mut self, opened: OpenedElement, prefix: &str, name: &str) {
        if self.end_content() {
            self.push_str("</");
            self.push_name(prefix, name);
            self.push_str(">");
        }
        self.verbatim -= 1;
        self.namespaces.leave(opened.0);
    }

    /// Writes attributes after checking their names; each name can occur once per namespace, those that are `written`
    /// included.
    fn foreign_attributes<'a>(
        &mut self,
        attributes: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
        written: &[&'a str],
    ) -> Result<(), Violation> {
        let mut seen: HashSet<_> = written.iter().map(|name| ("", *name)).collect();
        for (name, uri, value) in attributes {
            let local = local_part(name);
            if !seen.insert((uri, local)) {
                return Err(malformed(name, "a duplicate attribute"));
            }
            match name.split_once(':') {
                Some((prefix, local)) => {
                    check_name(prefix)?;
                    check_name(local)?;
                }
                None if !uri.is_empty() => {
                    return Err(malformed(name, "a namespace without a prefix"));
                }
                None if name == "xmlns" => {
                    return Err(malformed(name, "namespaces are declared by the writer"));
                }
                None => check_name(name)?,
            }
            self.nodes += 1;
            for part in [" ", name, "=\""] {
                self.push_str(part);
            }
            escape(&mut self.out, value, EscapeIn::Attribute)?;
            self.push_str("\"");
        }
        Ok(())
    }

    fn push_name(&mut self, prefix: &str, name: &str) {
        if !prefix.is_empty() {
            self.push_str(prefix);
            self.push_str(":");
        }
        self.push_str(name);
    }
}
