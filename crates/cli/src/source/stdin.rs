//! Standard input that does not keep a program from ending.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use crate::term::interrupt;

/// Bytes that are read at a time, and pieces that may wait.
const PIECE: usize = 64 << 10;
const WAITING: usize = 4;

/// Interval at which a waiting reader checks for an interrupt.
const INTERVAL: Duration = Duration::from_millis(50);

/// Standard input, read by a thread of its own: whoever waits for more still notices Ctrl-C, gets an error, and can
/// remove what is half-written.
pub(crate) fn interruptible() -> impl Read + Send {
    let (sender, pieces) = sync_channel(WAITING);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut piece = vec![0; PIECE];
            let read = stdin.read(&mut piece);
            let is_last = !matches!(read, Ok(1..));
            let piece = read.map(|length| {
                piece.truncate(length);
                piece
            });
            // A read that was interrupted is not an error.
            if matches!(&piece, Err(error) if error.kind() == io::ErrorKind::Interrupted) {
                continue;
            }
            if sender.send(piece).is_err() || is_last {
                return;
            }
        }
    });
    Pieces {
        pieces,
        piece: io::Cursor::default(),
    }
}

struct Pieces {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            interrupt::check().map_err(io::Error::other)?;
            match self.pieces.recv_timeout(INTERVAL) {
                Ok(piece) => self.piece = io::Cursor::new(piece?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}
