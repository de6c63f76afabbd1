//! The time of all requests of a run.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

static BEGAN: LazyLock<(SystemTime, Instant)> =
    LazyLock::new(|| (SystemTime::now(), Instant::now()));

/// The time of the system when the run began, and what has passed since then: if the system's time is set meanwhile, this
/// one goes on.
pub(crate) fn now() -> SystemTime {
    let (began, instant) = &*BEGAN;
    began.checked_add(instant.elapsed()).unwrap_or(*began)
}
