//! The table: documents that break a rule, with the expected violations.
//!
//! A row is a piece of a document in which every `¦` marks the place of one violation. The marks are removed before
//! reading, and their positions are the expected ones. The violations are listed in the order of the marks.

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
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub builder: ReaderBuilder,
    /// In the order of the document.
    pub faults: Vec<Fault>,
    /// The entries, in the form of [`show`](super::show).
    pub gives: Vec<String>,
    /// The entries that are left when every violation is an error.
    pub gives_strict: Vec<String>,
}

#[derive(Clone, Copy)]
enum Place {
    /// The row is one entry (or a few), between two good ones.
    Entry,
    /// The row is between two good entries, and is not an entry.
    Between,
    /// The row is a complete document.
    Document,
}

#[derive(Clone)]
struct Row {
    name: &'static str,
    place: Place,
    before: String,
    text: String,
    after: String,
    builder: ReaderBuilder,
    encode: fn(&str) -> Vec<u8>,
    faults: Vec<(Rule, Effect, String, Option<u64>)>,
    gives: Vec<String>,
    gives_strict: Option<Vec<String>>,
}

impl Row {
    fn new(name: &'static str, place: Place, text: String) -> Self {
        Self {
            name,
            place,
            before: String::new(),
            text,
            after: String::new(),
            builder: ReaderBuilder::new(),
            encode: |text| text.as_bytes().to_vec(),
            faults: Vec::new(),
            gives: Vec::new(),
            gives_strict: None,
        }
    }

    fn within(mut self, root: &str, entry: &str) -> Self {
        self.before = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"{NS}\" xmlns:x=\"urn:x\">\n\
             <{entry}><loc>https://example.com/before</loc></{entry}>\n"
        );
        self.after =
            format!("\n<{entry}><loc>https://example.com/after</loc></{entry}>\n</{root}>\n");
        self
    }

    /// A feed of two good entries, whose element is named `entry`. `loc` writes a loc.
    fn within_feed(
        mut self,
        (head, foot): (&str, &str),
        entry: &str,
        loc: fn(&str) -> String,
    ) -> Self {
        let good = |path| {
            let loc = loc(&format!("https://example.com/{path}"));
            format!("\n<{entry}>{loc}</{entry}>\n")
        };
        self.before = format!("<?xml version=\"1.0\"?>\n{head}{}", good("before"));
        self.after = format!("{}{foot}", good("after"));
        self
    }

    fn fault(mut self, rule: Rule, effect: Effect, found: &str) -> Self {
        self.faults.push((rule, effect, found.to_owned(), None));
        self
    }

    fn noted(self, rule: Rule, found: &str) -> Self {
        self.fault(rule, Effect::Noted, found)
    }

    fn dropped(self, rule: Rule, found: &str) -> Self {
        self.fault(rule, Effect::ValueDropped, found)
    }

    fn skipped(self, rule: Rule, found: &str) -> Self {
        self.fault(rule, Effect::EntrySkipped, found)
    }

    /// The last violation belongs to this entry, not to the one that the place of the row suggests.
    fn in_entry(mut self, number: u64) -> Self {
        self.faults.last_mut().unwrap().3 = Some(number);
        self
    }

    fn gives(mut self, entry: &str) -> Self {
        self.gives.push(entry.to_owned());
        self
    }

    /// The part of the row that remains under the strict policy: nothing of an entry, all of anything else.
    fn strictly(mut self, entries: &[&str]) -> Self {
        self.gives_strict = Some(entries.iter().map(|&entry| entry.to_owned()).collect());
        self
    }

    fn found_at(mut self, location: &str) -> Self {
        self.builder = self.builder.location(Url::parse(location).unwrap());
        self
    }

    fn encoded(mut self, encode: fn(&str) -> Vec<u8>) -> Self {
        self.encode = encode;
        self
    }

    fn case(self) -> Case {
        let marked = format!("{}{}{}", self.before, self.text, self.after);
        let default = match self.place {
            Place::Entry => 2,
            Place::Between => 1,
            Place::Document => 0,
        };
        let marks = marks(&marked);
        assert_eq!(
            marks.len(),
            self.faults.len(),
            "{}: a mark for each fault",
            self.name
        );
        let faults = marks
            .into_iter()
            .zip(self.faults)
            .map(
                |((byte, line, column), (rule, effect, found, entry))| Fault {
                    rule,
                    effect,
                    found,
                    at: (byte, line, column, entry.unwrap_or(default)),
                },
            )
            .collect();
        let around = |entries: Vec<String>| match self.place {
            Place::Document => entries,
            _ => {
                let kind = if self.before.contains("<sitemap>") {
                    "sitemap "
                } else {
                    ""
                };
                let good = |path| format!("{kind}https://example.com/{path}");
                [vec![good("before")], entries, vec![good("after")]].concat()
            }
        };
        let strict = self.gives_strict.unwrap_or_else(|| match self.place {
            Place::Entry => Vec::new(),
            _ => self.gives.clone(),
        });
        Case {
            name: self.name,
            bytes: (self.encode)(&marked.replace('¦', "")),
            builder: self.builder,
            faults,
            gives: around(self.gives),
            gives_strict: around(strict),
        }
    }
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

/// Something of a urlset: one entry, or what should have been one.
fn piece(name: &'static str, text: impl Into<String>) -> Row {
    Row::new(name, Place::Entry, text.into()).within("urlset", "url")
}

/// The inside of a `<url>`.
fn entry(name: &'static str, inside: &str) -> Row {
    piece(name, format!("<url>{inside}</url>"))
}

/// The inside of a page's `<loc>`.
fn loc(name: &'static str, text: &str) -> Row {
    entry(name, &format!("<loc>{text}</loc>"))
}

/// The text after the loc `https://example.com/x` in an entry.
fn beside(name: &'static str, inside: &str) -> Row {
    entry(name, &format!("<loc>https://example.com/x</loc>{inside}"))
}

fn lastmod(name: &'static str, text: &str) -> Row {
    beside(name, &format!("<lastmod>{text}</lastmod>"))
}

fn changefreq(name: &'static str, text: &str) -> Row {
    beside(name, &format!("<changefreq>{text}</changefreq>"))
}

fn priority(name: &'static str, text: &str) -> Row {
    beside(name, &format!("<priority>{text}</priority>"))
}

/// Something of an index.
fn in_index(name: &'static str, text: &str) -> Row {
    Row::new(name, Place::Entry, text.to_owned()).within("sitemapindex", "sitemap")
}

fn in_rss(name: &'static str, text: &str) -> Row {
    const RSS: (&str, &str) = (
        "<rss version=\"2.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:x=\"urn:x\"><channel>\
         <title>All</title><link>https://example.com/</link>",
        "</channel></rss>",
    );
    let loc = |loc: &str| format!("<link>{loc}</link>");
    Row::new(name, Place::Entry, text.to_owned()).within_feed(RSS, "item", loc)
}

fn in_atom(name: &'static str, text: &str) -> Row {
    const ATOM: (&str, &str) = (
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:x=\"urn:x\"><title>All</title>\
         <link rel=\"self\" href=\"https://example.com/feed\"/><updated>2024-01-01T00:00:00Z</updated>",
        "</feed>",
    );
    let loc = |loc: &str| format!("<link href=\"{loc}\"/>");
    Row::new(name, Place::Entry, text.to_owned()).within_feed(ATOM, "entry", loc)
}

/// Text between two entries that is not an entry.
fn between(name: &'static str, text: &str) -> Row {
    Row::new(name, Place::Between, text.to_owned()).within("urlset", "url")
}

/// A complete document, in which `NS` in quotes is replaced by the sitemap namespace.
fn document(name: &'static str, text: impl AsRef<str>) -> Row {
    let text = text.as_ref().replace("\"NS\"", &format!("\"{NS}\""));
    Row::new(name, Place::Document, text)
}

const X: &str = "https://example.com/x";

/// Every row of the table.
pub fn all() -> Vec<Case> {
    [
        locs(),
        dates(),
        words_and_numbers(),
        elements(),
        namespaces(),
        references(),
        markup(),
        around_the_root(),
        the_file(),
        bounds(),
        extensions(),
        feeds(),
    ]
    .concat()
    .into_iter()
    .map(Row::case)
    .collect()
}

/// Rows that break no rule.
pub fn clean() -> Vec<Case> {
    let rows = sound().into_iter().chain(sound_feeds());
    rows.map(Row::case).collect()
}

fn locs() -> Vec<Row> {
    use Rule::*;
    let long = |n: usize| format!("https://example.com/{}", "a".repeat(n - 20));
    vec![
        piece("no loc", "¦<url><lastmod>2024-01-01</lastmod></url>").skipped(MissingLoc, ANY),
        piece("empty loc", "<url>¦<loc></loc></url>").skipped(MissingLoc, "loc"),
        piece("empty loc tag", "<url>¦<loc/></url>").skipped(MissingLoc, "loc"),
        piece("blank loc", "<url>¦<loc> \n\t </loc></url>").skipped(MissingLoc, "loc"),
        piece(
            "loc of no-break spaces",
            "<url>¦<loc>&#xA0;\u{A0}</loc></url>",
        )
        .skipped(MissingLoc, ANY),
        piece(
            "loc of a comment",
            "<url><lastmod>2024</lastmod>¦<loc><!-- https://example.com/x --></loc></url>",
        )
        .skipped(MissingLoc, ANY),
        piece("empty entry", "¦<url></url>").skipped(MissingLoc, ANY),
        piece("empty entry tag", "¦<url />").skipped(MissingLoc, ANY),
        piece(
            "foreign loc only",
            "¦<url><x:loc>https://example.com/x</x:loc></url>",
        )
        .skipped(MissingLoc, ANY),
        in_index(
            "sitemap without loc",
            "¦<sitemap><lastmod>2024</lastmod></sitemap>",
        )
        .skipped(MissingLoc, ANY),
        loc("no scheme", "¦www.example.com").skipped(InvalidUrl, "www.example.com"),
        loc("no scheme, base known", "\n ¦www.example.com ")
            .found_at("https://example.com/sitemap.xml")
            .skipped(InvalidUrl, "www.example.com"),
        loc("relative, base unknown", "¦/a").skipped(InvalidUrl, "/a"),
        loc("relative to the scheme, base unknown", "¦//example.com/a")
            .skipped(InvalidUrl, "//example.com/a"),
        loc("one slash", "¦http:/example.com/").skipped(InvalidUrl, "http:/example.com/"),
        loc("no slash", "¦http:example.com/").skipped(InvalidUrl, "http:example.com/"),
        loc("three slashes", "¦https:///example.com/").skipped(InvalidUrl, "https:///example.com/"),
        loc("back slashes", "¦https:\\\\example.com/").skipped(InvalidUrl, ANY),
        loc("scheme twice", "¦https:https://example.com/")
            .skipped(InvalidUrl, "https:https://example.com/"),
        loc("no host", "¦https://").skipped(InvalidUrl, "https://"),
        loc("entity for a host", "¦https://¦&host;/")
            .skipped(InvalidUrl, "https://&host;/")
            .noted(UnknownEntity, ANY),
        loc("ampersand in the host", "¦https://exa¦&mple.com/")
            .skipped(InvalidUrl, "https://exa&mple.com/")
            .noted(BareAmpersand, ANY),
        in_index(
            "sitemap with a bad loc",
            "<sitemap><loc>¦sitemap</loc></sitemap>",
        )
        .skipped(InvalidUrl, "sitemap"),
        document(
            "lines that are no URL",
            "https://example.com/a\n ¦nonsense \r\nhttps://example.com/b\r¦www.example.com",
        )
        .skipped(InvalidUrl, "nonsense")
        .in_entry(2)
        .skipped(InvalidUrl, "www.example.com")
        .in_entry(4)
        .gives("https://example.com/a")
        .gives("https://example.com/b"),
        document(
            "comments in a text",
            "\u{FEFF}¦# a comment\nhttps://example.com/x\r\n # another\r\n  https://example.com/y#z \r#https://example.com/\rhttps://example.com/z",
        )
        .noted(CommentInText, "# a comment")
        .gives(X)
        .gives("https://example.com/y#z")
        .gives("https://example.com/z"),
        document(
            "a comment behind a mark",
            "https://example.com/x\n\u{FEFF} ¦# a comment \nhttps://example.com/y",
        )
        .noted(CommentInText, "# a comment")
        .in_entry(1)
        .gives(X)
        .gives("https://example.com/y"),
        document(
            "a word in a text, base known",
            "https://example.com/a\n¦index.html\n",
        )
        .found_at("https://example.com/sitemap.txt")
        .skipped(InvalidUrl, "index.html")
        .in_entry(2)
        .gives("https://example.com/a"),
        document(
            "relative, in a text",
            "https://example.com/a\n¦./index.html\n",
        )
        .found_at("https://example.com/sitemap.txt")
        .noted(RelativeUrl, "./index.html")
        .in_entry(2)
        .strictly(&["https://example.com/a"])
        .gives("https://example.com/a")
        .gives("https://example.com/index.html"),
        loc("relative", "¦/a")
            .found_at("https://example.com/sitemap.xml")
            .noted(RelativeUrl, "/a")
            .gives("https://example.com/a"),
        loc("relative to the scheme", "¦//example.com/a")
            .found_at("https://example.com/sitemap.xml")
            .noted(RelativeUrl, "//example.com/a")
            .gives("https://example.com/a"),
        loc("relative, a name", "¦index.html")
            .found_at("https://example.com/sitemap.xml")
            .noted(RelativeUrl, "index.html")
            .gives("https://example.com/index.html"),
        loc("a host without its scheme", "¦www.example.com/a")
            .found_at("https://example.com/sitemap.xml")
            .skipped(InvalidUrl, "www.example.com/a"),
        in_index(
            "relative, in an index",
            "<sitemap><loc>¦/a.xml</loc></sitemap>",
        )
        .found_at("https://example.com/sitemap.xml")
        .noted(RelativeUrl, "/a.xml")
        .gives("sitemap https://example.com/a.xml"),
        loc("javascript", "¦javascript:alert(1)").skipped(UnsupportedScheme, "javascript:alert(1)"),
        loc("file", "¦file:///etc/passwd").skipped(UnsupportedScheme, "file:///etc/passwd"),
        loc("ftp", "¦ftp://example.com/").skipped(UnsupportedScheme, "ftp://example.com/"),
        loc("mailto", "¦mailto:a@example.com").skipped(UnsupportedScheme, "mailto:a@example.com"),
        loc("2,048 characters", &format!("¦{}", long(2_048)))
            .noted(UrlTooLong, &long(2_048)[..80])
            .gives(&long(2_048)),
        loc(
            "2,048 characters after unescaping",
            &format!(" ¦{}&amp; ", long(2_047)),
        )
        .noted(UrlTooLong, &long(2_047)[..80])
        .gives(&format!("{}&", long(2_047))),
        document("a line of 2,048 characters", format!("¦{}\n", long(2_048)))
            .noted(UrlTooLong, ANY)
            .in_entry(1)
            .gives(&long(2_048))
            .strictly(&[]),
        loc("space", "¦https://example.com/a b")
            .noted(UrlNotEscaped, "https://example.com/a b")
            .gives("https://example.com/a%20b"),
        loc("tab", "¦https://example.com/a\tb")
            .noted(UrlNotEscaped, ANY)
            .gives("https://example.com/ab"),
        loc("line break", "¦https://example.com/a\nb")
            .noted(UrlNotEscaped, ANY)
            .gives("https://example.com/ab"),
        loc("non-ASCII path", "\n¦https://example.com/straße")
            .noted(UrlNotEscaped, "https://example.com/straße")
            .gives("https://example.com/stra%C3%9Fe"),
        loc("non-ASCII host", "¦https://bücher.example/")
            .noted(UrlNotEscaped, "https://bücher.example/")
            .gives("https://xn--bcher-kva.example/"),
        loc("quotes", "¦https://example.com/&quot;a&quot;")
            .noted(UrlNotEscaped, "https://example.com/\"a\"")
            .gives("https://example.com/%22a%22"),
        loc("angle brackets", "¦https://example.com/&lt;a&gt;")
            .noted(UrlNotEscaped, "https://example.com/<a>")
            .gives("https://example.com/%3Ca%3E"),
        loc("brackets", "¦https://example.com/?a[]=1")
            .noted(UrlNotEscaped, "https://example.com/?a[]=1")
            .gives("https://example.com/?a[]=1"),
        loc("a percent sign", "¦https://example.com/100%")
            .noted(UrlNotEscaped, "https://example.com/100%")
            .gives("https://example.com/100%"),
        loc("two fragments", "¦https://example.com/#a#b")
            .noted(UrlNotEscaped, "https://example.com/#a#b")
            .gives("https://example.com/#a#b"),
        loc("a backslash", "¦https://example.com/a\\b")
            .noted(UrlNotEscaped, "https://example.com/a\\b")
            .gives("https://example.com/a/b"),
        loc(
            "a slash too much",
            &format!("¦{}", long(2_047).replacen("com/", "com?a", 1)),
        )
        .noted(UrlTooLong, ANY)
        .gives(&long(2_047).replacen("com/", "com/?a", 1)),
        document("a line with brackets", "¦https://example.com/[a]\n")
            .noted(UrlNotEscaped, "https://example.com/[a]")
            .in_entry(1)
            .gives("https://example.com/[a]")
            .strictly(&[]),
        document("a line with a space", "¦https://example.com/ü b\n")
            .noted(UrlNotEscaped, "https://example.com/ü b")
            .in_entry(1)
            .gives("https://example.com/%C3%BC%20b")
            .strictly(&[]),
        loc("another scheme", "¦http://example.com/x")
            .found_at("https://example.com/sitemap.xml")
            .noted(OutsideLocation, "http://example.com/x")
            .gives("http://example.com/x"),
        loc("another host", "¦https://www.example.com/x")
            .found_at("https://example.com/sitemap.xml")
            .noted(OutsideLocation, "https://www.example.com/x")
            .gives("https://www.example.com/x"),
        loc("another port", "¦https://example.com:8443/x")
            .found_at("https://example.com/sitemap.xml")
            .noted(OutsideLocation, "https://example.com:8443/x")
            .gives("https://example.com:8443/x"),
        document(
            "another directory",
            "<urlset xmlns=\"NS\"><url><loc>https://example.com/dir/x</loc></url>\
             <url><loc>¦https://example.com/directory</loc></url>\
             <url><loc>¦https://example.com/</loc></url></urlset>",
        )
        .found_at("https://example.com/dir/sitemap.xml")
        .noted(OutsideLocation, "https://example.com/directory")
        .in_entry(2)
        .noted(OutsideLocation, "https://example.com/")
        .in_entry(3)
        .gives("https://example.com/dir/x")
        .gives("https://example.com/directory")
        .gives("https://example.com/")
        .strictly(&["https://example.com/dir/x"]),
    ]
}

fn dates() -> Vec<Row> {
    use Rule::*;
    let invalid = |name, text: &str| {
        let marked = format!("\n ¦{text}\t");
        lastmod(name, &marked)
            .dropped(InvalidDatetime, text)
            .gives(X)
    };
    let odd = |name, text: &str, meant: &str| {
        lastmod(name, &format!(" ¦{text}"))
            .noted(NonStandardDatetime, text)
            .gives(&format!("{X} lastmod={meant}"))
    };
    vec![
        invalid("a word for a date", "yesterday"),
        invalid("month 13", "2024-13-01"),
        invalid("29 February of no leap year", "2023-02-29"),
        invalid("zero date", "0000-00-00"),
        invalid("two dates", "2024-03-04 2024-03-05"),
        invalid("hour 25", "2024-03-04T25:00:00Z"),
        in_index(
            "sitemap with a bad date",
            "<sitemap><loc>https://example.com/x</loc><lastmod>¦never</lastmod></sitemap>",
        )
        .dropped(InvalidDatetime, "never")
        .gives("sitemap https://example.com/x"),
        odd(
            "blank for T, no zone",
            "2024-03-04 05:06:07",
            "2024-03-04T05:06:07Z",
        ),
        odd("no zone", "2024-03-04T05:06:07", "2024-03-04T05:06:07Z"),
        odd(
            "zone without colon",
            "2024-03-04T05:06:07+0000",
            "2024-03-04T05:06:07+00:00",
        ),
        odd(
            "zone without colon, half past",
            "2024-03-04T05:06:07-0330",
            "2024-03-04T05:06:07-03:30",
        ),
        odd("no dashes", "20240304", "2024-03-04"),
        odd(
            "one-digit month",
            "2021-9-27T01:02:03Z",
            "2021-09-27T01:02:03Z",
        ),
        odd(
            "ten fraction digits",
            "2024-03-04T05:06:07.0123456789Z",
            "2024-03-04T05:06:07.012345678Z",
        ),
        odd(
            "RFC 2822",
            "Mon, 04 Mar 2024 05:06:07 +0100",
            "2024-03-04T05:06:07+01:00",
        ),
        odd(
            "RFC 2822 without zone",
            "Mon, 04 Mar 2024 05:06:07",
            "2024-03-04T05:06:07Z",
        ),
    ]
}

fn words_and_numbers() -> Vec<Row> {
    use Rule::*;
    let bad = |name, text: &str| {
        priority(name, &format!("\r\n¦{text}"))
            .dropped(InvalidPriority, text)
            .gives(X)
    };
    vec![
        changefreq("unknown word", "¦sometimes")
            .dropped(InvalidChangefreq, "sometimes")
            .gives(X),
        changefreq("two words", " ¦Not Weekly ")
            .dropped(InvalidChangefreq, "Not Weekly")
            .gives(X),
        changefreq("capital", "¦Daily")
            .noted(NonStandardChangefreq, "Daily")
            .gives(&format!("{X} changefreq=daily")),
        changefreq("all capitals", "<![CDATA[¦WEEKLY]]>")
            .noted(NonStandardChangefreq, "WEEKLY")
            .gives(&format!("{X} changefreq=weekly")),
        bad("over one", "1.5"),
        bad("below zero", "-0.1"),
        bad("NaN", "NaN"),
        bad("infinite", "Infinity"),
        bad("a word for a priority", "high"),
        bad("per cent", "80%"),
        bad("comma over one", "1,5"),
        priority("comma", "¦0,8")
            .noted(NonStandardPriority, "0,8")
            .gives(&format!("{X} priority=0.8")),
        priority("no zero", "¦.5")
            .noted(NonStandardPriority, ".5")
            .gives(&format!("{X} priority=0.5")),
        beside(
            "every value bad",
            "<lastmod>¦x</lastmod><changefreq>¦y</changefreq><priority>¦z</priority>",
        )
        .dropped(InvalidDatetime, "x")
        .dropped(InvalidChangefreq, "y")
        .dropped(InvalidPriority, "z")
        .gives(X),
    ]
}

fn elements() -> Vec<Row> {
    use Rule::*;
    vec![
        beside(
            "lastmod twice",
            "<lastmod>2024</lastmod>\n  ¦<lastmod>2023</lastmod><priority>0.1</priority>",
        )
        .dropped(DuplicateElement, ANY)
        .gives(&format!("{X} lastmod=2024 priority=0.1")),
        beside("two changefreqs", "<changefreq>daily</changefreq>¦<changefreq>never</changefreq>")
            .dropped(DuplicateElement, ANY)
            .gives(&format!("{X} changefreq=daily")),
        beside(
            "three priorities",
            "<priority>0.1</priority>¦<priority>0.2</priority>¦<priority>0.3</priority>",
        )
        .dropped(DuplicateElement, ANY)
        .dropped(DuplicateElement, ANY)
        .gives(&format!("{X} priority=0.1")),
        beside("lastmod twice, the first bad", "<lastmod>¦x</lastmod><lastmod>2023</lastmod>¦<lastmod>2022</lastmod>")
            .dropped(InvalidDatetime, "x")
            .dropped(DuplicateElement, ANY)
            .gives(&format!("{X} lastmod=2023")),
        beside("lastmod twice, both bad", "<lastmod>¦x</lastmod><lastmod>¦y</lastmod>")
            .dropped(InvalidDatetime, "x")
            .dropped(InvalidDatetime, "y")
            .gives(X),
        beside("lastmod twice, the first understood", "<lastmod>¦2024-1-2</lastmod>¦<lastmod>2023</lastmod>")
            .noted(NonStandardDatetime, "2024-1-2")
            .dropped(DuplicateElement, ANY)
            .gives(&format!("{X} lastmod=2024-01-02")),
        beside("two changefreqs, the first bad", "<changefreq>¦sometimes</changefreq><changefreq>daily</changefreq>")
            .dropped(InvalidChangefreq, "sometimes")
            .gives(&format!("{X} changefreq=daily")),
        priority("a word", "¦high").dropped(InvalidPriority, "high").gives(X),
        beside("two priorities, the first bad", "<priority>¦high</priority><priority>0.1</priority>")
            .dropped(InvalidPriority, "high")
            .gives(&format!("{X} priority=0.1")),
        beside("empty values", "¦<lastmod/><changefreq></changefreq><priority> \n</priority>")
            .noted(EmptyElement, "lastmod")
            .gives(X),
        beside("an empty date before a full one", "¦<lastmod></lastmod><lastmod>2024</lastmod>")
            .noted(EmptyElement, "lastmod")
            .gives(&format!("{X} lastmod=2024")),
        beside("an empty date after a full one", "<lastmod>2024</lastmod>¦<lastmod> </lastmod>")
            .noted(EmptyElement, "lastmod")
            .gives(&format!("{X} lastmod=2024")),
        piece(
            "empty values in two entries",
            "<url><loc>https://example.com/x</loc>¦<priority></priority></url>\n<url><loc>https://example.com/y</loc><priority/></url>",
        )
        .noted(EmptyElement, "priority")
        .gives(X)
        .gives("https://example.com/y")
        .strictly(&["https://example.com/y"]),
        in_index(
            "an empty date in an index",
            "<sitemap><loc>https://example.com/x</loc>¦<lastmod></lastmod></sitemap>",
        )
        .noted(EmptyElement, "lastmod")
        .gives("sitemap https://example.com/x"),
        entry(
            "two locs",
            "<loc>https://example.com/x</loc><lastmod>2024</lastmod><priority>0.1</priority>\n\
             ¦<loc>https://example.com/y</loc><changefreq>daily</changefreq>",
        )
        .noted(SecondLoc, ANY)
        .gives(&format!("{X} lastmod=2024 priority=0.1"))
        .gives("https://example.com/y changefreq=daily")
        .strictly(&["https://example.com/y changefreq=daily"]),
        beside("unknown element", "\n ¦<foo>https://example.com/no</foo><priority>0.1</priority>")
            .noted(UnknownElement, ANY)
            .gives(&format!("{X} priority=0.1")),
        beside("unknown element with a loc and a date in it", "¦<image><loc>https://example.com/no</loc><lastmod>2024</lastmod></image>")
            .noted(UnknownElement, ANY)
            .gives(X),
        piece("loc only in an unknown element", "¦<url>¦<foo><loc>https://example.com/no</loc></foo></url>")
            .skipped(MissingLoc, ANY)
            .noted(UnknownElement, ANY),
        between("unknown element under the root", "¦<foo>https://example.com/no<loc>https://example.com/no</loc></foo>")
            .noted(UnknownElement, ANY),
        in_index(
            "priority in a sitemap",
            "<sitemap><loc>https://example.com/x</loc>¦<priority>0.5</priority></sitemap>",
        )
        .noted(UnknownElement, ANY)
        .gives("sitemap https://example.com/x"),
        loc("element in a loc", "https://¦<b>example</b>.com/").skipped(UnknownElement, ANY),
        lastmod("element in a date", "2024-¦<b>01</b>-01")
            .dropped(UnknownElement, ANY)
            .gives(X),
        lastmod("element round a date", "¦<b>2024-01-01</b>")
            .dropped(UnknownElement, ANY)
            .gives(X),
        piece("loc that is opened instead of closed", "<url><loc>https://example.com/x¦<loc>¦</url>")
            .skipped(UnknownElement, "loc")
            .noted(MismatchedTag, "url"),
        beside("date that is not closed", "<lastmod>2024¦<priority>0.5</priority></lastmod>")
            .dropped(UnknownElement, "priority")
            .gives(X),
        loc("placeholder in a loc", "https://¦<USER>.github.io/¦")
            .skipped(UnknownElement, ANY)
            .noted(MismatchedTag, ANY),
        piece("sitemap in a urlset", "¦<sitemap><loc>https://example.com/x</loc><lastmod>2024</lastmod></sitemap>")
            .noted(MisplacedEntry, ANY)
            .gives(&format!("sitemap {X} lastmod=2024")),
        document(
            "a urlset in an index",
            format!(
                "<sitemapindex xmlns=\"NS\"><sitemap><loc>{X}</loc></sitemap>¦<urlset xmlns=\"NS\"><url><loc>{X}</loc></url>\
                 ¦<sitemap><loc>{X}</loc></sitemap><url><loc>{X}</loc></url></urlset>¦<url><loc>{X}</loc></url>\
                 <sitemap><loc>{X}</loc></sitemap></sitemapindex>"
            ),
        )
        .noted(SecondRoot, "urlset")
        .in_entry(1)
        .noted(MisplacedEntry, "sitemap")
        .in_entry(3)
        .noted(MisplacedEntry, "url")
        .in_entry(5)
        .gives(&format!("sitemap {X}"))
        .gives(X)
        .gives(&format!("sitemap {X}"))
        .gives(X)
        .gives(X)
        .gives(&format!("sitemap {X}"))
        .strictly(&[&format!("sitemap {X}"), X, X, &format!("sitemap {X}")]),
        between("a loc outside of an entry", "¦<loc>https://example.com/no</loc>").noted(UnknownElement, "loc"),
        in_index("url in an index", "¦<url><loc>https://example.com/x</loc><priority>0.5</priority></url>")
            .noted(MisplacedEntry, ANY)
            .gives(&format!("{X} priority=0.5")),
        document(
            "capitals",
            "\n¦<URLSET xmlns=\"NS\"><URL><LOC>https://example.com/x</LOC><LastMod>2024</LastMod></URL></URLSET>",
        )
        .noted(WrongCase, ANY)
        .gives(&format!("{X} lastmod=2024")),
        piece("capital loc", "<url>¦<Loc>https://example.com/x</Loc></url><url><Loc>https://example.com/y</Loc></url>")
            .noted(WrongCase, ANY)
            .gives(X)
            .gives("https://example.com/y")
            .strictly(&["https://example.com/y"]),
        piece("capital entry", "¦<Url><loc>https://example.com/x</loc></Url>")
            .noted(WrongCase, ANY)
            .gives(X),
    ]
}

fn namespaces() -> Vec<Row> {
    use Rule::*;
    let root = |name, declaration: &str, rule, found: &str| {
        let text = format!(
            "<?xml version=\"1.0\"?>\n¦<urlset{declaration}><url><loc>{X}</loc></url></urlset>"
        );
        document(name, text).noted(rule, found).gives(X)
    };
    let uri = |name, uri: &str| root(name, &format!(" xmlns=\"{uri}\""), WrongNamespace, uri);
    let historic =
        |name, uri: &str| root(name, &format!(" xmlns=\"{uri}\""), HistoricNamespace, uri);
    vec![
        root("no namespace", "", WrongNamespace, ANY),
        uri("https namespace", "https://www.sitemaps.org/schemas/sitemap/0.9"),
        historic("0.84", "http://www.google.com/schemas/sitemap/0.84"),
        uri("0.84 of sitemaps.org", "http://www.sitemaps.org/schemas/sitemap/0.84"),
        historic("Google's 0.9", "http://www.google.com/schemas/sitemap/0.9"),
        uri("without a scheme", "//www.sitemaps.org/schemas/sitemap/0.9"),
        uri("final slash", "http://www.sitemaps.org/schemas/sitemap/0.9/"),
        uri("a namespace of its own", "urn:mine"),
        document("prefixed root in another namespace", format!("¦<s:urlset xmlns:s=\"urn:mine\"><s:url><s:loc>{X}</s:loc></s:url></s:urlset>"))
            .noted(WrongNamespace, "urn:mine")
            .gives(X),
        piece("entry in no namespace", format!("¦<url xmlns=\"\"><loc>{X}</loc></url>"))
            .noted(WrongNamespace, ANY)
            .gives(X),
        entry("loc in another known namespace", &format!("¦<loc xmlns=\"http://www.google.com/schemas/sitemap/0.84\">{X}</loc>"))
            .noted(WrongNamespace, "http://www.google.com/schemas/sitemap/0.84")
            .gives(X),
        document("unprefixed entries under a prefixed root", format!("<s:urlset xmlns:s=\"NS\">¦<url><loc>{X}</loc></url><url><loc>https://example.com/y</loc></url></s:urlset>"))
            .noted(WrongNamespace, ANY)
            .in_entry(1)
            .gives(X)
            .gives("https://example.com/y")
            .strictly(&["https://example.com/y"]),
        beside("a conventional prefix that is bound to another namespace", "¦<image:image xmlns:image=\"image\"><image:loc>https://example.com/x.png</image:loc></image:image>")
            .noted(WrongNamespace, "image")
            .gives(X),
        beside("undeclared prefix", "\n¦<foo:bar>1</foo:bar>")
            .noted(UndeclaredPrefix, ANY)
            .gives(X),
        piece(
            "undeclared prefixes, each once",
            "<url><loc>https://example.com/x</loc>¦<foo:a/><foo:b/>¦<bar:a/></url>\
             <url><loc>https://example.com/y</loc><bar:a/><foo:a/></url>",
        )
        .noted(UndeclaredPrefix, "foo")
        .noted(UndeclaredPrefix, "bar")
        .gives(X)
        .gives("https://example.com/y")
        .strictly(&["https://example.com/y"]),
        beside("undeclared conventional prefix", "¦<image:image><image:loc>https://example.com/x.png</image:loc></image:image>")
            .noted(UndeclaredPrefix, ANY)
            .gives(X),
    ]
}

fn references() -> Vec<Row> {
    use Rule::*;
    vec![
        loc("bare ampersands", "https://example.com/?a=1¦&b=2¦&c=3")
            .noted(BareAmpersand, ANY)
            .noted(BareAmpersand, ANY)
            .gives("https://example.com/?a=1&b=2&c=3"),
        loc(
            "an entity without its semicolon",
            "https://example.com/?a=1¦&amp=2",
        )
        .noted(BareAmpersand, ANY)
        .gives("https://example.com/?a=1&amp=2"),
        loc("ampersand at the end", "https://example.com/?a¦&")
            .noted(BareAmpersand, ANY)
            .gives("https://example.com/?a&"),
        loc("an entity of HTML", "https://example.com/¦&nbsp;x")
            .noted(UnknownEntity, ANY)
            .gives("https://example.com/&nbsp;x"),
        beside(
            "an entity of HTML in a foreign element",
            "<x:y>ü¦&nbsp;x</x:y>",
        )
        .noted(UnknownEntity, ANY)
        .gives(X),
        beside("ampersand in an attribute", "<x:y a=\"b¦&c\"/>")
            .noted(BareAmpersand, ANY)
            .gives(X),
        loc("control character in a loc", "https://example.com/¦\u{1}")
            .skipped(InvalidCharacter, ANY),
        loc("reference to no character", "https://example.com/¦&#0;")
            .skipped(InvalidCharacter, ANY),
        loc(
            "reference to half a character",
            "https://example.com/¦&#xD800;",
        )
        .skipped(InvalidCharacter, ANY),
        beside(
            "control character in a foreign element",
            "<x:y>ü¦\u{B}</x:y>",
        )
        .noted(InvalidCharacter, ANY)
        .gives(X),
        changefreq("control character in a value", "¦da¦\u{1}ily")
            .dropped(InvalidChangefreq, ANY)
            .noted(InvalidCharacter, ANY)
            .gives(X),
        loc(
            "a byte that is no UTF-8, in a loc",
            "https://example.com/¦\u{FFFD}x",
        )
        .encoded(|text| replace(text.as_bytes(), "\u{FFFD}".as_bytes(), b"\xE4"))
        .skipped(InvalidCharacter, ANY),
        beside(
            "a byte that is no UTF-8, elsewhere",
            "<x:y>ü¦\u{FFFD}</x:y>",
        )
        .encoded(|text| replace(text.as_bytes(), "\u{FFFD}".as_bytes(), b"\xFF"))
        .noted(InvalidCharacter, ANY)
        .gives(X),
        beside(
            "several bytes that are no UTF-8, on two lines",
            "<x:y a=\"¦\u{FFFD}\">\u{FFFD}x\u{FFFD}\n¦\u{FFFD}x<x:z>\u{FFFD}</x:z></x:y>",
        )
        .encoded(|text| text.replace('\u{FFFD}', "\0").bytes().map(|b| if b == 0 { 0xFF } else { b }).collect())
        .noted(InvalidCharacter, "\u{FFFD}")
        .noted(InvalidCharacter, "\u{FFFD}")
        .gives(X),
        piece(
            "bytes that are no UTF-8 on one line, the second in a loc",
            "<url><x:y>¦\u{FFFD}</x:y><loc>https://example.com/¦\u{FFFD}</loc><x:y>\u{FFFD}</x:y></url>",
        )
        .encoded(|text| text.replace('\u{FFFD}', "\0").bytes().map(|b| if b == 0 { 0xFF } else { b }).collect())
        .noted(InvalidCharacter, "\u{FFFD}")
        .skipped(InvalidCharacter, "\u{FFFD}"),
        document(
            "a control character in a line",
            "https://example.com/a\nhttps://example.com/¦\u{8}b\nhttps://example.com/c",
        )
        .skipped(InvalidCharacter, ANY)
        .in_entry(2)
        .gives("https://example.com/a")
        .gives("https://example.com/c"),
    ]
}

fn replace(bytes: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    let at = bytes
        .windows(what.len())
        .position(|window| window == what)
        .unwrap();
    [&bytes[..at], with, &bytes[at + what.len()..]].concat()
}

fn markup() -> Vec<Row> {
    use Rule::*;
    vec![
        beside("stray end tag in an entry", "¦</urls>\n<priority>0.1</priority>")
            .noted(MismatchedTag, ANY)
            .gives(&format!("{X} priority=0.1")),
        between("stray end tag between entries", "¦</foo>").noted(MismatchedTag, ANY),
        between("stray end tag of an entry", "¦</url>").noted(MismatchedTag, ANY),
        piece("loc not closed", format!("<url><loc>{X}¦</url>"))
            .noted(MismatchedTag, ANY)
            .gives(X),
        piece("date not closed", format!("<url><loc>{X}</loc><lastmod>2024¦</url>"))
            .noted(MismatchedTag, ANY)
            .gives(&format!("{X} lastmod=2024")),
        beside("end tags crossed", "<x:a><x:b>1¦</x:a>¦</x:b><priority>0.1</priority>")
            .noted(MismatchedTag, ANY)
            .noted(MismatchedTag, ANY)
            .gives(&format!("{X} priority=0.1")),
        piece("misspelt end tag", format!("<url><loc>{X}</loc>¦</urls>\n¦<url><loc>https://example.com/y</loc></url>"))
            .noted(MismatchedTag, ANY)
            .noted(UnclosedEntry, ANY)
            .gives(X)
            .gives("https://example.com/y")
            .strictly(&["https://example.com/y"]),
        piece("url inside url", format!("<url><loc>{X}</loc>\n¦<url><loc>https://example.com/y</loc><priority>0.1</priority></url>"))
            .noted(UnclosedEntry, ANY)
            .gives(X)
            .gives("https://example.com/y priority=0.1")
            .strictly(&["https://example.com/y priority=0.1"]),
        piece("url inside url, the outer without loc", "¦<url>¦<url><loc>https://example.com/y</loc></url>")
            .skipped(MissingLoc, ANY)
            .noted(UnclosedEntry, ANY)
            .gives("https://example.com/y")
            .strictly(&["https://example.com/y"]),
        document("the last entry not closed", format!("<urlset xmlns=\"NS\">\n<url><loc>{X}</loc><lastmod>2024</lastmod>\n¦</urlset>"))
            .noted(UnclosedEntry, ANY)
            .in_entry(1)
            .gives(&format!("{X} lastmod=2024"))
            .strictly(&[]),
        beside("a less-than sign too many", "<lastmod>2005¦<</lastmod>")
            .skipped(MalformedMarkup, ANY),
        beside("a quote not closed", "¦<x:y a=\"b>1</x:y>").skipped(MalformedMarkup, ANY),
        beside("a name that is none", "¦<1>x</1>").skipped(MalformedMarkup, ANY),
        // Text inside an entry that cannot be read is read again, and judged again.
        piece("broken behind the tag of an entry of another namespace", format!("¦<url><loc>{X}</loc>¦<u:url>¦</q></u:url>¦<1>¦</url>"))
            .skipped(MalformedMarkup, "<1>")
            .noted(UndeclaredPrefix, "u")
            .noted(MismatchedTag, "q")
            .noted(MalformedMarkup, "<1>")
            .noted(MismatchedTag, "url")
            .strictly(&[]),
        piece("broken behind an entry in a comment", format!("¦<url></p><loc>{X}</loc><!--<url><loc>{X}</loc>¦-->¦<1></url>").replace("</p>", "¦</p>"))
            .skipped(MalformedMarkup, "<1>")
            .noted(MismatchedTag, "p")
            .noted(StrayText, "-->")
            .in_entry(3)
            .skipped(MalformedMarkup, "<1>")
            .in_entry(3),
        piece("broken in the tag of the next entry", format!("¦<url><loc>{X}</loc>¦<url \"<loc>{X}</loc></url>"))
            .skipped(MalformedMarkup, "<url \"")
            .skipped(MalformedMarkup, "<url \"")
            .in_entry(3),
        piece("broken in its own tag, and behind the tag of another", format!("¦<url a><loc>{X}</loc><x:url/>¦<1>¦</url>"))
            .skipped(MalformedMarkup, "<url a>")
            .noted(MalformedMarkup, "<1>")
            .noted(MismatchedTag, "url")
            .strictly(&[]),
        beside("an attribute without a value", "¦<x:y a>1</x:y>")
            .dropped(MalformedMarkup, ANY)
            .gives(X),
        beside("an attribute without quotes", "¦<lastmod a=b>2024</lastmod>")
            .dropped(MalformedMarkup, ANY)
            .gives(X),
        document("a broken attribute of the root", format!("¦<urlset xmlns=\"NS\" broken><url><loc>{X}</loc></url></urlset>"))
            .noted(MalformedMarkup, ANY)
            .gives(X),
        document("a namespace declared twice", format!("¦<urlset xmlns=\"NS\" xmlns=\"NS\"><url><loc>{X}</loc></url></urlset>"))
            .noted(MalformedMarkup, ANY)
            .gives(X),
        between("an ampersand between entries", "¦&").noted(MalformedMarkup, ANY),
        beside(
            "the markers of a merge conflict",
            "\n¦<<<<<<< HEAD\n  <lastmod>2024</lastmod>\n¦=======\n  <priority>0.5</priority>\n¦>>>>>>> other\n",
        )
        .noted(StrayText, "<<<<<<< HEAD")
        .noted(StrayText, "=======")
        .noted(StrayText, ">>>>>>> other")
        .gives(&format!("{X} lastmod=2024 priority=0.5")),
        beside("the markers of a merge conflict without a side", "\n¦<<<<<<< HEAD\n¦=======\n<priority>0.5</priority>\n¦>>>>>>> other\n")
            .noted(StrayText, "<<<<<<< HEAD")
            .noted(StrayText, "=======")
            .noted(StrayText, ">>>>>>> other")
            .gives(&format!("{X} priority=0.5")),
        between("the markers of a merge conflict round entries", "\n¦<<<<<<< HEAD\n¦=======\n<!-- -->\n¦>>>>>>> other\n")
            .noted(StrayText, "<<<<<<< HEAD")
            .noted(StrayText, "=======")
            .noted(StrayText, ">>>>>>> other"),
        beside("signs that begin no markup, once per line", "¦a < b <= c\n  ¦< d <priority>0.5</priority> < e\r¦<>f")
            .noted(StrayText, "a")
            .noted(StrayText, "< d")
            .noted(StrayText, "<>f")
            .gives(&format!("{X} priority=0.5")),
        between("signs between entries, once per line", "¦a < b <!-- --> < c\n ¦< d <!--\n--> ¦< e\n")
            .noted(StrayText, "a")
            .noted(StrayText, "< d")
            .noted(StrayText, "< e"),
        document(
            "signs between entries on one line, once before and after each",
            format!("<urlset xmlns=\"NS\">¦a < b<url><loc>{X}</loc></url>¦<> <><url><loc>{X}</loc></url> ¦< c</urlset>"),
        )
        .noted(StrayText, "a")
        .noted(StrayText, "<> <>")
        .in_entry(1)
        .noted(StrayText, "< c")
        .in_entry(2)
        .gives(X)
        .gives(X),
        document("a sign before the root", format!("¦<<<<<<< HEAD\n<urlset xmlns=\"NS\"><url><loc>{X}</loc></url></urlset>"))
            .noted(StrayText, "<<<<<<< HEAD")
            .gives(X),
        beside("a less-than sign in a value", "<changefreq>daily ¦< weekly</changefreq>")
            .skipped(MalformedMarkup, "< weekly"),
        beside("an instruction in an entry that is named as the declaration", "¦<?xml version=\"1.0\"><priority>0.5</priority>")
            .noted(MalformedMarkup, "<?xml version=\"1.0\">")
            .gives(&format!("{X} priority=0.5")),
        between("text between entries", " ¦hello ").noted(StrayText, "hello"),
        between("a reference between entries", "¦&amp;x").noted(StrayText, "&amp;x"),
        piece("text in an entry", format!("<url>¦hello<loc>{X}</loc></url>"))
            .noted(StrayText, "hello")
            .gives(X),
        document("text before the first entry", format!("<urlset xmlns=\"NS\">\n  ¦hello\n<url><loc>{X}</loc></url></urlset>"))
            .noted(StrayText, "hello")
            .gives(X),
    ]
}

fn around_the_root() -> Vec<Row> {
    use Rule::*;
    let small = format!("<urlset xmlns=\"NS\"><url><loc>{X}</loc></url></urlset>");
    vec![
        document("a document type", format!("<?xml version=\"1.0\"?>\n¦<!DOCTYPE urlset>\n{small}"))
            .noted(Doctype, ANY)
            .gives(X),
        document("a document type with an external subset", format!("¦<!DOCTYPE urlset SYSTEM \"http://evil.example/x.dtd\">{small}"))
            .noted(Doctype, ANY)
            .gives(X),
        document(
            "an entity that is declared",
            format!("¦<!DOCTYPE urlset [<!ENTITY a \"<url><loc>https://evil.example/</loc></url>\"> <!-- ]> -->]>\n<urlset xmlns=\"NS\"><url><loc>{X}?¦&a;</loc></url></urlset>"),
        )
        .noted(Doctype, ANY)
        .noted(UnknownEntity, ANY)
        .in_entry(1)
        .gives(&format!("{X}?&a;"))
        .strictly(&[]),
        document("a declaration that is not closed", format!("¦<?xml version=\"1.0\" encoding=\"UTF-8\">\n{small}"))
            .noted(MalformedMarkup, "<?xml version=\"1.0\" encoding=\"UTF-8\">")
            .gives(X),
        document("a declaration that the root follows on", format!("¦<?xml version=\"1.0\"?\n{small}"))
            .noted(MalformedMarkup, "<?xml version=\"1.0\"?")
            .gives(X),
        document("a declaration that is not closed, behind a space", format!("¦ ¦<?xml version=\"1.0\"><!-- -->{small}"))
            .noted(ContentBeforeDeclaration, " ")
            .noted(MalformedMarkup, "<?xml version=\"1.0\">")
            .gives(X),
        document("a second declaration that is not closed", format!("<?xml version=\"1.0\"?>{small}\n¦<?xml version=\"1.0\">\n¦{small}"))
            .noted(MalformedMarkup, "<?xml version=\"1.0\">")
            .in_entry(1)
            .noted(SecondRoot, ANY)
            .in_entry(1)
            .gives(X)
            .gives(X),
        document("text after the root", format!("{small}\n¦hello")).noted(ContentAfterRoot, ANY).in_entry(1).gives(X),
        document("less than, after the root", format!("{small}\n¦< 3 words ")).noted(ContentAfterRoot, "< 3 words").in_entry(1).gives(X),
        document("an element after the root", format!("{small}<!-- fine -->¦<p/>"))
            .noted(ContentAfterRoot, ANY)
            .in_entry(1)
            .gives(X),
        document("an end tag after the root", format!("{small}\n¦</acl>")).noted(ContentAfterRoot, "acl").in_entry(1).gives(X),
        document("white space before the declaration", format!("¦\n <?xml version=\"1.0\"?>{small}"))
            .noted(ContentBeforeDeclaration, "\n ")
            .gives(X),
        document("a comment before the declaration", format!("¦\n<!-- <?xml -->\n<?xml version=\"1.0\"?>{small}"))
            .noted(ContentBeforeDeclaration, "\n<!-- <?xml -->")
            .gives(X),
        document("text before the declaration", format!("¦sitemap.xml\n<?xml version=\"1.0\"?>{small}"))
            .noted(ContentBeforeDeclaration, "sitemap.xml")
            .gives(X),
        document("text behind white space before the declaration", format!("¦\nsitemap.xml <b/><?xml version=\"1.0\"?>{small}"))
            .noted(ContentBeforeDeclaration, "\nsitemap.xml <b/>")
            .gives(X),
        document("a warning before the declaration", format!("¦<!-- a --><b>Warning</b>: in a.php <?xml version=\"1.0\"?>¦<hr/>{small}"))
            .noted(ContentBeforeDeclaration, "<!-- a --><b>Warning</b>: in a.php")
            .noted(UnknownElement, "hr")
            .gives(X),
        document("a document type before the declaration", format!("¦\n¦<!DOCTYPE urlset><?xml version=\"1.0\"?>{small}"))
            .noted(ContentBeforeDeclaration, "\n<!DOCTYPE urlset>")
            .noted(Doctype, ANY)
            .gives(X),
        document("text before the root", format!("¦sitemap.xml\n{small}"))
            .noted(StrayText, "sitemap.xml")
            .gives(X),
        document("elements before the root", format!("¦<hr/>¦<br />{small}"))
            .noted(UnknownElement, ANY)
            .noted(UnknownElement, ANY)
            .gives(X),
        document("an end tag before the root", format!("¦</b >{small}"))
            .noted(MismatchedTag, "b")
            .gives(X),
        document("a urlset in a web page", format!("¦<html><body>{small}</body></html>"))
            .noted(WrappedRoot, "html")
            .gives(X),
        document("one urlset after another", format!("{small}\n¦<urlset xmlns=\"NS\"><url><loc>https://example.com/y</loc></url></urlset>"))
            .noted(SecondRoot, ANY)
            .in_entry(1)
            .gives(X)
            .gives("https://example.com/y"),
        document("one urlset after another, in another namespace", format!("{small}\n¦¦<urlset xmlns=\"http://www.google.com/schemas/sitemap/0.84\"><url><loc>https://example.com/y</loc></url></urlset>"))
            .noted(SecondRoot, ANY)
            .in_entry(1)
            .noted(HistoricNamespace, "http://www.google.com/schemas/sitemap/0.84")
            .in_entry(1)
            .gives(X)
            .gives("https://example.com/y"),
        document("a urlset in a feed, by its namespace", format!("<rss><channel>¦<s:urlset xmlns:s=\"NS\"/><item><link>{X}</link></item></channel></rss>"))
            .noted(SecondRoot, "s:urlset")
            .gives(X),
        document("an undeclared prefix of the root", format!("<?xml version=\"1.0\"?>\n <!-- é, and more than that, so that it is not so short -->¦<s:urlset><s:url><s:loc>{X}</s:loc></s:url></s:urlset>"))
            .noted(UndeclaredPrefix, "s")
            .gives(X),
        document("a urlset in a feed", format!("<rss><channel><item><link>{X}</link></item>¦<urlset xmlns=\"NS\"><url><loc>https://example.com/y</loc></url></urlset></channel></rss>"))
            .noted(SecondRoot, "urlset")
            .in_entry(1)
            .gives(X),
        document("one urlset inside another", format!("<urlset xmlns=\"NS\"><url><loc>{X}</loc></url>¦<urlset xmlns=\"NS\"><url><loc>https://example.com/y</loc></url></urlset><url><loc>https://example.com/z</loc></url></urlset>"))
            .noted(SecondRoot, ANY)
            .in_entry(1)
            .gives(X)
            .gives("https://example.com/y")
            .gives("https://example.com/z"),
    ]
}

fn the_file() -> Vec<Row> {
    use Rule::*;
    let small = format!("<urlset xmlns=\"NS\"><url><loc>{X}</loc></url></urlset>");
    vec![
        document("bytes after the gzip data", format!("{small}¦"))
            .encoded(|text| [gzip(text.as_bytes()), b"rubbish".to_vec()].concat())
            .noted(TrailingGzipData, ANY)
            .in_entry(1)
            .gives(X),
        document("zeros after the gzip data", format!("{small}¦"))
            .encoded(|text| [gzip(text.as_bytes()), vec![0; 512]].concat())
            .noted(TrailingGzipData, ANY)
            .in_entry(1)
            .gives(X),
        document(
            "UTF-16 declared in ASCII",
            format!("¦<?xml version=\"1.0\" encoding=\"UTF-16\"?>{small}"),
        )
        .noted(EncodingConflict, "UTF-16")
        .gives(X),
        document(
            "an encoding that nobody knows",
            format!("¦<?xml version=\"1.0\" encoding=\"klingon\"?>\n{small}"),
        )
        .noted(EncodingConflict, "klingon")
        .gives(X),
        document(
            "an encoding against the mark",
            format!(
                "\u{FEFF}¦<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{}",
                small.replace('?', "ü")
            ),
        )
        .noted(EncodingConflict, "ISO-8859-1")
        .gives(X),
    ]
}

fn bounds() -> Vec<Row> {
    use Rule::*;
    let nested = |depth: usize, mark: &str| {
        let open = "<x:y>".repeat(depth - 1);
        format!("{open}{mark}<x:y>{}", "</x:y>".repeat(depth))
    };
    let mut small = piece(
        "an entry over the bound",
        format!("¦<url><loc>{X}</loc><x:y>{}</x:y></url>", "a".repeat(5000)),
    )
    .skipped(EntryTooLarge, ANY);
    small.builder = small.builder.max_entry_bytes(4096);
    vec![
        small,
        piece(
            "16,385 elements",
            format!("¦<url><loc>{X}</loc>{}</url>", "<x:y/>".repeat(16_385)),
        )
        .skipped(EntryTooLarge, ANY),
        video(
            "65,537 words in a list",
            &format!(
                "<video:platform relationship=\"deny\">¦{}</video:platform>",
                "tv ".repeat(65_537)
            ),
        )
        .dropped(EntryTooLarge, ANY),
        beside("65 levels", &nested(65, "¦")).skipped(TooDeep, ANY),
    ]
}

/// An extension's element in an entry whose loc is `https://example.com/x`; its prefix is declared.
fn extended(name: &'static str, inside: &str) -> Row {
    const NAMESPACES: &str = "xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
        xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
        xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" \
        xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"";
    piece(
        name,
        format!("<url {NAMESPACES}><loc>https://example.com/x</loc>{inside}</url>"),
    )
    .gives(X)
}

/// A video that is complete, and what else it holds.
fn video(name: &'static str, inside: &str) -> Row {
    extended(
        name,
        &format!(
            "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc>\
             <video:title>A</video:title><video:description>B</video:description>\
             <video:content_loc>https://example.com/v.mp4</video:content_loc>{inside}</video:video>"
        ),
    )
}

/// News that are complete, and what else they hold.
fn news(name: &'static str, inside: &str) -> Row {
    extended(
        name,
        &format!(
            "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>\
             </news:publication><news:publication_date>2024-01-02</news:publication_date>\
             <news:title>T</news:title>{inside}</news:news>"
        ),
    )
}

fn extensions() -> Vec<Row> {
    use Rule::*;
    let images = "<image:image><image:loc>https://example.com/i.png</image:loc></image:image>";
    let tags = "<video:tag>t</video:tag>";
    vec![
        extended("an image without a loc", "¦<image:image><image:title>A</image:title></image:image>")
            .dropped(MissingElement, "image:loc"),
        extended("an image with an empty loc", "<image:image>¦<image:loc> </image:loc></image:image>")
            .dropped(MissingElement, "image:loc"),
        extended("an image with a bad loc", "<image:image><image:loc>¦i.png</image:loc></image:image>")
            .dropped(InvalidUrl, "i.png"),
        extended("an image of another scheme", "<image:image><image:loc>¦ftp://example.com/i</image:loc></image:image>")
            .dropped(UnsupportedScheme, "ftp://example.com/i"),
        extended("text in an image", "<image:image>¦hello<image:loc>https://example.com/i.png</image:loc></image:image>")
            .noted(StrayText, "hello"),
        extended("an image's licence", "<image:image><image:loc>https://example.com/i.png</image:loc><image:license>¦free</image:license></image:image>")
            .dropped(InvalidUrl, "free"),
        extended("two captions", "<image:image><image:loc>https://example.com/i.png</image:loc><image:caption>a</image:caption>¦<image:caption>b</image:caption></image:image>")
            .dropped(DuplicateElement, "image:caption"),
        extended("an unprefixed loc in an image", "¦<image:image>¦<loc>https://example.com/i.png</loc></image:image>")
            .dropped(MissingElement, "image:loc")
            .dropped(UnknownElement, "loc"),
        extended("1,001 images", &format!("{}¦{images}", images.repeat(1000))).noted(TooManyImages, ANY),
        extended("an alternate without hreflang", "¦<xhtml:link rel=\"alternate\" href=\"https://example.com/de\"/>")
            .dropped(MissingAttribute, "hreflang"),
        extended("an alternate without href", "¦<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\" \"/>")
            .dropped(MissingAttribute, "href"),
        extended("an alternate with a bad href", "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"¦de.html\"/>")
            .dropped(InvalidUrl, "de.html"),
        extended("an alternate with a space", "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"¦https://example.com/a b\"/>")
            .noted(UrlNotEscaped, "https://example.com/a b"),
        extended("an image with brackets", "<image:image><image:loc>¦https://example.com/i[1].png</image:loc></image:image>")
            .noted(UrlNotEscaped, "https://example.com/i[1].png"),
        extended("a language that is none", "<xhtml:link rel=\"alternate\" hreflang=\"¦de_CH\" href=\"https://example.com/de\"/>")
            .noted(InvalidLanguage, "de_CH"),
        extended("a video without a description", "¦<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>A</video:title><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>")
            .noted(MissingElement, "video:description"),
        extended("a video whose description is empty", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>A</video:title>¦<video:description></video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>")
            .noted(MissingElement, "video:description"),
        extended("a video whose player is empty", "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>A</video:title><video:description>B</video:description>¦<video:player_loc/></video:video>")
            .noted(MissingElement, "video:player_loc"),
        extended("a video whose title is opened instead of closed", "<video:video><video:title>A¦<video:title></video:title></video:title><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:description>B</video:description><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>")
            .dropped(UnknownElement, "video:title"),
        extended("a video that is nowhere", "¦<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>A</video:title><video:description>B</video:description></video:video>")
            .noted(MissingElement, "video:content_loc or video:player_loc"),
        video("a duration that is none", "<video:duration>¦1:30</video:duration>").dropped(InvalidNumber, "1:30"),
        video("a duration beyond eight hours", "<video:duration>¦28801</video:duration>").dropped(InvalidNumber, "28801"),
        video("a rating of six", "<video:rating>¦6.0</video:rating>").dropped(InvalidNumber, "6.0"),
        video("views that are none", "<video:view_count>¦many</video:view_count>").dropped(InvalidNumber, "many"),
        video("a date that is none", "<video:publication_date>¦soon</video:publication_date>").dropped(InvalidDatetime, "soon"),
        video("neither yes nor no", "<video:live>¦perhaps</video:live>").dropped(InvalidKeyword, "perhaps"),
        video("a country that is none", "<video:restriction relationship=\"allow\">DE ¦germany</video:restriction>")
            .dropped(InvalidCountry, "germany"),
        video("a restriction of no kind", "¦<video:restriction>DE</video:restriction>").noted(MissingAttribute, "relationship"),
        video("an unknown platform", "<video:platform relationship=\"deny\">web ¦fridge</video:platform>").noted(InvalidKeyword, "fridge"),
        video("a currency that is none", "<video:price currency=\"¦euro\">1.99</video:price>").dropped(InvalidKeyword, "euro"),
        video("a price without a currency", "¦<video:price>1.99</video:price>").noted(MissingAttribute, "currency"),
        video("a price without an amount", "¦<video:price currency=\"EUR\"/>").noted(MissingAttribute, "type"),
        video("a price that is none", "<video:price currency=\"EUR\">¦cheap</video:price>").dropped(InvalidNumber, "cheap"),
        video("an unknown part", "¦<video:smell>rose</video:smell>").dropped(UnknownElement, "video:smell"),
        video("a second thumbnail", "¦<video:thumbnail_loc>https://example.com/u.png</video:thumbnail_loc>")
            .dropped(DuplicateElement, "video:thumbnail_loc"),
        video("33 tags", &format!("{}¦{tags}", tags.repeat(32))).noted(TooManyTags, ANY),
        extended(
            "a title of 101 characters",
            &format!(
                "<video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>¦{}</video:title>\
                 <video:description>B</video:description><video:player_loc>https://example.com/p</video:player_loc></video:video>",
                "é".repeat(101)
            ),
        )
        .noted(TextTooLong, ANY),
        video("an uploader of 256 characters", &format!("<video:uploader>¦{}</video:uploader>", "世".repeat(256)))
            .noted(TextTooLong, ANY),
        video("a category of 257 characters", &format!("<video:category>¦{}</video:category>", "c".repeat(257)))
            .noted(TextTooLong, ANY),
        extended("news without a title", "¦<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-01-02</news:publication_date></news:news>")
            .noted(MissingElement, "news:title"),
        extended("an empty publication", "<news:news>¦<news:publication/><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title></news:news>")
            .noted(MissingElement, "news:publication"),
        extended("a publication without a language", "<news:news>¦<news:publication><news:name>N</news:name></news:publication><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title></news:news>")
            .noted(MissingElement, "news:language"),
        extended("a language with a country", "<news:news><news:publication><news:name>N</news:name><news:language>¦en-US</news:language></news:publication><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title></news:news>")
            .noted(InvalidLanguage, "en-US"),
        news("an unknown genre", "<news:genres>Blog, ¦Gossip</news:genres>").noted(InvalidKeyword, "Gossip"),
        news("an unknown access", "<news:access>¦Bribe</news:access>").noted(InvalidKeyword, "Bribe"),
        news("a ticker without its exchange", "<news:stock_tickers>NASDAQ:A, ¦B</news:stock_tickers>").noted(InvalidKeyword, "B"),
        extended(
            "six tickers",
            "¦<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title><news:stock_tickers>N:A,N:B,N:C,N:D,N:E,N:F</news:stock_tickers></news:news>",
        )
        .noted(TooManyTickers, ANY),
        extended(
            "six tickers, and second news",
            "¦<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title><news:stock_tickers>N:A,N:B,N:C,N:D,N:E,N:F</news:stock_tickers></news:news>¦<news:news/>",
        )
        .noted(TooManyTickers, ANY)
        .dropped(DuplicateElement, ANY),
        extended(
            "a publication that is empty, and two more",
            "<news:news><news:publication> </news:publication><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>¦<news:publication/><news:publication_date>2024-01-02</news:publication_date><news:title>T</news:title></news:news>",
        )
        .dropped(DuplicateElement, "news:publication"),
        news("second news in one entry", "</news:news>¦<news:news>").dropped(DuplicateElement, ANY),
        beside("an extension's namespace with https", "¦<i:image xmlns:i=\"https://www.google.com/schemas/sitemap-image/1.1/\"><i:loc>https://example.com/i.png</i:loc></i:image>")
            .noted(WrongNamespace, ANY)
            .gives(X),
        beside("an extension's namespace of another version", "¦<i:image xmlns:i=\"http://www.google.com/schemas/sitemap-image/1.0\"><i:loc>https://example.com/i.png</i:loc></i:image>")
            .noted(WrongNamespace, "http://www.google.com/schemas/sitemap-image/1.0")
            .gives(X),
        beside("an extension's namespace without a scheme", "¦<i:image xmlns:i=\"//www.google.com/schemas/sitemap-image/1.1\"><i:loc>https://example.com/i.png</i:loc></i:image>")
            .noted(WrongNamespace, "//www.google.com/schemas/sitemap-image/1.1")
            .gives(X),
        extended("an alternate without a language", "¦<xhtml:link rel=\"alternate\" href=\"https://example.com/de\"/>")
            .dropped(MissingAttribute, "hreflang"),
        extended("an alternate without a rel", "¦<xhtml:link media=\"print\" hreflang=\"de\" href=\"https://example.com/de\"/>")
            .dropped(MissingAttribute, "rel"),
        extended("a link without anything", "¦<xhtml:link/>").dropped(MissingAttribute, "rel, hreflang, href"),
        extended("a link with a language alone", "¦<xhtml:link hreflang=\"de\" href=\" \"/>").dropped(MissingAttribute, "rel, href"),
        news("two lists of keywords", "<news:keywords>a, b</news:keywords>¦<news:keywords>c</news:keywords>")
            .dropped(DuplicateElement, "news:keywords"),
        news("two lists of genres", "<news:genres>Blog</news:genres>¦<news:genres>Blog</news:genres>")
            .dropped(DuplicateElement, "news:genres"),
        news("two lists of tickers", "<news:stock_tickers>A:B</news:stock_tickers>¦<news:stock_tickers>C:D</news:stock_tickers>")
            .dropped(DuplicateElement, "news:stock_tickers"),
        video("a video of a month", "<video:publication_date>¦2024-05</video:publication_date>")
            .noted(NonStandardDatetime, "2024-05"),
        video("a video until a year", "<video:expiration_date>¦2024</video:expiration_date>")
            .noted(NonStandardDatetime, "2024"),
        video("a video of a minute", "<video:publication_date>¦2024-05-06T07:08Z</video:publication_date>")
            .noted(NonStandardDatetime, "2024-05-06T07:08Z"),
        video("a video of a month that is not written as a date", "<video:publication_date>¦2024/05</video:publication_date>")
            .noted(NonStandardDatetime, "2024/05"),
        extended(
            "news of a month",
            "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>¦2024-05</news:publication_date><news:title>T</news:title></news:news>",
        )
        .noted(NonStandardDatetime, "2024-05"),
        video("a player that is dropped, with its attributes", "<video:player_loc allow_embed=\"maybe\">¦x</video:player_loc>")
            .dropped(InvalidUrl, "x"),
        video("two series", "<video:tvshow><video:show_title>T</video:show_title></video:tvshow>¦<video:tvshow/>").dropped(DuplicateElement, "video:tvshow"),
        extended("an alternate with a language, for an app", "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"¦ios-app://1/example\"/>")
            .dropped(UnsupportedScheme, "ios-app://1/example"),
        beside("the namespace of XHTML that a template spread", "¦<l:link xmlns:l=\"http://www.w3.org/TR/xhtml11/xhtml11_schema.html\" rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>")
            .noted(WrongNamespace, "http://www.w3.org/TR/xhtml11/xhtml11_schema.html")
            .gives(X),
        beside("two misspelt namespaces", "¦<i:image xmlns:i=\"//www.google.com/schemas/sitemap-image/1.1\"><i:loc>https://example.com/i.png</i:loc></i:image>\
             ¦<l:link xmlns:l=\"https://www.w3.org/1999/xhtml\" rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>")
            .noted(WrongNamespace, "//www.google.com/schemas/sitemap-image/1.1")
            .noted(WrongNamespace, "https://www.w3.org/1999/xhtml")
            .gives(X),
        beside("an undeclared extension", "¦<image:image><image:loc>https://example.com/i.png</image:loc></image:image>")
            .noted(UndeclaredPrefix, "image")
            .gives(X),
    ]
}

fn sound() -> Vec<Row> {
    let long = format!("https://example.com/{}", "a".repeat(2_027));
    let nested = format!("{}{}", "<x:y>".repeat(64), "</x:y>".repeat(64));
    let small = format!("<urlset xmlns=\"NS\"><url><loc>{X}</loc></url></urlset>");
    vec![
        loc("2,047 characters", &long).gives(&long),
        loc("2,047 characters, escaped and indented", &format!("\n  {}&amp;\n", &long[..2_046]))
            .gives(&format!("{}&", &long[..2_046])),
        loc("decoded once", "https://example.com/&amp;amp;").gives("https://example.com/&amp;"),
        loc("text, CDATA, comment and reference joined", "\u{A0}https://<![CDATA[example.com/?a&]]><!-- no -->b&#x3D;c&#100;\u{3000}")
            .gives("https://example.com/?a&b=cd"),
        loc("inside its location", "https://example.com:443/x?y#z")
            .found_at("https://example.com/sitemap.xml")
            .gives("https://example.com/x?y#z"),
        beside("foreign elements of the base names", "<x:loc>https://example.com/no</x:loc><x:lastmod>x</x:lastmod><x:url><x:loc/></x:url>")
            .gives(X),
        beside("64 levels", &nested).gives(X),
        beside("entry tags in a comment and in CDATA", "<!-- </url><url> --><x:y><![CDATA[</url><url><loc>]]></x:y>")
            .gives(X),
        between("comments and instructions between entries", "<!-- <url> --><?php <url> ?>\n"),
        extended(
            "alternates that are no pages in other languages",
            "<xhtml:link rel=\"alternate\" media=\"only screen\" href=\"https://m.example.com/\"/>\
             <xhtml:link rel=\"alternate\" href=\"android-app://com.example/http/example.com/\"/>\
             <xhtml:link rel=\"Alternate\" hreflang=\"\" href=\"ios-app://1/example\"/>\
             <l:link xmlns:l=\"https://www.w3.org/1999/xhtml\" rel=\"alternate\" media=\"print\" href=\"\"/>",
        ),
        extended("links that are no alternates", "<xhtml:link rel=\"amphtml\" href=\"a\"/><xhtml:link rel=\"canonical\" href=\"b\"/>"),
        extended(
            "news of a minute",
            "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>\
             <news:publication_date>2024-05-06T07:08Z</news:publication_date><news:title>T</news:title></news:news>",
        ),
        news("a list of keywords after an empty one", "<news:keywords> , </news:keywords><news:keywords>c</news:keywords><news:keywords/>"),
        video(
            "dates of a video",
            "<video:expiration_date>2024-05-06</video:expiration_date>\
             <video:publication_date>2024-05-06T07:08:09.5Z</video:publication_date>",
        ),
        video("YES", "<video:family_friendly>YES</video:family_friendly>"),
        document("an element of a feed that is named as a sitemap's root", format!("<rss><channel><x:urlset xmlns:x=\"urn:x\"/><item><link>{X}</link></item></channel></rss>"))
            .gives(X),
        document("no entry at all", "<urlset xmlns=\"NS\"/>"),
        document("no sitemap at all", "<sitemapindex xmlns=\"NS\"></sitemapindex>"),
        document("comments after the root", format!("{small}\n<!-- done --> <?x?>\n")).gives(X),
        document("a mark before the declaration", format!("\u{FEFF}<?xml version='1.0' encoding='utf-8' standalone=\"yes\"?>\n<?xml-stylesheet href='a'?>{small}"))
            .gives(X),
        document("lines", "\u{FEFF}https://example.com/x\r\n\r\n  https://example.com/y#z \rhttps://example.com/z")
            .gives(X)
            .gives("https://example.com/y#z")
            .gives("https://example.com/z"),
        // Files that were concatenated.
        document("lines with marks in the middle", "\u{FEFF}\u{FEFF} https://example.com/x\n\u{FEFF} \u{FEFF}\n \u{FEFF}\t\u{FEFF}https://example.com/y\r\n")
            .gives(X)
            .gives("https://example.com/y"),
        document("gzipped, zipped twice", small)
            .encoded(|text| gzip(&gzip(text.as_bytes())))
            .gives(X),
    ]
}

fn feeds() -> Vec<Row> {
    use Rule::*;
    let dated = "https://example.com/x lastmod=2024-03-04T05:06:07Z";
    vec![
        in_rss("item without link", "¦<item><title>t</title></item>").skipped(MissingLoc, "item"),
        in_rss("item with an empty link", "<item><title>t</title>¦<link> </link></item>").skipped(MissingLoc, "link"),
        in_rss(
            "guid that is no permalink",
            "¦<item><guid isPermaLink=\"false\">https://example.com/x</guid></item>",
        )
        .skipped(MissingLoc, "item"),
        in_rss("guid that is no URL", "¦<item><guid>12345</guid></item>").skipped(MissingLoc, "item"),
        in_rss("link of another scheme", "<item><link>¦ftp://example.com/x</link></item>")
            .skipped(UnsupportedScheme, "ftp://example.com/x"),
        in_rss("relative link", "<item><link>¦/x</link></item>").skipped(InvalidUrl, "/x"),
        in_rss("relative link, base known", "<item><link>¦/x</link></item>")
            .found_at("https://example.com/feed.xml")
            .noted(RelativeUrl, "/x")
            .gives(X),
        in_rss(
            "ampersand in a link",
            "<item><link>https://example.com/?a=1¦&b=2</link></item>",
        )
        .noted(BareAmpersand, "&b=2")
        .gives("https://example.com/?a=1&b=2"),
        in_rss(
            "pubDate without a zone",
            "<item><link>https://example.com/x</link><pubDate>¦Mon, 04 Mar 2024 05:06:07</pubDate></item>",
        )
        .noted(NonStandardDatetime, "Mon, 04 Mar 2024 05:06:07")
        .gives(dated),
        in_rss(
            "pubDate that is none",
            "<item><link>https://example.com/x</link><pubDate>¦yesterday</pubDate></item>",
        )
        .dropped(InvalidDatetime, "yesterday")
        .gives(X),
        in_rss(
            "pubDate that is none, and then dates",
            "<item><link>https://example.com/x</link><dc:date>2024-03-04T05:06:07Z</dc:date><pubDate>¦yesterday</pubDate>\
             <dc:date>2023</dc:date></item>",
        )
        .dropped(InvalidDatetime, "yesterday")
        .gives(dated),
        in_rss(
            "two dates that are none",
            "<item><link>https://example.com/x</link><pubDate>¦yesterday</pubDate><dc:date>¦today</dc:date></item>",
        )
        .dropped(InvalidDatetime, "yesterday")
        .dropped(InvalidDatetime, "today")
        .gives(X),
        in_atom(
            "updated that is none, and then a date",
            "<entry><link href=\"https://example.com/x\"/><published>2024-03-04T05:06:07Z</published><updated>¦never</updated></entry>",
        )
        .dropped(InvalidDatetime, "never")
        .gives(dated),
        in_rss(
            "broken item",
            "<item><link>https://example.com/x</link>¦<1><title>t</title></item>",
        )
        .skipped(MalformedMarkup, "<1>"),
        in_rss(
            "item with a sign before a tag",
            "<item><link>https://example.com/x</link>¦<<title>t</title></item>",
        )
        .noted(StrayText, "<")
        .gives(X),
        in_rss(
            "pubDate with a weekday of another language",
            "<item><link>https://example.com/x</link><pubDate>¦Lun, 04 Mar 2024 05:06:07 GMT</pubDate></item>",
        )
        .noted(NonStandardDatetime, "Lun, 04 Mar 2024 05:06:07 GMT")
        .gives(dated),
        in_rss(
            "dc:date as RSS writes dates",
            "<item><link>https://example.com/x</link><dc:date>¦Mon, 04 Mar 2024 05:06:07 GMT</dc:date></item>",
        )
        .noted(NonStandardDatetime, "Mon, 04 Mar 2024 05:06:07 GMT")
        .gives(dated),
        in_rss(
            "dc:date that is none",
            "<item><link>https://example.com/x</link><dc:date>¦the day before yesterday</dc:date></item>",
        )
        .dropped(InvalidDatetime, "the day before yesterday")
        .gives(X),
        in_rss(
            "xml:base of an item",
            "<item xml:base=\"https://example.com/a/\"><link>¦../x</link></item>",
        )
        .noted(RelativeUrl, "../x")
        .gives(X),
        document(
            "xml:base of a channel, and of elements that have ended",
            "<rss xml:base=\"https://example.org/b/\"><x xml:base=\"https://example.net/\"><y xml:base=\"z\"/></x>\
             <channel xml:base=\"//example.com/\"><item xml:base=\"a/\"><link>¦b</link></item><item><link>¦x</link></item></channel>\
             <item><link>¦c#d</link></item></rss>",
        )
        .noted(RelativeUrl, "b")
        .in_entry(1)
        .noted(RelativeUrl, "x")
        .in_entry(2)
        .noted(RelativeUrl, "c#d")
        .in_entry(3)
        .gives("https://example.com/a/b")
        .gives(X)
        .gives("https://example.org/b/c#d")
        .strictly(&[]),
        in_atom(
            "xml:base with a host without a scheme",
            "<entry xml:base=\"https://example.com/a/\"><link href=\"¦www.example.com\"/></entry>",
        )
        .skipped(InvalidUrl, "www.example.com"),
        in_atom(
            "xml:base that can't be used",
            "<entry xml:base=\"mailto:a@example.com\"><link href=\"¦x\"/></entry>",
        )
        .skipped(InvalidUrl, "x"),
        in_atom("entry without link", "¦<entry><title>t</title></entry>").skipped(MissingLoc, "entry"),
        in_atom(
            "entry with a link to something else",
            "¦<entry><link rel=\"edit\" href=\"https://example.com/x\"/></entry>",
        )
        .skipped(MissingLoc, "entry"),
        in_atom(
            "link of another scheme in Atom",
            "<entry><link href=\"¦mailto:a@example.com\"/></entry>",
        )
        .skipped(UnsupportedScheme, "mailto:a@example.com"),
        in_atom(
            "updated that is no date",
            "<entry><link href=\"https://example.com/x\"/><updated>¦yesterday</updated></entry>",
        )
        .dropped(InvalidDatetime, "yesterday")
        .gives(X),
        in_atom(
            "updated with a space",
            "<entry><link href=\"https://example.com/x\"/><updated>¦2024-03-04 05:06:07</updated></entry>",
        )
        .noted(NonStandardDatetime, "2024-03-04 05:06:07")
        .gives(dated),
    ]
}

fn sound_feeds() -> Vec<Row> {
    let dated = "https://example.com/x lastmod=2024-03-04T05:06:07Z";
    let rss = |name, inside: &str| in_rss(name, &format!("<item>{inside}</item>"));
    let atom = |name, inside: &str| in_atom(name, &format!("<entry>{inside}</entry>"));
    vec![
        rss("guid", "<guid>https://example.com/x</guid>").gives(X),
        rss(
            "link before guid",
            "<guid>https://example.com/y</guid><link>https://example.com/x</link>",
        )
        .gives(X),
        rss(
            "pubDate",
            "<link>https://example.com/x</link><pubDate>Mon, 04 Mar 2024 05:06:07 GMT</pubDate>",
        )
        .gives(dated),
        rss(
            "pubDate with two digits of the year, no weekday and a named zone",
            "<link>https://example.com/x</link><pubDate>4 Mar 24 00:06:07 EST</pubDate>",
        )
        .gives("https://example.com/x lastmod=2024-03-04T00:06:07-05:00"),
        rss(
            "dc:date",
            "<link>https://example.com/x</link><dc:date>2024-03-04T05:06:07Z</dc:date>",
        )
        .gives(dated),
        rss(
            "what else items hold",
            "<link>https://example.com/x</link><category/><x:y><link>https://example.com/y</link></x:y>",
        )
        .gives(X),
        atom(
            "alternate link",
            "<link rel=\"self\" href=\"https://example.com/y\"/><link rel=\"alternate\" href=\"https://example.com/x\"/>",
        )
        .gives(X),
        atom(
            "nothing but a link to itself",
            "<link rel=\"self\" href=\"https://example.com/x\"/>",
        )
        .gives(X),
        atom(
            "updated before published",
            "<link href=\"https://example.com/x\"/><published>2020</published><updated>2024-03-04T05:06:07Z</updated>",
        )
        .gives(dated),
        atom(
            "published",
            "<link href=\"https://example.com/x\"/><published>2024-03-04T05:06:07Z</published>",
        )
        .gives(dated),
        in_atom(
            "xml:base of an entry and of its link",
            "<entry xml:base=\"https://example.com/a/\"><link xml:base=\"b/c\" href=\"x\"/></entry>",
        )
        .gives("https://example.com/a/b/x"),
        in_atom(
            "xml:base before the URL of the feed",
            "<entry xml:base=\"/b/\"><link href=\"x?y\"/></entry>",
        )
        .found_at("https://example.com/feed.xml")
        .gives("https://example.com/b/x?y"),
        document(
            "xml:base of a feed",
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://example.com/a/\">\
             <entry><link href=\"../x\"/></entry></feed>",
        )
        .gives(X),
    ]
}
