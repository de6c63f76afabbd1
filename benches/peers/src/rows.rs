//! sitemap-writer's way from the strings of a database to a document.

use sitemap_writer::{SitemapChangeFreq, SitemapUrl, SitemapWriter};

use crate::input::Row;

pub(crate) fn sitemap_writer(rows: &[Row]) -> String {
    let urls = rows.iter().map(|row| {
        let changefreq = match row.changefreq.as_str() {
            "daily" => SitemapChangeFreq::DAILY,
            "weekly" => SitemapChangeFreq::WEEKLY,
            "monthly" => SitemapChangeFreq::MONTHLY,
            _ => SitemapChangeFreq::NEVER,
        };
        SitemapUrl::new(row.loc.as_str())
            .lastmod(row.lastmod.as_str())
            .changefreq(changefreq)
            .priority(row.priority.parse().expect("generated"))
    });
    SitemapWriter::build(urls.collect::<Vec<_>>())
}
