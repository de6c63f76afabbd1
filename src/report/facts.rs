//! Facts of a document that are not problems.

use crate::text::position::Position;
use crate::xml::stylesheet::Stylesheet;

/// The encoding of a document, and its style sheet.
#[derive(Default)]
pub(crate) struct Facts {
    /// The encoding that the document is read in.
    pub(crate) encoding: &'static str,
    stylesheet: Named,
}

/// The first style sheet that the document names.
#[derive(Default)]
enum Named {
    #[default]
    None,
    /// Its type and its href. The position is not known yet.
    Unplaced(String, String),
    Placed(Stylesheet),
}

impl Facts {
    /// Keeps the first style sheet.
    pub(crate) fn name_stylesheet(&mut self, media_type: String, href: String) {
        if let Named::None = self.stylesheet {
            self.stylesheet = Named::Unplaced(media_type, href);
        }
    }

    /// Sets the position of a style sheet that has just been named.
    pub(crate) fn place_stylesheet(&mut self, position: impl FnOnce() -> Position) {
        if let Named::Unplaced(media_type, href) = &mut self.stylesheet {
            self.stylesheet = Named::Placed(Stylesheet {
                media_type: std::mem::take(media_type),
                href: std::mem::take(href),
                position: position(),
            });
        }
    }

    pub(crate) fn stylesheet(&self) -> Option<&Stylesheet> {
        match &self.stylesheet {
            Named::Placed(stylesheet) => Some(stylesheet),
            _ => None,
        }
    }
}
