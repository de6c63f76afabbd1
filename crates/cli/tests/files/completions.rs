//! `sitemap completions` and `sitemap man`, as they are run.

use std::fs;

use crate::folder::Folder;
use crate::program::printed;

#[test]
fn every_shell_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
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
        let script = printed(&["completions", shell]);
        // After --deny, --allow and --explain.
        assert!(script.matches(value).count() >= 3, "{shell}");
        assert!(script.contains("duplicate-url"), "{shell}");
    }
    let folder = Folder::new();
    folder.put("sitemap.bash", printed(&["completions", "bash"]));
    let completed = std::process::Command::new("bash")
        .args(["-c", COMPLETE, "./sitemap.bash"])
        .current_dir(folder.path(""))
        .output();
    let completed = String::from_utf8(completed.unwrap().stdout).unwrap();
    let rules = "missing-attribute missing-element missing-loc missing-page missing-part\n";
    assert_eq!(completed, rules);
}

/// The completion of bash for `sitemap check --deny missing-` and a tab.
const COMPLETE: &str = r#"source "$0"
COMP_WORDS=(sitemap check --deny missing-) COMP_CWORD=3
_sitemap sitemap missing- --deny
echo $(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort)"#;

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = Folder::new();
    folder.must("man share/man1", 0);
    for page in ["sitemap", "sitemap-show", "sitemap-check"] {
        let text = folder.read(&format!("share/man1/{page}.1"));
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    let check = folder.read("share/man1/sitemap-check.1");
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
    assert_eq!(printed(&["man"]), folder.read("share/man1/sitemap.1"));
}

/// A folder would be made of each part of a URL, its password too.
#[test]
fn manual_pages_are_not_written_to_a_url() {
    let folder = Folder::new();
    let ran = folder.must("man https://me:s3cret@example.com/man", 2);
    let expected = "error: https://***@example.com/man: FOLDER is a folder, not a URL\n";
    assert_eq!(ran.said, expected);
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 0);
}
