//! Why there is no more text.

use crate::error::{Bound, ErrorKind, GzipFault, LooksLike};

/// The error of every layer whose content is longer than the caller allows.
pub(super) const TOO_LONG: Fault = Fault::LimitExceeded(Bound::Bytes);

/// Why there is no more text. It is returned only after all the text before it, and from every later call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Gzip(GzipFault),
    Truncated,
    LimitExceeded(Bound),
    NotASitemap(LooksLike),
    UnsupportedEncoding(&'static str),
}

impl From<Fault> for ErrorKind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Gzip(what) => Self::Gzip(what),
            Fault::Truncated => Self::Truncated,
            Fault::LimitExceeded(what) => Self::LimitExceeded(what),
            Fault::NotASitemap(what) => Self::NotASitemap(what),
            Fault::UnsupportedEncoding(name) => Self::UnsupportedEncoding(name),
        }
    }
}
