//! Hears how far an exploration is: the line that shows it, the log, witnesses as soon as there are
//! findings, and what is told should a limit cut the command off.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use report::explore::figures;
use session::explore::{Execution, Explored, Findings, Request};
use session::{Progress, Watch};

use super::log::{self, Log};
use super::{so_far, witness};
use crate::args::Explore;
use crate::front::{self, Failure, FileProblem};
use crate::guard;
use crate::progress::Counting;

pub(super) struct Watcher {
    request: Request,
    /// Where witnesses go, if they are written.
    directory: Option<PathBuf>,
    log: Option<PathBuf>,
    line: Counting,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Of the search that goes on.
    log: Option<Arc<Log>>,
    /// Files that were written, by what was explored.
    witnesses: BTreeMap<String, Vec<PathBuf>>,
    /// What could not be written first.
    problem: Option<FileProblem>,
}

/// Whether there is anybody to see the line that shows how far it is.
pub(super) fn is_line_shown() -> bool {
    Counting::new().is_shown()
}

impl Watcher {
    pub(super) fn new(arguments: &Explore, request: &Request) -> Result<Watcher, Failure> {
        arguments.log.as_deref().map(log::begin).transpose()?;
        Ok(Watcher {
            request: request.clone(),
            directory: witness::directory(arguments),
            log: arguments.log.clone(),
            line: Counting::new(),
            state: Mutex::default(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files that were written for what was found in an exploration.
    pub(super) fn witnesses(&self, name: &str) -> Vec<PathBuf> {
        self.state().witnesses.get(name).cloned().unwrap_or_default()
    }

    /// Says if something could not be written.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        match self.state().problem.take() {
            Some(problem) => Err(problem.into()),
            None => Ok(()),
        }
    }

    fn begin(&self, name: &str) {
        guard::restart();
        so_far::begin(name);
        let Some(path) = &self.log else { return };
        let opened = Log::of(path, name);
        let mut state = self.state();
        match opened {
            Ok(log) => state.log = Some(log),
            Err(problem) => _ = state.problem.get_or_insert(problem),
        }
    }

    fn explored(&self, explored: &Explored) {
        let mut state = self.state();
        if let Some(problem) = state.log.take().and_then(|log| log.problem()) {
            state.problem.get_or_insert(problem);
        }
        let written = match &self.directory {
            Some(directory) => witness::write(directory, explored, &self.request),
            None => Ok(Vec::new()),
        };
        match written {
            Ok(witnesses) => {
                so_far::done(figures(explored, &witnesses));
                state.witnesses.insert(explored.name.clone(), witnesses);
            }
            Err(problem) => _ = state.problem.get_or_insert(problem),
        }
    }
}

impl Watch for Watcher {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::SearchBegins { name } => self.begin(name),
            Progress::BeginsAgain => {
                so_far::begin_again();
                self.state().log.iter().for_each(|log| log.begin_again());
            }
            Progress::Exploring { executions, elapsed, share } => {
                self.line.show(|| line(executions, elapsed, share));
            }
            Progress::Found { findings } => so_far::found(findings.iter()),
            Progress::SearchEnds => self.line.clear(),
            Progress::Explored(explored) => self.explored(explored),
            other => front::tell_note(&other),
        }
    }

    fn hear_execution(&self, execution: &Execution<'_>, findings: &Findings) {
        so_far::count();
        if self.log.is_some() {
            let log = self.state().log.clone();
            log.iter().for_each(|log| log.add(execution, findings));
        }
    }
}

/// Executions, rate, and how many there may be in all: each execution counts for the part of the
/// tree that it stands for if all branches of a state are alike (Knuth: *Estimating the efficiency
/// of backtrack programs*, 1975; over a search in order: Kilby, Slaney, Thiébaux, Walsh, AAAI
/// 2006).
fn line(executions: u64, elapsed: Duration, share: f64) -> String {
    let rate = executions as f64 / elapsed.as_secs_f64().max(0.001);
    match share > 0.0 {
        true => {
            let all = (executions as f64 / share.min(1.0)).max(executions as f64);
            let all = rounded(all);
            format!("{executions} executions, {rate:.0} a second, about {all} in all")
        }
        false => format!("{executions} executions, {rate:.0} a second"),
    }
}

/// A number of which only the first two digits mean something.
fn rounded(number: f64) -> String {
    if number < 100.0 {
        return format!("{number:.0}");
    }
    if number >= 1e15 {
        return format!("{number:.0e}");
    }
    let unit = 10f64.powf(number.log10().floor() - 1.0);
    format!("{:.0}", (number / unit).round() * unit)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn numbers() {
        assert_eq!(rounded(7.4), "7");
        assert_eq!(rounded(1234.0), "1200");
        assert_eq!(rounded(98_765.0), "99000");
        assert_eq!(rounded(3.2e20), "3e20");
    }
}
