//! The facts in the head of an HTML page, its images, and a hash of the content that a reader sees.

mod content;
mod content_hash;
mod dates;
mod html;
mod same_page;
mod selector;
mod tag;

use std::io::{self, Read};
use std::path::Path;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use self::content::Content;
pub(crate) use self::content_hash::ContentHash;
use self::html::LISTED;
pub(crate) use self::html::{HtmlPage, Wanted};
pub(crate) use self::same_page::{is_same_page, same_page};
pub(crate) use self::selector::Selector;
use self::tag::{attribute, is};
use crate::disk::open_regular;

/// Bytes that are read for the head alone. They contain the important facts of a longer head.
pub(crate) const BOUND: u64 = 256 << 10;
/// Bytes that are read for the content; the bytes after them count as they are.
const WHOLE: u64 = 16 << 20;
/// The page in the file. Without `wanted`, only its head is read.
pub(crate) fn read(path: &Path, wanted: Option<Wanted<'_>>) -> io::Result<HtmlPage> {
    let mut file = open_regular(path)?;
    let bound = match wanted {
        Some(_) => WHOLE,
        None => BOUND,
    };
    let mut bytes = Vec::new();
    file.by_ref().take(bound).read_to_end(&mut bytes)?;
    let (mut page, content) = page(&bytes, wanted);
    if let Some(content) = content {
        page.content = Some(content.digest(file)?);
    }
    Ok(page)
}

/// The head of the page, if its body is not wanted.
pub(crate) fn head(html: &[u8]) -> HtmlPage {
    page(html, None).0
}

/// Returns `true` if the head ends in this beginning of a page, so that reading on changes nothing.
pub(crate) fn head_has_ended(html: &[u8]) -> bool {
    let mut emitter = DefaultEmitter::default();
    // Text of scripts, styles and titles contains no tags.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).any(|token| match token {
        Ok(Token::StartTag(tag)) => tag.name.as_slice() == b"body",
        Ok(Token::EndTag(tag)) => tag.name.as_slice() == b"head",
        _ => false,
    })
}

/// The element whose text comes next, if it is not text of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Page,
    Title,
    /// `<script type="application/ld+json">`
    LinkedData,
    /// `<noscript>`
    Unscripted,
    /// Invisible elements; the number of open templates.
    Hidden(usize),
}

/// Reads an HTML page once, for all that is wanted of it.
fn page<'w>(html: &[u8], wanted: Option<Wanted<'w>>) -> (HtmlPage, Option<Content<'w>>) {
    let mut page = HtmlPage::default();
    let mut content = wanted.map(Content::new);
    let (mut in_head, mut within, mut has_title) = (true, Within::Page, false);
    // The target of a redirect in `<noscript>`.
    let mut without_scripts = None;
    let mut emitter = DefaultEmitter::default();
    // Text of scripts, styles and titles contains no tags.
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = tag.name.as_slice();
                match (within, name) {
                    (Within::Hidden(depth), b"template") => {
                        within = Within::Hidden(depth + 1);
                        continue;
                    }
                    (Within::Hidden(depth), _) if depth > 0 => continue,
                    _ => {}
                }
                within = match name {
                    b"title" if in_head && !has_title => Within::Title,
                    b"script" if is_linked_data(&tag) => Within::LinkedData,
                    b"noscript" => Within::Unscripted,
                    b"script" | b"style" => Within::Hidden(0),
                    b"template" => Within::Hidden(1),
                    _ => Within::Page,
                };
                if name == b"html" {
                    page.is_document = true;
                    page.language = page.language.or_else(|| attribute(&tag, b"lang"));
                }
                if name == b"body" {
                    in_head = false;
                }
                if in_head {
                    of_head(&mut page, content.as_mut(), &tag);
                    // A page without a body, whose script redirects to where its link leads.
                    page.is_redirect |= name == b"a"
                        && without_scripts.is_some()
                        && attribute(&tag, b"href") == without_scripts;
                } else if content.is_none() {
                    break;
                }
                // Microdata may be anywhere.
                page.dates.item(&tag);
                if within == Within::Page
                    && let Some(content) = &mut content
                {
                    content.start(&tag);
                }
            }
            Token::EndTag(tag) => {
                let name = tag.name.as_slice();
                match (within, name) {
                    (Within::Hidden(depth), b"template") if depth > 1 => {
                        within = Within::Hidden(depth - 1);
                        continue;
                    }
                    (Within::Hidden(depth), name) if depth > 0 && name != b"template" => continue,
                    _ => {}
                }
                if within == Within::Page
                    && let Some(content) = &mut content
                {
                    content.end(name);
                }
                within = Within::Page;
                if name == b"head" {
                    in_head = false;
                    if content.is_none() {
                        break;
                    }
                }
            }
            Token::String(text) => match within {
                Within::LinkedData => page.dates.linked_data(&text),
                Within::Unscripted if in_head => {
                    without_scripts = without_scripts.or_else(|| refresh(&text));
                }
                Within::Unscripted | Within::Hidden(_) => {}
                Within::Page | Within::Title => {
                    has_title |= within == Within::Title;
                    match &mut content {
                        Some(content) if within == Within::Title => content.title(&text),
                        Some(content) => content.text(&text),
                        None => {}
                    }
                }
            },
            Token::Doctype(doctype) => page.is_document |= doctype.name.as_slice() == b"html",
            Token::Comment(_) | Token::Error(_) => {}
        }
    }
    if let Some(content) = &mut content {
        content.finish(&mut page);
    }
    (page, content)
}

/// Reads a tag of the head: robots, description, dates, images, links, base URL and redirect.
fn of_head(page: &mut HtmlPage, content: Option<&mut Content<'_>>, tag: &StartTag<()>) {
    match tag.name.as_slice() {
        b"meta" => {
            let named = attribute(tag, b"name").or_else(|| attribute(tag, b"property"));
            let name = named.unwrap_or_default().to_ascii_lowercase();
            let value = attribute(tag, b"content").unwrap_or_default();
            if attribute(tag, b"http-equiv").is_some_and(|name| is(&name, "refresh")) {
                // Without a URL the page only reloads itself.
                page.is_redirect |= value.to_ascii_lowercase().contains("url");
            }
            match &*name {
                "robots" => {
                    page.is_noindex |= value
                        .split(',')
                        .any(|word| is(word, "noindex") || is(word, "none"));
                }
                "description" => {
                    if let Some(content) = content {
                        content.description(&value);
                    }
                }
                "og:image" | "og:image:url" if page.shared_images.len() < LISTED => {
                    page.shared_images.push(value);
                }
                name => page.dates.meta(name, &value),
            }
        }
        b"link" => {
            let rel = attribute(tag, b"rel").unwrap_or_default();
            let has = |word: &str| rel.split_ascii_whitespace().any(|rel| is(rel, word));
            if page.canonical.is_none() && has("canonical") {
                page.canonical = attribute(tag, b"href");
            }
            if has("alternate")
                && page.alternates.len() < LISTED
                && let Some(language) = attribute(tag, b"hreflang")
                && let Some(href) = attribute(tag, b"href")
            {
                page.alternates.push((language, href));
            }
        }
        b"base" if page.base.is_none() => page.base = attribute(tag, b"href"),
        _ => {}
    }
}

/// The target of the first `<meta http-equiv="refresh">`.
fn refresh(html: &[u8]) -> Option<String> {
    let tokens = Tokenizer::new(html);
    tokens.flatten().find_map(|token| match token {
        Token::StartTag(tag) if tag.name.as_slice() == b"meta" => {
            attribute(&tag, b"http-equiv").filter(|name| is(name, "refresh"))?;
            let value = attribute(&tag, b"content")?;
            let (_, url) = value.split_once('=')?;
            Some(url.trim().trim_matches(['"', '\'']).to_owned())
        }
        _ => None,
    })
}

fn is_linked_data(tag: &StartTag<()>) -> bool {
    let kind = attribute(tag, b"type").unwrap_or_default();
    kind.split(';')
        .next()
        .is_some_and(|kind| is(kind, "application/ld+json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> HtmlPage {
        head(html.as_bytes())
    }

    #[test]
    fn robots_and_canonical() {
        let noindex = |html: &str| of(html).is_noindex;
        assert!(noindex("<META NAME=Robots CONTENT='follow, NoIndex'>"));
        assert!(noindex("<html><head><meta content=none name=robots>"));
        assert!(!noindex("<meta name=robots content='index, follow'>"));
        assert!(!noindex("<meta name=description content=noindex>"));
        assert!(!noindex("<!-- <meta name=robots content=noindex> -->"));
        assert!(!noindex(
            "<script>'<meta name=robots content=noindex>'</script>"
        ));
        assert!(!noindex(
            "<template><template></template><meta name=robots content=noindex></template>"
        ));
        assert!(!noindex(
            "<title><meta name=robots content=noindex></title>"
        ));
        assert!(!noindex("<head></head><meta name=robots content=noindex>"));
        assert!(!noindex("<body><meta name=robots content=noindex>"));

        let canonical = |html: &str| of(html).canonical;
        assert_eq!(
            canonical("<link rel='x Canonical' href=' /a?b=1&amp;c=2 '>").as_deref(),
            Some("/a?b=1&c=2")
        );
        assert_eq!(canonical("<link rel=stylesheet href=/a.css>"), None);
        assert_eq!(of("<base href=/x/>").base.as_deref(), Some("/x/"));
    }

    #[test]
    fn redirects_fragments_and_languages() {
        assert!(of("<meta http-equiv=Refresh content='0; URL=/new'>").is_redirect);
        assert!(!of("<meta http-equiv=refresh content=300>").is_redirect);
        assert!(
            !of("<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>").is_redirect
        );
        // An alias of Zola, whose script keeps the fragment.
        let alias = |link: &str| {
            of(&format!(
                "<!doctype html><script>window.location.replace('/x' + hash)</script>\
                 <noscript><meta http-equiv=refresh content='0; url=/x'></noscript><p><a href={link}>"
            ))
        };
        assert!(alias("/x").is_redirect && !alias("/y").is_redirect);
        assert!(of("<!DOCTYPE html><title>x</title>").is_document);
        assert!(of("<HTML lang=de>").is_document);
        assert_eq!(of("<html lang=de>").language.as_deref(), Some("de"));
        assert!(!of("<div>part</div>").is_document);
        let alternates =
            "<link rel=alternate hreflang=de href=/de><link rel=alternate type=x href=/feed>";
        assert_eq!(
            of(alternates).alternates,
            [("de".to_owned(), "/de".to_owned())]
        );
    }
}
