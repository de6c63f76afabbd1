//! The documents of inputs: the only place in which folders are searched.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context;
use quick_sitemap::ReaderBuilder;
use quick_sitemap::url::Url;

use super::folder::search;
use crate::disk::{folder_of, open_regular};
use crate::source::folder::parts::Listing;
use crate::source::input::{self, Input, Network, Opened};
use crate::source::walk::Document;
use crate::term::address::without_logins;
use crate::term::messages::Messages;

/// One document to read.
#[derive(Clone)]
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

/// The documents of all inputs, folders searched. A folder without any is a target, too, so that it is reported. `location`
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
                    location: if is_only {
                        location.cloned()
                    } else {
                        beside(location, input)
                    },
                    ..Target::of(input.clone())
                });
                continue;
            }
        };
        let before = targets.len();
        let found = search::search(folder, messages).with_context(|| input.to_string())?;
        for (path, error) in found.failures {
            targets.push(Target::failed(path, error.to_string()));
        }
        let root = Rc::new(Listing::new(folder.clone()).within(Some(&found.root)));
        for candidate in found.candidates {
            targets.push(Target {
                location: location.and_then(|base| base.join(&candidate.relative).ok()),
                copy: candidate.copy,
                is_guess: candidate.is_guess,
                ..Target::found(candidate.path, &root)
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
    fn of(input: Input) -> Self {
        Self {
            name: input.to_string(),
            input,
            location: None,
            copy: None,
            is_guess: false,
            root: None,
            failure: None,
        }
    }

    /// A file of that folder.
    pub(crate) fn found(path: PathBuf, root: &Rc<Listing>) -> Self {
        Self {
            name: path.display().to_string(),
            root: Some(Rc::clone(root)),
            ..Self::of(Input::File(path))
        }
    }

    fn failed(folder: PathBuf, why: String) -> Self {
        Self {
            name: folder.display().to_string(),
            failure: Some(why),
            ..Self::of(Input::File(folder))
        }
    }

    /// The opened document. Relative URLs in it are resolved against its location.
    pub(crate) fn document(&self, opened: Opened) -> Document<'_> {
        let mut builder = ReaderBuilder::new();
        if let Some(location) = &opened.location {
            builder = builder.base_url(location.clone());
        }
        Document {
            name: &self.name,
            bytes: opened.reader,
            builder,
            path: self.input.path().map(ToOwned::to_owned),
            base: opened.location,
            may_be_list: self.root.is_none(),
            follower: None,
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
            _ => self.input.open(network),
        }
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
