//! What the head of an HTML page says of the page's place in an index.

use std::io::{self, Read};
use std::path::Path;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use crate::folder::open_regular;

/// Bytes that are looked at: a head that goes on behind them has said what matters by then, as a rule.
pub(crate) const BOUND: u64 = 256 << 10;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// `<meta name="robots" content="noindex">`, or `none`.
    pub(crate) is_noindex: bool,
    /// The `href` of the first `<link rel="canonical">`.
    pub(crate) canonical: Option<String>,
    /// The `href` of the first `<base>`.
    pub(crate) base: Option<String>,
}

pub(crate) fn read(path: &Path) -> io::Result<Head> {
    let mut beginning = Vec::new();
    open_regular(path)?
        .take(BOUND)
        .read_to_end(&mut beginning)?;
    Ok(head(&beginning))
}

pub(crate) fn head(html: &[u8]) -> Head {
    let mut head = Head::default();
    let mut emitter = DefaultEmitter::default();
    // What scripts, styles and titles hold is no tag.
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => match tag.name.as_slice() {
                b"body" => break,
                b"meta" if attribute(&tag, b"name").is_some_and(|name| is(&name, "robots")) => {
                    let content = attribute(&tag, b"content").unwrap_or_default();
                    head.is_noindex |= content
                        .split(',')
                        .any(|word| is(word, "noindex") || is(word, "none"));
                }
                b"link" if head.canonical.is_none() => {
                    let rel = attribute(&tag, b"rel").unwrap_or_default();
                    if rel.split_ascii_whitespace().any(|rel| is(rel, "canonical")) {
                        head.canonical = attribute(&tag, b"href");
                    }
                }
                b"base" if head.base.is_none() => head.base = attribute(&tag, b"href"),
                _ => {}
            },
            Token::EndTag(tag) if tag.name.as_slice() == b"head" => break,
            _ => {}
        }
    }
    head
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let (_, value) = tag
        .attributes
        .iter()
        .find(|(known, _)| known.as_slice() == name)?;
    Some(String::from_utf8_lossy(value.as_slice()).trim().to_owned())
}

fn is(text: &str, word: &str) -> bool {
    text.trim().eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_and_canonical() {
        let noindex = |html: &str| head(html.as_bytes()).is_noindex;
        assert!(noindex("<META NAME=Robots CONTENT='follow, NoIndex'>"));
        assert!(noindex("<html><head><meta content=none name=robots>"));
        assert!(!noindex("<meta name=robots content='index, follow'>"));
        assert!(!noindex("<meta name=description content=noindex>"));
        assert!(!noindex("<!-- <meta name=robots content=noindex> -->"));
        assert!(!noindex(
            "<script>'<meta name=robots content=noindex>'</script>"
        ));
        assert!(!noindex(
            "<title><meta name=robots content=noindex></title>"
        ));
        assert!(!noindex("<head></head><meta name=robots content=noindex>"));
        assert!(!noindex("<body><meta name=robots content=noindex>"));

        let canonical = |html: &str| head(html.as_bytes()).canonical;
        assert_eq!(
            canonical("<link rel='x Canonical' href=' /a?b=1&amp;c=2 '>").as_deref(),
            Some("/a?b=1&c=2")
        );
        assert_eq!(canonical("<link rel=stylesheet href=/a.css>"), None);
        assert_eq!(head(b"<base href=/x/>").base.as_deref(), Some("/x/"));
    }
}
