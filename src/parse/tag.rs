//! Start tags: what they begin, and what they declare.

use memchr::memmem;

use crate::format::{EntryKind, Format};
use crate::limits::MAX_NODES;
use crate::parse::ancestors::{Ancestors, Closed};
use crate::parse::context::Context;
use crate::tape::dialect::Dialect;
use crate::tape::{Attribute, Node, Tape};
use crate::text::span::Span;
use crate::violation::{Effect, Rule};
use crate::vocabulary;
use crate::xml::attributes::{SpeltAttribute, attributes, declared_prefix, has_duplicates};
use crate::xml::lexer::{Tag, split_name};
use crate::xml::namespaces::{NsId, Relation, Scope};
use crate::xml::references::TextKind;

/// The role of an element in the structure of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// An entry.
    Entry(EntryKind),
    /// A root of the document's own vocabulary.
    Root(Format),
    /// An element that holds an entry's URL, if it is a child of one.
    Loc,
    /// Anything else, elements of other vocabularies among them.
    Other,
}

/// Detects the construct that a start tag begins, by its name and namespace. The tag has not been read yet: nothing is
/// written to the tape, and its declarations do not take effect.
#[inline(always)]
pub(crate) fn classify(tag: &Tag, text: &str, tape: &Tape) -> Class {
    let (prefix, local) = tag.split_name(text);
    let class = if tape.dialect.is_loc(local) {
        Class::Loc
    } else if let Some(kind) = tape.dialect.entry(local) {
        Class::Entry(kind)
    } else {
        match Format::of_root(local) {
            Some(format) if Dialect::of(format) == tape.dialect => Class::Root(format),
            _ => return Class::Other,
        }
    };
    match relation(prefix, tag, text, tape) {
        Relation::Foreign => Class::Other,
        Relation::Root | Relation::Alike => class,
    }
}

/// The relation of an element's namespace to the document, for an element whose start tag has not been read yet.
#[inline]
fn relation(prefix: &str, tag: &Tag, text: &str, tape: &Tape) -> Relation {
    if let Some(uri) = declared_by(tag, prefix, text) {
        return tape.namespaces.relation_of(&uri);
    }
    match tape.namespaces.resolve(prefix) {
        Some(id) => tape.namespaces.relation(id),
        None => Relation::Foreign,
    }
}

/// The URI that a tag itself binds to a prefix.
fn declared_by(tag: &Tag, prefix: &str, text: &str) -> Option<String> {
    if tag.attributes.is_empty() {
        return None;
    }
    // Few tags declare a namespace. All others need not be searched here, because their attributes are read later.
    memmem::find(tag.attributes.bytes_of(text), b"xmlns")?;
    let declares =
        |attribute: &SpeltAttribute| declared_prefix(attribute.name.of(text)) == Some(prefix);
    let declarations = attributes(text, tag.attributes).flatten().filter(declares);
    Some(declarations.last()?.decoded(text))
}

/// Reads a start tag: attributes go on the tape, declarations take effect, the name is resolved. Also returns `true` if there
/// are more attributes or declarations than are kept.
#[inline(always)]
pub(crate) fn read_tag(tag: &Tag, at: usize, cx: &mut Context<'_>) -> (Node, bool) {
    let (prefix, _) = tag.split_name(cx.text);
    let first = cx.tape.attributes.len();
    let (mut broken, mut is_overfull) = (false, false);
    if !tag.attributes.is_empty() {
        (broken, is_overfull) = read_attributes(tag, cx);
    }
    let namespaces = &mut cx.tape.namespaces;
    let declared = namespaces.resolve(prefix);
    let namespace = declared.unwrap_or_else(|| {
        let meant = vocabulary::by_prefix(prefix).map_or("", |known| known.uri);
        // If the table is full, treat the prefix as undeclared.
        namespaces.intern(meant).unwrap_or(NsId::NONE)
    });
    let node = Node {
        at: at as u32,
        name: tag.name,
        local: tag.local as u32,
        attributes: Span::new(first, cx.tape.attributes.len()),
        namespace,
        undeclared: declared.is_none(),
        broken,
        ..Node::EMPTY
    };
    // A declaration that found no room is not missing in the document.
    if node.undeclared && !is_overfull {
        cx.report.undeclared_prefix(prefix, node.tag());
    }
    (node, is_overfull)
}

/// Reads the start tag of an element outside of entries, from `at` to `end`. Its declarations are in effect since the scope.
pub(crate) fn read_outer(
    tag: &Tag,
    at: usize,
    end: usize,
    ancestors: &Ancestors,
    cx: &mut Context<'_>,
) -> (Node, Scope) {
    cx.tape.clear();
    let scope = cx.tape.namespaces.scope();
    let (node, is_overfull) = read_tag(tag, at, cx);
    let is_large = ancestors.is_large_with(tag.name.of(cx.text), &cx.tape.namespaces);
    if node.broken || is_overfull || is_large {
        cx.note_beginning(Rule::MalformedMarkup, Span::new(at, end));
    }
    (node, scope)
}

/// Reports an end tag outside of entries that does not close the innermost element.
pub(crate) fn note_closed(closed: Closed, tag: Span, name: &str, cx: &mut Context<'_>) {
    match closed {
        Closed::Innermost { exact: true } => {}
        Closed::Innermost { exact: false } => cx.note(Rule::WrongCase, tag, name),
        Closed::Outer | Closed::Nothing => cx.note(Rule::MismatchedTag, tag, name),
    }
}

/// Reads the attributes. Returns two flags: the attributes are broken, and there are too many.
fn read_attributes(tag: &Tag, cx: &mut Context<'_>) -> (bool, bool) {
    let (mut broken, mut is_overfull) = (false, false);
    let first = cx.tape.attributes.len();
    let scope = cx.tape.namespaces.scope();
    for attribute in attributes(cx.text, tag.attributes) {
        match attribute {
            Some(attribute) => is_overfull |= !read_attribute(&attribute, cx),
            None => broken = true,
        }
        if cx.tape.nodes.len() + cx.tape.attributes.len() >= MAX_NODES || cx.tape.is_full {
            is_overfull = true;
            break;
        }
    }
    let namespaces = &cx.tape.namespaces;
    let own = cx.tape.attributes.get_mut(first..).unwrap_or_default();
    // A declaration holds for the attributes before it, too.
    for attribute in own.iter_mut() {
        let (prefix, _) = split_name(attribute.name.of(cx.text));
        if prefix.is_empty() {
            continue;
        }
        match namespaces.resolve(prefix) {
            Some(namespace) => attribute.namespace = namespace,
            None if is_overfull => {}
            None => cx.report.undeclared_prefix(prefix, attribute.name),
        }
    }
    broken |= has_duplicates(own, |attribute| attribute.name.of(cx.text));
    broken |= cx.tape.namespaces.has_doubles_since(scope);
    (broken, is_overfull)
}

/// Returns `false` if it is a declaration for which there is no room.
fn read_attribute(attribute: &SpeltAttribute, cx: &mut Context<'_>) -> bool {
    let value = cx.decode(attribute.value, TextKind::Attribute, |_| Effect::Noted);
    match declared_prefix(attribute.name.of(cx.text)) {
        Some(prefix) => {
            let tape = &mut *cx.tape;
            let uri = value.of(cx.text, &tape.scratch);
            tape.namespaces.declare(prefix, uri).is_ok()
        }
        None => {
            cx.tape.attributes.push(Attribute {
                name: attribute.name,
                namespace: NsId::NONE,
                value,
            });
            true
        }
    }
}
