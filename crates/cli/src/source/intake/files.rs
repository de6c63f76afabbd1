//! The parts of an index on disk.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use quick_sitemap::SitemapEntry;
use quick_sitemap::url::Url;

use super::{Intake, NOT_FOLLOWED};
use crate::disk::folder_of;
use crate::source::documents::{Target, canonical};
use crate::source::folder::parts::{self, Claim, Listing};
use crate::source::not_read::Why;
use crate::source::sink::About;

/// The place of a document on disk, or of one that lists nothing.
pub(super) struct Files<'r> {
    target: &'r Target,
    /// The folder of the index, and the one that was named.
    folders: Option<[Rc<Listing>; 2]>,
}

impl<'r> Files<'r> {
    pub(super) fn new(target: &'r Target) -> Self {
        let folders = target.path().map(|path| {
            let folder = folder_of(path);
            match &target.root {
                Some(root) => [Rc::new(root.beside(folder)), Rc::clone(root)],
                None => {
                    let beside = Rc::new(Listing::new(folder.to_owned()));
                    [Rc::clone(&beside), beside]
                }
            }
        });
        Self { target, folders }
    }

    /// Returns `true` if a server would send another file for a part, if the URL of the folder is known and places are
    /// judged.
    fn is_elsewhere(&self, part: &Url, file: &Path, intake: &Intake<'_>) -> bool {
        let folder = intake
            .options
            .location
            .filter(|_| intake.sink.judges_places());
        let (Some(folder), Some(root)) = (folder, &self.target.root) else {
            return false;
        };
        let path = part.path().strip_prefix(folder.path());
        let path = path.and_then(|path| percent_decode_str(path).decode_utf8().ok());
        let place = path.filter(|_| part.origin() == folder.origin());
        place.is_some_and(|path| canonical(&root.path().join(&*path)) != canonical(file))
    }

    /// Puts a part into the queue. Returns the reason if it will not be read, and `true` if it is an index.
    pub(super) fn part(
        &self,
        part: &SitemapEntry,
        about: &About<'_>,
        intake: &mut Intake<'_>,
    ) -> (Option<(Why, String)>, bool) {
        let Some([beside, root]) = &self.folders else {
            return (None, false);
        };
        if is_feed_of_a_service(&part.loc) {
            return (None, false);
        }
        let found = parts::find(&[&**beside, &**root], &part.loc);
        let is_named = |file: &PathBuf| intake.named.contains_key(&canonical(file));
        let is_asked = self.target.root.is_some() || intake.options.follows_files;
        if !is_asked && !found.as_ref().is_some_and(is_named) {
            return (Some((Why::Excluded, NOT_FOLLOWED.to_owned())), false);
        }
        let missing = |reason: &str| Some((Why::Missing, reason.to_owned()));
        let none = "there is no file with that name in the folder";
        let Some(file) = found else {
            return (missing(none), false);
        };
        if self.is_elsewhere(&part.loc, &file, intake) {
            let file = file.display();
            let reason = format!("there is no file at its place in the folder, but {file}");
            return (missing(&reason), false);
        }
        let original = intake.copies.get(&canonical(&file)).cloned();
        // An index can list both a file and its gzipped copy.
        let loc = original.is_none().then_some(&part.loc);
        let file = original.unwrap_or(file);
        let place = canonical(&file);
        // A file of that name in another folder may be another sitemap.
        let path = percent_decode_str(part.loc.path().trim_start_matches('/'));
        let is_nested =
            intake.indexes.contains(&place) && place.ends_with(&*path.decode_utf8_lossy());
        let not_read = match intake.claims.claim(place.clone(), loc) {
            Claim::Known => None,
            Claim::Taken => missing("the only file with that name is another part"),
            Claim::New => {
                let why = intake.leaves_out(part, self.target.depth);
                if why.is_none() {
                    // A part of an index that was named.
                    let is_beside = self.target.root.is_none() && about.location.is_some();
                    let found = || Target {
                        location: is_beside.then(|| part.loc.clone()),
                        ..Target::found(file, Some(root))
                    };
                    intake.queue.push_back(Target {
                        index: Some(about.name.to_owned()),
                        depth: self.target.depth + 1,
                        is_waived: self.target.is_waived,
                        robots: self.target.robots.clone(),
                        ..intake.named.get(&place).cloned().unwrap_or_else(found)
                    });
                }
                why
            }
        };
        (not_read, is_nested)
    }
}

impl Intake<'_> {
    /// The option that keeps a part of an index on disk from being read.
    fn leaves_out(&self, part: &SitemapEntry, depth: usize) -> Option<(Why, String)> {
        let scope = &self.options.reading.scope;
        if !scope.selects(&part.loc, part.lastmod) {
            return Some((Why::Excluded, "not selected by the options".to_owned()));
        }
        (depth >= scope.max_depth).then(|| (Why::Bound, scope.too_deep()))
    }
}

/// Blog services list their feeds, page by page, as the parts of an index: `/atom.xml?redirect=false&start-index=1`.
fn is_feed_of_a_service(part: &Url) -> bool {
    let is_feed = ["/atom.xml", "/rss.xml", "/feeds/posts/default"].contains(&part.path());
    is_feed
        && part
            .query_pairs()
            .any(|(name, value)| name == "redirect" && value == "false")
}
