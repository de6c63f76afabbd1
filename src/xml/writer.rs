//! Writing XML into memory.

pub(crate) mod escape;
mod foreign;

use std::fmt::Display;
use std::io::Write;

use self::escape::{EscapeIn, check_name, escape, is_uri, malformed};
use super::namespaces::{Namespaces, NsId, Scope, XML};
use crate::limits::{DEFAULT_MAX_ENTRY_BYTES, LOC_CHARS, MAX_FOREIGN, MAX_NODES};
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::Extension;

/// Writes XML into memory: it escapes, indents, and declares namespaces. No other code writes XML.
///
/// A method that fails can leave half an element, so the caller returns to its [`Mark`].
#[derive(Debug)]
pub(crate) struct XmlWriter {
    out: Vec<u8>,
    indent: usize,
    depth: usize,
    /// `true` if the `>` of the start tag is still missing.
    tag_open: bool,
    /// `true` if an element has ended since the last start tag, so that the end tag of the parent begins a new line.
    after_end: bool,
    /// Number of open foreign elements, in which nothing is indented.
    verbatim: usize,
    /// Elements and attributes since the last mark.
    nodes: usize,
    /// Texts in foreign elements since then.
    texts: usize,
    namespaces: Namespaces,
    /// Number of namespaces that the root declares for elements.
    hoisted: usize,
    /// The namespaces of foreign elements and their attributes in the file so far.
    foreign: Vec<NsId>,
    /// The extensions whose namespaces were found bound (a bit each) since prefixes last changed, by
    /// [`Namespaces::changes`].
    bound_extensions: (u64, u8),
    /// Start of the current entry.
    entry: usize,
}

/// Maximum number of namespaces that the root declares because the first entries have them.
const MAX_HOISTED: usize = 32;

/// The tags of an element with a fixed name, as constants that [`tag!`] makes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FixedTag {
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
}

macro_rules! tag {
    ($name:literal) => {
        $crate::xml::writer::FixedTag {
            start: concat!("<", $name, ">"),
            end: concat!("</", $name, ">"),
        }
    };
}
pub(crate) use tag;

/// The state to which the writer returns if an entry is rejected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    depth: usize,
    scope: Scope,
    foreign: usize,
}

impl XmlWriter {
    pub(crate) fn new(indent: usize) -> Self {
        Self {
            out: Vec::new(),
            indent,
            depth: 0,
            tag_open: false,
            after_end: false,
            verbatim: 0,
            nodes: 0,
            texts: 0,
            namespaces: Namespaces::new(),
            hoisted: 0,
            foreign: Vec::new(),
            bound_extensions: (0, 0),
            entry: 0,
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.out
    }

    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn clear(&mut self) {
        self.out.clear();
    }

    pub(crate) fn mark(&mut self) -> Mark {
        self.nodes = 0;
        self.texts = 0;
        Mark {
            len: self.out.len(),
            depth: self.depth,
            scope: self.namespaces.scope(),
            foreign: self.foreign.len(),
        }
    }

    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.namespaces.forget(mark.scope);
        self.foreign.truncate(mark.foreign);
        self.depth = mark.depth;
        self.verbatim = 0;
        self.tag_open = false;
    }

    /// Begins an entry, which [`end_entry`](Self::end_entry) or [`rewind`](Self::rewind) ends.
    pub(crate) fn begin_entry(&mut self) {
        self.entry = self.out.len();
    }

    /// Ends an entry. Returns an error if a reader would reject the entry.
    pub(crate) fn end_entry(&self) -> Result<(), Violation> {
        // While a reader reads the entry, it can have one text more than at the end.
        if self.nodes.max(self.texts + 1) > MAX_NODES {
            return Err(too_large());
        }
        self.check_size()
    }

    fn check_size(&self) -> Result<(), Violation> {
        match self.out.len() - self.entry {
            0..=DEFAULT_MAX_ENTRY_BYTES => Ok(()),
            _ => Err(too_large()),
        }
    }

    /// Writes the XML declaration, with which every document begins.
    pub(crate) fn declaration(&mut self) {
        self.push_str(DECLARATION);
    }

    /// Writes the instruction that names a style sheet of this media type.
    pub(crate) fn stylesheet(&mut self, media_type: &str, href: &str) -> Result<(), Violation> {
        self.push_str("<?xml-stylesheet type=\"");
        self.push_str(media_type);
        self.push_str("\" href=\"");
        escape(&mut self.out, href, EscapeIn::Attribute)?;
        self.push_str("\"?>\n");
        Ok(())
    }

    /// Begins the start tag of the root, which is in the namespace `uri`. Namespaces are declared before
    /// [`open_root`](Self::open_root) ends the tag.
    pub(crate) fn root(&mut self, name: &str, uri: &str) -> Result<(), Violation> {
        self.out.push(b'<');
        self.push_str(name);
        let root = self.bind("", uri)?;
        let vocabulary = self.namespaces.judgement(root).vocabulary;
        self.namespaces.set_root(root, vocabulary);
        self.hoisted = 0;
        Ok(())
    }

    /// Declares a namespace in the root.
    pub(crate) fn declare_in_root(&mut self, prefix: &str, uri: &str) -> Result<(), Violation> {
        check_name(prefix)?;
        if self.is_bound(prefix, uri) {
            return Ok(());
        }
        if self.namespaces.resolve(prefix).is_some() {
            return Err(malformed(prefix, "one prefix, two namespaces"));
        }
        self.bind(prefix, uri).map(drop)
    }

    /// Declares a namespace of an element in the root, if its prefix is free. If it cannot be declared, the element that
    /// has it is rejected.
    pub(crate) fn hoist(&mut self, prefix: &str, uri: &str) {
        let is_free = self.namespaces.resolve(prefix).is_none() && check_name(prefix).is_ok();
        if self.hoisted < MAX_HOISTED && is_free && self.bind(prefix, uri).is_ok() {
            self.hoisted += 1;
        }
    }

    /// Ends the start tag of the root.
    pub(crate) fn open_root(&mut self) {
        self.push_str(">\n");
        self.depth = 1;
    }

    pub(crate) fn end_root(&mut self, name: &str) {
        self.depth = 0;
        self.end_tag("", name);
        self.out.push(b'\n');
    }

    /// Appends a line as it is.
    pub(crate) fn line(&mut self, text: &str) {
        self.push_str(text);
        self.out.push(b'\n');
    }

    /// Begins an element in a namespace that is already declared.
    #[inline]
    pub(crate) fn start(&mut self, name: &str) {
        self.start_tag("", name);
    }

    /// Begins an extension's element and declares its namespace if the root does not.
    // Inlined, so that the name is a constant when it is copied.
    #[inline(always)]
    pub(crate) fn start_in(&mut self, extension: Extension) -> Result<(), Violation> {
        self.start_tag("", extension.element());
        let bit = 1 << extension as u8;
        let (changes, bound) = self.bound_extensions;
        if changes == self.namespaces.changes() && bound & bit != 0 {
            return Ok(());
        }
        self.declare_in(extension)
    }

    #[inline(never)]
    fn declare_in(&mut self, extension: Extension) -> Result<(), Violation> {
        let known = extension.known();
        let changes = self.namespaces.changes();
        if self.is_bound(known.prefix, known.uri) {
            let others = match self.bound_extensions {
                (since, others) if since == changes => others,
                _ => 0,
            };
            self.bound_extensions = (changes, others | 1 << extension as u8);
            return Ok(());
        }
        let scope = self.namespaces.scope();
        self.bind(known.prefix, known.uri)?;
        // The declaration is in effect in this element only, so the next one repeats it.
        self.namespaces.leave(scope);
        Ok(())
    }

    pub(crate) fn end(&mut self, name: &str) {
        self.end_element("", name);
    }

    pub(crate) fn attribute(&mut self, name: &str, value: &str) -> Result<(), Violation> {
        self.nodes += 1;
        self.out.push(b' ');
        self.push_str(name);
        self.push_str("=\"");
        escape(&mut self.out, value, EscapeIn::Attribute)?;
        self.out.push(b'"');
        Ok(())
    }

    pub(crate) fn plain_attribute(&mut self, name: &str, value: impl Display) {
        self.nodes += 1;
        // Writing to a Vec does not fail.
        let _ = write!(self.out, " {name}=\"{value}\"");
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), Violation> {
        self.close_tag();
        self.texts += usize::from(self.verbatim > 0);
        escape(&mut self.out, text, EscapeIn::Text)
    }

    /// Writes a text that appends itself, escaped. It is not in a foreign element.
    pub(crate) fn text_of(
        &mut self,
        append: impl FnOnce(&mut Vec<u8>) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        self.close_tag();
        append(&mut self.out)
    }

    /// Writes a constant attribute: a space, the name, and the value in quotes.
    #[inline(always)]
    pub(crate) fn fixed_attribute(&mut self, attribute: &'static str) {
        self.nodes += 1;
        self.push_str(attribute);
    }

    /// Writes an attribute whose value appends itself, escaped. `start` is a space, the name, `=` and the quote.
    #[inline(always)]
    pub(crate) fn attribute_of(
        &mut self,
        start: &str,
        append: impl FnOnce(&mut Vec<u8>) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        self.nodes += 1;
        self.push_str(start);
        append(&mut self.out)?;
        self.out.push(b'"');
        Ok(())
    }

    #[inline]
    pub(crate) fn leaf(&mut self, name: &str, text: &str) -> Result<(), Violation> {
        self.start_leaf_named(name);
        escape(&mut self.out, text, EscapeIn::Text)?;
        self.end_leaf_named(name);
        Ok(())
    }

    fn start_leaf_named(&mut self, name: &str) {
        self.start_leaf(FixedTag {
            start: "<",
            end: "",
        });
        self.push_str(name);
        self.out.push(b'>');
    }

    fn end_leaf_named(&mut self, name: &str) {
        self.push_str("</");
        self.push_str(name);
        self.end_leaf(FixedTag {
            start: "",
            end: ">",
        });
    }

    /// Writes a value that appends itself, escaped.
    #[inline(always)]
    pub(crate) fn leaf_of(
        &mut self,
        tag: FixedTag,
        append: impl FnOnce(&mut Vec<u8>) -> Result<(), Violation>,
    ) -> Result<(), Violation> {
        self.start_leaf(tag);
        append(&mut self.out)?;
        self.end_leaf(tag);
        Ok(())
    }

    // Inlined, so that the tag is a constant when it is copied.
    #[inline(always)]
    fn start_leaf(&mut self, tag: FixedTag) {
        self.close_tag();
        self.nodes += 1;
        if self.indent > 0 {
            self.new_line();
        }
        self.push_str(tag.start);
    }

    #[inline(always)]
    fn end_leaf(&mut self, tag: FixedTag) {
        self.push_str(tag.end);
        self.after_end = true;
    }

    /// Begins an entry's element, which is never empty.
    #[inline(always)]
    pub(crate) fn start_entry(&mut self, tag: FixedTag) {
        self.nodes += 1;
        if self.indent > 0 {
            self.new_line();
        }
        self.push_str(tag.start);
        self.depth += 1;
    }

    /// Ends the element of an entry, and its line.
    #[inline(always)]
    pub(crate) fn end_entry_element(&mut self, tag: FixedTag) {
        self.depth -= 1;
        if self.indent > 0 {
            self.new_line();
        }
        self.push_str(tag.end);
        self.out.push(b'\n');
    }

    /// Writes a value whose `Display` needs no escapes: a number or a word.
    pub(crate) fn plain_leaf(&mut self, name: &str, value: impl Display) {
        self.start_leaf_named(name);
        // Writing to a Vec does not fail.
        let _ = write!(self.out, "{value}");
        self.end_leaf_named(name);
    }

    /// The number of this namespace, if the prefix is bound to it.
    fn bound(&self, prefix: &str, uri: &str) -> Option<NsId> {
        let bound = self.namespaces.resolve(prefix);
        bound.filter(|id| self.namespaces.uri(*id) == uri)
    }

    fn is_bound(&self, prefix: &str, uri: &str) -> bool {
        self.bound(prefix, uri).is_some()
    }

    /// Declares the namespace of a foreign element or attribute, unless it is in effect, and counts it. Returns its number.
    fn declare(&mut self, prefix: &str, uri: &str) -> Result<NsId, Violation> {
        let id = match self.bound(prefix, uri) {
            Some(id) => id,
            None => self.bind(prefix, uri)?,
        };
        if id.is_declared() && !self.foreign.contains(&id) {
            if self.foreign.len() == MAX_FOREIGN {
                let detail = case::NAMESPACES;
                return Err(Violation::with_detail(Rule::EntryTooLarge, uri, detail));
            }
            self.foreign.push(id);
        }
        Ok(id)
    }

    /// Declares a namespace in the start tag that is open.
    fn bind(&mut self, prefix: &str, uri: &str) -> Result<NsId, Violation> {
        if matches!(prefix, "xml" | "xmlns") || uri == XML || uri == XMLNS {
            return Err(malformed(prefix, "reserved by XML"));
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(Violation::new(Rule::UndeclaredPrefix, prefix));
        }
        if !is_uri(uri) {
            return Err(malformed(uri, "a namespace that is not a URI"));
        }
        if uri.len() >= LOC_CHARS {
            let detail = "a namespace of 2,048 bytes or more";
            return Err(Violation::with_detail(Rule::EntryTooLarge, uri, detail));
        }
        let declared = self.namespaces.declare(prefix, uri);
        let id = declared.map_err(|_| malformed(prefix, "too many namespaces"))?;
        self.push_str(if prefix.is_empty() {
            " xmlns"
        } else {
            " xmlns:"
        });
        self.push_str(prefix);
        self.push_str("=\"");
        escape(&mut self.out, uri, EscapeIn::Attribute)?;
        self.out.push(b'"');
        Ok(id)
    }

    #[inline]
    fn start_tag(&mut self, prefix: &str, name: &str) {
        self.close_tag();
        self.nodes += 1;
        self.new_line();
        self.out.push(b'<');
        self.push_name(prefix, name);
        self.depth += 1;
        self.tag_open = true;
        self.after_end = false;
    }

    fn end_element(&mut self, prefix: &str, name: &str) {
        self.depth -= 1;
        if std::mem::take(&mut self.tag_open) {
            self.push_str("/>");
        } else {
            if self.after_end {
                self.new_line();
            }
            self.end_tag(prefix, name);
        }
        self.after_end = true;
    }

    /// Begins an indented line, if lines are indented. If the line has begun already, only the indentation is added.
    fn new_line(&mut self) {
        if self.indent > 0 && self.verbatim == 0 {
            if self.out.last() != Some(&b'\n') {
                self.out.push(b'\n');
            }
            self.out
                .extend(std::iter::repeat_n(b' ', self.indent * self.depth));
        }
    }

    fn end_tag(&mut self, prefix: &str, name: &str) {
        self.push_str("</");
        self.push_name(prefix, name);
        self.out.push(b'>');
    }

    #[inline]
    fn push_str(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn push_name(&mut self, prefix: &str, name: &str) {
        if !prefix.is_empty() {
            self.push_str(prefix);
            self.out.push(b':');
        }
        self.push_str(name);
    }

    #[inline]
    fn close_tag(&mut self) {
        if std::mem::take(&mut self.tag_open) {
            self.out.push(b'>');
        }
    }
}

/// The XML declaration, with which every document begins.
const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn too_large() -> Violation {
    let detail = "more than 2 MiB, or than 16,384 elements and attributes, or texts";
    Violation::with_detail(Rule::EntryTooLarge, "entry", detail)
}

const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
