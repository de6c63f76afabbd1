//! When each sitemap may be requested: waits after failures, pauses of a host, and turns between hosts and between indexes.
//!
//! A number is queued at its origin (host and port), and the origin has a turn: the time of its next request. So a pause costs
//! no time, no matter how many sitemaps wait for its end. Origins alternate, and so do the indexes within one. Retries,
//! targets of redirects and the sitemaps that robots.txt lists go first.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// Origins that are remembered before those that are free and have nothing queued are dropped.
const ORIGINS: usize = 1_000;
/// The last second of the year 9999, which every system can represent.
const LATEST: Duration = Duration::from_secs(253_402_300_799);

/// The queues of a crawl. Times are durations since the Unix epoch.
///
/// Each origin with something queued has one turn, whose time is that of its next request or has passed. `now` never
/// decreases.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    pub(super) now: Duration,
    /// Between two requests to one origin.
    delay: Duration,
    /// Delays of single hosts.
    delays: HashMap<String, Duration>,
    /// A longer pause is not waited for.
    longest_pause: Duration,
    origins: HashMap<Arc<str>, Origin>,
    /// Origins by the time of their turn, and in the order in which they were given it.
    turns: BTreeMap<Turn, Arc<str>>,
    last_turn: u64,
}

type Turn = (Duration, u64);

#[derive(Debug, Default)]
struct Origin {
    /// There is no request before this time.
    free: Duration,
    pause: Option<Pause>,
    /// Failed sitemaps, and the earliest time of the next attempt. The first one is at the top.
    retries: BinaryHeap<Reverse<(Duration, u32)>>,
    first: VecDeque<u32>,
    lists: VecDeque<List>,
    turn: Option<Turn>,
}

/// Sitemaps of one index that have never been requested.
#[derive(Debug)]
struct List {
    parent: u32,
    numbers: VecDeque<u32>,
}

/// A pause that a host requires.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pause {
    until: Duration,
    /// The pause that was required, until then.
    wait: Duration,
    /// The status of the response with the `Retry-After`; 0 if there was none.
    pub(super) status: u16,
}

impl Pause {
    pub(super) fn left(self, now: Duration) -> Duration {
        self.until.saturating_sub(now)
    }
}

impl Origin {
    /// The pause that is too long to be waited for. Queued sitemaps fail then.
    fn refusal(&self, now: Duration, longest: Duration) -> Option<Pause> {
        self.pause
            .filter(|pause| pause.until > now && pause.wait > longest)
    }

    /// The earliest time of the next request. Returns `None` if nothing is queued.
    fn due(&self) -> Option<Duration> {
        if !self.first.is_empty() || !self.lists.is_empty() {
            return Some(self.free);
        }
        let Reverse((at, _)) = self.retries.peek()?;
        Some(self.free.max(*at))
    }

    /// Takes the next number, except retries that are due after `until`.
    fn take(&mut self, until: Duration) -> Option<u32> {
        if let Some(retry) = self.retries.peek_mut()
            && retry.0.0 <= until
        {
            let Reverse((_, number)) = PeekMut::pop(retry);
            return Some(number);
        }
        if let Some(number) = self.first.pop_front() {
            return Some(number);
        }
        let mut list = self.lists.pop_front()?;
        let number = list.numbers.pop_front();
        if !list.numbers.is_empty() {
            self.lists.push_back(list);
        }
        number
    }
}

impl Schedule {
    pub(super) fn new(delay: Duration, longest_pause: Duration) -> Self {
        Self {
            delay,
            longest_pause,
            ..Self::default()
        }
    }

    /// The time never goes back.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = self.now.max(now.min(LATEST));
    }

    /// The time after a wait, or the latest that can be represented.
    pub(super) fn after(&self, wait: Duration) -> Duration {
        self.now.saturating_add(wait).min(LATEST)
    }

    pub(super) fn set_delay(&mut self, host: String, delay: Duration) {
        self.delays.insert(host, delay);
    }

    fn delay_of(&self, authority: &str) -> Duration {
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        };
        self.delays.get(host).copied().unwrap_or(self.delay)
    }

    /// Changes an origin, which is created if it is unknown, and its turn if the time of its next request is another now.
    fn change(&mut self, authority: &str, change: impl FnOnce(&mut Origin)) {
        let now = self.now;
        if !self.origins.contains_key(authority) {
            if self.origins.len().is_multiple_of(ORIGINS) {
                self.origins
                    .retain(|_, origin| origin.turn.is_some() || origin.free > now);
            }
            self.origins.insert(authority.into(), Origin::default());
        }
        let Some(origin) = self.origins.get_mut(authority) else {
            return;
        };
        change(origin);
        let mut due = origin.due().map(|due| due.max(now));
        if due.is_some() && origin.refusal(now, self.longest_pause).is_some() {
            due = Some(now);
        }
        if let Some(turn) = origin.turn {
            if due == Some(turn.0.max(now)) {
                return;
            }
            self.turns.remove(&turn);
        }
        self.last_turn += 1;
        origin.turn = due.map(|due| (due, self.last_turn));
        if let Some(turn) = origin.turn {
            self.turns.insert(turn, authority.into());
        }
    }

    /// Queues a sitemap that the index `parent` lists.
    pub(super) fn push(&mut self, authority: &str, parent: u32, number: u32) {
        self.change(authority, |origin| match origin.lists.back_mut() {
            Some(list) if list.parent == parent => list.numbers.push_back(number),
            _ => origin.lists.push_back(List {
                parent,
                numbers: [number].into(),
            }),
        });
    }

    /// Queues a sitemap before those that indexes list.
    pub(super) fn push_first(&mut self, authority: &str, number: u32) {
        self.change(authority, |origin| origin.first.push_back(number));
    }

    /// Queues a sitemap before all others, from this time on.
    pub(super) fn retry(&mut self, authority: &str, number: u32, at: Duration) {
        self.change(authority, |origin| {
            origin.retries.push(Reverse((at, number)));
        });
    }

    /// The host requires a pause. If that is too long, everything that is queued is ready to fail.
    pub(super) fn pause(&mut self, authority: &str, wait: Duration, status: u16) {
        let until = self.after(wait);
        self.change(authority, |origin| {
            if origin.pause.is_none_or(|before| before.until < until) {
                origin.free = origin.free.max(until);
                origin.pause = Some(Pause {
                    until,
                    wait,
                    status,
                });
            }
        });
    }

    /// The pauses that are not over.
    #[cfg(feature = "serde")]
    pub(super) fn pauses(&self) -> Vec<(String, Pause)> {
        let now = self.now;
        let pauses = self.origins.iter().filter_map(|(authority, origin)| {
            let pause = origin.pause.filter(|pause| pause.until > now)?;
            Some((authority.to_string(), pause))
        });
        pauses.collect()
    }

    /// The pause of a saved crawl.
    #[cfg(feature = "serde")]
    pub(super) fn restore(&mut self, authority: &str, pause: Pause) {
        let until = pause.until.min(LATEST);
        self.change(authority, |origin| {
            origin.pause = Some(Pause { until, ..pause });
            origin.free = until;
        });
    }

    /// The next sitemap to be requested now. With a pause: it cannot be requested, because its host requires a pause that is
    /// too long.
    pub(super) fn next(&mut self) -> Option<(u32, Option<Pause>)> {
        let (turn, authority) = self.turns.first_key_value()?;
        let (turn, authority) = (*turn, Arc::clone(authority));
        if turn.0 > self.now {
            return None;
        }
        let (now, longest, delay) = (self.now, self.longest_pause, self.delay_of(&authority));
        self.turns.remove(&turn);
        let mut next = None;
        self.change(&authority, |origin| {
            origin.turn = None;
            let refusal = origin.refusal(now, longest);
            let until = if refusal.is_some() { LATEST } else { now };
            next = origin.take(until).map(|number| (number, refusal));
            if refusal.is_none() && !delay.is_zero() {
                origin.free = now.saturating_add(delay).min(LATEST);
            }
        });
        next
    }

    /// The time of the next request; it may have passed. Returns `None` if nothing is queued.
    pub(super) fn due(&self) -> Option<Duration> {
        let ((due, _), _) = self.turns.first_key_value()?;
        Some(*due)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The lists of indexes, for `displace`.
    pub(super) fn lists(&self) -> Lists {
        let origins = self.origins.iter();
        let lists = origins.flat_map(|(authority, origin)| {
            let lists = origin.lists.iter().enumerate();
            lists.map(|(place, list)| (list.numbers.len(), Arc::clone(authority), place))
        });
        lists.collect()
    }

    /// Takes back the last number of the longest list, if that stays longer than `most`. `waiting` is the result of
    /// `lists` since which only numbers were pushed or displaced.
    pub(super) fn displace(&mut self, waiting: &mut Lists, most: usize) -> Option<u32> {
        let mut longest = waiting.peek_mut()?;
        let (length, authority, place) = &mut *longest;
        if *length <= most + 1 {
            return None;
        }
        let origin = self.origins.get_mut(authority)?;
        let number = origin.lists.get_mut(*place)?.numbers.pop_back()?;
        *length -= 1;
        Some(number)
    }
}

/// The lists of indexes, the longest at the top: its length, its origin, and its place there.
pub(super) type Lists = BinaryHeap<(usize, Arc<str>, usize)>;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const fn origin(number: u32) -> &'static str {
        if number == 9 { "b:80" } else { "a" }
    }

    fn next(schedule: &mut Schedule) -> Option<u32> {
        let (number, refused) = schedule.next()?;
        assert!(refused.is_none());
        Some(number)
    }

    #[test]
    fn one_origin_is_asked_once_per_pause_and_retries_go_first() {
        let mut schedule = Schedule::new(at(2), at(60));
        for number in [1, 2, 3, 9] {
            schedule.push(origin(number), 7, number);
        }
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!(next(&mut schedule), Some(9));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(2))));
        schedule.retry("a", 1, at(1));
        schedule.set_now(at(2));
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(4))));
        schedule.pause("a", at(8), 503);
        schedule.set_now(at(5));
        assert_eq!(next(&mut schedule), None);
        assert_eq!(schedule.due(), Some(at(10)));
        schedule.set_now(at(1));
        assert_eq!(schedule.now, at(5));
        schedule.set_now(at(60));
        let mut left = Vec::new();
        while let Some(due) = schedule.due() {
            schedule.set_now(due);
            left.extend(next(&mut schedule).map(|number| (number, schedule.now)));
        }
        // A caller that comes late does not make up for it.
        assert_eq!(left, [(2, at(60)), (3, at(62))]);
        assert!(schedule.is_empty());
    }

    #[test]
    fn indexes_take_turns_and_the_longest_list_is_cut() {
        let mut schedule = Schedule::new(at(0), at(60));
        for number in 10..20 {
            schedule.push("a", 1, number);
        }
        for number in 20..23 {
            schedule.push("a", 2, number);
        }
        schedule.push_first("a", 1);
        let mut lists = schedule.lists();
        let mut displaced = Vec::new();
        while let Some(number) = schedule.displace(&mut lists, 5) {
            displaced.push(number);
        }
        assert_eq!(displaced, [19, 18, 17, 16]);
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!(order, [1, 10, 20, 11, 21, 12, 22, 13, 14, 15]);
    }

    #[test]
    fn too_long_a_pause_refuses_what_is_queued_and_what_comes_later() {
        let mut schedule = Schedule::new(at(0), at(60));
        schedule.push("a", 0, 1);
        schedule.push("b:80", 0, 9);
        schedule.retry("a", 2, at(30));
        schedule.pause("a", at(61), 429);
        schedule.push("a", 0, 3);
        let mut refused = Vec::new();
        while let Some((number, pause)) = schedule.next() {
            match pause {
                Some(pause) => refused.push((number, pause.left(at(0)))),
                None => assert_eq!(number, 9),
            }
        }
        refused.sort_unstable();
        assert_eq!(refused, [(1, at(61)), (2, at(61)), (3, at(61))]);
        assert!(schedule.is_empty() && schedule.due().is_none());
    }

    #[test]
    fn a_host_can_have_a_delay_of_its_own() {
        let mut schedule = Schedule::new(at(0), at(60));
        schedule.set_delay("b".to_owned(), at(5));
        for number in [9, 9, 1, 2] {
            schedule.push(origin(number), 0, number);
        }
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!((order, schedule.due()), (vec![9, 1, 2], Some(at(5))));
    }
}
