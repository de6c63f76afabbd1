//! `sitemap completions` and `sitemap man`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::term::address::no_url;
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
    // There is no page for `help`.
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.folder else {
        let mut out = output::stdout();
        out.write_all(page(command)?.1.as_bytes())?;
        out.flush()?;
        return Ok(Status::Success);
    };
    no_url(folder, "FOLDER is a folder")?;
    let name = || folder.display().to_string();
    fs::create_dir_all(folder).with_context(name)?;
    let commands: Vec<_> = command.get_subcommands().cloned().collect();
    for command in commands.into_iter().chain([command]) {
        let (file, text) = page(command)?;
        fs::write(folder.join(file), text).with_context(name)?;
    }
    Ok(Status::Success)
}

/// The name of the file, and the page. Examples keep their lines, and the synopsis is that of `--help`.
fn page(mut command: Command) -> anyhow::Result<(String, String)> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace('-', "\\-");
    let man = clap_mangen::Man::new(command);
    let mut text = Vec::new();
    man.render(&mut text)?;
    let text = String::from_utf8(text)?;
    let mut page = String::new();
    for (number, section) in text.split("\n.SH ").enumerate() {
        let (heading, content) = section.split_once('\n').unwrap_or((section, ""));
        if number > 0 {
            page.push_str("\n.SH ");
        }
        match heading {
            "SYNOPSIS" => page.push_str(&format!("SYNOPSIS\n.nf\n{usage}\n.fi")),
            "EXTRA" => {
                let content = content.trim_start_matches("Examples:\n").trim_end();
                page.push_str(&format!("EXAMPLES\n.nf\n{content}\n.fi"));
            }
            _ => page.push_str(section),
        }
    }
    Ok((man.get_filename(), page))
}
