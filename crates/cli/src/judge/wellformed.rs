//! The verdict on well-formed XML: a strict reader of its own, in addition to the lenient one of the library.
//!
//! It makes one pass over the decoded text, corrects nothing, and stops at the first error. Its memory is bounded. It
//! answers like libxml2 in whether a document is well-formed, and mostly in which line it is not.

mod beside;
mod declaration;
mod encoding;
mod parser;
mod place;
mod shape;
mod step;
mod syntax;
mod tag;

pub(crate) use self::beside::StrictReader;
pub(crate) use self::declaration::UNCLOSED_DECLARATION;
pub(crate) use self::encoding::{Declared, is_of_ascii, is_utf_8};
pub(crate) use self::parser::{BAD_BYTES, Fault, Verdict};
pub(crate) use self::tag::decoded;
