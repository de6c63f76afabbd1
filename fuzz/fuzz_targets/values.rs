#![no_main]

use quick_sitemap::url::Url;
use quick_sitemap_crawl::robots;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    quick_sitemap_fuzz::checks::values(bytes);
    let base = Url::parse("https://example.com/a/robots.txt").unwrap();
    let is_web = |url: Url| assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    for text in [bytes, &[b"Sitemap:", bytes].concat()] {
        robots::sitemaps(text, Some(&base)).for_each(is_web);
        robots::sitemaps(text, None).for_each(is_web);
    }
});
