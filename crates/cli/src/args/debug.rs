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
  erlscope debug --test sort_tests:sort_test         a test that fails
  erlscope debug --reference HEAD~3 --oracle-only src 'sort:sort([2,1])'
  erlscope debug found/m-f-crash-1.witness           a run that explore found, or a trace

Exit codes: 0 nothing is wrong, 1 it is known what is, 2 wrong use or unreadable input,
            3 the answers did not suffice";

#[derive(Args, Debug)]
pub(crate) struct Debug {
    /// Files, directories or projects, then a call such as `m:f(1, [a])`; or the file of a recorded
    /// run
    #[arg(value_name = "PATH… CALL")]
    pub(crate) what: Vec<String>,

    /// Which question comes next
    #[arg(long, value_enum, default_value_t = AskedBy::Default)]
    pub(crate) strategy: AskedBy,

    /// Take answers from FILE, one a line, as they would be typed
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,

    /// Let the version of the program at PATH, or of a revision in git, answer where it can: what
    /// it gives is right
    #[arg(long, value_name = "PATH|REVISION")]
    pub(crate) reference: Option<PathBuf>,

    /// Ask nobody: what reference, tests and specs cannot tell is not known
    #[arg(long, conflicts_with = "answers")]
    pub(crate) oracle_only: bool,

    /// Ask about everything: tests and specs of the program do not answer
    #[arg(long, conflicts_with = "oracle_only")]
    pub(crate) person_only: bool,

    /// Debug a test that fails: module and function, such as `m_tests:add_test`
    #[arg(long, value_name = "M:T", conflicts_with = "schedule")]
    pub(crate) test: Option<String>,

    /// Keep answers in FILE, and use those that are there
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,

    /// Go on with the session whose answers were kept in FILE
    #[arg(long, value_name = "FILE", conflicts_with = "keep")]
    pub(crate) resume: Option<PathBuf>,

    /// Write the answers as an EUnit module, which fails until the program is right
    #[arg(long, value_name = "FILE")]
    pub(crate) write_tests: Option<PathBuf>,

    /// Write a page about the session to FILE: verdict, questions, tree, what happened (HTML)
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

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
