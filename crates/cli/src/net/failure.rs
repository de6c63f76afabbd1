//! Failures of a crawl, in the words of the program.

use quick_sitemap::url::{Position, Url};
use quick_sitemap_crawl::robots::{Answer, Why};
use quick_sitemap_crawl::{Failure, Reason, Request, RequestKind};

use crate::net::fetch::status_text;
use crate::term::address::{Address, hidden};
use crate::term::clipped::clipped;

/// The status of a response that requires a user and a password.
pub(crate) const UNAUTHORIZED: u16 = 401;

/// The solution for a site that requires a password.
pub(crate) fn what_to_do(site: &Address) -> &'static str {
    if site.has_login() {
        ": the user or the password is wrong"
    } else {
        " (use --user NAME for a site that requires a password)"
    }
}

/// A request, and the beginning of its response.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) kind: RequestKind,
    pub(super) number: Option<usize>,
    /// As it is listed.
    pub(super) sitemap: Url,
    pub(super) attempt: u32,
    /// After redirects.
    pub(super) url: Url,
    /// `None` if there was no response.
    pub(super) status: Option<u16>,
    /// The header.
    pub(super) location: Option<String>,
}

impl Asked {
    pub(super) fn of(request: &Request) -> Self {
        Self {
            kind: request.kind,
            number: request.number(),
            sitemap: request.sitemap.clone(),
            attempt: request.attempt,
            url: request.url.clone(),
            status: None,
            location: None,
        }
    }

    fn leads_to_itself(&self) -> bool {
        let to = self.location.as_ref().and_then(|to| self.url.join(to).ok());
        to.is_some_and(|to| to[..Position::AfterQuery] == self.url[..Position::AfterQuery])
    }

    /// Returns `true` if the site requires a user and a password, or others.
    pub(super) fn is_unauthorized(&self, site: &Address) -> bool {
        self.status == Some(UNAUTHORIZED) && site.is_origin_of(&self.url)
    }
}

/// Why a site has no robots.txt that was read, as it may be shown.
pub(super) fn robots_reason(site: &Address, asked: &Asked, answer: &Answer) -> Option<String> {
    Some(match answer {
        Answer::Read(_) => return None,
        Answer::Absent(Why::Status(code)) | Answer::NotUnderstood(Why::Status(code)) => {
            reason(site, asked, &Failure::status(*code))
        }
        Answer::Absent(Why::Redirect(failure)) | Answer::Unreachable(failure) => {
            reason(site, asked, failure)
        }
        Answer::Refused(_) => reason(site, asked, &answer.failure()?),
        Answer::Absent(why) | Answer::NotUnderstood(why) => why.to_string(),
    })
}

/// Why a sitemap failed, as it may be shown.
pub(super) fn reason(site: &Address, asked: &Asked, failure: &Failure) -> String {
    let status = asked.status.unwrap_or_default();
    let target = || match failure.location().map(str::parse) {
        Some(Ok(url)) => clipped(&site.shown(&url)).into_owned(),
        _ => clipped(&hidden(failure.location().unwrap_or_default())).into_owned(),
    };
    let is_url = |location: &str| location.parse::<Url>().is_ok();
    let text = match failure.reason() {
        Reason::Status(code) => {
            let mut status = status_text(code);
            if let Some(wait) = failure.retry_after() {
                status.push_str(&format!(", retry after {} s", wait.as_secs()));
            }
            if asked.is_unauthorized(site) {
                format!("{status}{}", what_to_do(site))
            } else {
                status
            }
        }
        Reason::BadRedirect => match asked.location.as_deref().map(str::trim) {
            None => format!("{status} without a Location"),
            Some("") => format!("{status} with an empty Location"),
            Some(_) if failure.location().is_some_and(is_url) => {
                format!("redirects to {}, which is neither http nor https", target())
            }
            Some(location) => {
                let location = hidden(location);
                format!("redirects to `{}`, which is not a URL", clipped(&location))
            }
        },
        Reason::RedirectLoop if asked.leads_to_itself() => "redirects to itself".to_owned(),
        Reason::Downgrade => format!(
            "redirects to {}, which is not encrypted (use --allow-downgrade to follow it)",
            target()
        ),
        Reason::OtherHost => format!(
            "redirects to {}, another host (use --other-hosts to follow it)",
            target()
        ),
        _ => failure.to_string(),
    };
    // The position in a document is not part of the problem.
    if asked.url == asked.sitemap || (200..300).contains(&status) {
        text
    } else {
        format!("redirected to {}: {text}", clipped(&site.shown(&asked.url)))
    }
}
