//! The languages of pages, from the links of their heads.
//!
//! Each page names its translations. Pages that are connected by such links are one group, in which every page gets the
//! links of all: so a link that a page lacks is added. If two pages of a group name different pages for the same
//! language, the right one is not known, and none of them gets any.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;

use icu_normalizer::ComposingNormalizerBorrowed;
use quick_sitemap::extension::Alternate;
use quick_sitemap::url::Url;
use quick_sitemap::{UrlEntry, WriterBuilder};

use super::listed::ListedPage;
use crate::page::same_page;
use crate::term::count::{Count, First};
use crate::term::messages::Messages;

const NORMALIZER: ComposingNormalizerBorrowed<'_> = ComposingNormalizerBorrowed::new_nfc();

/// A link to a translation.
struct Claim {
    language: String,
    /// The loc of the page, if it is one of ours.
    href: Url,
    page: Option<usize>,
}

/// The pages of a group by language, in lower case, each with the language as it was written; `x-default` is last.
type Languages = BTreeMap<(bool, String), (String, Url)>;

fn is_default(language: &str) -> bool {
    language.eq_ignore_ascii_case("x-default")
}

/// Sets the alternates of each page. `base` is the URL of the folder, below which all pages are known. With `all`, the messages
/// name all pages.
pub(crate) fn link(pages: &mut [ListedPage], base: Option<&Url>, all: bool, messages: &Messages) {
    let most = if all { usize::MAX } else { 3 };
    let claims = claims(pages, messages);
    name_missing(pages, &claims, base, messages);
    let mut disagreements = First::default();
    for members in groups(&claims).values() {
        match agreed(members, &claims, pages) {
            Ok(languages) if languages.len() > 1 => {
                let links = languages.into_values();
                let links: Vec<_> = links
                    .map(|(language, href)| Alternate::new(language, href))
                    .collect();
                for index in members {
                    if let Some(page) = pages.get_mut(*index) {
                        page.entry.alternates.clone_from(&links);
                    }
                }
            }
            Err(disagreement) if all || disagreements.names() => {
                let names = members.iter().filter_map(|index| pages.get(*index));
                let names: Vec<_> = names.map(|page| &*page.name).take(most).collect();
                messages.warning(format_args!(
                    "{}{}: no alternates, because the pages name different pages for {disagreement}",
                    names.join(", "),
                    if members.len() > most { ", …" } else { "" },
                ));
            }
            _ => {}
        }
    }
    if disagreements.more() > 0 {
        let more = Count(disagreements.more(), "more group of pages");
        messages.warning(format_args!(
            "{more} without alternates, because they disagree (--verbose names all)"
        ));
    }
}

/// The links of each page that a sitemap may have.
fn claims(pages: &[ListedPage], messages: &Messages) -> Vec<Vec<Claim>> {
    let numbered = pages.iter().enumerate();
    let by_name: HashMap<_, _> = numbered
        .map(|(index, page)| (same_page(&page.entry.loc), (index, &page.entry.loc)))
        .collect();
    let mut ignored = HashSet::new();
    let mut claim = |(language, href): &(String, Url)| {
        if !may_be_written(language) {
            if ignored.insert(language.clone()) {
                messages.warning(format_args!(
                    "`{language}` is not a language of an alternate; such links are ignored"
                ));
            }
            return None;
        }
        let page = by_name.get(&same_page(href));
        Some(Claim {
            language: language.clone(),
            href: page.map_or(href, |(_, loc)| *loc).clone(),
            page: page.map(|(index, _)| *index),
        })
    };
    let pages = pages.iter();
    pages
        .map(|page| page.alternates.iter().filter_map(&mut claim).collect())
        .collect()
}

/// Names the links to pages that the folder does not have.
fn name_missing(
    pages: &[ListedPage],
    claims: &[Vec<Claim>],
    base: Option<&Url>,
    messages: &Messages,
) {
    // The names of files on a Mac are decomposed.
    let composed = |url: &Url| NORMALIZER.normalize(&same_page(url)).into_owned();
    let mut missing = First::default();
    for (page, claims) in pages.iter().zip(claims) {
        for Claim { href, .. } in claims.iter().filter(|claim| claim.page.is_none()) {
            let is_below = base.is_some_and(|base| href.as_str().starts_with(base.as_str()));
            if is_below && missing.names() {
                let letters = composed(href);
                let mut all = pages.iter().map(|page| &page.entry.loc);
                let near = all.find(|loc| composed(loc) == letters);
                let near = near.map(|loc| format!("; {loc} has the same letters (NFC, NFD)"));
                messages.warning(format_args!(
                    "{}: the alternate {href} is a page that does not exist or is left out{}",
                    page.name,
                    near.unwrap_or_default()
                ));
            }
        }
    }
    if missing.more() > 0 {
        let more = Count(missing.more(), "more alternate");
        messages.warning(format_args!(
            "{more} to pages that do not exist or are left out"
        ));
    }
}

/// The pages that are connected by links, by the first one of each group.
fn groups(claims: &[Vec<Claim>]) -> BTreeMap<usize, Vec<usize>> {
    // An earlier page of the group; of the first one, itself.
    let mut earlier: Vec<usize> = (0..claims.len()).collect();
    let first = |earlier: &[usize], mut index: usize| {
        while let Some(&next) = earlier.get(index)
            && next != index
        {
            index = next;
        }
        index
    };
    for (index, claims) in claims.iter().enumerate() {
        // All pages of a site may name the same page for the rest of the world.
        let claims = claims.iter().filter(|claim| !is_default(&claim.language));
        for other in claims.filter_map(|claim| claim.page) {
            let (one, other) = (first(&earlier, index), first(&earlier, other));
            if let Some(slot) = earlier.get_mut(one.max(other)) {
                *slot = one.min(other);
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in 0..claims.len() {
        let first = first(&earlier, index);
        members.entry(first).or_default().push(index);
    }
    members
}

/// The error names the language that two pages disagree on, and both of its pages.
fn agreed(
    members: &[usize],
    claims: &[Vec<Claim>],
    pages: &[ListedPage],
) -> Result<Languages, String> {
    let claims = members.iter().filter_map(|index| claims.get(*index));
    let claims = claims.flatten();
    let own = claims.clone().filter(|claim| !is_default(&claim.language));
    let named: HashSet<usize> = own.filter_map(|claim| claim.page).collect();
    let mut languages = Languages::new();
    let add = |languages: &mut Languages, language: &str, href: &Url| {
        let key = (is_default(language), language.to_ascii_lowercase());
        let known = languages.insert(key, (language.to_owned(), href.clone()));
        match known.filter(|(_, known)| known != href) {
            Some((_, known)) => Err(format!("`{language}`: {known} and {href}")),
            None => Ok(()),
        }
    };
    for claim in claims.clone() {
        add(&mut languages, &claim.language, &claim.href)?;
    }
    let defaults = claims.filter(|claim| is_default(&claim.language));
    let defaults: HashSet<usize> = defaults.filter_map(|claim| claim.page).collect();
    // A page that no link names, not even its own, has the language of its `<html>`. A page for the rest of the world, where
    // readers choose their language, has it only if no other page has.
    for index in members.iter().filter(|index| !named.contains(index)) {
        let Some(page) = pages.get(*index) else {
            continue;
        };
        let language = page.language.as_deref();
        let language = language.filter(|language| may_be_written(language));
        let is_free =
            |language: &str| !languages.contains_key(&(false, language.to_ascii_lowercase()));
        if let Some(language) = language.filter(|name| !defaults.contains(index) || is_free(name)) {
            add(&mut languages, language, &page.entry.loc)?;
        }
    }
    Ok(languages)
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
                is_blank: false,
            })
            .collect();
        link(&mut found, None, false, &Messages::new(true));
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

    /// The page for the rest of the world, where readers choose, is in a language, too.
    #[test]
    fn a_choice_of_languages_is_no_translation() {
        let all: &[(&str, &str)] = &[("de", "/de/"), ("en", "/en/"), ("x-default", "/")];
        let expected = "de=/de/ en=/en/ x-default=/";
        for language in ["en", "EN", "de", ""] {
            let pages: [Head<'_>; 3] = [
                ("/", language, all),
                ("/de/", "de", all),
                ("/en/", "en", all),
            ];
            assert_eq!(linked(&pages), [expected; 3], "{language}");
        }
        let pages: [Head<'_>; 3] = [("/", "fr", all), ("/de/", "de", all), ("/en/", "en", all)];
        assert_eq!(linked(&pages), ["de=/de/ en=/en/ fr=/ x-default=/"; 3]);
        // It disagrees with a link.
        let pages: [Head<'_>; 3] = [
            ("/", "", &[("en", "/"), ("de", "/de/")]),
            ("/de/", "de", all),
            ("/en/", "en", &[]),
        ];
        assert_eq!(linked(&pages), ["", "", ""]);
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
