//! Texts that would end a line, steer a terminal or hide something, at every door where the program repeats a text that
//! a user, a file or a server has named.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::ended::ended;
use crate::folder::Folder;
use crate::program::{NS, formats};

/// Each begins a line that a log of GitHub Actions would take for a command, or contains an invisible character.
const HOSTILE: &[&str] = &[
    "a\n::error::owned",
    "a\r::error::owned",
    "a\r\n::error::owned",
    "a\u{1b}[2Jb\u{7f}c\u{80}d\u{9b}31me",
    "a\u{85}::error::owned",
    "a\u{ad}b\u{61c}c\u{180e}d\u{200b}e\u{200c}f\u{200f}g",
    "a\u{2028}b\u{2029}c\u{202a}d\u{202e}e\u{2060}f\u{2066}g\u{2069}h",
    "a\u{feff}b\u{fff9}c\u{fffb}d\u{e0000}e\u{e0041}f\u{e007f}g",
    "a%0A::error::owned",
];

fn is_hostile(character: char) -> bool {
    (character.is_control() && !matches!(character, '\n' | '\t'))
        || matches!(u32::from(character), 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x2069
            | 0xfeff | 0xfff9..=0xfffb | 0xe0000..=0xe007f)
}

/// Runs the program in the folder, and returns its output, whose lines must all be its own.
fn run(folder: &Path, arguments: &[String]) -> String {
    let said = || tempfile::NamedTempFile::new().unwrap();
    let (out, err) = (said(), said());
    let mut child = Command::new(env!("CARGO_BIN_EXE_sitemap"))
        .current_dir(folder)
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .stdout(out.reopen().unwrap())
        .stderr(err.reopen().unwrap())
        .spawn()
        .unwrap();
    ended(&mut child);
    let said = [out, err].map(|file| fs::read_to_string(file.path()).unwrap());
    let said = said.concat();
    // The mark of CSV in a file.
    let is_csv = arguments.iter().any(|word| word == "csv");
    let said = said
        .strip_prefix('\u{feff}')
        .filter(|_| is_csv)
        .unwrap_or(&said)
        .to_owned();
    for line in said.lines() {
        assert!(!line.starts_with("::error::owned"), "{arguments:?}\n{said}");
        // GitHub would make a line feed of it.
        let is_command = arguments.iter().any(|word| word == "github") && line.contains("%0A");
        assert!(!is_command, "{arguments:?}\n{said}");
    }
    assert!(!said.contains(is_hostile), "{arguments:?}\n{said:?}");
    said
}

impl Folder {
    /// Runs the program with these arguments, in which TEXT is the text. They are split at spaces before.
    fn printed(&self, arguments: &str, text: &str) -> String {
        let words = arguments.split(' ').map(|word| word.replace("TEXT", text));
        let words: Vec<_> = words.collect();
        run(self.0.path(), &words)
    }
}

/// A document that breaks rules, and repeats the text in every place that the library quotes.
fn broken(text: &str) -> String {
    format!(
        "<urlset {NS}>\n<url><loc>ftp://example.com/{text}</loc></url>\n<url><loc>https://example.com/{text}</loc>\
         <lastmod>{text}</lastmod><changefreq>{text}</changefreq><priority>{text}</priority><{text}/><{text}:x/></url>\n\
         <x:y xmlns:x='urn:x' {text}=''/>{text}</urlset>"
    )
}

#[test]
fn names_of_files() {
    for &text in HOSTILE {
        let folder = Folder::new();
        folder.put(&format!("site/{text}-sitemap.xml"), broken("x"));
        folder.put(&format!("pages/{text}/sitemap.xml"), "<html/>");
        folder.put(
            &format!("html/{text}.html"),
            "<link rel=canonical href='/elsewhere'>",
        );
        folder.put("urls.txt", "https://example.com/\n");
        let (file, missing) = ("site/TEXT-sitemap.xml", "missing/TEXT-sitemap.xml");
        for format in &formats() {
            for input in ["site", "pages", file, missing] {
                folder.printed(&format!("check --format {format} {input}"), text);
            }
        }
        // The name is there, as text.
        let shown = folder.printed("check --format short site", text);
        let escape = |c: char| match c {
            c if is_hostile(c) || c == '\n' => c.escape_default().to_string(),
            c => c.to_string(),
        };
        let escaped: String = text.chars().map(escape).collect();
        let is_shown = shown.contains(&format!("site/{escaped}-sitemap.xml:"));
        assert!(is_shown, "{shown}");
        for input in [file, missing] {
            for arguments in [
                "show INPUT INPUT",
                "edit INPUT -o out.xml",
                "diff INPUT missing/TEXT-sitemap.xml",
                "write INPUT -o out.xml",
                "check --config INPUT site",
            ] {
                folder.printed(&arguments.replace("INPUT", input), text);
            }
        }
        for out in [file, missing, "TEXT/x.xml", "TEXT"] {
            for base in ["", " --base https://example.com/"] {
                folder.printed(&format!("write urls.txt -o {out}{base}"), text);
            }
        }
        for arguments in [
            "write html -o out.xml --base https://example.com/",
            "write urls.txt -o set --base https://example.com/ --robots missing/TEXT-sitemap.xml",
            "crawl http://127.0.0.1:1/ --retries 0 --resume site/TEXT-sitemap.xml",
            "crawl http://127.0.0.1:1/ --retries 0 --output missing/TEXT-sitemap.xml",
            "crawl http://127.0.0.1:1/ --retries 0 --cacert site/TEXT-sitemap.xml",
            "crawl http://127.0.0.1:1/ --retries 0 --cache site/TEXT-sitemap.xml",
        ] {
            folder.printed(arguments, text);
        }
    }
}

#[test]
fn what_files_hold() {
    for &text in HOSTILE {
        let folder = Folder::new();
        folder.put("sitemap.xml", broken(text));
        folder.put("root.xml", format!("<{text}/>"));
        folder.put("doctype.xml", format!("<!DOCTYPE {text}><urlset {NS}/>"));
        folder.put(
            "encoding.xml",
            format!("<?xml version='1.0' encoding='{text}'?><urlset {NS}/>"),
        );
        folder.put(
            "sitemap.txt",
            format!("https://example.com/\n{text}\nhttps://example.com/{text}\n"),
        );
        let index = format!(
            "<sitemapindex {NS}><sitemap><loc>https://example.com/{text}</loc></sitemap></sitemapindex>"
        );
        folder.put("index.xml", index);
        for name in [
            "sitemap.xml",
            "root.xml",
            "doctype.xml",
            "encoding.xml",
            "sitemap.txt",
            "index.xml",
            ".",
        ] {
            for format in &formats() {
                let options = format!("--advice --all --format {format}");
                folder.printed(&format!("check {options} {name}"), text);
            }
            for format in ["table", "jsonl", "csv", "tsv"] {
                folder.printed(&format!("show --decoded --format {format} {name}"), text);
            }
            folder.printed(&format!("edit {name} -o out/x.xml"), text);
            folder.printed(&format!("diff {name} sitemap.txt"), text);
            folder.printed(&format!("diff --allow-incomplete sitemap.txt {name}"), text);
        }
        // Attributes of other vocabularies, as differences show them.
        for (file, value) in [("a.xml", "1"), ("b.xml", "2")] {
            let element = format!("<x:y xmlns:x='urn:x' n{text}='{value}'/>");
            let page = format!("<url><loc>https://example.com/</loc>{element}</url>");
            folder.put(file, format!("<urlset {NS}>{page}</urlset>"));
        }
        folder.printed("diff a.xml b.xml", text);
        let quoted = serde_json::to_string(text).unwrap();
        let page = "\"loc\":\"https://example.com/\"";
        let row = "https://example.com/,1";
        for (name, list) in [
            ("field.jsonl", format!("{{{page},{quoted}:1}}")),
            ("value.jsonl", format!("{{{page},\"changefreq\":{quoted}}}")),
            (
                "images.jsonl",
                format!("{{{page},\"images\":[{{{quoted}:1}}]}}"),
            ),
            ("column.csv", format!("loc,\"{text}\"\n{row}\n")),
            ("twice.csv", format!("loc,\"{text}\",\"{text}\"\n{row},1\n")),
            (
                "value.csv",
                format!("loc,lastmod\n\"https://example.com/{text}\",\"{text}\"\n\"{text}\",\n"),
            ),
            (
                "value.tsv",
                format!("loc\tlastmod\n\"{text}\"\t\"{text}\"\n"),
            ),
        ] {
            folder.put(name, list);
            for option in ["--quiet", "--skip-invalid", "--ignore-unknown"] {
                folder.printed(&format!("write {name} -o out.xml {option}"), text);
            }
        }
        for (name, toml) in [
            ("key.toml", format!("[check]\n{quoted} = 1\n")),
            ("rule.toml", format!("[check]\ndeny = [{quoted}]\n")),
            ("format.toml", format!("[check]\nformat = {quoted}\n")),
            ("wrong.toml", format!("[check]\n{text}\n")),
        ] {
            // JSON's escapes are TOML's, except for characters that are written unescaped.
            folder.put(name, toml);
            folder.printed(&format!("check --config {name} sitemap.xml"), text);
        }
        let head = format!("<link rel=canonical href='https://example.com/{text}'>");
        folder.put("html/index.html", head);
        folder.printed(
            "write html -o out.xml --base https://www.example.com/",
            text,
        );
        folder.put("cut.json", "{");
        folder.printed(
            "crawl http://127.0.0.1:1/ --retries 0 --resume cut.json",
            text,
        );
    }
}

#[test]
fn values_of_options() {
    for &text in HOSTILE {
        let folder = Folder::new();
        folder.put("urls.txt", "https://example.com/\n");
        folder.put("sitemap.xml", broken("x"));
        for arguments in [
            "TEXT",
            "--TEXT",
            "show sitemap.xml --format TEXT",
            "show sitemap.xml --since TEXT",
            "show sitemap.xml --match (TEXT",
            "show sitemap.xml --limit TEXT",
            "show sitemap.xml --TEXT",
            "show http://127.0.0.1:1/TEXT",
            "check sitemap.xml --deny TEXT",
            "check sitemap.xml --allow TEXT --deny TEXT",
            "check --explain TEXT",
            "check sitemap.xml --location TEXT",
            "check sitemap.xml --location https://example.com/TEXT",
            "check sitemap.xml --color TEXT",
            "write urls.txt -o set --base TEXT",
            "write urls.txt -o set --base https://example.com/TEXT",
            "write urls.txt -o set --base https://example.com/ --name TEXT",
            "write urls.txt -o set --base https://example.org/ --allow-host TEXT",
            "write urls.txt -o out.xml --max-entries TEXT",
            "write urls.txt -o out.xml --from TEXT",
            "write https://example.com/TEXT -o out.xml",
            "edit urls.txt -o out.xml --replace-host TEXT",
            "edit urls.txt -o out.xml --replace-host TEXT=b.example",
            "edit urls.txt -o out.xml --rewrite TEXT",
            "edit urls.txt -o out.xml --rewrite (TEXT=x",
            "edit urls.txt -o out.xml --set-lastmod TEXT",
            "edit urls.txt -o out.xml --drop TEXT",
            "diff urls.txt urls.txt --format TEXT",
            "crawl TEXT",
            "crawl http://127.0.0.1:1/ --retries 0 --header TEXT",
            "crawl http://127.0.0.1:1/ --retries 0 --jobs TEXT",
            "crawl http://127.0.0.1:1/TEXT --retries 0",
        ] {
            folder.printed(arguments, text);
        }
    }
}
