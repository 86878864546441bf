//! `erlscope contracts`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope contracts                       the contracts of the project here
  erlscope contracts --specs src           with specs, which are contracts, too
  erlscope contracts --format html -o c.html   as a page
  erlscope contracts --strip plain         copies of the modules without contracts, in plain/
  erlscope run --contracts 'bank:start()'  a run that checks them; so do test, explore and others

Exit codes: 0 all contracts can be read, 1 some cannot, 2 wrong use or unreadable input";

#[derive(Args, Debug)]
pub(crate) struct Contracts {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to show them
    #[arg(long, value_enum, default_value_t = ContractsFormat::Text)]
    pub(crate) format: ContractsFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Specs, too
    #[arg(long)]
    pub(crate) specs: bool,

    /// Write copies of the modules to DIR, without contracts
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) strip: Option<PathBuf>,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ContractsFormat {
    /// A line for each
    Text,
    /// See docs/json.md
    Json,
    /// A page, function by function
    Html,
}
