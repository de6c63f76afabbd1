//! Values that wait on the disk.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, IntoInnerError, Seek, Write};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Values in a temporary file, which is read once. The file has no name (the system removes it when it is closed, however
/// the program ends).
pub(crate) struct Spool {
    file: BufWriter<File>,
    /// The number of values.
    pub(crate) length: u64,
}

impl Spool {
    pub(crate) fn new() -> anyhow::Result<Self> {
        let file = tempfile::tempfile().context("a temporary file")?;
        Ok(Self {
            file: BufWriter::with_capacity(64 << 10, file),
            length: 0,
        })
    }

    pub(crate) fn push(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let line = serde_json::to_writer(&mut self.file, value);
        line.context("a temporary file")?;
        self.file.write_all(b"\n").context("a temporary file")?;
        self.length += 1;
        Ok(())
    }

    pub(crate) fn read<T: DeserializeOwned>(
        self,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<T>>> {
        let file = self.file.into_inner().map_err(IntoInnerError::into_error);
        let mut file = file.context("a temporary file")?;
        file.rewind()?;
        let lines = BufReader::with_capacity(16 << 10, file).lines();
        Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
    }
}
