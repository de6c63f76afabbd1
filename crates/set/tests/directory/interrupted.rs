//! Sets that are replaced while runs are killed, while the system fails, and while other runs begin.
//!
//! This binary starts itself: [`victim`] writes one generation of a set, as its environment specifies. If `strace` is
//! installed, victims are killed, and system calls fail one after the other. `QUICK_SITEMAP_FULL=1` does all of it at
//! full size.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use quick_sitemap::{Entry, Policy, ReaderBuilder, UrlEntry};
use quick_sitemap_set::Directory;

use super::folder::{Folder, base, threes};

const FOLDER: &str = "QUICK_SITEMAP_VICTIM_FOLDER";
const PAGES: &str = "QUICK_SITEMAP_VICTIM_PAGES";
const FLAGS: &str = "QUICK_SITEMAP_VICTIM_FLAGS";

fn full() -> bool {
    std::env::var_os("QUICK_SITEMAP_FULL").is_some()
}

/// The number at full size; otherwise fewer.
fn scaled(full_size: usize, small: usize) -> usize {
    if full() { full_size } else { small }
}

/// Writes the pages that the environment lists, by their numbers, in ranges: `5-7 0-4`.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let flags = std::env::var(FLAGS).unwrap();
    let has = |flag: &str| flags.contains(flag);
    while has("wait") && !folder.join("go").exists() {
        std::hint::spin_loop();
    }
    let directory = Directory::create(folder.join("set"), &base()).unwrap();
    let directory = directory.gzip(has("gzip")).fingerprint(has("fingerprint"));
    let directory = directory.unlocked(has("unlocked"));
    let mut site = threes().split(directory).single(has("single"));
    // The first run writes the group, the others keep it.
    if has("keep") && folder.join("set/sitemap.xml").exists() {
        site.keep("kept").unwrap();
    } else if has("keep") {
        for number in KEPT {
            site.group("kept").write(&page(number)).unwrap();
        }
    }
    for number in numbers(&std::env::var(PAGES).unwrap()) {
        site.write(&page(number)).unwrap();
    }
    if has("wait") {
        std::thread::sleep(Duration::from_millis(100));
    }
    site.finish().unwrap();
    // What the test harness writes now could be the call that fails.
    std::process::exit(0);
}

/// The pages of the group that is kept with the flag `keep`.
const KEPT: std::ops::RangeInclusive<usize> = 1_000..=1_006;

fn numbers(ranges: &str) -> Vec<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap();
        first.parse::<usize>().unwrap()..=last.parse::<usize>().unwrap()
    };
    ranges.split(' ').flat_map(range).collect()
}

fn page(number: usize) -> UrlEntry {
    UrlEntry::new(base().join(&format!("page/{number}")).unwrap())
}

/// A command that runs [`victim`].
fn prepare(mut command: Command, folder: &Folder, pages: &str, flags: &str) -> Command {
    command
        .args([
            "--exact",
            "interrupted::victim",
            "--test-threads=1",
            "--nocapture",
        ])
        .envs([(PAGES, pages), (FLAGS, flags), ("RUST_BACKTRACE", "0")])
        .env(FOLDER, &folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn spawn(folder: &Folder, pages: &str, flags: &str) -> Child {
    let command = Command::new(std::env::current_exe().unwrap());
    prepare(command, folder, pages, flags).spawn().unwrap()
}

/// Starts a run, and kills it after this time.
fn kill(folder: &Folder, pages: &str, flags: &str, moment: Duration) {
    let mut victim = spawn(folder, pages, flags);
    std::thread::sleep(moment);
    let _ = victim.kill();
    let _ = victim.wait();
}

fn finish(folder: &Folder, pages: &str, flags: &str) {
    let output = spawn(folder, pages, flags).wait_with_output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
}

/// A run under strace, with these options, which writes its calls to `strace.log`.
fn trace(folder: &Folder, pages: &str, flags: &str, options: &[&str]) -> Output {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-qq", "-o"])
        .arg(folder.path("strace.log"));
    command.args(options).arg(std::env::current_exe().unwrap());
    prepare(command, folder, pages, flags).output().unwrap()
}

fn traced(folder: &Folder) -> String {
    fs::read_to_string(folder.path("strace.log")).unwrap_or_default()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Every entry of a file, read strictly, or `None` if the file does not exist.
fn read(path: &Path) -> Option<Vec<Entry>> {
    let file = fs::File::open(path).ok()?;
    let reader = ReaderBuilder::new().policy(Policy::STRICT).build(file);
    let entries =
        reader.map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    Some(entries.collect())
}

fn number(entry: &Entry) -> usize {
    let path = entry.loc().path();
    path.rsplit('/').next().unwrap().parse().unwrap()
}

/// The index of the set, or the one urlset in its place.
fn index(set: &Path) -> Vec<Entry> {
    read(&set.join("sitemap.xml")).expect("the index is gone")
}

/// The pages of the set that the index names, in order.
fn by_index(set: &Path) -> Vec<usize> {
    let pages = index(set).into_iter().flat_map(|entry| match entry {
        Entry::Url(page) => vec![number(&page.into())],
        Entry::Sitemap(part) => {
            let file = set.join(part.loc.path().trim_start_matches('/'));
            let pages = read(&file).unwrap_or_else(|| panic!("{} is gone", file.display()));
            pages.iter().map(number).collect()
        }
    });
    pages.collect()
}

/// The pages of `sitemap-1`, `sitemap-2` and so on, as long as there are any.
fn by_number(set: &Path, extension: &str) -> BTreeSet<usize> {
    let part = |number: usize| read(&set.join(format!("sitemap-{number}.{extension}")));
    let pages = (1..).map_while(part).flatten();
    pages.map(|page| number(&page)).collect()
}

/// After a run that has ended, only the documented files exist.
fn check_clean(set: &Path) {
    let index = index(set);
    let named = index
        .iter()
        .map(|part| part.loc().path().trim_start_matches('/'));
    let journal = fs::read_to_string(set.join(".sitemap.set/journal")).unwrap_or_default();
    let unnamed = journal.lines().skip(1);
    let unnamed: BTreeSet<&str> = unnamed.filter_map(|line| line.split(' ').next()).collect();
    let own = named.chain(["sitemap.xml", ".sitemap.set"]);
    let known: BTreeSet<&str> = own.chain(unnamed.iter().copied()).collect();
    for file in fs::read_dir(set).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&*name), "{name} is left");
    }
    let are_there = unnamed.iter().all(|file| set.join(file).exists());
    assert!(are_there, "{journal}");
    let hidden = |folder: &str| fs::read_dir(set.join(folder)).unwrap();
    assert_eq!(hidden(".sitemap.set/new").count(), 0, "half files are left");
    let kept = 2 + usize::from(!journal.is_empty());
    assert_eq!(hidden(".sitemap.set").count(), kept);
}

/// The state that a kill or a fault must leave, at any moment.
struct Law {
    flags: &'static str,
    old: &'static str,
    new: &'static str,
}

impl Law {
    const fn of(flags: &'static str, old: &'static str, new: &'static str) -> Self {
        Self { flags, old, new }
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }

    fn prepare(&self, folder: &Folder) {
        finish(folder, self.old, self.flags);
    }

    /// The pages of a set with these ranges.
    fn pages(&self, ranges: &str) -> Vec<usize> {
        let kept = KEPT.filter(|_| self.has("keep"));
        numbers(ranges).into_iter().chain(kept).collect()
    }

    /// After a run that came to its end.
    fn check_published(&self, folder: &Folder, call: &str) {
        let found = by_index(&folder.path("set"));
        assert_eq!(found, self.pages(self.new), "{call}: a loss without a word");
    }

    /// After a run that failed: the old set is as it was, unless the error has another statement.
    fn check_failed(&self, folder: &Folder, said: &str) {
        let is_new = said.contains("the new set is published, but");
        let expected = self.pages(if is_new { self.new } else { self.old });
        assert_eq!(by_index(&folder.path("set")), expected, "{said}");
        assert!(!said.contains("are of the new set already"), "{said}");
    }

    fn check(&self, folder: &Folder) {
        let set = folder.path("set");
        let (old, new) = (self.pages(self.old), self.pages(self.new));
        let found = by_index(&set);
        if self.has("fingerprint") {
            assert!(found == old || found == new, "a mixture: {found:?}");
            return;
        }
        let found: BTreeSet<usize> = found.into_iter().collect();
        // Every visible file is complete, and no page that is in both generations is missing.
        let extension = if self.has("gzip") { "xml.gz" } else { "xml" };
        let mut visible = by_number(&set, extension);
        if self.has("single") || self.has("keep") {
            visible.extend(&found);
        }
        for pages in [&visible, &found] {
            let lost = old
                .iter()
                .find(|page| new.contains(page) && !pages.contains(page));
            assert_eq!(lost, None, "a page of both is in neither");
        }
    }
}

/// Pages appended, taken from the end, put in front; all new ones, more and fewer, where a mixture would be seen.
const LAWS: [Law; 13] = [
    Law::of("fingerprint", "0-13", "100-120"),
    Law::of("fingerprint gzip", "100-120", "0-13"),
    Law::of("fingerprint gzip", "0-13", "7-20"),
    Law::of("fingerprint", "0-13", "0-10 12-13"),
    Law::of("", "0-13", "0-17"),
    Law::of("gzip", "0-17", "0-7"),
    Law::of("", "0-13", "100-104 0-13"),
    Law::of("gzip", "0-13", "100-110 0-13"),
    Law::of("", "0-13", "100-100 0-13"),
    Law::of("single gzip", "0-1", "0-7"),
    Law::of("single gzip", "0-7", "0-1"),
    Law::of("keep gzip", "0-13", "0-7"),
    Law::of("keep fingerprint", "0-13", "100-120"),
];

fn has_strace() -> bool {
    let found = Command::new("strace")
        .arg("-V")
        .output()
        .is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("strace is not installed: nothing was tried");
    }
    found
}

/// Applies `tamper` to the first call, the second, and so on, until a run has fewer calls.
fn at_each_call(
    law: &Law,
    call: &str,
    tamper: &str,
    mut check: impl FnMut(&Folder, &Output),
) -> usize {
    for time in 1.. {
        let folder = Folder::new();
        law.prepare(&folder);
        let output = run_tampered(&folder, law.new, law.flags, call, tamper, time);
        let hit = if tamper.contains("signal") {
            !output.status.success()
        } else {
            traced(&folder).contains("(INJECTED)")
        };
        if !hit {
            assert!(output.status.success(), "{}", said(&output));
            return time - 1;
        }
        law.check(&folder);
        check(&folder, &output);
        // The next run succeeds as usual.
        finish(&folder, law.new, law.flags);
        law.check_published(&folder, call);
        check_clean(&folder.path("set"));
    }
    0
}

/// A run in which strace applies `tamper` to the call number `time` of `call`.
fn run_tampered(
    folder: &Folder,
    pages: &str,
    flags: &str,
    call: &str,
    tamper: &str,
    time: usize,
) -> Output {
    let calls = format!("trace={call}");
    let inject = format!("inject={call}:{tamper}:when={time}");
    trace(folder, pages, flags, &["-e", &calls, "-e", &inject])
}

#[test]
fn killed_at_each_call_of_the_system() {
    if !has_strace() {
        return;
    }
    let switching = ["rename", "fsync", "unlink", "flock", "mkdir", "fchmod"];
    let others = ["openat", "write", "statx", "close"];
    let mut kills = 0;
    for (at, law) in LAWS.iter().enumerate().step_by(scaled(1, 3)) {
        let calls = switching.iter().take(scaled(6, 1));
        let others = others.iter().filter(|_| full() && matches!(at, 0 | 6));
        for call in calls.chain(others) {
            kills += at_each_call(law, call, "signal=KILL", |_, _| {});
        }
    }
    eprintln!("killed at {kills} calls");
    assert!(kills > 10);
}

#[test]
fn each_call_of_the_system_may_fail() {
    if !has_strace() {
        return;
    }
    let faults: &[(&str, &[&str])] = if full() {
        &[
            ("rename", &["EIO", "EXDEV", "EACCES", "ENOSPC"]),
            ("fsync", &["EIO", "ENOSPC"]),
            ("unlink", &["EIO", "EACCES"]),
            ("flock", &["EOPNOTSUPP", "ENOLCK"]),
            ("mkdir", &["ENOSPC", "EACCES"]),
            ("openat", &["EMFILE", "EACCES", "EIO", "ENOSPC"]),
            ("write", &["ENOSPC", "EIO"]),
            ("read", &["EIO"]),
            ("getdents64", &["EIO"]),
            ("statx", &["EACCES", "EIO"]),
            ("fchmod", &["EPERM"]),
        ]
    } else {
        &[("rename", &["EIO"]), ("fsync", &["ENOSPC"])]
    };
    let mut hits = 0;
    for law in LAWS.iter().step_by(4) {
        for (call, errors) in faults {
            for error in *errors {
                hits += at_each_call(law, call, &format!("error={error}"), |folder, output| {
                    if output.status.success() {
                        law.check_published(folder, &format!("{call} {error}"));
                    } else {
                        law.check_failed(folder, &said(output));
                    }
                });
            }
        }
    }
    eprintln!("{hits} calls failed");
    assert!(hits > 10);
}

/// On a file system without hard links, what was replaced cannot be put back. The error names it.
#[test]
fn a_set_that_stays_half_is_described() {
    if !has_strace() {
        return;
    }
    let (mut halves, mut wholes) = (0, 0);
    for time in 1..9 {
        let folder = Folder::new();
        finish(&folder, "0-8", "");
        let fail = format!("inject=rename:error=EBUSY:when={time}");
        let no_link = "inject=linkat:error=EPERM";
        let options = ["-e", "trace=rename,linkat", "-e", no_link, "-e", &fail];
        let output = trace(&folder, "100-111", "", &options);
        if output.status.success() {
            break;
        }
        let (said, set) = (said(&output), folder.path("set"));
        let is_new = |name: &str| {
            let entries = read(&set.join(name)).unwrap();
            match name {
                "sitemap.xml" => entries.len() == 4,
                _ => number(&entries[0]) >= 100,
            }
        };
        let mut new = vec![
            "sitemap-1.xml",
            "sitemap-2.xml",
            "sitemap-3.xml",
            "sitemap.xml",
        ];
        new.retain(|name| is_new(name));
        let named = said.split_once(" of the new set already, the others of the old one: ");
        let Some((_, named)) = named else {
            assert!(new.is_empty(), "{said}");
            wholes += 1;
            continue;
        };
        let (named, _) = named.split_once(')').unwrap();
        let mut named: Vec<&str> = named.split(", ").collect();
        // The part that was added stays, because the index may list it.
        assert!(named.contains(&"sitemap-4.xml"), "{said}");
        named.retain(|name| *name != "sitemap-4.xml");
        named.sort_unstable();
        assert_eq!(named, new, "{said}");
        halves += 1;
    }
    assert!(halves >= 3 && wholes >= 2, "{halves} {wholes}");
}

/// Files that a killed run has renamed are visible, and may not be on the disk yet: the next run syncs the directory
/// before it writes anything that depends on it.
#[test]
fn the_directory_is_synced_before_anything_else_is_written() {
    if !has_strace() {
        return;
    }
    for flags in ["", "fingerprint"] {
        let folder = Folder::new();
        finish(&folder, "0-7", flags);
        // Nothing has changed, so nothing else needs a sync.
        let options = ["-y", "-e", "trace=openat,fsync"];
        let output = trace(&folder, "0-7", flags, &options);
        assert!(output.status.success(), "{}", said(&output));
        let log = traced(&folder);
        let position = |parts: [&str; 2]| {
            let mut calls = log.lines();
            calls.position(|call| parts.iter().all(|part| call.contains(part)))
        };
        let written = position(["sitemap-1.", "O_CREAT"]);
        for synced in ["set", "set/.sitemap.set"] {
            let path = format!("<{}>) ", folder.path(synced).display());
            let synced = position(["fsync(", &path]);
            assert!(synced.is_some() && written.is_some(), "{log}");
            assert!(synced < written, "{log}");
        }
    }
}

/// The journal must name the removed parts before the index no longer names them.
#[test]
fn killed_while_a_set_shrinks_it_leaves_no_part_behind() {
    if !has_strace() {
        return;
    }
    let law = Law::of("", "0-17", "0-7");
    for call in ["rename", "unlink", "fsync"] {
        at_each_call(&law, call, "signal=KILL", |_, _| {});
    }
}

/// A part that was out of use is listed again, this run is killed, and the next run does not list it.
#[test]
fn killed_after_a_part_is_named_again_its_time_of_grace_begins_anew() {
    if !has_strace() {
        return;
    }
    let mut switched = 0;
    for time in 1.. {
        let folder = Folder::new();
        finish(&folder, "0-13", "fingerprint");
        finish(&folder, "100-120", "fingerprint");
        let (set, journal) = (folder.path("set"), folder.path("set/.sitemap.set/journal"));
        let text = fs::read_to_string(&journal).unwrap();
        let long_ago = text.lines().map(|line| match line.rsplit_once(' ') {
            Some((file, _)) if !line.starts_with('#') => format!("{file} 1\n"),
            _ => format!("{line}\n"),
        });
        fs::write(&journal, long_ago.collect::<String>()).unwrap();
        let output = run_tampered(
            &folder,
            "0-13",
            "fingerprint",
            "rename",
            "signal=KILL",
            time,
        );
        let parts = read(&set.join("sitemap.xml")).unwrap();
        let is_switched = by_index(&set) == numbers("0-13");
        finish(&folder, "200-203", "fingerprint");
        for part in parts {
            let file = part.loc().path().rsplit('/').next().unwrap();
            assert!(set.join(file).exists(), "{time}: {file}");
        }
        if output.status.success() {
            break;
        }
        switched += usize::from(is_switched);
    }
    assert!(switched > 0, "no run was killed behind the switch");
}

#[test]
fn a_file_system_without_locks_is_an_error_that_says_what_to_do() {
    if !has_strace() {
        return;
    }
    for error in ["ENOLCK", "EOPNOTSUPP", "ENOSYS"] {
        let folder = Folder::new();
        finish(&folder, "0-3", "");
        let tamper = format!("error={error}");
        let output = run_tampered(&folder, "0-10", "", "flock", &tamper, 1);
        assert!(!output.status.success());
        let message = said(&output);
        assert!(message.contains(".sitemap.set/lock"), "{message}");
        assert!(message.contains("`Directory::unlocked`"), "{message}");
        assert_eq!(by_index(&folder.path("set")), numbers("0-3"));
        let output = run_tampered(&folder, "0-10", "unlocked", "flock", &tamper, 1);
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(by_index(&folder.path("set")), numbers("0-10"));
    }
}

#[test]
fn killed_at_random_moments_while_a_reader_polls() {
    let kills = scaled(300, 24);
    let done = AtomicBool::new(false);
    for law in [0, 1, 2] {
        let law = &LAWS[law];
        let folder = Folder::new();
        finish(&folder, law.old, law.flags);
        done.store(false, Ordering::Relaxed);
        let seen = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let set = folder.path("set");
                let (mut seen, old, new) = (0_usize, numbers(law.old), numbers(law.new));
                while !done.load(Ordering::Relaxed) {
                    let found = by_index(&set);
                    assert!(found == old || found == new, "a mixture: {found:?}");
                    seen += 1;
                }
                seen
            });
            for number in 0..kills / 3 {
                let pages = if number % 2 == 0 { law.new } else { law.old };
                let moment = 300 * (number as u64 * 7_919 % 97);
                kill(&folder, pages, law.flags, Duration::from_micros(moment));
            }
            done.store(true, Ordering::Relaxed);
            reader.join().unwrap()
        });
        eprintln!("{}: {} kills, {seen} observations", law.flags, kills / 3);
        finish(&folder, law.new, law.flags);
        check_clean(&folder.path("set"));
    }
}

#[test]
fn numbered_parts_lose_no_page_while_pages_are_put_in_front() {
    let done = AtomicBool::new(false);
    let folder = Folder::new();
    finish(&folder, "1000-1040", "");
    let rounds = scaled(100, 12);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let found = by_number(&folder.path("set"), "xml");
                let lost = (1_000..=1_040).find(|page| !found.contains(page));
                assert_eq!(lost, None);
            }
        });
        for round in 1..=rounds {
            let pages = format!("{}-1040", 1_000 - round * 5);
            let moment = 400 * (round as u64 * 31 % 61);
            kill(&folder, &pages, "", Duration::from_micros(moment));
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap();
    });
    finish(&folder, "1000-1040", "");
    check_clean(&folder.path("set"));
}

#[test]
fn of_two_runs_at_once_one_wins() {
    let rounds = scaled(200, 10);
    for round in 0..rounds {
        let folder = Folder::new();
        finish(&folder, "0-2", "");
        if round % 2 == 1 {
            // The files that a killed run has left.
            let mut killed = spawn(&folder, "0-2", "wait");
            folder.write("go", "");
            let part = folder.path("set/.sitemap.set/new/sitemap-1.xml");
            while !part.exists() {
                std::thread::yield_now();
            }
            killed.kill().unwrap();
            killed.wait().unwrap();
            fs::remove_file(folder.path("go")).unwrap();
            assert!(part.exists());
        }
        let runs = ["100-110", "200-210"].map(|pages| spawn(&folder, pages, "wait"));
        // Both are spinning by then.
        std::thread::sleep(Duration::from_millis(30));
        folder.write("go", "");
        let runs = runs.map(|run| run.wait_with_output().unwrap());
        let (won, lost) = match runs.each_ref().map(|run| run.status.success()) {
            [true, false] => ("100-110", said(&runs[1])),
            [false, true] => ("200-210", said(&runs[0])),
            both => panic!("{both:?}: {}", runs.each_ref().map(said).concat()),
        };
        let expected = "sitemap.xml: another run is writing this set";
        assert!(lost.contains(expected), "{lost}");
        assert_eq!(by_index(&folder.path("set")), numbers(won));
        check_clean(&folder.path("set"));
    }
}
