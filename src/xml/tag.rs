use crate::limits::MAX_NODES;
use crate::tape::{AttributeSpan, Node, Value};
use crate::violation::Effect;
use crate::vocabulary;
use crate::xml::attributes::{BrokenAttribute, SpeltAttribute, SpeltAttributes, has_duplicates};
use crate::xml::namespace::NsId;
use crate::xml::reading::{Reading, decode};
use crate::xml::text::Context;
use crate::xml::token::Tag;

/// What was odd about the attributes of a tag.
pub(crate) struct AttributeFindings {
    /// More than may be declared at one place.
    pub(crate) too_many: bool,
}

/// Reads a start tag: attributes go on the tape, declarations take effect, the name is resolved.
#[inline(always)]
pub(crate) fn read_tag(tag: &Tag, at: usize, r: &mut Reading<'_>) -> (Node, AttributeFindings) {
    let name = r.slice(tag.name);
    let colon = name.bytes().position(|b| b == b':');
    let prefix = name.get(..colon.unwrap_or(0)).unwrap_or_default();
    let local = tag.name.0 + colon.map_or(0, |colon| colon + 1);
    let first = r.tape.attributes.len();
    let mut findings = AttributeFindings { too_many: false };
    let mut broken = false;
    if tag.attributes.0 < tag.attributes.1 {
        let scope = r.tape.namespaces.scope();
        for attribute in SpeltAttributes::new(r.text, tag) {
            match attribute {
                Ok(attribute) => findings.too_many |= !read_attribute(&attribute, r),
                Err(BrokenAttribute) => broken = true,
            }
            if r.tape.attributes.len() >= MAX_NODES {
                findings.too_many = true;
                break;
            }
        }
        let own = r.tape.attributes.get(first..).unwrap_or_default();
        broken |= has_duplicates(own, r.text) || r.tape.namespaces.has_doubles_since(scope);
        for index in first..r.tape.attributes.len() {
            resolve_attribute(index, r);
        }
    }
    let namespaces = &mut r.tape.namespaces;
    let declared = namespaces.resolve(prefix);
    let namespace = declared.unwrap_or_else(|| {
        let meant = vocabulary::by_prefix(prefix).map_or("", |known| known.uri);
        // What finds no room is as unknown as any other prefix.
        namespaces.intern(meant).unwrap_or(NsId::NONE)
    });
    let node = Node {
        at: at as u32,
        name: tag.name.0 as u32,
        name_end: tag.name.1 as u32,
        local: local as u32,
        text: Value::NONE,
        attributes: (first as u32, r.tape.attributes.len() as u32),
        end: 0,
        namespace,
        undeclared: declared.is_none(),
        broken,
    };
    (node, findings)
}

/// Finds the namespace of an attribute with a prefix, after all of its tag's declarations.
fn resolve_attribute(index: usize, r: &mut Reading<'_>) {
    let tape = &mut *r.tape;
    let Some(attribute) = tape.attributes.get_mut(index) else {
        return;
    };
    let name = r
        .text
        .get(attribute.name as usize..attribute.name_end as usize);
    let prefix = name.and_then(|name| name.split_once(':'));
    if let Some((prefix, _)) = prefix {
        attribute.namespace = tape.namespaces.resolve(prefix).unwrap_or(NsId::NONE);
    }
}

/// `false`: there are too many declarations.
fn read_attribute(attribute: &SpeltAttribute, r: &mut Reading<'_>) -> bool {
    let (value, _) = decode(attribute.value, Context::Attribute, Effect::Noted, r);
    let name = r.slice(attribute.name);
    let prefix = match name.strip_prefix("xmlns") {
        Some("") => "",
        Some(rest) if rest.starts_with(':') => rest.trim_start_matches(':'),
        _ => {
            r.tape.attributes.push(AttributeSpan {
                name: attribute.name.0 as u32,
                name_end: attribute.name.1 as u32,
                namespace: NsId::NONE,
                value,
            });
            return true;
        }
    };
    let tape = &mut *r.tape;
    let home = if value.is_in_scratch() {
        tape.scratch.as_str()
    } else {
        r.text
    };
    let uri = home.get(value.range()).unwrap_or_default();
    tape.namespaces.declare(prefix, uri).is_ok()
}
