//! The document that is being read.

use quick_sitemap::{Format, W3cDatetime};

use super::strict::Strict;
use crate::judge::duplicates::FileKind;
use crate::judge::sites::Sites;
use crate::source::folder::is_feed;
use crate::source::walk::Content;

/// The document that is being read.
#[derive(Default)]
pub(super) struct Current {
    /// `None` if its beginning cannot be read.
    pub(super) content: Option<Content>,
    pub(super) strict: Option<Strict>,
    pub(super) is_template: bool,
    /// It declares an encoding that it does not have.
    pub(super) has_conflict: bool,
    /// It is on a host that no search engine reaches.
    pub(super) is_local: bool,
    pub(super) entries: u64,
    /// The newest date of its pages that can be true.
    pub(super) newest: Option<W3cDatetime>,
    /// The sites of its entries, if its location is not known.
    pub(super) sites: Sites,
}

impl Current {
    /// The format of the sitemap, if it is one.
    pub(super) fn format(&self) -> Option<Format> {
        match self.content {
            Some(Content::Sitemap(format)) => format,
            Some(Content::List(_)) | None => None,
        }
    }

    pub(super) fn is_list(&self) -> bool {
        matches!(self.content, Some(Content::List(_)))
    }

    pub(super) fn kind(&self) -> FileKind {
        match self.format() {
            Some(Format::Text) => FileKind::Text,
            _ if self.is_list() => FileKind::Text,
            format if is_feed(format) => FileKind::Feed,
            _ => FileKind::Sitemap,
        }
    }
}
