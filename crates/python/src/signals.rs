//! [`Signals`]: Ctrl-C. Python notices it only while Python code runs.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Runs Python's handlers of signals now and then.
pub(crate) struct Signals {
    checked: Instant,
}

/// Together with the longest step of reading, less than a tenth of a second.
const INTERVAL: Duration = Duration::from_millis(20);

impl Signals {
    pub(crate) fn new() -> Self {
        Self {
            checked: Instant::now(),
        }
    }

    /// Called before each step. Raises what a handler raises, such as KeyboardInterrupt.
    pub(crate) fn check(&mut self) -> PyResult<()> {
        if self.checked.elapsed() < INTERVAL {
            return Ok(());
        }
        self.checked = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}
