//! The writer of the output: one sitemap, written under a temporary name and renamed when it is complete, or a set.

use quick_sitemap::{Result, SplitWriter, TextWriter, UrlEntry, UrlsetWriter};
use quick_sitemap_set::Directory;

use crate::disk::destination::Destination;

pub(super) enum Writer {
    Set(Box<SplitWriter<Directory>>),
    Urlset(Box<UrlsetWriter<Destination>>),
    Text(Box<TextWriter<Destination>>),
}

impl Writer {
    /// `group` is for a set.
    pub(super) fn write(&mut self, entry: &UrlEntry, group: Option<&str>) -> Result<()> {
        match (self, group) {
            (Self::Set(writer), Some(group)) => writer.group(group).write(entry),
            (Self::Set(writer), None) => writer.write(entry),
            (Self::Urlset(writer), _) => writer.write(entry),
            (Self::Text(writer), _) => writer.write(entry),
        }
    }

    /// Numbers of entries and of bytes so far.
    pub(super) fn written(&self) -> (u64, u64) {
        match self {
            Self::Set(writer) => (writer.entries(), writer.bytes()),
            Self::Urlset(writer) => (writer.entries(), writer.bytes()),
            Self::Text(writer) => (writer.entries(), writer.bytes()),
        }
    }
}
