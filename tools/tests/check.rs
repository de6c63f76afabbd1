//! `sitemap check`, as it is run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]

mod program;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use program::{gzipped, sitemap, utf_16};
use serde_json::Value;

#[test]
fn outputs() {
    let cases = trycmd::TestCases::new();
    for name in ["text", "rules", "formats", "folders"] {
        cases.case(format!("tests/check/{name}.md"));
    }
    // Help is wrapped by a feature of clap's.
    if cfg!(feature = "shell") {
        cases.case("tests/check/help.md");
    }
}

fn stdout(command: &mut assert_cmd::Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

const TEXT: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\r\n\
    <url><loc>https://example.com/a</loc><!-- 日本語 --><priority>1.5</priority></url>\r\n</urlset>";

const FOUND: &str = "\
warning[invalid-priority]: priority `1.5` is not a number from 0.0 to 1.0
 --> <stdin>:2:60
  |
2 | <url><loc>https://example.com/a</loc><!-- 日本語 --><priority>1.5</priority></url>
  |                                                               ^^^ dropped

";

/// The line is shown from what can be read only once, whatever it is packed in, and under wide letters.
#[test]
fn the_place_is_found_in_standard_input() {
    for bytes in [
        TEXT.as_bytes().to_vec(),
        gzipped(TEXT.as_bytes()),
        utf_16(TEXT),
        gzipped(&gzipped(&utf_16(TEXT))),
    ] {
        let mut command = sitemap(&["check", "-"]);
        assert_eq!(stdout(command.write_stdin(bytes)), FOUND);
    }
}

/// A line of many megabytes is cut to what stands round the place, from a file and from a pipe.
#[test]
fn a_giant_line_is_cut() {
    let filler = "x".repeat(8 << 20);
    let text = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!--{filler}--><url><loc>/a</loc></url><!--{filler}--></urlset>"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("giant.xml");
    let place = text.find("/a<").unwrap() + 1;
    for bytes in [text.as_bytes().to_vec(), gzipped(text.as_bytes())] {
        fs::write(&path, &bytes).unwrap();
        let of_file = stdout(&mut sitemap(&["check", path.to_str().unwrap()]));
        let of_pipe = stdout(sitemap(&["check", "-"]).write_stdin(bytes));
        assert_eq!(of_file.replace(path.to_str().unwrap(), "<stdin>"), of_pipe);
        let lines: Vec<_> = of_pipe.lines().collect();
        assert_eq!(lines[1], format!(" --> <stdin>:1:{place}"));
        assert!(
            lines[3].contains("x--><url><loc>/a</loc></url><!--x"),
            "{}",
            lines[3]
        );
        assert!(lines[3].chars().count() <= 120);
        let under = lines[4].find('^').unwrap();
        let shown: String = lines[3].chars().skip(under).take(2).collect();
        assert_eq!(shown, "/a");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let file = "../tests/data/faults.xml";
    let coloured = |command: &mut assert_cmd::Command| stdout(command).contains('\u{1b}');
    assert!(!coloured(&mut sitemap(&["check", file])));
    assert!(!coloured(sitemap(&["check", file]).env("NO_COLOR", "1")));
    assert!(coloured(&mut sitemap(&[
        "check", "--color", "always", file
    ])));
}

/// What stands in a file is shown as text, whatever a terminal would make of it.
#[test]
fn nothing_that_a_terminal_obeys_is_said() {
    for format in ["text", "short", "github"] {
        let mut command = sitemap(&["check", "--format", format, "tests/data/hostile.xml"]);
        let output = command.output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let obeyed = |character: char| {
            (character.is_control() && character != '\n') || character == '\u{202e}'
        };
        assert!(!said.contains(obeyed), "{format}: {said:?}");
        assert!(said.contains("\\u{202e}evil"), "{format}: {said}");
        let line = "2 | <url><loc>https://e.com/\\u{1b}[31mx</loc></url>";
        assert_eq!(said.contains(line), format == "text", "{said}");
    }
    for format in ["json", "sarif"] {
        let said = stdout(&mut sitemap(&[
            "check",
            "--format",
            format,
            "tests/data/hostile.xml",
        ]));
        assert!(!said.contains('\u{1b}'), "{format}: {said:?}");
    }
}

#[test]
fn a_broken_pipe_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nonsense.txt");
    fs::write(
        &path,
        format!("https://example.com/\n{}", "nonsense\n".repeat(100_000)),
    )
    .unwrap();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("sitemap"))
        .args(["check", "--all", "--format", "short"])
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_configuration_of_the_working_folder_holds() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("s.txt"),
        "https://example.com/\nnonsense\n",
    )
    .unwrap();
    let run = || {
        let mut command = sitemap(&["check", "s.txt"]);
        command.current_dir(folder.path());
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    assert_eq!(run().0, Some(1));
    let config = folder.path().join("sitemap.toml");
    fs::write(&config, "[check]\nallow = [\"invalid-url\"]\n").unwrap();
    assert_eq!(run(), (Some(0), String::new()));
    fs::write(&config, "check = 5\n").unwrap();
    assert_eq!(run().0, Some(2));
}

#[test]
fn sarif_is_valid() {
    let schema = include_str!("sarif/sarif-schema-2.1.0.json");
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    // A stray bracket in a pattern for what is not used here (`[a-zA-Z]{2}]?`) makes it no regular expression.
    for definition in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][definition]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let mut of_many = 0;
    for inputs in [
        &["../tests/data/urlset.xml"][..],
        &["tests/data/many.xml"],
        &["--all", "tests/data/many.xml"],
        &[
            "--advice",
            "tests/data",
            "../tests/data",
            "no such file.xml",
        ],
    ] {
        let arguments = [&["check", "--format", "sarif"][..], inputs].concat();
        let log: Value = serde_json::from_str(&stdout(&mut sitemap(&arguments))).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&log)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{inputs:?}: {errors:?}");
        let run = &log["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(
                run["tool"]["driver"]["rules"][index]["id"],
                result["ruleId"]
            );
        }
        if inputs == ["tests/data/many.xml"] {
            of_many = run["results"].as_array().unwrap().len();
            let result = &run["results"][0];
            assert_eq!(result["ruleId"], "invalid-priority");
            assert_eq!(result["level"], "warning");
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "tests/data/many.xml");
            let region = &place["region"];
            let columns = (
                &region["startLine"],
                &region["startColumn"],
                &region["endColumn"],
            );
            assert_eq!(columns, (&2.into(), &52.into(), &55.into()));
            assert_eq!(region["snippet"]["text"], "1.5");
            let invocation = &run["invocations"][0];
            assert_eq!(invocation["exitCode"], 1);
            let hidden = &invocation["toolExecutionNotifications"][0]["message"]["text"];
            assert_eq!(
                hidden,
                "and 7 more of invalid-priority in tests/data/many.xml"
            );
        }
    }
    assert_eq!(of_many, 6);
}

/// What is said of the issues is what the library gives for them.
#[test]
fn json_holds_the_library_s_form() {
    let output = stdout(&mut sitemap(&[
        "check",
        "--format",
        "json",
        "../tests/data/faults.xml",
    ]));
    let found: Vec<quick_sitemap::Issue> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut reader = quick_sitemap::Reader::from_path("../tests/data/faults.xml").unwrap();
    let mut expected = Vec::new();
    while reader.next().is_some() {
        expected.extend_from_slice(reader.issues());
    }
    expected.extend_from_slice(reader.issues());
    assert_eq!(found, expected);
}

/// GitHub shows ten annotations per step, so the table is on the page of the job, after what other steps have written.
#[test]
fn the_summary_is_appended_to_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let (file, step) = (folder.path().join("a|b`c.txt"), folder.path().join("step"));
    fs::write(&file, "https://example.com/\nnonsense\nmore\n").unwrap();
    fs::write(&step, "before\n").unwrap();
    let name = file.to_str().unwrap();
    let run = |arguments: &[&str]| {
        sitemap(&["check", name])
            .args(arguments)
            .env("GITHUB_STEP_SUMMARY", &step)
            .assert()
            .code(1);
        fs::read_to_string(&step).unwrap()
    };
    assert_eq!(run(&["--format", "short"]), "before\n");
    let written = run(&["--format", "github"]);
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(
        lines[..5],
        [
            "before",
            "### sitemap check: 2 errors",
            "",
            "| severity | rule | sitemaps | findings | example |",
            "|---|---|--:|--:|---|",
        ]
    );
    let row = lines[5];
    assert!(
        row.starts_with("| error | `invalid-url` | 1 | 2 | ``"),
        "{row}"
    );
    // The name of the file ends neither the cell nor the code.
    assert_eq!(row.matches('|').count(), 6, "{row}");
    assert!(row.contains("a\\u{7c}b`c.txt:2:1: "), "{row}");
    assert_eq!(lines[6..], ["", "1 sitemap, 1 entry", ""]);
    // A second run follows the first.
    let twice = run(&["--format", "github"]);
    assert_eq!(twice.matches("### sitemap check").count(), 2);
}
