//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps, up to the maximum, and never with the
//! number of its pages. Sitemaps beyond a bound are counted, not kept.
//!
//! The result does not depend on the order in which responses arrive, unless there are more sitemaps than the maximum. Each
//! listing of a sitemap is judged by the place where its index was read. A sitemap that is listed in several places is read
//! if one of the listings is good, at the lowest depth of these: all sitemaps of one depth are read before those of the next.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::children::Children;
use super::failure::Reason;
use super::identity::{key_of, page_key, shared_key};
use super::left_out::{LeftOut, Omissions};
use super::record::{ROBOTS, Record, Records, State};
use super::rules::{Rules, check_start};
use super::schedule::{Lists, Schedule};
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
    /// The sitemap that each known URL belongs to, or redirects to, by the key of the URL.
    known: HashMap<Arc<str>, u32>,
    /// Usual places to try as long as no sitemap was found.
    pub(super) guesses: VecDeque<Url>,
    left_out: Omissions,
}

impl Frontier {
    pub(super) fn new(rules: Rules, robots: Record) -> Self {
        let options = &rules.options;
        Self {
            schedule: Schedule::new(options.pace.clone(), options.max_retry_after),
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
            self.leave_out(reason, &url);
            return;
        }
        let root: Arc<str> = url.as_str().into();
        let key = shared_key(&root);
        let rules = self.rules_mut();
        rules.trust(&url);
        rules.roots.insert(key);
        self.add(Record::new(root, ROBOTS, 1), 0, &mut None);
    }

    /// Leaves out a URL with which the crawl should begin.
    pub(super) fn leave_out(&mut self, reason: Reason, url: &Url) {
        self.left_out.add(reason, url.as_str());
    }

    /// Takes over the sitemaps that the index `number` lists.
    pub(super) fn adopt(&mut self, number: u32, children: Children) {
        let is_index = children.is_index();
        let record = self.records.get_mut(number);
        // What it leaves out was counted when it was read before.
        if !record.is_index {
            self.left_out.merge(children.left_out);
        }
        record.is_index |= is_index;
        let (mut added, mut cut) = (0, None);
        for url in children.found {
            let record = Record::new(url, number, children.depth);
            added += usize::from(self.add(record, added, &mut cut));
        }
    }

    /// Returns `true` if the sitemap with this URL is known, or one that redirects to it.
    pub(super) fn knows(&self, url: &str) -> bool {
        self.known.contains_key(&*key_of(url))
    }

    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        self.left_out.list(|url| self.knows(url))
    }

    /// Returns `true` if the sitemap is new, and there is room for it. `added` sitemaps of its list have found room. `cut` has
    /// the lists that can be cut, once it is known that there is no room.
    fn add(&mut self, record: Record, added: usize, cut: &mut Option<Lists>) -> bool {
        if self.knows(&record.url) {
            return false;
        }
        let number = if self.records.sitemaps.len() < self.rules.options.max_sitemaps {
            self.insert(record)
        } else {
            let lists = cut.get_or_insert_with(|| self.schedule.lists());
            let Some(number) = self.schedule.displace(lists, added) else {
                self.left_out.add(Reason::TooMany, &record.url);
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
        self.known.insert(shared_key(&record.url), number);
        self.records.sitemaps.push(record);
        number
    }

    /// Puts a sitemap in the place of one that has never been requested.
    fn replace(&mut self, number: u32, record: Record) {
        self.known.insert(shared_key(&record.url), number);
        let before = std::mem::replace(self.records.get_mut(number), record);
        self.known.remove(&*key_of(&before.url));
        self.left_out.add(Reason::TooMany, &before.url);
    }

    /// Queues a sitemap: in the turn of its index, or before those if it has none.
    fn push(&mut self, number: u32) {
        let record = self.records.get(number);
        let (authority, parent) = (record.authority(), record.parent);
        if parent == ROBOTS {
            self.schedule.push_first(authority, number);
        } else {
            self.schedule.push(authority, parent, record.depth, number);
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

    /// A redirect leads to this sitemap from one of this depth. If it waits for a later depth, it is read with that one.
    fn raise(&mut self, number: u32, depth: u16) {
        let record = self.records.get(number);
        if depth < record.depth
            && self
                .schedule
                .withdraw(record.authority(), record.parent, number)
        {
            self.schedule.push_first(record.authority(), number);
            self.records.get_mut(number).depth = depth;
        }
    }

    pub(super) fn add_pages(&mut self, number: u32, pages: u64) {
        let pages = u32::try_from(pages).unwrap_or(u32::MAX);
        let record = self.records.get_mut(number);
        record.pages = record.pages.saturating_add(pages);
    }

    /// Returns `true` if the target of a redirect is another sitemap, so that it need not be requested for this one. If
    /// two sitemaps redirect to each other, only the one that was found later is such a duplicate; the other one fails.
    pub(super) fn has_another(&mut self, number: u32, target: &Url) -> bool {
        let Some(known) = self.known.get(&*page_key(target)).copied() else {
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
        match self.known.get(&*page_key(location)).copied() {
            Some(known) if known == number => true,
            Some(known) => {
                self.raise(known, self.records.get(number).depth);
                false
            }
            None => {
                if !is_too_long(location) {
                    let location: Arc<str> = location.as_str().into();
                    self.known.insert(shared_key(&location), number);
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
        if !record.is_guess {
            return;
        }
        match state {
            State::Missing | State::Failed | State::Duplicate => self.next_guess(),
            _ => self.guesses.clear(),
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

    /// Requests a sitemap again at its own URL, at this time or later.
    pub(super) fn retry(&mut self, number: u32, at: Duration) {
        let record = self.records.get_mut(number);
        record.state = State::Queued;
        record.begin_anew();
        self.schedule.retry(record.authority(), number, at);
    }
}
