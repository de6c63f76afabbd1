//! Lists in UTF-16, as spreadsheets save "Unicode text".

use std::io::{self, Cursor, ErrorKind, Read};

/// Bytes that are decoded at a time.
const PIECE: u64 = 16 << 10;

/// The order of the bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Big,
    Little,
}

impl Order {
    /// The order in a text that begins with a byte order mark, or with two ASCII characters.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xFE, 0xFF, ..] | [0, 1..=0x7F, 0, 1..=0x7F, ..] => Some(Self::Big),
            [0xFF, 0xFE, ..] | [1..=0x7F, 0, 1..=0x7F, 0, ..] => Some(Self::Little),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Big => u16::from_be_bytes(bytes),
            Self::Little => u16::from_le_bytes(bytes),
        }
    }

    /// The text of whole units. Others are replaced.
    pub(super) fn decode(self, bytes: &[u8]) -> String {
        let (units, _) = bytes.as_chunks();
        let text = char::decode_utf16(units.iter().map(|unit| self.unit(*unit)));
        text.map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    }
}

pub(crate) fn is_utf_16(head: &[u8]) -> bool {
    Order::of(head).is_some()
}

/// Decodes the bytes of a reader.
pub(super) struct Decoded<R> {
    reader: R,
    order: Order,
    /// The beginning of a character, which waits for the rest.
    half: Vec<u8>,
    text: Cursor<Vec<u8>>,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(reader: R, order: Order) -> Self {
        Self {
            reader,
            order,
            half: Vec::new(),
            text: Cursor::default(),
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut bytes = std::mem::take(&mut self.half);
            let mut piece = self.reader.by_ref().take(PIECE);
            if piece.read_to_end(&mut bytes)? == 0 {
                if bytes.is_empty() {
                    return Ok(0);
                }
                let message = "the UTF-16 text is cut off";
                return Err(io::Error::new(ErrorKind::UnexpectedEof, message));
            }
            let (units, half) = bytes.as_chunks();
            let is_first = |unit| (0xD800..0xDC00).contains(&self.order.unit(unit));
            let is_pair = units.last().is_some_and(|last| is_first(*last));
            let waits = half.len() + 2 * usize::from(is_pair);
            self.half = bytes.split_off(bytes.len() - waits);
            self.text = Cursor::new(self.order.decode(&bytes).into_bytes());
        }
    }
}
