//! Validators that a server has sent for a document, for the next run.

use std::time::{Duration, SystemTime};

use httpdate::{fmt_http_date, parse_http_date};

/// The version of a document, for a conditional request: the server answers with 304 instead of the document if it has not
/// changed. From [`Ended::validators`](super::Ended::validators), for
/// [`CrawlBuilder::validators`](super::CrawlBuilder::validators).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Validators {
    /// The header `ETag`, with its quotation marks.
    pub etag: Option<String>,
    /// The header `Last-Modified`, or the time of the last request, in seconds.
    pub last_modified: Option<SystemTime>,
}

impl Validators {
    pub(super) fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// The first second of the year 10,000, which HTTP cannot write.
const YEAR_10_000: Duration = Duration::from_secs(253_402_300_800);

/// A date as HTTP writes it. `None` before 1970 and after the year 9999.
pub(super) fn http_date(time: SystemTime) -> Option<String> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    (since < YEAR_10_000).then(|| fmt_http_date(time))
}

/// Reads a date as HTTP writes it, as a duration since the Unix epoch.
pub(super) fn since_epoch(text: &str) -> Option<Duration> {
    let time = parse_http_date(text.trim()).ok()?;
    time.duration_since(SystemTime::UNIX_EPOCH).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_http_are_written_and_read() {
        let at =
            |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_millis(seconds * 1_000 + 999);
        let text = "Sun, 06 Nov 1994 08:49:37 GMT";
        assert_eq!(http_date(at(784_111_777)).as_deref(), Some(text));
        assert_eq!(since_epoch(text), Some(Duration::from_secs(784_111_777)));
        assert_eq!(
            http_date(at(0)).as_deref(),
            Some("Thu, 01 Jan 1970 00:00:00 GMT")
        );
        assert!(http_date(at(253_402_300_799)).is_some());
        assert_eq!(http_date(at(253_402_300_800)), None);
        assert_eq!(
            http_date(SystemTime::UNIX_EPOCH - Duration::from_secs(1)),
            None
        );
        assert_eq!(since_epoch("yesterday"), None);
    }
}
