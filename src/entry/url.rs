use url::Url;

use super::element::Element;
use super::loc;
use crate::extension::{Alternate, EXTENSIONS, Image, News, Video};
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::Violation;
use crate::xml::writer::XmlWriter;

/// A page: `<url>` in a `<urlset>`, a line of a text sitemap, an item of a feed.
///
/// The fields are public and may be changed at will; a writer checks every rule when the entry is written.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::{Alternate, Image};
/// use quick_sitemap::{ChangeFreq, Priority, UrlEntry, W3cDatetime};
///
/// let page = UrlEntry::try_from("https://example.com/")?
///     .with_lastmod("2024-03-04".parse::<W3cDatetime>()?)
///     .with_changefreq(ChangeFreq::Weekly)
///     .with_priority(Priority::new(0.8)?)
///     .with_alternate(Alternate::new("de", "https://example.com/de/".parse().unwrap()))
///     .with_image(Image::new("https://example.com/a.jpg".parse().unwrap()));
/// assert_eq!(page.images.len(), 1);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct UrlEntry {
    /// Where the page is: absolute, http or https, fewer than 2,048 characters.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::serde::url"))]
    pub loc: Url,
    /// When the page was last changed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lastmod: Option<W3cDatetime>,
    /// How often the page is likely to change; a hint.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub changefreq: Option<ChangeFreq>,
    /// The page's weight among the pages of its own site; absent means 0.5.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub priority: Option<Priority>,
    /// The page in other languages (`xhtml:link` with `hreflang`); each set should list the page itself too.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub alternates: Vec<Alternate>,
    /// Images on the page; at most 1,000 when written.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub images: Vec<Image>,
    /// Videos on the page.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub videos: Vec<Video>,
    /// The page as a news article; at most 1,000 entries of one file may have it when written.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub news: Option<Box<News>>,
    /// Elements of vocabularies that this crate does not know, in document order.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub foreign: Vec<Element>,
}

impl UrlEntry {
    /// A page at `loc`, with nothing else said.
    #[must_use]
    pub const fn new(loc: Url) -> Self {
        Self {
            loc,
            lastmod: None,
            changefreq: None,
            priority: None,
            alternates: Vec::new(),
            images: Vec::new(),
            videos: Vec::new(),
            news: None,
            foreign: Vec::new(),
        }
    }

    /// Sets when the page was last changed. A `DateTime` is written with as many digits of a second as it has;
    /// [`with_precision`](W3cDatetime::with_precision) cuts them off.
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: impl Into<W3cDatetime>) -> Self {
        self.lastmod = Some(lastmod.into());
        self
    }

    /// Sets how often the page is likely to change.
    #[must_use]
    pub const fn with_changefreq(mut self, changefreq: ChangeFreq) -> Self {
        self.changefreq = Some(changefreq);
        self
    }

    /// Sets the page's weight among the pages of its own site.
    #[must_use]
    pub const fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Adds the page in another language.
    #[must_use]
    pub fn with_alternate(mut self, alternate: Alternate) -> Self {
        self.alternates.push(alternate);
        self
    }

    /// Adds an image.
    #[must_use]
    pub fn with_image(mut self, image: Image) -> Self {
        self.images.push(image);
        self
    }

    /// Adds a video.
    #[must_use]
    pub fn with_video(mut self, video: Video) -> Self {
        self.videos.push(video);
        self
    }

    /// Sets what makes the page a news article.
    #[must_use]
    pub fn with_news(mut self, news: News) -> Self {
        self.news = Some(Box::new(news));
        self
    }

    /// Adds an element of another vocabulary.
    #[must_use]
    pub fn with_foreign(mut self, element: Element) -> Self {
        self.foreign.push(element);
        self
    }

    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start("url");
        xml.url_leaf("loc", &self.loc)?;
        if let Some(lastmod) = self.lastmod {
            xml.datetime_leaf("lastmod", lastmod)?;
        }
        if let Some(changefreq) = self.changefreq {
            xml.leaf_of("changefreq", |out| out.push_str(changefreq.as_str()));
        }
        if let Some(priority) = self.priority {
            xml.leaf_of("priority", |out| priority.append_to(out));
        }
        for extension in EXTENSIONS {
            (extension.write)(self, xml)?;
        }
        for element in &self.foreign {
            element.encode(xml)?;
        }
        xml.end("url");
        Ok(())
    }
}

impl From<Url> for UrlEntry {
    fn from(loc: Url) -> Self {
        Self::new(loc)
    }
}

/// # Errors
///
/// [`InvalidUrl`](crate::Rule::InvalidUrl), [`UnsupportedScheme`](crate::Rule::UnsupportedScheme) or
/// [`UrlTooLong`](crate::Rule::UrlTooLong), where the text is not an absolute http or https URL of fewer
/// than 2,048 characters.
impl TryFrom<&str> for UrlEntry {
    type Error = Violation;

    fn try_from(text: &str) -> Result<Self, Violation> {
        loc::parse(text).map(Self::new)
    }
}
