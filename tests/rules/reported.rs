//! Kinds of mistakes that users of sitemaps have reported: several spellings of each, and the valid neighbours.

use crate::common::{
    NS, Outcome, cases, index, read_slice, reader_of, rows, same_however_cut, url, urlset,
};
use quick_sitemap::{Entry, ReaderBuilder, Rule, UrlEntry, UrlsetWriter, W3cDatetime};

const X: &str = "https://example.com/x";

/// Reads a document in every division.
fn outcome(text: &str) -> Outcome {
    same_however_cut(text.as_bytes());
    read_slice(text)
}

/// The pages of a document, and the rules that it breaks with what was found.
fn told(text: &str) -> (Vec<String>, Vec<(Rule, String)>) {
    let outcome = outcome(text);
    let issues = outcome.issues();
    let found = issues
        .iter()
        .map(|issue| (issue.rule(), issue.violation.found().to_owned()));
    let locs = outcome.locs().into_iter().map(str::to_owned).collect();
    (locs, found.collect())
}

fn rules(text: &str) -> Vec<Rule> {
    told(text).1.into_iter().map(|(rule, _)| rule).collect()
}

fn messages(text: &str) -> Vec<String> {
    let outcome = outcome(text);
    let issues = outcome.issues();
    issues
        .iter()
        .map(|issue| issue.violation.to_string())
        .collect()
}

fn beside_loc(inside: &str) -> String {
    urlset(&format!("<url><loc>{X}</loc>{inside}</url>"))
}

#[test]
fn a_root_inside_another_element() {
    let urlset = format!("<urlset xmlns=\"{NS}\">{}</urlset>", url(X));
    for (before, after, outermost) in [
        ("<html><body>", "</body></html>", "html"),
        (
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><style>p {}</style></head><body><div class=header><span>This \
             XML file</span></div>",
            "<hr/>words</body></html>\n",
            "html",
        ),
        ("<root>", "</root>", "root"),
        ("<root>\n<?xml version=\"1.0\"?>\n", "\n</root>", "root"),
        (
            "<response><status>ok</status>text &amp; <b/>",
            "<took>5</took>ms</response>",
            "response",
        ),
        (
            "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>",
            "</soap:Body></soap:Envelope>",
            "soap:Envelope",
        ),
        ("<document><pre>\n", "\n", "document"),
        ("<a><b><c><d>", "</d></c></b></a>", "a"),
        ("<Document>", "</DOCUMENT>", "Document"),
    ] {
        let text = format!("{before}{urlset}{after}");
        let expected = (
            vec![X.to_owned()],
            vec![(Rule::WrappedRoot, outermost.to_owned())],
        );
        assert_eq!(told(&text), expected, "{text}");
        let text = format!("<?xml version=\"1.0\"?>\n<!-- a -->\n{text}");
        let outcome = outcome(&text);
        let [issue] = outcome.issues()[..] else {
            panic!("{text}: {:?}", outcome.issues());
        };
        // The wrapper is where it begins, behind what may be there.
        assert_eq!(
            issue.span().start as usize,
            text.find(&format!("<{outermost}")).unwrap()
        );
        let text = format!(
            "{before}{}{after}",
            index(&format!("<sitemap><loc>{X}</loc></sitemap>"))
                .replace("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "")
        );
        assert_eq!(rules(&text), [Rule::WrappedRoot], "{text}");
    }
    let both = format!("<root>{urlset}{urlset}</root>");
    assert_eq!(rules(&both), [Rule::WrappedRoot, Rule::SecondRoot]);
    let inner = urlset.replace("<url>", &format!("{urlset}<url>"));
    let inside = format!("<root>{inner}</root>");
    assert_eq!(rules(&inside), [Rule::WrappedRoot, Rule::SecondRoot]);
    let behind = format!("<root>{urlset}</root>words");
    assert_eq!(rules(&behind), [Rule::WrappedRoot, Rule::ContentAfterRoot]);
    let before = format!("words<root>{urlset}</root>");
    assert_eq!(rules(&before), [Rule::StrayText, Rule::WrappedRoot]);
    let broken = format!("<root>{}</root>", urlset.replace("</loc>", "</loc><foo/>"));
    assert_eq!(rules(&broken), [Rule::WrappedRoot, Rule::UnknownElement]);
}

#[test]
fn a_root_that_is_not_inside_another_element() {
    let urlset = format!("<urlset xmlns=\"{NS}\">{}</urlset>", url(X));
    for (text, expected) in [
        (urlset.clone(), vec![]),
        (
            format!("<b>Warning</b>{urlset}"),
            vec![Rule::UnknownElement, Rule::StrayText],
        ),
        (format!("<br>{urlset}"), vec![Rule::UnknownElement]),
        (
            urlset.replace("<url>", &format!("{urlset}<url>")),
            vec![Rule::SecondRoot],
        ),
        (
            format!("{urlset}<html></html>"),
            vec![Rule::ContentAfterRoot],
        ),
        (
            format!("{urlset}<root>{urlset}</root>"),
            vec![Rule::ContentAfterRoot, Rule::SecondRoot],
        ),
    ] {
        assert_eq!(rules(&text), expected, "{text}");
    }
    // What only stands in a CDATA section, in a comment or in a program is no root.
    for (before, after) in [
        ("<root><![CDATA[", "]]></root>"),
        ("<root><!--", "--></root>"),
        ("<html><script>", "</script></html>"),
    ] {
        let outcome = outcome(&format!("{before}{urlset}{after}"));
        assert_eq!(outcome.fatal(), "UnknownRoot", "{before}");
        assert!(!outcome.rules().contains(&Rule::WrappedRoot), "{before}");
    }
}

#[test]
fn namespaces_from_before_the_protocol() {
    let text = |uri: &str| format!("<urlset xmlns=\"{uri}\">{}</urlset>", url(X).repeat(2));
    for version in ["0.84", "0.9", "0.85", "0.83", "1.0"] {
        let uri = format!("http://www.google.com/schemas/sitemap/{version}");
        let expected = (
            vec![X.to_owned(); 2],
            vec![(Rule::HistoricNamespace, uri.clone())],
        );
        assert_eq!(told(&text(&uri)), expected);
        let index = text(&uri)
            .replace("urlset", "sitemapindex")
            .replace("url>", "sitemap>");
        assert_eq!(rules(&index), [Rule::HistoricNamespace], "{uri}");
    }
    for uri in [
        "https://www.google.com/schemas/sitemap/0.84",
        "http://www.google.com/schemas/sitemap",
        "http://www.google.com/schemas/sitemap/",
        "http://www.sitemaps.org/schemas/sitemap/0.84",
        "https://www.sitemaps.org/schemas/sitemap/0.9",
        "http://www.google.com/schemas/sitemap-image/1.1",
        "sitemap",
    ] {
        assert_eq!(rules(&text(uri)), [Rule::WrongNamespace], "{uri}");
    }
    assert_eq!(rules(&text(NS)), []);
}

#[test]
fn a_conventional_prefix_that_is_bound_to_an_unknown_namespace() {
    let image = "<image:image><image:loc>https://example.com/a.png</image:loc></image:image>";
    let link = "<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de\"/>";
    let of = |prefix: &str, uri: &str, inside: &str| {
        format!(
            "<urlset xmlns=\"{NS}\" xmlns:{prefix}=\"{uri}\">{}</urlset>",
            format!("<url><loc>{X}</loc>{inside}</url>").repeat(2)
        )
    };
    for (prefix, uri, inside) in [
        ("xhtml", "xhtml", link),
        ("xhtml", "http://www.w3.org/TR/xhtml1", link),
        ("xhtml", "http://www.w3.org/1999/html", link),
        ("image", "image", image),
        (
            "image",
            "http://www.sitemaps.org/schemas/sitemap-image/1.1",
            image,
        ),
        ("video", "urn:video", "<video:video/>"),
        (
            "news",
            "http://www.google.com/schemas/news/0.9",
            "<news:news/>",
        ),
    ] {
        let text = of(prefix, uri, inside);
        let expected = vec![(Rule::WrongNamespace, uri.to_owned())];
        assert_eq!(told(&text).1, expected, "{text}");
        let Some(Ok(Entry::Url(page))) = reader_of(&text).next() else {
            panic!("{text}");
        };
        assert_eq!((page.extensions().count(), page.foreign.len()), (0, 1));
    }
    assert_eq!(
        messages(&of("image", "image", image)),
        [
            "prefix `image` is bound to `image` instead of `http://www.google.com/schemas/sitemap-image/1.1`; its elements \
             are not read"
        ]
    );
    // Forms that are accepted, and elements that are not meant.
    let believed = of(
        "xhtml",
        "http://www.w3.org/TR/xhtml11/xhtml11_schema.html",
        link,
    );
    let Some(Ok(Entry::Url(page))) = reader_of(&believed).next() else {
        panic!("{believed}");
    };
    assert_eq!(page.alternates.len(), 1);
    assert_eq!(rules(&believed), [Rule::WrongNamespace]);
    for text in [
        of("xhtml", "http://www.w3.org/1999/xhtml", link),
        of(
            "image",
            "http://www.google.com/schemas/sitemap-image/1.1",
            image,
        ),
        of("image", "urn:image", "<image:size>5</image:size>"),
        of("x", "urn:image", "<x:image/>"),
        of("mobile", "urn:mobile", "<mobile:mobile/>"),
        format!(
            "<rss xmlns:image=\"http://purl.org/rss/1.0/modules/image/\"><channel><item><link>{X}</link><image:image/>\
             </item></channel></rss>"
        ),
    ] {
        assert_eq!(rules(&text), [], "{text}");
    }
}

#[test]
fn two_urls_in_one() {
    for loc in [
        "https://www.example.comhttps://www.example.com/a",
        "http://example.comhttp://example.com/",
        "https://example.com://a",
        "https://example.comhttps://",
        "http://https://example.com/2",
        "https://http://example.com/2",
        "https://https/example.com",
        "http://HTTPS://example.com/",
        "https:https://example.com",
        "http:/example.com",
        "http:///example.com",
        "http://\\example.com/",
        "http:example.com/",
    ] {
        let text = urlset(&url(loc));
        let expected = (vec![], vec![(Rule::InvalidUrl, loc.to_owned())]);
        assert_eq!(told(&text), expected, "{loc}");
        assert_eq!(
            UrlEntry::try_from(loc).unwrap_err().rule(),
            Rule::InvalidUrl
        );
        let image = format!(
            "<image:image xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"><image:loc>{loc}</image:loc>\
             </image:image>"
        );
        assert!(rules(&beside_loc(&image)).contains(&Rule::InvalidUrl));
        let line = format!("{X}\n{loc}\n");
        assert_eq!(told(&line).1, [(Rule::InvalidUrl, loc.to_owned())]);
    }
    // With a base, too.
    let base: quick_sitemap::url::Url = "https://example.com/".parse().unwrap();
    for (loc, rule) in [
        ("///example.com/a", Rule::InvalidUrl),
        ("//\\example.com/a", Rule::InvalidUrl),
        ("/\\example.com/a", Rule::InvalidUrl),
        ("\\\\example.com/a", Rule::InvalidUrl),
        ("//https://example.com/a", Rule::InvalidUrl),
        ("//example.com/a", Rule::RelativeUrl),
        ("/a//b", Rule::RelativeUrl),
    ] {
        let text = urlset(&url(loc));
        let mut reader = ReaderBuilder::new()
            .base_url(base.clone())
            .from_bytes(&text);
        let _ = reader.next();
        let rules: Vec<_> = reader.issues().iter().map(|issue| issue.rule()).collect();
        assert_eq!(rules, [rule], "{loc}");
    }
    // A writer does not write what a reader would not read.
    let host = quick_sitemap::url::Url::parse("http://https://example.com/2").unwrap();
    let mut writer = UrlsetWriter::new(Vec::new());
    let error = writer.write(&UrlEntry::new(host)).unwrap_err();
    assert_eq!(error.violation().unwrap().rule(), Rule::InvalidUrl);
    for loc in [
        "https://web.archive.org/web/2020/https://example.com/",
        "https://example.com/login?next=https://example.com/a",
        "https://example.com:8080//a",
        "https://https.example.com/",
        "https://httpbin.org/get",
        "http://http.example/http://a",
        "https://user:@example.com//a",
        "https://example.com/#http://a",
    ] {
        let loc = loc.replace("user:@", "");
        assert_eq!(rules(&urlset(&url(&loc))), [], "{loc}");
        let mut writer = UrlsetWriter::new(Vec::new());
        writer.write(&UrlEntry::try_from(&*loc).unwrap()).unwrap();
    }
}

#[test]
fn offsets_that_the_schema_does_not_have() {
    let in_rss = |date: &str| {
        format!(
            "<rss><channel><item><link>{X}</link><pubDate>{date}</pubDate></item></channel></rss>"
        )
    };
    for offset in ["+14:01", "-14:01", "+15:00", "-18:30", "+23:59", "+99:00"] {
        let date = format!("2024-03-04T07:08:09{offset}");
        for date in [
            date.clone(),
            date.replace(":09", ""),
            date.replace('T', " "),
        ] {
            let text = beside_loc(&format!("<lastmod>{date}</lastmod>"));
            assert_eq!(rules(&text), [Rule::InvalidDatetime], "{date}");
            assert!(date.parse::<W3cDatetime>().is_err(), "{date}");
            assert_eq!(W3cDatetime::parse_lenient(&date), None, "{date}");
        }
        let date = format!("Mon, 04 Mar 2024 05:06:07 {}", offset.replace(':', ""));
        assert_eq!(rules(&in_rss(&date)), [Rule::InvalidDatetime], "{date}");
    }
    for offset in ["+14:00", "-14:00", "+13:45", "-12:00", "Z"] {
        let date = format!("2024-03-04T07:08:09{offset}");
        assert_eq!(
            rules(&beside_loc(&format!("<lastmod>{date}</lastmod>"))),
            [],
            "{date}"
        );
        let page = UrlEntry::try_from(X).unwrap().try_lastmod(&date).unwrap();
        UrlsetWriter::new(Vec::new()).write(&page).unwrap();
    }
    assert_eq!(rules(&in_rss("Mon, 04 Mar 2024 05:06:07 +1400")), []);
}

#[test]
fn the_first_usable_element_stays() {
    let shown = |text: &str| (outcome(text).shown(), rules(text));
    let (first, second) = ("2024-01-01", "2024-02-02");
    let dated = |date: &str| vec![format!("{X} lastmod={date}")];
    use Rule::{DuplicateElement, EmptyElement, InvalidDatetime};
    let lastmods =
        |a: &str, b: &str| beside_loc(&format!("<lastmod>{a}</lastmod><lastmod>{b}</lastmod>"));
    let (both, bad) = (lastmods(first, second), lastmods("soon", second));
    assert_eq!(shown(&both), (dated(first), vec![DuplicateElement]));
    assert_eq!(shown(&bad), (dated(second), vec![InvalidDatetime]));
    let empty = lastmods("", second);
    assert_eq!(shown(&empty), (dated(second), vec![EmptyElement]));

    let video = |inside: &str| {
        let text = cases::document(&format!("video {inside}"));
        let page = read_slice(&text).entries()[1].as_url().unwrap().clone();
        let video = &page.videos[0];
        let date = video.publication_date.map(|date| date.to_string());
        (date, video.view_count, rules(&text))
    };
    let date = |date: &str| format!("<video:publication_date>{date}</video:publication_date>");
    let views = |number: &str| format!("<video:view_count>{number}</video:view_count>");
    let first_date = Some(first.to_owned());
    assert_eq!(
        video(&(date(first) + &date(second))),
        (first_date.clone(), None, vec![DuplicateElement])
    );
    assert_eq!(
        video(&(date("soon") + &date(first))),
        (first_date, None, vec![InvalidDatetime])
    );
    assert_eq!(
        video(&(views("many") + &views("5"))),
        (None, Some(5), vec![Rule::InvalidNumber])
    );

    let atom = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"{X}\"/><updated>soon</updated>\
         <published>{first}</published></entry></feed>"
    );
    assert_eq!(shown(&atom), (dated(first), vec![InvalidDatetime]));
    let rss = format!(
        "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><item><link>{X}</link><pubDate>soon</pubDate>\
         <pubDate>Mon, 04 Mar 2024 05:06:07 Z</pubDate><dc:date>{first}</dc:date></item></rss>"
    );
    let expected = (dated("2024-03-04T05:06:07Z"), vec![InvalidDatetime]);
    assert_eq!(shown(&rss), expected);
}

#[test]
fn links_that_xml_base_resolves() {
    let base = "xml:base=\"https://example.com/en/\"";
    let feed = |of_feed: &str, of_entry: &str, of_link: &str, href: &str| {
        format!(
            "<feed xmlns=\"http://www.w3.org/2005/Atom\" {of_feed}><entry {of_entry}><link {of_link} href=\"{href}\"/></entry>\
             </feed>"
        )
    };
    let (x, y) = ("xml:base=\"x/\"", "xml:base=\"/y/\"");
    for (text, loc) in [
        (feed(base, "", "", "/en/a"), "https://example.com/en/a"),
        (feed("", base, "", "a"), "https://example.com/en/a"),
        (feed("", "", base, "../a?b"), "https://example.com/a?b"),
        (feed(base, x, "", "./a"), "https://example.com/en/x/a"),
        (feed(base, x, y, "a"), "https://example.com/y/a"),
        (feed(base, "", "", "//a.example/b"), "https://a.example/b"),
        (feed(base, "", "", X), X),
    ] {
        assert_eq!(told(&text), (vec![loc.to_owned()], vec![]), "{text}");
    }
    let with_base = |text: &str| {
        let location = "https://example.com/feed.xml".parse().unwrap();
        let mut reader = ReaderBuilder::new().base_url(location).from_bytes(text);
        let loc = reader
            .next()
            .and_then(|entry| Some(entry.ok()?.loc().to_string()));
        let rules: Vec<_> = reader.issues().iter().map(|issue| issue.rule()).collect();
        (loc, rules)
    };
    let loc = |loc: &str| Some(loc.to_owned());
    // The base of the caller comes after that of the feed, and does not make the link a correct one.
    assert_eq!(
        with_base(&feed("xml:base=\"/de/\"", "", "", "a")),
        (loc("https://example.com/de/a"), vec![])
    );
    assert_eq!(
        with_base(&feed("", "", "", "a")),
        (loc("https://example.com/a"), vec![Rule::RelativeUrl])
    );
    let rss = format!("<rss {base}><channel><item><link>a</link></item></channel></rss>");
    assert_eq!(rules(&rss), [Rule::RelativeUrl]);
    assert_eq!(rules(&feed("", "", "", "a")), [Rule::InvalidUrl]);
}

#[test]
fn weekdays_and_forms_of_dates_in_feeds() {
    let said = |element: &str, date: &str| {
        let item = format!("rss <item><link>{X}</link><{element}>{date}</{element}></item>");
        messages(&cases::document(&item))
    };
    for date in [
        "Mon, 04 Mar 2024 05:06:07 GMT",
        "monday, 4 Mar 24 05:06 Z",
        "Thu, 29 Feb 2024 23:59:59 -1200",
        "04 Mar 2024 05:06:07 +0100",
        "Sat, 01 Jan 2000 00:00:00 EST",
    ] {
        assert_eq!(said("pubDate", date), [""; 0], "{date}");
    }
    for date in [
        "Tue, 04 Mar 2024 05:06:07 GMT",
        "Lun, 04 Mar 2024 05:06:07 GMT",
        "Пн, 04 Mar 2024 05:06:07 GMT",
        "Sunday, 4 Mar 24 05:06 Z",
        "Mo., 04 Mar 2024 05:06:07 GMT",
    ] {
        let expected = format!("`{date}` has another weekday than its date, or none of RFC 822");
        assert_eq!(said("pubDate", date), [expected]);
    }
    let no_rfc_822 = "is not an RFC 822 date like Mon, 04 Mar 2024 05:06:07 GMT";
    let no_w3c = "is not a W3C Datetime like 2024-03-04 or 2024-03-04T05:06:07Z";
    for date in ["soon", "4.3.2024", "Mon, 04 March", "1709528767", "now"] {
        assert_eq!(said("pubDate", date), [format!("`{date}` {no_rfc_822}")]);
        assert_eq!(said("dc:date", date), [format!("`{date}` {no_w3c}")]);
    }
}

#[test]
fn names_carry_their_prefix() {
    let image = "<image:image><image:loc>https://example.com/a.png</image:loc>";
    for [inside, expected] in rows(
        "
        <image:url>a</image:url> | unknown element `image:url`
        <image:loc>https://example.com/b.png</image:loc> | a second `image:loc` in one `image:image`
        <image:title>A</image:title><image:title>B</image:title> | a second `image:title` in one `image:image`
        <image:title>A<image:title></image:title></image:title>
            | element `image:title` is opened again before `</image:title>`
        <image:caption>A<image:title/></image:caption> | element `image:title` is opened before `</image:caption>`
        <image:caption>A<b/></image:caption> | unknown element `b`
        ",
    ) {
        let text = cases::document(&format!("extended {image}{inside}</image:image>"));
        assert_eq!(messages(&text), [expected], "{inside}");
    }
    let own =
        format!("<s:urlset xmlns:s=\"{NS}\"><s:url><s:loc>{X}</s:loc><s:foo/></s:url></s:urlset>");
    assert_eq!(messages(&own), ["unknown element `s:foo`"]);
}

#[test]
fn numbers_say_their_range() {
    for [inside, expected] in rows(
        "
        <video:duration>PT1H17M57S</video:duration>
            | `PT1H17M57S` is not a whole number of seconds from 0 to 28,800 (video:duration)
        <video:duration>28801</video:duration>
            | `28801` is not a whole number of seconds from 0 to 28,800 (video:duration)
        <video:view_count>1,000</video:view_count> | `1,000` is not a whole number (video:view_count)
        <video:rating>7</video:rating> | `7` is not a decimal number from 0.0 to 5.0 (video:rating)
        <video:price currency='EUR'>1,99</video:price> | `1,99` is not a decimal number like 1.99 (video:price)
        ",
    ) {
        let text = cases::document(&format!("video {inside}"));
        assert_eq!(messages(&text), [expected], "{inside}");
    }
    let most = "<video:duration>28800</video:duration><video:rating>5.0</video:rating>";
    let text = cases::document(&format!("video {most}"));
    assert_eq!(messages(&text), [""; 0]);
}

#[cfg(feature = "encodings")]
#[test]
fn an_encoding_that_nobody_knows() {
    let text = |encoding: &str| {
        format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n") + &urlset(&url(X))
    };
    for encoding in ["utf8mb4", "UTF8-BOM", "unicode-1-2", "ascii8", "klingon"] {
        let expected =
            format!("the declared encoding `{encoding}` is not supported; it is ignored");
        assert!(messages(&text(encoding)).contains(&expected), "{encoding}");
    }
    let other = "the declared encoding `UTF-16` is not that of the bytes, which are read as UTF-8";
    assert!(messages(&text("UTF-16")).contains(&other.to_owned()));
}
