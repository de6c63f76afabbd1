//! The URI of a namespace, shared by all elements that are in it.

use std::borrow::Cow;
use std::sync::Arc;

use super::text::as_its_text;

/// The URI of a namespace; empty for no namespace.
///
/// It is compared, ordered, hashed and displayed as text. [`as_str`](Self::as_str) returns the text. The text is shared:
/// a clone does not copy it, and all elements and attributes of a document in the same namespace share one text.
///
/// With the feature `serde`, it is serialized as its text.
///
/// # Examples
///
/// ```
/// use quick_sitemap::extension::foreign::Element;
/// use quick_sitemap::NamespaceUri;
///
/// let mut element = Element::new("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0");
/// assert_eq!(element.namespace, "http://www.google.com/schemas/sitemap-mobile/1.0");
/// assert!(element.namespace.as_str().starts_with("http://www.google.com/"));
///
/// element.namespace = "urn:mine".into();
/// let shared: NamespaceUri = element.namespace.clone();
/// assert_eq!(Element::new("a", shared).namespace.as_str(), "urn:mine");
/// assert!(Element::new("a", "").namespace.is_empty());
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct NamespaceUri(Option<Arc<str>>);

impl NamespaceUri {
    /// No namespace.
    pub const NONE: Self = Self(None);

    /// Returns the URI, or an empty text for no namespace.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns `true` if the URI is empty, which means no namespace.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

as_its_text!(NamespaceUri);

macro_rules! from_text {
    ($($type:ty),*) => {
        $(impl From<$type> for NamespaceUri {
            fn from(uri: $type) -> Self {
                Self(if uri.is_empty() { None } else { Some(Arc::from(uri)) })
            }
        })*
    };
}
from_text!(&str, String, Box<str>, Cow<'_, str>, Arc<str>);

#[cfg(feature = "serde")]
crate::text::serde::as_text!(NamespaceUri, "a namespace's URI", |uri| {
    Ok::<_, std::convert::Infallible>(uri.into())
});

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::NamespaceUri;

    #[test]
    fn it_is_its_text() {
        let uri = NamespaceUri::from("urn:a");
        let owned = "urn:a".to_owned();
        assert_eq!(uri, "urn:a");
        assert_eq!(uri, *"urn:a");
        assert_eq!(uri, owned);
        assert_eq!("urn:a", uri);
        assert_eq!(AsRef::<str>::as_ref(&uri), "urn:a");
        assert_eq!(format!("{uri} {uri:?} {uri:>6}"), "urn:a \"urn:a\"  urn:a");
        let next = NamespaceUri::from("urn:b");
        assert!(next > uri && NamespaceUri::NONE < uri);
        let names = HashMap::from([(uri.clone(), 1)]);
        assert_eq!(names.get("urn:a"), Some(&1));
        assert_eq!(String::from(uri), "urn:a");
        assert_eq!(NamespaceUri::from(""), NamespaceUri::NONE);
        assert_eq!(size_of::<NamespaceUri>(), 16);
    }

    #[test]
    fn clones_share_the_text() {
        let uri = NamespaceUri::from("urn:a".to_owned());
        assert!(std::ptr::eq(uri.as_str(), uri.clone().as_str()));
    }
}
