use std::io;

use actix_web::http::header::CONTENT_ENCODING;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, Responder};
use futures_util::{Stream, TryStreamExt, stream};

use crate::serve_body::{Row, body};

/// Stands for a query: sqlx's `fetch` returns such a stream of rows.
fn rows() -> impl Stream<Item = io::Result<Row>> + 'static {
    stream::iter((0..20_000).map(|number| {
        Ok(Row {
            loc: format!("https://example.com/{number}"),
            lastmod: "2024-03-04".to_owned(),
        })
    }))
}

/// For `App::new().route("/sitemap.xml.gz", web::get().to(sitemap))`.
pub async fn sitemap() -> impl Responder {
    HttpResponse::Ok()
        .content_type("application/gzip")
        // The file itself is gzipped: actix must not compress it again.
        .insert_header((CONTENT_ENCODING, "identity"))
        .streaming(body(rows(), true).map_ok(Bytes::from))
}
