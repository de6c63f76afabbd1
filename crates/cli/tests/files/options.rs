//! Options that several commands have: the output, filters, formats; and the tips about what was mistyped.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::program::sitemap;

fn run(root: &Path, arguments: &str) -> (String, String, i32) {
    let arguments: Vec<_> = arguments.split_whitespace().collect();
    let output = sitemap(&arguments).current_dir(root).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), status)
}

fn folder() -> Folder {
    let folder = Folder::new();
    let urls =
        "https://e.com/a,2024-01-01\nhttps://e.com/blog/b,2025-01-01\nhttps://e.com/blog/c,\n";
    folder.put("new.csv", format!("loc,lastmod\n{urls}"));
    let old = "https://e.com/x\nhttps://e.com/blog/b\nhttps://e.com/blog/y\n";
    folder.put("old.txt", old);
    let broken = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>/a</loc></url></urlset>";
    folder.put("broken.xml", broken);
    folder
}

/// The file has what would be printed, in the format that its name tells.
#[test]
fn every_result_can_be_written_to_a_file() {
    let folder = folder();
    let root = folder.0.path();
    for (command, names) in [
        (
            "show new.csv",
            &["a.csv", "a.tsv", "a.jsonl", "a.json", "a.txt"][..],
        ),
        (
            "diff old.txt new.csv",
            &["a.csv", "a.jsonl", "a.json", "a.txt"],
        ),
        (
            "check broken.xml",
            &["a.csv", "a.jsonl", "a.json", "a.sarif", "a.md", "a.txt"],
        ),
        ("report new.csv", &["a.json"]),
    ] {
        for name in names {
            let (_, ending) = name.split_once('.').unwrap();
            let format = match ending {
                "txt" => String::new(),
                "md" => "--format markdown".to_owned(),
                ending => format!("--format {ending}"),
            };
            let (printed, _, status) = run(root, &format!("{command} {format}"));
            assert!(!printed.is_empty(), "{command} {format}");
            for option in ["-o", "--out", "--output"] {
                fs::write(root.join(name), "before").unwrap();
                let (out, said, written) = run(root, &format!("{command} {option} {name}"));
                assert_eq!((out.as_str(), written), ("", status), "{said}");
                let text = fs::read_to_string(root.join(name)).unwrap();
                // CSV in a file has a mark. The moment of a report differs.
                let mark = if ending == "csv" { "\u{feff}" } else { "" };
                let same = command.starts_with("report") || text == format!("{mark}{printed}");
                assert!(same && text != "before", "{command} {name}: {text}");
            }
            fs::remove_file(root.join(name)).unwrap();
        }
    }
    let (printed, ..) = run(root, "show new.csv -o -");
    assert!(printed.contains("https://e.com/a"));
    // What is typed is more than the name.
    run(root, "show new.csv -o a.csv --format jsonl");
    assert!(
        fs::read_to_string(root.join("a.csv"))
            .unwrap()
            .starts_with('{')
    );
}

#[test]
fn a_result_does_not_replace_its_input() {
    let folder = folder();
    let root = folder.0.path();
    for command in [
        "show new.csv",
        "check new.csv",
        "diff old.txt new.csv",
        "probe new.csv",
    ] {
        let (_, said, status) = run(root, &format!("{command} -o ./new.csv"));
        assert_eq!(status, 2, "{said}");
        assert!(said.contains("the input and --out are one file"), "{said}");
    }
    // What ends with an error leaves what was there.
    for command in ["show none.xml", "check none.xml", "diff none.xml new.csv"] {
        fs::write(root.join("kept"), "kept").unwrap();
        assert_eq!(run(root, &format!("{command} -o kept")).2, 2, "{command}");
        let kept = fs::read_to_string(root.join("kept")).unwrap();
        assert_eq!(kept, "kept", "{command}");
    }
    assert_eq!(
        fs::read_to_string(root.join("old.txt"))
            .unwrap()
            .lines()
            .count(),
        3
    );
}

#[test]
fn a_comparison_of_some_pages() {
    let folder = folder();
    let diff = |options: &str| run(folder.0.path(), &format!("diff old.txt new.csv {options}")).0;
    let all =
        "- https://e.com/x\n- https://e.com/blog/y\n+ https://e.com/a\n+ https://e.com/blog/c\n";
    assert_eq!(diff(""), all);
    let blog = "- https://e.com/blog/y\n+ https://e.com/blog/c\n";
    assert_eq!(diff("--match /blog/"), blog);
    assert_eq!(diff("--exclude com/[ax]"), blog);
    // Each side is filtered as its pages are compared.
    assert_eq!(
        diff("--match ^https://e --replace-host e.com=f.com"),
        all.replace("- https://e.com/x\n- https://e.com/blog/y\n", "")
            .replace(
                "+ https://e.com/blog/c",
                "+ https://e.com/blog/b\n+ https://e.com/blog/c"
            )
    );
}

#[test]
fn json_lines_have_two_names() {
    let folder = folder();
    for command in ["show new.csv", "check broken.xml", "diff old.txt new.csv"] {
        let written = |format| run(folder.0.path(), &format!("{command} --format {format}"));
        assert_eq!(written("json"), written("jsonl"), "{command}");
        assert!(written("json").0.lines().all(|line| line.starts_with('{')));
    }
    let (report, said, _) = run(folder.0.path(), "report new.csv --format jsonl");
    assert_eq!(report.lines().count(), 1, "{said}");
}

/// A tip corrects a typo, or there is none.
#[test]
fn tips_are_close() {
    let folder = folder();
    for (arguments, tip) in [
        ("chekc new.csv", Some("'check'")),
        ("check --formt text new.csv", Some("'--format'")),
        ("check --max-page 3 new.csv", Some("'--max-pages'")),
        ("show --format jsnol new.csv", Some("'jsonl'")),
        ("audit", None),
        ("check --match /a/ new.csv", None),
        ("check --severity error new.csv", None),
        ("check -n 3 new.csv", None),
        ("crawl --source-of x", None),
        ("show --format yaml new.csv", None),
    ] {
        let (_, said, status) = run(folder.0.path(), arguments);
        assert_eq!(status, 2, "{arguments}: {said}");
        match tip {
            Some(tip) => assert!(said.contains("tip:") && said.contains(tip), "{said}"),
            None => assert!(!said.contains("tip:"), "{arguments}: {said}"),
        }
    }
}
