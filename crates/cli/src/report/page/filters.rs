//! Numbers, sizes and dates in templates: `{{ count|grouped }}`.

use std::fmt::Display;

use askama::{Result, Values, filter_fn};

use crate::report::words;
use crate::term::count::{Count, Grouped};

/// A number, or any reference to one, as templates have them.
pub(crate) trait Number {
    fn number(&self) -> u64;
}

impl Number for u64 {
    fn number(&self) -> u64 {
        *self
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
pub(crate) fn counted(number: impl Number, _: &dyn Values, one: &'static str) -> Result<Count> {
    Ok(Count(number.number(), one))
}

/// The difference from the number before: `▾ 247`, or `0`.
#[filter_fn]
pub(crate) fn since<T: Number>(now: impl Number, _: &dyn Values, before: T) -> Result<String> {
    let delta = words::delta(before.number(), now.number());
    Ok(delta.unwrap_or_else(|| "0".to_owned()))
}

/// `93%`
#[filter_fn]
pub(crate) fn share<T: Number>(part: impl Number, _: &dyn Values, whole: T) -> Result<String> {
    Ok(words::share(part.number(), whole.number()))
}

/// The width of a bar in percent, `62.5`.
#[filter_fn]
pub(crate) fn width<T: Number>(part: impl Number, _: &dyn Values, whole: T) -> Result<String> {
    let percent = words::percent(part.number(), whole.number());
    Ok(format!("{:.1}", percent.min(100.0)))
}

/// The day of a date-time.
#[filter_fn]
pub(crate) fn day(date: impl Display, _: &dyn Values) -> Result<String> {
    Ok(words::day(&date.to_string()).to_owned())
}
