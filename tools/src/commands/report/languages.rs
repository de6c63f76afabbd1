//! Alternates, as a report shows them.

use super::model::{Language, LanguageLink, Languages};
use crate::figures::names::shown;
use crate::judge::hreflang::Figures;

/// Languages of the report, the most frequent.
const KEPT: usize = 60;
/// Languages of the matrix.
const IN_MATRIX: usize = 16;

/// The languages with the most links, and the number of links between each two of them.
pub(super) fn languages(figures: &Figures) -> Languages {
    let first = figures.languages.iter().take(IN_MATRIX);
    let in_matrix: Vec<&str> = first.map(|(name, _)| name.as_str()).collect();
    let has_place = |name: &str| name.is_empty() || in_matrix.contains(&name);
    let links = figures
        .pairs
        .iter()
        .filter(|(from, to, ..)| has_place(from) && has_place(to))
        .map(|(from, to, links, unreturned)| LanguageLink {
            from: shown(from),
            to: shown(to),
            links: *links,
            unreturned: *unreturned,
        });
    let languages = figures.languages.iter().take(KEPT);
    let languages = languages.map(|(name, links)| Language {
        hreflang: shown(name),
        links: *links,
    });
    Languages {
        pages: figures.pages,
        languages: languages.collect(),
        links: links.collect(),
        unreturned: figures.unreturned,
        unlisted: figures.unlisted,
    }
}
