//! Links of a page that are no translations, such as those to pages for mobile devices and AMP.

use quick_sitemap::Extension;
use quick_sitemap::extension::foreign::{Element, Node};

/// Returns `true` for an `xhtml:link`.
pub(super) fn is_link(element: &Element) -> bool {
    element.name == "link" && element.namespace.as_str() == Extension::Alternate.namespace()
}

/// The `href` of each link among foreign elements; `None` if it has none.
pub(super) fn hrefs(foreign: &[Element]) -> impl Iterator<Item = Option<&str>> {
    let links = foreign.iter().filter(|element| is_link(element));
    links.map(|link| link.attribute("href"))
}

/// Returns `true` if an attribute or a text in the element contains the host.
pub(super) fn holds(element: &Element, host: &str) -> bool {
    let values = element.attributes.iter();
    let mut values = values.map(|attribute| &*attribute.value);
    values.any(|value| has_host(value, host))
        || element.children.iter().any(|child| match child {
            Node::Text(text) => has_host(text, host),
            Node::Element(element) => holds(element, host),
        })
}

fn has_host(text: &str, host: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | ':');
    text.match_indices(host).any(|(at, _)| {
        let (before, rest) = text.split_at_checked(at).unwrap_or_default();
        let behind = rest.strip_prefix(host).unwrap_or_default();
        !before.ends_with(is_of_name) && !behind.starts_with(is_of_name)
    })
}
