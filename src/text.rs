//! Text and places in it, for all rooms: spans, positions, excerpts, searches, byte order marks, the characters that can be
//! printed, and values that serde writes as text.

pub(crate) mod excerpt;
pub(crate) mod mark;
pub(crate) mod position;
pub(crate) mod printable;
pub(crate) mod search;
#[cfg(feature = "serde")]
pub(crate) mod serde;
pub(crate) mod span;
