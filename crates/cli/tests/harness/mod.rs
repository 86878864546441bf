//! Runs the `erlscope` binary in a directory made for the test.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::Expect;

/// A directory with the files of one test. It is kept after the test, to be looked at.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
}

impl Project {
    /// `name` must be the test's own. Files are given as (path, text).
    pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Project {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        if root.exists() {
            std::fs::remove_dir_all(&root).expect("old files can be removed");
        }
        std::fs::create_dir_all(&root).expect("directory can be made");
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("path has a parent"))
                .expect("directory can be made");
            std::fs::write(path, text).expect("file can be written");
        }
        Project { root }
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_erlscope"));
        command.args(arguments).current_dir(&self.root);
        command.env_remove("ERL_LIBS").env_remove("ERL_COMPILER_OPTIONS").env_remove("NO_COLOR");
        command.stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments))
    }

    /// With bytes on standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("erlscope starts");
        let mut stdin = child.stdin.take().expect("standard input is a pipe");
        // It may end without reading everything.
        let _ = stdin.write_all(input);
        drop(stdin);
        Ran::from(child.wait_with_output().expect("erlscope ends"))
    }

    /// Compares exit code, standard output and standard error.
    pub(crate) fn check(&self, arguments: &[&str], expected: Expect) {
        expected.assert_eq(&self.run(arguments).transcript());
    }
}

/// What a command did.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn of(mut command: Command) -> Ran {
        Ran::from(command.output().expect("erlscope starts"))
    }

    pub(crate) fn transcript(&self) -> String {
        let code = self.code.map_or("killed".to_string(), |code| code.to_string());
        let mut text = format!("exit {code}\n");
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("--- {name}\n{stream}"));
            }
        }
        text
    }
}

impl From<std::process::Output> for Ran {
    fn from(output: std::process::Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
