//! An entry is returned as soon as the byte that completes it has been pushed: the `>` of its end tag, or its line end. An
//! entry that its own end tag does not close is returned with the next end tag. So a connection that breaks off costs no entry that had arrived.

use std::io::{self, Read};

use crate::common::{NS, cases, gzip, index, lenient, url, urlset};
use encoding_rs::Encoding;
use flate2::{Decompress, FlushDecompress};
use quick_sitemap::{Decoder, Entry, Issue, Policy, Reader, ReaderBuilder, Rule};

const X: &str = "https://example.com/x";

/// Pushes byte by byte, and returns after how many bytes each entry was returned. An entry that needs
/// [`Decoder::finish`] comes after one more byte than there are.
fn arrivals(builder: &ReaderBuilder, bytes: &[u8]) -> Vec<(usize, Entry)> {
    fn drain(decoder: &mut Decoder, at: usize, arrived: &mut Vec<(usize, Entry)>) {
        loop {
            match decoder.next_entry() {
                Ok(Some(entry)) => arrived.push((at, entry)),
                Ok(None) => return,
                Err(error) if error.is_fatal() => return,
                Err(_) => {}
            }
        }
    }
    let mut decoder = builder.decoder();
    let mut arrived = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        decoder.push(&[*byte]);
        drain(&mut decoder, at + 1, &mut arrived);
    }
    decoder.finish();
    drain(&mut decoder, bytes.len() + 1, &mut arrived);
    arrived
}

fn places(bytes: &[u8]) -> Vec<usize> {
    let arrived = arrivals(&lenient(), bytes);
    arrived.into_iter().map(|(at, _)| at).collect()
}

/// A document in which `¦` follows the byte that completes an entry.
struct Marked {
    text: String,
    ends: Vec<usize>,
}

impl Marked {
    fn new(marked: &str) -> Self {
        let mut ends = Vec::new();
        let mut text = String::new();
        for piece in marked.split_inclusive('¦') {
            text += piece.trim_end_matches('¦');
            if piece.ends_with('¦') {
                ends.push(text.len());
            }
        }
        Self { text, ends }
    }

    /// The document in another encoding, and where its entries end there.
    fn encoded(&self, encode: impl Fn(&str) -> Vec<u8>) -> (Vec<u8>, Vec<usize>) {
        let ends = self.ends.iter().map(|end| encode(&self.text[..*end]).len());
        (encode(&self.text), ends.collect())
    }

    /// Each entry arrives where it ends, in UTF-8, in UTF-16, and packed.
    fn check(&self) {
        let plain = |text: &str| text.as_bytes().to_vec();
        self.check_with("UTF-8", plain);
        self.check_with("UTF-8 with a mark", |text| {
            plain(&format!("\u{FEFF}{text}"))
        });
        for little in [true, false] {
            let utf_16 = |text: &str| utf_16(text, little);
            self.check_with("UTF-16", |text| utf_16(&format!("\u{FEFF}{text}")));
            // Nothing else identifies UTF-16 without a mark.
            if self.text.as_bytes()[..2].is_ascii() {
                self.check_with("UTF-16 without a mark", utf_16);
            }
        }
    }

    fn check_with(&self, way: &str, encode: impl Fn(&str) -> Vec<u8>) {
        let (bytes, ends) = self.encoded(encode);
        assert_eq!(places(&bytes), ends, "{way}: {}", self.text);
        let (packed, packed_ends) = packed(&bytes, &ends);
        assert_eq!(places(&packed), packed_ends, "{way}, packed: {}", self.text);
        let (twice, twice_ends) = self::packed(&packed, &packed_ends);
        assert_eq!(places(&twice), twice_ends, "{way}, packed twice");
    }
}

fn utf_16(text: &str, little: bool) -> Vec<u8> {
    let unit = |unit: u16| {
        if little {
            unit.to_le_bytes()
        } else {
            unit.to_be_bytes()
        }
    };
    text.encode_utf16().flat_map(unit).collect()
}

/// The bytes gzipped, and how many of those it takes to inflate as far as each of `ends`.
fn packed(bytes: &[u8], ends: &[usize]) -> (Vec<u8>, Vec<usize>) {
    let packed = gzip(bytes);
    let mut inflate = Decompress::new(false);
    let mut output = vec![0; bytes.len() + 1];
    let mut packed_ends = Vec::new();
    // `gzip` writes a header of ten bytes.
    for at in 10..packed.len() {
        while packed_ends.len() < ends.len()
            && inflate.total_out() >= ends[packed_ends.len()] as u64
        {
            packed_ends.push(at);
        }
        let given = inflate.total_out() as usize;
        let byte = &packed[at..=at];
        inflate
            .decompress(byte, &mut output[given..], FlushDecompress::None)
            .unwrap();
    }
    // An entry that ends with the text is complete before the trailer.
    packed_ends.resize(ends.len(), packed.len() + 1);
    (packed, packed_ends)
}

fn entries(n: usize) -> String {
    (0..n).map(|n| url(&format!("{X}{n}")) + "¦\n").collect()
}

#[test]
fn xml() {
    let two = entries(2);
    for text in [
        "<urlset><url><loc>http://a/</loc></url>¦</urlset>".to_owned(),
        urlset(&two),
        urlset(&format!("\n{two}")),
        format!("<?xml version=\"1.0\"?>\n{}", urlset(&two)),
        format!("<?xml version='1.0' encoding='UTF-8' ?>{}", urlset(&two)),
        format!(
            "<?xml version=\"1.0\" encoding=\"nobody-knows\"?>{}",
            urlset(&two)
        ),
        format!(
            "\n<!-- é -->\n<?xml-stylesheet href='x'?><!DOCTYPE urlset [<!ENTITY a \"b\">]>\n{}",
            urlset(&two)
        ),
        format!("<!--{}-->{}", "-é ".repeat(600), urlset(&two)),
        format!("<urlset xmlns=\"{NS}\" a='é' b=\"<\">{two}</urlset>"),
        format!(
            "<urlset xmlns=\"{NS}\" a='{}'>{two}</urlset>",
            "é".repeat(900)
        ),
        format!("<s:urlset xmlns:s=\"{NS}\"><s:url><s:loc>{X}</s:loc></s:url>¦</s:urlset>"),
        urlset(&format!("<url><loc>{X}?é</loc></url  >¦{two}")),
        urlset(&format!(
            "<url><loc><![CDATA[{X}]]></loc><!-- > --></url>¦{two}"
        )),
        urlset(&format!(
            "<url><loc>{X}&amp;</loc><x:y xmlns:x='urn:x'>b</x:y></url>¦"
        )),
        index(&format!("<sitemap><loc>{X}</loc></sitemap>¦ ").repeat(3)),
        format!("{}\n{}", urlset(&two), urlset(&two)),
    ] {
        Marked::new(&text).check();
    }
}

#[test]
fn behind_junk() {
    let two = urlset(&entries(2));
    for junk in [
        "sitemap.xml\n",
        "é\n",
        "a\rb\r\nc",
        "This XML file does not appear to have any style information associated with it.\n",
        "<br />\n<b>Warning</b>: in <b>/var/www/x.php</b> on line <b>3</b><br />\n",
        "<br>https://example.com/\n",
        "< < <é",
        "word <!-- <urlset> -->",
        "word <![CDATA[ <urlset> ]]>",
        "word <?php <urlset> ?>",
    ] {
        for declaration in ["", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"] {
            Marked::new(&format!("{junk}{declaration}{two}")).check();
        }
        let long = format!("{}{junk}{two}", "word ".repeat(900));
        Marked::new(&long).check_with("long", |text| text.as_bytes().to_vec());
    }
}

#[test]
fn feeds() {
    for text in [
        format!("<rss><channel><item><link>{X}</link></item>¦\n<item><link>{X}</link></item>¦"),
        format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>\
             <item><link>{X}</link></item>¦</rdf:RDF>"
        ),
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>é</title><entry><link href=\"{X}\"/></entry>¦\n\
             <entry><title>t</title><link href='{X}'/></entry>¦</feed>"
        ),
    ] {
        Marked::new(&text).check();
    }
}

#[test]
fn entries_beside_broken_ones() {
    for body in [
        format!("<url><loc>{X}</loc><1><url><loc>{X}</loc></url>¦"),
        // A sign that begins no markup is text, so this one is not broken.
        format!("<url><loc>{X}</loc><<url><loc>{X}</loc></url>¦¦"),
        format!("<url a=\"><loc>{X}</loc></url><url><loc>{X}</loc></url>¦<url>"),
        // An entry without an end tag of its own is returned with the next end tag.
        format!("<url><loc>{X}</loc><url><loc>{X}</loc></url>¦¦"),
        format!("<url><loc>{X}</loc><loc>{X}</loc></url>¦¦"),
        format!("<url><loc>{X}</loc><url><loc>{X}</loc><url/>{}¦¦¦", url(X)),
        format!("<url><loc>{X}</loc></urlset>¦"),
        format!("<url/><foo><url><loc>{X}</loc></url>¦</bar>stray"),
        format!("<url><loc>www.example.com</loc></url><url><loc>{X}</loc></url>¦"),
    ] {
        Marked::new(&urlset(&body)).check();
    }
}

/// If the end of the pushed text cuts an entry of the usual shape, the parser waits with it, and the entry is still
/// returned with its last byte, for every possible end. Issues in an entry, and a fatal error in an entry that is never
/// completed, are reported when the entry is complete or the input ends, which can be a push later than possible.
#[test]
fn entries_that_a_push_cuts() {
    let usual = format!("{}¦\n", url(X));
    let link = "<x:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de>\"/>";
    let image = "<i:image>\n<i:loc>https://example.com/a.jpg</i:loc>\n</i:image>";
    for last in [
        format!("<url><loc>{X}</loc>{link}{image}<lastmod>2024</lastmod>{link}</url>¦"),
        format!("<url>{link}<loc>{X}</loc>{image}</url >¦"),
        format!("<url>{link}<loc>{X}</loc></URL>¦"),
        format!("<url>{link}<loc>{X}</loc><loc>{X}</loc></url>¦¦"),
        format!("<url>{link}<loc>{X}</loc>{link}<s:loc>{X}</loc></url>¦¦"),
        format!("<url>{link}<loc>{X}</loc><url><loc>{X}</loc></url>¦¦"),
        format!("<url>{link}<loc>{X}</loc><!-- </url> --><priority>0.5</priority></url>¦"),
        format!("<url>{link}<loc>{X}</loc><x:link rel='a' href='<'/></url>\n{usual}"),
        format!("<url>{link}<loc>{X}</loc>"),
    ] {
        let text = urlset(&format!("{}{last}", usual.repeat(3)));
        let prefixes = format!(
            "{NS}\" xmlns:s=\"{NS}\" xmlns:x=\"http://www.w3.org/1999/xhtml\" \
             xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.1"
        );
        let end = if last.ends_with("</loc>") {
            "</urlset>¦"
        } else {
            "</urlset>"
        };
        let text = text.replacen(NS, &prefixes, 1).replace("</urlset>", end);
        Marked::new(&text).check_with("UTF-8", |text| text.as_bytes().to_vec());
    }
}

#[test]
fn text() {
    for text in [
        "http://a/\n¦",
        "https://example.com/1\n¦https://example.com/2\n¦",
        "https://example.com/1\r¦\nhttps://example.com/2\r¦\n",
        "https://example.com/1\r¦https://example.com/2\r¦",
        "# sitemap of example.com\n\n \nhttps://example.com/1\n¦\n# more\nhttps://example.com/2\n¦",
        "no URL\nhttps://example.com/é\n¦nor this\n  HTTPS://example.com/ \t\n¦",
        "é\nhttps://exämple.com/\n¦",
        "https://example.com/<b>\n\nhttps://example.com/\n",
        "https://example.com/1\n¦<urlset>\nhttps://example.com/2\n¦<url><loc>https://example.com/</loc></url>",
    ] {
        // A document with a `<` before its first URL can still have a root, so only the end decides.
        if text.contains('¦') {
            Marked::new(text).check();
        }
    }
    let lines: String = (0..500).map(|n| format!("{X}{n}\n¦")).collect();
    let long = "x".repeat(3_000);
    for text in [
        lines.clone(),
        format!("#{long}\n{lines}"),
        format!("{X}{long}\n¦{lines}"),
    ] {
        Marked::new(&text).check_with("UTF-8", |text| text.as_bytes().to_vec());
    }
    // The last line has no line end.
    let text = format!("{X}\n{X}");
    assert_eq!(places(text.as_bytes()), [X.len() + 1, text.len() + 1]);
}

#[test]
fn declared_encodings() {
    for (label, path) in [
        ("ISO-8859-1", "straße"),
        ("windows-1251", "новости"),
        ("Shift_JIS", "日本語"),
        ("EUC-JP", "日本語"),
        ("ISO-2022-JP", "日本語"),
        ("Big5", "中文"),
        ("gb18030", "中文💧"),
        ("euc-kr", "한국어"),
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        let page = url(&format!("https://example.com/{path}"));
        for before in ["", "\n", "sitemap.xml\n", "<br />\n"] {
            let text = format!(
                "{before}<?xml version=\"1.0\" encoding='{label}'?>{}",
                urlset(&format!("{page}¦<!-- {path} -->{page}¦"))
            );
            Marked::new(&text).check_with(label, |text| encoding.encode(text).0.into_owned());
        }
    }
}

/// In text from a file, the ends of entries are known.
#[test]
fn every_sound_fixture() {
    for (name, end, count) in [
        ("urlset.xml", "</url>", 10),
        ("index.xml", "</sitemap>", 4),
        ("urls.txt", "\n", 5),
        ("extensions.xml", "</url>", 4),
        ("prefix.xml", "</sm:url>", 2),
        ("crlf.xml", "</url>", 2),
        ("rss.xml", "</item>", 2),
        ("atom.xml", "</entry>", 2),
        ("utf-16le.xml", "</url>", 2),
        ("latin1.xml", "</url>", 2),
        ("truncated.xml", "</url>", 2),
    ] {
        let bytes = fixture(name);
        let end = if name.starts_with("utf-16le") {
            utf_16(end, true)
        } else {
            end.as_bytes().to_vec()
        };
        let windows = bytes.windows(end.len()).enumerate();
        let mut ends: Vec<usize> = windows
            .filter(|(_, window)| *window == end)
            .map(|(at, _)| at + end.len())
            .collect();
        if end == b"\n" {
            let is_url = |end: &usize| {
                let line = bytes[..end - 1].rsplit(|b| *b == b'\n').next().unwrap();
                line.starts_with(b"http")
            };
            ends.retain(is_url);
        }
        assert_eq!(
            ends.len(),
            count,
            "{name}: the test looks for the wrong end"
        );
        assert_eq!(places(&bytes), ends, "{name}");
        let (packed, packed_ends) = packed(&bytes, &ends);
        assert_eq!(places(&packed), packed_ends, "{name}, packed");
    }
}

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

/// A connection that is reset after this number of bytes.
struct Reset<'a>(&'a [u8]);

impl Read for Reset<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            n => Ok(n),
        }
    }
}

/// Bytes that had been pushed when a connection broke off are processed before the failure is reported.
#[test]
fn nothing_is_held_back_for_the_end_of_a_broken_connection() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let fixtures = std::fs::read_dir(directory).unwrap().map(|file| {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        (path.display().to_string(), lenient(), bytes)
    });
    let cases = [cases::all(), cases::clean()].concat();
    let cases = cases
        .into_iter()
        .map(|case| (case.name.to_owned(), case.builder, case.bytes));
    let mut other = Vec::new();
    for (name, builder, bytes) in fixtures.chain(cases) {
        if bytes.len() > 6_000 {
            continue;
        }
        let arrived = arrivals(&builder, &bytes);
        let lenient = builder.clone().policy(Policy::LENIENT);
        let mut outcomes = lenient.from_bytes(&bytes).outcomes();
        let are_closed = outcomes.all(|outcome| {
            let mut rules = outcome.issues.iter().map(Issue::rule);
            rules.all(|rule| !matches!(rule, Rule::UnclosedEntry | Rule::SecondLoc))
        });
        // If there is no more entry than a byte before, nothing was held back.
        let last = arrived.last().map_or(0, |(at, _)| *at);
        // Where it begins as the document before, that one was cut; a long one is cut at fewer places.
        let alike = bytes.iter().zip(&other).take_while(|(a, b)| a == b);
        let places = alike.count()..last.min(bytes.len());
        let mut reader = builder.build(Reset(&[]));
        for cut in places.step_by(1 + bytes.len() / 1_000) {
            let before = arrived.iter().filter(|(at, _)| *at <= cut).count();
            reader.reset(Reset(&bytes[..cut]));
            let given = reader.by_ref().filter(Result::is_ok).count();
            // An entry without an end tag of its own is returned with the next end tag, or with the failure.
            if are_closed {
                assert_eq!(given, before, "{name}, cut at {cut}");
            } else {
                assert!(given >= before, "{name}, cut at {cut}: {given}, {before}");
            }
        }
        other = bytes;
    }
}

#[test]
fn the_format_is_known_with_the_first_entry() {
    for text in [urlset(&url(X)), format!("{X}\n{X}\n"), format!("a\n{X}\n")] {
        let mut decoder = Decoder::new();
        let mut known = None;
        for (at, byte) in text.bytes().enumerate() {
            decoder.push(&[byte]);
            let given = decoder.next_entry().unwrap().is_some();
            if given || decoder.format().is_some() {
                known = known.or(Some((at, decoder.format())));
            }
        }
        let (at, format) = known.unwrap();
        let expected = text.find(['>', '\n']).unwrap();
        let expected = expected
            + if text.starts_with('a') {
                X.len() + 1
            } else {
                0
            };
        assert_eq!(
            (at, format),
            (expected, Reader::new(text.as_bytes()).format())
        );
    }
}
