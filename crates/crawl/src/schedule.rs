//! When each sitemap may be requested: waits after failures, and turns between hosts and between indexes.
//!
//! A number is queued at its origin (host and port), and the origin has a turn: the time at which the [`Pace`] is asked for
//! it. So a pause costs no time, no matter how many sitemaps wait for its end. Origins alternate, and so do the indexes
//! within one. Retries, targets of redirects and the sitemaps that robots.txt lists go first. The sitemaps of one depth are
//! requested before those of the next, so the depth of an index is known when it is read.

use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "serde")]
use super::pace::Pause;
use super::pace::{Answer, LATEST, Pace, Permit};

/// Origins that are remembered before those with nothing queued are dropped.
const ORIGINS: usize = 1_000;
/// After this time, a host that another crawl is asking is tried again.
const BUSY_ELSEWHERE: Duration = Duration::from_millis(100);

/// The queues of a crawl. Times are durations since the Unix epoch.
///
/// Each origin with something queued for the current depth has one turn, unless as many of its requests are at work as are
/// allowed. `now` never decreases.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) now: Duration,
    pub(super) pace: Pace,
    /// A longer pause is not waited for.
    longest_pause: Duration,
    origins: HashMap<Arc<str>, Origin>,
    /// Origins by the time of their turn, and in the order in which they were given it.
    turns: BTreeMap<Turn, Arc<str>>,
    last_turn: u64,
    /// The depth that is being read.
    depth: u16,
    /// Numbers that are queued at this depth, and at the next.
    queued: usize,
    deeper: usize,
}

type Turn = (Duration, u64);

#[derive(Debug, Default)]
struct Origin {
    at_work: usize,
    /// Failed sitemaps, and the earliest time of the next attempt. The first one is at the top.
    retries: BinaryHeap<Reverse<(Duration, u32)>>,
    first: VecDeque<u32>,
    lists: VecDeque<List>,
    /// Lists of the next depth.
    deeper: VecDeque<List>,
    turn: Option<Turn>,
}

/// Sitemaps of one index that have never been requested.
#[derive(Debug)]
struct List {
    parent: u32,
    numbers: VecDeque<u32>,
}

/// What becomes of a sitemap whose turn it is.
#[derive(Debug)]
pub(super) enum Scheduled {
    Request(Permit),
    /// Its host requires this pause, which is too long to be waited for.
    Refused(Duration),
}

impl Origin {
    /// The earliest time of the next request. Returns `None` if nothing is queued.
    fn due(&self) -> Option<Duration> {
        if !self.first.is_empty() || !self.lists.is_empty() {
            return Some(Duration::ZERO);
        }
        let Reverse((at, _)) = self.retries.peek()?;
        Some(*at)
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
    pub(super) fn new(pace: Pace, longest_pause: Duration) -> Self {
        Self {
            now: Duration::ZERO,
            pace,
            longest_pause,
            origins: HashMap::new(),
            turns: BTreeMap::new(),
            last_turn: 0,
            depth: 1,
            queued: 0,
            deeper: 0,
        }
    }

    /// The time never goes back.
    pub(super) fn set_now(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    /// Changes an origin, which is created if it is unknown, and gives it a turn, at this time or later.
    fn change(&mut self, authority: &str, at: Duration, change: impl FnOnce(&mut Origin)) {
        if !self.origins.contains_key(authority) {
            if self.origins.len().is_multiple_of(ORIGINS) {
                self.origins.retain(|_, origin| {
                    origin.due().is_some() || !origin.deeper.is_empty() || origin.at_work > 0
                });
            }
            self.origins.insert(authority.into(), Origin::default());
        }
        let Some(origin) = self.origins.get_mut(authority) else {
            return;
        };
        change(origin);
        let now = self.now;
        let due = origin.due().map(|due| due.max(at).max(now));
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

    /// Queues a sitemap of this depth that the index `parent` lists.
    pub(super) fn push(&mut self, authority: &str, parent: u32, depth: u16, number: u32) {
        let is_deeper = depth > self.depth;
        let count = if is_deeper {
            &mut self.deeper
        } else {
            &mut self.queued
        };
        *count += 1;
        self.change(authority, Duration::ZERO, |origin| {
            let lists = if is_deeper {
                &mut origin.deeper
            } else {
                &mut origin.lists
            };
            match lists.back_mut() {
                Some(list) if list.parent == parent => list.numbers.push_back(number),
                _ => lists.push_back(List {
                    parent,
                    numbers: [number].into(),
                }),
            }
        });
    }

    /// Queues a sitemap before those that indexes list.
    pub(super) fn push_first(&mut self, authority: &str, number: u32) {
        self.queued += 1;
        self.change(authority, Duration::ZERO, |origin| {
            origin.first.push_back(number);
        });
    }

    /// Queues a sitemap before all others, from this time on.
    pub(super) fn retry(&mut self, authority: &str, number: u32, at: Duration) {
        self.queued += 1;
        self.change(authority, Duration::ZERO, |origin| {
            origin.retries.push(Reverse((at.min(LATEST), number)));
        });
    }

    /// Takes a sitemap of the next depth back. Returns `false` if it is not queued there.
    pub(super) fn withdraw(&mut self, authority: &str, parent: u32, number: u32) -> bool {
        let Some(origin) = self.origins.get_mut(authority) else {
            return false;
        };
        let lists = &mut origin.deeper;
        for list in lists.iter_mut().filter(|list| list.parent == parent) {
            let place = list.numbers.iter().position(|queued| *queued == number);
            if place.and_then(|at| list.numbers.remove(at)).is_some() {
                lists.retain(|list| !list.numbers.is_empty());
                self.deeper -= 1;
                return true;
            }
        }
        false
    }

    /// Goes on to the next depth if nothing is queued at this one. Nothing may be at work. Returns `false` if nothing is
    /// queued there.
    pub(super) fn descend(&mut self) -> bool {
        if self.queued > 0 || self.deeper == 0 {
            return false;
        }
        self.depth = self.depth.saturating_add(1);
        self.queued = std::mem::take(&mut self.deeper);
        let origins = self.origins.iter();
        let mut deeper: Vec<_> = origins
            .filter_map(|(name, origin)| Some((origin.deeper.front()?.parent, Arc::clone(name))))
            .collect();
        // In the order in which their indexes were found, not in that of a hash map.
        deeper.sort_unstable();
        for (_, authority) in deeper {
            self.change(&authority, Duration::ZERO, |origin| {
                let lists = std::mem::take(&mut origin.deeper);
                origin.lists.extend(lists);
            });
        }
        true
    }

    /// A request to this origin has ended.
    pub(super) fn release(&mut self, authority: &str) {
        self.change(authority, Duration::ZERO, |origin| {
            origin.at_work = origin.at_work.saturating_sub(1);
        });
    }

    /// The next sitemap to be requested now, or to fail because its host requires a pause that is too long.
    pub(super) fn next(&mut self) -> Option<(u32, Scheduled)> {
        let now = self.now;
        loop {
            let (turn, authority) = self.turns.first_key_value()?;
            let (turn, authority) = (*turn, Arc::clone(authority));
            if turn.0 > now {
                return None;
            }
            self.turns.remove(&turn);
            let origin = self.origins.get_mut(&authority)?;
            origin.turn = None;
            let is_at_work = origin.at_work > 0;
            let pause = self.pace.pause_of(&authority, now);
            if let Some(pause) = pause.filter(|pause| pause.wait > self.longest_pause) {
                let mut number = None;
                self.change(&authority, Duration::ZERO, |origin| {
                    number = origin.take(LATEST);
                });
                self.queued -= usize::from(number.is_some());
                return Some((number?, Scheduled::Refused(pause.wait)));
            }
            match self.pace.ask(&authority, now) {
                Answer::Wait(until) => self.change(&authority, until, |_| {}),
                Answer::Busy if is_at_work => {}
                Answer::Busy => {
                    let later = now.saturating_add(BUSY_ELSEWHERE);
                    self.change(&authority, later, |_| {});
                }
                Answer::Now(permit) => {
                    let mut number = None;
                    self.change(&authority, Duration::ZERO, |origin| {
                        number = origin.take(now);
                        origin.at_work += usize::from(number.is_some());
                    });
                    if let Some(number) = number {
                        self.queued -= 1;
                        return Some((number, Scheduled::Request(permit)));
                    }
                }
            }
        }
    }

    /// The pauses of the crawl's hosts that are not over.
    #[cfg(feature = "serde")]
    pub(super) fn pauses(&self) -> Vec<(String, Pause)> {
        let pause_of = |name: &Arc<str>| self.pace.pause_of(name, self.now);
        let names = self.origins.keys();
        let pauses = names.filter_map(|name| Some((name.to_string(), pause_of(name)?)));
        let mut pauses: Vec<_> = pauses.collect();
        pauses.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        pauses
    }

    /// A pause that begins now.
    #[cfg(feature = "serde")]
    pub(super) fn pause(&self, wait: Duration) -> Pause {
        Pause::new(wait, self.now)
    }

    /// The time of the next turn; it may have passed. Returns `None` if nothing is queued that does not wait for a request at
    /// work.
    pub(super) fn due(&self) -> Option<Duration> {
        let ((due, _), _) = self.turns.first_key_value()?;
        Some(*due)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queued + self.deeper == 0
    }

    /// The lists of indexes, for `displace`.
    pub(super) fn lists(&self) -> Lists {
        let origins = self.origins.iter();
        let lists = origins.flat_map(|(authority, origin)| {
            let current = origin.lists.iter().enumerate();
            let deeper = origin.deeper.iter().enumerate();
            let current = current.map(|(place, list)| (list.numbers.len(), false, place));
            let all = current.chain(deeper.map(|(place, list)| (list.numbers.len(), true, place)));
            all.map(|(length, is_deeper, place)| (length, Arc::clone(authority), is_deeper, place))
        });
        lists.collect()
    }

    /// Takes back the last number of the longest list, if that stays longer than `most`. `waiting` is the result of
    /// `lists` since which only numbers were pushed or displaced.
    pub(super) fn displace(&mut self, waiting: &mut Lists, most: usize) -> Option<u32> {
        let mut longest = waiting.peek_mut()?;
        let (length, authority, is_deeper, place) = &mut *longest;
        if *length <= most + 1 {
            return None;
        }
        let origin = self.origins.get_mut(authority)?;
        let (lists, count) = if *is_deeper {
            (&mut origin.deeper, &mut self.deeper)
        } else {
            (&mut origin.lists, &mut self.queued)
        };
        let number = lists.get_mut(*place)?.numbers.pop_back()?;
        *length -= 1;
        *count -= 1;
        Some(number)
    }
}

/// The lists of indexes, the longest at the top: its length, its origin, whether it is one of the next depth, and its place
/// there.
pub(super) type Lists = BinaryHeap<(usize, Arc<str>, bool, usize)>;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn schedule(delay: u64) -> Schedule {
        Schedule::new(Pace::new().delay(at(delay)), at(60))
    }

    /// The next number, whose response ends at once.
    fn next(schedule: &mut Schedule) -> Option<u32> {
        let (number, scheduled) = schedule.next()?;
        let Scheduled::Request(permit) = scheduled else {
            panic!("refused");
        };
        schedule.release(&Arc::clone(permit.authority()));
        permit.end_at(schedule.now);
        Some(number)
    }

    #[test]
    fn one_origin_is_asked_once_per_pause_and_retries_go_first() {
        let mut schedule = schedule(2);
        for (origin, number) in [("a", 1), ("a", 2), ("a", 3), ("b:80", 9)] {
            schedule.push(origin, 7, 1, number);
        }
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!(next(&mut schedule), Some(9));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(2))));
        schedule.retry("a", 1, at(1));
        schedule.set_now(at(2));
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(4))));
        schedule.pace.set_pause("a", at(8), at(2));
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
    fn a_request_at_work_makes_its_origin_wait_and_the_delay_begins_at_its_end() {
        let mut schedule = schedule(2);
        schedule.push("a", 7, 1, 1);
        schedule.push("a", 7, 1, 2);
        let Some((1, Scheduled::Request(permit))) = schedule.next() else {
            panic!("it is free");
        };
        schedule.set_now(at(100));
        assert!(schedule.next().is_none() && schedule.due().is_none() && !schedule.is_empty());
        schedule.release("a");
        permit.end_at(at(100));
        assert!(schedule.next().is_none());
        assert_eq!(schedule.due(), Some(at(102)));
        // Another crawl is asking the same host.
        schedule.set_now(at(102));
        let other = schedule.pace.ask("a", at(102));
        assert!(schedule.next().is_none());
        assert!(schedule.due() > Some(at(102)));
        drop(other);
        schedule.set_now(at(103));
        assert_eq!(next(&mut schedule), Some(2));
    }

    #[test]
    fn indexes_take_turns_and_the_longest_list_is_cut() {
        let mut schedule = schedule(0);
        for number in 10..20 {
            schedule.push("a", 1, 2, number);
        }
        for number in 20..23 {
            schedule.push("a", 2, 2, number);
        }
        schedule.push_first("a", 1);
        let mut lists = schedule.lists();
        let mut displaced = Vec::new();
        while let Some(number) = schedule.displace(&mut lists, 5) {
            displaced.push(number);
        }
        assert_eq!(displaced, [19, 18, 17, 16]);
        assert!(schedule.withdraw("a", 1, 12) && !schedule.withdraw("a", 1, 12));
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!(order, [1]);
        assert!(schedule.descend() && !schedule.descend());
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!(order, [10, 20, 11, 21, 13, 22, 14, 15]);
        assert!(schedule.is_empty());
    }

    #[test]
    fn too_long_a_pause_refuses_what_is_queued_and_what_comes_later() {
        let mut schedule = schedule(0);
        schedule.push("a", 0, 1, 1);
        schedule.push("b:80", 0, 1, 9);
        schedule.retry("a", 2, at(30));
        schedule.pace.set_pause("a", at(61), at(0));
        schedule.push("a", 0, 1, 3);
        let mut refused = Vec::new();
        while let Some((number, scheduled)) = schedule.next() {
            match scheduled {
                Scheduled::Refused(wait) => refused.push((number, wait)),
                Scheduled::Request(_) => assert_eq!(number, 9),
            }
        }
        refused.sort_unstable();
        assert_eq!(refused, [(1, at(61)), (2, at(61)), (3, at(61))]);
        assert!(schedule.is_empty() && schedule.due().is_none());
    }

    #[test]
    fn a_host_can_have_a_delay_of_its_own() {
        let mut schedule = schedule(0);
        schedule.pace.set_delay("B", at(5));
        for (origin, number) in [("b:80", 8), ("b:80", 9), ("a", 1), ("a", 2)] {
            schedule.push(origin, 0, 1, number);
        }
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!((order, schedule.due()), (vec![8, 1, 2], Some(at(5))));
    }
}
