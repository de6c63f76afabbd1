//! When a request may be sent: politeness to hosts, and waiting between attempts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quick_sitemap::url::Url;

/// Before the first repetition; each one after it waits twice as long as the one before.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Who asks for more than this is asked no more.
pub(super) const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(60);

/// The time before the attempt behind attempt `number`, which counts from 0: exponential, the half of it at random, so
/// that jobs that failed together do not come back together.
pub(super) fn backoff(number: u32) -> Duration {
    let doubled = FIRST_WAIT.saturating_mul(2u32.saturating_pow(number));
    doubled
        .min(LONGEST_WAIT)
        .mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// A `Retry-After`: seconds, or a date.
pub(super) fn retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    match value.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => {
            let date = httpdate::parse_http_date(value).ok()?;
            Some(date.duration_since(now).unwrap_or_default())
        }
    }
}

/// When the next request may go to each host.
#[derive(Debug, Default)]
pub(super) struct Pace {
    delay: Duration,
    next: Mutex<HashMap<String, Instant>>,
}

impl Pace {
    pub(super) fn new(delay: Duration) -> Self {
        Self {
            delay,
            next: Mutex::default(),
        }
    }

    /// Waits for this request's turn. `false`: there is a request to stop.
    pub(super) fn wait(&self, url: &Url) -> bool {
        let now = Instant::now();
        let turn = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = next.get(authority(url)).map_or(now, |turn| now.max(*turn));
            if !self.delay.is_zero()
                && let Some(after) = turn.checked_add(self.delay)
            {
                next.insert(authority(url).to_owned(), after);
            }
            turn
        };
        crate::interrupt::sleep(turn.saturating_duration_since(now))
    }

    /// The host asks to be left alone for a while.
    pub(super) fn postpone(&self, url: &Url, wait: Duration) {
        let Some(turn) = Instant::now().checked_add(wait) else {
            return;
        };
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let known = next.entry(authority(url).to_owned()).or_insert(turn);
        *known = turn.max(*known);
    }
}

fn authority(url: &Url) -> &str {
    url.authority()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_doubles_within_bounds() {
        for (number, most) in [(0, 0.5), (1, 1.0), (3, 4.0), (40, 30.0)] {
            let wait = backoff(number).as_secs_f64();
            assert!(wait >= most / 2.0 && wait <= most, "{number}: {wait}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let after = |value| retry_after(value, now).map(|wait| wait.as_secs());
        assert_eq!(after(" 120 "), Some(120));
        assert_eq!(after("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30));
        assert_eq!(after("Sun, 06 Nov 1994 08:49:07 GMT"), Some(0));
        assert_eq!(after("soon"), None);
        assert_eq!(after("-1"), None);
    }
}
