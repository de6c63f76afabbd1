//! `sitemap`: show, check, crawl, compare, write and edit sitemaps.
//!
//! What a sitemap is, and what is wrong with one, the library `quick-sitemap` says; here are the commands round it, one
//! module each.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::string_slice))]

mod check;
mod cli;
#[cfg(feature = "shell")]
mod completions;
mod config;
#[cfg(feature = "http")]
mod crawl;
mod diff;
mod edit;
#[cfg(feature = "http")]
mod fetch;
mod input;
mod messages;
mod output;
mod quantity;
mod show;
mod status;
mod write;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::messages::Messages;
use crate::status::Status;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    let messages = Messages::new(cli.quiet);
    let outcome = match cli.command {
        Command::Show(arguments) => show::run(&arguments, &messages),
        Command::Check(arguments) => check::run(&arguments, &messages),
        #[cfg(feature = "http")]
        Command::Crawl(arguments) => crawl::run(&arguments, &messages),
        Command::Diff(arguments) => diff::run(&arguments, &messages),
        Command::Write(arguments) => write::run(&arguments, &messages),
        Command::Edit(arguments) => edit::run(&arguments, &messages),
        #[cfg(feature = "shell")]
        Command::Completions(arguments) => completions::run(&arguments),
        #[cfg(feature = "shell")]
        Command::Man(arguments) => completions::man(&arguments),
    };
    match outcome {
        Ok(status) => status.into(),
        // Whoever was reading has seen enough: `sitemap show … | head`.
        Err(error) if is_broken_pipe(&error) => Status::Success.into(),
        Err(error) => {
            messages.error(format_args!("{error:#}"));
            Status::Failure.into()
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
