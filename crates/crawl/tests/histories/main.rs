//! Sites that change night by night, and the program of the README, which deletes what it may: the crawl concludes what
//! `.ci/crawl-model.py` does, which has printed `data.jsonl`.
#![cfg(feature = "serde")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice
)]

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Crawl, CrawlBuilder};

#[allow(
    clippy::print_stderr,
    unreachable_pub,
    reason = "it is a program to be copied"
)]
#[path = "../../cookbook/nightly.rs"]
mod nightly;
mod site;

use nightly::{Store, night};
use site::{Caller, Fetch, Kept};

impl Caller for Store {
    fn night(&mut self, builder: CrawlBuilder, site: &Url, fetch: Fetch<'_>) -> Crawl {
        night(self, builder, site, fetch)
    }

    fn kept(&self) -> Kept {
        (self.known.clone(), self.rows.clone(), self.pages.clone())
    }
}

#[test]
fn the_crawl_concludes_what_the_model_does() {
    let mut count = 0;
    for history in site::histories().lines() {
        site::run(history, &mut Store::default(), site::is_as_in_model);
        count += 1;
    }
    assert!(count >= 100, "{count}");
}

#[test]
fn the_readme_has_this_program() {
    let program = include_str!("../../cookbook/nightly.rs");
    assert!(include_str!("../../README.md").contains(program));
}

/// The program, with a store in which a text is cut in the first nights.
#[derive(Default)]
struct Torn {
    store: Store,
    nights: usize,
}

impl Caller for Torn {
    fn night(&mut self, builder: CrawlBuilder, site: &Url, fetch: Fetch<'_>) -> Crawl {
        if self.nights > 0 {
            self.nights -= 1;
            let count = self.store.known.len();
            if let Some(row) = self
                .store
                .known
                .values_mut()
                .nth(self.nights % count.max(1))
            {
                row.truncate(row.len() * 2 / 3);
            }
        }
        night(&mut self.store, builder, site, fetch)
    }

    fn kept(&self) -> Kept {
        self.store.kept()
    }
}

#[test]
fn a_row_that_was_cut_costs_no_page() {
    let histories = site::histories();
    let ordinary = histories
        .lines()
        .filter(|history| !history.contains("\"name\":\"random"));
    for history in ordinary {
        let nights: serde_json::Value = serde_json::from_str(history).unwrap();
        let last = nights["nights"].as_array().unwrap().len() - 1;
        let mut torn = Torn {
            nights: last - 2,
            ..Torn::default()
        };
        let before = RefCell::new(BTreeSet::new());
        let number = Cell::new(0);
        site::run(history, &mut torn, |at, night, _, (_, _, pages)| {
            let listed = site::listed(night);
            let lost: Vec<_> = listed
                .intersection(&before.borrow())
                .filter(|page| !pages.contains(*page))
                .cloned()
                .collect();
            assert!(lost.is_empty(), "{at}: {lost:?}");
            if number.replace(number.get() + 1) == last && !listed.is_empty() {
                assert_eq!(pages, listed, "{at}");
            }
            before.replace(pages);
        });
    }
}
