//! `erlscope replay`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Reading, Running, Telling, Tracing};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope replay erlscope-witnesses/m-f-deadlock-1.witness       what happens, step by step
  erlscope replay W --all-steps                                   also inside of the library
  erlscope replay W --show-races                                  what could have come otherwise
  erlscope replay W --format svg -o W.svg                         as a sequence diagram
  erlscope replay W --trace t                                     for erlscope trace and slice

Exit codes: 0 nothing is wrong at its end, 1 it fails as before, 2 wrong use or unreadable input,
            3 it cannot be followed to its end: the program has changed";

#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// A file that `explore --witnesses` or `run --save-schedule` wrote, or a trace
    pub(crate) witness: PathBuf,

    /// How to tell it
    #[arg(long, value_enum, default_value_t = ReplayFormat::Text)]
    pub(crate) format: ReplayFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Tell every step, also those of the library
    #[arg(long)]
    pub(crate) all_steps: bool,

    #[command(flatten)]
    pub(crate) telling: Telling,

    #[command(flatten)]
    pub(crate) tracing: Tracing,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// The steps, and what is wrong at the end
    Text,
    /// A sequence diagram
    Svg,
}
