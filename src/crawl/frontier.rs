//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps, up to the maximum, and never with the
//! number of its pages. Sitemaps beyond a bound are counted, not kept.
//!
//! The result does not depend on the order in which responses arrive. Each listing of a sitemap is judged by the place
//! where its index was read. A sitemap that is listed in several places is read if one of the listings is good, at the
//! depth of the best one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::children::Children;
use super::digest::{Digest, DigestMap};
use super::judge::Judge;
use super::left_out::{Reason, Tallies};
use super::record::{NONE, Record, State};
use super::schedule::Schedule;
use super::text::{bare, is_too_long};

#[derive(Debug)]
pub(super) struct Frontier {
    pub(super) judge: Arc<Judge>,
    pub(super) schedule: Schedule,
    /// In the order in which they were found.
    pub(super) records: Vec<Record>,
    /// The sitemap that each known URL belongs to, or redirects to.
    known: DigestMap<u32>,
    /// Places to be tried as long as there is no sitemap.
    guesses: VecDeque<Url>,
    pub(super) left_out: Tallies,
    /// There are more sitemaps than may be read.
    pub(super) is_full: bool,
}

impl Frontier {
    pub(super) fn new(judge: Judge, delay: Duration) -> Self {
        Self {
            judge: Arc::new(judge),
            schedule: Schedule::new(delay),
            records: Vec::new(),
            known: DigestMap::default(),
            guesses: VecDeque::new(),
            left_out: Tallies::default(),
            is_full: false,
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn trust_all(&mut self, hosts: Vec<String>) {
        Arc::make_mut(&mut self.judge).hosts.extend(hosts);
    }

    pub(super) fn get(&self, number: u32) -> Option<&Record> {
        self.records.get(usize::try_from(number).ok()?)
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut Record> {
        self.records.get_mut(usize::try_from(number).ok()?)
    }

    /// Sitemaps on the host of this URL belong to the site.
    pub(super) fn trust(&mut self, url: &Url) {
        Arc::make_mut(&mut self.judge).trust(url);
    }

    /// Adds a sitemap that the caller or robots.txt names. It may be on any host, and so may those that it lists there.
    pub(super) fn add_root(&mut self, url: Url) {
        let url = bare(url);
        let digest = self.judge.digester.of(url.as_str());
        if is_too_long(&url) {
            self.leave_out(Reason::UrlTooLong, digest, url.as_str());
            return;
        }
        self.trust(&url);
        self.add(digest, url.as_str().into(), NONE, 1);
    }

    /// Takes over what the index `number` lists, as it was read at `depth`. Returns whether all of it is read.
    pub(super) fn adopt(&mut self, number: u32, depth: u16, children: Children) -> Adopted {
        if let Some(record) = self.get_mut(number) {
            record.is_index |= children.is_index;
        }
        let most = self.judge.max_sitemaps;
        let mut is_full = children.is_full;
        for (digest, url) in children.found {
            is_full |= !self.add(digest, url, number, depth + 1);
        }
        self.is_full |= is_full;
        let known = &self.known;
        let is_known = |digest| known.contains_key(&digest);
        match (
            is_full,
            self.left_out.merge(&children.left_out, most, is_known),
        ) {
            (true, _) => Adopted::Full,
            (false, true) => Adopted::Some,
            (false, false) => Adopted::All,
        }
    }

    fn leave_out(&mut self, reason: Reason, digest: Digest, url: &str) {
        if !self.known.contains_key(&digest) {
            let most = self.judge.max_sitemaps;
            self.left_out.add(reason, digest, url, most);
        }
    }

    /// Returns `false` if there are as many sitemaps as may be.
    fn add(&mut self, digest: Digest, url: Box<str>, parent: u32, depth: u16) -> bool {
        if let Some(number) = self.known.get(&digest).copied() {
            self.raise(number, depth);
            return true;
        }
        self.push(digest, Record::new(url, parent, depth))
    }

    fn push(&mut self, digest: Digest, record: Record) -> bool {
        let number = match u32::try_from(self.records.len()) {
            Ok(number) if self.records.len() < self.judge.max_sitemaps && number != NONE => number,
            _ => {
                self.is_full = true;
                self.leave_out(Reason::TooMany, digest, &record.url);
                return false;
            }
        };
        self.know(digest, number);
        if record.state == State::Queued {
            self.schedule.push(number);
        }
        self.records.push(record);
        true
    }

    fn know(&mut self, digest: Digest, number: u32) {
        self.known.insert(digest, number);
        self.left_out.remove(digest);
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
        if record.is_index && !matches!(record.state, State::Queued | State::Active) {
            record.state = State::Queued;
            record.attempts = 0;
            record.begin_anew();
            self.schedule.push(number);
        }
    }

    /// Whether the target of a redirect is another sitemap, so that it need not be requested for this one. Of two sitemaps
    /// that redirect to each other, only the one that was found later is such a duplicate; the other one fails.
    pub(super) fn has_another(&mut self, number: u32, target: &Url) -> bool {
        let digest = self.judge.digester.of(target.as_str());
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
            let depth = self.get(number).map_or(u16::MAX, |record| record.depth);
            self.raise(known, depth);
        }
        is_another
    }

    /// A redirect has led from the sitemap `number` to this URL. Returns `false` if that is another sitemap.
    pub(super) fn claim(&mut self, number: u32, location: &Url) -> bool {
        let digest = self.judge.digester.of(location.as_str());
        match self.known.get(&digest).copied() {
            Some(known) if known == number => true,
            Some(known) => {
                let depth = self.get(number).map_or(u16::MAX, |record| record.depth);
                self.raise(known, depth);
                false
            }
            None => {
                self.know(digest, number);
                if let Some(record) = self.get_mut(number)
                    && !is_too_long(location)
                {
                    record.rare().location = Some(location.as_str().into());
                }
                true
            }
        }
    }

    /// Sets what has become of a sitemap. `depth` is the depth at which it was requested.
    pub(super) fn finish(&mut self, number: u32, depth: u16, state: State) {
        let Some(record) = self.get_mut(number) else {
            return;
        };
        record.state = state;
        record.begin_anew();
        let raised = record.depth;
        record.depth = depth;
        let is_guess = record.is_guess;
        self.raise(number, raised);
        match state {
            State::Missing | State::Failed | State::Duplicate if is_guess => self.next_guess(),
            _ if is_guess => self.guesses.clear(),
            _ => {}
        }
    }

    /// Forgets that a sitemap was read. Returns the number of its pages.
    pub(super) fn requeue(&mut self, number: u32) -> Option<u32> {
        let record = self.get_mut(number)?;
        if matches!(record.state, State::Queued | State::Active) {
            return None;
        }
        record.state = State::Queued;
        record.is_read = false;
        record.attempts = 0;
        record.begin_anew();
        let pages = std::mem::take(&mut record.pages);
        self.schedule.push(number);
        Some(pages)
    }

    /// Tries these places one after the other, until there is a sitemap.
    pub(super) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        for place in places {
            self.guesses.push_back(place);
        }
        self.next_guess();
    }

    fn next_guess(&mut self) {
        while let Some(url) = self.guesses.pop_front() {
            let digest = self.judge.digester.of(url.as_str());
            if !self.known.contains_key(&digest) {
                let mut record = Record::new(url.as_str().into(), NONE, 1);
                record.is_guess = true;
                self.push(digest, record);
                return;
            }
        }
    }

    #[cfg(feature = "serde")]
    pub(super) fn has_guesses(&self) -> bool {
        !self.guesses.is_empty()
    }

    /// Takes over a sitemap of an earlier crawl.
    #[cfg(feature = "serde")]
    pub(super) fn restore(&mut self, mut record: Record) {
        let digest = self.judge.digester.of(&record.url);
        let Ok(number) = u32::try_from(self.records.len()) else {
            return;
        };
        if self.known.contains_key(&digest) {
            // The numbers of those after it must not change.
            record.state = State::Duplicate;
        } else {
            self.know(digest, number);
        }
        if let Some(location) = record.location() {
            let digest = self.judge.digester.of(location);
            self.known.entry(digest).or_insert(number);
        }
        if record.state == State::Queued {
            self.schedule.push(number);
        }
        self.records.push(record);
    }

    /// The next sitemap that may be requested now. `robots` is the URL of robots.txt.
    pub(super) fn next(&mut self, robots: &Url) -> Option<u32> {
        let records = &self.records;
        self.schedule.next(|number| {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            match records.get(at) {
                Some(record) => match record.target() {
                    Some(target) => target.authority(),
                    None => authority(&record.url),
                },
                None => robots.authority(),
            }
        })
    }
}

/// What came of the children of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adopted {
    All,
    /// Some were left out.
    Some,
    /// There are more than may be read.
    Full,
}

/// Host and port of an http or https URL in its normal form, without user and password.
fn authority(url: &str) -> &str {
    let rest = url
        .split_once(':')
        .and_then(|(_, rest)| rest.strip_prefix("//"));
    let rest = rest.unwrap_or(url);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}
