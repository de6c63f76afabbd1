//! Tables of `sitemap.toml`, and columns of other programs.

use std::fs;

use crate::folder::Folder;
use crate::program::{sitemap, utf_16};
use crate::served::Ran;

/// Standard output, standard error, and the status.
fn run(folder: &Folder, arguments: &str) -> (String, String, i32) {
    let ran = folder.run(arguments);
    (ran.out, ran.said, ran.status)
}

fn page(folder: &Folder, name: &str, text: &str) {
    let html = format!(
        "<!doctype html><html><head><title>{name}</title></head><body><p>{text}</body></html>"
    );
    folder.put(&format!("site/{name}"), html);
}

const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://e.com/a</loc><priority>0.5</priority></url></urlset>";

#[test]
fn each_command_has_a_table() {
    let folder = Folder::new();
    folder.put("sitemap.toml", "[write]\nout = \"public\"\nbase = \"https://e.com/\"\ngzip = true\nmax-entries = 2\nallow-host = [\"f.com\", \"g.com\"]\n\
         [report]\ntitle = \"Our site\"\nformat = \"json\"\n\
         [diff]\nfields = [\"lastmod\"]\nformat = \"count\"\n");
    folder.put(
        "urls.txt",
        "https://e.com/a\nhttps://f.com/b\nhttps://e.com/c\n",
    );
    let (_, said, status) = run(&folder, "write urls.txt");
    assert_eq!(status, 0, "{said}");
    assert!(folder.path("public/sitemap-2.xml.gz").exists());
    // The command line overrides the file.
    let (_, said, status) = run(
        &folder,
        "--quiet write urls.txt --out other --max-entries 9",
    );
    assert_eq!((status, said.as_str()), (0, ""));
    assert!(folder.path("other").exists() && !folder.path("other/sitemap-2.xml.gz").exists());

    let (json, _, _) = run(&folder, "report public");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["title"],
        "Our site"
    );
    let (text, _, _) = run(&folder, "report public --format text");
    assert!(text.contains("pages"), "{text}");

    folder.put("a.xml", URLSET);
    folder.put("b.xml", URLSET.replace("0.5", "0.9"));
    let (counts, _, status) = run(&folder, "diff a.xml b.xml");
    assert!(counts.contains("changed 0") && status == 0, "{counts}");
    let (_, _, status) = run(&folder, "diff a.xml b.xml --fields priority");
    assert_eq!(status, 1);
}

/// The command line decides about a rule that it names. Rules and the location of `[check]` are those of a report, too.
#[test]
fn rules_of_the_file_and_of_the_command_line() {
    let folder = Folder::new();
    folder.put("a.xml", URLSET.replace("0.5", "1.5"));
    let config = |table: &str| folder.put("sitemap.toml", table);
    let status = |arguments: &str| run(&folder, arguments).2;
    config("[check]\ndeny = [\"invalid-priority\"]\nall = true\nformat = \"short\"\n");
    let (found, _, _) = run(&folder, "check a.xml");
    assert!(
        found.contains(": error: ") && found.contains("[invalid-priority]"),
        "{found}"
    );
    assert_eq!(status("report a.xml"), 1);
    assert_eq!(status("check a.xml --deny duplicate-url"), 1);
    for command in ["check", "report"] {
        assert_eq!(
            status(&format!("{command} a.xml --allow invalid-priority")),
            0
        );
    }
    config("[check]\nlocation = \"https://other.example/\"\n");
    assert_eq!([status("check a.xml"), status("report a.xml")], [1, 1]);
    let here = "https://e.com/sitemap.xml";
    assert_eq!(status(&format!("check a.xml --location {here}")), 0);
    config(&format!(
        "[check]\nlocation = \"https://other.example/\"\n[report]\nlocation = \"{here}\"\n"
    ));
    assert_eq!(status("report a.xml"), 0);
}

#[test]
fn a_wrong_key_is_named() {
    let folder = Folder::new();
    folder.put("urls.txt", "https://e.com/a\n");
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
        folder.put("sitemap.toml", table);
        let (_, said, status) = run(&folder, "write urls.txt --base https://e.com/");
        assert!(said.contains(expected), "{said}");
        assert_eq!(status, 2);
    }
}

/// A file that was found is not one that somebody trusts: it stays in its folder, and sends nothing secret.
#[test]
fn a_file_that_was_found_stays_in_its_folder() {
    let folder = Folder::new();
    let work = folder.path("work");
    fs::create_dir_all(work.join("sub")).unwrap();
    let config = |text: &str| folder.put("work/sitemap.toml", text);
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        let ran = Ran::new(command.current_dir(&work).output().unwrap(), "\0");
        (ran.out, ran.said, ran.status)
    };
    folder.put("work/a.xml", URLSET);
    folder.put("kept", "kept");
    let absolute = folder.path("kept").to_str().unwrap().to_owned();
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
            let (_, said, status) = run(&format!("{command} a.xml a.xml"));
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
        let (_, said, status) = run("check a.xml");
        let expected = format!(
            "error: sitemap.toml: [check]: `{key}` is an option for credentials; set it on the command line\n"
        );
        assert_eq!((said, status), (expected, 2));
    }
    assert_eq!(folder.read("kept"), "kept");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2);

    // Below the folder, or in a file that was named.
    let note = "note: options of sitemap.toml in the working folder apply\n";
    config("[report]\nout = 'new/report.html'\n");
    fs::create_dir(work.join("new")).unwrap();
    let (_, said, status) = run("report a.xml");
    assert!(said.starts_with(note) && status == 0, "{said}");
    assert!(work.join("new/report.html").exists());
    let (_, said, status) = run("report a.xml --out other.html");
    assert!(!said.contains(note) && status == 0, "{said}");
    config("[report]\nout = '../report.html'\n");
    let (_, said, status) = run("report a.xml --config sitemap.toml");
    assert!(!said.contains(note) && status == 0, "{said}");
    assert!(folder.path("report.html").exists());
}

/// Pages of a crawl by another program beside those of the sitemaps.
#[test]
fn columns_of_other_programs() {
    let folder = Folder::new();
    let export = "\"Address\",\"Content Type\",\"Status Code\",\"url\"\n\"https://e.com/a\",\"text/html\",200,x\n\"https://e.com/linked-only\",\"text/html\",200,y\n";
    folder.put("internal_all.csv", export);
    let listed = URLSET.replace(
        "</urlset>",
        "<url><loc>https://e.com/listed-only</loc></url></urlset>",
    );
    folder.put("sitemap.xml", listed);
    let (text, said, status) = run(
        &folder,
        "diff internal_all.csv sitemap.xml --column loc=Address",
    );
    assert_eq!(
        (text.as_str(), status),
        (
            "- https://e.com/linked-only\n+ https://e.com/listed-only\n",
            1
        ),
        "{said}"
    );
    let arguments = "write internal_all.csv --out s.txt --ignore-unknown --column loc=Address";
    let (_, said, status) = run(&folder, arguments);
    assert_eq!(status, 0, "{said}");
    let written = folder.read("s.txt");
    assert_eq!(written, "https://e.com/a\nhttps://e.com/linked-only\n");
    for (column, expected) in [
        ("loc", "FIELD=NAME"),
        ("url2=x", "FIELD must be"),
        ("loc=", "FIELD must be"),
    ] {
        let arguments = format!("diff internal_all.csv sitemap.xml --column {column}");
        let (_, said, status) = run(&folder, &arguments);
        assert!(status == 2 && said.contains(expected), "{said}");
    }
    // Without the name of the column, a message contains the option.
    let (_, said, _) = run(&folder, "diff internal_all.csv sitemap.xml");
    folder.put("other.csv", "Address,Status\nhttps://e.com/a,200\n");
    let (_, other, _) = run(&folder, "diff other.csv sitemap.xml");
    assert!(other.contains("--column loc=NAME"), "{said}{other}");
    // Excel writes UTF-16 as "Unicode text".
    folder.put(
        "excel.csv",
        utf_16("Address\tStatus\nhttps://e.com/a\t200\n"),
    );
    let (text, said, status) = run(&folder, "diff excel.csv sitemap.xml --column loc=Address");
    let listed_only = "+ https://e.com/listed-only\n";
    assert_eq!((&*text, status), (listed_only, 1), "{said}");
}

#[test]
fn pages_that_changed_are_named() {
    let folder = Folder::new();
    page(&folder, "a.html", "one");
    page(&folder, "b.html", "two");
    let write = "write site --out public --base https://e.com/ --state state.jsonl --verbose";
    let (_, said, status) = run(&folder, write);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("--first now") && said.contains("--lastmod git"),
        "{said}"
    );
    assert!(!said.contains("a.html: "), "{said}");
    page(&folder, "a.html", "another");
    page(&folder, "c.html", "three");
    fs::rename(folder.path("site/b.html"), folder.path("site/d.html")).unwrap();
    let (_, said, status) = run(&folder, write);
    assert_eq!(status, 0, "{said}");
    for line in [
        "note: https://e.com/a.html: changed: its content is not the one that it had",
        "note: https://e.com/c.html: new: the state does not list it",
        "note: https://e.com/d.html: moved: a page that is gone had the same content",
    ] {
        assert_eq!(said.matches(line).count(), 1, "{said}");
    }
    assert!(!said.contains("--first now"), "{said}");
    let (_, said, _) = run(&folder, write);
    assert!(!said.contains(".html: "), "{said}");
}

/// With the inputs in the file, a command needs no arguments.
#[test]
fn the_file_names_the_inputs() {
    let folder = Folder::new();
    page(&folder, "a.html", "one");
    let config = |text: &str| folder.put("sitemap.toml", text);
    config(
        "[write]\ninputs = [\"site\"]\nout = \"site/sitemap.xml\"\nbase = \"e.com\"\nrobots = \"site/robots.txt\"\n\
         [check]\ninputs = \"site\"\nlocation = \"e.com\"\n",
    );
    let (_, said, status) = run(&folder, "write");
    assert_eq!(status, 0, "{said}");
    let robots = folder.read("site/robots.txt");
    assert_eq!(robots, "Sitemap: https://e.com/sitemap.xml\n");
    let (_, said, status) = run(&folder, "check");
    assert!(said.contains("1 sitemap, 1 entry") && status == 0, "{said}");
    // The command line overrides the file.
    folder.put("urls.txt", "https://e.com/x\n");
    let (_, said, status) = run(&folder, "write urls.txt -o x.xml");
    assert_eq!(status, 0, "{said}");
    let written = folder.read("x.xml");
    assert!(
        written.contains("/x<") && !written.contains("a.html"),
        "{written}"
    );
    // A site would be requested without having been named by the user.
    for input in ["e.com", "https://e.com/", "..", "/", "none"] {
        config(&format!("[check]\ninputs = [\"{input}\"]\n"));
        let (_, said, status) = run(&folder, "check");
        let expected = "`inputs` is not a file or a folder below that of this file";
        assert!(said.contains(expected) && status == 2, "{input}: {said}");
    }
}

#[test]
fn what_only_prints_and_rules_that_are_none() {
    let folder = Folder::new();
    folder.put("a.xml", URLSET);
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
        folder.put("sitemap.toml", format!("[check]\n{text}\n"));
        let (_, said, status) = run(&folder, "check a.xml");
        assert!(status == 2 && said.contains(expected), "{said}");
    }
}

/// The names of files are those of the repository, whatever the working folder is.
#[test]
fn forms_for_code_hosting_services() {
    let folder = Folder::new();
    let here = folder.path("public");
    fs::create_dir(folder.path(".git")).unwrap();
    folder.put("public/a.xml", URLSET.replace("https://e.com/a", "/a&b"));
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
    let folder = Folder::new();
    let (_, said, status) = run(&folder, "check --strict a.xml");
    assert!(
        status == 2 && said.contains("--strict") && !said.contains("Usage"),
        "{said}"
    );
    let (_, said, _) = run(&folder, "check --advise a.xml");
    assert!(said.contains("--advice"), "{said}");
    folder.put("a.xml", URLSET);
    let (_, said, status) = run(&folder, "check a.xml --progress never");
    assert_eq!(status, 0, "{said}");
}
