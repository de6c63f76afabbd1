//! Items of RSS and entries of Atom as pages: the places of their URL and their date.

use crate::tape::dialect::{BaseChild, Dialect};
use crate::tape::{Node, Tape, Value};
use crate::value::url::is_absolute;
use crate::vocabulary::{DUBLIN_CORE, Vocabulary};
use crate::xml::namespaces::Relation;

/// The complete form of the `rel` `alternate`.
const ALTERNATE: &str = "http://www.iana.org/assignments/relation/alternate";

/// Returns `true` if a reference has a scheme, so that it is not relative.
fn has_scheme(text: &str) -> bool {
    let end = text.find([':', '/', '?', '#']);
    end.is_some_and(|end| text.as_bytes().get(end) == Some(&b':'))
}

/// Fills the slots of an entry that is complete.
pub(crate) fn fill_slots(window: &str, tape: &mut Tape) {
    let item = Item { window, tape };
    let loc = match tape.dialect {
        Dialect::Sitemap => return,
        Dialect::Rss => item.rss_loc(),
        Dialect::Atom => item.atom_loc(),
    };
    let lastmod = dates(window, tape).next().map(|node| node.text);
    *tape.base.slot(BaseChild::Loc) = loc.unwrap_or(Value::NONE);
    *tape.base.slot(BaseChild::Lastmod) = lastmod.unwrap_or(Value::NONE);
}

/// The dates of an entry. The first one that can be used is its date.
pub(crate) fn dates<'a>(window: &'a str, tape: &'a Tape) -> impl Iterator<Item = &'a Node> {
    let item = Item { window, tape };
    let names: &[&str] = match tape.dialect {
        Dialect::Sitemap => &[],
        Dialect::Rss => &["pubDate", DC_DATE],
        Dialect::Atom => &["updated", "modified", "published", "issued"],
    };
    names.iter().flat_map(move |name| {
        let is_date = move |node: &&Node| !node.text.is_empty() && item.is_date(node, name);
        item.children().filter(is_date)
    })
}

/// `dc:date`, in any spelling of the prefix.
const DC_DATE: &str = "date";

#[derive(Clone, Copy)]
struct Item<'a> {
    window: &'a str,
    tape: &'a Tape,
}

impl<'a> Item<'a> {
    fn children(self) -> impl Iterator<Item = &'a Node> {
        let nodes = &self.tape.nodes;
        let end = nodes.first().map_or(0, |item| item.end as usize);
        let first = nodes.get(1).filter(|_| end > 1);
        std::iter::successors(first, move |node| {
            nodes
                .get(node.end as usize)
                .filter(|_| (node.end as usize) < end)
        })
    }

    /// The children of this name that are the feed's own and not blank.
    fn own(self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children().filter(move |node| {
            self.tape.relation(node) != Relation::Foreign && self.is_named(node, name)
        })
    }

    /// Returns `true` for the feed's own element of this name, or for `dc:date`.
    fn is_date(&self, node: &Node, name: &str) -> bool {
        self.is_named(node, name)
            && match name {
                DC_DATE => self.tape.namespace(node) == DUBLIN_CORE,
                _ => self.tape.relation(node) != Relation::Foreign,
            }
    }

    fn is_named(&self, node: &Node, name: &str) -> bool {
        node.local_name().of(self.window).eq_ignore_ascii_case(name)
    }

    fn attribute(&self, node: &Node, name: &str) -> Option<Value> {
        let attribute = self.tape.attribute(node, name, self.window)?;
        Some(attribute.value)
    }

    fn says(&self, value: Option<Value>, word: &str) -> bool {
        value
            .and_then(|value| self.tape.text(value, self.window))
            .is_some_and(|text| text.trim().eq_ignore_ascii_case(word))
    }

    /// Uses `<link>`, otherwise an absolute `<guid>` that is not marked as another identifier, otherwise a link of
    /// Atom.
    fn rss_loc(&self) -> Option<Value> {
        let guid = || {
            self.own("guid")
                .filter(|guid| !self.says(self.attribute(guid, "isPermaLink"), "false"))
                .map(|guid| guid.text)
                .find(|guid| self.tape.text(*guid, self.window).is_some_and(is_absolute))
        };
        let atom = || {
            let links = self.children().filter(|node| {
                let judgement = self.tape.namespaces.judgement(node.namespace);
                judgement.vocabulary == Vocabulary::Atom && self.is_named(node, "link")
            });
            self.page_of(links)
        };
        let mut links = self.own("link").map(|link| link.text);
        let link = links.find(|text| !text.is_empty());
        link.or_else(guid).or_else(atom)
    }

    /// The link to the page; `self` only if it is the only one.
    fn atom_loc(&self) -> Option<Value> {
        let only = || {
            let mut links = self.own("link");
            let link = links.next().filter(|_| links.next().is_none())?;
            let href = self.href(link);
            href.filter(|_| self.says(self.attribute(link, "rel"), "self"))
        };
        self.page_of(self.own("link")).or_else(only)
    }

    /// Chooses among the links without a `rel` or with `alternate`: the first one on the web that is HTML or has no
    /// type, otherwise the first one on the web, otherwise the first one.
    fn page_of(&self, links: impl Iterator<Item = &'a Node>) -> Option<Value> {
        let mut best: Option<(u8, Value)> = None;
        for link in links {
            let rel = self.attribute(link, "rel").filter(|rel| !rel.is_empty());
            let is_page = rel.is_none() || self.says(rel, "alternate") || self.says(rel, ALTERNATE);
            let Some(href) = self.href(link).filter(|_| is_page) else {
                continue;
            };
            let text = href.of(self.window, &self.tape.scratch);
            let kind = self.attribute(link, "type").filter(|kind| !kind.is_empty());
            let is_html = kind.is_none()
                || self.says(kind, "text/html")
                || self.says(kind, "application/xhtml+xml");
            let rank = match (is_absolute(text) || !has_scheme(text), is_html) {
                (true, true) => 2,
                (true, false) => 1,
                (false, _) => 0,
            };
            if best.is_none_or(|(known, _)| rank > known) {
                best = Some((rank, href));
            }
        }
        best.map(|(_, href)| href)
    }

    fn href(&self, link: &Node) -> Option<Value> {
        let href = self.attribute(link, "href")?;
        let href = href.trimmed(self.window, &self.tape.scratch);
        (!href.is_empty()).then_some(href)
    }
}
