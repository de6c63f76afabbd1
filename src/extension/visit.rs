//! A visit to every part of an entry, for other forms of entries: tables, dictionaries, pages for tests.

use std::time::Duration;

use url::Url;

use super::foreign::{Attribute, Element};
use crate::value::{ChangeFreq, LanguageTag, NamespaceUri, Priority, W3cDatetime};

/// A part of an entry, as [`UrlEntry::visit`](crate::UrlEntry::visit) shows it.
///
/// The enum can get more variants in a later version, for example for another type of value.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A field without a value.
    Absent,
    /// A list of this many items. Each of them follows as a part with the same names.
    List(usize),
    /// A structure. Its parts follow, each with one name more.
    Struct,
    /// A text, or a keyword as it is written.
    Text(&'a str),
    /// A URL.
    Url(&'a Url),
    /// A date.
    Date(W3cDatetime),
    /// A priority, or a rating.
    Decimal(f64),
    /// A count, or a number of seconds.
    Integer(u64),
    /// `yes` or `no`.
    Flag(bool),
    /// An element that is kept as it is in the document.
    Element(&'a Element),
}

/// A value, or a field of values.
pub(crate) trait Visited {
    /// Collects the URLs. Most values have none.
    fn urls<'u>(&'u mut self, _: &mut Vec<&'u mut Url>) {}

    /// Shows the value, without its name.
    fn visit(&self, visit: &mut Visit<'_>);
}

/// Implements [`Visited`] for a struct of such fields.
macro_rules! visited {
    ($name:ident: $($field:ident),*) => {
        impl $crate::extension::Visited for $name {
            fn urls<'u>(&'u mut self, urls: &mut Vec<&'u mut ::url::Url>) {
                $(self.$field.urls(urls);)*
            }

            fn visit(&self, visit: &mut $crate::extension::Visit<'_>) {
                visit.part($crate::extension::Part::Struct);
                $(visit.field(stringify!($field), &self.$field);)*
            }
        }
    };
}
pub(crate) use visited;

impl<T: Visited> Visited for Box<T> {
    fn urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>) {
        (**self).urls(urls);
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        (**self).visit(visit);
    }
}

impl<T: Visited> Visited for Option<T> {
    fn urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>) {
        self.iter_mut().for_each(|value| value.urls(urls));
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        match self {
            Some(value) => value.visit(visit),
            None => visit.part(Part::Absent),
        }
    }
}

impl<T: Visited> Visited for Vec<T> {
    fn urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>) {
        self.iter_mut().for_each(|value| value.urls(urls));
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        visit.part(Part::List(self.len()));
        self.iter().for_each(|value| value.visit(visit));
    }
}

/// Implements [`Visited`] for a value, which is one part.
macro_rules! shown {
    ($($type:ty, |$value:ident| $part:expr;)*) => {
        $(impl $crate::extension::Visited for $type {
            fn visit(&self, visit: &mut $crate::extension::Visit<'_>) {
                let $value = self;
                visit.part($part);
            }
        })*
    };
}
pub(super) use shown;

shown! {
    String, |text| Part::Text(text);
    LanguageTag, |tag| Part::Text(tag.as_str());
    NamespaceUri, |uri| Part::Text(uri.as_str());
    ChangeFreq, |word| Part::Text(word.as_str());
    W3cDatetime, |date| Part::Date(*date);
    Priority, |priority| Part::Decimal((*priority).into());
    u64, |number| Part::Integer(*number);
    Duration, |duration| Part::Integer(duration.as_secs());
    bool, |flag| Part::Flag(*flag);
    Element, |element| Part::Element(element);
}

visited!(Attribute: name, namespace, value);

impl Visited for Url {
    fn urls<'u>(&'u mut self, urls: &mut Vec<&'u mut Url>) {
        urls.push(self);
    }

    fn visit(&self, visit: &mut Visit<'_>) {
        visit.part(Part::Url(self));
    }
}

/// The fields that lead to the part that is visited, and the callback for it.
pub(crate) struct Visit<'v> {
    names: Vec<&'static str>,
    call: &'v mut dyn FnMut(&[&'static str], Part<'_>),
}

impl<'v> Visit<'v> {
    pub(crate) fn new(call: &'v mut dyn FnMut(&[&'static str], Part<'_>)) -> Self {
        Self {
            names: Vec::new(),
            call,
        }
    }

    /// Shows the current part.
    pub(crate) fn part(&mut self, part: Part<'_>) {
        (self.call)(&self.names, part);
    }

    /// Visits a field of the current structure.
    pub(crate) fn field(&mut self, name: &'static str, value: &impl Visited) {
        self.names.push(name);
        value.visit(self);
        self.names.pop();
    }
}
