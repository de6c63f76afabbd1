//! [`WriterBuilder`]: the options of all writers.

use url::Url;

use super::namespace::Namespace;
use crate::limits::Limits;
use crate::value::location::Location;

/// Spaces that a level may be indented by: foreign elements can be many levels deep.
const MAX_INDENT: usize = 16;

/// Options for writers: indentation, style sheet, namespaces, limits and location.
///
/// There is no option for gzip: pass an encoder, such as a `flate2::write::GzEncoder`, as the output (see
/// [`UrlsetWriter`](crate::UrlsetWriter)).
///
/// # Examples
///
/// ```
/// use quick_sitemap::{UrlEntry, WriterBuilder};
///
/// let mut writer = WriterBuilder::new().indent(2).stylesheet("/sitemap.xsl").urlset(Vec::new());
/// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert_eq!(xml, r#"<?xml version="1.0" encoding="UTF-8"?>
/// <?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
///   <url>
///     <loc>https://example.com/</loc>
///   </url>
/// </urlset>
/// "#);
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct WriterBuilder {
    pub(super) indent: usize,
    pub(super) stylesheet: Option<String>,
    pub(super) namespaces: Vec<Namespace>,
    pub(crate) limits: Limits,
    pub(super) location: Location,
    pub(super) escape: bool,
}

impl WriterBuilder {
    /// Creates the default options: one entry per line, no style sheet, the limits of the protocol.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the number of spaces per level of indentation, at most 16. The default is 0, which writes one entry per
    /// line. Text is never indented.
    pub const fn indent(mut self, spaces: usize) -> Self {
        self.indent = if spaces < MAX_INDENT {
            spaces
        } else {
            MAX_INDENT
        };
        self
    }

    /// Sets the URL of a style sheet with which browsers show the file: CSS if its path ends with `.css` (`<?xml-stylesheet
    /// type="text/css" …?>`), otherwise XSLT (`type="text/xsl"`). Browsers are removing XSLT; [`STYLESHEET`](crate::STYLESHEET)
    /// is CSS. The index of a set names it, too.
    pub fn stylesheet(mut self, href: impl Into<String>) -> Self {
        self.stylesheet = Some(href.into());
        self
    }

    /// Adds namespaces to declare on the root, in addition to those that the first entry needs. An entry that needs
    /// another namespace declares it itself, each time. So if only some entries have extensions, declaring them here
    /// makes the file smaller: [`Extension::ALL`](crate::Extension::ALL) adds some 55 bytes per extension to each file.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::extension::{Extension, Image};
    /// use quick_sitemap::{UrlEntry, WriterBuilder};
    ///
    /// let image = Image::try_from("https://example.com/kettle.jpg")?;
    /// let mut writer = WriterBuilder::new().declare(Extension::ALL.iter().copied()).urlset(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/")?)?;
    /// writer.write(&UrlEntry::try_from("https://example.com/kettle")?.with_image(image))?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<image:image><image:loc>https://example.com/kettle.jpg</image:loc></image:image>"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn declare<N: Into<Namespace>>(mut self, namespaces: impl IntoIterator<Item = N>) -> Self {
        self.namespaces
            .extend(namespaces.into_iter().map(Into::into));
        self
    }

    /// Sets the limits for entries and bytes per file. Values above the limits of the protocol are treated as those.
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the URL at which the sitemap will be found. A page that a sitemap at that place may not list is rejected
    /// ([`OutsideLocation`](crate::Rule::OutsideLocation): another host, scheme, port or directory), and so is a page whose
    /// URL contains a user or a password. By default there is no location, and this is not checked. A set has the
    /// [location of its parts](crate::Parts::location).
    ///
    /// The source of the rule is the protocol's
    /// [Sitemap file location](https://www.sitemaps.org/protocol.html#location).
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Rule, UrlEntry, WriterBuilder};
    ///
    /// let shop = "https://example.com/shop/sitemap.xml".parse().unwrap();
    /// let settings = WriterBuilder::new().location(shop);
    /// let home = UrlEntry::try_from("https://example.com/")?;
    /// let error = settings.urlset(Vec::new()).write(&home).unwrap_err();
    /// assert_eq!(error.violation().unwrap().rule(), Rule::OutsideLocation);
    /// settings.any_directory().urlset(Vec::new()).write(&home)?;
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn location(mut self, location: Url) -> Self {
        self.location.url = Some(location);
        self
    }

    /// Also allows all pages of another site: those with the scheme, host and port of `site`. Use this if the robots.txt of
    /// that site lists this sitemap ([cross submits](https://www.sitemaps.org/protocol.html#sitemaps_cross_submits)). The path
    /// of `site` is ignored. The method can be called for several sites. It has no effect without a
    /// [`location`](Self::location).
    pub fn allow_site(mut self, site: &Url) -> Self {
        self.location.sites.push(site.clone());
        self
    }

    /// Also allows pages outside the directory of the sitemap. Use this if robots.txt lists the sitemap, because search
    /// engines then ignore the directory. It has no effect without a [`location`](Self::location).
    pub fn any_directory(mut self) -> Self {
        self.location.any_directory = true;
        self
    }

    /// Sets whether URLs are percent-encoded if necessary, as by [`UrlEntry::escaped`](crate::UrlEntry::escaped). The
    /// default is `false`: such an entry is rejected ([`UrlNotEscaped`](crate::Rule::UrlNotEscaped)), because the
    /// encoded URL is another URL. Most servers treat both as the same, but they need not.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{UrlEntry, WriterBuilder};
    ///
    /// let mut writer = WriterBuilder::new().escape(true).urlset(Vec::new());
    /// writer.write(&UrlEntry::try_from("https://example.com/?filter[color]=100%")?)?;
    /// let xml = String::from_utf8(writer.finish()?).unwrap();
    /// assert!(xml.contains("<loc>https://example.com/?filter%5Bcolor%5D=100%25</loc>"));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub const fn escape(mut self, escape: bool) -> Self {
        self.escape = escape;
        self
    }

    /// The settings for the index of files that are written with these settings.
    pub(super) fn for_index(&self) -> Self {
        Self {
            indent: self.indent,
            stylesheet: self.stylesheet.clone(),
            escape: self.escape,
            ..Self::default()
        }
    }
}
