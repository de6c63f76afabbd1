//! Bugs that fuzzing has found, one test per bug. The documents are in `regressions/`.

use std::fs;
use std::path::Path;

use quick_sitemap::extension::{Rating, Relationship, Restriction, Video};
use quick_sitemap::{Reader, Rule, UrlEntry, UrlsetWriter, url::Url};

use crate::common::{self, NS, Said, read, read_slice, same_however_cut, strict};

/// * `stray-text-in-pieces.xml`: see [`a_stray_text_ends_at_any_markup`].
/// * `web-page-and-rubbish.gz`: data after the gzip data was reported or not, depending on whether it arrived before a
///   web page had been recognized or after it.
#[test]
fn documents_read_the_same_however_they_are_cut() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    for file in fs::read_dir(folder).unwrap() {
        same_however_cut(&fs::read(file.unwrap().path()).unwrap());
    }
}

/// A stray text longer than what is quoted was passed in pieces, and the next one taken for the rest of it.
#[test]
fn a_stray_text_ends_at_any_markup() {
    for markup in [
        "<1>",
        "<!---->",
        "<?a?>",
        "<![CDATA[]]>",
        "<!DOCTYPE a>",
        "</x>",
    ] {
        let text = "a".repeat(400);
        let entry = "<url><loc>https://example.com/</loc></url>";
        let document = format!("<?xml ?><urlset>{text}{markup}[{entry}</urlset>");
        same_however_cut(document.as_bytes());
        let outcome = read_slice(&document);
        let stray = outcome
            .rules()
            .into_iter()
            .filter(|rule| *rule == Rule::StrayText);
        assert!(stray.count() >= 2, "{markup}: {:?}", outcome.rules());
    }
}

/// Small ratings were displayed, and written, with an exponent that no reader accepts.
#[test]
fn a_small_rating_reads_back() {
    for number in [1e-9, 1.659_507_5e-7, 0.000_01, 0.5, 5.0] {
        let rating = Rating::new(number).unwrap();
        assert_eq!(rating.to_string().parse(), Ok(rating), "{rating}");
    }
}

/// It was written as an empty element, which reads as none.
#[test]
fn a_restriction_without_countries_is_refused_or_reads_back() {
    let url: Url = "https://example.com/".parse().unwrap();
    let restriction = Restriction::new(Relationship::Allow, Vec::<String>::new());
    let mut video = Video::new(url.clone(), "a", "b", url.clone());
    video.restriction = Some(restriction);
    let page = UrlEntry::new(url).with_video(video);
    let mut writer = UrlsetWriter::new(Vec::new());
    if writer.write(&page).is_ok() {
        let file = writer.finish().unwrap();
        assert_eq!(read(&strict(), &file[..]).said, [Said::Entry(page.into())]);
    }
}

/// With the URL after the cut, a text sitemap with unusual lines before it was taken for XML with another root.
#[test]
fn a_text_sitemap_that_is_cut_is_no_unknown_root() {
    let text = "a=1\nb<link>c\nhttps://example.com/\n";
    assert_eq!(
        read_slice(text).shown().last().map(String::as_str),
        Some("https://example.com/")
    );
    let gz = common::gzip(text.as_bytes());
    for cut in 2..gz.len() {
        let outcome = read(&common::lenient(), &gz[..cut]);
        assert_eq!(outcome.fatal(), "Truncated", "cut at {cut}");
    }
}

/// A broken checksum, once it was known, hid that a web page had been recognized long before the end.
#[test]
fn a_web_page_is_one_however_its_gzip_ends() {
    let words = ["words "; 40].concat();
    let page = format!("<?xml version='1.0'?>{words}<x>{words}<html>{words}");
    let mut gz = common::gzip(page.as_bytes());
    let checksum = gz.len() - 8;
    gz[checksum] ^= 1;
    same_however_cut(&gz);
    assert_eq!(read(&common::lenient(), &*gz).fatal(), "UnknownRoot");
}

/// After characters that had to be decoded, the positions of list items were too large.
#[test]
fn the_parts_of_a_decoded_list_lie_in_it() {
    let document = format!(
        "<urlset xmlns=\"{NS}\" xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\">\
         <url><loc>https://example.com/</loc><video:video>\
         <video:restriction relationship=\"allow\">{} Utopia</video:restriction></video:video></url></urlset>",
        "\u{1}a".repeat(100)
    );
    let list = document.find('\u{1}').unwrap()..document.find("</video:r").unwrap();
    let outcome = read_slice(&document);
    let countries: Vec<_> = outcome
        .issues()
        .into_iter()
        .filter(|issue| issue.violation.rule() == Rule::InvalidCountry)
        .collect();
    assert!(!countries.is_empty());
    for issue in countries {
        assert!(list.contains(&(issue.position.byte() as usize)), "{issue}");
    }
}

/// A URL was accepted that is short enough as it was passed, but not as it is written, with its characters escaped.
#[test]
fn a_url_that_grows_too_long_is_refused() {
    let text = format!("https://example.com/{}", "\u{e9}".repeat(1_000));
    assert_eq!(
        UrlEntry::try_from(text.as_str()).unwrap_err().rule(),
        Rule::UrlTooLong
    );
}

/// If entries fail one inside the other over a bound, reading continued in the middle of a character, and panicked.
#[test]
fn reading_goes_on_between_characters() {
    let good = "<url><loc>https://example.com/</loc></url>";
    for filling in ["<!--", "<x:a>", "<x:a b='", "<x:b>&amp;"] {
        for padding in ["", "a", "aa", "aaa"] {
            let failing = format!("<url>{filling}").repeat(40);
            let document = format!(
                "<urlset xmlns=\"{NS}\" xmlns:x=\"urn:x\">{good}{failing}{padding}{}{good}</urlset>",
                "\u{1F4A7}".repeat(3_000)
            );
            let builder = common::lenient().max_entry_bytes(4_096);
            common::same_with(&builder, document.as_bytes());
            let outcome = read(&builder, document.as_bytes());
            assert_eq!(outcome.fatal(), "none", "{filling}");
            assert_eq!(outcome.locs().last(), Some(&"https://example.com/"));
        }
    }
}

/// A form feed alone was treated as white space, although XML forbids it; next to other text it was not.
#[test]
fn a_form_feed_is_no_white_space() {
    for date in [
        "\u{C}",
        "\u{C}<!---->",
        " \u{C} ",
        "\u{C}2024",
        "<!---->\u{C}<![CDATA[2024]]>",
    ] {
        let document = format!(
            "<urlset xmlns=\"{NS}\"><url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url></urlset>"
        );
        same_however_cut(document.as_bytes());
        let rules = read_slice(&document).rules();
        assert_eq!(
            rules,
            [Rule::InvalidCharacter, Rule::InvalidDatetime],
            "{document}"
        );
    }
}

/// A root was looked for among what had been pushed so far: whether a document type or a tag before it had an end
/// depended on how the bytes were cut.
#[test]
fn what_stands_open_before_a_root_does_not_depend_on_the_cuts() {
    let sitemap =
        format!("<urlset xmlns=\"{NS}\"><url><loc>https://example.com/a</loc></url></urlset>");
    for before in [
        "<!DOCTYPE a \"b ",
        "<!DOCTYPE a [<!ENTITY b '",
        "<a b=\"c ",
        "<!-- ",
        "<a b='c' d ",
        "<a b='x > ",
        "<!DOCTYPE a 'b <urlset> c ",
        "<!DOCTYPE a [<!ENTITY b ' <urlset> c ",
    ] {
        let text = format!(
            "<?xml version='1.0'?>\nwords {before}{sitemap}{}",
            " ".repeat(2_000)
        );
        same_however_cut(text.as_bytes());
        // A broken tag costs no page.
        let is_read = Reader::from_bytes(&text).any(|entry| entry.is_ok());
        assert_eq!(is_read, before.starts_with("<a"), "{text}");
    }
    // As it was found.
    same_however_cut(include_bytes!(
        "../../fuzz/corpus/reading/doctype-without-end"
    ));
}
