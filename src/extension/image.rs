//! The extension `image:image`.

use url::Url;

use super::field::Field;
use super::part::{self, Required, Row, elements, of_url};
use super::visit::visited;
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
    /// let image = Image::try_from("https://example.com/cat.jpg")?.with_title("A cat");
    /// assert_eq!(image.title.as_deref(), Some("A cat"));
    /// # Ok::<(), quick_sitemap::Violation>(())
    /// ```
    Image: Image "image"
    key {
        /// The URL of the image: absolute, http or https. It can be on another host than the page.
        loc = "loc"
    }
    {
        /// The caption of the image.
        caption: Option<String> = "caption" => with_caption(text);
        /// The place where the image was taken, in words: `Limerick, Ireland`.
        geo_location: Option<String> = "geo_location" => with_geo_location(text);
        /// The title of the image.
        title: Option<String> = "title" => with_title(text);
        /// The URL of the licence of the image: absolute, http or https.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        license: Option<Url> = "license" => with_license(Url);
    }
}

of_url!(Image);

impl Image {
    /// Reads an image that contains only a loc, without violations. `None` does not mean that the image is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>) -> Option<Self> {
        let loc = element.only_part(b"image", b"loc")?;
        Some(Self::new(plain_url(loc).ok()?))
    }
}
