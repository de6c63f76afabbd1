//! A set of sitemaps in a directory that is replaced at one instant, while it is served.
//!
//! `SplitWriter` of [`quick_sitemap`] divides any number of pages into parts. A [`Directory`] stores them as files:
//!
//! ```
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-set-doc-{}", std::process::id()));
//! use quick_sitemap::{SplitWriter, UrlEntry};
//! use quick_sitemap_set::Directory;
//!
//! let base = "https://example.com/".parse()?;
//! let mut site = SplitWriter::new(Directory::create(&public, &base)?.gzip(true).fingerprint(true));
//! site.write(&UrlEntry::try_from("https://example.com/a")?)?;
//! let published = site.finish()?; // sitemap-1-3f9a….xml.gz, sitemap.xml
//! assert_eq!(published.to_string(), "https://example.com/sitemap.xml");
//! assert!(published.parts()[0].changed);
//! # std::fs::remove_dir_all(&public)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`NewFile`] is one file that appears when it is complete: the output of a single `UrlsetWriter`, or a robots.txt.
//!
//! The minimum Rust version is 1.89, because of [`File::try_lock`](std::fs::File::try_lock).

pub mod cookbook;
mod directory;
mod files;
mod new_file;
mod output;

pub use self::directory::{Directory, PartFile, Published, PublishedPart};
pub use self::new_file::NewFile;

// Compiles the programs of README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
