//! The head of a document: its kind, the start of its root, and the place of its XML declaration.

use memchr::{memchr, memchr3};

use crate::error::{ErrorKind, LooksLike};
use crate::format::Format;
use crate::limits::{DETECTION_BYTES, MAX_DEPTH};
use crate::text::mark::{is_blank, trim_line};
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::value::url::read_url;
use crate::violation::shortened;
use crate::vocabulary::{Vocabulary, judge};
use crate::xml::attributes::{attributes, declared_prefix};
use crate::xml::construct::{Construct, DECLARATION, Opened};
use crate::xml::lexer::{
    Tag, TagSearch, TokenKind, end_of_stray_line, is_declaration, is_no_markup, local_part, name_at,
};

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

/// Splits the head of a document into pieces. The state is kept, so that tiny pushes take no more time than one large
/// push.
#[derive(Debug, Default)]
struct Scanner {
    /// The start of the next piece, or a place in the construct that is skipped.
    at: usize,
    tags: TagSearch,
    /// A line that begins at `at` does not end before this position.
    searched: usize,
    /// The comment or the like that contains `at`.
    skipping: Option<Construct>,
    /// Markup has been seen. From then on lines are not judged: the document may be XML whose root is still to come.
    has_markup: bool,
}

/// A piece of the head.
enum Piece {
    /// A line before any markup.
    Line(Span),
    Declaration(Span),
    /// A start tag, by its name, or a broken one.
    Start(Span, Option<Tag>),
    End(Span),
    /// Text, a comment or the like.
    Ignored,
}

impl Scanner {
    /// Skips characters without meaning between two pieces, and returns the text after them.
    fn skip_blank<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text.part(self.at..);
        if self.skipping.is_none() {
            rest = rest.trim_start_matches(is_blank);
            self.at = text.len() - rest.len();
        }
        rest
    }

    /// The next piece, or `None` if it is not complete.
    fn next(&mut self, text: &str) -> Option<Piece> {
        let rest = self.skip_blank(text);
        if let Some(construct) = &mut self.skipping {
            let (passed, is_over) = construct.pass(rest);
            self.at += passed;
            self.skipping = self.skipping.filter(|_| !is_over);
            return is_over.then_some(Piece::Ignored);
        }
        self.has_markup |= rest.starts_with('<');
        if !self.has_markup {
            return self.line(text);
        }
        match (rest.as_bytes(), Construct::opened(rest.as_bytes())) {
            ([], _) => None,
            // This may be the declaration.
            ([b'<', b'?', ..], _) if DECLARATION.starts_with(rest) => None,
            (bytes, Opened::Construct(construct, opener)) if !is_declaration(bytes) => {
                self.at += opener.len();
                self.skipping = Some(construct);
                self.next(text)
            }
            ([b'<'], _) => None,
            ([b'<', behind, ..], _) if !is_no_markup(*behind) => self.tag(text),
            (bytes, _) => {
                let (len, is_over) = match bytes {
                    [b'<', ..] => {
                        let from = self.searched.saturating_sub(self.at).max(1);
                        end_of_stray_line(bytes, from)
                    }
                    _ => (memchr(b'<', bytes).unwrap_or(bytes.len()), true),
                };
                self.searched = self.at + len;
                is_over.then(|| {
                    self.at += len;
                    Piece::Ignored
                })
            }
        }
    }

    fn line(&mut self, text: &str) -> Option<Piece> {
        let (start, from) = (self.at, self.searched.max(self.at));
        let bytes = text.as_bytes();
        let Some(len) = memchr3(b'\n', b'\r', b'<', bytes.part(from..)) else {
            self.searched = bytes.len();
            return None;
        };
        self.at = from + len;
        Some(match bytes.get(self.at) {
            Some(b'<') => Piece::Ignored,
            _ => Piece::Line(Span::new(start, self.at)),
        })
    }

    /// A tag or a declaration.
    fn tag(&mut self, text: &str) -> Option<Piece> {
        let start = self.at;
        let token = self.tags.token(text, start, 0)?;
        self.at = token.end;
        Some(match token.kind {
            TokenKind::Start(tag) => Piece::Start(tag.name, Some(tag)),
            TokenKind::End(name) => Piece::End(name),
            TokenKind::Ignored | TokenKind::Unclosed => {
                Piece::Declaration(Span::new(start, token.end))
            }
            _ => Piece::Start(name_after(start, text), None),
        })
    }
}

/// The search for the XML declaration, in a text that arrives in pieces. It is not in a comment or the like, nor after an
/// element that is named like a root, nor after a line that makes the document a text sitemap.
#[derive(Debug, Default)]
pub(crate) struct DeclarationSearch(Scanner);

impl DeclarationSearch {
    /// Returns the span of the declaration, if there is one; `None` while more text could contain it. `is_all`: no more
    /// text will be looked at.
    pub(crate) fn look(&mut self, text: &str, is_all: bool) -> Option<Option<Span>> {
        let scanner = &mut self.0;
        while let Some(piece) = scanner.next(text) {
            match piece {
                Piece::Declaration(declaration) => return Some(Some(declaration)),
                Piece::Line(line) if is_url_line(line.of(text)) => return Some(None),
                Piece::Start(name, _) if Format::of_root(local_part(name.of(text))).is_some() => {
                    return Some(None);
                }
                _ => {}
            }
        }
        let rest = text.part(scanner.at..);
        let is_cut = scanner.skipping.is_none() && is_declaration(rest.as_bytes());
        is_all.then(|| is_cut.then(|| Span::from(scanner.at, rest)))
    }
}

/// Finds out what a document is, from as much of its beginning as is there.
///
/// The kind is decided at the first tag or line that determines it, from the text before its end alone: a line that is
/// a URL, if nothing before its end could be markup; the tag of a known root; otherwise the first 64 KiB of content, or
/// the complete document.
#[derive(Debug, Default)]
pub(crate) struct Head {
    scanner: Scanner,
    /// The start of the first content that cannot be before a root: the root itself, or junk.
    content: Option<usize>,
    /// The name of the first element. The root of a web page takes precedence.
    first_element: Option<Span>,
    /// It contains an element that is the root of a web page.
    pub(crate) has_page: bool,
    /// The tag before the next piece is broken: another one begins in it.
    is_in_tag: bool,
    /// The names of the open elements, the innermost's last.
    open: Vec<Span>,
    /// Number of elements open below those; their names are not kept.
    deeper: usize,
}

impl Head {
    /// A head that follows other text. `has_markup`: there was markup before; then no line decides that this is text.
    pub(crate) fn new(has_markup: bool) -> Self {
        let mut head = Self::default();
        head.scanner.has_markup = has_markup;
        head
    }

    /// The start of the content that the verdict is about.
    pub(crate) fn content(&self) -> usize {
        self.content.unwrap_or(self.scanner.at)
    }

    /// The start of the outermost element that is open: of a root, the one that contains it.
    pub(crate) fn outermost(&self) -> Option<usize> {
        self.open.first().map(|name| name.start() - 1)
    }

    /// The start of the declaration to which the document begins, if it is near enough.
    pub(crate) fn first_declaration(&self, text: &str) -> Option<usize> {
        let head = text.part(..floor_char_boundary(text, DETECTION_BYTES));
        let at = DeclarationSearch::default().look(head, true)??.start();
        let is_markup = head.trim_start_matches(is_blank).starts_with('<');
        let is_near = at + "<?xml ".len() <= DETECTION_BYTES;
        (is_markup && is_near && self.is_outside(at)).then_some(at)
    }

    /// The start of the first declaration in `content`, which is the content before the root.
    pub(crate) fn declaration_in(&self, content: &str) -> Option<usize> {
        let mut search = DeclarationSearch::default();
        search.0.has_markup = true;
        let at = search.look(content, true)??.start();
        self.is_outside(self.content() + at).then_some(at)
    }

    /// Returns `false` for a place in an element around the root: a declaration there belongs to the root.
    fn is_outside(&self, at: usize) -> bool {
        self.outermost().is_none_or(|outer| at < outer)
    }

    /// Judges the head as far as it is there, always from the same beginning on.
    pub(crate) fn look(&mut self, text: &str, eof: bool) -> Verdict {
        loop {
            let most = self.content.unwrap_or(0) + DETECTION_BYTES;
            let is_all = eof || text.len() >= most;
            // The result must not depend on how much more text has arrived.
            let head = text.part(..floor_char_boundary(text, most));
            let before = (self.scanner.at, self.content);
            if let Some(verdict) = self.step(head, is_all, eof && text.len() <= most) {
                return verdict;
            }
            if (self.scanner.at, self.content) == before {
                return if is_all {
                    self.judge(head)
                } else {
                    Verdict::NeedMore
                };
            }
        }
    }

    /// Judges the next piece, if it is complete. `is_all`: no more text will be looked at, since there is none if `eof` is
    /// set.
    fn step(&mut self, text: &str, is_all: bool, eof: bool) -> Option<Verdict> {
        let rest = self.scanner.skip_blank(text);
        let is_between = self.scanner.skipping.is_none();
        if self.content.is_none() && is_between && !rest.is_empty() && is_content(rest) {
            self.content = Some(self.scanner.at);
            return None;
        }
        let Some(piece) = self.scanner.next(text) else {
            return is_all.then(|| self.cut(text, eof)).flatten();
        };
        let is_in_tag = std::mem::take(&mut self.is_in_tag);
        match piece {
            Piece::Line(line) => is_url_line(line.of(text)).then_some(Verdict::Text),
            Piece::Start(name, tag) => {
                let local = local_part(name.of(text));
                let format = tag.map_or(Format::of_root(local), |tag| format_of(&tag, text));
                self.is_in_tag = tag.is_none() && !text.part(..self.scanner.at).ends_with('>');
                let verdict = self.element(name, format, is_in_tag, text);
                if tag.is_some_and(|tag| !tag.empty) {
                    self.push(name, text);
                }
                verdict
            }
            Piece::End(name) => {
                self.pop(name, text);
                None
            }
            Piece::Declaration(_) | Piece::Ignored => None,
        }
    }

    /// Judges a tag without an end by its beginning.
    fn cut(&mut self, text: &str, eof: bool) -> Option<Verdict> {
        let (start, rest) = (self.scanner.at, text.part(self.scanner.at..));
        let is_tag = match rest.as_bytes() {
            [b'<', b'!' | b'?', ..] => false,
            [b'<', behind, ..] => !is_no_markup(*behind),
            other => other == b"<",
        };
        if !is_tag || self.scanner.skipping.is_some() {
            return None;
        }
        let name = name_after(start, text);
        if eof && name.end() == text.len() && self.first_element.is_none() {
            return Some(Verdict::Not(ErrorKind::Truncated, text.len()));
        }
        let format = Format::of_root(local_part(name.of(text)));
        self.element(name, format, self.is_in_tag, text)
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
            return Verdict::Prolog(self.scanner.at);
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
            ("<!-- <?xml ", "Prolog(9)", None),
            ("<?xml version", "Prolog(0)", Some(0)),
            ("<urlset", "Not(Truncated, 7)", None),
            ("", "Prolog(0)", None),
        ] {
            check(text, expected, at);
        }
        let far = format!("{}<?xml ?>", " ".repeat(DETECTION_BYTES - 5));
        assert_eq!(verdict(&far, far.len()).1, None);
        let text = "<!-- <?xml ?> -->https://example.com/\n<?xml ?><?xml ?> <urlset>";
        let mut head = Head::default();
        let verdict = format!("{:?}", head.look(text, true));
        assert_eq!(verdict, "Root(55, Urlset)");
        assert_eq!(head.declaration_in(&text[head.content()..55]), Some(21));
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
