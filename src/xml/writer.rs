//! Writing XML into memory.

mod foreign;

use super::name::{XML, XMLNS, check_name, malformed};
use super::namespaces::{Namespaces, NsId, Scope};
use crate::limits::{DEFAULT_MAX_ENTRY_BYTES, LOC_CHARS, MAX_FOREIGN, MAX_NODES, MAX_WORDS};
use crate::value::escape::{EscapeIn, XmlValue, escape};
use crate::violation::{Rule, Violation, case, grouped};
use crate::vocabulary::Extension;

/// Writes XML into memory: it escapes, indents, and declares namespaces. No other code writes XML.
///
/// A method that fails can leave half an element, so the caller returns to its [`Mark`].
#[derive(Debug, Default)]
pub(crate) struct XmlWriter {
    pub(crate) out: Vec<u8>,
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
    /// Words in lists since then.
    words: usize,
    /// Bytes of the texts in foreign elements that have several. A reader has them twice: as texts, and joined.
    pub(crate) joined: usize,
    namespaces: Namespaces,
    /// Number of namespaces that the root declares for elements.
    hoisted: usize,
    /// The namespaces of foreign elements and their attributes in the file so far.
    foreign: Vec<NsId>,
    /// The extensions whose namespaces the root declares, a bit each.
    root_extensions: u8,
    /// Start of the current entry.
    entry: usize,
}

/// Maximum number of namespaces that the root declares because the first entries have them.
const MAX_HOISTED: usize = 32;

/// The text before and after a value: the tags of an element or the name of an attribute. [`tag!`] and [`attr!`] make
/// such constants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tag {
    pub(crate) name: &'static str,
    start: &'static str,
    end: &'static str,
}

impl Tag {
    /// For [`tag!`] and [`attr!`] only.
    pub(crate) const fn new(name: &'static str, start: &'static str, end: &'static str) -> Self {
        Self { name, start, end }
    }
}

/// The tags of an element, by its name with the prefix.
macro_rules! tag {
    ($($name:expr),+) => {
        $crate::xml::writer::Tag::new(
            concat!($($name),+),
            concat!("<", $($name,)+ ">"),
            concat!("</", $($name,)+ ">"),
        )
    };
}
pub(crate) use tag;

/// An attribute, by its name.
macro_rules! attr {
    ($name:literal) => {
        $crate::xml::writer::Tag::new($name, concat!(" ", $name, "=\""), "\"")
    };
}
pub(crate) use attr;

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
            indent,
            ..Self::default()
        }
    }

    pub(crate) fn mark(&mut self) -> Mark {
        self.nodes = 0;
        self.texts = 0;
        self.words = 0;
        self.joined = 0;
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
        match self.out.len() - self.entry + self.joined {
            0..=DEFAULT_MAX_ENTRY_BYTES => Ok(()),
            _ => Err(too_large()),
        }
    }

    /// Writes the XML declaration, with which every document begins.
    pub(crate) fn declaration(&mut self) {
        self.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
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
        let declared = Extension::ALL.iter().filter(|extension| {
            let known = extension.known();
            self.is_bound(known.prefix, known.uri)
        });
        const { assert!(Extension::ALL.len() <= u8::BITS as usize) };
        self.root_extensions = declared.fold(0, |all, extension| all | 1 << *extension as u8);
        self.push_str(">\n");
        self.depth = 1;
    }

    pub(crate) fn end_root(&mut self, name: &str) {
        self.depth = 0;
        self.push_str("</");
        self.push_str(name);
        self.push_str(">\n");
    }

    /// Appends a line as it is.
    pub(crate) fn line(&mut self, text: &str) {
        self.push_str(text);
        self.end_line();
    }

    pub(crate) fn end_line(&mut self) {
        self.out.push(b'\n');
    }

    // Elements: `start`, `attr`, `text`, `end`, and `leaf` for one that has only a text. They are inlined, so that tags are
    // constants when they are copied.

    /// Begins an element in a namespace that is already declared, or that [`declare_for`](Self::declare_for) declares next.
    #[inline(always)]
    pub(crate) fn start(&mut self, tag: Tag) {
        self.begin_element();
        // The `>` follows with the content.
        self.push_str(tag.start.strip_suffix('>').unwrap_or(tag.start));
        self.open_tag();
    }

    /// Writes an attribute of the element that was started.
    #[inline(always)]
    pub(crate) fn attr(
        &mut self,
        attribute: Tag,
        value: &(impl XmlValue + ?Sized),
    ) -> Result<(), Violation> {
        self.nodes += 1;
        self.push_str(attribute.start);
        value.append(&mut self.out, EscapeIn::Attribute)?;
        self.push_str(attribute.end);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn text(&mut self, value: &(impl XmlValue + ?Sized)) -> Result<(), Violation> {
        self.close_tag();
        self.texts += usize::from(self.verbatim > 0);
        value.append(&mut self.out, EscapeIn::Text)
    }

    /// Counts the words of a list, which is the text of this element. Returns an error if a reader would drop some of them.
    pub(crate) fn count_words(&mut self, words: usize, element: &str) -> Result<(), Violation> {
        self.words = self.words.saturating_add(words);
        if self.words > MAX_WORDS {
            let most = grouped(MAX_WORDS as u64);
            let detail = format!("an entry has at most {most} words in lists");
            return Err(Violation::with_detail(
                Rule::EntryTooLarge,
                element,
                &*detail,
            ));
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn end(&mut self, tag: Tag) {
        if self.end_content() {
            self.push_str(tag.end);
        }
    }

    #[inline(always)]
    pub(crate) fn leaf(
        &mut self,
        tag: Tag,
        value: &(impl XmlValue + ?Sized),
    ) -> Result<(), Violation> {
        self.begin_element();
        self.push_str(tag.start);
        value.append(&mut self.out, EscapeIn::Text)?;
        self.push_str(tag.end);
        self.after_end = true;
        Ok(())
    }

    /// Writes an element that is there only with a value.
    #[inline(always)]
    pub(crate) fn optional_leaf(
        &mut self,
        tag: Tag,
        value: Option<impl XmlValue>,
    ) -> Result<(), Violation> {
        // Not `map_or`, whose closure is not inlined.
        match value {
            Some(value) => self.leaf(tag, &value),
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn begin_element(&mut self) {
        self.close_tag();
        self.nodes += 1;
        if self.indent > 0 {
            self.new_line();
        }
    }

    #[inline(always)]
    fn open_tag(&mut self) {
        self.depth += 1;
        self.tag_open = true;
        self.after_end = false;
    }

    /// Ends the content of an element. Returns `true` if the end tag must be written: an empty element has none.
    #[inline(always)]
    fn end_content(&mut self) -> bool {
        self.depth -= 1;
        let is_after_end = std::mem::replace(&mut self.after_end, true);
        if std::mem::take(&mut self.tag_open) {
            self.push_str("/>");
            return false;
        }
        if is_after_end && self.indent > 0 {
            self.new_line();
        }
        true
    }

    /// Declares the namespace of an extension in the element that was started, if the root does not.
    #[inline(always)]
    pub(crate) fn declare_for(&mut self, extension: Extension) -> Result<(), Violation> {
        if self.root_extensions & (1 << extension as u8) != 0 {
            return Ok(());
        }
        let known = extension.known();
        let scope = self.namespaces.scope();
        self.bind(known.prefix, known.uri)?;
        // The declaration is in effect in this element only, so the next one repeats it.
        self.namespaces.leave(scope);
        Ok(())
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
        let is_of_uri =
            |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?#[]%".contains(&b);
        if !uri.bytes().all(is_of_uri) {
            return Err(malformed(uri, "a namespace that is not a URI"));
        }
        if uri.len() >= LOC_CHARS {
            let detail = format!("a namespace of {} bytes or more", grouped(LOC_CHARS as u64));
            return Err(Violation::with_detail(Rule::EntryTooLarge, uri, &*detail));
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

    #[inline]
    fn push_str(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn close_tag(&mut self) {
        if std::mem::take(&mut self.tag_open) {
            self.out.push(b'>');
        }
    }
}

fn too_large() -> Violation {
    let (bytes, nodes) = (DEFAULT_MAX_ENTRY_BYTES >> 20, grouped(MAX_NODES as u64));
    let detail =
        format!("more than {bytes} MiB, or than {nodes} elements and attributes, or texts");
    Violation::with_detail(Rule::EntryTooLarge, "entry", &*detail)
}
