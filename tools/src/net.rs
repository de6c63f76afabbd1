//! HTTP: requests, the cache, robots.txt, and the driver of crawls.

pub(crate) mod access;
pub(crate) mod fetch;
pub(crate) mod packed;
pub(crate) mod site;
