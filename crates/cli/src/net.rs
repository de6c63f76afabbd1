//! HTTP: requests, the cache, robots.txt, and the driver of crawls.

pub(crate) mod clock;
pub(crate) mod driver;
pub(crate) mod failure;
pub(crate) mod fetch;
pub(crate) mod hosts;
pub(crate) mod pool;
pub(crate) mod robots;
pub(crate) mod spelling;
