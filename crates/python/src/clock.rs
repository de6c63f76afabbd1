//! The time of all crawls, which goes on if the time of the system is set.

use std::sync::LazyLock;
use std::time::SystemTime;

use pyo3::prelude::*;
use quick_sitemap_crawl::Clock;

static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::new);

/// The time for `Crawl.next_request`, in seconds.
#[pyfunction]
pub(crate) fn now() -> f64 {
    let since = CLOCK.now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}
