//! The strict reader on a thread of its own, beside the reader that it gets its text from.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
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

/// The encoding of the text so far.
#[derive(Default)]
struct Encoding {
    declared: OnceLock<String>,
    /// There are characters that are not ASCII.
    has_other: AtomicBool,
}

impl Encoding {
    /// `head` is the beginning of the document, as long as it may be that of a declaration.
    fn see(&self, text: &str, head: &mut Option<String>) {
        if !self.has_other.load(Ordering::Relaxed) && !text.is_ascii() {
            self.has_other.store(true, Ordering::Relaxed);
        }
        let Some(begin) = head else {
            return;
        };
        begin.push_str(text);
        let is_over = begin.contains('>') || begin.len() > LONGEST_HEAD;
        let declaration = begin.trim_start_matches('\u{feff}').trim_start();
        let declaration = declaration
            .strip_prefix("<?xml")
            .and_then(|rest| rest.split_once('>'));
        if let Some((declaration, _)) = declaration
            && let Some((_, value)) = declaration.split_once("encoding")
            && let Some(label) = value.split(['"', '\'']).nth(1)
        {
            let _ = self.declared.set(label.trim().to_owned());
        }
        if is_over {
            *head = None;
        }
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
    verdicts: Receiver<Verdict>,
    /// Bytes of text so far.
    sent: Arc<AtomicU64>,
    /// Bytes of them on which `verdict` is.
    settled: u64,
    verdict: Verdict,
    encoding: Arc<Encoding>,
}

impl StrictReader {
    /// Starts the thread, and lets readers made by the builder pass their text to it. Only one document may be read.
    pub(crate) fn beside(builder: ReaderBuilder) -> (Self, ReaderBuilder) {
        let (messages, received) = sync_channel(WAITING);
        let (verdict, verdicts) = channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_over);
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
                if is_request {
                    let _ = verdict.send(parser.verdict().clone());
                }
                ended.store(parser.verdict() != &Verdict::WellFormed, Ordering::Relaxed);
            }
        });
        let sent = Arc::new(AtomicU64::new(0));
        let (sender, count) = (messages.clone(), Arc::clone(&sent));
        let encoding = Arc::new(Encoding::default());
        let seen = Arc::clone(&encoding);
        let mut head = Some(String::new());
        let builder = builder.on_text(move |piece| {
            let len = match piece {
                TextPiece::Text(text) => {
                    seen.see(text, &mut head);
                    text.len()
                }
                TextPiece::BadBytes => '\u{FFFF}'.len_utf8(),
            };
            count.fetch_add(len as u64, Ordering::Relaxed);
            if !is_over.load(Ordering::Relaxed) {
                let _ = sender.send(match piece {
                    TextPiece::Text(text) => Message::Text(text.to_owned()),
                    TextPiece::BadBytes => Message::BadBytes,
                });
            }
        });
        let reader = Self {
            messages,
            verdicts,
            sent,
            settled: 0,
            verdict: Verdict::WellFormed,
            encoding,
        };
        (reader, builder)
    }

    /// The encoding that the document declares, or else `charset`, if it is not UTF-8 and makes a difference.
    pub(crate) fn encoding<'s>(&'s self, charset: Option<&'s str>) -> Option<&'s str> {
        let has_other = self.encoding.has_other.load(Ordering::Relaxed);
        let declared = self.encoding.declared.get().map(String::as_str);
        let named = declared.or(charset).filter(|_| has_other)?;
        (!is_utf_8(named)).then_some(named)
    }

    /// The verdict on the text up to this byte.
    pub(crate) fn up_to(&mut self, byte: u64) -> &Verdict {
        if self.verdict == Verdict::WellFormed && byte >= self.settled {
            self.settled = self.sent.load(Ordering::Relaxed);
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
        let sent = self.messages.send(message).is_ok();
        let verdict = sent.then(|| self.verdicts.recv().ok()).flatten();
        self.verdict = verdict.unwrap_or(Verdict::Undecided(NO_THREAD));
    }
}
