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
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ConcolicSchedules {
    /// In turn
    One,
    /// In every order that makes a difference
    All,
}
