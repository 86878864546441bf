//! `erlscope check`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope check                           the project in the current directory
  erlscope check src/server.erl            one module
  erlscope check --format short apps/      one line for each error
  erlscope check --format sarif > out.sarif
  erlscope check -I include -D TEST src    include directory and macro, as for erlc

Exit codes: 0 no errors, 1 errors (with --warnings-as-errors also warnings),
            2 wrong use or unreadable input, 3 interrupted";

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to show what is found
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,

    /// Let warnings fail the check, as errors do
    #[arg(long)]
    pub(crate) warnings_as_errors: bool,

    /// Show errors only
    #[arg(long, conflicts_with = "warnings_as_errors")]
    pub(crate) no_warnings: bool,

    /// Look also for what OTP's compiler does not warn of, see `erlscope explain`
    #[arg(long)]
    pub(crate) own_lints: bool,

    /// Read everything with this rebar3 profile
    #[arg(long = "profile", value_name = "NAME")]
    pub(crate) profiles: Vec<String>,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    /// How many modules are read at the same time [default: number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Source excerpts
    Text,
    /// One line each.
    #[value(help = "file:line:column: severity: message [code]")]
    Short,
    /// See docs/json.md
    Json,
    /// SARIF 2.1.0
    Sarif,
}
