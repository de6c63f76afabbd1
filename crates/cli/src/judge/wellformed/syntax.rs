//! Reading tokens: names, white space, references; and the characters that XML has.

use super::step::{Step, Stop, fault};

/// Reads a text from a place on. A method returns [`Stop::More`] if the rest of the document could change its result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// The place of a name, and of the first colon in it, if it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) colon: Option<usize>,
}

impl<'t> Scanner<'t> {
    /// The text from the place on.
    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn part(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(super) fn name_of(&self, name: Name) -> &'t str {
        self.part(name.start, name.end)
    }

    pub(super) fn prefix_of(&self, name: Name) -> Option<&'t str> {
        Some(self.part(name.start, name.colon?))
    }

    pub(super) fn local_of(&self, name: Name) -> &'t str {
        self.part(name.colon.map_or(name.start, |colon| colon + 1), name.end)
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Step<u8> {
        let byte = self.text.as_bytes().get(self.at).copied();
        byte.ok_or(Stop::More)
    }

    /// Passes this word if it comes next.
    pub(super) fn take(&mut self, word: &str) -> Step<bool> {
        let rest = self.rest();
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(true)
        } else if word.starts_with(rest) {
            Err(Stop::More)
        } else {
            Ok(false)
        }
    }

    /// Passes white space. Returns `true` if there is some.
    pub(super) fn space(&mut self) -> bool {
        let before = self.at;
        while self.peek().is_ok_and(is_space) {
            self.at += 1;
        }
        self.at > before
    }

    /// Passes this byte if it comes next.
    #[inline]
    pub(super) fn take_byte(&mut self, byte: u8) -> Step<bool> {
        let found = self.peek()? == byte;
        self.at += usize::from(found);
        Ok(found)
    }

    /// Passes a name with any colons. Returns `None` if no name begins here.
    #[inline]
    pub(super) fn any_name(&mut self) -> Step<Option<Name>> {
        let (start, rest) = (self.at, self.rest());
        // Most names have no other characters.
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b':';
        let letters = rest.bytes().take_while(is_letter).count();
        let is_part = |&(at, c): &(usize, char)| {
            c == ':' || starts_name(c) || letters + at > 0 && continues_name(c)
        };
        let mut parts = rest.get(letters..).unwrap_or_default().char_indices();
        let (len, _) = parts.find(|part| !is_part(part)).ok_or(Stop::More)?;
        self.at += letters + len;
        let name = self.part(start, self.at);
        let colon = memchr::memchr(b':', name.as_bytes());
        Ok((!name.is_empty()).then_some(Name {
            start,
            end: self.at,
            colon: colon.map(|colon| start + colon),
        }))
    }

    /// Like [`any_name`](Self::any_name); colons only separate a prefix.
    #[inline]
    pub(super) fn name(&mut self) -> Step<Option<Name>> {
        let name = self.any_name()?;
        if let Some(name) = name.filter(|name| name.colon.is_some()) {
            let local = self.local_of(name);
            let has_prefix = name.colon > Some(name.start);
            if !has_prefix || !local.starts_with(starts_name) || local.contains(':') {
                let text = shown(self.name_of(name));
                let reason = format!("the name `{text}` is not a prefix and a name");
                return fault(name.start, reason);
            }
        }
        Ok(name)
    }

    /// Passes a reference, which begins here. Returns its character, or `None` if the document type declares it.
    pub(super) fn reference(&mut self, has_doctype: bool) -> Step<Option<char>> {
        let start = self.at;
        self.at += 1;
        if self.take_byte(b'#')? {
            return self.character_reference(start);
        }
        let name = self.any_name()?.map(|name| self.name_of(name));
        let Some(name) = name else {
            return fault(start, "an `&` that is not written as `&amp;`");
        };
        if !self.take_byte(b';')? {
            let name = shown(name);
            let reason = format!(
                "an `&` that is not written as `&amp;`, or a reference `&{name}` without `;`"
            );
            return fault(start, reason);
        }
        match name {
            "amp" => Ok(Some('&')),
            "lt" => Ok(Some('<')),
            "gt" => Ok(Some('>')),
            "quot" => Ok(Some('"')),
            "apos" => Ok(Some('\'')),
            _ if has_doctype => Ok(None),
            _ => {
                let reason = format!("the entity `&{};` is not declared", shown(name));
                fault(start, reason)
            }
        }
    }

    /// The rest of a reference after `&#`.
    fn character_reference(&mut self, start: usize) -> Step<Option<char>> {
        let radix = if self.take_byte(b'x')? { 16 } else { 10 };
        let mut number = 0_u32;
        let digits = self.at;
        while let Some(digit) = char::from(self.peek()?).to_digit(radix) {
            number = number.saturating_mul(radix).saturating_add(digit);
            self.at += 1;
        }
        if self.at == digits || !self.take_byte(b';')? {
            return fault(start, "a character reference without its number or its `;`");
        }
        let c = char::from_u32(number).filter(|c| !is_forbidden(*c));
        if c.is_none() {
            let text = shown(self.part(start, self.at));
            let reason = format!("the reference `{text}` is to a character that XML does not have");
            return fault(start, reason);
        }
        Ok(c)
    }
}

/// A text for a message, shortened.
pub(super) fn shown(text: &str) -> String {
    crate::term::clipped::clipped(text).to_string()
}

pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns `true` if a name can start with this character (XML 1.0, fifth edition, without the colon).
pub(super) const fn starts_name(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '_'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

const fn continues_name(c: char) -> bool {
    starts_name(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Returns `true` if XML 1.0 does not have this character.
const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\x08' | '\x0B' | '\x0C' | '\x0E'..='\x1F' | '\u{FFFE}' | '\u{FFFF}')
}

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// The first character that XML does not have, and its place.
pub(super) fn forbidden(text: &str) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    let is_control = |b: u8| (b < b' ') & (b != b'\n') & (b != b'\t') & (b != b'\r');
    // 0xEF is the first byte of U+FFFE and U+FFFF.
    let is_forbidden = |at: usize| match bytes.get(at..) {
        Some([0xEF, 0xBF, 0xBE | 0xBF, ..]) => true,
        Some([byte, ..]) => is_control(*byte),
        _ => false,
    };
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        // Without a branch per byte, so that the compiler looks at many bytes at once.
        let suspect = block
            .iter()
            .fold(false, |any, b| any | is_control(*b) | (*b == 0xEF));
        let start = number * BLOCK;
        if suspect && let Some(at) = (start..start + block.len()).find(|at| is_forbidden(*at)) {
            return Some((at, text.get(at..)?.chars().next()?));
        }
    }
    None
}
