//! The sitemaps of a folder.

use anyhow::bail;
use quick_sitemap::{Format, Reader};

use super::{Walk, canonical};
use crate::source::folder::is_feed;
use crate::source::folder::parts::Claim;
use crate::source::input::Network;
use crate::source::targets::Target;
use crate::term::count::Count;

/// The kind of a file in the folder.
enum Kind {
    Index,
    Pages,
    /// Its pages are those of the sitemaps, if there are any.
    Feed,
    /// A file that does not look like a sitemap.
    Other,
    /// It is called like a sitemap, and is none (an error page, an empty file), or it cannot be opened.
    Broken(String),
}

impl Walk<'_> {
    /// The sitemaps in the folder and below it: the indexes with their parts first, then those that no index names. Feeds are
    /// read if there is no other sitemap, or if an index names them.
    pub(super) fn folder(&mut self, folder: &str, files: &[Target]) -> anyhow::Result<()> {
        let (mut indexes, mut others, mut feeds) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            if let (Some(copy), Some(path)) = (&file.copy, file.input.path()) {
                self.copies.insert(canonical(copy), path.to_owned());
            }
            match kind(file) {
                Kind::Index => indexes.push(file),
                Kind::Pages => others.push(file),
                Kind::Feed => feeds.push(file),
                Kind::Other => {}
                Kind::Broken(why) => {
                    self.messages.warning(format_args!("{}:{why}", file.name));
                    self.totals.lose();
                }
            }
        }
        if indexes.is_empty() && others.is_empty() {
            others = std::mem::take(&mut feeds);
        }
        if indexes.is_empty() && others.is_empty() {
            bail!("{folder}: there is no sitemap in this folder");
        }
        for file in indexes.into_iter().chain(others) {
            if self.claim(file, None) == Claim::New {
                self.on_disk(file)?;
            }
        }
        let is_read = |file: &&Target| {
            let path = file.input.path();
            path.is_some_and(|path| self.claims.holds(&canonical(path)))
        };
        feeds.retain(|file| !is_read(file));
        if !feeds.is_empty() {
            self.messages.note(format_args!(
                "{folder}: {} ignored: the pages of the folder are those of its sitemaps",
                Count(feeds.len() as u64, "feed")
            ));
        }
        Ok(())
    }
}

/// The kind of a file of a folder, from its content.
fn kind(file: &Target) -> Kind {
    let mut reader = match file.open(&Network::default()) {
        Ok(opened) => Reader::new(opened.reader),
        Err(error) => return Kind::Broken(format!(" {error:#}")),
    };
    match reader.format() {
        Some(Format::Index) => Kind::Index,
        format if is_feed(format) => Kind::Feed,
        Some(_) => Kind::Pages,
        None => match reader.next() {
            Some(Err(error)) if !file.is_guess || !super::is_no_sitemap(&error) => {
                Kind::Broken(super::printed(&error))
            }
            _ => Kind::Other,
        },
    }
}
