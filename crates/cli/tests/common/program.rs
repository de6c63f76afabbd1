//! The built program, and documents for it.

#![allow(dead_code)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub fn sitemap(arguments: &[&str]) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("sitemap"));
    command
        .args(arguments)
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("GITHUB_STEP_SUMMARY");
    command
}

pub fn gzipped(bytes: &[u8]) -> Vec<u8> {
    crate::served::gzip(bytes)
}

/// With a byte order mark, big-endian.
pub fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_be_bytes).collect()
}

/// A sitemap with this number of pages.
pub fn huge(folder: &Path, pages: u32) -> PathBuf {
    let path = folder.join("huge.xml");
    let mut file = BufWriter::new(File::create(&path).unwrap());
    writeln!(
        file,
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
    )
    .unwrap();
    for page in 0..pages {
        writeln!(file, "<url><loc>https://www.example.com/{page}</loc></url>").unwrap();
    }
    writeln!(file, "</urlset>").unwrap();
    file.flush().unwrap();
    path
}

/// The formats of `sitemap check`, as its help lists them.
pub fn formats() -> Vec<String> {
    let help = printed(&["check", "-h"]);
    let (_, values) = help.split_once("How findings are written").unwrap();
    let (_, values) = values.split_once("[possible values:").unwrap();
    let (values, _) = values.split_once(']').unwrap();
    values
        .split(',')
        .map(|value| value.trim().to_owned())
        .collect()
}

/// The names of all advice.
pub fn advice() -> Vec<String> {
    let rules = printed(&["check", "--rules"]);
    let (_, advice) = rules.split_once("Advice (--advice)\n").unwrap();
    let (advice, _) = advice.split_once("\n\n").unwrap();
    let rows = advice.lines().filter(|line| !line.starts_with("   "));
    rows.map(|row| row.split_whitespace().next().unwrap().to_owned())
        .collect()
}

pub fn printed(arguments: &[&str]) -> String {
    String::from_utf8(sitemap(arguments).output().unwrap().stdout).unwrap()
}

pub const NS: &str = "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'";

/// A sitemap with these pages, one per line from line 2 on.
pub fn urlset(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<url><loc>{loc}</loc></url>\n");
    let entries: String = locs.iter().map(entry).collect();
    format!("<urlset {NS}>\n{entries}</urlset>")
}

pub fn index(locs: &[&str]) -> String {
    let entry = |loc: &&str| format!("<sitemap><loc>{loc}</loc></sitemap>\n");
    let entries: String = locs.iter().map(entry).collect();
    format!("<sitemapindex {NS}>\n{entries}</sitemapindex>")
}
