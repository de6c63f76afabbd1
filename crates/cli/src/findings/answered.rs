//! What was asked of which sitemap: the licence to say that a finding which is not there any more is fixed.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::checker::{Checked, hidden_by_xml};
use super::settings::Settings;
use crate::judge::host_changes::HostChanges;
use crate::judge::page_key::stable_name;
use crate::judge::rules::{self, Evidence, FindingRule, rule};
use crate::source::account::{Account, Document, Fate};
use crate::source::input::Input;

/// A finding of an earlier run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'e> {
    /// The name of its sitemap, as that run knew it.
    pub(crate) file: &'e str,
    pub(crate) rule: &'e str,
    /// `None` if it is not known.
    pub(crate) page: Option<&'e str>,
    /// The format of the sitemap, if it is known.
    pub(crate) format: Option<&'e str>,
    /// What lists the sitemaps is as it was.
    pub(crate) is_listing_known: bool,
}

pub(crate) struct Answered<'a> {
    checked: &'a Checked,
    settings: &'a Settings,
    /// The sitemaps by the names that the earlier run knew them by.
    documents: HashMap<String, &'a Document>,
    /// The names of files that are missing, without their folders.
    missing: HashSet<String>,
    /// Files with the finding that stands for others.
    not_well_formed: HashSet<String>,
    /// The files robots.txt that were understood.
    robots: HashSet<String>,
    must_list: Option<String>,
    /// Folders, and the origins of sites, all of whose sitemaps were looked for.
    folders: Vec<PathBuf>,
    sites: Vec<String>,
}

impl<'a> Answered<'a> {
    pub(crate) fn new(
        checked: &'a Checked,
        settings: &'a Settings,
        inputs: &[Input],
        hosts: &HostChanges,
    ) -> Self {
        let before = |name: &str| stable_name(&hosts.undone(name)).into_owned();
        let account = &checked.account;
        let documents = account.documents();
        let missing = account
            .documents()
            .filter(|(_, document)| matches!(document.fate, Fate::Not(why) if why.is_failure()));
        let (mut folders, mut sites) = (Vec::new(), Vec::new());
        for input in inputs {
            match input {
                Input::File(path) if path.is_dir() => {
                    folders.push(PathBuf::from(&*stable_name(&input.to_string())));
                }
                Input::Url(address) if !settings.no_follow && address.url().path() == "/" => {
                    sites.push(before(&address.url().origin().ascii_serialization()));
                }
                Input::Url(_) | Input::File(_) | Input::Stdin => {}
            }
        }
        let documents = documents.map(|(name, document)| (before(name), document));
        let all = |names: &HashSet<String>| names.iter().map(|name| before(name)).collect();
        let must_list = settings.must_list.as_ref();
        Self {
            documents: documents.collect(),
            missing: missing.map(|(name, _)| name_of(name).to_owned()).collect(),
            not_well_formed: all(&checked.not_well_formed),
            robots: all(&checked.robots),
            must_list: must_list.map(|list| before(&list.to_string())),
            checked,
            settings,
            folders,
            sites,
        }
    }

    pub(crate) fn account(&self) -> &Account {
        &self.checked.account
    }

    /// Returns `true` if the file is one of this run.
    pub(crate) fn has(&self, file: &str) -> bool {
        let file = stable_name(file);
        self.documents.contains_key(&*file)
            || self.robots.contains(&*file)
            || self.must_list.as_deref() == Some(&*file)
    }

    /// Returns `true` if the finding, which was not found again, is fixed.
    pub(crate) fn is_fixed(&self, earlier: Earlier<'_>) -> bool {
        let Some(rule) = rules::find(earlier.rule) else {
            return false;
        };
        let file = stable_name(earlier.file);
        if self.settings.verdicts.of(rule).is_none() || self.is_covered(&file, rule) {
            return false;
        }
        let document = self.documents.get(&*file).copied();
        let whole = document.filter(|document| document.fate == Fate::Whole);
        let is_kind = |document: &&Document| {
            earlier
                .format
                .is_none_or(|format| document.format == Some(format))
        };
        let whole = whole.filter(is_kind);
        match rule.evidence {
            Evidence::AllFiles => {
                self.account().whole().is_ok() && (whole.is_some() || self.is_gone(earlier))
            }
            Evidence::WholeSite => self.account().whole_site().is_ok(),
            Evidence::MustList => {
                self.must_list.as_deref() == Some(&*file) && self.account().whole().is_ok()
            }
            _ if self.robots.contains(&*file) => true,
            Evidence::Location => {
                whole.is_some_and(|document| document.has_location) || self.is_gone(earlier)
            }
            Evidence::Part => whole.is_some() && self.is_part_known(earlier.page),
            Evidence::File => whole.is_some() || self.is_gone(earlier),
        }
    }

    /// Returns `true` if another finding of this run stands for those of the rule.
    fn is_covered(&self, file: &str, rule: &FindingRule) -> bool {
        let is_of_robots = [rule!("disallowed"), rule!("disallowed-sitemap")].contains(&rule);
        (self.not_well_formed.contains(file) && hidden_by_xml(rule))
            || (is_of_robots && self.checked.forbids_the_site)
    }

    /// Returns `true` if no option has kept the part of an index from being looked for.
    fn is_part_known(&self, part: Option<&str>) -> bool {
        let known = part.and_then(|part| self.documents.get(&*stable_name(part)));
        match known {
            Some(document) => document.fate == Fate::Whole,
            None => self.account().whole().is_ok(),
        }
    }

    /// Returns `true` if there is no such file any more, and nothing lists it.
    fn is_gone(&self, earlier: Earlier<'_>) -> bool {
        let file = earlier.file;
        if self.missing.contains(name_of(file)) {
            return false;
        }
        let name = stable_name(file);
        if self.documents.contains_key(&*name) {
            return false;
        }
        if !file.contains("://") {
            let is_in = |folder: &PathBuf| Path::new(&*name).starts_with(folder);
            let is_not_found = |path: &Path| {
                let found = fs::symlink_metadata(path);
                found.is_err_and(|error| error.kind() == ErrorKind::NotFound)
            };
            let path = Path::new(file);
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            return self.folders.iter().any(is_in)
                && is_not_found(path)
                && folder.is_none_or(Path::is_dir);
        }
        let is_of = |site: &String| {
            let below = name.strip_prefix(&**site);
            below.is_some_and(|path| path.starts_with('/'))
        };
        let lists = |site: &String| self.robots.contains(&format!("{site}/robots.txt"));
        let mut sites = self.sites.iter();
        sites.any(|site| is_of(site) && lists(site))
            && earlier.is_listing_known
            && self.account().pages > 0
            && self.account().whole_site().is_ok()
    }
}

/// The name of a file or a URL without the folder.
fn name_of(text: &str) -> &str {
    text.rsplit(['/', '\\']).next().unwrap_or(text)
}
