//! Places in a text.

use std::slice::SliceIndex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// A part of a text or of a list: where it starts, and where it ends (exclusive).
///
/// Spans are kept by the thousand, so they are half as large as a range of `usize`. An entry, which is all that they
/// are kept for, takes 256 MiB at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0 };

    pub(crate) const fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= u32::MAX as usize);
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// An empty span at a position.
    pub(crate) const fn at(place: usize) -> Self {
        Self::new(place, place)
    }

    /// A text that starts there.
    pub(crate) const fn from(start: usize, text: &str) -> Self {
        Self::new(start, start + text.len())
    }

    pub(crate) const fn start(self) -> usize {
        self.start as usize
    }

    pub(crate) const fn end(self) -> usize {
        self.end as usize
    }

    pub(crate) const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the span without the white space at both ends of its text.
    pub(crate) fn trimmed(self, text: &str) -> Self {
        match self.bytes_of(text) {
            // In more than 99 % of all texts.
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => self,
            _ => self.trimmed_at_both_ends(text),
        }
    }

    /// Like `trimmed`, for a text with white space or a character beyond ASCII at an end.
    #[inline(never)]
    fn trimmed_at_both_ends(self, text: &str) -> Self {
        let visible = self.of(text).trim_start();
        Self::from(self.end() - visible.len(), visible.trim_end())
    }

    /// This part of the text that the span was made for.
    #[inline(always)]
    pub(crate) fn of(self, text: &str) -> &str {
        text.part(self.start()..self.end())
    }

    /// The bytes of this part of the text. They are compared without asking where characters begin.
    #[inline(always)]
    pub(crate) fn bytes_of(self, text: &str) -> &[u8] {
        text.as_bytes().part(self.start()..self.end())
    }
}

/// A part of a text or of a list whose bounds are known to lie in it, because they were found in it. If they do not, a
/// debug build panics, and any other build continues with an empty part. An entry is read by [`WrongBounds`], so that such
/// a mistake is reported.
pub(crate) trait TakePart<R> {
    fn part(&self, range: R) -> &Self;

    /// Like `part`, and records a mistake.
    fn checked_part(&self, range: R, wrong: &WrongBounds) -> &Self;
}

impl<R: SliceIndex<str, Output = str>> TakePart<R> for str {
    #[inline(always)]
    fn part(&self, range: R) -> &str {
        self.get(range).unwrap_or_else(|| mistake(""))
    }

    #[inline(always)]
    fn checked_part(&self, range: R, wrong: &WrongBounds) -> &str {
        self.get(range).unwrap_or_else(|| wrong.recorded(""))
    }
}

impl<T, R: SliceIndex<[T], Output = [T]>> TakePart<R> for [T] {
    #[inline(always)]
    fn part(&self, range: R) -> &[T] {
        self.get(range).unwrap_or_else(|| mistake(&[]))
    }

    #[inline(always)]
    fn checked_part(&self, range: R, wrong: &WrongBounds) -> &[T] {
        self.get(range).unwrap_or_else(|| wrong.recorded(&[]))
    }
}

/// A place is not in its text, or a number not in its list: a mistake in this crate.
// A function of its own, so that the usual path need not choose between two texts.
#[cold]
#[inline(never)]
fn mistake<T: ?Sized>(nothing: &T) -> &T {
    debug_assert!(false, "bounds of another text");
    nothing
}

/// Records that a place of an entry is not in its text, so that the entry is skipped and reported.
// Shared readers of an entry record it too.
#[derive(Debug, Default)]
pub(crate) struct WrongBounds(AtomicBool);

impl WrongBounds {
    /// Records a mistake, after which `nothing` is read. A debug build panics.
    #[cold]
    #[inline(never)]
    pub(crate) fn recorded<T>(&self, nothing: T) -> T {
        debug_assert!(false, "bounds of another text");
        self.record();
        nothing
    }

    /// Records a mistake as a release build does.
    pub(crate) fn record(&self) {
        self.0.store(true, Relaxed);
    }

    pub(crate) fn is_recorded(&self) -> bool {
        self.0.load(Relaxed)
    }

    pub(crate) fn clear(&mut self) {
        *self.0.get_mut() = false;
    }
}

/// Returns the last character boundary of the text that is not after `at`.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    // A character has four bytes at most.
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}
