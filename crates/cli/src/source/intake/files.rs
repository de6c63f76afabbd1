//! The parts of an index on disk.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use quick_sitemap::SitemapEntry;
use quick_sitemap::url::Url;

use super::{ALONE, Intake, NOT_FOLLOWED};
use crate::disk::folder_of;
use crate::source::documents::{Target, canonical};
use crate::source::folder::parts::{self, Claim, Listing};
use crate::source::not_read::Why;
use crate::source::sink::About;
use crate::source::walk::Part;

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

    /// Puts a part into the queue.
    pub(super) fn part(
        &self,
        part: &SitemapEntry,
        about: &About<'_>,
        intake: &mut Intake<'_>,
    ) -> Part {
        let Some([beside, root]) = &self.folders else {
            return Part::not_read(Why::Excluded, ALONE);
        };
        if is_feed_of_a_service(&part.loc) {
            return Part::default();
        }
        let found = parts::find(&[&**beside, &**root], &part.loc);
        let is_named = |file: &PathBuf| intake.named.contains_key(&canonical(file));
        let is_asked = self.target.root.is_some() || intake.options.follows_files;
        if !is_asked && !found.as_ref().is_some_and(is_named) {
            return Part::not_read(Why::Excluded, NOT_FOLLOWED);
        }
        let Some(file) = found else {
            let reason = "there is no file with that name in the folder";
            return Part::not_read(Why::Missing, reason);
        };
        let guessed = self.guessed(&file, part, intake.options.location);
        let original = intake.copies.get(&canonical(&file)).cloned();
        // An index can list both a file and its gzipped copy.
        let loc = original.is_none().then_some(&part.loc);
        let file = original.unwrap_or(file);
        let place = canonical(&file);
        let is_nested = intake.indexes.contains(&place) && is_at(&place, &part.loc);
        intake
            .account
            .name(part.loc.to_string(), file.display().to_string());
        let not_read = match intake.claims.claim(place.clone(), loc) {
            Claim::Known => None,
            Claim::Taken => {
                let reason = "the only file with that name is another part";
                Some((Why::Missing, reason.to_owned()))
            }
            Claim::New => {
                let why = intake.leaves_out(part, self.target.depth);
                if why.is_none() {
                    // A part of an index that was named.
                    let is_beside = self.target.root.is_none() && about.location.is_some();
                    let found = || Target {
                        location: is_beside.then(|| part.loc.clone()),
                        ..Target::found(file, Some(root))
                    };
                    let named = intake.named.get(&place).cloned();
                    self.queue(named.unwrap_or_else(found), about, intake);
                }
                why
            }
        };
        Part {
            not_read,
            is_nested,
            guessed,
        }
    }

    /// Puts a part that an index lists into the queue.
    fn queue(&self, part: Target, about: &About<'_>, intake: &mut Intake<'_>) {
        intake.queue.push_back(Target {
            index: Some(about.name.to_owned()),
            depth: self.target.depth + 1,
            is_waived: self.target.is_waived,
            robots: self.target.robots.clone(),
            ..part
        });
    }

    /// The name of the file, if a server that has the folder at this URL would not have it at the URL of the part.
    fn guessed(&self, file: &Path, part: &SitemapEntry, base: Option<&Url>) -> Option<String> {
        let (root, base) = (self.target.root.as_ref()?, base?);
        let there = parts::at_server(root.path(), base, &part.loc)?;
        (canonical(&there) != canonical(file)).then(|| file.display().to_string())
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

/// Returns `true` if the path of the URL ends that of the file. A file of that name in another folder may be another sitemap.
fn is_at(file: &Path, url: &Url) -> bool {
    let path = percent_decode_str(url.path().trim_start_matches('/'));
    file.ends_with(&*path.decode_utf8_lossy())
}

/// Blog services list their feeds, page by page, as the parts of an index: `/atom.xml?redirect=false&start-index=1`.
fn is_feed_of_a_service(part: &Url) -> bool {
    let is_feed = ["/atom.xml", "/rss.xml", "/feeds/posts/default"].contains(&part.path());
    is_feed
        && part
            .query_pairs()
            .any(|(name, value)| name == "redirect" && value == "false")
}
