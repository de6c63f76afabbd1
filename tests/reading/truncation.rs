//! The truncation contract: after a cut at any place, every complete entry is returned, and no other, and the last
//! result is the error that the document is truncated.

use std::io::Read;

use crate::common::{self, NS, gzip, push, read_raw, read_slice};

/// A document with the places where its entries end.
#[derive(Default)]
struct Document {
    text: String,
    /// The byte after the entry's end tag, and its loc.
    entries: Vec<(usize, String)>,
    /// The byte after the root's end tag.
    end: usize,
    /// Bytes at which a comment after the root is open.
    open: std::ops::Range<usize>,
}

impl Document {
    fn markup(mut self, text: &str) -> Self {
        self.text += text;
        self
    }

    /// An entry with this `loc`.
    fn entry(mut self, loc: &str, text: &str) -> Self {
        self.text += text;
        self.entries.push((self.text.len(), loc.to_owned()));
        self
    }

    fn root_end(mut self, text: &str) -> Self {
        self.text += text;
        self.end = self.text.len();
        self
    }

    fn comment(mut self, text: &str) -> Self {
        self.open = self.text.len() + 1..self.text.len() + text.len();
        self.text += text;
        self
    }

    /// The locs of the entries that end within the first `cut` bytes.
    fn complete(&self, cut: usize) -> Vec<&str> {
        let whole = self.entries.iter().filter(|(end, _)| *end <= cut);
        whole.map(|(_, loc)| loc.as_str()).collect()
    }

    /// The expected end of reading the first `cut` bytes.
    fn endings(&self, cut: usize) -> &'static [&'static str] {
        match cut {
            0 => &["NotASitemap"],
            cut if cut < self.end || self.open.contains(&cut) => &["Truncated"],
            _ => &["none"],
        }
    }
}

fn urlset() -> Document {
    Document::default()
        .markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<?xml-stylesheet href=\"<url>\"?>\n")
        .markup("<!DOCTYPE urlset [<!ENTITY a \"</urlset>\"><!-- ]> --> ]>\n<!-- <urlset><url> -->\n")
        .markup(&format!("<urlset xmlns=\"{NS}\" xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'\n"))
        .markup(" xmlns:x=\"urn:x\">\n")
        .entry("https://example.com/1", "<url><loc>https://example.com/1</loc></url>")
        .entry("https://example.com/2", "<url><loc>https://example.com/2</loc></url>")
        .markup("\n<!-- <url><loc>https://example.com/no</loc></url> -->\n")
        .entry(
            "https://example.com/?a=1&b=ü",
            "<url>\n  <loc> https://example.com/?a=1&amp;b=&#xFC; </loc>\n  <lastmod>2024-03-04</lastmod>\n  \
             <changefreq>daily</changefreq>\n  <priority>0.8</priority>\n</url  >",
        )
        .entry(
            "https://example.com/?c&d",
            "<url><loc>https://<![CDATA[example.com/?c&d]]></loc><!-- </url> --><x:y a='&lt;/url>' b=\">\"><![CDATA[</url>]]></x:y></url>",
        )
        .markup("<?php </urlset> ?>")
        .entry(
            "https://example.com/é/💧",
            "<url><image:image><image:loc>https://example.com/i</image:loc></image:image><loc>https://example.com/é/💧</loc></url>",
        )
        .markup("\n")
        .root_end("</urlset>")
        .markup("\n")
        .comment("<!-- end -->")
        .markup("\n")
}

fn index() -> Document {
    Document::default()
        .markup(&format!("<s:sitemapindex xmlns:s=\"{NS}\">"))
        .entry("https://example.com/1.xml", "<s:sitemap><s:loc>https://example.com/1.xml</s:loc><s:lastmod>2024</s:lastmod></s:sitemap>")
        .entry("https://example.com/2.xml", "\r\n<s:sitemap>\r\n<s:loc>https://example.com/2.xml</s:loc></s:sitemap>")
        .root_end("</s:sitemapindex\n>")
}

fn check(document: &Document, cut: usize, bytes: &[u8], endings: &[&str], way: &str) {
    let want: Vec<String> = document
        .complete(cut)
        .iter()
        .map(|loc| quick_sitemap::url::Url::parse(loc).unwrap().into())
        .collect();
    let outcome = read_slice(bytes);
    assert_eq!(
        outcome.locs(),
        want,
        "{way}, cut at {cut}: {:?}",
        outcome.errors()
    );
    assert!(
        endings.contains(&outcome.fatal()),
        "{way}, cut at {cut}: {:?}",
        outcome.said.last()
    );
    let pushed = push(&common::lenient(), bytes, || 1);
    assert_eq!(pushed, outcome, "{way}, cut at {cut}, pushed byte by byte");
    let raw = read_raw(&common::lenient(), bytes);
    assert_eq!(raw.count, want.len(), "{way}, cut at {cut}, raw");
}

#[test]
fn what_is_not_closed_is_named_with_its_place() {
    use quick_sitemap::{Decoder, ErrorKind};
    let root = format!("<urlset xmlns=\"{}\">", common::NS);
    let page = "<url><loc>https://example.com/</loc></url>";
    let long = "x ".repeat(100_000);
    for (before, behind, expected) in [
        (
            format!("{root}\n{page}é"),
            format!("<!-- {page}</urlset>"),
            Some("comment"),
        ),
        (
            format!("{root}{page}\n"),
            format!("<!--{long}{page}</urlset> -- >"),
            Some("comment"),
        ),
        (
            format!("{root}\n"),
            "<?php echo 1; </urlset>".to_owned(),
            Some("processing instruction"),
        ),
        (
            format!("{root}{page}\r\n"),
            format!("<![CDATA[{page}]]</urlset>"),
            Some("CDATA section"),
        ),
        (
            "\n".to_owned(),
            format!("<!DOCTYPE urlset [<!ENTITY a \">{root}{page}</urlset>"),
            Some("document type declaration"),
        ),
        (
            "<?xml version=\"1.0\"?>".to_owned(),
            format!("<!-- {root}{page}</urlset>"),
            Some("comment"),
        ),
        (
            String::new(),
            "<?xml version=\"1.0\"".to_owned(),
            Some("XML declaration"),
        ),
        (
            format!("{root}{page}</urlset>\n"),
            "<!-- done".to_owned(),
            Some("comment"),
        ),
        // In an entry.
        (
            format!("{root}{page}\n<url><loc>https://example.com/2</loc>"),
            format!("<!-- </url>{page}</urlset>"),
            Some("comment"),
        ),
        (
            format!("{root}\n<url><loc>"),
            "<![CDATA[https://example.com/2</loc></url></urlset>".to_owned(),
            Some("CDATA section"),
        ),
        (
            format!("{root}\n<url><loc>https://example.com/</loc>"),
            "<?a </url></urlset>".to_owned(),
            Some("processing instruction"),
        ),
        // Nothing of that kind.
        (format!("{root}{page}"), String::new(), None),
        (
            format!("{root}<!-- -->{page}<!-- -->\n"),
            "<url><loc>".to_owned(),
            None,
        ),
        (
            format!("{root}<![CDATA[ ]]>"),
            "<url a=\"<!--".to_owned(),
            None,
        ),
    ] {
        let text = format!("{before}{behind}");
        for step in [text.len(), 5] {
            let mut decoder = Decoder::new();
            let mut pieces = text.as_bytes().chunks(step);
            let mut fatal = None;
            while !decoder.is_done() {
                match pieces.next() {
                    Some(piece) => decoder.push(piece),
                    None => decoder.finish(),
                }
                fatal = decoder.entries().filter_map(Result::err).last().or(fatal);
            }
            let fatal = fatal.unwrap();
            assert!(matches!(fatal.kind(), ErrorKind::Truncated), "{fatal}");
            let Some(markup) = expected else {
                assert!(fatal.to_string().ends_with("the document is truncated"));
                continue;
            };
            let at = fatal.position().unwrap();
            assert_eq!(at.byte(), before.len() as u64, "{text}");
            let lines = before.matches('\n').count() as u64;
            let column = before.rsplit('\n').next().unwrap().chars().count() as u64;
            assert_eq!((at.line(), at.column()), (1 + lines, 1 + column), "{text}");
            let message = format!("{at}: the document is truncated: the {markup} is not closed");
            assert_eq!(fatal.to_string(), message);
        }
    }
    // The rest of a truncated gzip stream is not known.
    let packed = common::gzip(format!("{root}{page}<!-- {long} --></urlset>").as_bytes());
    let error = quick_sitemap::Reader::new(&packed[..packed.len() - 20])
        .filter_map(Result::err)
        .last()
        .unwrap();
    assert!(error.to_string().ends_with("is truncated"), "{error}");
}

#[test]
fn plain_cut_at_every_byte() {
    for document in [urlset(), index()] {
        let bytes = document.text.as_bytes();
        for cut in 0..=bytes.len() {
            check(
                &document,
                cut,
                &bytes[..cut],
                document.endings(cut),
                "plain",
            );
        }
    }
}

#[test]
fn under_the_strict_policy_too() {
    let document = index();
    let bytes = document.text.as_bytes();
    for cut in 0..=bytes.len() {
        let outcome = common::read(&common::strict(), &bytes[..cut]);
        assert_eq!(outcome.locs(), document.complete(cut), "cut at {cut}");
        assert!(
            document.endings(cut).contains(&outcome.fatal()),
            "cut at {cut}: {:?}",
            outcome.said.last()
        );
        assert!(outcome.issues().is_empty(), "cut at {cut}");
    }
}

#[test]
fn packed_then_cut_at_every_byte() {
    for document in [urlset(), index()] {
        let packed = gzip(document.text.as_bytes());
        for cut in 0..=packed.len() {
            // The bytes that can be decompressed from the truncated stream, byte by byte.
            let mut text = Vec::new();
            let unpacked = flate2::read::GzDecoder::new(&packed[..cut]).read_to_end(&mut text);
            assert_eq!(unpacked.is_ok(), cut == packed.len());
            let endings: &[&str] = match cut {
                0 => &["NotASitemap"],
                // One byte of the magic number is not gzip yet.
                1 => &["NotASitemap", "Truncated"],
                _ if cut < packed.len() => &["Truncated"],
                _ => &["none"],
            };
            check(
                &document,
                text.len(),
                &packed[..cut],
                endings,
                &format!("packed, cut at {cut}"),
            );
        }
    }
}

#[test]
fn cut_at_every_byte_then_packed() {
    for document in [urlset(), index()] {
        let bytes = document.text.as_bytes();
        for cut in 0..=bytes.len() {
            check(
                &document,
                cut,
                &gzip(&bytes[..cut]),
                document.endings(cut),
                "cut, then packed",
            );
        }
    }
}

#[test]
fn packed_twice_then_cut_at_every_byte() {
    let document = index();
    let packed = gzip(&gzip(document.text.as_bytes()));
    for cut in 2..packed.len() {
        let outcome = read_slice(&packed[..cut]);
        assert_eq!(outcome.fatal(), "Truncated", "cut at {cut}");
        let all: Vec<&str> = document.complete(usize::MAX);
        assert!(all.starts_with(&outcome.locs()), "cut at {cut}");
    }
}

#[test]
fn packed_in_two_members_then_cut() {
    let document = urlset();
    let (head, tail) = document.text.split_at(document.entries[1].0);
    let [head, tail] = [gzip(head.as_bytes()), gzip(tail.as_bytes())];
    let packed = [head.clone(), tail].concat();
    for cut in head.len()..packed.len() {
        let outcome = read_slice(&packed[..cut]);
        assert_eq!(
            outcome.fatal(),
            "Truncated",
            "cut at {cut} of {}",
            packed.len()
        );
        assert!(outcome.locs().len() >= 2, "cut at {cut}");
    }
}

#[test]
fn utf_16_cut_at_every_byte() {
    for (mark, little) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut document = index();
        document.text = document.text.replace('\r', "ü");
        // Bytes of UTF-8 that come before each byte of UTF-16.
        let units: Vec<(usize, u16)> = document
            .text
            .char_indices()
            .flat_map(|(at, c)| {
                c.encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| (at + c.len_utf8(), *unit))
                    .collect::<Vec<_>>()
            })
            .collect();
        let mut bytes: Vec<u8> = Vec::new();
        let mut read = vec![0];
        let marks = mark.then_some((0, 0xFEFF));
        for (end, unit) in marks.into_iter().chain(units) {
            bytes.extend(if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            });
            read.push(*read.last().unwrap());
            read.push(end);
        }
        // The replacement made the text longer.
        let shift = |at: usize| index().text[..at].matches('\r').count();
        for entry in &mut document.entries {
            entry.0 += shift(entry.0);
        }
        document.end += shift(document.end);
        for cut in 0..=bytes.len() {
            let endings: &[&str] = match cut {
                0 => &["NotASitemap"],
                // Less than a mark and a character.
                1..4 => &["NotASitemap", "Truncated"],
                _ => document.endings(read[cut].max(1)),
            };
            check(
                &document,
                read[cut],
                &bytes[..cut],
                endings,
                &format!("UTF-16, {mark} {little}"),
            );
        }
    }
}

/// The number of bytes to which a gzip stream can be decompressed.
fn inflated(packed: &[u8]) -> Vec<u8> {
    let mut inflate = flate2::Decompress::new(false);
    let mut text = Vec::with_capacity(4_096);
    // `gzip` writes a header of ten bytes.
    let body = packed.get(10..).unwrap_or_default();
    inflate
        .decompress_vec(body, &mut text, flate2::FlushDecompress::Sync)
        .unwrap();
    text
}

/// The last line can be incomplete, so it is not returned if the stream does not end with it.
#[test]
fn only_the_lines_that_ended_in_a_cut_gzip() {
    let all = [
        "https://example.com/1",
        "https://example.com/2",
        "https://example.com/3",
    ];
    for text in [
        all.join("\n"),
        all.join("\r\n"),
        all.join("\r"),
        all.join("\n") + "\n",
        format!("# one\n{}", all.join("\n")),
    ] {
        let once = gzip(text.as_bytes());
        for cut in 1..once.len() {
            let unpacked = String::from_utf8(inflated(&once[..cut])).unwrap();
            let ended = unpacked.replace("\r\n", "\n").replace('\r', "\n");
            let ended = all.iter().filter(|url| ended.contains(&format!("{url}\n")));
            let ended: Vec<&str> = ended.copied().collect();
            let outcome = read_slice(&once[..cut]);
            assert_eq!(outcome.locs(), ended, "cut at {cut}");
            // One byte of the magic number is not gzip yet.
            let fatal = if cut > 1 { "Truncated" } else { "NotASitemap" };
            assert_eq!(outcome.fatal(), fatal, "cut at {cut}");
        }
        assert_eq!(read_slice(&once).locs(), all);
        let twice = gzip(&once);
        for cut in 2..twice.len() {
            let outcome = read_slice(&twice[..cut]);
            assert_eq!(outcome.fatal(), "Truncated", "packed twice, cut at {cut}");
            assert!(
                all.starts_with(&outcome.locs()),
                "packed twice, cut at {cut}"
            );
        }
    }
}

/// A feed has a root that must end, like any XML.
#[test]
fn a_feed_cut_at_every_byte() {
    let rss = Document::default()
        .markup("<?xml version=\"1.0\"?><rss version='2.0'><channel><title>t</title>")
        .entry(
            "https://example.com/1",
            "<item><link>https://example.com/1</link></item>",
        )
        .entry(
            "https://example.com/2",
            "\n<item><guid>https://example.com/2</guid></item>",
        )
        .root_end("</channel></rss>")
        .markup("\n");
    let atom = Document::default()
        .markup("<feed xmlns='http://www.w3.org/2005/Atom'><title>t</title>")
        .entry(
            "https://example.com/1",
            "<entry><link href='https://example.com/1'/></entry>",
        )
        .root_end("</feed>");
    for document in [rss, atom] {
        let bytes = document.text.as_bytes();
        for cut in 0..=bytes.len() {
            let endings = document.endings(cut);
            check(&document, cut, &bytes[..cut], endings, "a feed");
        }
    }
}

/// The one exception from the contract: a truncated plain text cannot be distinguished from a complete one.
#[test]
fn a_plain_text_can_not_tell_that_it_was_cut() {
    let text = "https://example.com/1\nhttps://example.com/2";
    let first = text.find('\n').unwrap();
    for cut in "https://e".len()..=text.len() {
        let outcome = read_slice(&text[..cut]);
        assert_eq!(outcome.fatal(), "none", "cut at {cut}");
        assert!(text[..cut].starts_with(outcome.locs()[0].trim_end_matches('/')));
        let of_the_second = text[..cut].get(first + 1..).unwrap_or_default();
        let half = of_the_second.len() >= "https://e".len();
        assert_eq!(outcome.locs().len(), 1 + usize::from(half), "cut at {cut}");
    }
}

#[test]
fn never_half_a_loc_when_the_end_is_damaged_too() {
    for end in [
        "https://example.com/long",
        "https://example.com/long</l",
        "https://example.com/long</loc>",
        "https://example.com/long</loc></url",
    ] {
        let text = format!(
            "<urlset xmlns=\"{NS}\"><url><loc>https://example.com/</loc></url><url><loc>{end}"
        );
        let outcome = read_slice(text);
        assert_eq!(outcome.locs(), ["https://example.com/"]);
        assert_eq!(outcome.fatal(), "Truncated");
    }
}
