//! The configuration file, `sitemap.toml`: options by their names, in a table for each command.

use std::any::TypeId;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use serde::Deserialize;

use crate::disk::files::without_links;
use crate::disk::open_regular;
use crate::judge::rules::{self, FindingRule};
use crate::net::fetch::Login;
use crate::source::input::Input;
use crate::term::address::without_logins;

/// The name of the file in the working folder.
const NAME: &str = "sitemap.toml";

/// The arguments without a name, as the configuration file names them.
const INPUTS: &str = "inputs";

/// Options with which nothing is checked.
const PRINTING: [&str; 2] = ["explain", "rules"];

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

/// The command line with the options of the configuration file after the name of the command, and the name of the file if
/// the command line does not name it. Options that are typed override those of the file.
///
/// # Errors
///
/// With the name of the file, for a key that is not an option of the command, for a value of the wrong kind, and for one
/// that a file which was found must not set.
pub(crate) fn with_options(
    command: &clap::Command,
    mut arguments: Vec<OsString>,
) -> anyhow::Result<(Vec<OsString>, Option<&'static str>)> {
    // Options that are missing may be in the file, so errors come later.
    let lenient = command.clone().ignore_errors(true);
    let matches = lenient.try_get_matches_from(&arguments);
    let matches = matches.unwrap_or_default();
    let Some((name, typed)) = matches.subcommand() else {
        return Ok((arguments, None));
    };
    if !["check", "write", "report", "diff"].contains(&name) {
        return Ok((arguments, None));
    }
    let path = typed.try_get_one::<PathBuf>("config").ok().flatten();
    let config = Config::find(path.map(PathBuf::as_path))?;
    let file = path.map_or(NAME.to_owned(), |path| path.display().to_string());
    let command = command.find_subcommand(name);
    let mut added = Vec::new();
    for (table, options) in config.tables(name) {
        for (key, value) in &options {
            let is_it = |option: &&clap::Arg| match option.get_long() {
                Some(long) => long == key && long != "config",
                None => key == INPUTS && option.get_id() == INPUTS,
            };
            let option = command.and_then(|command| command.get_arguments().find(is_it));
            let Some(option) = option else {
                bail!("{file}: [{table}]: `{key}` is not an option of `sitemap {name}`");
            };
            if PRINTING.contains(&&**key) {
                bail!("{file}: [{table}]: `{key}` only prints; set it on the command line");
            }
            let values = untyped(option, key, value, typed)
                .map_err(|wrong| anyhow::anyhow!("{file}: [{table}]: `{key}` is {wrong}"))?;
            if let ("allow" | "deny", Some(name)) =
                (&**key, values.iter().flatten().find(|name| !is_rule(name)))
            {
                let unknown = rules::unknown(name, FindingRule::is_optional);
                bail!("{file}: [{table}]: `{key}`: {unknown}");
            }
            if path.is_none()
                && let Some(why) = refused(option, &values)
            {
                bail!("{file}: [{table}]: `{key}` is {why}; set it on the command line");
            }
            for value in values {
                let argument = argument(key, value);
                if let Some(why) = command.and_then(|command| wrong_value(command, &argument)) {
                    bail!("{file}: [{table}]: `{key}`: {why}");
                }
                added.push(argument);
            }
        }
    }
    let place = arguments.iter().skip(1).position(|typed| typed == name);
    let (Some(place), false) = (place, added.is_empty()) else {
        return Ok((arguments, None));
    };
    arguments.splice(place + 2..place + 2, added);
    Ok((arguments, path.is_none().then_some(NAME)))
}

/// Returns `true` for the name of a rule that can be denied and allowed, or `all`.
fn is_rule(name: &str) -> bool {
    name == "all" || rules::find(name).is_some_and(FindingRule::is_optional)
}

fn argument(key: &str, value: Option<String>) -> OsString {
    match value {
        // A file of such a name is not an option.
        Some(value) if key == INPUTS && value.starts_with('-') => format!("./{value}").into(),
        Some(value) if key == INPUTS => value.into(),
        Some(value) => format!("--{key}={value}").into(),
        None => format!("--{key}").into(),
    }
}

/// The error of a value that its option does not take, in one line.
fn wrong_value(command: &clap::Command, argument: &OsStr) -> Option<String> {
    let typed = [OsStr::new(""), argument];
    let error = command.clone().try_get_matches_from(typed).err()?;
    let text = error.to_string();
    let text = text.split("\n\n").next().unwrap_or_default();
    let words = text.split_whitespace().skip_while(|word| *word == "error:");
    let text = words.collect::<Vec<_>>().join(" ");
    let is_of_value = matches!(
        error.kind(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation
    );
    is_of_value.then(|| without_logins(&text).into_owned())
}

/// The values of an option that the command line does not override.
fn untyped(
    option: &clap::Arg,
    key: &str,
    value: &toml::Value,
    typed: &ArgMatches,
) -> Result<Vec<Option<String>>, &'static str> {
    let is_typed = |value: &Option<String>| match (key, value) {
        // Both options name rules: the command line decides about those that it names.
        ("allow" | "deny", Some(rule)) => is_named(typed, rule),
        _ => typed.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine),
    };
    let values = values(option, value)?.into_iter();
    Ok(values.filter(|value| !is_typed(value)).collect())
}

/// The reason why a file that was found must not set the option: whoever runs the program in a folder of somebody else has
/// not read the file. So it names neither files elsewhere nor what is sent to a server to identify the user.
fn refused(option: &clap::Arg, values: &[Option<String>]) -> Option<&'static str> {
    let logins = Login::augment_args(clap::Command::new(""));
    if !values.is_empty()
        && logins
            .get_arguments()
            .any(|login| login.get_id() == option.get_id())
    {
        return Some("an option for credentials");
    }
    let kind = option.get_value_parser().type_id();
    let is_path = kind == TypeId::of::<PathBuf>() || kind == TypeId::of::<Input>();
    let is_input = option.get_id() == INPUTS;
    // A bare host name, which is not a file, would be requested.
    let is_here = |path: &Path| is_below(path) && (!is_input || path.exists());
    let mut paths = values.iter().flatten().map(Path::new);
    let is_refused = is_path && !paths.all(is_here);
    let why = if is_input {
        "not a file or a folder below that of this file"
    } else {
        "a path outside of the folder of this file"
    };
    is_refused.then_some(why)
}

/// Returns `true` for a relative path in the working folder or below it that no link leads out of. It need not exist.
fn is_below(path: &Path) -> bool {
    let mut parts = path.components();
    let here = fs::canonicalize(".");
    parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        && here.is_ok_and(|here| without_links(path).starts_with(here))
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
