//! The strict reader on a thread of its own, beside the reader that it gets its text from.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use quick_sitemap::{ReaderBuilder, TextPiece};

use super::encoding::is_utf_8;
use super::parser::{Parser, Verdict};

/// Pieces of text, of up to 64 KiB, that wait for the thread.
const WAITING: usize = 8;

/// Bytes in which a declaration is looked for.
const LONGEST_HEAD: usize = 1_024;

/// The verdict if there is no thread.
const NO_THREAD: &str = "there is no room for another thread";

/// The text so far.
#[derive(Default)]
struct Seen {
    bytes: u64,
    /// Its beginning, up to the end of a declaration.
    head: String,
    /// There are characters that are not ASCII.
    has_other: bool,
}

impl Seen {
    fn add(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        self.has_other |= !self.has_other && !text.is_ascii();
        if self.head.len() <= LONGEST_HEAD && !self.head.contains('>') {
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

enum Message {
    Text(String),
    BadBytes,
    /// The verdict on the text so far is requested.
    Settle,
    /// There is no more text.
    Finish,
}

/// Judges the text of one document while a reader reads it.
pub(crate) struct StrictReader {
    messages: SyncSender<Message>,
    /// One for each request, or the last one.
    verdicts: Receiver<Verdict>,
    seen: Arc<Mutex<Seen>>,
    /// Bytes of the text on which `verdict` is.
    settled: u64,
    verdict: Verdict,
}

impl StrictReader {
    /// Starts the thread, and lets readers made by the builder pass their text to it. Only one document may be read.
    pub(crate) fn beside(builder: ReaderBuilder) -> (Self, ReaderBuilder) {
        let (messages, received) = sync_channel(WAITING);
        let (verdict, verdicts) = channel();
        let thread = thread::Builder::new().name("well-formed".to_owned());
        // If there is no thread, no verdict is received.
        let _ = thread.spawn(move || {
            let mut parser = Parser::new();
            for message in received {
                let is_request = matches!(message, Message::Settle | Message::Finish);
                match message {
                    Message::Text(text) => parser.push(&text),
                    Message::BadBytes => parser.push_bad_bytes(),
                    Message::Settle => parser.settle(),
                    Message::Finish => parser.finish(),
                }
                let is_over = parser.verdict() != &Verdict::WellFormed;
                if is_request || is_over {
                    let _ = verdict.send(parser.verdict().clone());
                }
                if is_over {
                    return;
                }
            }
        });
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (sender, text) = (messages.clone(), Arc::clone(&seen));
        let builder = builder.on_text(move |piece| {
            // Nobody receives text after an error.
            let _ = sender.send(match piece {
                TextPiece::Text(piece) => {
                    locked(&text).add(piece);
                    Message::Text(piece.to_owned())
                }
                TextPiece::BadBytes => {
                    locked(&text).bytes += '\u{FFFF}'.len_utf8() as u64;
                    Message::BadBytes
                }
            });
        });
        let reader = Self {
            messages,
            verdicts,
            seen,
            settled: 0,
            verdict: Verdict::WellFormed,
        };
        (reader, builder)
    }

    /// The encoding that the document declares, or else `charset`, if it is not UTF-8 and makes a difference.
    pub(crate) fn encoding(&self, charset: Option<&str>) -> Option<String> {
        let seen = locked(&self.seen);
        let named = seen.declared().or(charset).filter(|_| seen.has_other)?;
        (!is_utf_8(named)).then(|| named.to_owned())
    }

    /// The verdict on the text up to this byte.
    pub(crate) fn up_to(&mut self, byte: u64) -> &Verdict {
        if byte >= self.settled {
            self.settled = locked(&self.seen).bytes;
            self.request(Message::Settle);
        }
        &self.verdict
    }

    /// The verdict on the complete document. `is_whole`: its end has been read.
    pub(crate) fn finish(mut self, is_whole: bool) -> Verdict {
        self.request(if is_whole {
            Message::Finish
        } else {
            Message::Settle
        });
        self.verdict
    }

    fn request(&mut self, message: Message) {
        if self.verdict == Verdict::WellFormed {
            let _ = self.messages.send(message);
            let verdict = self.verdicts.recv();
            self.verdict = verdict.unwrap_or(Verdict::Undecided(NO_THREAD));
        }
    }
}

fn locked(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}
