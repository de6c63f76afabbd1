//! What a sitemap holds besides its entries: comments, processing instructions, elements between the entries. A reader
//! passes over them, so a sitemap that is read and written again would lose them.
//!
//! This looks at the bytes beside the reader, and knows no more of XML than where a tag ends. What is not well-formed
//! the reader reports.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use flate2::write::MultiGzDecoder;
use memchr::memchr;

/// A tag that is longer than this is not looked into.
const LONGEST_TAG: usize = 64 << 10;

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Remarks {
    /// The first thing that would be lost.
    pub(super) lost: Option<String>,
    /// The href of the style sheet, which can be carried through.
    pub(super) stylesheet: Option<String>,
    state: State,
    depth: usize,
    /// The tag at hand, from behind its `<`.
    tag: Vec<u8>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum State {
    /// Nothing but white space and a mark so far.
    #[default]
    Start,
    /// A text sitemap, at the start of a line or not.
    Text { line_start: bool },
    /// XML, between tags.
    Content,
    /// XML, in a tag, a comment and so on; in a value in quotes.
    Tag { quote: u8 },
}

impl Remarks {
    fn look(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, rest)) = bytes.split_first().filter(|_| self.lost.is_none()) {
            bytes = rest;
            match self.state {
                State::Start => self.start(byte),
                State::Text { line_start } => {
                    if line_start && byte == b'#' {
                        self.lose("a comment");
                    }
                    let line_start = matches!(byte, b'\n' | b'\r');
                    self.state = State::Text { line_start };
                }
                State::Content if byte == b'<' => self.state = State::Tag { quote: 0 },
                State::Content => {
                    let next = memchr(b'<', bytes).unwrap_or(bytes.len());
                    bytes = bytes.get(next..).unwrap_or_default();
                }
                State::Tag { quote } => self.tag(byte, quote),
            }
        }
    }

    fn lose(&mut self, what: impl Into<String>) {
        self.lost.get_or_insert_with(|| what.into());
    }

    fn start(&mut self, byte: u8) {
        match byte {
            b'<' => self.state = State::Tag { quote: 0 },
            0 | 0xFE | 0xFF => self.lose("text in UTF-16"),
            0x1F => self.lose("gzip within gzip"),
            b'#' => self.lose("a comment"),
            // A byte order mark, white space.
            0xEF | 0xBB | 0xBF => {}
            byte if byte.is_ascii_whitespace() => {}
            _ => self.state = State::Text { line_start: false },
        }
    }

    fn tag(&mut self, byte: u8, quote: u8) {
        self.tag.push(byte);
        if self.tag.len() > LONGEST_TAG && !self.tag.starts_with(b"![CDATA[") {
            return self.lose("a tag of more than 64 KiB");
        }
        let is_element = !self.tag.starts_with(b"!") && !self.tag.starts_with(b"?");
        if self.tag == b"!--" {
            self.lose("a comment");
        } else if self.tag.starts_with(b"!D") || self.tag.starts_with(b"!d") {
            self.lose("a document type declaration");
        } else if self.tag.starts_with(b"![CDATA[") {
            if self.tag.ends_with(b"]]>") {
                self.end();
            } else if self.tag.len() > LONGEST_TAG {
                // Only its end matters.
                let text = self.tag.len() - 2;
                self.tag.drain(8..text);
            }
        } else if is_element && quote != 0 {
            if byte == quote {
                self.state = State::Tag { quote: 0 };
            }
        } else if is_element && matches!(byte, b'"' | b'\'') {
            self.state = State::Tag { quote: byte };
        } else if byte == b'>' && (is_element || self.tag.ends_with(b"?>")) {
            self.element();
            self.end();
        }
    }

    fn end(&mut self) {
        self.tag.clear();
        self.state = State::Content;
    }

    /// Looks into a tag that is complete, or into a processing instruction.
    fn element(&mut self) {
        let tag = String::from_utf8_lossy(&self.tag).into_owned();
        let tag = tag.strip_suffix('>').unwrap_or(&tag);
        if tag.starts_with('/') {
            self.depth = self.depth.saturating_sub(1);
            return;
        }
        if let Some(instruction) = tag.strip_prefix('?') {
            return self.instruction(instruction.trim_end_matches('?'));
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.strip_suffix('/').unwrap_or(tag);
        let (name, attributes) = tag
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((tag, ""));
        let (prefix, local) = name.rsplit_once(':').unwrap_or(("", name));
        let is = |names: &[&str]| names.iter().any(|own| local.eq_ignore_ascii_case(own));
        if self.depth == 1 && !is(&["url", "sitemap", "urlset", "sitemapindex"]) {
            self.lose(format!("element `{name}` between the entries"));
        }
        let is_value = prefix.is_empty() && is(&["loc", "lastmod", "changefreq", "priority"]);
        if self.depth < 2 || (self.depth == 2 && is_value) {
            let own = |name: &str| {
                name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xsi:")
            };
            if let Some((attribute, _)) = self::attributes(attributes).find(|(name, _)| !own(name))
            {
                self.lose(format!("attribute `{attribute}` of `{name}`"));
            }
        }
        if !is_empty {
            self.depth += 1;
        }
    }

    fn instruction(&mut self, text: &str) {
        let (target, rest) = text
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((text, ""));
        let attribute = |name: &str| {
            attributes(rest)
                .find(|(own, _)| *own == name)
                .map(|(_, value)| value)
        };
        match target {
            "xml" => {}
            "xml-stylesheet"
                if attribute("type") == Some("text/xsl") && self.stylesheet.is_none() =>
            {
                self.stylesheet = attribute("href").map(unescaped);
            }
            _ => self.lose(format!("processing instruction `{target}`")),
        }
    }
}

/// The attributes in the rest of a tag, each with its value as it is spelt.
fn attributes(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, behind) = behind.get(1..)?.split_once(quote)?;
        rest = behind;
        Some((name.trim(), value))
    })
}

fn unescaped(value: &str) -> String {
    let value = value.replace("&lt;", "<").replace("&gt;", ">");
    let value = value.replace("&quot;", "\"").replace("&apos;", "'");
    value.replace("&amp;", "&")
}

/// Lets a reader through to a sitemap, and looks at what it reads.
pub(super) struct Witness<R> {
    input: R,
    seen: Seen,
    remarks: Rc<RefCell<Remarks>>,
}

enum Seen {
    Nothing,
    Plain,
    Gzip(Box<MultiGzDecoder<Sink>>),
}

/// Where the bytes go once they are unpacked.
struct Sink(Rc<RefCell<Remarks>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().look(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<R: Read> Witness<R> {
    pub(super) fn new(input: R) -> (Self, Rc<RefCell<Remarks>>) {
        let remarks = Rc::default();
        let witness = Self {
            input,
            seen: Seen::Nothing,
            remarks: Rc::clone(&remarks),
        };
        (witness, remarks)
    }
}

impl<R: Read> Read for Witness<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let bytes = buffer.get(..read).unwrap_or_default();
        if let (Seen::Nothing, Some(first)) = (&self.seen, bytes.first()) {
            self.seen = match first {
                0x1F => Seen::Gzip(Box::new(MultiGzDecoder::new(Sink(Rc::clone(
                    &self.remarks,
                ))))),
                _ => Seen::Plain,
            };
        }
        match &mut self.seen {
            Seen::Nothing => {}
            Seen::Plain => self.remarks.borrow_mut().look(bytes),
            // What is wrong with the stream the reader says.
            Seen::Gzip(decoder) => drop(decoder.write_all(bytes).and_then(|()| decoder.flush())),
        }
        Ok(read)
    }
}
