//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps, up to the maximum, and never with the
//! number of its pages. Sitemaps beyond a bound are counted, not kept.
//!
//! The result does not depend on the order in which responses arrive, unless there are more sitemaps than the maximum. Each
//! listing of a sitemap is judged by the place where its index was read. A sitemap that is listed in several places is read
//! if one of the listings is good, at the lowest depth of these: all sitemaps of one depth are read before those of the next.

use std::sync::Arc;
use std::time::SystemTime;

use url::Url;

use super::children::Children;
use super::crawl::Crawl;
use super::failure::Reason;
use super::identity::{key_of, page_key, shared_key};
use super::known::Listed;
use super::record::{ROBOTS, Record, State};
use super::rules::Rules;
use super::schedule::Longest;
use super::seen::{KnownKind, Look, Seen};
use super::text::is_too_long;

impl Crawl {
    pub(super) fn rules_mut(&mut self) -> &mut Rules {
        Arc::make_mut(&mut self.rules)
    }

    /// Takes over the sitemaps that the index `number` lists. Those that the caller or robots.txt names may be on any host, and
    /// so may those that they list there.
    pub(super) fn adopt(&mut self, number: u32, children: Children) {
        let record = self.records.get_mut(number);
        let depth = record.depth.saturating_add(1);
        // What it leaves out was counted when it was read before.
        let is_index = |seen: &Seen| seen.kind == KnownKind::Index && seen.look != Look::Cut;
        if !record.seen.as_ref().is_some_and(is_index) {
            self.left_out.merge(children.left_out);
        }
        let (mut place, mut longest) = (0, None);
        let index = shared_key(&self.records.get(number).url);
        for (Listed { url, .. }, _) in children.listed.into_iter().filter(|child| child.1) {
            if number != ROBOTS {
                self.listings.pair(Arc::clone(&index), shared_key(&url));
            } else if let Ok(root) = url.parse() {
                let rules = self.rules_mut();
                rules.trust(&root);
                rules.roots.insert(shared_key(&url));
            }
            let is_new = self.add(Record::new(url, number, depth), place, &mut longest);
            place += u32::from(is_new && number != ROBOTS);
        }
    }

    /// Returns `true` if the sitemap with this URL is known, or one that redirects to it.
    pub(super) fn knows(&self, url: &str) -> bool {
        self.known.contains_key(&*key_of(url))
    }

    /// Returns `true` if the sitemap is new, and there is room for it at this place of its index. `longest` has the lists
    /// that can be cut, once it is known that there is no room.
    fn add(&mut self, record: Record, place: u32, longest: &mut Option<Longest>) -> bool {
        if let Some(known) = self.known.get(&*key_of(&record.url)) {
            let known = self.records.get_mut(*known);
            if !record.is_guess {
                known.is_guess = false;
                if key_of(&known.url) != key_of(&record.url) {
                    known.rare_mut().is_location_listed = true;
                }
            }
            return false;
        }
        let key = shared_key(&record.url);
        let sitemaps = &mut self.records.sitemaps;
        let number = if sitemaps.len() < self.rules.options.max_sitemaps {
            sitemaps.push(record);
            // The maximum has 31 bits.
            u32::try_from(sitemaps.len()).unwrap_or(u32::MAX)
        } else {
            let longest = longest.get_or_insert_with(|| self.schedule.longest());
            let Some(number) = self.schedule.displace(longest, place) else {
                self.left_out.add(Reason::TooMany, &record.url);
                return false;
            };
            let displaced = std::mem::replace(self.records.get_mut(number), record);
            self.known.remove(&*key_of(&displaced.url));
            self.left_out.add(Reason::TooMany, &displaced.url);
            number
        };
        self.known.insert(key, number);
        self.queue(number, place);
        true
    }

    /// Queues a sitemap or robots.txt at this place of its index.
    pub(super) fn queue(&mut self, number: u32, place: u32) {
        let record = self.records.get_mut(number);
        record.state = State::Queued;
        self.schedule
            .push(record.authority(), record.depth, place, number);
    }

    /// Queues a sitemap before all others, from this time on: at its own URL, or at the target of a redirect.
    pub(super) fn retry(&mut self, number: u32, at: SystemTime) {
        let record = self.records.get_mut(number);
        record.state = State::Queued;
        self.schedule
            .retry(record.authority(), record.depth, number, at);
    }

    /// A redirect leads to this sitemap from the sitemap `from`. If it waits for a later depth, it is read with that one.
    fn raise(&mut self, number: u32, from: u32) {
        let depth = self.records.get(from).depth;
        let record = self.records.get_mut(number);
        if depth < record.depth
            && self
                .schedule
                .withdraw(record.authority(), record.depth, number)
        {
            record.depth = depth;
            self.queue(number, 0);
        }
    }

    /// Returns `true` if the target of a redirect is another sitemap, so that it need not be requested for this one. If
    /// two sitemaps redirect to each other, only the one that was found later is such a duplicate; the other one fails.
    pub(super) fn has_another(&mut self, number: u32, target: &Url) -> bool {
        let known = self.known.get(&*page_key(target)).copied();
        let is_read = |known: u32| self.records.get(known).state.is_read();
        let another = known.filter(|known| *known < number || (*known > number && is_read(*known)));
        if let Some(another) = another {
            self.raise(another, number);
        }
        another.is_some()
    }

    /// The sitemap `number` was found at this URL. Returns `false` if that is another sitemap.
    pub(super) fn claim(&mut self, number: u32, location: &Url) -> bool {
        match self.known.get(&*page_key(location)).copied() {
            _ if number == ROBOTS => true,
            Some(known) if known != number => {
                self.raise(known, number);
                false
            }
            None if !is_too_long(location) => {
                if let Ok(sitemap) = self.records.get(number).url.parse() {
                    self.listings.found_at(&sitemap, location);
                }
                let location: Arc<str> = location.as_str().into();
                self.known.insert(shared_key(&location), number);
                self.records.get_mut(number).rare_mut().location = Some(location);
                true
            }
            _ => true,
        }
    }

    /// Sets what has become of a sitemap.
    pub(super) fn set_state(&mut self, number: u32, state: State) {
        let record = self.records.get_mut(number);
        record.state = state;
        match state {
            _ if !record.is_guess || state == State::Queued => {}
            State::Missing | State::Duplicate => self.guess(None),
            // A sitemap ends the search. So does a failure, which does not show that there is none.
            _ => self.guesses.clear(),
        }
    }

    /// Tries the usual places one after the other, these in addition to earlier ones, until there is a sitemap.
    pub(super) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        self.guesses.extend(places);
        while let Some(url) = self.guesses.pop_front() {
            let mut record = Record::new(url.as_str().into(), ROBOTS, 1);
            record.is_guess = true;
            if self.add(record, 0, &mut None) {
                return;
            }
        }
    }
}
