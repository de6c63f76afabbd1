//! What Google and others add to an entry: alternates, images, videos, news.
//!
//! Each is read and written in one file. An element that lacks a required part, or in which it is invalid,
//! is read without that part, so such parts are `Option`s; the constructors ask for them, and a writer
//! refuses an element without them.
//!
//! **Text** has no white space at either end and is not empty: it would not be read back. The constructors
//! trim, and take blank text for absent; a writer refuses what was put into a field otherwise.
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
pub(crate) mod foreign;
mod image;
mod news;
mod read;
mod video;

use url::Url;

use crate::entry::UrlEntry;
use crate::interpret::Interpreter;
use crate::raw::RawElement;
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::{Known, Vocabulary};
use crate::xml::writer::XmlWriter;

pub use self::alternate::Alternate;
pub use self::image::Image;
pub use self::news::{Access, Genre, News, Publication};
pub use self::video::{
    ContentSegment, Currency, Gallery, IdKind, Platform, Platforms, Player, Price, PriceType,
    Rating, Relationship, Resolution, Restriction, Uploader, Video, VideoId,
};

/// One extension, as the rest of the crate knows it.
pub(crate) struct Extension {
    /// Its namespace, and the prefix with which it is written.
    pub(crate) known: Known,
    /// Whether an element of the namespace is the extension's to read, by its local name and its attributes
    /// (by name); what it does not claim is foreign.
    pub(crate) claims: Claims,
    /// Whether an entry has any of it.
    pub(crate) is_in: fn(&UrlEntry) -> bool,
    /// Visits every URL that an entry has in it.
    pub(crate) urls: Urls,
    /// Reads one of its elements below an entry.
    pub(crate) read: fn(RawElement<'_>, &mut Interpreter<'_>, &mut UrlEntry),
    /// Writes all that an entry has of it, and checks every rule.
    pub(crate) write: fn(&UrlEntry, &mut XmlWriter) -> Result<(), Violation>,
}

type Urls = fn(&mut UrlEntry, visit: &mut dyn FnMut(&mut Url));
type Claims = for<'a> fn(&str, &dyn Fn(&str) -> Option<&'a str>) -> bool;

/// All of them, in the order in which they are written.
pub(crate) const EXTENSIONS: &[&Extension] = &[
    &alternate::EXTENSION,
    &image::EXTENSION,
    &video::EXTENSION,
    &news::EXTENSION,
];

/// The extension whose elements are in this vocabulary.
pub(crate) fn of(vocabulary: Vocabulary) -> Option<&'static Extension> {
    EXTENSIONS
        .iter()
        .find(|extension| extension.known.vocabulary == vocabulary)
        .copied()
}

impl Extension {
    /// Begins one of its elements below the entry; `name` has the conventional prefix.
    fn start(&self, xml: &mut XmlWriter, name: &str) -> Result<(), Violation> {
        xml.start_in((self.known.prefix, self.known.uri), name)
    }
}

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
        let detail = "white space at the ends of a text is not kept";
        return Err(Violation::with_detail(Rule::InvalidCharacter, text, detail));
    }
    Ok(text)
}

/// Text of at most so many characters.
fn check_length<'a>(text: &'a str, most: usize, name: &'static str) -> Result<&'a str, Violation> {
    if text.len() > most && text.chars().nth(most).is_some() {
        return Err(Violation::with_detail(Rule::TextTooLong, text, name));
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
            /// Any other word; it is read, but a writer refuses it.
            Other(String),
        }

        impl $name {
            /// The word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$member => $word,)*
                    Self::Other(word) => word,
                }
            }
        }

        /// Known words are known in any case.
        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                $(if word.eq_ignore_ascii_case($word) {
                    return Self::$member;
                })*
                Self::Other(word.to_owned())
            }
        }

        impl $name {
            /// The word, if it is one of those allowed; `element` is where it stands.
            pub(crate) fn allowed(&self, element: &'static str) -> Result<&str, Violation> {
                match self {
                    Self::Other(word) => Err(Violation::with_detail(Rule::InvalidKeyword, word, element)),
                    _ => Ok(self.as_str()),
                }
            }
        }

        #[cfg(feature = "serde")]
        $crate::serde::as_text!($name, "a word", |word| Ok::<_, Violation>($name::from(word)));

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
            /// The word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $word,)*
                }
            }
        }

        /// Known in any case.
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
                Err(Violation::new(Rule::InvalidKeyword, word))
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
