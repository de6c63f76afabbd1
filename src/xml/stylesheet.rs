//! [`Stylesheet`], and the media types of style sheets.

use crate::text::position::Position;

/// The style sheet that a document names for browsers, with a processing instruction before its root element. Returned by
/// [`Reader::stylesheet`](crate::Reader::stylesheet), which has an example.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stylesheet {
    /// The media type: `text/css` for CSS, mostly `text/xsl` for XSLT.
    pub media_type: String,
    /// The URL of the style sheet, as it is written. It is not resolved or checked.
    pub href: String,
    /// The start of the processing instruction.
    pub position: Position,
}

/// The type of a style sheet, by the ending of its path: CSS for `.css`, otherwise XSLT.
pub(crate) fn media_type(href: &str) -> &'static str {
    let path = href.split(['?', '#']).next().unwrap_or(href);
    let ending = path.len().checked_sub(4).and_then(|at| path.get(at..));
    if ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".css")) {
        "text/css"
    } else {
        "text/xsl"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_path_is_the_type() {
        for href in ["a.css", "/a.CSS?v=1", "https://example.com/a.css#x"] {
            assert_eq!(media_type(href), "text/css", "{href}");
        }
        for href in ["a.xsl", "", "/css", "/a.xsl?a.css", "é.cs"] {
            assert_eq!(media_type(href), "text/xsl", "{href}");
        }
    }
}
