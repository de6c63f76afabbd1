//! Tables of `sitemap.toml`, and columns of other programs.

use std::fs;
use std::path::Path;

use crate::program::{sitemap, utf_16};
use tempfile::TempDir;

/// Standard output, standard error, and the status.
fn run(root: &Path, arguments: &[&str]) -> (String, String, i32) {
    let output = sitemap(arguments).current_dir(root).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), status)
}

fn page(root: &Path, name: &str, text: &str) {
    fs::create_dir_all(root.join("site")).unwrap();
    let html = format!(
        "<!doctype html><html><head><title>{name}</title></head><body><p>{text}</body></html>"
    );
    fs::write(root.join("site").join(name), html).unwrap();
}

const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://e.com/a</loc><priority>0.5</priority></url></urlset>";

#[test]
fn each_command_has_a_table() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    fs::write(
        root.join("sitemap.toml"),
        "[write]\nout = \"public\"\nbase = \"https://e.com/\"\ngzip = true\nmax-entries = 2\nallow-host = [\"f.com\", \"g.com\"]\n\
         [report]\ntitle = \"Our site\"\nformat = \"json\"\n\
         [diff]\nfields = [\"lastmod\"]\nformat = \"count\"\n",
    )
    .unwrap();
    fs::write(
        root.join("urls.txt"),
        "https://e.com/a\nhttps://f.com/b\nhttps://e.com/c\n",
    )
    .unwrap();
    let (_, said, status) = run(root, &["write", "urls.txt"]);
    assert_eq!(status, 0, "{said}");
    assert!(root.join("public/sitemap-2.xml.gz").exists());
    // The command line overrides the file.
    let (_, said, status) = run(
        root,
        &[
            "--quiet",
            "write",
            "urls.txt",
            "--out",
            "other",
            "--max-entries",
            "9",
        ],
    );
    assert_eq!((status, said.as_str()), (0, ""));
    assert!(root.join("other").exists() && !root.join("other/sitemap-2.xml.gz").exists());

    let (json, _, _) = run(root, &["report", "public"]);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["title"],
        "Our site"
    );
    let (text, _, _) = run(root, &["report", "public", "--format", "text"]);
    assert!(text.contains("pages"), "{text}");

    fs::write(root.join("a.xml"), URLSET).unwrap();
    fs::write(root.join("b.xml"), URLSET.replace("0.5", "0.9")).unwrap();
    let (counts, _, status) = run(root, &["diff", "a.xml", "b.xml"]);
    assert!(counts.contains("changed 0") && status == 0, "{counts}");
    let (_, _, status) = run(root, &["diff", "a.xml", "b.xml", "--fields", "priority"]);
    assert_eq!(status, 1);
}

/// The command line decides about a rule that it names. Rules and the location of `[check]` are those of a report, too.
#[test]
fn rules_of_the_file_and_of_the_command_line() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    fs::write(root.join("a.xml"), URLSET.replace("0.5", "1.5")).unwrap();
    let config = |table: &str| fs::write(root.join("sitemap.toml"), table).unwrap();
    let status = |arguments: &[&str]| run(root, arguments).2;
    config("[check]\ndeny = [\"invalid-priority\"]\nall = true\nformat = \"short\"\n");
    let (found, _, _) = run(root, &["check", "a.xml"]);
    assert!(
        found.contains(": error: ") && found.contains("[invalid-priority]"),
        "{found}"
    );
    assert_eq!(status(&["report", "a.xml"]), 1);
    assert_eq!(status(&["check", "a.xml", "--deny", "duplicate-url"]), 1);
    for command in ["check", "report"] {
        assert_eq!(
            status(&[command, "a.xml", "--allow", "invalid-priority"]),
            0
        );
    }
    config("[check]\nlocation = \"https://other.example/\"\n");
    assert_eq!(
        [status(&["check", "a.xml"]), status(&["report", "a.xml"])],
        [1, 1]
    );
    let here = "https://e.com/sitemap.xml";
    assert_eq!(status(&["check", "a.xml", "--location", here]), 0);
    config(&format!(
        "[check]\nlocation = \"https://other.example/\"\n[report]\nlocation = \"{here}\"\n"
    ));
    assert_eq!(status(&["report", "a.xml"]), 0);
}

#[test]
fn a_wrong_key_is_named() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    fs::write(root.join("urls.txt"), "https://e.com/a\n").unwrap();
    for (table, expected) in [
        (
            "[write]\ngzpi = true",
            "sitemap.toml: [write]: `gzpi` is not an option of `sitemap write`",
        ),
        (
            "[write]\ngzip = \"yes\"",
            "sitemap.toml: [write]: `gzip` is neither true nor false",
        ),
        (
            "[write]\nout = true",
            "sitemap.toml: [write]: `out` is not a text",
        ),
        ("[wirte]\nout = \"x\"", "unknown field `wirte`"),
    ] {
        fs::write(root.join("sitemap.toml"), table).unwrap();
        let (_, said, status) = run(root, &["write", "urls.txt", "--base", "https://e.com/"]);
        assert!(said.contains(expected), "{said}");
        assert_eq!(status, 2);
    }
}

/// A file that was found is not one that somebody trusts: it stays in its folder, and sends nothing secret.
#[test]
fn a_file_that_was_found_stays_in_its_folder() {
    let root = TempDir::new().unwrap();
    let work = root.path().join("work");
    fs::create_dir_all(work.join("sub")).unwrap();
    let config = |text: &str| fs::write(work.join("sitemap.toml"), text).unwrap();
    fs::write(work.join("a.xml"), URLSET).unwrap();
    fs::write(root.path().join("kept"), "kept").unwrap();
    let absolute = root.path().join("kept").to_str().unwrap().to_owned();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../kept", work.join("link")).unwrap();
        std::os::unix::fs::symlink("..", work.join("up")).unwrap();
    }
    for (command, key) in [
        ("check", "baseline"),
        ("check", "must-list"),
        ("check", "cache"),
        ("check", "cacert"),
        ("report", "out"),
        ("report", "csv"),
        ("report", "history"),
        ("report", "against"),
        ("write", "out"),
        ("write", "robots"),
        ("write", "state"),
        ("diff", "cache"),
    ] {
        let links: &[&str] = if cfg!(unix) {
            &["link", "up/kept", "up/new"]
        } else {
            &[]
        };
        let paths = [
            &[&*absolute, "../kept", "sub/../../kept", "new/../../kept"],
            links,
        ]
        .concat();
        for path in paths {
            config(&format!("[{command}]\n{key} = '{path}'\n"));
            let (_, said, status) = run(&work, &[command, "a.xml", "a.xml"]);
            let expected = format!(
                "error: sitemap.toml: [{command}]: `{key}` is a path outside of the folder of this file; set it on the \
                 command line\n"
            );
            assert_eq!((said, status), (expected, 2), "{key} {path}");
        }
    }
    for (key, value) in [
        ("user", "me"),
        ("password-file", "a.xml"),
        ("header", "Cookie: a=b"),
    ] {
        config(&format!("[check]\n{key} = '{value}'\n"));
        let (_, said, status) = run(&work, &["check", "a.xml"]);
        let expected = format!(
            "error: sitemap.toml: [check]: `{key}` is an option for credentials; set it on the command line\n"
        );
        assert_eq!((said, status), (expected, 2));
    }
    assert_eq!(
        fs::read_to_string(root.path().join("kept")).unwrap(),
        "kept"
    );
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 2);

    // Below the folder, or in a file that was named.
    let note = "note: options of sitemap.toml in the working folder apply\n";
    config("[report]\nout = 'new/report.html'\n");
    fs::create_dir(work.join("new")).unwrap();
    let (_, said, status) = run(&work, &["report", "a.xml"]);
    assert!(said.starts_with(note) && status == 0, "{said}");
    assert!(work.join("new/report.html").exists());
    let (_, said, status) = run(&work, &["report", "a.xml", "--out", "other.html"]);
    assert!(!said.contains(note) && status == 0, "{said}");
    config("[report]\nout = '../report.html'\n");
    let (_, said, status) = run(&work, &["report", "a.xml", "--config", "sitemap.toml"]);
    assert!(!said.contains(note) && status == 0, "{said}");
    assert!(root.path().join("report.html").exists());
}

/// Pages of a crawl by another program beside those of the sitemaps.
#[test]
fn columns_of_other_programs() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    let export = "\"Address\",\"Content Type\",\"Status Code\",\"url\"\n\"https://e.com/a\",\"text/html\",200,x\n\"https://e.com/linked-only\",\"text/html\",200,y\n";
    fs::write(root.join("internal_all.csv"), export).unwrap();
    let listed = URLSET.replace(
        "</urlset>",
        "<url><loc>https://e.com/listed-only</loc></url></urlset>",
    );
    fs::write(root.join("sitemap.xml"), listed).unwrap();
    let (text, said, status) = run(
        root,
        &[
            "diff",
            "internal_all.csv",
            "sitemap.xml",
            "--column",
            "loc=Address",
        ],
    );
    assert_eq!(
        (text.as_str(), status),
        (
            "- https://e.com/linked-only\n+ https://e.com/listed-only\n",
            1
        ),
        "{said}"
    );
    let arguments = [
        "write",
        "internal_all.csv",
        "--out",
        "s.txt",
        "--ignore-unknown",
        "--column",
        "loc=Address",
    ];
    let (_, said, status) = run(root, &arguments);
    assert_eq!(status, 0, "{said}");
    let written = fs::read_to_string(root.join("s.txt")).unwrap();
    assert_eq!(written, "https://e.com/a\nhttps://e.com/linked-only\n");
    for (column, expected) in [
        ("loc", "FIELD=NAME"),
        ("url2=x", "FIELD must be"),
        ("loc=", "FIELD must be"),
    ] {
        let (_, said, status) = run(
            root,
            &[
                "diff",
                "internal_all.csv",
                "sitemap.xml",
                "--column",
                column,
            ],
        );
        assert!(status == 2 && said.contains(expected), "{said}");
    }
    // Without the name of the column, a message contains the option.
    let (_, said, _) = run(root, &["diff", "internal_all.csv", "sitemap.xml"]);
    fs::write(
        root.join("other.csv"),
        "Address,Status\nhttps://e.com/a,200\n",
    )
    .unwrap();
    let (_, other, _) = run(root, &["diff", "other.csv", "sitemap.xml"]);
    assert!(other.contains("--column loc=NAME"), "{said}{other}");
    // Excel writes UTF-16 as "Unicode text".
    fs::write(
        root.join("excel.csv"),
        utf_16("Address\tStatus\nhttps://e.com/a\t200\n"),
    )
    .unwrap();
    let (text, said, status) = run(
        root,
        &[
            "diff",
            "excel.csv",
            "sitemap.xml",
            "--column",
            "loc=Address",
        ],
    );
    let listed_only = "+ https://e.com/listed-only\n";
    assert_eq!((&*text, status), (listed_only, 1), "{said}");
}

#[test]
fn pages_that_changed_are_named() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    page(root, "a.html", "one");
    page(root, "b.html", "two");
    let write = [
        "write",
        "site",
        "--out",
        "public",
        "--base",
        "https://e.com/",
        "--state",
        "state.jsonl",
        "--verbose",
    ];
    let (_, said, status) = run(root, &write);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("--first now") && said.contains("--lastmod git"),
        "{said}"
    );
    assert!(!said.contains("a.html: "), "{said}");
    page(root, "a.html", "another");
    page(root, "c.html", "three");
    fs::rename(root.join("site/b.html"), root.join("site/d.html")).unwrap();
    let (_, said, status) = run(root, &write);
    assert_eq!(status, 0, "{said}");
    for line in [
        "note: https://e.com/a.html: changed: its content is not the one that it had",
        "note: https://e.com/c.html: new: the state does not list it",
        "note: https://e.com/d.html: moved: a page that is gone had the same content",
    ] {
        assert_eq!(said.matches(line).count(), 1, "{said}");
    }
    assert!(!said.contains("--first now"), "{said}");
    let (_, said, _) = run(root, &write);
    assert!(!said.contains(".html: "), "{said}");
}

/// With the inputs in the file, a command needs no arguments.
#[test]
fn the_file_names_the_inputs() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    page(root, "a.html", "one");
    let config = |text: &str| fs::write(root.join("sitemap.toml"), text).unwrap();
    config(
        "[write]\ninputs = [\"site\"]\nout = \"site/sitemap.xml\"\nbase = \"e.com\"\nrobots = \"site/robots.txt\"\n\
         [check]\ninputs = \"site\"\nlocation = \"e.com\"\n",
    );
    let (_, said, status) = run(root, &["write"]);
    assert_eq!(status, 0, "{said}");
    let robots = fs::read_to_string(root.join("site/robots.txt")).unwrap();
    assert_eq!(robots, "Sitemap: https://e.com/sitemap.xml\n");
    let (_, said, status) = run(root, &["check"]);
    assert!(said.contains("1 sitemap, 1 entry") && status == 0, "{said}");
    // The command line overrides the file.
    fs::write(root.join("urls.txt"), "https://e.com/x\n").unwrap();
    let (_, said, status) = run(root, &["write", "urls.txt", "-o", "x.xml"]);
    assert_eq!(status, 0, "{said}");
    let written = fs::read_to_string(root.join("x.xml")).unwrap();
    assert!(
        written.contains("/x<") && !written.contains("a.html"),
        "{written}"
    );
    // A site would be requested without having been named by the user.
    for input in ["e.com", "https://e.com/", "..", "/", "none"] {
        config(&format!("[check]\ninputs = [\"{input}\"]\n"));
        let (_, said, status) = run(root, &["check"]);
        let expected = "`inputs` is not a file or a folder below that of this file";
        assert!(said.contains(expected) && status == 2, "{input}: {said}");
    }
}

#[test]
fn what_only_prints_and_rules_that_are_none() {
    let root = TempDir::new().unwrap();
    let root = root.path();
    fs::write(root.join("a.xml"), URLSET).unwrap();
    for (text, expected) in [
        (
            "rules = true",
            "sitemap.toml: [check]: `rules` only prints; set it on the command line",
        ),
        (
            "explain = \"doctype\"",
            "sitemap.toml: [check]: `explain` only prints; set it on the command line",
        ),
        (
            "allow = [\"doctyp\"]",
            "sitemap.toml: [check]: `allow`: there is no rule `doctyp`; did you mean `doctype`?",
        ),
    ] {
        fs::write(root.join("sitemap.toml"), format!("[check]\n{text}\n")).unwrap();
        let (_, said, status) = run(root, &["check", "a.xml"]);
        assert!(status == 2 && said.contains(expected), "{said}");
    }
}

/// The names of files are those of the repository, whatever the working folder is.
#[test]
fn forms_for_code_hosting_services() {
    let root = TempDir::new().unwrap();
    let here = root.path().join("public");
    fs::create_dir_all(&here).unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    fs::write(
        here.join("a.xml"),
        URLSET.replace("https://e.com/a", "/a&b"),
    )
    .unwrap();
    let run = |format: &str, workspace: Option<&str>| {
        let mut command = sitemap(&["check", ".", "-f", format]);
        command.env_remove("GITHUB_WORKSPACE").current_dir(&here);
        if let Some(workspace) = workspace {
            command.env("GITHUB_WORKSPACE", workspace);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run("github", None).contains(" file=public/a.xml,line=1,"));
    assert!(run("github", Some(".")).contains(" file=a.xml,line=1,"));
    let sarif = run("sarif", None);
    let artifact = "\"artifactLocation\":{\"uri\":\"public/a.xml\",\"uriBaseId\":\"%SRCROOT%\"}";
    assert!(sarif.contains(artifact), "{sarif}");
    let junit = run("junit", None);
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"sitemap check\" tests=\"";
    assert!(junit.starts_with(start), "{junit}");
    for line in [
        "<testcase classname=\"public/a.xml\" name=\"invalid-url at 1:",
        "<failure>error: `/a&amp;b` ",
        "<testcase classname=\"sitemap\" name=\"sitemap check\"><failure>",
        "</testcase>\n</testsuite>\n</testsuites>\n",
    ] {
        assert!(junit.contains(line), "{line}: {junit}");
    }
    let count = junit.matches("<testcase ").count();
    assert!(junit.contains(&format!(" tests=\"{count}\" ")), "{junit}");
}

/// The usage line proposes no option that has nothing to do with the one that was typed.
#[test]
fn an_unknown_option_has_no_unrelated_tips() {
    let root = TempDir::new().unwrap();
    let (_, said, status) = run(root.path(), &["check", "--strict", "a.xml"]);
    assert!(
        status == 2 && said.contains("--strict") && !said.contains("Usage"),
        "{said}"
    );
    let (_, said, _) = run(root.path(), &["check", "--advise", "a.xml"]);
    assert!(said.contains("--advice"), "{said}");
    fs::write(root.path().join("a.xml"), URLSET).unwrap();
    let (_, said, status) = run(root.path(), &["check", "a.xml", "--progress", "never"]);
    assert_eq!(status, 0, "{said}");
}
