//! Tables of `sitemap.toml`, and columns of other programs.

use std::fs;

use crate::folder::Folder;
use crate::program::{sitemap, utf_16};
use crate::served::Ran;

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
    let urls = "https://e.com/a\nhttps://f.com/b\nhttps://e.com/c\n";
    folder.put("urls.txt", urls);
    folder.must("write urls.txt", 0);
    assert!(folder.path("public/sitemap-2.xml.gz").exists());
    // The command line overrides the file.
    let ran = folder.must("--quiet write urls.txt --out other --max-entries 9", 0);
    assert_eq!(ran.said, "");
    assert!(folder.path("other").exists() && !folder.path("other/sitemap-2.xml.gz").exists());

    folder.run("report public").prints("\"title\":\"Our site\"");
    folder.run("report public --format text").prints("pages");

    folder.put("a.xml", URLSET);
    folder.put("b.xml", URLSET.replace("0.5", "0.9"));
    folder.must("diff a.xml b.xml", 0).prints("changed 0");
    folder.must("diff a.xml b.xml --fields priority", 1);
}

/// The command line decides about a rule that it names. Rules and the location of `[check]` are those of a report, too.
#[test]
fn rules_of_the_file_and_of_the_command_line() {
    let folder = Folder::new();
    folder.put("a.xml", URLSET.replace("0.5", "1.5"));
    let here = "https://e.com/sitemap.xml";
    let deny = "[check]\ndeny = [\"invalid-priority\"]\nall = true\nformat = \"short\"\n";
    let elsewhere = "[check]\nlocation = \"https://other.example/\"\n";
    let for_reports = format!("{elsewhere}[report]\nlocation = \"{here}\"\n");
    for (table, arguments, status) in [
        (deny, "check a.xml", 1),
        (deny, "report a.xml", 1),
        (deny, "check a.xml --deny duplicate-url", 1),
        (deny, "check a.xml --allow invalid-priority", 0),
        (deny, "report a.xml --allow invalid-priority", 0),
        (elsewhere, "check a.xml", 1),
        (elsewhere, "report a.xml", 1),
        (elsewhere, &format!("check a.xml --location {here}"), 0),
        (&for_reports, "report a.xml", 0),
    ] {
        folder.put("sitemap.toml", table);
        let ran = folder.run(arguments);
        assert_eq!(ran.status, status, "{arguments}\n{table}{}", ran.said);
    }
    folder.put("sitemap.toml", deny);
    let found = folder.run("check a.xml").out;
    let is_error = found.contains(": error: ") && found.contains("[invalid-priority]");
    assert!(is_error, "{found}");
}

#[test]
fn a_wrong_key_is_named() {
    let folder = Folder::new();
    folder.put("urls.txt", "https://e.com/a\n");
    for (table, expected) in [
        (
            "[write]\ngzip = \"yes\"",
            "sitemap.toml: [write]: `gzip` is neither true nor false",
        ),
        (
            "[write]\nout = true",
            "sitemap.toml: [write]: `out` is not a text",
        ),
        ("[wirte]\nout = \"x\"", "unknown field `wirte`"),
        ("write = 5", "sitemap.toml"),
    ] {
        folder.put("sitemap.toml", table);
        let ran = folder.must("write urls.txt --base https://e.com/", 2);
        ran.says(expected);
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
        Ran::new(command.current_dir(&work).output().unwrap(), "\0")
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
        let mut paths = vec![&*absolute, "../kept", "sub/../../kept", "new/../../kept"];
        if cfg!(unix) {
            paths.extend(["link", "up/kept", "up/new"]);
        }
        for path in paths {
            config(&format!("[{command}]\n{key} = '{path}'\n"));
            let ran = run(&format!("{command} a.xml a.xml"));
            let expected = format!(
                "error: sitemap.toml: [{command}]: `{key}` is a path outside of the folder of this file; set it on the \
                 command line\n"
            );
            assert_eq!((ran.said, ran.status), (expected, 2), "{key} {path}");
        }
    }
    for (key, value) in [
        ("user", "me"),
        ("password-file", "a.xml"),
        ("header", "Cookie: a=b"),
    ] {
        config(&format!("[check]\n{key} = '{value}'\n"));
        let ran = run("check a.xml");
        let expected = format!(
            "error: sitemap.toml: [check]: `{key}` is an option for credentials; set it on the command line\n"
        );
        assert_eq!((ran.said, ran.status), (expected, 2));
    }
    assert_eq!(folder.read("kept"), "kept");
    assert_eq!(fs::read_dir(folder.path("")).unwrap().count(), 2);

    // Below the folder, or in a file that was named.
    fs::create_dir(work.join("new")).unwrap();
    for (out, arguments, is_noted) in [
        ("new/report.html", "report a.xml", true),
        ("new/report.html", "report a.xml --out other.html", false),
        (
            "../report.html",
            "report a.xml --config sitemap.toml",
            false,
        ),
    ] {
        config(&format!("[report]\nout = '{out}'\n"));
        let ran = run(arguments);
        assert_eq!(ran.status, 0, "{arguments}: {}", ran.said);
        let note = "note: options of sitemap.toml in the working folder apply\n";
        assert_eq!(ran.said.starts_with(note), is_noted, "{}", ran.said);
    }
    for written in ["new/report.html", "other.html", "../report.html"] {
        assert!(work.join(written).exists(), "{written}");
    }
}

/// Pages of a crawl by another program beside those of the sitemaps.
#[test]
fn columns_of_other_programs() {
    let folder = Folder::new();
    let export = "\"Address\",\"Content Type\",\"Status Code\",\"url\"\n\"https://e.com/a\",\"text/html\",200,x\n\"https://e.com/linked-only\",\"text/html\",200,y\n";
    folder.put("internal_all.csv", export);
    let more = "<url><loc>https://e.com/listed-only</loc></url></urlset>";
    folder.put("sitemap.xml", URLSET.replace("</urlset>", more));
    let ran = folder.must("diff internal_all.csv sitemap.xml --column loc=Address", 1);
    let expected = "- https://e.com/linked-only\n+ https://e.com/listed-only\n";
    assert_eq!(ran.out, expected);
    let arguments = "write internal_all.csv --out s.txt --ignore-unknown --column loc=Address";
    folder.must(arguments, 0);
    let written = folder.read("s.txt");
    assert_eq!(written, "https://e.com/a\nhttps://e.com/linked-only\n");
    for (column, expected) in [
        ("loc", "FIELD=NAME"),
        ("url2=x", "FIELD must be"),
        ("loc=", "FIELD must be"),
    ] {
        let arguments = format!("diff internal_all.csv sitemap.xml --column {column}");
        folder.must(&arguments, 2).says(expected);
    }
    // Without the name of the column, a message contains the option.
    folder.put("other.csv", "Address,Status\nhttps://e.com/a,200\n");
    let ran = folder.run("diff other.csv sitemap.xml");
    ran.says("--column loc=NAME");
    // Excel writes UTF-16 as "Unicode text".
    let excel = utf_16("Address\tStatus\nhttps://e.com/a\t200\n");
    folder.put("excel.csv", excel);
    let ran = folder.must("diff excel.csv sitemap.xml --column loc=Address", 1);
    assert_eq!(ran.out, "+ https://e.com/listed-only\n");
}

#[test]
fn pages_that_changed_are_named() {
    let folder = Folder::new();
    page(&folder, "a.html", "one");
    page(&folder, "b.html", "two");
    let write = "write site --out public --base https://e.com/ --state state.jsonl --verbose";
    let ran = folder.must(write, 0);
    ran.says("--first now");
    ran.says("--lastmod git");
    ran.does_not_say("a.html: ");
    page(&folder, "a.html", "another");
    page(&folder, "c.html", "three");
    fs::rename(folder.path("site/b.html"), folder.path("site/d.html")).unwrap();
    let ran = folder.must(write, 0);
    for line in [
        "note: https://e.com/a.html: changed: its content is not the one that it had",
        "note: https://e.com/c.html: new: the state does not list it",
        "note: https://e.com/d.html: moved: a page that is gone had the same content",
    ] {
        assert_eq!(ran.said.matches(line).count(), 1, "{line}: {}", ran.said);
    }
    ran.does_not_say("--first now");
    folder.run(write).does_not_say(".html: ");
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
    folder.must("write", 0);
    let robots = folder.read("site/robots.txt");
    assert_eq!(robots, "Sitemap: https://e.com/sitemap.xml\n");
    folder.must("check", 0).says("1 sitemap, 1 entry");
    // The command line overrides the file.
    folder.put("urls.txt", "https://e.com/x\n");
    folder.must("write urls.txt -o x.xml", 0);
    let written = folder.read("x.xml");
    assert!(
        written.contains("/x<") && !written.contains("a.html"),
        "{written}"
    );
    // A site would be requested without having been named by the user.
    for input in ["e.com", "https://e.com/", "..", "/", "none"] {
        config(&format!("[check]\ninputs = [\"{input}\"]\n"));
        let ran = folder.must("check", 2);
        ran.says("`inputs` is not a file or a folder below that of this file");
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
        folder.must("check a.xml", 2).says(expected);
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
    let ran = folder.must("check --strict a.xml", 2);
    ran.says("--strict");
    ran.does_not_say("Usage");
    folder.run("check --advise a.xml").says("--advice");
    folder.put("a.xml", URLSET);
    folder.must("check a.xml --progress never", 0);
}
