//! Rows of raw entries: nothing is allocated for an entry in the usual form.

use quick_sitemap::{ChangeFreq, EntryKind, Priority, RawElement, RawEntry, W3cDatetime};

use crate::row::Row;
use crate::typed::nearest;

/// The longest loc that is looked at here, in bytes. Longer ones are judged by the reader.
const LONG: usize = 16 << 10;

/// The row of an entry that needs no interpretation: the loc is canonical, and every value is in the protocol's form.
/// Returns `None` if the entry must be interpreted. `allows_more`: other elements of the entry are not requested.
///
/// Correct only for an entry of a urlset, an index or a text sitemap without an issue in its markup, and for a lenient
/// reader without a location.
#[inline(always)]
pub(crate) fn plain_row(raw: RawEntry<'_>, allows_more: bool, wants_host: bool) -> Option<Row<'_>> {
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
    Some(Row {
        source: None,
        kind: Some(kind),
        loc: Some(loc),
        host: if wants_host { raw.host() } else { None },
        lastmod,
        // A date is printed as it was written.
        lastmod_text: texts.lastmod,
        changefreq: match changefreq {
            Some(text) => Some(text.parse::<ChangeFreq>().ok()?.as_str()),
            None => None,
        },
        priority: match priority {
            Some(text) => Some(number(text)?),
            None => None,
        },
        page: None,
        error: None,
    })
}

/// The texts of a raw entry.
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

    /// Returns `true` if there is an element for each text, and no other at any depth. A line of a text sitemap has no
    /// elements.
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

    /// Returns `true` if each of the four elements occurs at most once and contains only the text in `self`. Then all
    /// other elements change nothing.
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

/// Returns `true` if the text is the only content of this element.
fn is_source_of(element: RawElement<'_>, text: Option<&str>) -> bool {
    let own = element.text();
    let is_same = text.is_some_and(|text| text.as_ptr() == own.as_ptr() && text.len() == own.len());
    is_same && element.children().next().is_none()
}

/// The number nearest to a priority's text. Returns `None` if the text is not in the form of a priority.
#[inline]
fn number(text: &str) -> Option<f64> {
    // A quotient of two small integers is rounded once, so it is the same number as on the general path.
    match *text.as_bytes() {
        [b'0', b'.', a @ b'0'..=b'9'] => Some(f64::from(a - b'0') / 10.0),
        [b'1'] | [b'1', b'.', b'0'] => Some(1.0),
        _ => {
            let priority: Priority = text.parse().ok()?;
            Some(nearest(priority, Some(text)))
        }
    }
}
