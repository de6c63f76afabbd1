//! The configuration file, `sitemap.toml`: options by their names, in a table for each command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use serde::Deserialize;

use crate::disk::open_regular;

/// The name of the file in the working folder.
const NAME: &str = "sitemap.toml";

/// Options of the table `[check]` that apply to `report`, too, unless its own table has them.
const SHARED: [&str; 3] = ["allow", "deny", "location"];

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    check: toml::Table,
    write: toml::Table,
    report: toml::Table,
    diff: toml::Table,
}

impl Config {
    /// That of the path, or of the working folder, where there may be none.
    ///
    /// # Errors
    ///
    /// With the file's name, and the line where it is wrong.
    fn find(path: Option<&Path>) -> anyhow::Result<Self> {
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

    /// The tables that apply to a command, with their names.
    fn tables(mut self, command: &str) -> Vec<(&'static str, toml::Table)> {
        match command {
            "check" => vec![("check", self.check)],
            "write" => vec![("write", self.write)],
            "diff" => vec![("diff", self.diff)],
            "report" => {
                let is_shared = |key: &str| SHARED.contains(&key) && !self.report.contains_key(key);
                self.check.retain(|key, _| is_shared(key));
                vec![("check", self.check), ("report", self.report)]
            }
            _ => Vec::new(),
        }
    }
}

/// The command line with the options of the configuration file after the name of the command. Options that are typed
/// override those of the file. Returns `None` if there are none to add.
///
/// # Errors
///
/// With the name of the file, for a key that is not an option of the command, and for a value of the wrong kind.
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
    if !["check", "write", "report", "diff"].contains(&name) {
        return Ok(None);
    }
    let path = typed.try_get_one::<PathBuf>("config").ok().flatten();
    let config = Config::find(path.map(PathBuf::as_path))?;
    let file = path.map_or(NAME.to_owned(), |path| path.display().to_string());
    let command = command.find_subcommand(name);
    let mut added = Vec::new();
    for (table, options) in config.tables(name) {
        for (key, value) in &options {
            let long = |option: &&clap::Arg| option.get_long() == Some(key) && key != "config";
            let option = command.and_then(|command| command.get_arguments().find(long));
            let Some(option) = option else {
                bail!("{file}: [{table}]: `{key}` is not an option of `sitemap {name}`");
            };
            let values = values(option, value)
                .map_err(|wrong| anyhow::anyhow!("{file}: [{table}]: `{key}` is {wrong}"))?;
            let is_typed = |value: &Option<String>| match (key.as_str(), value) {
                // Both options name rules: the command line decides about those that it names.
                ("allow" | "deny", Some(rule)) => is_named(typed, rule),
                _ => typed.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine),
            };
            let values = values.into_iter().filter(|value| !is_typed(value));
            added.extend(values.map(|value| match value {
                Some(value) => OsString::from(format!("--{key}={value}")),
                None => OsString::from(format!("--{key}")),
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

/// The values of an option, `None` for one that takes no value.
///
/// # Errors
///
/// The kind of value that it is not.
fn values(option: &clap::Arg, value: &toml::Value) -> Result<Vec<Option<String>>, &'static str> {
    let values = match value {
        toml::Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    let has_value = option.get_action().takes_values();
    let mut texts = Vec::new();
    for value in values {
        texts.push(match value {
            toml::Value::Boolean(true) if !has_value => None,
            toml::Value::Boolean(false) if !has_value => continue,
            toml::Value::String(text) if has_value => Some(text.clone()),
            toml::Value::Integer(number) if has_value => Some(number.to_string()),
            toml::Value::Float(number) if has_value => Some(number.to_string()),
            _ if has_value => return Err("not a text, a number or a list of them"),
            _ => return Err("neither true nor false"),
        });
    }
    Ok(texts)
}

/// Returns `true` if an option of the command line denies or allows the rule.
fn is_named(typed: &ArgMatches, rule: &str) -> bool {
    ["allow", "deny"].iter().any(|option| {
        let rules = typed.try_get_many::<String>(option).ok().flatten();
        rules.is_some_and(|mut rules| rules.any(|named| named == rule))
    })
}
