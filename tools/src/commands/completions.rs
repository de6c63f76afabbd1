//! `sitemap completions` and `sitemap man`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::term::output;
use crate::term::status::Status;

/// Print the completions for a shell
///
/// For bash: `sitemap completions bash > ~/.local/share/bash-completion/completions/sitemap`. For zsh: into a file
/// `_sitemap` in a folder of `fpath`. For fish: `sitemap completions fish > ~/.config/fish/completions/sitemap.fish`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Write the manual pages, one for the program and one for each command
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// The folder to write to, such as ~/.local/share/man/man1; it is created if it does not exist. Without a folder, only
    /// the page of the program is written, to standard output
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// `command` is the complete command line.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<Status> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "sitemap", &mut text);
    let mut out = output::stdout();
    out.write_all(&text)?;
    out.flush()?;
    Ok(Status::Success)
}

pub(crate) fn man(arguments: &ManArguments, command: Command) -> anyhow::Result<Status> {
    match &arguments.folder {
        Some(folder) => {
            fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(command, folder))
                .with_context(|| folder.display().to_string())?;
        }
        None => {
            let mut out = output::stdout();
            // Like `generate_to`: there is no page for `help`.
            let command = command.disable_help_subcommand(true);
            clap_mangen::Man::new(command).render(&mut out)?;
            out.flush()?;
        }
    }
    Ok(Status::Success)
}
