//! Reading, compared with the bare quick-xml loop over the same bytes.
#![allow(clippy::expect_used)]

#[path = "../../../benches/input/mod.rs"]
mod input;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use crate::input::Touch;

fn main() {
    divan::main();
}

/// Counts the bytes of the text and its entries, also of gzipped input.
fn run<B: AsRef<[u8]> + Sync>(
    bencher: Bencher<'_, '_>,
    text: &str,
    bytes: B,
    read: impl Fn(&[u8]) -> usize + Sync,
) {
    bencher
        .counter(BytesCount::of_str(text))
        .counter(ItemsCount::new(input::ENTRIES))
        .bench(|| read(black_box(bytes.as_ref())));
}

/// loc, lastmod, changefreq, priority.
#[divan::bench_group]
mod typical {
    use super::*;

    #[divan::bench]
    fn bare_quick_xml(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, &xml, |_| input::bare(&xml));
    }

    #[divan::bench]
    fn raw(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, &xml, |b| input::raw(b, Touch::Loc));
    }

    #[divan::bench]
    fn raw_values(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, &xml, |b| input::raw(b, Touch::Values));
    }

    #[divan::bench]
    fn raw_without_fast_path(bencher: Bencher<'_, '_>) {
        let xml = input::without_fast_path(&input::typical());
        run(bencher, &xml, &xml, |b| input::raw(b, Touch::Loc));
    }

    #[divan::bench]
    fn typed(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, &xml, |b| input::typed(b));
    }

    #[divan::bench]
    fn raw_gzipped(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, input::gzip(xml.as_bytes()), |b| {
            input::raw(b, Touch::Loc)
        });
    }

    #[divan::bench]
    fn typed_gzipped(bencher: Bencher<'_, '_>) {
        let xml = input::typical();
        run(bencher, &xml, input::gzip(xml.as_bytes()), |b| {
            input::typed(b)
        });
    }
}

/// Three alternates and an image an entry besides.
#[divan::bench_group]
mod extended {
    use super::*;

    #[divan::bench]
    fn bare_quick_xml(bencher: Bencher<'_, '_>) {
        let xml = input::extended();
        run(bencher, &xml, &xml, |_| input::bare(&xml));
    }

    #[divan::bench]
    fn raw(bencher: Bencher<'_, '_>) {
        let xml = input::extended();
        run(bencher, &xml, &xml, |b| input::raw(b, Touch::Loc));
    }

    #[divan::bench]
    fn raw_everything(bencher: Bencher<'_, '_>) {
        let xml = input::extended();
        run(bencher, &xml, &xml, |b| input::raw(b, Touch::Everything));
    }

    #[divan::bench]
    fn typed(bencher: Bencher<'_, '_>) {
        let xml = input::extended();
        run(bencher, &xml, &xml, |b| input::typed(b));
    }
}

/// The URLs of the typical sitemap, one a line.
#[divan::bench_group]
mod text {
    use super::*;

    #[divan::bench]
    fn raw(bencher: Bencher<'_, '_>) {
        let text = input::text(&input::entries(&input::typical()));
        run(bencher, &text, &text, |b| input::raw(b, Touch::Loc));
    }

    #[divan::bench]
    fn typed(bencher: Bencher<'_, '_>) {
        let text = input::text(&input::entries(&input::typical()));
        run(bencher, &text, &text, |b| input::typed(b));
    }
}
