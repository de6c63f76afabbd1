//! Starts the program `sitemap` that is next to this one. Wheels contain both, because `uvx` and `pipx run` look for a
//! program with the name of the package.

use std::process::{Command, ExitCode};
use std::{env, io};

fn main() -> io::Result<ExitCode> {
    let name = format!("sitemap{}", env::consts::EXE_SUFFIX);
    let mut command = Command::new(env::current_exe()?.with_file_name(name));
    start(command.args(env::args_os().skip(1)))
}

/// Replaces this process, so signals and the status are those of the program.
#[cfg(unix)]
fn start(command: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

#[cfg(not(unix))]
fn start(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
