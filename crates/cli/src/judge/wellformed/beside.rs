//! The strict reader beside the reader that it gets its text from.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quick_sitemap::{Extension, ReaderBuilder, TextPiece};

use super::encoding::is_utf_8;
use super::parser::{Parser, Verdict};

/// Bytes in which declarations of the encoding and of namespaces are looked for.
const LONGEST_HEAD: usize = 4_096;

/// The text so far.
#[derive(Default)]
struct Seen {
    parser: Parser,
    /// Its beginning, with the declarations.
    head: String,
    /// There are characters that are not ASCII.
    has_other: bool,
}

impl Seen {
    fn add(&mut self, piece: TextPiece<'_>) {
        let TextPiece::Text(text) = piece else {
            return self.parser.push_bad_bytes();
        };
        self.parser.push(text);
        self.has_other |= !self.has_other && !text.is_ascii();
        if self.head.len() <= LONGEST_HEAD {
            self.head.push_str(text);
        }
    }

    /// The encoding that the document declares.
    fn declared(&self) -> Option<&str> {
        let head = self.head.trim_start_matches('\u{feff}').trim_start();
        let (declaration, _) = head.strip_prefix("<?xml")?.split_once('>')?;
        let (_, value) = declaration.split_once("encoding")?;
        value.split(['"', '\'']).nth(1).map(str::trim)
    }
}

/// Judges the text of a document while a reader reads it.
#[derive(Default)]
pub(crate) struct StrictReader(Arc<Mutex<Seen>>);

impl StrictReader {
    /// Lets readers made by the builder pass their text to it, one after the other.
    pub(crate) fn beside(&self, builder: ReaderBuilder) -> ReaderBuilder {
        let text = Self(Arc::clone(&self.0));
        builder.on_text(move |piece| text.seen().add(piece))
    }

    /// Begins a document.
    pub(crate) fn begin(&self) -> Self {
        *self.seen() = Seen::default();
        Self(Arc::clone(&self.0))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The encoding that the document declares, or else `charset`, if it is not UTF-8 and makes a difference.
    pub(crate) fn encoding(&self, charset: Option<&str>) -> Option<String> {
        let seen = self.seen();
        let named = seen.declared().or(charset).filter(|_| seen.has_other)?;
        (!is_utf_8(named)).then(|| named.to_owned())
    }

    /// Returns `true` if the beginning of the document names the namespace of news.
    pub(crate) fn is_for_news(&self) -> bool {
        self.seen().head.contains(Extension::News.namespace())
    }

    /// The verdict on the text so far.
    pub(crate) fn so_far(&self) -> Verdict {
        let mut seen = self.seen();
        seen.parser.settle();
        seen.parser.verdict().clone()
    }

    /// The verdict on the complete document. `is_whole`: its end has been read.
    pub(crate) fn finish(self, is_whole: bool) -> Verdict {
        if is_whole {
            self.seen().parser.finish();
        }
        self.so_far()
    }
}
