use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;

/// For `Router::new().fallback_service(ServeDir::new("public")).layer(from_fn(without_hidden_files))`.
pub async fn without_hidden_files(request: Request, next: Next) -> Response {
    // `ServeDir` decodes the path, so `/%2esitemap.set/journal` is a hidden file, too.
    let path = percent_decode_str(request.uri().path()).decode_utf8_lossy();
    let mut names = path.split(['/', '\\']);
    if names.any(|name| name.starts_with('.') && name != ".well-known") {
        return StatusCode::NOT_FOUND.into_response();
    }
    next.run(request).await
}
