//! The command line: the commands, and the options that all of them have.

use std::error::Error as _;
use std::io::{self, Write};
use std::process;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{ColorChoice, Parser, Subcommand};

use crate::commands;
use crate::term::address::hidden;
use crate::term::messages::{Messages, line};
use crate::term::progress::When;
use crate::term::status::Status;

/// Show, check, crawl, probe, compare, write and edit sitemaps.
///
/// Reads XML sitemaps, sitemap indexes, text sitemaps, and RSS and Atom feeds, gzipped or not. The format is detected
/// from the content, not from the file name.
#[derive(Debug, Parser)]
#[command(
    name = "sitemap",
    bin_name = "sitemap",
    version,
    propagate_version = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Hide notes, warnings and progress on standard error; errors and results are printed all the same
    #[arg(long, short, global = true, display_order = 900)]
    pub(crate) quiet: bool,

    /// When to show progress on standard error; notes and warnings are not affected
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 900
    )]
    pub(crate) progress: When,

    /// When to use colours; `auto` respects NO_COLOR and uses no colours in a pipe
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 901
    )]
    pub(crate) color: ColorChoice,
}

/// Hides passwords in the arguments that the error repeats, and escapes what a terminal would obey.
fn hide_secrets(error: &mut clap::Error) {
    let shown = |text: &String| line(&hidden(text));
    let context = error.context();
    let quoted = context.filter_map(|(kind, value)| match value {
        ContextValue::String(text) => Some((kind, ContextValue::String(shown(text)))),
        ContextValue::Strings(texts) => {
            let texts = texts.iter().map(shown).collect();
            Some((kind, ContextValue::Strings(texts)))
        }
        _ => None,
    });
    for (kind, shown) in quoted.collect::<Vec<_>>() {
        error.insert(kind, shown);
    }
}

/// Keeps only the suggestions that correct a typo. Those of clap also have only some letters in common with what was
/// typed, and advise to pass any unknown option as a value.
fn keep_corrections(error: &mut clap::Error) {
    use ContextKind as Kind;
    error.remove(Kind::Suggested);
    for (typed_kind, suggested) in [
        (Kind::InvalidArg, Kind::SuggestedArg),
        (Kind::InvalidSubcommand, Kind::SuggestedSubcommand),
        (Kind::InvalidValue, Kind::SuggestedValue),
    ] {
        let Some(ContextValue::String(typed)) = error.get(typed_kind).cloned() else {
            continue;
        };
        let mut names = match error.remove(suggested) {
            Some(ContextValue::String(name)) => vec![name],
            Some(ContextValue::Strings(names)) => names,
            _ => continue,
        };
        names.retain(|name| {
            let letters = name.trim_start_matches('-').len();
            strsim::damerau_levenshtein(&typed, name) * 3 <= letters
        });
        if !names.is_empty() {
            error.insert(suggested, ContextValue::Strings(names));
        } else if typed_kind == Kind::InvalidArg {
            // It has the suggestion that was removed.
            error.remove(Kind::Usage);
        }
    }
}

/// Ends the program with the error. The reason why a value is wrong may repeat the value once more, with its password.
/// If a site or a file is in the place of the command, there is a tip.
pub(crate) fn exit(mut error: clap::Error) -> ! {
    hide_secrets(&mut error);
    keep_corrections(&mut error);
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && name.contains(['.', ':', '/'])
    {
        let tip = format!("to check a site or a file, use 'sitemap check {name}'").into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    if !error.use_stderr() {
        // Help is a result: it fails if it cannot be written.
        let printed = error.print().and_then(|()| io::stdout().flush());
        let Err(failure) = printed.or_else(unless_closed) else {
            process::exit(0);
        };
        Messages::new(false).error(format_args!("standard output: {failure}"));
        process::exit(Status::Failure as i32);
    }
    let text = error.render().to_string();
    let reason = error.source().map(ToString::to_string).unwrap_or_default();
    // As it is in the text, which has no escape sequences.
    let printed = StyledStr::from(reason.clone()).to_string();
    let shown = match &*printed {
        "" => text.clone(),
        printed => text.replace(printed, &line(&reason)),
    };
    if shown == text {
        error.exit();
    }
    let _ = io::stderr().write_all(shown.as_bytes());
    process::exit(error.exit_code())
}

/// That nobody reads a pipe any longer is no failure.
fn unless_closed(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    }
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one in a run")]
pub(crate) enum Command {
    Show(Box<commands::show::Arguments>),
    Check(Box<commands::check::Arguments>),
    Crawl(Box<commands::crawl::Arguments>),
    Probe(Box<commands::probe::Arguments>),
    Report(Box<commands::report::Arguments>),
    Diff(Box<commands::diff::Arguments>),
    Write(Box<commands::write::Arguments>),
    Edit(Box<commands::edit::Arguments>),
    Completions(commands::completions::Arguments),
    Man(commands::completions::ManArguments),
}

/// Applies `--color` to standard output and standard error alike, from here on.
pub(crate) fn color(choice: ColorChoice) {
    if choice != ColorChoice::Auto {
        let enabled = choice == ColorChoice::Always;
        console::set_colors_enabled(enabled);
        console::set_colors_enabled_stderr(enabled);
    }
}
