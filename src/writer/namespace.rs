//! [`Namespace`]: a prefix and its URI.

use crate::vocabulary::Extension;

/// A namespace that a writer declares on the root element.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::Extension;
/// use quick_sitemap::{Namespace, WriterBuilder};
///
/// let geo = Namespace::new("geo", "http://www.google.com/geo/schemas/sitemap/1.0");
/// let writer = WriterBuilder::new().declare([Extension::Image.into(), geo]).urlset(Vec::new());
/// let xml = String::from_utf8(writer.finish()?).unwrap();
/// assert!(xml.contains(r#" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1""#));
/// # Ok::<(), quick_sitemap::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Namespace {
    prefix: String,
    uri: String,
}

impl Namespace {
    /// Creates a namespace from its prefix and its URI. A writer returns an error if XML cannot represent them.
    ///
    /// # Examples
    ///
    /// ```
    /// use quick_sitemap::Namespace;
    ///
    /// let geo = Namespace::new("geo", "http://www.google.com/geo/schemas/sitemap/1.0");
    /// assert_eq!(geo.prefix(), "geo");
    /// assert_eq!(geo.uri(), "http://www.google.com/geo/schemas/sitemap/1.0");
    /// ```
    #[must_use]
    pub fn new(prefix: impl Into<String>, uri: impl Into<String>) -> Self {
        Self {
            prefix: prefix.into(),
            uri: uri.into(),
        }
    }

    /// Returns the prefix, without a colon.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the URI.
    #[must_use]
    pub fn uri(&self) -> &str {
        &self.uri
    }
}

/// Returns the namespace of the extension, with its conventional prefix.
impl From<Extension> for Namespace {
    fn from(extension: Extension) -> Self {
        Self::new(extension.prefix(), extension.namespace())
    }
}

/// Creates a namespace from its prefix and its URI.
impl<P: Into<String>, U: Into<String>> From<(P, U)> for Namespace {
    fn from((prefix, uri): (P, U)) -> Self {
        Self::new(prefix, uri)
    }
}
