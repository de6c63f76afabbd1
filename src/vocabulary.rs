//! The namespaces with a meaning for this crate: those of sitemaps, of feeds and of the extensions.
//!
//! The table of the extensions is here; `UrlEntry` has a field for each of its rows. Another table has
//! the other spellings of a namespace that are accepted.

use std::fmt;

/// The table of the extensions, in the order in which a writer writes them. It is passed to the macro `$rows`.
///
/// The columns of a row:
///
/// * the type of the extension, which is also the name of its variant of [`Extension`] and [`Vocabulary`];
/// * the field of `UrlEntry`, and whether it is a list (`many`) or an `Option<Box<_>>`, for at most `one` element;
/// * the method of `UrlEntry` that adds an element;
/// * `element`: the conventional prefix, and the local name of the element in an entry;
/// * `uri`: the URI of the namespace in three parts: the scheme, which can be absent in a document, the address, and the
///   version. If there is a version, any other version is accepted, too;
/// * `holds`: the local names of parts that contain elements and no text, as the element itself does;
/// * `most`: how many elements an entry may have, and the rule for more. A reader notes them, or drops them if they are
///   `EntryTooLarge`;
/// * `in_file`: how many elements a file may have, and the rule for more, which a reader notes.
macro_rules! extensions {
    ($rows:ident) => {
        $rows! {
            /// The page in other languages: `xhtml:link` with `rel="alternate"`.
            Alternate {
                /// The page in other languages (`xhtml:link` with `hreflang`). Each set of alternates should also list
                /// the page itself.
                alternates: many,
                /// Adds the page in another language.
                with_alternate,
                element: "xhtml" "link",
                uri: "http://www." "w3.org/1999/xhtml" "",
                holds: [],
            }
            /// Images on the page: `image:image`.
            Image {
                /// Images on the page. A writer accepts at most 1,000.
                images: many,
                /// Adds an image.
                with_image,
                element: "image" "image",
                uri: "http://www." "google.com/schemas/sitemap-image" "/1.1",
                holds: [],
                most: 1_000 TooManyImages,
            }
            /// Videos on the page: `video:video`.
            Video {
                /// Videos on the page. A reader keeps at most 1,024.
                videos: many,
                /// Adds a video. A writer rejects the entry if a required part of the video is missing.
                with_video,
                element: "video" "video",
                uri: "http://www." "google.com/schemas/sitemap-video" "/1.1",
                holds: [],
                most: 1_024 EntryTooLarge,
            }
            /// The data of the page as a news article: `news:news`.
            News {
                /// The data of the page as a news article. A writer accepts at most 1,000 entries with news per file.
                news: one,
                /// Sets the data of the page as a news article. A writer rejects the entry if a required part of it is
                /// missing.
                with_news,
                element: "news" "news",
                uri: "http://www." "google.com/schemas/sitemap-news" "/0.9",
                holds: ["publication"],
                in_file: 1_000 TooManyNews,
            }
        }
    };
}
pub(crate) use extensions;

macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            $(#[$field_doc:meta])* $field:ident: $number:ident,
            $(#[$with_doc:meta])* $with:ident,
            element: $prefix:literal $local:literal,
            uri: $scheme:literal $address:literal $version:literal,
            holds: [$($part:literal),*],
            $($limits:tt)*
        }
    )*) => {
        /// The meaning of the elements of a namespace.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub(crate) enum Vocabulary {
            #[default]
            Sitemap,
            Rss,
            Atom,
            $($name,)*
            /// Any other namespace.
            Other,
        }

        impl Vocabulary {
            /// The extension whose element has this local name. Its attributes decide whether it is an alternate.
            #[inline]
            pub(crate) fn extension(self, local: &str) -> Option<Extension> {
                match self {
                    $(Self::$name if local == $local => Some(Extension::$name),)*
                    _ => None,
                }
            }

            /// Returns `true` if an extension's element with this local name contains elements, and no text.
            pub(crate) fn holds_elements(self, local: &str) -> bool {
                let parts: &[&str] = match self {
                    $(Self::$name => &[$($part),*],)*
                    _ => &[],
                };
                self.has_extension(local) || parts.contains(&local)
            }
        }

        /// An extension: a field of [`UrlEntry`](crate::UrlEntry) with elements of another namespace than that of
        /// sitemaps.
        ///
        /// [`UrlEntry::extensions`](crate::UrlEntry::extensions) counts what an entry has of each, and
        /// [`UrlEntry::clear`](crate::UrlEntry::clear) removes it.
        ///
        /// # Examples
        ///
        /// ```
        /// use quick_sitemap::Extension;
        ///
        /// let names: Vec<_> = Extension::ALL.iter().map(|extension| extension.name()).collect();
        /// assert_eq!(names, ["alternates", "images", "videos", "news"]);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Extension {
            $($(#[$doc])* $name,)*
        }

        impl Extension {
            /// All extensions, in the order in which a writer writes them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the name of the field of [`UrlEntry`](crate::UrlEntry), which is also the name of the field in
            /// its `serde` form.
            ///
            /// # Examples
            ///
            /// ```
            /// use quick_sitemap::Extension;
            ///
            /// assert_eq!(Extension::Image.name(), "images");
            /// assert_eq!(Extension::Image.to_string(), "images");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($field),)*
                }
            }

            /// Its namespace, and the prefix with which it is written.
            pub(crate) const fn known(self) -> &'static Known {
                match self {
                    $(Self::$name => const { &Known {
                        vocabulary: Vocabulary::$name,
                        uri: concat!($scheme, $address, $version),
                        prefix: $prefix,
                        address: $address,
                        has_versions: !$version.is_empty(),
                    } },)*
                }
            }

            /// The name of its element, with the conventional prefix.
            pub(crate) const fn element(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($prefix, ":", $local),)*
                }
            }
        }

        /// The namespaces of sitemaps and of the extensions.
        const KNOWN: &[&Known] = &[&SITEMAP, $(Extension::$name.known()),*];
    };
}
extensions!(define);

impl Vocabulary {
    /// Returns `true` if every element with this local name belongs to an extension, with any attributes.
    pub(crate) fn has_extension(self, local: &str) -> bool {
        self != Self::Alternate && self.extension(local).is_some()
    }
}

impl Extension {
    /// Returns the conventional prefix, with which a writer writes the elements.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Extension;
    ///
    /// assert_eq!(Extension::Alternate.prefix(), "xhtml");
    /// ```
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        self.known().prefix
    }

    /// Returns the URI of the namespace. [`Namespace`](crate::Namespace) can be made from an extension, too.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Extension;
    ///
    /// assert_eq!(Extension::Image.namespace(), "http://www.google.com/schemas/sitemap-image/1.1");
    /// ```
    #[must_use]
    pub const fn namespace(self) -> &'static str {
        self.known().uri
    }
}

/// Writes the [`name`](Extension::name).
impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// For each extension, the number of its elements in a file.
pub(crate) type InFile = [u64; Extension::ALL.len()];

/// The result of looking up a namespace's URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) vocabulary: Vocabulary,
    /// `true` if it is not the URI of the vocabulary, but a form of it that is accepted.
    pub(crate) is_misspelt: bool,
}

/// A namespace that documents are written in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) uri: &'static str,
    /// The prefix that it has by convention; empty for the default namespace.
    pub(crate) prefix: &'static str,
    /// The address without `http://` and `www.`, which every version has in common.
    address: &'static str,
    /// `true` if a version may follow the address.
    has_versions: bool,
}

pub(crate) const SITEMAP: Known = Known {
    vocabulary: Vocabulary::Sitemap,
    uri: "http://www.sitemaps.org/schemas/sitemap/0.9",
    prefix: "",
    address: "sitemaps.org/schemas/sitemap",
    has_versions: true,
};

/// Other addresses of the same namespaces.
static ALIASES: [Known; 2] = [
    // Google's sitemaps before the common protocol.
    Known {
        address: "google.com/schemas/sitemap",
        ..SITEMAP
    },
    // A page about XHTML, which a template has spread as its namespace.
    Known {
        address: "w3.org/TR/xhtml11/xhtml11_schema.html",
        ..*Extension::Alternate.known()
    },
];

/// Feeds have been written in so many namespaces that none of them is reported.
const ATOM: [&str; 2] = ["w3.org/2005/Atom", "purl.org/atom/ns#"];
const RSS: [&str; 7] = [
    "purl.org/rss/",
    "purl.org/net/rss",
    "my.netscape.com/rdf/simple/",
    "channel.netscape.com/rdf/simple/",
    "backend.userland.com/rss",
    "blogs.law.harvard.edu/tech/rss",
    "cyber.law.harvard.edu/rss",
];

/// Dates in feeds may be in this one.
pub(crate) const DUBLIN_CORE: &str = "http://purl.org/dc/elements/1.1/";

/// Returns the vocabulary of a namespace's URI.
///
/// It takes as long as the URI is, so a namespace is judged where it is bound, not for each of its elements.
pub(crate) fn judge(uri: &str) -> Judgement {
    let address = address(uri);
    let mut all = KNOWN.iter().copied().chain(&ALIASES);
    let (vocabulary, is_misspelt) = if let Some(known) = by_uri(uri) {
        (known.vocabulary, false)
    } else if let Some(known) = all.find(|known| known.is_meant_by(address)) {
        (known.vocabulary, true)
    } else {
        (feed(address), false)
    };
    Judgement {
        vocabulary,
        is_misspelt,
    }
}

/// The namespace whose URI this is to the letter.
pub(crate) fn by_uri(uri: &str) -> Option<&'static Known> {
    KNOWN.iter().copied().find(|known| known.uri == uri)
}

/// Returns `true` for a namespace of Google's sitemaps from before the common protocol.
pub(crate) fn is_historic(uri: &str) -> bool {
    let version = uri.strip_prefix("http://www.google.com/schemas/sitemap/");
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// The namespace of a prefix by convention, if the prefix is not declared.
pub(crate) fn by_prefix(prefix: &str) -> Option<&'static Known> {
    let mut known = Extension::ALL.iter().map(|extension| extension.known());
    known.find(|known| known.prefix == prefix)
}

/// The namespace for which an accepted one stands. On a root, any other one stands for that of sitemaps.
pub(crate) fn meant_by(uri: &str) -> &'static Known {
    let vocabulary = judge(uri).vocabulary;
    let mut known = KNOWN.iter().copied();
    let meant = known.find(|known| known.vocabulary == vocabulary);
    meant.unwrap_or(&SITEMAP)
}

impl Known {
    /// Returns `true` if an address is an accepted form of this namespace: exactly, with a final slash, or with any
    /// version.
    fn is_meant_by(&self, address: &str) -> bool {
        match behind(address, self.address) {
            Some("" | "/") => true,
            // No other name: that of an extension goes on with a hyphen.
            Some(version) => self.has_versions && version.starts_with('/'),
            None => false,
        }
    }
}

/// The vocabulary of a namespace that is or resembles the one of a feed.
fn feed(address: &str) -> Vocabulary {
    let is_atom = |stem: &&str| matches!(behind(address, stem), Some("" | "/"));
    // A version may follow, but not a name: the namespaces of RSS's modules are below its own.
    let is_rss = |stem: &&str| {
        behind(address, stem).is_some_and(|version| !version.contains(char::is_alphabetic))
    };
    if ATOM.iter().any(is_atom) {
        Vocabulary::Atom
    } else if RSS.iter().any(is_rss) {
        Vocabulary::Rss
    } else {
        Vocabulary::Other
    }
}

/// A URI without the white space around it, the scheme and `www.`.
fn address(uri: &str) -> &str {
    let uri = uri.trim();
    let rest = ["http://", "https://", "//"]
        .iter()
        .find_map(|scheme| behind(uri, scheme))
        .unwrap_or(uri);
    behind(rest, "www.").unwrap_or(rest)
}

/// Returns the text after `start`, which is compared ignoring case.
fn behind<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_namespace_stands_for_itself() {
        for known in KNOWN {
            let judgement = judge(known.uri);
            assert_eq!(judgement.vocabulary, known.vocabulary);
            assert!(!judgement.is_misspelt, "{}", known.uri);
            assert!(known.is_meant_by(address(known.uri)));
        }
        for known in Extension::ALL.iter().map(|extension| extension.known()) {
            assert_eq!(by_prefix(known.prefix).map(|k| k.uri), Some(known.uri));
        }
        assert!(by_prefix("").is_none());
    }

    #[test]
    fn spellings_that_are_believed() {
        for (uri, vocabulary) in [
            (
                "https://www.sitemaps.org/schemas/sitemap/0.9",
                Vocabulary::Sitemap,
            ),
            (
                "//www.sitemaps.org/schemas/sitemap/0.9",
                Vocabulary::Sitemap,
            ),
            (
                "http://www.google.com/schemas/sitemap/0.84",
                Vocabulary::Sitemap,
            ),
            (
                "HTTP://WWW.SITEMAPS.ORG/SCHEMAS/SITEMAP/0.9",
                Vocabulary::Sitemap,
            ),
            (
                "http://www.google.com/schemas/sitemap-image/0.9",
                Vocabulary::Image,
            ),
            (
                "//www.google.com/schemas/sitemap-image/1.1",
                Vocabulary::Image,
            ),
            ("google.com/schemas/sitemap-image", Vocabulary::Image),
            (
                " http://www.google.com/schemas/sitemap-video/1.1/\n",
                Vocabulary::Video,
            ),
            (
                "https://www.google.com/schemas/sitemap-news/0.9",
                Vocabulary::News,
            ),
            ("https://www.w3.org/1999/xhtml/", Vocabulary::Alternate),
            (
                "http://www.w3.org/TR/xhtml11/xhtml11_schema.html",
                Vocabulary::Alternate,
            ),
        ] {
            let judgement = judge(uri);
            assert_eq!(
                (judgement.vocabulary, judgement.is_misspelt),
                (vocabulary, true),
                "{uri}"
            );
        }
    }

    #[test]
    fn namespaces_of_others() {
        for uri in [
            "",
            "urn:x",
            "http://www.sitemaps.org/schemas/sitemap-image/1.1",
            "http://www.google.com/schemas/sitemap-images/1.1",
            "http://www.google.com/schemas/sitemap-mobile/1.0",
            "http://www.google.com/geo/schemas/sitemap/1.0",
            "http://www.w3.org/1999/xhtml/2",
            "http://www.w3.org/TR/xhtml11/",
            "http://example.com/www.google.com/schemas/sitemap-image/1.1",
            "http:/www.google.com/schemas/sitemap-image/1.1",
            "http://purl.org/rss/1.0/modules/content/",
        ] {
            assert_eq!(judge(uri).vocabulary, Vocabulary::Other, "{uri}");
        }
    }

    #[test]
    fn feeds_are_never_misspelt() {
        for (uri, vocabulary) in [
            ("http://www.w3.org/2005/Atom", Vocabulary::Atom),
            ("https://www.w3.org/2005/Atom", Vocabulary::Atom),
            ("http://purl.org/atom/ns#", Vocabulary::Atom),
            ("http://purl.org/rss/1.0/", Vocabulary::Rss),
            ("http://backend.userland.com/RSS2", Vocabulary::Rss),
        ] {
            let judgement = judge(uri);
            assert_eq!(
                (judgement.vocabulary, judgement.is_misspelt),
                (vocabulary, false),
                "{uri}"
            );
        }
    }
}
