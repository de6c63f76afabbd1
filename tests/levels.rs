//! The order of the modules: each imports only from those that stand before it in the list of CONTRIBUTING.md, so there
//! is no circle of imports.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Documentation only, or re-exports only.
const NO_CODE: [&str; 3] = ["lib", "cookbook", "guide"];

#[test]
fn every_module_imports_only_from_those_before_it() {
    let order = listed_modules();
    let mut files = Vec::new();
    source_files(Path::new("src"), &mut files);
    let mut faults = Vec::new();
    for file in &files {
        let module = module_of(file);
        if NO_CODE.contains(&module.as_str()) {
            continue;
        }
        let Some(place) = order.get(&module) else {
            faults.push(format!(
                "{module} is missing in the list of CONTRIBUTING.md"
            ));
            continue;
        };
        for imported in imports(&code(&fs::read_to_string(file).unwrap())) {
            match order.get(&imported) {
                _ if imported == module => {}
                Some(other) if other < place => {}
                Some(_) => faults.push(format!("{} imports from {imported}", file.display())),
                None => {}
            }
        }
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for module in order.keys() {
        let is_there = files.iter().any(|file| module_of(file) == *module);
        assert!(
            is_there,
            "{module} is listed in CONTRIBUTING.md, but there is no such module"
        );
    }
}

/// The modules in the fenced block below the heading `Levels`, and the place of each.
fn listed_modules() -> BTreeMap<String, usize> {
    let text = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let (_, section) = text.split_once("\n### Levels\n").unwrap();
    let (_, block) = section.split_once("```text\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    // What stands behind two spaces explains the line.
    let names = block.lines().flat_map(|line| {
        let (names, _) = line.split_once("  ").unwrap_or((line, ""));
        names.split(' ')
    });
    let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
    names.zip(0..).collect()
}

fn source_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_name().is_some_and(|name| name != "tests.rs")
        {
            files.push(path);
        }
    }
}

/// The file or folder of `src` that it belongs to.
fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix("src").unwrap();
    let first = inside.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// Without comments and unit tests.
fn code(text: &str) -> String {
    let (text, _) = text
        .split_once("#[cfg(test)]\nmod tests {")
        .unwrap_or((text, ""));
    let lines = text
        .lines()
        .map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules that are named behind `crate::`, what the root re-exports left out.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, rest) in code
        .match_indices("crate::")
        .map(|(at, name)| code.split_at(at + name.len()))
    {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        match rest.split_at(end) {
            ("", group) if group.starts_with('{') => {
                panic!("one import a line: crate::{group:.40}")
            }
            (name, _) => found.push(name.to_owned()),
        }
    }
    found
}
