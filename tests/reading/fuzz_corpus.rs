//! The fuzz targets without a fuzzer, on a stable toolchain: their checks read the saved corpus and mutations of it, which
//! are the same in every run. With `QUICK_SITEMAP_FUZZ_SECONDS`, they are others in each run, for that time per target.

#[path = "../../fuzz/src/checks/mod.rs"]
mod checks;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use self::checks::Check;
use crate::common::random;

fn fuzz(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz")
        .join(path)
}

fn replay(target: &str) {
    let named = checks::ALL.iter().find(|(name, _)| *name == target);
    let check = named.unwrap().1;
    let mut corpus = Vec::new();
    let files = fs::read_dir(fuzz("corpus").join(target)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    for path in files {
        let bytes = fs::read(&path).unwrap();
        run(check, &bytes, |_| path.clone());
        corpus.push(bytes);
    }
    assert!(!corpus.is_empty(), "{target} has no corpus");
    match std::env::var("QUICK_SITEMAP_FUZZ_SECONDS") {
        Ok(seconds) => {
            let seed = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
            let end = Instant::now() + Duration::from_secs(seconds.parse().unwrap());
            let count = mutate(target, check, &corpus, seed, |_| Instant::now() > end);
            eprintln!("{target}: {count} mutations");
        }
        Err(_) => drop(mutate(target, check, &corpus, 1, |count| count == 1_000)),
    }
}

/// The name of the file precedes the message of the check.
fn run(check: Check, bytes: &[u8], file: impl Fn(&[u8]) -> PathBuf) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(bytes))) {
        eprintln!("in {}", file(bytes).display());
        resume_unwind(panic);
    }
}

/// Returns the number of mutations.
fn mutate(
    target: &str,
    check: Check,
    corpus: &[Vec<u8>],
    seed: u64,
    is_over: impl Fn(u32) -> bool,
) -> u32 {
    let (mut number, words) = (random(seed), dictionary());
    let keep = |bytes: &[u8]| {
        let file = fuzz("artifacts").join(format!("{target}-{seed}"));
        fs::create_dir_all(fuzz("artifacts")).unwrap();
        fs::write(&file, bytes).unwrap();
        file
    };
    let mut count = 0;
    while !is_over(count) {
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
    count
}

/// The words of libFuzzer's dictionary.
fn dictionary() -> Vec<Vec<u8>> {
    let word = |line: &str| {
        let mut rest = &line[1..line.len() - 1];
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
