//! `sitemap completions` and `sitemap man`, as they are run.

use std::fs;

use crate::folder::Folder;
use crate::program::sitemap;

#[test]
fn every_shell_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = sitemap(&["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["show", "check", "completions", "--explain", "sarif"] {
            // PowerShell's and elvish's scripts do not complete values.
            let is_value = word == "sarif" && ["elvish", "powershell"].contains(&shell);
            let is_known = script.contains(word.trim_start_matches('-'));
            assert!(is_known || is_value, "{shell}: {word}");
        }
    }
}

/// Names of rules are completed after the options that take them, and anything else can still be written there.
#[test]
fn rules_are_completed() {
    for (shell, value) in [
        ("bash", "missing-loc invalid-url"),
        ("zsh", "missing-loc\\:\"An entry must have a "),
        ("fish", "missing-loc\\t'An entry must have a "),
    ] {
        let output = sitemap(&["completions", shell]).output().unwrap();
        let script = String::from_utf8(output.stdout).unwrap();
        // After --deny, --allow and --explain.
        assert!(script.matches(value).count() >= 3, "{shell}");
        assert!(script.contains("duplicate-url"), "{shell}");
    }
    let folder = Folder::new();
    let script = folder.path("sitemap.bash");
    let output = sitemap(&["completions", "bash"]).output().unwrap();
    fs::write(&script, output.stdout).unwrap();
    let completed = std::process::Command::new("bash")
        .args(["-c", COMPLETE])
        .arg(&script)
        .output()
        .unwrap();
    let completed = String::from_utf8(completed.stdout).unwrap();
    assert_eq!(
        completed,
        "missing-attribute missing-element missing-loc missing-page missing-part\n"
    );
}

/// The completion of bash for `sitemap check --deny missing-` and a tab.
const COMPLETE: &str = r#"source "$0"
COMP_WORDS=(sitemap check --deny missing-) COMP_CWORD=3
_sitemap sitemap missing- --deny
echo $(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort)"#;

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = Folder::new();
    let pages = folder.path("share/man1");
    sitemap(&["man", pages.to_str().unwrap()])
        .assert()
        .success();
    for page in ["sitemap", "sitemap-show", "sitemap-check"] {
        let text = fs::read_to_string(pages.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    let check = fs::read_to_string(pages.join("sitemap-check.1")).unwrap();
    for text in [
        "Exit status: 0 if there are no errors",
        "sitemap check \\-\\-explain outside\\-location",
        // Examples keep their lines and spaces, and the synopsis names values.
        ".SH EXAMPLES\n.nf\n  sitemap check example.com      ",
        ".fi\n.SH VERSION",
        "sitemap check [OPTIONS] [SITE|URL|FILE|FOLDER|\\-]...",
        // The values of options are listed.
        "jsonl: JSON Lines",
    ] {
        assert!(check.contains(text), "{text}: {check}");
    }
    assert!(!check.contains("EXTRA"));
    // The rules have their own list.
    assert!(!check.contains("several\\-spellings"), "{check}");
    let own = sitemap(&["man"]).output().unwrap();
    let own = String::from_utf8(own.stdout).unwrap();
    assert_eq!(own, fs::read_to_string(pages.join("sitemap.1")).unwrap());
}

/// A folder would be made of each part of a URL, its password too.
#[test]
fn manual_pages_are_not_written_to_a_url() {
    let folder = Folder::new();
    let ran = sitemap(&["man", "https://me:s3cret@example.com/man"])
        .current_dir(folder.0.path())
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    let expected = "error: https://***@example.com/man: FOLDER is a folder, not a URL\n";
    assert_eq!((said.as_str(), ran.status.code()), (expected, Some(2)));
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
}
