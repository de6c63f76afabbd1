//! The commands of `docs/generators.md`, on folders as the generators write them, without the menus, scripts and styles of
//! their themes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::served;

const PAGE: &str = include_str!("../../../../../docs/generators.md");
const SITE: &str = "https://www.example.com";

/// A fenced block: its language, and its lines.
type Block<'p> = (&'p str, String);

/// The blocks below each heading.
fn sections() -> Vec<(&'static str, Vec<Block<'static>>)> {
    let mut sections = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in PAGE.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => {
                let (_, blocks): &mut (_, Vec<_>) = sections.last_mut().unwrap();
                blocks.push(block);
            }
            (Some(language), None) => open = Some((language, String::new())),
            (None, Some((language, text))) => open = Some((language, text + line + "\n")),
            (None, None) => {
                if let Some(heading) = line.strip_prefix("## ") {
                    sections.push((heading, Vec::new()));
                }
            }
        }
    }
    sections
}

/// The files that a generator has built, in a folder to work in.
struct Built(tempfile::TempDir);

impl Built {
    fn new(generator: &str, site: &str) -> Self {
        let built = Self(tempfile::tempdir().unwrap());
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generators");
        let copy = |path: &Path| {
            let text = fs::read_to_string(path).unwrap().replace(SITE, site);
            let to = built
                .path("work")
                .join(path.strip_prefix(from.join(generator)).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, text).unwrap();
        };
        files(&from.join(generator), &copy);
        built
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// As if the generator's own sitemap were turned off.
    fn without_sitemaps(&self) {
        files(&self.path("work"), &|path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.starts_with("sitemap") {
                fs::remove_file(path).unwrap();
            }
        });
    }

    /// Commits everything, and makes a place to push to.
    fn commit(&self) {
        self.sh("git init --quiet --bare -b main ../origin; git init --quiet -b main; git remote add origin ../origin
            git config push.autoSetupRemote true; git add .; git commit --quiet -m Site; git push --quiet");
    }

    /// The output of the commands, if they succeed as steps of a workflow.
    fn sh(&self, commands: &str) -> String {
        let program = Path::new(env!("CARGO_BIN_EXE_sitemap")).parent().unwrap();
        let path = format!("{}:{}", self.path("bin").display(), program.display());
        let output = Command::new("sh")
            .args(["-euc", &format!("exec 2>&1\n{commands}")])
            .current_dir(self.path("work"))
            .env("PATH", format!("{path}:{}", std::env::var("PATH").unwrap()))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .envs([("GIT_AUTHOR_NAME", "A"), ("GIT_COMMITTER_NAME", "A")])
            .envs([
                ("GIT_AUTHOR_EMAIL", "a@example.com"),
                ("GIT_COMMITTER_EMAIL", "a@example.com"),
            ])
            .env("INDEXNOW_KEY", "0123456789abcdef")
            .env_remove("GITHUB_STEP_SUMMARY")
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{commands}{printed}");
        printed
    }
}

fn files(folder: &Path, see: &dyn Fn(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, see);
        } else {
            see(&path);
        }
    }
}

#[test]
fn each_generator() {
    let mut generators = Vec::new();
    for (heading, blocks) in sections() {
        if heading == "In CI" {
            continue;
        }
        let generator = match heading {
            "A plain folder" => "folder".to_owned(),
            name => name.to_lowercase(),
        };
        for (number, (language, commands)) in blocks.iter().enumerate() {
            if *language != "sh" {
                continue;
            }
            let built = Built::new(&generator, SITE);
            if commands.contains("sitemap write") {
                built.without_sitemaps();
            }
            built.commit();
            let printed = built.sh(commands);
            let (language, expected) = &blocks[number + 1];
            assert_eq!(*language, "text", "{heading}");
            if std::env::var_os("WRITE_TABLES").is_some() {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generators.md");
                let page = fs::read_to_string(&path).unwrap();
                let [old, new] =
                    [expected, &printed].map(|text| format!("{commands}```\n\n```text\n{text}```"));
                fs::write(path, page.replace(&old, &new)).unwrap();
                continue;
            }
            assert_eq!(printed, *expected, "{heading}\n{commands}");
            // Nothing that search engines reject is left.
            built.sh("sitemap check */ --location https://www.example.com/");
        }
        generators.push(generator);
    }
    assert_eq!(
        generators,
        ["hugo", "mdbook", "zola", "astro", "docusaurus", "folder"]
    );
}

/// From the sitemap of the generator on the live site to the one of this program, and then with one changed page.
#[test]
fn a_workflow() {
    let sections = sections();
    let (_, blocks) = sections
        .iter()
        .find(|(heading, _)| *heading == "In CI")
        .unwrap();
    let live = tempfile::tempdir().unwrap();
    let root = live.path().to_owned();
    let site = served::http(move |asked, _| {
        match fs::read(root.join(asked.path.trim_start_matches('/'))) {
            Ok(body) => served::ok(body),
            Err(_) => served::status(404),
        }
    });
    let home = site.home.trim_end_matches('/');
    let built = Built::new("hugo", home);
    built.commit();
    let deploy = || {
        let public = built.path("work/public");
        files(&public, &|path| {
            let to = live.path().join(path.strip_prefix(&public).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(path, to).unwrap();
        });
    };
    deploy();
    built.without_sitemaps();
    // The requests that curl would send.
    fs::create_dir(built.path("bin")).unwrap();
    let curl = built.path("bin/curl");
    fs::write(&curl, "#!/bin/sh\nfor to; do :; done\nprintf '%s ' \"$to\" >> ../sent\ncat >> ../sent\necho >> ../sent\n").unwrap();
    fs::set_permissions(&curl, fs::Permissions::from_mode(0o755)).unwrap();
    let sent = || {
        let sent = fs::read_to_string(built.path("sent")).unwrap_or_default();
        let _ = fs::remove_file(built.path("sent"));
        sent.replace(home, SITE)
    };

    let run = |printed_expected: bool| {
        for (number, (language, commands)) in blocks.iter().enumerate() {
            if *language != "sh" {
                continue;
            }
            if commands.contains("curl") {
                deploy();
            }
            let printed = built.sh(&commands.replace(SITE, home)).replace(home, SITE);
            match blocks.get(number + 1) {
                Some(("text", expected)) if printed_expected => assert_eq!(printed, *expected),
                _ => {}
            }
        }
    };
    run(true);
    let bodies = sent();
    assert_eq!(bodies.lines().count(), 1, "{bodies}");
    assert!(
        bodies.starts_with("https://api.indexnow.org/indexnow {\"host\":\"127.0.0.1"),
        "{bodies}"
    );
    assert_eq!(bodies.matches(SITE).count(), 4, "{bodies}");
    let commits = || built.sh("git -C ../origin log --format=%s").lines().count();
    assert_eq!(commits(), 2);

    // Another time in every footer, and another text in one page.
    files(&built.path("work/public"), &|path| {
        let page = fs::read_to_string(path).unwrap();
        let page = page.replace("Built 20", "Built 21");
        fs::write(
            path,
            page.replace("Text of post 2.", "Other text of post 2."),
        )
        .unwrap();
    });
    run(false);
    let bodies = sent();
    assert_eq!(bodies.matches(SITE).count(), 1, "{bodies}");
    assert!(bodies.contains("/posts/p2/"), "{bodies}");
    assert_eq!(commits(), 3);

    // Nothing to report, and nothing to commit.
    run(false);
    assert_eq!((&*sent(), commits()), ("", 3));

    // A build that went wrong is not deployed.
    fs::remove_dir_all(built.path("work/public/posts")).unwrap();
    let commands: Vec<_> = blocks
        .iter()
        .filter(|(language, _)| *language == "sh")
        .collect();
    let [(_, write), (_, compare), ..] = &commands[..] else {
        panic!()
    };
    built.sh(&write.replace(SITE, home));
    let alarm = built.sh(&format!(
        "({}) && exit 9 || echo status $?",
        compare.replace(SITE, home).trim()
    ));
    assert!(
        alarm.ends_with("status 3\n") || alarm.contains("removed"),
        "{alarm}"
    );
}

/// The workflow has the same commands.
#[test]
fn the_workflow_has_the_same_commands() {
    let sections = sections();
    let (_, blocks) = sections
        .iter()
        .find(|(heading, _)| *heading == "In CI")
        .unwrap();
    let (_, workflow) = blocks
        .iter()
        .find(|(language, _)| *language == "yaml")
        .unwrap();
    for (_, commands) in blocks.iter().filter(|(language, _)| *language == "sh") {
        // The action is replaced by `check`.
        for line in commands
            .lines()
            .filter(|line| !line.starts_with("sitemap check"))
        {
            assert!(workflow.contains(line.trim()), "{line}");
        }
    }
}
