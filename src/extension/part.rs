//! The parts of an extension's element. Each is one row of a table, which makes the field of the struct, and how it is read,
//! written, checked and searched for URLs: [`elements!`] has the rows of an element that contains elements, [`attributes!`]
//! those of one with a text and attributes.

use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::time::Duration;

use url::Url;

use super::check_text;
use super::field::Field;
use super::visit::Visited;
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::{Precision, W3cDatetime};
use crate::violation::{Case, Effect, Rule, Violation, case, grouped};
use crate::xml::writer::escape::EscapeIn;
use crate::xml::writer::{Tag, XmlValue, XmlWriter};

/// The name of a part, and which values it may have. A reader reports other values, a writer rejects them.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) tag: Tag,
    /// The name of the element: for an attribute, of the element that has it.
    pub(super) element: &'static str,
    pub(super) required: Required,
    /// Maximum number of characters of a text, or the largest number.
    pub(super) most: u64,
    /// Maximum number of elements in a list, and its rule.
    pub(super) most_items: Option<(usize, Rule)>,
    pub(super) check: Option<Check>,
    /// `true` if a reader drops a text that fails the check.
    pub(super) drops: bool,
    /// `true` if a date can have a time without seconds.
    pub(super) has_minutes: bool,
    /// The separator of the words of a list in one text: `,`, or a space for any white space.
    pub(super) separator: char,
}

/// A further check of a text, and the violation if it fails.
type Check = (fn(&str) -> bool, Rule, Option<Case>);

/// The condition under which a part is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Required {
    Never,
    Always,
    /// One of the parts with this condition must be there.
    OneOf,
    /// For an attribute: if the element has a text.
    WithText,
    /// For an attribute: if the element has no text.
    WithoutText,
}

impl Row {
    pub(super) const fn new(tag: Tag) -> Self {
        Self {
            tag,
            element: tag.name,
            required: Required::Never,
            most: u64::MAX,
            most_items: None,
            check: None,
            drops: false,
            has_minutes: false,
            separator: ' ',
        }
    }

    /// That of an attribute of the element that has the row `of`.
    pub(super) const fn attribute(tag: Tag, of: &Self) -> Self {
        Self {
            element: of.element,
            ..Self::new(tag)
        }
    }

    fn is_separator(&self) -> fn(char) -> bool {
        match self.separator {
            ',' => |c| c == ',',
            _ => char::is_whitespace,
        }
    }

    fn checked(&self, text: &str) -> Result<(), Violation> {
        match self.check {
            Some((is_valid, rule, case)) if !is_valid(text) => {
                Err(Violation::with_detail(rule, text, case))
            }
            _ => Ok(()),
        }
    }

    /// The violation of a date that the schema of the extension and Google do not allow.
    fn check_date(&self, date: W3cDatetime) -> Option<Violation> {
        let is_allowed = match date.precision() {
            Precision::Year | Precision::Month => false,
            Precision::Minute => self.has_minutes,
            Precision::Day | Precision::Second | Precision::Fraction(_) => true,
        };
        let (rule, detail) = (
            Rule::NonStandardDatetime,
            "a day like 2024-03-04, or a day and a time like 2024-03-04T05:06:07Z",
        );
        (!is_allowed).then(|| Violation::with_detail(rule, &date.to_string(), detail))
    }

    fn missing(&self) -> Violation {
        Violation::new(Rule::MissingElement, self.tag.name)
    }

    pub(super) fn check_count(&self, count: usize) -> Result<(), Violation> {
        match self.most_items {
            Some((most, rule)) if count > most => Err(Violation::new(rule, &grouped(most as u64))),
            _ => Ok(()),
        }
    }
}

/// A value that is a text: of an element, of an attribute, or a word of a list.
pub(super) trait TextValue: Visited + Sized {
    /// Returns `None` if the value is dropped, which has been reported.
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, row: &Row) -> Option<Self>;

    fn append(&self, out: &mut Vec<u8>, place: EscapeIn, row: &Row) -> Result<(), Violation>;
}

/// Checks that a text has at most this number of characters.
fn check_length(text: &str, most: u64, name: &'static str) -> Result<(), Violation> {
    // Counted only if there are that many bytes.
    if text.len() as u64 > most && text.chars().count() as u64 > most {
        let detail = format!("{name}, at most {} characters", grouped(most));
        return Err(Violation::with_detail(Rule::TextTooLong, text, &*detail));
    }
    Ok(())
}

/// A value as its row allows it.
struct InRow<'v, T>(&'v T, &'v Row);

impl<T: TextValue> XmlValue for InRow<'_, T> {
    #[inline]
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation> {
        self.0.append(out, place, self.1)
    }
}

impl TextValue for String {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, row: &Row) -> Option<Self> {
        cx.judge(
            check_length(text.text, row.most, row.tag.name),
            Effect::Noted,
            text,
        );
        let checked = row.checked(text.text);
        if row.drops {
            cx.demand(checked, text)?;
        } else {
            cx.judge(checked, Effect::Noted, text);
        }
        Some(text.text.to_owned())
    }

    fn append(&self, out: &mut Vec<u8>, place: EscapeIn, row: &Row) -> Result<(), Violation> {
        row.checked(self)
            .map_err(|violation| violation.owned_by(row.element))?;
        check_length(self, row.most, row.tag.name)?;
        check_text(self, row.tag.name)?.append(out, place)
    }
}

impl TextValue for Url {
    #[inline]
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, _: &Row) -> Option<Self> {
        cx.web_url(text)
    }

    #[inline]
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn, _: &Row) -> Result<(), Violation> {
        XmlValue::append(self, out, place)
    }
}

impl TextValue for W3cDatetime {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, row: &Row) -> Option<Self> {
        let found = W3cDatetime::salvage(text.text);
        let found = found.map(|(date, noted)| (date, noted.or_else(|| row.check_date(date))));
        cx.salvaged(found, text)
    }

    fn append(&self, out: &mut Vec<u8>, place: EscapeIn, row: &Row) -> Result<(), Violation> {
        if let Some(violation) = row.check_date(*self) {
            return Err(violation.owned_by(row.element));
        }
        XmlValue::append(self, out, place)
    }
}

impl TextValue for bool {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, _: &Row) -> Option<Self> {
        let is = |word: &str| text.text.eq_ignore_ascii_case(word);
        let violation = || Violation::keyword(text.text, &["yes", "no"]);
        let flag = is("yes").then_some(true).or(is("no").then_some(false));
        cx.demand(flag.ok_or_else(violation), text)
    }

    fn append(&self, out: &mut Vec<u8>, _: EscapeIn, _: &Row) -> Result<(), Violation> {
        out.extend_from_slice(if *self { b"yes" } else { b"no" });
        Ok(())
    }
}

/// Reads a whole number of something.
fn number(text: ValueText<'_>, unit: &str, cx: &mut Interpreter<'_>, row: &Row) -> Option<u64> {
    let digits = text.text.bytes().all(|b| b.is_ascii_digit());
    let number = text.text.parse().ok();
    let number = number.filter(|number| digits && *number <= row.most);
    cx.demand(
        number.ok_or_else(|| out_of_range(text.text, unit, row)),
        text,
    )
}

fn out_of_range(found: &str, unit: &str, row: &Row) -> Violation {
    let range = match row.most {
        u64::MAX => String::new(),
        most => format!(" from 0 to {}", grouped(most)),
    };
    let detail = format!("a whole number{unit}{range}");
    Violation::with_detail(Rule::InvalidNumber, found, &*detail)
}

impl TextValue for u64 {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, row: &Row) -> Option<Self> {
        number(text, "", cx, row)
    }

    fn append(&self, out: &mut Vec<u8>, _: EscapeIn, _: &Row) -> Result<(), Violation> {
        // Writing to a Vec does not fail.
        let _ = write!(out, "{self}");
        Ok(())
    }
}

/// Whole seconds.
impl TextValue for Duration {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, row: &Row) -> Option<Self> {
        number(text, " of seconds", cx, row).map(Self::from_secs)
    }

    fn append(&self, out: &mut Vec<u8>, place: EscapeIn, row: &Row) -> Result<(), Violation> {
        let seconds = self.as_secs();
        if self.subsec_nanos() != 0 || seconds > row.most {
            return Err(out_of_range(&format!("{self:?}"), " of seconds", row));
        }
        TextValue::append(&seconds, out, place, row)
    }
}

/// A type that is parsed from its text, which needs no escapes.
pub(super) trait Parsed: FromStr<Err = Violation> + fmt::Display + Visited {}

impl<T: Parsed> TextValue for T {
    fn read(cx: &mut Interpreter<'_>, text: ValueText<'_>, _: &Row) -> Option<Self> {
        cx.demand(text.text.parse(), text)
    }

    fn append(&self, out: &mut Vec<u8>, _: EscapeIn, _: &Row) -> Result<(), Violation> {
        // Writing to a Vec does not fail.
        let _ = write!(out, "{self}");
        Ok(())
    }
}

/// A value of a child element.
pub(super) trait ElementValue: Sized {
    /// `true` if the element contains elements. If it does not, its text is read first.
    const HOLDS_ELEMENTS: bool = false;

    /// Returns `None` if the value is dropped.
    fn read(
        part: RawElement<'_>,
        text: Option<ValueText<'_>>,
        cx: &mut Interpreter<'_>,
        row: &Row,
    ) -> Option<Self>;

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation>;
}

impl<T: TextValue> ElementValue for T {
    #[inline]
    fn read(
        _: RawElement<'_>,
        text: Option<ValueText<'_>>,
        cx: &mut Interpreter<'_>,
        row: &Row,
    ) -> Option<Self> {
        T::read(cx, text?, row)
    }

    #[inline]
    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        xml.leaf(row.tag, &InRow(self, row))
    }
}

/// Reads a part of `element` into its field. Blank texts are absent.
#[inline]
pub(super) fn read_field<T: ElementValue, F: Field<Value = T>>(
    field: &mut F,
    element: RawElement<'_>,
    part: RawElement<'_>,
    cx: &mut Interpreter<'_>,
    row: &Row,
) {
    let mut text = None;
    if !T::HOLDS_ELEMENTS {
        text = cx.plain(part);
        if !F::IS_LIST && text.is_none() {
            return;
        }
    }
    let count = field.values().len();
    if count > 0 && !F::IS_LIST {
        return duplicate(element, part, cx);
    }
    let Some(value) = T::read(part, text, cx, row) else {
        return;
    };
    field.put(Some(value));
    // Reported once, however many follow.
    if let Some((most, rule)) = row.most_items.filter(|(most, _)| count == *most) {
        cx.note(rule, part.tag(), &grouped(most as u64));
    }
}

/// Reports a second element where `element` can have only one.
#[cold]
fn duplicate(element: RawElement<'_>, part: RawElement<'_>, cx: &mut Interpreter<'_>) {
    let violation = Violation::with_detail(Rule::DuplicateElement, part.full_name(), case::WITHIN);
    let violation = violation.owned_by(element.full_name());
    cx.add(violation, Effect::ValueDropped, part.tag());
}

/// Reads an element whose text is a list.
pub(super) fn read_list<T: TextValue>(
    list: &mut Vec<T>,
    element: RawElement<'_>,
    part: RawElement<'_>,
    cx: &mut Interpreter<'_>,
    row: &Row,
) {
    match cx.plain(part) {
        Some(_) if !list.is_empty() => duplicate(element, part, cx),
        Some(text) => read_words(list, text, cx, row),
        None => {}
    }
}

// Inlined, so that what the row does not have is folded.
#[inline(always)]
pub(super) fn write_field<T: ElementValue, F: Field<Value = T>>(
    field: &F,
    xml: &mut XmlWriter,
    row: &Row,
) -> Result<(), Violation> {
    let values = field.values();
    row.check_count(values.len())?;
    if values.is_empty() && row.required == Required::Always {
        return Err(row.missing());
    }
    for value in values {
        value.write(xml, row)?;
    }
    Ok(())
}

/// Adds the words of a text to a list.
fn read_words<T: TextValue>(
    list: &mut Vec<T>,
    text: ValueText<'_>,
    cx: &mut Interpreter<'_>,
    row: &Row,
) {
    let read = |cx: &mut _, word| T::read(cx, word, row);
    cx.list(list, text, row.is_separator(), read);
}

/// Writes a list as the text of one element; no element if it is empty.
pub(super) fn write_list<T: TextValue>(
    list: &[T],
    xml: &mut XmlWriter,
    row: &Row,
) -> Result<(), Violation> {
    if list.is_empty() {
        return Ok(());
    }
    row.check_count(list.len())?;
    xml.start(row.tag);
    write_words(list, xml, row)?;
    xml.end(row.tag);
    Ok(())
}

fn write_words<T: TextValue>(list: &[T], xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
    xml.count_words(list.len(), row.tag.name)?;
    for (number, word) in list.iter().enumerate() {
        if number > 0 {
            xml.text(if row.separator == ',' { ", " } else { " " })?;
        }
        xml.text(&InRow(word, row))?;
    }
    Ok(())
}

/// The text of an element that has attributes: a value that must be there, one that can be absent, or a list of words.
pub(super) trait Content: Sized {
    /// Returns `None` if the element is dropped.
    fn read(text: Option<ValueText<'_>>, cx: &mut Interpreter<'_>, row: &Row) -> Option<Self>;

    fn is_there(&self) -> bool;

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation>;
}

impl<T: TextValue> Content for T {
    fn read(text: Option<ValueText<'_>>, cx: &mut Interpreter<'_>, row: &Row) -> Option<Self> {
        T::read(cx, text?, row)
    }

    fn is_there(&self) -> bool {
        true
    }

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        xml.text(&InRow(self, row))
    }
}

impl<T: TextValue> Content for Option<T> {
    fn read(text: Option<ValueText<'_>>, cx: &mut Interpreter<'_>, row: &Row) -> Option<Self> {
        Some(text.and_then(|text| T::read(cx, text, row)))
    }

    fn is_there(&self) -> bool {
        self.is_some()
    }

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        match self {
            Some(value) => Content::write(value, xml, row),
            None => Err(row.missing()),
        }
    }
}

impl<T: TextValue> Content for Vec<T> {
    fn read(text: Option<ValueText<'_>>, cx: &mut Interpreter<'_>, row: &Row) -> Option<Self> {
        let mut list = Self::new();
        read_words(&mut list, text?, cx, row);
        Some(list)
    }

    fn is_there(&self) -> bool {
        !self.is_empty()
    }

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        if self.is_empty() {
            let detail = "an empty list would not be read back";
            let (rule, name) = (Rule::MissingElement, row.tag.name);
            return Err(Violation::with_detail(rule, name, detail));
        }
        write_words(self, xml, row)
    }
}

/// Reads an attribute; blank ones are absent.
pub(super) fn read_attribute<T: TextValue>(
    part: RawElement<'_>,
    has_text: bool,
    cx: &mut Interpreter<'_>,
    row: &Row,
) -> Option<T> {
    match ValueText::of_attribute(part, row.tag.name) {
        Some(text) => T::read(cx, text, row),
        None => {
            if is_required(row, has_text) {
                cx.missing_attributes(part, &[row.tag.name], Effect::Noted);
            }
            None
        }
    }
}

pub(super) fn write_attribute<T: TextValue>(
    value: Option<&T>,
    has_text: bool,
    xml: &mut XmlWriter,
    row: &Row,
) -> Result<(), Violation> {
    match value {
        Some(value) => xml.attr(row.tag, &InRow(value, row)),
        None if is_required(row, has_text) => {
            let (rule, name) = (Rule::MissingAttribute, row.tag.name);
            Err(Violation::new(rule, name).owned_by(row.element))
        }
        None => Ok(()),
    }
}

fn is_required(row: &Row, has_text: bool) -> bool {
    match row.required {
        Required::Never | Required::OneOf => false,
        Required::Always => true,
        Required::WithText => has_text,
        Required::WithoutText => !has_text,
    }
}

/// Reports the required parts that are missing.
pub(super) fn require(cx: &mut Interpreter<'_>, element: RawElement<'_>, rows: &[&Row]) {
    for name in names(rows, Required::Always) {
        cx.require(element, &[name], Effect::Noted);
    }
    let one_of: Vec<_> = names(rows, Required::OneOf).collect();
    if !one_of.is_empty() {
        cx.require(element, &one_of, Effect::Noted);
    }
}

/// The violation if none of the parts is there of which one is required.
pub(super) fn none_of(rows: &[&Row]) -> Violation {
    let names: Vec<_> = names(rows, Required::OneOf).collect();
    Violation::with_detail(Rule::MissingElement, &names.join(" or "), case::NEITHER)
}

fn names(rows: &[&Row], required: Required) -> impl Iterator<Item = &'static str> {
    let rows = rows.iter().filter(move |row| row.required == required);
    rows.map(|row| row.tag.name)
}

/// Makes the struct of an element that contains elements of an extension. A row is `field: type = "name"`, then the method
/// that sets the field or adds to it, with the type of its argument, and what differs from [`Row::new`]. `list` before the
/// name: the words are in one element. `key` is the URL without which the element is dropped.
macro_rules! elements {
    (
        $(#[$doc:meta])*
        $name:ident: $extension:ident $prefix:literal
        $(key { $(#[$key_doc:meta])* $key:ident = $key_part:literal })?
        {
            $(
                $(#[$part_doc:meta])*
                $field:ident: $type:ty = $($list:ident)? $part:literal $(=> $with:ident($($arg:tt)+))?
                    $({ $($option:ident: $value:expr),* })?;
            )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub struct $name {
            $(
                $(#[$key_doc])*
                #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::required"))]
                pub $key: Url,
            )?
            $(
                $(#[$part_doc])*
                #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::text::serde::is_default"))]
                pub $field: $type,
            )*
        }

        impl $name {
            const ROWS: &[&Row] = &[$(elements!(@row $prefix, $part $({ $($option: $value),* })?),)*];

            const fn empty($($key: Url)?) -> Self {
                Self { $($key,)? $($field: <$type as Field>::EMPTY,)* }
            }

            $($(part::with! { $field: $with($($arg)+) })?)*

            /// Reads an element; an incomplete one is kept, except without its key.
            pub(crate) fn read(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
                $(let mut $key = None;)?
                $(let mut $field = <$type as Field>::EMPTY;)*
                for part in cx.children(element) {
                    match cx.part_of(Vocabulary::$extension, part) {
                        $(Some($key_part) => {
                            part::read_field(&mut $key, element, part, cx, &Row::new(tag!($prefix, ":", $key_part)));
                        })?
                        $(Some($part) => {
                            elements!(@read $($list)? $field, element, part, cx, elements!(@row $prefix, $part $({ $($option: $value),* })?));
                        })*
                        _ => cx.unknown(part),
                    }
                }
                $(
                    if $key.is_none() {
                        cx.require(element, &[concat!($prefix, ":", $key_part)], Effect::ValueDropped);
                    }
                )?
                part::require(cx, element, Self::ROWS);
                $(elements!(@check $($list)? $field, element, cx, elements!(@row $prefix, $part $({ $($option: $value),* })?));)*
                Some(Self { $($key: $key?,)? $($field,)* })
            }

            /// Writes the parts, in the order of the rows.
            pub(crate) fn write_parts(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
                // Folded: no row of most elements has the condition.
                let (mut is_choice, mut is_there) = (false, false);
                $(if elements!(@row $prefix, $part $({ $($option: $value),* })?).required == Required::OneOf {
                    is_choice = true;
                    is_there |= !self.$field.values().is_empty();
                })*
                if is_choice && !is_there {
                    return Err(part::none_of(Self::ROWS));
                }
                $(xml.leaf(tag!($prefix, ":", $key_part), &self.$key)?;)?
                $(elements!(@write $($list)? self.$field, xml, elements!(@row $prefix, $part $({ $($option: $value),* })?));)*
                Ok(())
            }
        }

        visited!($name: $($key,)? $($field),*);
    };
    (@row $prefix:literal, $part:literal $({ $($option:ident: $value:expr),* })?) => {
        const { &Row { $($($option: $value,)*)? ..Row::new(tag!($prefix, ":", $part)) } }
    };
    (@read list $field:ident, $element:ident, $part:ident, $cx:ident, $row:expr) => {
        part::read_list(&mut $field, $element, $part, $cx, $row)
    };
    (@read $field:ident, $element:ident, $part:ident, $cx:ident, $row:expr) => {
        part::read_field(&mut $field, $element, $part, $cx, $row)
    };
    (@check list $field:ident, $element:ident, $cx:ident, $row:expr) => {
        if let Err(violation) = $row.check_count($field.len()) {
            $cx.add(violation, $crate::violation::Effect::Noted, $element.tag());
        }
    };
    (@check $field:ident, $element:ident, $cx:ident, $row:expr) => {};
    (@write list $field:expr, $xml:ident, $row:expr) => {
        part::write_list(&$field, $xml, $row)?
    };
    (@write $field:expr, $xml:ident, $row:expr) => {
        part::write_field(&$field, $xml, $row)?
    };
}
pub(super) use elements;

/// Makes the method that sets a field or adds to it. `text` is trimmed.
macro_rules! with {
    ($field:ident: $with:ident(text)) => {
        part::with! { @ $field: $with(impl Into<String>), $crate::extension::tidy }
    };
    ($field:ident: $with:ident($arg:ty)) => {
        part::with! { @ $field: $with($arg), |value| Some(Into::into(value)) }
    };
    (@ $field:ident: $with:ident($arg:ty), $convert:expr) => {
        #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), "), or adds to it if it is a list.")]
        #[must_use]
        pub fn $with(mut self, value: $arg) -> Self {
            self.$field.put($convert(value));
            self
        }
    };
}
pub(super) use with;

/// Makes the constructors of an element that consists of a URL and optional parts.
macro_rules! of_url {
    ($($name:ident),*) => {
        $(impl $name {
            /// Creates it from its URL, without other values.
            #[must_use]
            pub const fn new(loc: Url) -> Self {
                Self::empty(loc)
            }
        }

        /// Creates it from its URL, which must be absolute, http or https. White space around it is ignored.
        impl TryFrom<&str> for $name {
            type Error = Violation;

            fn try_from(loc: &str) -> Result<Self, Violation> {
                $crate::value::url::parse_url(loc).map(Self::new)
            }
        })*
    };
}
pub(super) use of_url;

/// Makes the struct of an element with a text, in the first row, and attributes, in the others.
macro_rules! attributes {
    (
        $(#[$doc:meta])*
        $name:ident {
            $(#[$text_doc:meta])*
            $text:ident: $content:ty;
            $(
                $(#[$attribute_doc:meta])*
                $field:ident: Option<$type:ty> = $attribute:literal => $with:ident($($arg:tt)+)
                    $({ $($option:ident: $value:expr),* })?;
            )*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub struct $name {
            $(#[$text_doc])*
            pub $text: $content,
            $(
                $(#[$attribute_doc])*
                #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
                pub $field: Option<$type>,
            )*
        }

        impl $name {
            const fn empty($text: $content) -> Self {
                Self { $text, $($field: None,)* }
            }

            $(part::with! { $field: $with($($arg)+) })*
        }

        impl ElementValue for $name {
            fn read(part: RawElement<'_>, text: Option<ValueText<'_>>, cx: &mut Interpreter<'_>, row: &Row) -> Option<Self> {
                let has_text = text.is_some();
                Some(Self {
                    $text: Content::read(text, cx, row)?,
                    $($field: part::read_attribute(
                        part,
                        has_text,
                        cx,
                        &Row { $($($option: $value,)*)? ..Row::attribute(attr!($attribute), row) },
                    ),)*
                })
            }

            fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
                let has_text = Content::is_there(&self.$text);
                let mut may_lack_text = false;
                xml.start(row.tag);
                $(
                    let attribute = Row { $($($option: $value,)*)? ..Row::attribute(attr!($attribute), row) };
                    may_lack_text |= attribute.required == Required::WithoutText;
                    part::write_attribute(self.$field.as_ref(), has_text, xml, &attribute)?;
                )*
                if has_text || !may_lack_text {
                    Content::write(&self.$text, xml, row)?;
                }
                xml.end(row.tag);
                Ok(())
            }
        }

        visited!($name: $text $(, $field)*);
    };
}
pub(super) use attributes;
