//! The values of an entry in the base format: how they are read, and how those of both kinds of entries are written.

use url::Url;

use crate::format::EntryKind;
use crate::interpret::{Interpreter, ValueText};
use crate::parse::feed::dates;
use crate::raw::{RawElement, RawEntry, View};
use crate::tape::dialect::{BaseChild, Dialect};
use crate::tape::{BaseValues, Node, Shape, Value};
use crate::value::url::{begins_as_path, plain_url};
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::{Effect, Rule, Violation, case};
use crate::vocabulary::DUBLIN_CORE;
use crate::xml::namespaces::Relation;
use crate::xml::writer::{XmlWriter, tag};

/// Writes the values that both kinds of entries have.
#[inline(always)]
pub(super) fn write_base(
    xml: &mut XmlWriter,
    loc: &Url,
    lastmod: Option<W3cDatetime>,
) -> Result<(), Violation> {
    xml.leaf(tag!("loc"), loc)?;
    xml.optional_leaf(tag!("lastmod"), lastmod)
}

/// The values of an entry in the base format.
#[derive(Debug)]
pub(crate) struct Base {
    pub(super) loc: Url,
    pub(super) lastmod: Option<W3cDatetime>,
    pub(super) changefreq: Option<ChangeFreq>,
    pub(super) priority: Option<Priority>,
    /// There are elements of other vocabularies.
    pub(crate) has_foreign: bool,
}

impl Base {
    /// Returns `None` if the entry must be skipped; the reason has been reported.
    // Inlined, so that the URL is not moved.
    #[inline(always)]
    pub(crate) fn read(raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        let tape = raw.source.tape;
        match tape.shape {
            Shape::Other => Self::read_general(raw, cx),
            shape => Self::interpret(&tape.base, shape == Shape::Extended, raw, cx),
        }
    }

    /// Like `read`, if the values on the tape are not the entire content of the base format.
    #[inline(never)]
    fn read_general(raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        let (mut values, mut has_foreign) = (raw.source.tape.base, false);
        // Only a sitemap has elements to look at, if the tape does not show that there are none.
        if raw.dialect() == Some(Dialect::Sitemap) {
            (values, has_foreign) = read_elements(raw, cx);
        }
        Self::interpret(&values, has_foreign, raw, cx)
    }

    /// Interprets the values of the base format, unless a flaw skips the entry.
    #[inline(always)]
    fn interpret(
        values: &BaseValues,
        has_foreign: bool,
        raw: RawEntry<'_>,
        cx: &mut Interpreter<'_>,
    ) -> Option<Self> {
        let lastmod = values.of(BaseChild::Lastmod);
        let lastmod = match raw.dialect() {
            _ if lastmod.is_empty() => None,
            Some(Dialect::Rss | Dialect::Atom) => feed_date(raw, cx),
            _ => cx.usual_or_salvaged(raw, lastmod, W3cDatetime::parse, W3cDatetime::salvage),
        };
        let loc = values.of(BaseChild::Loc);
        let changefreq = values.of(BaseChild::Changefreq);
        let changefreq =
            cx.usual_or_salvaged(raw, changefreq, ChangeFreq::exact, ChangeFreq::salvage);
        let priority = values.of(BaseChild::Priority);
        let priority = cx.usual_or_salvaged(raw, priority, Priority::usual, Priority::salvage);
        if cx.report.skips_entry() {
            return None;
        }
        // The URL is large. It is created last, so it is written directly to its destination.
        let url = match plain_url(raw.source.text_of(loc)) {
            Some(url) => url,
            None => general_loc(loc, raw, cx)?,
        };
        cx.check_loc(&url, raw, loc);
        Some(Self {
            loc: url,
            lastmod,
            changefreq,
            priority,
            has_foreign,
        })
    }
}

/// Collects the values from the elements, for an entry that the parser did not reduce to its slots. Returns them, and whether
/// there are elements of other vocabularies.
#[inline(never)]
fn read_elements(raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> (BaseValues, bool) {
    let (mut values, mut has_foreign) = (BaseValues::NONE, false);
    for element in raw.elements() {
        match element.relation() {
            Relation::Foreign => has_foreign = true,
            Relation::Root => read_element(&mut values, element, raw.kind(), cx),
            Relation::Alike => {
                cx.note_namespace(element, "");
                read_element(&mut values, element, raw.kind(), cx);
            }
        }
    }
    (values, has_foreign)
}

/// Reads a child in the sitemap's own vocabulary.
fn read_element(
    values: &mut BaseValues,
    element: RawElement<'_>,
    kind: EntryKind,
    cx: &mut Interpreter<'_>,
) {
    let name = element.name();
    let Some(expected) = BaseChild::named(name, kind) else {
        return cx.note(Rule::UnknownElement, element.tag(), element.full_name());
    };
    if name != expected.name() {
        cx.note(Rule::WrongCase, element.tag(), name);
    }
    // Violations in a tag have been reported, with their effects.
    if element.node.broken {
        return;
    }
    if let Some(child) = element.children().next() {
        let is_known =
            child.relation() != Relation::Foreign && BaseChild::named(child.name(), kind).is_some();
        let effect = match expected {
            BaseChild::Loc => Effect::EntrySkipped,
            _ => Effect::ValueDropped,
        };
        return cx
            .report
            .add(child.opened_in(element, is_known), effect, child.tag());
    }
    let text = element.node.text;
    if text.is_empty() {
        // An empty loc is reported as missing.
        if expected != BaseChild::Loc {
            cx.note(Rule::EmptyElement, element.tag(), expected.name());
        }
        return;
    }
    let earlier = values.of(expected);
    if !earlier.is_empty() && can_be_used(expected, earlier, element, cx) {
        cx.refuse(Rule::DuplicateElement, element.tag(), expected.name());
    } else {
        *values.slot(expected) = text;
    }
}

/// Returns `true` if an earlier value can be used, so that it stays. If it cannot, this is reported.
#[cold]
fn can_be_used(
    child: BaseChild,
    earlier: Value,
    element: RawElement<'_>,
    cx: &mut Interpreter<'_>,
) -> bool {
    let Some(text) = ValueText::of_entry(element.source, earlier) else {
        return false;
    };
    let usable = match child {
        // A second loc begins another entry.
        BaseChild::Loc => return false,
        BaseChild::Lastmod => W3cDatetime::salvage(text.text).map(|_| ()),
        BaseChild::Changefreq => ChangeFreq::salvage(text.text).map(|_| ()),
        BaseChild::Priority => Priority::salvage(text.text).map(|_| ()),
    };
    cx.demand(usable, text).is_some()
}

/// Reads the date of a feed's entry: the first one that can be used. Those before it are reported.
#[inline(never)]
fn feed_date(raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Option<W3cDatetime> {
    let View { tape, text, .. } = raw.source;
    dates(text, tape).find_map(|date| match tape.dialect {
        Dialect::Rss => rss_date(date, raw, cx),
        _ => cx.usual_or_salvaged(raw, date.text, W3cDatetime::parse, W3cDatetime::salvage),
    })
}

/// Reads a date of an RSS item: an RFC 822 date in `pubDate`, a W3C Datetime in `dc:date`.
fn rss_date(date: &Node, raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Option<W3cDatetime> {
    let text = ValueText::of_entry(raw.source, date.text)?;
    if raw.source.tape.namespace(date) == DUBLIN_CORE {
        return cx.salvaged(W3cDatetime::salvage(text.text), text);
    }
    let violation = |rule, case| Violation::with_detail(rule, text.text, case);
    let found = match W3cDatetime::rfc2822(text.text) {
        Some((date, other)) => {
            let noted = other.map(|case| violation(Rule::NonStandardDatetime, case));
            Ok((date, noted))
        }
        None => W3cDatetime::salvage(text.text)
            .map_err(|_| violation(Rule::InvalidDatetime, case::RFC_822)),
    };
    cx.salvaged(found, text)
}

/// Returns the URL of a text that is not plain, or `None` if the entry must be skipped.
#[inline(never)]
fn general_loc(value: Value, raw: RawEntry<'_>, cx: &mut Interpreter<'_>) -> Option<Url> {
    let Some(loc) = ValueText::of_entry(raw.source, value) else {
        missing_loc(raw, cx);
        return None;
    };
    let url = match raw.dialect() {
        Some(Dialect::Rss | Dialect::Atom) => {
            let base = raw.base_of(raw.child_of(value));
            let is_allowed = base.is_some() && raw.dialect() == Some(Dialect::Atom);
            cx.url(loc, base.as_ref().or(cx.base()), is_allowed)
        }
        Some(Dialect::Sitemap) => cx.url(loc, cx.base(), false),
        // A line is resolved only if it begins like a path: any other line that is not a URL is a word, not the name of a page.
        None => {
            let base = cx.base().filter(|_| begins_as_path(loc.text));
            cx.url(loc, base, false)
        }
    };
    url.map_err(|violation| cx.report.add(violation, Effect::EntrySkipped, loc.span))
        .ok()
}

/// Reports that the loc is missing or empty. In a feed, it is named a link.
#[cold]
fn missing_loc(raw: RawEntry<'_>, cx: &mut Interpreter<'_>) {
    let (entry, loc) = match raw.dialect() {
        Some(Dialect::Rss) => ("item", "link"),
        Some(Dialect::Atom) => ("entry", ""),
        _ => (raw.kind().element(), "loc"),
    };
    let is_loc = |element: &RawElement<'_>| {
        element.relation() != Relation::Foreign && element.name().eq_ignore_ascii_case(loc)
    };
    let empty = raw.elements().find(is_loc);
    let (found, detail) = match empty {
        Some(_) => (loc, Some(case::EMPTY)),
        None if loc == "loc" => (entry, None),
        // In a feed, the loc is named a link.
        None => (entry, Some(case::LINK)),
    };
    let violation = Violation::with_detail(Rule::MissingLoc, found, detail);
    let span = empty.map_or(raw.tag(), |empty| empty.tag());
    cx.report.add(violation, Effect::EntrySkipped, span);
}
