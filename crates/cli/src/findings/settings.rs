//! How a check judges, and which inputs it follows.

use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use crate::judge::verdicts::Verdicts;
use crate::source::input::{Input, Network};

pub(crate) struct Settings {
    pub(crate) verdicts: Verdicts,
    pub(crate) location: Option<Url>,
    /// The moment that dates are judged at.
    pub(crate) now: DateTime<Utc>,
    /// URLs that have to be listed.
    pub(crate) must_list: Option<Input>,
    pub(crate) network: Network,
    /// How far sites and indexes at URLs are followed; `None` if only the URL itself is read.
    #[cfg(feature = "full")]
    pub(crate) scope: Option<crate::net::scope::Scope>,
}
