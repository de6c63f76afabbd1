//! When a host may be asked: at most so many requests at a time, a delay after each response, and the pauses that the host
//! requires.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use url::Url;

/// Origins that are remembered before those that are free are dropped.
const ORIGINS: usize = 1_000;
/// The last second of the year 9999, which every system can represent.
pub(super) const LATEST: Duration = Duration::from_secs(253_402_300_799);

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
#[derive(Debug, Clone)]
pub struct Pace {
    delay: Duration,
    per_host: usize,
    hosts: Arc<Mutex<Hosts>>,
}

/// The answer to whether a host may be asked. From [`Pace::turn`].
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
}

#[derive(Debug, Default)]
struct Hosts {
    /// By host and port.
    origins: HashMap<Arc<str>, Origin>,
    /// By host.
    delays: HashMap<String, Duration>,
}

/// Times are durations since the Unix epoch.
#[derive(Debug, Default)]
struct Origin {
    at_work: usize,
    /// The latest beginning of a request, or end of a response.
    latest: Option<Duration>,
    pause: Option<Pause>,
}

/// A pause that a host requires.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pause {
    pub(super) until: Duration,
    /// The pause that was required, until then.
    pub(super) wait: Duration,
}

impl Pause {
    pub(super) fn new(wait: Duration, now: Duration) -> Self {
        let until = now.saturating_add(wait).min(LATEST);
        Self { until, wait }
    }
}

/// A turn, in the terms of a crawl.
pub(super) enum Answer {
    Now(Permit),
    Wait(Duration),
    Busy,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new()
    }
}

impl Pace {
    /// Creates a pace of one request at a time to each host, without a delay.
    #[must_use]
    pub fn new() -> Self {
        Self {
            delay: Duration::ZERO,
            per_host: 1,
            hosts: Arc::default(),
        }
    }

    /// Sets the delay between the end of a response and the next request to its host. The default is none. Other clones keep
    /// theirs.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets how many requests to one host can be at work at a time. The default and the minimum is 1. Other clones keep
    /// theirs.
    #[must_use]
    pub fn per_host(mut self, requests: usize) -> Self {
        self.per_host = requests.max(1);
        self
    }

    /// Sets the delay of one host, with any port, in place of the general one and for all clones. `host` is a name or an IP
    /// address (IPv6 in brackets).
    pub fn set_delay(&self, host: impl AsRef<str>, delay: Duration) {
        let url = Url::parse(&format!("https://{}/", host.as_ref())).ok();
        if let Some(host) = url.as_ref().and_then(Url::host_str) {
            self.lock().delays.insert(host.to_owned(), delay);
        }
    }

    /// Sets that the host of this URL requires a pause, as with a `Retry-After`.
    pub fn pause(&self, url: &Url, wait: Duration, now: SystemTime) {
        self.set_pause(url.authority(), wait, since_epoch(now));
    }

    /// Returns whether the host of this URL can be asked now. Ask again at the time of a [`Turn::Wait`], and after the end of
    /// another request for a [`Turn::Busy`].
    #[must_use]
    pub fn turn(&self, url: &Url, now: SystemTime) -> Turn {
        match self.ask(url.authority(), since_epoch(now)) {
            Answer::Now(permit) => {
                permit.begin_at(since_epoch(now));
                Turn::Now(permit)
            }
            Answer::Wait(until) => Turn::Wait(system_time(until)),
            Answer::Busy => Turn::Busy,
        }
    }

    pub(super) fn ask(&self, authority: &str, now: Duration) -> Answer {
        let mut hosts = self.lock();
        let delay = hosts.delay_of(authority).unwrap_or(self.delay);
        let (name, origin) = hosts.origin(authority, now, self.delay);
        if origin.at_work >= self.per_host {
            return Answer::Busy;
        }
        let free = origin.free(delay);
        if free > now {
            return Answer::Wait(free);
        }
        origin.at_work += 1;
        Answer::Now(Permit {
            authority: name,
            hosts: Arc::clone(&self.hosts),
        })
    }

    pub(super) fn set_pause(&self, authority: &str, wait: Duration, now: Duration) {
        let pause = Pause::new(wait, now);
        let mut hosts = self.lock();
        let (_, origin) = hosts.origin(authority, now, self.delay);
        if origin.pause.is_none_or(|before| before.until < pause.until) {
            origin.pause = Some(pause);
        }
    }

    /// Sets the pause of a crawl that is continued.
    #[cfg(feature = "serde")]
    pub(super) fn restore(&self, authority: &str, pause: Pause) {
        let mut hosts = self.lock();
        let (_, origin) = hosts.origin(authority, Duration::ZERO, self.delay);
        origin.pause = Some(pause);
    }

    pub(super) fn own_delay(&self) -> Duration {
        self.delay
    }

    /// The pause of this host that is not over.
    pub(super) fn pause_of(&self, authority: &str, now: Duration) -> Option<Pause> {
        let pause = self.lock().origins.get(authority)?.pause;
        pause.filter(|pause| pause.until > now)
    }

    fn lock(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hosts {
    fn delay_of(&self, authority: &str) -> Option<Duration> {
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        };
        self.delays.get(host).copied()
    }

    /// Creates the origin if it is unknown.
    fn origin(
        &mut self,
        authority: &str,
        now: Duration,
        delay: Duration,
    ) -> (Arc<str>, &mut Origin) {
        let known = self.origins.get_key_value(authority);
        let name = known.map_or_else(|| authority.into(), |(name, _)| Arc::clone(name));
        if known.is_none()
            && self.origins.len() >= ORIGINS
            && self.origins.len().is_multiple_of(ORIGINS)
        {
            let longest = self.delays.values().copied().max().unwrap_or_default();
            let delay = delay.max(longest);
            self.origins
                .retain(|_, origin| origin.at_work > 0 || origin.free(delay) > now);
        }
        let origin = self.origins.entry(Arc::clone(&name)).or_default();
        (name, origin)
    }
}

impl Origin {
    /// There is no request before this time.
    fn free(&self, delay: Duration) -> Duration {
        let after = self.latest.map(|latest| latest.saturating_add(delay));
        let pause = self.pause.map(|pause| pause.until);
        after
            .max(pause)
            .map_or(Duration::ZERO, |free| free.min(LATEST))
    }
}

impl Permit {
    /// The response has ended, or has failed. The delay of the host begins.
    pub fn end(self, now: SystemTime) {
        self.end_at(since_epoch(now));
    }

    pub(super) fn end_at(self, now: Duration) {
        self.begin_at(now);
    }

    /// The request is sent, so the delay to another one begins.
    pub(super) fn begin_at(&self, now: Duration) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(origin) = hosts.origins.get_mut(&self.authority) {
            origin.latest = origin.latest.max(Some(now));
        }
    }

    pub(super) fn authority(&self) -> &Arc<str> {
        &self.authority
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(origin) = hosts.origins.get_mut(&self.authority) {
            origin.at_work = origin.at_work.saturating_sub(1);
        }
    }
}

/// A time as a duration since the Unix epoch.
pub(super) fn since_epoch(time: SystemTime) -> Duration {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or(Duration::ZERO).min(LATEST)
}

pub(super) fn system_time(since_epoch: Duration) -> SystemTime {
    SystemTime::UNIX_EPOCH
        .checked_add(since_epoch)
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
