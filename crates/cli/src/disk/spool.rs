//! Values that wait on the disk.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError, Seek, SeekFrom, Write};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Values as lines of a temporary file. The file has no name (the system removes it when it is closed, however the program
/// ends).
#[derive(Debug)]
pub(crate) struct Spool {
    file: BufWriter<File>,
    /// The latest line.
    line: Vec<u8>,
    /// The number of values.
    pub(crate) length: u64,
    /// The place of the next value.
    pub(crate) end: u64,
}

impl Spool {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let file = tempfile::tempfile().context("a temporary file")?;
        Ok(Self {
            file: BufWriter::with_capacity(64 << 10, file),
            line: Vec::new(),
            length: 0,
            end: 0,
        })
    }

    pub(crate) fn push(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.line(value)?;
        self.add()
    }

    /// The line of a value, which is not added yet.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> serde_json::Result<&[u8]> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, value)?;
        self.line.push(b'\n');
        Ok(&self.line)
    }

    /// Adds the latest line.
    pub(crate) fn add(&mut self) -> anyhow::Result<()> {
        let written = self.file.write_all(&self.line);
        written.context("a temporary file")?;
        self.length += 1;
        self.end += self.line.len() as u64;
        Ok(())
    }

    pub(crate) fn read<T: DeserializeOwned>(
        self,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<T>>> {
        let lines = self.places(16 << 10)?.file.lines();
        Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
    }

    /// For reading in any order, so many bytes at a time: a value that does not follow the one before costs all of them.
    pub(crate) fn places(self, bytes: usize) -> anyhow::Result<Places> {
        let file = self.file.into_inner().map_err(IntoInnerError::into_error);
        let mut file = file.context("a temporary file")?;
        file.rewind()?;
        let file = BufReader::with_capacity(bytes, file);
        Ok(Places { file })
    }
}

/// The values of a [`Spool`], by their places.
pub(crate) struct Places {
    file: BufReader<File>,
}

impl Places {
    /// The value at this place.
    pub(crate) fn value<T: DeserializeOwned>(&mut self, place: u64) -> anyhow::Result<T> {
        let read = |file: &mut BufReader<File>| {
            // Most lines follow one another.
            let here = file.stream_position()?;
            match i64::try_from(place).ok().zip(i64::try_from(here).ok()) {
                Some((place, here)) => file.seek_relative(place - here)?,
                None => drop(file.seek(SeekFrom::Start(place))?),
            }
            let mut line = String::new();
            file.read_line(&mut line)?;
            io::Result::Ok(line)
        };
        let line = read(&mut self.file).context("a temporary file")?;
        Ok(serde_json::from_str(&line)?)
    }
}
