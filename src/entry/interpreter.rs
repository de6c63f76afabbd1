use url::Url;

use crate::entry::{Element, Entry, SitemapEntry, UrlEntry, loc};
use crate::extension;
use crate::limits::{EXTENSION_BYTES, MAX_NEWS};
use crate::location::Location;
use crate::raw::{EntryKind, RawElement, RawEntry};
use crate::report::{Mark, Report};
use crate::source::dialect::Dialect;
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::{Effect, Rule, Violation};

/// Says what a raw entry means. Every value goes through here, so that a rule is checked in one place.
pub(crate) struct Interpreter<'a> {
    pub(super) report: &'a mut Report,
    location: &'a Location,
    news: &'a mut NewsCount,
    /// Bytes that the entry's extensions may still take; `None`: it has been said that they are too large.
    budget: Option<usize>,
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

/// A text and where it stands: what a value is read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<'r> {
    pub(crate) text: &'r str,
    pub(crate) at: usize,
    /// The document spells it as it is: what lies so far into the text lies so far behind `at`.
    pub(crate) is_verbatim: bool,
}

impl<'r> RawElement<'r> {
    /// Its text; where there is none, the element stands for it.
    pub(crate) fn value(&self) -> Text<'r> {
        let node = self.node();
        let at = if node.text.is_empty() {
            node.at
        } else {
            node.text.at
        };
        Text {
            text: self.text(),
            at: at as usize,
            is_verbatim: !node.text.is_in_scratch(),
        }
    }

    pub(crate) fn at(&self) -> usize {
        self.node().at as usize
    }
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
            budget: Some(EXTENSION_BYTES),
        }
    }

    /// The entry; `None` if it has to be skipped.
    pub(crate) fn entry(&mut self, raw: RawEntry<'_>) -> Option<Entry> {
        let mut foreign = Vec::new();
        let base = self.base_elements(raw, &mut foreign);
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
                    entry.foreign.extend(self.foreign(element));
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
        let namespace = element.namespace();
        let attribute = |name: &str| element.attribute(name);
        let known = extension::find(namespace)
            .filter(|(known, _)| (known.claims)(element.name(), &attribute));
        let Some((extension, exact)) = known else {
            entry.foreign.extend(self.foreign(element));
            return;
        };
        if !exact {
            self.note(Rule::WrongNamespace, element.at(), namespace);
        }
        if !element.is_broken()
            && self.afford(2 * extension.bytes + element.weight_of_children(), element)
        {
            (extension.read)(element, self, entry);
        }
    }

    /// What can't be written again (broken, or without a namespace that is known) is not carried through.
    fn foreign(&mut self, element: RawElement<'_>) -> Option<Element> {
        let usable = !element.is_broken() && !element.namespace().is_empty();
        if usable && element.has_spoilt_names() {
            let violation = Violation::new(Rule::InvalidCharacter, "\u{FFFD}");
            return self.drop_value(violation, element.at());
        }
        (usable && self.afford(element.weight(), element)).then(|| Element::read(element))
    }

    /// Whether there is room for so many bytes of what an element becomes. A few bytes of markup can become
    /// a hundred times as many of structs: what is far beyond any real entry is dropped.
    pub(crate) fn afford(&mut self, needed: usize, element: RawElement<'_>) -> bool {
        match self.budget {
            Some(budget) if budget >= needed => {
                self.budget = Some(budget - needed);
                true
            }
            Some(_) => {
                self.budget = None;
                let violation = Violation::with_detail(
                    Rule::EntryTooLarge,
                    element.name(),
                    "with all before it",
                );
                self.add(violation, Effect::ValueDropped, element.at());
                false
            }
            None => false,
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
            let name = match raw.dialect() {
                Some(Dialect::Rss) => "item",
                Some(Dialect::Atom) => "entry",
                _ => raw.kind().element(),
            };
            self.report
                .flaw(Rule::MissingLoc, Effect::EntrySkipped, 0, name);
            return None;
        };
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

    pub(crate) fn checked_url(&mut self, text: Text<'_>) -> Result<Url, Violation> {
        let base = self.location.url.as_ref();
        let checked = loc::check(text.text, base)?;
        for (is_so, rule) in [
            (checked.relative, Rule::RelativeUrl),
            (checked.too_long, Rule::UrlTooLong),
            (checked.not_escaped, Rule::UrlNotEscaped),
        ] {
            if is_so {
                self.note(rule, text.at, text.text);
            }
        }
        Ok(checked.url)
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
        match W3cDatetime::rfc2822(text.text) {
            Some((date, exact)) => {
                if !exact {
                    self.note(Rule::NonStandardDatetime, text.at, text.text);
                }
                Some(date)
            }
            None => self.datetime(text),
        }
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
