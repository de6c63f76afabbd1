//! The library with runtimes, servers and object stores, and the chapters of the cookbook that use them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::string_slice
)]
#![allow(missing_docs, unreachable_pub)]

use std::net::SocketAddr;
use std::sync::mpsc;

use tokio::net::TcpListener;

#[path = "../../../../docs/cookbook/serve_body.rs"]
mod serve_body;

mod miette;
mod object_store;
mod serve;
mod streams;
mod versions;

/// A runtime of this thread.
fn runtime() -> tokio::runtime::Runtime {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap()
}

/// Runs a server in its own thread, which ends with the test; returns its address.
fn serve<F: Future<Output = ()>>(
    server: impl FnOnce(TcpListener) -> F + Send + 'static,
) -> SocketAddr {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        runtime().block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap()).unwrap();
            server(listener).await;
        });
    });
    told.recv().unwrap()
}
