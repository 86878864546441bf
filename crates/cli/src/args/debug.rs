//! `erlscope debug`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{DELIVERY, DeliveryMode, Reading, Running};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope debug src/sort.erl 'sort:sort([3,1,2])'   asks until the wrong place is found
  erlscope debug sort.erl 'sort:sort([2,1])' --strategy top-down
  erlscope debug --answers answers.txt sort.erl 'sort:sort([2,1])'
  erlscope debug --reference old/sort.erl --oracle-only sort.erl 'sort:sort([2,1])'
  erlscope debug --schedule witness.txt              a run that explore found, or a trace

Exit codes: 0 nothing is wrong, 1 it is known what is, 2 wrong use or unreadable input,
            3 the answers did not suffice";

#[derive(Args, Debug)]
pub(crate) struct Debug {
    /// Files, directories or projects, then a call such as `m:f(1, [a])`
    #[arg(value_name = "PATH… CALL")]
    pub(crate) what: Vec<String>,

    /// Which question comes next
    #[arg(long, value_enum, default_value_t = AskedBy::Default)]
    pub(crate) strategy: AskedBy,

    /// Take answers from FILE, one a line, as they would be typed
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,

    /// Let the version of the program at PATH answer where it can: what it gives is right
    #[arg(long, value_name = "PATH")]
    pub(crate) reference: Option<PathBuf>,

    /// Ask nobody: what the reference cannot tell is not known
    #[arg(long, requires = "reference", conflicts_with = "answers")]
    pub(crate) oracle_only: bool,

    /// Stop at the function, receive or fun: do not look for the expression in it
    #[arg(long)]
    pub(crate) no_zoom: bool,

    /// How to ask
    #[arg(long, value_enum, default_value_t = DebugFormat::Text)]
    pub(crate) format: DebugFormat,

    /// Debug the run in FILE: a schedule, a trace, or a witness
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "delivery", "what"])]
    pub(crate) schedule: Option<PathBuf>,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY)]
    pub(crate) delivery: DeliveryMode,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum AskedBy {
    /// What tells most about the pieces of the program, each counted once
    Default,
    /// What halves the statements that may be wrong
    DivideAndQuery,
    /// From callers to what they call, the largest first
    TopDown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DebugFormat {
    /// Questions for people
    Text,
    /// One object a line, see docs/json.md
    Json,
}
