//! The head of a document: its kind, the start of its root, and the place of its XML declaration.
//!
//! The head is judged twice by the same rules: the first 1,024 bytes, because a declaration there names the encoding, and
//! then the decoded text.

use memchr::memchr3;

use crate::error::{ErrorKind, LooksLike};
use crate::format::Format;
use crate::limits::{DETECTION_BYTES, MAX_DEPTH};
use crate::text::mark::{is_blank, trim_line};
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::value::url::read_url;
use crate::violation::shortened;
use crate::vocabulary::{Vocabulary, judge};
use crate::xml::attributes::{attributes, declared_prefix};
use crate::xml::construct::{Construct, Opened};
use crate::xml::lexer::{Lexer, Tag, Token, is_declaration, is_no_markup, local_part, name_at};

/// The kind of a document. Places are counted from the start of the head.
#[derive(Debug)]
pub(crate) enum Verdict {
    NeedMore,
    /// So far only markup that can be before a root, up to there.
    Prolog(usize),
    /// A known root begins there. The content before it is junk.
    Root(usize, Format),
    /// Text, with a URL on some line.
    Text,
    /// No sitemap, and where that shows.
    Not(ErrorKind, usize),
}

/// Finds out what a document is, from as much of its beginning as is there.
///
/// The kind is decided at the first tag or line that determines it, from the text before its end alone: a line that is
/// a URL, if nothing before its end could be markup; the tag of a known root; otherwise the first 64 KiB of content, or
/// the complete document. The state is kept, so that tiny pushes take no more time than one large push.
#[derive(Debug, Default)]
pub(crate) struct Head {
    lexer: Lexer,
    /// Everything before this position has been judged.
    at: usize,
    /// The line that begins at `at` does not end before this position.
    searched: usize,
    /// The document type declaration that contains `at`.
    doctype: Option<Construct>,
    /// Markup has been seen. From then on lines are not judged: the document may be XML whose root is still to come.
    has_markup: bool,
    /// The start of the first content that cannot be before a root: the root itself, or junk.
    content: Option<usize>,
    /// The first XML declaration before `content`, and the first one after it. None counts after an element that is
    /// named like a root.
    declarations: [Option<Span>; 2],
    has_root_name: bool,
    /// The name of the first element. The root of a web page takes precedence.
    first_element: Option<Span>,
    has_page: bool,
    /// The tag before `at` is broken: another one begins in it.
    is_in_tag: bool,
    /// The names of the open elements, the innermost's last.
    open: Vec<Span>,
    /// Number of elements open below those; their names are not kept.
    deeper: usize,
}

impl Head {
    /// A head that follows other text. `has_markup`: there was markup before; then no line decides that this is text.
    pub(crate) fn new(has_markup: bool) -> Self {
        Self {
            has_markup,
            ..Self::default()
        }
    }

    /// The start of the content that the verdict is about.
    pub(crate) fn content(&self) -> usize {
        self.content.unwrap_or(self.at)
    }

    /// Returns `true` if it contains an element that is the root of a web page.
    pub(crate) fn has_page(&self) -> bool {
        self.has_page
    }

    /// The first XML declaration.
    pub(crate) fn declaration(&self) -> Option<Span> {
        let [before, within] = self.declarations;
        before.or(within)
    }

    /// The start of the declaration to which the document begins, if it is near enough.
    pub(crate) fn first_declaration(&self, text: &str) -> Option<usize> {
        let is_markup = text.trim_start_matches(is_blank).starts_with('<');
        let [before, _] = self.declarations;
        let first = before.map(Span::start).or(self.declaration_in_content());
        first.filter(|at| is_markup && at + "<?xml ".len() <= DETECTION_BYTES)
    }

    /// The start of a declaration in the content before a root. In a web page, a declaration belongs to the root.
    pub(crate) fn declaration_in_content(&self) -> Option<usize> {
        let [_, within] = self.declarations;
        let at = within?.start();
        let page = self.first_element.filter(|_| self.has_page);
        page.is_none_or(|page| at < page.start()).then_some(at)
    }

    /// Judges the head as far as it is there, always from the same beginning on.
    pub(crate) fn look(&mut self, text: &str, eof: bool) -> Verdict {
        loop {
            let most = self.content.unwrap_or(0) + DETECTION_BYTES;
            let is_all = eof || text.len() >= most;
            // The result must not depend on how much more text has arrived.
            let head = text.part(..floor_char_boundary(text, most));
            let before = (self.at, self.content);
            if let Some(verdict) = self.step(head, is_all, eof && text.len() <= most) {
                return verdict;
            }
            if (self.at, self.content) == before {
                return if is_all {
                    self.judge(head)
                } else {
                    Verdict::NeedMore
                };
            }
        }
    }

    /// Judges the next tag, line or other construct, if it is complete. `is_all`: no more text will be looked at, since
    /// there is none if `eof` is set.
    fn step(&mut self, text: &str, is_all: bool, eof: bool) -> Option<Verdict> {
        if let Some(doctype) = &mut self.doctype {
            let (passed, is_over) = doctype.pass(text.part(self.at..));
            self.at += passed;
            if !is_over {
                return None;
            }
            self.doctype = None;
        }
        let rest = text.part(self.at..).trim_start_matches(is_blank);
        self.at = text.len() - rest.len();
        let start = self.at;
        if rest.is_empty() {
            return None;
        }
        if self.content.is_none() && is_content(rest) {
            self.content = Some(start);
            return None;
        }
        self.has_markup |= rest.starts_with('<');
        if !self.has_markup {
            return self.line(text);
        }
        let Some(token) = self.lexer.token(text, start) else {
            return is_all.then(|| self.cut(text, eof)).flatten();
        };
        let is_in_tag = std::mem::take(&mut self.is_in_tag);
        self.at = token.end().max(start + 1);
        let mut verdict = None;
        match token {
            Token::Doctype { inside } => {
                self.at = inside;
                self.doctype = Some(Construct::DOCTYPE);
            }
            Token::Pi { end, .. } if is_declaration(rest) => self.declare(start, end),
            Token::Start(tag) => {
                verdict = self.element(tag.name, format_of(&tag, text), is_in_tag, text);
                if !tag.empty {
                    self.push(tag.name, text);
                }
            }
            Token::End { name, .. } => self.pop(name, text),
            Token::Malformed { end } => {
                let name = name_after(start, text);
                let format = Format::of_root(local_part(name.of(text)));
                verdict = self.element(name, format, is_in_tag, text);
                self.is_in_tag = !text.part(..end).ends_with('>');
            }
            _ => {}
        }
        verdict
    }

    fn line(&mut self, text: &str) -> Option<Verdict> {
        let (start, from) = (self.at, self.searched.max(self.at));
        let bytes = text.as_bytes();
        let Some(len) = memchr3(b'\n', b'\r', b'<', bytes.part(from..)) else {
            self.searched = text.len();
            return None;
        };
        self.at = from + len;
        let is_line = bytes.get(self.at) != Some(&b'<');
        (is_line && is_url_line(text.part(start..self.at))).then_some(Verdict::Text)
    }

    /// Judges markup without an end by its beginning.
    fn cut(&mut self, text: &str, eof: bool) -> Option<Verdict> {
        let (start, rest) = (self.at, text.part(self.at..));
        match rest.as_bytes() {
            [b'<', b'?', ..] if is_declaration(rest) => self.declare(start, text.len()),
            [b'<', b'!' | b'?', ..] => {}
            [b'<', behind, ..] if is_no_markup(*behind) => {}
            [b'<', ..] => {
                let name = name_after(start, text);
                if eof && name.end() == text.len() && self.first_element.is_none() {
                    return Some(Verdict::Not(ErrorKind::Truncated, text.len()));
                }
                let format = Format::of_root(local_part(name.of(text)));
                return self.element(name, format, self.is_in_tag, text);
            }
            _ => {}
        }
        None
    }

    fn declare(&mut self, start: usize, end: usize) {
        let [before, within] = &mut self.declarations;
        if !self.has_root_name {
            let first = if self.content.is_some() {
                within
            } else {
                before
            };
            first.get_or_insert(Span::new(start, end));
        }
    }

    /// An element begins. Its format, if it is named like a root, is that of the document if it is one.
    ///
    /// A sitemap may have been saved as a part of a web page, or be wrapped in another element. Other documents have
    /// elements that are named like the roots of feeds, so the roots of feeds must not be in another element.
    fn element(
        &mut self,
        name: Span,
        format: Option<Format>,
        is_in_tag: bool,
        text: &str,
    ) -> Option<Verdict> {
        let is_root = match format {
            None => false,
            Some(Format::Urlset | Format::Index) => {
                !self.open.iter().any(|outer| holds_code(outer.of(text)))
            }
            Some(_) => !is_in_tag && self.open.is_empty(),
        };
        let at = name.start() - 1;
        if let Some(format) = format.filter(|_| is_root) {
            return Some(Verdict::Root(at, format));
        }
        let local = local_part(name.of(text));
        self.has_root_name |= Format::of_root(local).is_some();
        if local.eq_ignore_ascii_case("html") && !self.has_page {
            self.has_page = true;
            self.first_element = Some(name);
        } else if !name.is_empty() {
            self.first_element.get_or_insert(name);
        }
        None
    }

    fn push(&mut self, name: Span, text: &str) {
        if is_void(name.of(text)) {
            return;
        }
        if self.open.len() < MAX_DEPTH {
            self.open.push(name);
        } else {
            self.deeper += 1;
        }
    }

    /// An end tag closes the innermost element of its name, and all in it.
    fn pop(&mut self, name: Span, text: &str) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let closes = |own: &Span| own.of(text).eq_ignore_ascii_case(name.of(text));
        if let Some(own) = self.open.iter().rposition(closes) {
            self.open.truncate(own);
        }
    }

    /// The verdict on a head without a root.
    fn judge(&self, text: &str) -> Verdict {
        let Some(start) = self.content else {
            return Verdict::Prolog(self.at);
        };
        let content = text.part(start..);
        let unknown_root = |name: Span| {
            let kind = ErrorKind::UnknownRoot(shortened(name.of(text)));
            Verdict::Not(kind, name.start() - 1)
        };
        match self.first_element {
            Some(name) if name.start() - 1 == start || self.has_page => unknown_root(name),
            _ if content.split(['\n', '\r']).any(is_url_line) => Verdict::Text,
            _ if looks_binary(content) => {
                Verdict::Not(ErrorKind::NotASitemap(LooksLike::Binary), start)
            }
            Some(name) => unknown_root(name),
            None => Verdict::Not(ErrorKind::NotASitemap(looks_like(content)), start),
        }
    }
}

/// Returns `true` if this cannot be before a root: anything but comments, processing instructions and a document type.
fn is_content(rest: &str) -> bool {
    use Construct::{Comment, Doctype, Instruction};
    !matches!(
        Construct::opened(rest.as_bytes()),
        Opened::Construct(Comment | Instruction | Doctype(_), _) | Opened::Cut
    )
}

/// The name in the tag that begins there.
fn name_after(start: usize, text: &str) -> Span {
    Span::from(start + 1, name_at(text, start + 1))
}

/// The format of a document whose root begins with this tag. An `RDF` is a feed only if it declares a namespace of RSS.
fn format_of(tag: &Tag, text: &str) -> Option<Format> {
    let (_, local) = tag.split_name(text);
    let may_be_other = local.eq_ignore_ascii_case("RDF");
    let is_feed = || {
        let mut attributes = attributes(text, tag.attributes).flatten();
        attributes.any(|attribute| {
            declared_prefix(attribute.name.of(text)).is_some()
                && judge(&attribute.decoded(text)).vocabulary == Vocabulary::Rss
        })
    };
    Format::of_root(local).filter(|_| !may_be_other || is_feed())
}

/// Returns `true` if this line makes the document a text sitemap: an http or https URL.
fn is_url_line(line: &str) -> bool {
    read_url(trim_line(line), None).is_ok()
}

/// Elements of a web page in which what looks like a tag is a part of a program.
fn holds_code(name: &str) -> bool {
    name.eq_ignore_ascii_case("script") || name.eq_ignore_ascii_case("style")
}

/// Elements of HTML that have no end tag.
fn is_void(name: &str) -> bool {
    const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
    VOID.iter().any(|void| name.eq_ignore_ascii_case(void))
}

/// Returns `true` if there are more control characters than in text: in compressed data, one byte in nine is one.
fn looks_binary(text: &str) -> bool {
    let chars = text.chars().take(1024);
    let is_control = |c: &char| c.is_ascii_control() && !c.is_ascii_whitespace();
    let controls = chars.clone().filter(is_control).count();
    controls > 2 && controls * 50 > chars.count()
}

fn looks_like(text: &str) -> LooksLike {
    let mut visible = text.chars().filter(|c| !c.is_whitespace());
    match visible.next() {
        None => LooksLike::Empty,
        Some('{') if matches!(visible.next(), Some('{' | '%')) => LooksLike::Template,
        Some('{') => LooksLike::Json,
        // And not like a section of a configuration file.
        Some('[') if matches!(visible.next(), Some('{' | '[' | ']' | '"' | '0'..='9')) => {
            LooksLike::Json
        }
        Some('<') => LooksLike::NoRoot,
        Some(_) => LooksLike::Prose,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on a text that arrives in pieces of `step` bytes, and the declaration with content before it.
    fn verdict(text: &str, step: usize) -> (String, Option<usize>) {
        let mut head = Head::default();
        let ends = (step..text.len()).step_by(step).map(|end| (end, false));
        for (end, eof) in ends.chain([(text.len(), true)]) {
            let Some(text) = text.get(..end) else {
                continue;
            };
            let verdict = head.look(text, eof);
            if !matches!(verdict, Verdict::NeedMore) {
                return (format!("{verdict:?}"), head.first_declaration(text));
            }
        }
        panic!("no verdict on {text}");
    }

    fn check(text: &str, expected: &str, declaration: Option<usize>) {
        for step in [1, 2, 3, 5, text.len().max(1)] {
            let expected = (expected.to_owned(), declaration);
            assert_eq!(verdict(text, step), expected, "{text} in steps of {step}");
        }
    }

    #[test]
    fn where_roots_count() {
        for (text, in_sitemap, in_feed) in [
            ("|", true, true),
            ("words <b>Warning</b> <br> <img src='x'> |", true, true),
            ("<html><body>|", true, false),
            ("<config><acl>|", true, false),
            ("<config></CONFIG>|", true, true),
            ("<a><b></a>|", true, true),
            ("<a></b>|", true, false),
            ("<a b='>'/>|", true, true),
            ("<html><script>s = '|", false, false),
            ("<html><style></style>|", true, false),
            ("<b <c>|", true, false),
            ("<<<<<<< HEAD |", true, true),
            ("<<<<<<< HEAD\n< b |", true, true),
            ("<!|", true, false),
            ("<?xml version='1.0' |", true, true),
            ("<?xml version='1.0'> <b>|", true, false),
            ("<b c='|", true, false),
            ("<b c='d' |", true, false),
            ("</b |", true, false),
            ("<b><!-- |", false, false),
            ("<b/><?a |", false, false),
            ("<b/><!DOCTYPE a [<!ENTITY b ']'> |", false, false),
            ("<!doctype a []>|", true, true),
            ("<!-- <a> --><![CDATA[<a>]]><?a <a>?>|", true, true),
        ] {
            let at = text.find('|').unwrap();
            for (root, format, counts) in [
                ("urlset", Format::Urlset, in_sitemap),
                ("rss", Format::Rss, in_feed),
            ] {
                let text = text.replace('|', &format!("<{root}>"));
                let found = verdict(&text, 1).0;
                assert_eq!(found == format!("Root({at}, {format:?})"), counts, "{text}");
            }
        }
    }

    #[test]
    fn so_deep_is_deep() {
        let text = |open: usize| format!("{}{}<rss>", "<a>".repeat(100), "</a>".repeat(open));
        check(&text(99), "Not(UnknownRoot(\"a\"), 0)", None);
        check(&text(100), "Root(700, Rss)", None);
    }

    #[test]
    fn declarations_after_other_content() {
        for (text, expected, at) in [
            ("<?xml version='1.0'?><urlset>", "Root(21, Urlset)", Some(0)),
            (" <?xml ?>", "Prolog(9)", Some(1)),
            ("\u{FEFF}\n<!-- <?xml --><?xml ?>", "Prolog(26)", Some(18)),
            ("<?a <?xml ?><?xml ?><urlset>", "Root(20, Urlset)", Some(12)),
            (
                "<!DOCTYPE a [<!ENTITY b '<?xml '>]><?xml ?>",
                "Prolog(43)",
                Some(35),
            ),
            (
                "<b>a</b> c <?xml ?>",
                "Not(UnknownRoot(\"b\"), 0)",
                Some(11),
            ),
            ("<rss><urlset ><?xml ?>", "Root(0, Rss)", None),
            ("<html><?xml ?>", "Not(UnknownRoot(\"html\"), 0)", None),
            ("a <?xml ?>", "Not(NotASitemap(Prose), 0)", None),
            ("\n a <?xml ?>", "Not(NotASitemap(Prose), 2)", None),
            ("<?xml-stylesheet ?><urlset>", "Root(19, Urlset)", None),
            ("<!-- <?xml ", "Prolog(0)", None),
            ("<?xml version", "Prolog(0)", Some(0)),
            ("<urlset", "Not(Truncated, 7)", None),
            ("", "Prolog(0)", None),
        ] {
            check(text, expected, at);
        }
        let far = format!("{}<?xml ?>", " ".repeat(DETECTION_BYTES - 5));
        assert_eq!(verdict(&far, far.len()).1, None);
        let mut head = Head::default();
        head.look("a <?xml ?> <urlset>", true);
        assert_eq!(head.declaration_in_content(), Some(2));
    }

    #[test]
    fn lines_before_markup() {
        let url = "https://example.com/";
        check(&format!("a\n\r\n{url}\r<urlset>"), "Text", None);
        check(
            &format!("a {url}\n<urlset>"),
            &format!("Root({}, Urlset)", url.len() + 3),
            None,
        );
        check(
            &format!("a {url}<b>\n"),
            "Not(UnknownRoot(\"b\"), 22)",
            None,
        );
        check(&format!("a<b>\n{url}\n"), "Text", None);
        check(&format!("<b>\n{url}\n"), "Not(UnknownRoot(\"b\"), 0)", None);
    }
}
