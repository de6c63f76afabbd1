//! The file of `--resume`: one result per line. It is the state, too: a page in it is not requested again, unless there
//! was no usable answer.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::disk::{append_regular, open_regular};
use crate::page::found::{Found, Verdict};
use crate::sets::digest::{Digest, Digester};
use crate::sets::replacement::Replacement;
use crate::term::address::no_url;
use crate::term::json;
use crate::term::messages::Advised;

/// Bytes of a line; no result is longer.
const LONGEST: u64 = 1 << 20;

pub(super) struct Results {
    file: File,
    /// The place of the line of each page.
    places: HashMap<Digest, u64>,
    digester: Digester,
}

impl Results {
    /// Opens the file, or makes it.
    ///
    /// Results that may be better the next time are removed, as is a line that a killed run has not finished.
    ///
    /// # Errors
    ///
    /// If the file is something else, or another run writes to it.
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        no_url(path, "--resume is a file")?;
        let name = || path.display().to_string();
        match open_regular(path) {
            Ok(file) => {
                lock(&file, path)?;
                without_errors(path, &file).with_context(name)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(name),
        }
        let file = append_regular(path).with_context(name)?;
        lock(&file, path)?;
        let digester = Digester::default();
        let mut places = HashMap::new();
        each(&file, &mut |at, found, _| {
            places.insert(digester.of(&found.url), at);
            Ok(())
        })
        .with_context(name)?;
        Ok(Self {
            file,
            places,
            digester,
        })
    }

    pub(super) fn find(&mut self, url: &str) -> anyhow::Result<Option<Found>> {
        let Some(at) = self.places.get(&self.digester.of(url)) else {
            return Ok(None);
        };
        self.file.seek(SeekFrom::Start(*at))?;
        let mut line = Vec::new();
        BufReader::new((&mut self.file).take(LONGEST)).read_until(b'\n', &mut line)?;
        Ok(Some(serde_json::from_slice(&line)?))
    }

    pub(super) fn add(&mut self, found: &Found) -> anyhow::Result<()> {
        let mut line = json::text(found)?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).context("--resume")?;
        Ok(())
    }
}

fn lock(file: &File, path: &Path) -> anyhow::Result<()> {
    // Some file systems know no locks.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        bail!("another run is writing to {}", path.display());
    }
    Ok(())
}

/// The place of a line, its result, and the line.
type OnLine<'l> = dyn FnMut(u64, Found, &[u8]) -> anyhow::Result<()> + 'l;

/// Passes each complete line, with its place.
fn each(file: &File, on_line: &mut OnLine<'_>) -> anyhow::Result<()> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(0))?;
    let (mut at, mut number) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut reader).take(LONGEST).read_until(b'\n', &mut line)?;
        number += 1;
        if read == 0 || (line.last() != Some(&b'\n') && (read as u64) < LONGEST) {
            return Ok(());
        }
        let found: Found = serde_json::from_slice(&line).map_err(|error| {
            let message = format!("line {number} is not a result of `sitemap probe`: {error}");
            Advised::new(
                message,
                "name another file, or delete this one to begin anew",
            )
        })?;
        on_line(at, found, &line)?;
        at += read as u64;
    }
}

/// Writes the file anew, if it has lines that are not to stay.
fn without_errors(path: &Path, file: &File) -> anyhow::Result<()> {
    let (mut kept, mut is_changed) = (0, false);
    each(file, &mut |_, found, line| {
        match found.verdict {
            Verdict::Error => is_changed = true,
            _ => kept += line.len() as u64,
        }
        Ok(())
    })?;
    if !is_changed && kept == file.metadata()?.len() {
        return Ok(());
    }
    let mut new = BufWriter::new(Replacement::of(path)?);
    each(file, &mut |_, found, line| {
        if found.verdict != Verdict::Error {
            new.write_all(line)?;
        }
        Ok(())
    })?;
    let new = new.into_inner().map_err(|error| error.into_error())?;
    new.put_in_place()?;
    Ok(())
}
