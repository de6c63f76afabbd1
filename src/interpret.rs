//! [`Interpreter`], which every value is read with: the report, the base URL, and the number of words that a list may
//! still have.
//!
//! The types of values read themselves; the interpreter handles wrong ones. Every report about a value takes the
//! [`ValueText`] that it was read from, with its position and its element, so a violation is complete when it is
//! reported.

mod text;

use url::Url;

use self::text::Owner;
pub(crate) use self::text::ValueText;
use crate::limits::MAX_WORDS;
use crate::raw::{RawElement, RawEntry};
use crate::report::Report;
use crate::tape::Value;
use crate::tape::dialect::Dialect;
use crate::text::span::Span;
use crate::value::location::Location;
use crate::value::url::{not_escaped, plain_url, read_url};
use crate::violation::{BETWEEN_WORDS, Effect, Rule, Salvaged, Violation, case, quotable};
use crate::vocabulary::{Extension, InFile, Vocabulary, by_prefix};
use crate::xml::lexer::local_part;

/// Reads the values of one entry.
pub(crate) struct Interpreter<'a> {
    pub(crate) report: &'a mut Report,
    location: &'a Location,
    in_file: &'a mut InFile,
    /// Words in lists that the entry may still have.
    words: usize,
}

/// A URL longer than this is copied if it has grown while it was parsed, so that it keeps no spare memory.
const LONG_URL: usize = 16 << 10;

impl<'a> Interpreter<'a> {
    pub(crate) fn new(
        report: &'a mut Report,
        location: &'a Location,
        in_file: &'a mut InFile,
    ) -> Self {
        Self {
            report,
            location,
            in_file,
            words: MAX_WORDS,
        }
    }

    /// Returns `false` if the entry must be skipped, also for a mistake of this crate.
    pub(crate) fn is_kept(&mut self, raw: RawEntry<'_>) -> bool {
        if raw.source.tape.has_wrong_bounds() && !self.report.skips_entry() {
            self.report.internal(raw.kind());
        }
        !self.report.skips_entry()
    }

    // Findings about values.

    /// Reports something about a value, and whose value it is.
    fn report_value(&mut self, violation: Violation, effect: Effect, text: ValueText<'_>) {
        let violation = match text.owner {
            Owner::Entry => violation,
            Owner::Element(name) => violation.owned_by(quotable(name)),
            Owner::Attribute(name, element) => {
                violation.owned_by(&format!("{} of {}", quotable(name), quotable(element)))
            }
        };
        self.report.add(violation, effect, text.span);
    }

    /// Reports that a value is understood, but breaks a rule.
    pub(crate) fn note_value(&mut self, rule: Rule, text: ValueText<'_>) {
        self.report_value(Violation::new(rule, text.text), Effect::Noted, text);
    }

    /// The value, or `None` and the report of why it is not allowed.
    pub(crate) fn judge<T>(
        &mut self,
        checked: Result<T, Violation>,
        effect: Effect,
        text: ValueText<'_>,
    ) -> Option<T> {
        checked
            .map_err(|violation| self.report_value(violation, effect, text))
            .ok()
    }

    /// The value, or the report of why it is dropped.
    pub(crate) fn demand<T>(
        &mut self,
        checked: Result<T, Violation>,
        text: ValueText<'_>,
    ) -> Option<T> {
        self.judge(checked, Effect::ValueDropped, text)
    }

    /// A value that may be understood although it breaks a rule.
    pub(crate) fn salvaged<T>(&mut self, found: Salvaged<T>, text: ValueText<'_>) -> Option<T> {
        let (value, noted) = self.demand(found, text)?;
        self.judge(noted.map_or(Ok(()), Err), Effect::Noted, text);
        Some(value)
    }

    // Findings about elements.

    pub(crate) fn note(&mut self, rule: Rule, span: Span, found: &str) {
        self.report.flaw(rule, Effect::Noted, span, found);
    }

    /// Reports something that costs an element.
    pub(crate) fn refuse(&mut self, rule: Rule, span: Span, found: &str) {
        self.report.flaw(rule, Effect::ValueDropped, span, found);
    }

    /// Reports a namespace that is taken for another, or is wrong for this prefix.
    pub(crate) fn note_namespace(&mut self, element: RawElement<'_>, prefix: &str) {
        let (tag, id) = (element.tag(), element.node.namespace);
        let namespaces = &element.source.tape.namespaces;
        self.report.wrong_namespace(namespaces, id, prefix, tag);
    }

    /// Reports an unknown namespace of an element that is named like that of an extension, with its prefix.
    pub(crate) fn check_prefix(&mut self, element: RawElement<'_>) {
        let meant = by_prefix(element.prefix()).map(|known| known.vocabulary);
        let is_named = meant.is_some_and(|meant| meant.extension(element.name()).is_some());
        let is_unknown = element.judgement().vocabulary == Vocabulary::Other;
        if is_named && is_unknown && element.source.tape.dialect == Dialect::Sitemap {
            self.note_namespace(element, element.prefix());
        }
    }

    /// Reports the namespace of an extension's element if it is not written exactly.
    pub(crate) fn check_namespace(&mut self, element: RawElement<'_>) {
        if element.judgement().is_misspelt {
            self.note_namespace(element, "");
        }
    }

    /// Counts an element of an extension. Returns the number of them in the document so far.
    pub(crate) fn count(&mut self, extension: Extension) -> u64 {
        let Some(count) = self.in_file.get_mut(extension as usize) else {
            return 0;
        };
        *count += 1;
        *count
    }

    // Values of every kind.

    /// The URL against which relative URLs are resolved.
    pub(crate) fn base(&self) -> Option<&'a Url> {
        self.location.base()
    }

    /// Reads the URL of a page or of something on it. Violations without a loss are reported.
    pub(crate) fn url(
        &mut self,
        text: ValueText<'_>,
        base: Option<&Url>,
        may_be_relative: bool,
    ) -> Result<Url, Violation> {
        let checked = read_url(text.text, base)?;
        if checked.relative && !may_be_relative {
            self.note_value(Rule::RelativeUrl, text);
        }
        if checked.too_long {
            self.note_value(Rule::UrlTooLong, text);
        }
        if let Some(at) = checked.unescaped {
            self.report_value(not_escaped(text.text, at), Effect::Noted, text);
        }
        // A URL that was escaped has grown by doubling, so it has up to twice the room that it needs.
        let has_grown = checked.url.as_str().len() > text.text.len().max(LONG_URL);
        Ok(if has_grown {
            checked.url.clone()
        } else {
            checked.url
        })
    }

    /// Notes the rules that a loc breaks as a URL.
    pub(crate) fn check_loc(&mut self, url: &Url, raw: RawEntry<'_>, loc: Value) {
        let location = self.location;
        if location.is_known()
            && let Some(violation) = location.violation(url, raw.source.text_of(loc))
        {
            self.report.add(violation, Effect::Noted, loc.written());
        }
    }

    /// A URL that costs only itself if it can't be used.
    // Called several times per entry. Inlined, it would leave no room to inline the allocation of its text.
    #[inline(never)]
    pub(crate) fn web_url(&mut self, text: ValueText<'_>) -> Option<Url> {
        match plain_url(text.text) {
            Some(url) => Some(url),
            None => self.general_web_url(text),
        }
    }

    #[inline(never)]
    fn general_web_url(&mut self, text: ValueText<'_>) -> Option<Url> {
        let url = self.url(text, self.base(), false);
        self.demand(url, text)
    }

    // Values in the base format. More than 99 % of them have their usual form, which is read directly from the text.
    // The place of the text is looked up only for the others.

    /// Returns the value of the fast parser, or otherwise the result of `salvage`, which reports what it accepts.
    #[inline(always)]
    pub(crate) fn usual_or_salvaged<T>(
        &mut self,
        raw: RawEntry<'_>,
        value: Value,
        usual: impl FnOnce(&[u8]) -> Option<T>,
        salvage: impl FnOnce(&str) -> Salvaged<T>,
    ) -> Option<T> {
        usual(raw.source.bytes(value)?).or_else(|| {
            let text = ValueText::of_entry(raw.source, value)?;
            self.salvaged(salvage(text.text), text)
        })
    }

    // Values of extensions.

    /// Adds the values of a list, up to the number that the entry may have.
    pub(crate) fn list<'r, T>(
        &mut self,
        list: &mut Vec<T>,
        text: ValueText<'r>,
        separator: fn(char) -> bool,
        mut read: impl FnMut(&mut Self, ValueText<'r>) -> Option<T>,
    ) {
        for part in parts(text, separator) {
            if self.words == 0 {
                let violation = Violation::new(Rule::EntryTooLarge, text.text);
                return self.report_value(violation, Effect::ValueDropped, text);
            }
            self.words -= 1;
            list.extend(read(self, part));
        }
    }

    // Parts of an extension's element, each of which costs only itself.

    /// The local name of a part that is in this vocabulary; `None` if it is in another.
    pub(crate) fn part_of<'r>(
        &mut self,
        vocabulary: Vocabulary,
        part: RawElement<'r>,
    ) -> Option<&'r str> {
        (part.judgement().vocabulary == vocabulary).then(|| {
            self.check_namespace(part);
            part.name()
        })
    }

    /// The text of an element that should hold nothing else.
    pub(crate) fn plain<'r>(&mut self, element: RawElement<'r>) -> Option<ValueText<'r>> {
        if let Some(child) = element.children().next() {
            let is_known = child.namespace() == element.namespace();
            let violation = child.opened_in(element, is_known);
            self.report
                .add(violation, Effect::ValueDropped, child.tag());
            return None;
        }
        let text = ValueText::of_element(element);
        (!element.node.broken && !text.text.is_empty()).then_some(text)
    }

    /// The children of an element that should hold nothing else.
    pub(crate) fn children<'r>(
        &mut self,
        element: RawElement<'r>,
    ) -> impl Iterator<Item = RawElement<'r>> + use<'r> {
        let text = ValueText::of_element(element);
        if !text.text.is_empty() {
            self.note(Rule::StrayText, text.span, text.text);
        }
        element.children()
    }

    /// A second element where the parent can have only one.
    #[cold]
    pub(crate) fn duplicate(&mut self, element: RawElement<'_>, parent: RawElement<'_>) {
        let (rule, name) = (Rule::DuplicateElement, element.full_name());
        let violation = Violation::with_detail(rule, name, case::WITHIN);
        let violation = violation.owned_by(parent.full_name());
        self.report
            .add(violation, Effect::ValueDropped, element.tag());
    }

    /// An element that the extension does not have at this place.
    pub(crate) fn unknown(&mut self, element: RawElement<'_>) {
        self.refuse(Rule::UnknownElement, element.tag(), element.full_name());
    }

    /// Reports a required part of an extension's element that is missing or blank, or several of which one is required, and
    /// all of which are missing or blank. The names have the conventional prefix. A blank part is reported as empty, at its
    /// own place.
    pub(crate) fn require(&mut self, element: RawElement<'_>, names: &[&str], effect: Effect) {
        let vocabulary = element.judgement().vocabulary;
        let blank = |name| {
            element.children().find(|part| {
                part.judgement().vocabulary == vocabulary && part.name() == local_part(name)
            })
        };
        let mut empty = (names.iter()).filter_map(|name| Some((name, blank(name)?)));
        let (found, case, place) = match empty.next() {
            Some((name, part)) => ((*name).to_owned(), Some(case::EMPTY), part),
            None => {
                let case = (names.len() > 1).then_some(case::NEITHER);
                (names.join(" or "), case, element)
            }
        };
        let violation = Violation::with_detail(Rule::MissingElement, &found, case);
        self.report.add(violation, effect, place.tag());
    }

    /// Reports the attributes that are missing or blank.
    #[cold]
    pub(crate) fn missing_attributes(
        &mut self,
        element: RawElement<'_>,
        names: &[&str],
        effect: Effect,
    ) {
        let case = (names.len() > 1).then_some(case::SEVERAL);
        let (rule, names) = (Rule::MissingAttribute, names.join(BETWEEN_WORDS));
        let violation = Violation::with_detail(rule, &names, case);
        let violation = violation.owned_by(quotable(element.full_name()));
        self.report.add(violation, effect, element.tag());
    }
}

/// The parts of a list, trimmed, with their places; blank ones are omitted.
fn parts<'r>(
    text: ValueText<'r>,
    separator: fn(char) -> bool,
) -> impl Iterator<Item = ValueText<'r>> {
    let whole = text.text;
    whole.split(separator).filter_map(move |part| {
        let offset = part.as_ptr() as usize - whole.as_ptr() as usize;
        let blank = part.len() - part.trim_start().len();
        let part = part.trim();
        (!part.is_empty()).then_some(ValueText {
            text: part,
            // If the text was decoded, the place of a part is not known, and that of the entire text is used.
            span: if text.is_verbatim {
                Span::from(text.span.start() + offset + blank, part)
            } else {
                text.span
            },
            ..text
        })
    })
}
