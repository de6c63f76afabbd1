//! One document, by a crawl that follows nothing: the library decides about redirects and repeated requests.

use std::io::Read;

use anyhow::bail;
use quick_sitemap::crawl::{Crawl, CrawlBuilder, Ended, State};
use quick_sitemap::url::Url;

use super::builder_of;
use super::clock::Clock;
use super::failure::{Latest, reason};
use crate::net::fetch::{Fetcher, Options};
use crate::net::packed::Unpacked;
use crate::net::robots::Content;
use crate::term::address::Address;
use crate::term::interrupt;

pub(crate) struct Document {
    /// After redirects.
    pub(crate) location: Url,
    /// As it was sent. It ends with an error if it is not complete.
    body: Box<dyn Read + Send>,
    is_brotli: bool,
    max_bytes: u64,
}

impl Document {
    /// Unpacked, but gzip is left to the library.
    pub(crate) fn reader(self) -> Box<dyn Read + Send> {
        Box::new(Unpacked::new(self.body, self.is_brotli).max_bytes(self.max_bytes))
    }
}

/// The document at the address.
///
/// # Errors
///
/// With the URL, as it may be shown.
pub(crate) fn document(address: &Address, network: &Options) -> anyhow::Result<Document> {
    let fetcher = Fetcher::new(network)?;
    let crawl = single(network).sitemap(address.url());
    match fetch(crawl, &fetcher, address)? {
        Some(document) => Ok(document),
        None => bail!("{address}: there is no document"),
    }
}

/// The content of the robots.txt at the address; `None` if there is none.
///
/// # Errors
///
/// With the URL, as it may be shown.
pub(crate) fn robots(fetcher: &Fetcher, address: &Address) -> anyhow::Result<Option<Content>> {
    let crawl = single(fetcher.options()).site(address.url());
    let document = fetch(crawl, fetcher, address)?;
    Ok(document.map(|document| Content::read(document.body, document.is_brotli)))
}

fn single(network: &Options) -> CrawlBuilder {
    builder_of(network).max_depth(1).any_host(true)
}

/// The first document of the crawl; `None` if there is none.
fn fetch(
    mut crawl: Crawl,
    fetcher: &Fetcher,
    address: &Address,
) -> anyhow::Result<Option<Document>> {
    let clock = Clock::new();
    loop {
        crawl.set_time(clock.now());
        let Some(request) = crawl.next_request() else {
            match crawl.waits_until() {
                Some(time) if interrupt::sleep(clock.until(time)) => continue,
                Some(_) => bail!("{address}: interrupted"),
                None => return Ok(None),
            }
        };
        let (url, asked) = (request.url.clone(), request.sitemap.clone());
        let mut latest = Latest::of(url);
        let Ended { state, failure, .. } = match fetcher.exchange(&latest.url, address) {
            Err(cause) => crawl.fail(request, cause.failure()),
            Ok(exchange) => {
                latest.see(&exchange);
                let receiver = crawl.begin(request, exchange.response());
                if receiver.wants_more() {
                    return Ok(Some(Document {
                        location: receiver.location().clone(),
                        body: exchange.body,
                        is_brotli: exchange.is_brotli,
                        max_bytes: fetcher.options().max_bytes,
                    }));
                }
                crawl.end(receiver)
            }
        };
        match (state, failure) {
            (State::Failed, Some(failure)) => {
                let why = reason(address, &asked, &latest, &failure);
                bail!("{}: {why}", address.shown(&asked))
            }
            (State::Missing, _) => return Ok(None),
            _ if interrupt::is_requested() => bail!("{address}: interrupted"),
            // It is requested again, or at another place.
            _ => {}
        }
    }
}
