//! The configuration file, `sitemap.toml`.

#[cfg(feature = "full")]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context;
#[cfg(feature = "full")]
use anyhow::bail;
#[cfg(feature = "full")]
use clap::parser::ValueSource;
use quick_sitemap::url::Url;
use serde::Deserialize;

use crate::disk::open_regular;

/// The name of the file in the working folder.
const NAME: &str = "sitemap.toml";

/// A table for each command that can be configured.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    pub(crate) check: Check,
    /// The other tables have the options of their commands by name.
    #[cfg(feature = "full")]
    #[serde(default)]
    write: toml::Table,
    #[cfg(feature = "full")]
    #[serde(default)]
    report: toml::Table,
    #[cfg(feature = "full")]
    #[serde(default)]
    diff: toml::Table,
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

/// The command line with the options of the configuration file after the name of the command. Options that are typed
/// override those of the file. Returns `None` if there are none to add.
///
/// # Errors
///
/// With the name of the file, for a key that is not an option of the command, and for a value of the wrong kind.
#[cfg(feature = "full")]
pub(crate) fn with_options(
    command: &clap::Command,
    arguments: &[OsString],
) -> anyhow::Result<Option<Vec<OsString>>> {
    // Options that are missing may be in the file, so errors come later.
    let lenient = command.clone().ignore_errors(true);
    let Ok(matches) = lenient.try_get_matches_from(arguments) else {
        return Ok(None);
    };
    let Some((name, typed)) = matches.subcommand() else {
        return Ok(None);
    };
    if !["write", "report", "diff"].contains(&name) {
        return Ok(None);
    }
    let path = typed.try_get_one::<PathBuf>("config").ok().flatten();
    let config = Config::find(path.map(PathBuf::as_path))?;
    let table = match name {
        "write" => config.write,
        "report" => config.report,
        _ => config.diff,
    };
    let file = path.map_or(NAME.to_owned(), |path| path.display().to_string());
    let command = command.find_subcommand(name);
    let mut added = Vec::new();
    for (key, value) in &table {
        let long = |option: &&clap::Arg| option.get_long() == Some(key) && key != "config";
        let option = command.and_then(|command| command.get_arguments().find(long));
        let Some(option) = option else {
            bail!("{file}: [{name}]: `{key}` is not an option of `sitemap {name}`");
        };
        let source = typed.value_source(option.get_id().as_str());
        if source == Some(ValueSource::CommandLine) {
            continue;
        }
        let values = match value {
            toml::Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        let has_value = option.get_action().takes_values();
        for value in values {
            let text = match value {
                toml::Value::Boolean(true) if !has_value => None,
                toml::Value::Boolean(false) if !has_value => continue,
                toml::Value::String(text) if has_value => Some(text.clone()),
                toml::Value::Integer(number) if has_value => Some(number.to_string()),
                _ if has_value => {
                    bail!("{file}: [{name}]: `{key}` is not a text, a number or a list of them")
                }
                _ => bail!("{file}: [{name}]: `{key}` is neither true nor false"),
            };
            added.push(OsString::from(match text {
                Some(text) => format!("--{key}={text}"),
                None => format!("--{key}"),
            }));
        }
    }
    let place = arguments
        .iter()
        .skip(1)
        .position(|argument| argument == name);
    let (Some(place), false) = (place, added.is_empty()) else {
        return Ok(None);
    };
    let mut all = arguments.to_vec();
    all.splice(place + 2..place + 2, added);
    Ok(Some(all))
}
