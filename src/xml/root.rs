//! How a document, or another part of it, begins.

use crate::format::Format;
use crate::source::dialect::Dialect;
use crate::tape::Node;
use crate::violation::{Effect, Rule};
use crate::xml::namespace::{NsId, SITEMAP, Scope};
use crate::xml::reading::Reading;
use crate::xml::source::{Stage, XmlSource};
use crate::xml::token::split_name;

impl XmlSource {
    /// The root of the document.
    pub(super) fn root(
        &mut self,
        name: &str,
        format: Format,
        node: &Node,
        scope: Scope,
        r: &mut Reading<'_>,
    ) -> bool {
        let mut id = node.namespace;
        if node.undeclared {
            let (prefix, _) = split_name(name);
            r.report
                .flaw(Rule::UndeclaredPrefix, Effect::Noted, 0, prefix);
            r.tape.namespaces.declare(prefix, SITEMAP);
            id = r.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        }
        check_namespace(format, id, r);
        if Dialect::of(format) == Dialect::Sitemap {
            let local = r.local_name(node);
            if !["urlset", "sitemapindex"].contains(&local) {
                r.report.flaw(Rule::WrongCase, Effect::Noted, 0, local);
            }
        }
        self.enter_root(name, format, id, scope, r)
    }

    /// A root whose attributes can't be read is taken to be in the standard namespace.
    pub(super) fn open_broken_root(&mut self, name: &str, format: Format, r: &mut Reading<'_>) {
        let scope = r.tape.namespaces.scope();
        let (prefix, _) = split_name(name);
        let uri = match Dialect::of(format) {
            Dialect::Sitemap => SITEMAP,
            _ => "",
        };
        r.tape.namespaces.declare(prefix, uri);
        let id = r.tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
        self.enter_root(name, format, id, scope, r);
    }

    pub(super) fn enter_root(
        &mut self,
        name: &str,
        format: Format,
        id: NsId,
        scope: Scope,
        r: &mut Reading<'_>,
    ) -> bool {
        if self.format.is_none() {
            self.format = Some(format);
            let dialect = Dialect::of(format);
            r.tape.namespaces.set_kindred(dialect.kindred());
            r.tape.namespaces.set_root(id);
        }
        self.is_xml = true;
        self.stage = Stage::Body;
        self.builder.set_root(name);
        self.outer.push(name, scope, true, r.tape)
    }
}

/// Sitemaps have a namespace; feeds have many.
pub(super) fn check_namespace(format: Format, id: NsId, r: &mut Reading<'_>) {
    let uri = r.tape.namespaces.uri(id);
    if Dialect::of(format) == Dialect::Sitemap && uri != SITEMAP {
        r.report.flaw(Rule::WrongNamespace, Effect::Noted, 0, uri);
    }
}
