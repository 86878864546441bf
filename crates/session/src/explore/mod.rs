//! Explores the schedules of a call, or of every EUnit test of a program.
//!
//! `start` makes the Machine, `search` explores it as `engine` says (`notes` are for searches that
//! are saved), `tests` does that for every test.

mod engine;
pub mod incomplete;
mod notes;
pub(crate) mod properties;
pub(crate) mod search;
pub(crate) mod start;
pub mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

pub use ::explore::Statistics;
pub use ::explore::finding::{Explained, Finding, Findings, Kind, Manner};
pub use ::explore::outcome::Execution;
use ::explore::schedule::Witness;
pub use ::explore::story;
pub use ::explore::warning::Warning;

pub use incomplete::{Incomplete, Spent};

use crate::reading::Reading;
use crate::running::{Delivery, Running};
use crate::{Control, Error};

/// What is to be explored, and how.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    pub what: What,
    /// Without it as many as there are, but of each test [`tests::BUDGET`].
    pub max_executions: Option<u64>,
    /// Events of one execution.
    pub max_depth: usize,
    /// `after` gives up only if its time, in milliseconds, is less than this.
    pub after_limit: Option<u64>,
    pub delivery: Delivery,
    /// Whether clocks that count microseconds may show two processes the same one.
    pub equal_times: bool,
    pub engine: Engine,
    /// How many workers explore together, if the engine can have several; 0 for as many as there
    /// are processors.
    pub jobs: usize,
    /// Stop at the first execution with an error.
    pub first: bool,
    /// Exit reasons, or first elements of them, that are no errors.
    pub normal: Vec<String>,
    /// Names of kinds of findings that are not told.
    pub ignored: Vec<String>,
    /// Only failed assertions count.
    pub assertions_only: bool,
    /// Look also for what depends on the schedule although nothing fails because of it.
    pub warnings: bool,
    pub manner: Manner,
    /// Whether [`Progress::Exploring`](crate::Progress::Exploring) is to say which part of all
    /// executions was explored.
    pub estimate: bool,
    pub running: Running,
    pub reading: Reading,
}

#[derive(Clone, Debug)]
pub enum What {
    Call(String),
    /// Every EUnit test whose name matches.
    Tests {
        filter: Option<String>,
    },
}

impl Default for What {
    fn default() -> What {
        What::Tests { filter: None }
    }
}

/// How the executions are gone through.
#[derive(Clone, Debug)]
pub enum Engine {
    /// All that differ. What is left can be saved, and gone on with.
    All { save: Option<PathBuf>, resume: Option<PathBuf> },
    /// All in which a process that could go on is stopped at most this often.
    Preemptions(u32),
    /// Those that leave the usual order at most this often.
    Delays(u32),
    /// So many at random, each of which shows an error that needs so many steps in the right order
    /// with a known probability.
    Random { executions: u64, bug_depth: u32 },
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::All { save: None, resume: None }
    }
}

/// What explorations came to: one of a call, one of each test.
#[derive(Default, Debug)]
pub struct Answer {
    pub explored: Vec<Explored>,
}

/// What one exploration came to.
#[derive(Clone, Default, Debug)]
pub struct Explored {
    /// What a witness calls.
    pub call: String,
    /// What was explored, for people.
    pub name: String,
    pub statistics: Statistics,
    /// Executions with an error.
    pub erroneous: u64,
    /// Why the search did not come to its end.
    pub why: Option<Incomplete>,
    pub found: Vec<Explained>,
    /// If they were asked for.
    pub warnings: Vec<Warning>,
    pub time: Duration,
    /// Files that executions changed, each in its own world.
    pub changed: BTreeSet<String>,
    /// Files that were read although others were named.
    pub along: Vec<PathBuf>,
}

impl Explored {
    /// Of what could not be explored.
    fn without(name: String, why: Incomplete) -> Explored {
        Explored { call: name.clone(), name, why: Some(why), ..Explored::default() }
    }

    /// Whether it is a module of tests of which none could be run.
    pub fn is_broken(&self) -> bool {
        matches!(self.why, Some(Incomplete::Broken(_)))
    }

    /// What runs a finding, by its place in `found`, again; what is wrong there, in words, is for
    /// the front to add.
    pub fn witness(&self, number: usize, request: &Request) -> Option<Witness> {
        let found = self.found.get(number)?;
        Some(Witness {
            call: self.call.clone(),
            pids: found.pids.clone(),
            any_delivery: request.delivery == Delivery::Any,
            contracts: request.running.checked(),
            schedule: found.finding.schedule.clone(),
            ..Witness::of(&request.paths)
        })
    }
}

/// Explores what a request names.
pub fn explore(request: &Request, control: &Control) -> Result<Answer, Error> {
    let explored = match &request.what {
        What::Call(call) => vec![search::call(request, call, control)?],
        What::Tests { filter } => tests::all(request, filter.as_deref(), control)?,
    };
    Ok(Answer { explored })
}
