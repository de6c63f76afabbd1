//! Complete programs for common tasks. This module contains only text. The tests compile and run every program.
//!
//! * [One sitemap.xml until it grows](#one-sitemapxml-until-it-grows), for a small site
//! * [Publish a site every night](#publish-a-site-every-night): guards, fingerprints, changed files
//! * [Write only the sections that changed](#write-only-the-sections-that-changed), for a large shop
//! * [Write one file](#write-one-file), visible when it is complete
//!
//! # One sitemap.xml until it grows
//!
//! Most sites have fewer than 50,000 pages, and need one file. With [`single`](quick_sitemap::SplitWriter::single), the
//! program writes one `sitemap.xml`. When the site outgrows it, the same program writes parts, and `sitemap.xml` becomes their
//! index. So the line in robots.txt does not change.
//!
//! ```
//! use std::path::Path;
//!
//! use quick_sitemap::{Result, UrlEntry, WriterBuilder};
//! use quick_sitemap_set::Directory;
//!
//! fn publish(public: &Path, pages: impl Iterator<Item = (String, String)>) -> Result<()> {
//!     let directory = Directory::create(public, &"https://example.com/".parse().unwrap())?;
//!     // `escape` percent-encodes URLs that a sitemap may not contain as they are.
//!     let mut site = WriterBuilder::new().escape(true).split(directory).single(true);
//!     for (path, changed) in pages {
//!         site.write(&UrlEntry::try_from(format!("https://example.com/{path}"))?.try_lastmod(&changed)?)?;
//!     }
//!     site.finish()?;
//!     Ok(())
//! }
//!
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-cookbook-single-{}", std::process::id()));
//! let page = |number: u32| (format!("kettles?size[]={number}"), "2024-03-04".to_owned());
//! publish(&public, (0..10).map(page))?;
//! let names = || std::fs::read_dir(&public).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
//! assert_eq!(names().filter(|name| !name.starts_with('.')).collect::<Vec<_>>(), ["sitemap.xml"]);
//!
//! publish(&public, (0..50_001).map(page))?;
//! assert_eq!(names().filter(|name| !name.starts_with('.')).count(), 3); // two parts and their index
//! # std::fs::remove_dir_all(&public).unwrap();
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # Publish a site every night
//!
//! An unattended job needs some guards. With [`refuse_below`](crate::Directory::refuse_below), the run ends with an error if
//! a query returns almost nothing, and the old set stays. It also stays if a second job is started by mistake, the disk is
//! full, or the process is killed. With fingerprints, the set is replaced atomically. The program returns the changed files,
//! which must be uploaded or purged from a cache. [`declare`](quick_sitemap::WriterBuilder::declare) saves bytes if only some
//! pages have images.
//!
//! ```
//! use std::error::Error;
//! use std::path::Path;
//!
//! use quick_sitemap::extension::{Extension, Image};
//! use quick_sitemap::url::Url;
//! use quick_sitemap::{UrlEntry, W3cDatetime, WriterBuilder};
//! use quick_sitemap_set::Directory;
//!
//! struct Product { path: String, image: Option<String>, changed: std::time::SystemTime }
//!
//! fn publish(
//!     public: &Path,
//!     products: impl Iterator<Item = Product>,
//!     at_least: u64,
//! ) -> Result<Vec<std::path::PathBuf>, Box<dyn Error>> {
//!     let base = Url::parse("https://shop.example/")?;
//!     let directory = Directory::create(public, &base)?
//!         .gzip(true)
//!         .fingerprint(true)
//!         .refuse_below(at_least);
//!     let mut site = WriterBuilder::new()
//!         .declare([Extension::Image])
//!         .split(directory)
//!         .on_progress(|so_far| eprintln!("{} pages, {} parts", so_far.entries, so_far.parts));
//!     for product in products {
//!         // The date from the file system, in full seconds.
//!         let mut page = UrlEntry::new(base.join(&product.path)?).with_lastmod(W3cDatetime::from(product.changed));
//!         if let Some(image) = product.image {
//!             page = page.with_image(Image::new(base.join(&image)?));
//!         }
//!         match site.write(&page) {
//!             Ok(()) => {}
//!             // A page that no sitemap may list is left out; the job continues.
//!             Err(error) if error.violation().is_some() => eprintln!("{}: {error}", page.loc),
//!             Err(error) => return Err(error.into()),
//!         }
//!     }
//!     let published = site.finish()?;
//!     let changed = published.parts().iter().filter(|part| part.changed);
//!     // The index comes last, because its parts must exist when a client reads it.
//!     let mut files: Vec<_> = changed.map(|part| part.path.clone()).collect();
//!     files.extend(published.is_index_changed().then(|| published.path().to_owned()));
//!     Ok(files)
//! }
//!
//! # fn main() -> Result<(), Box<dyn Error>> {
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-cookbook-nightly-{}", std::process::id()));
//! let product = |number: usize| Product {
//!     path: format!("kettle/{number}"),
//!     image: (number % 2 == 0).then(|| format!("kettle/{number}.jpg")),
//!     changed: std::time::SystemTime::UNIX_EPOCH,
//! };
//! assert_eq!(publish(&public, (0..60_000).map(product), 1_000)?.len(), 3);
//! // The next night, nothing has changed.
//! assert!(publish(&public, (0..60_000).map(product), 1_000)?.is_empty());
//! // If the database is empty, the run fails.
//! assert!(publish(&public, (0..0).map(product), 1_000).is_err());
//! # std::fs::remove_dir_all(&public)?;
//! # Ok(())
//! # }
//! ```
//!
//! # Write only the sections that changed
//!
//! A shop with two million products in twenty sections pays for the changed section only. Each section is a
//! [group](quick_sitemap::SplitWriter::group). A section without a change since the last night is
//! [kept](quick_sitemap::SplitWriter::keep): its parts are neither read nor written. The time of the last night must be the time at
//! which that run began, so that no change is missed. A product that was deleted is a change, too. All sections are written
//! if there is no set yet, or if a section cannot be kept.
//!
//! ```
//! use std::collections::BTreeMap;
//! use std::path::Path;
//! use std::time::SystemTime;
//!
//! use quick_sitemap::{Result, SplitWriter, UrlEntry};
//! use quick_sitemap_set::{Directory, Published};
//!
//! /// A section of the shop, with the last change of a product in it.
//! struct Section { changed: SystemTime, products: Vec<String> }
//!
//! fn publish(public: &Path, shop: &BTreeMap<&str, Section>, last_night: Option<SystemTime>) -> Result<Published> {
//!     let base = "https://shop.example/".parse().unwrap();
//!     let mut site = SplitWriter::new(Directory::create(public, &base)?.gzip(true).fingerprint(true));
//!     for (name, section) in shop {
//!         if last_night.is_some_and(|last_night| section.changed < last_night) {
//!             site.keep(name)?;
//!             continue;
//!         }
//!         for product in &section.products {
//!             site.group(name).write(&UrlEntry::try_from(format!("https://shop.example/{product}"))?)?;
//!         }
//!     }
//!     site.finish()
//! }
//!
//! /// Writes everything if a section cannot be kept, for example because it is new or was damaged.
//! fn publish_or_repair(public: &Path, shop: &BTreeMap<&str, Section>, last_night: SystemTime) -> Result<Published> {
//!     publish(public, shop, Some(last_night)).or_else(|error| {
//!         eprintln!("all sections are written: {error:#}");
//!         publish(public, shop, None)
//!     })
//! }
//!
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-cookbook-sections-{}", std::process::id()));
//! # let at = |hours: u64| SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(hours * 3_600);
//! let section = |hour, product: &str| Section { changed: at(hour), products: vec![product.to_owned()] };
//! let mut shop = BTreeMap::from([("pans", section(1, "pan")), ("pots", section(2, "pot"))]);
//! assert_eq!(publish_or_repair(&public, &shop, at(0))?.kept().count(), 0);
//!
//! shop.insert("pans", section(20, "new-pan"));
//! let published = publish_or_repair(&public, &shop, at(10))?;
//! assert_eq!(published.kept().count(), 1);
//! assert_eq!(published.parts().iter().filter(|part| part.changed).count(), 1);
//!
//! // There is no section `lids` that could be kept.
//! shop.insert("lids", section(3, "lid"));
//! assert_eq!(publish_or_repair(&public, &shop, at(30))?.kept().count(), 0);
//! # std::fs::remove_dir_all(&public).unwrap();
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
//!
//! # Write one file
//!
//! A [`NewFile`](crate::NewFile) is written under a hidden name next to its place. `finish`
//! syncs it and renames it, so a web server that reads the directory finds either the old file or the complete new one. If
//! `?` leaves the function early, the old file stays. The gzipped file is a *twin* of the other one: some servers send it to
//! clients that accept gzip (`gzip_static` of nginx).
//!
//! ```
//! use std::path::Path;
//!
//! use quick_sitemap::{Result, UrlEntry, UrlsetWriter};
//! use quick_sitemap_set::NewFile;
//!
//! fn write(public: &Path, pages: &[(&str, &str)]) -> Result<()> {
//!     let mut plain = UrlsetWriter::new(NewFile::create(public.join("sitemap.xml"))?);
//!     let mut twin = UrlsetWriter::new(NewFile::gzip(public.join("sitemap.xml.gz"))?);
//!     for (url, changed) in pages {
//!         let page = UrlEntry::try_from(*url)?.try_lastmod(changed)?;
//!         plain.write(&page)?;
//!         twin.write(&page)?;
//!     }
//!     twin.finish()?.finish()?;
//!     plain.finish()?.finish()?;
//!     Ok(())
//! }
//!
//! # let public = std::env::temp_dir().join(format!("quick-sitemap-cookbook-create-{}", std::process::id()));
//! # std::fs::create_dir_all(&public).unwrap();
//! write(&public, &[("https://example.com/", "2024-03-04")])?;
//! for name in ["sitemap.xml", "sitemap.xml.gz"] {
//!     assert_eq!(quick_sitemap::Reader::from_path(public.join(name))?.count(), 1);
//! }
//!
//! // A row that is wrong leaves the files as they were.
//! assert!(write(&public, &[("https://example.com/a", "yesterday")]).is_err());
//! assert_eq!(quick_sitemap::Reader::from_path(public.join("sitemap.xml"))?.count(), 1);
//! # std::fs::remove_dir_all(&public).unwrap();
//! # Ok::<(), quick_sitemap::Error>(())
//! ```
