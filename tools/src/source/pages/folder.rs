//! The sitemaps of a folder.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use quick_sitemap::{Effect, ErrorKind, Format, Reader};

use super::{Unusable, Walk, canonical};
use crate::source::folder::parts::{Claim, Listing};
use crate::source::folder::superseded::has_fingerprint;
use crate::source::folder::{folder_of, is_feed, open_regular, walk};
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
        let mut walk = walk::Walk::new(folder).with_context(|| folder.display().to_string())?;
        self.within = Some(walk.root().to_owned());
        self.root = Listing::new(folder.to_owned()).within(self.within.as_deref());
        let mut files = Vec::new();
        for found in walk.by_ref() {
            match found {
                Ok(found) => files.push(found),
                Err(error) => {
                    self.messages.warning(&error);
                    self.totals.lose();
                }
            }
        }
        walk.say_left_out(self.messages);
        let (mut indexes, mut others, mut feeds) = (Vec::new(), Vec::new(), Vec::new());
        for found in walk::distinct(files) {
            let path = found.path;
            if !is_named_like_a_sitemap(&path) {
                continue;
            }
            match kind(&path) {
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
        let (mut twins, mut superseded) = (0, 0);
        let mut folders_of_indexes = HashSet::new();
        for path in &indexes {
            folders_of_indexes.insert(folder_of(path).to_owned());
            self.one_of_folder(path)?;
        }
        for path in &others {
            let is_claimed = |path: &Path| self.claims.holds(&canonical(path));
            if is_claimed(path) {
                continue;
            }
            let has_no_name_now =
                has_fingerprint(path) && folders_of_indexes.contains(folder_of(path));
            if twin(path).is_some_and(|twin| is_claimed(&twin)) {
                twins += 1;
            } else if has_no_name_now {
                superseded += 1;
            } else {
                self.one_of_folder(path)?;
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
        if twins > 0 {
            self.messages.note(format_args!(
                "{}: {} ignored: the second copy of a sitemap that exists both gzipped and not",
                folder.display(),
                Count(twins, "sitemap")
            ));
        }
        if superseded > 0 {
            self.messages.note(format_args!(
                "{}: {} ignored: replaced by a newer set",
                folder.display(),
                Count(superseded, "sitemap")
            ));
        }
        Ok(())
    }

    fn one_of_folder(&mut self, path: &Path) -> anyhow::Result<()> {
        if self.claim(path, None) != Claim::New {
            return Ok(());
        }
        let read = match open_regular(path) {
            Ok(file) => self.on_disk(path, input::content(path, file)),
            Err(error) => Err(Unusable(format!("{}: {error}", path.display())).into()),
        };
        self.go_on(read)
    }
}

/// Returns `true` if the name ends like those of sitemaps and feeds; the content then decides.
fn is_named_like_a_sitemap(path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        return false;
    };
    let name = name.to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".xml", ".txt", ".rss", ".rdf", ".atom"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn kind(path: &Path) -> Kind {
    let mut reader = match open_regular(path) {
        Ok(file) => Reader::new(input::content(path, file)),
        Err(error) => return Kind::Broken(format!(" {error}")),
    };
    let is_text = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().contains(".txt"));
    match reader.format() {
        Some(Format::Index) => Kind::Index,
        // A text about something that names a URL, later.
        Some(Format::Text) if is_text && !begins_with_url(&mut reader) => Kind::Other,
        format if is_feed(format) => Kind::Feed,
        Some(_) => Kind::Pages,
        None => match reader.next() {
            Some(Err(error)) => match error.kind() {
                // robots.txt, humans.txt.
                ErrorKind::NotASitemap(_) if is_text => Kind::Other,
                // Another XML document.
                ErrorKind::UnknownRoot(root) if !root.eq_ignore_ascii_case("html") => Kind::Other,
                _ => Kind::Broken(super::printed(&error)),
            },
            _ => Kind::Other,
        },
    }
}

fn begins_with_url(reader: &mut Reader<impl Read>) -> bool {
    let is_page = matches!(reader.next(), Some(Ok(_)));
    let lost = reader
        .issues()
        .iter()
        .any(|issue| issue.effect == Effect::EntrySkipped);
    is_page && !lost
}

/// The same file gzipped, or not gzipped.
fn twin(path: &Path) -> Option<PathBuf> {
    let mut twin = path.to_owned();
    if path.extension()? == "gz" {
        twin.set_extension("");
    } else {
        twin.as_mut_os_string().push(".gz");
    }
    Some(twin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a.xml", "b.XML.GZ", "c.txt", "feed.rss", "x/d.atom"] {
            assert!(is_named_like_a_sitemap(Path::new(name)), "{name}");
        }
        for name in ["a.html", "xml", "b.gz", "sitemap.xsl"] {
            assert!(!is_named_like_a_sitemap(Path::new(name)), "{name}");
        }
        assert_eq!(twin(Path::new("a.xml")), Some("a.xml.gz".into()));
        assert_eq!(twin(Path::new("a.xml.gz")), Some("a.xml".into()));
    }
}
