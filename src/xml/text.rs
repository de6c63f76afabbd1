use crate::report::Report;
use crate::scan::{find, is_odd};
use crate::violation::{Effect, QUOTED, Rule, spelt_code_point};

/// Where a text stands, which decides what in it is special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    Content,
    CData,
    Attribute,
}

/// Turns spelt text into what it says: references resolved, line ends made LF, forbidden characters U+FFFD.
pub(crate) struct Decoding<'a> {
    pub(crate) report: &'a mut Report,
    /// The window's text, in which the text lies.
    pub(crate) window: &'a str,
    /// What a character that XML forbids costs here.
    pub(crate) cost: Effect,
    /// Whether there was one.
    pub(crate) spoiled: bool,
}

/// Whether the text says something else than it spells.
pub(crate) fn is_encoded(raw: &str, context: Context) -> bool {
    let bytes = raw.as_bytes();
    let found = match context {
        Context::CData => find(bytes, is_odd),
        Context::Content | Context::Attribute => find(bytes, |b| (b == b'&') | is_odd(b)),
    };
    let rest = found.and_then(|at| raw.get(at..));
    rest.is_some_and(|rest| {
        rest.contains(|c| match c {
            '&' => context != Context::CData,
            '\n' | '\t' => context == Context::Attribute,
            '\r' => true,
            c => is_forbidden(c),
        })
    })
}

/// Whether XML 1.0 forbids this character. (Surrogates cannot occur in a `str`.)
pub(crate) const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

impl Decoding<'_> {
    /// Appends the decoded text. `at` is where `raw` begins, for the flaws.
    pub(crate) fn append(&mut self, raw: &str, at: usize, context: Context, out: &mut String) {
        let mut rest = raw;
        let mut in_bad_run = false;
        while let Some(c) = rest.chars().next() {
            let here = at + raw.len() - rest.len();
            let bad_before = std::mem::take(&mut in_bad_run);
            match c {
                '&' if context != Context::CData => {
                    let (c, len) = self.reference(rest, here);
                    out.push(c);
                    rest = rest.get(len..).unwrap_or_default();
                    continue;
                }
                '\r' => {
                    let crlf = rest.as_bytes().get(1) == Some(&b'\n');
                    out.push(if context == Context::Attribute {
                        ' '
                    } else {
                        '\n'
                    });
                    rest = rest.get(1 + usize::from(crlf)..).unwrap_or_default();
                    continue;
                }
                '\n' | '\t' if context == Context::Attribute => out.push(' '),
                c if is_forbidden(c) => {
                    if !bad_before {
                        self.invalid_character(c, here);
                    }
                    in_bad_run = true;
                    out.push(char::REPLACEMENT_CHARACTER);
                }
                c => {
                    out.push(c);
                    rest = rest.get(c.len_utf8()..).unwrap_or_default();
                    let plain = find(rest.as_bytes(), |b| (b == b'&') | is_odd(b));
                    let plain = plain.unwrap_or(rest.len());
                    let (text, next) = rest.split_at_checked(plain).unwrap_or((rest, ""));
                    out.push_str(text);
                    rest = next;
                    continue;
                }
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }

    fn invalid_character(&mut self, c: char, at: usize) {
        self.spoiled = true;
        // It stands for bytes that are not in the encoding.
        if c == '\u{FFFF}' {
            self.report.undecodable(self.window, at, self.cost);
        } else {
            let found = spelt_code_point(c);
            self.report
                .flaw(Rule::InvalidCharacter, self.cost, at, &found);
        }
    }

    /// What a reference stands for, and how long it is. What is none stands for itself.
    fn reference(&mut self, rest: &str, at: usize) -> (char, usize) {
        if let Some(known) = known_reference(rest) {
            return known;
        }
        let (name, whole) = spelt_reference(rest);
        if name.is_empty() || !whole.ends_with(';') {
            return self.bare_ampersand(rest, at);
        }
        if !name.contains('#') {
            self.report
                .flaw(Rule::UnknownEntity, Effect::Noted, at, whole);
            return ('&', 1);
        }
        if code_point(name).is_none() {
            return self.bare_ampersand(rest, at);
        }
        self.spoiled = true;
        self.report
            .flaw(Rule::InvalidCharacter, self.cost, at, whole);
        (char::REPLACEMENT_CHARACTER, whole.len())
    }

    fn bare_ampersand(&mut self, rest: &str, at: usize) -> (char, usize) {
        let end = rest
            .char_indices()
            .take(QUOTED + 1)
            .take_while(|(_, c)| !c.is_whitespace())
            .map(|(at, c)| at + c.len_utf8())
            .last();
        let found = rest.get(..end.unwrap_or(0)).unwrap_or_default();
        self.report
            .flaw(Rule::BareAmpersand, Effect::Noted, at, found);
        ('&', 1)
    }
}

/// The name of a reference, and all of it with its `;` if it has one.
fn spelt_reference(rest: &str) -> (&str, &str) {
    let name = rest.get(1..).unwrap_or_default();
    let len = name
        .bytes()
        .position(|b| !b.is_ascii_alphanumeric() && b != b'#')
        .unwrap_or(name.len());
    let whole = rest.get(..len + 2).unwrap_or_default();
    (name.get(..len).unwrap_or_default(), whole)
}

/// The character that the reference at the start stands for, and how long it is, if XML knows it.
pub(crate) fn known_reference(rest: &str) -> Option<(char, usize)> {
    let named = match rest.as_bytes() {
        [b'&', b'a', b'm', b'p', b';', ..] => Some(('&', 5)),
        [b'&', b'l', b't', b';', ..] => Some(('<', 4)),
        [b'&', b'g', b't', b';', ..] => Some(('>', 4)),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => Some(('"', 6)),
        [b'&', b'a', b'p', b'o', b's', b';', ..] => Some(('\'', 6)),
        _ => None,
    };
    if named.is_some() {
        return named;
    }
    if !rest.starts_with("&#") {
        return None;
    }
    let (name, whole) = spelt_reference(rest);
    if !whole.ends_with(';') {
        return None;
    }
    let c = char::from_u32(code_point(name)?).filter(|c| !is_forbidden(*c))?;
    Some((c, whole.len()))
}

/// The number in `#38` or `#x26`; `u32::MAX` for one that is larger than any character's.
fn code_point(name: &str) -> Option<u32> {
    let number = name.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(hex) => (hex, 16),
        None => (number, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some(u32::from_str_radix(digits, radix).unwrap_or(u32::MAX))
}
