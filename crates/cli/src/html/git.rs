//! When files were last committed.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use quick_sitemap::W3cDatetime;

/// Bytes of what git complains about that are repeated.
const COMPLAINT: usize = 4 << 10;

/// git in this folder. An object that is missing is not fetched, because the configuration of a repository can name
/// programs that are run for that. (Before git 2.45, only the empty list of protocols prevents it.)
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "")
        .arg("-C")
        .arg(folder);
    git
}

/// The date of the last commit of each file below the folder, by its path there, in the form of git. One call of git
/// for all of them.
pub(crate) fn dates(folder: &Path) -> anyhow::Result<HashMap<Vec<u8>, W3cDatetime>> {
    let mut git = git(folder);
    git.args([
        "-c",
        "log.showSignature=false",
        "log",
        // The date of each commit, then the files that it changed, each followed by a NUL.
        "--format=format:%x01%cI",
        "--name-only",
        "-z",
        "--no-renames",
        "--no-ext-diff",
        "--relative",
        "--",
        ".",
    ]);
    let output = git.stdin(Stdio::null()).output();
    let output = output.context("--lastmod git needs the program `git`")?;
    if !output.status.success() {
        let complaint = output.stderr.get(..COMPLAINT).unwrap_or(&output.stderr);
        let complaint = String::from_utf8_lossy(complaint);
        let lines = complaint.lines().map(str::trim);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        bail!("{}: git says: {}", folder.display(), lines.join("; "));
    }
    let mut dates = HashMap::new();
    let mut date = None;
    for mut path in output.stdout.split(|byte| *byte == 0) {
        // A commit without a file of ours has nothing between its date and the next one's.
        while let Some(rest) = path.strip_prefix(b"\x01") {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let (text, rest) = rest.split_at(end.unwrap_or(rest.len()));
            let text = std::str::from_utf8(text).ok();
            date = text.and_then(|text| text.parse().ok());
            path = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        if let (Some(date), false) = (date, path.is_empty()) {
            // The newest commit comes first.
            dates.entry(path.to_vec()).or_insert(date);
        }
    }
    Ok(dates)
}

/// Returns `true` if the history is truncated, so that old files seem to be as new as its start.
pub(crate) fn is_shallow(folder: &Path) -> bool {
    let output = git(folder)
        .args(["rev-parse", "--is-shallow-repository"])
        .stdin(Stdio::null())
        .output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"true")
}
