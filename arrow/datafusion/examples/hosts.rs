//! The number of pages per host, and the files that could not be read: `cargo run --example hosts -- 'FOLDER OR GLOB'`.
//! Without an argument, it reads the fixtures of quick-sitemap.

use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use quick_sitemap_datafusion::{SitemapFormat, register};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data");

#[tokio::main]
async fn main() -> Result<()> {
    let location = std::env::args().nth(1);
    let location = location.as_deref().unwrap_or(FIXTURES).replace('\'', "''");

    let context = SessionContext::new();
    register(&context, SitemapFormat::default());
    for query in [
        format!(
            "SELECT host, count(*) FROM sitemaps('{location}') GROUP BY host ORDER BY count(*) DESC"
        ),
        format!(
            "SELECT source, error FROM sitemaps('{location}') WHERE error IS NOT NULL ORDER BY source"
        ),
    ] {
        context.sql(&query).await?.show().await?;
    }
    Ok(())
}
