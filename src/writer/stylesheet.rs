//! The style sheet that ships with the crate.

/// A CSS style sheet that shows sitemaps and sitemap indexes in browsers: pages with their dates, images, videos, news and
/// translations, in light and dark, on wide and narrow screens. Its licence is that of the crate, MIT.
///
/// Store it next to the sitemaps, and pass its URL to [`WriterBuilder::stylesheet`](crate::WriterBuilder::stylesheet). The
/// URLs in a sitemap are not shown as links, because CSS cannot make links from text. XSLT could, but browsers are removing
/// it.
///
/// # Examples
///
/// ```
/// # let public = std::env::temp_dir().join(format!("quick-sitemap-doc-stylesheet-{}", std::process::id()));
/// # std::fs::create_dir_all(&public)?;
/// use quick_sitemap::{STYLESHEET, UrlEntry, WriterBuilder};
///
/// std::fs::write(public.join("sitemap.css"), STYLESHEET)?;
/// let mut writer = WriterBuilder::new().stylesheet("sitemap.css").urlset(Vec::new());
/// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
/// let xml = String::from_utf8(writer.finish()?)?;
/// assert!(xml.contains(r#"<?xml-stylesheet type="text/css" href="sitemap.css"?>"#));
/// # std::fs::remove_dir_all(&public)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const STYLESHEET: &str = include_str!("stylesheet.css");
