//! The parts of an extension's element. An element is a table of places: its text, its attributes and its children.
//! [`element!`] makes the struct of a table; the functions of this module read and write any table. The type of a place is a
//! [`Value`], or an `Option` or a `Vec` of it, which are a [`Part`].

use std::fmt;
use std::io::Write;
use std::time::Duration;

use url::Url;

use super::check_text;
use super::visit::Visited;
use crate::interpret::{Interpreter, ValueText};
use crate::raw::RawElement;
use crate::value::escape::{EscapeIn, XmlValue, escape};
use crate::value::{Precision, W3cDatetime};
use crate::violation::{Case, Effect, Rule, Violation, case, grouped};
use crate::vocabulary::Vocabulary;
use crate::xml::writer::{Tag, XmlWriter};

/// A place of an element, and which values it may have. A reader reports other values, a writer rejects them.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) place: Place,
    /// The name without a prefix.
    pub(super) local: &'static str,
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

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The text of the element, or the words in it. It is the first place of its table.
    Text,
    Attribute,
    /// A child, or one for each value of a list.
    Child,
    /// One child whose text is a list of words.
    Words,
}

/// The condition under which a part is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Required {
    Never,
    Always,
    /// Without it, a reader drops the element.
    Key,
    /// One of the parts with this condition must be there.
    OneOf,
    /// For an attribute: if the element has a text.
    WithText,
    /// For an attribute: if the element has no text.
    WithoutText,
}

/// The forms that every date of an extension can have.
const DAY_OR_TIME: &str = "a day like 2024-03-04, or a day and a time like 2024-03-04T05:06:07Z";

impl Row {
    pub(super) const fn new(
        place: Place,
        local: &'static str,
        tag: Tag,
        element: &'static str,
    ) -> Self {
        Self {
            place,
            local,
            tag,
            element,
            required: Required::Never,
            most: u64::MAX,
            most_items: None,
            check: None,
            drops: false,
            has_minutes: false,
            separator: ' ',
        }
    }

    const fn is_child(&self) -> bool {
        matches!(self.place, Place::Child | Place::Words)
    }

    fn is_separator(&self) -> fn(char) -> bool {
        match self.separator {
            ',' => |c| c == ',',
            _ => char::is_whitespace,
        }
    }

    /// Returns `true` if the part must be in an element that has a text, or has none.
    fn is_required(&self, has_text: bool) -> bool {
        match self.required {
            Required::Never | Required::OneOf => false,
            Required::Always | Required::Key => true,
            Required::WithText => has_text,
            Required::WithoutText => !has_text,
        }
    }

    fn missing(&self) -> Violation {
        match self.place {
            Place::Attribute => {
                Violation::new(Rule::MissingAttribute, self.tag.name).owned_by(self.element)
            }
            _ => Violation::new(Rule::MissingElement, self.tag.name),
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
        let rule = Rule::NonStandardDatetime;
        (!is_allowed).then(|| Violation::with_detail(rule, &date.to_string(), DAY_OR_TIME))
    }

    #[inline(always)]
    fn check_count(&self, count: usize) -> Result<(), Violation> {
        match self.most_items {
            Some((most, rule)) if count > most => Err(Violation::new(rule, &grouped(most as u64))),
            _ => Ok(()),
        }
    }
}

// Values.

/// The text or the element that a value is read from, and its place.
#[derive(Clone, Copy)]
pub(super) struct Source<'r> {
    pub(super) text: Option<ValueText<'r>>,
    /// The element that has the text, or the attribute.
    pub(super) element: RawElement<'r>,
    pub(super) row: &'r Row,
}

/// A value: of a text, or of an element with places of its own.
pub(super) trait Value: Visited + Sized {
    /// `true` if its element contains elements, and no text.
    const HOLDS_ELEMENTS: bool = false;

    /// Returns `None` if the value is dropped, which has been reported, or if it needs a text and there is none.
    fn read(source: Source<'_>, cx: &mut Interpreter<'_>) -> Option<Self>;

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation>;
}

/// Writes a value that is a text at its place. `append` appends it.
#[inline(always)]
pub(super) fn write_text_value(
    xml: &mut XmlWriter,
    row: &Row,
    append: impl Fn(&mut Vec<u8>, EscapeIn) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let value = &Appended(append);
    match row.place {
        Place::Text | Place::Words => xml.text(value),
        Place::Attribute => xml.attr(row.tag, value),
        Place::Child => xml.leaf(row.tag, value),
    }
}

/// A value that this function appends.
struct Appended<F>(F);

impl<F: Fn(&mut Vec<u8>, EscapeIn) -> Result<(), Violation>> XmlValue for Appended<F> {
    #[inline(always)]
    fn append(&self, out: &mut Vec<u8>, place: EscapeIn) -> Result<(), Violation> {
        (self.0)(out, place)
    }
}

/// Implements [`Value`] for a type whose values are texts: how it is read from a text, and appended.
macro_rules! text_value {
    ($($type:ty: |$text:ident, $row:ident, $cx:ident| $read:expr, |$value:ident, $out:ident, $place:ident| $append:expr;)*) => {
        $(impl $crate::extension::part::Value for $type {
            #[inline]
            fn read(
                source: $crate::extension::part::Source<'_>,
                $cx: &mut $crate::interpret::Interpreter<'_>,
            ) -> Option<Self> {
                let ($text, $row) = (source.text?, source.row);
                $read
            }

            #[inline(always)]
            fn write(
                &self,
                xml: &mut $crate::xml::writer::XmlWriter,
                $row: &$crate::extension::part::Row,
            ) -> Result<(), $crate::violation::Violation> {
                let $value = self;
                $crate::extension::part::write_text_value(xml, $row, |$out, $place| $append)
            }
        })*
    };
}
pub(super) use text_value;

text_value! {
    Url: |text, _row, cx| cx.web_url(text), |url, out, place| url.append(out, place);
    W3cDatetime: |text, row, cx| {
        let found = Self::salvage(text.text);
        let found = found.map(|(date, noted)| (date, noted.or_else(|| row.check_date(date))));
        cx.salvaged(found, text)
    }, |date, out, place| match row.check_date(*date) {
        Some(violation) => Err(violation.owned_by(row.element)),
        None => date.append(out, place),
    };
    String: |text, row, cx| string(text, row, cx), |text, out, place| {
        row.checked(text).map_err(|violation| violation.owned_by(row.element))?;
        check_length(text, row)?;
        escape(out, check_text(text, row.tag.name)?, place)
    };
    bool: |text, _row, cx| flag(text, cx), |flag, out, _place| {
        out.extend_from_slice(if *flag { b"yes" } else { b"no" });
        Ok(())
    };
    u64: |text, row, cx| number(text, "", row, cx), |number, out, _place| display(number, out);
    Duration: |text, row, cx| number(text, " of seconds", row, cx).map(Self::from_secs), |duration, out, _place| {
        let seconds = duration.as_secs();
        if duration.subsec_nanos() != 0 || seconds > row.most {
            return Err(out_of_range(&format!("{duration:?}"), " of seconds", row));
        }
        display(&seconds, out)
    };
}

/// Appends a value whose text needs no escapes.
pub(super) fn display(value: &impl fmt::Display, out: &mut Vec<u8>) -> Result<(), Violation> {
    // Writing to a Vec does not fail.
    let _ = write!(out, "{value}");
    Ok(())
}

fn string(text: ValueText<'_>, row: &Row, cx: &mut Interpreter<'_>) -> Option<String> {
    cx.judge(check_length(text.text, row), Effect::Noted, text);
    let checked = row.checked(text.text);
    if row.drops {
        cx.demand(checked, text)?;
    } else {
        cx.judge(checked, Effect::Noted, text);
    }
    Some(text.text.to_owned())
}

/// Checks that a text does not have too many characters.
fn check_length(text: &str, row: &Row) -> Result<(), Violation> {
    // Counted only if there are that many bytes.
    if text.len() as u64 > row.most && text.chars().count() as u64 > row.most {
        let (name, most) = (row.tag.name, grouped(row.most));
        let detail = format!("{name}, at most {most} characters");
        return Err(Violation::with_detail(Rule::TextTooLong, text, &*detail));
    }
    Ok(())
}

fn flag(text: ValueText<'_>, cx: &mut Interpreter<'_>) -> Option<bool> {
    let is = |word: &str| text.text.eq_ignore_ascii_case(word);
    let violation = || Violation::keyword(text.text, &["yes", "no"]);
    let flag = is("yes").then_some(true).or(is("no").then_some(false));
    cx.demand(flag.ok_or_else(violation), text)
}

/// Reads a whole number of something.
fn number(text: ValueText<'_>, unit: &str, row: &Row, cx: &mut Interpreter<'_>) -> Option<u64> {
    let digits = text.text.bytes().all(|b| b.is_ascii_digit());
    let number = text.text.parse().ok();
    let number = number.filter(|number| digits && *number <= row.most);
    let number = number.ok_or_else(|| out_of_range(text.text, unit, row));
    cx.demand(number, text)
}

fn out_of_range(found: &str, unit: &str, row: &Row) -> Violation {
    let range = match row.most {
        u64::MAX => String::new(),
        most => format!(" from 0 to {}", grouped(most)),
    };
    let detail = format!("a whole number{unit}{range}");
    Violation::with_detail(Rule::InvalidNumber, found, &*detail)
}

// Parts: fields of values.

/// A field of a table: a value that must be there, one that can be absent, or a list.
pub(super) trait Part {
    fn count(&self) -> usize;

    /// Adds the value of a text, an attribute or a child. `parent` is the element that contains the child.
    fn read(&mut self, source: Source<'_>, parent: RawElement<'_>, cx: &mut Interpreter<'_>);

    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation>;
}

/// Adds the text of a child that contains no elements.
fn with_text<'r, T: Value>(source: Source<'r>, cx: &mut Interpreter<'_>) -> Source<'r> {
    if !source.row.is_child() || T::HOLDS_ELEMENTS {
        return source;
    }
    let text = cx.plain(source.element);
    Source { text, ..source }
}

impl<T: Value> Part for T {
    fn count(&self) -> usize {
        1
    }

    fn read(&mut self, source: Source<'_>, _: RawElement<'_>, cx: &mut Interpreter<'_>) {
        if let Some(value) = T::read(source, cx) {
            *self = value;
        }
    }

    #[inline(always)]
    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        Value::write(self, xml, row)
    }
}

impl<T: Value> Part for Option<T> {
    fn count(&self) -> usize {
        usize::from(self.is_some())
    }

    fn read(&mut self, source: Source<'_>, parent: RawElement<'_>, cx: &mut Interpreter<'_>) {
        let source = with_text::<T>(source, cx);
        if source.text.is_none() && !T::HOLDS_ELEMENTS {
            return;
        }
        match self {
            Some(_) => cx.duplicate(source.element, parent),
            None => *self = T::read(source, cx),
        }
    }

    #[inline(always)]
    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        match self {
            Some(value) => Value::write(value, xml, row),
            None => Err(row.missing()),
        }
    }
}

impl<T: Value> Part for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn read(&mut self, source: Source<'_>, parent: RawElement<'_>, cx: &mut Interpreter<'_>) {
        let source = with_text::<T>(source, cx);
        let Source { text, element, row } = source;
        match (row.place, text) {
            (Place::Child, _) => {
                let count = self.len();
                self.extend(T::read(source, cx));
                // Reported once, however many follow.
                if let Some((most, rule)) = row.most_items
                    && count == most
                    && self.len() > most
                {
                    cx.note(rule, element.tag(), &grouped(most as u64));
                }
            }
            (_, None) => {}
            (_, Some(_)) if !self.is_empty() => cx.duplicate(element, parent),
            (_, Some(text)) => cx.list(self, text, row.is_separator(), |cx, word| {
                let text = Some(word);
                T::read(Source { text, ..source }, cx)
            }),
        }
    }

    #[inline(always)]
    fn write(&self, xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
        match row.place {
            Place::Child => self.iter().try_for_each(|value| value.write(xml, row)),
            Place::Words => {
                xml.start(row.tag);
                write_words(self, xml, row)?;
                xml.end(row.tag);
                Ok(())
            }
            Place::Text | Place::Attribute => write_words(self, xml, row),
        }
    }
}

fn write_words<T: Value>(list: &[T], xml: &mut XmlWriter, row: &Row) -> Result<(), Violation> {
    if list.is_empty() {
        let detail = "an empty list would not be read back";
        let (rule, name) = (Rule::MissingElement, row.tag.name);
        return Err(Violation::with_detail(rule, name, detail));
    }
    xml.count_words(list.len(), row.tag.name)?;
    for (number, word) in list.iter().enumerate() {
        if number > 0 {
            xml.text(if row.separator == ',' { ", " } else { " " })?;
        }
        Value::write(word, xml, row)?;
    }
    Ok(())
}

// Tables.

/// Returns `true` if an element of these places contains elements.
pub(super) const fn holds_elements(rows: &[Row]) -> bool {
    matches!(rows, [.., last] if last.is_child())
}

/// Reads the places of an element, whose text is `text` if it contains no elements. Returns `None` if it is dropped.
// Inlined, so that the rows are constants.
#[inline(always)]
pub(super) fn read<const N: usize>(
    rows: &[Row; N],
    mut parts: [&mut dyn Part; N],
    vocabulary: Vocabulary,
    text: Option<ValueText<'_>>,
    element: RawElement<'_>,
    cx: &mut Interpreter<'_>,
) -> Option<()> {
    if holds_elements(rows) {
        read_children(rows, &mut parts, vocabulary, element, cx);
        return Some(());
    }
    for (row, part) in rows.iter().zip(parts) {
        let text = match row.place {
            Place::Text => text,
            _ => match ValueText::of_attribute(element, row.local) {
                None if row.is_required(text.is_some()) => {
                    cx.missing_attributes(element, &[row.local], Effect::Noted);
                    None
                }
                value => value,
            },
        };
        part.read(Source { text, element, row }, element, cx);
        if row.required == Required::Key && part.count() == 0 {
            return None;
        }
    }
    Some(())
}

fn read_children(
    rows: &[Row],
    parts: &mut [&mut dyn Part],
    vocabulary: Vocabulary,
    parent: RawElement<'_>,
    cx: &mut Interpreter<'_>,
) {
    // The places with a child that is not blank, a bit each.
    let mut found = 0_u32;
    for element in cx.children(parent) {
        let name = cx.part_of(vocabulary, element);
        let mut places = rows.iter().zip(&mut *parts).enumerate();
        match places.find(|(_, (row, _))| Some(row.local) == name) {
            Some((index, (row, part))) => {
                found |= u32::from(!element.is_blank()) << index;
                let text = None;
                part.read(Source { text, element, row }, parent, cx);
            }
            None => cx.unknown(element),
        }
    }
    let missing = rows.iter().enumerate();
    let missing = missing.filter(|(index, _)| found >> index & 1 == 0);
    let mut choice = Vec::new();
    for (_, row) in missing {
        match row.required {
            Required::Key => cx.require(parent, &[row.tag.name], Effect::ValueDropped),
            Required::Always => cx.require(parent, &[row.tag.name], Effect::Noted),
            Required::OneOf => choice.push(row.tag.name),
            _ => {}
        }
    }
    if !choice.is_empty() && choice.len() == one_of(rows).count() {
        cx.require(parent, &choice, Effect::Noted);
    }
    for (row, part) in rows.iter().zip(parts) {
        if row.place == Place::Words
            && let Err(violation) = row.check_count(part.count())
        {
            cx.report.add(violation, Effect::Noted, parent.tag());
        }
    }
}

fn one_of(rows: &[Row]) -> impl Iterator<Item = &'static str> {
    let rows = rows.iter().filter(|row| row.required == Required::OneOf);
    rows.map(|row| row.tag.name)
}

/// The conditions of an element that is written. Constants, except for what depends on its values.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    has_text: bool,
    /// An attribute can stand for the text.
    may_lack_text: bool,
    is_choice: bool,
    is_chosen: bool,
}

impl Shape {
    #[inline(always)]
    pub(super) fn add(&mut self, part: &impl Part, row: &Row) {
        let is_there = part.count() > 0;
        self.has_text |= row.place == Place::Text && is_there;
        self.may_lack_text |= row.required == Required::WithoutText;
        if row.required == Required::OneOf {
            self.is_choice = true;
            self.is_chosen |= is_there;
        }
    }

    /// Checks that one of the parts is there of which one is required.
    #[inline(always)]
    pub(super) fn check(self, rows: &[Row]) -> Result<(), Violation> {
        if !self.is_choice || self.is_chosen {
            return Ok(());
        }
        let names = one_of(rows).collect::<Vec<_>>().join(" or ");
        let rule = Rule::MissingElement;
        Err(Violation::with_detail(rule, &names, case::NEITHER))
    }
}

/// Writes the attributes, or the children and the text, which follow them.
// Inlined, so that what the row does not have is folded.
#[inline(always)]
pub(super) fn write(
    part: &impl Part,
    is_attributes: bool,
    shape: Shape,
    xml: &mut XmlWriter,
    row: &Row,
) -> Result<(), Violation> {
    if is_attributes != (row.place == Place::Attribute) {
        return Ok(());
    }
    let count = part.count();
    row.check_count(count)?;
    let is_needed = match row.place {
        Place::Text => !shape.may_lack_text,
        _ => row.is_required(shape.has_text),
    };
    match count {
        0 if row.place != Place::Text && is_needed => Err(row.missing()),
        0 if !is_needed => Ok(()),
        _ => part.write(xml, row),
    }
}

/// Makes the struct of an element from the table of its places. A row is `field: type = place "name"`, then the method that
/// sets the field or adds to it, with the type of its argument, and what differs from [`Row::new`]. The places are `text`,
/// `attribute`, `child`, and `words` for a child whose text is a list. The row of `key` is the URL without which the
/// element is dropped.
macro_rules! element {
    (
        $(#[$doc:meta])*
        $name:ident: $vocabulary:ident $prefix:literal $element:literal
        $(key { $(#[$key_doc:meta])* $key:ident = $key_place:ident $($key_part:literal)?; })?
        {
            $(
                $(#[$part_doc:meta])*
                $field:ident: $type:ty = $place:ident $($part:literal)? $(=> $with:ident($($arg:tt)+))?
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
                pub $key: url::Url,
            )?
            $(
                $(#[$part_doc])*
                #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "crate::text::serde::is_default"))]
                pub $field: $type,
            )*
        }

        impl $name {
            const ROWS: &[part::Row; { [$(stringify!($key),)? $(stringify!($field),)*].len() }] = &[
                $(element!(@row $prefix $element, $key_place $($key_part)? { required: part::Required::Key }),)?
                $(element!(@row $prefix $element, $place $($part)? { $($($option: $value),*)? }),)*
            ];

            const fn empty($($key: url::Url)?) -> Self {
                Self { $($key,)? $($field: <$type as $crate::extension::Field>::EMPTY,)* }
            }

            $($(part::with! { $field: $with($($arg)+) })?)*

            /// Reads an element with this text; an incomplete one is kept, except without its key.
            pub(crate) fn read(
                text: Option<$crate::interpret::ValueText<'_>>,
                element: $crate::raw::RawElement<'_>,
                cx: &mut $crate::interpret::Interpreter<'_>,
            ) -> Option<Self> {
                $(let mut $key: Option<url::Url> = None;)?
                $(let mut $field = <$type as $crate::extension::Field>::EMPTY;)*
                let parts: [&mut dyn part::Part; _] = [$(&mut $key,)? $(&mut $field,)*];
                part::read(Self::ROWS, parts, $crate::vocabulary::Vocabulary::$vocabulary, text, element, cx)?;
                Some(Self { $($key: $key?,)? $($field,)* })
            }

            /// Writes what the element has, after its start tag without the `>`.
            pub(crate) fn write_parts(&self, xml: &mut $crate::xml::writer::XmlWriter) -> Result<(), $crate::violation::Violation> {
                let mut shape = part::Shape::default();
                $(shape.add(&self.$key, element!(@const $prefix $element, $key_place $($key_part)? { required: part::Required::Key }));)?
                $(shape.add(&self.$field, element!(@const $prefix $element, $place $($part)? { $($($option: $value),*)? }));)*
                shape.check(Self::ROWS)?;
                $(part::write(&self.$field, true, shape, xml, element!(@const $prefix $element, $place $($part)? { $($($option: $value),*)? }))?;)*
                $(part::write(&self.$key, false, shape, xml, element!(@const $prefix $element, $key_place $($key_part)? { required: part::Required::Key }))?;)?
                $(part::write(&self.$field, false, shape, xml, element!(@const $prefix $element, $place $($part)? { $($($option: $value),*)? }))?;)*
                Ok(())
            }
        }

        impl part::Value for $name {
            const HOLDS_ELEMENTS: bool = part::holds_elements(Self::ROWS);

            fn read(source: part::Source<'_>, cx: &mut $crate::interpret::Interpreter<'_>) -> Option<Self> {
                // A blank one is reported as empty, and another one counts.
                if <Self as part::Value>::HOLDS_ELEMENTS && source.element.is_blank() {
                    return None;
                }
                Self::read(source.text, source.element, cx)
            }

            fn write(&self, xml: &mut $crate::xml::writer::XmlWriter, row: &part::Row) -> Result<(), $crate::violation::Violation> {
                xml.start(row.tag);
                self.write_parts(xml)?;
                xml.end(row.tag);
                Ok(())
            }
        }

        $crate::extension::visited!($name: $($key,)? $($field),*);
    };
    (@const $($row:tt)*) => { const { &element!(@row $($row)*) } };
    (@row $prefix:literal $element:literal, $place:ident $($part:literal)? { $($option:ident: $value:expr),* }) => {
        part::Row { $($option: $value,)* ..element!(@new $prefix $element, $place $($part)?) }
    };
    (@new $prefix:literal $element:literal, text) => {
        part::Row::new(part::Place::Text, "", $crate::xml::writer::tag!($prefix, ":", $element), concat!($prefix, ":", $element))
    };
    (@new $prefix:literal $element:literal, attribute $part:literal) => {
        part::Row::new(part::Place::Attribute, $part, $crate::xml::writer::attr!($part), concat!($prefix, ":", $element))
    };
    (@new $prefix:literal $element:literal, child $part:literal) => {
        part::Row::new(part::Place::Child, $part, $crate::xml::writer::tag!($prefix, ":", $part), concat!($prefix, ":", $part))
    };
    (@new $prefix:literal $element:literal, words $part:literal) => {
        part::Row::new(part::Place::Words, $part, $crate::xml::writer::tag!($prefix, ":", $part), concat!($prefix, ":", $part))
    };
}
pub(super) use element;

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
            $crate::extension::Field::put(&mut self.$field, $convert(value));
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
