//! The fuzz targets without a fuzzer, on a stable toolchain: their checks read the saved corpus. With
//! `QUICK_SITEMAP_FUZZ_SECONDS`, each target also reads mutations of its corpus for that time, others in each run.

#[path = "../../fuzz/src/checks/mod.rs"]
mod checks;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use self::checks::Check;
use crate::common::random;

fn fuzz(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(path)
}

fn replay(target: &str) {
    let named = checks::ALL.iter().find(|(name, _)| *name == target);
    let check = named.unwrap().1;
    let mut corpus = Vec::new();
    for file in fs::read_dir(fuzz("corpus").join(target)).unwrap() {
        let path = file.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        run(check, &bytes, |_| path.clone());
        corpus.push(bytes);
    }
    assert!(!corpus.is_empty(), "{target} has no corpus");
    if let Ok(seconds) = std::env::var("QUICK_SITEMAP_FUZZ_SECONDS") {
        let time = Duration::from_secs(seconds.parse().unwrap());
        mutate(target, check, &corpus, time);
    }
}

/// The name of the file precedes the message of the check.
fn run(check: Check, bytes: &[u8], file: impl Fn(&[u8]) -> PathBuf) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(bytes))) {
        eprintln!("in {}", file(bytes).display());
        resume_unwind(panic);
    }
}

fn mutate(target: &str, check: Check, corpus: &[Vec<u8>], time: Duration) {
    let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    let (mut number, words) = (random(seed), dictionary());
    let keep = |bytes: &[u8]| {
        let file = fuzz("artifacts").join(format!("{target}-{seed}"));
        fs::create_dir_all(fuzz("artifacts")).unwrap();
        fs::write(&file, bytes).unwrap();
        file
    };
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time {
        let mut bytes = corpus[number(corpus.len())].clone();
        for _ in 0..=number(4) {
            let at = number(bytes.len() + 1);
            let end = at + number(9).min(bytes.len() - at);
            let word = &words[number(words.len())];
            let other = &corpus[number(corpus.len())];
            let tail = &other[number(other.len() + 1)..];
            match number(6) {
                0 => drop(bytes.splice(at..end, [number(256) as u8])),
                1 => drop(bytes.splice(at..end, word.iter().copied())),
                2 => drop(bytes.splice(at..at, word.iter().copied())),
                3 => drop(bytes.splice(at..end, tail.iter().copied())),
                4 => drop(bytes.splice(at.., tail.iter().copied())),
                _ => drop(bytes.drain(at..end)),
            }
        }
        // As in a run of libFuzzer.
        bytes.truncate(4096);
        run(check, &bytes, keep);
        count += 1;
    }
    println!("{target}: {count} mutations");
}

/// The words of libFuzzer's dictionary.
fn dictionary() -> Vec<Vec<u8>> {
    let word = |line: &str| {
        let mut rest = line.trim_matches('"');
        let mut word = Vec::new();
        while let Some((plain, escaped)) = rest.split_once('\\') {
            word.extend_from_slice(plain.as_bytes());
            rest = escaped;
            if let Some(hex) = rest.strip_prefix('x') {
                word.push(u8::from_str_radix(&hex[..2], 16).unwrap());
                rest = &hex[2..];
            } else {
                word.push(rest.as_bytes()[0]);
                rest = &rest[1..];
            }
        }
        word.extend_from_slice(rest.as_bytes());
        word
    };
    let text = fs::read_to_string(fuzz("sitemap.dict")).unwrap();
    text.lines().map(word).collect()
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
