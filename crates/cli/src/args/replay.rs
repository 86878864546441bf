//! `erlscope replay`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Reading, Running, Telling, Tracing};

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
