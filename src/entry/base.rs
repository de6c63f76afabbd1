use crate::dialect::Dialect;
use crate::format::EntryKind;
use crate::interpret::Interpreter;
use crate::raw::{RawEntry, Text};
use crate::violation::{Effect, Rule};
use crate::xml::namespaces::Relation;

/// A child of an entry in the base format.
#[derive(Debug, Clone, Copy)]
enum BaseElement {
    Loc,
    Lastmod,
    Changefreq,
    Priority,
}

impl BaseElement {
    const OF_A_PAGE: [Self; 4] = [Self::Loc, Self::Lastmod, Self::Changefreq, Self::Priority];
    const OF_A_SITEMAP: [Self; 2] = [Self::Loc, Self::Lastmod];

    const fn name(self) -> &'static str {
        match self {
            Self::Loc => "loc",
            Self::Lastmod => "lastmod",
            Self::Changefreq => "changefreq",
            Self::Priority => "priority",
        }
    }

    /// The one of this name in any case.
    fn named(name: &str, kind: EntryKind) -> Option<Self> {
        let all = match kind {
            EntryKind::Url => Self::OF_A_PAGE.as_slice(),
            EntryKind::Sitemap => Self::OF_A_SITEMAP.as_slice(),
        };
        let exact = all.iter().find(|element| element.name() == name);
        exact
            .or_else(|| {
                all.iter()
                    .find(|element| element.name().eq_ignore_ascii_case(name))
            })
            .copied()
    }
}

/// The elements of an entry that belong to the base format; each may occur once.
#[derive(Debug, Default)]
pub(crate) struct BaseElements<'r> {
    pub(crate) loc: Option<Text<'r>>,
    pub(crate) lastmod: Option<Text<'r>>,
    pub(crate) changefreq: Option<Text<'r>>,
    pub(crate) priority: Option<Text<'r>>,
    /// There are elements of other vocabularies.
    pub(crate) has_foreign: bool,
    /// The loc can't be used.
    pub(crate) skipped: bool,
}

impl Interpreter<'_> {
    /// The children that are the base format's own.
    pub(crate) fn base_elements<'r>(&mut self, raw: RawEntry<'r>) -> BaseElements<'r> {
        let mut found = BaseElements::default();
        if raw.dialect() != Some(Dialect::Sitemap) {
            found.loc = raw.loc_text();
            found.lastmod = raw.lastmod_text();
            return found;
        }
        if let Some(has_more) = raw.is_plain() {
            return BaseElements {
                loc: raw.loc_text(),
                lastmod: raw.lastmod_text(),
                changefreq: raw.changefreq_text(),
                priority: raw.priority_text(),
                has_foreign: has_more,
                skipped: false,
            };
        }
        for element in raw.elements() {
            match element.relation() {
                Relation::Foreign => {
                    found.has_foreign = true;
                    continue;
                }
                Relation::Root => {}
                Relation::Alike => self.note_namespace(element),
            }
            let name = element.name();
            let Some(expected) = BaseElement::named(name, raw.kind()) else {
                self.note(Rule::UnknownElement, element.at(), name);
                continue;
            };
            let (is_loc, slot) = match expected {
                BaseElement::Loc => (true, &mut found.loc),
                BaseElement::Lastmod => (false, &mut found.lastmod),
                BaseElement::Changefreq => (false, &mut found.changefreq),
                BaseElement::Priority => (false, &mut found.priority),
            };
            let expected = expected.name();
            if name != expected {
                self.note(Rule::WrongCase, element.at(), name);
            }
            if element.is_broken() {
                // Said by the source, and what it cost.
                continue;
            }
            if let Some(child) = element.children().next() {
                let effect = if is_loc {
                    found.skipped = true;
                    Effect::EntrySkipped
                } else {
                    Effect::ValueDropped
                };
                let is_known = child.relation() != Relation::Foreign
                    && BaseElement::named(child.name(), raw.kind()).is_some();
                let violation = child.opened_in(element, is_known);
                self.add(violation, effect, child.at());
                if !is_loc {
                    continue;
                }
            }
            let value = element.value();
            if is_loc {
                *slot = Some(value);
            } else if value.text.is_empty() {
            } else if slot.is_some() {
                self.report.flaw(
                    Rule::DuplicateElement,
                    Effect::ValueDropped,
                    element.at(),
                    expected,
                );
            } else {
                *slot = Some(value);
            }
        }
        found
    }
}
