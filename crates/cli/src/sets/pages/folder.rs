//! The sitemaps of a folder.

use anyhow::bail;
use quick_sitemap::{Format, Reader};

use super::{Walk, canonical};
use crate::source::folder::is_feed;
use crate::source::folder::parts::Claim;
use crate::source::input::Network;
use crate::source::targets::Target;
use crate::term::count::Count;

impl Walk<'_> {
    /// The sitemaps in the folder and below it: the indexes with their parts first, then those that no index names. Feeds are
    /// read if there is no other sitemap, or if an index names them.
    pub(super) fn folder(&mut self, folder: &str, files: &[Target]) -> anyhow::Result<()> {
        let (mut indexes, mut others, mut feeds) = (Vec::new(), Vec::new(), Vec::new());
        for file in files {
            if let (Some(copy), Some(path)) = (&file.copy, file.input.path()) {
                self.copies.insert(canonical(copy), path.to_owned());
            }
            match format(file) {
                Ok(Some(Format::Index)) => indexes.push(file),
                Ok(format) if is_feed(format) => feeds.push(file),
                Ok(Some(_)) => others.push(file),
                Ok(None) => {}
                Err(why) => {
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

/// The format of a file of a folder, from its content; `None` for one that does not look like a sitemap.
///
/// # Errors
///
/// If the file cannot be opened, or if it is named like a sitemap but is none (an error page, an empty file).
fn format(file: &Target) -> Result<Option<Format>, String> {
    let opened = file.open(&Network::default());
    let mut reader = Reader::new(opened.map_err(|error| format!(" {error:#}"))?.reader);
    if let Some(format) = reader.format() {
        return Ok(Some(format));
    }
    match reader.next() {
        Some(Err(error)) if !file.is_guess || !super::is_no_sitemap(&error) => {
            Err(super::printed(&error))
        }
        _ => Ok(None),
    }
}
