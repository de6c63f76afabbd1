//! Parts in memory, which can fail, and counters for the tests.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;

use quick_sitemap::{
    CompleteSet, Error, ErrorKind, Format, Limits, PartId, Parts, Reader, Result, Rule,
    SitemapEntry, UrlEntry, WriterBuilder,
};
use url::Url;

/// Keeps the parts' bytes and the index entries; the operation whose turn it is to fail does.
#[derive(Default, Clone)]
pub(crate) struct Recorder {
    pub(crate) fail_at: Option<usize>,
    /// The number of parts that each group had in the earlier set.
    pub(crate) kept: usize,
    pub(crate) operations: Rc<Cell<usize>>,
    pub(crate) log: Rc<RefCell<Vec<String>>>,
    pub(crate) parts: Rc<RefCell<Vec<Vec<u8>>>>,
}

impl Recorder {
    pub(crate) fn operation(&self, what: String) -> io::Result<()> {
        let number = self.operations.get();
        self.operations.set(number + 1);
        assert!(
            self.fail_at.is_none_or(|n| number <= n),
            "{what} after a failure"
        );
        self.log.borrow_mut().push(what);
        if self.fail_at == Some(number) {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no room"));
        }
        Ok(())
    }
}

pub(crate) struct Part {
    pub(crate) recorder: Recorder,
    pub(crate) bytes: Vec<u8>,
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.recorder.operation("write".to_owned())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.recorder.operation("flush".to_owned())
    }
}

impl Parts for Recorder {
    type Part = Part;
    type Output = Vec<SitemapEntry>;

    fn begin(&mut self, format: Format, _: WriterBuilder) -> io::Result<()> {
        self.operation(format!("begin {format}"))
    }

    fn open(&mut self, id: PartId<'_>) -> io::Result<Part> {
        self.operation(format!("open {}{}", id.group, id.number))?;
        Ok(Part {
            recorder: self.clone(),
            bytes: Vec::new(),
        })
    }

    fn close(&mut self, id: PartId<'_>, part: Part) -> io::Result<Url> {
        self.operation(format!("close {}{}", id.group, id.number))?;
        self.parts.borrow_mut().push(part.bytes);
        Ok(url(&format!(
            "https://example.com/sitemap-{}.xml",
            id.number
        )))
    }

    fn keep(&mut self, group: &str) -> io::Result<Vec<(SitemapEntry, u64)>> {
        self.operation(format!("keep {group}"))?;
        let part = SitemapEntry::new(url(&format!("https://example.com/{group}.xml")));
        Ok(vec![(part, 1); self.kept])
    }

    fn finish(self, set: CompleteSet<'_>) -> io::Result<Vec<SitemapEntry>> {
        self.operation("finish".to_owned())?;
        Ok(set.parts.to_vec())
    }
}

pub(crate) fn url(text: &str) -> Url {
    text.parse().unwrap()
}

pub(crate) fn page(text: &str) -> UrlEntry {
    UrlEntry::new(url(text))
}

/// A page whose URL has this number of bytes.
pub(crate) fn long(bytes: usize) -> UrlEntry {
    page(&format!("https://example.com/{}", "a".repeat(bytes - 20)))
}

pub(crate) fn limits(entries: u64, bytes: u64) -> WriterBuilder {
    let mut limits = Limits::default();
    limits.entries = entries;
    limits.bytes = bytes;
    WriterBuilder::new().limits(limits)
}

pub(crate) fn rule(error: &Error) -> Rule {
    match error.kind() {
        ErrorKind::Violation(violation) => violation.rule(),
        other => panic!("{other:?}"),
    }
}

/// The parts that these entries become.
pub(crate) fn split(text: bool, settings: WriterBuilder, entries: &[UrlEntry]) -> Vec<Vec<u8>> {
    let recorder = Recorder::default();
    let mut writer = if text {
        settings.split_text(recorder.clone())
    } else {
        settings.split(recorder.clone())
    };
    for entry in entries {
        writer.write(entry).unwrap();
    }
    writer.finish().unwrap();
    recorder.parts.take()
}

pub(crate) fn counts(parts: &[Vec<u8>]) -> Vec<usize> {
    let count = |part: &Vec<u8>| {
        Reader::new(&part[..])
            .collect::<Result<Vec<_>>>()
            .unwrap()
            .len()
    };
    parts.iter().map(count).collect()
}
