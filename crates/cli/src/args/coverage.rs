//! `erlscope coverage`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{DELIVERY, DeliveryMode, Reading, Running};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope coverage                            the project in the current directory, by its tests
  erlscope coverage src --tests test           these modules, by the tests in that directory
  erlscope coverage --tests test/bank_tests.erl --explore
                                               over all schedules of each test
  erlscope coverage m.erl --call 'm:main()'    by a call instead of tests
  erlscope coverage --format html > coverage.html
  erlscope coverage --format lcov > lcov.info

Exit codes: 0 done, 1 a test failed, 2 wrong use or unreadable input, 3 a bound was reached before
            the end";

#[derive(Args, Debug)]
pub(crate) struct Coverage {
    /// Files, directories or projects to be measured [default: where the tests are, else the
    /// project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Where the tests are: files, directories or projects [default: PATH]
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) tests: Vec<PathBuf>,

    /// Run a call such as `m:f()` instead of tests; may be repeated
    #[arg(long = "call", value_name = "CALL", conflicts_with = "tests")]
    pub(crate) calls: Vec<String>,

    /// Run only tests with a matching name, as `test` does
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Option<String>,

    /// Run each test function, or call, under every schedule that can make a difference
    #[arg(long)]
    pub(crate) explore: bool,

    /// With --explore: how many executions of each test
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "explore")]
    pub(crate) max_executions: u64,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant)]
    #[arg(help = DELIVERY, conflicts_with = "explore")]
    pub(crate) delivery: DeliveryMode,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = CoverageFormat::Text)]
    pub(crate) format: CoverageFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CoverageFormat {
    /// A table, and what is not covered
    Text,
    /// See docs/json.md
    Json,
    /// A tracefile of lcov
    Lcov,
    /// Cobertura's XML
    Cobertura,
    /// One page with the source
    Html,
}
