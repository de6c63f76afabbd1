//! [`TextPiece`]: a part of the decoded text.

/// A piece of the decoded text of a document, for [`ReaderBuilder::on_text`](crate::ReaderBuilder::on_text).
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPiece<'t> {
    /// Text, which is never empty.
    Text(&'t str),
    /// A sequence of bytes that is not valid in the encoding of the document. [`Position`](crate::Position) counts it
    /// as one character of three bytes. The noncharacter U+FFFF, which XML forbids, is reported in the same way.
    BadBytes,
}
