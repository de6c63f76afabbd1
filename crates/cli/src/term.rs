//! All that goes to the terminal: messages, tables, progress, interruption, and the exit status.

pub(crate) mod address;
pub(crate) mod age;
pub(crate) mod bars;
pub(crate) mod clipped;
pub(crate) mod count;
pub(crate) mod interrupt;
pub(crate) mod json;
pub(crate) mod messages;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod shortened;
pub(crate) mod status;
pub(crate) mod table;
