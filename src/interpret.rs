use url::Url;

use crate::budget::Budget;
use crate::dialect::Dialect;
use crate::entry::{Entry, SitemapEntry, UrlEntry};
use crate::extension::{self, foreign::Element};
use crate::format::EntryKind;
use crate::limits::MAX_NEWS;
use crate::location::Location;
use crate::raw::{RawElement, RawEntry, Text};
use crate::report::{Mark, Report};
use crate::value::url::{not_escaped, read_url};
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::{Effect, Rule, Violation, case};
use crate::xml::namespaces::Relation;

/// Says what a raw entry means. Every value goes through here, so that a rule is checked in one place.
pub(crate) struct Interpreter<'a> {
    pub(crate) report: &'a mut Report,
    location: &'a Location,
    news: &'a mut NewsCount,
    pub(crate) budget: Budget,
}

/// The news elements of a document.
#[derive(Debug, Default)]
pub(crate) struct NewsCount {
    total: u64,
    /// The number of the entry at hand, and how many came before it: it may be interpreted again.
    entry: u64,
    before: u64,
}

impl NewsCount {
    pub(crate) fn begin_entry(&mut self, number: u64) {
        if self.entry == number {
            self.total = self.before;
        } else {
            self.entry = number;
            self.before = self.total;
        }
    }
}

/// So many undeclared prefixes are noted one by one in an entry.
const MANY: usize = 64;

/// The text of a URL that is longer can take so much memory to parse that it is asked whether there is as much.
const LONG_URL: usize = 16 << 10;

/// How many bytes a URL may have once it is escaped.
fn escaped_bytes(text: &str) -> usize {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b"-._~/:%=&;,+@?".contains(b);
    text.len() + 2 * text.bytes().filter(|b| !is_plain(b)).count()
}

impl<'a> Interpreter<'a> {
    pub(crate) fn new(
        report: &'a mut Report,
        location: &'a Location,
        news: &'a mut NewsCount,
    ) -> Self {
        Self {
            report,
            location,
            news,
            budget: Budget::new(),
        }
    }

    /// The entry; `None` if it has to be skipped.
    pub(crate) fn entry(&mut self, raw: RawEntry<'_>) -> Option<Entry> {
        let base = self.base_elements(raw);
        let has_foreign = base.has_foreign;
        let is_foreign = |element: &RawElement<'_>| element.relation() == Relation::Foreign;
        let foreign = raw
            .elements()
            .filter(|element| has_foreign && is_foreign(element));
        let loc = if base.skipped {
            None
        } else {
            self.loc(base.loc, raw)
        };
        let lastmod = base.lastmod.and_then(|text| match raw.dialect() {
            Some(Dialect::Rss) => self.feed_date(text),
            _ => self.datetime(text),
        });
        let changefreq = base.changefreq.and_then(|text| self.changefreq(text));
        let priority = base.priority.and_then(|text| self.priority(text));
        if raw.is_plain().is_none() {
            self.prefixes(raw);
        }
        let loc = loc?;
        Some(match raw.kind() {
            EntryKind::Url => {
                let mut entry = UrlEntry::new(loc);
                entry.lastmod = lastmod;
                entry.changefreq = changefreq;
                entry.priority = priority;
                for element in foreign {
                    self.extension(element, &mut entry);
                }
                Entry::Url(entry)
            }
            EntryKind::Sitemap => {
                let mut entry = SitemapEntry::new(loc);
                entry.lastmod = lastmod;
                for element in foreign {
                    self.foreign(element, &mut entry.foreign);
                }
                Entry::Sitemap(entry)
            }
        })
    }

    /// Notes the prefixes that were never declared, each once.
    fn prefixes(&mut self, raw: RawEntry<'_>) {
        let mut noted: Vec<&str> = Vec::new();
        for element in raw.undeclared() {
            let prefix = element.prefix();
            // So many different ones that nobody needs a list.
            if noted.len() < MANY && !noted.contains(&prefix) {
                noted.push(prefix);
                self.note(Rule::UndeclaredPrefix, element.at(), prefix);
            }
        }
    }

    /// An element of another vocabulary: an extension's, or one to be carried through.
    fn extension(&mut self, element: RawElement<'_>, entry: &mut UrlEntry) {
        let attribute = |name: &str| element.attribute(name);
        let known = extension::of(element.judgement().vocabulary);
        let claimed = known.filter(|known| (known.claims)(element.name(), &attribute));
        let Some(extension) = claimed else {
            self.foreign(element, &mut entry.foreign);
            return;
        };
        self.check_namespace(element);
        if !element.is_broken() && !self.budget.is_spent() {
            (extension.read)(element, self, entry);
            self.check_budget(element);
        }
    }

    /// Notes the namespace of an extension's element if it is misspelt.
    pub(crate) fn check_namespace(&mut self, element: RawElement<'_>) {
        if element.judgement().is_misspelt {
            self.note_namespace(element);
        }
    }

    /// Notes a namespace that is taken for another.
    pub(super) fn note_namespace(&mut self, element: RawElement<'_>) {
        let (key, uri) = (element.namespace_key(), element.namespace());
        self.report.wrong_namespace(key, uri, element.at());
    }

    /// What can't be written again (broken, or without a namespace that is known) is not carried through.
    fn foreign(&mut self, element: RawElement<'_>, elements: &mut Vec<Element>) {
        let usable = !element.is_broken() && !element.namespace().is_empty();
        if usable && element.has_spoilt_names() {
            let violation = Violation::undecodable(self.report.encoding());
            return self.add(violation, Effect::ValueDropped, element.at());
        }
        if !usable || self.budget.is_spent() {
            return;
        }
        let weight = Element::weight(element, &mut self.budget);
        if self.budget.pay_for_one(elements) && self.budget.pay(weight) {
            elements.push(Element::read(element));
        }
        self.check_budget(element);
    }

    /// Says so where the budget did not suffice for this element. A few bytes of markup can become a hundred times as
    /// many of structs: what is far beyond any real entry is dropped.
    fn check_budget(&mut self, element: RawElement<'_>) {
        if self.budget.is_spent() {
            let name = element.name();
            let violation = Violation::with_detail(Rule::EntryTooLarge, name, "with all before it");
            self.add(violation, Effect::ValueDropped, element.at());
        }
    }

    /// Counts the news elements of the document.
    pub(crate) fn count_news(&mut self, element: RawElement<'_>) {
        self.news.total += 1;
        if self.news.total == MAX_NEWS + 1 {
            self.note(Rule::TooManyNews, element.at(), "1,000");
        }
    }

    pub(crate) fn add(&mut self, violation: Violation, effect: Effect, at: usize) {
        self.report.add(violation, effect, at);
    }

    pub(crate) fn mark(&self) -> Mark {
        self.report.mark()
    }

    /// See [`Report::name_owner`].
    pub(crate) fn name_owner(&mut self, since: Mark, owner: impl Fn() -> String) {
        self.report.name_owner(since, owner);
    }

    pub(crate) fn note(&mut self, rule: Rule, at: usize, found: &str) {
        self.report.flaw(rule, Effect::Noted, at, found);
    }

    fn drop_value<T>(&mut self, violation: Violation, at: usize) -> Option<T> {
        self.report.add(violation, Effect::ValueDropped, at);
        None
    }

    fn loc(&mut self, text: Option<Text<'_>>, raw: RawEntry<'_>) -> Option<Url> {
        let Some(loc) = text.filter(|loc| !loc.text.is_empty()) else {
            self.missing_loc(raw);
            return None;
        };
        if !self.has_room_for_url(loc.text) {
            self.report
                .flaw(Rule::EntryTooLarge, Effect::EntrySkipped, loc.at, loc.text);
            return None;
        }
        match self.checked_url(loc) {
            Ok(url) => {
                self.check_location(&url, loc);
                Some(url)
            }
            Err(violation) => {
                self.report.add(violation, Effect::EntrySkipped, loc.at);
                None
            }
        }
    }

    #[cold]
    fn missing_loc(&mut self, raw: RawEntry<'_>) {
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
        self.add(violation, Effect::EntrySkipped, at);
    }

    pub(crate) fn checked_url(&mut self, text: Text<'_>) -> Result<Url, Violation> {
        let base = self.location.base();
        let checked = read_url(text.text, base)?;
        for (is_so, rule) in [
            (checked.relative, Rule::RelativeUrl),
            (checked.too_long, Rule::UrlTooLong),
        ] {
            if is_so {
                self.note(rule, text.at, text.text);
            }
        }
        if let Some(at) = checked.unescaped {
            self.add(not_escaped(text.text, at), Effect::Noted, text.at);
        }
        // What has been escaped has grown, by doubling.
        let has_grown = checked.url.as_str().len() > text.text.len().max(LONG_URL);
        Ok(match has_grown {
            true => checked.url.clone(),
            false => checked.url,
        })
    }

    /// Whether there is room for a URL while it is parsed. Escaped, it can be three times as long, in a text that grows
    /// by doubling.
    pub(crate) fn has_room_for_url(&self, text: &str) -> bool {
        text.len() <= LONG_URL || self.budget.has(3 * escaped_bytes(text))
    }

    fn check_location(&mut self, url: &Url, text: Text<'_>) {
        if let Some(verdict) = self.location.verdict(url) {
            let violation = Violation::with_detail(Rule::OutsideLocation, text.text, verdict);
            self.report.add(violation, Effect::Noted, text.at);
        }
    }

    pub(crate) fn datetime(&mut self, text: Text<'_>) -> Option<W3cDatetime> {
        let found = W3cDatetime::salvage(text.text);
        self.value(found, text)
    }

    /// RFC 2822 is the standard here, and W3C Datetime in `dc:date`.
    fn feed_date(&mut self, text: Text<'_>) -> Option<W3cDatetime> {
        let says = |rule| Violation::with_detail(rule, text.text, case::RFC_822);
        if let Some((date, exact)) = W3cDatetime::rfc2822(text.text) {
            if !exact {
                let violation = says(Rule::NonStandardDatetime);
                self.add(violation, Effect::Noted, text.at);
            }
            return Some(date);
        }
        let found = W3cDatetime::salvage(text.text);
        self.value(found.map_err(|_| says(Rule::InvalidDatetime)), text)
    }

    fn changefreq(&mut self, text: Text<'_>) -> Option<ChangeFreq> {
        let found = ChangeFreq::salvage(text.text);
        self.value(found, text)
    }

    fn priority(&mut self, text: Text<'_>) -> Option<Priority> {
        let found = Priority::salvage(text.text);
        self.value(found, text)
    }

    fn value<T>(
        &mut self,
        found: Result<(T, Option<Rule>), Violation>,
        text: Text<'_>,
    ) -> Option<T> {
        match found {
            Ok((value, None)) => Some(value),
            Ok((value, Some(rule))) => {
                self.note(rule, text.at, text.text);
                Some(value)
            }
            Err(violation) => self.drop_value(violation, text.at),
        }
    }
}
