//! The strict reader itself: it reads the text piece by piece.

#[cfg(test)]
mod tests;

use std::mem;

use memchr::{memchr, memchr2, memchr3};

use super::declaration;
use super::place::Place;
use super::shape::Shape;
use super::step::{MOST_BYTES, Step, Stop, fault};
use super::syntax::{Scanner, forbidden, is_space, shown};
use super::tag::{Tag, TagReader};

/// Levels of elements beyond which there is no verdict.
const MOST_LEVELS: usize = 2_048;

/// The reason of a fault that depends on the encoding.
pub(crate) const BAD_BYTES: &str = "bytes that are not in the encoding of the document";

/// The result of reading a document, or as much of it as there was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verdict {
    #[default]
    WellFormed,
    /// Not well-formed at this place.
    Broken(Fault),
    /// A bound ended the reading; which one.
    Undecided(&'static str),
}

/// The first place at which a document is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    /// In plain words.
    pub(crate) reason: String,
    /// Entries that end before the place.
    pub(crate) entries: u64,
    /// The place is in an entry.
    pub(crate) is_in_entry: bool,
}

/// The construct that the text is in, if it is not that of elements. Each can be longer than a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Content,
    Comment,
    CData,
    Instruction,
    /// The internal subset of the document type declaration.
    Subset,
    /// A declaration in it.
    Markup,
    /// A literal in that, in this quote.
    Literal(u8),
}

/// Reads a document piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    /// Text that waits for its continuation.
    held: String,
    /// The length of `held` from which on it is read again. It doubles, so that tiny pieces take linear time.
    retry: usize,
    /// The place up to which lines have been counted, and how far it is in the current text.
    counted: (Place, usize),
    within: Within,
    /// That is in the internal subset of the document type declaration.
    in_subset: bool,
    /// The start of the construct: that of the declaration in its subset.
    begun: Place,
    /// The names of the open elements, and the end of each name.
    names: String,
    open: Vec<usize>,
    tags: TagReader,
    has_root: bool,
    has_doctype: bool,
    /// The name of the elements that are entries, once it is known.
    entry: String,
    entries: u64,
    shape: Shape,
    verdict: Verdict,
}

impl Parser {
    /// The verdict on the text so far, as far as it has been read.
    pub(crate) fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Reads the next piece of the text.
    pub(crate) fn push(&mut self, piece: &str) {
        if self.verdict != Verdict::WellFormed {
            return;
        }
        match forbidden(piece) {
            None => self.push_allowed(piece),
            Some((at, c)) => {
                self.push_allowed(piece.get(..at).unwrap_or_default());
                self.reject(&format!(
                    "the character U+{:04X}, which XML does not have",
                    u32::from(c)
                ));
            }
        }
    }

    /// The text contains bytes here that are not in its encoding.
    pub(crate) fn push_bad_bytes(&mut self) {
        self.reject(BAD_BYTES);
    }

    /// Reads all text that can be judged without its continuation.
    pub(crate) fn settle(&mut self) {
        self.retry = 0;
        self.push_allowed("");
    }

    /// The document ends here.
    pub(crate) fn finish(&mut self) {
        self.settle();
        if self.verdict != Verdict::WellFormed {
            return;
        }
        let (tag, end) = (self.counted.0, self.counted.0.after(&self.held));
        let (place, reason) = match (self.within, self.held.as_bytes(), self.innermost()) {
            (Within::Content, [b'<', ..], _) => (tag, "a tag without its end"),
            (Within::Content, [b'&', ..], _) => (tag, "a reference without its end"),
            (Within::Content, _, Some(name)) => {
                let reason = format!("element {} without its end tag", shown(name));
                self.verdict = self.broken(end, reason);
                return;
            }
            (Within::Content, ..) if self.has_root => return,
            (Within::Content, ..) => (end, "there is no root element"),
            (Within::Comment, ..) => (self.begun, "a comment without its end"),
            (Within::CData, ..) => (self.begun, "a CDATA section without its end"),
            (Within::Instruction, ..) => (self.begun, "a processing instruction without its end"),
            _ => (self.begun, "a document type declaration without its end"),
        };
        self.verdict = self.broken(place, reason.to_owned());
    }

    /// Reads text without forbidden characters.
    fn push_allowed(&mut self, piece: &str) {
        if self.verdict != Verdict::WellFormed {
            return;
        }
        if self.held.is_empty() {
            let used = self.read(piece);
            self.held.push_str(piece.get(used..).unwrap_or_default());
        } else {
            self.held.push_str(piece);
            if self.held.len() < self.retry {
                return;
            }
            let mut held = mem::take(&mut self.held);
            let used = self.read(&held);
            held.drain(..used);
            self.held = held;
        }
        self.retry = 2 * self.held.len();
        if self.held.len() > MOST_BYTES && self.verdict == Verdict::WellFormed {
            self.verdict = Verdict::Undecided("a tag has more than 2 MiB");
        }
    }

    /// The text after what has been pushed is the first fault, unless there is one before it.
    fn reject(&mut self, reason: &str) {
        self.settle();
        if self.verdict == Verdict::WellFormed {
            let place = self.counted.0.after(&self.held);
            self.verdict = self.broken(place, reason.to_owned());
        }
    }

    fn broken(&self, place: Place, reason: String) -> Verdict {
        let mut start = 0;
        let is_in_entry = self.open.iter().any(|end| {
            let name = self.names.get(mem::replace(&mut start, *end)..*end);
            !self.entry.is_empty() && name == Some(&self.entry)
        });
        Verdict::Broken(Fault {
            place,
            reason,
            entries: self.entries,
            is_in_entry,
        })
    }

    /// Reads a text as far as possible, and returns its length.
    fn read(&mut self, text: &str) -> usize {
        let mut s = Scanner { text, at: 0 };
        self.counted.1 = 0;
        self.shape.abandon();
        let mut used = 0;
        while s.at < text.len() {
            match self.step(&mut s, &mut used) {
                Ok(()) => used = s.at,
                Err(Stop::More) => break,
                Err(Stop::Fault(at, reason)) => {
                    let place = self.count(text, at);
                    self.verdict = self.broken(place, reason);
                    break;
                }
                Err(Stop::Bound(which)) => {
                    self.verdict = Verdict::Undecided(which);
                    break;
                }
            }
        }
        self.count(text, used);
        used
    }

    /// Counts lines up to a place of the current text.
    fn count(&mut self, text: &str, at: usize) -> Place {
        let (place, counted) = self.counted;
        if let Some(passed) = text.get(counted..at) {
            self.counted = (place.after(passed), at);
        }
        self.counted.0
    }

    /// One step from the place on. `used` is moved on over text that need not be read again.
    #[inline]
    fn step(&mut self, s: &mut Scanner<'_>, used: &mut usize) -> Step {
        match self.within {
            Within::Content if s.peek()? == b'<' => self.markup(s),
            Within::Content if self.open.is_empty() => self.outside(s),
            Within::Content => self.text(s, used),
            Within::Comment => self.comment(s, used),
            Within::CData => self.until(s, used, "]]>", Within::Content),
            Within::Instruction => self.until(s, used, "?>", self.around()),
            Within::Subset | Within::Markup | Within::Literal(_) => self.subset(s, used),
        }
    }

    /// Text in an element, up to the next markup.
    #[inline]
    fn text(&mut self, s: &mut Scanner<'_>, used: &mut usize) -> Step {
        // Between two tags there is mostly nothing else.
        s.space();
        let (start, bytes) = (s.at, s.text.as_bytes());
        if bytes.get(start) == Some(&b'<') {
            return Ok(());
        }
        loop {
            let Some(next) = memchr3(b'<', b'&', b'>', s.rest().as_bytes()) else {
                let rest = s.rest();
                let end = rest.trim_end_matches(']').len();
                *used = s.at + end.max(rest.len().saturating_sub(2));
                return Err(Stop::More);
            };
            s.at += next;
            match bytes.get(s.at) {
                Some(b'<') => {
                    self.shape.part(start, s.at);
                    return Ok(());
                }
                Some(b'&') => {
                    *used = s.at;
                    s.reference(self.has_doctype)?;
                }
                _ if bytes
                    .get(..s.at)
                    .is_some_and(|before| before.ends_with(b"]]")) =>
                {
                    return fault(s.at - 2, "`]]>` in a text");
                }
                _ => s.at += 1,
            }
        }
    }

    /// White space before or after the root element.
    fn outside(&self, s: &mut Scanner<'_>) -> Step {
        s.space();
        match s.peek() {
            Err(_) | Ok(b'<') => Ok(()),
            Ok(_) if self.has_root => fault(s.at, "text after the root element"),
            Ok(_) => fault(s.at, "text before the root element"),
        }
    }

    /// The markup that begins here.
    #[inline]
    fn markup(&mut self, s: &mut Scanner<'_>) -> Step {
        match s.text.as_bytes().get(s.at + 1) {
            None => Err(Stop::More),
            Some(b'/') => self.end_tag(s),
            Some(b'?') => self.instruction(s),
            Some(b'!') => self.declaration(s),
            Some(_) if self.has_root && self.open.is_empty() => {
                fault(s.at, "markup after the root element")
            }
            Some(_) => {
                let start = s.at;
                if self.open.len() == 1
                    && matches!(self.shape.passes(s, self.has_doctype), Ok(true))
                {
                    self.entries += 1;
                    return Ok(());
                }
                s.at = start;
                let tag = self.tags.read(s, self.open.len(), self.has_doctype)?;
                self.start(s, &tag, start)
            }
        }
    }

    /// A start tag has been read, which begins at `start`.
    #[inline]
    fn start(&mut self, s: &Scanner<'_>, tag: &Tag, start: usize) -> Step {
        self.has_root = true;
        let name = s.name_of(tag.name);
        if self.entry.is_empty() {
            self.find_entry(s, tag);
        }
        let is_entry = name == self.entry;
        if is_entry && self.open.len() == 1 && !tag.is_empty {
            self.shape.begin(start);
        } else if is_entry {
            self.shape.abandon();
        }
        for (start, end) in self.tags.values() {
            self.shape.part(start, end);
        }
        if tag.is_empty {
            self.tags.leave(self.open.len());
            self.entries += u64::from(is_entry);
            return Ok(());
        }
        if self.open.len() >= MOST_LEVELS || self.names.len() + name.len() > MOST_BYTES {
            return Err(Stop::Bound(
                "elements are nested more than 2,048 levels deep, or their names have more than 2 MiB",
            ));
        }
        self.names.push_str(name);
        self.open.push(self.names.len());
        Ok(())
    }

    /// The root of a sitemap or a feed determines what an entry is.
    fn find_entry(&mut self, s: &Scanner<'_>, tag: &Tag) {
        let local = s.local_of(tag.name);
        let entry = match local.to_ascii_lowercase().as_str() {
            "urlset" => "url",
            "sitemapindex" => "sitemap",
            "feed" => "entry",
            _ if matches!(local, "rss" | "RDF") => "item",
            _ => return,
        };
        // RSS 1.0 has a prefix for RDF alone.
        let colon = tag.name.colon.filter(|_| local != "RDF");
        let prefix = colon.map_or("", |colon| s.part(tag.name.start, colon + 1));
        self.entry = format!("{prefix}{entry}");
    }

    /// The name of the innermost open element.
    #[inline]
    fn innermost(&self) -> Option<&str> {
        let (end, around) = self.open.split_last()?;
        self.names.get(around.last().copied().unwrap_or(0)..*end)
    }

    #[inline]
    fn end_tag(&mut self, s: &mut Scanner<'_>) -> Step {
        let start = s.at;
        s.at += 2;
        let Some(open) = self.innermost() else {
            return fault(start, "an end tag outside of all elements");
        };
        let rest = s.rest().strip_prefix(open);
        if rest.is_some_and(|rest| rest.starts_with('>')) {
            // In nearly all end tags.
            s.at += open.len() + 1;
        } else {
            let name = s.name()?.map(|name| s.name_of(name));
            if let Some(name) = name {
                s.space();
                s.peek()?;
                if name != open {
                    let (name, open) = (shown(name), shown(open));
                    return fault(start, format!("the end tag of {name} in element {open}"));
                }
            }
            if name.is_none() || !s.take_byte(b'>')? {
                return fault(s.at, format!("an end tag that is not `</{}>`", shown(open)));
            }
        }
        let (is_entry, outer) = (open == self.entry, self.names.len() - open.len());
        self.entries += u64::from(is_entry);
        self.names.truncate(outer);
        self.open.pop();
        self.tags.leave(self.open.len());
        if is_entry && self.open.len() == 1 {
            self.shape.end(s.text, s.at);
        }
        Ok(())
    }

    /// `<!`: a comment, a CDATA section or the document type declaration.
    fn declaration(&mut self, s: &mut Scanner<'_>) -> Step {
        let start = s.at;
        if s.take("<!--")? {
            self.enter(s, start, Within::Comment);
        } else if !self.open.is_empty() && s.take("<![CDATA[")? {
            self.enter(s, start, Within::CData);
        } else if !self.has_root && !self.has_doctype && s.take("<!DOCTYPE")? {
            let has_subset = declaration::doctype(s)?;
            self.has_doctype = true;
            if has_subset {
                self.enter(s, start, Within::Subset);
            }
        } else {
            return fault(start, "a `<!` that begins nothing that can be here");
        }
        Ok(())
    }

    /// A processing instruction, or the XML declaration.
    fn instruction(&mut self, s: &mut Scanner<'_>) -> Step {
        let start = s.at;
        s.at += 2;
        let Some(name) = s.any_name()? else {
            return fault(start, "a processing instruction without a name");
        };
        let (text, next) = (s.name_of(name), s.peek()?);
        if text == "xml" && is_space(next) && start == 0 && self.counted.0.byte == 0 {
            return declaration::xml_declaration(s);
        }
        if text == "xml" {
            return fault(start, "an XML declaration after the start of the document");
        }
        let text = shown(text);
        if text.eq_ignore_ascii_case("xml") || name.colon.is_some() {
            let reason = format!("a processing instruction cannot have the name {text}");
            return fault(start, reason);
        }
        if is_space(next) {
            self.enter(s, start, Within::Instruction);
        } else if !s.take("?>")? {
            let reason = format!("no white space after the name of processing instruction {text}");
            return fault(s.at, reason);
        }
        Ok(())
    }

    /// A construct begins at `start`.
    fn enter(&mut self, s: &Scanner<'_>, start: usize, within: Within) {
        if self.within == Within::Content {
            self.begun = self.count(s.text, start);
        }
        self.in_subset = self.within == Within::Subset;
        self.within = within;
    }

    /// The construct around a comment or a processing instruction.
    fn around(&self) -> Within {
        if self.in_subset {
            Within::Subset
        } else {
            Within::Content
        }
    }

    fn comment(&mut self, s: &mut Scanner<'_>, used: &mut usize) -> Step {
        let Some(at) = s.rest().find("--") else {
            *used = s.at + s.rest().strip_suffix('-').unwrap_or(s.rest()).len();
            return Err(Stop::More);
        };
        s.at += at;
        *used = s.at;
        if !s.take("-->")? {
            return fault(s.at, "`--` in a comment");
        }
        self.within = self.around();
        Ok(())
    }

    /// Passes everything up to and including `end`.
    fn until(&mut self, s: &mut Scanner<'_>, used: &mut usize, end: &str, then: Within) -> Step {
        let rest = s.rest();
        match rest.find(end) {
            Some(at) => {
                s.at += at + end.len();
                self.within = then;
                Ok(())
            }
            None => {
                let last = end.as_bytes().first().copied().unwrap_or_default();
                let kept = rest
                    .bytes()
                    .rev()
                    .take(end.len() - 1)
                    .take_while(|b| *b == last);
                *used = s.at + rest.len() - kept.count();
                Err(Stop::More)
            }
        }
    }

    /// The internal subset of the document type declaration, in which only brackets, quotes and comments matter.
    fn subset(&mut self, s: &mut Scanner<'_>, used: &mut usize) -> Step {
        let rest = s.rest().as_bytes();
        let next = match self.within {
            Within::Literal(quote) => memchr(quote, rest),
            Within::Markup => memchr3(b'>', b'"', b'\'', rest),
            _ => memchr2(b']', b'<', rest),
        };
        s.at += next.unwrap_or(rest.len());
        *used = s.at;
        let start = s.at;
        self.within = match (self.within, s.peek()?) {
            (Within::Literal(_), _) => Within::Markup,
            (Within::Markup, b'>') => Within::Subset,
            (Within::Markup, quote) => Within::Literal(quote),
            (_, b']') => {
                s.at += 1;
                declaration::end_of_doctype(s)?;
                self.within = Within::Content;
                return Ok(());
            }
            _ if s.take("<!--")? => {
                self.enter(s, start, Within::Comment);
                return Ok(());
            }
            _ if s.take("<?")? => {
                s.at = start;
                return self.instruction(s);
            }
            _ if s.take("<!")? => Within::Markup,
            _ => {
                let reason =
                    "a `<` that begins nothing that a document type declaration can contain";
                return fault(start, reason);
            }
        };
        // The quote, or the bracket.
        s.at = s.at.max(start + 1);
        Ok(())
    }
}
