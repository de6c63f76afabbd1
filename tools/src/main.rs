//! `sitemap`: show, check, crawl, probe, compare, write and edit sitemaps.
//!
//! What a sitemap is, and what is wrong with one, the library `quick-sitemap` says; here are the commands round it, one
//! module each.

#![forbid(unsafe_code)]
// What several commands share, one of them alone may not need all of.
#![cfg_attr(
    not(all(feature = "http", feature = "report", feature = "sets")),
    allow(dead_code)
)]
#![cfg_attr(test, allow(clippy::string_slice))]

#[cfg(feature = "http")]
mod access;
mod address;
#[cfg(feature = "sets")]
mod alarms;
mod bars;
mod check;
mod cli;
mod clipped;
#[cfg(feature = "sets")]
mod comparison;
#[cfg(feature = "shell")]
mod completions;
mod config;
mod count;
#[cfg(feature = "http")]
mod crawl;
#[cfg(any(feature = "report", feature = "sets"))]
mod destination;
#[cfg(feature = "sets")]
mod diff;
#[cfg(feature = "sets")]
mod digest;
#[cfg(feature = "sets")]
mod edit;
#[cfg(feature = "sets")]
mod empty;
#[cfg(feature = "http")]
mod fetch;
mod filter;
mod folder;
#[cfg(feature = "sets")]
mod html;
mod input;
#[cfg(any(feature = "http", feature = "report", feature = "sets"))]
mod interrupt;
#[cfg(not(any(feature = "http", feature = "report", feature = "sets")))]
#[path = "uninterrupted.rs"]
mod interrupt;
mod json;
mod messages;
mod output;
#[cfg(feature = "http")]
mod packed;
#[cfg(feature = "sets")]
mod pages;
#[cfg(all(feature = "http", feature = "sets"))]
mod probe;
mod progress;
#[cfg(any(feature = "http", feature = "report", feature = "sets"))]
mod replacement;
#[cfg(feature = "report")]
mod report;
mod rows;
mod shortened;
mod show;
#[cfg(feature = "http")]
mod site;
mod status;
mod stdin;
#[cfg(feature = "sets")]
mod target;
#[cfg(feature = "sets")]
mod write;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

#[cfg(feature = "shell")]
use clap::CommandFactory;
use clap::Parser;

use crate::cli::{Cli, Command, exit, without_passwords};
use crate::interrupt::Interrupted;
use crate::messages::{Messages, printable};
use crate::status::Status;

fn main() -> ExitCode {
    let cli = arguments();
    cli.color.apply();
    let messages = Messages::new(cli.quiet);
    let outcome = match cli.command {
        Command::Show(arguments) => show::run(&arguments, &messages),
        Command::Check(arguments) => check::run(&arguments, &messages),
        #[cfg(feature = "http")]
        Command::Crawl(arguments) => crawl::run(&arguments, &messages),
        #[cfg(all(feature = "http", feature = "sets"))]
        Command::Probe(arguments) => probe::run(&arguments, &messages),
        #[cfg(feature = "report")]
        Command::Report(arguments) => report::run(&arguments, &messages),
        #[cfg(feature = "sets")]
        Command::Diff(arguments) => diff::run(&arguments, &messages),
        #[cfg(feature = "sets")]
        Command::Write(arguments) => write::run(&arguments, &messages),
        #[cfg(feature = "sets")]
        Command::Edit(arguments) => edit::run(&arguments, &messages),
        #[cfg(feature = "shell")]
        Command::Completions(arguments) => completions::run(&arguments, Cli::command()),
        #[cfg(feature = "shell")]
        Command::Man(arguments) => completions::man(&arguments, Cli::command()),
    };
    match outcome {
        Ok(status) => status.into(),
        // Whoever was reading has seen enough: `sitemap crawl … | head`. Other commands do not notice ([`output`]).
        Err(error) if is_broken_pipe(&error) => Status::Success.into(),
        Err(error) if is_interrupted(&error) => {
            messages.error(Interrupted);
            Status::Interrupted.into()
        }
        Err(error) => {
            messages.failure(&error);
            Status::Failure.into()
        }
    }
}

/// The command line. An error in it, which ends the program, repeats arguments: it is made of what can be printed of them.
fn arguments() -> Cli {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let error = match Cli::try_parse_from(&arguments) {
        Ok(cli) => return cli,
        Err(error) => without_passwords(error),
    };
    let shown = |argument: &OsString| printable(&argument.to_string_lossy()).into_owned();
    if arguments
        .iter()
        .all(|argument| *shown(argument) == **argument)
    {
        exit(&error);
    }
    match Cli::try_parse_from(arguments.iter().map(shown)) {
        Err(error) => exit(&without_passwords(error)),
        // Wrong only for what cannot be printed.
        Ok(_) => {
            Messages::new(false).error(error.to_string().trim_start_matches("error: ").trim_end());
            std::process::exit(Status::Failure as i32)
        }
    }
}

/// A request to stop, also where it ended the reading of an input.
fn is_interrupted(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        cause.is::<Interrupted>() || of_io.is_some_and(|inner| inner.is::<Interrupted>())
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
