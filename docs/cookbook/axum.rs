use std::io;

use axum::Router;
use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use axum::routing::get;
use futures_util::{Stream, StreamExt, stream};
use quick_sitemap::{UrlEntry, WriterBuilder};

/// Stands for a query: sqlx's `fetch` returns such a stream of rows.
fn pages() -> impl Stream<Item = io::Result<UrlEntry>> + Send + 'static {
    stream::iter(0..20_000).map(|number| {
        let page = UrlEntry::try_from(format!("https://example.com/{number}"));
        page.and_then(|page| page.try_lastmod("2024-03-04"))
            .map_err(io::Error::other)
    })
}

async fn sitemap(request: HeaderMap) -> ([(HeaderName, &'static str); 2], Body) {
    let accepted = request
        .get(ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    let gzip = accepted.is_some_and(|accepted| accepted.contains("gzip"));
    let body = WriterBuilder::new()
        .escape(true)
        .stream_urlset(pages())
        .gzip(gzip);
    let encoding = if gzip { "gzip" } else { "identity" };
    let headers = [
        (CONTENT_TYPE, "application/xml"),
        (CONTENT_ENCODING, encoding),
    ];
    (headers, Body::from_stream(body))
}

pub fn app() -> Router {
    Router::new().route("/sitemap.xml", get(sitemap))
}
