//! Bounds of bytes never cut a character: texts of characters of two, three and four bytes, after 0 to 3 letters that move
//! them, around every bound of the reader. Builds with debug assertions panic if a part of a text is cut wrongly.

use crate::common::{Outcome, gzip, lenient, push, random, read, urlset};
use quick_sitemap::extension::foreign::Element;
use quick_sitemap::extension::{Image, Uploader};
use quick_sitemap::url::Url;
use quick_sitemap::{Effect, Entry, Issue, Position, Reader, Rule, UrlEntry, UrlsetWriter};

const LONG: [char; 3] = ['é', '世', '💧'];

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";

/// `letters` letters, and then characters up to about this number of bytes: one less than fit, all that fit, and one more.
fn texts(bytes: usize) -> impl Iterator<Item = String> {
    let starts = LONG.into_iter().flat_map(|c| (0..4).map(move |n| (c, n)));
    starts.flat_map(move |(c, letters)| {
        let fit = (bytes - letters) / c.len_utf8();
        (fit - 1..=fit + 1).map(move |count| "a".repeat(letters) + &c.to_string().repeat(count))
    })
}

/// The position of a byte of a text, counted from its start.
fn place(text: &str, byte: u64) -> (u64, u64) {
    let before = &text[..usize::try_from(byte).unwrap()];
    let line = before.split('\n').next_back().unwrap();
    let lines = before.matches('\n').count() as u64;
    (lines + 1, line.chars().count() as u64 + 1)
}

/// The line of an issue is a part of the document's, with the offending text at its place.
fn check_excerpt(issue: &Issue, text: &str) {
    let at = usize::try_from(issue.position.byte()).unwrap();
    let (line, span) = issue.excerpt().expect("a line");
    assert!(text[at..].starts_with(&line[span]), "{issue:?}");
    let own = line.trim_matches('…');
    assert!(text.contains(own), "{own:?} is not in the document");
}

/// Reads a document in one piece and in small ones. The places are those of the text, and nothing is a mistake of ours.
fn check(text: &str) -> Outcome {
    let builder = lenient().excerpts(true);
    let whole = read(&builder, text.as_bytes());
    let mut number = random(text.len() as u64);
    for most in [3, 61, 1_009] {
        let pieces = push(&builder, text.as_bytes(), || 1 + number(most));
        assert!(whole == pieces, "{text}\n{whole:?}\n{pieces:?}");
    }
    let check_place = |at: Position| {
        assert_eq!((at.line(), at.column()), place(text, at.byte()), "{text}");
    };
    for issue in whole.issues() {
        assert_ne!(issue.rule(), Rule::Internal, "{text}");
        check_place(issue.position);
        check_excerpt(issue, text);
    }
    let errors = whole.errors();
    errors
        .iter()
        .filter_map(|error| error.position)
        .for_each(check_place);
    whole
}

/// Names of references are looked for in at most 256 bytes.
#[test]
fn a_bare_ampersand_before_long_characters() {
    for bytes in [80, 128, 256, 512] {
        for text in texts(bytes) {
            let title = format!("A &{text} B");
            let url = format!("https://example.com/{text}");
            let document = urlset(&format!(
                "<url><loc>https://example.com/?a&{text}</loc><image:image xmlns:image='{IMAGE}'>\
                 <image:loc>https://example.com/?&{text}</image:loc><image:title>{title}</image:title></image:image>\
                 <x:y xmlns:x='urn:x' a='&{text}'/></url><url><loc>{url}</loc></url>"
            ));
            let outcome = check(&document);
            let mut rules = outcome.rules();
            rules.retain(|rule| *rule != Rule::UrlNotEscaped);
            assert_eq!(rules, [Rule::BareAmpersand; 4], "{text}");
            let [Entry::Url(page), Entry::Url(plain)] = outcome.entries()[..] else {
                panic!("{document}: {outcome:?}");
            };
            assert_eq!(page.images[0].title.as_ref(), Some(&title));
            assert_eq!(
                page.loc,
                Url::parse(&format!("https://example.com/?a&{text}")).unwrap()
            );
            assert_eq!(plain.loc, Url::parse(&url).unwrap());
            for issue in outcome.issues() {
                let found = issue.violation.found();
                assert!(
                    document.contains(found) && found.chars().count() <= 80,
                    "{found}"
                );
            }
        }
    }
}

/// Places for a text in a document: values, names, markup, and what stands between.
const PLACES: [&str; 34] = [
    "{}",
    "&{}",
    "&{};",
    "&#{};",
    "&#x{};",
    "x & {} & {}",
    "]]>{}]]>",
    "<!--{}--{}-->",
    "<!--{}",
    "<?{} {}?>",
    "<?a {}?>",
    "<!DOCTYPE {}>",
    "<![CDATA[{}]]>",
    "<{}>",
    "<{}/>",
    "<{}",
    "</{}>",
    "< {}\n",
    "<<<<<<< {}\n",
    "<{}:x/>",
    "<x a='{}'/>",
    "<x {}='1'/>",
    "<url {}><loc>https://example.com/</loc></url>",
    "<url><loc>{}</loc></url>",
    "<url><loc>https://{}/</loc></url>",
    "<url><loc>https://user:{}@example.com/{}</loc></url>",
    "<url><loc>//{}@{}</loc></url>",
    "<url><loc>https://example.com/{}</loc><{}>1</{}></url>",
    "<url><loc>https://example.com/</loc><lastmod>{}</lastmod><priority>{}</priority></url>",
    "<url><loc>https://example.com/</loc><x:y xmlns:x='{}' x:{}='{}'>{}<x:z/>&{}</x:y></url>",
    "<url><loc>https://example.com/</loc><lastmod>2024<{}</lastmod></url>",
    "<url><loc>https://example.com/<b>{}</b></loc></url>",
    "<url>{}<loc>https://example.com/</loc>{}</url>",
    "<sitemap><loc>{}",
];

#[test]
fn around_every_bound() {
    // Quotations, names of references, lines before and after a place, and what is waited for to judge a text.
    for bytes in [80, 256, 400, 768] {
        for text in texts(bytes) {
            for place in PLACES {
                let inside = place.replace("{}", &text);
                check(&urlset(&format!(
                    "{inside}\n<url><loc>https://example.com/z</loc></url>"
                )));
            }
        }
    }
}

#[test]
fn in_the_head_and_after_the_root() {
    for bytes in [80, 256, 400, 1_024] {
        for text in texts(bytes) {
            let root = urlset("<url><loc>https://example.com/</loc></url>");
            for document in [
                format!("{text}\n{root}"),
                format!("<!--{text}-->{root}"),
                format!("<{text}>{root}"),
                format!("<?xml version='1.0' encoding='{text}'?>{root}"),
                format!("<?xml {text}{root}"),
                format!("<!DOCTYPE a '{text}'>{root}"),
                format!("{root}{text}"),
                format!("{root}<{text}>"),
                format!("<{text}/>"),
                text.clone(),
            ] {
                check(&document);
            }
        }
    }
}

#[test]
fn in_lines_of_text() {
    for bytes in [80, 256, 768, 2_047] {
        for text in texts(bytes) {
            for line in [
                "{}",
                "# {}",
                "https://example.com/{}",
                "\u{FEFF} https://example.com/{}",
                "https://user:{}@example.com",
            ] {
                check(&format!(
                    "https://example.com/\n{}\nhttps://example.com/z",
                    line.replace("{}", &text)
                ));
            }
        }
    }
}

/// An entry and a line over the bound of the caller, and a document over that of all bytes.
#[test]
fn at_the_bounds_of_the_caller() {
    let entry = |text: &str| {
        format!("<url><loc>https://example.com/</loc><x:y xmlns:x='urn:x'>{text}</x:y></url>")
    };
    for text in texts(4_096) {
        let builder = lenient().max_entry_bytes(4_096).excerpts(true);
        let documents = [
            urlset(&entry(&text)),
            urlset(&entry(&format!("<{text}/>"))),
            urlset(&format!("<{text}/>")),
            format!("https://example.com/\nhttps://example.com/{text}\nhttps://example.com/z"),
        ];
        for document in documents {
            for builder in [builder.clone(), builder.clone().max_bytes(4_200)] {
                let whole = read(&builder, document.as_bytes());
                let pieces = push(&builder, document.as_bytes(), || 7);
                assert!(whole == pieces, "{document}\n{whole:?}\n{pieces:?}");
                assert!(!whole.rules().contains(&Rule::Internal), "{document}");
            }
        }
    }
}

/// Text after the last gzip member is quoted like any other.
#[test]
fn after_gzip() {
    for text in texts(80) {
        let bytes = [gzip(b"https://example.com/\n"), text.as_bytes().to_vec()].concat();
        let outcome = read(&lenient(), &bytes[..]);
        let [issue] = outcome.issues()[..] else {
            panic!("{outcome:?}")
        };
        assert_eq!(
            (issue.rule(), issue.effect),
            (Rule::TrailingGzipData, Effect::Noted)
        );
        assert!(text.starts_with(issue.violation.found()), "{issue}");
        assert_eq!(
            issue.violation.found().chars().count(),
            text.chars().count().min(80)
        );
    }
}

/// The errors of values and of writers are cut at a character as well.
#[test]
fn values_and_writers() {
    for bytes in [80, 256, 2_048] {
        for text in texts(bytes) {
            let wrong = UrlEntry::try_from(&*text).unwrap_err();
            assert!(text.starts_with(wrong.found()), "{wrong}");
            let page = UrlEntry::try_from("https://example.com/").unwrap();
            let image = Image::new("https://example.com/i.png".parse().unwrap());
            for page in [
                page.clone()
                    .with_image(image.clone().with_title(format!("{text}\u{1}{text}"))),
                page.clone()
                    .with_foreign(Element::new(format!("{text} "), "urn:x")),
                page.clone().with_foreign(Element::new("x", text.clone())),
            ] {
                page.check().unwrap_err().to_string();
            }
            let mut writer = UrlsetWriter::new(Vec::new());
            let page = page.with_image(image.with_title(format!("&{text}<{text}")));
            writer.write(&page).unwrap();
            let written = writer.finish().unwrap();
            let read: Vec<_> = Reader::from_bytes(&written).map(Result::unwrap).collect();
            assert_eq!(read, [Entry::Url(page)]);
        }
    }
}

/// The name of an uploader has at most 255 characters, however many bytes these are.
#[test]
fn an_uploader_is_counted_in_characters() {
    for c in LONG {
        for (count, is_good) in [(255, true), (256, false)] {
            let mut video = quick_sitemap::extension::Video::new(
                "https://example.com/t.png".parse().unwrap(),
                "A",
                "B",
                "https://example.com/v.mp4".parse().unwrap(),
            );
            video.uploader = Some(Uploader::new(c.to_string().repeat(count)));
            let page = UrlEntry::try_from("https://example.com/")
                .unwrap()
                .with_video(video);
            let rule = page.check().err().map(|violation| violation.rule());
            assert_eq!(rule, (!is_good).then_some(Rule::TextTooLong), "{count}");
        }
    }
}
