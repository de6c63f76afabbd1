//! That the usual documents are read by the plain parser, and that the time is linear.

use std::cell::Cell;

use crate::ReaderBuilder;
use crate::engine::Step;
use crate::reader::decoder::Decoder;
use crate::tape::Shape;

thread_local! {
    /// Bytes that were looked at to find the ends of entries, and to read them by the general parser.
    static WORK: Cell<usize> = const { Cell::new(0) };
}

pub(in crate::parse) fn count_work(bytes: usize) {
    WORK.set(WORK.get() + bytes);
}

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The number of entries of a document that the plain parser has read, if it arrives in pieces of `step` bytes, and the
/// number of all entries.
fn by_the_plain_parser(text: &str, step: usize) -> (usize, u64) {
    let mut decoder = Decoder::new();
    let mut fast = 0;
    for piece in text.as_bytes().chunks(step) {
        decoder.push(piece);
        fast += advance(&mut decoder);
    }
    decoder.finish();
    fast += advance(&mut decoder);
    assert!(decoder.is_done() && decoder.issues().is_empty(), "{text}");
    (fast, decoder.summary().entries)
}

/// How many of the next entries the plain parser has read: only these have a mark on the tape.
fn advance(decoder: &mut Decoder) -> usize {
    let mut fast = 0;
    while let Ok(Step::Entry) = decoder.advance() {
        fast += usize::from(decoder.raw().unwrap().source.tape.shape != Shape::Other);
    }
    fast
}

#[test]
fn every_entry_of_a_usual_shape_is_read_by_the_plain_parser() {
    let images = "<image:image><image:loc>https://example.com/i.png</image:loc><image:title>A &amp; B</image:title></image:image>";
    let alternates = "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de?a=1&amp;b=2\"/>\
        <xhtml:link rel=\"alternate\" hreflang=\"x-default\" href=\"https://example.com/\" />";
    let video = "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
        <video:title>T</video:title><video:description>D</video:description>\
        <video:player_loc allow_embed=\"yes\">https://example.com/p</video:player_loc>\
        <video:duration>60</video:duration></video:video>";
    let news = "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
        </news:publication><news:publication_date>2024-01-02</news:publication_date>\
        <news:title>T</news:title></news:news>";
    let page = "<url><loc>https://example.com/a?b=1&amp;c=2</loc>";
    let full = "<url>\n    <loc>https://example.com/a</loc>\n    <lastmod>2024-01-02T03:04:05+00:00</lastmod>\n    \
        <changefreq>daily</changefreq>\n    <priority>0.8</priority>\n  </url>";
    let crlf = format!("\n  {full}").replace('\n', "\r\n");
    let extended = format!("\n    {alternates}\n{images}{video}{news}</url>");
    let part = "<sitemap><loc>https://example.com/a.xml</loc><lastmod>2024</lastmod></sitemap>\n";
    for entry in [
        format!("{page}</url>"),
        format!("\n  {full}"),
        crlf,
        part.to_owned(),
        format!("{page}{}</url>\n", images.repeat(3)),
        format!("{page}{alternates}</url>\n"),
        format!("{page}{video}</url>\n"),
        format!("{page}{news}</url>\n"),
        full.replace("\n  </url>", &extended),
        format!("{}</url>\n", page.replace("<url>", "<url id='1'>")),
        page.replace("https:", "\n<![CDATA[https:")
            .replace("</loc>", "]]> </loc></url>\n"),
        format!("{page}<x:size unit=\"cm\">12</x:size></url>\n"),
    ] {
        let root = if entry == part {
            "sitemapindex"
        } else {
            "urlset"
        };
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{SITEMAP}\" xmlns:x=\"urn:x\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{}</{root}>\n",
            entry.repeat(50)
        );
        for step in [text.len(), 4096, 1] {
            let read = by_the_plain_parser(&text, step);
            assert_eq!(read, (50, 50), "{entry}, in steps of {step}");
        }
    }
}

#[test]
fn other_entries_are_read_by_the_general_parser_and_the_plain_one_is_tried_again() {
    let usual = "<url><loc>https://example.com/a</loc></url>\n";
    let odd = "<url><loc>https://example.com/a</loc><!-- --></url>\n";
    let document = |entries: &str| format!("<urlset xmlns=\"{SITEMAP}\">{entries}</urlset>");
    let text = document(&odd.repeat(10));
    assert_eq!(by_the_plain_parser(&text, text.len()), (0, 10));
    let text = document(&format!("{usual}{odd}{usual}<!-- -->{usual}"));
    assert_eq!(by_the_plain_parser(&text, text.len()), (3, 4));
    let text = format!(
        "<sitemapindex xmlns=\"{SITEMAP}\"><urlset>{}</urlset></sitemapindex>",
        usual.repeat(5)
    );
    let mut decoder = Decoder::new();
    decoder.push(text.as_bytes());
    assert_eq!(advance(&mut decoder), 5);
}

/// An entry is tried again as long as its end tag has not come, but no byte is read more often than this.
#[test]
fn no_byte_is_read_again_and_again() {
    const MOST: usize = 40;
    let good = "<url><loc>https://example.com/a</loc></url>";
    let many = |piece: &str, bytes: usize| piece.repeat(bytes / piece.len());
    let small = 100_000;
    // The bytes that an entry may have and those of a push, and the documents.
    let usual = [
        format!("<url><!--{}-->", many("</url>", small)),
        format!("<url><loc><![CDATA[{}]]></loc>", many("</url>", small)),
        format!("<url>{}", many("<!--</url>-->", small)),
        many("<url><!--</url>--></url>", small),
        format!("<url>{}", many("</x>", small)),
        format!("<url><!--</url{}", many(" ", small)),
        format!("<url>{}", many("</xxxxxxxxxxxxxxxxxxxxxxxxxx:url", small)),
        format!("<url><x:b>{}</x:b></url>", many("word ", 1_000_000)),
        format!(
            "<url><loc>https://example.com/{}</loc></url>",
            many("a", 500_000)
        ),
    ];
    let without_end = [
        format!("<url><!--{}", many(good, small)),
        many("<url><!-- </url>", small),
    ];
    let small_entries = [
        many("<url><loc>https://example.com/a</loc>", small),
        many("<url><x:b><url a=></url>", small),
        many("<url><x:b><x:url></q></x:url><></url>", small),
        format!("<url>{}", many("<loc>https://example.com/a</loc>", small)),
    ];
    let documents = usual.into_iter().map(|text| (2 << 20, 1, text));
    let documents = documents.chain(without_end.map(|text| (20_000, 7, text)));
    let documents = documents.chain(small_entries.map(|text| (20_000, 1, text)));
    for (max_entry, step, text) in documents {
        let name: String = text.chars().take(60).collect();
        let text =
            format!("<urlset xmlns=\"{SITEMAP}\" xmlns:x='urn:x'>{good}{text}{good}</urlset>");
        let mut decoder = ReaderBuilder::new().max_entry_bytes(max_entry).decoder();
        WORK.set(0);
        for piece in text.as_bytes().chunks(step) {
            decoder.push(piece);
            while !matches!(decoder.advance(), Ok(Step::NeedMore | Step::End)) {}
        }
        decoder.finish();
        while !decoder.is_done() {
            let _ = decoder.advance();
        }
        let work = WORK.get();
        assert!(work < MOST * text.len(), "{name}: {work} of {}", text.len());
    }
}
