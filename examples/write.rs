//! Writes a sitemap with alternates and an image, and reads it back strictly.
//!
//! `cargo run --example write -- sitemap.xml`

use std::error::Error;
use std::fs::File;

use quick_sitemap::url::Url;
use quick_sitemap::{
    Alternate, ChangeFreq, Extension, Image, Policy, Priority, ReaderBuilder, UrlEntry,
    W3cDatetime, WriterBuilder,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: write FILE")?;
    let site: Url = "https://www.example.com/".parse()?;

    let mut home = UrlEntry::new(site.clone())
        .with_lastmod("2025-03-14T09:26:53+01:00".parse::<W3cDatetime>()?)
        .with_changefreq(ChangeFreq::Daily)
        .with_priority(Priority::new(1.0)?);
    // Each language lists all languages, including itself.
    home.alternates = vec![
        Alternate::new("en", site.clone()),
        Alternate::new("de", site.join("de/")?),
    ];
    // `Url` escapes the é and the ü, and the writer escapes the ampersands.
    let mut journal = UrlEntry::new(site.join("journal/café-in-münster?page=2&sort=date")?);
    let photo = site.join("images/front.jpg")?;
    journal.images = vec![Image::new(photo).with_caption("Door & window")];

    // The first page has no image. The namespace is declared here, so pages with images need not declare it.
    let builder = WriterBuilder::new().declare([Extension::Alternate, Extension::Image]);
    let mut writer = builder.urlset(File::create(&path)?);
    for page in [&home, &journal] {
        writer.write(page)?;
    }
    writer.finish()?;

    let reader = ReaderBuilder::new()
        .policy(Policy::STRICT)
        .from_path(&path)?;
    let read: Vec<_> = reader.collect::<Result<_, _>>()?;
    assert_eq!(read, [home.into(), journal.into()]);
    Ok(())
}
