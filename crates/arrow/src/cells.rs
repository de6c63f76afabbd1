//! Cells, from which columns are built: a cell takes one value after the other, and returns them as an array.

mod cell;
mod last;
mod list;
mod record;
mod runs;
mod scalar;
mod text;

pub(crate) use self::cell::{Cell, Item, Strings, field};
pub(crate) use self::last::Last;
pub(crate) use self::list::{List, OpenList};
pub(crate) use self::record::record;
pub(crate) use self::runs::Runs;
pub(crate) use self::scalar::{Flag, Integer, Number, Timestamp};
pub(crate) use self::text::Text;
