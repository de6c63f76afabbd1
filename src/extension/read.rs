use std::str::FromStr;

use url::Url;

use super::{Extension, check_length};
use crate::budget::allocated;
use crate::interpret::Interpreter;
use crate::raw::Text;
use crate::raw::{RawElement, RawElements};
use crate::violation::{Effect, Rule, Violation, case, quote};

impl Extension {
    /// Whether an element is in this extension's vocabulary.
    fn is_of(&self, element: RawElement<'_>) -> bool {
        element.judgement().vocabulary == self.known.vocabulary
    }

    /// Whether there is a child of this local name, or where it would be.
    fn part(&self, element: RawElement<'_>, local: &str) -> Part {
        let mut found = Part::Missing;
        for child in element.children() {
            if self.is_of(child) && child.name() == local {
                if !child.is_blank() {
                    return Part::There;
                }
                if matches!(found, Part::Missing) {
                    found = Part::Empty(child.at());
                }
            }
        }
        found
    }
}

/// Whether a required part is there.
enum Part {
    There,
    /// It is there, but blank.
    Empty(usize),
    Missing,
}

/// What reading extensions asks of the interpreter: parts that cost only themselves.
impl Interpreter<'_> {
    /// The local name of an element of this extension; `None` if it belongs to another vocabulary.
    pub(super) fn own<'r>(
        &mut self,
        extension: &Extension,
        element: RawElement<'r>,
    ) -> Option<&'r str> {
        extension.is_of(element).then(|| {
            self.check_namespace(element);
            element.name()
        })
    }

    /// Reads a part that may occur once; blank ones are absent.
    pub(super) fn once<T>(
        &mut self,
        slot: &mut Option<T>,
        element: RawElement<'_>,
        read: impl FnOnce(&mut Self, Text<'_>) -> Option<T>,
    ) {
        let Some(text) = self.plain(element) else {
            return;
        };
        if slot.is_some() {
            self.refuse(Rule::DuplicateElement, element.at(), element.name());
        } else {
            *slot = self.named(element, "", |this| read(this, text));
        }
    }

    /// Lets what is found about a value say whose it is: the element's or its attribute's.
    pub(super) fn named<T>(
        &mut self,
        element: RawElement<'_>,
        attribute: &str,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mark = self.mark();
        let value = read(self);
        self.name_owner(mark, || {
            let name = quote(element.full_name());
            match attribute {
                "" => name.to_owned(),
                _ => format!("{attribute} of {name}"),
            }
        });
        value
    }

    /// The text of an element that should hold nothing else.
    pub(super) fn plain<'r>(&mut self, element: RawElement<'r>) -> Option<Text<'r>> {
        if let Some(child) = element.children().next() {
            let is_known = child.namespace() == element.namespace();
            let violation = child.opened_in(element, is_known);
            self.add(violation, Effect::ValueDropped, child.at());
            return None;
        }
        let text = element.value();
        (!element.is_broken() && !text.text.is_empty()).then_some(text)
    }

    /// The children of an element that should hold nothing else.
    pub(super) fn children<'r>(&mut self, element: RawElement<'r>) -> RawElements<'r> {
        let text = element.value();
        if !text.text.is_empty() {
            self.note(Rule::StrayText, text.at, text.text);
        }
        element.children()
    }

    /// An element that the extension does not have at this place.
    pub(super) fn unknown(&mut self, element: RawElement<'_>) {
        self.refuse(Rule::UnknownElement, element.at(), element.name());
    }

    /// Notes a required part that is not there, or blank.
    pub(super) fn require(
        &mut self,
        extension: &Extension,
        element: RawElement<'_>,
        name: &'static str,
    ) {
        self.require_one(extension, element, &[name], Effect::Noted);
    }

    /// The same where one of several is required. One that is blank is said to be empty, at its own place.
    pub(super) fn require_one(
        &mut self,
        extension: &Extension,
        element: RawElement<'_>,
        names: &[&'static str],
        effect: Effect,
    ) {
        let mut empty = None;
        for name in names {
            let (_, local) = name.split_once(':').unwrap_or_default();
            match extension.part(element, local) {
                Part::There => return,
                Part::Empty(at) if empty.is_none() => empty = Some((*name, at)),
                Part::Empty(_) | Part::Missing => {}
            }
        }
        let (violation, at) = match empty {
            Some((name, at)) => {
                let violation = Violation::with_detail(Rule::MissingElement, name, case::EMPTY);
                (violation, at)
            }
            None => {
                let violation = Violation::new(Rule::MissingElement, &names.join(" or "));
                (violation, element.at())
            }
        };
        self.add(violation, effect, at);
    }

    pub(super) fn refuse(&mut self, rule: Rule, at: usize, found: &str) {
        self.add(Violation::new(rule, found), Effect::ValueDropped, at);
    }

    pub(super) fn text(&mut self, text: Text<'_>) -> Option<String> {
        let bytes = allocated(text.text.len());
        self.budget.pay(bytes).then(|| text.text.to_owned())
    }

    /// One of some words, or any other, which takes memory.
    pub(super) fn keyword<T: for<'t> From<&'t str>>(&mut self, text: Text<'_>) -> Option<T> {
        let bytes = allocated(text.text.len());
        self.budget.pay(bytes).then(|| T::from(text.text))
    }

    /// Adds an item to those that the entry keeps, if there is room.
    pub(super) fn keep<T>(&mut self, item: T, items: &mut Vec<T>) -> bool {
        let has_room = self.budget.pay_for_one(items);
        if has_room {
            items.push(item);
        }
        has_room
    }

    /// A text that should have no more characters than `most`.
    pub(super) fn limited(
        &mut self,
        text: Text<'_>,
        most: usize,
        name: &'static str,
    ) -> Option<String> {
        self.check(check_length(text.text, most, name), text.at);
        self.text(text)
    }

    /// Adds the values of a list. What is far beyond any real list is left out.
    pub(super) fn list<'r, T>(
        &mut self,
        list: &mut Vec<T>,
        text: Text<'r>,
        separator: impl Fn(char) -> bool + Copy + 'r,
        mut read: impl FnMut(&mut Self, Text<'r>) -> Option<T>,
    ) {
        for part in parts(text, separator) {
            if self.budget.is_spent() {
                break;
            }
            if let Some(item) = read(self, part) {
                self.keep(item, list);
            }
        }
    }

    pub(super) fn web_url(&mut self, text: Text<'_>) -> Option<Url> {
        if !self.has_room_for_url(text.text) {
            self.budget.spend();
            return None;
        }
        match self.checked_url(text) {
            Ok(url) => {
                let (spelt, len) = (text.text.len(), url.as_str().len());
                // As much as the text is long is allocated; what is longer has grown.
                let bytes = if len > spelt { 2 * len } else { spelt };
                self.budget.pay(allocated(bytes)).then_some(url)
            }
            Err(violation) => {
                self.add(violation, Effect::ValueDropped, text.at);
                None
            }
        }
    }

    /// A value in the form it is written in.
    pub(super) fn parsed<T: FromStr<Err = Violation>>(&mut self, text: Text<'_>) -> Option<T> {
        text.text
            .parse()
            .map_err(|violation| self.add(violation, Effect::ValueDropped, text.at))
            .ok()
    }

    pub(super) fn number(&mut self, text: Text<'_>, most: u64) -> Option<u64> {
        let digits = text.text.bytes().all(|b| b.is_ascii_digit());
        let number = text.text.parse().ok().filter(|n| digits && *n <= most);
        if number.is_none() {
            self.refuse(Rule::InvalidNumber, text.at, text.text);
        }
        number
    }

    pub(super) fn yes_no(&mut self, text: Text<'_>) -> Option<bool> {
        let is = |word: &str| text.text.eq_ignore_ascii_case(word);
        if !is("yes") && !is("no") {
            self.refuse(Rule::InvalidKeyword, text.at, text.text);
            return None;
        }
        Some(is("yes"))
    }

    /// Notes what a writer would refuse, but a reader keeps.
    pub(super) fn check<T>(&mut self, checked: Result<T, Violation>, at: usize) {
        if let Err(violation) = checked {
            self.add(violation, Effect::Noted, at);
        }
    }

    /// Reads an attribute; blank ones are absent.
    pub(super) fn attribute<'r, T>(
        &mut self,
        element: RawElement<'r>,
        name: &str,
        read: impl FnOnce(&mut Self, Text<'r>) -> Option<T>,
    ) -> Option<T> {
        let text = element.attribute_text(name)?;
        self.named(element, name, |this| read(this, text))
    }

    /// Reads an attribute that has to be there.
    pub(super) fn required_attribute<'r, T>(
        &mut self,
        element: RawElement<'r>,
        name: &'static str,
        effect: Effect,
        read: impl FnOnce(&mut Self, Text<'r>) -> Option<T>,
    ) -> Option<T> {
        let Some(text) = element.attribute_text(name) else {
            let violation = Violation::new(Rule::MissingAttribute, name);
            self.named(element, "", |this| {
                this.add(violation, effect, element.at());
            });
            return None;
        };
        self.named(element, name, |this| read(this, text))
    }
}

/// The parts of a list, trimmed, with where they stand; blank ones left out.
fn parts<'r>(
    text: Text<'r>,
    separator: impl Fn(char) -> bool + Copy + 'r,
) -> impl Iterator<Item = Text<'r>> {
    let whole = text.text;
    whole.split(separator).filter_map(move |part| {
        let offset = part.as_ptr() as usize - whole.as_ptr() as usize;
        let blank = part.len() - part.trim_start().len();
        let part = part.trim();
        (!part.is_empty()).then_some(Text {
            text: part,
            // Where it lies in a text that had to be decoded, nobody knows.
            at: text.at + if text.is_verbatim { offset + blank } else { 0 },
            is_verbatim: text.is_verbatim,
        })
    })
}
