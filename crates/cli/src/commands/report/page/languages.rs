//! Alternates as a matrix of languages.

use itertools::Itertools;

use crate::judge::hreflang::{LanguageLink, Languages};

#[derive(Debug)]
pub(super) struct Matrix<'a> {
    pub(super) to: Vec<&'a str>,
    pub(super) rows: Vec<(&'a str, Vec<Option<&'a LanguageLink>>)>,
}

/// The table of links between languages; a pair without links has an empty cell.
pub(super) fn matrix(languages: &Languages) -> Matrix<'_> {
    let links = &languages.links;
    let named = languages
        .languages
        .iter()
        .map(|language| &*language.hreflang);
    let linked = links.iter().flat_map(|link| [&*link.to, &*link.from]);
    let all: Vec<&str> = named.chain(linked).unique().collect();
    let find = |from: Option<&str>, to: Option<&str>| {
        let is_it = |own: &str, wanted: Option<&str>| wanted.is_none_or(|wanted| wanted == own);
        let mut links = links.iter();
        links.find(|link| is_it(&link.from, from) && is_it(&link.to, to))
    };
    let mut to = all.clone();
    to.retain(|to| find(None, Some(to)).is_some());
    let mut from = all;
    from.retain(|from| find(Some(from), None).is_some());
    let rows = from.into_iter().map(|from| {
        let cells = to.iter().map(|to| find(Some(from), Some(to)));
        (from, cells.collect())
    });
    Matrix {
        rows: rows.collect(),
        to,
    }
}
