//! `read_into` returns the entries of the iterator, for every previous content of its argument, and allocates almost
//! nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::indexing_slicing, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub, dead_code)]

mod common;

use std::fmt::Write as _;

use common::{NS, cases, gzip, index, lenient, strict, url, urlset};
use quick_sitemap::{Decoder, Entry, Reader, ReaderBuilder};

/// Entries, errors and issues in order, from the iterator.
fn by_iterator(builder: &ReaderBuilder, bytes: &[u8]) -> Vec<String> {
    let mut reader = builder.clone().build(bytes);
    let mut said = Vec::new();
    loop {
        let step = reader.next();
        said.extend(reader.issues().iter().map(|issue| format!("{issue:?}")));
        match step {
            None => break,
            Some(step) => said.push(format!("{step:?}")),
        }
    }
    said.push(format!("{:?}", reader.summary()));
    said
}

/// Like the above, with `read_into`. `slot` contains the entry that was read last.
fn by_read_into(builder: &ReaderBuilder, bytes: &[u8], slot: &mut Option<Entry>) -> Vec<String> {
    let mut reader = builder.clone().build(bytes);
    let mut said = Vec::new();
    loop {
        let step = reader.read_into(slot).map(|entry| entry.cloned());
        said.extend(reader.issues().iter().map(|issue| format!("{issue:?}")));
        match step.transpose() {
            None => break,
            Some(step) => said.push(format!("{step:?}")),
        }
    }
    said.push(format!("{:?}", reader.summary()));
    said
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let read =
        |path: &std::path::PathBuf| (path.display().to_string(), std::fs::read(path).unwrap());
    paths.iter().map(read).collect()
}

fn extensions() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/extensions.xml");
    std::fs::read_to_string(path).unwrap()
}

/// One entry is read over again and again, from document to document: nothing of the earlier ones is left.
#[test]
fn the_result_is_that_of_the_iterator() {
    let mut documents = fixtures();
    let cases = cases::all().into_iter().chain(cases::clean());
    let mut slot = None;
    for case in cases {
        // With the most of memory to be used again, and with none.
        let _ = by_read_into(&lenient(), extensions().as_bytes(), &mut slot);
        let expected = by_iterator(&case.builder, &case.bytes);
        assert_eq!(
            by_read_into(&case.builder, &case.bytes, &mut slot),
            expected,
            "{}",
            case.name
        );
        assert_eq!(
            by_read_into(&case.builder, &case.bytes, &mut None),
            expected,
            "{}",
            case.name
        );
        documents.push((case.name.to_owned(), case.bytes));
    }
    for builder in [lenient(), strict(), lenient().max_entry_bytes(4096)] {
        for (name, bytes) in &documents {
            let expected = by_iterator(&builder, bytes);
            assert_eq!(by_read_into(&builder, bytes, &mut slot), expected, "{name}");
        }
    }
}

#[test]
fn a_decoder_asks_for_more_and_goes_on() {
    let text = extensions();
    let expected: Vec<Entry> = Reader::from_bytes(&text).map(Result::unwrap).collect();
    assert!(!expected.is_empty());
    for size in [1, 7, 100] {
        let mut decoder = Decoder::new();
        let (mut slot, mut found) = (None, Vec::new());
        let mut chunks = text.as_bytes().chunks(size);
        while !decoder.is_done() {
            match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            }
            while let Some(entry) = decoder.read_into(&mut slot).unwrap() {
                found.push(entry.clone());
            }
        }
        assert_eq!(found, expected);
    }
}

/// A page of every size, and an index: a sitemap takes the place of a page.
#[test]
fn kinds_and_sizes_may_change() {
    let large = format!("<!--{}-->", "-=".repeat(10_000));
    let page = |n: usize, extra: &str| {
        let links: String = (0..n)
            .map(|n| format!("<xhtml:link rel=\"alternate\" hreflang=\"de\" href=\"https://example.com/de/{n}\"/>"))
            .collect();
        format!("<url><loc>https://example.com/{n}</loc>{links}{extra}</url>")
    };
    let body = [
        page(3, ""),
        page(200, ""),
        page(0, &large),
        page(1, ""),
        page(5, ""),
    ]
    .concat();
    let pages = urlset(&body).replace(
        NS,
        &format!("{NS}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml"),
    );
    let sitemap = "<sitemap><loc>https://example.com/sitemap.xml</loc><x:a xmlns:x='urn:x' b='c'>d</x:a></sitemap>";
    let mut slot = None;
    for text in [&pages, &index(&sitemap.repeat(3)), &pages] {
        let expected = by_iterator(&lenient(), text.as_bytes());
        assert_eq!(
            by_read_into(&lenient(), text.as_bytes(), &mut slot),
            expected
        );
    }
}

/// Allocations of reading this number of entries.
fn allocations(text: &[u8]) -> (u64, u64) {
    let mut entries = 0;
    let used = allocation_counter::measure(|| {
        let mut reader = Reader::new(text);
        let mut slot = None;
        while let Some(entry) = reader.read_into(&mut slot).unwrap() {
            std::hint::black_box(entry);
            entries += 1;
        }
    });
    (entries, used.count_total)
}

/// A document of each format, with this number of entries or a few more.
fn documents(count: usize) -> [(&'static str, String); 6] {
    let mut feed = String::new();
    let mut lines = String::new();
    let mut typical = String::new();
    let mut parts = String::new();
    for n in 0..count {
        let _ = write!(
            typical,
            "<url><loc>https://example.com/{n}?a=b&amp;c</loc><lastmod>2024-03-04</lastmod></url>"
        );
        let _ = write!(feed, "<item><link>https://example.com/{n}</link></item>");
        let _ = writeln!(lines, "https://example.com/{n}");
        let _ = write!(
            parts,
            "<sitemap><loc>https://example.com/{n}.xml</loc></sitemap>"
        );
    }
    // Every extension, in the same order.
    let text = extensions();
    let (start, end) = (
        text.find("<url>").unwrap(),
        text.rfind("</urlset>").unwrap(),
    );
    let pages = &text[start..end];
    let extended = format!(
        "{}{}{}",
        &text[..start],
        pages.repeat(count.div_ceil(pages.matches("<url>").count())),
        &text[end..]
    );
    let atom = feed
        .replace("<item><link>", "<entry><link href='")
        .replace("</link></item>", "'/></entry>");
    [
        ("typical", urlset(&typical)),
        ("extended", extended),
        ("index", index(&parts)),
        ("text", lines),
        ("rss", format!("<rss><channel>{feed}</channel></rss>")),
        (
            "atom",
            format!("<feed xmlns='http://www.w3.org/2005/Atom'>{atom}</feed>"),
        ),
    ]
}

/// Allocations for a document, without those outside of the reader: with debug assertions, `url` parses each URL that
/// is assembled, which takes an allocation.
fn own_allocations(text: &str, bytes: &[u8]) -> (u64, u64) {
    let (entries, count) = allocations(bytes);
    let parsed = text.matches("://").count() as u64;
    let others = if cfg!(debug_assertions) { parsed } else { 0 };
    (entries, count.saturating_sub(others))
}

#[test]
fn entries_are_read_without_an_allocation() {
    // By then, everything that is allocated once per process has been allocated.
    allocations(urlset(&url("https://example.com/")).as_bytes());
    for ((name, text), (_, longer)) in documents(2_000).iter().zip(&documents(4_000)) {
        if *name == "extended" {
            continue;
        }
        for pack in [
            |text: &str| text.as_bytes().to_vec(),
            |text: &str| gzip(text.as_bytes()),
        ] {
            let (entries, count) = own_allocations(text, &pack(text));
            assert!(entries >= 2_000, "{name}: {entries} entries");
            assert!(count < 150, "{name}: {count} allocations for a reader");
            // These allocations are not per entry: twice as many entries need no more.
            let (more_entries, more) = own_allocations(longer, &pack(longer));
            assert!(more_entries >= entries + 2_000, "{name}: {more_entries}");
            assert!(
                more <= count + 2,
                "{name}: {count} allocations for {entries} entries, {more} for {more_entries}"
            );
        }
    }
}

/// Extensions need memory for their URLs and texts, but not for lists: three links and an image are four URLs.
#[test]
fn extensions_allocate_their_urls_and_texts() {
    let links =
        "<xhtml:link rel='alternate' hreflang='de' href='https://example.com/de'/>".repeat(3);
    let image = "<image:image><image:loc>https://example.com/a.jpg</image:loc></image:image>";
    let entry = format!("<url><loc>https://example.com/</loc>{links}{image}</url>");
    let document = |count: usize| {
        urlset(&entry.repeat(count)).replace(
            NS,
            &format!("{NS}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1"),
        )
    };
    let (few, many) = (document(1_000), document(3_000));
    let (_, before) = own_allocations(&few, few.as_bytes());
    let (_, after) = own_allocations(&many, many.as_bytes());
    // A row that the window cuts is learnt again.
    let own = 2_000 * 4;
    assert!(
        (own..own + 200).contains(&(after - before)),
        "{}",
        after - before
    );
}

/// The memory of an unusually large entry is freed with the next one.
#[test]
fn little_is_kept_of_a_large_entry() {
    let texts: String = (0..2_000)
        .map(|n| format!("<image:image><image:loc>https://example.com/{n}</image:loc><image:title>{}</image:title></image:image>", "x".repeat(500)))
        .collect();
    let large = format!("<url><loc>https://example.com/</loc>{texts}</url>");
    let body = large + &url("https://example.com/a").repeat(3);
    let text = urlset(&body).replace(
        NS,
        &format!("{NS}\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1"),
    );
    let mut reader = Reader::from_bytes(text);
    let mut slot = None;
    assert!(reader.read_into(&mut slot).unwrap().is_some());
    let Some(Entry::Url(page)) = &slot else {
        panic!("a page")
    };
    assert_eq!(page.images.len(), 2_000);
    let given_back = allocation_counter::measure(|| {
        assert!(reader.read_into(&mut slot).unwrap().is_some());
    });
    // 2,000 images with a URL and a title take more than a megabyte; 256 KiB may be kept.
    assert!(given_back.bytes_current < -1_000_000, "{given_back:?}");
    let Some(Entry::Url(page)) = &slot else {
        panic!("a page")
    };
    assert_eq!(page.images.capacity(), 0);
}
