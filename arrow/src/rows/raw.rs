//! Rows of raw entries: nothing is allocated for an entry that is spelt as most are.

use quick_sitemap::{ChangeFreq, EntryKind, Priority, RawElement, RawEntry, W3cDatetime};

use super::{Rows, put};
use crate::cells::Cell;

/// What an entry means that needs no interpretation: the loc is canonical, and every value says what it is.
#[derive(Debug)]
pub(crate) struct Plain<'r> {
    kind: EntryKind,
    loc: &'r str,
    host: Option<&'r str>,
    lastmod: Option<i64>,
    lastmod_text: Option<&'r str>,
    changefreq: Option<ChangeFreq>,
    priority: Option<f64>,
}

/// The longest loc that is looked at here. What is much longer than a loc may be is judged by the reader.
const LONG: usize = 16 << 10;

impl<'r> Plain<'r> {
    /// `None` if the entry has to be interpreted. `allows_more`: what else is in the entry is not asked for.
    ///
    /// It is right only for an entry in whose markup nothing was found, of a urlset, an index or a text, by a reader that
    /// is lenient and knows no location.
    #[inline]
    pub(crate) fn read(raw: RawEntry<'r>, allows_more: bool, wants_host: bool) -> Option<Self> {
        let loc = raw.canonical_loc().filter(|loc| loc.len() <= LONG)?;
        let texts = Texts::read(raw, loc);
        let is_certain = texts.is_all_of(raw) || (allows_more && texts.stand_alone_in(raw));
        if !is_certain {
            return None;
        }
        let lastmod = match texts.lastmod {
            Some(text) => Some(text.parse::<W3cDatetime>().ok()?.timestamp_micros()),
            None => None,
        };
        let kind = raw.kind();
        // A sitemap has none of these.
        let (changefreq, priority) = match kind {
            EntryKind::Url => (texts.changefreq, texts.priority),
            EntryKind::Sitemap => (None, None),
        };
        Some(Self {
            kind,
            loc,
            host: if wants_host { raw.host() } else { None },
            lastmod,
            lastmod_text: texts.lastmod,
            changefreq: match changefreq {
                Some(text) => Some(text.parse().ok()?),
                None => None,
            },
            priority: match priority {
                Some(text) => Some(number(text)?),
                None => None,
            },
        })
    }
}

/// The texts that a raw entry lends.
#[derive(Debug, Clone, Copy)]
struct Texts<'r> {
    loc: &'r str,
    lastmod: Option<&'r str>,
    changefreq: Option<&'r str>,
    priority: Option<&'r str>,
}

impl<'r> Texts<'r> {
    #[inline]
    fn read(raw: RawEntry<'r>, loc: &'r str) -> Self {
        Self {
            loc,
            lastmod: raw.lastmod(),
            changefreq: raw.changefreq(),
            priority: raw.priority(),
        }
    }

    /// Whether there is an element for each text, and no other at any depth. A line of a text sitemap has none.
    #[inline]
    fn is_all_of(self, raw: RawEntry<'_>) -> bool {
        let texts = 1
            + usize::from(self.lastmod.is_some())
            + usize::from(self.changefreq.is_some())
            + usize::from(self.priority.is_some());
        // No more elements than this are there, at all levels together.
        let most = raw.elements().size_hint().1;
        most.is_some_and(|most| most <= texts)
    }

    /// Whether each of the four elements that occurs does so once, holds a text and nothing else, and is the one whose
    /// text is lent. Then the others, whatever they are, change nothing.
    fn stand_alone_in(self, raw: RawEntry<'_>) -> bool {
        let mut seen = [false; 4];
        for element in raw.elements() {
            let name = element.name();
            let (text, seen) = match (name, &mut seen) {
                ("loc", [seen, ..]) => (Some(self.loc), seen),
                ("lastmod", [_, seen, ..]) => (self.lastmod, seen),
                ("changefreq", [_, _, seen, _]) => (self.changefreq, seen),
                ("priority", [_, _, _, seen]) => (self.priority, seen),
                _ if is_base_name(name) => return false,
                _ => continue,
            };
            if std::mem::replace(seen, true) || !is_source_of(element, text) {
                return false;
            }
        }
        let more = [self.lastmod, self.changefreq, self.priority].map(|text| text.is_some());
        matches!(seen, [true, rest @ ..] if rest == more)
    }
}

/// In any case: `Loc`.
fn is_base_name(name: &str) -> bool {
    ["loc", "lastmod", "changefreq", "priority"]
        .iter()
        .any(|base| name.eq_ignore_ascii_case(base))
}

/// Whether a text that is lent is that of this element, and all that is in it.
fn is_source_of(element: RawElement<'_>, text: Option<&str>) -> bool {
    let own = element.text();
    let is_same = text.is_some_and(|text| text.as_ptr() == own.as_ptr() && text.len() == own.len());
    is_same && element.children().next().is_none()
}

/// The number nearest to a priority's text; `None` if it is not spelt as a priority is.
#[inline]
fn number(text: &str) -> Option<f64> {
    // A quotient of two small integers is rounded once, hence the number that the general way gives.
    match *text.as_bytes() {
        [b'0', b'.', a @ b'0'..=b'9'] => Some(f64::from(a - b'0') / 10.0),
        [b'1'] | [b'1', b'.', b'0'] => Some(1.0),
        _ => {
            let priority: Priority = text.parse().ok()?;
            Some(super::typed::nearest(priority, Some(text)))
        }
    }
}

impl Rows {
    #[inline]
    pub(crate) fn add_plain(&mut self, plain: &Plain<'_>) {
        self.begin_entry(plain.kind);
        let mut bytes = put(&mut self.loc, Some(plain.loc));
        bytes += put(&mut self.lastmod, plain.lastmod);
        bytes += put(
            &mut self.changefreq,
            plain.changefreq.map(ChangeFreq::as_str),
        );
        bytes += put(&mut self.priority, plain.priority);
        bytes += put(&mut self.host, plain.host);
        if let Some(texts) = &mut self.lastmod_text {
            // It prints back as it is written.
            bytes += texts.append(plain.lastmod_text);
        }
        bytes += put(&mut self.alternates, Some(&[]));
        bytes += put(&mut self.images, Some(&[]));
        bytes += put(&mut self.videos, Some(&[]));
        bytes += put(&mut self.news, Some(&[]));
        self.bytes += bytes;
    }

    pub(crate) fn has_host(&self) -> bool {
        self.host.is_some()
    }
}
