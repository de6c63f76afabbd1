//! The extension `image:image`.

use url::Url;

use super::part::{self, Field, Row, elements};
use super::{Extension, tidy};
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::value::url::plain_url;
use crate::violation::{Effect, Violation};
use crate::vocabulary::Vocabulary;
use crate::xml::writer::{XmlWriter, tag};

elements! {
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
    Image: Image "image"
    key {
        /// The URL of the image: absolute, http or https. It can be on another host than the page.
        loc = "loc"
    }
    {
        /// The caption of the image.
        caption: Option<String> = "caption";
        /// The place where the image was taken, in words: `Limerick, Ireland`.
        geo_location: Option<String> = "geo_location";
        /// The title of the image.
        title: Option<String> = "title";
        /// The URL of the licence of the image: absolute, http or https.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        license: Option<Url> = "license";
    }
}

impl Image {
    /// Creates an image with the URL `loc`, without other values.
    #[must_use]
    pub const fn new(loc: Url) -> Self {
        Self::empty(loc)
    }

    /// Sets the caption.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = tidy(caption);
        self
    }

    /// Sets the title.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = tidy(title);
        self
    }

    /// Reads an image that contains only a loc, without violations. `None` does not mean that the image is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>) -> Option<Self> {
        let loc = element.only_part(b"image", b"loc")?;
        Some(Self::new(plain_url(loc).ok()?))
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
        Extension::Image.note_excess(images.len(), element, cx);
    }

    /// Adds an element to the images of an entry.
    #[inline]
    pub(crate) fn read_into(
        images: &mut Vec<Self>,
        element: RawElement<'_>,
        cx: &mut Interpreter<'_>,
    ) -> bool {
        if let Some(image) = Self::read(element, cx) {
            image.add_to(images, element, cx);
        }
        true
    }

    pub(crate) fn write(&self, xml: &mut XmlWriter) -> Result<(), Violation> {
        xml.start(tag!("image:image"));
        xml.declare_for(Extension::Image)?;
        self.write_parts(xml)?;
        xml.end(tag!("image:image"));
        Ok(())
    }
}
