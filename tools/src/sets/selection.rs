//! Pages that are selected, and wait on the disk.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Lines, Seek, Write};

use anyhow::Context;

use crate::page::found::Listed;
use crate::sets::digest::{Digest, Digester};
use crate::sets::sample::Sample;

/// The pages to be requested, each once.
pub(crate) struct Selection {
    all: Spool,
    sample: Option<Sample>,
    digester: Digester,
    known: HashSet<Digest>,
}

impl Selection {
    /// All pages, or a sample of that size.
    pub(crate) fn new(sample: Option<u32>, seed: u64) -> anyhow::Result<Self> {
        Ok(Self {
            all: Spool::new()?,
            sample: sample.map(|size| Sample::new(size as usize, seed)),
            digester: Digester::default(),
            known: HashSet::new(),
        })
    }

    pub(crate) fn add(&mut self, page: Listed) -> anyhow::Result<()> {
        let key = self.digester.of(&page.url);
        if !self.known.insert(key) {
            return Ok(());
        }
        match &mut self.sample {
            Some(sample) => {
                sample.add(page);
                Ok(())
            }
            None => self.all.push(&page),
        }
    }

    pub(crate) fn finish(mut self) -> anyhow::Result<Pages> {
        for page in self.sample.map(Sample::finish).unwrap_or_default() {
            self.all.push(&page)?;
        }
        self.all.read()
    }
}

/// Pages in a temporary file, which is read once.
pub(crate) struct Spool {
    file: BufWriter<File>,
    pub(crate) pages: u64,
}

impl Spool {
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            file: BufWriter::new(tempfile::tempfile().context("a temporary file")?),
            pages: 0,
        })
    }

    pub(crate) fn push(&mut self, page: &Listed) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.file, &(&page.url, &page.sitemap))?;
        self.file.write_all(b"\n").context("a temporary file")?;
        self.pages += 1;
        Ok(())
    }

    pub(crate) fn read(self) -> anyhow::Result<Pages> {
        let mut file = self.file.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(Pages(BufReader::new(file).lines()))
    }
}

pub(crate) struct Pages(Lines<BufReader<File>>);

impl Iterator for Pages {
    type Item = anyhow::Result<Listed>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.0.next()?;
        Some(line.map_err(Into::into).and_then(|line| {
            let (url, sitemap) = serde_json::from_str(&line)?;
            Ok(Listed { url, sitemap })
        }))
    }
}
