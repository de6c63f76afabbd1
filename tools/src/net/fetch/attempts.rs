//! Repeated requests for one page. The library's crawl decides whether there is another one, and when.

use std::time::{Duration, SystemTime};

use quick_sitemap::crawl::{Crawl, CrawlBuilder, Ended, Failure, Request, Response};
use quick_sitemap::url::Url;

use super::Options;

pub(super) struct Attempts {
    crawl: Crawl,
    request: Option<Request>,
    /// As the crawl knows it, which never goes back.
    now: SystemTime,
}

/// When a page is requested again.
pub(super) struct Again {
    pub(super) wait: Duration,
    /// The server has asked for it, for the sake of all its pages.
    pub(super) is_asked_for: bool,
}

impl Attempts {
    pub(super) fn new(url: &Url, options: &Options) -> Self {
        let builder = CrawlBuilder::new().retries(options.retries());
        let mut crawl = builder.sitemap(url);
        let request = crawl.next_request();
        Self {
            crawl,
            request,
            now: SystemTime::UNIX_EPOCH,
        }
    }

    /// After a response with this status and this `Retry-After`. `None` if it is the result.
    pub(super) fn answered(&mut self, status: u16, retry_after: Option<&str>) -> Option<Again> {
        if !Failure::status(status).is_transient() {
            return None;
        }
        self.set_time(SystemTime::now());
        let mut response = Response::new(status);
        response.retry_after = retry_after.map(str::to_owned);
        let receiver = self.crawl.begin(self.request.take()?, response);
        let ended = self.crawl.end(receiver);
        self.again(ended)
    }

    /// If there was no response. `None` if that is the result.
    pub(super) fn failed(&mut self, failure: Failure) -> Option<Again> {
        self.set_time(SystemTime::now());
        let ended = self.crawl.fail(self.request.take()?, failure);
        self.again(ended)
    }

    fn set_time(&mut self, now: SystemTime) {
        self.now = self.now.max(now);
        self.crawl.set_time(now);
    }

    fn again(&mut self, ended: Ended) -> Option<Again> {
        let at = ended.retry_at?;
        let wait = at.duration_since(self.now).unwrap_or_default();
        self.set_time(at);
        self.request = self.crawl.next_request();
        Some(Again {
            wait,
            is_asked_for: ended.failure?.retry_after().is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_attempts_as_are_wanted() {
        let url = "https://example.com/a".parse().unwrap();
        let options = Options {
            retries: 2,
            ..Options::default()
        };
        let mut attempts = Attempts::new(&url, &options);
        assert!(attempts.answered(404, None).is_none());
        let first = attempts.answered(503, Some("7")).unwrap();
        assert!(first.is_asked_for && first.wait <= Duration::from_secs(7));
        assert!(first.wait > Duration::from_secs(6));
        let second = attempts.failed(Failure::connection("reset")).unwrap();
        assert!(!second.is_asked_for && second.wait <= Duration::from_secs(1));
        assert!(attempts.answered(503, None).is_none());

        let mut attempts = Attempts::new(&url, &options);
        assert!(attempts.answered(503, Some("3600")).is_none());
        let mut attempts = Attempts::new(&url, &options);
        assert!(
            attempts
                .failed(Failure::permanent("unknown host"))
                .is_none()
        );
    }
}
