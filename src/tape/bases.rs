//! `xml:base` in feeds: what relative links are resolved against.

use url::Url;

use crate::limits::LOC_CHARS;

/// What relative links of a feed are resolved against (RFC 4287, 2): the `xml:base` of the innermost element that has one,
/// which is resolved against the next outer one in its turn; the outermost against the URL that the caller gave.
#[derive(Debug)]
pub(crate) struct Bases {
    given: Option<Url>,
    /// Those of the open elements outside of entries, with the number of elements that are open, outermost first.
    declared: Vec<(usize, Url)>,
}

impl Bases {
    pub(crate) const fn new() -> Self {
        Self {
            given: None,
            declared: Vec::new(),
        }
    }

    /// The URL that the caller gave.
    pub(crate) fn give(&mut self, base: Option<&Url>) {
        self.given = base.cloned();
    }

    /// The innermost of so many open elements has this `xml:base`. One that can't be used is ignored.
    pub(crate) fn declare(&mut self, depth: usize, reference: &str) {
        if let Some(base) = self.resolve(self.innermost(), reference) {
            self.declared.push((depth, base));
        }
    }

    /// Not more elements than these are open any longer.
    pub(crate) fn close(&mut self, depth: usize) {
        while self.declared.last().is_some_and(|(own, _)| *own > depth) {
            self.declared.pop();
        }
    }

    /// The base that is declared round an entry.
    pub(crate) fn innermost(&self) -> Option<&Url> {
        self.declared.last().map(|(_, base)| base)
    }

    /// The base that an element declares in which `outer` is declared.
    pub(crate) fn resolve(&self, outer: Option<&Url>, reference: &str) -> Option<Url> {
        // Every link is joined with it, so its length is bounded as that of a loc.
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
