//! A child process with a limit of time and of memory.
//!
//! Time is that of the processor, so that it does not matter what else the computer does; a child
//! that waits instead of computing is ended when much more real time has passed.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::problem::{Problem, Result};

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    Code(i32),
    /// By a signal: it crashed, or the memory was not enough.
    Crashed,
    TimedOut,
}

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) time: Duration,
    /// How often that may pass in real time.
    pub(crate) patience: u32,
    /// Address space in bytes; none: as much as there is.
    pub(crate) memory: Option<u64>,
}

/// Runs a program with its output in files. It is the leader of a process group of its own, which
/// ends with it: what a suite starts besides does not outlive it.
pub(crate) fn run(
    program: &str,
    arguments: &[String],
    output: &Path,
    errors: &Path,
    limits: Limits,
) -> Result<Ended> {
    let create = |path: &Path| File::create(path).map_err(|e| Problem::at(path, e));
    // `ulimit` is a command of the shell; it replaces itself by the program.
    let memory = limits.memory.map(|bytes| format!("ulimit -v {}; ", bytes / 1024));
    let time = format!("ulimit -t {}; ", limits.time.as_secs().max(1));
    let script = memory.unwrap_or_default() + &time + "exec nice \"$0\" \"$@\"";
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
                return Ok(ended(status));
            }
            Ok(None) if begin.elapsed() < limits.time * limits.patience => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(None) => {
                end_group();
                child.wait()?;
                return Ok(Ended::TimedOut);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

fn ended(status: std::process::ExitStatus) -> Ended {
    #[cfg(unix)]
    {
        const KILL: i32 = 9;
        const OUT_OF_TIME: i32 = 24;
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        if matches!(signal, Some(KILL | OUT_OF_TIME)) {
            return Ended::TimedOut;
        }
    }
    status.code().map_or(Ended::Crashed, Ended::Code)
}
