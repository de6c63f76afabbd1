use memchr::{memchr, memmem};

use crate::entry::loc;
use crate::error::ErrorKind;
use crate::limits::DETECTION_BYTES;
use crate::source::dialect::format_of_root;
use crate::violation::quoted;
use crate::xml::token::{is_name_byte, local_part};

/// What a document is that does not begin with a known root.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// XML after all: a known root begins there, what comes before is junk.
    Root(usize),
    /// Text, with a URL on some line.
    Text,
    /// No sitemap, and where that shows.
    Not(ErrorKind, usize),
    NeedMore,
}

/// Looks for a known root, then for a URL, in what follows the first thing that is neither.
pub(crate) fn look_ahead(text: &str, eof: bool) -> Verdict {
    let whole = eof || text.len() >= DETECTION_BYTES;
    // However much more there is by chance, the verdict is on this.
    let (text, eof) = match text.get(..boundary(text, DETECTION_BYTES)) {
        Some(head) if text.len() > DETECTION_BYTES => (head, false),
        _ => (text, eof),
    };
    let bytes = text.as_bytes();
    let mut first_element = None;
    let mut at = 0;
    while let Some(start) = find(bytes, at, b"<") {
        let rest = bytes.get(start..).unwrap_or_default();
        let passed_over = [
            (&b"<!--"[..], &b"-->"[..]),
            (b"<![CDATA[", b"]]>"),
            (b"<?", b"?>"),
        ]
        .into_iter()
        .find(|(begin, _)| rest.starts_with(begin));
        if let Some((begin, end)) = passed_over {
            match find(bytes, start + begin.len(), end) {
                Some(i) => at = i + end.len(),
                None if whole => break,
                None => return Verdict::NeedMore,
            }
            continue;
        }
        at = start + 1;
        let name = name_at(text, at);
        if at + name.len() == text.len() {
            if !whole {
                return Verdict::NeedMore;
            }
            if eof && first_element.is_none() {
                return Verdict::Not(ErrorKind::Truncated, text.len());
            }
        }
        let local = local_part(name);
        if local.eq_ignore_ascii_case("html") {
            return Verdict::Not(ErrorKind::UnknownRoot(quoted(name)), start);
        }
        if format_of_root(local).is_some() {
            return Verdict::Root(start);
        }
        if first_element.is_none() && !name.is_empty() {
            first_element = Some((name, start));
        }
    }
    if !whole {
        return Verdict::NeedMore;
    }
    let unknown_root =
        |(name, at): (&str, usize)| Verdict::Not(ErrorKind::UnknownRoot(quoted(name)), at);
    match first_element {
        Some(element) if element.1 == 0 => unknown_root(element),
        _ if has_url(text) => Verdict::Text,
        Some(element) => unknown_root(element),
        None => Verdict::Not(ErrorKind::NotASitemap(looks_like(text)), 0),
    }
}

fn find(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = match needle {
        [one] => memchr(*one, rest),
        _ => memmem::find(rest, needle),
    };
    found.map(|i| from + i)
}

/// The XML name at `at`, as far as it reaches; names longer than any root's are cut.
pub(crate) fn name_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.bytes().take_while(|b| is_name_byte(*b)).count();
    rest.get(..len).unwrap_or_default()
}

/// The last character boundary up to `most`.
fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0)
}

/// Whether a line of the first 64 KiB is an http or https URL.
fn has_url(text: &str) -> bool {
    let head = text
        .get(..boundary(text, DETECTION_BYTES))
        .unwrap_or_default();
    head.split(['\n', '\r']).any(|line| {
        let line = line.trim().trim_start_matches('\u{FEFF}');
        loc::check(line, None).is_ok()
    })
}

fn looks_like(text: &str) -> &'static str {
    let mut visible = text.chars().filter(|c| !c.is_whitespace());
    match visible.next() {
        None => "it is empty",
        Some('{') => "it looks like JSON",
        // And not like a section of a configuration file.
        Some('[') if matches!(visible.next(), Some('{' | '[' | ']' | '"' | '0'..='9')) => {
            "it looks like JSON"
        }
        Some('<') => "it has no root element",
        Some('\0') => "the bytes are binary",
        Some(_) => "it is neither XML nor text with a URL on a line",
    }
}
