//! A child process with a limit of time and of memory.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    Code(i32),
    /// By a signal: it crashed, or the memory was not enough.
    Crashed,
    TimedOut,
}

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// Address space in bytes; none: as much as there is.
    pub(super) memory: Option<u64>,
}

/// Runs a program with its output in files. It is the leader of a process group of its own, which
/// ends with it: what a suite starts besides does not outlive it.
pub(super) fn run(
    program: &str,
    arguments: &[String],
    output: &Path,
    errors: &Path,
    limits: Limits,
) -> Result<Ended, String> {
    let create = |path: &Path| File::create(path).map_err(|e| format!("{}: {e}", path.display()));
    // `ulimit` is a command of the shell; it replaces itself by the program.
    let script = match limits.memory {
        Some(bytes) => format!("ulimit -v {}; exec nice \"$0\" \"$@\"", bytes / 1024),
        None => "exec nice \"$0\" \"$@\"".to_owned(),
    };
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(program).args(arguments);
    command.stdin(Stdio::null()).stdout(create(output)?).stderr(create(errors)?);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    let group = format!("-{}", child.id());
    let end_group = || {
        let kill =
            Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        kill.is_ok()
    };
    let begin = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                end_group();
                return Ok(status.code().map_or(Ended::Crashed, Ended::Code));
            }
            Ok(None) if begin.elapsed() < limits.time => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(None) => {
                end_group();
                child.wait().map_err(|error| error.to_string())?;
                return Ok(Ended::TimedOut);
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}
