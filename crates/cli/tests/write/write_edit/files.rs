//! The files of a run: no file has two roles, what others wrote is kept, and a run that fails has replaced nothing.

use std::fs;
use std::process::{Command, Stdio};

use super::{BASE, html, urls};
use crate::ended::ended;
use crate::folder::Folder;
use crate::served::Ran;

/// Rejected before anything is read: the inputs that do not exist are not mentioned.
#[test]
fn no_file_has_two_roles() {
    let folder = Folder::new();
    folder.put("g.xml", "<urlset/>");
    folder.put("kept", "kept");
    folder.put("a/x.jsonl", "{\"loc\":\"https://www.example.com/\"}\n");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("g.xml", folder.path("link.xml")).unwrap();
        std::os::unix::fs::symlink("new/part.xml", folder.path("nowhere.xml")).unwrap();
    }
    let before = folder.files("");
    let both = "are one file";
    let in_set = "would be a file of the set in --out:";
    let mut cases = vec![
        (
            "write missing -o s.xml --state ./s.xml",
            format!("--state and --out {both}: s.xml"),
        ),
        (
            "write g.xml -o a/../g.xml",
            format!("the input and --out {both}: a/../g.xml"),
        ),
        (
            "write missing -o set --state set/sitemap-1.xml",
            format!("--state {in_set} set/sitemap-1.xml"),
        ),
        (
            "write missing -o set --group a=blog --robots set/blog-2.xml.gz",
            format!("--robots {in_set} set/blog-2.xml.gz"),
        ),
        (
            "write kept -o set --robots kept",
            format!("the input and --robots {both}: kept"),
        ),
        (
            "edit missing -o set --robots set/sitemap.xml",
            format!("--robots {in_set} set/sitemap.xml"),
        ),
        (
            "report g.xml -o g.xml --format html",
            format!("the input and --out {both}: g.xml"),
        ),
        (
            "report missing -o kept --format json --history kept",
            format!("--history and --out {both}: kept"),
        ),
        (
            "report missing --against kept --history kept",
            format!("--against and --history {both}: kept"),
        ),
        (
            "report missing --probe kept -o kept --format json",
            format!("--probe and --out {both}: kept"),
        ),
        (
            "probe g.xml --resume g.xml",
            format!("the input and --resume {both}: g.xml"),
        ),
        (
            "crawl http://127.0.0.1:9/ -o kept --resume kept",
            format!("and --resume {both}: kept"),
        ),
    ];
    if cfg!(unix) {
        let link = "report g.xml -o link.xml --format html";
        cases.push((link, format!("the input and --out {both}: link.xml")));
        let nowhere = "write missing -o new/part.xml --state nowhere.xml";
        cases.push((nowhere, format!("--state and --out {both}: new/part.xml")));
    }
    for (run, error) in cases {
        let base = if run.contains(" -o set") { BASE } else { "" };
        let said = folder.must(&format!("{run} {base}"), 2).said;
        let is_error = said.starts_with("error: ") && said.contains(&error);
        assert!(is_error, "{run}: {said}");
        assert!(!said.contains("missing:"), "{run}: {said}");
        assert_eq!(folder.files(""), before, "{run}");
    }
    // Two files of one name in two folders, and one input twice, are none of this.
    folder.must("write a/x.jsonl a/x.jsonl -o x.xml", 0);
    folder.put("a/site/index.html", html(""));
    folder.based("write a/site -o a/set --state a/state.jsonl", 0);
    // `edit` may replace its input.
    folder.must("edit x.xml -o x.xml --dedupe", 0);
}

/// A foreign repository with one missing object, and with a program that git would run to fetch it.
#[cfg(unix)]
#[test]
fn git_runs_no_program_that_the_repository_names() {
    let folder = Folder::new();
    let git = |arguments: &str| folder.git("site", arguments, "");
    folder.put("site/docs/a.html", html(""));
    git("init -q");
    git("add -A");
    git("commit -qm x");
    folder.put("site/docs/a.html", html("<!-- new -->"));
    git("commit -qam y");
    let tree = git("rev-parse HEAD^:docs");
    let (first, rest) = tree.trim().split_at(2);
    fs::remove_file(folder.path(&format!("site/.git/objects/{first}/{rest}"))).unwrap();
    let config = format!(
        "{}[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = origin\n[remote \"origin\"]\nurl = .\n\
         promisor = true\nuploadpack = \"touch {}; false\"\n",
        folder.read("site/.git/config"),
        folder.path("was-run").display()
    );
    folder.put("site/.git/config", config);
    let output = folder.based("write site -o out.xml --lastmod git", 2);
    output.says("git says");
    assert!(!folder.path("was-run").exists(), "{}", output.said);
}

/// Two runs that share a history would have to wait for each other.
#[test]
fn a_history_that_another_run_has_is_refused_at_once() {
    let folder = Folder::new();
    folder.put("urls.txt", urls(1));
    folder.must("report urls.txt --history runs.jsonl", 0);
    let before = folder.files("");
    let file = fs::File::open(folder.path("runs.jsonl")).unwrap();
    file.lock().unwrap();
    let mut run = folder
        .command("report missing.xml --history runs.jsonl")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = ended(&mut run);
    let said = Ran::new(run.wait_with_output().unwrap(), "\0").said;
    assert_eq!(status.code(), Some(2), "{said}");
    assert_eq!(said, "error: another run is writing to runs.jsonl\n");
    // A child that another test has just forked may still have the file open, so closing it is not enough.
    file.unlock().unwrap();
    assert_eq!(folder.files(""), before);
    folder.must("report urls.txt --history runs.jsonl", 0);
    assert_eq!(folder.read("runs.jsonl").lines().count(), 2);
}

/// The names of new files of lines are on the disk before the first line.
#[cfg(target_os = "linux")]
#[test]
fn the_name_of_a_new_file_is_synced() {
    let folder = Folder::new();
    folder.put("urls.txt", "http://127.0.0.1:9/\n");
    for (run, file) in [
        ("report urls.txt --history h/runs.jsonl", "h/runs.jsonl"),
        (
            "probe urls.txt --resume p/probed.jsonl --delay 0 --retries 0",
            "p/probed.jsonl",
        ),
    ] {
        let parent = folder.path(file).parent().unwrap().to_owned();
        fs::create_dir(&parent).unwrap();
        let traced = Command::new("strace")
            .current_dir(folder.path(""))
            .args(["-f", "-y", "-e", "trace=fsync,write", "-o", "trace"])
            .arg(env!("CARGO_BIN_EXE_sitemap"))
            .args(run.split_whitespace())
            .output();
        if traced.is_err() || !folder.path("trace").exists() {
            eprintln!("!! there is no strace: syncs of folders were not seen");
            return;
        }
        let trace = folder.read("trace");
        let parent = fs::canonicalize(parent).unwrap();
        let synced = trace
            .find(&format!("<{}>)", parent.display()))
            .unwrap_or(usize::MAX);
        let written = trace.find(&format!("{file}>, \"")).unwrap();
        assert!(synced < written, "{run}\n{trace}");
    }
}

/// Every file that the program writes keeps the owner, the group and the permissions of the one that it replaces.
#[cfg(unix)]
#[test]
fn owner_group_and_mode_are_kept() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let folder = Folder::new();
    folder.put("urls.txt", urls(3));
    folder.put("site/index.html", html(""));
    folder.put("old.xml", "");
    let mut owner = None;
    for (number, (run, file)) in [
        (
            format!("write urls.txt -o set {BASE} --robots robots.txt"),
            "robots.txt",
        ),
        ("write urls.txt -o out.xml.gz".to_owned(), "out.xml.gz"),
        (
            format!("write site -o x.xml {BASE} --state state.jsonl"),
            "state.jsonl",
        ),
        ("edit out.xml.gz -o edited.xml".to_owned(), "edited.xml"),
        ("report out.xml.gz -o report.html".to_owned(), "report.html"),
    ]
    .into_iter()
    .enumerate()
    {
        // A state has at least its seal.
        let empty = r#"{"sealed":1,"lines":0,"digest":"e3b0c44298fc1c149afbf4c8996fb924"}"#;
        let before = if file == "state.jsonl" { empty } else { "" };
        folder.put(file, before);
        let path = folder.path(file);
        let mode = [0o640, 0o600, 0o604][number % 3];
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        match chown(&path, Some(1_000), Some(1_001)) {
            Ok(()) => owner = Some((1_000, 1_001)),
            Err(_) => eprintln!("!! not root: the owner of {file} was not changed"),
        }
        folder.must(&run, 0);
        let after = fs::metadata(&path).unwrap();
        assert!(after.len() > 0, "{run}");
        assert_eq!(after.mode() & 0o7777, mode, "{run}");
        if let Some(owner) = owner {
            assert_eq!((after.uid(), after.gid()), owner, "{run}");
        }
    }
}

/// The hidden file of a run that is killed keeps what it has.
#[cfg(unix)]
#[test]
fn an_unfinished_file_is_no_more_readable_than_the_old_one() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.put("public/out.xml", "");
    let old = folder.path("public/out.xml");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o600)).unwrap();
    let (mut run, input) = folder.begun("-o public/out.xml", "public");
    let hidden = loop {
        let files = fs::read_dir(folder.path("public")).unwrap();
        let mut hidden = files
            .map(|file| file.unwrap().path())
            .filter(|path| *path != old);
        // A file that is renamed, or not yet locked, may be gone again.
        if let Some(found) = hidden.next().and_then(|path| fs::metadata(path).ok()) {
            break found;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    assert_eq!(hidden.permissions().mode() & 0o777, 0o600);
    drop(input);
    assert!(ended(&mut run).success());
}
