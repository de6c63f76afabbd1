//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site. It grows with the number of its sitemaps up to `--max-sitemaps`, and never with
//! that of its pages: what is beyond a bound is counted, not kept. A URL is kept once and has at most [`LONGEST`](crate::address::LONGEST)
//! characters.
//!
//! What is read does not depend on the order in which responses come. Each listing of a sitemap is judged by where the
//! index was read that lists it. A sitemap that is listed in several places is read if one of the listings is good, at
//! the depth of the best.

use std::collections::{HashSet, VecDeque};

use quick_sitemap::Completeness;
use quick_sitemap::url::{Host, Url};
use serde::{Deserialize, Serialize};

use crate::address::{bare, is_too_long};
use crate::clipped::clipped;
use crate::digest::{Digest, DigestMap, Digester};
use crate::shortened::shortened;

/// Sitemaps left out for one reason that are named; the others are counted.
const NAMED: usize = 5;
/// Characters of a reason or a finding that are kept.
const REASON: usize = 600;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) sitemaps: usize,
    pub(crate) depth: usize,
    pub(crate) other_hosts: bool,
}

/// One sitemap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) url: Url,
    /// 1 for what robots.txt names.
    pub(crate) depth: usize,
    /// Where redirects have led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) location: Option<Url>,
    /// Nobody names it: it is where sitemaps often are.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) is_guess: bool,
    /// It lists sitemaps.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) is_index: bool,
    #[serde(flatten)]
    pub(crate) state: State,
    /// Pages of it that stand in the output.
    #[serde(default, skip_serializing_if = "Given::is_nothing")]
    pub(crate) given: Given,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub(crate) enum State {
    /// To be read; or being read, which a crawl that is resumed begins anew.
    Queued,
    /// Read to its end.
    Done {
        completeness: Completeness,
        /// Entries that could not be used, and the first of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skipped: Option<Skipped>,
        /// It lists sitemaps that were left out. A crawl that is resumed, with higher bounds perhaps, reads it again.
        #[serde(default, skip_serializing_if = "is_false")]
        has_left_out: bool,
    },
    /// Not read to its end, since a bound was reached. A crawl that is resumed reads it again.
    Partial,
    Failed {
        reason: String,
    },
    /// Nobody names it, and there is no sitemap.
    Absent,
    /// Leads by a redirect to another one that is known.
    Alias,
}

impl State {
    pub(crate) fn failed(reason: &str) -> Self {
        let reason = shortened(reason, REASON).into_owned();
        Self::Failed { reason }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skipped {
    pub(crate) count: u64,
    pub(crate) first: String,
}

impl Skipped {
    pub(crate) fn new(count: u64, first: &str) -> Self {
        let first = shortened(first, REASON).into_owned();
        Self { count, first }
    }
}

/// The first pages of a sitemap, as they were put out: so that they are not put out again when it is read again, unless
/// it has changed meanwhile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) pages: u64,
    /// Of their lines.
    pub(crate) hash: u64,
}

impl Given {
    fn is_nothing(&self) -> bool {
        self.pages == 0
    }
}

/// Sitemaps that are listed, but not read, for one reason.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut {
    count: u64,
    /// The first ones in the order of their URLs, as messages show them.
    named: Vec<(String, Digest)>,
    /// Those that count once, and not at all if they are read after all: as many as there may be sitemaps.
    counted: DigestMap<()>,
}

impl LeftOut {
    fn add(&mut self, digest: Digest, url: &Url, most: usize) {
        if self.counted.contains_key(&digest) {
            return;
        }
        if self.counted.len() < most {
            self.counted.insert(digest, ());
        }
        self.count += 1;
        let is_later = |(last, _): &(String, Digest)| last.as_str() <= url.as_str();
        if self.named.len() == NAMED && self.named.last().is_some_and(is_later) {
            return;
        }
        let named = (clipped(url.as_str()).into_owned(), digest);
        let at = self.named.partition_point(|before| *before < named);
        self.named.insert(at, named);
        self.named.truncate(NAMED);
    }

    /// The sitemap is read after all.
    fn remove(&mut self, digest: Digest) {
        if self.counted.remove(&digest).is_some() {
            self.count -= 1;
            self.named.retain(|(_, named)| *named != digest);
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The first ones in the order of their URLs, as messages show them.
    pub(crate) fn named(&self) -> impl ExactSizeIterator<Item = &str> {
        self.named.iter().map(|(url, _)| url.as_str())
    }
}

/// A sitemap that lists others.
#[derive(Clone, Debug)]
pub(crate) struct Lister {
    number: usize,
    depth: usize,
    /// The host that it trusts, besides those of the site. A sitemap that the site itself names may be anywhere, and so
    /// may those that it lists beside it.
    host: Option<String>,
}

impl Lister {
    /// The sitemap `number`, and where it was read.
    pub(crate) fn new(number: usize, depth: usize, location: &Url) -> Self {
        Self {
            number,
            depth,
            host: match depth {
                1 => host(location),
                _ => None,
            },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    Queued,
    Known,
    /// On another host, too deep, or with too long a URL.
    LeftOut,
    /// There are as many as may be.
    Full,
}

#[derive(Debug)]
pub(crate) struct Frontier {
    bounds: Bounds,
    /// In the order in which they were found.
    pub(crate) tasks: Vec<Task>,
    queue: VecDeque<usize>,
    /// The sitemap that each known URL is that of, or leads to.
    known: DigestMap<usize>,
    digester: Digester,
    /// Where sitemaps may be without `--other-hosts`.
    hosts: HashSet<String>,
    /// Places to be looked at as long as there is no sitemap.
    guesses: VecDeque<Url>,
    pub(crate) other_host: LeftOut,
    pub(crate) too_deep: LeftOut,
    pub(crate) too_long: LeftOut,
    pub(crate) is_full: bool,
}

impl Frontier {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            tasks: Vec::new(),
            queue: VecDeque::new(),
            known: DigestMap::default(),
            digester: Digester::default(),
            hosts: HashSet::new(),
            guesses: VecDeque::new(),
            other_host: LeftOut::default(),
            too_deep: LeftOut::default(),
            too_long: LeftOut::default(),
            is_full: false,
        }
    }

    /// Takes up what an earlier crawl has left: all but what is done is queued.
    pub(crate) fn resume(&mut self, tasks: Vec<Task>, hosts: impl IntoIterator<Item = String>) {
        self.hosts.extend(hosts);
        for mut task in tasks {
            let is_done = match task.state {
                State::Done { has_left_out, .. } => !has_left_out,
                State::Alias | State::Absent => true,
                State::Queued | State::Partial | State::Failed { .. } => false,
            };
            // Earlier versions stored user and password.
            task.url = bare(task.url);
            task.location = task.location.map(bare).filter(|_| is_done);
            let number = self.tasks.len();
            let digest = self.digester.of(task.url.as_str());
            if self.known.contains_key(&digest) {
                continue;
            }
            self.known.insert(digest, number);
            if let Some(location) = &task.location {
                let digest = self.digester.of(location.as_str());
                self.known.entry(digest).or_insert(number);
            }
            if !is_done {
                task.state = State::Queued;
                self.queue.push_back(number);
            }
            self.tasks.push(task);
        }
    }

    pub(crate) fn hosts(&self) -> impl Iterator<Item = &String> {
        self.hosts.iter()
    }

    /// Sitemaps of this URL's host belong to the site.
    pub(crate) fn trust(&mut self, url: &Url) {
        self.hosts.extend(host(url));
    }

    pub(crate) fn is_trusted(&self, url: &Url) -> bool {
        self.bounds.other_hosts || host(url).is_some_and(|host| self.hosts.contains(&host))
    }

    /// Whether a redirect from a sitemap may lead there.
    pub(crate) fn is_trusted_by(&self, to: &Url, from: &Url) -> bool {
        self.is_trusted(to) || host(to) == host(from)
    }

    /// The one sitemap that was asked for.
    pub(crate) fn add_asked(&mut self, url: Url) {
        self.trust(&url);
        self.add_at(url, 1);
    }

    /// What robots.txt names: it may be on any host, and so may what is listed on that host.
    pub(crate) fn add_root(&mut self, url: Url) -> Added {
        let url = without_fragment(bare(url));
        if is_too_long(&url) {
            return self.leave_out(Reason::TooLong, &url);
        }
        self.trust(&url);
        self.add_at(url, 1)
    }

    /// What a sitemap lists.
    pub(crate) fn add(&mut self, url: Url, lister: &Lister) -> Added {
        if let Some(task) = self.tasks.get_mut(lister.number) {
            task.is_index = true;
        }
        let url = without_fragment(bare(url));
        if is_too_long(&url) {
            return self.leave_out(Reason::TooLong, &url);
        }
        let is_beside = || lister.host.is_some() && host(&url) == lister.host;
        if !self.is_trusted(&url) && !is_beside() {
            return self.leave_out(Reason::OtherHost, &url);
        }
        if lister.depth >= self.bounds.depth {
            return self.leave_out(Reason::TooDeep, &url);
        }
        self.add_at(url, lister.depth + 1)
    }

    /// Counts a listing that is not followed, unless the sitemap is read because of another one.
    fn leave_out(&mut self, reason: Reason, url: &Url) -> Added {
        let digest = self.digester.of(url.as_str());
        if self.known.contains_key(&digest) {
            return Added::Known;
        }
        let left_out = match reason {
            Reason::OtherHost => &mut self.other_host,
            Reason::TooDeep => &mut self.too_deep,
            Reason::TooLong => &mut self.too_long,
        };
        left_out.add(digest, url, self.bounds.sitemaps);
        Added::LeftOut
    }

    fn add_at(&mut self, url: Url, depth: usize) -> Added {
        let url = without_fragment(url);
        let digest = self.digester.of(url.as_str());
        match self.known.get(&digest).copied() {
            Some(number) => {
                self.raise(number, depth);
                Added::Known
            }
            None => self.push(digest, url, depth, false),
        }
    }

    fn push(&mut self, digest: Digest, url: Url, depth: usize, is_guess: bool) -> Added {
        if self.tasks.len() >= self.bounds.sitemaps {
            self.is_full = true;
            return Added::Full;
        }
        self.know(digest, self.tasks.len());
        self.queue.push_back(self.tasks.len());
        self.tasks.push(Task {
            url,
            depth,
            location: None,
            is_guess,
            is_index: false,
            state: State::Queued,
            given: Given::default(),
        });
        Added::Queued
    }

    fn know(&mut self, digest: Digest, number: usize) {
        self.known.insert(digest, number);
        self.other_host.remove(digest);
        self.too_deep.remove(digest);
        self.too_long.remove(digest);
    }

    /// The sitemap is listed less deep than was known. If it lists others, which were judged by that, it is read again.
    fn raise(&mut self, number: usize, depth: usize) {
        let Some(task) = self.tasks.get_mut(number) else {
            return;
        };
        if depth >= task.depth {
            return;
        }
        task.depth = depth;
        if task.is_index && task.state != State::Queued {
            task.state = State::Queued;
            self.queue.push_back(number);
        }
    }

    /// A redirect has led from the sitemap `number` to this URL. `false`: that is known already, by itself.
    pub(crate) fn claim(&mut self, number: usize, location: &Url) -> bool {
        let location = without_fragment(location.clone());
        let digest = self.digester.of(location.as_str());
        match self.known.get(&digest).copied() {
            Some(known) if known == number => true,
            Some(known) => {
                let depth = self.tasks.get(number).map_or(usize::MAX, |task| task.depth);
                self.raise(known, depth);
                false
            }
            None => {
                self.know(digest, number);
                if let Some(task) = self.tasks.get_mut(number) {
                    task.location = Some(location).filter(|url| !is_too_long(url));
                }
                true
            }
        }
    }

    /// Places to look at, one after the other, until there is a sitemap.
    pub(crate) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        self.guesses.extend(places);
        self.next_guess();
    }

    pub(crate) fn next_guess(&mut self) {
        while let Some(url) = self.guesses.pop_front() {
            let digest = self.digester.of(url.as_str());
            if !self.known.contains_key(&digest) {
                self.push(digest, url, 1, true);
                return;
            }
        }
    }

    pub(crate) fn end_guesses(&mut self) {
        self.guesses.clear();
    }

    pub(crate) fn has_guesses(&self) -> bool {
        !self.guesses.is_empty()
    }

    pub(crate) fn next(&mut self) -> Option<usize> {
        self.queue.pop_front()
    }

    pub(crate) fn has_queued(&self) -> bool {
        !self.queue.is_empty()
    }

    /// `depth` is the depth that the sitemap had when it was read.
    pub(crate) fn finish(&mut self, number: usize, depth: usize, state: State, given: Given) {
        let Some(task) = self.tasks.get_mut(number) else {
            return;
        };
        task.state = state;
        task.given = given;
        let raised = task.depth;
        task.depth = depth;
        self.raise(number, raised);
    }
}

#[derive(Clone, Copy, Debug)]
enum Reason {
    OtherHost,
    TooDeep,
    TooLong,
}

fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

/// `www.example.com` and `example.com` are one site to its visitors, and often mixed up in its sitemaps.
fn host(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(name) => Some(name.strip_prefix("www.").unwrap_or(name).to_owned()),
        address => Some(address.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn frontier() -> Frontier {
        Frontier::new(Bounds {
            sitemaps: 3,
            depth: 2,
            other_hosts: false,
        })
    }

    /// A sitemap at that depth that lists others.
    fn lister(depth: usize) -> Lister {
        Lister::new(0, depth, &url("https://example.com/a.xml"))
    }

    #[test]
    fn bounds_are_kept_and_nothing_is_kept_beyond_them() {
        let mut frontier = frontier();
        assert_eq!(
            frontier.add_root(url("https://example.com/a.xml")),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/a.xml#x"), &lister(1)),
            Added::Known
        );
        assert_eq!(
            frontier.add(url("https://www.example.com/b.xml"), &lister(1)),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/c.xml"), &lister(2)),
            Added::LeftOut
        );
        for number in 0..100 {
            let other = url(&format!("https://example.org/{number}.xml"));
            assert_eq!(frontier.add(other, &lister(1)), Added::LeftOut);
        }
        assert_eq!(
            (frontier.other_host.count, frontier.other_host.named.len()),
            (100, NAMED)
        );
        assert_eq!(frontier.other_host.counted.len(), 3);
        assert_eq!(frontier.too_deep.count, 1);
        assert_eq!(
            frontier.add(url("https://example.com/d.xml"), &lister(1)),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/e.xml"), &lister(1)),
            Added::Full
        );
        assert_eq!(frontier.tasks.len(), 3);
    }

    #[test]
    fn a_url_that_is_too_long_is_counted_and_not_kept() {
        let long = |length: usize| {
            let begin = "https://example.com/";
            url(&format!("{begin}{}", "x".repeat(length - begin.len())))
        };
        let mut frontier = frontier();
        frontier.add_root(url("https://example.com/a.xml"));
        assert_eq!(frontier.add(long(2_047), &lister(1)), Added::Queued);
        assert_eq!(frontier.add(long(2_048), &lister(1)), Added::LeftOut);
        assert_eq!(frontier.add(long(1_900_000), &lister(1)), Added::LeftOut);
        assert_eq!(frontier.add_root(long(500_000)), Added::LeftOut);
        // A page at such a URL is read, but the URL is not kept.
        assert!(frontier.claim(1, &long(60_000)));
        assert_eq!(frontier.tasks[1].location, None);
        assert_eq!(frontier.too_long.count(), 3);
        for named in frontier.too_long.named() {
            assert!(named.len() < 210, "{}", named.len());
        }
        let mut state = State::failed(&"x".repeat(1_900_000));
        assert!(matches!(&state, State::Failed { reason } if reason.len() < 610));
        state = State::Partial;
        frontier.finish(1, 2, state, Given::default());
        assert!(serde_json::to_string(&frontier.tasks).unwrap().len() < 3_000);
    }

    #[test]
    fn a_login_that_a_sitemap_names_is_not_kept() {
        let mut frontier = frontier();
        frontier.add_root(url("https://me:secret@example.com/a.xml"));
        frontier.add(url("https://me:secret@example.com/b.xml"), &lister(1));
        frontier.add(url("https://me:secret@example.org/b.xml"), &lister(1));
        assert!(!format!("{frontier:?}").contains("secret"));
        assert_eq!(frontier.tasks[1].url, url("https://example.com/b.xml"));
    }

    /// Where a sitemap is after redirects, and what it lists. S is the site, X another host.
    fn answer(url: &str) -> (&str, &[&str]) {
        match url {
            "a" => ("X/a", &["X/1", "X/2", "s", "moved", "round"]),
            "X/a" => ("X/a", &[]),
            "b" => ("b", &["X/1", "X/2", "X/3", "t", "a"]),
            "c" => ("X/2", &["X/4", "X/6", "u"]),
            "X/2" => ("X/2", &["X/4", "X/6", "u"]),
            "d" => ("t", &["deep", "X/7"]),
            "t" => ("t", &["deep", "X/7"]),
            "s" | "u" => ("u", &["t", "X/3", "deeper", "a"]),
            "deep" => ("deep", &["deeper", "u"]),
            "deeper" => ("deeper", &["deepest", "b"]),
            "moved" => ("X/5", &["X/9"]),
            "round" => ("X/1", &[]),
            other => (other, &[]),
        }
    }

    /// What is read, and how many sitemaps are left out, if the responses come in an order of chance.
    fn crawled(chance: &mut fastrand::Rng) -> (Vec<String>, u64, u64) {
        let full = |name: &str| match name.strip_prefix("X/") {
            Some(name) => url(&format!("https://x.example/{name}")),
            None => url(&format!("https://s.example/{name}")),
        };
        let name = |url: &Url| match url.host_str() {
            Some("x.example") => format!("X{}", url.path()),
            _ => url.path()[1..].to_owned(),
        };
        let mut frontier = Frontier::new(Bounds {
            sitemaps: 100,
            depth: 3,
            other_hosts: false,
        });
        for root in ["a", "b", "c", "d"] {
            frontier.add_root(full(root));
        }
        let mut read = std::collections::BTreeSet::new();
        let mut asked: Vec<(usize, Task)> = Vec::new();
        loop {
            while asked.len() < 4
                && let Some(number) = frontier.next()
            {
                asked.push((number, frontier.tasks[number].clone()));
            }
            if asked.is_empty() {
                break;
            }
            let (number, task) = asked.swap_remove(chance.usize(..asked.len()));
            let asked_for = name(&task.url);
            let (location, lists) = answer(&asked_for);
            let location = full(location);
            let state = if task.depth > 1 && !frontier.is_trusted_by(&location, &task.url) {
                State::failed("redirect")
            } else if location != task.url && !frontier.claim(number, &location) {
                State::Alias
            } else {
                read.insert(name(&location));
                let lister = Lister::new(number, task.depth, &location);
                let mut has_left_out = false;
                for listed in lists {
                    has_left_out |= frontier.add(full(listed), &lister) == Added::LeftOut;
                }
                State::Done {
                    completeness: Completeness::Complete,
                    skipped: None,
                    has_left_out,
                }
            };
            frontier.finish(number, task.depth, state, Given::default());
        }
        (
            read.into_iter().collect(),
            frontier.other_host.count(),
            frontier.too_deep.count(),
        )
    }

    #[test]
    fn what_is_read_does_not_depend_on_the_order_of_responses() {
        let mut chance = fastrand::Rng::with_seed(26);
        for _ in 0..2_000 {
            let (read, other_host, too_deep) = crawled(&mut chance);
            let expected = [
                // X/1 and X/2 are listed by `a`, which redirects to X; X/4 and X/6 by X/2, to which `c` redirects. `d`
                // redirects to `t`, which makes `t` one of the first sitemaps, but not X one of its hosts.
                "X/1", "X/2", "X/4", "X/6", "X/a", "b", "deep", "deeper", "t", "u",
            ];
            assert_eq!(read, expected);
            // X/3 and X/7.
            assert_eq!((other_host, too_deep), (2, 1));
        }
    }

    #[test]
    fn a_redirect_to_what_is_known_is_an_alias() {
        let mut frontier = frontier();
        frontier.add_root(url("https://example.com/a.xml"));
        frontier.add_root(url("https://example.com/b.xml"));
        assert!(frontier.claim(0, &url("https://example.com/a.xml")));
        assert!(!frontier.claim(0, &url("https://example.com/b.xml")));
        assert!(frontier.claim(0, &url("https://example.com/c.xml")));
        assert!(!frontier.claim(1, &url("https://example.com/c.xml")));
    }
}
