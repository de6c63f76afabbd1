//! What stands between, before and after the entries.

use crate::raw::EntryKind;
use crate::reader::Format;
use crate::source::Event;
use crate::source::detect::name_at;
use crate::source::dialect::{Dialect, format_of_root};
use crate::tape::Node;
use crate::violation::{Effect, Rule, Violation, case};
use crate::xml::namespace::{NsId, Vocabulary, is_known_sitemap};
use crate::xml::outer::Closed;
use crate::xml::reading::{Place, Reading, quote};
use crate::xml::root::check_namespace;
use crate::xml::skip::{Doctype, Skip};
use crate::xml::source::{PEEK, Stage, XmlSource};
use crate::xml::tag::read_tag;
use crate::xml::token::{Tag, Token, local_part, name_len, split_name};

impl XmlSource {
    /// One step over the markup at the start of the text.
    pub(super) fn markup(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        self.run_reported = false;
        let is_junk = self.stage == Stage::Prolog && place.offset >= self.junk_until;
        if r.text.starts_with("<!--") {
            return self.pass_over(Skip::Comment, 4);
        }
        if r.text.starts_with("<?") {
            return self.instruction(r, place);
        }
        if r.text.starts_with("<![CDATA[") {
            if is_junk {
                return self.junk(r, place);
            }
            if !self.is_silent(r) && !self.is_before_declaration(place) {
                let rule = match self.stage {
                    Stage::Epilog => Rule::ContentAfterRoot,
                    _ => Rule::StrayText,
                };
                r.report.flaw(rule, Effect::Noted, 0, "<![CDATA[");
            }
            return self.pass_over(Skip::CData, 9);
        }
        let token = self.scanner.token(r.text, 0);
        let known_until = token.map_or(r.text.len(), |token| token.end());
        if known_until > r.max_bytes {
            let is_root = format_of_root(local_part(name_at(r.text, 1))).is_some();
            return if is_junk && !is_root {
                self.junk(r, place)
            } else {
                self.outsized(r)
            };
        }
        match token {
            None if is_junk && r.text.len() >= PEEK => self.junk(r, place),
            None if self.stage == Stage::Epilog && place.eof && !may_be_markup(r.text) => {
                self.malformed(r.text.len(), r, place)
            }
            None => Self::unfinished(r, place),
            Some(Token::Doctype) => {
                r.report.flaw(Rule::Doctype, Effect::Noted, 0, "<!DOCTYPE");
                self.pass_over(Skip::Doctype(Doctype::default()), 9)
            }
            Some(Token::Start(tag)) => self.start(&tag, r, place),
            Some(Token::End { name, end }) => self.end(name, end, r, place),
            Some(Token::Malformed { end }) => self.malformed(end, r, place),
            Some(token) => Event::Passed(token.end()),
        }
    }

    fn pass_over(&mut self, skip: Skip, begin: usize) -> Event {
        self.before_declaration = true;
        self.is_xml = true;
        self.skip = Some(skip);
        self.scanner.restart();
        Event::Passed(begin)
    }

    /// A processing instruction, or the XML declaration.
    fn instruction(&mut self, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        if r.text.len() < 6 && !place.eof {
            return Event::NeedMore;
        }
        let is_declaration = r
            .text
            .strip_prefix("<?xml")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()));
        if is_declaration && self.stage == Stage::Prolog {
            let is_said = place.offset == self.declared_at;
            // Another declaration, or one that is too far away from the start.
            if std::mem::take(&mut self.before_declaration) && !is_said {
                r.report
                    .flaw(Rule::ContentBeforeDeclaration, Effect::Noted, 0, "<?xml");
            }
            if let Some(label) = place.conflict {
                r.report
                    .flaw(Rule::EncodingConflict, Effect::Noted, 0, label);
            }
        }
        self.pass_over(Skip::Pi, 2)
    }

    /// A tag that does not end within the bounds of an entry.
    fn outsized(&mut self, r: &mut Reading<'_>) -> Event {
        let name = name_at(r.text, 1);
        let local = local_part(name);
        self.scanner.restart();
        self.resyncing = self.stage != Stage::Prolog || format_of_root(local).is_some();
        let passed = 1 + name.len();
        match r.dialect.entry(local) {
            Some(kind) if self.stage != Stage::Prolog => {
                r.tape.clear();
                r.tape.kind = kind;
                r.report
                    .flaw(Rule::EntryTooLarge, Effect::EntrySkipped, 0, kind.element());
                return Event::Entry {
                    start: 0,
                    end: passed,
                    skipped: true,
                };
            }
            _ => {
                r.report
                    .flaw(Rule::MalformedMarkup, Effect::Noted, 0, quote(r.text));
            }
        }
        if let (Stage::Prolog, Some(format)) = (self.stage, format_of_root(local)) {
            self.open_broken_root(name, format, r);
        }
        Event::Passed(passed)
    }

    fn malformed(&mut self, end: usize, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let name = name_at(r.text, 1);
        let local = local_part(name);
        let root = format_of_root(local).filter(|_| self.stage == Stage::Prolog);
        if root.is_none() && self.stage == Stage::Prolog && place.offset >= self.junk_until {
            return self.junk(r, place);
        }
        self.scanner.restart();
        if let Some(kind) = r
            .dialect
            .entry(local)
            .filter(|_| self.stage != Stage::Prolog)
        {
            // Its own start tag is broken: the entry is lost, but it is one.
            return self.begin(kind, r, place);
        }
        let found = quote(r.slice((0, end)));
        if !self.is_before_declaration(place) {
            r.report
                .flaw(Rule::MalformedMarkup, Effect::Noted, 0, found);
        }
        if let Some(format) = root {
            self.open_broken_root(name, format, r);
        }
        Event::Passed(end)
    }

    fn start(&mut self, tag: &Tag, r: &mut Reading<'_>, place: Place<'_>) -> Event {
        let name = r.slice(tag.name);
        let local = local_part(name);
        let format = format_of_root(local);
        if self.stage == Stage::Prolog && format.is_none() {
            if place.offset >= self.junk_until {
                return self.junk(r, place);
            }
            if !self.is_before_declaration(place) {
                r.report.flaw(Rule::UnknownElement, Effect::Noted, 0, name);
            }
            self.before_declaration = true;
            self.scanner.restart();
            return Event::Passed(tag.end);
        }
        let scope = r.tape.namespaces.scope();
        r.tape.clear();
        let mark = r.report.mark();
        let (node, findings) = read_tag(tag, 0, r);
        let own = r.is_own(&node);
        if self.stage != Stage::Prolog && own {
            if let Some(kind) = r.dialect.entry(local) {
                r.report.rewind(mark);
                self.announce(kind, local, &node, r);
                r.tape.namespaces.forget(scope);
                return self.begin(kind, r, place);
            }
        }
        self.scanner.restart();
        if node.broken || findings.too_many || self.outer.is_large_with(name, r.tape) {
            let found = quote(r.slice((0, tag.end)));
            r.report
                .flaw(Rule::MalformedMarkup, Effect::Noted, 0, found);
        }
        let is_open = match format {
            Some(format) if self.stage == Stage::Prolog => self.root(name, format, &node, scope, r),
            Some(format) if own && Dialect::of(format) == r.dialect => {
                r.report.flaw(Rule::SecondRoot, Effect::Noted, 0, name);
                check_namespace(format, node.namespace, r);
                if self.stage == Stage::Epilog {
                    r.tape.namespaces.set_root(node.namespace);
                }
                self.enter_root(name, format, NsId::NONE, scope, r)
            }
            _ => {
                self.unknown(name, own, &node, r);
                self.outer.push(name, scope, false, r.tape)
            }
        };
        if tag.empty && is_open {
            self.close(name, r);
        }
        Event::Passed(tag.end)
    }

    /// Notes what is odd about an entry's own tag.
    fn announce(&mut self, kind: EntryKind, local: &str, node: &Node, r: &mut Reading<'_>) {
        if self.stage == Stage::Epilog {
            r.report
                .flaw(Rule::ContentAfterRoot, Effect::Noted, 0, local);
        }
        if r.dialect != Dialect::Sitemap {
            return;
        }
        let is_index = self.format == Some(Format::Index);
        if is_index != (kind == EntryKind::Sitemap) {
            r.report.flaw(Rule::MisplacedEntry, Effect::Noted, 0, local);
        }
        if local != kind.element() {
            r.report.flaw(Rule::WrongCase, Effect::Noted, 0, local);
        }
        if r.tape.vocabulary(node) == Vocabulary::NearlyBase {
            let uri = r.tape.namespace(node);
            r.report.flaw(Rule::WrongNamespace, Effect::Noted, 0, uri);
        }
    }

    /// Notes an element between the entries.
    fn unknown(&mut self, name: &str, own: bool, node: &Node, r: &mut Reading<'_>) {
        let uri = r.tape.namespace(node);
        if self.stage == Stage::Epilog {
            r.report
                .flaw(Rule::ContentAfterRoot, Effect::Noted, 0, name);
        } else if r.dialect != Dialect::Sitemap && is_sitemap_root(name, uri) {
            // A feed has no place for one: what is in it is not looked at.
            r.report.flaw(Rule::SecondRoot, Effect::Noted, 0, name);
        } else if r.dialect != Dialect::Sitemap || self.outer.in_unknown() {
        } else if own {
            r.report.flaw(Rule::UnknownElement, Effect::Noted, 0, name);
        } else if node.undeclared {
            let (prefix, _) = split_name(name);
            r.report
                .flaw(Rule::UndeclaredPrefix, Effect::Noted, 0, prefix);
        }
    }

    fn end(
        &mut self,
        name: (usize, usize),
        end: usize,
        r: &mut Reading<'_>,
        place: Place<'_>,
    ) -> Event {
        if self.stage == Stage::Prolog {
            if place.offset >= self.junk_until {
                return self.junk(r, place);
            }
            self.scanner.restart();
            return Event::Passed(end);
        }
        self.scanner.restart();
        let written = r.slice(name);
        match self.close(written, r) {
            Closed::Element {
                innermost: true,
                exact,
            } => {
                if !exact {
                    r.report.flaw(Rule::WrongCase, Effect::Noted, 0, written);
                }
            }
            Closed::Nothing if self.stage == Stage::Epilog => {
                let violation =
                    Violation::with_detail(Rule::ContentAfterRoot, written, case::END_TAG);
                r.report.add(violation, Effect::Noted, 0);
            }
            Closed::Element { .. } | Closed::Nothing => {
                r.report
                    .flaw(Rule::MismatchedTag, Effect::Noted, 0, written);
            }
        }
        Event::Passed(end)
    }

    fn close(&mut self, written: &str, r: &mut Reading<'_>) -> Closed {
        let closed = self.outer.close(written, r.dialect, r.tape);
        if self.stage == Stage::Body && !self.outer.has_root() {
            self.stage = Stage::Epilog;
        }
        if self.outer.has_root() {
            let name = self.outer.root_name();
            self.builder.set_root(name);
        }
        closed
    }
}

/// Whether more text could make markup of what begins with `<`.
fn may_be_markup(text: &str) -> bool {
    let behind = text.as_bytes().get(1..).unwrap_or_default();
    matches!(behind, [] | [b'!' | b'?' | b'/', ..]) || name_len(behind) > 0
}

/// Whether this is the root of a urlset or an index.
fn is_sitemap_root(name: &str, namespace: &str) -> bool {
    let format = format_of_root(local_part(name));
    format.is_some_and(|format| Dialect::of(format) == Dialect::Sitemap)
        && (namespace.is_empty() || is_known_sitemap(namespace))
}
