//! The plain parser against the general one: a comment after an entry's start tag keeps the plain parser out of it.

use quick_sitemap::{Issue, Violation};

use super::reading::walk;
use crate::common::{Said, Shown, lenient, read};

const COMMENT: &str = "<!---->";

/// Roots, and what closes them.
const ROOTS: [(&str, &str); 6] = [
    (
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:x=\"urn:x\">",
        "</urlset>",
    ),
    (
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">",
        "</urlset>",
    ),
    (
        "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"urn:x\">",
        "</sitemapindex>",
    ),
    (
        "<urlset xmlns:image=\"https://www.google.com/schemas/sitemap-image/1.1/\" xmlns:x=\"\" xmlns:s=\"http://www.google.com/schemas/sitemap/0.9\">",
        "</urlset>",
    ),
    (
        "<URLSET xmlns=\"http://www.google.com/schemas/sitemap/0.84\" xmlns:s=\"http://www.google.com/schemas/sitemap/0.84\" \
         xmlns:image=\"urn:i\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">",
        "</URLSET>",
    ),
    (
        "<s:urlset xmlns:s=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns=\"urn:d\" \
         xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1\">",
        "</s:urlset>",
    ),
];

/// Both paths return the same entries, raw and typed, with the same issues and positions.
pub fn same(head: u8, body: &str) {
    let Some(starts) = starts(body) else {
        return;
    };
    let (open, close) = ROOTS[usize::from(head) % ROOTS.len()];
    let mut one = open.to_owned();
    // Now and then the entries lie across the end of a window.
    if head >= 0xF4 {
        one += &format!("<!--{}-->", "a".repeat((64 << 10) - body.len() / 2));
    }
    let mut other = one.clone();
    let mut marks = Vec::new();
    let mut rest = 0;
    for start in starts {
        marks.push(one.len() + start);
        other += &body[rest..start];
        other += COMMENT;
        rest = start;
    }
    other += &body[rest..];
    one += body;
    if !head.is_multiple_of(5) {
        one += close;
        other += close;
    }
    compare(&one, &other, &marks);
}

/// The ends of the start tags of entries, or `None` if a simple search cannot find them.
fn starts(body: &str) -> Option<Vec<usize>> {
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(found) = body[at..].find('<') {
        at += found;
        let rest = &body[at..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>")];
        let skipped = skipped.iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = skipped {
            let len = rest[open.len()..].find(close)?;
            if rest[open.len()..][..len].contains('<') {
                return None;
            }
            at += open.len() + len + close.len();
            continue;
        }
        if rest.starts_with("<!") || rest.starts_with("<?") {
            return None;
        }
        let start = ["<url>", "<sitemap>"]
            .iter()
            .find(|start| rest.starts_with(**start));
        at += start.map_or(1, |start| start.len());
        if start.is_some() {
            starts.push(at);
        }
    }
    Some(starts)
}

fn compare(one: &str, other: &str, marks: &[usize]) {
    let back = |byte: u64| {
        let mut comments = 0;
        for (i, mark) in marks.iter().enumerate() {
            let mark = (mark + i * COMMENT.len()) as u64;
            comments += byte.saturating_sub(mark).min(COMMENT.len() as u64);
        }
        byte - comments
    };
    let fast = read(&lenient(), one.as_bytes());
    let slow = read(&lenient(), other.as_bytes());
    let pairs = fast.said.iter().zip(&slow.said);
    let same = pairs.take_while(|(a, b)| alike(a, b, &back)).count();
    assert!(
        same == fast.said.len() && same == slow.said.len() && fast.format == slow.format,
        "the paths differ\nin       {}\nfast     {:?}\ngeneral  {:?}",
        Shown(one.as_bytes()),
        fast.said.get(same),
        slow.said.get(same),
    );
    let (fast, slow) = (lines(one), lines(other));
    let same = fast.iter().zip(&slow).take_while(|(a, b)| a == b).count();
    assert!(
        same == fast.len() && same == slow.len(),
        "the paths differ, raw\nin       {}\nfast     {:?}\ngeneral  {:?}",
        Shown(one.as_bytes()),
        fast.get(same),
        slow.get(same),
    );
}

fn alike(fast: &Said, slow: &Said, back: &impl Fn(u64) -> u64) -> bool {
    match (fast, slow) {
        (Said::Issue(a), Said::Issue(b)) => {
            let same = |of: fn(&Issue) -> u64| of(a) == of(b);
            a.effect == b.effect
                && alike_violations(&a.violation, &b.violation)
                && same(|issue| issue.position.entry())
                && a.position.byte() == back(b.position.byte())
        }
        (Said::Error(a), Said::Error(b)) => a.kind == b.kind && a.fatal == b.fatal,
        _ => fast == slow,
    }
}

/// The quoted text can contain the comments.
fn alike_violations(fast: &Violation, slow: &Violation) -> bool {
    let found = slow.found().replace(COMMENT, "");
    let is_cut = slow.found().chars().count() == 80;
    let cut = (1..COMMENT.len())
        .rev()
        .find_map(|n| found.strip_suffix(&COMMENT[..n]));
    let cut = cut.unwrap_or(&found);
    fast.rule() == slow.rule() && (fast.found() == found || is_cut && fast.found().starts_with(cut))
}

/// The raw entries, in words.
fn lines(text: &str) -> Vec<String> {
    let mut reader = lenient().build(text.as_bytes());
    let mut lines = Vec::new();
    loop {
        match reader.read_raw() {
            Ok(Some(raw)) => walk(raw, &mut |line| lines.push(line)),
            Ok(None) => return lines,
            Err(error) => lines.push(format!("{:?}", error.kind())),
        }
    }
}
