//! `explore --log`: a line of JSON for each execution, as it comes (`docs/json.md` has the fields).
//! With several workers the lines have the order in which executions were finished. Each is written
//! at once, so the file has whole lines whenever the command ends.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use report::explore::LoggedExecution;
use session::explore::{Execution, Findings};

use crate::front::FileProblem;

/// The log of one search.
pub(super) struct Log {
    call: String,
    state: Mutex<State>,
}

struct State {
    file: File,
    path: PathBuf,
    /// Where the lines of this search begin.
    begins: u64,
    executions: u64,
    /// What went wrong.
    problem: Option<FileProblem>,
}

/// Begins with an empty file.
pub(super) fn begin(path: &Path) -> Result<(), FileProblem> {
    File::create(path).map(|_| ()).map_err(FileProblem::at(path))
}

impl Log {
    /// The log of a search, after those of others.
    pub(super) fn of(path: &Path, call: &str) -> Result<Arc<Log>, FileProblem> {
        let opened = OpenOptions::new().write(true).open(path).and_then(|mut file| {
            let begins = file.seek(SeekFrom::End(0))?;
            Ok((file, begins))
        });
        let (file, begins) = opened.map_err(FileProblem::at(path))?;
        let state = State { file, path: path.to_owned(), begins, executions: 0, problem: None };
        Ok(Arc::new(Log { call: call.to_owned(), state: Mutex::new(state) }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was explored so far does not count.
    pub(super) fn begin_again(&self) {
        let mut state = self.state();
        state.executions = 0;
        let begins = state.begins;
        let cut = state.file.set_len(begins).and_then(|()| state.file.seek(SeekFrom::End(0)));
        state.note(cut.map(|_| ()));
    }

    /// Adds an execution that was looked at.
    pub(super) fn add(&self, execution: &Execution<'_>, findings: &Findings) {
        let schedule = execution.schedule();
        let failures = findings.of_last().map(|finding| &finding.failure).collect();
        let mut state = self.state();
        state.executions += 1;
        let line = LoggedExecution {
            call: &self.call,
            execution: state.executions,
            end: report::explore::end_of(execution),
            events: schedule.steps.len(),
            preemptions: schedule.preemptions,
            failures,
            schedule: schedule.to_text(),
        };
        let written = state.file.write_all(line.to_line().as_bytes());
        state.note(written);
    }

    /// What kept lines from being written.
    pub(super) fn problem(&self) -> Option<FileProblem> {
        self.state().problem.take()
    }
}

impl State {
    fn note(&mut self, result: std::io::Result<()>) {
        if let Err(error) = result {
            self.problem.get_or_insert_with(|| FileProblem::at(&self.path)(error));
        }
    }
}
