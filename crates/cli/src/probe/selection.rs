//! Pages that are selected, and wait on the disk.

use std::collections::HashSet;

use quick_sitemap::url::Url;

use crate::disk::spool::Spool;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::key_of;
use crate::probe::found::Listed;
use crate::probe::sample::Sample;

/// The pages to be requested, each once.
pub(crate) struct Selection {
    all: Spool,
    sample: Option<Sample>,
    known: Known,
    /// Pages that are listed and not selected; another sitemap may list them so that they are.
    others: HashSet<Digest>,
}

impl Selection {
    /// All pages, or a sample of that size.
    pub(crate) fn new(sample: Option<u32>) -> anyhow::Result<Self> {
        Ok(Self {
            all: Spool::new()?,
            sample: sample.map(|size| Sample::new(size as usize)),
            known: Known::default(),
            others: HashSet::new(),
        })
    }

    pub(crate) fn add(&mut self, page: Listed) -> anyhow::Result<()> {
        if !self.known.add(page.url.as_str()) {
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

    /// A page that is listed, and not selected.
    pub(crate) fn leave_out(&mut self, url: &Url) {
        self.others.insert(self.known.digest(url.as_str()));
    }

    /// The selected pages, and all that are listed.
    pub(crate) fn finish(
        mut self,
    ) -> anyhow::Result<(impl Iterator<Item = anyhow::Result<Listed>>, Known)> {
        for page in self.sample.map(Sample::finish).unwrap_or_default() {
            self.all.push(&page)?;
        }
        self.known.digests.extend(self.others);
        Ok((self.all.read()?, self.known))
    }
}

/// Pages by their digests.
#[derive(Default)]
pub(crate) struct Known {
    digester: Digester,
    digests: HashSet<Digest>,
}

impl Known {
    /// Returns `true` if the page is new.
    pub(crate) fn add(&mut self, url: &str) -> bool {
        self.digests.insert(self.digest(url))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    pub(crate) fn has(&self, url: &str) -> bool {
        self.digests.contains(&self.digest(url))
    }

    fn digest(&self, url: &str) -> Digest {
        self.digester.of(&key_of(url))
    }
}
