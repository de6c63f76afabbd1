use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// The URI of a namespace; empty for no namespace.
///
/// It behaves as its text: it dereferences to `str`, is compared, ordered, hashed and displayed as one. Its text is
/// shared: a clone costs no copy, and all elements and attributes of a document that are in one namespace have one text
/// between them, however long it is and however many they are.
///
/// With the feature `serde` it is its text.
///
/// # Examples
///
/// ```
/// use quick_sitemap::{Element, NamespaceUri};
///
/// let mut element = Element::new("mobile", "http://www.google.com/schemas/sitemap-mobile/1.0");
/// assert_eq!(element.namespace, "http://www.google.com/schemas/sitemap-mobile/1.0");
/// assert!(element.namespace.starts_with("http://www.google.com/"));
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

    /// The URI; empty for no namespace.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// Whether it is no namespace.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl Deref for NamespaceUri {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for NamespaceUri {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for NamespaceUri {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

/// As the text, by which it may be looked up.
impl Hash for NamespaceUri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for NamespaceUri {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NamespaceUri {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl fmt::Debug for NamespaceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for NamespaceUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

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

impl From<&String> for NamespaceUri {
    fn from(uri: &String) -> Self {
        Self::from(uri.as_str())
    }
}

impl From<&Self> for NamespaceUri {
    fn from(uri: &Self) -> Self {
        uri.clone()
    }
}

impl From<NamespaceUri> for String {
    fn from(uri: NamespaceUri) -> Self {
        uri.as_str().to_owned()
    }
}

macro_rules! equal_to_text {
    ($($type:ty),*) => {
        $(impl PartialEq<$type> for NamespaceUri {
            fn eq(&self, text: &$type) -> bool {
                let text: &str = text.as_ref();
                self.as_str() == text
            }
        }

        impl PartialEq<NamespaceUri> for $type {
            fn eq(&self, uri: &NamespaceUri) -> bool {
                uri == self
            }
        })*
    };
}
equal_to_text!(str, &str, String);

#[cfg(feature = "serde")]
impl serde::Serialize for NamespaceUri {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for NamespaceUri {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::serde::from_text(deserializer, "a namespace's URI", |uri| {
            Ok::<_, std::convert::Infallible>(uri.into())
        })
    }
}

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
