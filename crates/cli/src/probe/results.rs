//! The file of `--resume`: one result per line. It is the state, too: a page in it is not requested again, unless there
//! was no usable answer.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;

use crate::disk::replacement::Replacement;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::key_of;
use crate::probe::ask::results;
use crate::probe::found::{Found, Verdict};
use crate::rows::log::{self, Kind, Log};

const LINES: Kind = results("name another file, or delete this one to begin anew");

pub(crate) struct Results {
    log: Log,
    /// The place of the line of each page.
    places: HashMap<Digest, u64>,
    digester: Digester,
}

impl Results {
    /// Opens the file, or makes it. Results that may be better the next time are removed.
    ///
    /// # Errors
    ///
    /// If the file is something else, or another run writes to it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        loop {
            let digester = Digester::default();
            let (mut places, mut has_errors) = (HashMap::new(), false);
            let log = Log::open(path, LINES, &mut |line, found: Found| {
                has_errors |= found.verdict == Verdict::Error;
                places.insert(digester.of(&key_of(&found.url)), line.byte);
                Ok(())
            })?;
            if !has_errors {
                return Ok(Self {
                    log,
                    places,
                    digester,
                });
            }
            without_errors(path, log.file()).with_context(|| path.display().to_string())?;
        }
    }

    pub(crate) fn find(&mut self, url: &str) -> anyhow::Result<Option<Found>> {
        let place = self.places.get(&self.digester.of(&key_of(url)));
        place.map(|place| self.log.at(*place)).transpose()
    }

    pub(crate) fn add(&mut self, found: &Found) -> anyhow::Result<()> {
        self.log.add(found).context("--resume")
    }
}

/// Writes the file anew. It is locked meanwhile.
fn without_errors(path: &Path, file: &File) -> anyhow::Result<()> {
    let mut new = BufWriter::new(Replacement::of(path)?);
    log::each(file, LINES, &mut |line, found: Found| {
        if found.verdict != Verdict::Error {
            new.write_all(line.text)?;
            new.write_all(b"\n")?;
        }
        Ok(())
    })?;
    let new = new.into_inner().map_err(|error| error.into_error())?;
    new.put_in_place()?;
    Ok(())
}
