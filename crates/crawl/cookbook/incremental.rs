use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{
    Clock, CrawlBuilder, CrawlSummary, Failure, Next, Request, Response, State,
};
use rusqlite::{Connection, OptionalExtension, params};

const SCHEMA: &str = "
    pragma journal_mode = wal;
    create table if not exists pages (sitemap text, loc text, lastmod text, primary key (sitemap, loc));
    create table if not exists known (url text primary key, row text not null);
    create table if not exists state (id integer primary key check (id = 1), crawl text not null);";

/// Brings the pages of a site in a database up to date. A crawl that was killed goes on where it was. `fetch` returns the
/// beginning of a response, and a reader of its body.
pub fn crawl<B: Read>(
    site: &Url,
    database: &Path,
    fetch: impl Fn(&Request) -> Result<(Response, B), Failure>,
) -> Result<CrawlSummary, Box<dyn Error>> {
    let mut pages = Connection::open(database)?;
    pages.execute_batch(SCHEMA)?;
    // The crawl looks up what is known by a connection of its own.
    let rows = Mutex::new(Connection::open(database)?);
    let builder = CrawlBuilder::new().known(move |url| {
        let rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        let select = "select row from known where url = ?1";
        let row: String = rows
            .query_row(select, [url.as_str()], |row| row.get(0))
            .ok()?;
        row.parse().ok()
    });
    let select = "select crawl from state";
    let state: Option<String> = pages.query_row(select, [], |row| row.get(0)).optional()?;
    let mut crawl = match state {
        Some(state) => builder.resume(serde_json::from_str(&state)?),
        None => builder.site(site),
    };
    let clock = Clock::new();
    loop {
        match crawl.next(clock.now()) {
            Next::Fetch(request) => {
                let (head, body) = match fetch(&request) {
                    Ok(response) => response,
                    Err(failure) => {
                        crawl.fail(request, failure);
                        continue;
                    }
                };
                let mut receiver = crawl.begin(request, head);
                let sitemap = receiver.sitemap().to_string();
                // Its pages, what is known of it and the state change together or not at all.
                let mut all = pages.transaction()?;
                let new = all.savepoint()?;
                new.execute("delete from pages where sitemap = ?1", [&sitemap])?;
                for page in receiver.pages(body) {
                    let lastmod = page.lastmod.map(|date| date.to_string());
                    let insert = "insert or replace into pages values (?1, ?2, ?3)";
                    let mut insert = new.prepare_cached(insert)?;
                    insert.execute(params![sitemap, page.loc.as_str(), lastmod])?;
                }
                let ended = crawl.end(receiver);
                // One that has failed, or has not changed, keeps its pages.
                match ended.state() {
                    State::Done(_) => new.commit()?,
                    _ => new.finish()?,
                }
                if let Some(known) = ended.known() {
                    let row = params![known.url().as_str(), known.to_string()];
                    all.execute("insert or replace into known values (?1, ?2)", row)?;
                }
                let state = serde_json::to_string(&crawl.save())?;
                all.execute("insert or replace into state values (1, ?1)", [state])?;
                all.commit()?;
            }
            Next::Wait(until) => thread::sleep(clock.until(until)),
            // Only one request is at work.
            Next::Busy | Next::Done => break,
        }
    }
    // Sitemaps that nothing lists any more.
    let all = pages.transaction()?;
    for sitemap in crawl.gone() {
        all.execute("delete from pages where sitemap = ?1", [&sitemap])?;
        all.execute("delete from known where url = ?1", [&sitemap])?;
    }
    all.execute("delete from state", [])?;
    all.commit()?;
    Ok(crawl.summary())
}
