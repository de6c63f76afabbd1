//! The command line: the commands, and the options that all of them have.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process;

use clap::error::ContextValue;
use clap::{Parser, Subcommand, ValueEnum};

use crate::address::{hidden, without_logins};

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

    /// Print only errors on standard error
    #[arg(long, short, global = true, display_order = 900)]
    pub(crate) quiet: bool,

    /// When to use colours; `auto` respects NO_COLOR and uses no colours in a pipe
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        display_order = 901
    )]
    pub(crate) color: Color,
}

/// An error that repeats arguments, without the passwords in them.
pub(crate) fn without_passwords(mut error: clap::Error) -> clap::Error {
    let quoted: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| {
            let shown = match value {
                ContextValue::String(text) => ContextValue::String(hidden(text).into_owned()),
                ContextValue::Strings(texts) => ContextValue::Strings(
                    texts.iter().map(|text| hidden(text).into_owned()).collect(),
                ),
                _ => return None,
            };
            Some((kind, shown))
        })
        .collect();
    for (kind, shown) in quoted {
        error.insert(kind, shown);
    }
    error
}

/// Ends the program with the error. The reason why a value is wrong may repeat the value once more, with its password.
pub(crate) fn exit(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let text = error.render().to_string();
    match without_logins(&text) {
        Cow::Borrowed(_) => error.exit(),
        Cow::Owned(shown) => {
            let _ = io::stderr().write_all(shown.as_bytes());
            process::exit(error.exit_code())
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Show(crate::show::Arguments),
    Check(crate::check::Arguments),
    #[cfg(feature = "http")]
    Crawl(crate::crawl::Arguments),
    #[cfg(all(feature = "http", feature = "sets"))]
    Probe(crate::probe::Arguments),
    #[cfg(feature = "report")]
    Report(crate::report::Arguments),
    #[cfg(feature = "sets")]
    Diff(crate::diff::Arguments),
    #[cfg(feature = "sets")]
    Write(crate::write::Arguments),
    #[cfg(feature = "sets")]
    Edit(crate::edit::Arguments),
    #[cfg(feature = "shell")]
    Completions(crate::completions::Arguments),
    #[cfg(feature = "shell")]
    Man(crate::completions::ManArguments),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// For standard output and standard error alike, from here on.
    pub(crate) fn apply(self) {
        let enabled = match self {
            Self::Auto => return,
            Self::Always => true,
            Self::Never => false,
        };
        console::set_colors_enabled(enabled);
        console::set_colors_enabled_stderr(enabled);
    }
}
