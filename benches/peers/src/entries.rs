//! Entries as other crates hold them.

use quick_sitemap::{ChangeFreq, UrlEntry};
use sitemap_writer::{SitemapAlternate, SitemapChangeFreq, SitemapImage, SitemapUrl};
use sitemapo::record::Entry;
use sitemapo::{Parser, Record};

pub(crate) fn sitemapo_entries(xml: &str) -> Vec<Entry> {
    Parser::new(xml.as_bytes())
        .filter_map(|record| match record {
            Ok(Record::Entry(entry)) => Some(entry),
            _ => None,
        })
        .collect()
}

pub(crate) fn sitemap_writer_url(entry: &UrlEntry) -> SitemapUrl {
    let mut url = SitemapUrl::new(entry.loc.as_str());
    if let Some(lastmod) = entry.lastmod {
        url = url.lastmod(lastmod.to_string());
    }
    if let Some(changefreq) = entry.changefreq {
        url = url.changefreq(match changefreq {
            ChangeFreq::Always => SitemapChangeFreq::ALWAYS,
            ChangeFreq::Hourly => SitemapChangeFreq::HOURLY,
            ChangeFreq::Daily => SitemapChangeFreq::DAILY,
            ChangeFreq::Weekly => SitemapChangeFreq::WEEKLY,
            ChangeFreq::Monthly => SitemapChangeFreq::MONTHLY,
            ChangeFreq::Yearly => SitemapChangeFreq::YEARLY,
            ChangeFreq::Never => SitemapChangeFreq::NEVER,
        });
    }
    if let Some(priority) = entry.priority {
        url = url.priority(priority.get());
    }
    for alternate in &entry.alternates {
        url = url.alternate(SitemapAlternate::new(
            alternate.hreflang.as_str(),
            alternate.href.as_str(),
        ));
    }
    for image in &entry.images {
        url = url.image(SitemapImage::new(image.loc.as_str()));
    }
    url
}
