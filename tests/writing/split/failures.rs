//! Parts that fail.

use std::io::{self, Write};

use quick_sitemap::{CompleteSet, ErrorKind, Memory, PartId, Parts, SplitWriter, UrlsetWriter};
use url::Url;

use super::recorder::{Recorder, limits, long};

#[test]
fn every_failure_is_an_error_and_the_end() {
    let run = |fail_at| {
        let recorder = Recorder {
            fail_at,
            ..Recorder::default()
        };
        // Large enough for a part to be written in several pieces.
        let mut writer = limits(40, u64::MAX).split(recorder.clone());
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
        (result, recorder)
    };
    let (result, recorder) = run(None);
    result.unwrap();
    let count = recorder.operations.get();
    assert!(count > 12, "{:?}", recorder.log);
    for number in 0..count {
        let (result, recorder) = run(Some(number));
        let error = result.unwrap_err();
        match error.kind() {
            ErrorKind::Io(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
            other => panic!("{other:?} at {:?}", recorder.log),
        }
        assert_eq!(recorder.operations.get(), number + 1);
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
        type Part = Self;
        type Output = ();
        fn open(&mut self, _: PartId<'_>) -> io::Result<Self> {
            Ok(Self)
        }
        fn close(&mut self, _: PartId<'_>, _: Self) -> io::Result<Url> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn finish(self, _: CompleteSet<'_>) -> io::Result<()> {
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
        type Part = Vec<u8>;
        type Output = ();
        fn open(&mut self, _: PartId<'_>) -> io::Result<Vec<u8>> {
            Ok(Vec::new())
        }
        fn close(&mut self, _: PartId<'_>, _: Vec<u8>) -> io::Result<Url> {
            Err(io::ErrorKind::WouldBlock.into())
        }
        fn finish(self, _: CompleteSet<'_>) -> io::Result<()> {
            Err(io::ErrorKind::TimedOut.into())
        }
    }
    let mut writer = SplitWriter::new(Closing);
    writer.write(&long(2_000)).unwrap();
    assert!(writer.finish().unwrap_err().is_fatal());
    assert!(SplitWriter::new(Closing).finish().unwrap_err().is_fatal());
}

#[test]
fn a_failure_is_returned_again() {
    #[derive(Debug)]
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(28))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = UrlsetWriter::new(Full);
    let error = (0..).find_map(|_| writer.write(&long(100)).err()).unwrap();
    let message = format!("{error:#}");
    assert!(message.contains("No space left on device"), "{message}");
    let again = writer.write(&long(100)).unwrap_err();
    assert_eq!(format!("{again:#}"), message);
    match (again.kind(), error.kind()) {
        (ErrorKind::Io(again), ErrorKind::Io(error)) => assert_eq!(again.kind(), error.kind()),
        other => panic!("{other:?}"),
    }
    assert_eq!(format!("{:#}", writer.finish().unwrap_err()), message);
}

#[test]
fn writers_can_be_sent_to_threads() {
    fn is_send<T: Send>() {}
    is_send::<SplitWriter<Memory>>();
    is_send::<UrlsetWriter<Vec<u8>>>();
}
