//! The sitemaps that a check reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use quick_sitemap::url::Url;

use super::folder::search;
use crate::disk::{folder_of, open_regular};
use crate::source::folder::parts::Listing;
use crate::source::input::{self, Input, Network, Opened};
use crate::term::address::without_logins;
use crate::term::messages::Messages;

/// One sitemap to check.
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) input: Input,
    pub(crate) location: Option<Url>,
    /// The same content, gzipped, which is not read.
    pub(crate) copy: Option<PathBuf>,
    /// It was found in a folder, and may be something else.
    pub(crate) is_guess: bool,
    /// The folder that was named, in which the parts of an index have to be.
    pub(crate) root: Option<Rc<Listing>>,
    /// Why there is nothing to read: a folder that cannot be read, or has no sitemaps.
    failure: Option<String>,
}

/// The sitemaps of all inputs, folders searched. A folder without any is a target, too, so that it is reported. `location`
/// is the URL of the only file, or of the folder that the files are in.
pub(crate) fn targets(
    inputs: &[Input],
    location: Option<&Url>,
    messages: &Messages,
) -> anyhow::Result<Vec<Target>> {
    let is_folder = |input: &Input| input.path().is_some_and(Path::is_dir);
    let of = match inputs {
        [_, _, ..] => Some("several files"),
        inputs if inputs.iter().any(is_folder) => Some("a folder"),
        _ => None,
    };
    if let (Some(base), Some(of)) = (location, of)
        && !base.path().ends_with('/')
    {
        let shown = without_logins(base.as_str());
        anyhow::bail!(
            "the location of {of} must end with a slash: `{shown}/` instead of `{shown}`"
        );
    }
    let is_only = inputs.len() == 1;
    let mut targets = Vec::new();
    for input in inputs {
        let folder = match input {
            Input::File(path) if path.is_dir() => path,
            _ => {
                targets.push(Target {
                    name: input.to_string(),
                    input: input.clone(),
                    location: if is_only {
                        location.cloned()
                    } else {
                        beside(location, input)
                    },
                    copy: None,
                    is_guess: false,
                    root: None,
                    failure: None,
                });
                continue;
            }
        };
        let before = targets.len();
        let found = search::search(folder, messages).with_context(|| input.to_string())?;
        for failure in found.failures {
            targets.push(Target::failed(failure.path, failure.error.to_string()));
        }
        let root = Rc::new(Listing::new(folder.clone()).within(Some(&found.root)));
        for candidate in found.candidates {
            targets.push(Target {
                name: candidate.path.display().to_string(),
                location: location.and_then(|base| base.join(&candidate.relative).ok()),
                input: Input::File(candidate.path),
                copy: candidate.copy,
                is_guess: candidate.is_guess,
                root: Some(Rc::clone(&root)),
                failure: None,
            });
        }
        if targets.len() == before {
            let why = "there are no sitemaps in this folder";
            targets.push(Target::failed(folder.clone(), why.to_owned()));
        }
    }
    Ok(targets)
}

/// The location of a file among several.
fn beside(location: Option<&Url>, input: &Input) -> Option<Url> {
    let name = input.path()?.file_name()?.to_str()?;
    location?.join(&format!("./{name}")).ok()
}

impl Target {
    fn failed(folder: PathBuf, why: String) -> Self {
        Self {
            name: folder.display().to_string(),
            input: Input::File(folder),
            location: None,
            copy: None,
            is_guess: false,
            root: None,
            failure: Some(why),
        }
    }

    /// A file that was found in a folder may have been replaced meanwhile.
    pub(crate) fn open(&self, network: &Network) -> anyhow::Result<Opened> {
        if let Some(why) = &self.failure {
            anyhow::bail!("{why}");
        }
        match (&self.root, &self.input) {
            (Some(_), Input::File(path)) => Ok(Opened {
                reader: input::content(path, open_regular(path)?),
                location: None,
            }),
            _ => self.input.open_with(network),
        }
    }

    /// Its gzipped copy, and the file that is read instead, both without links.
    pub(crate) fn copied(&self) -> Option<(PathBuf, PathBuf)> {
        let copy = self.copy.as_deref()?;
        let path = self.input.path()?;
        Some((fs::canonicalize(copy).ok()?, fs::canonicalize(path).ok()?))
    }

    /// The folder that must contain the parts of an index that was found in a folder: that of the index, or the folder
    /// itself.
    pub(crate) fn folders(&self) -> Option<[Rc<Listing>; 2]> {
        match (&self.root, &self.input) {
            (Some(root), Input::File(index)) => {
                let beside = root.beside(folder_of(index));
                Some([Rc::new(beside), Rc::clone(root)])
            }
            _ => None,
        }
    }
}
