//! Facts of a document that are not problems.

use crate::text::position::Position;
use crate::xml::stylesheet::Stylesheet;

/// The encoding of a document, and its style sheet.
#[derive(Default)]
pub(crate) struct Facts {
    /// The encoding that the document is read in.
    pub(crate) encoding: &'static str,
    /// The declared label that is ignored because it is unknown or not that of the bytes.
    pub(crate) conflict: Option<String>,
    /// The place in the text, the type and the href of a style sheet whose position is not known yet.
    pub(crate) unplaced: Option<(usize, String, String)>,
    /// The first style sheet that the document names.
    pub(crate) stylesheet: Option<Stylesheet>,
}

impl Facts {
    /// Keeps the style sheet that has just been read if it is the first.
    pub(crate) fn place_stylesheet(&mut self, position: impl FnOnce(usize) -> Position) {
        if let Some((at, media_type, href)) = self.unplaced.take() {
            self.stylesheet.get_or_insert_with(|| Stylesheet {
                media_type,
                href,
                position: position(at),
            });
        }
    }
}
