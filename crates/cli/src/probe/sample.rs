//! Which pages are requested.

use crate::probe::found::Listed;

/// At most `size` pages, the same number of each sitemap if possible, and at random in each. The pages
/// decide, not the order in which they arrive.
///
/// Each page has a number that depends on its URL. The pages with the lowest numbers of each sitemap are
/// chosen alternately: the first of each, then the second of each, and so on.
#[derive(Debug)]
pub(crate) struct Sample {
    size: usize,
    added: u64,
    /// The pages that may still be taken.
    pages: Vec<Candidate>,
}

/// Ordered as pages are taken, once the turns are known.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// How many pages of the sitemap are taken before this one.
    turn: usize,
    /// The number of the sitemap: which pages are left out of the last turn does not depend on the names.
    order: u64,
    number: u64,
    page: Listed,
    /// The number of pages before it.
    place: u64,
}

impl Sample {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            added: 0,
            pages: Vec::new(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// At most twice the size is kept.
    pub(crate) fn add(&mut self, page: Listed) {
        self.pages.push(Candidate {
            turn: 0,
            order: number(&page.sitemap),
            number: number(page.url.as_str()),
            page,
            place: self.added,
        });
        self.added += 1;
        if self.pages.len() > self.size.saturating_mul(2) {
            self.prune();
        }
    }

    /// Keeps the sample of the pages so far. Further pages only make the turns of the others later.
    fn prune(&mut self) {
        self.pages.iter_mut().for_each(|page| page.turn = 0);
        self.pages.sort_unstable();
        for pages in self.pages.chunk_by_mut(|a, b| a.order == b.order) {
            for (turn, page) in pages.iter_mut().enumerate() {
                page.turn = turn;
            }
        }
        self.pages.sort_unstable();
        self.pages.truncate(self.size);
    }

    /// The sample: one page of each sitemap in turn, until it is full. In the order in which they came.
    pub(crate) fn finish(mut self) -> Vec<Listed> {
        self.prune();
        self.pages.sort_unstable_by_key(|page| page.place);
        self.pages.into_iter().map(|page| page.page).collect()
    }
}

/// The same on every machine and in every version: FNV-1a, mixed by a generator of random numbers.
fn number(text: &str) -> u64 {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut generator = fastrand::Rng::with_seed(hash);
    fastrand::Rng::with_seed(generator.u64(..)).u64(..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(sitemap: usize, page: usize) -> Listed {
        Listed {
            url: format!("https://e.com/{sitemap}/{page}").parse().unwrap(),
            sitemap: format!("{sitemap}.xml"),
            expected: None,
            contrary: None,
            is_elsewhere: false,
        }
    }

    fn sample(size: usize, pages: &[Listed]) -> Vec<Listed> {
        let mut sample = Sample::new(size);
        for page in pages {
            sample.add(page.clone());
            assert!(sample.pages.len() <= 2 * size);
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
        let taken = sample(50, &pages);
        let of = |name: &str| taken.iter().filter(|page| page.sitemap == name).count();
        assert_eq!(taken.len(), 50);
        assert_eq!(of("1.xml"), 3);
        assert!([(23, 24), (24, 23)].contains(&(of("0.xml"), of("2.xml"))));
        // Not the first ones.
        assert!(
            taken
                .iter()
                .any(|page| page.url.as_str().len() > "https://e.com/0/99".len())
        );

        let mut turned = pages.clone();
        fastrand::Rng::with_seed(7).shuffle(&mut turned);
        assert_eq!(sample(50, &turned), taken);
        assert_eq!(sample(5_000, &pages).len(), pages.len());
        assert_eq!(sample(2, &pages).len(), 2);
    }

    #[test]
    fn a_sample_is_the_same_in_every_version() {
        let pages: Vec<_> = (0..1_000).map(|page| listed(0, page)).collect();
        let taken = sample(3, &pages);
        let urls: Vec<_> = taken.iter().map(|page| page.url.as_str()).collect();
        assert_eq!(
            urls,
            [105, 356, 918].map(|page| format!("https://e.com/0/{page}"))
        );
    }
}
