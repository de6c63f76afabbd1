//! Options that several commands have: the output, filters, formats; and the tips about what was mistyped.

use crate::folder::Folder;

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
            let printed = folder.run(&format!("{command} {format}"));
            assert!(!printed.out.is_empty(), "{command} {format}");
            for option in ["-o", "--out", "--output"] {
                folder.put(name, "before");
                let arguments = format!("{command} {option} {name}");
                let ran = folder.must(&arguments, printed.status);
                assert_eq!(ran.out, "", "{arguments}");
                let text = folder.read(name);
                // CSV in a file has a mark. The moment of a report differs.
                let mark = if ending == "csv" { "\u{feff}" } else { "" };
                let same =
                    command.starts_with("report") || text == format!("{mark}{}", printed.out);
                assert!(same && text != "before", "{arguments}: {text}");
            }
        }
    }
    folder.run("show new.csv -o -").prints("https://e.com/a");
    // What is typed is more than the name.
    folder.run("show new.csv -o a.csv --format jsonl");
    assert!(folder.read("a.csv").starts_with('{'));
}

#[test]
fn a_result_does_not_replace_its_input() {
    let folder = folder();
    for command in [
        "show new.csv",
        "check new.csv",
        "diff old.txt new.csv",
        "probe new.csv",
    ] {
        let ran = folder.must(&format!("{command} -o ./new.csv"), 2);
        ran.says("the input and --out are one file");
    }
    // What ends with an error leaves what was there.
    folder.put("kept", "kept");
    for command in ["show none.xml", "check none.xml", "diff none.xml new.csv"] {
        folder.must(&format!("{command} -o kept"), 2);
        assert_eq!(folder.read("kept"), "kept", "{command}");
    }
    assert_eq!(folder.read("old.txt").lines().count(), 3);
}

#[test]
fn a_comparison_of_some_pages() {
    let folder = folder();
    let diff = |options: &str| folder.run(&format!("diff old.txt new.csv {options}")).out;
    let all =
        "- https://e.com/x\n- https://e.com/blog/y\n+ https://e.com/a\n+ https://e.com/blog/c\n";
    assert_eq!(diff(""), all);
    let blog = "- https://e.com/blog/y\n+ https://e.com/blog/c\n";
    assert_eq!(diff("--match /blog/"), blog);
    assert_eq!(diff("--exclude com/[ax]"), blog);
    // Each side is filtered as its pages are compared.
    let added = "+ https://e.com/a\n+ https://e.com/blog/b\n+ https://e.com/blog/c\n";
    let options = "--match ^https://e --replace-host e.com=f.com";
    assert_eq!(diff(options), added);
}

#[test]
fn json_lines_have_two_names() {
    let folder = folder();
    for command in ["show new.csv", "check broken.xml", "diff old.txt new.csv"] {
        let written = |format| folder.run(&format!("{command} --format {format}"));
        assert_eq!(written("json"), written("jsonl"), "{command}");
        assert!(
            written("json")
                .out
                .lines()
                .all(|line| line.starts_with('{'))
        );
    }
    let report = folder.run("report new.csv --format jsonl");
    assert_eq!(report.out.lines().count(), 1, "{}", report.said);
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
        let said = folder.must(arguments, 2).said;
        match tip {
            Some(tip) => assert!(said.contains("tip:") && said.contains(tip), "{said}"),
            None => assert!(!said.contains("tip:"), "{arguments}: {said}"),
        }
    }
}
