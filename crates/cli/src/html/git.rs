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
/// for all of them. A file that was renamed, and is the same, keeps its date. The first commits of a shallow clone are not
/// those that changed their files, so these have none.
pub(crate) fn dates(
    folder: &Path,
    is_shallow: bool,
) -> anyhow::Result<HashMap<Vec<u8>, W3cDatetime>> {
    let mut git = git(folder);
    git.args([
        "-c",
        "log.showSignature=false",
        "log",
        // The date and the parents of each commit, then the files that it changed: a letter, and one name or two, each
        // followed by a NUL.
        "--format=format:%x01%cI %P",
        "--name-status",
        "-z",
        "--find-renames=100%",
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
    Ok(dates_of(&output.stdout, is_shallow))
}

/// The dates by the output of git, which has the newest commit first.
fn dates_of(log: &[u8], is_shallow: bool) -> HashMap<Vec<u8>, W3cDatetime> {
    let (mut dates, mut date) = (HashMap::new(), None);
    // By a name that a file had before, that of today.
    let mut later: HashMap<&[u8], &[u8]> = HashMap::new();
    let mut words = log.split(|byte| *byte == 0);
    while let Some(mut status) = words.next() {
        // A commit without a file of ours has nothing between its date and the next one's.
        while let Some(rest) = status.strip_prefix(b"\x01") {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let (text, rest) = rest.split_at(end.unwrap_or(rest.len()));
            let text = std::str::from_utf8(text).unwrap_or_default();
            let (text, parents) = text.split_once(' ').unwrap_or((text, ""));
            let is_known = !is_shallow || !parents.is_empty();
            date = Some(text)
                .filter(|_| is_known)
                .and_then(|text| text.parse().ok());
            status = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        if status.is_empty() {
            continue;
        }
        let path = words.next().unwrap_or_default();
        if status.starts_with(b"R") {
            let new = words.next().unwrap_or(path);
            let new = later.get(new).copied().unwrap_or(new);
            if !dates.contains_key(new) {
                later.insert(path, new);
            }
            continue;
        }
        let path = later.get(path).copied().unwrap_or(path);
        dates.entry(path.to_vec()).or_insert(date);
    }
    let known = dates.into_iter();
    known
        .filter_map(|(path, date)| Some((path, date?)))
        .collect()
}

/// Returns `true` if the history is truncated, so that old files seem to be as new as its start.
pub(crate) fn is_shallow(folder: &Path) -> bool {
    let output = git(folder)
        .args(["rev-parse", "--is-shallow-repository"])
        .stdin(Stdio::null())
        .output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"true")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(log: &str, is_shallow: bool) -> Vec<(String, String)> {
        let log = log.replace('|', "\0").replace('#', "\x01");
        let dates = dates_of(log.as_bytes(), is_shallow).into_iter();
        let text = |path: Vec<u8>| String::from_utf8(path).unwrap();
        let mut dates: Vec<_> = dates
            .map(|(path, date)| (text(path), date.to_string()))
            .collect();
        dates.sort();
        dates
    }

    const LOG: &str = "#2024-05-04T00:00:00Z c d\n#2024-05-03T00:00:00Z b\nR100|b.html|c.html|A|a.html||\
        #2024-05-02T00:00:00Z a\nR100|a.html|b.html|M|x.html||\
        #2024-05-01T00:00:00Z \nA|a.html|A|x.html|A|y.html|";

    #[test]
    fn a_renamed_file_keeps_its_date() {
        let expected = [("a.html", 3), ("c.html", 1), ("x.html", 2), ("y.html", 1)];
        let expected =
            expected.map(|(name, day)| (name.to_owned(), format!("2024-05-0{day}T00:00:00Z")));
        assert_eq!(of(LOG, false), expected);
    }

    #[test]
    fn the_start_of_a_shallow_clone_is_no_date() {
        let names: Vec<_> = of(LOG, true).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a.html", "x.html"]);
    }
}
