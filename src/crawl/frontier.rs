//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps, up to the maximum, and never with the
//! number of its pages. Sitemaps beyond a bound are counted, not kept.
//!
//! The result does not depend on the order in which responses arrive, unless there are more sitemaps than the maximum. Each
//! listing of a sitemap is judged by the place where its index was read. A sitemap that is listed in several places is read
//! if one of the listings is good, at the depth of the best one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::children::Children;
use super::digest::{Digest, DigestMap};
use super::left_out::{LeftOut, Omissions, Reason};
use super::record::{ROBOTS, Record, State};
use super::rules::Rules;
use super::schedule::{Lists, Schedule};
use super::text::{bare, is_too_long};

/// The sitemaps of a crawl, and their order.
///
/// A sitemap has a number: its index in `records`. The numbers in `known` and in `schedule` are such indexes, so no record
/// is ever removed; if there is no room, a new sitemap takes the record of one that waits.
#[derive(Debug)]
pub(super) struct Frontier {
    pub(super) rules: Arc<Rules>,
    pub(super) schedule: Schedule,
    /// robots.txt, and the sitemaps in the order in which they were found.
    pub(super) records: Vec<Record>,
    /// The sitemap that each known URL belongs to, or redirects to.
    known: DigestMap<u32>,
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
            records: vec![robots],
            known: DigestMap::default(),
            guesses: VecDeque::new(),
            left_out: Omissions::default(),
        }
    }

    pub(super) fn rules_mut(&mut self) -> &mut Rules {
        Arc::make_mut(&mut self.rules)
    }

    pub(super) fn get(&self, number: u32) -> Option<&Record> {
        self.records.get(usize::try_from(number).ok()?)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.records.get_mut(usize::try_from(number).ok()?)
    }

    /// Adds a sitemap that the caller or robots.txt names. It may be on any host, and so may those that it lists there.
    pub(super) fn add_root(&mut self, url: &Url) {
        let url = bare(url);
        if is_too_long(&url) {
            self.leave_out(ROBOTS, Reason::UrlTooLong, url.as_str());
            return;
        }
        self.rules_mut().trust(&url);
        let digest = self.rules.digester.of(url.as_str());
        self.add(
            digest,
            Record::new(url.as_str().into(), ROBOTS, 1),
            0,
            &mut None,
        );
    }

    /// Takes over the sitemaps that the index `number` lists.
    pub(super) fn adopt(&mut self, number: u32, children: Children) {
        if let Some(record) = self.get_mut(number) {
            record.is_index |= children.is_index;
            record.has_left_out = !children.left_out.is_empty();
        }
        let room = self.rules.max_left_out();
        self.left_out.merge(children.left_out, room);
        let (mut added, mut cut) = (0, None);
        for (digest, url) in children.found {
            let record = Record::new(url, number, children.depth);
            added += usize::from(self.add(digest, record, added, &mut cut));
        }
    }

    /// Leaves out a sitemap that `number` lists.
    fn leave_out(&mut self, number: u32, reason: Reason, url: &str) {
        if let Some(record) = self.get_mut(number) {
            record.has_left_out = true;
        }
        let (digest, room) = (self.rules.digester.of(url), self.rules.max_left_out());
        self.left_out.add(digest, reason, url, room);
    }

    /// The sitemaps that are left out, without those that are read because of another listing.
    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        let is_read = |digest: &Digest| self.known.contains_key(digest);
        self.left_out.list(&self.rules.digester, is_read)
    }

    /// Returns `true` if the sitemap is new, and there is room for it. `added` sitemaps of its list have found room. `cut` has
    /// the lists that can be cut, once it is known that there is no room.
    fn add(
        &mut self,
        digest: Digest,
        record: Record,
        added: usize,
        cut: &mut Option<Lists>,
    ) -> bool {
        if let Some(number) = self.known.get(&digest).copied() {
            self.raise(number, record.depth);
            return false;
        }
        let number = match self.insert(digest, record) {
            Ok(number) => number,
            Err(record) => {
                let lists = cut.get_or_insert_with(|| self.schedule.lists());
                let Some(number) = self.schedule.displace(lists, added) else {
                    self.leave_out(record.parent, Reason::TooMany, &record.url);
                    return false;
                };
                self.replace(number, record);
                self.known.insert(digest, number);
                number
            }
        };
        self.push(number);
        true
    }

    /// Gives a record the next number. Returns it if there is no room.
    fn insert(&mut self, digest: Digest, record: Record) -> Result<u32, Record> {
        if self.records.len() > self.rules.options.max_sitemaps {
            return Err(record);
        }
        // The maximum has 31 bits.
        let number = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        self.records.push(record);
        self.known.insert(digest, number);
        Ok(number)
    }

    /// Puts a sitemap in the place of one that has never been requested.
    fn replace(&mut self, number: u32, record: Record) {
        let Some(place) = self.get_mut(number) else {
            return;
        };
        let before = std::mem::replace(place, record);
        self.known.remove(&self.rules.digester.of(&before.url));
        self.leave_out(before.parent, Reason::TooMany, &before.url);
    }

    /// Queues a sitemap: in the turn of its index, or before those if it has none or has been read before.
    fn push(&mut self, number: u32) {
        let Some(record) = self.records.get(number as usize) else {
            return;
        };
        if record.parent == ROBOTS || record.is_index {
            self.schedule.push_first(record.authority(), number)
        } else {
            self.schedule
                .push(record.authority(), record.parent, number)
        }
    }

    /// Queues the target of a redirect, before all others.
    pub(super) fn push_next(&mut self, number: u32) {
        if let Some(record) = self.records.get(number as usize) {
            let now = self.schedule.now();
            self.schedule.retry(record.authority(), number, now);
        }
    }

    /// Queues a sitemap or robots.txt before those that indexes list, to be read from its own URL.
    pub(super) fn push_again(&mut self, number: u32) {
        let Some(record) = self.records.get_mut(number as usize) else {
            return;
        };
        record.state = State::Queued;
        record.attempts = 0;
        record.begin_anew();
        self.schedule.push_first(record.authority(), number);
    }

    /// The sitemap is listed less deep than was known. If it lists others, which were judged by that, it is read again.
    fn raise(&mut self, number: u32, depth: u16) {
        let Some(record) = self.get_mut(number) else {
            return;
        };
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
        let record = self.get_mut(number);
        record.map_or(0, |record| {
            if let Some(rare) = &mut record.rare {
                rare.is_raised = false;
            }
            record.depth
        })
    }

    pub(super) fn add_pages(&mut self, number: u32, pages: u64) {
        if let Some(record) = self.get_mut(number) {
            let pages = u32::try_from(pages).unwrap_or(u32::MAX);
            record.pages = record.pages.saturating_add(pages);
        }
    }

    /// Returns `true` if the target of a redirect is another sitemap, so that it need not be requested for this one. If
    /// two sitemaps redirect to each other, only the one that was found later is such a duplicate; the other one fails.
    pub(super) fn has_another(&mut self, number: u32, target: &Url) -> bool {
        let digest = self.rules.digester.of(target.as_str());
        let Some(known) = self.known.get(&digest).copied() else {
            return false;
        };
        let state = self.get(known).map(|record| record.state);
        let is_read = matches!(
            state,
            Some(State::Done(_) | State::Partial | State::Unchanged)
        );
        let is_another = known < number || (known != number && is_read);
        if is_another {
            self.raise_to(known, number);
        }
        is_another
    }

    /// A redirect has led from the sitemap `number` to this URL. Returns `false` if that is another sitemap.
    pub(super) fn claim(&mut self, number: u32, location: &Url) -> bool {
        let digest = self.rules.digester.of(location.as_str());
        match self.known.get(&digest).copied() {
            Some(known) if known == number => true,
            Some(known) => {
                self.raise_to(known, number);
                false
            }
            None => {
                self.known.insert(digest, number);
                if let Some(record) = self.get_mut(number)
                    && !is_too_long(location)
                {
                    record.rare().location = Some(location.as_str().into());
                }
                true
            }
        }
    }

    fn raise_to(&mut self, known: u32, number: u32) {
        if let Some(depth) = self.get(number).map(|record| record.depth) {
            self.raise(known, depth);
        }
    }

    /// Sets what has become of a sitemap.
    pub(super) fn finish(&mut self, number: u32, state: State) {
        let Some(record) = self.get_mut(number) else {
            return;
        };
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

    /// Forgets that a sitemap was read. Returns the number of its pages.
    pub(super) fn requeue(&mut self, number: u32) -> Option<u32> {
        let record = self.get_mut(number).filter(|_| number != ROBOTS)?;
        if matches!(record.state, State::Queued | State::Active) {
            return None;
        }
        record.is_read = false;
        let pages = std::mem::take(&mut record.pages);
        self.push_again(number);
        Some(pages)
    }

    /// Tries these places one after the other, until there is a sitemap.
    pub(super) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        self.guesses.extend(places);
        self.next_guess();
    }

    fn next_guess(&mut self) {
        while let Some(url) = self.guesses.pop_front() {
            let digest = self.rules.digester.of(url.as_str());
            let mut record = Record::new(url.as_str().into(), ROBOTS, 1);
            record.is_guess = true;
            if self.add(digest, record, 0, &mut None) {
                return;
            }
        }
    }

    /// Takes over the sitemaps of an earlier crawl, except those that this one may not request.
    #[cfg(feature = "serde")]
    pub(super) fn restore(&mut self, saved: Vec<Record>) {
        // The new number of each, since parents are numbers.
        let mut numbers = vec![ROBOTS; saved.len() + 1];
        for (mut record, place) in saved.into_iter().zip(numbers.iter_mut().skip(1)) {
            let digest = self.rules.digester.of(&record.url);
            if !is_good(&record.url) || self.known.contains_key(&digest) {
                continue;
            }
            if !record.location().is_none_or(is_good) {
                record.rare().location = None;
            }
            let location = record
                .location()
                .map(|location| self.rules.digester.of(location));
            match self.insert(digest, record) {
                Ok(number) => {
                    *place = number;
                    if let Some(location) = location {
                        self.known.entry(location).or_insert(number);
                    }
                }
                Err(record) => self.leave_out(ROBOTS, Reason::TooMany, &record.url),
            }
        }
        for number in 1..self.records.len() {
            if let Some(record) = self.records.get_mut(number) {
                let parent = numbers.get(record.parent as usize);
                record.parent = parent.copied().unwrap_or(ROBOTS);
                if record.state == State::Queued {
                    self.push(u32::try_from(number).unwrap_or(u32::MAX));
                }
            }
        }
    }

    /// Requests a sitemap again at its own URL, at this time or later.
    pub(super) fn retry(&mut self, number: u32, at: Duration) {
        if let Some(record) = self.records.get_mut(number as usize) {
            record.state = State::Queued;
            record.begin_anew();
            self.schedule.retry(record.authority(), number, at);
        }
    }
}

/// Returns `true` for a URL of a saved crawl that may be requested.
#[cfg(feature = "serde")]
fn is_good(text: &str) -> bool {
    let Ok(url) = text.parse::<Url>() else {
        return false;
    };
    url.as_str() == text && bare(&url).as_str() == text && super::text::is_web(&url)
}
