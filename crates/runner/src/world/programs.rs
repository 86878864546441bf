//! Programs of the system that a program may start (`--allow run`): run to their end with an empty
//! standard input. What they do is not the program's: nothing of it is held back or repeated.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};

use machine::world::Command;

/// The status of a program (128 and the number of the signal that ended it), and its output.
pub(super) fn run(command: &Command) -> Result<(i32, Vec<u8>), &'static str> {
    let line;
    let mut process = match &command.arguments {
        Some(arguments) => {
            let mut process = Process::new(&command.program);
            process.args(arguments);
            process
        }
        None => {
            // The shell itself puts both outputs into one, in their order.
            line = match command.with_errors {
                true => format!("exec 2>&1; {}", command.program),
                false => command.program.clone(),
            };
            let mut process = Process::new("sh");
            process.arg("-c").arg(&line);
            process
        }
    };
    process.env_clear().envs(command.environment.iter().map(|(name, value)| (name, value)));
    process.current_dir(directory(&command.directory));
    process.stdin(Stdio::null()).stderr(Stdio::null());
    if command.with_errors && command.arguments.is_some() {
        process.stderr(Stdio::piped());
    }
    let mut ended = process.output().map_err(|error| posix(&error))?;
    ended.stdout.append(&mut ended.stderr);
    Ok((status(ended.status), ended.stdout))
}

#[cfg(unix)]
fn directory(bytes: &[u8]) -> PathBuf {
    let name: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    PathBuf::from(name)
}

#[cfg(not(unix))]
fn directory(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(unix)]
fn status(status: std::process::ExitStatus) -> i32 {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status);
    status.code().unwrap_or_else(|| 128 + signal.unwrap_or(0))
}

#[cfg(not(unix))]
fn status(status: std::process::ExitStatus) -> i32 {
    status.code().unwrap_or(1)
}

fn posix(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "enoent",
        io::ErrorKind::PermissionDenied => "eacces",
        io::ErrorKind::OutOfMemory => "enomem",
        _ => "einval",
    }
}
