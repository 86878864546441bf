//! `erlscope explain`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope explain                        all kinds, in groups
  erlscope explain unbound_var            what it means, a wrong and a right example
  erlscope explain deadlock race          findings of erlscope explore
  erlscope explain --format json          all kinds, for other programs

Exit codes: 0 explained, 2 there is no such kind";

#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// Kinds of diagnostics or findings, as they stand in brackets [default: list all]
    #[arg(value_name = "CODE")]
    pub(crate) codes: Vec<String>,

    /// How to tell it
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Pages for people
    Text,
    /// See docs/json.md
    Json,
}
