//! Sets of sitemaps: any number of pages in as many files as necessary, and their index.
//!
//! A [`SplitWriter`] decides where one part ends and the next begins, and a [`Parts`] stores the parts. [`Directory`] stores
//! them in a directory, and replaces the earlier set while clients read it. The crate root exports these three, too.
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

#[cfg(feature = "sets")]
mod directory;
mod earlier;
mod parts;
mod split;

#[cfg(feature = "sets")]
#[doc(hidden)]
pub use self::directory::PartFile;
#[cfg(feature = "sets")]
pub use self::directory::{Directory, Published, PublishedPart};
pub use self::earlier::Earlier;
pub use self::parts::{Parts, Progress};
pub use self::split::{Group, SplitWriter};
