//! Failures of a crawl, in the words of the program.

use quick_sitemap::crawl::{Cause, Failure, Refusal};
use quick_sitemap::url::Url;

use crate::address::{Address, hidden};
use crate::clipped::clipped;
use crate::fetch;

/// A request without a response.
pub(crate) fn failure_of(cause: &fetch::Cause) -> Failure {
    match cause.is_transient() {
        true => Failure::connection(cause.to_string()),
        false => Failure::permanent(cause.to_string()),
    }
}

/// The status of a response that wants a user and a password.
pub(crate) const UNAUTHORIZED: u16 = 401;

/// What to do about a response with that status.
pub(crate) fn what_to_do(site: &Address) -> &'static str {
    match site.has_login() {
        true => ": the user or the password is wrong",
        false => " (use --user NAME for a site that requires a password)",
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

/// Why a sitemap failed, as it may be shown.
pub(crate) fn reason(site: &Address, sitemap: &Url, latest: &Latest, failure: &Failure) -> String {
    let status = latest.status.unwrap_or_default();
    let target = || match failure.location().map(str::parse) {
        Some(Ok(url)) => site.shown(&url).clipped(),
        _ => clipped(&hidden(failure.location().unwrap_or_default())).into_owned(),
    };
    let text = match failure.cause() {
        Cause::Status(code) => {
            let status = fetch::Cause::Status {
                code,
                retry_after: failure.retry_after(),
            };
            match code {
                UNAUTHORIZED if site.is_origin_of(&latest.url) => {
                    format!("{status}{}", what_to_do(site))
                }
                _ => status.to_string(),
            }
        }
        Cause::Redirect(Refusal::Missing) => fetch::Cause::without_location(status).to_string(),
        Cause::Redirect(Refusal::Invalid) => {
            fetch::Cause::not_a_url(latest.location.as_deref().unwrap_or_default()).to_string()
        }
        Cause::Redirect(Refusal::Downgrade) => format!(
            "redirects to {}, which is not encrypted (use --allow-downgrade to follow it)",
            target()
        ),
        Cause::Redirect(Refusal::OtherHost) => format!(
            "redirects to {}, another host (use --other-hosts to follow it)",
            target()
        ),
        Cause::Redirect(Refusal::OtherScheme) => {
            format!("redirects to {}, which is neither http nor https", target())
        }
        _ => failure.to_string(),
    };
    // Where a document was read is not what is wrong with it.
    match latest.url == *sitemap || (200..300).contains(&status) {
        true => text,
        false => format!(
            "redirected to {}: {text}",
            site.shown(&latest.url).clipped()
        ),
    }
}
