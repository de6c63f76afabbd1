//! The head of a document: all text before its root.
//!
//! One scan splits the head into pieces. Each is reported when it has been scanned, as if a root followed. The scan ends in a
//! [`Start`]: the root, a text sitemap, or neither. The head is one item, so nothing is judged before:
//!
//! * If a root begins, the flaws that another issue covers are forgotten, and the policy judges the others. The first XML
//!   declaration that has content before it covers that content. The outermost element that the root is in, its wrapper,
//!   covers all of the head that is in it.
//! * Otherwise, all flaws are forgotten. A text sitemap has no head.
//!
//! Comments, processing instructions, a DOCTYPE and white space can be of any length. If no other content has come within
//! 64 KiB, they are passed, and the scan continues behind them. All other content is in the window until the scan ends.

use crate::error::{ErrorKind, LooksLike};
use crate::format::Format;
use crate::input::is_label;
use crate::input::scanner::{Piece, Scanner, is_url_line, name_after};
use crate::limits::DETECTION_BYTES;
use crate::parse::ancestors::Ancestors;
use crate::parse::context::{Context, TextEnd};
use crate::parse::instruction::stylesheet;
use crate::parse::tag::{note_closed, read_outer};
use crate::text::span::{Span, TakePart, floor_char_boundary};
use crate::violation::{Detail, Effect, Rule, Violation, case, shortened};
use crate::vocabulary::{Vocabulary, judge};
use crate::xml::attributes::{attributes, declared_prefix};
use crate::xml::construct::{Construct, DECLARATION, Opened};
use crate::xml::lexer::{Tag, is_declaration, is_no_markup, local_part};
use crate::xml::references::known_reference;

/// The end of the head, or of a part of it. Places are counted from the start of the text.
#[derive(Debug)]
pub(crate) enum Start {
    NeedMore,
    /// So far there is only markup that can be before a root. The text up to here is passed; a comment can go on behind it.
    Passed(usize),
    /// The root begins here, in these elements.
    Root(usize, Format, Ancestors),
    /// A text sitemap, with a URL on some line. Its first line is here.
    Text(usize),
    /// Not a sitemap, and the place that shows it.
    Not(ErrorKind, usize),
}

/// The XML declaration with content before it. There is one: others are processing instructions.
#[derive(Debug, Clone, Copy, Default)]
enum Late {
    #[default]
    None,
    /// It begins here.
    At(usize),
    /// It has been reported, and passed.
    Passed,
}

/// The parser of the head. It finds out what a document is, from as much of its beginning as is there.
///
/// The kind is decided at the first tag or line that determines it, from the text before its end alone: a line that is
/// a URL, if nothing before its end could be markup; the tag of a known root; otherwise the first 64 KiB of content, or
/// the complete document.
#[derive(Debug, Default)]
pub(crate) struct Head {
    scanner: Scanner,
    /// The start of the construct that is skipped, unless it has been passed.
    construct: Option<usize>,
    /// The start of the first content that cannot be before a root: the root itself, or junk.
    content: Option<usize>,
    /// There is markup before the content.
    is_xml: bool,
    /// The name of the first element. The root of a web page takes precedence.
    first_element: Option<Span>,
    /// It contains an element that is the root of a web page.
    has_page: bool,
    /// The tag before the next piece is broken: another one begins in it.
    is_in_tag: bool,
    /// The open elements.
    ancestors: Ancestors,
    /// The name of the outermost of them.
    outermost: Span,
    late: Late,
    /// The start of text that has not been reported yet, because it can go on.
    text: Option<usize>,
    /// The start of the last text that was reported.
    stray: Option<usize>,
}

impl Head {
    /// Scans as much as is there.
    pub(crate) fn look(&mut self, cx: &mut Context<'_>) -> Start {
        let mut start = self.scan(cx, cx.end == TextEnd::Reached);
        if let (Start::NeedMore, TextEnd::Cut) = (&start, cx.end) {
            // The part that the input could not return might have determined the kind of the document. So the failure of
            // the input is reported, unless the rest determines the kind.
            start = match self.scan(cx, true) {
                Start::Not(..) if !self.has_page => Start::NeedMore,
                start => start,
            };
        }
        match &mut start {
            Start::Passed(0) => return self.at_end(cx),
            Start::Passed(end) => self.cover_passed(*end, cx),
            Start::Root(at, _, ancestors) => {
                let wrapper = ancestors.wrap().then_some(self.outermost);
                self.cover(*at, wrapper, cx);
            }
            Start::NeedMore | Start::Text(_) | Start::Not(..) => {}
        }
        start
    }

    /// The text up to the scanner is passed. Returns the construct in which that ends, if any, and its start.
    pub(crate) fn pass(&mut self) -> Option<(&'static str, usize)> {
        self.scanner.rebase();
        let construct = self.scanner.skipping?;
        Some((construct.name(), self.construct.take()?))
    }

    /// The markup that this text ends in, if it is one that can be longer than a tag, and where it begins, unless that is not
    /// in the text any more.
    pub(crate) fn unclosed(&self, text: &str) -> Option<(&'static str, Option<usize>)> {
        if let Some(construct) = self.scanner.skipping {
            return Some((construct.name(), self.construct));
        }
        let at = self.scanner.at;
        let rest = text.get(at..)?;
        if is_declaration(rest.as_bytes()) {
            return Some(("XML declaration", Some(at)));
        }
        // The end of the text cuts the name of an instruction.
        let instruction = (Construct::Instruction.name(), Some(at));
        rest.starts_with("<?").then_some(instruction)
    }

    /// The result when nothing is left to scan.
    fn at_end(&self, cx: &Context<'_>) -> Start {
        match cx.end {
            TextEnd::Reached if cx.text.is_empty() && !self.scanner.has_markup => {
                Start::Not(ErrorKind::NotASitemap(LooksLike::Empty), 0)
            }
            TextEnd::Reached => Start::Not(ErrorKind::Truncated, cx.text.len()),
            TextEnd::Open | TextEnd::Cut => Start::NeedMore,
        }
    }

    // The kind of the document.

    /// Scans on, as far as the head is there. The result depends on the text alone, not on the pieces in which it came.
    fn scan(&mut self, cx: &mut Context<'_>, eof: bool) -> Start {
        let text = cx.text;
        loop {
            let is_in_declaration = self.content.is_none() && self.scanner.is_in_declaration(text);
            let declaration = if is_in_declaration {
                cx.max_entry_bytes
            } else {
                0
            };
            let most = self.content.unwrap_or(0) + DETECTION_BYTES;
            let most = most.max(self.scanner.at + declaration);
            let is_all = eof || text.len() >= most;
            // The result must not depend on how much more text has arrived.
            let head = text.part(..floor_char_boundary(text, most));
            let before = (self.scanner.at, self.content);
            if let Some(start) = self.step(head, is_all, eof && text.len() <= most, cx) {
                return start;
            }
            if (self.scanner.at, self.content) != before {
                continue;
            }
            if !is_all {
                return Start::NeedMore;
            }
            if !is_in_declaration || eof {
                return self.judge(head);
            }
            // A declaration that is longer than an entry may be is content.
            self.content = Some(self.scanner.at);
            self.text = self.content;
            self.scanner.at += DECLARATION.len();
        }
    }

    /// Judges the next piece, if it is complete. `is_all`: no more text will be scanned, since there is none if `eof` is set.
    fn step(&mut self, text: &str, is_all: bool, eof: bool, cx: &mut Context<'_>) -> Option<Start> {
        let rest = self.scanner.skip_blank(text);
        let is_between = self.scanner.skipping.is_none();
        if self.content.is_none() && is_between && !rest.is_empty() && is_content(rest) {
            self.content = Some(self.scanner.at);
            self.is_xml = self.scanner.has_markup;
            return None;
        }
        let at = self.scanner.at;
        let Some(piece) = self.scanner.next(text) else {
            return is_all.then(|| self.cut(text, eof)).flatten();
        };
        let start = self.judge_piece(&piece, text);
        if start.is_none() {
            self.report(piece, at, cx);
        }
        start
    }

    /// Judges a line or a start tag.
    fn judge_piece(&mut self, piece: &Piece, text: &str) -> Option<Start> {
        let is_in_tag = std::mem::take(&mut self.is_in_tag);
        match piece {
            Piece::Line(line) if is_url_line(line.of(text)) => {
                Some(Start::Text(self.content.unwrap_or(line.start())))
            }
            Piece::Start(name, tag) => {
                let local = local_part(name.of(text));
                let format = tag.map_or(Format::of_root(local), |tag| format_of(&tag, text));
                self.is_in_tag = tag.is_none() && !text.part(..self.scanner.at).ends_with('>');
                self.element(*name, format, is_in_tag, text)
            }
            _ => None,
        }
    }

    /// Judges a tag without an end by its beginning.
    fn cut(&mut self, text: &str, eof: bool) -> Option<Start> {
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
            return Some(Start::Not(ErrorKind::Truncated, text.len()));
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
    ) -> Option<Start> {
        let is_root = match format {
            None => false,
            Some(Format::Urlset | Format::Index) => !self.ancestors.any(holds_code),
            Some(_) => !is_in_tag && self.ancestors.depth() == Some(0),
        };
        if let Some(format) = format.filter(|_| is_root) {
            let ancestors = std::mem::take(&mut self.ancestors);
            return Some(Start::Root(name.start() - 1, format, ancestors));
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

    /// The result of a head without a root.
    fn judge(&self, text: &str) -> Start {
        let Some(start) = self.content else {
            return Start::Passed(self.scanner.at);
        };
        let content = text.part(start..);
        let unknown_root = |name: Span| {
            let kind = ErrorKind::UnknownRoot(shortened(name.of(text)));
            Start::Not(kind, name.start() - 1)
        };
        let not = |hint| Start::Not(ErrorKind::NotASitemap(hint), start);
        match self.first_element {
            Some(name) if name.start() - 1 == start || self.has_page => unknown_root(name),
            _ if content.split(['\n', '\r']).any(is_url_line) => {
                if self.is_xml {
                    not(LooksLike::NoRoot)
                } else {
                    Start::Text(start)
                }
            }
            _ if looks_binary(content) => not(LooksLike::Binary),
            Some(name) => unknown_root(name),
            None => not(looks_like(content)),
        }
    }

    // Reporting.

    /// Reports a piece, which begins at `at`.
    fn report(&mut self, piece: Piece, at: usize, cx: &mut Context<'_>) {
        if let Piece::Line(_) | Piece::Text = piece {
            self.text.get_or_insert(at);
            return;
        }
        self.note_text(at, cx);
        match piece {
            Piece::Line(_) | Piece::Text => {}
            Piece::StrayLine(line) => self.note_line(line, cx),
            Piece::Declaration { span, is_closed } => self.declaration(span, is_closed, cx),
            Piece::Begun(construct, opener) => {
                self.construct = Some(at);
                match construct {
                    Construct::Doctype(_) => cx.note_beginning(Rule::Doctype, opener),
                    Construct::CData => cx.note_beginning(Rule::StrayText, opener),
                    Construct::Comment | Construct::Instruction => {}
                }
            }
            Piece::Over(construct) => {
                if let (Some(at), Construct::Instruction) = (self.construct.take(), construct) {
                    keep_stylesheet(at, self.scanner.at, cx);
                }
            }
            Piece::Start(_, Some(tag)) => self.open(&tag, cx),
            Piece::Start(_, None) => {
                cx.note_text(Rule::MalformedMarkup, Span::new(at, self.scanner.at));
            }
            Piece::End(name) => {
                let (tag, name) = (Span::new(at, name.end()), name.of(cx.text));
                let closed = self.ancestors.close(name, &mut cx.tape.namespaces);
                note_closed(closed, tag, name, cx);
            }
        }
    }

    /// Forgets the flaws that the late declaration covers. The head up to `end` is passed.
    fn cover_passed(&mut self, end: usize, cx: &mut Context<'_>) {
        if let Late::At(at) = self.late {
            self.late = Late::Passed;
            cx.report
                .forget(|place, rule| place < at && is_covered(rule));
            if cx.offset > 0 {
                cx.report.forget_passed(is_covered);
                return;
            }
            note_before_declaration(at, cx);
        } else if let (Late::None, 0) = (self.late, cx.offset) {
            // A declaration can follow when the start of the head is not in the window any more.
            note_before_declaration(end, cx);
        }
    }

    /// Forgets the flaws that the late declaration and the wrapper cover. The root begins at `root`.
    fn cover(&mut self, root: usize, wrapper: Option<Span>, cx: &mut Context<'_>) {
        self.note_text(root, cx);
        let outside = wrapper.map_or(root, |name| name.start() - 1);
        match self.late {
            Late::At(at) if at < outside => self.cover_passed(root, cx),
            Late::Passed => {}
            // No declaration has followed what was passed, or only one in the wrapper.
            Late::At(_) | Late::None => {
                cx.report
                    .forget_passed(|rule| rule == Rule::ContentBeforeDeclaration);
            }
        }
        if let Some(name) = wrapper {
            let is_inside = |place, rule| place >= outside && rule != Rule::EncodingConflict;
            cx.report.forget(is_inside);
            let tag = Span::new(outside, name.end());
            cx.note(Rule::WrappedRoot, tag, name.of(cx.text));
        }
    }

    /// Reports text that ends here.
    fn note_text(&mut self, end: usize, cx: &mut Context<'_>) {
        let Some(start) = self.text.take() else {
            return;
        };
        let text = cx.text.part(start..end);
        let is_broken = text.starts_with('&') && known_reference(text).is_none();
        let rule = if is_broken {
            Rule::MalformedMarkup
        } else {
            Rule::StrayText
        };
        cx.note_beginning(rule, Span::new(start, end));
        self.stray = Some(start);
    }

    /// A `<` that begins no markup is text, which is reported once per line.
    fn note_line(&mut self, line: Span, cx: &mut Context<'_>) {
        let last = self.stray.unwrap_or(0);
        let is_new =
            self.stray.is_none() || cx.text.part(last..line.start()).contains(['\n', '\r']);
        if is_new {
            cx.note_beginning(Rule::StrayText, line);
        }
        // For each sign, so that no part of a long line is searched twice.
        self.stray = Some(line.start());
    }

    fn declaration(&mut self, span: Span, is_closed: bool, cx: &mut Context<'_>) {
        let before = cx.text.part(..span.start());
        let is_late = cx.offset > 0 || !is_empty(before);
        if let (Late::None, true) = (self.late, is_late) {
            self.late = Late::At(span.start());
        }
        // The encoding was detected from the first declaration.
        if let Some(label) = cx.report.facts.conflict.take() {
            let detail = if is_label(&label) {
                Detail::from(cx.report.facts.encoding)
            } else {
                case::UNKNOWN.into()
            };
            let opener = Span::new(span.start(), span.start() + DECLARATION.len());
            let violation = Violation::with_detail(Rule::EncodingConflict, &label, detail);
            cx.report.add(violation, Effect::Noted, opener);
        }
        if !is_closed {
            cx.note_text(Rule::MalformedMarkup, span);
        }
    }

    /// Opens an element that is not a root.
    fn open(&mut self, tag: &Tag, cx: &mut Context<'_>) {
        let name = tag.name.of(cx.text);
        let (node, scope) = read_outer(
            tag,
            tag.name.start() - 1,
            self.scanner.at,
            &self.ancestors,
            cx,
        );
        cx.note(Rule::UnknownElement, node.tag(), name);
        let namespaces = &mut cx.tape.namespaces;
        if tag.empty || is_void(name) {
            namespaces.forget(scope);
            return;
        }
        // The namespaces of its prefixes are known to the root, but the root is not in its default namespace.
        let _ = namespaces.declare("", "");
        if self.ancestors.depth() == Some(0) {
            self.outermost = tag.name;
        }
        self.ancestors.push(name, scope, false, namespaces);
    }
}

/// Returns `true` if a declaration with content before it covers a flaw of this rule in that content.
fn is_covered(rule: Rule) -> bool {
    !matches!(
        rule,
        Rule::Doctype
            | Rule::EncodingConflict
            | Rule::TooManyBytes
            | Rule::ContentBeforeDeclaration
    )
}

/// Reports the head up to `end`, unless it consists of byte order marks. A declaration follows.
fn note_before_declaration(end: usize, cx: &mut Context<'_>) {
    let before = cx.text.part(..end);
    if is_empty(before) {
        return;
    }
    let found = match before.trim_end() {
        "" => before,
        visible => visible,
    };
    cx.note(Rule::ContentBeforeDeclaration, Span::from(0, found), found);
}

/// Returns `true` for a text of byte order marks.
fn is_empty(text: &str) -> bool {
    text.trim_start_matches('\u{FEFF}').is_empty()
}

/// Keeps the style sheet that an instruction names, if it is the first.
fn keep_stylesheet(at: usize, end: usize, cx: &mut Context<'_>) {
    if let Some((media_type, href)) = stylesheet(cx.text.part(at..end)) {
        let unplaced = &mut cx.report.facts.unplaced;
        unplaced.get_or_insert((at, media_type, href));
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
    use crate::report::Report;
    use crate::report::options::Options;
    use crate::tape::Tape;
    use crate::{Decoder, Rule};

    /// The end of the head of a text that arrives in pieces of `step` bytes.
    fn start(text: &str, step: usize) -> String {
        let (mut tape, mut report) = (Tape::new(1 << 20), Report::new(&Options::new()));
        let mut head = Head::default();
        let ends = (step..text.len())
            .step_by(step)
            .map(|end| (end, TextEnd::Open));
        for (len, end) in ends.chain([(text.len(), TextEnd::Reached)]) {
            let Some(text) = text.get(..len) else {
                continue;
            };
            let start = head.look(&mut Context {
                text,
                offset: 0,
                blank: 0,
                end,
                tape: &mut tape,
                report: &mut report,
                max_entry_bytes: 1 << 20,
            });
            match start {
                Start::NeedMore => {}
                Start::Root(at, format, _) => return format!("Root({at}, {format:?})"),
                start => return format!("{start:?}"),
            }
        }
        panic!("no end of {text}");
    }

    fn check(text: &str, expected: &str) {
        for step in [1, 2, 3, 5, text.len().max(1)] {
            assert_eq!(start(text, step), expected, "{text} in steps of {step}");
        }
    }

    /// The rules that are reported of a document, and the text of each.
    fn reported(text: &str) -> Vec<(Rule, String)> {
        let mut decoder = Decoder::new();
        decoder.push(text.as_bytes());
        decoder.finish();
        let mut issues = vec![];
        while let Some(outcome) = decoder.next_outcome() {
            issues.extend(outcome.issues);
        }
        issues.extend_from_slice(decoder.issues());
        let of = |issue: &crate::Issue| (issue.rule(), issue.violation.found().to_owned());
        issues.iter().map(of).collect()
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
                let found = start(&text, 1);
                assert_eq!(found == format!("Root({at}, {format:?})"), counts, "{text}");
            }
        }
    }

    #[test]
    fn so_deep_is_deep() {
        let text = |open: usize| format!("{}{}<rss>", "<a>".repeat(100), "</a>".repeat(open));
        check(&text(99), "Not(UnknownRoot(\"a\"), 0)");
        check(&text(100), "Root(700, Rss)");
    }

    #[test]
    fn the_head_ends() {
        for (text, expected) in [
            ("<?xml version='1.0'?><urlset>", "Root(21, Urlset)"),
            (" <?xml ?>", "Passed(9)"),
            ("\u{FEFF}\n<!-- <?xml --><?xml ?>", "Passed(26)"),
            ("<?a <?xml ?><?xml ?><urlset>", "Root(20, Urlset)"),
            ("<!DOCTYPE a [<!ENTITY b '<?xml '>]><?xml ?>", "Passed(43)"),
            ("<b>a</b> c <?xml ?>", "Not(UnknownRoot(\"b\"), 0)"),
            ("<rss><urlset ><?xml ?>", "Root(0, Rss)"),
            ("<html><?xml ?>", "Not(UnknownRoot(\"html\"), 0)"),
            ("a <?xml ?>", "Not(NotASitemap(Prose), 0)"),
            ("\n a <?xml ?>", "Not(NotASitemap(Prose), 2)"),
            ("<?xml-stylesheet ?><urlset>", "Root(19, Urlset)"),
            ("<!-- <?xml ", "Passed(9)"),
            ("<?xml version", "Not(Truncated, 13)"),
            ("<urlset", "Not(Truncated, 7)"),
            ("", "Not(NotASitemap(Empty), 0)"),
            (
                "<?xml ?>\nhttps://example.com/",
                "Not(NotASitemap(NoRoot), 9)",
            ),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn one_declaration_has_content_before_it() {
        let root = format!("<urlset xmlns=\"{}\"/>", crate::vocabulary::SITEMAP.uri);
        let before = |found: &str| (Rule::ContentBeforeDeclaration, found.to_owned());
        let found = |rule, found: &str| (rule, found.to_owned());
        for (head, expected) in [
            ("<?xml ?>", vec![]),
            ("\u{FEFF}\u{FEFF}<?xml ?>", vec![]),
            (" <?xml ?>", vec![before(" ")]),
            (
                "\u{FEFF}\n<!-- <?xml --><?xml ?>",
                vec![before("\n<!-- <?xml -->")],
            ),
            ("<?a <?xml ?><?xml ?>", vec![before("<?a <?xml ?>")]),
            ("<?xml ?><?xml ?> <?xml ?>", vec![before("<?xml ?>")]),
            (
                "<!-- <?xml ?> -->https://e.com/\n<?xml ?><?xml ?> ",
                vec![before("<!-- <?xml ?> -->https://e.com/")],
            ),
            ("<a><?xml ?></a>", vec![before("<a>")]),
            (
                "a<b/>&<?xml ?>c",
                vec![before("a<b/>&"), found(Rule::StrayText, "c")],
            ),
            (
                "a<?xml >",
                vec![before("a"), found(Rule::MalformedMarkup, "<?xml >")],
            ),
            // A wrapper covers a declaration in it.
            (
                "a<b><?xml ?>",
                vec![found(Rule::StrayText, "a"), found(Rule::WrappedRoot, "b")],
            ),
            (
                "a<?xml ?><b c='&' d:e=''><?xml ?><d:f>",
                vec![before("a"), found(Rule::WrappedRoot, "b")],
            ),
        ] {
            assert_eq!(reported(&format!("{head}{root}")), expected, "{head}");
        }
    }

    #[test]
    fn lines_before_markup() {
        let url = "https://example.com/";
        check(&format!("a\n\r\n{url}\r<urlset>"), "Text(0)");
        check(
            &format!("a {url}\n<urlset>"),
            &format!("Root({}, Urlset)", url.len() + 3),
        );
        check(&format!("a {url}<b>\n"), "Not(UnknownRoot(\"b\"), 22)");
        check(&format!("a<b>\n{url}\n"), "Text(0)");
        check(&format!("<b>\n{url}\n"), "Not(UnknownRoot(\"b\"), 0)");
    }
}
