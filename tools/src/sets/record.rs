//! A page as it is kept while pages are sorted.

use std::io::{self, Read, Write};

use quick_sitemap::UrlEntry;

/// A page, what it is sorted by, and where it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) key: Vec<u8>,
    /// Its number among all pages, which decides between equal keys.
    pub(crate) number: u64,
    /// The file that lists it, by its place in a list of names, and the line.
    pub(crate) file: u32,
    pub(crate) line: u64,
    /// The library's JSON form.
    json: Vec<u8>,
}

/// Bytes of a record besides its texts, in memory.
const OVERHEAD: usize = size_of::<Record>() + 32;

impl Record {
    pub(crate) fn new(
        key: Vec<u8>,
        number: u64,
        file: u32,
        line: u64,
        entry: &UrlEntry,
    ) -> io::Result<Self> {
        Ok(Self {
            key,
            number,
            file,
            line,
            json: serde_json::to_vec(entry)?,
        })
    }

    pub(crate) fn entry(&self) -> io::Result<UrlEntry> {
        Ok(serde_json::from_slice(&self.json)?)
    }

    pub(crate) fn memory(&self) -> usize {
        self.key.capacity() + self.json.capacity() + OVERHEAD
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&length(&self.key)?.to_le_bytes())?;
        out.write_all(&length(&self.json)?.to_le_bytes())?;
        out.write_all(&self.number.to_le_bytes())?;
        out.write_all(&self.file.to_le_bytes())?;
        out.write_all(&self.line.to_le_bytes())?;
        out.write_all(&self.key)?;
        out.write_all(&self.json)
    }

    /// The next of those that were written.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof` if there is none left.
    pub(crate) fn read(input: &mut impl Read) -> io::Result<Self> {
        let key = u32::from_le_bytes(bytes(input)?) as usize;
        let json = u32::from_le_bytes(bytes(input)?) as usize;
        let number = u64::from_le_bytes(bytes(input)?);
        let file = u32::from_le_bytes(bytes(input)?);
        let line = u64::from_le_bytes(bytes(input)?);
        let mut record = Self {
            key: vec![0; key],
            number,
            file,
            line,
            json: vec![0; json],
        };
        input.read_exact(&mut record.key)?;
        input.read_exact(&mut record.json)?;
        Ok(record)
    }
}

fn length(bytes: &[u8]) -> io::Result<u32> {
    u32::try_from(bytes.len()).map_err(io::Error::other)
}

fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
