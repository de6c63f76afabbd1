use crate::entry::{Interpreter, Text};
use crate::raw::{EntryKind, RawElement, RawEntry};
use crate::source::dialect::Dialect;
use crate::violation::{Effect, Rule};
use crate::xml::namespace::Vocabulary;

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
pub(super) struct BaseElements<'r> {
    pub(super) loc: Option<Text<'r>>,
    pub(super) lastmod: Option<Text<'r>>,
    pub(super) changefreq: Option<Text<'r>>,
    pub(super) priority: Option<Text<'r>>,
    /// The loc can't be used.
    pub(super) skipped: bool,
}

impl Interpreter<'_> {
    /// Sorts the children: the base format's own are returned, the others put into `foreign`.
    pub(super) fn base_elements<'r>(
        &mut self,
        raw: RawEntry<'r>,
        foreign: &mut Vec<RawElement<'r>>,
    ) -> BaseElements<'r> {
        let mut found = BaseElements::default();
        if raw.dialect() != Some(Dialect::Sitemap) {
            found.loc = raw.loc_text();
            found.lastmod = raw.lastmod_text();
            return found;
        }
        if let Some(has_more) = raw.is_plain() {
            if has_more {
                let is_foreign =
                    |element: &RawElement<'_>| element.vocabulary() == Vocabulary::Foreign;
                foreign.extend(raw.elements().filter(is_foreign));
            }
            return BaseElements {
                loc: raw.loc_text(),
                lastmod: raw.lastmod_text(),
                changefreq: raw.changefreq_text(),
                priority: raw.priority_text(),
                skipped: false,
            };
        }
        for element in raw.elements() {
            let own = match element.vocabulary() {
                Vocabulary::Foreign => {
                    foreign.push(element);
                    continue;
                }
                Vocabulary::Base => true,
                Vocabulary::NearlyBase => false,
            };
            if !own {
                self.note(Rule::WrongNamespace, element.at(), element.namespace());
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
            if element.node().broken {
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
                let is_known = child.vocabulary() != Vocabulary::Foreign
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
