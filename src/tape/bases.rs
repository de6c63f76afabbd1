//! `xml:base` in feeds: the base URLs of relative links.

use url::Url;

use crate::limits::LOC_CHARS;

/// The base URLs of relative links in a feed (RFC 4287, 2): the `xml:base` of the innermost element that has one. It is
/// itself resolved against the next outer one, and the outermost against the URL that the caller has set.
#[derive(Debug, Default)]
pub(crate) struct Bases {
    /// The URL that the caller has set.
    pub(crate) given: Option<Url>,
    /// The bases of open elements outside of entries, outermost first, each with the depth of its element.
    declared: Vec<(usize, Url)>,
}

impl Bases {
    /// Adds the `xml:base` of the innermost of `depth` open elements. A base that cannot be used is ignored.
    pub(crate) fn declare(&mut self, depth: usize, reference: &str) {
        if let Some(base) = self.resolve(self.innermost(), reference) {
            self.declared.push((depth, base));
        }
    }

    /// Removes the bases of elements that are closed: only `depth` elements are open now.
    pub(crate) fn close(&mut self, depth: usize) {
        self.declared.retain(|(own, _)| *own <= depth);
    }

    /// The base that is in effect around an entry.
    pub(crate) fn innermost(&self) -> Option<&Url> {
        self.declared.last().map(|(_, base)| base)
    }

    /// Resolves the `xml:base` of an element inside of which `outer` is in effect otherwise.
    pub(crate) fn resolve(&self, outer: Option<&Url>, reference: &str) -> Option<Url> {
        // Every link is joined with it, so its length is limited like that of a loc.
        let is_short = |text: &str| text.len() < LOC_CHARS;
        let reference = Some(reference.trim()).filter(|text| is_short(text))?;
        let base = match outer.or(self.given.as_ref()) {
            Some(outer) => outer.join(reference),
            None => Url::parse(reference),
        };
        base.ok()
            .filter(|base| is_short(base.as_str()) && !base.cannot_be_a_base())
    }
}
