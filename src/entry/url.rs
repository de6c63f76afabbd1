//! An entry of a urlset: `UrlEntry`, and the elements of other vocabularies that it may hold.

use url::Url;

use super::from_text::from_text;
use crate::extension::foreign::Element;
use crate::extension::{Alternate, Extension, Image, News, Video};
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::value::url::escape_url;
use crate::value::{ChangeFreq, Priority, W3cDatetime};
use crate::violation::Violation;
use crate::vocabulary::{Vocabulary, extensions};
use crate::xml::writer::{XmlWriter, tag};

/// A page: `<url>` in a `<urlset>`, a line of a text sitemap, or an item of a feed.
///
/// The fields are public and can be changed freely. A writer checks every rule when the entry is written.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::{Alternate, Image};
/// use quick_sitemap::{ChangeFreq, Priority, UrlEntry};
///
/// let page = UrlEntry::try_from("https://example.com/")?
///     .try_lastmod("2024-03-04")?
///     .with_changefreq(ChangeFreq::Weekly)
///     .with_priority(Priority::tenths(8))
///     .with_alternate(Alternate::new("de", "https://example.com/de/".parse().unwrap()))
///     .with_image(Image::new("https://example.com/a.jpg".parse().unwrap()));
/// assert_eq!(page.images.len(), 1);
/// # Ok::<(), quick_sitemap::Violation>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "SitemapUrl")]
#[doc(alias = "EntryRecord")]
pub struct UrlEntry {
    /// The URL of the page: absolute, http or https, fewer than 2,048 characters. (The schema of the protocol requires
    /// at least 12 characters; the text of the protocol does not. So validators reject a file with `http://a.b/`.)
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::value::url::serialize::required")
    )]
    pub loc: Url,
    /// The date of the last change of the page.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub lastmod: Option<W3cDatetime>,
    /// How often the page is likely to change. This is only a hint.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub changefreq: Option<ChangeFreq>,
    /// The priority of the page relative to other pages of its site. An absent priority means 0.5.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub priority: Option<Priority>,
    /// The page in other languages (`xhtml:link` with `hreflang`). Each set of alternates should also list the page
    /// itself.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub alternates: Vec<Alternate>,
    /// Images on the page. A writer accepts at most 1,000.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub images: Vec<Image>,
    /// Videos on the page.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub videos: Vec<Video>,
    /// The data of the page as a news article. A writer accepts at most 1,000 entries with news per file.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub news: Option<Box<News>>,
    /// Elements from other namespaces than those of the protocol and the extensions, in document order. The schema of
    /// the protocol has a strict wildcard for them, so validators reject a file with such an element unless they have a
    /// schema of its namespace.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub foreign: Vec<Element>,
}

impl UrlEntry {
    /// Creates an entry for the page at `loc`, without other values.
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

    /// Sets the date of the last change of the page. A `DateTime` is written with all its digits of a second; use
    /// [`with_precision`](W3cDatetime::with_precision) for fewer digits.
    #[must_use]
    pub fn with_lastmod(mut self, lastmod: impl Into<W3cDatetime>) -> Self {
        self.lastmod = Some(lastmod.into());
        self
    }

    /// Sets the date of the last change of the page, from text in one of the forms that [`W3cDatetime`] parses.
    /// [`W3cDatetime::parse_lenient`] also understands other forms.
    ///
    /// # Errors
    ///
    /// [`Rule::InvalidDatetime`](crate::Rule::InvalidDatetime) if the text has another form.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Rule, UrlEntry};
    ///
    /// let page = UrlEntry::try_from("https://example.com/")?.try_lastmod("2024-03-04")?;
    /// assert_eq!(page.lastmod, Some("2024-03-04".parse()?));
    /// assert_eq!(page.try_lastmod("4 March").unwrap_err().rule(), Rule::InvalidDatetime);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    pub fn try_lastmod(self, text: &str) -> Result<Self, Violation> {
        Ok(self.with_lastmod(text.parse::<W3cDatetime>()?))
    }

    /// Sets how often the page is likely to change.
    #[must_use]
    pub const fn with_changefreq(mut self, changefreq: ChangeFreq) -> Self {
        self.changefreq = Some(changefreq);
        self
    }

    /// Sets the priority of the page relative to other pages of its site.
    #[must_use]
    pub const fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets the priority of the page relative to other pages of its site, as a number from 0.0 to 1.0.
    ///
    /// # Errors
    ///
    /// [`Rule::InvalidPriority`](crate::Rule::InvalidPriority) if the number is NaN, below 0.0 or above 1.0.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Priority, Rule, UrlEntry};
    ///
    /// let page = UrlEntry::try_from("https://example.com/")?.try_priority(0.8)?;
    /// assert_eq!(page.priority, Some(Priority::tenths(8)));
    /// assert_eq!(page.try_priority(80.0).unwrap_err().rule(), Rule::InvalidPriority);
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    pub fn try_priority(self, priority: f32) -> Result<Self, Violation> {
        Ok(self.with_priority(Priority::new(priority)?))
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

    /// Adds a video. A writer rejects the entry if a required part of the video is missing.
    #[must_use]
    pub fn with_video(mut self, video: Video) -> Self {
        self.videos.push(video);
        self
    }

    /// Sets the data of the page as a news article. A writer rejects the entry if a required part of it is missing.
    #[must_use]
    pub fn with_news(mut self, news: News) -> Self {
        self.news = Some(Box::new(news));
        self
    }

    /// Adds an element from another namespace.
    #[must_use]
    pub fn with_foreign(mut self, element: Element) -> Self {
        self.foreign.push(element);
        self
    }

    /// Returns the extensions of the page, each with the number of its elements, in the order of [`Extension::ALL`].
    /// Extensions that the page does not have are omitted.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Extension, Image, UrlEntry, WriterBuilder};
    ///
    /// let image = |name| Image::new(format!("https://example.com/{name}").parse().unwrap());
    /// let page = UrlEntry::try_from("https://example.com/")?
    ///     .with_image(image("a.jpg"))
    ///     .with_image(image("b.jpg"));
    /// assert_eq!(page.extensions().collect::<Vec<_>>(), [(Extension::Image, 2)]);
    ///
    /// let needed = page.extensions().map(|(extension, _)| extension);
    /// let xml = WriterBuilder::new().declare(needed).urlset(Vec::new()).finish()?;
    /// assert!(String::from_utf8(xml).unwrap().contains(Extension::Image.namespace()));
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    pub fn extensions(&self) -> impl Iterator<Item = (Extension, usize)> {
        let counts = Extension::ALL.iter();
        let counts = counts.map(|extension| (*extension, self.count(*extension)));
        counts.filter(|(_, count)| *count > 0)
    }

    /// Percent-encodes characters that [`Url`] keeps but a sitemap may not contain: `[` and `]` outside of a host, a
    /// `%` without two hexadecimal digits, and a second `#`. This applies to the loc and to the URLs of alternates,
    /// images and videos.
    ///
    /// Writers reject such a URL ([`UrlNotEscaped`](crate::Rule::UrlNotEscaped)). They do not encode it themselves
    /// because the result is a different URL, which a few servers distinguish from the original. Characters that are
    /// already encoded are not changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::{Image, Rule, UrlEntry, UrlsetWriter};
    ///
    /// let image = Image::new("https://example.com/a[1].jpg".parse().unwrap());
    /// let page = UrlEntry::try_from("https://example.com/?filter[color]=100%&a=%20")?.with_image(image);
    ///
    /// let mut writer = UrlsetWriter::new(Vec::new());
    /// let refused = writer.write(&page).unwrap_err();
    /// assert_eq!(refused.violation().map(|violation| violation.rule()), Some(Rule::UrlNotEscaped));
    ///
    /// let page = page.escaped();
    /// assert_eq!(page.loc.as_str(), "https://example.com/?filter%5Bcolor%5D=100%25&a=%20");
    /// assert_eq!(page.images[0].loc.as_str(), "https://example.com/a%5B1%5D.jpg");
    /// writer.write(&page)?;
    /// # Ok::<(), quick_sitemap::Error>(())
    /// ```
    #[must_use]
    pub fn escaped(mut self) -> Self {
        for url in self.urls_mut() {
            escape_url(url);
        }
        self
    }

    /// Reads an element of another vocabulary: of an extension, or a foreign one.
    #[inline]
    pub(super) fn read_foreign(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) {
        let judgement = element.judgement();
        let vocabulary = judgement.vocabulary;
        if !judgement.is_misspelt && self.read_usual(vocabulary, element, cx) {
            return;
        }
        let rel = || element.attribute("rel");
        let Some(extension) = Extension::of(vocabulary, element.name(), rel) else {
            return Element::carry_through(element, &mut self.foreign, cx);
        };
        // Reading a link decides whether it is an alternate.
        if extension != Extension::Alternate || element.node.broken {
            cx.check_namespace(element);
        }
        if element.node.broken {
            return;
        }
        if !self.read_extension(extension, element, cx) {
            Element::carry_through(element, &mut self.foreign, cx);
        }
    }

    /// Reads a link or an image of the usual form. Returns `false` for any other element, of which nothing has been read
    /// then.
    #[inline]
    fn read_usual(
        &mut self,
        vocabulary: Vocabulary,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> bool {
        if element.node.broken {
            return false;
        }
        let added = match vocabulary {
            Vocabulary::Alternate => {
                Alternate::read_usual(element).map(|alternate| self.alternates.push(alternate))
            }
            Vocabulary::Image => {
                Image::read_usual(element).map(|image| image.add_to(&mut self.images, element, cx))
            }
            _ => None,
        };
        added.is_some()
    }

    /// Writes the entry as XML, in the order of the schema. Fails at the first value that breaks a rule.
    pub(crate) fn encode(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start(tag!("url"));
        xml.leaf(tag!("loc"), &self.loc)?;
        if let Some(lastmod) = &self.lastmod {
            xml.leaf(tag!("lastmod"), lastmod)?;
        }
        if let Some(changefreq) = &self.changefreq {
            xml.leaf(tag!("changefreq"), changefreq)?;
        }
        if let Some(priority) = &self.priority {
            xml.leaf(tag!("priority"), priority)?;
        }
        self.write_extensions(xml)?;
        for element in &self.foreign {
            element.encode(xml)?;
        }
        xml.end(tag!("url"));
        xml.end_line();
        Ok(())
    }
}

/// The methods that each row of the table of extensions is a part of.
macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident { field: $field:ident, $($columns:tt)* })*) => {
        impl UrlEntry {
            /// Returns all URLs of the page: the loc, and those in its extensions, such as alternates, images and
            /// videos. The URLs in [`foreign`](Self::foreign) elements are text, and are not returned.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Alternate, Image, UrlEntry};
            ///
            /// let mut page = UrlEntry::try_from("http://example.com/")?
            ///     .with_alternate(Alternate::new("de", "http://example.com/de".parse().unwrap()))
            ///     .with_image(Image::new("http://example.com/a.jpg".parse().unwrap()));
            /// for url in page.urls_mut() {
            ///     url.set_scheme("https").unwrap();
            /// }
            /// assert_eq!(page.loc.as_str(), "https://example.com/");
            /// assert_eq!(page.alternates[0].href.as_str(), "https://example.com/de");
            /// assert_eq!(page.images[0].loc.as_str(), "https://example.com/a.jpg");
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn urls_mut(&mut self) -> impl Iterator<Item = &mut Url> {
                let mut urls = vec![&mut self.loc];
                $(self.$field.iter_mut().for_each(|value| value.collect_urls(&mut urls));)*
                urls.into_iter()
            }

            /// Removes everything of an extension.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::{Extension, Image, UrlEntry};
            ///
            /// let mut page = UrlEntry::try_from("https://example.com/")?
            ///     .with_image(Image::new("https://example.com/a.jpg".parse().unwrap()));
            /// page.clear(Extension::Image);
            /// assert!(page.images.is_empty());
            /// # Ok::<(), quick_sitemap::Violation>(())
            /// ```
            pub fn clear(&mut self, extension: Extension) {
                match extension {
                    $(Extension::$name => self.$field = Default::default(),)*
                }
            }

            /// Returns the number of its elements of an extension.
            #[inline]
            fn count(&self, extension: Extension) -> usize {
                match extension {
                    $(Extension::$name => self.$field.iter().count(),)*
                }
            }

            /// Returns `false` if the element is kept as a foreign one.
            #[inline]
            fn read_extension(
                &mut self,
                extension: Extension,
                element: RawElement<'_>,
                cx: &mut Interpreter<'_>,
            ) -> bool {
                match extension {
                    $(Extension::$name => $name::read_into(&mut self.$field, element, cx),)*
                }
            }

            #[inline]
            fn write_extensions(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
                $(Extension::$name.check_count(self.count(Extension::$name))?;)*
                $(self.$field.iter().try_for_each(|value| value.write(xml))?;)*
                Ok(())
            }
        }
    };
}
extensions!(fields);

impl From<Url> for UrlEntry {
    fn from(loc: Url) -> Self {
        Self::new(loc)
    }
}

from_text!(UrlEntry);
