//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps, up to the maximum, and never with the
//! number of its pages. Sitemaps beyond a bound are counted, not kept.
//!
//! The result does not depend on the order in which responses arrive, unless there are more sitemaps than the maximum. Each
//! listing of a sitemap is judged by the place where its index was read. A sitemap that is listed in several places is read
//! if one of the listings is good, at the depth of the best one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::children::Children;
#[cfg(feature = "serde")]
use super::failure::Failure;
use super::left_out::{LeftOut, Omissions, Reason};
use super::record::{ROBOTS, Record, Records, State};
use super::rules::{Rules, check_start};
use super::schedule::{Lists, Schedule};
#[cfg(feature = "serde")]
use super::text::host;
use super::text::{bare, is_too_long};

/// The sitemaps of a crawl, and their order.
///
/// `known` and `schedule` contain the numbers of sitemaps, so no record is ever removed; if there is no room, a new sitemap takes
/// the record of one that waits.
#[derive(Debug)]
pub(super) struct Frontier {
    pub(super) rules: Arc<Rules>,
    pub(super) schedule: Schedule,
    pub(super) records: Records,
    /// The sitemap that each known URL belongs to, or redirects to.
    known: HashMap<Arc<str>, u32>,
    /// Usual places to try as long as no sitemap was found.
    pub(super) guesses: VecDeque<Url>,
    left_out: Omissions,
}

impl Frontier {
    pub(super) fn new(rules: Rules, robots: Record) -> Self {
        let options = &rules.options;
        Self {
            schedule: Schedule::new(options.delay, options.max_retry_after),
            rules: Arc::new(rules),
            records: Records {
                robots,
                ..Records::default()
            },
            known: HashMap::new(),
            guesses: VecDeque::new(),
            left_out: Omissions::default(),
        }
    }

    pub(super) fn rules_mut(&mut self) -> &mut Rules {
        Arc::make_mut(&mut self.rules)
    }

    /// Adds a sitemap that the caller or robots.txt names. It may be on any host, and so may those that it lists there.
    pub(super) fn add_root(&mut self, url: &Url) {
        let url = bare(url);
        if let Err(reason) = check_start(&url) {
            self.left_out.add(ROBOTS, reason, url.as_str());
            return;
        }
        let root: Arc<str> = url.as_str().into();
        let rules = self.rules_mut();
        rules.trust(&url);
        rules.roots.insert(Arc::clone(&root));
        self.add(Record::new(root, ROBOTS, 1), 0, &mut None);
    }

    /// Takes over the sitemaps that the index `number` lists.
    pub(super) fn adopt(&mut self, number: u32, children: Children) {
        self.records.get_mut(number).is_index |= children.is_index;
        self.left_out.replace(number, children.left_out);
        let (mut added, mut cut) = (0, None);
        for url in children.found {
            let record = Record::new(url, number, children.depth);
            added += usize::from(self.add(record, added, &mut cut));
        }
    }

    /// Leaves out a URL with which the crawl should begin.
    pub(super) fn leave_out(&mut self, reason: Reason, url: &Url) {
        self.left_out.add(ROBOTS, reason, url.as_str());
    }

    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        self.left_out.list(|url| self.known.contains_key(url))
    }

    /// Returns `true` if the sitemap is new, and there is room for it. `added` sitemaps of its list have found room. `cut` has
    /// the lists that can be cut, once it is known that there is no room.
    fn add(&mut self, record: Record, added: usize, cut: &mut Option<Lists>) -> bool {
        if let Some(number) = self.known.get(&record.url).copied() {
            self.raise(number, record.depth);
            return false;
        }
        let number = if self.records.sitemaps.len() < self.rules.options.max_sitemaps {
            self.insert(record)
        } else {
            let lists = cut.get_or_insert_with(|| self.schedule.lists());
            let Some(number) = self.schedule.displace(lists, added) else {
                self.left_out
                    .add(record.parent, Reason::TooMany, &record.url);
                return false;
            };
            self.replace(number, record);
            number
        };
        self.push(number);
        true
    }

    /// Gives a record the next number.
    fn insert(&mut self, record: Record) -> u32 {
        // The maximum has 31 bits.
        let number = u32::try_from(self.records.sitemaps.len() + 1).unwrap_or(u32::MAX);
        self.known.insert(Arc::clone(&record.url), number);
        self.records.sitemaps.push(record);
        number
    }

    /// Puts a sitemap in the place of one that has never been requested.
    fn replace(&mut self, number: u32, record: Record) {
        self.known.insert(Arc::clone(&record.url), number);
        let before = std::mem::replace(self.records.get_mut(number), record);
        self.known.remove(&before.url);
        self.left_out
            .add(before.parent, Reason::TooMany, &before.url);
    }

    /// Queues a sitemap: in the turn of its index, or before those if it has none or has been read before.
    fn push(&mut self, number: u32) {
        let record = self.records.get(number);
        if record.parent == ROBOTS || record.is_index {
            self.schedule.push_first(record.authority(), number)
        } else {
            self.schedule
                .push(record.authority(), record.parent, number)
        }
    }

    /// Queues the target of a redirect, before all others.
    pub(super) fn push_next(&mut self, number: u32) {
        let (record, now) = (self.records.get(number), self.schedule.now);
        self.schedule.retry(record.authority(), number, now);
    }

    /// Queues a sitemap or robots.txt before those that indexes list, to be read from its own URL.
    pub(super) fn push_again(&mut self, number: u32) {
        let record = self.records.get_mut(number);
        record.state = State::Queued;
        record.attempts = 0;
        record.begin_anew();
        self.schedule.push_first(record.authority(), number);
    }

    /// The sitemap is listed less deep than was known. If it lists others, which were judged by that, it is read again.
    fn raise(&mut self, number: u32, depth: u16) {
        let record = self.records.get_mut(number);
        if depth >= record.depth {
            return;
        }
        record.depth = depth;
        match record.state {
            State::Queued => {}
            State::Active => record.rare().is_raised = true,
            _ if record.is_index => self.push_again(number),
            _ => {}
        }
    }

    /// A response has come. Returns the depth of the sitemap, by which the response is judged.
    pub(super) fn begin(&mut self, number: u32) -> u16 {
        let record = self.records.get_mut(number);
        if let Some(rare) = &mut record.rare {
            rare.is_raised = false;
        }
        record.depth
    }

    pub(super) fn add_pages(&mut self, number: u32, pages: u64) {
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        let record = self.records.get_mut(number);
        record.pages = record.pages.saturating_add(pages);
    }

    /// Returns `true` if the target of a redirect is another sitemap, so that it need not be requested for this one. If
    /// two sitemaps redirect to each other, only the one that was found later is such a duplicate; the other one fails.
    pub(super) fn has_another(&mut self, number: u32, target: &Url) -> bool {
        let Some(known) = self.known.get(target.as_str()).copied() else {
            return false;
        };
        let is_read = self.records.get(known).state.is_read();
        let is_another = known < number || (known != number && is_read);
        if is_another {
            self.raise(known, self.records.get(number).depth);
        }
        is_another
    }

    /// A redirect has led from the sitemap `number` to this URL. Returns `false` if that is another sitemap.
    pub(super) fn claim(&mut self, number: u32, location: &Url) -> bool {
        match self.known.get(location.as_str()).copied() {
            Some(known) if known == number => true,
            Some(known) => {
                self.raise(known, self.records.get(number).depth);
                false
            }
            None => {
                if !is_too_long(location) {
                    let location: Arc<str> = location.as_str().into();
                    self.known.insert(Arc::clone(&location), number);
                    self.records.get_mut(number).rare().location = Some(location);
                }
                true
            }
        }
    }

    /// Sets what has become of a sitemap.
    pub(super) fn finish(&mut self, number: u32, state: State) {
        let record = self.records.get_mut(number);
        record.state = state;
        record.begin_anew();
        let is_guess = record.is_guess;
        let is_raised = record.rare.as_ref().is_some_and(|rare| rare.is_raised);
        if is_raised && record.is_index {
            self.push_again(number);
        }
        match state {
            State::Missing | State::Failed | State::Duplicate if is_guess => self.next_guess(),
            _ if is_guess => self.guesses.clear(),
            _ => {}
        }
    }

    /// Tries these places one after the other, until there is a sitemap.
    pub(super) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        self.guesses.extend(places);
        self.next_guess();
    }

    fn next_guess(&mut self) {
        while let Some(url) = self.guesses.pop_front() {
            let mut record = Record::new(url.as_str().into(), ROBOTS, 1);
            record.is_guess = true;
            if self.add(record, 0, &mut None) {
                return;
            }
        }
    }

    /// The sitemaps as they are saved. An index of which sitemaps were left out waits to be read again, perhaps with other
    /// bounds.
    #[cfg(feature = "serde")]
    pub(super) fn saved(&self) -> Vec<Record> {
        let numbered = (1..).zip(&self.records.sitemaps);
        let saved = numbered.map(|(number, record)| {
            let mut record = record.clone();
            if record.state == State::Active || self.left_out.are_in(number) {
                record.state = State::Queued;
            }
            record
        });
        saved.collect()
    }

    /// Takes over the sitemaps of an earlier crawl. Those that wait are judged again: the bounds can be other ones, and the
    /// stored crawl can have been changed.
    #[cfg(feature = "serde")]
    pub(super) fn restore(&mut self, saved: Vec<Record>) {
        for mut record in saved {
            let location = record.location().cloned();
            let (is_root, url) = (record.parent == ROBOTS, Arc::clone(&record.url));
            record.depth = if is_root { 1 } else { record.depth.max(2) };
            let number = self.insert(record);
            if is_root {
                self.rules_mut().roots.insert(url);
            }
            if let Some(location) = location {
                self.known.entry(location).or_insert(number);
            }
        }
        for number in (1..).take(self.records.sitemaps.len()) {
            if self.records.get(number).state != State::Queued {
                continue;
            }
            match self.judge_restored(number) {
                Ok(()) => self.push(number),
                Err(reason) => {
                    let record = self.records.get_mut(number);
                    record.state = State::Failed;
                    let failure = Failure::permanent(format!("left out: {reason}"));
                    record.rare().failure = Some(failure);
                }
            }
        }
    }

    /// Judges a sitemap of an earlier crawl as [`Rules::child`] does, except for the filter: its `lastmod` is not stored.
    #[cfg(feature = "serde")]
    fn judge_restored(&self, number: u32) -> Result<(), Reason> {
        let (rules, record) = (&self.rules, self.records.get(number));
        let parent = self.records.get(record.parent);
        let host_of = |url: &str| Url::parse(url).ok().as_ref().and_then(host);
        let is_beside = || {
            let parent_host = host_of(parent.location().unwrap_or(&parent.url));
            parent.depth == 1 && parent_host.is_some() && parent_host == host_of(&record.url)
        };
        let is_trusted = Url::parse(&record.url).is_ok_and(|url| rules.trusts(&url));
        if !is_trusted && !is_beside() {
            Err(Reason::OtherHost)
        } else if record.depth > rules.options.max_depth {
            Err(Reason::TooDeep)
        } else if number as usize > rules.options.max_sitemaps {
            Err(Reason::TooMany)
        } else {
            Ok(())
        }
    }

    /// Requests a sitemap again at its own URL, at this time or later.
    pub(super) fn retry(&mut self, number: u32, at: Duration) {
        let record = self.records.get_mut(number);
        record.state = State::Queued;
        record.begin_anew();
        self.schedule.retry(record.authority(), number, at);
    }
}
