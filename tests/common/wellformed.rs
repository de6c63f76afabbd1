//! An independent parser, written from the grammar of XML 1.0 and *Namespaces in XML*. It only decides whether a
//! document is well-formed. It takes one character after another, keeps everything in memory, and shares no code with
//! the crate.
//!
//! In a document type declaration, it reads the name, the external identifier and the end of the subset.

use std::collections::{HashMap, HashSet};

/// The place where a document is not well-formed, in characters, and the reason.
pub type IllFormed = (usize, &'static str);

/// # Errors
///
/// The first place at which an XML parser rejects the document.
pub fn check(text: &str) -> Result<(), IllFormed> {
    let mut parser = Parser {
        chars: text.chars().collect(),
        at: 0,
        declared: HashSet::new(),
        may_declare_more: false,
    };
    parser.document()
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    declared: HashSet<String>,
    may_declare_more: bool,
}

type Parsed<T = ()> = Result<T, IllFormed>;

/// An element that is open: its name, and the bindings around it.
struct Open {
    name: String,
    outside: HashMap<String, String>,
}

impl Parser {
    fn fail<T>(&self, why: &'static str) -> Parsed<T> {
        Err((self.at, why))
    }

    fn rest(&self) -> &[char] {
        &self.chars[self.at.min(self.chars.len())..]
    }

    fn begins(&self, word: &str) -> bool {
        let mut rest = self.rest().iter();
        word.chars().all(|c| rest.next() == Some(&c))
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.begins(word);
        if found {
            self.at += word.chars().count();
        }
        found
    }

    fn expect(&mut self, word: &str, why: &'static str) -> Parsed {
        if self.take(word) {
            Ok(())
        } else {
            self.fail(why)
        }
    }

    fn next(&mut self) -> Parsed<char> {
        let Some(&c) = self.chars.get(self.at) else {
            return self.fail("the end");
        };
        match c {
            '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'.. => {
                self.at += 1;
                Ok(c)
            }
            _ => self.fail("a character"),
        }
    }

    /// Everything up to this word, which is taken, too.
    fn until(&mut self, word: &str) -> Parsed<String> {
        let mut passed = String::new();
        while !self.take(word) {
            passed.push(self.next()?);
        }
        Ok(passed)
    }

    fn space(&mut self) -> bool {
        let before = self.at;
        while matches!(self.chars.get(self.at), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
        self.at > before
    }

    fn name(&mut self) -> Parsed<String> {
        let mut name = String::new();
        while let Some(&c) = self.chars.get(self.at) {
            let ok = if name.is_empty() {
                starts_name(c)
            } else {
                goes_on(c)
            };
            if !ok {
                break;
            }
            name.push(c);
            self.at += 1;
        }
        if name.is_empty() {
            self.fail("a name")
        } else {
            Ok(name)
        }
    }

    fn document(&mut self) -> Parsed {
        self.take("\u{FEFF}");
        if self.begins("<?xml") && matches!(self.rest().get(5), Some(' ' | '\t' | '\n' | '\r')) {
            self.declaration()?;
        }
        let mut has_doctype = false;
        loop {
            self.space();
            if self.take("<!--") {
                self.comment()?;
            } else if self.take("<?") {
                self.instruction()?;
            } else if !has_doctype && self.take("<!DOCTYPE") {
                has_doctype = true;
                self.doctype()?;
            } else {
                break;
            }
        }
        self.elements()?;
        loop {
            self.space();
            if self.at == self.chars.len() {
                return Ok(());
            } else if self.take("<!--") {
                self.comment()?;
            } else if self.take("<?") {
                self.instruction()?;
            } else {
                return self.fail("content behind the root");
            }
        }
    }

    fn declaration(&mut self) -> Parsed {
        self.at += "<?xml".len();
        let Some(version) = self.part("version")? else {
            return self.fail("no version");
        };
        let minor = version.strip_prefix("1.");
        if !minor.is_some_and(|minor| minor.chars().all(|c| c.is_ascii_digit())) {
            return self.fail("the version");
        }
        if let Some(encoding) = self.part("encoding")? {
            let mut chars = encoding.chars();
            let first = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
            if !first || !chars.all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)) {
                return self.fail("the encoding");
            }
        }
        if let Some(standalone) = self.part("standalone")?
            && standalone != "yes"
            && standalone != "no"
        {
            return self.fail("standalone");
        }
        self.space();
        self.expect("?>", "the end of the declaration")
    }

    fn part(&mut self, name: &str) -> Parsed<Option<String>> {
        let before = self.at;
        if !self.space() || !self.take(name) {
            self.at = before;
            return Ok(None);
        }
        self.space();
        self.expect("=", "an equals sign")?;
        self.space();
        let quote = if self.take("'") {
            "'"
        } else {
            self.expect("\"", "a quote")?;
            "\""
        };
        self.until(quote).map(Some)
    }

    fn comment(&mut self) -> Parsed {
        self.until("--")?;
        self.expect(">", "two hyphens in a comment")
    }

    fn instruction(&mut self) -> Parsed {
        let target = self.name()?;
        if target.eq_ignore_ascii_case("xml") || target.contains(':') {
            return self.fail("the name of an instruction");
        }
        if !self.begins("?>") && !self.space() {
            return self.fail("no space in an instruction");
        }
        self.until("?>").map(drop)
    }

    fn doctype(&mut self) -> Parsed {
        self.space();
        self.name()?;
        self.space();
        if self.take("SYSTEM") {
            self.may_declare_more = true;
            self.literal()?;
        } else if self.take("PUBLIC") {
            self.may_declare_more = true;
            self.literal()?;
            self.literal()?;
        }
        self.space();
        if self.take("[") {
            while !self.take("]") {
                if self.take("<!--") {
                    self.comment()?;
                } else if self.take("<?") {
                    self.instruction()?;
                } else if self.take("<!ENTITY") {
                    self.space();
                    if let Ok(name) = self.name() {
                        self.declared.insert(name);
                    } else {
                        self.may_declare_more = true;
                    }
                    self.rest_of_markup()?;
                } else if self.take("<!") {
                    self.rest_of_markup()?;
                } else {
                    self.may_declare_more |= self.next()? == '%';
                }
            }
        }
        self.space();
        self.expect(">", "the end of the document type")
    }

    fn literal(&mut self) -> Parsed {
        if !self.space() {
            return self.fail("no space before a literal");
        }
        let quote = if self.take("'") { "'" } else { "\"" };
        if quote == "\"" {
            self.expect("\"", "a literal")?;
        }
        self.until(quote).map(drop)
    }

    fn rest_of_markup(&mut self) -> Parsed {
        loop {
            match self.next()? {
                '>' => return Ok(()),
                '\'' => self.until("'").map(drop)?,
                '"' => self.until("\"").map(drop)?,
                _ => {}
            }
        }
    }

    /// The root element, and all in it.
    fn elements(&mut self) -> Parsed {
        let mut bindings = HashMap::new();
        let mut open: Vec<Open> = Vec::new();
        loop {
            if open.is_empty() && !self.begins("<") {
                return self.fail("no root element");
            }
            if self.take("</") {
                let name = self.name()?;
                self.space();
                self.expect(">", "the end of an end tag")?;
                match open.pop() {
                    Some(element) if element.name == name => bindings = element.outside,
                    _ => return self.fail("another end tag"),
                }
                if open.is_empty() {
                    return Ok(());
                }
            } else if !open.is_empty() && self.take("<!--") {
                self.comment()?;
            } else if !open.is_empty() && self.take("<![CDATA[") {
                self.until("]]>")?;
            } else if !open.is_empty() && self.take("<?") {
                self.instruction()?;
            } else if self.take("<") {
                let outside = bindings.clone();
                let (name, is_empty) = self.start_tag(&mut bindings)?;
                if is_empty {
                    bindings = outside;
                    if open.is_empty() {
                        return Ok(());
                    }
                } else {
                    open.push(Open { name, outside });
                }
            } else if self.begins("]]>") {
                return self.fail("the end of a section");
            } else if self.take("&") {
                self.reference()?;
            } else {
                self.next()?;
            }
        }
    }

    fn start_tag(&mut self, bindings: &mut HashMap<String, String>) -> Parsed<(String, bool)> {
        let name = self.name()?;
        let mut attributes: Vec<(String, String)> = Vec::new();
        let is_empty = loop {
            let is_apart = self.space();
            if self.take(">") {
                break false;
            }
            if self.take("/>") {
                break true;
            }
            if !is_apart {
                return self.fail("no space before an attribute");
            }
            let attribute = self.name()?;
            self.space();
            self.expect("=", "an equals sign")?;
            self.space();
            let value = self.value()?;
            if attributes.iter().any(|(other, _)| *other == attribute) {
                return self.fail("an attribute twice");
            }
            attributes.push((attribute, value));
        };
        self.namespaces(&name, &attributes, bindings)?;
        Ok((name, is_empty))
    }

    fn value(&mut self) -> Parsed<String> {
        let quote = if self.take("'") {
            "'"
        } else {
            self.expect("\"", "a quote")?;
            "\""
        };
        let mut value = String::new();
        while !self.take(quote) {
            if self.take("&") {
                value.extend(self.reference()?);
            } else {
                match self.next()? {
                    '<' => return self.fail("a less-than sign in a value"),
                    c => value.push(c),
                }
            }
        }
        Ok(value)
    }

    /// Reads a reference after its ampersand. An entity that the document declares can be replaced by anything.
    fn reference(&mut self) -> Parsed<Option<char>> {
        if self.take("#") {
            let radix = if self.take("x") { 16 } else { 10 };
            let digits = self.until(";")?;
            let ok = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
            let number = u32::from_str_radix(&digits, radix).ok().filter(|_| ok);
            return match number.and_then(char::from_u32) {
                Some(c) if is_char(c) => Ok(Some(c)),
                _ => self.fail("a reference to no character"),
            };
        }
        let name = self.name()?;
        self.expect(";", "the end of a reference")?;
        match &*name {
            "amp" => Ok(Some('&')),
            "lt" => Ok(Some('<')),
            "gt" => Ok(Some('>')),
            "quot" => Ok(Some('"')),
            "apos" => Ok(Some('\'')),
            _ if self.may_declare_more || self.declared.contains(&name) => Ok(None),
            _ => self.fail("an entity that nobody declares"),
        }
    }

    fn namespaces(
        &self,
        name: &str,
        attributes: &[(String, String)],
        bindings: &mut HashMap<String, String>,
    ) -> Parsed {
        const XML: &str = "http://www.w3.org/XML/1998/namespace";
        const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
        let mut others = Vec::new();
        for (attribute, value) in attributes {
            let (prefix, local) = self.parts(attribute)?;
            let bound = match (prefix, local) {
                ("", "xmlns") => "",
                ("xmlns", local) => local,
                _ => {
                    others.push((prefix, local));
                    continue;
                }
            };
            if bound == "xmlns"
                || value == XMLNS
                || (bound == "xml") != (value == XML)
                || (!bound.is_empty() && value.is_empty())
            {
                return self.fail("a declaration of a namespace");
            }
            bindings.insert(bound.to_owned(), value.clone());
        }
        let resolve = |prefix: &str| match prefix {
            "xml" => Some(XML.to_owned()),
            prefix => bindings.get(prefix).cloned(),
        };
        let (prefix, _) = self.parts(name)?;
        if !prefix.is_empty() && resolve(prefix).is_none() {
            return self.fail("a prefix that is not declared");
        }
        let mut seen = HashSet::new();
        for (prefix, local) in others {
            if prefix.is_empty() {
                continue;
            }
            match resolve(prefix) {
                None => return self.fail("an attribute's prefix that is not declared"),
                Some(uri) if !seen.insert((uri.clone(), local)) => {
                    return self.fail("an attribute twice");
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The prefix of a name and the rest.
    fn parts<'n>(&self, name: &'n str) -> Parsed<(&'n str, &'n str)> {
        let (prefix, local) = match name.split_once(':') {
            None => return Ok(("", name)),
            Some(parts) => parts,
        };
        let ok = |part: &str| part.starts_with(starts_name) && !part.contains(':');
        if ok(prefix) && ok(local) {
            Ok((prefix, local))
        } else {
            self.fail("a name with a colon")
        }
    }
}

fn is_char(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// The productions of XML 1.0, fifth edition.
fn starts_name(c: char) -> bool {
    matches!(c as u32, 0x3A | 0x41..=0x5A | 0x5F | 0x61..=0x7A | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x2FF
        | 0x370..=0x37D | 0x37F..=0x1FFF | 0x200C..=0x200D | 0x2070..=0x218F | 0x2C00..=0x2FEF
        | 0x3001..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFFD | 0x10000..=0xEFFFF)
}

fn goes_on(c: char) -> bool {
    starts_name(c)
        || matches!(c as u32, 0x2D | 0x2E | 0x30..=0x39 | 0xB7 | 0x0300..=0x036F | 0x203F..=0x2040)
}
