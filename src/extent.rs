//! How far what was found reaches in the document.

use crate::violation::QUOTED;

/// The number of bytes from `at` on that `found` stands for: itself, all of a value of which it quotes the beginning or
/// which is written with references, or the beginning of the tag that it names. 0 where only the place is known.
///
/// `text` is the entry, whole; empty outside of entries, where no more than the quotation is sure to be there.
pub(crate) fn extent(text: &str, rest: &str, at: usize, found: &str) -> usize {
    if found.is_empty() {
        return 0;
    }
    let is_cut = || found.chars().count() >= QUOTED;
    let is_there = rest.starts_with(found);
    if is_there && !(is_cut() && text.len() > at) {
        return found.len();
    }
    if let Some(len) = tag(rest, found) {
        return len;
    }
    let whole = match at {
        // An entry of a text sitemap is a line. A limit is not on it.
        0 if is_there && !text.starts_with('<') => line(text),
        0 => None,
        _ => value(text, at),
    };
    match whole {
        Some(len) => len,
        None if is_there => found.len(),
        None => 0,
    }
}

fn line(text: &str) -> Option<usize> {
    let line = text.split(['\n', '\r']).next()?;
    Some(line.trim_end().len())
}

/// `<name` or `</name`, with a prefix or without.
fn tag(rest: &str, found: &str) -> Option<usize> {
    let name = rest.strip_prefix('<')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let end = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '<');
    let name = name.split(end).next()?;
    let local = name.rsplit(':').next()?;
    let start = if rest.starts_with("</") { 2 } else { 1 };
    (name == found || local == found).then_some(start + name.len())
}

/// A value that begins there: an attribute's, a CDATA section's, an element's.
fn value(text: &str, at: usize) -> Option<usize> {
    let (before, rest) = text.split_at_checked(at)?;
    let before = before.trim_end();
    let whole = if let Some(quote) = before
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))
    {
        rest.split_once(quote)?.0
    } else if before.ends_with("<![CDATA[") {
        rest.split_once("]]>")?.0
    } else if before.ends_with('>') {
        rest.split_once('<')?.0
    } else {
        return None;
    };
    Some(whole.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::extent;

    #[test]
    fn what_is_underlined() {
        let long = "x".repeat(200);
        let cut: String = long.chars().take(80).collect();
        let long_tag = format!("<url {long}\n</url>");
        for (before, span, after, found) in [
            ("<url><loc>", "nonsense", "</loc></url>", "nonsense"),
            ("<url><loc> ", long.as_str(), " </loc></url>", cut.as_str()),
            (
                "<url><loc>",
                "https://e.com/?a&amp;é",
                "\n</loc></url>",
                "https://e.com/?a&é",
            ),
            ("<url><loc><![CDATA[", "https://e.com/é", "]]></loc>", "é"),
            ("<url><x a=\"", "b&amp;c", "\"/>", "b&c"),
            ("", "<url", "><lastmod/></url>", "url"),
            ("<url>", "<image:image", "/></url>", "image"),
            ("<url>", "</image:image", "></url>", "image:image"),
            ("<url><loc>https://e.com/?a", "&", "b</loc></url>", "&"),
            ("", long.as_str(), "\nhttps://e.com/\n", cut.as_str()),
            ("<url>", "", "<loc>a</loc></url>", "nowhere"),
            ("", "", "https://e.com/\n", "line"),
            ("", &long_tag[..80], &long_tag[80..], &long_tag[..80]),
            ("<url>", "", "<loc>a</loc></url>", ""),
        ] {
            let text = format!("{before}{span}{after}");
            let len = extent(&text, &text[before.len()..], before.len(), found);
            assert_eq!(len, span.len(), "{text}");
        }
        // Outside of entries no more than the quotation is there for certain.
        assert_eq!(extent("", &long, 0, &cut), 80);
    }
}
