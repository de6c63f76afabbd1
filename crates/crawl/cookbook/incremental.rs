use std::error::Error;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use quick_sitemap::url::Url;
use quick_sitemap_crawl::{Clock, Crawl, CrawlBuilder, Failure, Next, Request, Response};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

// `listed` has a row for each sitemap that lists a page. A page is deleted if it has none.
const SCHEMA: &str = "
    pragma journal_mode = wal;
    create table if not exists pages (site text, loc text, primary key (site, loc));
    create table if not exists listed (site text, sitemap text, loc text, lastmod text, is_new integer,
        primary key (site, sitemap, loc));
    create index if not exists listed_loc on listed (site, loc);
    create table if not exists known (site text, url text, row text not null, primary key (site, url));
    create table if not exists state (site text primary key, crawl text not null);";

/// Brings the pages of a site in a database up to date. A crawl that was killed goes on where it was. `fetch` returns the
/// beginning of a response, and a reader of its body.
pub fn crawl<B: Read>(
    builder: CrawlBuilder,
    site: &Url,
    database: &Path,
    fetch: impl Fn(&Request) -> Result<(Response, B), Failure>,
) -> Result<Crawl, Box<dyn Error>> {
    let (mut store, name) = (Connection::open(database)?, site.to_string());
    store.execute_batch(SCHEMA)?;
    // The crawl looks up what is known by a connection of its own.
    let rows = Mutex::new((Connection::open(database)?, name.clone()));
    let builder = builder.known(move |url| {
        let (rows, name) = &*rows.lock().unwrap_or_else(PoisonError::into_inner);
        let select = "select row from known where site = ?1 and url = ?2";
        let row: String = rows
            .query_row(select, [name, url.as_str()], |row| row.get(0))
            .ok()?;
        row.parse().ok()
    });
    let select = "select crawl from state where site = ?1";
    let state: Option<String> = store
        .query_row(select, [&name], |row| row.get(0))
        .optional()?;
    // A state that was damaged is not continued.
    let mut crawl = match state.and_then(|state| state.parse().ok()) {
        Some(saved) => builder.resume(saved),
        None => builder.site(site),
    };
    let clock = Clock::new();
    loop {
        match crawl.next(clock.now()) {
            Next::Fetch(request) => match fetch(&request) {
                Ok((response, body)) => {
                    // The rows of a sitemap, what is known of it and the state change together or not at all.
                    let all = store.transaction()?;
                    receive(&mut crawl, &all, &name, request, response, body)?;
                    let state = crawl.save().to_string();
                    all.execute(
                        "insert or replace into state values (?1, ?2)",
                        [&name, &state],
                    )?;
                    all.commit()?;
                }
                Err(failure) => _ = crawl.fail(request, failure),
            },
            Next::Wait(until) => thread::sleep(clock.until(until)),
            // Only one request is at work.
            Next::Busy | Next::Done => break,
        }
    }
    let all = store.transaction()?;
    delete(&crawl, &all, &name)?;
    all.execute("delete from state where site = ?1", [&name])?;
    all.commit()?;
    Ok(crawl)
}

/// Stores the rows of a sitemap. Those that were not returned are deleted if the crawl has earned that.
fn receive(
    crawl: &mut Crawl,
    all: &Transaction<'_>,
    site: &str,
    request: Request,
    response: Response,
    body: impl Read,
) -> Result<(), Box<dyn Error>> {
    let mut receiver = crawl.begin(request, response);
    let sitemap = receiver.sitemap().to_string();
    let old = "update listed set is_new = 0 where site = ?1 and sitemap = ?2";
    all.execute(old, [site, &sitemap])?;
    for page in receiver.pages(body) {
        let (loc, lastmod) = (page.loc.as_str(), page.lastmod.map(|date| date.to_string()));
        let mut insert = all.prepare_cached("insert or ignore into pages values (?1, ?2)")?;
        insert.execute([site, loc])?;
        let row = "insert or replace into listed values (?1, ?2, ?3, ?4, 1)";
        let mut insert = all.prepare_cached(row)?;
        insert.execute(params![site, sitemap, loc, lastmod])?;
    }
    let ended = crawl.end(receiver);
    if ended.rows_may_go() {
        let gone = "delete from listed where site = ?1 and sitemap = ?2 and is_new = 0";
        all.execute(gone, [site, &sitemap])?;
    }
    if let Some(known) = ended.known() {
        let insert = "insert or replace into known values (?1, ?2, ?3)";
        all.execute(insert, [site, known.url().as_str(), &known.to_string()])?;
    }
    Ok(())
}

/// Deletes the sitemaps that nothing lists any more, and the pages that no sitemap lists.
fn delete(crawl: &Crawl, all: &Transaction<'_>, site: &str) -> Result<(), Box<dyn Error>> {
    let kept =
        "select url from known where site = ?1 union select sitemap from listed where site = ?1";
    let mut kept = all.prepare(kept)?;
    let kept: Vec<String> = kept
        .query_map([site], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    match crawl.gone(&kept) {
        Ok(gone) => {
            for sitemap in &gone {
                let rows = "delete from listed where site = ?1 and sitemap = ?2";
                all.execute(rows, [site, sitemap])?;
                all.execute(
                    "delete from known where site = ?1 and url = ?2",
                    [site, sitemap],
                )?;
            }
        }
        // The next run checks it again.
        Err(not_looked) => eprintln!("{site}: nothing is deleted: {not_looked}"),
    }
    if crawl.pages_may_go().is_ok() {
        let pages = "delete from pages where site = ?1 and not exists
            (select 1 from listed where listed.site = pages.site and listed.loc = pages.loc)";
        all.execute(pages, [site])?;
    }
    Ok(())
}
