//! The extension `image:image`.

use url::Url;

use super::field::{Claim, ExtensionField};
use super::{Extension, tidy, write_text};
use crate::extension::encode::url_leaf;
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::violation::{Effect, Rule, Violation};
use crate::vocabulary::Vocabulary;
use crate::xml::writer::{XmlWriter, tag};

/// Images one entry may have.
const MAX_IMAGES: usize = 1_000;

/// An image on the page: `image:image`.
///
/// Google reads only `loc`. The other fields are deprecated, but still common.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::Image;
///
/// let image = Image::new("https://example.com/cat.jpg".parse().unwrap()).with_title("A cat");
/// assert_eq!(image.title.as_deref(), Some("A cat"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Image {
    /// The URL of the image: absolute, http or https. It can be on another host than the page.
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "crate::value::url::serialize::required")
    )]
    pub loc: Url,
    /// The caption of the image.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub caption: Option<String>,
    /// The place where the image was taken, in words: `Limerick, Ireland`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub geo_location: Option<String>,
    /// The title of the image.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub title: Option<String>,
    /// The URL of the licence of the image: absolute, http or https.
    #[cfg_attr(
        feature = "serde",
        serde(
            default,
            deserialize_with = "crate::value::url::serialize::optional",
            skip_serializing_if = "Option::is_none"
        )
    )]
    pub license: Option<Url>,
}

impl Image {
    /// Creates an image with the URL `loc`, without other values.
    #[must_use]
    pub const fn new(loc: Url) -> Self {
        Self {
            loc,
            caption: None,
            geo_location: None,
            title: None,
            license: None,
        }
    }

    /// Sets the caption.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = tidy(caption);
        self
    }

    /// Sets the place where the image was taken.
    #[must_use]
    pub fn with_geo_location(mut self, geo_location: impl Into<String>) -> Self {
        self.geo_location = tidy(geo_location);
        self
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = tidy(title);
        self
    }

    /// Sets the URL of the licence.
    #[must_use]
    pub fn with_license(mut self, license: Url) -> Self {
        self.license = Some(license);
        self
    }

    /// Reads an image that contains only a loc, without violations. `None` does not mean that the image is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        let loc = element.only_part(b"image", b"loc")?;
        Some(Self::new(cx.plain_url(loc).ok()?))
    }

    /// Adds it to the images of an entry.
    #[inline]
    pub(crate) fn add_to(
        self,
        images: &mut Vec<Self>,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) {
        images.push(self);
        if images.len() == MAX_IMAGES + 1 {
            cx.note(Rule::TooManyImages, element.tag(), "1,000");
        }
    }

    /// Reads an image; `None` without a loc that can be used.
    fn read(element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Option<Self> {
        let (mut loc, mut caption, mut geo_location, mut title, mut license) = Default::default();
        for part in cx.children(element) {
            match cx.part_of(Vocabulary::Image, part) {
                Some("loc") => cx.once(&mut loc, part, Interpreter::web_url),
                Some("caption") => cx.once(&mut caption, part, Interpreter::text),
                Some("geo_location") => cx.once(&mut geo_location, part, Interpreter::text),
                Some("title") => cx.once(&mut title, part, Interpreter::text),
                Some("license") => cx.once(&mut license, part, Interpreter::web_url),
                _ => cx.unknown(part),
            }
        }
        // An unusable image has been reported.
        if loc.is_none() {
            cx.require_one(Extension::Image, element, &["loc"], Effect::ValueDropped);
        }
        Some(Self {
            loc: loc?,
            caption,
            geo_location,
            title,
            license,
        })
    }

    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start_in(Extension::Image)?;
        url_leaf(xml, tag!("image:loc"), &self.loc)?;
        write_text(xml, "image:caption", self.caption.as_deref())?;
        write_text(xml, "image:geo_location", self.geo_location.as_deref())?;
        write_text(xml, "image:title", self.title.as_deref())?;
        if let Some(license) = &self.license {
            url_leaf(xml, tag!("image:license"), license)?;
        }
        xml.end(Extension::Image.element());
        Ok(())
    }
}

impl ExtensionField for Vec<Image> {
    #[inline]
    fn read(&mut self, element: RawElement<'_>, cx: &mut Interpreter<'_>) -> Claim {
        if let Some(image) = Image::read(element, cx) {
            image.add_to(self, element, cx);
        }
        Claim::Taken
    }

    fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        if self.len() > MAX_IMAGES {
            return Err(Violation::new(Rule::TooManyImages, "1,000"));
        }
        self.iter().try_for_each(|image| image.write(xml))
    }

    fn urls_mut(&mut self) -> impl Iterator<Item = &mut Url> {
        self.iter_mut()
            .flat_map(|image| std::iter::once(&mut image.loc).chain(&mut image.license))
    }
}
