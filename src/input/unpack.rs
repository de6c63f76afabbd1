//! The pushed bytes, and the layers of gzip over them: a file may be gzipped more than once.

use super::gzip::Layer;
use super::source::Source;
use crate::error::ErrorKind;
use crate::text::span::TakePart;

const MAX_LAYERS: usize = 3;

/// Further output of a layer over another: headers, and blocks that could not be compressed.
const OVERHEAD: u64 = 64 * 1024;

/// A buffer of pushed bytes that outgrew this is not kept for the next document.
const KEPT_CAPACITY: usize = 1024 * 1024;

/// The pushed bytes and the layers of gzip over them.
pub(super) struct Unpacker {
    pub(super) stored: Stored,
    /// From the outermost inwards.
    layers: Vec<Layer>,
    /// Upper bound for the output of each layer. Text within its own bound takes at most two bytes in any encoding for one of
    /// UTF-8, so only layers over others reach it.
    max_output: u64,
}

/// More to read, or not: the result of [`Input::fill`](super::Input::fill), and of the stage before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// At least one byte.
    More,
    /// Nothing now; push more or finish.
    Starved,
    /// Everything was returned. The [`Source`] knows how it ended.
    End,
}

impl Unpacker {
    /// `max`: the bound on the decoded text.
    pub(super) fn new(max: u64) -> Self {
        Self {
            stored: Stored::default(),
            layers: Vec::new(),
            max_output: max.saturating_mul(2).saturating_add(OVERHEAD),
        }
    }

    pub(super) fn reset(&mut self) {
        self.stored.clear();
        self.stored.source = Source::Open;
        self.layers.clear();
    }

    /// Returns `true` if pushed bytes can bypass this: no gzip, nothing stored, more may come.
    pub(super) fn is_bare(&self) -> bool {
        self.layers.is_empty() && self.stored.peek().is_empty() && self.stored.source.is_open()
    }

    /// Treats the output of the innermost layer as gzip whose magic has been consumed.
    pub(super) fn deepen(&mut self) -> Result<(), ErrorKind> {
        if self.layers.len() == MAX_LAYERS {
            return Err(ErrorKind::LimitExceeded("more than three layers of gzip"));
        }
        self.layers.push(Layer::new(self.max_output));
        Ok(())
    }

    /// Sees to it that [`peek`](Self::peek) has something, if that can be. While a layer waits for more, it has no buffers, so
    /// many documents that arrive slowly take little memory.
    pub(super) fn refill(&mut self) -> Fill {
        let fill = refill(&mut self.layers, &mut self.stored);
        if fill == Fill::Starved && !self.layers.is_empty() {
            self.layers.iter_mut().for_each(Layer::release);
            self.stored.bytes = Vec::new();
        }
        fill
    }

    /// The reason why the innermost layer ended before its end. It is returned once.
    pub(super) fn take_failure(&mut self) -> Option<ErrorKind> {
        take_failure(self.layers.last_mut(), &mut self.stored)
    }

    pub(super) fn peek(&self) -> &[u8] {
        let layer = self.layers.last();
        layer.map_or_else(|| self.stored.peek(), Layer::peek)
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        match self.layers.last_mut() {
            Some(layer) => layer.consume(bytes),
            None => self.stored.consume(bytes),
        }
    }

    /// Returns the bytes after the last member of the outermost layer that has some.
    pub(super) fn trailing(&self) -> Option<&[u8]> {
        self.layers.iter().find_map(Layer::trailing)
    }
}

fn take_failure(layer: Option<&mut Layer>, stored: &mut Stored) -> Option<ErrorKind> {
    let source = layer.map_or(&mut stored.source, |layer| &mut layer.source);
    source.take_failure()
}

/// Recursion no deeper than there are layers.
fn refill(layers: &mut [Layer], stored: &mut Stored) -> Fill {
    let Some((top, below)) = layers.split_last_mut() else {
        return match stored.peek() {
            [_, ..] => Fill::More,
            [] if stored.source.is_open() => Fill::Starved,
            [] => Fill::End,
        };
    };
    loop {
        if !top.peek().is_empty() {
            return Fill::More;
        }
        if !top.source.is_open() {
            return Fill::End;
        }
        match (refill(below, stored), below.last_mut()) {
            (Fill::More, Some(layer)) => {
                let used = top.run(layer.peek());
                layer.consume(used);
            }
            (Fill::More, None) => {
                let used = top.run(stored.peek());
                stored.consume(used);
            }
            _ if top.pending => {
                top.run(&[]);
            }
            (Fill::Starved, _) => return Fill::Starved,
            (Fill::End, below) => top.close(take_failure(below, stored)),
        }
    }
}

/// The pushed bytes that have not been read yet.
#[derive(Default)]
pub(super) struct Stored {
    bytes: Vec<u8>,
    start: usize,
    /// Whether more will be pushed.
    pub(super) source: Source,
}

impl Stored {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || !self.source.is_open() {
            return;
        }
        // Moved to the front only when what is moved is less than what was consumed: linear all in all.
        if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    fn peek(&self) -> &[u8] {
        self.bytes.part(self.start..)
    }

    fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        if self.start >= self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
        }
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.shrink_to(KEPT_CAPACITY);
        self.start = 0;
    }
}
