//! `erlscope inputs`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Reading, Running};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope inputs src m:f/2                       what makes it fail, and what reaches most
  erlscope inputs m:f/2 --runs 10000 --seed 3     more of them, and others
  erlscope inputs m:f/2 --corpus corpus           keep what reaches something new; run it first
  erlscope inputs m:f/2 --list 20                 make inputs, and run nothing
  erlscope inputs src --server 'm:start_link([])' sequences of calls of a server's functions
  erlscope inputs src --server 'm:start_link([])' --call put/2 --call get/1

Exit codes: 0 no input fails, 1 some do, 2 wrong use or unreadable input, 3 a bound was reached
            before the end";

#[derive(Args, Debug)]
pub(crate) struct Inputs {
    /// Files, directories or projects [default: the project in the current directory], and the
    /// function: M:F/ARITY
    #[arg(value_name = "PATH… M:F/A")]
    pub(crate) what: Vec<String>,

    /// Start a server by this call and run sequences of calls of its module's functions
    #[arg(long, value_name = "CALL")]
    pub(crate) server: Option<String>,

    /// Of a server: call only this function; may be given several times
    #[arg(long, value_name = "F/A", requires = "server")]
    pub(crate) call: Vec<String>,

    /// Run this many inputs
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,

    /// Make inputs from types alone: neither what runs reach nor what the program writes guides
    #[arg(long)]
    pub(crate) blind: bool,

    /// Run the inputs in DIR first, and keep those there that reach something new
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,

    /// Tell which branches were reached
    #[arg(long)]
    pub(crate) branches: bool,

    /// Only make this many inputs; nothing is run
    #[arg(long, value_name = "N", conflicts_with_all = ["corpus", "branches"])]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) list: Option<u64>,

    /// Write a witness of each failure to a file in DIR [default: erlscope-witnesses]
    #[arg(long, value_name = "DIR")]
    pub(crate) witnesses: Option<PathBuf>,

    /// Write no witnesses
    #[arg(long, conflicts_with = "witnesses")]
    pub(crate) no_witnesses: bool,

    /// How to show them
    #[arg(long, value_enum, default_value_t = InputsFormat::Text)]
    pub(crate) format: InputsFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show all inputs
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum InputsFormat {
    /// Calls that can be copied, and what comes of them
    Text,
    /// See docs/json.md
    Json,
}
