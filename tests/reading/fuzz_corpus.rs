//! The saved corpus of the fuzz targets, replayed without a fuzzer.

#[path = "../../fuzz/src/checks/mod.rs"]
mod checks;

use std::fs;
use std::path::Path;

fn replay(target: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let (_, check) = checks::ALL
        .iter()
        .find(|(name, _)| *name == target)
        .unwrap();
    let mut count = 0;
    for file in fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        // The name of the file precedes the message of the check.
        if let Err(panic) = std::panic::catch_unwind(|| check(&bytes)) {
            eprintln!("{target}: {}", path.display());
            std::panic::resume_unwind(panic);
        }
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn reading() {
    replay("reading");
}

#[test]
fn structured() {
    replay("structured");
}

#[test]
fn differential() {
    replay("differential");
}

#[test]
fn round_trip() {
    replay("round_trip");
}

#[test]
fn values() {
    replay("values");
}

#[test]
fn url() {
    replay("url");
}

#[test]
fn gzip() {
    replay("gzip");
}
