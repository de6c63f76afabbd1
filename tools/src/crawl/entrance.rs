//! Where a crawl begins: the sitemaps that robots.txt names, the usual places, or the one that was asked for.

use std::io::{self, Read};

use quick_sitemap::robots;
use quick_sitemap::url::Url;

use super::work::Crawl;
use crate::fetch::Request;

/// Search engines look at no more of a robots.txt.
const ROBOTS_BYTES: u64 = 500 << 10;

/// Where sitemaps are if nobody names them, the most usual place first.
const PLACES: [&str; 7] = [
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/wp-sitemap.xml",
    "/sitemap/sitemap.xml",
    "/sitemap.txt",
];

impl Crawl {
    pub(super) fn enter(&self) {
        let site = self.site().url();
        if site.path() != "/" && !site.path().ends_with("/robots.txt") {
            self.inner().frontier.add_asked(site.clone());
            return;
        }
        let mut robots = site.clone();
        if site.path() == "/" {
            robots.set_path("/robots.txt");
            robots.set_query(None);
        }
        let (location, text) = self.robots(&robots);
        let mut inner = self.inner();
        inner.frontier.trust(site);
        inner.frontier.trust(&location);
        let mut is_named = false;
        for url in robots::sitemaps(&text, Some(&location)) {
            is_named = true;
            inner.frontier.add_root(url);
            if inner.frontier.is_full {
                return;
            }
        }
        let has_guessed = inner.frontier.tasks.iter().any(|task| task.is_guess);
        if !is_named && !has_guessed && !inner.is_unreachable {
            inner
                .frontier
                .guess(PLACES.iter().filter_map(|place| location.join(place).ok()));
        }
    }

    /// Where it was found, and its text; none if there is no such file.
    fn robots(&self, url: &Url) -> (Url, Vec<u8>) {
        self.progress().begin(0, &self.site().shown(url));
        let sent = self.fetcher().send(&Request {
            url,
            site: self.site(),
            may_follow: &|_| true,
            on_wait: &|wait, cause| self.progress().wait(0, wait, cause),
        });
        let (location, failure, text) = match sent {
            Ok(response) => {
                let mut text = Vec::new();
                let read = response.body.take(ROBOTS_BYTES).read_to_end(&mut text);
                (
                    response.location,
                    read.err().map(|error| error.to_string()),
                    unpacked(text),
                )
            }
            Err(error) if error.cause.is_missing() => (error.location, None, Vec::new()),
            Err(error) => {
                if !matches!(error.cause, crate::fetch::Cause::Status { .. }) {
                    self.inner().is_unreachable = true;
                }
                let reason = error.reason();
                (error.location, Some(reason), Vec::new())
            }
        };
        if let Some(reason) = failure {
            self.inner().entrance_failure =
                Some(format!("{}: {reason}", self.site().shown(url).clipped()));
        }
        self.progress().end(0);
        (location, text)
    }
}

/// Some servers compress whatever they send.
fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .take(ROBOTS_BYTES)
        .read_to_end(&mut text);
    match read {
        // The rest may be beyond the bytes that are looked at.
        Ok(_) => text,
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => text,
        Err(_) => bytes,
    }
}
