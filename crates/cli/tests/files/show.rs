//! `sitemap show`, as it is run.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::folder::Folder;
use crate::program::{gzipped, huge, printed, sitemap, urlset, utf_16};
use crate::served::Ran;

#[test]
fn outputs() {
    let cases = trycmd::TestCases::new();
    for name in ["table", "values", "failures"] {
        cases.case(format!("tests/show/{name}.md"));
    }
}

const TEXT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
    <url><loc>https://example.com/a</loc></url></urlset>";

#[test]
fn standard_input_in_any_encoding() {
    for bytes in [
        TEXT.as_bytes().to_vec(),
        gzipped(TEXT.as_bytes()),
        utf_16(TEXT),
        gzipped(&utf_16(TEXT)),
    ] {
        let mut command = sitemap(&["show", "--format", "csv", "-"]);
        let output = command.write_stdin(bytes).assert().success();
        output.stdout("kind,loc,lastmod,changefreq,priority,publication_date\nurl,https://example.com/a,,,,\n");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let file = "../../tests/data/urlset.xml";
    let coloured = |command: &mut assert_cmd::Command| {
        let output = command.output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!coloured(&mut sitemap(&["show", file])));
    assert!(!coloured(sitemap(&["show", file]).env("NO_COLOR", "1")));
    assert!(coloured(&mut sitemap(&["show", "--color", "always", file])));
    assert!(!coloured(&mut sitemap(&["show", "--color", "never", file])));
    assert!(coloured(
        sitemap(&["show", file]).env("CLICOLOR_FORCE", "1")
    ));
}

/// The content of a file is shown as text, even if a terminal would interpret it.
#[test]
fn nothing_that_a_terminal_obeys_is_said() {
    let mut command = sitemap(&["show", "--decoded", "tests/data/hostile.xml"]);
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let obeyed =
        |character: char| (character.is_control() && character != '\n') || character == '\u{202e}';
    assert!(!said.contains(obeyed), "{said:?}");
    assert!(said.contains("\nhttps://e.com/%1B%5B2Jü\n"), "{said}");
}

/// A pipe whose reader ends early is not a failure, and ends reading.
#[test]
fn a_broken_pipe_ends_it() {
    for format in ["table", "jsonl", "csv"] {
        let folder = Folder::new();
        let file = huge(folder.0.path(), 200_000);
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("sitemap"))
            .args(["show", "--format", format])
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        drop(lines);
        let ran = Ran::new(child.wait_with_output().unwrap(), "\0");
        assert_eq!((ran.status, &*ran.said), (0, ""), "{format}");
    }
}

#[test]
fn a_row_that_needs_another_column_gets_it() {
    let pages: Vec<_> = (0..100).map(|n| format!("https://e.com/{n}")).collect();
    let pages: Vec<_> = pages.iter().map(String::as_str).collect();
    let last = "<url><loc>https://e.com/last</loc><lastmod>2024-05-06</lastmod></url></urlset>";
    let folder = Folder::new();
    folder.put("s.xml", urlset(&pages).replace("</urlset>", last));
    let output = folder.must("show s.xml", 0).out;
    // The header is repeated before the rows that are written together.
    assert_eq!(output.matches("loc\n").count(), 2, "{output}");
    assert!(output.contains("lastmod     loc\n-           "), "{output}");
    let end = "2024-05-06  https://e.com/last\n101 entries\n";
    assert!(output.ends_with(end), "{output}");
}

/// `Entry`, as the library serializes it, is what is read back.
#[test]
fn json_is_the_library_s_form() {
    for file in ["extensions.xml", "index.xml", "urlset.xml", "atom.xml"] {
        let path = format!("../../tests/data/{file}");
        let lines = printed(&["show", "--format", "jsonl", &path]);
        let read = lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let read: Vec<quick_sitemap::Entry> = read.collect();
        let reader = quick_sitemap::Reader::from_path(&path).unwrap();
        let expected: Vec<_> = reader.collect::<Result<_, _>>().unwrap();
        assert_eq!(read, expected, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"s\xff.txt");
    let path = folder.0.path().join(name);
    // Some file systems do not have such names.
    if std::fs::write(&path, "https://example.com/a\n").is_ok() {
        let output = sitemap(&["show"]).arg(&path).assert().success();
        output.stdout("text\nloc\nhttps://example.com/a\n1 entry\n");
    }
}

/// JSON itself lets a string hold U+009B, which begins an escape sequence, and marks that turn the direction of writing.
#[test]
fn json_lines_are_safe_to_show() {
    let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x'>\
        <url><loc>https://example.com/</loc><x:a>\u{9b}31m\u{202e}\u{fc}</x:a></url></urlset>";
    let folder = Folder::new();
    folder.put("sitemap.xml", text);
    let shown = folder.run("show --format jsonl sitemap.xml").out;
    assert!(shown.contains("\\u009b31m\\u202e\u{fc}"), "{shown}");
    assert!(!shown.contains(['\u{9b}', '\u{202e}']), "{shown}");
}
