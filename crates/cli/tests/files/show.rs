//! `sitemap show`, as it is run.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use crate::folder::Folder;
use crate::program::{gzipped, huge, sitemap, utf_16};

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
        let mut errors = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        assert_eq!(
            (child.wait().unwrap().code(), errors.as_str()),
            (Some(0), ""),
            "{format}"
        );
    }
}

#[test]
fn a_row_that_needs_another_column_gets_it() {
    let mut text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    for number in 0..100 {
        text.push_str(&format!(
            "<url><loc>https://example.com/{number}</loc></url>"
        ));
    }
    text.push_str(
        "<url><loc>https://example.com/last</loc><lastmod>2024-05-06</lastmod></url></urlset>",
    );
    let mut command = sitemap(&["show", "-"]);
    let output = command.write_stdin(text).assert().success();
    let output = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    // The header is repeated before the rows that are written together.
    assert_eq!(output.matches("loc\n").count(), 2, "{output}");
    assert!(output.contains("lastmod     loc\n-           "), "{output}");
    assert!(
        output.ends_with("2024-05-06  https://example.com/last\n101 entries\n"),
        "{output}"
    );
}

/// `Entry`, as the library serializes it, is what is read back.
#[test]
fn json_is_the_library_s_form() {
    for file in ["extensions.xml", "index.xml", "urlset.xml", "atom.xml"] {
        let path = format!("../../tests/data/{file}");
        let output = sitemap(&["show", "--format", "jsonl", &path])
            .output()
            .unwrap();
        let read: Vec<quick_sitemap::Entry> = output
            .stdout
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect();
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
    let path = folder
        .0
        .path()
        .join(std::ffi::OsStr::from_bytes(b"s\xff.txt"));
    // Some file systems do not have such names.
    if std::fs::write(&path, "https://example.com/a\n").is_ok() {
        let mut command = sitemap(&["show"]);
        command
            .arg(&path)
            .assert()
            .success()
            .stdout("text\nloc\nhttps://example.com/a\n1 entry\n");
    }
}

/// JSON itself lets a string hold U+009B, which begins an escape sequence, and marks that turn the direction of writing.
#[test]
fn json_lines_are_safe_to_show() {
    let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='urn:x'>\
        <url><loc>https://example.com/</loc><x:a>\u{9b}31m\u{202e}\u{fc}</x:a></url></urlset>";
    let folder = Folder::new();
    let file = folder.path("sitemap.xml");
    std::fs::write(&file, text).unwrap();
    let mut command = sitemap(&["show", "--format", "jsonl"]);
    let output = command.arg(&file).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("\\u009b31m\\u202e\u{fc}"), "{shown}");
    assert!(!shown.contains(['\u{9b}', '\u{202e}']), "{shown}");
}
