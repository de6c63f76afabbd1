//! A document that is being read, and where the parts of an index are.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;

use percent_encoding::percent_decode_str;
use quick_sitemap::url::Url;
use quick_sitemap::{Entry, Format, SitemapEntry};

use super::{Intake, Names, Part};
use crate::disk::folder_of;
use crate::source::documents::{Target, canonical};
use crate::source::folder::parts::{self, Claim, Listing};
use crate::source::not_read::{NotRead, Why};
use crate::source::sink::About;
use crate::source::walk::{Content, End, Item, Outcome};
use crate::term::address::without_logins;

/// Passes what is read to the sink of the intake.
pub(super) struct Reading<'r, 'i> {
    pub(super) about: About<'r>,
    lister: Lister<'r>,
    is_index: bool,
    /// A bound was reached.
    pub(super) is_cut: bool,
    pub(super) intake: &'r mut Intake<'i>,
}

/// The place of the parts of an index.
pub(super) enum Lister<'r> {
    Files(Files<'r>),
    #[cfg(feature = "full")]
    Site(
        &'r crate::net::driver::Driver,
        &'r crate::net::driver::Document,
    ),
}

/// The parts of an index on disk.
pub(super) struct Files<'r> {
    target: &'r Target,
    /// The folder of the index, and the one that was named.
    folders: Option<[Rc<Listing>; 2]>,
    depth: usize,
    /// Parts that are not read, because nobody asked for them.
    excluded: Names,
    /// The part that was looked for last is an index.
    is_nested: bool,
}

impl<'r> Files<'r> {
    pub(super) fn new(target: &'r Target, depth: usize) -> Self {
        let folders = match (&target.root, target.input.path()) {
            (Some(root), Some(path)) => {
                Some([Rc::new(root.beside(folder_of(path))), Rc::clone(root)])
            }
            (None, Some(path)) => {
                let beside = Rc::new(Listing::new(folder_of(path).to_owned()));
                Some([Rc::clone(&beside), beside])
            }
            (_, None) => None,
        };
        Self {
            target,
            folders,
            depth,
            excluded: Names::default(),
            is_nested: false,
        }
    }

    /// Puts a part into the queue. Returns the reason if it will not be read.
    fn part(
        &mut self,
        part: &SitemapEntry,
        about: &About<'_>,
        intake: &mut Intake<'_>,
    ) -> Option<(Why, String)> {
        self.is_nested = false;
        let [beside, root] = self.folders.as_ref()?;
        if is_feed_of_a_service(&part.loc) {
            return None;
        }
        let found = parts::find(&[&**beside, &**root], &part.loc);
        if self.target.root.is_none() && !intake.options.follows_files {
            let is_input = |file: PathBuf| intake.named.contains_key(&canonical(&file));
            if !found.is_some_and(is_input) {
                self.excluded.add(&without_logins(part.loc.as_str()));
            }
            return None;
        }
        let Some(file) = found else {
            let reason = "there is no file with that name in the folder";
            return Some((Why::Missing, reason.to_owned()));
        };
        let original = intake.copies.get(&canonical(&file)).cloned();
        // An index can list both a file and its gzipped copy.
        let loc = original.is_none().then_some(&part.loc);
        let file = original.unwrap_or(file);
        let place = canonical(&file);
        // A file of that name in another folder may be another sitemap.
        let path = percent_decode_str(part.loc.path().trim_start_matches('/'));
        self.is_nested =
            intake.indexes.contains(&place) && place.ends_with(&*path.decode_utf8_lossy());
        match intake.claims.claim(place.clone(), loc) {
            Claim::Known => return None,
            Claim::Taken => {
                let reason = "the only file with that name is another part";
                return Some((Why::Missing, reason.to_owned()));
            }
            Claim::New => {}
        }
        if let Some(why) = intake.leaves_out(part, self.depth) {
            return Some(why);
        }
        let target = match (intake.named.get(&place), &self.target.root) {
            (Some(target), _) => target.clone(),
            (None, Some(root)) => Target::found(file, root),
            // A part of an index that was named.
            (None, None) => {
                let location = about.location.map(|_| part.loc.clone());
                Target::part(file, location, Rc::clone(root))
            }
        };
        intake.queue.push_back(Part {
            target,
            depth: self.depth + 1,
            is_waived: about.is_waived,
            index: about.name.to_owned(),
        });
        None
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

impl<'r, 'i> Reading<'r, 'i> {
    pub(super) fn new(about: About<'r>, lister: Lister<'r>, intake: &'r mut Intake<'i>) -> Self {
        Self {
            about,
            lister,
            is_index: false,
            is_cut: false,
            intake,
        }
    }

    /// The parts of an index in a file that is named.
    pub(super) fn excluded(&mut self) -> Names {
        match &mut self.lister {
            Lister::Files(files) => std::mem::take(&mut files.excluded),
            #[cfg(feature = "full")]
            Lister::Site(..) => Names::default(),
        }
    }

    /// Returns the reason if the part will not be read.
    fn part(&mut self, part: &SitemapEntry) -> Option<(Why, String)> {
        match &mut self.lister {
            Lister::Files(files) => files.part(part, &self.about, self.intake),
            #[cfg(feature = "full")]
            Lister::Site(driver, document) => driver
                .leaves_out(&part.loc, document)
                .then(|| (Why::OtherHost, super::OTHER_HOST.to_owned())),
        }
    }
}

impl Reading<'_, '_> {
    /// The document has been opened. Not called if its beginning cannot be read.
    pub(super) fn begin(&mut self, content: Content) -> anyhow::Result<()> {
        self.is_index = content == Content::Sitemap(Some(Format::Index));
        self.intake.sink.begin(&self.about, content)
    }

    pub(super) fn item(&mut self, item: &mut Item<'_>) -> anyhow::Result<ControlFlow<()>> {
        #[cfg(feature = "full")]
        if let Lister::Site(_, document) = &self.lister
            && item.entry.is_ok()
            && let Ok(entry) = item.take()
        {
            match document.take(entry) {
                Some(entry) => item.entry = Ok(entry),
                None => {
                    self.is_cut = true;
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        let mut part = None;
        match &item.entry {
            Ok(Entry::Url(_)) if !self.intake.may_take_page() => {
                self.is_cut = true;
                return Ok(ControlFlow::Break(()));
            }
            Ok(Entry::Sitemap(entry)) if self.is_index => {
                if let Some((why, reason)) = self.part(&entry.clone()) {
                    part = Some((without_logins(entry.loc.as_str()).into_owned(), why, reason));
                }
            }
            _ => {}
        }
        item.is_nested = self.is_index
            && match &self.lister {
                Lister::Files(files) => files.is_nested,
                #[cfg(feature = "full")]
                Lister::Site(..) => false,
            };
        if let Some((_, why, reason)) = &part {
            item.not_read = Some((*why, reason.clone()));
        }
        let flow = self.intake.sink.item(&self.about, item)?;
        if let Some((name, why, reason)) = part {
            self.intake.sink.not_read(&NotRead {
                listed_in: Some(self.about.name),
                is_at_entry: true,
                is_on_site: self.about.listed.is_some(),
                ..NotRead::new(&[name], why, &reason)
            })?;
        }
        Ok(flow)
    }

    pub(super) fn end(&mut self, end: &End<'_>) -> anyhow::Result<()> {
        #[cfg(feature = "full")]
        if let Lister::Site(_, document) = &self.lister {
            let mut of_list = quick_sitemap::Summary::default();
            of_list.skipped = end.skipped;
            match &end.outcome {
                Outcome::Whole => document.finish(Ok(end.summary.unwrap_or(&of_list))),
                Outcome::Failed(error) => document.finish(Err(error)),
                _ => {}
            }
        }
        if !self.is_cut {
            return self.intake.sink.end(&self.about, end);
        }
        let outcome = Outcome::Cut;
        self.intake.sink.end(&self.about, &End { outcome, ..*end })
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
