//! When a host may be asked: at most so many requests at a time, a delay after each response, and the pauses that the host
//! requires.

#[cfg(feature = "serde")]
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use url::Url;

/// Origins that are remembered before those that are free are dropped.
const ORIGINS: usize = 1_000;

/// The pace of requests to hosts: how many are at work at a time, the delay between the end of a response and the next
/// request, and the pauses that hosts require. A host is counted with its port.
///
/// Clones share what is known of the hosts, so several crawls, and requests of your own, can keep one pace: pass a clone to
/// [`CrawlBuilder::pace`](super::CrawlBuilder::pace). The pace has no clock.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use quick_sitemap::url::Url;
/// use quick_sitemap_crawl::{Pace, Turn};
///
/// let pace = Pace::new().delay(Duration::from_secs(2));
/// let url = Url::parse("https://example.com/a")?;
/// let now = SystemTime::UNIX_EPOCH;
/// let Turn::Now(permit) = pace.turn(&url, now) else { panic!() };
/// assert!(matches!(pace.turn(&url, now), Turn::Busy));
/// let end = now + Duration::from_secs(9);
/// permit.end(end);
/// let Turn::Wait(until) = pace.turn(&url, end) else { panic!() };
/// assert_eq!(until, end + Duration::from_secs(2));
/// # Ok::<(), quick_sitemap::url::ParseError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Pace {
    pub(super) delay: Duration,
    /// In addition to one.
    more_per_host: usize,
    hosts: Arc<Mutex<Hosts>>,
}

/// The answer to whether a host may be asked. From [`Pace::turn`].
///
/// The enum can be matched without a wildcard, because no variants will be added.
#[derive(Debug)]
pub enum Turn {
    /// The request can be sent. Keep the permit until the response has ended.
    Now(Permit),
    /// The host is to be left alone until then.
    Wait(SystemTime),
    /// As many requests to the host as are allowed at a time are at work.
    Busy,
}

/// The permission for one request. If it is dropped, the request counts as ended when it began.
#[derive(Debug)]
#[must_use = "the request counts as ended if the permit is dropped"]
pub struct Permit {
    authority: Arc<str>,
    hosts: Arc<Mutex<Hosts>>,
    began: SystemTime,
    /// The latest time of the host before that.
    before: Option<SystemTime>,
}

#[derive(Debug, Default)]
struct Hosts {
    /// By host and port.
    origins: HashMap<Arc<str>, Origin>,
    /// By host.
    delays: HashMap<String, Duration>,
    /// The longest `Crawl-delay` of each host that any crawl keeps.
    least: HashMap<String, Duration>,
    /// The longest delay of all clones and hosts: so long, the latest time of an origin is needed.
    longest: Duration,
}

#[derive(Debug, Default)]
struct Origin {
    at_work: usize,
    /// The latest beginning of a request, or end of a response.
    latest: Option<SystemTime>,
    /// The end of the longest pause that the host has required.
    paused_until: Option<SystemTime>,
}

impl Pace {
    /// Creates a pace of one request at a time to each host, without a delay.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the delay between the end of a response and the next request to its host. The default is none. Other clones keep
    /// theirs, and requests of all clones count for each.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self.lock().keep(delay);
        self
    }

    /// Sets how many requests to one host can be at work at a time. The default and the minimum is 1. Other clones keep
    /// theirs.
    pub fn per_host(mut self, requests: usize) -> Self {
        self.more_per_host = requests.saturating_sub(1);
        self
    }

    /// Sets the delay of one host, with any port, in place of the general one and for all clones. `host` is a name or an IP
    /// address (IPv6 in brackets).
    pub fn set_delay(&self, host: impl AsRef<str>, delay: Duration) {
        let url = Url::parse(&format!("https://{}/", host.as_ref())).ok();
        if let Some(host) = url.as_ref().and_then(Url::host_str) {
            let mut hosts = self.lock();
            hosts.keep(delay);
            hosts.delays.insert(host.to_owned(), delay);
        }
    }

    /// Sets the least delay of the host of this URL, whatever the delay of a clone is.
    pub(super) fn keep_delay(&self, url: &Url, delay: Duration) {
        let mut hosts = self.lock();
        hosts.keep(delay);
        let host = url.host_str().unwrap_or_default();
        let least = hosts.least.entry(host.to_owned()).or_default();
        *least = delay.max(*least);
    }

    /// Sets that the host of this URL requires a pause, as with a `Retry-After`. A longer pause that has begun stays.
    pub fn pause(&self, url: &Url, wait: Duration, now: SystemTime) {
        self.pause_until(url.authority(), after(now, wait));
    }

    /// Returns whether the host of this URL can be asked now. Ask again at the time of a [`Turn::Wait`], and after the end of
    /// another request for a [`Turn::Busy`].
    #[must_use]
    pub fn turn(&self, url: &Url, now: SystemTime) -> Turn {
        self.ask(url.authority(), now)
    }

    /// The delay to another request begins under the same lock, so no two crawls get the same turn.
    pub(super) fn ask(&self, authority: &str, now: SystemTime) -> Turn {
        let mut hosts = self.lock();
        let delay = hosts.delay_of(authority, self.delay);
        let (authority, origin) = hosts.origin(authority, now);
        match origin.free(delay) {
            _ if origin.at_work > self.more_per_host => return Turn::Busy,
            Some(free) if free > now => return Turn::Wait(free),
            _ => origin.at_work += 1,
        }
        let before = origin.latest;
        origin.latest = before.max(Some(now));
        Turn::Now(Permit {
            authority,
            hosts: Arc::clone(&self.hosts),
            began: now,
            before,
        })
    }

    /// The time that is left of the pause of a host.
    pub(super) fn pause_of(&self, authority: &str, now: SystemTime) -> Option<Duration> {
        let until = self.lock().origins.get(authority)?.paused_until?;
        until.duration_since(now).ok()
    }

    pub(super) fn pause_until(&self, authority: &str, until: SystemTime) {
        let mut hosts = self.lock();
        let (_, origin) = hosts.origin(authority, SystemTime::UNIX_EPOCH);
        origin.paused_until = origin.paused_until.max(Some(until));
    }

    /// The hosts, with their ports, whose pauses are not over, and the ends of these.
    #[cfg(feature = "serde")]
    pub(super) fn pauses(&self, now: SystemTime) -> BTreeMap<String, SystemTime> {
        let hosts = self.lock();
        let origins = hosts.origins.iter();
        let pauses =
            origins.filter_map(|(name, origin)| Some((name.to_string(), origin.paused_until?)));
        pauses.filter(|(_, until)| *until > now).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hosts {
    fn keep(&mut self, delay: Duration) {
        self.longest = self.longest.max(delay);
    }

    /// `own` is that of the clone.
    fn delay_of(&self, authority: &str, own: Duration) -> Duration {
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        };
        let least = self.least.get(host).copied().unwrap_or_default();
        self.delays.get(host).copied().unwrap_or(own).max(least)
    }

    /// Creates the origin if it is unknown.
    fn origin(&mut self, authority: &str, now: SystemTime) -> (Arc<str>, &mut Origin) {
        let known = self.origins.get_key_value(authority);
        let name = known.map_or_else(|| authority.into(), |(name, _)| Arc::clone(name));
        if known.is_none() && self.origins.len() % ORIGINS == ORIGINS - 1 {
            let longest = self.longest;
            self.origins
                .retain(|_, origin| origin.at_work > 0 || origin.free(longest) > Some(now));
        }
        let origin = self.origins.entry(Arc::clone(&name)).or_default();
        (name, origin)
    }
}

impl Origin {
    /// There is no request before this time.
    fn free(&self, delay: Duration) -> Option<SystemTime> {
        let after = self.latest.map(|latest| after(latest, delay));
        after.max(self.paused_until)
    }
}

impl Permit {
    /// The response has ended, or has failed. The delay of the host begins.
    pub fn end(self, now: SystemTime) {
        self.origin(|origin| origin.latest = origin.latest.max(Some(now)));
    }

    /// No request is sent, so the host need not be left alone.
    pub(super) fn give_back(self) {
        self.origin(|origin| {
            if origin.latest == Some(self.began) {
                origin.latest = self.before;
            }
        });
    }

    pub(super) fn authority(&self) -> &Arc<str> {
        &self.authority
    }

    fn origin(&self, change: impl FnOnce(&mut Origin)) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(origin) = hosts.origins.get_mut(&self.authority) {
            change(origin);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.origin(|origin| origin.at_work = origin.at_work.saturating_sub(1));
    }
}

/// A later time: at most the end of the year 9999, which every system can represent.
pub(super) fn after(time: SystemTime, wait: Duration) -> SystemTime {
    const LATEST: Duration = Duration::from_secs(253_402_300_799);
    let latest = SystemTime::UNIX_EPOCH.checked_add(LATEST).unwrap_or(time);
    time.checked_add(wait).map_or(latest, |at| at.min(latest))
}
