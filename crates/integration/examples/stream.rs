//! Reads a sitemap that arrives in chunks, with tokio. Here the chunks come from a file; a socket works in the same way.
//!
//! `cargo run -p quick-sitemap-integration --example stream -- sitemap.xml.gz`. The decoder does no I/O, so it works in any runtime. With the
//! feature `stream`, `ReaderBuilder::stream` is this loop for a `Stream` of chunks such as the body of a response.

use std::error::Error;
use std::io::{self, Write};

use quick_sitemap::Decoder;
use tokio::fs::File;
use tokio::io::AsyncReadExt;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: stream FILE")?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let entries = runtime.block_on(read(&path))?;
    writeln!(io::stderr(), "{entries} entries")?;
    Ok(())
}

async fn read(path: &str) -> Result<u64, Box<dyn Error>> {
    let mut input = File::open(path).await?;
    let mut decoder = Decoder::new();
    let mut chunk = vec![0; 16 << 10];
    while !decoder.is_done() {
        match input.read(&mut chunk).await {
            Ok(0) => decoder.finish(),
            Ok(read) => decoder.push(chunk.get(..read).unwrap_or_default()),
            // The complete entries are returned before the error.
            Err(error) => decoder.fail(error),
        }
        // Take the entries after every push, because the decoder buffers unread bytes.
        for entry in decoder.entries() {
            writeln!(io::stdout(), "{}", entry?.loc())?;
        }
    }
    Ok(decoder.summary().entries)
}
