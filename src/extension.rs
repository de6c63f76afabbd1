//! Extensions that Google and others add to an entry: alternates, images, videos and news.
//!
//! If a required part of an element is missing or invalid, the reader returns the element without that part, so such
//! parts are `Option`s. (An image without its loc is dropped, and so is an alternate without `rel`, `hreflang` or
//! `href`.) The constructors require these parts, and a writer rejects an element without them.
//!
//! **Text** has no white space at either end and is not empty, because such text could not be read back. The
//! constructors trim text and treat blank text as absent. A writer rejects other text that was assigned to a field.
//!
//! # Examples
//!
//! ```
//! use quick_sitemap::extension::Image;
//! use quick_sitemap::{ErrorKind, Rule, UrlEntry, UrlsetWriter};
//!
//! let mut image = Image::new("https://example.com/a.jpg".parse().unwrap()).with_caption(" A cat ");
//! assert_eq!(image.caption.as_deref(), Some("A cat"));
//!
//! image.caption = Some(String::new());
//! let page = UrlEntry::try_from("https://example.com/")?.with_image(image);
//! let error = UrlsetWriter::new(Vec::new()).write(&page).unwrap_err();
//! assert!(matches!(error.kind(), ErrorKind::Violation(v) if v.rule() == Rule::MissingElement));
//! # Ok::<(), quick_sitemap::Violation>(())
//! ```

mod alternate;
mod field;
pub mod foreign;
mod image;
mod keywords;
mod news;
mod part;
mod video;
mod visit;

pub use self::alternate::Alternate;
pub(crate) use self::field::Field;
pub use self::image::Image;
pub use self::news::{Access, Genre, News, Publication};
pub use self::video::{
    ContentSegment, Gallery, IdKind, Platform, Platforms, Player, Price, PriceType, Rating,
    Relationship, Resolution, Restriction, Uploader, Video, VideoId,
};
pub use self::visit::Part;
pub(crate) use self::visit::{Visit, Visited, visited};
pub use crate::value::LanguageTag;
use crate::violation::{Rule, Violation, case};
pub use crate::vocabulary::Extension;

/// Text as the fields hold it: trimmed; blank is absent.
fn tidy(text: impl Into<String>) -> Option<String> {
    let text = text.into();
    let trimmed = text.trim();
    match trimmed.len() {
        0 => None,
        len if len == text.len() => Some(text),
        _ => Some(trimmed.to_owned()),
    }
}

/// Text that reads back as it is; `name` is that of its element.
fn check_text<'a>(text: &'a str, name: &str) -> Result<&'a str, Violation> {
    let (rule, found, case) = if text.is_empty() {
        (Rule::MissingElement, name, case::EMPTY)
    } else if text.trim().len() != text.len() {
        (Rule::InvalidCharacter, text, case::WHITE_SPACE)
    } else {
        return Ok(text);
    };
    Err(Violation::with_detail(rule, found, case))
}
