//! The time, as a crawl is told it.

use std::time::{Duration, Instant, SystemTime};

/// Begins with the time of the system, which may be set later without any effect on this one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(SystemTime, Instant);

impl Clock {
    pub(crate) fn new() -> Self {
        Self(SystemTime::now(), Instant::now())
    }

    pub(crate) fn now(&self) -> SystemTime {
        let Self(began, instant) = self;
        began.checked_add(instant.elapsed()).unwrap_or(*began)
    }

    pub(crate) fn until(&self, time: SystemTime) -> Duration {
        time.duration_since(self.now()).unwrap_or_default()
    }
}
