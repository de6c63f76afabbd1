//! Reads sitemaps over HTTP, asynchronously, many at once: tokio and hyper, and a decoder for each response.

use std::io::{self, Write};
use std::process::ExitCode;

use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const HELP: &str = "\
Reads sitemaps over HTTP, all at once, and prints the URLs that they list as they arrive.

Usage: fetch URL...

Arguments:
  URL     http://example.com/sitemap.xml.gz; of any format, gzipped or not, chunked or not

Options:
  --help  this text

Only http is spoken, and redirections are not followed: this shows a Decoder at work, not a client.

Exit status: 0 all were read, 1 one of them was not, 2 wrong usage.
";

fn main() -> ExitCode {
    let urls = match options() {
        Ok(Some(urls)) => urls,
        Ok(None) => {
            let _ = io::stdout().write_all(HELP.as_bytes());
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "fetch: {error}; see --help");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(fetch_all(urls)),
        Err(error) => {
            let _ = writeln!(io::stderr(), "fetch: {error}");
            ExitCode::from(2)
        }
    }
}

/// `None`: only help is wanted.
fn options() -> Result<Option<Vec<Url>>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut urls = Vec::new();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Value(url) => urls.push(url.parse()?),
            _ => return Err(argument.unexpected()),
        }
    }
    match urls.is_empty() {
        true => Err("a URL is missing".into()),
        false => Ok(Some(urls)),
    }
}

async fn fetch_all(urls: Vec<Url>) -> ExitCode {
    let mut running = JoinSet::new();
    for url in urls {
        running.spawn(async move {
            let outcome = fetch(&url).await.map_err(|error| whole(&*error));
            (url, outcome)
        });
    }
    let mut code = ExitCode::SUCCESS;
    while let Some(finished) = running.join_next().await {
        let message = match finished {
            Ok((url, Ok(entries))) => format!("{url}: {entries} entries"),
            Ok((url, Err(error))) => {
                code = ExitCode::from(1);
                format!("{url}: {error}")
            }
            Err(panicked) => {
                code = ExitCode::from(1);
                panicked.to_string()
            }
        };
        let _ = writeln!(io::stderr(), "{message}");
    }
    code
}

/// The error and its causes.
fn whole(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// The number of entries.
async fn fetch(url: &Url) -> Result<u64, Box<dyn std::error::Error + Send + Sync>> {
    let host = url
        .host_str()
        .filter(|_| url.scheme() == "http")
        .ok_or("no http URL")?;
    let stream = TcpStream::connect((host, url.port().unwrap_or(80))).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let path =
        &url[quick_sitemap::url::Position::BeforePath..quick_sitemap::url::Position::AfterQuery];
    let host =
        &url[quick_sitemap::url::Position::BeforeHost..quick_sitemap::url::Position::AfterPort];
    let request = Request::get(path)
        .header("host", host)
        .body(Empty::<Bytes>::new())?;
    let mut response = sender.send_request(request).await?;
    if response.status() != StatusCode::OK {
        return Err(response.status().to_string().into());
    }

    // By hand; with the feature `stream`, `ReaderBuilder::stream` is this loop.
    let mut decoder = ReaderBuilder::new().base_url(url.clone()).decoder();
    while !decoder.is_done() {
        match response.frame().await {
            Some(Ok(frame)) => match frame.data_ref() {
                Some(chunk) => decoder.push(chunk),
                None => continue, // trailers
            },
            // What is complete is printed before the error is given.
            Some(Err(error)) => decoder.fail(io::Error::other(error)),
            None => decoder.finish(),
        }
        let mut out = io::stdout().lock();
        for entry in decoder.entries() {
            writeln!(out, "{}", entry?.loc())?;
        }
    }
    Ok(decoder.summary().entries)
}
