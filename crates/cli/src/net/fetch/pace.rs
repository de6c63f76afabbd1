//! When a page may be requested: politeness to hosts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quick_sitemap::url::Url;

/// Hosts that are remembered before those whose turn has come are forgotten.
const MOST: usize = 10_000;

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
                if next.len() > MOST {
                    next.retain(|_, turn| *turn > now);
                }
            }
            turn
        };
        crate::term::interrupt::sleep(turn.saturating_duration_since(now))
    }

    /// The host requires a pause.
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
