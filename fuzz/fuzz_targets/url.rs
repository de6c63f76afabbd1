#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| quick_sitemap_fuzz::checks::url(bytes));
