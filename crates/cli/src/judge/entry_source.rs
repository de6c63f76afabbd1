//! The entry that is judged, and the places in it.

use quick_sitemap::{Position, RawElement, RawEntry};

use super::finding::Finding;
use crate::source::span::{MarkedLine, SourceSpan};

/// The entry that is judged, as its file has it.
#[derive(Clone, Copy)]
pub(crate) enum EntrySource<'r> {
    /// An entry of a sitemap.
    Raw {
        raw: RawEntry<'r>,
        /// `true` if findings have their line.
        keeps_line: bool,
    },
    /// A row, whose values are all on its line.
    Row {
        span: SourceSpan,
        line: &'r dyn Fn() -> MarkedLine,
    },
}

impl EntrySource<'_> {
    /// The start tag of the first element of that name, or of the entry, or the line of a text.
    pub(crate) fn span(&self, name: &str) -> SourceSpan {
        let raw = match self {
            Self::Row { span, .. } => return *span,
            Self::Raw { raw, .. } => raw,
        };
        let mut elements = raw.elements();
        if let Some(element) = elements.find(|element| element.name() == name) {
            return start_tag(&element);
        }
        let is_text = raw.elements().next().is_none();
        let line = raw.loc().filter(|_| is_text);
        SourceSpan {
            position: raw.position(),
            len: line.map_or(0, str::len),
        }
    }

    /// The value of the first `hreflang` with that text, or the start tag of the first link.
    pub(crate) fn span_of_link(&self, hreflang: &str) -> SourceSpan {
        let Self::Raw { raw, .. } = self else {
            return self.span("link");
        };
        let mut links = raw.elements().filter(|element| element.name() == "link");
        let found = links.find_map(|link| {
            let value = link.attribute("hreflang")?;
            attribute(&link, "hreflang").filter(|_| value.trim() == hreflang)
        });
        found.unwrap_or_else(|| self.span("link"))
    }

    /// The element of the entry that is at the place, or around it.
    pub(crate) fn element_at(&self, place: Position) -> Option<Box<str>> {
        let Self::Raw { raw, .. } = self else {
            return None;
        };
        let elements = raw.elements();
        let before = elements.take_while(|element| element.position().byte() <= place.byte());
        let element = before.last()?;
        Some(match element.prefix() {
            "" => element.name().into(),
            prefix => format!("{prefix}:{}", element.name()).into(),
        })
    }

    /// The finding at its element, if it has no place.
    pub(crate) fn placed(&self, finding: Finding) -> Finding {
        match finding.position {
            Some(_) => finding,
            None => self.at(
                self.span(finding.element.as_deref().unwrap_or_default()),
                finding,
            ),
        }
    }

    /// The finding, about a part of the entry.
    pub(crate) fn at(&self, span: SourceSpan, finding: Finding) -> Finding {
        let line = match self {
            Self::Row { line, .. } => Some(line()),
            Self::Raw { raw, keeps_line } if *keeps_line => raw.excerpt_at(span.position, span.len),
            Self::Raw { .. } => None,
        };
        Finding {
            line,
            ..finding.at(span.position)
        }
    }
}

/// `<` and the name.
pub(crate) fn start_tag(element: &RawElement<'_>) -> SourceSpan {
    let prefix = match element.prefix() {
        "" => 0,
        prefix => prefix.len() + 1,
    };
    SourceSpan {
        position: element.position(),
        len: 1 + prefix + element.name().len(),
    }
}

/// The value of an attribute.
pub(crate) fn attribute(element: &RawElement<'_>, name: &str) -> Option<SourceSpan> {
    Some(SourceSpan {
        position: element.attribute_position(name)?,
        len: element.attribute(name)?.len(),
    })
}
