//! The order of the modules: each imports only from modules before it in the list of CONTRIBUTING.md, so there is no
//! circle of imports. The files inside a module have no circle either.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

/// Documentation only, or re-exports only.
const NO_CODE: [&str; 3] = ["lib", "guide", "main"];

#[test]
fn every_module_imports_only_from_those_before_it() {
    check_order("src", 0);
}

#[test]
fn the_rooms_of_the_program_have_an_order() {
    // A package that was published is alone.
    if Path::new("crates/cli/src").is_dir() {
        check_order("crates/cli/src", 1);
    }
}

#[test]
fn no_command_imports_another() {
    if !Path::new("crates/cli/src").is_dir() {
        return;
    }
    let shared = ["config", "options"];
    let mut files = Vec::new();
    source_files(Path::new("crates/cli/src/commands"), &mut files);
    let mut faults = Vec::new();
    for file in &files {
        let command = module_of("crates/cli/src/commands", file);
        let name = file.strip_prefix("crates/cli/src").unwrap();
        for import in imports(name, file) {
            if import.first().is_some_and(|room| room == "commands")
                && let Some(other) = import.get(1)
                && *other != command
                && !shared.contains(&other.as_str())
            {
                faults.push(format!("{} imports from {other}", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Compares the imports of all files below `root` with the fenced block of that number below the heading `Levels`.
fn check_order(root: &str, block: usize) {
    let order = listed_modules(block);
    let mut files = Vec::new();
    source_files(Path::new(root), &mut files);
    let mut faults = Vec::new();
    for file in &files {
        let module = module_of(root, file);
        if NO_CODE.contains(&module.as_str()) {
            continue;
        }
        let Some(place) = order.get(&module) else {
            faults.push(format!(
                "{module} is missing in the list of CONTRIBUTING.md"
            ));
            continue;
        };
        let name = file.strip_prefix(root).unwrap();
        let imported = imports(name, file);
        for imported in imported.iter().filter_map(|path| path.first()) {
            match order.get(imported) {
                _ if *imported == module => {}
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
        let is_there = files.iter().any(|file| module_of(root, file) == *module);
        assert!(
            is_there,
            "{module} is listed in CONTRIBUTING.md, but there is no such module"
        );
    }
}

/// The modules in a fenced block below the heading `Levels`, and the place of each.
fn listed_modules(block: usize) -> BTreeMap<String, usize> {
    let text = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let (_, section) = text.split_once("\n## Levels\n").unwrap();
    let block = section.split("```text\n").nth(block + 1).unwrap();
    let (block, _) = block.split_once("```").unwrap();
    // The text after two spaces explains the line.
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

/// The file or folder of `root` that it belongs to.
fn module_of(root: &str, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap();
    let first = inside.iter().next().unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// The paths that a file names, from the root of the crate.
fn imports(name: &Path, file: &Path) -> BTreeSet<Vec<String>> {
    let source = Source::new(name, &fs::read_to_string(file).unwrap());
    let paths = source.imports.iter().map(|import| &import.path);
    let paths = paths.chain(&source.paths);
    paths
        .filter_map(|path| absolute(&source.module, path))
        .collect()
}

#[test]
fn there_is_no_circle_of_files() {
    let members = ["arrow", "cli", "crawl", "set"].map(|name| format!("crates/{name}/src"));
    for root in iter::once("src")
        .chain(members.iter().map(String::as_str))
        .map(Path::new)
    {
        if !root.is_dir() {
            // In a published package, the other packages are missing.
            continue;
        }
        let mut files = Vec::new();
        source_files(root, &mut files);
        let files = files.iter().map(|file| {
            let name = file.strip_prefix(root).unwrap();
            Source::new(name, &fs::read_to_string(file).unwrap())
        });
        let faults = circles(&files.collect::<Vec<_>>());
        assert!(
            faults.is_empty(),
            "{}:\n{}",
            root.display(),
            faults.join("\n")
        );
    }
}

#[test]
fn a_circle_of_files_is_named() {
    let circles_of = |parent: &str, child: &str, sibling: &str| {
        circles(&[
            Source::new(Path::new("lib.rs"), "mod room;"),
            Source::new(Path::new("room.rs"), parent),
            Source::new(Path::new("room/child.rs"), child),
            Source::new(Path::new("room/sibling.rs"), sibling),
        ])
    };
    let between_child_and_parent = [
        "circle of files: room.rs imports Child from room/child.rs, room/child.rs imports Shared from room.rs",
    ];
    let parent = "mod child;\nuse self::child::Child;\npub(crate) struct Shared(Child);";
    for child in [
        "use super::Shared;\npub(super) struct Child;",
        "use crate::room::{self, Shared};\npub(super) struct Child;",
        "pub(super) struct Child;\nfn f(_: super::Shared) {}",
        "use crate::room;\npub(super) struct Child;\nfn f(_: &[room::Shared]) {}",
        "#[cfg(test)]\nuse std::fs;\nuse super::Shared;\npub(super) struct Child;",
    ] {
        assert_eq!(circles_of(parent, child, ""), between_child_and_parent);
    }
    for parent in [
        "mod child;\nuse child::Child;\npub(crate) struct Shared(Child);",
        "mod child;\npub(crate) struct Shared(child::Child);",
        "mod child;\npub use self::child::Child;\npub(crate) struct Shared(Child);",
    ] {
        let child = "use super::Shared;\npub(super) struct Child;";
        assert_eq!(circles_of(parent, child, ""), between_child_and_parent);
    }
    // A path through a re-export leads to the file that defines the item.
    assert_eq!(
        circles_of(
            "mod child;\nmod sibling;\npub use self::{child::A, sibling::B};",
            "use super::B;\npub struct A;",
            "use crate::room::A;\npub struct B;",
        ),
        [
            "circle of files: room/child.rs imports B from room/sibling.rs, room/sibling.rs imports A from room/child.rs"
        ]
    );
    // So does a macro of a parent, which its children see without an import.
    let parent = "macro_rules! shared { () => {} }\nmod child;\nstruct Parent(child::Child);";
    assert_eq!(
        circles_of(parent, "pub struct Child;\nshared!();", "").len(),
        1
    );
}

#[test]
fn declarations_comments_and_tests_make_no_circle() {
    let parent = "mod child;\n/// See [`child::Child`].\npub use self::child::Child;\npub(crate) struct Shared;";
    for child in [
        "use super::Shared;\npub struct Child;",
        "/* use super::Shared; */ pub struct Child; const A: &str = \"super::Shared\";",
        "pub struct Child;\n#[cfg(test)]\nmod tests {\n    use super::Child;\n    use super::super::Shared;\n}",
    ] {
        let files = [
            ("lib.rs", "mod room;"),
            ("room.rs", parent),
            ("room/child.rs", child),
        ];
        let files = files.map(|(name, text)| Source::new(Path::new(name), text));
        assert!(circles(&files).is_empty(), "{child}");
    }
}

/// A file, and its references to other files.
struct Source {
    name: String,
    module: Vec<String>,
    /// The items that it defines.
    defined: BTreeSet<String>,
    /// Its macros, which its children see without an import.
    macros: BTreeSet<String>,
    called_macros: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths of at least two names outside imports.
    paths: Vec<Vec<String>>,
    /// All names outside imports.
    words: BTreeSet<String>,
}

/// One name that a `use` brings into scope.
struct Import {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

impl Source {
    fn new(file: &Path, text: &str) -> Self {
        let inside = file.strip_prefix("src").unwrap_or(file);
        let mut module = inside.with_extension("");
        if ["mod", "lib", "main"]
            .map(Path::new)
            .contains(&Path::new(module.file_name().unwrap()))
        {
            module.pop();
        }
        let mut source = Self {
            name: file.display().to_string(),
            module: module
                .iter()
                .map(|name| name.to_str().unwrap().to_owned())
                .collect(),
            defined: BTreeSet::new(),
            macros: BTreeSet::new(),
            called_macros: BTreeSet::new(),
            imports: Vec::new(),
            paths: Vec::new(),
            words: BTreeSet::new(),
        };
        source.read(&tokens(text));
        source
    }

    fn read(&mut self, tokens: &[&str]) {
        const ITEMS: [&str; 9] = [
            "fn",
            "struct",
            "enum",
            "union",
            "trait",
            "type",
            "const",
            "static",
            "macro_rules",
        ];
        let token = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let mut at = 0;
        let mut is_public = false;
        let mut depth = 0_usize;
        // The depth of braces at which the variants of the current enum are. Variants are not items.
        let mut variants = None;
        while at < tokens.len() {
            let (before, here) = (token(at.wrapping_sub(1)), token(at));
            match here {
                "pub" => is_public = true,
                "use" if is_name(token(at + 1)) => {
                    at = self.read_use(tokens, at + 1, &[], is_public);
                }
                "#" if tokens[at..].starts_with(&["#", "[", "cfg", "(", "test", ")", "]"]) => {
                    at = end_of_item(tokens, at + 7);
                    continue;
                }
                ";" => is_public = false,
                "(" | "[" | "{" => {
                    is_public &= here != "{";
                    depth += 1;
                }
                ")" | "]" | "}" => {
                    is_public &= here != "}";
                    variants = variants.filter(|at| *at != depth);
                    depth = depth.saturating_sub(1);
                }
                _ if variants == Some(depth) && ["{", ",", "]"].contains(&before) => {}
                "macro_rules" => {
                    self.macros.insert(token(at + 2).to_owned());
                    self.defined.insert(token(at + 2).to_owned());
                    at += 2;
                }
                "mod" => at += 1,
                _ if ITEMS.contains(&here) && is_name(token(at + 1)) => {
                    if depth == 0 {
                        self.defined.insert(token(at + 1).to_owned());
                    }
                    if here == "enum" {
                        variants = Some(depth + 1);
                    }
                    at += 1;
                }
                _ if is_name(here) && before != "." && before != "::" => {
                    let mut path = vec![here.to_owned()];
                    while token(at + 1) == "::" && is_name(token(at + 2)) {
                        path.push(token(at + 2).to_owned());
                        at += 2;
                    }
                    self.words.insert(here.to_owned());
                    if path.len() > 1 {
                        self.paths.push(path);
                    } else if token(at + 1) == "!" {
                        self.called_macros.insert(here.to_owned());
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Reads a tree of imports from `at` on, and returns where it ends.
    fn read_use(
        &mut self,
        tokens: &[&str],
        mut at: usize,
        head: &[String],
        is_public: bool,
    ) -> usize {
        let mut path = head.to_vec();
        loop {
            match tokens.get(at).copied().unwrap_or(";") {
                "::" => {}
                "{" => {
                    while tokens.get(at).is_some_and(|token| *token != "}") {
                        at = self.read_use(tokens, at + 1, &path, is_public);
                    }
                    return at + 1;
                }
                name if is_name(name) && name != "as" => path.push(name.to_owned()),
                // The end of the tree, or `as`.
                end => {
                    if path.len() > 1 {
                        path.pop_if(|last| last == "self");
                    }
                    let mut name = path.last().cloned();
                    if end == "as" {
                        name = tokens.get(at + 1).map(|name| (*name).to_owned());
                        at += 2;
                    }
                    if let Some(name) = name.filter(|_| path.len() > head.len() || end != "}") {
                        self.imports.push(Import {
                            path,
                            name,
                            is_public,
                        });
                    }
                    return at;
                }
            }
            at += 1;
        }
    }
}

/// A path from the root of the crate on; `None` if it begins neither there nor at this module nor above it.
fn absolute(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let first = path.first()?;
    let (mut whole, mut rest) = match first.as_str() {
        "crate" => (Vec::new(), path.get(1..)?),
        "self" => (module.to_vec(), path.get(1..)?),
        "super" => (module.to_vec(), path),
        _ => return None,
    };
    while let Some(("super", later)) = rest
        .split_first()
        .map(|(name, later)| (name.as_str(), later))
    {
        whole.pop()?;
        rest = later;
    }
    whole.extend_from_slice(rest);
    Some(whole)
}

/// The files of one crate.
struct Files<'a>(BTreeMap<&'a [String], &'a Source>);

impl<'a> Files<'a> {
    /// The file that defines what a path in a file leads to, and the last name of the path. `None` for a module, and
    /// for items of other crates.
    fn find(
        &self,
        from: &'a Source,
        path: &[String],
        depth: usize,
    ) -> Option<(&'a Source, String)> {
        if depth > 8 {
            // Imports that lead to each other.
            return None;
        }
        let first = path.first()?;
        let Some(whole) = absolute(&from.module, path) else {
            let child = [from.module.as_slice(), path].concat();
            if self.0.contains_key(child.get(..=from.module.len())?) {
                return self.find_absolute(&child, depth);
            }
            let import = from.imports.iter().find(|import| import.name == *first)?;
            // The first name of a path in an import may be that of a crate.
            if import.path.first() == Some(first) {
                return None;
            }
            let path = [import.path.as_slice(), path.get(1..)?].concat();
            return self.find(from, &path, depth + 1);
        };
        self.find_absolute(&whole, depth)
    }

    fn find_absolute(&self, path: &[String], depth: usize) -> Option<(&'a Source, String)> {
        let prefixes = (0..=path.len())
            .rev()
            .filter_map(|len| path.split_at_checked(len));
        let mut known = prefixes.filter_map(|(module, rest)| Some((*self.0.get(module)?, rest)));
        let (file, rest) = known.next()?;
        let name = rest.first()?;
        if !file.defined.contains(name) && file.imports.iter().any(|import| import.name == *name) {
            return self.find(file, rest, depth + 1);
        }
        Some((file, name.clone()))
    }

    /// The files that a file imports from, and the names.
    fn imports(&self, file: &'a Source) -> BTreeMap<&'a str, BTreeSet<String>> {
        let mut found = BTreeMap::<_, BTreeSet<_>>::new();
        let imports = file.imports.iter().filter_map(|import| {
            let (there, name) = self.find(file, &import.path, 0)?;
            // A parent that only re-exports an item of a child does not depend on it.
            let is_reexport = import.is_public && there.module.starts_with(&file.module);
            (!is_reexport || file.words.contains(&import.name)).then_some((there, name))
        });
        let paths = file
            .paths
            .iter()
            .filter_map(|path| self.find(file, path, 0));
        let macros = file.called_macros.iter().filter_map(|name| {
            let is_own = file.macros.contains(name)
                || file.imports.iter().any(|import| import.name == *name);
            let above = (0..file.module.len()).rev().filter(|_| !is_own);
            let mut parents = above.filter_map(|len| self.0.get(file.module.get(..len)?));
            let parent = parents.find(|parent| parent.macros.contains(name))?;
            Some((*parent, name.clone()))
        });
        for (there, name) in imports.chain(paths).chain(macros) {
            if there.name != file.name {
                found.entry(there.name.as_str()).or_default().insert(name);
            }
        }
        found
    }
}

/// A shortest circle through each file that is in one, each circle once.
fn circles(files: &[Source]) -> Vec<String> {
    let by_module = Files(
        files
            .iter()
            .map(|file| (file.module.as_slice(), file))
            .collect(),
    );
    let imports: BTreeMap<&str, _> = files
        .iter()
        .map(|file| (file.name.as_str(), by_module.imports(file)))
        .collect();
    let mut found = BTreeMap::new();
    for first in imports.keys() {
        // The file by which each was reached, breadth first.
        let mut reached = BTreeMap::new();
        let mut waiting = std::collections::VecDeque::from([*first]);
        while let Some(file) = waiting.pop_front().filter(|_| !reached.contains_key(first)) {
            for there in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
                reached.entry(*there).or_insert_with(|| {
                    waiting.push_back(there);
                    file
                });
            }
        }
        let Some(mut file) = reached.get(first).copied() else {
            continue;
        };
        let mut circle = vec![*first];
        while file != *first {
            circle.insert(1, file);
            file = reached[file];
        }
        let arrows = circle
            .iter()
            .zip(circle.iter().cycle().skip(1))
            .map(|(from, to)| {
                let names = imports[from][to]
                    .iter()
                    .map(String::as_str)
                    .collect::<Vec<_>>();
                format!("{from} imports {} from {to}", names.join(", "))
            });
        let text = format!("circle of files: {}", arrows.collect::<Vec<_>>().join(", "));
        found
            .entry(circle.into_iter().collect::<BTreeSet<_>>())
            .or_insert(text);
    }
    found.into_values().collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The end of the item that begins at `at`: after its `;`, its `,` or its braces.
fn end_of_item(tokens: &[&str], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 0 => return at,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 && [";", ",", "}"].contains(token) {
            break;
        }
    }
    at
}

/// The names and marks of a source, without comments, texts, characters and lifetimes.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let raw = rest.strip_prefix('b').unwrap_or(rest).strip_prefix('r');
        let raw = raw.filter(|raw| raw.trim_start_matches('#').starts_with('"'));
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(raw) = raw {
            let hashes = raw.len() - raw.trim_start_matches('#').len();
            let end = format!("\"{}", "#".repeat(hashes));
            let (open, inside) = raw.split_at(hashes + 1);
            let close = inside
                .find(&end)
                .map_or(inside.len(), |close| close + end.len());
            rest.len() - raw.len() + open.len() + close
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            // A lifetime has no second quote, or one after a longer name.
            match rest.chars().nth(2) {
                Some('\'') => 2 + rest.chars().nth(1).map_or(0, char::len_utf8),
                _ if rest.starts_with("'\\") => quoted(rest, '\''),
                _ => 1,
            }
        } else if word > 0 {
            found.push(&rest[..word]);
            word
        } else {
            let len = if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                found.push(&rest[..len]);
            }
            len
        };
        rest = &rest[len..];
    }
    found
}

/// The length of a literal that `rest` begins with.
fn quoted(rest: &str, quote: char) -> usize {
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        if c == '\\' {
            characters.next();
        } else if c == quote {
            return at + 1;
        }
    }
    rest.len()
}
