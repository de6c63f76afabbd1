//! [`Source`]: how a stage of the input ends.

use crate::error::ErrorKind;

/// The progress of a stage of the input: the pushed bytes, a layer of gzip, the decoded text.
#[derive(Debug, Default)]
pub(super) enum Source {
    /// More may come.
    #[default]
    Open,
    /// No more will come. A failure is the reason why the end is missing.
    Ended(Option<ErrorKind>),
}

impl Source {
    pub(super) const fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }

    /// Ends the stage, unless it has ended.
    pub(super) fn end(&mut self, failure: Option<ErrorKind>) {
        if self.is_open() {
            *self = Self::Ended(failure);
        }
    }

    pub(super) fn take_failure(&mut self) -> Option<ErrorKind> {
        match self {
            Self::Open => None,
            Self::Ended(failure) => failure.take(),
        }
    }
}
