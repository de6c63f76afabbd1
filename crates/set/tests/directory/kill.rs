//! A process that is killed at any moment leaves a complete set. This binary starts itself and is killed.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use quick_sitemap::{Entry, Limits, Policy, ReaderBuilder, SplitWriter, UrlEntry, WriterBuilder};
use quick_sitemap_set::Directory;
use url::Url;

/// Set for the victim: where it writes.
const FOLDER: &str = "QUICK_SITEMAP_KILL_FOLDER";
/// Number of kills; 50 by default.
const KILLS: &str = "QUICK_SITEMAP_KILLS";
const INDEX: &str = "sitemap.xml";

fn base() -> Url {
    "https://example.com/".parse().unwrap()
}

fn random(below: u64) -> u64 {
    RandomState::new().build_hasher().finish() % below
}

/// One run of some size and shape.
fn run(folder: &Path) {
    let mut limits = Limits::default();
    limits.entries = 1 + random(4);
    let settings = WriterBuilder::new().limits(limits);
    let directory = Directory::create(folder, &base()).unwrap();
    let directory = directory.gzip(random(2) == 0).refuse_below(0);
    let mut writer = match random(4) {
        0 => settings.split_text(directory),
        _ => settings.split(directory).single(random(2) == 0),
    };
    for number in 0..random(40) {
        let page = base()
            .join(&format!("{number}/{}", "x".repeat(random(2_000) as usize)))
            .unwrap();
        writer.write(&UrlEntry::new(page)).unwrap();
    }
    writer.finish().unwrap();
}

/// Each visible file is a complete sitemap, and every part that the visible index names exists.
fn check(folder: &Path) -> usize {
    let mut temporaries = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name == ".sitemap.set" {
            // A run that was killed early had not made the folder yet.
            let new = fs::read_dir(path.join("new")).map_or(0, Iterator::count);
            temporaries += new + usize::from(path.join("journal").exists());
            continue;
        }
        let entries = read(&path);
        if name != INDEX {
            assert!(!entries.is_empty(), "{name} is empty");
            continue;
        }
        for part in entries.into_iter().filter_map(Entry::into_sitemap) {
            let part = part.loc.path().trim_start_matches('/');
            assert!(folder.join(part).is_file(), "{part} is missing");
        }
    }
    assert!(folder.join(INDEX).is_file());
    temporaries
}

fn read(path: &Path) -> Vec<Entry> {
    let file = fs::File::open(path).unwrap();
    let mut reader = ReaderBuilder::new().policy(Policy::STRICT).build(file);
    let mut entries = Vec::new();
    while let Some(entry) = reader.next() {
        entries.push(entry.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        assert!(reader.issues().is_empty());
    }
    entries
}

#[test]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    loop {
        run(&folder);
    }
}

#[test]
fn killed_at_any_moment_it_leaves_a_whole_set() {
    let folder = std::env::temp_dir().join(format!("quick-sitemap-kill-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    SplitWriter::new(Directory::create(&folder, &base()).unwrap().refuse_below(0))
        .finish()
        .unwrap();
    let kills = std::env::var(KILLS).map_or(50, |kills| kills.parse().unwrap());
    let mut in_midst = 0;
    for _ in 0..kills {
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::victim"])
            .env(FOLDER, &folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(5_000 + random(60_000)));
        let died = victim.try_wait().unwrap();
        victim.kill().unwrap();
        let output = victim.wait_with_output().unwrap();
        assert!(
            died.is_none(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        in_midst += usize::from(check(&folder) > 0);
    }
    eprintln!("{kills} kills, {in_midst} of them in the midst of a run");
    // The next run sweeps what the last victim left.
    let mut writer = SplitWriter::new(Directory::create(&folder, &base()).unwrap());
    writer.write(&UrlEntry::new(base())).unwrap();
    writer.finish().unwrap();
    assert_eq!(check(&folder), 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    fs::remove_dir_all(&folder).unwrap();
}
