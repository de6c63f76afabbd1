//! Hostile documents that grow in one dimension: their cost grows linearly, in one piece and in small pushes.
//!
//! Every shape is read at two sizes, the second four times the first. Linear work takes four times as long, quadratic
//! work sixteen times; the limit is eight. Only ratios are compared, of the processor time of this thread if the system
//! reports it, so that other load has no effect.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::common::{NS, gzip, lenient, strict, url};
use quick_sitemap::{Decoder, ReaderBuilder};

/// A document of approximately this number of bytes.
type Shape = (&'static str, fn(usize) -> Vec<u8>);

const GOOD: &str = "<url><loc>https://example.com/good</loc></url>";
const X: &str = "<url><loc>https://example.com/x</loc>";

const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
/// An image whose prefix is `i`.
const OF_I: &str = "<i:image><i:loc>https://example.com/i</i:loc></i:image>";

fn document(body: &str) -> Vec<u8> {
    format!("<urlset xmlns=\"{NS}\" xmlns:x=\"urn:x\">{GOOD}{body}{GOOD}</urlset>").into_bytes()
}

/// `piece`, repeated up to this number of bytes.
fn many(piece: &str, bytes: usize) -> String {
    piece.repeat(bytes / piece.len() + 1)
}

/// Different pieces, up to this number of bytes.
fn numbered(piece: impl Fn(usize) -> String, bytes: usize) -> String {
    let mut text = String::new();
    for n in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &piece(n);
    }
    text
}

fn between(piece: &str, bytes: usize) -> Vec<u8> {
    document(&many(piece, bytes))
}

/// `around` has a `…`, which is replaced by this number of bytes of `piece`, below an entry.
fn within(around: &str, piece: &str, bytes: usize) -> Vec<u8> {
    let around = around.replace('…', &many(piece, bytes));
    document(&format!("{X}{around}</url>"))
}

/// An element with text of each of these names.
fn children(prefix: &str, names: &[&str]) -> String {
    let child = |name: &&str| format!("<{prefix}{name}>soon</{prefix}{name}>");
    names.iter().map(child).collect()
}

/// A child of each name that the page with every part has for an extension.
fn parts(extension: &str) -> String {
    let page = fs::read_to_string("tests/data/every-part.xml").unwrap();
    let start = format!("\n      <{extension}:");
    let tags = page.split(&start).skip(1);
    let names: BTreeSet<_> = tags
        .filter_map(|tag| tag.split([' ', '>']).next())
        .collect();
    children(&format!("{extension}:"), &Vec::from_iter(names))
}

/// This number of bytes of `piece` in an element of an extension.
fn extended(extension: &str, piece: &str, bytes: usize) -> Vec<u8> {
    let version = if extension == "news" { "0.9" } else { "1.1" };
    let uri = format!("http://www.google.com/schemas/sitemap-{extension}/{version}");
    let name = format!("{extension}:{extension}");
    let around = format!("<{name} xmlns:{extension}=\"{uri}\">…</{name}>");
    within(&around, piece, bytes)
}

/// A text that does not tell its format yet.
fn head(start: &str, piece: &str, bytes: usize) -> Vec<u8> {
    format!("{start}{}", many(piece, bytes)).into_bytes()
}

const SHAPES: &[Shape] = &[
    // Heads.
    ("head-word", |n| head("", "x", n)),
    ("head-words", |n| head("", "word ", n)),
    ("head-lines", |n| head("", "word\n", n)),
    ("head-url", |n| head("", "https://example.com", n)),
    ("head-comment-line", |n| head("# ", "\u{e9}", n)),
    ("head-name", |n| head("<", "a:", n)),
    ("head-end-name", |n| head("</", "a", n)),
    ("head-attribute", |n| head("<a ", "b", n)),
    ("head-value", |n| head("<a b='", "c", n)),
    ("head-section", |n| head("x<![CDATA[", "]", n)),
    ("head-instruction", |n| head("x<?", "?", n)),
    ("head-tags", |n| head("x", "<a>\n", n)),
    ("head-signs", |n| head("x", "<", n)),
    ("head-comment", |n| head("<!--", "-", n)),
    ("head-doctype", |n| head("<!DOCTYPE a [", "<", n)),
    ("head-declaration", |n| head("<?xml ", "?", n)),
    // Names.
    ("start-tag-name", |n| within("<x:…/>", "a", n)),
    ("start-tag-colons", |n| within("<x:…/>", "a:", n)),
    ("end-tag-name", |n| within("<x:b></x:…></x:b>", "a", n)),
    ("end-tag-space", |n| within("<x:b></x:b…>", " ", n)),
    ("attribute-name", |n| within("<x:b …='1'/>", "a", n)),
    ("entry-name", |n| {
        document(&format!(
            "<{0}:url xmlns:{0}=\"{NS}\"><{0}:loc>https://example.com/</{0}:loc></{0}:url>",
            many("p", n / 5)
        ))
    }),
    ("unknown-name", |n| {
        document(&format!("<x:{}/>", many("a", n)))
    }),
    ("unknown-names", |n| {
        between("<x:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>", n)
    }),
    ("stray-end-name", |n| {
        document(&format!("</{}>", many("a", n)))
    }),
    ("malformed-name", |n| {
        document(&format!("<x{}\">", many("a", n)))
    }),
    ("root-name", |n| {
        let prefix = many("p", n / 3);
        format!("<{prefix}:urlset xmlns=\"{NS}\" xmlns:{prefix}=\"{NS}\">{GOOD}</{prefix}:urlset>")
            .into_bytes()
    }),
    ("root-attributes", |n| {
        format!(
            "<{}:urlset xmlns=\"{NS}\"{}>{GOOD}</urlset>",
            "p".repeat(50_000),
            many(" a=''", n)
        )
        .into_bytes()
    }),
    ("root-prefix-stray-ends", |n| {
        let prefix = "p".repeat(30_000);
        format!(
            "<{prefix}:urlset xmlns=\"{NS}\" xmlns:{prefix}=\"{NS}\">{}</{prefix}:urlset>",
            many("</a>", n)
        )
        .into_bytes()
    }),
    ("prolog-name", |n| format!("<{}", many("a", n)).into_bytes()),
    ("prolog-tag", |n| {
        format!("<br {}/>{}", many("a='1' ", 60_000), many("<br/>", n)).into_bytes()
    }),
    ("prolog-comments", |n| {
        format!("{}<urlset xmlns=\"{NS}\"/>", many("<!-- -->", n)).into_bytes()
    }),
    ("doctype", |n| {
        format!(
            "<!DOCTYPE a [{}]><urlset xmlns=\"{NS}\"/>",
            many("<!ENTITY a \"]>\">", n)
        )
        .into_bytes()
    }),
    ("doctype-comment", |n| {
        format!(
            "<!DOCTYPE a [<!--{}-->]><urlset xmlns=\"{NS}\"/>",
            many("- ", n)
        )
        .into_bytes()
    }),
    // Attributes.
    ("attributes", |n| {
        document(&format!(
            "{X}<x:b{}/></url>",
            numbered(|i| format!(" a{i}=''"), n)
        ))
    }),
    ("attributes-without-value", |n| within("<x:b…/>", " a", n)),
    ("attributes-broken", |n| within("<x:b…/>", " =\"", n)),
    ("attribute-value", |n| within("<x:b a='…'/>", "> ", n)),
    ("attribute-references", |n| {
        within("<x:b a='…'/>", "&amp;", n)
    }),
    ("attribute-ampersands", |n| within("<x:b a='…'/>", "&", n)),
    ("unclosed-quotes", |n| between("<x a=\">", n)),
    ("tags-with-attributes", |n| {
        within("…", "<x:b a='1' b=\"2\" c='3'/>", n)
    }),
    // Depth.
    ("depth", |n| {
        within(
            "…",
            &format!("{}{}", "<x:b>".repeat(60), "</x:b>".repeat(60)),
            n,
        )
    }),
    ("depth-unknown", |n| between("<foo>", n)),
    ("depth-roots", |n| {
        between(&format!("<urlset xmlns=\"{NS}\">"), n)
    }),
    ("stray-ends", |n| between("</foo>", n)),
    ("stray-ends-in-an-entry", |n| {
        within("<x:b>…</x:b>", "</foo>", n)
    }),
    // Text.
    ("white-space", |n| within("…", " ", n)),
    ("white-space-between", |n| between("\n", n)),
    ("text", |n| within("<x:b>…</x:b>", "word ", n)),
    ("stray-text", |n| between("word ", n)),
    ("stray-texts", |n| between("word<!---->", n)),
    ("stray-texts-in-an-entry", |n| within("…", "word<!---->", n)),
    ("pieces", |n| {
        within("<x:b>…</x:b>", "a<!---->", n.min(500_000))
    }),
    ("gaps", |n| {
        within("<x:b>…</x:b>", " <x:c/>\n", n.min(500_000))
    }),
    ("elements", |n| within("…", "<x:c/>", n.min(390_000))),
    ("elements-with-text", |n| within("…", "<x:c>a</x:c>", n)),
    ("comment", |n| within("<!--…-->", "- ", n)),
    ("comments", |n| within("…", "<!---->", n)),
    ("comment-between", |n| {
        document(&format!("<!--{}-->", many("- ", n)))
    }),
    ("cdata", |n| within("<x:b><![CDATA[…]]></x:b>", "] ]", n)),
    ("cdatas", |n| within("<x:b>…</x:b>", "<![CDATA[]]>", n)),
    ("instruction", |n| within("<?x …?>", "? ", n)),
    ("instructions", |n| between("<?x?>", n)),
    ("references", |n| within("<x:b>…</x:b>", "&amp;", n)),
    ("references-numeric", |n| {
        within("<x:b>…</x:b>", "&#x26;", n)
    }),
    ("reference-unfinished", |n| within("<x:b>&…</x:b>", "a", n)),
    ("reference-number", |n| within("<x:b>&#…;</x:b>", "1", n)),
    ("ampersands", |n| within("<x:b>…</x:b>", "&", n)),
    ("ampersand-numbers", |n| within("<x:b>…</x:b>", "&#", n)),
    ("entities", |n| within("<x:b>…</x:b>", "&nbsp;", n)),
    ("forbidden", |n| within("<x:b>…</x:b>", "&#0;", n)),
    ("controls", |n| within("<x:b>…</x:b>", "a\u{1}", n)),
    ("carriage-returns", |n| within("<x:b>…</x:b>", "a\r", n)),
    ("loc", |n| {
        document(&format!(
            "<url><loc>https://example.com/{}</loc></url>",
            many("é ", n)
        ))
    }),
    // Stray markup.
    ("lts", |n| between("<", n)),
    ("lts-in-entries", |n| between("<url><", n)),
    ("section-ends", |n| within("<x:b>…</x:b>", "]]>", n)),
    ("bangs", |n| between("<!", n)),
    ("questions", |n| between("<?", n)),
    ("slashes", |n| between("</", n)),
    ("malformed-entries", |n| between("<url ", n)),
    // Entries.
    ("entries", |n| {
        between(&url("https://example.com/?a=1&amp;b=2"), n)
    }),
    ("empty-entries", |n| between("<url/>", n)),
    ("unclosed-entries", |n| {
        between("<url><loc>https://example.com/</loc>", n)
    }),
    ("failing-entries", |n| {
        between("<url><loc>https://example.com/</loc><></url>", n)
    }),
    ("failing-comments", |n| between("<url><!--", n)),
    ("failing-inside", |n| {
        between("<url><x:b><x:url></q></x:url><></url>", n)
    }),
    ("failing-depth", |n| {
        between(&format!("<url>{}</url>", "<x:url>".repeat(70)), n)
    }),
    ("second-locs", |n| {
        document(&format!(
            "<url xmlns:y='urn:y'>{}</url>",
            many("<loc>https://example.com/</loc><y:z/>", n)
        ))
    }),
    ("second-locs-of-many-names", |n| {
        let names = numbered(|i| format!(" xmlns:y{i}='urn:y{i}'"), 4_000);
        document(&format!(
            "<url{names}>{}</url>",
            many("<loc>https://example.com/</loc>", n)
        ))
    }),
    ("foreign-entries", |n| {
        between("<x:url><x:loc>https://example.com/</x:loc></x:url>", n)
    }),
    ("invalid-values", |n| {
        between(
            &format!("{X}<priority>2</priority><lastmod>yesterday</lastmod></url>"),
            n,
        )
    }),
    ("images", |n| {
        let image = "<image:image>\n<image:loc>https://example.com/</image:loc>\n</image:image>\n";
        document(&format!(
            "<url xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><loc>https://example.com/</loc>{}</url>",
            many(image, n)
        ))
    }),
    // Children that may be there once, of every kind.
    ("repeated-base-children", |n| {
        within(
            "…",
            &children("", &["lastmod", "changefreq", "priority"]),
            n,
        )
    }),
    ("repeated-children-of-an-image", |n| {
        extended("image", &parts("image"), n)
    }),
    ("repeated-children-of-a-video", |n| {
        extended("video", &parts("video"), n)
    }),
    ("repeated-titles-of-a-video", |n| {
        extended("video", &children("video:", &["title"]), n)
    }),
    ("repeated-children-of-news", |n| {
        extended("news", &parts("news"), n)
    }),
    ("repeated-children-of-a-publication", |n| {
        let publication = "<news:publication>…</news:publication>";
        let piece = children("news:", &["name", "language"]);
        let all = publication.replace('…', &many(&piece, n));
        extended("news", &all, 1)
    }),
    ("repeated-children-of-an-item", |n| {
        let names = ["pubDate", "dc:date", "guid", "title"];
        let item = many(&children("", &names), n);
        format!(
            "<rss xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><link>https://example.com/</link>{item}</item></channel></rss>"
        )
        .into_bytes()
    }),
    ("repeated-dates-of-an-item", |n| {
        format!(
            "<rss><channel><item><link>https://example.com/</link>{}</item></channel></rss>",
            many(&children("", &["pubDate"]), n)
        )
        .into_bytes()
    }),
    ("repeated-children-of-an-atom-entry", |n| {
        let names = ["updated", "modified", "published", "issued", "id", "link"];
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='https://example.com/'/>{}</entry></feed>",
            many(&children("", &names), n)
        )
        .into_bytes()
    }),
    ("undeclared", |n| {
        document(&format!(
            "{X}{}</url>",
            numbered(|i| format!("<p{i}:a/>"), n)
        ))
    }),
    // Text sitemaps and feeds.
    ("namespace-of-white-space", |n| {
        let uri = format!("{}{IMAGE}", " ".repeat(n / 2));
        format!(
            "<urlset xmlns=\"{NS}\" xmlns:i=\"{uri}\">{}</urlset>",
            many(&format!("{X}{}</url>", OF_I.repeat(100)), n / 2)
        )
        .into_bytes()
    }),
    ("namespace-of-white-space-in-an-entry", |n| {
        let entry = X.replace(
            "<url>",
            &format!("<url xmlns:i=\"{}{IMAGE}\">", " ".repeat(n / 2)),
        );
        document(&format!("{entry}{}</url>", many(OF_I, n / 2)))
    }),
    ("namespaces", |n| {
        let elements = numbered(|i| format!("<a:x xmlns:a='u{i:05}'/>"), n / 8);
        document(&format!("{X}{elements}</url>"))
    }),
    ("namespaces-beyond-the-bound", |n| {
        let elements = numbered(|i| format!("<a:x xmlns:a='u{i:05}'/>"), n);
        document(&format!("{X}{elements}</url>"))
    }),
    ("undeclared-among-namespaces", |n| {
        let declared: String = (0..300).map(|n| format!("<a:x xmlns:a='u{n}'/>")).collect();
        document(&format!(
            "{X}{declared}{}</url>",
            many(&OF_I.replace("i:", "image:"), n)
        ))
    }),
    ("declarations", |n| between("<?xml >", n)),
    ("declaration", |n| within("<?xml …>", "? ", n)),
    ("signs", |n| within("…", "< <b/>", n.min(390_000))),
    ("sign", |n| within("< …", "= ", n)),
    ("bases", |n| {
        let base = "a/".repeat(700);
        let item = "<item xml:base='b/'><link>c</link></item>";
        format!(
            "<rss xml:base='https://example.com/{base}'>{}</rss>",
            many(item, n)
        )
        .into_bytes()
    }),
    ("bases-that-grow", |n| {
        let item = "<item><link>c</link></item>";
        let opened = "<a xml:base='bbbbbbbbbb/'>".repeat(60);
        format!(
            "<rss xml:base='https://example.com/'>{opened}{}</rss>",
            many(item, n)
        )
        .into_bytes()
    }),
    ("lines", |n| many("https://example.com/\n", n).into_bytes()),
    ("blank-lines", |n| {
        format!("https://example.com/\n{}", many("\n", n)).into_bytes()
    }),
    ("invalid-lines", |n| {
        format!("https://example.com/\n{}", many("x\r\n", n)).into_bytes()
    }),
    ("line", |n| {
        format!(
            "https://example.com/\nhttps://example.com/{}\n",
            many("a", n)
        )
        .into_bytes()
    }),
    ("comment-line", |n| {
        format!("https://example.com/\n#{}\n", many("a", n)).into_bytes()
    }),
    ("rss", |n| {
        format!(
            "<rss><channel>{}</channel></rss>",
            many("<item><link>https://example.com/</link></item>\n", n)
        )
        .into_bytes()
    }),
    ("rss-item", |n| {
        format!(
            "<rss><channel><item>{}<link>https://example.com/</link></item></channel></rss>",
            many("<guid>x</guid>", n.min(900_000))
        )
        .into_bytes()
    }),
    ("atom-entry", |n| {
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry>{}</entry></feed>",
            many("<link rel='self' href='x'/>", n.min(800_000))
        )
        .into_bytes()
    }),
    // Gzip.
    ("gzip", |n| gzip(&between(GOOD, n))),
    ("gzip-members", |n| {
        [gzip(&between(GOOD, 10)), gzip(b"").repeat(n / 20)].concat()
    }),
    ("gzip-rubbish", |n| {
        [gzip(&between(GOOD, 10)), vec![b'x'; n]].concat()
    }),
];

/// The processor time of this thread so far, or the time of the clock if the system does not report it.
fn worked() -> Duration {
    thread_local!(static START: Instant = Instant::now());
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| START.with(Instant::elapsed), Duration::from_nanos)
}

/// Reads all entries there are; whether reading goes on with more bytes.
fn drain(decoder: &mut Decoder) -> bool {
    loop {
        match decoder.next_entry() {
            Ok(None) => return true,
            Ok(entry) => drop(black_box(entry)),
            Err(error) if error.is_fatal() => return false,
            Err(_) => {}
        }
    }
}

/// The processor time that it takes to read these bytes in pieces of `step` bytes.
fn cost(builder: &ReaderBuilder, bytes: &[u8], step: usize) -> Duration {
    let start = worked();
    let mut decoder = builder.decoder();
    let goes_on = bytes.chunks(step).all(|piece| {
        decoder.push(piece);
        drain(&mut decoder)
    });
    if goes_on {
        decoder.finish();
        drain(&mut decoder);
    }
    worked().saturating_sub(start)
}

/// Bytes of the smaller document of each pair.
const SIZE: usize = if cfg!(debug_assertions) {
    45_000
} else {
    200_000
};

/// Under this it is the noise that is measured.
const FLOOR: Duration = Duration::from_millis(6);

#[test]
fn time_is_in_proportion() {
    let size = SIZE;
    let mut failed = Vec::new();
    for (name, shape) in SHAPES.iter().filter(|(name, _)| is_asked_for(name)) {
        let (one, four) = (shape(size), shape(4 * size));
        // Reading raw entries is a part of reading typed ones.
        for (way, builder, step) in [
            ("whole", lenient(), usize::MAX),
            ("16 bytes, strict", strict(), 16),
            ("4 bytes", lenient(), 4),
        ] {
            let cost = |bytes: &[u8]| cost(&builder, bytes, step);
            match least_costs(|| cost(&one), || cost(&four), 8) {
                Ok((small, large)) => eprintln!("{name:28} {way:17} {small:8.1?} {large:8.1?}"),
                Err(costs) => failed.push(format!("{name}, {way}: {costs}")),
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The least processor times of the small document and of the large one. Other load of the machine can make one measurement
/// worse, but not better, so they are read again, up to three times, while the large one takes more than `most` times as long.
fn least_costs(
    small: impl Fn() -> Duration,
    large: impl Fn() -> Duration,
    most: u32,
) -> Result<(Duration, Duration), String> {
    let (mut one, mut other) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        one = one.min(small());
        other = other.min(large());
        if other <= most * one.max(FLOOR) {
            return Ok((one, other));
        }
    }
    Err(format!("{one:?}, then {other:?}"))
}

/// A text with much of something takes less than `most` times as long as one with little.
fn costs_little(name: &str, few: &str, many: &str, most: u32) {
    let cost = |text: &str| cost(&lenient(), text.as_bytes(), usize::MAX);
    if let Err(costs) = least_costs(|| cost(few), || cost(many), most) {
        panic!("{name}: {costs}");
    }
}

/// The cost of a tag does not depend on the length of the root's name.
#[test]
fn a_long_prefix_of_the_root_and_many_tags() {
    for tag in ["</a>", "<a/>", "<a></a>", "<p:a></p:a>", "<url></a></url>"] {
        let text = |len: usize| {
            let prefix = "p".repeat(len);
            let body = tag.repeat(SIZE * 5 / tag.len());
            let root = format!("{prefix}:urlset");
            format!("<{root} xmlns:{prefix}=\"{NS}\" xmlns:p='urn:p'>{body}</{root}>")
        };
        // Comparing or copying the name for each tag would take hundreds of times as long.
        costs_little(tag, &text(5), &text(60_000), 10);
    }
}

/// The cost of a tag hardly depends on the elements and namespaces that are open around it.
#[test]
fn tags_among_many_open_elements_and_prefixes() {
    let declared = |n: usize| -> String { (0..n).map(|n| format!(" xmlns:p{n}='u{n}'")).collect() };
    let times = SIZE / 2;
    let root =
        |n: usize, body: String| format!("<urlset xmlns=\"{NS}\"{}>{body}</urlset>", declared(n));
    let entries = |inner: &str, after: &str| {
        let entry = format!("{X}{inner}{after}</url>");
        entry.repeat(times / 1_000)
    };
    type Text<'a> = &'a dyn Fn(usize) -> String;
    let cases: [(&str, Text<'_>); 6] = [
        ("prefixes in an entry", &|n| {
            root(n, entries(&"<p0:a/>".repeat(1_000), ""))
        }),
        ("prefixes of attributes", &|n| {
            root(
                n,
                entries(&"<p0:a p0:b='' p0:c='' p0:d=''/>".repeat(1_000), ""),
            )
        }),
        ("prefixes between entries", &|n| {
            root(n, "<p0:a/>".repeat(times))
        }),
        ("elements in an entry", &|n| {
            root(1, entries(&"<p0:x>".repeat(n / 5), &"</a>".repeat(1_000)))
        }),
        ("elements between entries", &|n| {
            root(
                1,
                format!("{}{}", "<p0:x>".repeat(n / 5), "</a>".repeat(times)),
            )
        }),
        ("roots", &|n| {
            let roots = format!("<urlset xmlns=\"{NS}\">").repeat(n / 2);
            root(1, format!("{roots}{}", "</a>".repeat(times)))
        }),
    ];
    for (name, text) in cases {
        costs_little(name, &text(5), &text(250), 4);
    }
}

/// `GROWTH_SHAPE` names those to look at; all, where it isn't set.
fn is_asked_for(name: &str) -> bool {
    std::env::var("GROWTH_SHAPE").map_or(true, |asked| name.contains(&asked))
}

/// Pairs of documents for tools that measure from outside, in the folder that `GROWTH_FOLDER` names.
#[test]
#[ignore = "writes files"]
fn pairs_of_documents() {
    let folder = std::env::var("GROWTH_FOLDER").unwrap();
    fs::create_dir_all(&folder).unwrap();
    for (name, shape) in SHAPES {
        fs::write(format!("{folder}/{name}.1.xml"), shape(500_000)).unwrap();
        fs::write(format!("{folder}/{name}.2.xml"), shape(1_000_000)).unwrap();
    }
}
