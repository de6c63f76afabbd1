//! Writing XML into memory.

mod escape;
mod foreign;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

use url::Url;

use self::escape::{Place, append_plain_url, check_name, escape, is_uri, malformed};
use super::namespaces::{Namespaces, NsId, Scope, XML};
use crate::limits::{DEFAULT_MAX_ENTRY_BYTES, MAX_NAMESPACES, MAX_NODES};
use crate::value::W3cDatetime;
use crate::value::url::check_url;
use crate::violation::{Rule, Violation, case};
use crate::vocabulary::{Judgement, SITEMAP, Vocabulary};

/// The only place that emits XML: into memory, escaped, indented, with the namespaces that are in scope.
///
/// A method that fails may leave half an element behind: the caller goes back to its [`Mark`].
#[derive(Debug)]
pub(crate) struct XmlWriter {
    out: Vec<u8>,
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
    /// Texts in foreign elements since then.
    texts: usize,
    namespaces: Namespaces,
    /// Where the entry at hand begins, and what is declared outside of it.
    entry: usize,
    outside: Scope,
    /// The numbers of long namespaces of the entry, by where their text lies.
    long: BTreeMap<(usize, usize), NsId>,
    /// Namespaces that the root declares because of the standard and of the settings.
    fixed: usize,
    /// The prefixes that it declares because the first entry has them. They save bytes, and nothing else: whether an
    /// entry can be written does not depend on them.
    spared: Vec<String>,
    scopes: Scopes,
}

/// So many namespaces may be declared on the root because the first entry has them; they are kept free for that.
const MAX_SPARED: usize = 32;
/// Declarations in scope at one place, those that are spared included. A reader counts the others.
const MAX_DECLARED: usize = MAX_NAMESPACES - MAX_SPARED;

/// The declarations in the open elements of an entry.
#[derive(Debug, Clone, Copy, Default)]
struct Scopes {
    /// How many there are, or would be, were nothing spared.
    count: usize,
    /// Which of the spared prefixes are among them.
    counted: u32,
}

/// The tags of an element of a fixed name, as constants: [`tag!`] makes them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tag {
    pub(crate) start: &'static str,
    pub(crate) end: &'static str,
}

macro_rules! tag {
    ($name:literal) => {
        $crate::xml::writer::Tag {
            start: concat!("<", $name, ">"),
            end: concat!("</", $name, ">"),
        }
    };
}
pub(crate) use tag;

/// So long a namespace is not looked through for each of the elements that share it.
const LONG: usize = 256;
/// So many of these are remembered.
const MANY: usize = 256;

/// A place to go back to when an entry is refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    len: usize,
    depth: usize,
    scope: Scope,
    scopes: Scopes,
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
            entry: 0,
            outside: Scope::default(),
            long: BTreeMap::new(),
            fixed: 0,
            spared: Vec::new(),
            scopes: Scopes::default(),
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
            scopes: self.scopes,
        }
    }

    pub(crate) fn rewind(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.namespaces.forget(mark.scope);
        self.scopes = mark.scopes;
        self.depth = mark.depth;
        self.verbatim = 0;
        self.tag_open = false;
        self.after_end = false;
    }

    /// An entry begins here, to be ended by [`end_entry`](Self::end_entry) or by going back.
    pub(crate) fn begin_entry(&mut self) {
        self.entry = self.out.len();
        self.outside = self.namespaces.scope();
        // The keys are addresses of the previous entry's texts, where other texts may lie by now.
        if !self.long.is_empty() {
            self.long.clear();
        }
    }

    /// The entry is complete. One that a reader would not read is refused.
    pub(crate) fn end_entry(&mut self) -> Result<(), Violation> {
        self.namespaces.forget(self.outside);
        // A reader may hold one text more while it reads the entry than there are when it is complete.
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

    /// The number of a namespace, which it keeps until the entry ends.
    fn number(&mut self, uri: &str) -> Result<NsId, Violation> {
        let place = (uri.as_ptr() as usize, uri.len());
        if uri.len() < LONG {
            return self.namespaces.intern(uri).map_err(|_| too_large());
        }
        if let Some(id) = self.long.get(&place) {
            return Ok(*id);
        }
        let id = self.namespaces.intern(uri).map_err(|_| too_large())?;
        if self.long.len() < MANY {
            self.long.insert(place, id);
        }
        Ok(id)
    }

    /// What is known of a namespace.
    pub(crate) fn judge(&mut self, uri: &str) -> Result<Judgement, Violation> {
        let id = self.number(uri)?;
        Ok(self.namespaces.judgement(id))
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
        self.push_str(DECLARATION);
        if let Some(href) = stylesheet {
            self.push_str("<?xml-stylesheet type=\"text/xsl\" href=\"");
            escape(&mut self.out, href, Place::Attribute)?;
            self.push_str("\"?>\n");
        }
        self.out.push(b'<');
        self.push_str(name);
        self.fixed = 1;
        self.spared.clear();
        self.bind("", SITEMAP.uri)?;
        if let Some(root) = self.namespaces.resolve("") {
            self.namespaces.set_root(root, Vocabulary::Sitemap);
        }
        for (prefix, uri) in declared {
            check_name(prefix)?;
            if self.is_bound(prefix, uri) {
                continue;
            }
            if self.namespaces.resolve(prefix).is_some() {
                return Err(malformed(prefix, "one prefix, two namespaces"));
            }
            self.fixed += 1;
            if self.fixed > MAX_DECLARED {
                return Err(malformed(prefix, TOO_MANY));
            }
            self.bind(prefix, uri)?;
        }
        for (prefix, uri) in wanted {
            if self.spared.len() == MAX_SPARED {
                break;
            }
            let free = self.namespaces.resolve(prefix).is_none();
            let short = prefix.len().max(uri.len()) < LONG;
            if free && short && is_uri(uri) && !uri.is_empty() && check_name(prefix).is_ok() {
                self.bind(prefix, uri)?;
                self.spared.push(prefix.to_owned());
            }
        }
        self.push_str(">\n");
        self.depth = 1;
        Ok(())
    }

    pub(crate) fn end_root(&mut self, name: &str) {
        self.depth = 0;
        self.end_tag("", name);
        self.out.push(b'\n');
    }

    /// Text that is none of XML's business.
    pub(crate) fn line(&mut self, text: &str) {
        self.push_str(text);
        self.out.push(b'\n');
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
        if self.fixed == MAX_DECLARED {
            return Err(malformed(prefix, TOO_MANY));
        }
        if !self.is_bound(prefix, uri) {
            let scope = self.namespaces.scope();
            self.bind(prefix, uri)?;
            // The declaration holds in this element alone: the next one has to make it again.
            self.namespaces.leave(scope);
        }
        Ok(())
    }

    pub(crate) fn end(&mut self, name: &str) {
        self.end_element("", name);
        if self.depth == 1 {
            self.out.push(b'\n');
            self.after_end = false;
        }
    }

    pub(crate) fn attribute(&mut self, name: &str, value: &str) -> Result<(), Violation> {
        self.nodes += 1;
        self.out.push(b' ');
        self.push_str(name);
        self.push_str("=\"");
        escape(&mut self.out, value, Place::Attribute)?;
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
        self.after_end = false;
        self.texts += usize::from(self.verbatim > 0);
        escape(&mut self.out, text, Place::Text)
    }

    pub(crate) fn url(&mut self, url: &Url) -> Result<(), Violation> {
        self.close_tag();
        self.after_end = false;
        self.append_url(url)
    }

    /// An attribute that holds a URL; `start` is the space before it, its name, `=` and the quote.
    #[inline(always)]
    pub(crate) fn url_attribute(&mut self, start: &str, url: &Url) -> Result<(), Violation> {
        self.nodes += 1;
        self.push_str(start);
        self.append_url(url)?;
        self.out.push(b'"');
        Ok(())
    }

    #[inline]
    pub(crate) fn leaf(&mut self, name: &str, text: &str) -> Result<(), Violation> {
        self.start_leaf_named(name);
        escape(&mut self.out, text, Place::Text)?;
        self.end_leaf_named(name);
        Ok(())
    }

    fn start_leaf_named(&mut self, name: &str) {
        self.start_leaf(Tag {
            start: "<",
            end: "",
        });
        self.push_str(name);
        self.out.push(b'>');
    }

    fn end_leaf_named(&mut self, name: &str) {
        self.push_str("</");
        self.push_str(name);
        self.end_leaf(Tag {
            start: "",
            end: ">",
        });
    }

    #[inline(always)]
    pub(crate) fn url_leaf(&mut self, tag: Tag, url: &Url) -> Result<(), Violation> {
        self.start_leaf(tag);
        self.append_url(url)?;
        self.end_leaf(tag);
        Ok(())
    }

    /// A value that appends itself, with nothing to escape.
    #[inline(always)]
    pub(crate) fn leaf_of(&mut self, tag: Tag, append: impl FnOnce(&mut Vec<u8>)) {
        self.start_leaf(tag);
        append(&mut self.out);
        self.end_leaf(tag);
    }

    // Inlined, so that the tag is copied as the constant that it is.
    #[inline(always)]
    fn start_leaf(&mut self, tag: Tag) {
        self.close_tag();
        self.nodes += 1;
        if self.indent > 0 {
            self.new_line();
        }
        self.push_str(tag.start);
    }

    #[inline(always)]
    fn end_leaf(&mut self, tag: Tag) {
        self.push_str(tag.end);
        self.after_end = true;
    }

    /// Begins an entry's element, which is never empty.
    #[inline(always)]
    pub(crate) fn start_entry(&mut self, tag: Tag) {
        self.nodes += 1;
        if self.indent > 0 {
            self.new_line();
        }
        self.push_str(tag.start);
        self.depth += 1;
        self.after_end = false;
    }

    /// Ends it, and the line.
    #[inline(always)]
    pub(crate) fn end_entry_element(&mut self, tag: Tag) {
        self.depth -= 1;
        if self.indent > 0 && self.after_end {
            self.new_line();
        }
        self.push_str(tag.end);
        self.out.push(b'\n');
        self.after_end = false;
    }

    /// Appends a URL, if a sitemap may hold it: nearly always in one pass.
    fn append_url(&mut self, url: &Url) -> Result<(), Violation> {
        let start = self.out.len();
        if append_plain_url(&mut self.out, url) {
            return Ok(());
        }
        self.out.truncate(start);
        escape(&mut self.out, check_url(url)?, Place::Attribute)
    }

    /// A value whose `Display` has nothing to escape: numbers, words.
    pub(crate) fn plain_leaf(&mut self, name: &str, value: impl Display) {
        self.start_leaf_named(name);
        // Writing to a Vec does not fail.
        let _ = write!(self.out, "{value}");
        self.end_leaf_named(name);
    }

    #[inline(always)]
    pub(crate) fn datetime_leaf(&mut self, tag: Tag, value: W3cDatetime) -> Result<(), Violation> {
        if !value.is_writable() {
            let found = value.to_string();
            return Err(Violation::with_detail(
                Rule::InvalidDatetime,
                &found,
                case::OUT_OF_RANGE,
            ));
        }
        self.leaf_of(tag, |out| value.append_to(out));
        Ok(())
    }

    fn is_bound(&self, prefix: &str, uri: &str) -> bool {
        let bound = self.namespaces.resolve(prefix);
        bound.is_some_and(|id| self.namespaces.uri(id) == uri)
    }

    /// Declares a namespace in the start tag of an entry's element, if that has to be, and counts it in any case.
    fn declare(&mut self, prefix: &str, uri: &str) -> Result<(), Violation> {
        let spared = self.spared.iter().position(|spared| spared == prefix);
        let bit = spared.map_or(0, |index| 1_u32 << index);
        if !self.stands_for(prefix, uri)? {
            self.bind(prefix, uri)?;
        } else if bit & !self.scopes.counted == 0 {
            return Ok(());
        }
        self.scopes.counted |= bit;
        self.scopes.count += 1;
        if self.fixed + self.scopes.count > MAX_DECLARED {
            return Err(malformed(prefix, TOO_MANY));
        }
        Ok(())
    }

    /// Declares a namespace in the start tag that is open.
    fn bind(&mut self, prefix: &str, uri: &str) -> Result<(), Violation> {
        if matches!(prefix, "xml" | "xmlns") || uri == XML || uri == XMLNS {
            return Err(malformed(prefix, "reserved by XML"));
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(Violation::new(Rule::UndeclaredPrefix, prefix));
        }
        if !is_uri(uri) {
            return Err(malformed(uri, "a namespace that is not a URI"));
        }
        self.push_str(if prefix.is_empty() {
            " xmlns"
        } else {
            " xmlns:"
        });
        self.push_str(prefix);
        self.push_str("=\"");
        escape(&mut self.out, uri, Place::Attribute)?;
        self.out.push(b'"');
        let declared = self.namespaces.declare(prefix, uri);
        declared.map_err(|_| malformed(prefix, TOO_MANY))
    }

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

    /// Where lines are indented, begins the next; the first of an entry has been begun by what went before.
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

/// How every document begins.
pub(crate) const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

fn too_large() -> Violation {
    let detail = "more than 2 MiB, or than 65,536 elements and attributes, or texts";
    Violation::with_detail(Rule::EntryTooLarge, "entry", detail)
}

const TOO_MANY: &str = "too many namespaces";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
