//! `sitemap`: show, check, crawl, compare, write and edit sitemaps.
//!
//! What a sitemap is, and what is wrong with one, the library `quick-sitemap` says; here are the commands round it, one
//! module each.

#![forbid(unsafe_code)]
// What several commands share, one of them alone may not need all of.
#![cfg_attr(not(all(feature = "http", feature = "sets")), allow(dead_code))]
#![cfg_attr(test, allow(clippy::string_slice))]

mod check;
mod cli;
#[cfg(feature = "shell")]
mod completions;
mod config;
mod count;
#[cfg(feature = "http")]
mod crawl;
#[cfg(feature = "sets")]
mod diff;
#[cfg(feature = "sets")]
mod edit;
#[cfg(feature = "http")]
mod fetch;
mod filter;
#[cfg(any(feature = "http", feature = "sets"))]
mod folder;
mod input;
#[cfg(any(feature = "http", feature = "sets"))]
mod interrupt;
mod json;
mod messages;
mod output;
#[cfg(feature = "sets")]
mod pages;
mod show;
mod status;
#[cfg(feature = "sets")]
mod stdin;
#[cfg(feature = "sets")]
mod target;
#[cfg(feature = "sets")]
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
        #[cfg(feature = "sets")]
        Command::Diff(arguments) => diff::run(&arguments, &messages),
        #[cfg(feature = "sets")]
        Command::Write(arguments) => write::run(&arguments, &messages),
        #[cfg(feature = "sets")]
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
