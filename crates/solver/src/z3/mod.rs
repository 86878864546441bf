//! Another solver behind ours: z3, a process that is spoken to through a pipe.
//!
//! It is found on the `PATH` or named; nothing here needs it. Limits are its own resource limit,
//! never time; but one that comes to a stop, as 4.8 does now and then, is ended (`PATIENCE`). A
//! model that it gives is evaluated like any other. A z3 that is missing, was killed
//! or says something unexpected gives [`Why::External`]; the next question starts a new one.

mod decode;
mod domains;
mod translate;

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::eval::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::solve::{Answer, Why};

/// A z3 that is started with the first question.
#[derive(Debug)]
pub struct Z3 {
    command: OsString,
    /// Its resource limit for one question.
    pub rlimit: u64,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    /// Its lines, which a thread reads.
    lines: Receiver<std::io::Result<String>>,
}

/// z3 counts what it does and ends by itself; one that says nothing for so long has come to a stop.
const PATIENCE: Duration = Duration::from_secs(10);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Z3 {
    /// A z3 of this name or path.
    pub fn named(command: impl Into<OsString>) -> Z3 {
        Z3 { command: command.into(), rlimit: 2_000_000, process: None }
    }

    /// The z3 on the `PATH`, if there is one that starts.
    pub fn found() -> Option<Z3> {
        Z3::started().ok()
    }

    /// The same, or why there is none.
    pub fn started() -> Result<Z3, String> {
        let mut z3 = Z3::named("z3");
        z3.start()?;
        Ok(z3)
    }

    fn start(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let mut child = Command::new(&self.command)
                .args(["-in", "-smt2"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| format!("z3 does not start: {error}"))?;
            let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
                return Err("z3 has no pipes".to_string());
            };
            self.process = Some(Process { child, input, lines: lines_of(output) });
        }
        self.process.as_mut().ok_or_else(|| "z3 does not start".to_string())
    }

    /// Asks z3. The core of a contradiction is all assertions.
    pub fn solve(&mut self, exprs: &Exprs, assertions: &[ExprId]) -> Answer {
        let translation = translate::translate(exprs, assertions);
        let rlimit = self.rlimit;
        let asked = self.start().and_then(|process| process.ask(&translation, rlimit));
        let answer = match asked {
            Ok(answer) => answer,
            Err(why) => {
                self.process = None;
                return Answer::Unknown(Why::External(why));
            }
        };
        match answer {
            Said::Unsat => Answer::Unsat((0..assertions.len()).collect()),
            Said::Unknown => Answer::Unknown(Why::Incomplete),
            Said::Sat(text) => {
                let Some(model) = decode::model(&text, &translation) else {
                    return Answer::Unknown(Why::Incomplete);
                };
                let mut evaluator = Evaluator::new(exprs, &model);
                // It may have been asked a wider question.
                match assertions.iter().all(|&assertion| evaluator.holds(assertion)) {
                    true => Answer::Sat(model),
                    false => Answer::Unknown(Why::Incomplete),
                }
            }
        }
    }
}

enum Said {
    Sat(String),
    Unsat,
    Unknown,
}

impl Process {
    fn send(&mut self, text: &str) -> Result<(), String> {
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|error| format!("z3 does not listen: {error}"))
    }

    fn line(&mut self) -> Result<String, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(format!("z3 does not answer: {error}")),
            Err(RecvTimeoutError::Timeout) => Err("z3 does not answer".to_string()),
            Err(RecvTimeoutError::Disconnected) => Err("z3 ended".to_string()),
        }
    }

    fn ask(&mut self, translation: &translate::Translation, rlimit: u64) -> Result<Said, String> {
        self.send(&format!(
            "(reset)\n(set-option :rlimit {rlimit})\n{}(check-sat)\n",
            translation.text
        ))?;
        loop {
            let line = self.line()?;
            match line.trim() {
                "sat" => break,
                "unsat" => return Ok(Said::Unsat),
                "unknown" => return Ok(Said::Unknown),
                "" => {}
                other => return Err(format!("z3 says {other}")),
            }
        }
        if translation.vars.is_empty() {
            return Ok(Said::Sat(String::new()));
        }
        let vars: Vec<String> = translation.vars.iter().map(|var| format!("x{}", var.0)).collect();
        self.send(&format!("(get-value ({}))\n(echo \"done\")\n", vars.join(" ")))?;
        let mut text = String::new();
        loop {
            let line = self.line()?;
            if line.trim() == "done" {
                return Ok(Said::Sat(text));
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
}

/// What a process writes, line by line.
fn lines_of(output: ChildStdout) -> Receiver<std::io::Result<String>> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}
