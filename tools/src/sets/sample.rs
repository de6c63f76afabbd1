//! Which pages are requested.

use std::collections::BTreeMap;

use crate::page::found::Listed;

/// At most `size` pages, the same number of each sitemap if possible, and at random in each. The seed and the pages
/// decide, not the order in which they arrive.
///
/// Each page has a number that depends on the seed and its URL. The pages with the lowest numbers of each sitemap are
/// chosen alternately: the first of each, then the second of each, and so on.
#[derive(Debug)]
pub(crate) struct Sample {
    size: usize,
    seed: u64,
    /// By sitemap: the pages that may still be taken, each with its number.
    pages: BTreeMap<String, Vec<(u64, String)>>,
    kept: usize,
}

impl Sample {
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        Self {
            size,
            seed,
            pages: BTreeMap::new(),
            kept: 0,
        }
    }

    /// At most twice the size is kept, and two pages per sitemap.
    pub(crate) fn add(&mut self, page: Listed) {
        let number = number(self.seed, &page.url);
        let pages = self.pages.entry(page.sitemap).or_default();
        pages.push((number, page.url));
        self.kept += 1;
        let most = self.size.saturating_add(self.pages.len());
        if self.kept > most.saturating_mul(2) {
            self.prune();
        }
    }

    /// Drops the pages whose turn does not come. More pages and more sitemaps only make turns fewer.
    fn prune(&mut self) {
        let turns = self.turns();
        for pages in self.pages.values_mut() {
            pages.sort_unstable();
            pages.truncate(turns);
        }
        self.kept = self.pages.values().map(Vec::len).sum();
    }

    /// In how many turns the sample is complete.
    fn turns(&self) -> usize {
        let mut turns = 0;
        let mut taken = 0;
        while taken < self.size {
            let more = self.pages.values().filter(|pages| pages.len() > turns);
            let more = more.count();
            if more == 0 {
                break;
            }
            taken += more;
            turns += 1;
        }
        turns
    }

    /// The sample: one page of each sitemap in turn, until it is full.
    pub(crate) fn finish(mut self) -> Vec<Listed> {
        self.prune();
        let seed = self.seed;
        let mut taken: Vec<(usize, u64, Listed)> = Vec::new();
        for (sitemap, pages) in self.pages {
            // Who is left out of the last turn does not depend on the names.
            let order = number(seed, &sitemap);
            for (turn, (_, url)) in pages.into_iter().enumerate() {
                let sitemap = sitemap.clone();
                taken.push((turn, order, Listed { url, sitemap }));
            }
        }
        taken.sort();
        taken.truncate(self.size);
        taken.into_iter().map(|(_, _, page)| page).collect()
    }
}

/// The same on every machine and in every version: FNV-1a, mixed with the seed by a generator of random numbers.
fn number(seed: u64, text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut generator = fastrand::Rng::with_seed(hash);
    let mixed = generator.u64(..) ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    fastrand::Rng::with_seed(mixed).u64(..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(sitemap: usize, page: usize) -> Listed {
        Listed {
            url: format!("https://e.com/{sitemap}/{page}"),
            sitemap: format!("{sitemap}.xml"),
        }
    }

    fn sample(size: usize, seed: u64, pages: &[Listed]) -> Vec<Listed> {
        let mut sample = Sample::new(size, seed);
        for page in pages {
            sample.add(page.clone());
            assert!(sample.kept <= 2 * (size + sample.pages.len()));
        }
        let mut taken = sample.finish();
        taken.sort();
        taken
    }

    #[test]
    fn sitemaps_have_equal_shares() {
        // 1,000 pages in one, 3 in another, 200 in a third.
        let mut pages = Vec::new();
        for (sitemap, count) in [(0, 1_000), (1, 3), (2, 200)] {
            pages.extend((0..count).map(|page| listed(sitemap, page)));
        }
        let taken = sample(50, 0, &pages);
        let of = |name: &str| taken.iter().filter(|page| page.sitemap == name).count();
        assert_eq!(taken.len(), 50);
        assert_eq!(of("1.xml"), 3);
        assert!([(23, 24), (24, 23)].contains(&(of("0.xml"), of("2.xml"))));
        // Not the first ones.
        assert!(
            taken
                .iter()
                .any(|page| page.url.len() > "https://e.com/0/99".len())
        );

        let mut turned = pages.clone();
        fastrand::Rng::with_seed(7).shuffle(&mut turned);
        assert_eq!(sample(50, 0, &turned), taken);
        assert_ne!(sample(50, 1, &pages), taken);
        assert_eq!(sample(5_000, 0, &pages).len(), pages.len());
        assert_eq!(sample(2, 0, &pages).len(), 2);
    }

    #[test]
    fn a_sample_is_the_same_in_every_version() {
        let pages: Vec<_> = (0..1_000).map(|page| listed(0, page)).collect();
        let taken = sample(3, 0, &pages);
        let urls: Vec<_> = taken.iter().map(|page| page.url.as_str()).collect();
        assert_eq!(
            urls,
            [105, 356, 918].map(|page| format!("https://e.com/0/{page}"))
        );
    }
}
