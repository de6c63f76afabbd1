//! Parts in memory, which can fail, and counters for the tests.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;

use quick_sitemap::sets::Earlier;
use quick_sitemap::{
    Error, ErrorKind, Format, Limits, Parts, Reader, Result, Rule, SitemapEntry, SplitWriter,
    UrlEntry, WriterBuilder,
};
use url::Url;

/// Keeps the parts' bytes and the index entries; the operation whose turn it is to fail does.
#[derive(Default, Clone)]
pub(crate) struct Memory {
    pub(crate) fail_at: Option<usize>,
    pub(crate) operations: Rc<Cell<usize>>,
    pub(crate) log: Rc<RefCell<Vec<String>>>,
    pub(crate) parts: Rc<RefCell<Vec<Vec<u8>>>>,
    pub(crate) earlier: Rc<RefCell<Vec<Earlier>>>,
}

impl Memory {
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
    pub(crate) memory: Memory,
    pub(crate) bytes: Vec<u8>,
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.memory.operation("write".to_owned())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.memory.operation("flush".to_owned())
    }
}

impl Parts for Memory {
    type Writer = Part;
    type Output = Vec<SitemapEntry>;

    fn begin(&mut self, format: Format, _: &mut WriterBuilder) -> Result<Earlier> {
        self.operation(format!("begin {format}"))?;
        Ok(self.earlier.borrow_mut().pop().unwrap_or_default())
    }

    fn open(&mut self, number: usize) -> io::Result<Part> {
        self.operation(format!("open {number}"))?;
        Ok(Part {
            memory: self.clone(),
            bytes: Vec::new(),
        })
    }

    fn close(&mut self, number: usize, part: Part) -> io::Result<Url> {
        self.operation(format!("close {number}"))?;
        self.parts.borrow_mut().push(part.bytes);
        Ok(url(&format!("https://example.com/sitemap-{number}.xml")))
    }

    fn finish(self, parts: &[SitemapEntry]) -> Result<Vec<SitemapEntry>> {
        self.operation("finish".to_owned())?;
        Ok(parts.to_vec())
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
    let memory = Memory::default();
    let mut writer = if text {
        SplitWriter::text_with(settings, memory.clone())
    } else {
        SplitWriter::with(settings, memory.clone())
    };
    for entry in entries {
        writer.write(entry).unwrap();
    }
    writer.finish().unwrap();
    memory.parts.take()
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
