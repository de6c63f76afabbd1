//! `sitemap check`, as it is run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::folder::Folder;
use crate::program::{formats, gzipped, printed, sitemap, utf_16};
use crate::served::Ran;
use serde_json::{Value, json};

#[test]
fn outputs() {
    let cases = trycmd::TestCases::new();
    // Names of files are those below the root of the repository.
    cases.env("GITHUB_WORKSPACE", ".");
    for name in ["text", "rules", "formats", "folders"] {
        cases.case(format!("tests/check/{name}.md"));
    }
}

/// A format without a block has no test of its own.
#[test]
fn every_format_has_an_output() {
    let blocks = include_str!("../check/formats.md");
    for format in formats().iter().filter(|format| *format != "text") {
        let command = format!("\n$ sitemap check --format {format} tests/data/many.xml");
        let is_shown = blocks.contains(&command);
        assert!(is_shown, "tests/check/formats.md: {format}");
    }
}

/// What costs pages at a search engine; all other rules are warnings, or advice.
#[test]
fn rules_that_are_errors() {
    let rules = printed(&["check", "--rules"]);
    let rows = rules.lines().map(|line| line.split_whitespace().collect());
    let errors = rows.filter_map(|row: Vec<_>| (row.get(1) == Some(&"error")).then(|| row[0]));
    let expected = "missing-loc relative-url outside-location second-loc misplaced-entry wrong-namespace \
        wrong-case second-root wrapped-root too-many-entries too-many-bytes internal \
        not-well-formed template missing-part unreachable-part missing-page empty-index \
        invalid-row forbids-the-site unreadable-robots http-listed-on-https nested-index \
        unreachable-host disallowed-sitemap io gzip unknown-root not-a-sitemap truncated \
        limit-exceeded";
    let errors = errors.collect::<Vec<_>>().join(" ");
    assert_eq!(
        errors, expected,
        "a rule became an error, or is none any more"
    );
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
  |                                                               ^^^ value dropped

";

/// The line is shown for input that can be read only once, for every packing, and under wide letters.
#[test]
fn the_place_is_found_in_standard_input() {
    for bytes in [
        TEXT.as_bytes().to_vec(),
        gzipped(TEXT.as_bytes()),
        utf_16(TEXT),
        gzipped(&gzipped(&utf_16(TEXT))),
    ] {
        let mut command = sitemap(&["check", "-", "--allow", "not-utf-8"]);
        assert_eq!(stdout(command.write_stdin(bytes)), FOUND);
    }
}

/// A line of many megabytes is cut to the part around the place, from a file and from a pipe.
#[test]
fn a_giant_line_is_cut() {
    let filler = "x".repeat(8 << 20);
    let text = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><!--{filler}--><url><loc>/a</loc></url><!--{filler}--></urlset>"
    );
    let folder = Folder::new();
    let place = text.find("/a<").unwrap() + 1;
    for bytes in [text.as_bytes().to_vec(), gzipped(text.as_bytes())] {
        folder.put("giant.xml", &bytes);
        let of_file = folder.run("check giant.xml").out;
        let of_pipe = stdout(sitemap(&["check", "-"]).write_stdin(bytes));
        assert_eq!(of_file.replace("giant.xml", "<stdin>"), of_pipe);
        let lines: Vec<_> = of_pipe.lines().collect();
        assert_eq!(lines[1], format!(" --> <stdin>:1:{place}"));
        let is_around = lines[3].contains("x--><url><loc>/a</loc></url><!--x");
        assert!(is_around && lines[3].chars().count() <= 120, "{}", lines[3]);
        let under = lines[4].find('^').unwrap();
        let shown: String = lines[3].chars().skip(under).take(2).collect();
        assert_eq!(shown, "/a");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let file = "../../tests/data/faults.xml";
    let coloured = |command: &mut assert_cmd::Command| stdout(command).contains('\u{1b}');
    assert!(!coloured(&mut sitemap(&["check", file])));
    assert!(!coloured(sitemap(&["check", file]).env("NO_COLOR", "1")));
    let always = ["check", "--color", "always", file];
    assert!(coloured(&mut sitemap(&always)));
}

/// A password in a URL of the file is in no format, and the place stays underlined.
#[test]
fn no_format_shows_a_password() {
    let text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
        <url><loc>https://user:secret@example.com/a</loc><priority>1.5</priority></url>\n\
        <url><loc>https://user:secret@example.com/a</loc><lastmod>x</lastmod></url>\n\
        <url><loc>https://user:secret@example.com/a b</loc><lastmod>2999-01-01</lastmod></url>\n</urlset>";
    let rows = "{\"loc\":\"https:\\/\\/user:secret@example.com\\/\",\"lastmod\":1}\n";
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
        <sitemap><loc>https://user:secret@example.com/part.xml</loc></sitemap></sitemapindex>";
    let folder = Folder::new();
    folder
        .put("site/sitemap.xml", index)
        .put("must.txt", "https://user:secret@example.org/\n")
        .put("a.xml", text)
        .put("a.jsonl", rows);
    for format in &formats() {
        let check = format!("check --format {format}");
        let mut findings = 0;
        for input in ["a.xml", "a.jsonl", "site"] {
            let ran = folder.run(&format!("{check} --advice {input}"));
            let said = ran.out + &ran.said;
            assert!(!said.contains("secret"), "{format}: {said}");
            findings += said.matches("***@example.com").count();
        }
        // The messages of the library name the value, those of the program the page.
        assert!(findings >= 2, "{format}: {findings}");
        let ran = folder.run(&format!("{check} --must-list must.txt a.xml"));
        let said = ran.out + &ran.said;
        let is_hidden = !said.contains("secret") && said.contains("***@example.org");
        assert!(is_hidden, "{format}: {said}");
    }
    folder.run("check a.xml").prints(
        "\
2 | <url><loc>https://***@example.com/a</loc><priority>1.5</priority></url>
  |                                                    ^^^ value dropped
",
    );
    let sarif: Value = serde_json::from_str(&folder.run("check --format sarif a.xml").out).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap().iter();
    let regions = results.map(|result| &result["locations"][0]["physicalLocation"]["region"]);
    let lines: Vec<_> = text.lines().collect();
    for region in regions {
        let number = |name: &str| region[name].as_u64().unwrap() as usize;
        let line = lines[number("startLine") - 1];
        let marked = &line[number("startColumn") - 1..number("endColumn") - 1];
        let snippet = region["snippet"]["text"].as_str().unwrap();
        assert_eq!(marked.replace("user:secret@", "***@"), snippet);
    }
}

/// Tags without effect, a date that is that of the build, XSLT.
#[test]
fn advice_on_what_has_no_effect() {
    let dates = (0..20).map(|n| match n {
        ..6 => "2024-05-06T07:08:09Z".to_owned(),
        _ => format!("20{n:02}-01-01"),
    });
    let page =
        |date| format!("<url><loc>https://example.com/</loc><lastmod>{date}</lastmod></url>\n");
    let pages: String = dates.map(page).collect();
    let text = format!(
        "<?xml version='1.0'?>\n<?xml-stylesheet type='text/xsl' href='https://user:secret@example.com/a.xsl'?>\n\
         <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' \
         xmlns:image='http://www.google.com/schemas/sitemap-image/1.1' \
         xmlns:video='http://www.google.com/schemas/sitemap-video/1.1'>\n{pages}\
         <url><loc>https://example.com/a</loc><image:image><image:loc>https://example.com/i.png</image:loc>\
         <image:caption>A</image:caption><image:title>B</image:title></image:image>\
         <image:image><image:loc>https://example.com/j.png</image:loc><image:caption>C</image:caption></image:image>\
         <video:video><video:thumbnail_loc>https://example.com/t.png</video:thumbnail_loc><video:title>T</video:title>\
         <video:description>D</video:description>\
         <video:player_loc allow_embed='yes'>https://example.com/p</video:player_loc>\
         <video:category>E</video:category><video:tvshow/></video:video></url>\n</urlset>"
    );
    let advice = |text: &str| {
        let found = short("--advice --allow duplicate-url", text).out;
        let advice = found.lines().filter(|line| line.contains(": advice: "));
        advice.map(str::to_owned).collect::<Vec<_>>()
    };
    let last = text.lines().nth(23).unwrap();
    let ignored = |place: &str, what: &str| {
        let column = last.find(place).unwrap() + 1;
        let text = format!("Google has ignored {what} since August 2022");
        format!("s.xml:24:{column}: advice: {text} (reported once per file) [deprecated-tag]")
    };
    assert_eq!(
        advice(&text),
        [
            ignored("<image:caption", "`image:caption`"),
            ignored("<image:title", "`image:title`"),
            ignored("yes", "`allow_embed` of `video:player_loc`"),
            ignored("<video:category", "`video:category`"),
            ignored("<video:tvshow", "`video:tvshow`"),
            "s.xml:2:1: advice: browsers are removing XSLT, so the style sheet `https://***@example.com/a.xsl` will have no \
             effect [xslt-stylesheet]"
                .to_owned(),
            "s.xml:9:37: advice: 6 of 21 pages have the lastmod `2024-05-06T07:08:09Z`, or seconds from it, which looks \
             like the time at which the sitemap was made [shared-lastmod]"
                .to_owned(),
        ]
    );
    // A style sheet of CSS, and a date on a quarter of the pages.
    let one_less = text.replacen("2024-05-06T07:08:09Z", "2023-05-06T07:08:09Z", 1);
    let found = advice(&one_less.replace("text/xsl", "text/css"));
    assert!(
        found.iter().all(|line| line.ends_with("[deprecated-tag]")),
        "{found:?}"
    );
}

#[test]
fn a_broken_pipe_does_not_change_the_status() {
    let folder = Folder::new();
    let path = folder.path("nonsense.txt");
    let nonsense = "nonsense\n".repeat(20_000);
    let warning = "https://example.com/[\n".repeat(20_000);
    for (content, expected) in [
        (format!("https://example.com/\n{nonsense}"), 1),
        (format!("https://example.com/\n{warning}"), 0),
        // The finding that decides comes last, when the reader of the pipe has ended.
        (format!("https://example.com/\n{warning}nonsense\n"), 1),
    ] {
        fs::write(&path, content).unwrap();
        for format in &formats() {
            let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("sitemap"))
                .args(["check", "--all", "--format", format])
                .arg(&path)
                .env_remove("GITHUB_STEP_SUMMARY")
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut lines = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            assert!(!line.is_empty());
            drop(lines);
            assert_eq!(child.wait().unwrap().code(), Some(expected), "{format}");
        }
    }
}

/// The objects of SARIF 2.1.0 that the program writes: their properties with the kind of each. `!` is behind the required ones.
const SARIF: &[(&str, &str)] = &[
    ("log", "$schema=uri version!=2.1.0 runs!=[run]"),
    (
        "run",
        "tool!=tool columnKind=unicodeCodePoints results=[result] invocations=[invocation]",
    ),
    ("tool", "driver!=driver"),
    (
        "driver",
        "name!=text semanticVersion=text informationUri=uri rules=[rule]",
    ),
    (
        "rule",
        "id!=text shortDescription=message fullDescription=message help=message helpUri=uri defaultConfiguration=configuration",
    ),
    ("configuration", "level=level"),
    ("message", "text!=text"),
    (
        "result",
        "ruleId=text ruleIndex=number level=level message!=message locations=[location]",
    ),
    ("location", "physicalLocation=place"),
    ("place", "artifactLocation=file region=region"),
    ("file", "uri=uri uriBaseId=text"),
    (
        "region",
        "startLine=place-number startColumn=place-number endColumn=place-number snippet=message",
    ),
    (
        "invocation",
        "executionSuccessful!=bool exitCode=number toolExecutionNotifications=[notification]",
    ),
    ("notification", "level=level message!=message"),
];

/// Panics if the value is not of this kind.
fn of_sarif(kind: &str, value: &Value) {
    let text = value.as_str().unwrap_or_default();
    if let Some((_, properties)) = SARIF.iter().find(|(name, _)| *name == kind) {
        let object = value
            .as_object()
            .unwrap_or_else(|| panic!("{kind}: {value}"));
        let known = properties
            .split(' ')
            .map(|known| known.split_once('=').unwrap());
        let known: Vec<_> = known.collect();
        for (name, value) in object {
            let of = known
                .iter()
                .find(|(known, _)| known.trim_end_matches('!') == name);
            of_sarif(
                of.unwrap_or_else(|| panic!("{kind} has no {name}")).1,
                value,
            );
        }
        let mut required = known.iter().filter_map(|(name, _)| name.strip_suffix('!'));
        let has_all = required.all(|name| object.contains_key(name));
        assert!(has_all, "{kind}: {value}");
    } else if let Some(kind) = kind.strip_prefix('[') {
        let all = value.as_array().unwrap().iter();
        all.for_each(|value| of_sarif(&kind[..kind.len() - 1], value));
    } else {
        let is_right = match kind {
            "text" => !text.is_empty(),
            "uri" => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()),
            "level" => ["none", "note", "warning", "error"].contains(&text),
            "number" => value.is_u64(),
            "place-number" => value.as_u64() > Some(0),
            "bool" => value.is_boolean(),
            constant => text == constant,
        };
        assert!(is_right, "{kind}: {value}");
    }
}

#[test]
fn sarif_is_valid() {
    let mut of_many = 0;
    for inputs in [
        &["../../tests/data/urlset.xml"][..],
        &["tests/data/many.xml"],
        &["--all", "tests/data/many.xml"],
        &[
            "--advice",
            "tests/data",
            "../../tests/data",
            "no such file.xml",
        ],
    ] {
        let arguments = [&["check", "--format", "sarif"][..], inputs].concat();
        let log: Value =
            serde_json::from_str(&stdout(sitemap(&arguments).env("GITHUB_WORKSPACE", ".")))
                .unwrap();
        of_sarif("log", &log);
        let run = &log["runs"][0];
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            let rule = &run["tool"]["driver"]["rules"][index];
            assert_eq!(rule["id"], result["ruleId"]);
        }
        if inputs == ["tests/data/many.xml"] {
            of_many = run["results"].as_array().unwrap().len();
            assert_eq!(run["results"][0]["level"], "warning");
        }
    }
    // All of them.
    assert_eq!(of_many, 13);
}

/// The output contains the issues of the library.
#[test]
fn json_holds_the_library_s_form() {
    let faults = "../../tests/data/faults.xml";
    let arguments = ["check", "-fjson", "--allow", "not-well-formed", faults];
    let output = stdout(&mut sitemap(&arguments));
    let found = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let found: Vec<quick_sitemap::Issue> = found.collect();
    let mut reader = quick_sitemap::Reader::from_path(faults).unwrap();
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
    let folder = Folder::new();
    let (file, step) = (folder.path("a|b`c.txt"), folder.path("step"));
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
    assert_eq!(lines[..3], ["before", "### sitemap check: 2 errors", ""]);
    assert_eq!(
        lines[3],
        "| severity | rule | sitemaps | findings | example |"
    );
    assert_eq!(lines[4], "|---|---|--:|--:|---|");
    let row = lines[5];
    let start = "| error | `invalid-url` | 1 | 2 | ``";
    assert!(row.starts_with(start), "{row}");
    // The name of the file ends neither the cell nor the code.
    assert_eq!(row.matches('|').count(), 6, "{row}");
    assert!(row.contains("a\\u{7c}b`c.txt:2:1: "), "{row}");
    assert_eq!(lines[6..], ["", "1 sitemap, 1 entry", ""]);
    // A second run follows the first.
    let twice = run(&["--format", "github"]);
    assert_eq!(twice.matches("### sitemap check").count(), 2);
}

const NAMESPACES: &str =
    "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:x='http://www.w3.org/1999/xhtml'";

/// A check of this document in the short form.
fn short(options: &str, document: impl AsRef<[u8]>) -> Ran {
    let folder = Folder::new();
    folder.put("s.xml", document);
    folder.run(&format!("check --format short {options} s.xml"))
}

/// An XML parser reads the entries before the first place that is wrong, and no others.
#[test]
fn the_first_place_that_is_not_well_formed_is_an_error() {
    let page =
        |number: usize, tail: &str| format!("<url><loc>https://e.com/{number}{tail}</loc></url>\n");
    let pages: String = (0..400)
        .map(|number| page(number, if number == 12 { "?a&b" } else { "" }))
        .collect();
    let text = format!("<urlset {NAMESPACES}>\n{pages}</urlset>");
    let ran = short("", &text);
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.out,
        "s.xml:14:29: error: not well-formed XML: an `&` that is not written as `&amp;`, or a reference `&b` \
             without `;` (bare-ampersand); 388 of 400 entries follow, this one included [not-well-formed]\n"
    );
    let second = text.replace("/13<", "/13?c&d<");
    for (options, text, lines, status, line) in [
        // A rule that is allowed does not make the document any better.
        (
            "--allow bare-ampersand",
            &text,
            1,
            1,
            "14:29: error: not well-formed",
        ),
        // Without the verdict, the rule is a warning.
        (
            "--allow not-well-formed",
            &text,
            1,
            0,
            "14:29: warning: a bare ampersand",
        ),
        // Only the first place is an error.
        (
            "",
            &second,
            2,
            1,
            "s.xml:15:29: warning: a bare ampersand in `&d`",
        ),
    ] {
        let ran = short(options, text);
        ran.prints(line);
        assert_eq!(ran.out.lines().count(), lines, "{line}");
        assert_eq!(ran.status, status, "{line}");
    }
    let json = stdout(sitemap(&["check", "--format", "json", "-"]).write_stdin(text));
    let finding: Value = serde_json::from_str(json.trim()).unwrap();
    assert_eq!(finding["not_well_formed"], true, "{json}");
    assert_eq!(finding["page"], "https://e.com/12?a&b", "{json}");
    let position =
        json!({"byte": finding["position"]["byte"], "line": 14, "column": 29, "entry": 13});
    assert_eq!(finding["position"], position, "{json}");
    // At the end nothing is lost.
    let behind = format!("<urlset {NAMESPACES}>\n{}</urlset>\nhello", page(1, ""));
    let ran = short("", behind);
    ran.prints_first("s.xml:4:1: error: not well-formed XML: text after the root element (content-after-root); no entry follows");
    assert_eq!(ran.status, 1);
    // Rules of XML do not apply to a text, and text between entries breaks none.
    for text in [
        "https://e.com/?a=1&b=2\n".to_owned(),
        format!("<urlset {NAMESPACES}>hello{}</urlset>", page(1, "")),
    ] {
        let ran = short("", &text);
        assert_eq!(ran.status, 0, "{text}: {}", ran.out);
        ran.does_not_print("well-formed");
    }
}

/// Only XML parsers reject these, so the library reports nothing.
#[test]
fn what_only_a_parser_rejects_is_an_error() {
    let page = "<url><loc>https://e.com/</loc></url>";
    let urlset = |inside: &str| format!("<urlset {NAMESPACES}>{page}\n{inside}{page}</urlset>");
    for (document, expected) in [
        (
            urlset("<!-- a -- b -->"),
            "s.xml:2:8: error: not well-formed XML: `--` in a comment; 1 of 2 entries follows",
        ),
        (
            urlset("<?a:b?>"),
            "s.xml:2:1: error: not well-formed XML: a processing instruction cannot have the name a:b; 1 of",
        ),
        (
            format!("<?xml version='1.0' encoding='nonsense'?>{}", urlset("")),
            "s.xml:1:1: error: not well-formed XML: the declared encoding `nonsense` is not supported; it is \
             ignored (encoding-conflict); 2 of 2 entries follow",
        ),
        (
            format!("<?xml version='1.0' encoding='utf-16'?>{}", urlset("")),
            "s.xml:1:1: error: not well-formed XML: the declared encoding `utf-16` is not",
        ),
    ] {
        let ran = short("", document);
        ran.prints_first(expected);
        assert_eq!((ran.out.lines().count(), ran.status), (1, 1), "{expected}");
    }
}

/// Other programs may support the encoding, so its bytes are no errors of the document.
#[test]
fn an_encoding_that_is_not_supported_is_one_warning() {
    let check = |label: &str, inside: &[u8]| {
        let head = format!("<?xml version='1.0' encoding='{label}'?><urlset {NAMESPACES}><url>");
        short("", [head.as_bytes(), inside, b"</url></urlset>"].concat())
    };
    for label in [
        "cp874",
        "CP932",
        "cp437",
        "latin9",
        "utf-7",
        "EUC-TW",
        "iso_88591",
    ] {
        let warning = format!(
            "s.xml:1:1: warning: the declared encoding `{label}` is not supported; it is ignored, so only the ASCII \
             characters of the document can be judged [encoding-conflict]\n"
        );
        let loc = "<loc>https://e.com/</loc>";
        for inside in [loc.as_bytes(), &[loc.as_bytes(), b"<!-- \xa1 -->"].concat()] {
            let ran = check(label, inside);
            assert_eq!((ran.out, ran.status), (warning.clone(), 0));
        }
    }
    let ran = check("cp874", b"<loc>https://e.com/\xa1</loc>");
    ran.prints(
        "error: bytes in an encoding that is not supported; entry skipped [invalid-character]",
    );
    assert_eq!((ran.out.lines().count(), ran.status), (2, 1), "{}", ran.out);
}

/// A fault of the XML declaration is not reported as broken markup, too.
#[test]
fn a_broken_declaration_is_one_finding() {
    let urlset = format!("<urlset {NAMESPACES}><url><loc>https://e.com/</loc></url></urlset>");
    for (declaration, place) in [
        ("<?xml version=\"1.0\" encoding=\"UTF-8\">\n", "1:37"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"\n", "2:1"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?", "1:37"),
        ("<?xml version=\"1.0\" encoding=UTF-8?>\n", "1:30"),
        ("<!xml version=\"1.0\"?>\n", "1:1"),
        ("<?XML version=\"1.0\"?>\n", "1:1"),
        ("\n<?xml version=\"1.0\"?>\n", "2:1"),
    ] {
        let found = short("", format!("{declaration}{urlset}")).out;
        let expected = format!("s.xml:{place}: error: not well-formed XML: ");
        assert!(found.starts_with(&expected), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
}

/// A document that cannot be read to its end is reported as that, unless a parser stops before.
#[test]
fn the_end_of_the_reading_is_not_reported_twice() {
    let start = format!("<urlset {NAMESPACES}>\n<url><loc>https://e.com/</loc></url>");
    for (document, expected) in [
        (start.clone(), vec!["truncated"]),
        (format!("{start}<!-- "), vec!["truncated"]),
        (
            format!("{start}<!-- -- -->"),
            vec!["truncated", "not-well-formed"],
        ),
        (
            "<!DOCTYPE html>\n<html><br></html>".to_owned(),
            vec!["unknown-root"],
        ),
        ("{\"a\": 1}".to_owned(), vec!["not-a-sitemap"]),
    ] {
        let found = short("--allow doctype", document).out;
        let rules: Vec<_> = found
            .lines()
            .filter_map(|line| Some(line.rsplit_once('[')?.1.trim_end_matches(']')))
            .collect();
        assert_eq!(rules, expected, "{found}");
    }
}

/// Beyond its bounds the strict reader gives no verdict.
#[test]
fn a_document_that_is_nested_too_deeply_has_no_verdict() {
    let deep = "<a>".repeat(3_000) + &"</a>".repeat(3_000);
    let document =
        format!("<urlset {NAMESPACES}>{deep}<url><loc>https://e.com/?a&b</loc></url></urlset>");
    let ran = short("", document);
    ran.says("was not checked to its end for well-formed XML: elements are nested more than 2,048 levels deep");
    ran.prints("warning: a bare ampersand");
}

/// Google drops both kinds of links, so they are reported without `--advice`.
#[test]
fn hreflang_codes_and_links_back_are_warnings() {
    let link = |language: &str, path: &str| {
        format!("<x:link rel='alternate' hreflang='{language}' href='https://e.com/{path}'/>")
    };
    let page =
        |path: &str, links: &str| format!("<url><loc>https://e.com/{path}</loc>{links}</url>\n");
    let links = [
        link("de", "de"),
        link("en-UK", "uk"),
        link("jp", "jp"),
        link("english", "en"),
        link("x-default", "de"),
    ];
    let text = format!(
        "<urlset {NAMESPACES}>\n{}{}{}</urlset>",
        page("de", &links.concat()),
        page("uk", &[link("de", "de"), link("en-GB", "uk")].concat()),
        page("jp", ""),
    );
    let ran = short("", text);
    assert_eq!(ran.status, 0);
    let found = ran.out;
    let said: Vec<_> = found
        .lines()
        .filter_map(|line| line.split_once(": warning: "))
        .map(|(_, said)| said)
        .collect();
    assert_eq!(
        said,
        [
            "`en-UK`: `UK` is no country of ISO 3166-1 alpha-2 (`GB`?) [hreflang-unknown-code]",
            "`jp` is no language of ISO 639-1 (`ja`?) [hreflang-unknown-code]",
            "`english` is no language of ISO 639-1 [hreflang-unknown-code]",
            "the alternate `https://e.com/jp` does not link back to `https://e.com/de` [hreflang-without-return]",
            "`https://e.com/uk` calls itself `en-GB`, and `https://e.com/de`, of the same group, calls it `en-UK` [hreflang-group]",
        ]
    );
    assert_eq!(found.lines().count(), 5, "{found}");
}

#[test]
fn advice_names_the_page_that_was_meant_and_the_earlier_file() {
    let urlset = |entries: &str| format!("<urlset {NAMESPACES}>\n{entries}</urlset>");
    let entry = |loc: &str| format!("<url><loc>{loc}</loc></url>\n");
    let twice = urlset(&entry("https://e.com/?a=1&amp;amp;b=2"));
    assert_eq!(
        short("--advice", &twice).out,
        "s.xml:2:6: advice: `https://e.com/?a=1&amp;b=2` is escaped once too often; `https://e.com/?a=1&b=2` was probably \
         meant [escaped-twice]\n"
    );
    assert_eq!(short("", twice).out, "");
    let text = "https://e.com/?a=1&amp;b=2\n";
    short("--advice", text).prints("[escaped-twice]");
    // Every form of a URL is remembered.
    let spellings = [
        "https://e.com/a",
        "https://www.e.com/a",
        "https://www.e.com/a",
    ];
    let folder = Folder::new();
    folder
        .put("a.xml", urlset(&spellings.map(entry).concat()))
        .put("b.xml", urlset(&entry("https://e.com/a")));
    let found = folder.run("check --format short --advice a.xml b.xml").out;
    let lines: Vec<_> = found.lines().collect();
    assert_eq!(
        lines,
        [
            "a.xml:3:6: warning: URLs of several sites are listed, such as `https://e.com` and `https://www.e.com` [several-hosts]",
            "a.xml:3:6: advice: `https://www.e.com/a` is listed in another spelling on line 2 [several-spellings]",
            "a.xml:4:6: advice: `https://www.e.com/a` is already listed on line 3 [duplicate-url]",
            "b.xml:2:6: advice: `https://e.com/a` is already listed in a.xml, on line 2 [duplicate-url]",
        ]
    );
    // The zero of a clock is not a date that pages share.
    let epoch = "<lastmod>1970-01-01T01:00:00+01:00</lastmod>";
    let pages: String = (0..40)
        .map(|number| format!("<url><loc>https://e.com/{number}</loc>{epoch}</url>\n"))
        .collect();
    let found = short("--advice --all", urlset(&pages)).out;
    let implausible = found.matches("[implausible-lastmod]").count();
    assert_eq!(implausible, 40, "{found}");
    assert!(!found.contains("[shared-lastmod]"), "{found}");
}

#[test]
fn a_site_in_place_of_the_command_gets_a_tip() {
    let said = |argument: &str| {
        let output = sitemap(&[argument]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    for (argument, shown) in [
        ("example.com", "example.com"),
        ("sitemap.xml.gz", "sitemap.xml.gz"),
        ("https://me:secret@example.com/", "https://***@example.com/"),
        ("a.com\u{1b}[2J", r"a.com\u{1b}[2J"),
    ] {
        let tip = format!("  tip: to check a site or a file, use 'sitemap check {shown}'\n");
        let said = said(argument);
        assert!(said.contains(&tip) && !said.contains("secret"), "{said}");
    }
    let said = said("chekc");
    assert!(!said.contains("to check a site"), "{said}");
}

/// A file that a generator makes a sitemap of, checked by mistake. It is named once.
#[test]
fn a_template_is_named() {
    let urlset = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let entry = "<url><loc>{{ .Permalink }}</loc></url>";
    for (text, name) in [
        (
            format!("{urlset}\n{{{{ range .Data.Pages }}}}{entry}{{{{ end }}}}</urlset>"),
            "2:1: error: a placeholder of a template is left: `{{ range .Data.Pages }}` [template]",
        ),
        (
            format!(
                "---\nlayout: null\n---\n{urlset}{{% for page in pages %}}{entry}{{% endfor %}}</urlset>"
            ),
            "a placeholder of a template is left: `{% for page in pages %}` [template]",
        ),
        (
            format!("{urlset}\n<% for (p of pages) %><url><loc><%= p.url %></loc></url></urlset>"),
            "2:1: error: a placeholder of a template is left: `<% for (p of pages) %>` [template]",
        ),
        (
            format!("{urlset}<url>\n<loc>https://e.com/${{page.url}}</loc></url></urlset>"),
            "2:6: error: a placeholder of a template is left: `https://e.com/${page.url}` [template]",
        ),
        (
            format!(
                "{urlset}\n[(#REM) Pages ]<url><loc>(#URL_PAGE|url_absolue)</loc></url></urlset>"
            ),
            "2:1: error: a placeholder of a template is left: `[(#REM) Pages ]` [template]",
        ),
        (
            "{%- macro loc(page) -%}{%- endmacro -%}".to_owned(),
            "1:1: error: not a sitemap: it looks like a template [not-a-sitemap]",
        ),
    ] {
        let found = short("", text).out;
        assert_eq!(found.matches(name).count(), 1, "{found}");
        let count = name.matches("template").count();
        assert_eq!(found.matches("template").count(), count, "{found}");
    }
}

#[test]
fn a_file_named_gz_must_be_gzipped() {
    let text = format!("<urlset {NAMESPACES}><url><loc>https://e.com/</loc></url></urlset>");
    let folder = Folder::new();
    folder.put("plain.xml.gz", text);
    let ran = folder.must("check plain.xml.gz", 0);
    ran.prints("[not-gzip-but-named-so]");
}
