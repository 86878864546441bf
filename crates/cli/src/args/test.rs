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
  erlscope test --seed 3                     another order of the processes

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

    /// Show every test, and all output
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY)]
    pub(crate) delivery: DeliveryMode,

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
}
