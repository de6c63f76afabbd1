//! The time of a crawl, which goes on if the time of the system is set.

use std::time::{Duration, Instant, SystemTime};

/// The clock of a loop: the time of the system when it was created, and the time that has passed since then. If the time of
/// the system is set back by an hour, the loop does not wait for an hour.
///
/// A copy is the same clock. Crawls that share a [`Pace`](super::Pace) must share a clock, too.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use quick_sitemap_crawl::Clock;
///
/// let clock = Clock::new();
/// let later = clock.now() + Duration::from_secs(60);
/// assert!(clock.until(later) <= Duration::from_secs(60));
/// assert_eq!(clock.until(clock.now()), Duration::ZERO);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    began: SystemTime,
    instant: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// Creates a clock with the time of the system.
    #[must_use]
    pub fn new() -> Self {
        Self::of(SystemTime::now, Instant::now)
    }

    fn of(system: impl FnOnce() -> SystemTime, instant: impl FnOnce() -> Instant) -> Self {
        Self {
            began: system(),
            instant: instant(),
        }
    }

    /// Returns the time for [`Crawl::next`](super::Crawl::next).
    #[must_use]
    pub fn now(&self) -> SystemTime {
        self.after(self.instant.elapsed())
    }

    /// Returns how long to sleep until this time, such as that of [`Next::Wait`](super::Next::Wait). Zero if it has passed.
    #[must_use]
    pub fn until(&self, at: SystemTime) -> Duration {
        at.duration_since(self.now()).unwrap_or_default()
    }

    fn after(&self, elapsed: Duration) -> SystemTime {
        self.began.checked_add(elapsed).unwrap_or(self.began)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system's time is asked once, so setting it back later changes nothing.
    #[test]
    fn the_time_of_the_system_may_be_set() {
        let began = SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
        let instant = Instant::now();
        let clock = Clock::of(|| began, || instant);
        assert_eq!(
            clock.after(Duration::from_secs(5)),
            began + Duration::from_secs(5)
        );
        let (first, second) = (clock.now(), clock.now());
        assert!(began <= first && first <= second);
        assert!(clock.until(began + Duration::from_secs(3_600)) <= Duration::from_secs(3_600));
        assert_eq!(clock.until(began), Duration::ZERO);
    }
}
