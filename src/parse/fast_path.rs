//! The fast path: entries of the shape that almost all have.
//!
//! It reads children of the base format without attributes, plain text that contains at most known references, and
//! elements that differ only in their values from those before, see [`row`]. For any other text, it leaves the entry to
//! [`EntryParser`](super::entry::EntryParser), which reads it from its start. Results never depend on which of the two
//! read an entry; without this module reading would only be slower.
//!
//! If the document repeats itself, a comparison with an earlier text replaces a search: see [`literal`].

mod base;
mod child;
mod literal;
mod row;
mod rows;
mod value;

use memchr::memmem;

use self::child::{Child, Steps};
use self::row::Row;
use self::value::Values;
use crate::format::EntryKind;
use crate::parse::FastPathResult;
use crate::parse::context::Context;
use crate::tape::dialect::BaseChild;
use crate::tape::{Node, Tape};
use crate::text::search::skip_blank;
use crate::text::span::{Span, TakePart};
use crate::xml::namespaces::{Namespaces, NsId};

/// After this number of failures in a row, the fast path is only tried occasionally.
const MAX_FAILURES: u8 = 8;
/// Number of entries that are then left to the general path.
const PAUSE: u8 = 64;

/// The state of the fast path: whether it is worth trying, and its memory.
#[derive(Debug, Default)]
pub(crate) struct FastPath {
    shape: Option<Shape>,
    /// Number of failures in a row, and of entries since the last attempt.
    failures: u8,
    /// It has failed at the current entry, which the general path reads.
    has_failed: bool,
    /// Bytes of an entry that the end of the text cuts, in which its end tag does not begin.
    searched: usize,
    /// The namespaces that the memo was made with, by [`Namespaces::changes`].
    namespaces: u64,
    memo: Box<Memo>,
}

/// The texts that the document repeats, as far as it has been read.
#[derive(Debug, Default)]
struct Memo {
    steps: Steps,
    rows: Vec<Row>,
}

/// Longer beginnings of entries are left to the general path, which reads on where it stopped.
const MAX_CUT: usize = 64 << 10;

/// The entries that it reads.
#[derive(Debug, Clone, Copy)]
struct Shape {
    kind: EntryKind,
    /// The namespace of the entries and their children.
    own: NsId,
    /// `true` until one of them has been read.
    is_new: bool,
}

impl FastPath {
    #[inline]
    pub(crate) fn is_entered(&self) -> bool {
        self.shape.is_some()
    }

    /// Returns `true` if it should be tried again. If it has failed often, it is skipped for most entries.
    pub(crate) fn may_try(&mut self) -> bool {
        let is_hopeless = self.failures > MAX_FAILURES;
        self.failures = match self.failures {
            failures if failures < MAX_FAILURES + PAUSE => failures + 1,
            _ => MAX_FAILURES,
        };
        !is_hopeless
    }

    /// Prepares for entries of this kind in this namespace. If prefixes may be bound to other namespaces than before,
    /// the memory of the document is cleared.
    pub(crate) fn enter(&mut self, kind: EntryKind, own: NsId, namespaces: &Namespaces) {
        if self.namespaces != namespaces.changes() {
            self.namespaces = namespaces.changes();
            *self.memo = Memo::default();
        }
        self.shape = Some(Shape {
            kind,
            own,
            is_new: true,
        });
    }

    /// The general path has taken over.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.searched = 0;
        self.shape = None;
    }

    /// Reads an entry at the start of the text, after white space. `may_grow`: more text may come.
    #[inline]
    pub(crate) fn entry(
        &mut self,
        text: &str,
        max_bytes: usize,
        may_grow: bool,
        tape: &mut Tape,
    ) -> FastPathResult {
        let Some(shape) = self.shape else {
            return FastPathResult::NotUsual;
        };
        let start = text.len() - skip_blank(text.as_bytes()).len();
        let text = text.part(start..);
        let most = max_bytes.min(MAX_CUT);
        if self.searched > 0 && may_grow && self.is_still_cut(text, most, shape.kind) {
            return FastPathResult::NeedMore(start);
        }
        let mut reached = 0;
        self.has_failed = true;
        match entry(text, &mut reached, shape, &mut self.memo, tape) {
            Some(()) if reached <= max_bytes => {
                self.has_failed = false;
                self.searched = 0;
                FastPathResult::Entry(start, start + reached)
            }
            // An entry that is read here after others, up to a child.
            None if may_grow && !shape.is_new && reached > 0 => {
                self.searched = reached;
                if self.is_still_cut(text, most, shape.kind) {
                    FastPathResult::NeedMore(start)
                } else {
                    FastPathResult::NotUsual
                }
            }
            _ => FastPathResult::NotUsual,
        }
    }

    /// Returns `true` if the beginning of an entry still has no end tag.
    #[inline(never)]
    fn is_still_cut(&mut self, text: &str, most: usize, kind: EntryKind) -> bool {
        let end_tag = match kind {
            EntryKind::Url => "</url",
            EntryKind::Sitemap => "</sitemap",
        };
        let rest = text.as_bytes().part(self.searched..);
        self.searched = (self.searched).max(text.len().saturating_sub(end_tag.len()));
        text.len() <= most && memmem::find(rest, end_tag.as_bytes()).is_none()
    }

    /// The general path has read the entry, which ends there. If it is usual except for elements that are not known
    /// yet, these are remembered.
    #[inline]
    pub(crate) fn learn(&mut self, cx: &Context<'_>, end: usize) {
        if std::mem::take(&mut self.has_failed) && !cx.report.has_flaws {
            row::learn(&mut self.memo.rows, 0, cx.text.part(..end), cx.tape);
        }
    }

    /// An entry has been read. Returns `true` if it is the first since [`enter`](Self::enter).
    #[inline]
    pub(crate) fn arrive(&mut self) -> bool {
        match &mut self.shape {
            Some(shape) if shape.is_new => {
                shape.is_new = false;
                self.failures = 0;
                true
            }
            _ => false,
        }
    }
}

/// Puts the entry at the start of `text` on the tape. `reached` becomes the place where it ends, or, if it cannot be
/// read, where the child begins that could not.
fn entry(
    text: &str,
    reached: &mut usize,
    shape: Shape,
    memo: &mut Memo,
    tape: &mut Tape,
) -> Option<()> {
    tape.clear();
    tape.kind = shape.kind;
    let mut parser = ShapeParser {
        text,
        own: shape.own,
        memo,
        tape,
        base: 1,
        is_plain: true,
    };
    parser.entry(reached)
}

/// Each method takes the text that is still to be read, and returns the rest of it.
struct ShapeParser<'t> {
    text: &'t str,
    own: NsId,
    memo: &'t mut Memo,
    tape: &'t mut Tape,
    /// Number of children of the base format, including the entry itself.
    base: usize,
    /// Each of them is there once, and where it belongs.
    is_plain: bool,
}

impl<'t> ShapeParser<'t> {
    #[inline(always)]
    fn values(&mut self) -> Values<'_, 't> {
        Values {
            text: self.text,
            tape: self.tape,
        }
    }

    fn at(&self, rest: &[u8]) -> usize {
        self.text.len() - rest.len()
    }

    fn entry(&mut self, reached: &mut usize) -> Option<()> {
        let text = self.text.as_bytes();
        let (len, rest) = match self.tape.kind {
            EntryKind::Url => ("url".len(), text.strip_prefix(b"<url>")?),
            EntryKind::Sitemap => ("sitemap".len(), text.strip_prefix(b"<sitemap>")?),
        };
        self.tape.nodes.push(Node {
            name: Span::new(1, 1 + len),
            local: 1,
            namespace: self.own,
            ..Node::EMPTY
        });
        let (mut child, mut at) = self.step(Child::Entry, rest)?;
        loop {
            *reached = at;
            // One branch for each, so that the compiler has its name and its slot as constants.
            (child, at) = match child {
                Child::Loc => self.base_child(BaseChild::Loc, at)?,
                Child::Lastmod => self.base_child(BaseChild::Lastmod, at)?,
                Child::Changefreq => self.base_child(BaseChild::Changefreq, at)?,
                Child::Priority => self.base_child(BaseChild::Priority, at)?,
                Child::Prefixed => {
                    let rest = self.row(text.get(at..)?)?;
                    self.step(Child::Prefixed, rest)?
                }
                Child::Entry => return self.end(text.get(at..)?, reached),
                Child::Other => return None,
            };
        }
    }

    #[inline(always)]
    fn end(&mut self, rest: &[u8], reached: &mut usize) -> Option<()> {
        let rest = match self.tape.kind {
            EntryKind::Url => rest.strip_prefix(b"</url>")?,
            EntryKind::Sitemap => rest.strip_prefix(b"</sitemap>")?,
        };
        let nodes = self.tape.nodes.len() as u32;
        self.tape.nodes.first_mut()?.end = nodes;
        self.tape.base_nodes = Some(self.base).filter(|_| self.is_plain);
        *reached = self.at(rest);
        Some(())
    }
}
