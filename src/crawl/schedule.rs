//! When each sitemap may be requested: the order of discovery, waits after failures, and pauses between requests to one
//! host.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::time::Duration;

/// Origins that are remembered before those whose pause is over are dropped.
const ORIGINS: usize = 1_000;

/// Times are durations since the Unix epoch.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    now: Duration,
    delay: Duration,
    queue: VecDeque<u32>,
    waiting: BinaryHeap<Reverse<(Duration, u32)>>,
    origins: HashMap<Box<str>, Turn>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Turn {
    /// No request before this time.
    free: Duration,
    /// The time after the latest request that already waits for its turn.
    reserved: Duration,
}

impl Schedule {
    pub(super) fn new(delay: Duration) -> Self {
        Self {
            delay,
            ..Self::default()
        }
    }

    pub(super) fn now(&self) -> Duration {
        self.now
    }

    /// The time never goes back.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    pub(super) fn push(&mut self, number: u32) {
        self.queue.push_back(number);
    }

    /// Before all others: the target of a redirect.
    pub(super) fn push_front(&mut self, number: u32) {
        self.queue.push_front(number);
    }

    pub(super) fn wait(&mut self, number: u32, until: Duration) {
        self.waiting.push(Reverse((until, number)));
    }

    /// No request goes to this origin before that time.
    pub(super) fn postpone(&mut self, origin: &str, until: Duration) {
        let turn = self.origins.entry(origin.into()).or_default();
        turn.free = turn.free.max(until);
    }

    /// The next sitemap whose time has come.
    pub(super) fn next<'a>(&mut self, origin_of: impl Fn(u32) -> &'a str) -> Option<u32> {
        loop {
            let number = match self.waiting.peek() {
                Some(Reverse((at, number))) if *at <= self.now => {
                    let number = *number;
                    self.waiting.pop();
                    number
                }
                _ => self.queue.pop_front()?,
            };
            if self.delay.is_zero() && self.origins.is_empty() {
                return Some(number);
            }
            let origin = origin_of(number);
            let turn = self.origins.get(origin).copied().unwrap_or_default();
            if turn.free <= self.now {
                if !self.delay.is_zero() {
                    let free = self.now.saturating_add(self.delay);
                    let reserved = turn.reserved.max(free);
                    self.forget();
                    self.origins.insert(origin.into(), Turn { free, reserved });
                }
                return Some(number);
            }
            // Each gets a time of its own, so that none is looked at again before that.
            let at = turn.free.max(turn.reserved);
            if let Some(turn) = self.origins.get_mut(origin) {
                turn.reserved = at.saturating_add(self.delay);
            }
            self.wait(number, at);
        }
    }

    fn forget(&mut self) {
        if self.origins.len() >= ORIGINS {
            let now = self.now;
            self.origins
                .retain(|_, turn| turn.free > now || turn.reserved > now);
        }
    }

    /// The time when `next` can return something; `None` if nothing is queued or waits.
    pub(super) fn due(&self) -> Option<Duration> {
        if !self.queue.is_empty() {
            return Some(self.now);
        }
        let Reverse((at, _)) = self.waiting.peek()?;
        Some(*at)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn one_origin_is_asked_once_per_pause() {
        let mut schedule = Schedule::new(at(2));
        let origin = |number| if number == 9 { "b" } else { "a" };
        for number in [1, 2, 3, 9] {
            schedule.push(number);
        }
        assert_eq!(schedule.next(origin), Some(1));
        assert_eq!(schedule.next(origin), Some(9));
        assert_eq!((schedule.next(origin), schedule.due()), (None, Some(at(2))));
        schedule.set_now(at(2));
        assert_eq!(schedule.next(origin), Some(2));
        assert_eq!((schedule.next(origin), schedule.due()), (None, Some(at(4))));
        schedule.postpone("a", at(10));
        schedule.push(4);
        schedule.set_now(at(5));
        assert_eq!(schedule.next(origin), None);
        assert_eq!(schedule.due(), Some(at(10)));
        schedule.set_now(at(1));
        assert_eq!(schedule.now(), at(5));
        schedule.set_now(at(60));
        let mut left = Vec::new();
        while let Some(due) = schedule.due() {
            schedule.set_now(due);
            left.extend(schedule.next(origin).map(|number| (number, schedule.now())));
        }
        // A caller that comes late does not make up for it.
        assert_eq!(left, [(3, at(60)), (4, at(62))]);
        assert!(schedule.is_empty());
    }
}
