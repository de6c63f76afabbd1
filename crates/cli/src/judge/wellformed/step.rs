//! The result of a step of the strict reader.

/// Bytes of a tag, and of the names of open elements, beyond which there is no verdict.
pub(super) const MOST_BYTES: usize = 2 << 20;

/// Why a step ends without a result.
#[derive(Debug)]
pub(super) enum Stop {
    /// It takes more text.
    More,
    /// The document is not well-formed at this place of the text.
    Fault(usize, String),
    /// A bound was reached; which one.
    Bound(&'static str),
}

pub(super) type Step<T = ()> = Result<T, Stop>;

/// The place and the reason.
pub(super) fn fault<T>(at: usize, reason: impl Into<String>) -> Step<T> {
    Err(Stop::Fault(at, reason.into()))
}
