//! The body of a response: bounded, counted, and never shorter than announced without an error.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::cache::Pending;
use crate::term::count::Grouped;

pub(super) struct Body {
    pub(super) inner: ureq::BodyReader<'static>,
    pub(super) received: u64,
    /// `Content-Length`.
    pub(super) announced: Option<u64>,
    pub(super) max_bytes: u64,
    /// There are more than that, which the next call reports.
    pub(super) is_over: bool,
    pub(super) timeout: Duration,
    /// Bytes of all responses together.
    pub(super) total: Arc<AtomicU64>,
    pub(super) pending: Option<Pending>,
}

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if crate::term::interrupt::is_requested() {
            return Err(io::Error::other("interrupted"));
        }
        if self.is_over {
            return Err(self.too_long());
        }
        // Reads one byte more than allowed to detect that there is more; that byte is not returned.
        let allowed = usize::try_from(self.max_bytes - self.received).unwrap_or(usize::MAX);
        let length = buffer.len().min(allowed.saturating_add(1));
        let buffer = buffer.get_mut(..length).unwrap_or_default();
        let count = loop {
            match self.inner.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failed(&error)),
                Ok(count) => break count,
            }
        };
        if count == 0 && !buffer.is_empty() {
            if self.announced.is_some_and(|bytes| self.received < bytes) {
                return Err(self.ended_early());
            }
            if let Some(pending) = self.pending.take() {
                pending.commit();
            }
            return Ok(0);
        }
        if count > allowed {
            self.is_over = true;
            self.pending = None;
            if allowed == 0 {
                return Err(self.too_long());
            }
        }
        let count = count.min(allowed);
        self.received += count as u64;
        self.total.fetch_add(count as u64, Ordering::Relaxed);
        if let (Some(pending), Some(bytes)) = (&mut self.pending, buffer.get(..count)) {
            pending.write(bytes);
        }
        Ok(count)
    }
}

impl Body {
    /// Never `WouldBlock` or `TimedOut`, which would mean that reading on makes sense.
    fn failed(&self, error: &io::Error) -> io::Error {
        use io::ErrorKind;
        let cause = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<ureq::Error>());
        let received = Grouped(self.received);
        let (kind, text) = match (error.kind(), cause) {
            (ErrorKind::TimedOut | ErrorKind::WouldBlock, _)
            | (_, Some(ureq::Error::Timeout(_))) => {
                let timeout = self.timeout.as_secs_f64();
                let when = format!("within {timeout} s (--timeout), at {received} bytes");
                let text = format!("the response was not complete {when}");
                (ErrorKind::Other, text)
            }
            (kind @ (ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted), _) => (
                kind,
                format!("the connection was reset after {received} bytes"),
            ),
            (ErrorKind::UnexpectedEof, _) | (_, Some(ureq::Error::BodyStalled)) => {
                return self.ended_early();
            }
            (kind, _) => (
                kind,
                format!("{error}, after {received} bytes of the response"),
            ),
        };
        io::Error::new(kind, text)
    }

    fn too_long(&self) -> io::Error {
        io::Error::other(format!(
            "more than {} bytes (--max-bytes)",
            Grouped(self.max_bytes)
        ))
    }

    fn ended_early(&self) -> io::Error {
        let received = Grouped(self.received);
        let all = self.announced.map(|all| format!(" of {}", Grouped(all)));
        let all = all.unwrap_or_default();
        let text = format!("the response ended early, after {received}{all} bytes");
        io::Error::new(io::ErrorKind::UnexpectedEof, text)
    }
}
