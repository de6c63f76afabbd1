use std::convert::Infallible;
use std::io;

use futures_util::{Stream, TryStreamExt, stream};
use http_body_util::StreamBody;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Request, Response};

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

/// For `hyper::service::service_fn`.
pub async fn sitemap(
    _: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = io::Error>>, Infallible> {
    let chunks = body(rows(), false);
    let mut response = Response::new(StreamBody::new(
        chunks.map_ok(|chunk| Frame::data(Bytes::from(chunk))),
    ));
    let xml = HeaderValue::from_static("application/xml");
    response.headers_mut().insert(CONTENT_TYPE, xml);
    Ok(response)
}
