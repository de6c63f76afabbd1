use std::convert::Infallible;
use std::io;

use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http_body_util::StreamBody;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::{Request, Response};
use quick_sitemap::{UrlEntry, WriterBuilder};

/// Stands for a query: sqlx's `fetch` returns such a stream of rows.
fn pages() -> impl Stream<Item = io::Result<UrlEntry>> + Send + 'static {
    stream::iter(0..20_000).map(|number| {
        let page = UrlEntry::try_from(format!("https://example.com/{number}"));
        page.and_then(|page| page.try_lastmod("2024-03-04"))
            .map_err(io::Error::other)
    })
}

/// For `hyper::service::service_fn`.
pub async fn sitemap(
    _: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = io::Error>>, Infallible> {
    let body = WriterBuilder::new().escape(true).stream_urlset(pages());
    let mut response = Response::new(StreamBody::new(
        body.map_ok(|chunk| Frame::data(Bytes::from(chunk))),
    ));
    let xml = hyper::header::HeaderValue::from_static("application/xml");
    response.headers_mut().insert(CONTENT_TYPE, xml);
    Ok(response)
}
