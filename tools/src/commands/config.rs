//! The configuration file, `sitemap.toml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context;
use quick_sitemap::url::Url;
use serde::Deserialize;

use crate::source::folder::open_regular;

/// The name of the file in the working folder.
const NAME: &str = "sitemap.toml";

/// A table for each command that can be configured.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    pub(crate) check: Check,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    #[serde(default)]
    pub(crate) deny: Vec<String>,
    #[serde(default)]
    pub(crate) allow: Vec<String>,
    #[serde(default)]
    pub(crate) advice: bool,
    #[serde(default)]
    pub(crate) all: bool,
    #[serde(default)]
    pub(crate) summary: bool,
    pub(crate) format: Option<crate::findings::format::Format>,
    pub(crate) location: Option<Url>,
    pub(crate) baseline: Option<PathBuf>,
}

impl Config {
    /// That of the path, or of the working folder, where there may be none.
    ///
    /// # Errors
    ///
    /// With the file's name, and the line where it is wrong.
    pub(crate) fn find(path: Option<&Path>) -> anyhow::Result<Self> {
        let text = match path {
            Some(path) => fs::read_to_string(path).with_context(|| path.display().to_string())?,
            None => match open_regular(Path::new(NAME)).and_then(io::read_to_string) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
                text => text.context(NAME)?,
            },
        };
        let name = path.unwrap_or(Path::new(NAME));
        toml::from_str(&text).map_err(|error| {
            let place = match error.span().and_then(|span| text.get(..span.start)) {
                Some(before) => {
                    let line = before.rsplit('\n').next().unwrap_or_default();
                    let number = before.matches('\n').count() + 1;
                    format!(":{number}:{}", line.chars().count() + 1)
                }
                None => String::new(),
            };
            anyhow::anyhow!("{}{place}: {}", name.display(), error.message())
        })
    }
}
