//! The extension `image:image`.

use url::Url;

use super::part::{self, element, of_url};
use crate::raw::RawElement;
use crate::value::url::plain_url;
use crate::violation::Violation;

element! {
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
    Image: Image "image" "image"
    key {
        /// The URL of the image: absolute, http or https. It can be on another host than the page.
        loc = child "loc";
    }
    {
        /// The caption of the image.
        caption: Option<String> = child "caption" => with_caption(text);
        /// The place where the image was taken, in words: `Limerick, Ireland`.
        geo_location: Option<String> = child "geo_location" => with_geo_location(text);
        /// The title of the image.
        title: Option<String> = child "title" => with_title(text);
        /// The URL of the licence of the image: absolute, http or https.
        #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::value::url::serialize::optional"))]
        license: Option<Url> = child "license" => with_license(Url);
    }
}

of_url!(Image);

impl Image {
    /// Reads an image that contains only a loc, without violations. `None` does not mean that the image is wrong:
    /// [`read`](Self::read) must be called.
    #[inline]
    pub(crate) fn read_usual(element: RawElement<'_>) -> Option<Self> {
        let loc = element.only_part(b"image", b"loc")?;
        Some(Self::new(plain_url(loc)?))
    }
}
