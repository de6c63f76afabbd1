//! Publishes one generation of a set, as its arguments specify. `.ci/powerloss` traces this program.
//!
//! usage: generation folder=PATH [pages=N] [from=N] [max=N] [groups=N] [stays=GROUP] [keep=N] [salt=TEXT] [date=DATE]
//! [gzip=1] [fp=1] [grace=SECONDS] [single=1]
//!
//! The pages `from` to `from + pages` are divided between the set itself and its `groups`, in parts of `max`. The URLs of all
//! but the first `keep` pages end in `salt`, and these pages have the date. The group `stays` is kept instead of written.
#![allow(clippy::print_stdout)]

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use quick_sitemap::{SplitWriter, UrlEntry};
use quick_sitemap_set::Directory;

const BASE: &str = "https://example.com/";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = arguments.iter().filter_map(|option| option.split_once('='));
    let options: HashMap<&str, &str> = options.collect();
    let text = |key: &str| options.get(key).copied().unwrap_or_default();
    let number = |key: &str, default: u64| match options.get(key) {
        Some(number) => number.parse(),
        None => Ok(default),
    };
    if text("folder").is_empty() {
        return Err("usage: generation folder=PATH [OPTION=VALUE]…".into());
    }
    let directory = Directory::create(text("folder"), &BASE.parse()?)?
        .gzip(number("gzip", 0)? == 1)
        .fingerprint(number("fp", 0)? == 1)
        .grace(Duration::from_secs(number("grace", 0)?))
        .refuse_below(0);
    let mut site = SplitWriter::new(directory).single(number("single", 0)? == 1);
    let stays = text("stays");
    if !stays.is_empty() {
        site.keep(stays)?;
    }
    let (from, most, groups) = (number("from", 0)?, number("max", 2)?, number("groups", 0)?);
    let mut counts: HashMap<String, u64> = HashMap::new();
    for page in from..from + number("pages", 0)? {
        let group = match page % (groups + 1) {
            0 => String::new(),
            group => format!("g{group}"),
        };
        if !group.is_empty() && group == stays {
            continue;
        }
        let mut entry = if page < number("keep", 0)? {
            UrlEntry::try_from(format!("{BASE}{page}"))?
        } else {
            UrlEntry::try_from(format!("{BASE}{page}{}", text("salt")))?
        };
        if page >= number("keep", 0)? {
            let date = options.get("date").copied().unwrap_or("2024-01-01");
            entry.lastmod = Some(date.parse()?);
        }
        let mut writer = site.group(&group);
        let count = counts.entry(group).or_default();
        if *count > 0 && count.is_multiple_of(most) {
            writer.next_part()?;
        }
        *count += 1;
        writer.write(&entry)?;
    }
    println!("{}", site.finish()?);
    Ok(())
}
