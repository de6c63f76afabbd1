//! A folder in which the program runs.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::served::{Ran, Served, sitemap};
use tempfile::TempDir;

pub struct Folder(pub TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn put(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A pipe, which no other program opens. Returns its path.
    pub fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        path
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn command(&self, arguments: &str) -> Command {
        let mut command = sitemap(&arguments.split_whitespace().collect::<Vec<_>>());
        command.current_dir(self.0.path());
        command
    }

    /// Runs the program with these arguments, which contain no spaces.
    pub fn run(&self, arguments: &str) -> Ran {
        self.run_all(&arguments.split_whitespace().collect::<Vec<_>>())
    }

    /// The same, with this status.
    #[track_caller]
    pub fn must(&self, arguments: &str, status: i32) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.status, status, "{ran}");
        ran
    }

    /// Runs the program with the URL of a site in place of `SITE/`, in the arguments and in the output.
    pub fn run_on(&self, site: &Served, arguments: &str) -> Ran {
        let mut command = site.command_of(arguments);
        command.current_dir(self.0.path());
        site.ran(command)
    }

    /// The same, with this status.
    #[track_caller]
    pub fn must_on(&self, site: &Served, arguments: &str, status: i32) -> Ran {
        let ran = self.run_on(site, arguments);
        assert_eq!(ran.status, status, "{ran}");
        ran
    }

    pub fn run_all(&self, arguments: &[&str]) -> Ran {
        let mut command = sitemap(arguments);
        let output = command.current_dir(self.0.path()).output().unwrap();
        Ran::of(&output, &command, "\0")
    }
}
