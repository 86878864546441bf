//! Why a search did not come to its end, and what it covers all the same.

use std::path::PathBuf;

use ::explore::finding::Failure;
use runner::limits::Bound;

/// Why a search did not come to its end.
#[derive(Clone, PartialEq, Debug)]
pub enum Incomplete {
    /// An error was found, and one was enough.
    ErrorFound,
    Bound(Bound),
    /// As many executions as it may have.
    Executions,
    /// Executions had more events than they may have.
    Depth,
    /// The dictionary of a process was looked at that the process had changed since its last
    /// visible action; that this could have come later is not explored.
    EarlyLook,
    /// Branches that would have cost more were left out.
    Limited {
        to: Spent,
        branches: u64,
        also: Option<Box<Incomplete>>,
    },
    /// It did not come to its end, but everything with so many preemptions was explored.
    AllWith {
        preemptions: u32,
        why: Box<Incomplete>,
    },
    /// Executions at random are never all.
    Random {
        different: u64,
        seed: u64,
        also: Option<Box<Incomplete>>,
    },
    /// What is left was written to a file.
    Saved {
        file: PathBuf,
        why: Option<Box<Incomplete>>,
    },
    /// Something was asked for that is not supported.
    Unsupported(Failure),
    /// A module of tests cannot be run.
    Broken(String),
}

/// What a limited search spends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    Delays(u32),
    Preemptions(u32),
}
