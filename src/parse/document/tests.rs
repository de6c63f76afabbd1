//! That the usual documents take the fast path.

use crate::engine::Step;
use crate::reader::decoder::Decoder;

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The number of entries of a document that the fast path has read, if it arrives in pieces of `step` bytes, and the
/// number of all entries.
fn by_the_fast_path(text: &str, step: usize) -> (usize, u64) {
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

/// How many of the next entries the fast path has read: only these have marks on the tape for their elements.
fn advance(decoder: &mut Decoder) -> usize {
    let mut fast = 0;
    while let Ok(Step::Entry) = decoder.advance() {
        fast += usize::from(decoder.raw().has_foreign().is_some());
    }
    fast
}

#[test]
fn every_entry_of_a_usual_shape_takes_the_fast_path() {
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
    for (name, root, entry) in [
        ("pages", "urlset", format!("{page}</url>")),
        ("indented pages", "urlset", format!("\n  {full}")),
        (
            "lines that end with CR LF",
            "urlset",
            format!("\n  {full}").replace('\n', "\r\n"),
        ),
        (
            "sitemaps",
            "sitemapindex",
            "<sitemap><loc>https://example.com/a.xml</loc><lastmod>2024</lastmod></sitemap>\n"
                .to_owned(),
        ),
        (
            "images",
            "urlset",
            format!("{page}{}</url>\n", images.repeat(3)),
        ),
        (
            "alternates",
            "urlset",
            format!("{page}{alternates}</url>\n"),
        ),
        ("videos", "urlset", format!("{page}{video}</url>\n")),
        ("news", "urlset", format!("{page}{news}</url>\n")),
        (
            "all extensions",
            "urlset",
            full.replace(
                "\n  </url>",
                &format!("\n    {alternates}\n{images}{video}{news}</url>"),
            ),
        ),
        (
            "foreign elements",
            "urlset",
            format!("{page}<x:size unit=\"cm\">12</x:size></url>\n"),
        ),
    ] {
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{SITEMAP}\" xmlns:x=\"urn:x\" \
             xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
             xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
             xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
             xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">{}</{root}>\n",
            entry.repeat(50)
        );
        // Elements with prefixes are learned from the first entry, which the general path reads.
        let mut names = entry
            .split('<')
            .filter_map(|tag| tag.split(['>', ' ']).next());
        let learned = usize::from(names.any(|name| name.contains(':')));
        assert_eq!(
            by_the_fast_path(&text, text.len()),
            (50 - learned, 50),
            "{name}"
        );
        // If a push ends within an entry, that entry may take the other path.
        let (fast, all) = by_the_fast_path(&text, 4096);
        let cuts = text.len() / 4096;
        assert!(
            all == 50 && fast + learned + cuts >= 50,
            "{name}: {fast} with {cuts} cuts"
        );
    }
}

#[test]
fn other_entries_take_the_general_path_and_the_fast_path_is_tried_again() {
    let usual = "<url><loc>https://example.com/a</loc></url>\n";
    let odd = "<url><loc>https://example.com/a</loc><!-- --></url>\n";
    let document = |entries: &str| format!("<urlset xmlns=\"{SITEMAP}\">{entries}</urlset>");
    let text = document(&odd.repeat(10));
    assert_eq!(by_the_fast_path(&text, text.len()), (0, 10));
    let text = document(&format!("{usual}{odd}{usual}<!-- -->{usual}"));
    assert_eq!(by_the_fast_path(&text, text.len()), (3, 4));
    let text = format!(
        "<sitemapindex xmlns=\"{SITEMAP}\"><urlset>{}</urlset></sitemapindex>",
        usual.repeat(5)
    );
    let mut decoder = Decoder::new();
    decoder.push(text.as_bytes());
    assert_eq!(advance(&mut decoder), 5);
}
