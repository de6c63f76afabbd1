//! How the elements of an entry end.

use crate::source::dialect::ends_root;
use crate::source::feed::fill_slots;
use crate::violation::{Effect, Rule};
use crate::xml::builder::{Builder, Next};
use crate::xml::reading::{Reading, join};
use crate::xml::token::name_key;

impl Builder {
    pub(super) fn end(&mut self, name: (usize, usize), end: usize, r: &mut Reading<'_>) -> Next {
        let written = r.slice(name);
        if let Some(level) = self.open.len().checked_sub(1) {
            if self.name(level, r) == written {
                self.at = end;
                if level == 0 {
                    self.continued = None;
                }
                return self.close(r);
            }
        }
        let Some(level) = self.level(written, r) else {
            if ends_root(written, self.root) {
                r.report
                    .flaw(Rule::UnclosedEntry, Effect::Noted, self.at, written);
                self.continued = None;
                return Next::End(self.at);
            }
            r.report
                .flaw(Rule::MismatchedTag, Effect::Noted, self.at, written);
            self.at = end;
            return Next::Go;
        };
        if level + 1 != self.open.len() {
            r.report
                .flaw(Rule::MismatchedTag, Effect::Noted, self.at, written);
        } else if self.name(level, r) != written {
            r.report
                .flaw(Rule::WrongCase, Effect::Noted, self.at, written);
        }
        self.at = end;
        while self.open.len() > level + 1 {
            self.close(r);
        }
        if level == 0 {
            self.continued = None;
        }
        self.close(r)
    }

    /// Which open element an end tag of this name closes: the innermost of exactly that name, else in any case.
    fn level(&self, written: &str, r: &Reading<'_>) -> Option<usize> {
        let key = name_key(written);
        let mut in_other_case = None;
        for (level, _) in self
            .open
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, open)| open.key == key)
        {
            let name = self.name(level, r);
            if name == written {
                return Some(level);
            }
            if in_other_case.is_none() && name.eq_ignore_ascii_case(written) {
                in_other_case = Some(level);
            }
        }
        in_other_case
    }

    /// The name of an open element as written.
    fn name<'t>(&'t self, level: usize, r: &Reading<'t>) -> &'t str {
        match (&self.continued, self.open.get(level)) {
            (Some(name), Some(open)) if open.node == 0 => name,
            (_, Some(open)) => r
                .tape
                .nodes
                .get(open.node)
                .map_or("", |node| r.slice(node.full_name())),
            (_, None) => "",
        }
    }

    /// Closes the innermost element.
    pub(super) fn close(&mut self, r: &mut Reading<'_>) -> Next {
        let Some(open) = self.open.pop() else {
            return Next::Go;
        };
        let has_children = r.tape.nodes.len() > open.node + 1;
        if let Some(pieces) = self.pieces.get(open.pieces..).filter(|_| has_children) {
            r.tape.mixed.extend_from_slice(pieces);
        }
        let text = join(&mut self.pieces, open.pieces, r);
        r.tape.namespaces.leave(open.scope);
        let end = r.tape.nodes.len() as u32;
        let Some(node) = r.tape.nodes.get_mut(open.node) else {
            return Next::Go;
        };
        node.end = end;
        node.text = text;
        match self.open.len() {
            0 => return Next::End(self.at),
            1 if !node.broken => {
                let node = *node;
                if r.is_own(&node) {
                    r.dialect.fill_slot(r.local_name(&node), text, r.tape);
                }
            }
            _ => {}
        }
        Next::Go
    }

    /// Closes what is still open where an entry ends without its end tag.
    pub(super) fn finish(&mut self, r: &mut Reading<'_>) {
        while !self.open.is_empty() {
            self.close(r);
        }
        fill_slots(r.dialect, r.text, r.tape);
    }
}
