//! The languages of pages, from the links of their heads.
//!
//! Each page names its translations. Pages that are connected by such links are one group, in which every page gets the
//! links of all: so a link that a page lacks is added. If two pages of a group name different pages for the same
//! language, the right one is not known, and none of them gets any.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

use quick_sitemap::extension::Alternate;
use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, WriterBuilder};

use super::listed::ListedPage;
use crate::page::same_page;
use crate::term::count::{Count, First};
use crate::term::messages::Messages;

const DEFAULT: &str = "x-default";

/// A page that a link leads to.
#[derive(Clone, PartialEq, Eq)]
enum Target {
    /// One of ours.
    Page(usize),
    Elsewhere(Url),
}

/// The pages of a group by language, in lower case, each with the language as it was written.
type Languages = BTreeMap<String, (String, Target)>;

/// Sets the alternates of each page. `base` is the URL of the folder, below which all pages are known.
pub(crate) fn link(pages: &mut [ListedPage], base: Option<&Url>, messages: &Messages) {
    let mut tags = Tags::default();
    let claims = claims(pages, &mut tags, messages);
    name_missing(pages, &claims, base, messages);
    let mut disagreements = First::default();
    for members in groups(&claims).values() {
        let languages = match agreed(members, &claims, pages, &mut tags, messages) {
            Ok(languages) if languages.len() > 1 => languages,
            Ok(_) => continue,
            Err(language) => {
                if disagreements.names() {
                    let names = members.iter().filter_map(|index| pages.get(*index));
                    let names: Vec<_> = names.map(|page| page.name.as_str()).take(3).collect();
                    messages.warning(format_args!(
                        "{}{}: no alternates, because the pages name different pages for `{language}`",
                        names.join(", "),
                        if members.len() > 3 { ", …" } else { "" },
                    ));
                }
                continue;
            }
        };
        let alternates = languages.into_values().filter_map(|(language, target)| {
            let href = match target {
                Target::Page(index) => pages.get(index)?.entry.loc.clone(),
                Target::Elsewhere(url) => url,
            };
            Some(Alternate::new(language, href))
        });
        let alternates: Vec<_> = alternates.collect();
        for index in members {
            if let Some(page) = pages.get_mut(*index) {
                page.entry.alternates.clone_from(&alternates);
            }
        }
    }
    if disagreements.more() > 0 {
        let more = Count(disagreements.more(), "more group of pages");
        messages.warning(format_args!(
            "{more} without alternates, because they disagree"
        ));
    }
}

/// The links of each page that a sitemap may have.
fn claims(
    pages: &[ListedPage],
    tags: &mut Tags,
    messages: &Messages,
) -> Vec<Vec<(String, Target)>> {
    let numbered = pages.iter().enumerate();
    let by_name: HashMap<_, _> = numbered
        .map(|(index, page)| (same_page(&page.entry.loc), index))
        .collect();
    let mut of_page = |page: &ListedPage| {
        let links = page.alternates.iter();
        let valid = links.filter(|(language, _)| tags.is_valid(language, messages));
        let claims = valid.map(|(language, href)| {
            let target = match by_name.get(&same_page(href)) {
                Some(index) => Target::Page(*index),
                None => Target::Elsewhere(href.clone()),
            };
            (language.clone(), target)
        });
        claims.collect()
    };
    pages.iter().map(&mut of_page).collect()
}

/// Names the links to pages that the folder does not have.
fn name_missing(
    pages: &[ListedPage],
    claims: &[Vec<(String, Target)>],
    base: Option<&Url>,
    messages: &Messages,
) {
    let Some(base) = base else {
        return;
    };
    let mut missing = First::default();
    for (page, claims) in pages.iter().zip(claims) {
        for (_, target) in claims {
            if let Target::Elsewhere(url) = target
                && url.as_str().starts_with(base.as_str())
                && missing.names()
            {
                messages.warning(format_args!(
                    "{}: the alternate {url} is not a page of the folder",
                    page.name
                ));
            }
        }
    }
    if missing.more() > 0 {
        let more = Count(missing.more(), "more alternate");
        messages.warning(format_args!(
            "{more} to pages that the folder does not have"
        ));
    }
}

/// The pages that are connected by links, by the first one of each group.
fn groups(claims: &[Vec<(String, Target)>]) -> BTreeMap<usize, Vec<usize>> {
    let mut groups = Groups((0..claims.len()).collect());
    for (index, claims) in claims.iter().enumerate() {
        for (language, target) in claims {
            // All pages of a site may name the same page for the rest of the world.
            if let Target::Page(other) = target
                && !language.eq_ignore_ascii_case(DEFAULT)
            {
                groups.join(index, *other);
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..claims.len() {
        members.entry(groups.root(index)).or_default().push(index);
    }
    members
}

/// The language that two pages disagree on is the error.
fn agreed(
    members: &[usize],
    claims: &[Vec<(String, Target)>],
    pages: &[ListedPage],
    tags: &mut Tags,
    messages: &Messages,
) -> Result<Languages, String> {
    let mut languages = Languages::new();
    let mut named = HashSet::new();
    let mut add = |language: &str, target: &Target| {
        let key = match language.to_ascii_lowercase() {
            // Last.
            default if default == DEFAULT => format!("~{default}"),
            key => key,
        };
        match languages.get(&key) {
            Some((_, known)) if known != target => return Err(language.to_owned()),
            _ => {}
        }
        languages.insert(key, (language.to_owned(), target.clone()));
        Ok(())
    };
    for claims in members.iter().filter_map(|index| claims.get(*index)) {
        for (language, target) in claims {
            add(language, target)?;
            if let Target::Page(index) = target
                && !language.eq_ignore_ascii_case(DEFAULT)
            {
                named.insert(*index);
            }
        }
    }
    // A page that no link names, not even its own, has the language of its `<html>`.
    if !named.is_empty()
        || members
            .iter()
            .any(|index| claims.get(*index).is_some_and(|claims| !claims.is_empty()))
    {
        for index in members.iter().filter(|index| !named.contains(index)) {
            let language = pages.get(*index).and_then(|page| page.language.as_deref());
            if let Some(language) = language.filter(|language| !language.is_empty())
                && tags.is_valid(language, messages)
            {
                add(language, &Target::Page(*index))?;
            }
        }
    }
    Ok(languages)
}

/// The first page of each one's group.
struct Groups(Vec<usize>);

impl Groups {
    fn root(&mut self, index: usize) -> usize {
        let mut at = index;
        while let Some(&next) = self.0.get(at)
            && next != at
        {
            // Shortens the way for the next one.
            let after = self.0.get(next).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = after;
            }
            at = after;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        if let Some(slot) = self.0.get_mut(one.max(other)) {
            *slot = one.min(other);
        }
    }
}

/// Which languages a sitemap may name.
#[derive(Default)]
struct Tags(HashMap<String, bool>);

impl Tags {
    /// Warns about a language once.
    fn is_valid(&mut self, language: &str, messages: &Messages) -> bool {
        if let Some(known) = self.0.get(language) {
            return *known;
        }
        let is_valid = may_be_written(language);
        if !is_valid {
            messages.warning(format_args!(
                "`{language}` is not a language of an alternate; such links are ignored"
            ));
        }
        self.0.insert(language.to_owned(), is_valid);
        is_valid
    }
}

/// The library's own judgement.
fn may_be_written(language: &str) -> bool {
    let Ok(page) = UrlEntry::try_from("https://example.com/") else {
        return false;
    };
    let alternate = Alternate::new(language, page.loc.clone());
    let mut writer = WriterBuilder::new().urlset(io::sink());
    writer.write(&page.with_alternate(alternate)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Path, language, and the links of the head.
    type Head<'t> = (&'t str, &'t str, &'t [(&'t str, &'t str)]);

    fn linked(pages: &[Head<'_>]) -> Vec<String> {
        let url = |path: &str| {
            Url::parse("https://example.com/")
                .unwrap()
                .join(path)
                .unwrap()
        };
        let mut found: Vec<ListedPage> = pages
            .iter()
            .map(|(path, language, alternates)| ListedPage {
                folder: 0,
                name: (*path).to_owned(),
                language: (!language.is_empty()).then(|| (*language).to_owned()),
                alternates: alternates
                    .iter()
                    .map(|(language, href)| ((*language).to_owned(), url(href)))
                    .collect(),
                entry: UrlEntry::new(url(path)),
                content: None,
            })
            .collect();
        link(&mut found, None, &Messages::new(true));
        let shown = |alternate: &Alternate| {
            let href = alternate.href.as_str().replace("https://example.com", "");
            format!("{}={href}", alternate.hreflang)
        };
        found
            .iter()
            .map(|page| {
                let alternates: Vec<_> = page.entry.alternates.iter().map(shown).collect();
                alternates.join(" ")
            })
            .collect()
    }

    #[test]
    fn links_are_completed_both_ways() {
        let all = "de=/de/ en=/en.html fr=https://fr.example.com/ x-default=/en.html";
        let pages: [Head<'_>; 3] = [
            (
                "/en.html",
                "en",
                &[("x-default", "/en"), ("de", "/de/index.html")],
            ),
            ("/de/", "de", &[("fr", "https://fr.example.com/")]),
            ("/other", "en", &[]),
        ];
        assert_eq!(linked(&pages), [all, all, ""]);
    }

    #[test]
    fn pages_that_disagree_go_without() {
        let pages: [Head<'_>; 5] = [
            ("/a", "", &[("en", "/a"), ("de", "/b")]),
            ("/b", "", &[("de", "/b"), ("en", "/c")]),
            ("/c", "", &[("en", "/c")]),
            ("/d", "", &[("en_US", "/d"), ("en", "/d"), ("de", "/e")]),
            ("/e", "", &[]),
        ];
        let fine = "de=/e en=/d";
        assert_eq!(linked(&pages), ["", "", "", fine, fine]);
    }

    /// Every page names the same page for the rest of the world.
    #[test]
    fn a_shared_default_makes_no_group() {
        let pages: [Head<'_>; 5] = [
            ("/", "", &[("x-default", "/")]),
            ("/a", "", &[("en", "/a"), ("de", "/b"), ("x-default", "/")]),
            ("/b", "", &[("en", "/a"), ("de", "/b"), ("x-default", "/")]),
            ("/c", "", &[("en", "/c"), ("de", "/d"), ("x-default", "/")]),
            ("/d", "", &[]),
        ];
        let (ab, cd) = ("de=/b en=/a x-default=/", "de=/d en=/c x-default=/");
        assert_eq!(linked(&pages), ["", ab, ab, cd, cd]);
    }
}
