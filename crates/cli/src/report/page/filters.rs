//! Numbers, sizes and dates in templates: `{{ count|grouped }}`.

use std::fmt::Display;

use askama::{Result, Values, filter_fn};

use crate::report::words;
use crate::term::count::Grouped;

/// A number, or any reference to one, as templates have them.
pub(crate) trait Number {
    fn number(&self) -> u64;
}

impl Number for u64 {
    fn number(&self) -> u64 {
        *self
    }
}

impl Number for usize {
    fn number(&self) -> u64 {
        *self as u64
    }
}

impl<T: Number + ?Sized> Number for &T {
    fn number(&self) -> u64 {
        (**self).number()
    }
}

/// `12,345`
#[filter_fn]
pub(crate) fn grouped(number: impl Number, _: &dyn Values) -> Result<Grouped> {
    Ok(Grouped(number.number()))
}

/// `12,345 pages`
#[filter_fn]
pub(crate) fn counted(number: impl Number, _: &dyn Values, one: &'static str) -> Result<String> {
    Ok(crate::term::count::Count(number.number(), one).to_string())
}

/// `12.3 MB`
#[filter_fn]
pub(crate) fn bytes(number: impl Number, _: &dyn Values) -> Result<String> {
    Ok(words::bytes(number.number()))
}

/// `93%`
#[filter_fn]
pub(crate) fn share<T: Number>(part: impl Number, _: &dyn Values, whole: T) -> Result<String> {
    Ok(words::share(part.number(), whole.number()))
}

/// The width of a bar in percent, `62.5`.
#[filter_fn]
pub(crate) fn width<T: Number>(part: impl Number, _: &dyn Values, whole: T) -> Result<String> {
    Ok(format!(
        "{:.1}",
        words::percent(part.number(), whole.number()).min(100.0)
    ))
}

/// `2026-11-22 20:15 UTC`
#[filter_fn]
pub(crate) fn minute(date: impl Display, _: &dyn Values) -> Result<String> {
    Ok(words::minute(&date.to_string()))
}

/// The day of a date-time.
#[filter_fn]
pub(crate) fn day(date: impl Display, _: &dyn Values) -> Result<String> {
    Ok(words::day(&date.to_string()).to_owned())
}
