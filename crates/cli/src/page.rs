//! The facts in the head of an HTML page, its images, and a hash of the content that a reader sees.

mod content;
mod dates;
mod html;
mod noindex;
mod same_page;
mod selector;
mod tag;

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use self::content::Content;
pub(crate) use self::html::{HtmlPage, canonical};
use self::html::{LISTED, target};
pub(crate) use self::noindex::is_noindex;
pub(crate) use self::same_page::{is_same_page, same_page};
pub(crate) use self::selector::Selector;
use self::tag::{attribute, is};
use crate::disk::open_regular;

/// Bytes of a page that are read as HTML; the bytes after them count as they are.
const WHOLE: u64 = 16 << 20;

/// The page in the file, with its content: that of the selected element, if there is one.
pub(crate) fn read(path: &Path, selector: Option<&Selector>) -> io::Result<HtmlPage> {
    let mut file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(WHOLE).read_to_end(&mut bytes)?;
    let (mut page, content) = with_body(&bytes, selector);
    page.is_blank = content.is_blank();
    page.content = Some(content.digest(file)?);
    Ok(page)
}

/// The head of the page, if its body is not wanted.
pub(crate) fn head(html: &[u8]) -> HtmlPage {
    page(html, &mut None)
}

/// The page with its content, which is the whole page if there is no selected element.
fn with_body<'s>(html: &[u8], selector: Option<&'s Selector>) -> (HtmlPage, Content<'s>) {
    let mut content = Some(Content::new(selector));
    let mut found = page(html, &mut content);
    let mut content = content.unwrap_or_default();
    if content.is_missing() {
        return with_body(html, None);
    }
    found.images = content.take_images();
    found.is_selected = selector.is_some();
    (found, content)
}

/// Returns `true` for the beginning of an HTML page, of any type.
pub(crate) fn is_document(beginning: &[u8]) -> bool {
    head(beginning).is_document
}

/// Returns `true` if the head ends in this beginning of a page, so that reading on changes nothing. `charset` is that of the
/// header `Content-Type`.
///
/// # Errors
///
/// If the page is in an encoding that is not read here.
pub(crate) fn has_ended(html: &[u8], charset: Option<&str>) -> Result<bool, String> {
    /// Encodings in which ASCII is written otherwise.
    const WIDE: [&str; 6] = ["utf-16", "utf16", "utf-32", "utf32", "ucs-", "unicode"];
    let label = charset.map(str::to_ascii_lowercase).unwrap_or_default();
    let is_wide = WIDE
        .iter()
        .any(|wide| label.trim_matches('"').starts_with(wide));
    let is_utf_32 = html.starts_with(&[0xFF, 0xFE, 0, 0]);
    let text = in_utf_8(html);
    if is_utf_32 || matches!(text, Cow::Borrowed(_)) {
        if is_wide && !html.starts_with(&[0xEF, 0xBB, 0xBF]) {
            return Err(format!(
                "the page is in the encoding `{label}`, without a mark"
            ));
        }
        if html.iter().take(4).any(|byte| *byte == 0) {
            return Err("the page is in an encoding that is not known".to_owned());
        }
    }
    Ok(tokens(&text).any(|token| match token {
        Token::StartTag(tag) => tag.name.as_slice() == b"body",
        Token::EndTag(tag) => tag.name.as_slice() == b"head",
        _ => false,
    }))
}

/// The tags and texts of a page.
fn tokens(html: &[u8]) -> impl Iterator<Item = Token> {
    let mut emitter = DefaultEmitter::default();
    // Text of scripts, styles and titles contains no tags.
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).flatten()
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

/// Reads an HTML page once. Without `content`, only its head is read.
fn page(html: &[u8], content: &mut Option<Content<'_>>) -> HtmlPage {
    let mut reader = PageReader {
        page: HtmlPage::default(),
        content: content.as_mut(),
        in_head: true,
        within: Within::Page,
        has_title: false,
        without_scripts: None,
    };
    for token in tokens(&in_utf_8(html)) {
        match token {
            Token::StartTag(tag) => reader.start(&tag),
            Token::EndTag(tag) => reader.end(&tag.name),
            Token::String(text) => reader.text(&text),
            Token::Doctype(doctype) => {
                reader.page.is_document |= doctype.name.as_slice() == b"html";
            }
            Token::Comment(_) | Token::Error(_) => {}
        }
        if !reader.in_head && reader.content.is_none() {
            break;
        }
    }
    reader.page
}

/// The text of a page in UTF-8. UTF-16 is known by its byte order mark.
fn in_utf_8(html: &[u8]) -> Cow<'_, [u8]> {
    let decode: fn([u8; 2]) -> u16 = match html {
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        _ => return Cow::Borrowed(html),
    };
    let (pairs, _) = html.as_chunks();
    let units = pairs.iter().skip(1).copied().map(decode);
    let text = char::decode_utf16(units);
    let text = text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    Cow::Owned(text.collect::<String>().into_bytes())
}

struct PageReader<'c, 's> {
    page: HtmlPage,
    content: Option<&'c mut Content<'s>>,
    in_head: bool,
    within: Within,
    has_title: bool,
    /// The content of a refresh in `<noscript>`.
    without_scripts: Option<String>,
}

impl PageReader<'_, '_> {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        match (self.within, name) {
            (Within::Hidden(depth), b"template") => {
                self.within = Within::Hidden(depth + 1);
                return;
            }
            (Within::Hidden(depth), _) if depth > 0 => return,
            _ => {}
        }
        self.within = match name {
            b"title" if self.in_head && !self.has_title => Within::Title,
            b"script" if is_linked_data(tag) => Within::LinkedData,
            b"noscript" => Within::Unscripted,
            b"script" | b"style" => Within::Hidden(0),
            b"template" => Within::Hidden(1),
            _ => Within::Page,
        };
        let Self { page, content, .. } = self;
        if name == b"html" {
            page.is_document = true;
            page.language = page.language.take().or_else(|| attribute(tag, b"lang"));
        }
        self.in_head &= name != b"body";
        if self.in_head {
            of_head(page, content.as_deref_mut(), tag);
            // A page without a body, whose script redirects to where its link leads.
            let without = self.without_scripts.as_deref().and_then(target);
            let href = attribute(tag, b"href").filter(|_| name == b"a");
            if href.is_some_and(|href| without.is_some_and(|(_, to)| href == to)) {
                page.refresh = page.refresh.take().or(self.without_scripts.clone());
            }
        }
        // Microdata may be anywhere.
        page.dates.item(tag);
        if self.within == Within::Page
            && let Some(content) = content
        {
            content.start(tag);
        }
    }

    fn end(&mut self, name: &[u8]) {
        match self.within {
            Within::Hidden(depth) if depth > 1 && name == b"template" => {
                self.within = Within::Hidden(depth - 1);
                return;
            }
            Within::Hidden(depth) if depth > 0 && name != b"template" => return,
            _ => {}
        }
        if self.within == Within::Page
            && let Some(content) = &mut self.content
        {
            content.end(name);
        }
        self.within = Within::Page;
        self.in_head &= name != b"head";
    }

    fn text(&mut self, text: &[u8]) {
        match (self.within, &mut self.content) {
            (Within::LinkedData, _) => self.page.dates.linked_data(text),
            (Within::Unscripted, _) if self.in_head && self.without_scripts.is_none() => {
                self.without_scripts = refresh(text);
            }
            (Within::Title, content) => {
                self.has_title = true;
                if let Some(content) = content {
                    content.title(text);
                }
            }
            (Within::Page, Some(content)) => content.text(text),
            (Within::Page | Within::Unscripted | Within::Hidden(_), _) => {}
        }
    }
}

/// Reads a tag of the head: robots, description, dates, images, links, base URL and redirect.
fn of_head(page: &mut HtmlPage, content: Option<&mut Content<'_>>, tag: &StartTag<()>) {
    match tag.name.as_slice() {
        b"meta" => {
            let named = attribute(tag, b"name").or_else(|| attribute(tag, b"property"));
            let name = named.unwrap_or_default().to_ascii_lowercase();
            let value = attribute(tag, b"content").unwrap_or_default();
            if attribute(tag, b"http-equiv").is_some_and(|name| is(&name, "refresh")) {
                let named = Some(&value).filter(|value| target(value).is_some());
                page.refresh = page.refresh.take().or_else(|| named.cloned());
            }
            match &*name {
                "robots" | noindex::ROBOT => page.is_noindex |= is_noindex(&value),
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
            if has("canonical")
                && page.canonicals.len() < LISTED
                && let Some(href) = attribute(tag, b"href")
                && !page.canonicals.contains(&href)
            {
                page.canonicals.push(href);
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

/// The content of the first `<meta http-equiv="refresh">` that has a target.
fn refresh(html: &[u8]) -> Option<String> {
    let tokens = Tokenizer::new(html);
    tokens.flatten().find_map(|token| match token {
        Token::StartTag(tag) if tag.name.as_slice() == b"meta" => {
            attribute(&tag, b"http-equiv").filter(|name| is(name, "refresh"))?;
            attribute(&tag, b"content").filter(|content| target(content).is_some())
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
    use quick_sitemap::url::Url;

    use super::*;

    /// Its byte order mark tells UTF-16.
    #[test]
    fn pages_in_utf_16() {
        let html =
            "\u{feff}<!doctype html><html lang=de><link rel=canonical href='/\u{e9}\u{1f600}'>";
        let units: Vec<u16> = html.encode_utf16().collect();
        for of_unit in [u16::to_be_bytes, u16::to_le_bytes] {
            let bytes: Vec<u8> = units.iter().flat_map(|unit| of_unit(*unit)).collect();
            for cut in 0..3 {
                let page = head(&bytes[..bytes.len() - cut]);
                assert!(page.is_document);
                assert_eq!(page.language.as_deref(), Some("de"));
                assert!(cut > 0 || page.canonicals == ["/\u{e9}\u{1f600}"]);
            }
        }
    }

    fn of(html: &str) -> HtmlPage {
        head(html.as_bytes())
    }

    #[test]
    fn the_end_of_a_head_is_seen_in_an_encoding_that_is_read() {
        let wide = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
            text.encode_utf16().flat_map(unit).collect()
        };
        let (open, ended) = ("<html><head><title>a", "<html><head></head>");
        for (html, charset, expected) in [
            (open.as_bytes().to_vec(), None, false),
            (ended.as_bytes().to_vec(), None, true),
            (ended.as_bytes().to_vec(), Some("windows-1252"), true),
            (
                format!("\u{feff}{ended}").into_bytes(),
                Some("utf-16"),
                true,
            ),
            (
                wide(&format!("\u{feff}{ended}"), u16::to_be_bytes),
                None,
                true,
            ),
            (
                wide(&format!("\u{feff}{open}"), u16::to_le_bytes),
                Some("utf-16le"),
                false,
            ),
        ] {
            assert_eq!(has_ended(&html, charset), Ok(expected), "{html:?}");
        }
        let utf_32: Vec<u8> = "\u{feff}<html>"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        for (html, charset) in [
            (wide(ended, u16::to_le_bytes), Some("utf-16le")),
            (wide(ended, u16::to_be_bytes), None),
            (ended.as_bytes().to_vec(), Some("UTF-16")),
            (utf_32, None),
        ] {
            assert!(has_ended(&html, charset).is_err(), "{html:?}");
        }
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

        let canonical = |html: &str| of(html).canonicals.into_iter().next();
        assert_eq!(
            canonical("<link rel='x Canonical' href=' /a?b=1&amp;c=2 '>").as_deref(),
            Some("/a?b=1&c=2")
        );
        assert_eq!(canonical("<link rel=stylesheet href=/a.css>"), None);
        assert_eq!(of("<base href=/x/>").base.as_deref(), Some("/x/"));
    }

    #[test]
    fn redirects_fragments_and_languages() {
        let own = Url::parse("https://example.com/a/").unwrap();
        let redirects = |html: &str| of(html).redirect(&own, None).is_some();
        for target in [
            "0; URL=/new",
            "0;url='/new'",
            "5 , url = \"/new\"",
            "0; /new",
            "0;url=https://other.example/a/",
        ] {
            let html = format!(
                "<meta http-equiv=Refresh content='{}'>",
                target.replace('\'', "&#39;")
            );
            assert!(redirects(&html), "{target}");
        }
        // A page that reloads itself.
        for target in [
            "300",
            "5; url=",
            "5;url=/a/",
            "5; URL=https://example.com/a",
            "5;url=.",
            "5;url=index.html",
            "5;url=/%61/#x",
        ] {
            assert!(
                !redirects(&format!("<meta http-equiv=refresh content='{target}'>")),
                "{target}"
            );
        }
        assert!(!redirects(
            "<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>"
        ));
        // An alias of Zola, whose script keeps the fragment.
        let alias = |link: &str| {
            of(&format!(
                "<!doctype html><script>window.location.replace('/x' + hash)</script>\
                 <noscript><meta http-equiv=refresh content='0; url=/x'></noscript><p><a href={link}>"
            ))
        };
        assert!(alias("/x").refresh.is_some() && alias("/y").refresh.is_none());
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
