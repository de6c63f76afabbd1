use std::collections::HashSet;
use std::fmt::{Display, Write};

use memchr::memchr3;
use url::Url;

use super::namespace::{Namespaces, SITEMAP, Scope, Vocabulary};
use crate::limits::{LOC_CHARS, MAX_DEPTH};
use crate::value::W3cDatetime;
use crate::violation::{Rule, Violation};

/// The only place that emits XML: into memory, escaped, indented, with the namespaces that are in scope.
///
/// A method that fails may leave half an element behind: the caller goes back to its [`Mark`].
#[derive(Debug)]
pub(crate) struct XmlWriter {
    out: String,
    indent: usize,
    depth: usize,
    /// A start tag still lacks its `>`.
    tag_open: bool,
    /// The last thing written was an end tag: the parent's goes on a line of its own.
    after_end: bool,
    /// Levels of foreign elements, within which nothing is indented.
    verbatim: usize,
    /// Elements and attributes since the last mark.
    nodes: usize,
    namespaces: Namespaces,
}

/// A place to go back to when an entry is refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    depth: usize,
    scope: Scope,
}

impl XmlWriter {
    pub(crate) fn new(indent: usize) -> Self {
        Self {
            out: String::new(),
            indent,
            depth: 0,
            tag_open: false,
            after_end: false,
            verbatim: 0,
            nodes: 0,
            namespaces: Namespaces::new(),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.out
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) const fn nodes(&self) -> usize {
        self.nodes
    }

    pub(crate) fn clear(&mut self) {
        self.out.clear();
    }

    pub(crate) fn mark(&mut self) -> Mark {
        self.nodes = 0;
        Mark {
            len: self.out.len(),
            depth: self.depth,
            scope: self.namespaces.scope(),
        }
    }

    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.namespaces.forget(mark.scope);
        self.depth = mark.depth;
        self.verbatim = 0;
        self.tag_open = false;
        self.after_end = false;
    }

    /// The declaration, the style sheet and the root's start tag, in which all `declared` namespaces (prefix, URI)
    /// are declared, and those of the `wanted` whose prefix is free.
    pub(crate) fn root<'n>(
        &mut self,
        name: &str,
        stylesheet: Option<&str>,
        declared: impl Iterator<Item = (&'n str, &'n str)>,
        wanted: impl Iterator<Item = (&'n str, &'n str)>,
    ) -> Result<(), Violation> {
        self.out
            .push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        if let Some(href) = stylesheet {
            self.out
                .push_str("<?xml-stylesheet type=\"text/xsl\" href=\"");
            escape(&mut self.out, href, Place::Attribute)?;
            self.out.push_str("\"?>\n");
        }
        self.out.push('<');
        self.out.push_str(name);
        self.bind("", SITEMAP)?;
        if let Some(root) = self.namespaces.resolve("") {
            self.namespaces.set_root(root);
        }
        for (prefix, uri) in declared {
            check_name(prefix)?;
            if self.is_bound(prefix, uri) {
                continue;
            }
            if self.namespaces.resolve(prefix).is_some() {
                return Err(malformed(prefix, "one prefix, two namespaces"));
            }
            self.bind(prefix, uri)?;
        }
        for (prefix, uri) in wanted {
            let free = self.namespaces.resolve(prefix).is_none();
            if free && !uri.is_empty() && check_name(prefix).is_ok() {
                self.bind(prefix, uri)?;
            }
        }
        self.out.push_str(">\n");
        self.depth = 1;
        Ok(())
    }

    pub(crate) fn end_root(&mut self, name: &str) {
        self.depth = 0;
        self.end_tag("", name);
        self.out.push('\n');
    }

    /// Text that is none of XML's business.
    pub(crate) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Begins an element in a namespace that is certain to be declared.
    #[inline]
    pub(crate) fn start(&mut self, name: &str) {
        self.start_tag("", name);
    }

    /// Begins an extension's element and declares its namespace if the root does not.
    pub(crate) fn start_in(
        &mut self,
        (prefix, uri): (&str, &str),
        name: &str,
    ) -> Result<(), Violation> {
        self.start_tag("", name);
        if !self.is_bound(prefix, uri) {
            let scope = self.namespaces.scope();
            self.bind(prefix, uri)?;
            // The next element must say it again.
            self.namespaces.forget(scope);
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, name: &str) {
        self.end_element("", name);
        if self.depth == 1 {
            self.out.push('\n');
            self.after_end = false;
        }
    }

    pub(crate) fn attribute(&mut self, name: &str, value: &str) -> Result<(), Violation> {
        self.nodes += 1;
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        escape(&mut self.out, value, Place::Attribute)?;
        self.out.push('"');
        Ok(())
    }

    pub(crate) fn plain_attribute(&mut self, name: &str, value: impl Display) {
        self.nodes += 1;
        // Writing to a String does not fail.
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Violation> {
        self.close_tag();
        self.after_end = false;
        escape(&mut self.out, text, Place::Text)
    }

    pub(crate) fn url(&mut self, url: &Url) -> Result<(), Violation> {
        self.text(check_url(url)?)
    }

    #[inline]
    pub(crate) fn leaf(&mut self, name: &str, text: &str) -> Result<(), Violation> {
        self.start(name);
        self.text(text)?;
        self.end_element("", name);
        Ok(())
    }

    #[inline]
    pub(crate) fn url_leaf(&mut self, name: &str, url: &Url) -> Result<(), Violation> {
        self.leaf(name, check_url(url)?)
    }

    /// A value that appends itself, with nothing to escape.
    #[inline]
    pub(crate) fn leaf_of(&mut self, name: &str, append: impl FnOnce(&mut String)) {
        self.start(name);
        self.close_tag();
        append(&mut self.out);
        self.end_element("", name);
    }

    /// A value whose `Display` has nothing to escape: numbers, words.
    pub(crate) fn plain_leaf(&mut self, name: &str, value: impl Display) {
        self.leaf_of(name, |out| {
            // Writing to a String does not fail.
            let _ = write!(out, "{value}");
        });
    }

    pub(crate) fn datetime_leaf(
        &mut self,
        name: &str,
        value: W3cDatetime,
    ) -> Result<(), Violation> {
        if !value.is_writable() {
            return Err(Violation::new(Rule::InvalidDatetime, &value.to_string()));
        }
        self.leaf_of(name, |out| value.append_to(out));
        Ok(())
    }

    /// Begins an element of any name in any namespace; [`close`](Self::close) ends it.
    ///
    /// `attributes` are name (with its prefix), namespace, value.
    pub(crate) fn open<'a>(
        &mut self,
        (prefix, name, uri): (&'a str, &'a str, &'a str),
        attributes: impl Iterator<Item = (&'a str, &'a str, &'a str)> + Clone,
    ) -> Result<Opened, Violation> {
        // The root and the entry do not count.
        if self.depth - 1 > MAX_DEPTH {
            return Err(Violation::new(Rule::TooDeep, name));
        }
        check_name(name)?;
        if !prefix.is_empty() {
            check_name(prefix)?;
        }
        self.start_tag(prefix, name);
        let opened = Opened {
            scope: self.namespaces.scope(),
        };
        let own = attributes
            .clone()
            .filter_map(|(name, uri, _)| name.split_once(':').map(|(prefix, _)| (prefix, uri)));
        let used = std::iter::once((prefix, uri)).chain(own);
        for (prefix, uri) in used.clone() {
            if !self.is_bound(prefix, uri) {
                self.bind(prefix, uri)?;
            }
        }
        // Where one prefix stands for two namespaces, the last has hidden the first.
        if let Some((prefix, _)) = used
            .clone()
            .find(|(prefix, uri)| !self.is_bound(prefix, uri))
        {
            return Err(malformed(prefix, "one prefix, two namespaces"));
        }
        let vocabulary = self
            .namespaces
            .resolve(prefix)
            .map(|id| self.namespaces.vocabulary(id));
        let inner = self.verbatim > 0
            && uri.is_empty()
            && !ENTRIES_AND_ROOTS
                .iter()
                .any(|own| name.eq_ignore_ascii_case(own));
        if vocabulary != Some(Vocabulary::Foreign) && !inner {
            let detail = "only what belongs to other vocabularies is foreign";
            return Err(Violation::with_detail(Rule::UnknownElement, name, detail));
        }
        let mut seen = HashSet::new();
        for (name, uri, value) in attributes {
            let local = name.rsplit(':').next().unwrap_or_default();
            if !seen.insert((uri, local)) {
                return Err(malformed(name, "an attribute given twice"));
            }
            match name.split_once(':') {
                Some((prefix, local)) => {
                    check_name(prefix)?;
                    check_name(local)?;
                }
                None if !uri.is_empty() => {
                    return Err(malformed(name, "a namespace without a prefix"));
                }
                None if name == "xmlns" => {
                    return Err(malformed(name, "namespaces are declared by the writer"));
                }
                None => check_name(name)?,
            }
            self.attribute(name, value)?;
        }
        self.verbatim += 1;
        Ok(opened)
    }

    pub(crate) fn close(&mut self, opened: Opened, prefix: &str, name: &str) {
        self.end_element(prefix, name);
        self.verbatim -= 1;
        self.namespaces.forget(opened.scope);
    }

    fn is_bound(&self, prefix: &str, uri: &str) -> bool {
        let bound = self.namespaces.resolve(prefix);
        bound.is_some_and(|id| self.namespaces.uri(id) == uri) || (prefix == "xml" && uri == XML)
    }

    /// Declares a namespace in the start tag that is open.
    fn bind(&mut self, prefix: &str, uri: &str) -> Result<(), Violation> {
        if matches!(prefix, "xml" | "xmlns") || uri == XML || uri == XMLNS {
            return Err(malformed(prefix, "reserved by XML"));
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(Violation::new(Rule::UndeclaredPrefix, prefix));
        }
        self.out.push_str(if prefix.is_empty() {
            " xmlns"
        } else {
            " xmlns:"
        });
        self.out.push_str(prefix);
        self.out.push_str("=\"");
        escape(&mut self.out, uri, Place::Attribute)?;
        self.out.push('"');
        if self.namespaces.declare(prefix, uri) {
            Ok(())
        } else {
            Err(malformed(prefix, "too many namespaces"))
        }
    }

    #[inline]
    fn start_tag(&mut self, prefix: &str, name: &str) {
        self.close_tag();
        self.nodes += 1;
        if self.indent > 0 && self.verbatim == 0 {
            if self.depth > 1 {
                self.out.push('\n');
            }
            self.out
                .extend(std::iter::repeat_n(' ', self.indent * self.depth));
        }
        self.out.push('<');
        self.push_name(prefix, name);
        self.depth += 1;
        self.tag_open = true;
        self.after_end = false;
    }

    #[inline]
    fn end_element(&mut self, prefix: &str, name: &str) {
        self.depth -= 1;
        if std::mem::take(&mut self.tag_open) {
            self.out.push_str("/>");
        } else {
            if self.indent > 0 && self.after_end && self.verbatim == 0 {
                self.out.push('\n');
                self.out
                    .extend(std::iter::repeat_n(' ', self.indent * self.depth));
            }
            self.end_tag(prefix, name);
        }
        self.after_end = true;
    }

    #[inline]
    fn end_tag(&mut self, prefix: &str, name: &str) {
        self.out.push_str("</");
        self.push_name(prefix, name);
        self.out.push('>');
    }

    #[inline]
    fn push_name(&mut self, prefix: &str, name: &str) {
        if !prefix.is_empty() {
            self.out.push_str(prefix);
            self.out.push(':');
        }
        self.out.push_str(name);
    }

    #[inline]
    fn close_tag(&mut self) {
        if std::mem::take(&mut self.tag_open) {
            self.out.push('>');
        }
    }
}

/// What [`XmlWriter::close`] restores.
#[derive(Debug)]
pub(crate) struct Opened {
    scope: Scope,
}

/// Elements that end an entry wherever they stand in it, even in no namespace.
const ENTRIES_AND_ROOTS: [&str; 4] = ["url", "sitemap", "urlset", "sitemapindex"];
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

fn malformed(found: &str, detail: &'static str) -> Violation {
    Violation::with_detail(Rule::MalformedMarkup, found, detail)
}

/// The URL as it is written, if a sitemap may hold it.
///
/// `Url` leaves some characters as they are that RFC 3986, and with it the protocol, wants percent-encoded.
pub(crate) fn check_url(url: &Url) -> Result<&str, Violation> {
    let text = url.as_str();
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return Err(Violation::new(Rule::UnsupportedScheme, text));
    }
    if text.len() >= LOC_CHARS && text.chars().count() >= LOC_CHARS {
        return Err(Violation::new(Rule::UrlTooLong, text));
    }
    if !is_escaped(url) {
        return Err(Violation::new(Rule::UrlNotEscaped, text));
    }
    Ok(text)
}

fn is_escaped(url: &Url) -> bool {
    let text = url.as_str();
    let brackets = |part: &str| part.contains(['[', ']']);
    let fragment = url.fragment().unwrap_or_default();
    let suspect = memchr3(b'[', b']', b'%', text.as_bytes()).is_some();
    !fragment.contains('#')
        && (!suspect
            || !brackets(url.path())
                && !url.query().is_some_and(brackets)
                && !brackets(fragment)
                && are_percents_valid(text))
}

fn are_percents_valid(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let mut digits = rest.bytes().take(2);
        digits.len() == 2 && digits.all(|b| b.is_ascii_hexdigit())
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Text,
    Attribute,
}

/// Bytes that are not simply copied; 0xEF begins U+FFFE and U+FFFF.
const fn is_special(b: u8) -> bool {
    // Without `||`, so that no branch keeps this from being vector code.
    (b < 0x20) | (b == b'"') | (b == b'&') | (b == b'\'') | (b == b'<') | (b == b'>') | (b == 0xEF)
}

/// Where the first special byte is; sixteen at a time are asked, which compilers turn into vector code.
#[inline]
fn find_special(bytes: &[u8]) -> Option<usize> {
    let has = |block: &[u8; 16]| block.iter().fold(false, |hit, &b| hit | is_special(b));
    let position = |part: &[u8]| part.iter().position(|&b| is_special(b));
    let Some(last) = bytes.last_chunk() else {
        return position(bytes);
    };
    let mut rest = bytes;
    while let Some((block, behind)) = rest.split_first_chunk() {
        if has(block) {
            return position(block).map(|at| bytes.len() - rest.len() + at);
        }
        rest = behind;
    }
    // What is left ends the last block, the beginning of which has been asked in vain.
    if !has(last) {
        return None;
    }
    position(last).map(|at| bytes.len() - last.len() + at)
}

fn escape(out: &mut String, text: &str, place: Place) -> Result<(), Violation> {
    let mut rest = text;
    while let Some((copied, tail)) =
        find_special(rest.as_bytes()).and_then(|at| rest.split_at_checked(at))
    {
        out.push_str(copied);
        let mut chars = tail.chars();
        let Some(c) = chars.next() else { break };
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Parsers turn these into LF or a space where they stand as they are.
            '\r' => out.push_str("&#13;"),
            '\n' if place == Place::Attribute => out.push_str("&#10;"),
            '\t' if place == Place::Attribute => out.push_str("&#9;"),
            '\n' | '\t' => out.push(c),
            '\0'..' ' | '\u{FFFE}' | '\u{FFFF}' => {
                let mut found = [0; 4];
                return Err(Violation::new(
                    Rule::InvalidCharacter,
                    c.encode_utf8(&mut found),
                ));
            }
            _ => out.push(c),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Ok(())
}

/// Refuses what is no XML name, or has a colon in it.
fn check_name(name: &str) -> Result<(), Violation> {
    let mut chars = name.chars();
    if chars.next().is_some_and(is_name_start) && chars.all(is_name_char) {
        Ok(())
    } else {
        Err(malformed(name, "not an XML name"))
    }
}

const fn is_name_start(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}'
        | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}' | '\u{200C}' | '\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

const fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}
