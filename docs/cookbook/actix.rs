use std::io;

use actix_web::http::header::CONTENT_ENCODING;
use actix_web::web::Bytes;
use actix_web::{HttpResponse, Responder};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use quick_sitemap::{UrlEntry, WriterBuilder};

/// Stands for a query: sqlx's `fetch` returns such a stream of rows.
fn pages() -> impl Stream<Item = io::Result<UrlEntry>> + 'static {
    stream::iter(0..20_000).map(|number| {
        let page = UrlEntry::try_from(format!("https://example.com/{number}"));
        page.and_then(|page| page.try_lastmod("2024-03-04"))
            .map_err(io::Error::other)
    })
}

/// For `App::new().route("/sitemap.xml.gz", web::get().to(sitemap))`.
pub async fn sitemap() -> impl Responder {
    let body = WriterBuilder::new()
        .escape(true)
        .stream_urlset(pages())
        .gzip(true);
    HttpResponse::Ok()
        .content_type("application/gzip")
        // The file itself is gzipped: actix must not compress it again.
        .insert_header((CONTENT_ENCODING, "identity"))
        .streaming(body.map_ok(Bytes::from))
}
