//! `sitemap`: show, check, crawl, probe, compare, write and edit sitemaps.
//!
//! The library `quick-sitemap` reads and judges sitemaps; this program consists of the commands around it, one module
//! each.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::string_slice))]

mod cli;
mod commands;
mod disk;
mod figures;
mod findings;
mod html;
mod judge;
mod net;
mod page;
mod probe;
mod publish;
mod report;
mod rows;
mod source;
mod term;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::CommandFactory;
use clap::Parser;

use crate::cli::{Cli, Command, exit};
use crate::term::interrupt::Interrupted;
use crate::term::messages::Messages;
use crate::term::progress;
use crate::term::status::Status;

fn main() -> ExitCode {
    let (cli, found) = arguments();
    cli::color(cli.color);
    progress::show(cli.progress);
    let messages = Messages::new(cli.quiet);
    if let Some(file) = found {
        messages.note(format_args!(
            "options of {file} in the working folder apply"
        ));
    }
    let outcome = match cli.command {
        Command::Show(arguments) => commands::show::run(&arguments, &messages),
        Command::Check(arguments) => commands::check::run(&arguments, &messages),
        Command::Crawl(arguments) => commands::crawl::run(&arguments, &messages),
        Command::Probe(arguments) => commands::probe::run(&arguments, &messages),
        Command::Report(arguments) => commands::report::run(&arguments, &messages),
        Command::Diff(arguments) => commands::diff::run(&arguments, &messages),
        Command::Write(arguments) => commands::write::run(&arguments, &messages),
        Command::Edit(arguments) => commands::edit::run(&arguments, &messages),
        Command::Completions(arguments) => commands::completions::run(&arguments, Cli::command()),
        Command::Man(arguments) => commands::completions::man(&arguments, Cli::command()),
    };
    let status = match outcome {
        Ok(status) => status,
        // The reader of a pipe has ended: `sitemap crawl … | head`. Other commands do not notice ([`output`]).
        Err(error) if is_broken_pipe(&error) => Status::Success,
        Err(error) if is_interrupted(&error) => {
            messages.error(Interrupted);
            Status::Interrupted
        }
        Err(error) => {
            messages.failure(&error);
            Status::Failure
        }
    };
    term::interrupt::remove_temporary();
    status.into()
}

/// The command line, and the name of the configuration file whose options are in it, if the file was found. An error in it
/// ends the program.
fn arguments() -> (Cli, Option<&'static str>) {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let (arguments, found) = match commands::config::with_options(&Cli::command(), arguments) {
        Ok(configured) => configured,
        Err(error) => {
            Messages::new(false).failure(&error);
            std::process::exit(Status::Failure as i32)
        }
    };
    match Cli::try_parse_from(arguments) {
        Ok(cli) => (cli, found),
        Err(error) => exit(error),
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
