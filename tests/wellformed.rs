//! A document that an XML parser rejects is never read without an issue, and an accepted one has no issue that breaks
//! XML.
//!
//! The reference is the independent parser in `common/wellformed.rs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]

mod common;

use common::{read, wellformed};
use proptest::prelude::*;
use quick_sitemap::{Policy, ReaderBuilder};

const X: &str = "https://example.com/x";

/// Returns `true` if an issue of the document breaks XML, or the document ends with a fatal error; and the first issue.
fn is_rejected(text: &str) -> bool {
    let outcome = read(&ReaderBuilder::new(), text.as_bytes());
    let breaks_xml = outcome
        .issues()
        .iter()
        .any(|issue| issue.violation.breaks_xml());
    for policy in [Policy::STRICT, Policy::WELL_FORMED] {
        let raised = read(&ReaderBuilder::new().policy(policy), text.as_bytes());
        let is_error = !raised.errors().is_empty();
        assert!(is_error || !breaks_xml, "{policy:?} accepts {text}");
    }
    breaks_xml || outcome.fatal() != "none"
}

/// `¦` is a place where the document is damaged; each place is tried alone, with the other marks removed.
fn damaged(document: &str, damage: &str) -> Vec<String> {
    let parts: Vec<&str> = document.split('¦').collect();
    (1..parts.len())
        .map(|place| parts[..place].concat() + damage + &parts[place..].concat())
        .collect()
}

/// Documents with marks in every kind of place: between and in entries, values, skipped and foreign elements, feeds.
const DOCUMENTS: [&str; 4] = [
    "<?xml version=\"1.0\"?>¦<!-- a -->¦<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:x=\"urn:x\">¦\
     <url>¦<loc>https://example.com/x</loc>¦<x:a><x:b>t¦</x:b>¦</x:a></url>¦<unknown>t¦<z/>¦</unknown>¦</urlset>¦\n<!-- -->¦",
    "<rss version=\"2.0\"><channel>¦<title>t¦</title>¦<item>¦<link>https://example.com/x</link><description>d¦</description>¦</item>¦</channel>¦</rss>¦",
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">¦<title>t¦</title><entry>¦<link href=\"https://example.com/x\"/><summary>s¦</summary>¦</entry>¦</feed>¦",
    "<wrapper>¦<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://example.com/x</loc></url>¦</urlset>¦</wrapper>¦",
];

#[test]
fn what_xml_forbids_is_rejected_wherever_it_stands() {
    for damage in [
        "<!-- a -- b -->",
        "<!-- a --->",
        "<!-- \u{1} -->",
        "<? a?>",
        "<??>",
        "<?1?>",
        "<?a:b?>",
        "<?xml version=\"1.0\"?>",
        "<?XML a?>",
        "<? xml version=\"1.0\"?>",
        "<?a\"b\"?>",
        "<?a \u{B}?>",
        "<a:/>",
        "<:a/>",
        "<a:b:c/>",
        "<undeclared:a/>",
        "<a undeclared:b=\"\"/>",
        "<a b=\"1\" b=\"2\"/>",
        "<a xmlns:b=\"u\" xmlns:c=\"u\" b:d=\"1\" c:d=\"2\"/>",
        "<a b=\"1\"c=\"2\"/>",
        "<a b=1/>",
        "<a b/>",
        "<a xmlns:b=\"\"/>",
        "<a b=\"&\"/>",
        "<a b=\"&nbsp;\"/>",
        "<a b=\"\u{1}\"/>",
        "<a \u{D7}=\"1\"/>",
        "<a\u{D7}/>",
        "</a>",
        "<a>",
        "<a></A>",
        "< a",
        "<<<<<<< HEAD\n",
        "<!DOCTYPE a><!DOCTYPE b>",
        "<!doctype a>",
        "]]>",
        "&",
        "& b",
        "&amp",
        "&nbsp;",
        "&#0;",
        "&#X41;",
        "&#x110000;",
        "\u{1}",
        "\u{B}",
        "\u{FFFE}",
    ] {
        for document in DOCUMENTS {
            for text in damaged(document, damage) {
                assert!(
                    wellformed::check(&text).is_err(),
                    "the judge accepts {text}"
                );
                assert!(is_rejected(&text), "{damage} is accepted in {text}");
            }
        }
    }
}

#[test]
fn what_xml_allows_breaks_nothing() {
    for sound in [
        "<!-- a - b -->",
        "<!---->",
        "<?a?>",
        "<?a b??>",
        "<?xml-stylesheet href=\"a\"?>",
        "<?é ?>",
        "\n\t ",
    ] {
        for document in DOCUMENTS {
            for text in damaged(document, sound) {
                assert_eq!(wellformed::check(&text), Ok(()), "{text}");
                let outcome = read(&ReaderBuilder::new(), text.as_bytes());
                let issues = outcome.issues();
                let breaks_xml = issues.iter().find(|issue| issue.violation.breaks_xml());
                assert_eq!(breaks_xml, None, "{sound} in {text}");
            }
        }
    }
}

#[test]
fn the_declaration() {
    let root = common::urlset(&common::url(X));
    for (declaration, is_sound) in [
        ("<?xml version=\"1.0\"?>", true),
        (
            "<?xml version='1.1' encoding='utf-8' standalone='no' ?>",
            true,
        ),
        ("<?xml encoding=\"utf-8\"?>", false),
        ("<?xml version=\"2.0\"?>", false),
        (
            "<?xml version=\"1.0\" standalone=\"yes\" encoding=\"utf-8\"?>",
            false,
        ),
        ("<?xml version=\"1.0\"encoding=\"utf-8\"?>", false),
        ("<?xml version=1.0?>", false),
        ("<?xml version=\u{201C}1.0\u{201D}?>", false),
        ("<?xml version=\"1.0\" encodnig=\"utf-8\"?>", false),
        ("<?xml version=\"1.0\">", false),
        (" <?xml version=\"1.0\"?>", false),
        ("<?xml version=\"1.0\"?><?xml version=\"1.0\"?>", false),
    ] {
        let text = format!("{declaration}{root}");
        assert_eq!(wellformed::check(&text).is_ok(), is_sound, "{text}");
        assert_eq!(is_rejected(&text), !is_sound, "{text}");
        assert_eq!(common::read_slice(&text).locs(), [X], "{text}");
    }
}

#[test]
fn entities_that_the_document_declares() {
    let root = common::urlset("<url><loc>https://example.com/x</loc></url><a>&b;</a>");
    for (doctype, is_sound) in [
        ("<!DOCTYPE urlset [<!ENTITY b \"c\">]>", true),
        (
            "<!DOCTYPE urlset [<!ENTITY d \"\"><!ENTITY c \"\"><!ENTITY b \"\"><!ENTITY a \"\">]>",
            true,
        ),
        ("<!DOCTYPE urlset SYSTEM \"x.dtd\">", true),
        ("<!DOCTYPE urlset PUBLIC \"x\" \"x.dtd\">", true),
        ("<!DOCTYPE urlset [<!ENTITY c \"b\">]>", false),
        ("<!DOCTYPE urlset>", false),
        ("", false),
    ] {
        let text = format!("{doctype}{root}");
        assert_eq!(wellformed::check(&text).is_ok(), is_sound, "{text}");
        assert_eq!(is_rejected(&text), !is_sound, "{text}");
    }
}

/// A violation that is common to many documents is reported once.
#[test]
fn violations_of_one_kind_that_nobody_interprets_are_one_issue() {
    for piece in [
        "<!-- -- -->",
        "<x>&nbsp;</x>",
        "<x>]]></x>",
        "<x y:z=\"\"/>",
        "<?1?>",
    ] {
        let text = format!("<rss><channel>{}</channel></rss>", piece.repeat(50));
        let outcome = common::read_slice(&text);
        assert_eq!(outcome.issues().len(), 1, "{piece}");
    }
}

proptest! {
    /// The plain parser reads only what is well-formed, and so is everything that is read without an issue that breaks XML.
    #[test]
    fn damage_is_noticed_and_nothing_else_is(
        document in 0..DOCUMENTS.len(),
        damages in proptest::collection::vec((any::<prop::sample::Index>(), 0..3_usize, "([<>&'\"=/?!:;\\[\\]\\-# xa0\u{1}\u{D7}]|<a>|</a>|<!--|-->|]]>|<\\?|\\?>|&#|<x:|xmlns:|<!\\[CDATA\\[){0,3}"), 1..3),
    ) {
        let mut chars: Vec<char> = DOCUMENTS[document].chars().filter(|c| *c != '¦').collect();
        for (place, removed, inserted) in damages {
            let at = place.index(chars.len());
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, inserted.chars());
        }
        let text: String = chars.into_iter().collect();
        let verdict = wellformed::check(&text);
        let outcome = read(&ReaderBuilder::new(), text.as_bytes());
        let breaks_xml = outcome.issues().iter().any(|issue| issue.violation.breaks_xml());
        let is_rejected = breaks_xml || outcome.fatal() != "none";
        match verdict {
            Err(why) => prop_assert!(is_rejected, "{:?}: {}", why, text),
            Ok(()) => prop_assert!(!breaks_xml, "{}: {:?}", text, outcome.issues()),
        }
    }
}

/// References in an attribute do not hide what else its value may not contain.
#[test]
fn attributes_with_references_are_read_like_others() {
    for damage in ["", "<", "&", "\u{1}", "&nbsp;"] {
        let link = |value: &str| {
            format!(
                "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/?a=1&amp;b={value}\"/>"
            )
        };
        let text = format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\
             <url><loc>{X}</loc>{0}{0}</url><url><loc>{X}</loc>{0}{1}</url></urlset>",
            link("2"),
            link(damage)
        );
        assert_eq!(is_rejected(&text), !damage.is_empty(), "{damage:?}");
    }
}
