/// Whether elements of this namespace count as RSS's own.
pub(crate) fn is_rss(uri: &str) -> bool {
    let uri = uri.to_ascii_lowercase();
    uri.contains("rss") || uri.contains("netscape.com/rdf") || uri.contains("rdf/simple")
}

/// Whether elements of this namespace count as Atom's own.
pub(crate) fn is_atom(uri: &str) -> bool {
    matches!(
        uri,
        "http://www.w3.org/2005/Atom" | "https://www.w3.org/2005/Atom" | "http://purl.org/atom/ns#"
    )
}
