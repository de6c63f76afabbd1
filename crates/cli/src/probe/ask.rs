//! Requests for pages, and what the answers mean.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, anyhow};
use quick_sitemap::url::Url;
use quick_sitemap_crawl::same_page;

use crate::net::driver;
use crate::net::failure::{UNAUTHORIZED, what_to_do};
use crate::net::fetch::{Answer, Fetcher, status_text};
use crate::net::robots::Robots;
use crate::page;
use crate::probe::found::{Found, Listed, Verdict};
use crate::rows::log::Kind;
use crate::source::input::Input;
use crate::term::address::{Address, bare, is_too_long, without_logins};
use crate::term::interrupt;
use crate::term::messages::Messages;
use crate::term::output;

/// The lines of a file of results, with the way out if it has others.
pub(crate) const fn results(advice: &'static str) -> Kind {
    Kind {
        begin: "{\"url\"",
        name: "a result of `sitemap probe`",
        advice,
    }
}

pub(crate) struct Asker {
    fetcher: Arc<Fetcher>,
    /// The URLs of the command line, whose passwords are sent to their origins.
    addresses: Vec<Address>,
    messages: Messages,
}

impl Asker {
    pub(crate) fn new(fetcher: Arc<Fetcher>, inputs: &[Input], messages: &Messages) -> Self {
        let addresses = inputs.iter().filter_map(|input| match input {
            Input::Url(address) => Some((**address).clone()),
            Input::File(_) | Input::Stdin => None,
        });
        Self {
            fetcher,
            addresses: addresses.collect(),
            messages: *messages,
        }
    }

    /// Returns `None` if there is a request to stop.
    pub(crate) fn ask(&self, page: Listed) -> Option<Found> {
        let Listed { url: text, sitemap } = page;
        let mut found = Found {
            sitemap,
            ..Found::default()
        };
        // A user and a password in it are sent, and not shown.
        let own: Address = match text.parse() {
            Ok(address) => address,
            Err(error) => {
                found.url = without_logins(&text).into_owned();
                found.verdict = Verdict::Error;
                found.error = Some(format!("{error}"));
                return Some(found);
            }
        };
        let url = own.url().clone();
        found.url = if own.has_login() {
            url.to_string()
        } else {
            text
        };
        let mut addresses = self.addresses.iter();
        let named = addresses.find(|address| address.is_origin_of(&url));
        let login = if own.has_login() { Some(&own) } else { named };
        if self.is_disallowed(&url, login) {
            found.disallowed = true;
            found.verdict = Verdict::Disallowed;
            return Some(found);
        }
        let answer = self
            .fetcher
            .page(&url, login, page::BOUND, page::head_has_ended)?;
        if interrupt::is_requested() {
            return None;
        }
        match answer {
            Ok(page) => {
                judge(&url, &page, &mut found);
                if let (Some(login), Some(UNAUTHORIZED)) = (login, found.status) {
                    let error = found.error.get_or_insert_default();
                    error.push_str(what_to_do(login));
                }
            }
            Err(cause) => {
                found.verdict = Verdict::Error;
                found.error = Some(cause.to_string());
            }
        }
        Some(found)
    }

    fn is_disallowed(&self, url: &Url, login: Option<&Address>) -> bool {
        // They are read when the first page is requested, unless its sitemaps were read from there.
        let origins = || self.fetcher.options.origins();
        let known = origins().get(&url.origin().ascii_serialization());
        let robots = known.get().or_else(|| {
            let robots = known.get_or_init(|| self.robots(url, login));
            origins().add(&known);
            Some(robots)
        });
        let robots = robots.and_then(Option::as_ref);
        robots.is_some_and(|robots| robots.forbidden_for(url).is_some())
    }

    /// `None` if there is no robots.txt, or it cannot be read.
    fn robots(&self, url: &Url, login: Option<&Address>) -> Option<Arc<Robots>> {
        let place = url.join("/robots.txt").ok()?;
        let own;
        let site = match login {
            Some(login) => login,
            None => {
                own = place.as_str().parse().ok()?;
                &own
            }
        };
        let robots = match driver::robots(site, &self.fetcher, &self.messages) {
            Ok(robots) => robots,
            Err(error) => {
                self.unread(&error, None);
                return None;
            }
        };
        let rules = robots.read.map(|(_, rules)| rules);
        if let Some(failure) = robots.failure {
            self.unread(&format_args!("{place}: {failure}"), rules.as_deref());
        }
        rules
    }

    /// `rules` are those before the place where reading ended.
    fn unread(&self, error: &dyn std::fmt::Display, rules: Option<&Robots>) {
        if interrupt::is_requested() {
            return;
        }
        self.messages.warning(match rules {
            Some(rules) if !rules.is_empty() => {
                format!(
                    "{error}; only the rules that could be read apply to the pages of this host"
                )
            }
            _ => format!(
                "{error}; the pages of this host are requested as if robots.txt allowed all of them"
            ),
        });
    }
}

/// Requests all pages of the queue, several at a time, and passes each result to `on_found`. Returns early if the
/// program is interrupted or the reader of the output has ended; it does not wait for the network then.
pub(crate) fn request(
    asker: Asker,
    queue: impl Iterator<Item = anyhow::Result<Listed>> + Send + 'static,
    jobs: usize,
    on_found: &mut dyn FnMut(Found) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (sender, receiver) = sync_channel(jobs);
    let shared = Arc::new((asker, Mutex::new(queue)));
    for job in 0..jobs {
        let (shared, sender) = (Arc::clone(&shared), sender.clone());
        std::thread::Builder::new()
            .name(format!("job {job}"))
            .spawn(move || work(&shared.0, &shared.1, &sender))
            .context("a thread cannot be started")?;
    }
    drop(sender);
    while !output::is_closed() {
        match receiver.recv_timeout(Duration::from_millis(50)) {
            Ok(found) => on_found(found?)?,
            Err(RecvTimeoutError::Timeout) if interrupt::is_requested() => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

/// Requests pages of the queue until it is empty or the run is interrupted. This is a thread of the probe.
fn work(
    asker: &Asker,
    queue: &Mutex<impl Iterator<Item = anyhow::Result<Listed>>>,
    sender: &SyncSender<anyhow::Result<Found>>,
) {
    loop {
        let page = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let found = match page {
            None => return,
            // A page must not be lost, so the run ends.
            Some(Ok(page)) => match catch_unwind(AssertUnwindSafe(|| asker.ask(page))) {
                Ok(Some(found)) => Ok(found),
                Ok(None) => return,
                Err(_) => Err(anyhow!(driver::DEFECT)),
            },
            Some(Err(error)) => Err(error),
        };
        if sender.send(found).is_err() || interrupt::is_requested() {
            return;
        }
    }
}

/// Sets the results of a page from its response: status, noindex and canonical URL.
fn judge(url: &Url, page: &Answer, found: &mut Found) {
    found.status = Some(page.status);
    found.bytes = page.bytes;
    found.ms = u64::try_from(page.took.as_millis()).ok();
    found.location = page.location.as_ref().map(Url::to_string);
    found.noindex = is_noindex(&page.robots);
    let mut canonical = page.links.iter().find_map(|link| canonical(link));
    let mut base = url.clone();
    let mut refreshes = false;
    if page.may_be_html() {
        let head = page::head(&page.body);
        let to = head.redirect(url).filter(|to| !is_too_long(to)).map(bare);
        refreshes = to.is_some();
        found.location = found.location.take().or(to.map(String::from));
        found.noindex |= head.is_noindex;
        if let Some(own) = head.base.and_then(|own| url.join(&own).ok()) {
            base = own;
        }
        canonical = head.canonical.or(canonical);
    }
    let canonical = canonical.and_then(|canonical| base.join(canonical.trim()).ok());
    // No page has such a URL.
    let canonical = canonical.filter(|canonical| !is_too_long(canonical));
    let canonical = canonical.map(|mut canonical| {
        canonical.set_fragment(None);
        bare(canonical)
    });
    let mut own = url.clone();
    own.set_fragment(None);
    let is_elsewhere = canonical
        .as_ref()
        .is_some_and(|canonical| !same_page(canonical, &own));
    found.canonical = canonical.map(String::from);
    found.verdict = match page.status {
        404 | 410 => Verdict::Missing,
        300..=399 if page.location.is_some() => Verdict::Redirect,
        200..=299 if refreshes => Verdict::Redirect,
        200..=299 if found.noindex => Verdict::Noindex,
        200..=299 if is_elsewhere => Verdict::CanonicalElsewhere,
        200..=299 => Verdict::Ok,
        status => {
            found.error = Some(status_text(status));
            Verdict::Error
        }
    };
}

/// Returns `true` if a header `X-Robots-Tag` forbids the index to all robots. `googlebot: noindex` is for one of them.
fn is_noindex(values: &[String]) -> bool {
    const WITH_VALUE: [&str; 4] = [
        "unavailable_after",
        "max-snippet",
        "max-image-preview",
        "max-video-preview",
    ];
    values.iter().any(|value| {
        let value = value.to_ascii_lowercase();
        let mut is_for_all = true;
        value.split(',').any(|directive| {
            let directive = directive.trim();
            if let Some((name, rest)) = directive.split_once(':') {
                let name = name.trim();
                if WITH_VALUE.contains(&name) {
                    return false;
                }
                // The rest of the value is for this robot.
                is_for_all = name == "*";
                return is_for_all && matches!(rest.trim(), "noindex" | "none");
            }
            is_for_all && matches!(directive, "noindex" | "none")
        })
    })
}

/// The target of `<https://example.com/>; rel="canonical"`, which may be one of several links.
fn canonical(header: &str) -> Option<String> {
    let mut rest = header;
    while let Some((_, link)) = rest.split_once('<') {
        let (target, parameters) = link.split_once('>')?;
        let end = parameters.find('<').unwrap_or(parameters.len());
        let (own, next) = parameters.split_at(end);
        let is_canonical = own.split(';').any(|parameter| {
            let parameter = parameter.trim().trim_end_matches(',').to_ascii_lowercase();
            let rel = parameter.strip_prefix("rel").map(str::trim_start);
            let rel = rel.and_then(|rel| rel.strip_prefix('='));
            rel.is_some_and(|rel| {
                let words = rel.trim().trim_matches('"');
                words
                    .split_ascii_whitespace()
                    .any(|word| word == "canonical")
            })
        });
        if is_canonical {
            return Some(target.to_owned());
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_forbid_the_index() {
        let noindex = |value: &str| is_noindex(&[value.to_owned()]);
        for value in [
            "noindex",
            "nofollow, NoIndex",
            "none",
            "*: noindex",
            "max-snippet: 5, noindex",
        ] {
            assert!(noindex(value), "{value}");
        }
        for value in [
            "nofollow",
            "googlebot: noindex",
            "googlebot: nofollow, noindex",
            "unavailable_after: 25 Jun 2030 15:00:00 PST",
            "",
        ] {
            assert!(!noindex(value), "{value}");
        }
    }

    #[test]
    fn headers_name_the_canonical_url() {
        for (header, expected) in [
            (
                "<https://e.com/a>; rel=\"canonical\"",
                Some("https://e.com/a"),
            ),
            (
                "</x.css>; rel=preload; as=style, </b>; rel=canonical",
                Some("/b"),
            ),
            ("</a>; rel=\"prev canonical\"", Some("/a")),
            ("</a>; rel=next", None),
            ("<", None),
            ("", None),
        ] {
            assert_eq!(canonical(header).as_deref(), expected, "{header}");
        }
    }
}
