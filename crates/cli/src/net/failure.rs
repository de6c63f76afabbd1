//! Failures of a crawl, in the words of the program.

use quick_sitemap::url::{Position, Url};
use quick_sitemap_crawl::{Failure, Reason};

use crate::net::fetch::{Exchange, status_text};
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

/// The latest request for a sitemap.
#[derive(Debug)]
pub(crate) struct Latest {
    /// After redirects.
    pub(crate) url: Url,
    /// `None` if there was no response.
    pub(crate) status: Option<u16>,
    /// The header.
    pub(crate) location: Option<String>,
}

impl Latest {
    pub(crate) fn of(url: Url) -> Self {
        Self {
            url,
            status: None,
            location: None,
        }
    }

    /// There is a response.
    pub(crate) fn see(&mut self, exchange: &Exchange) {
        self.status = Some(exchange.response.status);
        self.location.clone_from(&exchange.response.location);
    }

    fn leads_to_itself(&self) -> bool {
        let to = self.location.as_ref().and_then(|to| self.url.join(to).ok());
        to.is_some_and(|to| to[..Position::AfterQuery] == self.url[..Position::AfterQuery])
    }

    /// Returns `true` if the site requires a user and a password, or others.
    pub(crate) fn is_unauthorized(&self, site: &Address) -> bool {
        self.status == Some(UNAUTHORIZED) && site.is_origin_of(&self.url)
    }
}

/// Why a sitemap failed, as it may be shown.
pub(crate) fn reason(site: &Address, sitemap: &Url, latest: &Latest, failure: &Failure) -> String {
    let status = latest.status.unwrap_or_default();
    let target = || match failure.location().map(str::parse) {
        Some(Ok(url)) => site.shown(&url).clipped(),
        _ => clipped(&hidden(failure.location().unwrap_or_default())).into_owned(),
    };
    let is_url = |location: &str| location.parse::<Url>().is_ok();
    let text = match failure.reason() {
        Reason::Status(code) => {
            let mut status = status_text(code);
            if let Some(wait) = failure.retry_after() {
                status.push_str(&format!(", retry after {} s", wait.as_secs()));
            }
            if latest.is_unauthorized(site) {
                format!("{status}{}", what_to_do(site))
            } else {
                status
            }
        }
        Reason::BadRedirect => match latest.location.as_deref().map(str::trim) {
            None => format!("{status} without a Location"),
            Some("") => format!("{status} with an empty Location"),
            Some(_) if latest.leads_to_itself() => "redirects to itself".to_owned(),
            Some(_) if failure.location().is_some_and(is_url) => {
                format!("redirects to {}, which is neither http nor https", target())
            }
            Some(location) => {
                let location = hidden(location);
                format!("redirects to `{}`, which is not a URL", clipped(&location))
            }
        },
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
    if latest.url == *sitemap || (200..300).contains(&status) {
        text
    } else {
        format!(
            "redirected to {}: {text}",
            site.shown(&latest.url).clipped()
        )
    }
}
