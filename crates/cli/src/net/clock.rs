//! The time of all requests of a run.

use std::sync::LazyLock;
use std::time::SystemTime;

use quick_sitemap_crawl::Clock;

static CLOCK: LazyLock<Clock> = LazyLock::new(Clock::new);

pub(crate) fn now() -> SystemTime {
    CLOCK.now()
}
