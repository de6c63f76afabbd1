//! The site of a history, and what a caller has to conclude from it night by night.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Cursor;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{
    Crawl, CrawlBuilder, Failure, Known, KnownKind, Request, RequestKind, Response, State,
};
use serde_json::Value;

const PLACES: [&str; 7] = [
    "sitemap.xml",
    "sitemap_index.xml",
    "sitemap-index.xml",
    "sitemap.xml.gz",
    "wp-sitemap.xml",
    "sitemap/sitemap.xml",
    "sitemap.txt",
];

/// Returns the URL of a document of the model, such as `m:place1`.
fn url_of(document: &str) -> String {
    let (host, name) = document.split_once(':').unwrap();
    let name = match (name, name.strip_prefix("place")) {
        ("robots", _) => "robots.txt",
        (_, Some(place)) => PLACES[place.parse::<usize>().unwrap() - 1],
        (name, None) => name,
    };
    format!("https://{host}.example/{name}")
}

fn texts(value: &Value) -> Vec<&str> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_str().unwrap()).collect()
}

/// An answer of the model's site.
struct Answer<'v>(&'v Value);

impl Answer<'_> {
    fn etag(&self) -> String {
        format!("\"v{}\"", self.0[4])
    }

    /// Returns `true` for a robots.txt that is sent in Brotli.
    fn is_brotli(&self, kind: RequestKind) -> bool {
        let is_one = self.0[4].as_u64().unwrap().is_multiple_of(3);
        kind == RequestKind::Robots && self.0[0].is_null() && is_one
    }

    fn head(&self, kind: RequestKind) -> Response {
        let bad = [500, 503, 429, 520, 206];
        let which = self.0[4].as_u64().unwrap() as usize;
        let status = match self.0[0].as_str() {
            _ if self.is_brotli(kind) => 200,
            None => bad[which % bad.len()],
            Some("absent") => [404, 410][which % 2],
            Some("refused") => [401, 403][which % 2],
            _ => 200,
        };
        let coding = if self.is_brotli(kind) { "br" } else { "" };
        let response = Response::new(status).header("ETag", self.etag());
        response.header("Content-Encoding", coding)
    }

    fn body(&self) -> String {
        let (items, to_end) = (texts(&self.0[1]), self.0[2].as_bool().unwrap());
        let skipped = self.0[3].as_u64().unwrap();
        let base = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let (start, entry, end) = match self.0[0].as_str() {
            None => ("Sitemap: /never", "", ""),
            Some("absent" | "refused") => return "there is nothing".to_owned(),
            Some("page") => return "<!DOCTYPE html><html><p>Welcome</p></html>".to_owned(),
            Some("robots") => ("User-agent: *\n", "Sitemap: $\n", ""),
            Some("index") => (
                &*format!("<sitemapindex xmlns='{base}'>"),
                "<sitemap><loc>$</loc></sitemap>",
                "</sitemapindex>",
            ),
            Some("urlset") => (
                &*format!("<urlset xmlns='{base}'>"),
                "<url><loc>$</loc></url>",
                "</urlset>",
            ),
            Some("feed") => (
                "<rss version='2.0'><channel>",
                "<item><link>$</link></item>",
                "</channel></rss>",
            ),
            Some(other) => panic!("{other}"),
        };
        let mut text = start.to_owned();
        for item in items {
            let url = match item.strip_prefix('/') {
                Some(page) => format!("https://m.example/{page}"),
                None => url_of(item),
            };
            text += &entry.replace('$', &url);
        }
        for _ in 0..skipped {
            text += &entry.replace('$', "ftp://m.example/");
        }
        write!(text, "{}", if to_end { end } else { "" }).unwrap();
        text
    }
}

/// What is kept: the texts by URL, the rows and the pages.
pub(crate) type Kept = (
    BTreeMap<String, String>,
    BTreeSet<(String, String)>,
    BTreeSet<String>,
);

pub(crate) type Fetch<'f> = &'f dyn Fn(&Request) -> Result<(Response, Cursor<Vec<u8>>), Failure>;

/// A program that crawls every night, and keeps its results.
pub(crate) trait Caller {
    fn night(&mut self, builder: CrawlBuilder, site: &Url, fetch: Fetch<'_>) -> Crawl;
    fn kept(&self) -> Kept;
}

/// The histories that `.ci/crawl-model.py` has printed, or those of the file that `QUICK_SITEMAP_HISTORIES` names.
pub(crate) fn histories() -> String {
    match std::env::var("QUICK_SITEMAP_HISTORIES") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("data.jsonl").to_owned(),
    }
}

/// Runs a history. `check` gets what was kept after each night, and the model's night.
pub(crate) fn run(
    history: &str,
    caller: &mut impl Caller,
    check: impl Fn(&str, &Value, &Crawl, Kept),
) {
    let history: Value = serde_json::from_str(history).unwrap();
    for (number, night) in history["nights"].as_array().unwrap().iter().enumerate() {
        let at = format!("{}, night {}", history["name"], number + 1);
        let answers = night["answers"].as_object().unwrap().iter();
        let answers = answers.map(|(document, answer)| (url_of(document), Answer(answer)));
        let answers = RefCell::new(answers.collect::<BTreeMap<String, Answer<'_>>>());
        let fetch = |request: &Request| {
            let answer = answers.borrow_mut().remove(request.url.as_str());
            let answer = answer.unwrap_or_else(|| panic!("{at}: {} is requested", request.url));
            let is_known = request.if_none_match() == Some(&*answer.etag());
            if is_known && night["conditional"] == true {
                let response = Response::new(304).header("ETag", answer.etag());
                return Ok((response, Cursor::default()));
            }
            let body = if answer.is_brotli(request.kind) {
                b"\x0b\x07\x80Sitemap: /never\xff\x03".to_vec()
            } else {
                answer.body().into_bytes()
            };
            Ok((answer.head(request.kind), Cursor::new(body)))
        };
        let bound = night["bound"]
            .as_u64()
            .map_or(usize::MAX, |bound| bound as usize);
        let builder = CrawlBuilder::new()
            .retries(0)
            .max_depth(100)
            .max_children(bound);
        let crawl = caller.night(builder, &Url::parse("https://m.example/").unwrap(), &fetch);
        assert!(crawl.is_done(), "{at}");
        let left: Vec<String> = answers.borrow().keys().cloned().collect();
        assert!(left.is_empty(), "{at}: {left:?} are not requested");
        check(&at, night, &crawl, caller.kept());
    }
}

/// Compares the crawl and what is kept after the night with the model's.
pub(crate) fn is_as_in_model(at: &str, night: &Value, crawl: &Crawl, (known, rows, pages): Kept) {
    let documents =
        |value: &Value| -> BTreeSet<String> { texts(value).into_iter().map(url_of).collect() };
    let page = |text: &str| format!("https://m.example{text}");
    let unchanged = night["answers"].as_object().unwrap().values();
    let unchanged = unchanged.filter(|answer| answer[5] == true).count() as u64;
    let summary = crawl.summary();
    assert_eq!(summary.unchanged, unchanged, "{at}: unchanged");
    let mut unchanged = crawl
        .sitemaps()
        .filter(|sitemap| sitemap.state() == State::Unchanged);
    assert!(unchanged.all(|it| !it.rows_may_go()), "{at}: rows of 304");
    let coverage = summary.coverage();
    assert_eq!(
        coverage.name(),
        night["coverage"],
        "{at}: {:?}",
        crawl.summary()
    );
    let may_go = crawl.pages_may_go();
    assert_eq!(
        may_go.is_ok(),
        night["pages_may_go"] == true,
        "{at}: {may_go:?}"
    );
    // What was kept before it was deleted.
    let expected = night["gone"].as_array().map(|_| documents(&night["gone"]));
    let mut kept: BTreeSet<String> = known.keys().cloned().collect();
    kept.extend(rows.iter().map(|(sitemap, _)| sitemap.clone()));
    kept.extend(expected.iter().flatten().cloned());
    let gone = crawl.gone(&kept).map(BTreeSet::from_iter);
    assert_eq!(gone.clone().ok(), expected, "{at}: gone, {gone:?}");
    let kinds = known.values().map(|row| {
        let known: Known = row.parse().unwrap();
        let kind = match known.kind() {
            KnownKind::Index => "index",
            KnownKind::Pages => "pages",
            KnownKind::Absent => "absent",
            KnownKind::Refused => "refused",
        };
        (known.url().to_string(), (kind.to_owned(), known.is_whole()))
    });
    let expected = night["known"].as_object().unwrap().iter();
    let expected = expected.map(|(document, known)| {
        let kind = known[0].as_str().unwrap().to_owned();
        (url_of(document), (kind, known[1] == true))
    });
    assert_eq!(
        kinds.collect::<BTreeMap<_, _>>(),
        expected.collect(),
        "{at}: known"
    );
    let expected = night["rows"].as_array().unwrap().iter().map(texts);
    let expected = expected.map(|row| (url_of(row[0]), page(row[1])));
    assert_eq!(rows, expected.collect(), "{at}: rows");
    let expected = texts(&night["pages"]).into_iter().map(page);
    assert_eq!(pages, expected.collect(), "{at}: pages");
}

/// Returns the pages that the site lists in this night.
pub(crate) fn listed(night: &Value) -> BTreeSet<String> {
    let pages = texts(&night["listed"]).into_iter();
    pages
        .map(|page| format!("https://m.example{page}"))
        .collect()
}
