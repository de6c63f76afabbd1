//! One layer of gzip. Header and trailer are read here and not by flate2, so that a truncated stream, a wrong
//! checksum and bytes behind the end can be told apart.

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::magic::GZIP;
use crate::error::ErrorKind;
use crate::text::span::TakePart;

/// The error of every layer whose content is longer than the caller allows.
pub(super) const TOO_LONG: ErrorKind = ErrorKind::LimitExceeded("more bytes than max_bytes allows");

/// Number of bytes that are decompressed at once: at first, and at most. Output that fills the buffer doubles it.
const FIRST_OUTPUT: usize = 8 * 1024;
const LARGEST_OUTPUT: usize = 64 * 1024;

/// Number of bytes after the last member that are kept for quoting.
const QUOTED: usize = 80;

const HEADER_CRC: u8 = 0x02;
const EXTRA: u8 = 0x04;
const NAME: u8 = 0x08;
const COMMENT: u8 = 0x10;
const RESERVED: u8 = 0xE0;

/// One layer of gzip: members in a row, then other data.
pub(super) struct Layer {
    phase: Phase,
    inflate: Decompress,
    crc: Crc,
    /// `true` if the last piece of output ended because the buffer was full, so that there may be more without more
    /// input.
    pub(super) pending: bool,
    flags: u8,
    /// The bytes of the current field so far, least significant first, and their number.
    number: u64,
    digits: u8,
    /// The last decompressed bytes are in `start..end`.
    output: Vec<u8>,
    start: usize,
    end: usize,
    total: u64,
    /// Upper bound for its output.
    max: u64,
    trailing: Vec<u8>,
    /// How it ended, if it is over.
    pub(super) over: Option<Result<(), ErrorKind>>,
}

#[derive(Clone, Copy)]
enum Phase {
    /// Between members.
    Boundary,
    /// After `1F` where a member may begin.
    Second,
    /// The eight bytes after the magic.
    Fixed,
    ExtraLength,
    Extra(u64),
    Name,
    Comment,
    HeaderCrc,
    Body,
    Trailer,
    /// After the last member.
    Beyond,
}

impl Layer {
    /// A layer whose first magic has been consumed.
    pub(super) fn new(max: u64) -> Self {
        Self {
            phase: Phase::Fixed,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            pending: false,
            flags: 0,
            number: 0,
            digits: 0,
            output: vec![0; FIRST_OUTPUT],
            start: 0,
            end: 0,
            total: 0,
            max,
            trailing: Vec::new(),
            over: None,
        }
    }

    pub(super) fn reset(&mut self) {
        self.enter(Phase::Fixed);
        self.pending = false;
        self.start = 0;
        self.end = 0;
        self.total = 0;
        self.trailing.clear();
        self.over = None;
    }

    pub(super) fn peek(&self) -> &[u8] {
        self.output.part(self.start..self.end)
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    pub(super) fn trailing(&self) -> Option<&[u8]> {
        (!self.trailing.is_empty()).then_some(self.trailing.as_slice())
    }

    /// Goes through `input` until something is unpacked or the layer is over; returns how much of it was used.
    pub(super) fn run(&mut self, input: &[u8]) -> usize {
        let mut rest = input;
        while self.over.is_none() && self.start == self.end && (self.pending || !rest.is_empty()) {
            rest = match self.phase {
                Phase::Body => self.unpack(rest),
                Phase::Extra(left) => self.skip(rest, left),
                Phase::Name | Phase::Comment => self.skip_string(rest),
                Phase::Beyond => {
                    self.quote(rest);
                    &[]
                }
                _ => {
                    let Some((&byte, later)) = rest.split_first() else {
                        break;
                    };
                    self.take(byte);
                    later
                }
            };
        }
        input.len() - rest.len()
    }

    /// There is no more input.
    pub(super) fn close(&mut self, end: Result<(), ErrorKind>) {
        let complete = match self.phase {
            Phase::Boundary | Phase::Beyond => Ok(()),
            Phase::Second => {
                self.quote(&GZIP[..1]);
                Ok(())
            }
            _ => Err(ErrorKind::Truncated),
        };
        self.over = Some(end.and(complete));
    }

    fn fail(&mut self, why: &'static str) {
        self.over = Some(Err(ErrorKind::Gzip(why)));
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.number = 0;
        self.digits = 0;
    }

    /// Takes a byte of a field of fixed size.
    fn take(&mut self, byte: u8) {
        self.number |= u64::from(byte).wrapping_shl(8 * u32::from(self.digits));
        self.digits += 1;
        match (self.phase, self.digits) {
            (Phase::Boundary, _) if byte == GZIP[0] => self.enter(Phase::Second),
            (Phase::Boundary, _) => {
                self.enter(Phase::Beyond);
                self.quote(&[byte]);
            }
            (Phase::Second, _) if byte == GZIP[1] => self.enter(Phase::Fixed),
            (Phase::Second, _) => {
                self.enter(Phase::Beyond);
                self.quote(&[GZIP[0], byte]);
            }
            (Phase::Fixed, 1) if byte != 8 => self.fail("unknown compression method"),
            (Phase::Fixed, 2) if byte & RESERVED != 0 => self.fail("reserved flags are set"),
            (Phase::Fixed, 2) => self.flags = byte,
            (Phase::Fixed, 8) | (Phase::HeaderCrc, 2) => self.next_field(),
            (Phase::ExtraLength, 2) => self.enter(Phase::Extra(self.number)),
            (Phase::Trailer, 8) => self.check(),
            _ => {}
        }
    }

    /// Goes to the next part of the header that the flags announce, or to the body.
    fn next_field(&mut self) {
        let flags = self.flags;
        let (flag, phase) = match flags {
            _ if flags & EXTRA != 0 => (EXTRA, Phase::ExtraLength),
            _ if flags & NAME != 0 => (NAME, Phase::Name),
            _ if flags & COMMENT != 0 => (COMMENT, Phase::Comment),
            _ if flags & HEADER_CRC != 0 => (HEADER_CRC, Phase::HeaderCrc),
            _ => (0, Phase::Body),
        };
        self.flags = flags & !flag;
        self.enter(phase);
        if flag == 0 {
            self.inflate.reset(false);
            self.crc.reset();
        }
    }

    fn skip<'a>(&mut self, input: &'a [u8], left: u64) -> &'a [u8] {
        let skipped = usize::try_from(left).map_or(input.len(), |left| left.min(input.len()));
        match left - skipped as u64 {
            0 => self.next_field(),
            left => self.phase = Phase::Extra(left),
        }
        input.part(skipped..)
    }

    fn skip_string<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        match memchr::memchr(0, input) {
            Some(end) => {
                self.next_field();
                input.part(end + 1..)
            }
            None => &[],
        }
    }

    fn quote(&mut self, bytes: &[u8]) {
        let left = QUOTED.saturating_sub(self.trailing.len());
        self.trailing
            .extend_from_slice(bytes.get(..left).unwrap_or(bytes));
    }

    /// Decompresses as much as the output buffer holds, and returns the input that is left. The end of the stream
    /// begins the trailer.
    fn unpack<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let (used, given) = (self.inflate.total_in(), self.inflate.total_out());
        let output = &mut self.output;
        if self.pending && output.len() < LARGEST_OUTPUT {
            output.resize(2 * output.len(), 0);
        }
        let status = self
            .inflate
            .decompress(input, output, FlushDecompress::None);
        let used = (self.inflate.total_in() - used) as usize;
        let given = (self.inflate.total_out() - given) as usize;
        self.crc.update(output.part(..given));
        self.pending = given == output.len();
        self.start = 0;
        self.end = given;
        match status {
            Ok(Status::StreamEnd) => {
                self.pending = false;
                self.enter(Phase::Trailer);
            }
            Ok(_) if used == 0 && given == 0 && !input.is_empty() => {
                self.fail("compressed data is invalid");
            }
            Ok(_) => {}
            Err(_) => {
                self.pending = false;
                self.fail("compressed data is invalid");
            }
        }
        let left = self.max - self.total;
        if given as u64 > left {
            self.end = usize::try_from(left).unwrap_or(given);
            self.over = Some(Err(TOO_LONG));
        }
        self.total = self.total.saturating_add(given as u64);
        input.part(used..)
    }

    fn check(&mut self) {
        if self.number as u32 != self.crc.sum() {
            self.fail("checksum does not match");
        } else if (self.number >> 32) as u32 != self.inflate.total_out() as u32 {
            self.fail("length does not match");
        } else {
            self.enter(Phase::Boundary);
        }
    }
}
