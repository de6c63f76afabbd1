//! A file of JSON Lines that one run at a time reads and continues.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::lines::{Line, Lines};
use crate::disk::{append_regular, lock};
use crate::term::json;
use crate::term::messages::Advised;

/// The values of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The first bytes of each line.
    pub(crate) begin: &'static str,
    /// `a run of a program`
    pub(crate) name: &'static str,
    /// The version of a line that names one. Later ones are rejected; fields that are not known are ignored.
    pub(crate) version: u32,
    /// The way out if the file has other lines.
    pub(crate) advice: &'static str,
}

/// The version of a line, if it names one.
#[derive(Deserialize)]
struct Version {
    #[serde(default)]
    version: u32,
}

/// A file, locked from the moment when it is read. A run that is killed, or a full disk, may leave a part of a line at its
/// end, which is completed or removed before a line is added.
#[derive(Debug)]
pub(crate) struct Log {
    file: File,
    end: End,
}

/// How a file ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct End {
    /// The start of a part of a line, in bytes.
    cut: Option<u64>,
    /// The last line is complete, except for its end.
    lacks_end: bool,
}

impl Log {
    /// Opens the file, or makes it, and reads its values.
    ///
    /// # Errors
    ///
    /// As of [`each`]. If another run has the file.
    pub(crate) fn open<T: DeserializeOwned>(
        path: &Path,
        kind: Kind,
        on_value: &mut OnValue<'_, T>,
    ) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let file = append_regular(path).with_context(name)?;
        lock(&file, path, "another run is writing to")?;
        let end = each(&file, kind, on_value).with_context(name)?;
        Ok(Self { file, end })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn has_part_of_line(&self) -> bool {
        self.end.cut.is_some()
    }

    /// The value at that place.
    pub(crate) fn at<T: DeserializeOwned>(&mut self, byte: u64) -> anyhow::Result<T> {
        self.file.seek(SeekFrom::Start(byte))?;
        let mut lines = Lines::new(BufReader::new(&self.file));
        let line = lines.next()?;
        Ok(serde_json::from_slice(line.map_or(b"", |line| line.text))?)
    }

    /// Adds a value in one piece. If that fails, no part of it stays.
    pub(crate) fn add(&mut self, value: &impl Serialize) -> io::Result<()> {
        let end = std::mem::take(&mut self.end);
        if let Some(start) = end.cut {
            self.file.set_len(start)?;
        }
        let begin = if end.lacks_end { "\n" } else { "" };
        let line = format!("{begin}{}\n", json::text(value)?);
        let before = self.file.seek(SeekFrom::End(0))?;
        let written = self.file.write_all(line.as_bytes());
        if written.is_err() {
            let _ = self.file.set_len(before);
        }
        written
    }

    /// Returns when all that was added is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Takes a value, with its line.
pub(crate) type OnValue<'v, T> = dyn FnMut(Line<'_>, T) -> anyhow::Result<()> + 'v;

/// Passes the value of each line.
///
/// # Errors
///
/// With the number of the line, if it holds something else. Those of the file and of `on_value`.
pub(crate) fn each<T: DeserializeOwned>(
    mut file: &File,
    kind: Kind,
    on_value: &mut OnValue<'_, T>,
) -> anyhow::Result<End> {
    file.rewind()?;
    let mut lines = Lines::new(BufReader::new(file));
    let mut end = End::default();
    while let Some(line) = lines.next()? {
        let begin = kind.begin.as_bytes();
        let version = serde_json::from_slice::<Version>(line.text);
        if version.is_ok_and(|line| line.version > kind.version) {
            let (number, name) = (line.number, kind.name);
            bail!("line {number}, {name}, was written by a later version of the program");
        }
        match serde_json::from_slice(line.text) {
            Ok(value) => {
                end.lacks_end = !line.has_end;
                on_value(line, value)?;
            }
            Err(_)
                if !line.has_end
                    && (line.text.starts_with(begin) || begin.starts_with(line.text)) =>
            {
                end = End {
                    cut: Some(line.byte),
                    lacks_end: false,
                };
            }
            Err(error) => {
                let message = format!("line {} is not {}: {error}", line.number, kind.name);
                return Err(Advised::new(message, kind.advice).into());
            }
        }
    }
    Ok(end)
}
