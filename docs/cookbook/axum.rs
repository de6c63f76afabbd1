use std::io;

use axum::Router;
use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use axum::routing::get;
use futures_util::{Stream, stream};

use crate::serve_body::{Row, body};

/// Stands for a query: sqlx's `fetch` returns such a stream of rows.
fn rows() -> impl Stream<Item = io::Result<Row>> + Send + 'static {
    stream::iter((0..20_000).map(|number| {
        Ok(Row {
            loc: format!("https://example.com/{number}"),
            lastmod: "2024-03-04".to_owned(),
        })
    }))
}

async fn sitemap(request: HeaderMap) -> ([(HeaderName, &'static str); 2], Body) {
    let accepted = request
        .get(ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok());
    let gzip = accepted.is_some_and(|accepted| accepted.contains("gzip"));
    let encoding = if gzip { "gzip" } else { "identity" };
    let headers = [
        (CONTENT_TYPE, "application/xml"),
        (CONTENT_ENCODING, encoding),
    ];
    (headers, Body::from_stream(body(rows(), gzip)))
}

pub fn app() -> Router {
    Router::new().route("/sitemap.xml", get(sitemap))
}
