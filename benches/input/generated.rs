//! The sitemaps themselves; uses only std.

use std::fmt::Write as _;

/// Entries a file: the protocol's limit.
pub(crate) const ENTRIES: usize = 50_000;

const WORDS: [&str; 24] = [
    "product", "category", "blog", "article", "news", "shop", "item", "summer", "winter", "sale",
    "color", "red", "blue", "green", "size", "large", "small", "review", "guide", "how-to", "best",
    "top", "2024", "2025",
];

/// xorshift: no dependency, the same numbers everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one_of<'a>(&mut self, choice: &[&'a str]) -> &'a str {
        let index = self.below(choice.len() as u64) as usize;
        choice.get(index).copied().unwrap_or_default()
    }

    fn path(&mut self) -> String {
        let mut path = String::new();
        for _ in 0..=self.below(4) {
            path.push('/');
            for word in 0..=self.below(4) {
                path.push_str(if word > 0 { "-" } else { "" });
                path.push_str(self.one_of(&WORDS));
            }
        }
        path
    }
}

/// loc, lastmod, changefreq and priority: 50,000 entries, 10 MB.
pub(crate) fn typical() -> String {
    sitemap(ENTRIES, false)
}

/// Three alternates and an image an entry besides.
pub(crate) fn extended() -> String {
    sitemap(ENTRIES, true)
}

/// A sitemap with any number of entries.
pub(crate) fn sitemap(entries: usize, extensions: bool) -> String {
    let mut numbers = Numbers(7);
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.push_str("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"");
    if extensions {
        xml.push_str(" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\"");
        xml.push_str(" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
    }
    xml.push_str(">\n");
    for i in 0..entries {
        // Writing to a String does not fail.
        let _ = entry(&mut xml, &mut numbers, i, extensions);
    }
    xml.push_str("</urlset>\n");
    xml
}

fn entry(xml: &mut String, numbers: &mut Numbers, i: usize, extensions: bool) -> std::fmt::Result {
    let path = numbers.path();
    write!(xml, "  <url>\n    <loc>https://www.example.com{path}-{i}")?;
    if i.is_multiple_of(5) {
        write!(xml, "?id={i}&amp;ref={}", i * 7 % 1000)?;
    }
    xml.push_str("</loc>\n");
    if extensions {
        for language in ["de", "fr", "en-GB"] {
            writeln!(
                xml,
                "    <xhtml:link rel=\"alternate\" hreflang=\"{language}\" href=\"https://www.example.com/{language}{path}-{i}\"/>"
            )?;
        }
        writeln!(
            xml,
            "    <image:image>\n      <image:loc>https://cdn.example.com/img/{i}.jpg</image:loc>\n    </image:image>"
        )?;
    }
    let (year, month, day) = (
        10 + numbers.below(16),
        1 + numbers.below(12),
        1 + numbers.below(28),
    );
    write!(xml, "    <lastmod>20{year:02}-{month:02}-{day:02}")?;
    if i % 2 == 1 {
        let (hour, minute, second) = (numbers.below(24), numbers.below(60), numbers.below(60));
        write!(xml, "T{hour:02}:{minute:02}:{second:02}+00:00")?;
    }
    let changefreq = numbers.one_of(&["daily", "weekly", "monthly", "never"]);
    let priority = numbers.below(11) as f32 / 10.0;
    write!(
        xml,
        "</lastmod>\n    <changefreq>{changefreq}</changefreq>\n    <priority>{priority:.1}</priority>\n  </url>\n"
    )
}
