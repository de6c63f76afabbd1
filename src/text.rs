//! Characters that can be printed as they are, for programs that print text of documents.

// For all rooms of this crate: spans, positions, excerpts, searches, byte order marks, and values that serde writes as text.
pub(crate) mod excerpt;
pub(crate) mod mark;
pub(crate) mod position;
pub(crate) mod printable;
pub(crate) mod search;
#[cfg(feature = "serde")]
pub(crate) mod serde;
pub(crate) mod span;

pub use self::printable::is_printable;
