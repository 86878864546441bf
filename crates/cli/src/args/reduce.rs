//! `erlscope reduce`: its options.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};
use super::values::duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope reduce erlscope-witnesses/m-f-deadlock-1.witness       the smallest program that fails so
  erlscope reduce W -o small                                      modules and witness in small/
  erlscope reduce W --budget 30s                                  as small as it gets until then
  erlscope reduce W --format json

Exit codes: 0 it fails in the same way, 2 wrong use, or it does not fail any more,
            3 what was written does not fail when it is replayed";

#[derive(Args, Debug)]
pub(crate) struct Reduce {
    /// A file that `explore --witnesses`, `inputs --witnesses`, `concolic`, `test` or
    /// `run --save-schedule` wrote, or a trace
    pub(crate) witness: PathBuf,

    /// Where the modules and the witness `reduced.witness` go [default: the witness's name,
    /// `.reduced`]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Take what is left after this much time, such as 30s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,

    /// How to show it
    #[arg(long, value_enum, default_value_t = ReduceFormat::Text)]
    pub(crate) format: ReduceFormat,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReduceFormat {
    /// The program, and what it shows
    Text,
    /// See docs/json.md
    Json,
}
