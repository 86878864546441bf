//! `erlscope trace`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::Limiting;
use super::values::{kind, pid};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope run --trace bank.trace examples/bank 'bank:main()'
  erlscope trace bank.trace                              what happened, an event a line
  erlscope trace bank.trace --process 81 --kind send,receive
  erlscope trace bank.trace --at account:44              at a line of a module
  erlscope trace bank.trace --before 30                  what may have led to event 30
  erlscope trace bank.trace --format json | jq .kind

Exit codes: 0 done, 2 wrong use or unreadable input, 3 the trace was cut off";

#[derive(Args, Debug)]
pub(crate) struct Trace {
    /// A file that `--trace` of `run`, `test` or `replay` wrote; `-` is standard input
    pub(crate) file: PathBuf,

    /// How to show events
    #[arg(long, value_enum, default_value_t = TraceFormat::Text)]
    pub(crate) format: TraceFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Only events of this process, such as 80 or <0.80.0>; may be repeated
    #[arg(long = "process", value_name = "PID", value_parser = pid)]
    pub(crate) processes: Vec<u64>,

    /// Only events of these kinds, such as send,receive [default: all but deliver, access, node,
    /// turn and step]
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Vec<String>,

    /// Events of all kinds
    #[arg(long, conflicts_with = "kinds")]
    pub(crate) all: bool,

    /// Only events at this place, or in library code that was called from there; may be repeated
    #[arg(long = "at", value_name = "MODULE[:LINE[:COLUMN]]")]
    pub(crate) places: Vec<String>,

    /// Only what happened before event N, and so may have had an influence on it
    #[arg(long, value_name = "N")]
    pub(crate) before: Option<u64>,

    /// With JSON: the vector clock of each event
    #[arg(long)]
    pub(crate) clocks: bool,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TraceFormat {
    /// One line for each event
    Text,
    /// One JSON object on a line for each event, see docs/trace.md
    Json,
}
