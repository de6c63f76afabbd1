//! The requirements of XML 1.0 and *Namespaces in XML*: documents with a `¦` where they are not well-formed.

use proptest::prelude::*;

use super::*;

/// Reads the pieces one after another.
fn verdict<'t>(pieces: impl IntoIterator<Item = &'t str>) -> Verdict {
    let mut parser = Parser::default();
    for piece in pieces {
        parser.push(piece);
    }
    parser.finish();
    parser.verdict().clone()
}

/// The text in pieces of this number of characters.
fn pieces(text: &str, size: usize) -> Vec<&str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    while let Some((end, _)) = rest.char_indices().nth(size) {
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

/// The line, the column and the reason.
fn read(text: &str) -> Option<(u64, u64, String)> {
    let whole = verdict([text]);
    for size in [1, 2, 3, 7] {
        assert_eq!(
            verdict(pieces(text, size)),
            whole,
            "{text} in pieces of {size}"
        );
    }
    match whole {
        Verdict::WellFormed => None,
        Verdict::Broken(fault) => Some((fault.place.line, fault.place.column, fault.reason)),
        Verdict::Undecided(why) => panic!("{why}: {text}"),
    }
}

#[track_caller]
fn is_broken(marked: &str, reason: &str) {
    let (before, behind) = marked.split_once('¦').unwrap();
    let line = before.matches('\n').count() as u64 + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count() as u64
        + 1;
    let found = read(&format!("{before}{behind}"));
    assert_eq!(found, Some((line, column, reason.to_owned())), "{marked}");
}

/// Lines with a reason, and below each the documents that are broken for it; `\n` is a line feed.
#[track_caller]
fn are_broken(table: &str) {
    let mut reason = "";
    for line in table.lines().skip(1) {
        match line.strip_prefix("    ") {
            Some(document) => is_broken(&document.replace("\\n", "\n"), reason),
            None => reason = line,
        }
    }
}

#[test]
fn well_formed_documents() {
    for text in [
        "<a/>",
        "<a></a >",
        "\n <a\n/>\n",
        "<?xml version='1.0'?><a/>",
        "<?xml version = \"1.1\" encoding='utf-8'\nstandalone=\"no\" ?>\n<a/>",
        "<?xml version='1.0' standalone='yes'?><!-- - --><?b?><!DOCTYPE a><?c d??><a/><!----><?e ?>\n",
        "<a b='1' c=\"'>\" d = '\"'\n/>",
        "<a>]] ]> > ' \" <![CDATA[<&>]] ]]]><![CDATA[]]></a>",
        "<a>&lt;&gt;&amp;&quot;&apos;&#38;&#x10FFFF;&#x9;</a>",
        "<a b='&lt;&#60;'/>",
        "<é:a xmlns:é='u' é:b='1' b='2'><é:c/></é:a>",
        "<a xml:lang='de' xmlns='u' xmlns:b='u' c='1' b:c='2'/>",
        "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>",
        "<a b:c='1' xmlns:b='u'/>",
        "<a xmlns:b='u'><a xmlns:b='v'><b:c/></a><b:c/></a>",
        "<_-.9·/>",
        "<a>\u{FFFD}\u{85}\u{7F}\u{EFFF}\u{10FFFF}</a>",
        "<!DOCTYPE a SYSTEM 'x.dtd'><a>&b;</a>",
        "<!DOCTYPE a PUBLIC \"x\" 'y' [<!ENTITY b ']>'><!-- ]> ' --><?c ]> ?>%d;\n<!ELEMENT a (#PCDATA)>] ><a c='&b;'/>",
        "<!DOCTYPE a [<!ATTLIST a b CDATA \"'\">]><a/>",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn outside_of_the_root() {
    are_broken(
        r#"
there is no root element
    ¦
    <!-- a -->\n¦
text before the root element
    \n ¦a<b/>
    ¦&amp;<a/>
text after the root element
    <a/>\n¦b
markup after the root element
    <a/>\n¦<b/>
an end tag outside of all elements
    <a/>¦</a>
    ¦</a>
a `<!` that begins nothing that can be here
    ¦<![CDATA[]]><a/>
    <a/>¦<![CDATA[]]>
    <a/>¦<!DOCTYPE a>
    <!DOCTYPE a>¦<!DOCTYPE a><a/>
    ¦<!doctype a><a/>
"#,
    );
    is_broken("¦\u{A0}<a/>", "text before the root element");
}

#[test]
fn tags() {
    are_broken(
        r#"
the end tag of c in element a
    <a>\n<b></b>¦</c></a>
the end tag of a in element b
    <a><b>\n¦</a></b>
the end tag of A in element a
    <a>¦</A>
an end tag that is not `</a>`
    <a></a ¦b>
    <a></¦></a>
    <a></¦ a>
    <a></a\n¦<b/>
element b without its end tag
    <a>\n\n<b>\n¦
a tag without its end
    <a>\n¦<b c='>\n
    <a>\n¦</a
a `<` that begins no tag and is not written as `&lt;`
    <a>¦< b/></a>
    <a>1 ¦<2</a>
    <a>\n¦<<<<<<< HEAD\n</a>
    <a>¦<-b/></a>
`<` in a tag
    <a>\n<b¦<c/></a>
`/` in a tag
    <a¦/b>
`×` in a tag
    <a¦×/>
the name `a:` is not a prefix and a name
    <¦a:/>
the name `:a` is not a prefix and a name
    <¦:a/>
the name `a:b:c` is not a prefix and a name
    <¦a:b:c/>
the name `a:1` is not a prefix and a name
    <¦a:1/>
"#,
    );
}

#[test]
fn attributes() {
    are_broken(
        r#"
attribute b a second time
    <a\n b='1'\n ¦b='2'/>
attribute d:c a second time, with another prefix
    <a b:c='' xmlns:b='u' d:e='' xmlns:d='u' ¦d:c=''/>
no white space before attribute c
    <a b='1'¦c='2'/>
attribute b without a value
    <a\n¦b/>
    <a ¦b c='1'/>
the value of attribute b is not in quotes
    <a b=¦1/>
    <a b=¦/>
a `<` in the value of attribute b
    <a b='1\n¦<c d='2'/></a>
an `&` that is not written as `&amp;`
    <a b='¦&'/>
`1` in a tag
    <a ¦1='2'/>
`=` in a tag
    <a b='1' ¦= c/>
"#,
    );
    let many: String = (0..20).map(|n| format!(" a{n}='1'")).collect();
    assert_eq!(read(&format!("<a{many}/>")), None);
    is_broken(&format!("<a{many} ¦a7='1'/>"), "attribute a7 a second time");
}

#[test]
fn namespaces() {
    are_broken(
        r#"
the prefix b is not declared
    <a>\n<¦b:c/></a>
    <a ¦b:c=''/>
the prefix c is not declared
    <a><b xmlns:c='u'/><¦c:d/></a>
    <a><b xmlns:c='u'></b><¦c:d/></a>
xmlns:b cannot be bound to ``
    <a ¦xmlns:b=''/>
xmlns:xmlns cannot be bound to `u`
    <a ¦xmlns:xmlns='u'/>
xmlns:xml cannot be bound to `u`
    <a ¦xmlns:xml='u'/>
xmlns:b cannot be bound to `http://www.w3.org/XML/1998/namespace`
    <a ¦xmlns:b='http://www.w3.org/XML/1998/namespace'/>
xmlns cannot be bound to `http://www.w3.org/2000/xmlns/`
    <a ¦xmlns='http://www.w3.org/2000/xmlns&#x2F;'/>
xmlns cannot be bound to `http://www.w3.org/XML/1998/namespace`
    <a ¦xmlns='http://www.w3.org/XML/1998/namespace'/>
"#,
    );
}

#[test]
fn text_and_references() {
    are_broken(
        r#"
`]]>` in a text
    <a>b¦]]></a>
    <a>]¦]]></a>
an `&` that is not written as `&amp;`, or a reference `&c` without `;`
    <a>?b=1¦&c=2</a>
an `&` that is not written as `&amp;`
    <a>b ¦& c</a>
    <a>¦&;</a>
the entity `&nbsp;` is not declared
    <a>¦&nbsp;</a>
the entity `&AMP;` is not declared
    <a>¦&AMP;</a>
a character reference without its number or its `;`
    <a>¦&#;</a>
    <a>¦&#X41;</a>
    <a>¦&#65 </a>
a reference without its end
    <a>b¦&am
"#,
    );
    for number in ["0", "8", "x0", "xD800", "xFFFE", "x110000", "99999999999"] {
        let reason =
            format!("the reference `&#{number};` is to a character that XML does not have");
        is_broken(&format!("<a>¦&#{number};</a>"), &reason);
    }
    for (c, name) in [
        ("\0", "0000"),
        ("\u{B}", "000B"),
        ("\u{1F}", "001F"),
        ("\u{FFFE}", "FFFE"),
        ("\u{FFFF}", "FFFF"),
    ] {
        let reason = format!("the character U+{name}, which XML does not have");
        for around in [
            "<a>\né@</a>",
            "<a b='@'/>",
            "<a><!--@--></a>",
            "<a @/>",
            "<a/>@",
        ] {
            let marked = around.replace('@', &format!("¦{c}"));
            is_broken(&marked, &reason);
        }
    }
}

#[test]
fn comments_instructions_and_sections() {
    are_broken(
        r#"
`--` in a comment
    <!-- b ¦-- c --><a/>
    <a><!-- b ¦---></a>
a comment without its end
    <a>\n¦<!-- b\n
a tag without its end
    <a>\n¦<!-
a CDATA section without its end
    <a>\n¦<![CDATA[ ]]\n
a processing instruction without its end
    <a>\n¦<?b ?\n
a `<!` that begins nothing that can be here
    <a>¦<!b></a>
    <a>¦<![cdata[]]></a>
a processing instruction without a name
    <a>¦<? b?></a>
    <a>¦<?1?></a>
a processing instruction cannot have the name b:c
    <a>¦<?b:c?></a>
a processing instruction cannot have the name XML
    <a>¦<?XML ?></a>
no white space after the name of processing instruction b
    <a><?b¦"c"?></a>
    <a><?b¦?c?></a>
"#,
    );
}

#[test]
fn declarations() {
    are_broken(
        r#"
an XML declaration after the start of the document
    \n¦<?xml version='1.0'?><a/>
    <?xml version='1.0'?>¦<?xml version='1.0'?><a/>
    ¦<?xml?><a/>
the XML declaration does not begin with a version
    <?xml¦ ?><a/>
    <?xml¦ encoding='utf-8'?><a/>
`2.0` is not a version of XML 1
    <?xml version='¦2.0'?><a/>
`1.x` is not a version of XML 1
    <?xml version='¦1.x'?><a/>
`version` without a value in quotes
    <?xml version=¦1.0?><a/>
the value of `version` is not valid here
    <?xml version='1.0¦" encoding='utf-8'?><a/>
`8` is not the name of an encoding
    <?xml version='1.0' encoding='¦8'?><a/>
`` is not the name of an encoding
    <?xml version='1.0' encoding='¦'?><a/>
`encoding` without a value in quotes
    <?xml version='1.0' encoding=¦”utf-8”?><a/>
`standalone` is neither `yes` nor `no`
    <?xml version='1.0' standalone='¦maybe'?><a/>
the XML declaration is not closed by `?>` here
    <?xml version='1.0'¦encoding='utf-8'?><a/>
    <?xml version='1.0' ¦b='c'?><a/>
    <?xml version='1.0'¦>\n<a/>
the document type declaration has no name
    <!DOCTYPE¦ ><a/>
the document type declaration does not end here
    <!DOCTYPE a ¦b><a/>
an identifier of the document type is not in quotes after white space
    <!DOCTYPE a SYSTEM¦><a/>
    <!DOCTYPE a PUBLIC 'x'¦><a/>
the document type declaration does not end after its `]`
    <!DOCTYPE a []¦a><a/>
a `<` that begins nothing that a document type declaration can contain
    <!DOCTYPE a [¦<a>]><a/>
a document type declaration without its end
    \n¦<!DOCTYPE a [<!ENTITY b '
`--` in a comment
    <!DOCTYPE a [\n<!-- ¦-- -->]><a/>
"#,
    );
}

#[test]
fn bytes_that_are_not_in_the_encoding() {
    let mut parser = Parser::default();
    parser.push("<a>\né");
    parser.push_bad_bytes();
    parser.push("</b>");
    parser.finish();
    let Verdict::Broken(fault) = parser.verdict() else {
        panic!("{:?}", parser.verdict());
    };
    let place = &fault.place;
    assert_eq!((place.line, place.column, place.byte), (2, 2, 6));
    let reason = "bytes that are not in the encoding of the document";
    assert_eq!(fault.reason, reason);
}

#[test]
fn lines_end_with_lf_crlf_and_cr() {
    for (text, line, column) in [
        ("<a>\r\n\r\n&", 3, 1),
        ("<a>\r\r &", 3, 2),
        ("<a>\n\r&", 3, 1),
    ] {
        let found = read(text).map(|(line, column, _)| (line, column));
        assert_eq!(found, Some((line, column)), "{text:?}");
    }
}

#[test]
fn the_entries_before_the_fault_are_counted() {
    for (entries, is_in_entry, text) in [
        (
            2,
            true,
            "<urlset><url/><url></url><url><url>&</url></urlset>",
        ),
        (
            1,
            false,
            "<s:urlset xmlns:s='u'><url/><s:url></s:url>&</s:urlset>",
        ),
        (1, true, "<sitemapindex><sitemap></sitemap><sitemap>&"),
        (
            1,
            false,
            "<rss><channel><image><url></url></image><item></item>&",
        ),
        (2, false, "<feed><entry></entry><entry></entry>&"),
        (1, false, "<RDF><item/>&"),
        (1, false, "<html><urlset><url></url>&"),
        (0, false, "<a><url></url>&"),
    ] {
        let Verdict::Broken(fault) = verdict([text]) else {
            panic!("{text}");
        };
        assert_eq!(fault.entries, entries, "{text}");
        assert_eq!(fault.is_in_entry, is_in_entry, "{text}");
    }
}

#[test]
fn beyond_the_bounds_there_is_no_verdict() {
    let nested = |levels| "<a>".repeat(levels) + &"</a>".repeat(levels);
    assert_eq!(verdict([&*nested(2_048)]), Verdict::WellFormed);
    assert!(matches!(verdict([&*nested(2_049)]), Verdict::Undecided(_)));
    let attributes = |number| {
        let attributes: String = (0..number).map(|n| format!(" a{n}=''")).collect();
        format!("<a{attributes}/>")
    };
    assert_eq!(verdict([&*attributes(16_384)]), Verdict::WellFormed);
    assert!(matches!(
        verdict([&*attributes(16_385)]),
        Verdict::Undecided(_)
    ));
    // The prefixes of elements that are closed do not count.
    let prefixes = |number, len| {
        let declared = (0..number).map(|n| format!("<a xmlns:a{n}='{}'>", "u".repeat(len)));
        let closed = "<a xmlns:b='u'></a>".repeat(2_000);
        format!("<a>{closed}{}", declared.collect::<String>()) + &"</a>".repeat(number) + "</a>"
    };
    assert_eq!(verdict([&*prefixes(1_024, 1)]), Verdict::WellFormed);
    for (number, len) in [(1_025, 1), (1, 4_096)] {
        let text = prefixes(number, len);
        assert!(matches!(verdict([&*text]), Verdict::Undecided(_)));
    }
    // A fault before the bound ends the reading first.
    let both = format!("<a></b>{}", nested(2_049));
    assert!(matches!(verdict([&*both]), Verdict::Broken(_)));
    let long = "b".repeat(1 << 20);
    let endless = ["<a b='", &long, &long, &long, "'/>"];
    assert!(matches!(verdict(endless), Verdict::Undecided(_)));
    // Nothing is kept of text, comments and sections.
    for (open, close) in [
        ("<a>", "</a>"),
        ("<!--", "--><a/>"),
        ("<a><![CDATA[", "]]></a>"),
        ("<?x ", "?><a/>"),
    ] {
        let mut parser = Parser::default();
        parser.push(open);
        for _ in 0..100 {
            parser.push(&long);
            assert!(parser.held.capacity() < 4 << 20, "{open}");
        }
        parser.push(close);
        parser.finish();
        assert_eq!(parser.verdict(), &Verdict::WellFormed, "{open}");
    }
}

/// Reading again what is not complete takes linear time, however small the pieces are.
#[test]
fn a_long_tag_in_tiny_pieces_is_read_few_times() {
    let tag = format!("<a b='{}'/>", "c".repeat(1_000_000));
    assert_eq!(verdict(pieces(&tag, 5)), Verdict::WellFormed);
}

/// An entry with the markup of the one before it is judged like any other.
#[test]
fn entries_with_the_same_markup() {
    let begin = "<urlset xmlns:x='u'>\n";
    let entry = |text: &str, value: &str| {
        format!("<url>\n <loc>{text}</loc>\n <x:a b='{value}' c=\"{value}\"/>\n <d/></url>\n")
    };
    let first = entry("https://e.com/a", "1");
    for (text, value) in [
        ("", ""),
        (" ", " "),
        ("é &amp; &#x26;", "é>&lt;"),
        ("a > b ]]", "<![CDATA["),
        ("]]>", "1"),
        ("<b/>", "1"),
        ("a&b", "1"),
        ("a", "&b;"),
        ("a", "<"),
        ("<![CDATA[&]]>", "1"),
        ("<!-- -- -->", "1"),
        ("a</loc><loc>b", "1"),
        ("a</loc></url><url><loc>b", "1' e='2"),
        ("a", "1' b='2"),
        ("a</locs>", "1"),
        ("<url></url>", "1"),
    ] {
        for rest in [entry(text, value) + &first, first.repeat(2)] {
            let before = first.repeat(2) + &entry(text, value);
            for end in ["</urlset>", "<url>&</url>", ""] {
                let text = format!("{begin}{before}{rest}{end}");
                // In pieces of one character no entry is in one text.
                assert_eq!(verdict(pieces(&text, 1)), verdict([&*text]), "{text}");
            }
        }
    }
    for (text, reason) in [
        (
            format!("{begin}{first}<url>\n <loc>a¦&b</loc>"),
            "an `&` that is not written as `&amp;`, or a reference `&b` without `;`",
        ),
        (
            format!("{begin}{first}{first}<url>\n <loc>a¦]]></loc>"),
            "`]]>` in a text",
        ),
        (
            "<urlset><url xmlns:x='u'><x:a/></url><url ¦xmlns:x=''><x:a/></url>".to_owned(),
            "xmlns:x cannot be bound to ``",
        ),
    ] {
        is_broken(&text, reason);
    }
}

proptest! {
    /// Neither does it depend on whether entries are alike.
    #[test]
    fn entries_in_pieces(
        entries in proptest::collection::vec(
            ("<url>( ?<loc>(a|&amp;|&|>|\\]\\]>| ){0,2}</loc>)?(<x:b c='(1|&lt;|<|>)?'/>)?(<url/>)?( xmlns:x='v')?</url> ?", 1..4_usize),
            0..6,
        ),
        size in 1..40_usize,
    ) {
        let entries = entries.iter().map(|(entry, times)| entry.repeat(*times));
        let text = format!("<urlset xmlns:x='u'>{}</urlset>", entries.collect::<String>());
        prop_assert_eq!(verdict(pieces(&text, size)), verdict([&*text]));
        prop_assert_eq!(verdict(pieces(&text, 1)), verdict([&*text]));
    }

    /// The verdict does not depend on how the text is cut, and a fault is in the text or at its end.
    #[test]
    fn pieces_do_not_matter(
        parts in proptest::collection::vec("<[a/!?]|</a>|<a>|<a b='|'|<!--|--|-->|<!\\[CDATA\\[|\\]\\]>|<\\?b|\\?>|&[a#;]|&amp;|<!DOCTYPE a|\\[|xmlns:b='u'|b:c|[ \n\ré\\]>]|<\\?xml version='1.0'|\u{1}", 0..12),
        sizes in proptest::collection::vec(1..5_usize, 1..6),
    ) {
        let text = format!("<a>{}</a>", parts.concat());
        for text in [&text, &parts.concat()] {
            let whole = verdict([&**text]);
            let mut sizes = sizes.iter().cycle();
            let mut cut = Vec::new();
            let mut rest = &**text;
            while !rest.is_empty() {
                let size = sizes.next().copied().unwrap_or(1);
                let end = rest.char_indices().nth(size).map_or(rest.len(), |(end, _)| end);
                let (piece, behind) = rest.split_at(end);
                cut.push(piece);
                rest = behind;
            }
            prop_assert_eq!(&verdict(cut), &whole, "{}", text);
            if let Verdict::Broken(fault) = whole {
                prop_assert!(fault.place.byte <= text.len() as u64, "{}", text);
            }
        }
    }
}
