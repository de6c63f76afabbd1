//! The sitemaps that are known: which are to be read, which are done, and which are left out.
//!
//! This is all that grows with a site, and it grows with the number of its sitemaps up to `--max-sitemaps`, never with
//! that of its pages: what is beyond a bound is counted, not kept.

use std::collections::{HashSet, VecDeque};

use quick_sitemap::Completeness;
use quick_sitemap::url::{Host, Url};
use serde::{Deserialize, Serialize};

/// Sitemaps left out for one reason that are named; the others are counted.
const NAMED: usize = 5;

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
    },
    /// Not read to its end, since a bound was reached, or read, but lists sitemaps that were left out. A crawl that is
    /// resumed, with higher bounds perhaps, reads it again.
    Partial,
    Failed {
        reason: String,
    },
    /// Nobody names it, and there is no sitemap.
    Absent,
    /// Leads by a redirect to another one that is known.
    Alias,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Skipped {
    pub(crate) count: u64,
    pub(crate) first: String,
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
    pub(crate) count: u64,
    /// The first ones.
    pub(crate) named: Vec<Url>,
}

impl LeftOut {
    fn add(&mut self, url: Url) {
        self.count += 1;
        if self.named.len() < NAMED {
            self.named.push(url);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Added {
    Queued,
    Known,
    /// On another host, or too deep.
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
    known: HashSet<Url>,
    /// Where sitemaps may be without `--other-hosts`.
    hosts: HashSet<String>,
    /// Places to be looked at as long as there is no sitemap.
    guesses: VecDeque<Url>,
    pub(crate) other_host: LeftOut,
    pub(crate) too_deep: LeftOut,
    pub(crate) is_full: bool,
}

impl Frontier {
    pub(crate) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            tasks: Vec::new(),
            queue: VecDeque::new(),
            known: HashSet::new(),
            hosts: HashSet::new(),
            guesses: VecDeque::new(),
            other_host: LeftOut::default(),
            too_deep: LeftOut::default(),
            is_full: false,
        }
    }

    /// Takes up what an earlier crawl has left: all but what is done is queued.
    pub(crate) fn resume(&mut self, tasks: Vec<Task>, hosts: impl IntoIterator<Item = String>) {
        self.hosts.extend(hosts);
        for mut task in tasks {
            let is_done = matches!(
                task.state,
                State::Done { .. } | State::Alias | State::Absent
            );
            if !self.known.insert(task.url.clone()) {
                continue;
            }
            if is_done {
                self.known.extend(task.location.clone());
            } else {
                task.location = None;
                task.state = State::Queued;
                self.queue.push_back(self.tasks.len());
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

    /// What the site itself names: it may be on any host, and so may what it lists on that host.
    pub(crate) fn add_root(&mut self, url: Url) -> Added {
        self.trust(&url);
        self.add(url, 1)
    }

    pub(crate) fn add(&mut self, mut url: Url, depth: usize) -> Added {
        url.set_fragment(None);
        if self.known.contains(&url) {
            return Added::Known;
        }
        if !self.is_trusted(&url) {
            self.other_host.add(url);
            return Added::LeftOut;
        }
        if depth > self.bounds.depth {
            self.too_deep.add(url);
            return Added::LeftOut;
        }
        self.push(url, depth, false)
    }

    fn push(&mut self, url: Url, depth: usize, is_guess: bool) -> Added {
        if self.tasks.len() >= self.bounds.sitemaps {
            self.is_full = true;
            return Added::Full;
        }
        self.known.insert(url.clone());
        self.queue.push_back(self.tasks.len());
        self.tasks.push(Task {
            url,
            depth,
            location: None,
            is_guess,
            state: State::Queued,
            given: Given::default(),
        });
        Added::Queued
    }

    /// A redirect has led from the sitemap `number` to this URL. `false`: that is known already, by itself.
    pub(crate) fn claim(&mut self, number: usize, location: &Url) -> bool {
        let mut location = location.clone();
        location.set_fragment(None);
        let is_new = self.known.insert(location.clone());
        match self.tasks.get_mut(number) {
            Some(task) if task.url == location || task.location.as_ref() == Some(&location) => true,
            Some(task) if is_new => {
                task.location = Some(location);
                true
            }
            _ => is_new,
        }
    }

    /// Places to look at, one after the other, until there is a sitemap.
    pub(crate) fn guess(&mut self, places: impl IntoIterator<Item = Url>) {
        self.guesses.extend(places);
        self.next_guess();
    }

    pub(crate) fn next_guess(&mut self) {
        while let Some(url) = self.guesses.pop_front() {
            if !self.known.contains(&url) {
                self.push(url, 1, true);
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

    pub(crate) fn finish(&mut self, number: usize, state: State, given: Given) {
        if let Some(task) = self.tasks.get_mut(number) {
            task.state = state;
            task.given = given;
        }
    }
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

    #[test]
    fn bounds_are_kept_and_nothing_is_kept_beyond_them() {
        let mut frontier = frontier();
        assert_eq!(
            frontier.add_root(url("https://example.com/a.xml")),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/a.xml#x"), 2),
            Added::Known
        );
        assert_eq!(
            frontier.add(url("https://www.example.com/b.xml"), 2),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/c.xml"), 3),
            Added::LeftOut
        );
        for number in 0..100 {
            let other = url(&format!("https://example.org/{number}.xml"));
            assert_eq!(frontier.add(other, 2), Added::LeftOut);
        }
        assert_eq!(
            (frontier.other_host.count, frontier.other_host.named.len()),
            (100, NAMED)
        );
        assert_eq!(frontier.too_deep.count, 1);
        assert_eq!(
            frontier.add(url("https://example.com/d.xml"), 2),
            Added::Queued
        );
        assert_eq!(
            frontier.add(url("https://example.com/e.xml"), 2),
            Added::Full
        );
        assert_eq!(frontier.tasks.len(), 3);
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
