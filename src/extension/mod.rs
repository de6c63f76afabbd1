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
pub(crate) mod encode;
pub(crate) mod field;
pub(crate) mod foreign;
mod image;
mod news;
mod video;

use crate::violation::{Rule, Violation, case, grouped};
use crate::xml::writer::XmlWriter;

pub use self::alternate::Alternate;
pub use self::image::Image;
pub use self::news::{Access, Genre, News, Publication};
pub use self::video::{
    ContentSegment, Currency, Gallery, IdKind, Platform, Platforms, Player, Price, PriceType,
    Rating, Relationship, Resolution, Restriction, Uploader, Video, VideoId,
};
pub use crate::value::LanguageTag;
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

/// A required part; `name` is that of its element.
fn required<'a, T>(part: &'a Option<T>, name: &'static str) -> Result<&'a T, Violation> {
    part.as_ref()
        .ok_or_else(|| Violation::new(Rule::MissingElement, name))
}

/// Text that reads back as it is; `name` is that of its element.
fn check_text<'a>(text: &'a str, name: &'static str) -> Result<&'a str, Violation> {
    if text.is_empty() {
        return Err(Violation::with_detail(
            Rule::MissingElement,
            name,
            case::EMPTY,
        ));
    }
    if text.trim().len() != text.len() {
        return Err(Violation::with_detail(
            Rule::InvalidCharacter,
            text,
            case::WHITE_SPACE,
        ));
    }
    Ok(text)
}

/// Checks that a text has at most this number of characters.
fn check_length<'a>(text: &'a str, most: usize, name: &'static str) -> Result<&'a str, Violation> {
    if text.len() > most && text.chars().nth(most).is_some() {
        let detail = format!("{name}, at most {} characters", grouped(most as u64));
        return Err(Violation::with_detail(Rule::TextTooLong, text, detail));
    }
    Ok(text)
}

fn write_text(
    xml: &mut XmlWriter,
    name: &'static str,
    text: Option<&str>,
) -> Result<(), Violation> {
    match text {
        Some(text) => xml.leaf(name, check_text(text, name)?),
        None => Ok(()),
    }
}

/// An enum of words. With `other`, it has a member for every other word, which is read but never written.
macro_rules! keywords {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)* } other) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$member_doc])* $member,)*
            /// Any other word. It can be read, but a writer rejects it.
            Other(String),
        }

        impl $name {
            /// Returns the word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$member => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        /// Recognizes the known words in any case.
        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) {
                    return Self::$member;
                })*
                Self::Other(word.to_owned())
            }
        }

        impl $name {
            /// Returns the word if a writer can write it; `element` is the element that contains it.
            pub(crate) fn allowed(&self, element: &'static str) -> Result<&str, Violation> {
                match self {
                    Self::Other(word) => Err(Violation::keyword(word, &[$($word),*]).owned_by(element)),
                    _ => Ok(self.as_str()),
                }
            }
        }

        #[cfg(feature = "serde")]
        $crate::text::serde::as_text!($name, "a word", |word| Ok::<_, Violation>($name::from(word)));

        $crate::extension::keywords!(@display $name);
    };
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$member_doc])* #[cfg_attr(feature = "serde", serde(rename = $word))] $member,)*
        }

        impl $name {
            /// Returns the word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)*
                }
            }
        }

        /// Accepts the words in any case.
        ///
        /// # Errors
        ///
        /// [`InvalidKeyword`](crate::Rule::InvalidKeyword) for any other word.
        impl std::str::FromStr for $name {
            type Err = Violation;

            fn from_str(word: &str) -> Result<Self, Violation> {
                $(if word.eq_ignore_ascii_case($word) {
                    return Ok(Self::$member);
                })*
                Err(Violation::keyword(word, &[$($word),*]))
            }
        }

        $crate::extension::keywords!(@display $name);
    };
    (@display $name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
use keywords;
