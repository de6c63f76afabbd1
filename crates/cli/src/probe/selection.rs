//! Pages that are selected, and wait on the disk.

use std::collections::HashSet;

use quick_sitemap::url::Url;

use crate::disk::spool::Spool;
use crate::judge::digest::{Digest, Digester};
use crate::judge::page_key::key_of;
use crate::net::spelling::site_key;
use crate::probe::found::Listed;
use crate::probe::sample::Sample;
use crate::source::account::Whole;

/// The pages to be requested, each once.
pub(crate) struct Selection {
    all: Spool,
    sample: Option<Sample>,
    known: Known,
    /// Entries with a target whose page came before.
    pub(crate) repeated: u64,
}

impl Selection {
    /// All pages, or a sample of that size.
    pub(crate) fn new(sample: Option<u32>) -> anyhow::Result<Self> {
        Ok(Self {
            all: Spool::new()?,
            sample: sample.map(|size| Sample::new(size as usize)),
            known: Known::default(),
            repeated: 0,
        })
    }

    pub(crate) fn add(&mut self, page: Listed) -> anyhow::Result<()> {
        if !self.known.add(page.url.as_str()) {
            self.repeated += u64::from(page.expected.is_some());
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

    /// The number of pages from which a sample is drawn, if there is one.
    pub(crate) fn sample_of(&self) -> Option<u64> {
        let all = self.known.digests.len() as u64;
        let sample = self.sample.as_ref()?;
        (all > sample.size() as u64).then_some(all)
    }

    /// The selected pages.
    pub(crate) fn finish(mut self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Listed>>> {
        for page in self.sample.map(Sample::finish).unwrap_or_default() {
            self.all.push(&page)?;
        }
        self.all.read()
    }
}

/// Hosts with their ports, whatever their scheme, with or without `www.`.
#[derive(Default)]
pub(crate) struct Sites(HashSet<(String, Option<u16>)>);

impl Sites {
    pub(crate) fn add(&mut self, url: &Url) {
        if !self.has(url) {
            self.0.insert(Self::of(url));
        }
    }

    pub(crate) fn has(&self, url: &Url) -> bool {
        self.0.contains(&Self::of(url))
    }

    fn of(url: &Url) -> (String, Option<u16>) {
        let (host, port) = site_key(url);
        (host.to_owned(), port)
    }
}

/// Pages by their digests.
#[derive(Default)]
pub(crate) struct Known {
    /// The licence to say that a page is not listed.
    pub(crate) whole: Option<Whole>,
    digester: Digester,
    digests: HashSet<Digest>,
}

impl Known {
    /// Returns `true` if the page is new.
    pub(crate) fn add(&mut self, url: &str) -> bool {
        self.digests.insert(self.digester.of(&key_of(url)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    pub(crate) fn has(&self, url: &str) -> bool {
        self.digests.contains(&self.digester.of(&key_of(url)))
    }
}
