//! Which run is at work: a directory that holds one file, its owner's.
//!
//! A run makes a directory of its own (the *claim*) with a file in it that is called as the run is, and says which
//! process this is. Then it renames the claim to the name of the lock. The system does that only where there is no
//! lock, or where the lock is empty, and so for one run at a time; from then on the lock is there with its owner's file
//! in it, never without. A run that finds an owner which is gone removes that owner's file, by its name, which no
//! other run has, and claims again: however many runs find the same stale lock, nobody's is removed but that, and one
//! of them wins. Nothing waits: a run that meets a living owner gives up.
//!
//! A file lock of the system (`flock`) would need no such care, but the standard library has it from Rust 1.89 on
//! only, and not every network file system keeps its word about it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, SystemTime};

use super::fs::{at, read_own, remove};
use super::journal::now;
use super::names::{Names, is_run};
use crate::value::W3cDatetime;

/// Where it cannot be asked whether a process is alive, one that has not been heard of for so long is not.
const SILENCE: Duration = Duration::from_secs(3_600);

/// After so many seconds a run that is at work says so again.
const SIGN_OF_LIFE: u64 = 60;

/// Attempts to get a lock. Each that fails has met another run that came or went in this very moment.
const ATTEMPTS: usize = 1_000;

/// The lock of one set, held until this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    lock: PathBuf,
    owner: PathBuf,
    index: PathBuf,
    file: Option<File>,
    /// When others were last told that this run is alive, in seconds since 1970.
    told: AtomicU64,
}

impl Lock {
    /// # Errors
    ///
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) where another run is at work.
    pub(super) fn take(folder: &Path, names: &Names, run: &str) -> io::Result<Self> {
        let lock = folder.join(names.lock());
        let claim = folder.join(names.claim(run));
        let index = folder.join(names.index());
        let taken = Self::claim(&lock, &claim, &index, run);
        if taken.is_err() {
            let _ = remove(&claim.join(run));
            let _ = fs::remove_dir(&claim);
        }
        let file = taken?;
        Ok(Self {
            owner: lock.join(run),
            lock,
            index,
            file: Some(file),
            told: AtomicU64::new(now()),
        })
    }

    fn claim(lock: &Path, claim: &Path, index: &Path, run: &str) -> io::Result<File> {
        let mut claimed = make(claim, run)?;
        for _ in 0..ATTEMPTS {
            // Only systems that rename nothing onto an empty directory need this.
            if cfg!(not(unix)) {
                let _ = fs::remove_dir(lock);
            }
            let Err(error) = fs::rename(claim, lock) else {
                if is_there(&lock.join(run)) {
                    return Ok(claimed);
                }
                // The file was swept from the claim by a run that was killed before it removed the claim, too.
                let _ = fs::remove_dir(lock);
                claimed = make(claim, run)?;
                continue;
            };
            if fs::symlink_metadata(lock).is_ok_and(|lock| !lock.is_dir()) {
                return Err(at(lock)(error));
            }
            if let Some(owner) = owner(lock)? {
                let path = lock.join(&owner);
                match holder(&path)? {
                    Some(holder) if !holder.is_gone(&path, &claimed) => {
                        return Err(busy(index, &holder, lock));
                    }
                    Some(_) => remove(&path)?,
                    None => {}
                }
            } else if error.kind() == io::ErrorKind::NotFound {
                // The run that held the lock before has swept the claim, as if a killed run had left it.
                claimed = make(claim, run)?;
            } else if !is_there(lock) || is_occupied(&error) {
                // Another run has taken or released the lock meanwhile: try again.
            } else {
                return Err(at(lock)(error));
            }
        }
        let message = format!(
            "{}: cannot be replaced, though no run is in it",
            lock.display()
        );
        Err(io::Error::new(io::ErrorKind::ResourceBusy, message))
    }

    /// Whether this run still has its lock. Others are told that it is alive.
    pub(super) fn check(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.owner) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let message = format!(
                    "{}: another run has begun, and taken this one for dead",
                    self.index.display()
                );
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
            }
            Err(error) => return Err(at(&self.owner)(error)),
        }
        let now = now();
        if now.saturating_sub(self.told.load(Relaxed)) > SIGN_OF_LIFE {
            // Where that fails the run goes on; at worst it will find its lock gone.
            let touch = |file: &File| file.set_modified(SystemTime::now());
            let _ = self.file.as_ref().map(touch);
            self.told.store(now, Relaxed);
        }
        Ok(())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // An open file that is removed stays in its directory on NFS.
        self.file = None;
        // What cannot be removed now is removed by the next run.
        let _ = remove(&self.owner);
        // Another run may have renamed its claim to the empty directory: then it is not empty any more.
        let _ = fs::remove_dir(&self.lock);
    }
}

/// Makes the claim. The run that holds the lock may be sweeping it away at the same time.
fn make(claim: &Path, run: &str) -> io::Result<File> {
    let path = claim.join(run);
    let mut attempts = 0;
    let mut file = loop {
        attempts += 1;
        match fs::create_dir(claim) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(at(claim)(error));
            }
            _ => {}
        }
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempts < ATTEMPTS => {}
            file => break file.map_err(at(&path))?,
        }
    };
    let written = file
        .write_all(Holder::this().to_string().as_bytes())
        // After a power failure it should still be read whose lock it was.
        .and_then(|()| file.sync_all());
    written.map_err(at(&path))?;
    Ok(file)
}

/// Where that can't be asked, it is not said to be missing.
fn is_there(path: &Path) -> bool {
    let missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    !fs::symlink_metadata(path).is_err_and(missing)
}

fn is_occupied(error: &io::Error) -> bool {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => true,
        // What Windows says of a directory that is there.
        io::ErrorKind::PermissionDenied => cfg!(windows),
        _ => false,
    }
}

/// The run whose file is in the lock, if there is one.
fn owner(lock: &Path) -> io::Result<Option<String>> {
    let entries = match fs::read_dir(lock) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(at(lock))?,
    };
    for entry in entries {
        let name = entry.map_err(at(lock))?.file_name();
        if let Some(run) = name.to_str().filter(|name| is_run(name)) {
            return Ok(Some(run.to_owned()));
        }
    }
    Ok(None)
}

/// What an owner's file says. `None`: it is not there any more.
fn holder(path: &Path) -> io::Result<Option<Holder>> {
    let text = read_own(path)?;
    // What cannot be understood is not of this crate's making, or of a system that lost what was written last.
    Ok(text.map(|text| Holder::parse(&String::from_utf8_lossy(&text))))
}

fn busy(index: &Path, holder: &Holder, lock: &Path) -> io::Error {
    let process = holder.process.map_or_else(
        || "an unknown process".to_owned(),
        |process| format!("process {process}"),
    );
    let since = holder.since.map_or_else(String::new, |since| {
        format!(", started {}", W3cDatetime::from(since))
    });
    let advice = match holder.system == System::this() && holder.system.is_known() {
        true => String::new(),
        false => format!("; if that is gone, remove {}", lock.display()),
    };
    let message = format!(
        "{}: another run has begun ({process}{since}{advice})",
        index.display()
    );
    io::Error::new(io::ErrorKind::ResourceBusy, message)
}

/// The process that holds a lock.
#[derive(Debug, Default, PartialEq)]
struct Holder {
    process: Option<u32>,
    /// When the process began, in the units of its system: processes get the numbers of others that have ended.
    began: String,
    system: System,
    /// When the run began.
    since: Option<SystemTime>,
}

/// Where a process's number means something: a host since its start, and a name space of processes in it.
#[derive(Debug, Default, Clone, PartialEq)]
struct System {
    host: String,
    boot: String,
    space: String,
}

impl System {
    fn this() -> Self {
        let line = |path: &str| {
            fs::read_to_string(path)
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        Self {
            host: line("/proc/sys/kernel/hostname"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            space: space.to_string_lossy().into_owned(),
        }
    }

    fn is_known(&self) -> bool {
        !self.boot.is_empty() && !self.space.is_empty()
    }
}

impl Holder {
    fn this() -> Self {
        Self {
            process: Some(std::process::id()),
            began: began("self").ok().flatten().unwrap_or_default(),
            system: System::this(),
            since: Some(SystemTime::now()),
        }
    }

    fn parse(text: &str) -> Self {
        let mut holder = Self::default();
        for line in text.lines() {
            match line.split_once(": ") {
                Some(("process", process)) => holder.process = process.parse().ok(),
                Some(("began", began)) => began.clone_into(&mut holder.began),
                Some(("host", host)) => host.clone_into(&mut holder.system.host),
                Some(("boot", boot)) => boot.clone_into(&mut holder.system.boot),
                Some(("space", space)) => space.clone_into(&mut holder.system.space),
                Some(("since", since)) => {
                    let seconds = since.parse().ok().map(Duration::from_secs);
                    holder.since = seconds.and_then(|s| SystemTime::UNIX_EPOCH.checked_add(s));
                }
                _ => {}
            }
        }
        holder
    }

    /// `claimed` has just been written to the same file system as `path`, whose clock may not be this system's.
    fn is_gone(&self, path: &Path, claimed: &File) -> bool {
        let own = System::this();
        if self.process == Some(std::process::id()) && self.system == own && !own.is_known() {
            return false;
        }
        if own.is_known() && self.system.is_known() {
            if self.system == own {
                if let Some(gone) = self.process.and_then(|process| self.is_other(process)) {
                    return gone;
                }
            } else if self.system.host == own.host && self.system.boot != own.boot {
                // No process outlives a restart of the system.
                return true;
            }
        }
        let touched = |file: io::Result<fs::Metadata>| file.and_then(|file| file.modified()).ok();
        match (touched(fs::metadata(path)), touched(claimed.metadata())) {
            (Some(last), Some(now)) => now
                .duration_since(last)
                .is_ok_and(|silent| silent > SILENCE),
            _ => false,
        }
    }

    /// Whether the process of that number is not the one that was meant. `None`: that cannot be told.
    fn is_other(&self, process: u32) -> Option<bool> {
        match began(&process.to_string()) {
            Ok(Some(_)) if self.began.is_empty() => None,
            Ok(began) => Some(began.is_none_or(|began| began != self.began)),
            // `/proc` may hide processes of other users; then process 1 is hidden, too, and nothing can be told.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::metadata("/proc/1").is_ok().then_some(true)
            }
            Err(_) => None,
        }
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "process: {}", self.process.unwrap_or_default())?;
        writeln!(f, "began: {}", self.began)?;
        writeln!(f, "host: {}", self.system.host)?;
        writeln!(f, "boot: {}", self.system.boot)?;
        writeln!(f, "space: {}", self.system.space)?;
        let since = self
            .since
            .and_then(|since| since.duration_since(SystemTime::UNIX_EPOCH).ok());
        writeln!(f, "since: {}", since.unwrap_or_default().as_secs())
    }
}

/// When a process began, in ticks since the system's start; `None` if it has ended and is not yet forgotten.
fn began(process: &str) -> io::Result<Option<String>> {
    let stat = fs::read(format!("/proc/{process}/stat"))?;
    let stat = String::from_utf8_lossy(&stat);
    // The program's name stands in parentheses, and may hold anything.
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .map_or(Vec::new(), |(_, rest)| rest.split_whitespace().collect());
    let ended = fields
        .first()
        .is_some_and(|state| matches!(*state, "Z" | "X"));
    let began = fields.get(19).filter(|_| !ended);
    Ok(began.map(|began| (*began).to_owned()))
}
