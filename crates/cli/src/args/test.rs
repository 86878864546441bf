//! `erlscope test`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{DELIVERY, DeliveryMode, Reading, Running};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope test                              all tests of the project in the current directory
  erlscope test test/bank_tests.erl          one module
  erlscope test --filter bank_tests:deposit  tests whose name matches
  erlscope test --format junit > tests.xml   for a CI server
  erlscope test --seed 3                     another order of the processes, other values
  erlscope test --filter prop_ --runs 1000   properties alone, with ten times the usual tests
  erlscope test --filter prop_ --explore     and small cases of them under every schedule
  erlscope test --trace traces --filter bank what happens, into a file for each test

Exit codes: 0 all tests passed, 1 some did not, 2 wrong use or unreadable input, 3 a bound was
            reached before the end";

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only tests with a matching name: module:function, or suite:group:case; text or a regular
    /// expression
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Option<String>,

    /// How to show the results
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show every test, and all output
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY)]
    pub(crate) delivery: DeliveryMode,

    /// Run this many modules at the same time; 0 for as many as there are processors
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,

    /// Write what happens into a file of DIR for each test function and each suite, for `erlscope
    /// trace`, `replay` and `slice`; every test function then has a node of its own
    #[arg(long, value_name = "DIR")]
    pub(crate) trace: Option<PathBuf>,

    /// In traces: calls inside of libraries, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_all: bool,

    /// In traces: every expression, clause and condition that is reached, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_nodes: bool,

    /// Let each property (`prop_*`) pass this many tests; `--seed` chooses their values
    #[arg(long, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) runs: u32,

    /// Run small cases of each property under every schedule, too
    #[arg(long)]
    pub(crate) explore: bool,

    /// Write a witness of each property that fails to a file in DIR [default: erlscope-witnesses]
    #[arg(long, value_name = "DIR")]
    pub(crate) witnesses: Option<PathBuf>,

    /// Write no witnesses
    #[arg(long, conflicts_with = "witnesses")]
    pub(crate) no_witnesses: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TestFormat {
    /// What failed, with the source
    Text,
    /// See docs/json.md
    Json,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0: the tests that did not pass
    Sarif,
}
