//! The types around a set of sitemaps: the progress and the groups of a [`SplitWriter`](crate::SplitWriter), the earlier
//! parts and the files of a [`Parts`](crate::Parts), and the result of
//! [`SplitWriter::publish`](crate::SplitWriter::publish).
//!
//! # Examples
//!
//! ```
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-sets-{}", std::process::id()));
//! use quick_sitemap::sets::Published;
//! use quick_sitemap::{Directory, SplitWriter, UrlEntry};
//!
//! let directory = Directory::create(&public, &"https://example.com/".parse().unwrap())?;
//! let mut site = SplitWriter::new(directory);
//! site.write(&UrlEntry::try_from("https://example.com/a")?)?;
//! let published: Published = site.publish()?;
//! assert_eq!(published.parts.len(), 1);
//! assert!(published.parts[0].changed);
//! # std::fs::remove_dir_all(&public).unwrap();
//! # Ok::<(), quick_sitemap::Error>(())
//! ```

pub use crate::split::{Earlier, Group, Progress};
#[cfg(feature = "sets")]
pub use crate::split::{PartFile, Published, PublishedPart};
