//! `erlscope compare`: its options.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::shared::{Reading, Running};
use super::values;

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope compare old.erl new.erl                 inputs that show a difference of two files
  erlscope compare ../release-1 . --budget 30s     of two projects, for half a minute
  erlscope compare old new --fun m:f/2             of one function
  erlscope compare --git main                      of the work tree and a branch of git
  erlscope compare --git v1.0..v1.1 src            of two revisions, in a directory
  erlscope compare old new --format json           for scripts

Exit codes: 0 the same as far as was looked, or proven, 1 different, 2 wrong use or unreadable
            input, 3 nothing that changed was reached, or a bound was";

#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// The old version and the new one: files, directories or projects; with --git one of them
    /// [default: the project in the current directory]
    #[arg(value_name = "OLD NEW", num_args = 0..=2)]
    pub(crate) paths: Vec<PathBuf>,

    /// Compare a revision of git with the work tree, or two revisions: REV or REV..REV
    #[arg(long, value_name = "REV[..REV]")]
    pub(crate) git: Option<String>,

    /// Write differences, and other inputs that reach much, as EUnit tests, which pass on the old
    /// version
    #[arg(long, value_name = "FILE")]
    pub(crate) write_tests: Option<PathBuf>,

    /// Call only this function of both versions, M:F/ARITY or F/ARITY; may be given several times
    /// [default: every exported function that can reach a change]
    #[arg(long = "fun", value_name = "F/A")]
    pub(crate) functions: Vec<String>,

    /// Start a server of both versions by this call and run sequences of calls of its module's
    /// functions; may be given several times
    #[arg(long = "server", value_name = "CALL")]
    pub(crate) servers: Vec<String>,

    /// Compare the values at these points only, OLD=NEW or one for both: f.erl:12:5,
    /// f.erl:12:5-12:20, 'f.erl:12 VAR', m:f/2 (what it returns), 'call m:f/2' (what it is given),
    /// 'message m:f/2' (what it receives); may be given several times
    #[arg(long, value_name = "POINTS")]
    pub(crate) poi: Vec<String>,

    /// Read pairs of points from FILE, as SecEr has them: [{{'old.erl', 12, call, 1}, {'new.erl',
    /// {14, 5}, {14, 20}}}].
    #[arg(long, value_name = "FILE")]
    pub(crate) pois: Option<PathBuf>,

    /// Compare points of each pair in whatever order those of several pairs come
    #[arg(long)]
    pub(crate) independent: bool,

    /// Keep inputs that reached something new, or show a difference, in DIR, and run those that are
    /// there first
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    /// Let a module in Erlang compare values: it exports same/2, value/1 or both
    #[arg(long, value_name = "FILE.erl")]
    pub(crate) judge: Option<PathBuf>,

    /// In which orders the processes of a run act: in turn; in all orders, which compares
    /// everything that the versions may do; or in some orders that are the same for both
    #[arg(long, value_enum, default_value_t = SchedulesArgument::One)]
    pub(crate) schedules: SchedulesArgument,

    /// With --schedules matched: in how many orders beside the usual one
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) orders: u64,

    /// With --schedules all: executions of each input and version
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_executions: u64,

    /// Give each function this many inputs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,

    /// Look for so long in all, with as many inputs as there is time for: 15s, 2m
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pub(crate) budget: Option<Duration>,

    /// Make inputs from types alone: neither what runs reach nor what the programs write guides
    #[arg(long)]
    pub(crate) blind: bool,

    /// How to show differences
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub(crate) format: CompareFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show all functions that were called, those without a difference, too
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CompareFormat {
    /// Calls that can be copied, and what each version does
    Text,
    /// See docs/json.md
    Json,
    /// For CI servers: each function is a test case
    Junit,
    /// A page with both versions side by side
    Html,
    /// SARIF 2.1.0, for tools that show findings beside the text
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SchedulesArgument {
    /// In turn; where something differs, in a few other orders, too
    One,
    /// In all orders, with instant delivery
    All,
    /// In some orders, the same for both versions
    Matched,
}
