//! The order and the times of requests: waits after failures, and turns between hosts and between indexes.
//!
//! Sitemaps are queued by number, per origin (host and port). Each origin has one turn: the time at which it next asks the
//! [`Pace`] for a permit. So a pause takes no work, no matter how many sitemaps wait for its end. Origins alternate, and so do
//! the indexes within one. The sitemaps of one depth are requested before those of the next, so the lowest depth of an index
//! is known when it is read.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use super::pace::{Pace, Permit, Turn, after};

/// Time until the next attempt if another crawl has a request to the host at work.
const BUSY_ELSEWHERE: Duration = Duration::from_millis(100);

/// What is queued, and what is at work.
///
/// An origin is in `origins` while something is queued for it. It has one turn in `turns`, unless a request to it is at work
/// and the pace allows no other. `now` never decreases.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) now: SystemTime,
    pub(super) pace: Pace,
    /// The sitemaps of a host that requires a longer pause fail.
    longest_pause: Duration,
    origins: HashMap<Arc<str>, Origin>,
    turns: BTreeMap<OriginTurn, Arc<str>>,
    last_turn: u64,
    /// By the number of the sitemap.
    pub(super) at_work: BTreeMap<u32, AtWork>,
}

/// The depth and the time of the next request to an origin, and a number by which origins alternate.
type OriginTurn = (u16, SystemTime, u64);

#[derive(Debug, Default)]
struct Origin {
    /// The earliest time of the next attempt, the number of the sitemap and its depth.
    retries: BTreeSet<(SystemTime, u32, u16)>,
    /// By depth: the place of each sitemap in its index, so that indexes alternate, and its number.
    lists: BTreeMap<u16, BTreeSet<(u32, u32)>>,
    turn: Option<OriginTurn>,
}

/// A request that is at work. It has ended when its ticket has been dropped, which owns the token.
#[derive(Debug)]
pub(super) struct AtWork {
    pub(super) token: Weak<()>,
    depth: u16,
    permit: Permit,
    /// The host and port that requires a pause after the end, and the pause.
    pub(super) pause: Option<(String, Duration)>,
    /// Time from the end to the next request of the same sitemap.
    pub(super) retry: Option<Duration>,
}

/// The lists of waiting sitemaps: the last place, the origin and the depth of each. The highest place is at the top.
pub(super) type Longest = BinaryHeap<(u32, Arc<str>, u16)>;

impl Origin {
    /// The depth and the earliest time of the next request. Returns `None` if nothing is queued.
    fn due(&self) -> Option<(u16, SystemTime)> {
        let lists = self.lists.keys().next();
        let list = lists.map(|depth| (*depth, SystemTime::UNIX_EPOCH));
        let retry = self.retries.first().map(|(at, _, depth)| (*depth, *at));
        list.into_iter().chain(retry).min()
    }

    /// Takes the next number, except retries that are due after `until`.
    fn take(&mut self, until: Option<SystemTime>) -> Option<u32> {
        match self.retries.first() {
            Some((at, ..)) if until.is_none_or(|until| *at <= until) => {
                Some(self.retries.pop_first()?.1)
            }
            _ => Some(self.lists.values_mut().next()?.pop_first()?.1),
        }
    }
}

impl Schedule {
    pub(super) fn new(pace: Pace, longest_pause: Duration) -> Self {
        Self {
            now: SystemTime::UNIX_EPOCH,
            pace,
            longest_pause,
            origins: HashMap::new(),
            turns: BTreeMap::new(),
            last_turn: 0,
            at_work: BTreeMap::new(),
        }
    }

    /// Changes an origin and updates its turn, which is not before `at`. Removes the origin if nothing is queued for it.
    fn change<T>(
        &mut self,
        authority: &str,
        at: SystemTime,
        change: impl FnOnce(&mut Origin) -> T,
    ) -> T {
        let known = self.origins.remove_entry(authority);
        let (name, mut origin) = known.unwrap_or_else(|| (authority.into(), Origin::default()));
        let changed = change(&mut origin);
        origin.lists.retain(|_, list| !list.is_empty());
        let due = origin.due().map(|(depth, due)| (depth, due.max(at)));
        if origin.turn.map(|(depth, at, _)| (depth, at.max(self.now))) != due {
            origin.turn.and_then(|turn| self.turns.remove(&turn));
            self.last_turn += 1;
            origin.turn = due.map(|(depth, due)| (depth, due, self.last_turn));
            let turn = origin.turn.map(|turn| (turn, Arc::clone(&name)));
            self.turns.extend(turn);
        }
        if due.is_some() {
            self.origins.insert(name, origin);
        }
        changed
    }

    /// Queues a sitemap that is at this place of its index.
    pub(super) fn push(&mut self, authority: &str, depth: u16, place: u32, number: u32) {
        self.change(authority, self.now, |origin| {
            let list = origin.lists.entry(depth).or_default();
            list.insert((place, number));
        });
    }

    /// Queues a sitemap before all others of its depth, from this time on.
    pub(super) fn retry(&mut self, authority: &str, depth: u16, number: u32, at: SystemTime) {
        self.change(authority, self.now, |origin| {
            origin.retries.insert((at, number, depth));
        });
    }

    /// Removes a sitemap from the queue. Returns `false` if it is not queued.
    pub(super) fn withdraw(&mut self, authority: &str, depth: u16, number: u32) -> bool {
        self.change(authority, self.now, |origin| {
            let list = origin.lists.get_mut(&depth);
            list.is_some_and(|list| {
                let queued = list.iter().find(|(_, queued)| *queued == number).copied();
                queued.is_some_and(|queued| list.remove(&queued))
            })
        })
    }

    /// Returns the largest depth at which a sitemap can be requested now: the lowest depth of the requests at work.
    fn deepest(&self) -> u16 {
        let depths = self.at_work.values().map(|at_work| at_work.depth);
        depths.min().unwrap_or(u16::MAX)
    }

    /// The next sitemap: it can be requested now, or it fails because its host requires this pause, which is too long.
    pub(super) fn next(&mut self) -> Option<(u32, Result<Permit, Duration>)> {
        let (now, deepest) = (self.now, self.deepest());
        loop {
            let (turn, authority) = self.turns.pop_first()?;
            if turn.1 > now || turn.0 > deepest {
                self.turns.insert(turn, authority);
                return None;
            }
            self.origins.get_mut(&authority)?.turn = None;
            let pause = self.pace.pause_of(&authority, now);
            if let Some(pause) = pause.filter(|pause| *pause > self.longest_pause) {
                let number = self.change(&authority, now, |origin| origin.take(None));
                return Some((number?, Err(pause)));
            }
            let is_own = |at_work: &AtWork| *at_work.permit.authority() == authority;
            let later = match self.pace.ask(&authority, now) {
                Turn::Now(permit) => {
                    let number = self.change(&authority, now, |origin| origin.take(Some(now)));
                    return Some((number?, Ok(permit)));
                }
                Turn::Wait(until) => until,
                // It has a turn again when the request has ended.
                Turn::Busy if self.at_work.values().any(is_own) => continue,
                Turn::Busy => after(now, BUSY_ELSEWHERE),
            };
            self.change(&authority, later, |_| {});
        }
    }

    /// The time of the next turn; it may have passed. Returns `None` if everything waits for a request at work.
    pub(super) fn due(&self) -> Option<SystemTime> {
        let ((depth, due, _), _) = self.turns.first_key_value()?;
        (*depth <= self.deepest()).then_some(*due)
    }

    /// A request of this sitemap begins. Returns its token.
    pub(super) fn begin(&mut self, number: u32, depth: u16, permit: Permit) -> Arc<()> {
        let token = Arc::default();
        let at_work = AtWork {
            token: Arc::downgrade(&token),
            depth,
            permit,
            pause: None,
            retry: None,
        };
        self.at_work.insert(number, at_work);
        token
    }

    /// The requests that have ended since the latest call.
    pub(super) fn ended(&self) -> Vec<u32> {
        let at_work = self.at_work.iter();
        let ended = at_work.filter(|(_, at_work)| at_work.token.strong_count() == 0);
        ended.map(|(number, _)| *number).collect()
    }

    /// A request has ended now. Returns the time at which the sitemap is requested again.
    pub(super) fn end(&mut self, number: u32) -> Option<SystemTime> {
        let ended = self.at_work.remove(&number)?;
        let authority = Arc::clone(ended.permit.authority());
        ended.permit.end(self.now);
        if let Some((authority, wait)) = ended.pause {
            self.pace.pause_until(&authority, after(self.now, wait));
        }
        self.change(&authority, self.now, |_| {});
        Some(after(self.now, ended.retry?))
    }

    /// Returns the ends of the pauses, by host and port, in full seconds since the Unix epoch. A pause that would begin at the
    /// end of a request at work begins now.
    #[cfg(feature = "serde")]
    pub(super) fn pauses(&self) -> BTreeMap<String, u64> {
        let mut pauses = self.pace.pauses(self.now);
        let begun = self.at_work.values().filter_map(|it| it.pause.clone());
        pauses.extend(begun.map(|(authority, wait)| (authority, after(self.now, wait))));
        let seconds = pauses.into_iter().filter_map(|(authority, until)| {
            let since = until.duration_since(SystemTime::UNIX_EPOCH).ok()?;
            Some((authority, since.as_nanos().div_ceil(1_000_000_000) as u64))
        });
        seconds.collect()
    }

    /// Returns `true` if nothing is queued.
    pub(super) fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The lists, for `displace`.
    pub(super) fn longest(&self) -> Longest {
        let lists = self.origins.iter().flat_map(|(authority, origin)| {
            let lists = origin.lists.iter();
            lists.filter_map(|(depth, list)| Some((list.last()?.0, Arc::clone(authority), *depth)))
        });
        lists.collect()
    }

    /// Removes the sitemap with the highest place in its index from the queue, if that is higher than `place`. `longest` must be
    /// the result of `longest`; since then, sitemaps can only have been pushed at lower places, or displaced.
    pub(super) fn displace(&mut self, longest: &mut Longest, place: u32) -> Option<u32> {
        let (last, authority, depth) = longest.pop()?;
        if last <= place {
            return None;
        }
        self.change(&authority, self.now, |origin| {
            let list = origin.lists.get_mut(&depth)?;
            let (_, number) = list.pop_last()?;
            let next = list
                .last()
                .map(|(last, _)| (*last, Arc::clone(&authority), depth));
            longest.extend(next);
            Some(number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    fn schedule(delay: u64) -> Schedule {
        let pace = Pace::new().delay(Duration::from_secs(delay));
        Schedule::new(pace, Duration::from_secs(60))
    }

    /// The next number, whose response ends at once.
    fn next(schedule: &mut Schedule) -> Option<u32> {
        let (number, scheduled) = schedule.next()?;
        schedule.begin(number, 1, scheduled.expect("it is not refused"));
        assert_eq!(schedule.ended(), [number]);
        schedule.end(number);
        Some(number)
    }

    #[test]
    fn one_origin_is_asked_once_per_pause_and_retries_go_first() {
        let mut schedule = schedule(2);
        for (origin, number) in [("a", 1), ("a", 2), ("a", 3), ("b:80", 9)] {
            schedule.push(origin, 1, number, number);
        }
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!(next(&mut schedule), Some(9));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(2))));
        schedule.retry("a", 1, 1, at(1));
        schedule.now = at(2);
        assert_eq!(next(&mut schedule), Some(1));
        assert_eq!((next(&mut schedule), schedule.due()), (None, Some(at(4))));
        schedule.pace.pause_until("a", at(10));
        schedule.now = at(5);
        assert_eq!(next(&mut schedule), None);
        assert_eq!(schedule.due(), Some(at(10)));
        schedule.now = at(60);
        let mut left = Vec::new();
        while let Some(due) = schedule.due() {
            schedule.now = schedule.now.max(due);
            left.extend(next(&mut schedule).map(|number| (number, schedule.now)));
        }
        // A caller that comes late does not make up for it.
        assert_eq!(left, [(2, at(60)), (3, at(62))]);
        assert!(schedule.is_empty());
    }

    #[test]
    fn a_request_at_work_makes_its_origin_wait_and_the_delay_begins_at_its_end() {
        let mut schedule = schedule(2);
        schedule.push("a", 1, 1, 1);
        schedule.push("a", 1, 2, 2);
        let (number, permit) = schedule.next().expect("it is free");
        let token = schedule.begin(number, 1, permit.expect("it is not refused"));
        schedule.now = at(100);
        assert!(schedule.ended().is_empty());
        drop(token);
        assert!(schedule.next().is_none() && schedule.due().is_none() && !schedule.is_empty());
        schedule.end(1);
        assert!(schedule.next().is_none());
        assert_eq!(schedule.due(), Some(at(102)));
        // Another crawl is asking the same host.
        schedule.now = at(102);
        let other = schedule.pace.ask("a", at(102));
        assert!(schedule.next().is_none());
        assert!(schedule.due() > Some(at(102)));
        let Turn::Now(other) = other else { panic!() };
        other.give_back();
        schedule.now = at(103);
        assert_eq!(next(&mut schedule), Some(2));
    }

    #[test]
    fn indexes_take_turns_and_the_longest_list_is_cut() {
        let mut schedule = schedule(0);
        for number in 10..20 {
            schedule.push("a", 2, number - 10, number);
        }
        for number in 20..23 {
            schedule.push("a", 2, number - 20, number);
        }
        schedule.push("a", 1, 0, 1);
        let mut longest = schedule.longest();
        let mut displaced = Vec::new();
        while let Some(number) = schedule.displace(&mut longest, 5) {
            displaced.push(number);
        }
        assert_eq!(displaced, [19, 18, 17, 16]);
        assert!(schedule.withdraw("a", 2, 12) && !schedule.withdraw("a", 2, 12));
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!(order, [1, 10, 20, 11, 21, 22, 13, 14, 15]);
        assert!(schedule.is_empty());
    }

    #[test]
    fn a_deeper_sitemap_waits_for_one_that_is_at_work() {
        let mut schedule = schedule(0);
        schedule.push("a", 1, 0, 1);
        schedule.push("b", 2, 0, 2);
        let (number, permit) = schedule.next().expect("it is free");
        schedule.begin(number, 1, permit.expect("it is not refused"));
        assert!(schedule.next().is_none() && schedule.due().is_none());
        schedule.end(1);
        // And for a retry.
        schedule.retry("a", 1, 1, at(9));
        assert!(schedule.next().is_none());
        assert_eq!(schedule.due(), Some(at(9)));
        schedule.now = at(9);
        assert_eq!(
            [next(&mut schedule), next(&mut schedule)],
            [Some(1), Some(2)]
        );
    }

    #[test]
    fn too_long_a_pause_refuses_what_is_queued_and_what_comes_later() {
        let mut schedule = schedule(0);
        schedule.push("a", 1, 0, 1);
        schedule.push("b:80", 1, 0, 9);
        schedule.retry("a", 1, 2, at(30));
        schedule.pace.pause_until("a", at(61));
        schedule.push("a", 1, 1, 3);
        let mut refused = Vec::new();
        while let Some((number, scheduled)) = schedule.next() {
            match scheduled {
                Err(wait) => refused.push((number, wait.as_secs())),
                Ok(_) => assert_eq!(number, 9),
            }
        }
        refused.sort_unstable();
        assert_eq!(refused, [(1, 61), (2, 61), (3, 61)]);
        assert!(schedule.is_empty() && schedule.due().is_none());
    }

    #[test]
    fn a_host_can_have_a_delay_of_its_own() {
        let mut schedule = schedule(0);
        schedule.pace.set_delay("B", Duration::from_secs(5));
        for (origin, number) in [("b:80", 8), ("b:80", 9), ("a", 1), ("a", 2)] {
            schedule.push(origin, 1, number, number);
        }
        let order: Vec<u32> = std::iter::from_fn(|| next(&mut schedule)).collect();
        assert_eq!((order, schedule.due()), (vec![8, 1, 2], Some(at(5))));
    }
}
