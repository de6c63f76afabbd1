//! Parts that fail, and earlier ones that cannot be continued.

use std::io::{self, Write};

use quick_sitemap::sets::Earlier;
use quick_sitemap::{ErrorKind, Parts, Result, SitemapEntry, SplitWriter};
use url::Url;

use super::memory::{Memory, counts, limits, long, page, url};

#[test]
fn every_failure_is_an_error_and_the_end() {
    let run = |fail_at| {
        let memory = Memory {
            fail_at,
            ..Memory::default()
        };
        // Large enough for a part to be written in several pieces.
        let mut writer = SplitWriter::with(limits(40, u64::MAX), memory.clone());
        let written = (0..100).try_for_each(|_| writer.write(&long(2_000)));
        let result = match written {
            Ok(()) => writer.finish().map(drop),
            Err(error) => {
                assert!(error.is_fatal());
                let again = writer.write(&long(2_000)).unwrap_err();
                assert!(matches!(again.kind(), ErrorKind::Io(_)));
                assert!(writer.finish().is_err());
                Err(error)
            }
        };
        (result, memory)
    };
    let (result, memory) = run(None);
    result.unwrap();
    let count = memory.operations.get();
    assert!(count > 12, "{:?}", memory.log);
    for number in 0..count {
        let (result, memory) = run(Some(number));
        let error = result.unwrap_err();
        match error.kind() {
            ErrorKind::Io(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
            other => panic!("{other:?} at {:?}", memory.log),
        }
        assert_eq!(memory.operations.get(), number + 1);
    }
}

#[test]
fn an_output_that_would_block_is_fatal() {
    struct Blocking;
    impl Write for Blocking {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl Parts for Blocking {
        type Writer = Self;
        type Output = ();
        fn open(&mut self, _: usize) -> io::Result<Self> {
            Ok(Self)
        }
        fn close(&mut self, _: usize, _: Self) -> io::Result<Url> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn finish(self, _: &[SitemapEntry]) -> Result<()> {
            Ok(())
        }
    }
    let mut writer = SplitWriter::new(Blocking);
    let error = (0..100)
        .find_map(|_| writer.write(&long(2_000)).err())
        .unwrap();
    assert!(error.is_fatal());
    assert!(writer.finish().is_err());
    // Nor is there any going on after `finish`.
    struct Closing;
    impl Parts for Closing {
        type Writer = Vec<u8>;
        type Output = ();
        fn open(&mut self, _: usize) -> io::Result<Vec<u8>> {
            Ok(Vec::new())
        }
        fn close(&mut self, _: usize, _: Vec<u8>) -> io::Result<Url> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn finish(self, _: &[SitemapEntry]) -> Result<()> {
            Err(io::Error::from(io::ErrorKind::TimedOut).into())
        }
    }
    let mut writer = SplitWriter::new(Closing);
    writer.write(&long(2_000)).unwrap();
    assert!(writer.finish().unwrap_err().is_fatal());
    assert!(SplitWriter::new(Closing).finish().unwrap_err().is_fatal());
}

#[test]
fn carrying_on_writes_the_last_part_again() {
    let memory = Memory::default();
    let mut earlier = Earlier::default();
    let first = SitemapEntry::new(url("https://example.com/first.xml"));
    earlier.parts.push(first.clone());
    earlier.last = Some(Box::new(
        &b"https://example.com/1\nhttps://example.com/2\n"[..],
    ));
    memory.earlier.borrow_mut().push(earlier);
    let mut writer = SplitWriter::with(limits(3, u64::MAX), memory.clone());
    for number in 3..=4 {
        writer
            .write(&page(&format!("https://example.com/{number}")))
            .unwrap();
    }
    let parts = writer.finish().unwrap();
    assert_eq!(parts[0], first);
    assert_eq!(parts[2].loc.path(), "/sitemap-3.xml");
    assert_eq!(counts(&memory.parts.borrow()), [3, 1]);
}

#[test]
fn a_last_part_of_which_something_would_be_lost_is_not_carried_on() {
    for damaged in [
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc></url>",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url></url></urlset>",
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/</loc>\
         <priority>7</priority></url></urlset>",
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap>\
         <loc>https://example.com/</loc></sitemap></sitemapindex>",
        "<html>",
        "https://example.com/\nexample.com\n",
        "https://example.com/a[0]\n",
    ] {
        let memory = Memory::default();
        let mut earlier = Earlier::default();
        earlier.last = Some(Box::new(io::Cursor::new(damaged.to_owned())));
        memory.earlier.borrow_mut().push(earlier);
        let mut writer = SplitWriter::new(memory);
        let error = writer.write(&page("https://example.com/")).unwrap_err();
        assert!(error.is_fatal(), "{damaged}: {error}");
        assert!(writer.write(&page("https://example.com/")).is_err());
        assert!(writer.finish().is_err(), "{damaged}");
    }
}
