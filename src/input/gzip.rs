//! One layer of gzip. The members are put together here and not by flate2, so that a truncated stream and other data
//! after the end can be distinguished.

use flate2::{Decompress, DecompressError, FlushDecompress, Status};

use super::magic::GZIP;
use super::source::Source;
use crate::error::ErrorKind;
use crate::text::span::TakePart;
use crate::violation::QUOTED;

/// The error of every layer whose content is longer than the caller allows.
pub(super) const TOO_LONG: ErrorKind = ErrorKind::LimitExceeded("more bytes than max_bytes allows");

/// Number of bytes that are decompressed at once: at first, and at most. Output that fills the buffer doubles it.
const FIRST_OUTPUT: usize = 8 * 1024;
const LARGEST_OUTPUT: usize = 64 * 1024;

/// The largest window, which gzip has.
const WINDOW_BITS: u8 = 15;

/// Number of bytes after the last member that are kept: all characters that are quoted, and one more, of up to four bytes.
const TRAILING: usize = 4 * (QUOTED + 1);

/// One layer of gzip: members in a row, then other data.
pub(super) struct Layer {
    phase: Phase,
    inflate: Decompress,
    /// `true` if the last piece of output ended because the buffer was full, so that there may be more without more
    /// input.
    pub(super) pending: bool,
    /// The last decompressed bytes are in `start..end`.
    output: Vec<u8>,
    output_size: usize,
    start: usize,
    end: usize,
    total: u64,
    /// Upper bound for its output.
    max: u64,
    trailing: Vec<u8>,
    pub(super) source: Source,
}

#[derive(Clone, Copy)]
enum Phase {
    /// In a member: its header, the compressed data, or its trailer.
    Member,
    /// Between members.
    Boundary,
    /// After `1F` where a member may begin.
    Second,
    /// After the last member.
    Beyond,
}

impl Layer {
    /// A layer whose first magic has been consumed.
    pub(super) fn new(max: u64) -> Self {
        Self {
            phase: Phase::Member,
            inflate: member(),
            pending: false,
            output: Vec::new(),
            output_size: FIRST_OUTPUT,
            start: 0,
            end: 0,
            total: 0,
            max,
            trailing: Vec::new(),
            source: Source::Open,
        }
    }

    pub(super) fn peek(&self) -> &[u8] {
        self.output.part(self.start..self.end)
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Frees the buffer of an output that was consumed.
    pub(super) fn release(&mut self) {
        (self.start, self.end) = (0, 0);
        self.output = Vec::new();
    }

    pub(super) fn trailing(&self) -> Option<&[u8]> {
        (!self.trailing.is_empty()).then_some(self.trailing.as_slice())
    }

    /// Goes through `input` until something is unpacked or the layer is over; returns how much of it was used.
    pub(super) fn run(&mut self, input: &[u8]) -> usize {
        let mut rest = input;
        while self.source.is_open() && self.start == self.end && (self.pending || !rest.is_empty())
        {
            rest = match (self.phase, rest) {
                (Phase::Member, _) => self.unpack(rest),
                (_, []) => break,
                (Phase::Boundary, [first, later @ ..]) if *first == GZIP[0] => {
                    self.phase = Phase::Second;
                    later
                }
                (Phase::Second, [second, later @ ..]) if *second == GZIP[1] => {
                    self.phase = Phase::Member;
                    self.inflate = member();
                    later
                }
                _ => {
                    if let Phase::Second = self.phase {
                        self.quote(&GZIP[..1]);
                    }
                    self.phase = Phase::Beyond;
                    self.quote(rest);
                    &[]
                }
            };
        }
        input.len() - rest.len()
    }

    /// There is no more input; with a reason, though there should be.
    pub(super) fn close(&mut self, failure: Option<ErrorKind>) {
        if let Phase::Second = self.phase {
            self.quote(&GZIP[..1]);
        }
        let is_cut = matches!(self.phase, Phase::Member);
        self.source = Source::Ended(failure.or(is_cut.then_some(ErrorKind::Truncated)));
    }

    fn fail(&mut self, why: &'static str) {
        self.source = Source::Ended(Some(ErrorKind::Gzip(why)));
    }

    fn quote(&mut self, bytes: &[u8]) {
        let left = TRAILING.saturating_sub(self.trailing.len());
        self.trailing
            .extend_from_slice(bytes.get(..left).unwrap_or(bytes));
    }

    /// Decompresses as much as the output buffer holds, and returns the input that is left.
    fn unpack<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let (used, given) = (self.inflate.total_in(), self.inflate.total_out());
        if self.pending && self.output_size < LARGEST_OUTPUT {
            self.output_size *= 2;
        }
        let output = &mut self.output;
        if output.len() < self.output_size {
            *output = vec![0; self.output_size];
        }
        let status = self
            .inflate
            .decompress(input, output, FlushDecompress::None);
        let used = (self.inflate.total_in() - used) as usize;
        let given = (self.inflate.total_out() - given) as usize;
        self.pending = given == output.len();
        self.start = 0;
        self.end = given;
        match status {
            Ok(Status::StreamEnd) => {
                self.pending = false;
                self.phase = Phase::Boundary;
            }
            Ok(_) if used == 0 && given == 0 && !input.is_empty() => self.fail(INVALID),
            Ok(_) => {}
            Err(error) => {
                self.pending = false;
                self.fail(reason(&error));
            }
        }
        let left = self.max - self.total;
        if given as u64 > left {
            self.end = usize::try_from(left).unwrap_or(given);
            self.source = Source::Ended(Some(TOO_LONG));
        }
        self.total = self.total.saturating_add(given as u64);
        input.part(used..)
    }
}

/// The state in a member whose magic has been consumed. Each member gets a new state: a reset would create one, too, and
/// before flate2 1.1.11 that state could not read gzip.
fn member() -> Decompress {
    let mut inflate = Decompress::new_gzip(WINDOW_BITS);
    // No output follows from the magic alone.
    let _ = inflate.decompress(&GZIP, &mut [0], FlushDecompress::None);
    inflate
}

const INVALID: &str = "compressed data is invalid";

/// The problem of a member, by the message of zlib.
fn reason(error: &DecompressError) -> &'static str {
    match error.message() {
        Some("unknown compression method") => "unknown compression method",
        Some("unknown header flags set") => "reserved flags are set",
        Some("header crc mismatch" | "incorrect data check") => "checksum does not match",
        Some("incorrect length check") => "length does not match",
        _ => INVALID,
    }
}
