//! What the reader of a page sees, in a form that a new build of the same page does not change.
//!
//! The form is the page's title and description, then its text with its links, images and embedded pages:
//!
//! * White space is one space. An element that stands on its own lines separates words as a space does, so that it does
//!   not matter whether a build removes white space between elements.
//! * Scripts, styles, templates, `<noscript>` and comments are left out, and so are all attributes but the URLs of links
//!   and images, and the texts of images.
//! * URLs are where they lead, without the [fingerprints](super::fingerprint) of a build. A link to the page itself is
//!   the same wherever the page is.

use std::io::{self, Read};

use hmac_sha256::Hash;
use html5gum::StartTag;
use quick_sitemap::url::Url;

use super::digest::Digest;
use super::fingerprint;
use super::html::{LISTED, Page, Wanted};
use super::same_page::is_same_page;
use super::tag::attribute;

/// Elements within a line of text, which do not separate words.
const INLINE: [&str; 36] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "map", "mark", "nobr", "q", "ruby", "s", "samp",
    "slot", "small", "span", "strike", "strong", "sub", "sup", "time", "u", "wbr",
];

/// Elements whose images belong to the site, not to the page; a `<header>` belongs to the page within these two.
const AROUND: [&str; 3] = ["aside", "footer", "nav"];
const WITHIN: [&str; 2] = ["article", "main"];

#[derive(Debug)]
pub(super) struct Content<'w> {
    wanted: Wanted<'w>,
    title: Option<Vec<u8>>,
    description: Option<String>,
    all: Text,
    /// What is in the selected elements.
    selected: Text,
    /// The name of the selected element, and how many of this name are open.
    inside: Option<(Vec<u8>, usize)>,
    is_selected: bool,
    /// How many elements are open that are around the content, and that are within it.
    around: usize,
    within: usize,
    headers: usize,
    images: Vec<String>,
    selected_images: Vec<String>,
}

#[derive(Debug, Default)]
struct Text {
    bytes: Vec<u8>,
    /// A space comes before the next word.
    is_separated: bool,
}

impl Text {
    fn push(&mut self, text: &str) {
        for character in text.chars() {
            if character.is_whitespace() {
                self.is_separated = true;
                continue;
            }
            if std::mem::take(&mut self.is_separated) && !self.bytes.is_empty() {
                self.bytes.push(b' ');
            }
            let mut utf8 = [0; 4];
            self.bytes
                .extend_from_slice(character.encode_utf8(&mut utf8).as_bytes());
        }
    }

    /// What is no text. No text of a page contains a NUL.
    fn item(&mut self, kind: &str, value: &str) {
        self.bytes.push(0);
        self.bytes.extend_from_slice(kind.as_bytes());
        self.bytes.push(b' ');
        self.bytes.extend_from_slice(value.as_bytes());
        self.bytes.push(0);
    }
}

impl<'w> Content<'w> {
    pub(super) fn new(wanted: Wanted<'w>) -> Self {
        Self {
            wanted,
            title: None,
            description: None,
            all: Text::default(),
            selected: Text::default(),
            inside: None,
            is_selected: false,
            around: 0,
            within: 0,
            headers: 0,
            images: Vec::new(),
            selected_images: Vec::new(),
        }
    }

    pub(super) fn title(&mut self, text: &[u8]) {
        self.title.get_or_insert_default().extend_from_slice(text);
    }

    pub(super) fn description(&mut self, text: &str) {
        self.description.get_or_insert_with(|| text.to_owned());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        self.each(|kept| kept.push(&text));
    }

    pub(super) fn start(&mut self, tag: &StartTag<()>, page: &Page) {
        let name = tag.name.as_slice();
        match &mut self.inside {
            Some((open, depth)) if *open == name => *depth += 1,
            Some(_) => {}
            None => {
                let selector = self.wanted.selector;
                if selector.is_some_and(|selector| selector.matches(tag)) {
                    self.is_selected = true;
                    self.selected.is_separated = true;
                    self.inside = Some((name.to_vec(), 1));
                }
            }
        }
        let is = |known: &&str| known.as_bytes() == name;
        self.around += usize::from(AROUND.iter().any(is));
        self.within += usize::from(WITHIN.iter().any(is));
        self.headers += usize::from(name == b"header" && self.within == 0);
        if !INLINE.iter().any(is) {
            self.each(|text| text.is_separated = true);
        }
        match name {
            b"a" | b"area" => {
                if let Some(href) = attribute(tag, b"href") {
                    let link = self.link(&href, page);
                    self.each(|text| text.item("link", &link));
                }
            }
            b"img" => self.image(tag, page),
            b"audio" | b"embed" | b"iframe" | b"object" | b"video" => {
                let source = attribute(tag, b"src").or_else(|| attribute(tag, b"data"));
                if let Some(source) = source {
                    let source = self.link(&source, page);
                    self.each(|text| text.item("embed", &source));
                }
            }
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &[u8]) {
        let is = |known: &&str| known.as_bytes() == name;
        if !INLINE.iter().any(is) {
            self.each(|text| text.is_separated = true);
        }
        self.around -= usize::from(self.around > 0 && AROUND.iter().any(is));
        self.headers -= usize::from(self.headers > 0 && self.within == 0 && name == b"header");
        self.within -= usize::from(self.within > 0 && WITHIN.iter().any(is));
        if let Some((open, depth)) = &mut self.inside
            && *open == name
        {
            *depth -= 1;
            if *depth == 0 {
                self.inside = None;
            }
        }
    }

    fn each(&mut self, act: impl Fn(&mut Text)) {
        act(&mut self.all);
        if self.inside.is_some() {
            act(&mut self.selected);
        }
    }

    fn image(&mut self, tag: &StartTag<()>, page: &Page) {
        let is_placeholder = |source: &String| source.is_empty() || source.starts_with("data:");
        let source = attribute(tag, b"src").filter(|source| !is_placeholder(source));
        // Scripts load these when they come into view.
        let source = source.or_else(|| attribute(tag, b"data-src"));
        let text = attribute(tag, b"alt").unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(source) = &source {
            let link = self.asset(source, page);
            self.each(|kept| kept.item("image", &link));
        }
        if !text.is_empty() {
            self.each(|kept| kept.item("alt", &text));
        }
        let is_pixel = [b"width".as_slice(), b"height"]
            .iter()
            .any(|side| attribute(tag, side).is_some_and(|side| matches!(&*side, "0" | "1")));
        if let Some(source) = source.filter(|_| !is_pixel) {
            if self.inside.is_some() && self.selected_images.len() < LISTED {
                self.selected_images.push(source.clone());
            }
            if self.around + self.headers == 0 && self.images.len() < LISTED {
                self.images.push(source);
            }
        }
    }

    /// Where a link leads.
    fn link(&self, href: &str, page: &Page) -> String {
        if href.starts_with('#') {
            return href.to_owned();
        }
        let Some(url) = self.resolved(href, page) else {
            return href.to_owned();
        };
        if is_same_page(&url, self.wanted.url) {
            return format!("itself#{}", url.fragment().unwrap_or_default());
        }
        match fingerprint::is_file(&url) {
            true => fingerprint::without(&url, self.wanted.url),
            false => fingerprint::on_site(&url, self.wanted.url).to_owned(),
        }
    }

    fn asset(&self, source: &str, page: &Page) -> String {
        match self.resolved(source, page) {
            Some(url) => fingerprint::without(&url, self.wanted.url),
            None => source.to_owned(),
        }
    }

    fn resolved(&self, href: &str, page: &Page) -> Option<Url> {
        let url = page.base(self.wanted.url).join(href).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(url)
    }

    /// Hands over what else was found.
    pub(super) fn finish(&mut self, page: &mut Page) {
        page.is_selected = self.is_selected;
        page.images = std::mem::take(match self.is_selected {
            true => &mut self.selected_images,
            false => &mut self.images,
        });
    }

    /// The content's hash; `rest` is what comes after the bytes that were read as HTML.
    pub(super) fn digest(&self, mut rest: impl Read) -> io::Result<Digest> {
        let mut hash = Hash::new();
        hash.update(self.form());
        let mut buffer = vec![0; 64 << 10];
        loop {
            match rest.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => hash.update(buffer.get(..read).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Digest::of(hash))
    }

    fn form(&self) -> Vec<u8> {
        let mut head = Text::default();
        head.push(&String::from_utf8_lossy(
            self.title.as_deref().unwrap_or_default(),
        ));
        head.item("description", "");
        head.push(self.description.as_deref().unwrap_or_default());
        head.item("content", "");
        let content = match self.is_selected {
            true => &self.selected,
            false => &self.all,
        };
        head.bytes.extend_from_slice(&content.bytes);
        head.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::page;
    use super::super::selector::Selector;
    use super::*;

    fn form_at(url: &str, html: &str, selector: Option<&str>) -> String {
        let url = Url::parse(url).unwrap();
        let selector: Option<Selector> = selector.map(|text| text.parse().unwrap());
        let wanted = Wanted {
            selector: selector.as_ref(),
            url: &url,
        };
        let form = page(html.as_bytes(), Some(wanted)).1.unwrap().form();
        String::from_utf8(form).unwrap().replace('\0', "|")
    }

    fn form(html: &str) -> String {
        form_at("https://example.com/docs/a/", html, None)
    }

    #[test]
    fn what_a_reader_sees() {
        assert_eq!(
            form(
                "<!doctype html><html><head><title> A  page </title><meta name=description content='About\nit'>\
                 <style>p{}</style><script>x()</script></head>\n<body class=x><!-- built today -->\n\
                 <p>One <b>w</b>ord</p><p>an<!-- -->other</p><template><p>no</p></template><noscript>no</noscript>\
                 <svg><title>Icon</title></svg> <a href='b.html'>b</a><img src=/i.png alt='An  image'></body></html>"
            ),
            "A page|description | About it|content |One word another Icon|link /docs/a/b.html| b|image /i.png||alt An image|"
        );
        // Which is the same for another build.
        let one = "<body><h1>A</h1>\n<p>B &amp; C</p>\n\n<ul>\n<li>D</ul></body>";
        let other = "<BODY data-build=7 nonce=x><h1 id=a>A</h1><p>B &#38; C<ul><li>D<script src=/a.js></script></ul>";
        assert_eq!(form(one), form(other));
        assert_ne!(form(one), form(&one.replace('D', "E")));
        assert_ne!(form("now here"), form("nowhere"));
    }

    #[test]
    fn links_are_where_they_lead() {
        let at = |url: &str, href: &str| form_at(url, &format!("<a href='{href}'>x</a>"), None);
        let here = "https://example.com/docs/a/";
        let same = |a: &str, b: &str| at(here, a) == at(here, b);
        assert!(same("../b", "/docs/b") && same("/docs/b", "https://example.com/docs/b"));
        assert!(!same("/b", "/c") && !same("/b", "https://example.org/b") && !same("/b", "/b?x"));
        assert!(same("#x", "#x") && !same("#x", "#y"));
        assert!(
            same("/f/guide.3f9a8b7c.pdf", "/f/guide.11d2e3f4.pdf")
                && !same("/3f9a8b7c", "/11d2e3f4")
        );
        // A page that moves keeps its content.
        let itself = at(here, "/docs/a/#x");
        assert_eq!(itself, at("https://example.com/b", "/b#x"));
        assert_ne!(itself, at("https://example.com/b", "/docs/a/#x"));
        // `<base>` counts.
        let html = "<base href=/x/><a href=b>x</a>";
        assert!(form(html).contains("|link /x/b|"));
    }

    #[test]
    fn one_element_only() {
        let html = |footer: &str| {
            format!(
                "<title>T</title><nav>menu</nav><main>a<main>b</main>c</main><div class='x post'>d</div><footer id=f>{footer}</footer>"
            )
        };
        let form = |selector: &str, footer: &str| {
            form_at("https://example.com/", &html(footer), Some(selector))
        };
        assert_eq!(form("MAIN", "1"), "T|description ||content |a b c");
        assert_eq!(form(".post", "1"), "T|description ||content |d");
        assert_eq!(form("#f", "1"), "T|description ||content |1");
        // Without such an element it is the page.
        assert_eq!(
            form("article", "1"),
            "T|description ||content |menu a b c d 1"
        );
        assert!("a b".parse::<Selector>().is_err() && "#".parse::<Selector>().is_err());
    }

    #[test]
    fn images_of_the_content() {
        let html = "<header><img src=logo.png></header><nav><img src=menu.png></nav>\
            <article><header><img src=a.png></header><img src='data:x' data-src=b.png><img src=p.gif width=1></article>\
            <aside><img src=ad.png></aside><main><img src=c.png></main>";
        let images = |selector: Option<Selector>| {
            let url = Url::parse("https://example.com/").unwrap();
            let wanted = Wanted {
                selector: selector.as_ref(),
                url: &url,
            };
            page(html.as_bytes(), Some(wanted)).0.images
        };
        assert_eq!(images(None), ["a.png", "b.png", "c.png"]);
        assert_eq!(images("main".parse().ok()), ["c.png"]);
    }
}
