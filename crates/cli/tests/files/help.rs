//! The help texts of all commands in one file. An option that several commands have is in it once.

use std::collections::HashSet;
use std::fmt::Write;

use crate::program::printed;
use crate::written;

/// The blocks of a help text: an option with its description, or a line of another kind. The blank lines between options
/// are left out.
fn blocks(help: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in help.lines().map(str::trim_end) {
        let is_option = |block: &String| block.trim_start().starts_with('-');
        match blocks.last_mut().filter(|block| is_option(block)) {
            Some(option) if line.is_empty() || line.starts_with("          ") => {
                *option += "\n";
                *option += line;
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    let blocks = blocks.iter().map(|block| block.trim_end().to_owned());
    blocks.collect()
}

/// The names of the options, without those that are only in the other text.
fn options(help: &str) -> Vec<&str> {
    let lines = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'));
    let words = lines.flat_map(|line| line.split_whitespace().take(2));
    words.filter(|word| word.starts_with("--")).collect()
}

#[test]
fn help() {
    let general = printed(&["--help"]);
    let (_, commands) = general.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let mut seen = HashSet::new();
    let mut text = format!("$ sitemap --help\n{}\n", blocks(&general).join("\n"));
    let names = commands.filter_map(|line| line.split_whitespace().next());
    for command in names.filter(|name| *name != "help") {
        let long = printed(&["help", command]);
        assert_eq!(printed(&[command, "--help"]), long);
        write!(text, "\n$ sitemap {command} --help").unwrap();
        let mut is_above = false;
        for block in blocks(&long) {
            let was_above = is_above;
            is_above = block.trim_start().starts_with('-') && !seen.insert(block.clone());
            match block.lines().next() {
                Some(name) if is_above => {
                    let begin = if was_above { "," } else { "\n  as above:" };
                    write!(text, "{begin} {}", name.trim_start()).unwrap();
                }
                _ => write!(text, "\n{block}").unwrap(),
            }
        }
        text.push('\n');
        let short = printed(&[command, "-h"]);
        let short = options(&short);
        let only_long = options(&long)
            .into_iter()
            .filter(|name| !short.contains(name));
        let only_long: Vec<_> = only_long.collect();
        if !only_long.is_empty() {
            writeln!(text, "Not in -h: {}", only_long.join(" ")).unwrap();
        }
    }
    written::compare("tests/help.txt", &text, "files help");
}
