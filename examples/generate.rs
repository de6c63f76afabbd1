//! Writes the sitemap of a small site, and its gzipped twin.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flate2::{Compression, write::GzEncoder};
use quick_sitemap::extension::{Alternate, Image};
use quick_sitemap::{
    ChangeFreq, Entry, Namespace, Policy, Priority, ReaderBuilder, UrlEntry, W3cDatetime,
    WriterBuilder,
};

const HELP: &str = "\
Writes the sitemap of a small site as sitemap.xml and sitemap.xml.gz, then reads both back strictly.

Usage: generate [DIRECTORY]

Arguments:
  DIRECTORY  where the files go; it is made if need be [default: one in the temporary directory]

Options:
  --help     this text

Exit status: 0 written and read back, 2 not.
";

/// Path, last change, how often it changes, priority: what a site's own database would say.
const PAGES: &[(&str, &str, ChangeFreq, f32)] = &[
    ("", "2025-03-14T09:26:53+01:00", ChangeFreq::Daily, 1.0),
    ("shop/", "2025-03-14", ChangeFreq::Daily, 0.9),
    (
        "shop/kettles?sort=price&page=2",
        "2025-03-13",
        ChangeFreq::Weekly,
        0.7,
    ),
    (
        "shop/kettles/stove-top-1.2-l",
        "2025-02-28",
        ChangeFreq::Weekly,
        0.6,
    ),
    ("journal/", "2025-03-10", ChangeFreq::Weekly, 0.5),
    (
        "journal/2019/café-opening-in-münster",
        "2019-08-03",
        ChangeFreq::Never,
        0.2,
    ),
    ("imprint", "2024-01-02", ChangeFreq::Yearly, 0.0),
];

fn main() -> ExitCode {
    let mut out = io::stdout();
    let done = match directory() {
        Ok(Some(directory)) => generate(&directory, &mut out),
        Ok(None) => out.write_all(HELP.as_bytes()).map_err(Into::into),
        Err(error) => Err(format!("{error}; see --help").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "generate: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// `None`: only help is wanted.
fn directory() -> Result<Option<PathBuf>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut directory = None;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(None),
            Value(path) if directory.is_none() => directory = Some(PathBuf::from(path)),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(Some(directory.unwrap_or_else(|| {
        std::env::temp_dir().join(format!("sitemap-{}", std::process::id()))
    })))
}

fn generate(directory: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let pages = pages()?;
    fs::create_dir_all(directory)?;
    let plain = directory.join("sitemap.xml");
    let gzipped = directory.join("sitemap.xml.gz");

    write(File::create(&plain)?, &pages)?;
    // The encoder comes back from the writer, and is finished by whoever made it.
    let encoder = GzEncoder::new(File::create(&gzipped)?, Compression::best());
    write(encoder, &pages)?.finish()?;

    for path in [plain, gzipped] {
        let bytes = fs::metadata(&path)?.len();
        if read(&path)? != pages {
            return Err(format!("{} does not hold what was written", path.display()).into());
        }
        writeln!(
            out,
            "{}: {} pages in {bytes} bytes, read back strictly",
            path.display(),
            pages.len()
        )?;
    }
    Ok(())
}

fn pages() -> Result<Vec<UrlEntry>, Box<dyn Error>> {
    let base: quick_sitemap::url::Url = "https://www.example.com/".parse()?;
    let mut pages = Vec::new();
    for &(path, lastmod, changefreq, priority) in PAGES {
        // `Url` escapes the é and the ü, the writer the ampersand.
        let page = UrlEntry::new(base.join(path)?)
            .with_lastmod(lastmod.parse::<W3cDatetime>()?)
            .with_changefreq(changefreq)
            .with_priority(Priority::new(priority)?);
        pages.push(page);
    }
    if let Some(home) = pages.first_mut() {
        home.alternates = vec![
            Alternate::new("en", base.clone()),
            Alternate::new("de", base.join("de/")?),
        ];
    }
    if let Some(product) = pages.get_mut(3) {
        let photo = base.join("images/kettle-front.jpg")?;
        product
            .images
            .push(Image::new(photo).with_caption("Front & handle"));
    }
    Ok(pages)
}

fn write<W: Write>(output: W, pages: &[UrlEntry]) -> quick_sitemap::Result<W> {
    // The first page has no image; declared here, the namespace need not be at every page that has one.
    let mut writer = WriterBuilder::new()
        .declare([Namespace::IMAGE])
        .urlset(output);
    for page in pages {
        writer.write(page)?;
    }
    writer.finish()
}

fn read(path: &Path) -> Result<Vec<UrlEntry>, Box<dyn Error>> {
    let reader = ReaderBuilder::new()
        .policy(Policy::STRICT)
        .build(File::open(path)?);
    let entries = reader.collect::<quick_sitemap::Result<Vec<Entry>>>()?;
    Ok(entries.into_iter().filter_map(Entry::into_url).collect())
}
