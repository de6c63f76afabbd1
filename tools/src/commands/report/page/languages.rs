//! Alternates as a matrix of languages.

use crate::judge::hreflang::{LanguageLink, Languages};

#[derive(Debug)]
pub(super) struct Matrix<'a> {
    pub(super) to: Vec<&'a str>,
    pub(super) rows: Vec<(&'a str, Vec<Option<&'a LanguageLink>>)>,
}

/// The table of links between languages; a pair without links has an empty cell.
pub(super) fn matrix(languages: &Languages) -> Matrix<'_> {
    let named = languages
        .languages
        .iter()
        .map(|language| language.hreflang.as_str());
    let linked = languages
        .links
        .iter()
        .flat_map(|link| [link.to.as_str(), link.from.as_str()]);
    let mut all: Vec<&str> = Vec::new();
    for name in named.chain(linked) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let has = |part: fn(&LanguageLink) -> &str, name: &str| {
        languages.links.iter().any(|link| part(link) == name)
    };
    let to: Vec<&str> = all
        .iter()
        .copied()
        .filter(|name| has(|link| &link.to, name))
        .collect();
    let rows = all
        .iter()
        .filter(|name| has(|link| &link.from, name))
        .map(|&from| {
            let cell = |to: &&str| {
                languages
                    .links
                    .iter()
                    .find(|link| link.from == from && link.to == **to)
            };
            (from, to.iter().map(cell).collect())
        });
    Matrix {
        rows: rows.collect(),
        to,
    }
}
