//! The table: documents that break a rule, with the expected violations.
//!
//! A row has these fields, divided by `|`; an indented line continues the row before it.
//!
//! - The name of the row.
//! - A word for the place of the text (see [`placed`]), and the text. Every `¦` in it marks the place of one violation: the
//!   marks are removed before reading, and their positions are the expected ones.
//! - `at` with the location of the sitemap, if it is known; `bound` with the bytes that an entry may have, if they are fewer
//!   than usual.
//! - For each mark, the effect, the rule, and what the violation quotes, if that is compared. With `@3` it belongs to
//!   entry 3, and not to the one that the place suggests.
//! - The entries, in the form of [`show`](super::show): with `==` those that remain under the strict policy, with `=` the
//!   others. Those around the text need not be named, nor `~/x` beside which it stands.
//!
//! `~/` stands for `https://example.com/`, `"NS"` for the namespace of sitemaps, `{3×ab}` for `ababab`, `␊` for a line
//! feed, `␠` for a space, other symbols like them for control characters, `⍽` for a no-break space, `□` for an
//! ideographic one, `⌷` for a byte order mark, and a word in braces for one of [`WORDS`].

use quick_sitemap::url::Url;
use quick_sitemap::{Effect, ReaderBuilder, Rule};

use super::{NS, gzip};

/// The quoted text can be any.
pub const ANY: &str = "*";

/// The place of a violation: byte, line, column, entry.
pub type At = (u64, u64, u64, u64);

/// A violation that must be reported.
#[derive(Debug, Clone)]
pub struct Fault {
    pub rule: Rule,
    pub effect: Effect,
    pub found: String,
    pub at: At,
}

/// A document with its expected violations.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    pub bytes: Vec<u8>,
    pub builder: ReaderBuilder,
    /// In the order of the document.
    pub faults: Vec<Fault>,
    /// The entries, in the form of [`show`](super::show).
    pub gives: Vec<String>,
    /// The entries that are left when every violation is an error.
    pub gives_strict: Vec<String>,
}

/// Every row of the table.
pub fn all() -> Vec<Case> {
    let rows = rows(BROKEN);
    rows.iter().map(|row| case(row)).chain(of_bytes()).collect()
}

/// Rows that break no rule.
pub fn clean() -> Vec<Case> {
    let twice = encoded(
        "gzipped, zipped twice | document {small} | == ~/x",
        |text| gzip(&gzip(text)),
    );
    let rows = rows(SOUND);
    rows.iter().map(|row| case(row)).chain([twice]).collect()
}

/// Rows whose bytes are no text.
fn of_bytes() -> Vec<Case> {
    let behind = |rubbish: &'static [u8]| move |text: &[u8]| [&gzip(text), rubbish].concat();
    let invalid = |byte: &'static [u8]| {
        move |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap().split('\u{FFFD}');
            text.map(str::as_bytes).collect::<Vec<_>>().join(byte)
        }
    };
    vec![
        encoded(
            "bytes after the gzip data | document {small}¦ | noted@1 trailing-gzip-data | == ~/x",
            behind(b"rubbish"),
        ),
        encoded(
            "zeros after the gzip data | document {small}¦ | noted@1 trailing-gzip-data | == ~/x",
            behind(&[0; 512]),
        ),
        encoded(
            "a byte that is no UTF-8, in a loc | loc ~/¦�x | skipped invalid-character",
            invalid(b"\xE4"),
        ),
        encoded(
            "a byte that is no UTF-8, elsewhere | beside <x:y>ü¦�</x:y> | noted invalid-character",
            invalid(b"\xFF"),
        ),
        encoded(
            "several bytes that are no UTF-8, on two lines | beside <x:y a=\"¦�\">�x�\n¦�x<x:z>�</x:z></x:y>\
             | noted invalid-character � | noted invalid-character �",
            invalid(b"\xFF"),
        ),
        encoded(
            "bytes that are no UTF-8 on one line, the second in a loc | entry <x:y>¦�</x:y><loc>~/¦�</loc><x:y>�</x:y>\
             | noted invalid-character � | skipped invalid-character �",
            invalid(b"\xFF"),
        ),
    ]
}

fn encoded(row: &str, encode: impl Fn(&[u8]) -> Vec<u8>) -> Case {
    let case = case(row);
    Case {
        bytes: encode(&case.bytes),
        ..case
    }
}

fn rows(table: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in table.lines() {
        match line.strip_prefix(' ') {
            _ if line.is_empty() || line.starts_with("## ") => {}
            Some(more) => *rows.last_mut().unwrap() += more.trim_start(),
            None => rows.push(line.to_owned()),
        }
    }
    rows
}

fn case(row: &str) -> Case {
    let mut fields = row.split('|').map(str::trim_ascii);
    let (name, text) = (fields.next().unwrap(), fields.next().unwrap());
    let (place, text) = text.split_once(' ').unwrap_or((text, ""));
    let (marked, number) = placed(place, text);
    let mut marks = marks(&marked).into_iter();
    let mut case = Case {
        name: name.to_owned(),
        bytes: marked.replace('¦', "").into_bytes(),
        builder: ReaderBuilder::new(),
        faults: Vec::new(),
        gives: Vec::new(),
        gives_strict: Vec::new(),
    };
    for field in fields.map(spelt) {
        let (word, rest) = field.split_once(' ').unwrap();
        let (word, entry) = word.split_once('@').unwrap_or((word, ""));
        let mut fault = |effect| {
            let (rule, found) = rest.split_once(' ').unwrap_or((rest, ANY));
            let (byte, line, column) = marks.next().unwrap_or_else(|| panic!("{name}: a mark"));
            case.faults.push(Fault {
                rule: rule.parse().unwrap(),
                effect,
                found: found.to_owned(),
                at: (byte, line, column, entry.parse().unwrap_or(number)),
            });
        };
        match word {
            "noted" => fault(Effect::Noted),
            "dropped" => fault(Effect::ValueDropped),
            "skipped" => fault(Effect::EntrySkipped),
            "at" => case.builder = case.builder.location(Url::parse(rest).unwrap()),
            "bound" => case.builder = case.builder.max_entry_bytes(rest.parse().unwrap()),
            "=" => case.gives.push(rest.to_owned()),
            "==" => {
                case.gives.push(rest.to_owned());
                case.gives_strict.push(rest.to_owned());
            }
            _ => panic!("{name}: {field}"),
        }
    }
    assert_eq!(marks.next(), None, "{name}: a violation for each mark");
    let is_skipped = |fault: &Fault| fault.effect == Effect::EntrySkipped;
    let is_lost = case.faults.iter().any(is_skipped);
    if named(BESIDE, place).is_some() && case.gives.is_empty() && !is_lost {
        case.gives.push("https://example.com/x".to_owned());
    }
    if place != "document" {
        let kind = if place == "index" { "sitemap " } else { "" };
        let good = |path| format!("{kind}https://example.com/{path}");
        for gives in [&mut case.gives, &mut case.gives_strict] {
            gives.insert(0, good("before"));
            gives.push(good("after"));
        }
    }
    case
}

/// What is around the text of a row: two good entries of a urlset, of an index or of a feed.
const FRAMES: &str = r#"
urlset | <?xml version="1.0" encoding="UTF-8"?>␊<urlset xmlns="NS" xmlns:x="urn:x">␊<url><loc>~/before</loc></url>␊…␊
  <url><loc>~/after</loc></url>␊</urlset>␊
index | <?xml version="1.0" encoding="UTF-8"?>␊<sitemapindex xmlns="NS" xmlns:x="urn:x">␊
  <sitemap><loc>~/before</loc></sitemap>␊…␊<sitemap><loc>~/after</loc></sitemap>␊</sitemapindex>␊
rss | <?xml version="1.0"?>␊<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:x="urn:x"><channel>
  <title>All</title><link>~/</link>␊<item><link>~/before</link></item>␊…␊<item><link>~/after</link></item>␊</channel></rss>
atom | <?xml version="1.0"?>␊<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:x"><title>All</title>
  <link rel="self" href="~/feed"/><updated>2024-01-01T00:00:00Z</updated>␊<entry><link href="~/before"/></entry>␊…␊
  <entry><link href="~/after"/></entry>␊</feed>
"#;

/// What is around it beside a good loc.
const BESIDE: &str = r#"
beside | <url><loc>~/x</loc>…</url>
lastmod | <url><loc>~/x</loc><lastmod>…</lastmod></url>
changefreq | <url><loc>~/x</loc><changefreq>…</changefreq></url>
priority | <url><loc>~/x</loc><priority>…</priority></url>
extended | <url {namespaces}><loc>~/x</loc>…</url>
video | <url {namespaces}><loc>~/x</loc><video:video>{thumbnail}<video:title>A</video:title>
  <video:description>B</video:description>{content}…</video:video></url>
news | <url {namespaces}><loc>~/x</loc><news:news>{publication}{date}<news:title>T</news:title>…</news:news></url>
"#;

const WORDS: &str = r#"
small | <urlset xmlns="NS"><url><loc>~/x</loc></url></urlset>
namespaces | xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"␠
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"␠
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"
thumbnail | <video:thumbnail_loc>~/t.png</video:thumbnail_loc>
content | <video:content_loc>~/v.mp4</video:content_loc>
publication | <news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>
date | <news:publication_date>2024-01-02</news:publication_date>
"#;

fn named(table: &str, name: &str) -> Option<String> {
    let rows = rows(table);
    let mut rows = rows.iter().filter_map(|row| row.split_once(" | "));
    rows.find(|row| row.0 == name).map(|row| row.1.to_owned())
}

/// A text with the word for its place, as a document.
pub fn document(text: &str) -> String {
    let (place, text) = text.split_once(' ').unwrap();
    placed(place, text).0
}

/// The document with a text in its place, and the entry that the text belongs to.
fn placed(place: &str, text: &str) -> (String, u64) {
    let inside = match place {
        "document" => return (spelt(text), 0),
        "loc" => format!("<url><loc>{text}</loc></url>"),
        "entry" => format!("<url>{text}</url>"),
        // One entry or several, or what should have been one; `between` is something that is none.
        "piece" | "between" | "index" | "rss" | "atom" => text.to_owned(),
        _ => named(BESIDE, place)
            .unwrap_or_else(|| panic!("no place: {place}"))
            .replace('…', text),
    };
    let frame = named(FRAMES, place).or_else(|| named(FRAMES, "urlset"));
    let document = frame.unwrap().replace('…', &inside);
    (spelt(&document), if place == "between" { 1 } else { 2 })
}

/// A text without the abbreviations of the table.
pub fn spelt(text: &str) -> String {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((before, more)) = rest.split_once('{') {
        let (word, after) = more.split_once('}').unwrap();
        whole += before;
        whole += &match word.split_once('×') {
            Some((times, piece)) => piece.repeat(times.parse().unwrap()),
            None => spelt(&named(WORDS, word).unwrap_or_else(|| panic!("no word: {word}"))),
        };
        rest = after;
    }
    let whole = (whole + rest).replace("~/", "https://example.com/");
    let whole = whole.replace("\"NS\"", &format!("\"{NS}\""));
    let control = |c| match c {
        '␀'..='␠' => char::from_u32(u32::from(c) - 0x2400).unwrap(),
        '⍽' => '\u{A0}',
        '⌷' => '\u{FEFF}',
        '□' => '\u{3000}',
        c => c,
    };
    whole.chars().map(control).collect()
}

/// Byte, line and column of every mark, as if none were there.
fn marks(marked: &str) -> Vec<(u64, u64, u64)> {
    let mut marks = Vec::new();
    let (mut byte, mut line, mut column) = (0, 1, 1);
    let mut last = ' ';
    for c in marked.trim_start_matches('\u{FEFF}').chars() {
        if c == '¦' {
            marks.push((byte, line, column));
            continue;
        }
        byte += c.len_utf8() as u64;
        match c {
            '\n' if last == '\r' => {}
            '\n' | '\r' => {
                line += 1;
                column = 1;
            }
            _ => column += 1,
        }
        last = c;
    }
    marks
}

const BROKEN: &str = r#"
## Locs
no loc | piece ¦<url><lastmod>2024-01-01</lastmod></url> | skipped missing-loc
empty loc | entry ¦<loc></loc> | skipped missing-loc loc
empty loc tag | entry ¦<loc/> | skipped missing-loc loc
blank loc | entry ¦<loc> ␊␉ </loc> | skipped missing-loc loc
loc of no-break spaces | entry ¦<loc>&#xA0;⍽</loc> | skipped missing-loc
loc of a comment | entry <lastmod>2024</lastmod>¦<loc><!-- ~/x --></loc> | skipped missing-loc
empty entry | piece ¦<url></url> | skipped missing-loc
empty entry tag | piece ¦<url /> | skipped missing-loc
foreign loc only | piece ¦<url><x:loc>~/x</x:loc></url> | skipped missing-loc
sitemap without loc | index ¦<sitemap><lastmod>2024</lastmod></sitemap> | skipped missing-loc
no scheme | loc ¦www.example.com | skipped invalid-url www.example.com
no scheme, base known | loc ␊ ¦www.example.com␠ | at ~/sitemap.xml | skipped invalid-url www.example.com
relative, base unknown | loc ¦/a | skipped invalid-url /a
relative to the scheme, base unknown | loc ¦//example.com/a | skipped invalid-url //example.com/a
one slash | loc ¦http:/example.com/ | skipped invalid-url http:/example.com/
no slash | loc ¦http:example.com/ | skipped invalid-url http:example.com/
three slashes | loc ¦https:///example.com/ | skipped invalid-url https:///example.com/
back slashes | loc ¦https:\\example.com/ | skipped invalid-url
scheme twice | loc ¦https:~/ | skipped invalid-url https:~/
no host | loc ¦https:// | skipped invalid-url https://
entity for a host | loc ¦https://¦&host;/ | skipped invalid-url https://&host;/ | noted unknown-entity
ampersand in the host | loc ¦https://exa¦&mple.com/ | skipped invalid-url https://exa&mple.com/ | noted bare-ampersand
sitemap with a bad loc | index <sitemap><loc>¦sitemap</loc></sitemap> | skipped invalid-url sitemap
lines that are no URL | document ~/a␊ ¦nonsense ␍␊~/b␍¦www.example.com | skipped@2 invalid-url nonsense
    | skipped@4 invalid-url www.example.com | == ~/a | == ~/b
comments in a text | document ⌷¦# a comment␊~/x␍␊ # another␍␊  ~/y#z ␍#~/␍~/z | noted comment-in-text # a comment
    | == ~/x | == ~/y#z | == ~/z
a comment behind a mark | document ~/x␊⌷ ¦# a comment ␊~/y | noted@1 comment-in-text # a comment | == ~/x | == ~/y
a word in a text, base known | document ~/a␊¦index.html␊ | at ~/sitemap.txt | skipped@2 invalid-url index.html
    | == ~/a
relative, in a text | document ~/a␊¦./index.html␊ | at ~/sitemap.txt | noted@2 relative-url ./index.html | == ~/a
    | = ~/index.html
relative | loc ¦/a | at ~/sitemap.xml | noted relative-url /a | = ~/a
relative to the scheme | loc ¦//example.com/a | at ~/sitemap.xml | noted relative-url //example.com/a | = ~/a
relative, a name | loc ¦index.html | at ~/sitemap.xml | noted relative-url index.html | = ~/index.html
a host without its scheme | loc ¦www.example.com/a | at ~/sitemap.xml | skipped invalid-url www.example.com/a
relative, in an index | index <sitemap><loc>¦/a.xml</loc></sitemap> | at ~/sitemap.xml | noted relative-url /a.xml
    | = sitemap ~/a.xml
javascript | loc ¦javascript:alert(1) | skipped unsupported-scheme javascript:alert(1)
file | loc ¦file:///etc/passwd | skipped unsupported-scheme file:///etc/passwd
ftp | loc ¦ftp://example.com/ | skipped unsupported-scheme ftp://example.com/
mailto | loc ¦mailto:a@example.com | skipped unsupported-scheme mailto:a@example.com
2,048 characters | loc ¦~/{2028×a} | noted url-too-long ~/{60×a} | = ~/{2028×a}
2,048 characters after unescaping | loc ␠¦~/{2027×a}&amp;␠ | noted url-too-long ~/{60×a} | = ~/{2027×a}&
a line of 2,048 characters | document ¦~/{2028×a}␊ | noted@1 url-too-long | = ~/{2028×a}
space | loc ¦~/a b | noted url-not-escaped ~/a b | = ~/a%20b
tab | loc ¦~/a␉b | noted url-not-escaped | = ~/ab
line break | loc ¦~/a␊b | noted url-not-escaped | = ~/ab
non-ASCII path | loc ␊¦~/straße | noted url-not-escaped ~/straße | = ~/stra%C3%9Fe
non-ASCII host | loc ¦https://bücher.example/ | noted url-not-escaped https://bücher.example/
    | = https://xn--bcher-kva.example/
quotes | loc ¦~/&quot;a&quot; | noted url-not-escaped ~/"a" | = ~/%22a%22
angle brackets | loc ¦~/&lt;a&gt; | noted url-not-escaped ~/<a> | = ~/%3Ca%3E
brackets | loc ¦~/?a[]=1 | noted url-not-escaped ~/?a[]=1 | = ~/?a[]=1
a percent sign | loc ¦~/100% | noted url-not-escaped ~/100% | = ~/100%
two fragments | loc ¦~/#a#b | noted url-not-escaped ~/#a#b | = ~/#a#b
a backslash | loc ¦~/a\b | noted url-not-escaped ~/a\b | = ~/a/b
a slash too much | loc ¦https://example.com?{2028×a} | noted url-too-long | = ~/?{2028×a}
a line with brackets | document ¦~/[a]␊ | noted@1 url-not-escaped ~/[a] | = ~/[a]
a line with a space | document ¦~/ü b␊ | noted@1 url-not-escaped ~/ü b | = ~/%C3%BC%20b
another scheme | loc ¦http://example.com/x | at ~/sitemap.xml | noted outside-location http://example.com/x
    | = http://example.com/x
another host | loc ¦https://www.example.com/x | at ~/sitemap.xml | noted outside-location https://www.example.com/x
    | = https://www.example.com/x
another port | loc ¦https://example.com:8443/x | at ~/sitemap.xml | noted outside-location https://example.com:8443/x
    | = https://example.com:8443/x
another directory
    | document <urlset xmlns="NS"><url><loc>~/dir/x</loc></url><url><loc>¦~/directory</loc></url><url><loc>¦~/</loc>
      </url></urlset> | at ~/dir/sitemap.xml | noted@2 outside-location ~/directory | noted@3 outside-location ~/
    | == ~/dir/x | = ~/directory | = ~/
the row of a table | document ␠ ¦# a comment␊~/a␊¦~/b␉2024-01-02␊␉~/c␉␊ | noted comment-in-text # a comment
    | skipped@2 invalid-url | == ~/a | == ~/c
## Dates
a word for a date | lastmod ␊ ¦yesterday␉ | dropped invalid-datetime yesterday
month 13 | lastmod ␊ ¦2024-13-01␉ | dropped invalid-datetime 2024-13-01
29 February of no leap year | lastmod ␊ ¦2023-02-29␉ | dropped invalid-datetime 2023-02-29
zero date | lastmod ␊ ¦0000-00-00␉ | dropped invalid-datetime 0000-00-00
two dates | lastmod ␊ ¦2024-03-04 2024-03-05␉ | dropped invalid-datetime 2024-03-04 2024-03-05
hour 25 | lastmod ␊ ¦2024-03-04T25:00:00Z␉ | dropped invalid-datetime 2024-03-04T25:00:00Z
sitemap with a bad date | index <sitemap><loc>~/x</loc><lastmod>¦never</lastmod></sitemap>
    | dropped invalid-datetime never | = sitemap ~/x
blank for T, no zone | lastmod ␠¦2024-03-04 05:06:07 | noted non-standard-datetime 2024-03-04 05:06:07
    | = ~/x lastmod=2024-03-04T05:06:07Z
no zone | lastmod ␠¦2024-03-04T05:06:07 | noted non-standard-datetime 2024-03-04T05:06:07
    | = ~/x lastmod=2024-03-04T05:06:07Z
zone without colon | lastmod ␠¦2024-03-04T05:06:07+0000 | noted non-standard-datetime 2024-03-04T05:06:07+0000
    | = ~/x lastmod=2024-03-04T05:06:07+00:00
zone without colon, half past | lastmod ␠¦2024-03-04T05:06:07-0330
    | noted non-standard-datetime 2024-03-04T05:06:07-0330 | = ~/x lastmod=2024-03-04T05:06:07-03:30
no dashes | lastmod ␠¦20240304 | noted non-standard-datetime 20240304 | = ~/x lastmod=2024-03-04
one-digit month | lastmod ␠¦2021-9-27T01:02:03Z | noted non-standard-datetime 2021-9-27T01:02:03Z
    | = ~/x lastmod=2021-09-27T01:02:03Z
ten fraction digits | lastmod ␠¦2024-03-04T05:06:07.0123456789Z
    | noted non-standard-datetime 2024-03-04T05:06:07.0123456789Z | = ~/x lastmod=2024-03-04T05:06:07.012345678Z
RFC 2822 | lastmod ␠¦Mon, 04 Mar 2024 05:06:07 +0100 | noted non-standard-datetime Mon, 04 Mar 2024 05:06:07 +0100
    | = ~/x lastmod=2024-03-04T05:06:07+01:00
RFC 2822 without zone | lastmod ␠¦Mon, 04 Mar 2024 05:06:07 | noted non-standard-datetime Mon, 04 Mar 2024 05:06:07
    | = ~/x lastmod=2024-03-04T05:06:07Z
slashes | lastmod ␊¦04/03/2024 | dropped invalid-datetime 04/03/2024
## Words and numbers
unknown word | changefreq ¦sometimes | dropped invalid-changefreq sometimes
two words | changefreq ␠¦Not Weekly␠ | dropped invalid-changefreq Not Weekly
capital | changefreq ¦Daily | noted non-standard-changefreq Daily | = ~/x changefreq=daily
all capitals | changefreq <![CDATA[¦WEEKLY]]> | noted non-standard-changefreq WEEKLY | = ~/x changefreq=weekly
over one | priority ␍␊¦1.5 | dropped invalid-priority 1.5
below zero | priority ␍␊¦-0.1 | dropped invalid-priority -0.1
NaN | priority ␍␊¦NaN | dropped invalid-priority NaN
infinite | priority ␍␊¦Infinity | dropped invalid-priority Infinity
a word for a priority | priority ¦high | dropped invalid-priority high
per cent | priority ␍␊¦80% | dropped invalid-priority 80%
comma over one | priority ␍␊¦1,5 | dropped invalid-priority 1,5
comma | priority ¦0,8 | noted non-standard-priority 0,8 | = ~/x priority=0.8
no zero | priority ¦.5 | noted non-standard-priority .5 | = ~/x priority=0.5
every value bad | beside <lastmod>¦x</lastmod><changefreq>¦y</changefreq><priority>¦z</priority>
    | dropped invalid-datetime x | dropped invalid-changefreq y | dropped invalid-priority z
## Elements
lastmod twice | beside <lastmod>2024</lastmod>␊  ¦<lastmod>2023</lastmod><priority>0.1</priority>
    | dropped duplicate-element | = ~/x lastmod=2024 priority=0.1
two changefreqs | beside <changefreq>daily</changefreq>¦<changefreq>never</changefreq> | dropped duplicate-element
    | = ~/x changefreq=daily
three priorities | beside <priority>0.1</priority>¦<priority>0.2</priority>¦<priority>0.3</priority>
    | dropped duplicate-element | dropped duplicate-element | = ~/x priority=0.1
lastmod twice, the first bad | beside <lastmod>¦x</lastmod><lastmod>2023</lastmod>¦<lastmod>2022</lastmod>
    | dropped invalid-datetime x | dropped duplicate-element | = ~/x lastmod=2023
lastmod twice, both bad | beside <lastmod>¦x</lastmod><lastmod>¦y</lastmod> | dropped invalid-datetime x
    | dropped invalid-datetime y
lastmod twice, the first understood | beside <lastmod>¦2024-1-2</lastmod>¦<lastmod>2023</lastmod>
    | noted non-standard-datetime 2024-1-2 | dropped duplicate-element | = ~/x lastmod=2024-01-02
two changefreqs, the first bad | beside <changefreq>¦sometimes</changefreq><changefreq>daily</changefreq>
    | dropped invalid-changefreq sometimes | = ~/x changefreq=daily
two priorities, the first bad | beside <priority>¦high</priority><priority>0.1</priority>
    | dropped invalid-priority high | = ~/x priority=0.1
empty values | beside ¦<lastmod/><changefreq></changefreq><priority> ␊</priority> | noted empty-element lastmod
an empty date before a full one | beside ¦<lastmod></lastmod><lastmod>2024</lastmod> | noted empty-element lastmod
    | = ~/x lastmod=2024
an empty date after a full one | beside <lastmod>2024</lastmod>¦<lastmod> </lastmod> | noted empty-element lastmod
    | = ~/x lastmod=2024
empty values in two entries | beside ¦<priority></priority></url>␊<url><loc>~/y</loc><priority/>
    | noted empty-element priority | = ~/x | == ~/y
an empty date in an index | index <sitemap><loc>~/x</loc>¦<lastmod></lastmod></sitemap> | noted empty-element lastmod
    | = sitemap ~/x
two locs | beside <lastmod>2024</lastmod><priority>0.1</priority>␊¦<loc>~/y</loc><changefreq>daily</changefreq>
    | noted second-loc | = ~/x lastmod=2024 priority=0.1 | == ~/y changefreq=daily
unknown element | beside ␊ ¦<foo>~/no</foo><priority>0.1</priority> | noted unknown-element | = ~/x priority=0.1
unknown element with a loc and a date in it | beside ¦<image><loc>~/no</loc><lastmod>2024</lastmod></image>
    | noted unknown-element
loc only in an unknown element | piece ¦<url>¦<foo><loc>~/no</loc></foo></url> | skipped missing-loc
    | noted unknown-element
unknown element under the root | between ¦<foo>~/no<loc>~/no</loc></foo> | noted unknown-element
priority in a sitemap | index <sitemap><loc>~/x</loc>¦<priority>0.5</priority></sitemap> | noted unknown-element
    | = sitemap ~/x
element in a loc | loc https://¦<b>example</b>.com/ | skipped unknown-element
element in a date | lastmod 2024-¦<b>01</b>-01 | dropped unknown-element
element round a date | lastmod ¦<b>2024-01-01</b> | dropped unknown-element
loc that is opened instead of closed | entry <loc>~/x¦<loc>¦ | skipped unknown-element loc | noted mismatched-tag url
date that is not closed | lastmod 2024¦<priority>0.5</priority> | dropped unknown-element priority
placeholder in a loc | loc https://¦<USER>.github.io/¦ | skipped unknown-element | noted mismatched-tag
sitemap in a urlset | piece ¦<sitemap><loc>~/x</loc><lastmod>2024</lastmod></sitemap> | noted misplaced-entry
    | = sitemap ~/x lastmod=2024
a urlset in an index
    | document <sitemapindex xmlns="NS"><sitemap><loc>~/x</loc></sitemap>¦<urlset xmlns="NS"><url><loc>~/x</loc>
      </url>¦<sitemap><loc>~/x</loc></sitemap><url><loc>~/x</loc></url></urlset>¦<url><loc>~/x</loc></url><sitemap>
      <loc>~/x</loc></sitemap></sitemapindex> | noted@1 second-root urlset | noted@3 misplaced-entry sitemap
    | noted@5 misplaced-entry url | == sitemap ~/x | == ~/x | = sitemap ~/x | == ~/x | = ~/x | == sitemap ~/x
a loc outside of an entry | between ¦<loc>~/no</loc> | noted unknown-element loc
url in an index | index ¦<url><loc>~/x</loc><priority>0.5</priority></url> | noted misplaced-entry
    | = ~/x priority=0.5
capitals | document ␊¦<URLSET xmlns="NS"><URL><LOC>~/x</LOC><LastMod>2024</LastMod></URL></URLSET> | noted wrong-case
    | == ~/x lastmod=2024
capital loc | piece <url>¦<Loc>~/x</Loc></url><url><Loc>~/y</Loc></url> | noted wrong-case | = ~/x | == ~/y
capital entry | piece ¦<Url><loc>~/x</loc></Url> | noted wrong-case | = ~/x
capitals of an index | document ¦<SitemapIndex xmlns="NS"><Sitemap><Loc>~/x</Loc></Sitemap></SitemapIndex>
    | noted wrong-case | == sitemap ~/x
an end tag in another case | entry <loc>~/x¦</LOC><priority>0.3</Priority> | noted wrong-case | = ~/x priority=0.3
the end tag of an entry in another case | piece <url><loc>~/x</loc>¦</URL><url><loc>~/y</loc></url> | noted wrong-case
    | = ~/x | == ~/y
unknown element with values before the loc
    | entry ¦<Image><b><loc>~/no</loc><lastmod>x</lastmod><priority>9</priority></b></Image><loc>~/x</loc>
    | noted unknown-element | = ~/x
a date of two elements, then a good one | beside <lastmod>2023¦<b/></lastmod><lastmod>2024</lastmod>
    | dropped unknown-element | = ~/x lastmod=2024
a date in capitals | beside ¦<Lastmod>2024</Lastmod> | noted wrong-case | = ~/x lastmod=2024
## Namespaces
no namespace | document <?xml version="1.0"?>␊¦<urlset><url><loc>~/x</loc></url></urlset> | noted wrong-namespace
    | == ~/x
https namespace
    | document <?xml version="1.0"?>␊¦<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><url>
      <loc>~/x</loc></url></urlset> | noted wrong-namespace https://www.sitemaps.org/schemas/sitemap/0.9 | == ~/x
0.84
    | document <?xml version="1.0"?>␊¦<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>~/x</loc>
      </url></urlset> | noted historic-namespace http://www.google.com/schemas/sitemap/0.84 | == ~/x
0.84 of sitemaps.org
    | document <?xml version="1.0"?>␊¦<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.84"><url>
      <loc>~/x</loc></url></urlset> | noted wrong-namespace http://www.sitemaps.org/schemas/sitemap/0.84 | == ~/x
Google's 0.9
    | document <?xml version="1.0"?>␊¦<urlset xmlns="http://www.google.com/schemas/sitemap/0.9"><url><loc>~/x</loc>
      </url></urlset> | noted historic-namespace http://www.google.com/schemas/sitemap/0.9 | == ~/x
without a scheme
    | document <?xml version="1.0"?>␊¦<urlset xmlns="//www.sitemaps.org/schemas/sitemap/0.9"><url><loc>~/x</loc>
      </url></urlset> | noted wrong-namespace //www.sitemaps.org/schemas/sitemap/0.9 | == ~/x
final slash
    | document <?xml version="1.0"?>␊¦<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9/"><url>
      <loc>~/x</loc></url></urlset> | noted wrong-namespace http://www.sitemaps.org/schemas/sitemap/0.9/ | == ~/x
a namespace of its own | document <?xml version="1.0"?>␊¦<urlset xmlns="urn:mine"><url><loc>~/x</loc></url></urlset>
    | noted wrong-namespace urn:mine | == ~/x
prefixed root in another namespace
    | document ¦<s:urlset xmlns:s="urn:mine"><s:url><s:loc>~/x</s:loc></s:url></s:urlset>
    | noted wrong-namespace urn:mine | == ~/x
entry in no namespace | piece ¦<url xmlns=""><loc>~/x</loc></url> | noted wrong-namespace | = ~/x
loc in another known namespace | entry ¦<loc xmlns="http://www.google.com/schemas/sitemap/0.84">~/x</loc>
    | noted wrong-namespace http://www.google.com/schemas/sitemap/0.84 | = ~/x
unprefixed entries under a prefixed root
    | document <s:urlset xmlns:s="NS">¦<url><loc>~/x</loc></url><url><loc>~/y</loc></url></s:urlset>
    | noted@1 wrong-namespace | = ~/x | == ~/y
a conventional prefix that is bound to another namespace
    | beside ¦<image:image xmlns:image="image"><image:loc>~/x.png</image:loc></image:image>
    | noted wrong-namespace image
undeclared prefix | beside ␊¦<foo:bar>1</foo:bar> | noted undeclared-prefix
undeclared prefixes, each once | beside ¦<foo:a/><foo:b/>¦<bar:a/></url><url><loc>~/y</loc><bar:a/><foo:a/>
    | noted undeclared-prefix foo | noted undeclared-prefix bar | = ~/x | == ~/y
a declaration ends with its element | beside <a:b xmlns:a="urn:a"/></url><url><loc>~/y</loc>␊¦<a:b/>
    | noted@3 undeclared-prefix | == ~/x | = ~/y
an index in no namespace | document ¦<sitemapindex><sitemap><loc>~/x</loc></sitemap></sitemapindex>
    | noted wrong-namespace | == sitemap ~/x
loc in no namespace | entry ¦<loc xmlns="">~/x</loc> | noted wrong-namespace | = ~/x
prefixed entry in a historic namespace
    | piece ¦<o:url xmlns:o="http://www.google.com/schemas/sitemap/0.84"><o:loc>~/x</o:loc></o:url>
    | noted wrong-namespace | = ~/x
entry in a namespace with https
    | piece ¦<url xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"><loc>~/x</loc></url> | noted wrong-namespace | = ~/x
a namespace in capitals
    | document ¦<p:urlset xmlns:p="HTTP://WWW.SITEMAPS.ORG/SCHEMAS/SITEMAP/0.9"><p:url><p:loc>~/x</p:loc></p:url><p:url>
      <p:loc>~/y</p:loc></p:url></p:urlset> | noted wrong-namespace HTTP://WWW.SITEMAPS.ORG/SCHEMAS/SITEMAP/0.9
    | == ~/x | == ~/y
the namespace of the prefix xml | document ¦<xml:urlset><xml:url><xml:loc>~/x</xml:loc></xml:url></xml:urlset>
    | noted wrong-namespace http://www.w3.org/XML/1998/namespace | == ~/x
a second root in the same namespace of its own
    | document ¦<urlset xmlns="urn:mine"><url><loc>~/x</loc></url></urlset><!-- -->¦<urlset xmlns="urn:mine"><url>
      <loc>~/y</loc></url></urlset> | noted wrong-namespace | noted@1 second-root | == ~/x | == ~/y
the rest of an element of two locs is of its kind and name
    | document <s:urlset xmlns:s="NS">¦<p:sitemap xmlns:p="NS"><p:loc xmlns:q='urn:q'>~/x</p:loc>¦<p:loc>~/x</p:loc>¦<q:a/>
      ¦<p:foo>¦</q:a>¦</p:sitemap><s:url><s:loc>~/x</s:loc></s:url></s:urlset> | noted@1 misplaced-entry sitemap
    | noted@1 second-loc | noted@2 undeclared-prefix q | noted@2 unknown-element | noted@2 mismatched-tag
    | noted@2 mismatched-tag | = sitemap ~/x | = sitemap ~/x | == ~/x
## References and characters
bare ampersands | loc ~/?a=1¦&b=2¦&c=3 | noted bare-ampersand | noted bare-ampersand | = ~/?a=1&b=2&c=3
an entity without its semicolon | loc ~/?a=1¦&amp=2 | noted bare-ampersand | = ~/?a=1&amp=2
ampersand at the end | loc ~/?a¦& | noted bare-ampersand | = ~/?a&
an entity of HTML | loc ~/¦&nbsp;x | noted unknown-entity | = ~/&nbsp;x
an entity of HTML in a foreign element | beside <x:y>ü¦&nbsp;x</x:y> | noted unknown-entity
ampersand in an attribute | beside <x:y a="b¦&c"/> | noted bare-ampersand
control character in a loc | loc ~/¦␁ | skipped invalid-character
reference to no character | loc ~/¦&#0; | skipped invalid-character
reference to half a character | loc ~/¦&#xD800; | skipped invalid-character
control character in a foreign element | beside <x:y>ü¦␋</x:y> | noted invalid-character
control character in a value | changefreq ¦da¦␁ily | dropped invalid-changefreq | noted invalid-character
a control character in a line | document ~/a␊~/¦␈b␊~/c | skipped@2 invalid-character | == ~/a | == ~/c
## Markup
stray end tag in an entry | beside ¦</urls>␊<priority>0.1</priority> | noted mismatched-tag | = ~/x priority=0.1
stray end tag between entries | between ¦</foo> | noted mismatched-tag
stray end tag of an entry | between ¦</url> | noted mismatched-tag
loc not closed | entry <loc>~/x¦ | noted mismatched-tag | = ~/x
date not closed | beside <lastmod>2024¦ | noted mismatched-tag | = ~/x lastmod=2024
end tags crossed | beside <x:a><x:b>1¦</x:a>¦</x:b><priority>0.1</priority> | noted mismatched-tag
    | noted mismatched-tag | = ~/x priority=0.1
misspelt end tag | beside ¦</urls>␊¦<url><loc>~/y</loc> | noted mismatched-tag | noted unclosed-entry | = ~/x | == ~/y
url inside url | beside ␊¦<url><loc>~/y</loc><priority>0.1</priority> | noted unclosed-entry | = ~/x
    | == ~/y priority=0.1
url inside url, the outer without loc | piece ¦<url>¦<url><loc>~/y</loc></url> | skipped missing-loc
    | noted unclosed-entry | == ~/y
the last entry not closed | document <urlset xmlns="NS">␊<url><loc>~/x</loc><lastmod>2024</lastmod>␊¦</urlset>
    | noted@1 unclosed-entry | = ~/x lastmod=2024
a less-than sign too many | lastmod 2005¦< | skipped malformed-markup
a quote not closed | beside ¦<x:y a="b>1</x:y> | skipped malformed-markup
a name that is none | beside ¦<1>x</1> | skipped malformed-markup
broken behind the tag of an entry of another namespace | piece ¦<url><loc>~/x</loc>¦<u:url>¦</q></u:url>¦<1>¦</url>
    | skipped malformed-markup <1> | noted undeclared-prefix u | noted mismatched-tag q | noted malformed-markup <1>
    | noted mismatched-tag url
broken behind an entry in a comment | piece ¦<url>¦</p><loc>~/x</loc><!--<url><loc>~/x</loc>¦-->¦<1></url>
    | skipped malformed-markup <1> | noted mismatched-tag p | noted@3 stray-text --> | skipped@3 malformed-markup <1>
broken in the tag of the next entry | piece ¦<url><loc>~/x</loc>¦<url "<loc>~/x</loc></url>
    | skipped malformed-markup <url " | skipped@3 malformed-markup <url "
broken in its own tag, and behind the tag of another | piece ¦<url a><loc>~/x</loc><x:url/>¦<1>¦</url>
    | skipped malformed-markup <url a> | noted malformed-markup <1> | noted mismatched-tag url
an attribute without a value | beside ¦<x:y a>1</x:y> | dropped malformed-markup
an attribute without quotes | beside ¦<lastmod a=b>2024</lastmod> | dropped malformed-markup
a broken attribute of the root | document ¦<urlset xmlns="NS" broken><url><loc>~/x</loc></url></urlset>
    | noted malformed-markup | == ~/x
a namespace declared twice | document ¦<urlset xmlns="NS" xmlns="NS"><url><loc>~/x</loc></url></urlset>
    | noted malformed-markup | == ~/x
an ampersand between entries | between ¦& | noted malformed-markup
the markers of a merge conflict
    | beside ␊¦<<<<<<< HEAD␊  <lastmod>2024</lastmod>␊¦=======␊  <priority>0.5</priority>␊¦>>>>>>> other␊
    | noted stray-text <<<<<<< HEAD | noted stray-text ======= | noted stray-text >>>>>>> other
    | = ~/x lastmod=2024 priority=0.5
the markers of a merge conflict without a side
    | beside ␊¦<<<<<<< HEAD␊¦=======␊<priority>0.5</priority>␊¦>>>>>>> other␊ | noted stray-text <<<<<<< HEAD
    | noted stray-text ======= | noted stray-text >>>>>>> other | = ~/x priority=0.5
the markers of a merge conflict round entries | between ␊¦<<<<<<< HEAD␊¦=======␊<!-- -->␊¦>>>>>>> other␊
    | noted stray-text <<<<<<< HEAD | noted stray-text ======= | noted stray-text >>>>>>> other
signs that begin no markup, once per line | beside ¦a < b <= c␊  ¦< d <priority>0.5</priority> < e␍¦<>f
    | noted stray-text a | noted stray-text < d | noted stray-text <>f | = ~/x priority=0.5
signs between entries, once per line | between ¦a < b <!-- --> < c␊ ¦< d <!--␊--> ¦< e␊ | noted stray-text a
    | noted stray-text < d | noted stray-text < e
signs between entries on one line, once before and after each
    | document <urlset xmlns="NS">¦a < b<url><loc>~/x</loc></url>¦<> <><url><loc>~/x</loc></url> ¦< c</urlset>
    | noted stray-text a | noted@1 stray-text <> <> | noted@2 stray-text < c | == ~/x | == ~/x
a sign before the root | document ¦<<<<<<< HEAD␊{small} | noted stray-text <<<<<<< HEAD | == ~/x
a less-than sign in a value | changefreq daily ¦< weekly | skipped malformed-markup < weekly
an instruction in an entry that is named as the declaration | beside ¦<?xml version="1.0"><priority>0.5</priority>
    | noted malformed-markup <?xml version="1.0"> | = ~/x priority=0.5
text between entries | between ␠¦hello␠ | noted stray-text hello
a reference between entries | between ¦&amp;x | noted stray-text &amp;x
text in an entry | entry ¦hello<loc>~/x</loc> | noted stray-text hello | = ~/x
text before the first entry | document <urlset xmlns="NS">␊  ¦hello␊<url><loc>~/x</loc></url></urlset>
    | noted stray-text hello | == ~/x
## Around the root
a document type | document <?xml version="1.0"?>␊¦<!DOCTYPE urlset>␊{small} | noted doctype | == ~/x
a document type with an external subset | document ¦<!DOCTYPE urlset SYSTEM "http://evil.example/x.dtd">{small}
    | noted doctype | == ~/x
an entity that is declared
    | document ¦<!DOCTYPE urlset [<!ENTITY a "<url><loc>https://evil.example/</loc>
      </url>"> <!-- ]> -->]>␊<urlset xmlns="NS"><url><loc>~/x?¦&a;</loc></url></urlset> | noted doctype
    | noted@1 unknown-entity | = ~/x?&a;
a declaration that is not closed | document ¦<?xml version="1.0" encoding="UTF-8">␊{small}
    | noted malformed-markup <?xml version="1.0" encoding="UTF-8"> | == ~/x
a declaration that the root follows on | document ¦<?xml version="1.0"?␊{small}
    | noted malformed-markup <?xml version="1.0"? | == ~/x
a declaration that is not closed, behind a space | document ¦ ¦<?xml version="1.0"><!-- -->{small}
    | noted content-before-declaration ␠ | noted malformed-markup <?xml version="1.0"> | == ~/x
a second declaration that is not closed | document <?xml version="1.0"?>{small}␊¦<?xml version="1.0">␊¦{small}
    | noted@1 malformed-markup <?xml version="1.0"> | noted@1 second-root | == ~/x | == ~/x
text after the root | document {small}␊¦hello | noted@1 content-after-root | == ~/x
less than, after the root | document {small}␊¦< 3 words␠ | noted@1 content-after-root < 3 words | == ~/x
an element after the root | document {small}<!-- fine -->¦<p/> | noted@1 content-after-root | == ~/x
an end tag after the root | document {small}␊¦</acl> | noted@1 content-after-root acl | == ~/x
white space before the declaration | document ¦␊ <?xml version="1.0"?>{small} | noted content-before-declaration ␊␠
    | == ~/x
a comment before the declaration | document ¦␊<!-- <?xml -->␊<?xml version="1.0"?>{small}
    | noted content-before-declaration ␊<!-- <?xml --> | == ~/x
text before the declaration | document ¦sitemap.xml␊<?xml version="1.0"?>{small}
    | noted content-before-declaration sitemap.xml | == ~/x
text behind white space before the declaration | document ¦␊sitemap.xml <b/><?xml version="1.0"?>{small}
    | noted content-before-declaration ␊sitemap.xml <b/> | == ~/x
a warning before the declaration | document ¦<!-- a --><b>Warning</b>: in a.php <?xml version="1.0"?>¦<hr/>{small}
    | noted content-before-declaration <!-- a --><b>Warning</b>: in a.php | noted unknown-element hr | == ~/x
a document type before the declaration | document ¦␊¦<!DOCTYPE urlset><?xml version="1.0"?>{small}
    | noted content-before-declaration ␊<!DOCTYPE urlset> | noted doctype | == ~/x
text before the root | document ¦sitemap.xml␊{small} | noted stray-text sitemap.xml | == ~/x
elements before the root | document ¦<hr/>¦<br />{small} | noted unknown-element | noted unknown-element | == ~/x
an end tag before the root | document ¦</b >{small} | noted mismatched-tag b | == ~/x
a urlset in a web page | document ¦<html><body>{small}</body></html> | noted wrapped-root html | == ~/x
one urlset after another | document {small}␊¦<urlset xmlns="NS"><url><loc>~/y</loc></url></urlset>
    | noted@1 second-root | == ~/x | == ~/y
one urlset after another, in another namespace
    | document {small}␊¦¦<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>~/y</loc></url></urlset>
    | noted@1 second-root | noted@1 historic-namespace http://www.google.com/schemas/sitemap/0.84 | == ~/x | == ~/y
a urlset in a feed, by its namespace
    | document <rss><channel>¦<s:urlset xmlns:s="NS"/><item><link>~/x</link></item></channel></rss>
    | noted second-root s:urlset | == ~/x
an undeclared prefix of the root
    | document <?xml version="1.0"?>␊ <!-- é, and more than that, so that it is not so short -->¦<s:urlset><s:url>
      <s:loc>~/x</s:loc></s:url></s:urlset> | noted undeclared-prefix s | == ~/x
a urlset in a feed
    | document <rss><channel><item><link>~/x</link></item>¦<urlset xmlns="NS"><url><loc>~/y</loc></url></urlset>
      </channel></rss> | noted@1 second-root urlset | == ~/x
one urlset inside another
    | document <urlset xmlns="NS"><url><loc>~/x</loc></url>¦<urlset xmlns="NS"><url><loc>~/y</loc></url></urlset>
      <url><loc>~/z</loc></url></urlset> | noted@1 second-root | == ~/x | == ~/y | == ~/z
an element behind a root in a namespace of its own
    | document ¦<urlset xmlns:x="urn:x" xmlns="urn:mine"><url><loc>~/x</loc></url></urlset>¦<url xmlns="urn:x">¦<loc>¦~/x</loc>
      </url> | noted wrong-namespace | noted@1 content-after-root url | noted@1 content-after-root loc
    | noted@1 content-after-root | == ~/x
an entry behind the root | document {small}¦<url xmlns="NS"><loc>~/y</loc></url> | noted@2 content-after-root | == ~/x | = ~/y
## The file
UTF-16 declared in ASCII | document ¦<?xml version="1.0" encoding="UTF-16"?>{small} | noted encoding-conflict UTF-16
    | == ~/x
an encoding that nobody knows | document ¦<?xml version="1.0" encoding="klingon"?>␊{small}
    | noted encoding-conflict klingon | == ~/x
an encoding against the mark | document ⌷¦<?xml version="1.0" encoding="ISO-8859-1"?>{small}
    | noted encoding-conflict ISO-8859-1 | == ~/x
## Bounds
an entry over the bound | piece ¦<url><loc>~/x</loc><x:y>{5000×a}</x:y></url> | bound 4096 | skipped entry-too-large
16,385 elements | piece ¦<url><loc>~/x</loc>{16385×<x:y/>}</url> | skipped entry-too-large
65,537 words in a list | video <video:platform relationship="deny">¦{65537×tv }</video:platform>
    | dropped entry-too-large
65 levels | beside {64×<x:y>}¦<x:y>{65×</x:y>} | skipped too-deep
## Extensions
an image without a loc | extended ¦<image:image><image:title>A</image:title></image:image>
    | dropped missing-element image:loc
an image with an empty loc | extended <image:image>¦<image:loc> </image:loc></image:image>
    | dropped missing-element image:loc
an image with a bad loc | extended <image:image><image:loc>¦i.png</image:loc></image:image>
    | dropped invalid-url i.png
an image of another scheme | extended <image:image><image:loc>¦ftp://example.com/i</image:loc></image:image>
    | dropped unsupported-scheme ftp://example.com/i
text in an image | extended <image:image>¦hello<image:loc>~/i.png</image:loc></image:image> | noted stray-text hello
an image's licence
    | extended <image:image><image:loc>~/i.png</image:loc><image:license>¦free</image:license></image:image>
    | dropped invalid-url free
two captions
    | extended <image:image><image:loc>~/i.png</image:loc><image:caption>a</image:caption>
      ¦<image:caption>b</image:caption></image:image> | dropped duplicate-element image:caption
an unprefixed loc in an image | extended ¦<image:image>¦<loc>~/i.png</loc></image:image>
    | dropped missing-element image:loc | dropped unknown-element loc
1,001 images
    | extended {1000×<image:image><image:loc>~/i.png</image:loc></image:image>}¦<image:image>
      <image:loc>~/i.png</image:loc></image:image> | noted too-many-images
an alternate without hreflang | extended ¦<xhtml:link rel="alternate" href="~/de"/>
    | dropped missing-attribute hreflang
an alternate without href | extended ¦<xhtml:link rel="alternate" hreflang="de" href=" "/>
    | dropped missing-attribute href
an alternate with a bad href | extended <xhtml:link rel="alternate" hreflang="de" href="¦de.html"/>
    | dropped invalid-url de.html
an alternate with a space | extended <xhtml:link rel="alternate" hreflang="de" href="¦~/a b"/>
    | noted url-not-escaped ~/a b
an image with brackets | extended <image:image><image:loc>¦~/i[1].png</image:loc></image:image>
    | noted url-not-escaped ~/i[1].png
a language that is none | extended <xhtml:link rel="alternate" hreflang="¦de_CH" href="~/de"/>
    | noted invalid-language de_CH
a video without a description | extended ¦<video:video>{thumbnail}<video:title>A</video:title>{content}</video:video>
    | noted missing-element video:description
a video whose description is empty
    | extended <video:video>{thumbnail}<video:title>A</video:title>¦<video:description>
      </video:description>{content}</video:video> | noted missing-element video:description
a video whose player is empty
    | extended <video:video>{thumbnail}<video:title>A</video:title><video:description>B</video:description>
      ¦<video:player_loc/></video:video> | noted missing-element video:player_loc
a video whose title is opened instead of closed
    | extended <video:video><video:title>A¦<video:title></video:title>
      </video:title>{thumbnail}<video:description>B</video:description>{content}</video:video>
    | dropped unknown-element video:title
a video that is nowhere
    | extended ¦<video:video>{thumbnail}<video:title>A</video:title><video:description>B</video:description>
      </video:video> | noted missing-element video:content_loc or video:player_loc
a duration that is none | video <video:duration>¦1:30</video:duration> | dropped invalid-number 1:30
a duration beyond eight hours | video <video:duration>¦28801</video:duration> | dropped invalid-number 28801
a rating of six | video <video:rating>¦6.0</video:rating> | dropped invalid-number 6.0
views that are none | video <video:view_count>¦many</video:view_count> | dropped invalid-number many
a date that is none | video <video:publication_date>¦soon</video:publication_date> | dropped invalid-datetime soon
neither yes nor no | video <video:live>¦perhaps</video:live> | dropped invalid-keyword perhaps
a country that is none | video <video:restriction relationship="allow">DE ¦germany</video:restriction>
    | dropped invalid-country germany
a restriction of no kind | video ¦<video:restriction>DE</video:restriction> | noted missing-attribute relationship
an unknown platform | video <video:platform relationship="deny">web ¦fridge</video:platform>
    | noted invalid-keyword fridge
a currency that is none | video <video:price currency="¦euro">1.99</video:price> | dropped invalid-keyword euro
a price without a currency | video ¦<video:price>1.99</video:price> | noted missing-attribute currency
a price without an amount | video ¦<video:price currency="EUR"/> | noted missing-attribute type
a price that is none | video <video:price currency="EUR">¦cheap</video:price> | dropped invalid-number cheap
an unknown part | video ¦<video:smell>rose</video:smell> | dropped unknown-element video:smell
a second thumbnail | video ¦<video:thumbnail_loc>~/u.png</video:thumbnail_loc>
    | dropped duplicate-element video:thumbnail_loc
33 tags | video {32×<video:tag>t</video:tag>}¦<video:tag>t</video:tag> | noted too-many-tags
a title of 101 characters
    | extended <video:video>{thumbnail}<video:title>¦{101×é}</video:title><video:description>B</video:description>
      <video:player_loc>~/p</video:player_loc></video:video> | noted text-too-long
an uploader of 256 characters | video <video:uploader>¦{256×世}</video:uploader> | noted text-too-long
a category of 257 characters | video <video:category>¦{257×c}</video:category> | noted text-too-long
news without a title | extended ¦<news:news>{publication}{date}</news:news> | noted missing-element news:title
an empty publication | extended <news:news>¦<news:publication/>{date}<news:title>T</news:title></news:news>
    | noted missing-element news:publication
a publication without a language
    | extended <news:news>¦<news:publication><news:name>N</news:name>
      </news:publication>{date}<news:title>T</news:title></news:news> | noted missing-element news:language
a language with a country
    | extended <news:news><news:publication><news:name>N</news:name><news:language>¦en-US</news:language>
      </news:publication>{date}<news:title>T</news:title></news:news> | noted invalid-language en-US
an unknown genre | news <news:genres>Blog, ¦Gossip</news:genres> | noted invalid-keyword Gossip
an unknown access | news <news:access>¦Bribe</news:access> | noted invalid-keyword Bribe
a ticker without its exchange | news <news:stock_tickers>NASDAQ:A, ¦B</news:stock_tickers> | noted invalid-keyword B
six tickers
    | extended ¦<news:news>{publication}{date}<news:title>T</news:title>
      <news:stock_tickers>N:A,N:B,N:C,N:D,N:E,N:F</news:stock_tickers></news:news> | noted too-many-tickers
six tickers, and second news
    | extended ¦<news:news>{publication}{date}<news:title>T</news:title>
      <news:stock_tickers>N:A,N:B,N:C,N:D,N:E,N:F</news:stock_tickers></news:news>¦<news:news/>
    | noted too-many-tickers | dropped duplicate-element
a publication that is empty, and two more
    | extended <news:news><news:publication> </news:publication>{publication}¦<news:publication/>{date}<news:title>T</news:title></news:news>
    | dropped duplicate-element news:publication
second news in one entry | news </news:news>¦<news:news> | dropped duplicate-element
an extension's namespace with https
    | beside ¦<i:image xmlns:i="https://www.google.com/schemas/sitemap-image/1.1/"><i:loc>~/i.png</i:loc></i:image>
    | noted wrong-namespace
an extension's namespace of another version
    | beside ¦<i:image xmlns:i="http://www.google.com/schemas/sitemap-image/1.0"><i:loc>~/i.png</i:loc></i:image>
    | noted wrong-namespace http://www.google.com/schemas/sitemap-image/1.0
an extension's namespace without a scheme
    | beside ¦<i:image xmlns:i="//www.google.com/schemas/sitemap-image/1.1"><i:loc>~/i.png</i:loc></i:image>
    | noted wrong-namespace //www.google.com/schemas/sitemap-image/1.1
an alternate without a rel | extended ¦<xhtml:link media="print" hreflang="de" href="~/de"/>
    | dropped missing-attribute rel
a link without anything | extended ¦<xhtml:link/> | dropped missing-attribute rel, hreflang, href
a link with a language alone | extended ¦<xhtml:link hreflang="de" href=" "/> | dropped missing-attribute rel, href
two lists of keywords | news <news:keywords>a, b</news:keywords>¦<news:keywords>c</news:keywords>
    | dropped duplicate-element news:keywords
two lists of genres | news <news:genres>Blog</news:genres>¦<news:genres>Blog</news:genres>
    | dropped duplicate-element news:genres
two lists of tickers | news <news:stock_tickers>A:B</news:stock_tickers>¦<news:stock_tickers>C:D</news:stock_tickers>
    | dropped duplicate-element news:stock_tickers
a video of a month | video <video:publication_date>¦2024-05</video:publication_date>
    | noted non-standard-datetime 2024-05
a video until a year | video <video:expiration_date>¦2024</video:expiration_date> | noted non-standard-datetime 2024
a video of a minute | video <video:publication_date>¦2024-05-06T07:08Z</video:publication_date>
    | noted non-standard-datetime 2024-05-06T07:08Z
a video of a month that is not written as a date | video <video:publication_date>¦2024/05</video:publication_date>
    | noted non-standard-datetime 2024/05
news of a month
    | extended <news:news>{publication}<news:publication_date>¦2024-05</news:publication_date>
      <news:title>T</news:title></news:news> | noted non-standard-datetime 2024-05
a player that is dropped, with its attributes | video <video:player_loc allow_embed="maybe">¦x</video:player_loc>
    | dropped invalid-url x
two series | video <video:tvshow><video:show_title>T</video:show_title></video:tvshow>¦<video:tvshow/>
    | dropped duplicate-element video:tvshow
an alternate with a language, for an app
    | extended <xhtml:link rel="alternate" hreflang="de" href="¦ios-app://1/example"/>
    | dropped unsupported-scheme ios-app://1/example
the namespace of XHTML that a template spread
    | beside ¦<l:link xmlns:l="http://www.w3.org/TR/xhtml11/xhtml11_schema.html" rel="alternate" hreflang="de" href="~/de"/>
    | noted wrong-namespace http://www.w3.org/TR/xhtml11/xhtml11_schema.html
two misspelt namespaces
    | beside ¦<i:image xmlns:i="//www.google.com/schemas/sitemap-image/1.1"><i:loc>~/i.png</i:loc></i:image>
      ¦<l:link xmlns:l="https://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" href="~/de"/>
    | noted wrong-namespace //www.google.com/schemas/sitemap-image/1.1
    | noted wrong-namespace https://www.w3.org/1999/xhtml
an undeclared extension | beside ¦<image:image><image:loc>~/i.png</image:loc></image:image>
    | noted undeclared-prefix image
## Feeds
item without link | rss ¦<item><title>t</title></item> | skipped missing-loc item
item with an empty link | rss <item><title>t</title>¦<link> </link></item> | skipped missing-loc link
guid that is no permalink | rss ¦<item><guid isPermaLink="false">~/x</guid></item> | skipped missing-loc item
guid that is no URL | rss ¦<item><guid>12345</guid></item> | skipped missing-loc item
link of another scheme | rss <item><link>¦ftp://example.com/x</link></item>
    | skipped unsupported-scheme ftp://example.com/x
relative link | rss <item><link>¦/x</link></item> | skipped invalid-url /x
relative link, base known | rss <item><link>¦/x</link></item> | at ~/feed.xml | noted relative-url /x | = ~/x
ampersand in a link | rss <item><link>~/?a=1¦&b=2</link></item> | noted bare-ampersand &b=2 | = ~/?a=1&b=2
pubDate without a zone | rss <item><link>~/x</link><pubDate>¦Mon, 04 Mar 2024 05:06:07</pubDate></item>
    | noted non-standard-datetime Mon, 04 Mar 2024 05:06:07 | = ~/x lastmod=2024-03-04T05:06:07Z
pubDate that is none | rss <item><link>~/x</link><pubDate>¦yesterday</pubDate></item>
    | dropped invalid-datetime yesterday | = ~/x
pubDate that is none, and then dates
    | rss <item><link>~/x</link><dc:date>2024-03-04T05:06:07Z</dc:date><pubDate>¦yesterday</pubDate>
      <dc:date>2023</dc:date></item> | dropped invalid-datetime yesterday | = ~/x lastmod=2024-03-04T05:06:07Z
pubDate that is none, then a date
    | rss <item><link>~/x</link><pubDate>¦soon</pubDate><dc:date>2024-03-04T05:06:07Z</dc:date></item>
    | dropped invalid-datetime soon | = ~/x lastmod=2024-03-04T05:06:07Z
two dates that are none | rss <item><link>~/x</link><pubDate>¦yesterday</pubDate><dc:date>¦today</dc:date></item>
    | dropped invalid-datetime yesterday | dropped invalid-datetime today | = ~/x
updated that is none, and then a date
    | atom <entry><link href="~/x"/><published>2024-03-04T05:06:07Z</published><updated>¦never</updated></entry>
    | dropped invalid-datetime never | = ~/x lastmod=2024-03-04T05:06:07Z
broken item | rss <item><link>~/x</link>¦<1><title>t</title></item> | skipped malformed-markup <1>
item with a sign before a tag | rss <item><link>~/x</link>¦<<title>t</title></item> | noted stray-text < | = ~/x
pubDate with a weekday of another language
    | rss <item><link>~/x</link><pubDate>¦Lun, 04 Mar 2024 05:06:07 GMT</pubDate></item>
    | noted non-standard-datetime Lun, 04 Mar 2024 05:06:07 GMT | = ~/x lastmod=2024-03-04T05:06:07Z
dc:date as RSS writes dates | rss <item><link>~/x</link><dc:date>¦Mon, 04 Mar 2024 05:06:07 GMT</dc:date></item>
    | noted non-standard-datetime Mon, 04 Mar 2024 05:06:07 GMT | = ~/x lastmod=2024-03-04T05:06:07Z
dc:date that is none | rss <item><link>~/x</link><dc:date>¦the day before yesterday</dc:date></item>
    | dropped invalid-datetime the day before yesterday | = ~/x
xml:base of an item | rss <item xml:base="~/a/"><link>¦../x</link></item> | noted relative-url ../x | = ~/x
xml:base of a channel, and of elements that have ended
    | document <rss xml:base="https://example.org/b/"><x xml:base="https://example.net/"><y xml:base="z"/></x>
      <channel xml:base="//example.com/"><item xml:base="a/"><link>¦b</link></item><item><link>¦x</link></item>
      </channel><item><link>¦c#d</link></item></rss> | noted@1 relative-url b | noted@2 relative-url x
    | noted@3 relative-url c#d | = ~/a/b | = ~/x | = https://example.org/b/c#d
xml:base with a host without a scheme | atom <entry xml:base="~/a/"><link href="¦www.example.com"/></entry>
    | skipped invalid-url www.example.com
xml:base that can't be used | atom <entry xml:base="mailto:a@example.com"><link href="¦x"/></entry>
    | skipped invalid-url x
entry without link | atom ¦<entry><title>t</title></entry> | skipped missing-loc entry
entry with a link to something else | atom ¦<entry><link rel="edit" href="~/x"/></entry> | skipped missing-loc entry
link of another scheme in Atom | atom <entry><link href="¦mailto:a@example.com"/></entry>
    | skipped unsupported-scheme mailto:a@example.com
updated that is no date | atom <entry><link href="~/x"/><updated>¦yesterday</updated></entry>
    | dropped invalid-datetime yesterday | = ~/x
updated with a space | atom <entry><link href="~/x"/><updated>¦2024-03-04 05:06:07</updated></entry>
    | noted non-standard-datetime 2024-03-04 05:06:07 | = ~/x lastmod=2024-03-04T05:06:07Z
"#;

const SOUND: &str = r#"
2,047 characters | loc ~/{2027×a} | = ~/{2027×a}
2,047 characters, escaped and indented | loc ␊  ~/{2026×a}&amp;␊ | = ~/{2026×a}&
decoded once | loc ~/&amp;amp; | = ~/&amp;
text, CDATA, comment and reference joined | loc ⍽https://<![CDATA[example.com/?a&]]><!-- no -->b&#x3D;c&#100;□ | = ~/?a&b=cd
inside its location | loc https://example.com:443/x?y#z | at ~/sitemap.xml | = ~/x?y#z
foreign elements of the base names | beside <x:loc>~/no</x:loc><x:lastmod>x</x:lastmod><x:url><x:loc/></x:url>
64 levels | beside {64×<x:y>}{64×</x:y>}
entry tags in a comment and in CDATA | beside <!-- </url><url> --><x:y><![CDATA[</url><url><loc>]]></x:y>
comments and instructions between entries | between <!-- <url> --><?php <url> ?>␊
alternates that are no pages in other languages
    | extended <xhtml:link rel="alternate" media="only screen" href="https://m.example.com/"/>
      <xhtml:link rel="alternate" href="android-app://com.example/http/example.com/"/>
      <xhtml:link rel="Alternate" hreflang="" href="ios-app://1/example"/>
      <l:link xmlns:l="https://www.w3.org/1999/xhtml" rel="alternate" media="print" href=""/>
links that are no alternates | extended <xhtml:link rel="amphtml" href="a"/><xhtml:link rel="canonical" href="b"/>
news of a minute
    | extended <news:news>{publication}<news:publication_date>2024-05-06T07:08Z</news:publication_date>
      <news:title>T</news:title></news:news>
a list of keywords after an empty one
    | news <news:keywords> , </news:keywords><news:keywords>c</news:keywords><news:keywords/>
dates of a video
    | video <video:expiration_date>2024-05-06</video:expiration_date>
      <video:publication_date>2024-05-06T07:08:09.5Z</video:publication_date>
YES | video <video:family_friendly>YES</video:family_friendly>
an element of a feed that is named as a sitemap's root
    | document <rss><channel><x:urlset xmlns:x="urn:x"/><item><link>~/x</link></item></channel></rss> | == ~/x
no entry at all | document <urlset xmlns="NS"/>
no sitemap at all | document <sitemapindex xmlns="NS"></sitemapindex>
comments after the root | document {small}␊<!-- done --> <?x?>␊ | == ~/x
a mark before the declaration
    | document ⌷<?xml version='1.0' encoding='utf-8' standalone="yes"?>␊<?xml-stylesheet href='a'?>{small} | == ~/x
lines | document ⌷~/x␍␊␍␊  ~/y#z ␍~/z | == ~/x | == ~/y#z | == ~/z
lines with marks in the middle | document ⌷⌷ ~/x␊⌷ ⌷␊ ⌷␉⌷~/y␍␊ | == ~/x | == ~/y
guid | rss <item><guid>~/x</guid></item> | = ~/x
link before guid | rss <item><guid>~/y</guid><link>~/x</link></item> | = ~/x
pubDate | rss <item><link>~/x</link><pubDate>Mon, 04 Mar 2024 05:06:07 GMT</pubDate></item>
    | = ~/x lastmod=2024-03-04T05:06:07Z
pubDate with two digits of the year, no weekday and a named zone
    | rss <item><link>~/x</link><pubDate>4 Mar 24 00:06:07 EST</pubDate></item>
    | = ~/x lastmod=2024-03-04T00:06:07-05:00
dc:date | rss <item><link>~/x</link><dc:date>2024-03-04T05:06:07Z</dc:date></item>
    | = ~/x lastmod=2024-03-04T05:06:07Z
what else items hold | rss <item><link>~/x</link><category/><x:y><link>~/y</link></x:y></item> | = ~/x
alternate link | atom <entry><link rel="self" href="~/y"/><link rel="alternate" href="~/x"/></entry> | = ~/x
nothing but a link to itself | atom <entry><link rel="self" href="~/x"/></entry> | = ~/x
updated before published
    | atom <entry><link href="~/x"/><published>2020</published><updated>2024-03-04T05:06:07Z</updated></entry>
    | = ~/x lastmod=2024-03-04T05:06:07Z
published | atom <entry><link href="~/x"/><published>2024-03-04T05:06:07Z</published></entry>
    | = ~/x lastmod=2024-03-04T05:06:07Z
xml:base of an entry and of its link | atom <entry xml:base="~/a/"><link xml:base="b/c" href="x"/></entry> | = ~/a/b/x
xml:base before the URL of the feed | atom <entry xml:base="/b/"><link href="x?y"/></entry> | at ~/feed.xml
    | = ~/b/x?y
xml:base of a feed
    | document <feed xmlns="http://www.w3.org/2005/Atom" xml:base="~/a/"><entry><link href="../x"/></entry></feed>
    | == ~/x
two prefixes for one namespace
    | document <a:urlset xmlns:a="NS" xmlns:b="NS" xmlns="NS"><url><a:loc>~/x</a:loc><b:lastmod>2024</b:lastmod></url>
      <b:url><loc>~/x</loc></b:url></a:urlset> | == ~/x lastmod=2024 | == ~/x
declarations on inner elements
    | document <urlset xmlns="NS"><s:url xmlns:s="NS"><s:loc>~/x</s:loc><t:lastmod xmlns:t="NS">2024</t:lastmod></s:url>
      <url xmlns="NS"><loc xmlns="NS">~/x</loc></url></urlset> | == ~/x lastmod=2024 | == ~/x
a prefix that is declared anew
    | document <s:urlset xmlns:s="NS"><s:url><s:loc>~/x</s:loc><s:loc xmlns:s="urn:s">~/no</s:loc></s:url></s:urlset>
    | == ~/x
a default namespace that is declared anew
    | document <urlset xmlns="NS"><url><extra xmlns="urn:extra"><loc>~/no</loc></extra><loc>~/x</loc></url>
      <page xmlns="urn:extra"><url><loc>~/no</loc></url></page></urlset> | == ~/x
references and spaces in a declaration
    | document <s:urlset␊ xmlns:s␉=␍␊'http:&#x2F;&#x2F;www.sitemaps.org&#x2F;schemas&#x2F;sitemap&#x2F;0.9' ><s:url>
      <s:loc>~/x</s:loc></s:url></s:urlset > | == ~/x
entries of foreign vocabularies | between <x:url><x:loc>~/no</x:loc></x:url><x:sitemap><loc>~/no</loc></x:sitemap>
a comment in a date | lastmod 2024-<!---->03 | = ~/x lastmod=2024-03
an alternate of an entry of another kind
    | atom <entry><link rel="alternate" type="application/json" href="~/json"/>
      <link rel="alternate" type="text/html" href="~/x"/></entry> | = ~/x
an alternate for an app, and one of another kind
    | atom <entry><link rel="alternate" href="app:page"/><link rel="alternate" type="application/json" href="~/x"/></entry>
    | = ~/x
an alternate for an app, a page, and one of another kind
    | atom <entry><link rel="alternate" href="app:page"/><link rel="alternate" type="text/html" href="~/x"/>
      <link rel="alternate" type="application/json" href="~/json"/></entry> | = ~/x
an alternate by the URL of its relation
    | atom <entry><link rel="http://www.iana.org/assignments/relation/alternate" href="~/x"/>
      <link rel="alternate" type="text/html" href="~/page"/></entry> | = ~/x
a link without a type | atom <entry><link rel="alternate" type="application/json" href="~/json"/><link href="~/x"/></entry>
    | = ~/x
a link of Atom in RSS | rss <item><a:link xmlns:a="http://www.w3.org/2005/Atom" href="~/x"/></item> | = ~/x
a link before one of Atom | rss <item><link>~/x</link><a:link xmlns:a="http://www.w3.org/2005/Atom" href="~/atom"/></item>
    | = ~/x
a guid before a link of Atom | rss <item><guid>~/x</guid><a:link xmlns:a="http://www.w3.org/2005/Atom" href="~/atom"/></item>
    | = ~/x
dc:date of a minute | rss <item><link>~/x</link><dc:date>2024-03-04T05:06Z</dc:date></item>
    | = ~/x lastmod=2024-03-04T05:06Z
"#;
