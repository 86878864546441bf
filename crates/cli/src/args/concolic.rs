//! `erlscope concolic`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Reading, Running};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope concolic src m:f/2                     inputs for every path, and those that fail
  erlscope concolic src 'm:f(X, [1 | Rest])'      only what the variables stand for is unknown
  erlscope concolic m:f/2 --depth 200             turn decisions that come later, too
  erlscope concolic m:f/2 --tests m_paths.erl     write an EUnit module, one test a path
  erlscope concolic test --property m:prop_sorts  values for which a property does not hold
  erlscope concolic m:f/2 --unreachable m.erl:17  can this line be reached?

Exit codes: 0 no input fails, 1 some do, 2 wrong use or unreadable input, 3 not every path was
            taken, and none of those that were fails";

#[derive(Args, Debug)]
pub(crate) struct Concolic {
    /// Files, directories or projects [default: the project in the current directory], and the
    /// function, M:F/ARITY, or a call with variables for what is unknown
    #[arg(value_name = "PATH… M:F/A")]
    pub(crate) what: Vec<String>,

    /// Turn the first N decisions of a path
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) depth: usize,

    /// Take at most N paths
    #[arg(long, value_name = "N", default_value_t = 2000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_paths: u64,

    /// Take every term as an input, whatever the spec or inferred types say
    #[arg(long)]
    pub(crate) any_input: bool,

    /// Look for values for which a property does not hold: a function that is to give true, or a
    /// property as PropEr has them
    #[arg(long, value_name = "M:P")]
    pub(crate) property: Option<String>,

    /// Say whether this line can be reached; that nothing reaches it is proven if every path was
    /// taken
    #[arg(long, value_name = "FILE:LINE")]
    pub(crate) unreachable: Option<String>,

    /// End with the first error
    #[arg(long)]
    pub(crate) first: bool,

    /// Which decision is turned next
    #[arg(long, value_enum, default_value_t = ConcolicStrategy::Coverage)]
    pub(crate) strategy: ConcolicStrategy,

    /// Who answers questions about inputs
    #[arg(long, value_enum, default_value_t = ConcolicSolver::Both)]
    pub(crate) solver: ConcolicSolver,

    /// The solver may take N steps in all
    #[arg(long, value_name = "N", default_value_t = 30_000_000)]
    pub(crate) solver_steps: u64,

    /// Keep the inputs of the paths in FILE, to go on from there another time
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Go on where the search ended that is kept in FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,

    /// In which orders processes run, where there are several
    #[arg(long, value_enum, default_value_t = ConcolicSchedules::All)]
    pub(crate) schedules: ConcolicSchedules,

    /// Write an EUnit module with a test for each path
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,

    /// Write witnesses of errors into DIR [default: erlscope-witnesses]
    #[arg(long, value_name = "DIR")]
    pub(crate) witnesses: Option<PathBuf>,

    /// Write no witnesses
    #[arg(long, conflicts_with = "witnesses")]
    pub(crate) no_witnesses: bool,

    /// How to show what was found
    #[arg(long, value_enum, default_value_t = ConcolicFormat::Text)]
    pub(crate) format: ConcolicFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show an input for each path
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConcolicFormat {
    /// Calls that can be copied, and what comes of them
    Text,
    /// See docs/json.md
    Json,
    /// A page: which branch was reached by which input
    Html,
    /// For CI servers: each path a test case
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConcolicStrategy {
    /// One that leads where no run was, early ones first
    Coverage,
    /// The earliest
    Breadth,
    /// The latest
    Depth,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConcolicSolver {
    /// The one that is built in
    Own,
    /// z3, which has to be installed
    Z3,
    /// The one that is built in, and z3, if it is installed, about what that leaves open
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConcolicSchedules {
    /// In turn
    One,
    /// In every order that makes a difference
    All,
}
