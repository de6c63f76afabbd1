//! Pages that are selected, and wait on the disk.

use std::collections::{HashMap, HashSet};

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
    /// The first two targets of these, by page: one of them is another than that of the first entry, if any is.
    contrary: HashMap<Digest, Vec<String>>,
}

impl Selection {
    /// All pages, or a sample of that size.
    pub(crate) fn new(sample: Option<u32>) -> anyhow::Result<Self> {
        Ok(Self {
            all: Spool::new()?,
            sample: sample.map(|size| Sample::new(size as usize)),
            known: Known::default(),
            repeated: 0,
            contrary: HashMap::new(),
        })
    }

    pub(crate) fn add(&mut self, page: Listed) -> anyhow::Result<()> {
        if !self.known.add(page.url.as_str()) {
            if let Some(expected) = page.expected {
                self.repeated += 1;
                let page = self.known.digest(page.url.as_str());
                let targets = self.contrary.entry(page).or_default();
                if targets.len() < 2 && targets.iter().all(|known| is_other(known, &expected)) {
                    targets.push(expected);
                }
            }
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

    /// The selected pages, each with a contrary target if entries contradict each other.
    pub(crate) fn finish(mut self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Listed>>> {
        for page in self.sample.map(Sample::finish).unwrap_or_default() {
            self.all.push(&page)?;
        }
        let (known, mut contrary) = (self.known, self.contrary);
        Ok(self.all.read()?.map(move |page| {
            let mut page: Listed = page?;
            let targets = contrary.remove(&known.digest(page.url.as_str()));
            let mut targets = targets.into_iter().flatten();
            page.contrary = page
                .expected
                .as_deref()
                .and_then(|expected| targets.find(|target| is_other(expected, target)));
            Ok(page)
        }))
    }
}

/// Returns `true` if the targets are not the same page.
fn is_other(a: &str, b: &str) -> bool {
    key_of(a) != key_of(b)
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
        self.digests.insert(self.digest(url))
    }

    fn digest(&self, url: &str) -> Digest {
        self.digester.of(&key_of(url))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.digests.is_empty()
    }

    pub(crate) fn has(&self, url: &str) -> bool {
        self.digests.contains(&self.digest(url))
    }
}
