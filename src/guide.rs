//! More to read: nothing here but text.
//!
//! * [`broken`]: what comes out of broken sitemaps, symptom by symptom
//! * [`rules`]: every rule with its name, an example and its effect
//! * [`design`]: why things are as they are
//! * [`benchmarks`]: how fast it is, beside what, and how that was measured
//! * [`changelog`]: what has changed
//! * [`beyond`]: more than one machine: Arrow, engines, and what a large crawl costs
//! * [the cookbook](crate::cookbook): whole programs

#[doc = include_str!("guide/broken.md")]
///
/// In the reference: [`Issue`](crate::Issue), [`Effect`](crate::Effect), [`Rule`](crate::Rule),
/// [`ErrorKind`](crate::ErrorKind), [`Policy::STRICT`](crate::Policy::STRICT) and
/// [`Reader::issues`](crate::Reader::issues).
pub mod broken {}

#[doc = include_str!("guide/rules.md")]
pub mod rules {}

#[doc = include_str!("../DESIGN.md")]
pub mod design {}

#[doc = include_str!("../benches/README.md")]
pub mod benchmarks {}

#[doc = include_str!("../CHANGELOG.md")]
pub mod changelog {}

#[doc = include_str!("guide/beyond.md")]
pub mod beyond {}
