//! The values of an entry in the base format.

use url::Url;

use crate::dialect::Dialect;
use crate::format::EntryKind;
use crate::interpret::Interpreter;
use crate::raw::{Owner, RawElement, RawEntry, Text};
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::{Effect, Rule, Violation, case};
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

/// What an entry says in the base format.
#[derive(Debug)]
pub(super) struct Base {
    /// `None` if the entry has to be skipped.
    pub(super) loc: Option<Url>,
    pub(super) lastmod: Option<W3cDatetime>,
    pub(super) changefreq: Option<ChangeFreq>,
    pub(super) priority: Option<Priority>,
    /// There are elements of other vocabularies.
    pub(super) has_foreign: bool,
}

impl Base {
    pub(super) fn read(raw: RawEntry<'_>, i: &mut Interpreter<'_>) -> Self {
        let texts = Texts::read(raw, i);
        let loc = if i.report.skips_entry() {
            None
        } else {
            loc(texts.loc, raw, i)
        };
        Self {
            loc,
            lastmod: texts.lastmod.and_then(|text| match raw.dialect() {
                Some(Dialect::Rss) => feed_date(text, i),
                _ => i.datetime(text),
            }),
            changefreq: texts
                .changefreq
                .and_then(|text| i.salvaged(ChangeFreq::salvage(text.text), text)),
            priority: texts
                .priority
                .and_then(|text| i.salvaged(Priority::salvage(text.text), text)),
            has_foreign: texts.has_foreign,
        }
    }
}

/// The texts of an entry's children in the base format, each of which may occur once.
#[derive(Debug, Default)]
struct Texts<'r> {
    loc: Option<Text<'r>>,
    lastmod: Option<Text<'r>>,
    changefreq: Option<Text<'r>>,
    priority: Option<Text<'r>>,
    has_foreign: bool,
}

impl<'r> Texts<'r> {
    fn read(raw: RawEntry<'r>, i: &mut Interpreter<'_>) -> Self {
        if raw.dialect() != Some(Dialect::Sitemap) {
            return Self {
                loc: raw.loc_text(),
                lastmod: raw.lastmod_text(),
                ..Self::default()
            };
        }
        if let Some(has_foreign) = raw.is_plain() {
            return Self {
                loc: raw.loc_text(),
                lastmod: raw.lastmod_text(),
                changefreq: raw.changefreq_text(),
                priority: raw.priority_text(),
                has_foreign,
            };
        }
        let mut texts = Self::default();
        for element in raw.elements() {
            match element.relation() {
                Relation::Foreign => texts.has_foreign = true,
                Relation::Root => texts.add(element, raw.kind(), i),
                Relation::Alike => {
                    i.note_namespace(element);
                    texts.add(element, raw.kind(), i);
                }
            }
        }
        texts
    }

    /// A child in the sitemap's own vocabulary.
    fn add(&mut self, element: RawElement<'r>, kind: EntryKind, i: &mut Interpreter<'_>) {
        let name = element.name();
        let Some(expected) = BaseElement::named(name, kind) else {
            return i.note(Rule::UnknownElement, element.at(), name);
        };
        if name != expected.name() {
            i.note(Rule::WrongCase, element.at(), name);
        }
        // What is broken in a tag has been reported, with what it costs.
        if element.is_broken() {
            return;
        }
        if let Some(child) = element.children().next() {
            let is_known = child.relation() != Relation::Foreign
                && BaseElement::named(child.name(), kind).is_some();
            let effect = match expected {
                BaseElement::Loc => Effect::EntrySkipped,
                _ => Effect::ValueDropped,
            };
            return i.add(child.opened_in(element, is_known), effect, child.at());
        }
        let text = Text {
            owner: Owner::Entry,
            ..element.value()
        };
        let slot = match expected {
            BaseElement::Loc => {
                self.loc = Some(text);
                return;
            }
            BaseElement::Lastmod => &mut self.lastmod,
            BaseElement::Changefreq => &mut self.changefreq,
            BaseElement::Priority => &mut self.priority,
        };
        if text.text.is_empty() {
            return;
        }
        if slot.is_some() {
            i.refuse(Rule::DuplicateElement, element.at(), expected.name());
        } else {
            *slot = Some(text);
        }
    }
}

fn loc(text: Option<Text<'_>>, raw: RawEntry<'_>, i: &mut Interpreter<'_>) -> Option<Url> {
    let Some(loc) = text.filter(|loc| !loc.text.is_empty()) else {
        missing_loc(raw, i);
        return None;
    };
    if !i.has_room_for_url(loc.text) {
        let effect = Effect::EntrySkipped;
        i.report.flaw(Rule::EntryTooLarge, effect, loc.at, loc.text);
        return None;
    }
    match i.url(loc) {
        Ok(url) => {
            i.check_location(&url, loc);
            Some(url)
        }
        Err(violation) => {
            i.add(violation, Effect::EntrySkipped, loc.at);
            None
        }
    }
}

#[cold]
fn missing_loc(raw: RawEntry<'_>, i: &mut Interpreter<'_>) {
    let (entry, loc) = match raw.dialect() {
        Some(Dialect::Rss) => ("item", "link"),
        Some(Dialect::Atom) => ("entry", ""),
        _ => (raw.kind().element(), "loc"),
    };
    let is_loc = |element: &RawElement<'_>| {
        element.relation() != Relation::Foreign && element.name().eq_ignore_ascii_case(loc)
    };
    let (violation, at) = match raw.elements().find(is_loc) {
        Some(empty) => {
            let violation = Violation::with_detail(Rule::MissingLoc, loc, case::EMPTY);
            (violation, empty.at())
        }
        None => (Violation::new(Rule::MissingLoc, entry), 0),
    };
    i.add(violation, Effect::EntrySkipped, at);
}

/// RFC 2822 is the standard in RSS; `dc:date` has a W3C Datetime.
fn feed_date(text: Text<'_>, i: &mut Interpreter<'_>) -> Option<W3cDatetime> {
    let says = |rule| Violation::with_detail(rule, text.text, case::RFC_822);
    if let Some((date, is_exact)) = W3cDatetime::rfc2822(text.text) {
        if !is_exact {
            i.add(says(Rule::NonStandardDatetime), Effect::Noted, text.at);
        }
        return Some(date);
    }
    let found = W3cDatetime::salvage(text.text);
    i.salvaged(found.map_err(|_| says(Rule::InvalidDatetime)), text)
}

/// So many undeclared prefixes are noted one by one in an entry.
const MANY: usize = 64;

/// Notes the prefixes that were never declared, each once.
pub(super) fn note_undeclared_prefixes(raw: RawEntry<'_>, i: &mut Interpreter<'_>) {
    let mut noted: Vec<&str> = Vec::new();
    for element in raw.undeclared() {
        let prefix = element.prefix();
        // So many different ones that nobody needs a list.
        if noted.len() < MANY && !noted.contains(&prefix) {
            noted.push(prefix);
            i.note(Rule::UndeclaredPrefix, element.at(), prefix);
        }
    }
}
