//! Pages that are selected, and wait on the disk.

use std::collections::HashSet;

use crate::disk::spool::Spool;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::key_of;
use crate::probe::found::Listed;
use crate::probe::sample::Sample;

/// The pages to be requested, each once.
pub(crate) struct Selection {
    all: Spool,
    sample: Option<Sample>,
    digester: Digester,
    known: HashSet<Digest>,
}

impl Selection {
    /// All pages, or a sample of that size.
    pub(crate) fn new(sample: Option<u32>) -> anyhow::Result<Self> {
        Ok(Self {
            all: Spool::new()?,
            sample: sample.map(|size| Sample::new(size as usize)),
            digester: Digester::default(),
            known: HashSet::new(),
        })
    }

    pub(crate) fn add(&mut self, page: Listed) -> anyhow::Result<()> {
        let key = self.digester.of(&key_of(&page.url));
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

    pub(crate) fn finish(mut self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Listed>>> {
        for page in self.sample.map(Sample::finish).unwrap_or_default() {
            self.all.push(&page)?;
        }
        self.all.read()
    }
}
