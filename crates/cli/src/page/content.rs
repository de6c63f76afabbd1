//! The content that a reader of a page sees, in a form that a new build of the same page does not change.
//!
//! The form is the page's title and description, then its text with its links, images and embedded pages:
//!
//! * White space is one space. A block element separates words as a space does, so it does not matter whether a build
//!   removes white space between elements.
//! * Scripts, styles, templates, `<noscript>` and comments are left out, and so are all attributes but the texts of images.
//! * Links, images and embedded pages count by their places in the text, not by their URLs: builds put fingerprints into
//!   the names of files, and a page that links to a renamed page has the same content.

use std::io::{self, Read};

use hmac_sha256::Hash;
use html5gum::StartTag;

use super::html::LISTED;
use super::selector::Selector;
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

#[derive(Debug, Default)]
pub(super) struct Content<'s> {
    /// The element that is the content; `None` for the entire page.
    selector: Option<&'s Selector>,
    title: Vec<u8>,
    description: Option<String>,
    text: Text,
    /// The name of the selected element, and how many of this name are open.
    inside: Option<(Vec<u8>, usize)>,
    is_selected: bool,
    /// How many elements are open that are around the content, and that are within it.
    around: usize,
    within: usize,
    headers: usize,
    images: Vec<String>,
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

    /// Marks parts that are not text. No text of a page contains a NUL.
    fn item(&mut self, kind: &str) {
        self.bytes.push(0);
        self.bytes.extend_from_slice(kind.as_bytes());
        self.bytes.push(0);
    }
}

impl<'s> Content<'s> {
    pub(super) fn new(selector: Option<&'s Selector>) -> Self {
        Self {
            selector,
            ..Self::default()
        }
    }

    pub(super) fn title(&mut self, text: &[u8]) {
        self.title.extend_from_slice(text);
    }

    pub(super) fn description(&mut self, text: &str) {
        self.description.get_or_insert_with(|| text.to_owned());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        if self.is_here() {
            self.text.push(&String::from_utf8_lossy(text));
        }
    }

    /// Returns `true` within the content.
    fn is_here(&self) -> bool {
        self.selector.is_none() || self.inside.is_some()
    }

    /// Returns `true` if no element is the selected one.
    pub(super) fn is_missing(&self) -> bool {
        self.selector.is_some() && !self.is_selected
    }

    /// Returns `true` if nothing but the title and the description is known.
    pub(super) fn is_blank(&self) -> bool {
        self.text.bytes.is_empty()
    }

    /// Adds a part that is not text.
    fn item(&mut self, kind: &str) {
        if self.is_here() {
            self.text.item(kind);
        }
    }

    /// Reads a start tag. Links, images and embedded documents belong to the content by their place.
    pub(super) fn start(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        match &mut self.inside {
            Some((open, depth)) if *open == name => *depth += 1,
            Some(_) => {}
            None => {
                if self.selector.is_some_and(|selector| selector.matches(tag)) {
                    self.is_selected = true;
                    self.text.is_separated = true;
                    self.inside = Some((name.to_vec(), 1));
                }
            }
        }
        let is = |known: &&str| known.as_bytes() == name;
        self.around += usize::from(AROUND.iter().any(is));
        self.within += usize::from(WITHIN.iter().any(is));
        self.headers += usize::from(name == b"header" && self.within == 0);
        self.text.is_separated |= !INLINE.iter().any(is);
        match name {
            b"a" | b"area" if attribute(tag, b"href").is_some() => self.item("link"),
            b"img" => self.image(tag),
            b"audio" | b"embed" | b"iframe" | b"object" | b"video" => self.item("embed"),
            _ => {}
        }
    }

    /// Reads an end tag.
    pub(super) fn end(&mut self, name: &[u8]) {
        let is = |known: &&str| known.as_bytes() == name;
        self.text.is_separated |= !INLINE.iter().any(is);
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

    /// Adds an image to the content by its place and its alternative text, so that a new file name is not a change, and
    /// lists its URL.
    fn image(&mut self, tag: &StartTag<()>) {
        let is_placeholder = |source: &String| source.is_empty() || source.starts_with("data:");
        let source = attribute(tag, b"src").filter(|source| !is_placeholder(source));
        // Scripts load these when they come into view.
        let source = source.or_else(|| attribute(tag, b"data-src"));
        let text = attribute(tag, b"alt").unwrap_or_default();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if source.is_some() {
            self.item("image");
        }
        if !text.is_empty() {
            self.item("alt");
            self.text(text.as_bytes());
            self.item("");
        }
        let is_pixel = [b"width".as_slice(), b"height"]
            .iter()
            .any(|side| attribute(tag, side).is_some_and(|side| matches!(&*side, "0" | "1")));
        // Images of the site may be within the selected element.
        let is_content = match self.selector {
            Some(_) => self.inside.is_some(),
            None => self.around + self.headers == 0,
        };
        if is_content && !is_pixel && self.images.len() < LISTED {
            self.images.extend(source);
        }
    }

    pub(super) fn take_images(&mut self) -> Vec<String> {
        std::mem::take(&mut self.images)
    }

    /// The first 128 bits of the SHA-256 of the content, in hexadecimal; `rest` is what comes after the bytes that were read
    /// as HTML.
    pub(super) fn digest(&self, mut rest: impl Read) -> io::Result<String> {
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
        let digest = hash.finalize().into_iter().take(16);
        Ok(digest.map(|byte| format!("{byte:02x}")).collect())
    }

    /// The text that is hashed: title, description and content.
    fn form(&self) -> Vec<u8> {
        let mut head = Text::default();
        head.push(&String::from_utf8_lossy(&self.title));
        head.item("description");
        head.push(self.description.as_deref().unwrap_or_default());
        head.item("content");
        head.bytes.extend_from_slice(&self.text.bytes);
        head.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::with_body;
    use super::*;

    fn form_of(html: &str, selector: Option<&str>) -> String {
        let selector: Option<Selector> = selector.map(|text| text.parse().unwrap());
        let form = with_body(html.as_bytes(), selector.as_ref()).1.form();
        String::from_utf8(form).unwrap().replace('\0', "|")
    }

    fn form(html: &str) -> String {
        form_of(html, None)
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
            "A page|description| About it|content|One word another Icon|link| b|image||alt|An image||"
        );
        // Which is the same for another build.
        let one = "<body><h1>A</h1>\n<p>B &amp; C</p>\n\n<ul>\n<li>D</ul></body>";
        let other = "<BODY data-build=7 nonce=x><h1 id=a>A</h1><p>B &#38; C<ul><li>D<script src=/a.js></script></ul>";
        assert_eq!(form(one), form(other));
        assert_ne!(form(one), form(&one.replace('D', "E")));
        assert_ne!(form("now here"), form("nowhere"));
    }

    #[test]
    fn links_and_images_count_by_their_places() {
        let one = "<p>See <a href=/guide>this</a>.<img src=/cat.3f9a8b7c.png alt=Cat><iframe src=/a></iframe>";
        let other = "<p>See <a href=/new-guide?v=2>this</a>.<img src=/cat.png?v=17 alt=Cat><iframe src=/b></iframe>";
        assert_eq!(form(one), form(other));
        for changed in [
            "<p><a href=/guide>See this</a>.<img src=/cat.png alt=Cat><iframe src=/a></iframe>",
            "<p>See this.<img src=/cat.png alt=Cat><iframe src=/a></iframe>",
            "<p>See <a href=/guide>this</a>.<iframe src=/a></iframe>",
            "<p>See <a href=/guide>this</a>.<img src=/cat.png alt=Dog><iframe src=/a></iframe>",
            "<p>See <a href=/guide>this</a>.<img src=/cat.png alt=Cat>",
        ] {
            assert_ne!(form(one), form(changed), "{changed}");
        }
    }

    #[test]
    fn one_element_only() {
        let html = |footer: &str| {
            format!(
                "<title>T</title><nav>menu</nav><main>a<main>b</main>c</main><div class='x post'>d</div><footer id=f>{footer}</footer>"
            )
        };
        let form = |selector: &str, footer: &str| form_of(&html(footer), Some(selector));
        assert_eq!(form("MAIN", "1"), "T|description||content|a b c");
        assert_eq!(form(".post", "1"), "T|description||content|d");
        assert_eq!(form("#f", "1"), "T|description||content|1");
        // Without such an element it is the page.
        assert_eq!(
            form("article", "1"),
            "T|description||content|menu a b c d 1"
        );
        assert!("a b".parse::<Selector>().is_err() && "#".parse::<Selector>().is_err());
    }

    #[test]
    fn images_of_the_content() {
        let html = "<header><img src=logo.png></header><nav><img src=menu.png></nav>\
            <article><header><img src=a.png></header><img src='data:x' data-src=b.png><img src=p.gif width=1></article>\
            <aside><img src=ad.png></aside><main><img src=c.png></main>";
        let images =
            |selector: Option<Selector>| with_body(html.as_bytes(), selector.as_ref()).0.images;
        assert_eq!(images(None), ["a.png", "b.png", "c.png"]);
        assert_eq!(images("main".parse().ok()), ["c.png"]);
    }
}
