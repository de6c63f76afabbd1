//! How a check judges, and which inputs it follows.

use quick_sitemap::chrono::{DateTime, Utc};
use quick_sitemap::url::Url;

use crate::judge::verdicts::Verdicts;
use crate::source::input::Input;
use crate::source::options::ReadOptions;

pub(crate) struct Settings {
    pub(crate) verdicts: Verdicts,
    pub(crate) location: Option<Url>,
    /// The moment that dates are judged at.
    pub(crate) now: DateTime<Utc>,
    /// URLs that have to be listed.
    pub(crate) must_list: Option<Input>,
    pub(crate) reading: ReadOptions,
    /// Only a URL itself is read.
    pub(crate) no_follow: bool,
}
