//! Further documentation. These modules contain only text.
//!
//! * [`cheatsheet`]: the call for each task, and four mistakes to avoid
//! * [`cookbook`]: complete programs
//! * [`broken`]: the result for broken sitemaps, by symptom
//! * [`rules`]: every rule with its name, an example and its effect
//! * [`refused`]: entries that a writer rejects, and the call that helps
//! * [`policy`]: which violations are errors, and how to continue after one
//! * [`limits`]: the limits of readers and writers, and the results beyond them
//! * [`coming_from`]: how to replace the calls of other crates, or a loop over quick-xml
//! * [`glossary`]: the terms that are used everywhere, such as *issue* and *effect*

#[doc = include_str!("../docs/cheatsheet.md")]
///
/// In the reference: [`Reader`](crate::Reader) with [`from_path`](crate::Reader::from_path),
/// [`from_bytes`](crate::Reader::from_bytes), [`new`](crate::Reader::new), [`read_raw`](crate::Reader::read_raw),
/// [`format`](crate::Reader::format), [`issues`](crate::Reader::issues),
/// [`outcomes`](crate::Reader::outcomes) and [`summary`](crate::Reader::summary), whose
/// [`completeness`](crate::Summary::completeness) is a [`Completeness`](crate::Completeness::Complete);
/// [`ReaderBuilder`](crate::ReaderBuilder) with [`location`](crate::ReaderBuilder::location),
/// [`policy`](crate::ReaderBuilder::policy), [`max_bytes`](crate::ReaderBuilder::max_bytes) and
/// [`on_issue`](crate::ReaderBuilder::on_issue); [`Decoder`](crate::Decoder) with [`push`](crate::Decoder::push),
/// [`next_entry`](crate::Decoder::next_entry) and [`finish`](crate::Decoder::finish);
/// [`Policy`](crate::Policy) with [`STRICT`](crate::Policy::STRICT), [`deny`](crate::Policy::deny) and
/// [`allow`](crate::Policy::allow); [`Error::violation`](crate::Error::violation);
/// [`UrlsetWriter`](crate::UrlsetWriter), [`TextWriter`](crate::TextWriter), [`IndexWriter`](crate::IndexWriter),
/// and [`SplitWriter`](crate::SplitWriter::new).
pub mod cheatsheet {}

pub mod cookbook;

#[doc = include_str!("guide/broken.md")]
///
/// See also [`Issue`](crate::Issue), [`Effect`](crate::Effect), [`Rule`](crate::Rule),
/// [`ErrorKind`](crate::ErrorKind), [`Policy::STRICT`](crate::Policy::STRICT) and
/// [`Reader::issues`](crate::Reader::issues).
pub mod broken {}

#[doc = include_str!("guide/policy.md")]
///
/// In the reference: [`Policy`](crate::Policy) with [`LENIENT`](crate::Policy::LENIENT),
/// [`LOSSLESS`](crate::Policy::LOSSLESS) and [`STRICT`](crate::Policy::STRICT),
/// [`Error::violation`](crate::Error::violation) and [`Error::is_fatal`](crate::Error::is_fatal).
pub mod policy {}

#[doc = include_str!("guide/limits.md")]
///
/// In the reference: [`max_bytes`](crate::ReaderBuilder::max_bytes) and
/// [`max_entry_bytes`](crate::ReaderBuilder::max_entry_bytes) of a [`ReaderBuilder`](crate::ReaderBuilder), and the
/// [`Limits`](crate::Limits) of a writer.
pub mod limits {}

#[doc = include_str!("guide/rules.md")]
pub mod rules {}

#[doc = include_str!("guide/refused.md")]
pub mod refused {}

#[doc = include_str!("guide/coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("guide/glossary.md")]
///
/// In the reference, see [`Rule`](crate::Rule), [`Violation`](crate::Violation), [`Effect`](crate::Effect),
/// [`Issue`](crate::Issue), [`Policy`](crate::Policy), [`Error`](crate::Error) and
/// [`Completeness`](crate::Completeness).
pub mod glossary {}
