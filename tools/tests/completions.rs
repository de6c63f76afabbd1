//! `sitemap completions` and `sitemap man`, as they are run.

#![cfg(feature = "shell")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod program;

use std::fs;

use program::sitemap;

#[test]
fn every_shell_knows_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = sitemap(&["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).unwrap();
        for word in ["show", "check", "completions", "--explain", "sarif"] {
            // PowerShell's and elvish's scripts do not complete values.
            let is_value = word == "sarif" && ["elvish", "powershell"].contains(&shell);
            assert!(
                script.contains(word.trim_start_matches('-')) || is_value,
                "{shell}: {word}"
            );
        }
    }
}

#[test]
fn there_is_a_manual_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    sitemap(&["man", pages.to_str().unwrap()])
        .assert()
        .success();
    for page in ["sitemap", "sitemap-show", "sitemap-check"] {
        let text = fs::read_to_string(pages.join(format!("{page}.1"))).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
    let check = fs::read_to_string(pages.join("sitemap-check.1")).unwrap();
    assert!(check.contains("Exit status: 0 if there are no errors"));
    let own = sitemap(&["man"]).output().unwrap();
    let own = String::from_utf8(own.stdout).unwrap();
    assert_eq!(own, fs::read_to_string(pages.join("sitemap.1")).unwrap());
}
