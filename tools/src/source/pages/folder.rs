//! The sitemaps of a folder.

use std::path::Path;

use anyhow::Context;
use quick_sitemap::{Format, Reader};

use super::{Walk, canonical};
use crate::disk::open_regular;
use crate::source::folder::is_feed;
use crate::source::folder::parts::{Claim, Listing};
use crate::source::folder::search::{Candidate, search};
use crate::source::input;
use crate::term::count::Count;

/// The kind of a file in the folder.
enum Kind {
    Index,
    Pages,
    /// Its pages are those of the sitemaps, if there are any.
    Feed,
    /// A file that does not look like a sitemap.
    Other,
    /// Something that is called like a sitemap, and is none: an error page, an empty file.
    Broken(String),
}

impl Walk<'_> {
    /// The sitemaps in the folder and below it: the indexes with their parts first, then those that no index names. Feeds are
    /// read if there is no other sitemap, or if an index names them.
    pub(super) fn folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        let found = search(folder, self.messages).with_context(|| folder.display().to_string())?;
        for failure in found.failures {
            self.messages.warning(&failure);
            self.totals.lose();
        }
        self.within = Some(found.root);
        self.root = Listing::new(folder.to_owned()).within(self.within.as_deref());
        let (mut indexes, mut others, mut feeds) = (Vec::new(), Vec::new(), Vec::new());
        for Candidate {
            path,
            is_guess,
            copy,
            ..
        } in found.candidates
        {
            if let Some(copy) = copy {
                self.copies.insert(canonical(&copy), path.clone());
            }
            match kind(&path, is_guess) {
                Kind::Index => indexes.push(path),
                Kind::Pages => others.push(path),
                Kind::Feed => feeds.push(path),
                Kind::Other => {}
                Kind::Broken(why) => {
                    self.messages
                        .warning(format_args!("{}:{why}", path.display()));
                    self.totals.lose();
                }
            }
        }
        if indexes.is_empty() && others.is_empty() {
            others = std::mem::take(&mut feeds);
        }
        if indexes.is_empty() && others.is_empty() {
            anyhow::bail!("{}: there is no sitemap in this folder", folder.display());
        }
        for path in indexes.iter().chain(&others) {
            if self.claim(path, None) == Claim::New {
                self.on_disk(path)?;
            }
        }
        feeds.retain(|path| !self.claims.holds(&canonical(path)));
        if !feeds.is_empty() {
            self.messages.note(format_args!(
                "{}: {} ignored: the pages of the folder are those of its sitemaps",
                folder.display(),
                Count(feeds.len() as u64, "feed")
            ));
        }
        Ok(())
    }
}

fn kind(path: &Path, is_guess: bool) -> Kind {
    let mut reader = match open_regular(path) {
        Ok(file) => Reader::new(input::content(path, file)),
        Err(error) => return Kind::Broken(format!(" {error}")),
    };
    match reader.format() {
        Some(Format::Index) => Kind::Index,
        format if is_feed(format) => Kind::Feed,
        Some(_) => Kind::Pages,
        None => match reader.next() {
            Some(Err(error)) if !is_guess || !super::is_no_sitemap(&error) => {
                Kind::Broken(super::printed(&error))
            }
            _ => Kind::Other,
        },
    }
}
