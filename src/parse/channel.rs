//! The link of a feed itself: the page that an RSS channel or an Atom feed belongs to.

use crate::dialect::Dialect;
use crate::tape::{Node, Tape};
use crate::xml::references::{self, TextKind};

/// Bytes that the link's text may have, as it is written; a longer one is ignored.
pub(super) const MAX_LINK: usize = 4096;

/// What is known of the link.
#[derive(Debug, Default)]
pub(super) struct ChannelLink {
    text: String,
    state: LinkState,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum LinkState {
    /// None has been found that says anything.
    #[default]
    Unknown,
    /// The `<link>` of an RSS channel is open, and its text is being collected.
    Open,
    Known,
}

impl ChannelLink {
    /// The link as it is written, references resolved and trimmed.
    pub(super) fn get(&self) -> Option<&str> {
        (self.state == LinkState::Known).then_some(self.text.trim())
    }

    /// An element of the feed's own that is called `link` begins in this one (its local name).
    pub(super) fn begin(
        &mut self,
        parent: &str,
        node: &Node,
        empty: bool,
        tape: &Tape,
        window: &str,
    ) {
        if self.state == LinkState::Known {
            return;
        }
        match tape.dialect {
            Dialect::Rss if parent.eq_ignore_ascii_case("channel") && !empty => {
                self.text.clear();
                self.state = LinkState::Open;
            }
            Dialect::Atom if parent.eq_ignore_ascii_case("feed") => {
                let attribute = |name| {
                    let found = tape.attribute(node, name, window);
                    found.and_then(|found| tape.text(found.value, window))
                };
                let rel = attribute("rel").unwrap_or_default().trim();
                let href = attribute("href").unwrap_or_default();
                if (rel.is_empty() || rel.eq_ignore_ascii_case("alternate"))
                    && href.len() <= MAX_LINK
                {
                    href.clone_into(&mut self.text);
                    self.state = LinkState::Open;
                    self.close();
                }
            }
            _ => {}
        }
    }

    /// Whether text belongs to it.
    pub(super) fn is_open(&self) -> bool {
        self.state == LinkState::Open
    }

    /// Text of the open link.
    pub(super) fn add(&mut self, raw: &str, context: TextKind) {
        if self.text.len() + raw.len() > MAX_LINK {
            self.text.clear();
            self.state = LinkState::Unknown;
            return;
        }
        references::decode(raw, context, &mut self.text, |_, _| ());
    }

    /// A tag ends the text of an open link.
    pub(super) fn close(&mut self) {
        if self.state == LinkState::Open {
            self.state = match self.text.trim() {
                "" => LinkState::Unknown,
                _ => LinkState::Known,
            };
        }
    }
}
