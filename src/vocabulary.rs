//! The namespaces that the crate knows: those of sitemaps, of feeds and of the extensions.
//!
//! One table says how each is written, which prefix it has by convention, and which other spellings are believed.

/// What the elements of a namespace are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    Sitemap,
    Rss,
    Atom,
    /// XHTML, whose `link` tells of a page in other languages.
    Alternate,
    Image,
    News,
    Video,
    /// None that the crate knows.
    Other,
}

impl Vocabulary {
    /// Whether every element of this local name is an extension's, whatever attributes it has.
    pub(crate) fn has_extension(self, local: &str) -> bool {
        match self {
            Self::Image => local == "image",
            Self::News => local == "news",
            Self::Video => local == "video",
            _ => false,
        }
    }
}

impl Vocabulary {
    /// Whether an extension's element of this local name holds elements, and no text.
    pub(crate) fn holds_elements(self, local: &str) -> bool {
        self.has_extension(local) || (self == Self::News && local == "publication")
    }
}

/// What is known of a namespace's URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) vocabulary: Vocabulary,
    /// It is not the vocabulary's URI but a spelling of it that is believed.
    pub(crate) is_misspelt: bool,
}

/// A namespace that documents are written in.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) uri: &'static str,
    /// The prefix that it has by convention; empty for the default namespace.
    pub(crate) prefix: &'static str,
    /// The address without `http://` and `www.`, which every version has in common.
    stem: &'static str,
    /// Whether a version may follow the address.
    has_versions: bool,
}

pub(crate) const SITEMAP: Known = Known {
    vocabulary: Vocabulary::Sitemap,
    uri: "http://www.sitemaps.org/schemas/sitemap/0.9",
    prefix: "",
    stem: "sitemaps.org/schemas/sitemap",
    has_versions: true,
};

/// That of Google's sitemaps before there was a common protocol.
const GOOGLE_SITEMAP: Known = Known {
    stem: "google.com/schemas/sitemap",
    ..SITEMAP
};

pub(crate) const ALTERNATE: Known = Known {
    vocabulary: Vocabulary::Alternate,
    uri: "http://www.w3.org/1999/xhtml",
    prefix: "xhtml",
    stem: "w3.org/1999/xhtml",
    has_versions: false,
};

pub(crate) const IMAGE: Known = Known {
    vocabulary: Vocabulary::Image,
    uri: "http://www.google.com/schemas/sitemap-image/1.1",
    prefix: "image",
    stem: "google.com/schemas/sitemap-image",
    has_versions: true,
};

pub(crate) const NEWS: Known = Known {
    vocabulary: Vocabulary::News,
    uri: "http://www.google.com/schemas/sitemap-news/0.9",
    prefix: "news",
    stem: "google.com/schemas/sitemap-news",
    has_versions: true,
};

pub(crate) const VIDEO: Known = Known {
    vocabulary: Vocabulary::Video,
    uri: "http://www.google.com/schemas/sitemap-video/1.1",
    prefix: "video",
    stem: "google.com/schemas/sitemap-video",
    has_versions: true,
};

/// A page about XHTML, which a template has spread as its namespace.
const XHTML_SCHEMA: Known = Known {
    stem: "w3.org/TR/xhtml11/xhtml11_schema.html",
    ..ALTERNATE
};

static KNOWN: [Known; 5] = [SITEMAP, IMAGE, ALTERNATE, VIDEO, NEWS];

/// Other addresses of the same namespaces.
static ALIASES: [Known; 2] = [GOOGLE_SITEMAP, XHTML_SCHEMA];

/// Feeds have been written in so many namespaces that none of them counts as misspelt.
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

/// Which vocabulary a namespace's URI stands for.
///
/// It takes as long as the URI is, so a namespace is judged where it is bound, not for each of its elements.
pub(crate) fn judge(uri: &str) -> Judgement {
    if let Some(known) = by_uri(uri) {
        return Judgement {
            vocabulary: known.vocabulary,
            is_misspelt: false,
        };
    }
    let address = address(uri);
    let mut all = KNOWN.iter().chain(&ALIASES);
    if let Some(known) = all.find(|known| known.is_meant_by(address)) {
        return Judgement {
            vocabulary: known.vocabulary,
            is_misspelt: true,
        };
    }
    Judgement {
        vocabulary: feed(address),
        is_misspelt: false,
    }
}

/// The namespace whose URI this is to the letter.
pub(crate) fn by_uri(uri: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.uri == uri)
}

/// The namespace that a prefix stands for by convention, where it is not declared.
pub(crate) fn by_prefix(prefix: &str) -> Option<&'static Known> {
    with_prefix().find(|known| known.prefix == prefix)
}

/// The namespaces that have a prefix by convention: those of the extensions.
pub(crate) fn with_prefix() -> impl Iterator<Item = &'static Known> {
    KNOWN.iter().filter(|known| !known.prefix.is_empty())
}

impl Known {
    /// Whether an address stands for this namespace: as it is, with a final slash, or with any version.
    fn is_meant_by(&self, address: &str) -> bool {
        match behind(address, self.stem) {
            Some("" | "/") => true,
            // No other name: that of an extension goes on with a hyphen.
            Some(version) => self.has_versions && version.starts_with('/'),
            None => false,
        }
    }
}

fn feed(address: &str) -> Vocabulary {
    let is_atom = |stem: &&str| matches!(behind(address, stem), Some("" | "/"));
    // A version may follow, but no name: RSS's modules have namespaces below its own.
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

/// A URI without the white space round it, the scheme and `www.`.
fn address(uri: &str) -> &str {
    let uri = uri.trim();
    let rest = ["http://", "https://", "//"]
        .iter()
        .find_map(|scheme| behind(uri, scheme))
        .unwrap_or(uri);
    behind(rest, "www.").unwrap_or(rest)
}

/// What follows `start`, in any case.
fn behind<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_namespace_stands_for_itself() {
        for known in &KNOWN {
            let judgement = judge(known.uri);
            assert_eq!(judgement.vocabulary, known.vocabulary);
            assert!(!judgement.is_misspelt, "{}", known.uri);
            assert!(known.is_meant_by(address(known.uri)));
        }
        for known in with_prefix() {
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
