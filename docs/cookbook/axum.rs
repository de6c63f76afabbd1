use std::io;

use axum::Router;
use axum::body::Body;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
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

/// Stands for `SELECT max(changed), count(*)`, which changes whenever the sitemap does. The tag is weak, so it is the same for
/// the gzipped body.
fn entity_tag() -> String {
    "W/\"2024-03-04-20000\"".to_owned()
}

/// Returns `true` if the client accepts gzip. A quality of 0 forbids it, and `*` stands for a coding that is not named.
fn accepts_gzip(accepted: &str) -> bool {
    let quality = |name: &str| -> Option<f32> {
        let mut codings = accepted
            .split(',')
            .map(|coding| coding.split_once(';').unwrap_or((coding, "")));
        let (_, weight) = codings.find(|(coding, _)| coding.trim().eq_ignore_ascii_case(name))?;
        match weight.split_once('=') {
            Some((_, weight)) => Some(weight.trim().parse().unwrap_or(0.0)),
            None => Some(1.0),
        }
    };
    quality("gzip")
        .or_else(|| quality("*"))
        .is_some_and(|quality| quality > 0.0)
}

async fn sitemap(request: HeaderMap) -> Response {
    let header = |name: HeaderName| request.get(name)?.to_str().ok();
    let tag = entity_tag();
    let known = header(IF_NONE_MATCH).unwrap_or("");
    let is_known = known
        .split(',')
        .any(|known| ["*", tag.as_str()].contains(&known.trim()));
    let headers = [(VARY, "accept-encoding".to_owned()), (ETAG, tag)];
    if is_known {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let gzip = header(ACCEPT_ENCODING).is_some_and(accepts_gzip);
    let xml = [(CONTENT_TYPE, "application/xml")];
    let content = Body::from_stream(body(rows(), gzip));
    if gzip {
        (headers, xml, [(CONTENT_ENCODING, "gzip")], content).into_response()
    } else {
        (headers, xml, content).into_response()
    }
}

pub fn app() -> Router {
    Router::new().route("/sitemap.xml", get(sitemap))
}
