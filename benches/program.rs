//! Instructions per page of the commands of `sitemap`, next to typed reading of the same files.
//!
//! `cargo build --release -p quick-sitemap-cli`, then `cargo bench --bench program`; it needs valgrind. See
//! `benches/README.md` for how they are counted.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod input;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::input::{sitemap, typed};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Pages of the smaller folder; the other one has twice as many.
const PAGES: u64 = 10_000;

/// The arguments of each command, the times that it reads a page, and the most that it may take, in times of typed reading.
const COMMANDS: [(&str, u64, f64); 6] = [
    ("check FOLDER", 1, 2.5),
    ("check FOLDER --advice", 1, 3.5),
    ("report FOLDER -o FOLDER.html", 1, 6.0),
    ("diff FOLDER FOLDER", 2, 4.0),
    ("show FOLDER --format csv", 1, 3.0),
    ("show FOLDER --format jsonl", 1, 3.0),
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, folder] = arguments.as_slice()
        && word == "typed"
    {
        for file in fs::read_dir(folder)? {
            typed(fs::File::open(file?.path())?);
        }
        return Ok(());
    }
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let target = Path::new(&target);
    let program = target.join("release/sitemap").canonicalize()?;
    let root = target.join("bench-program");
    let folders = [PAGES, 2 * PAGES].map(|pages| root.join(pages.to_string()));
    for (folder, pages) in folders.iter().zip([PAGES, 2 * PAGES]) {
        write(folder, pages)?;
    }
    let per_page = |program: &Path, arguments: &str| -> Result<u64> {
        let [few, many] = folders.each_ref().map(|folder| {
            let arguments = arguments.replace("FOLDER", &folder.display().to_string());
            instructions(program, &arguments, &root)
        });
        Ok((many? - few?) / PAGES)
    };
    let floor = per_page(&std::env::current_exe()?, "typed FOLDER")?;
    println!("| command | instructions per page | times typed reading | goal |\n|---|--:|--:|--:|");
    println!("| typed reading | {floor} | 1.00 | |");
    for (arguments, reads, goal) in COMMANDS {
        let count = per_page(&program, arguments)? / reads;
        let times = count as f64 / floor as f64;
        println!("| `{arguments}` | {count} | {times:.2} | {goal} |");
    }
    Ok(())
}

/// An index, and four sitemaps.
fn write(folder: &Path, pages: u64) -> Result<()> {
    fs::create_dir_all(folder)?;
    let whole = sitemap(pages as usize, false);
    let (head, entries) = whole.split_once("  <url>").ok_or("no entry")?;
    let entries = entries.trim_end().trim_end_matches("</urlset>");
    let entries: Vec<_> = entries.split("  <url>").collect();
    let mut index = head.replace("urlset", "sitemapindex");
    for (number, part) in entries.chunks(entries.len().div_ceil(4)).enumerate() {
        let text = format!("{head}  <url>{}</urlset>\n", part.join("  <url>"));
        fs::write(folder.join(format!("part-{number}.xml")), text)?;
        let loc = format!("https://www.example.com/part-{number}.xml");
        index += &format!("  <sitemap>\n    <loc>{loc}</loc>\n  </sitemap>\n");
    }
    Ok(fs::write(
        folder.join("sitemap.xml"),
        index + "</sitemapindex>\n",
    )?)
}

/// The instructions of a whole process, as callgrind counts them.
fn instructions(program: &Path, arguments: &str, root: &Path) -> Result<u64> {
    let out = root.join("callgrind.out");
    let status = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .args(arguments.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    // 0 and 1: findings are a result, too.
    if status.code().is_none_or(|code| code > 1) {
        return Err(format!("{arguments}: {status}").into());
    }
    let text = fs::read_to_string(out)?;
    let line = text.lines().find_map(|line| line.strip_prefix("summary: "));
    Ok(line.ok_or("no summary")?.trim().parse()?)
}
