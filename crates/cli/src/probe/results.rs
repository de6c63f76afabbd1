//! The file of `--resume`: one result per line. It is the state, too: a page in it is not requested again, unless there
//! was no usable answer, or another question is asked.

use std::collections::HashMap;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;

use crate::disk::replacement::Replacement;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::key_of;
use crate::probe::found::Found;
use crate::probe::selection::Known;
use crate::rows::log::{self, Kind, Log};

/// The version of a line.
const VERSION: u32 = 1;

const LINES: Kind = lines("name another file, or delete this one to begin anew");

/// The lines of a file of results, with the way out if it has others.
pub(crate) const fn lines(advice: &'static str) -> Kind {
    Kind {
        begin: "{\"url\"",
        name: "a result of `sitemap probe`",
        version: VERSION,
        advice,
    }
}

#[derive(Serialize)]
struct ResultLine<'f> {
    #[serde(flatten)]
    found: &'f Found,
    version: u32,
}

pub(crate) struct Results {
    path: PathBuf,
    log: Log,
    /// The place of the line of each page.
    places: HashMap<Digest, u64>,
    digester: Digester,
}

impl Results {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    ///
    /// If the file is something else, or another run writes to it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let (digester, mut places) = (Digester::default(), HashMap::new());
        let log = Log::open(path, LINES, &mut |line, found: Found| {
            places.insert(digester.of(&key_of(&found.url)), line.byte);
            Ok(())
        })?;
        Ok(Self {
            path: path.to_owned(),
            log,
            places,
            digester,
        })
    }

    pub(crate) fn find(&mut self, url: &str) -> anyhow::Result<Option<Found>> {
        let place = self.places.get(&self.digester.of(&key_of(url)));
        place.map(|place| self.log.at(*place)).transpose()
    }

    pub(crate) fn add(&mut self, found: &Found) -> anyhow::Result<()> {
        let version = VERSION;
        let added = self.log.add(&ResultLine { found, version });
        added.context("--resume")
    }

    /// Writes the file anew, without the results of these pages. It is locked meanwhile.
    pub(crate) fn forget(&mut self, pages: &Known) -> anyhow::Result<()> {
        let mut new = BufWriter::new(Replacement::of(&self.path)?);
        log::each(self.log.file(), LINES, &mut |line, found: Found| {
            if !pages.has(&found.url) {
                new.write_all(line.text)?;
                new.write_all(b"\n")?;
            }
            Ok(())
        })?;
        let new = new.into_inner().map_err(|error| error.into_error())?;
        new.put_in_place()?;
        *self = Self::open(&self.path)?;
        Ok(())
    }
}
