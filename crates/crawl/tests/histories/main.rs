//! Sites that change night by night, and a caller who deletes what he may: the crawl concludes what `.ci/crawl-model.py` does.
//!
//! `data.jsonl` is what the model has printed; `QUICK_SITEMAP_HISTORIES` names another such file.
#![cfg(feature = "serde")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::SystemTime;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlBuilder, KnownKind, Next, Request, Response};
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

/// The URL of a document of the model, such as `m:place1`.
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

    fn is_unchanged(&self) -> bool {
        self.0[5].as_bool().unwrap()
    }

    fn status(&self) -> u16 {
        let bad = [500, 503, 429, 520, 206];
        let which = self.0[4].as_u64().unwrap();
        match self.0[0].as_str() {
            _ if self.is_unchanged() => 304,
            None => bad[which as usize % bad.len()],
            Some("absent") => [404, 410][which as usize % 2],
            Some("refused") => [401, 403][which as usize % 2],
            _ => 200,
        }
    }

    fn body(&self) -> String {
        let (items, to_end) = (texts(&self.0[1]), self.0[2].as_bool().unwrap());
        let skipped = self.0[3].as_u64().unwrap();
        let base = "http://www.sitemaps.org/schemas/sitemap/0.9";
        let (start, entry, end) = match self.0[0].as_str() {
            _ if self.is_unchanged() => return String::new(),
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

/// What the caller has stored.
#[derive(Default)]
struct Store {
    known: BTreeMap<String, String>,
    rows: BTreeSet<(String, String)>,
    pages: BTreeSet<String>,
}

impl Store {
    fn crawl(&self, bound: Option<usize>) -> Crawl {
        let known = self.known.clone();
        let builder = CrawlBuilder::new()
            .retries(0)
            .max_children(bound.unwrap_or(usize::MAX));
        let builder = builder.known(move |url| known.get(url.as_str())?.parse().ok());
        builder.site(&Url::parse("https://m.example/").unwrap())
    }

    /// Answers a request as the site does.
    fn answer(
        &mut self,
        crawl: &mut Crawl,
        request: Request,
        answer: &Answer<'_>,
        is_conditional: bool,
    ) {
        let has_condition = request.if_none_match() == Some(&*answer.etag());
        let is_asked = request.url == request.sitemap;
        assert!(
            is_asked && has_condition == answer.is_unchanged() || !is_conditional && has_condition,
            "a condition"
        );
        let response = Response::new(answer.status()).header("ETag", answer.etag());
        let mut receiver = crawl.begin(request, response);
        let sitemap = receiver.sitemap().to_string();
        let body = answer.body();
        let pages: BTreeSet<String> = receiver
            .pages(body.as_bytes())
            .map(|page| page.loc.to_string())
            .collect();
        let ended = crawl.end(receiver);
        if ended.rows_may_go() {
            self.rows
                .retain(|(of, page)| *of != sitemap || pages.contains(page));
        }
        let rows = pages.into_iter().map(|page| (sitemap.clone(), page));
        self.rows.extend(rows);
        if let Some(known) = ended.known() {
            self.known
                .insert(known.url().to_string(), known.to_string());
        }
    }

    /// Deletes what is gone.
    fn delete(&mut self, crawl: &Crawl) -> Option<Vec<String>> {
        self.pages
            .extend(self.rows.iter().map(|(_, page)| page.clone()));
        let kept = self
            .known
            .keys()
            .chain(self.rows.iter().map(|(sitemap, _)| sitemap));
        let gone = crawl.gone(kept).ok();
        let is_gone = |url: &String| gone.iter().flatten().any(|gone| gone == url);
        self.rows.retain(|(sitemap, _)| !is_gone(sitemap));
        self.known.retain(|url, _| !is_gone(url));
        if crawl.pages_may_go().is_ok() {
            let rows = &self.rows;
            self.pages
                .retain(|page| rows.iter().any(|(_, it)| it == page));
        }
        gone
    }
}

fn run(history: &str) {
    let history: Value = serde_json::from_str(history).unwrap();
    let mut store = Store::default();
    for (number, night) in history["nights"].as_array().unwrap().iter().enumerate() {
        let at = format!("{}, night {}", history["name"], number + 1);
        let answers = night["answers"].as_object().unwrap();
        let mut answers: BTreeMap<String, Answer<'_>> = answers
            .iter()
            .map(|(document, answer)| (url_of(document), Answer(answer)))
            .collect();
        let bound = night["bound"].as_u64().map(|bound| bound as usize);
        let mut crawl = store.crawl(bound);
        while let Next::Fetch(request) = crawl.next(SystemTime::UNIX_EPOCH) {
            let answer = answers.remove(request.url.as_str());
            let answer = answer.unwrap_or_else(|| panic!("{at}: {} is requested", request.url));
            store.answer(
                &mut crawl,
                request,
                &answer,
                night["conditional"].as_bool().unwrap(),
            );
        }
        assert!(crawl.is_done(), "{at}");
        let left: Vec<&String> = answers.keys().collect();
        assert!(left.is_empty(), "{at}: {left:?} are not requested");
        let gone = store.delete(&crawl);

        let expected = night["gone"].as_array().map(|gone| {
            let gone = gone
                .iter()
                .map(|document| url_of(document.as_str().unwrap()));
            gone.collect::<BTreeSet<String>>()
        });
        let looked = crawl.gone(["https://never.example/"]);
        let looked = looked.map_err(|not_looked| not_looked.to_string());
        assert_eq!(
            gone.map(BTreeSet::from_iter),
            expected,
            "{at}: gone; {looked:?}"
        );
        let may_go = crawl.pages_may_go();
        assert_eq!(
            may_go.is_ok(),
            night["pages_may_go"] == true,
            "{at}: {may_go:?}"
        );
        let coverage = crawl.summary().coverage();
        assert_eq!(
            coverage.name(),
            night["coverage"],
            "{at}: {:?}",
            crawl.summary()
        );
        let rows = store.known.values().map(|row| {
            let known: quick_sitemap_crawl::Known = row.parse().unwrap();
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
            (url_of(document), (kind, known[1].as_bool().unwrap()))
        });
        assert_eq!(
            rows.collect::<BTreeMap<_, _>>(),
            expected.collect(),
            "{at}: known"
        );
        let page = |text: &str| format!("https://m.example{text}");
        let expected = night["rows"].as_array().unwrap().iter();
        let expected = expected.map(|row| {
            (
                url_of(row[0].as_str().unwrap()),
                page(row[1].as_str().unwrap()),
            )
        });
        assert_eq!(store.rows, expected.collect(), "{at}: rows");
        let expected = texts(&night["pages"]).into_iter().map(page);
        assert_eq!(store.pages, expected.collect(), "{at}: pages");
    }
}

#[test]
fn the_crawl_concludes_what_the_model_does() {
    let named = std::env::var("QUICK_SITEMAP_HISTORIES");
    let text = match named {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("data.jsonl").to_owned(),
    };
    let mut count = 0;
    for history in text.lines() {
        run(history);
        count += 1;
    }
    assert!(count >= 150, "{count}");
}
