//! The requests for a page, each page being a small crawl: robots.txt of its host, redirects and retries.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quick_sitemap::url::{Position, Url};
use quick_sitemap_crawl::{Crawl, Ended, Failure, Next, Reason, Request, Response, State};

use crate::judge::host_changes::HostChanges;
use crate::net::clock;
use crate::net::driver;
use crate::net::failure::{UNAUTHORIZED, what_to_do};
use crate::net::fetch::{Fetcher, Html};
use crate::net::pool::TICK;
use crate::net::robots::{SiteRobots, product};
use crate::page;
use crate::probe::found::{Found, Listed, Verdict};
use crate::probe::judge::{judge, judge_target};
use crate::probe::logins::Logins;
use crate::probe::selection::{Known, Sites};
use crate::term::address::{Address, bare};
use crate::term::interrupt;
use crate::term::messages::Messages;

const HTML: Html = Html {
    is_document: page::is_document,
    has_ended: page::has_ended,
};

/// Why a redirect stays one, and its target is not requested.
const ELSEWHERE: &str = "not followed: another host (see --other-hosts)";

pub(crate) struct Asker {
    pub(crate) fetcher: Arc<Fetcher>,
    pub(crate) logins: Logins,
    pub(crate) messages: Messages,
    pub(crate) follows: bool,
    pub(crate) ignores_robots: bool,
    /// Pages whose earlier result is not good are requested again.
    pub(crate) again: bool,
    /// Where pages are requested; their canonical URLs are meant there, too.
    pub(crate) hosts: HostChanges,
    /// Statuses with which a page is as it should be, although they are errors.
    pub(crate) accepted: Vec<u16>,
    /// The sites that were named, or may be listed, to which redirects may lead; `None`: any.
    pub(crate) sites: Option<Sites>,
    /// Pages that a sitemap lists, as far as that is known.
    pub(crate) listed: Known,
    /// Hosts whose robots.txt could not be read, and which were asked for pages nevertheless.
    pub(crate) unread: Mutex<HashSet<String>>,
    /// Sitemaps were named that should list the pages to which redirects lead.
    pub(crate) must_be_listed: bool,
}

impl Asker {
    /// Returns `None` if there is a request to stop.
    pub(crate) fn ask(&self, page: Listed) -> Option<Found> {
        // A user and a password in it are sent, and not shown.
        let own = Address::new(page.url.clone());
        let contradiction = page.contradiction();
        let mut found = Found {
            url: bare(page.url).into(),
            sitemap: page.sitemap,
            expected: page.expected,
            verdict: Verdict::Error,
            error: contradiction,
            ..Found::default()
        };
        if found.error.is_some() {
            return Some(found);
        }
        let expected = found.expected.as_deref().map(str::parse).transpose();
        let Ok(expected) = expected else {
            found.error = Some("the expected page is neither a URL nor a path".to_owned());
            return Some(found);
        };
        if page.is_elsewhere && self.sites.is_some() {
            found.verdict = Verdict::OtherHost;
            return Some(found);
        }
        if self.is_allowed(own.url(), &own, &mut found) {
            let end = self.visit(&own, &mut found)?;
            if self.follows {
                judge_target(own.url(), &end, expected.as_ref(), &mut found);
            }
        }
        Some(found)
    }

    /// The number of hosts whose robots.txt could not be read, and which were asked for pages nevertheless.
    pub(crate) fn unread(&self) -> u64 {
        let unread = self.unread.lock();
        unread.unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// Returns `true` if an earlier result answers the same question, so that the page need not be requested again.
    pub(crate) fn accepts(&self, page: &Listed, found: &Found) -> bool {
        let is_followed = found.hops.is_some() || found.status.is_none();
        let is_current = if self.follows {
            let listed = self.lists(found);
            is_followed && found.expected == page.expected && found.listed == listed
        } else {
            found.hops.is_none() && found.listed.is_none()
        };
        let is_forbidden = found.verdict == Verdict::Disallowed;
        let is_obeyed = !found.disallowed || is_forbidden != self.ignores_robots;
        let is_done = match found.verdict {
            Verdict::Ok => found
                .status
                .is_none_or(|status| status < 400 || self.accepted.contains(&status)),
            Verdict::Error | Verdict::Unread | Verdict::Robots => false,
            Verdict::Redirect if found.is_not_followed() => {
                !self.again && found.end().parse().is_ok_and(|to| self.bars(&to))
            }
            Verdict::OtherHost => page.is_elsewhere && self.sites.is_some(),
            _ => !self.again,
        };
        is_done && is_current && is_obeyed && page.contrary.is_none()
    }

    /// Returns whether a sitemap lists the page at the end of the redirects, if they are followed and there is a sitemap.
    pub(crate) fn lists(&self, found: &Found) -> Option<bool> {
        let is_known = self.follows && !self.listed.is_empty();
        let is_listed = is_known.then(|| self.listed.has(found.end()))?;
        (is_listed || self.listed.whole.is_some()).then_some(is_listed)
    }

    /// Requests the page, as often as it takes. Returns the URL at the end of all redirects that are followed.
    fn visit(&self, own: &Address, found: &mut Found) -> Option<Url> {
        let crawl = driver::builder(&self.fetcher).any_host(true);
        let mut crawl = crawl.per_host(usize::MAX).sitemap(own.url());
        let mut way = Vec::new();
        loop {
            interrupt::check().ok()?;
            let now = clock::now();
            let wait = match crawl.next(now) {
                Next::Fetch(request) => {
                    self.request_once(&mut crawl, request, own, &mut way, found);
                    Duration::ZERO
                }
                Next::Wait(until) => until.duration_since(now).unwrap_or_default(),
                Next::Busy => TICK,
                Next::Done => break,
            };
            interrupt::sleep(wait);
        }
        let end = way.pop();
        if end.is_none() {
            let page = crawl.get(0);
            let failure = page.and_then(|page| Some(page.failure()?.to_string()));
            found.error = Some(failure.unwrap_or_else(|| Reason::UrlTooLong.to_string()));
        }
        Some(end.unwrap_or_else(|| own.url().clone()))
    }

    /// One request. What it found takes the place of what the one before has found. `way` has the URLs of this attempt: the
    /// page, and the targets of redirects.
    fn request_once(
        &self,
        crawl: &mut Crawl,
        request: Request,
        own: &Address,
        way: &mut Vec<Url>,
        found: &mut Found,
    ) {
        let url = request.url.clone();
        if url == request.sitemap {
            way.clear();
        }
        let hops = u32::try_from(way.len()).ok().filter(|_| self.follows);
        way.push(url.clone());
        found.begin_anew(hops);
        let login = self.login(&url, own);
        let answer = match self.fetcher.page(&url, login, &HTML) {
            Ok(answer) => answer,
            Err(failure) => {
                found.error = Some(failure.to_string());
                crawl.fail(request, failure);
                return;
            }
        };
        let target =
            judge(&url, &answer, &self.hosts, &self.accepted, found).filter(|_| self.follows);
        found.first_status = found.first_status.or(found.status).filter(|_| self.follows);
        found.temporary &= self.follows;
        if let (Some(login), Some(UNAUTHORIZED)) = (login, found.status) {
            let error = found.error.get_or_insert_default();
            error.push_str(what_to_do(login));
        }
        let end = match &target {
            Some(to) => self.end_of_redirect(to, own, way, found),
            None if found.verdict != Verdict::Error || answer.response.status < 400 => {
                Some("this is the page")
            }
            None => None,
        };
        let ended = match end {
            Some(end) => crawl.fail(request, Failure::permanent(end)),
            None => {
                let response = match &target {
                    Some(to) => Response::new(302).header("Location", to.as_str()),
                    None => answer.response,
                };
                let receiver = crawl.begin(request, response);
                crawl.end(receiver)
            }
        };
        if target.is_some() {
            keep_redirect(found, end, &ended);
        }
    }

    /// Why a redirect is not followed.
    fn end_of_redirect(
        &self,
        to: &Url,
        own: &Address,
        way: &[Url],
        found: &mut Found,
    ) -> Option<&'static str> {
        if has(way, to) {
            return Some("a loop of redirects");
        }
        if self.bars(to) {
            return Some(ELSEWHERE);
        }
        (!self.is_allowed(to, own, found)).then_some("forbidden by robots.txt")
    }

    /// Returns `true` if a redirect may not lead to the host of the URL.
    fn bars(&self, to: &Url) -> bool {
        self.sites.as_ref().is_some_and(|sites| !sites.has(to))
    }

    /// The credentials for this URL: those of the page's own, or of the command line.
    fn login<'a>(&'a self, url: &Url, own: &'a Address) -> Option<&'a Address> {
        let own = Some(own).filter(|own| own.has_login() && own.is_origin_of(url));
        own.or_else(|| self.logins.for_origin_of(url))
    }

    /// Returns `true` if the URL is requested, as far as robots.txt of its host is concerned. It is read when the first page is
    /// requested, unless the sitemaps were read from there.
    fn is_allowed(&self, url: &Url, own: &Address, found: &mut Found) -> bool {
        let Some(robots) = self.robots(url, own) else {
            // There is a request to stop.
            return false;
        };
        let failure = robots.answer.failure();
        if robots
            .answer
            .allows(product(&self.fetcher.options.user_agent), url)
            == Some(true)
        {
            return true;
        }
        found.disallowed = failure.is_none();
        if failure.is_some() && self.ignores_robots {
            let host = url.origin().ascii_serialization();
            let unread = self.unread.lock();
            unread.unwrap_or_else(PoisonError::into_inner).insert(host);
        }
        if !self.ignores_robots {
            found.error = failure.as_ref().map(|why| format!("robots.txt: {why}"));
            found.verdict = match failure {
                Some(_) => Verdict::Robots,
                None => Verdict::Disallowed,
            };
        }
        self.ignores_robots
    }

    /// Requests the robots.txt of a host. `None` if there is a request to stop.
    fn robots(&self, url: &Url, own: &Address) -> Option<Arc<SiteRobots>> {
        let place = url.join("/robots.txt").ok()?;
        let site = match self.login(url, own) {
            Some(login) => login.clone(),
            None => place.as_str().parse().ok()?,
        };
        driver::robots(&site, &self.fetcher, &self.messages)
    }
}

/// Keeps what became of a redirect: `end` is why it was not followed.
fn keep_redirect(found: &mut Found, end: Option<&str>, ended: &Ended) {
    found.hops = found.hops.map(|hops| hops + 1);
    let is_told = matches!(found.verdict, Verdict::Disallowed | Verdict::Robots);
    if ended.state() == State::Failed && !is_told {
        found.verdict = match end {
            Some(ELSEWHERE) => Verdict::Redirect,
            _ => Verdict::Error,
        };
        found.error = ended.failure().map(ToString::to_string);
    }
}

/// Returns `true` if a URL was requested already.
fn has(way: &[Url], url: &Url) -> bool {
    let text = |url: &Url| url[..Position::AfterQuery].to_owned();
    way.iter().any(|known| text(known) == text(url))
}
