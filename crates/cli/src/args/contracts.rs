//! `erlscope contracts`: its options.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope contracts                       the contracts of the project here
  erlscope contracts --specs src           with specs, which are contracts, too
  erlscope contracts --format html -o c.html   as a page
  erlscope contracts --strip plain         copies of the modules without contracts, in plain/
  erlscope contracts prove src             which of them cannot fail
  erlscope contracts --suggest src         which there could be, by what holds in runs
  erlscope run --contracts 'bank:start()'  a run that checks them; so do test, explore and others

Exit codes: 0 all contracts can be read, 1 some cannot, 2 wrong use or unreadable input";

pub(super) const PROVE_EXAMPLES: &str = "\
Examples:
  erlscope contracts prove                      those of the project here
  erlscope contracts prove stack.erl            those of a module
  erlscope contracts prove src --depth 200      turn decisions that come later, too
  erlscope contracts prove src --format json    for programs, see docs/json.md

Exit codes: 0 all contracts are proven, 1 some are broken, 2 wrong use or unreadable input,
            3 some are not proven, none is broken";

#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Contracts {
    #[command(subcommand)]
    pub(crate) deed: Option<ContractsDeed>,

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

    /// Say which contracts there could be, by what held in runs: of inputs that are made, of EUnit
    /// tests, and of calls that are named
    #[arg(long, conflicts_with_all = ["strip", "specs", "no_tests"])]
    pub(crate) suggest: bool,

    /// With --suggest: run this call, too; may be given several times
    #[arg(long = "call", value_name = "M:F(…)", requires = "suggest")]
    pub(crate) calls: Vec<String>,

    /// With --suggest: make N inputs for each exported function
    #[arg(long, value_name = "N", default_value_t = 200, requires = "suggest")]
    pub(crate) inputs: u64,

    /// With --suggest: tell what so many calls support
    #[arg(long, value_name = "N", default_value_t = 10, requires = "suggest")]
    #[arg(value_parser = clap::value_parser!(u64).range(2..))]
    pub(crate) support: u64,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

/// What is done with contracts beside showing them.
#[derive(Subcommand, Debug)]
pub(crate) enum ContractsDeed {
    /// Say which contracts cannot fail, and which do, by taking every path of the functions that
    /// come to them
    #[command(after_help = PROVE_EXAMPLES)]
    Prove(Prove),
}

#[derive(Args, Debug)]
pub(crate) struct Prove {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Turn the first N decisions of a path
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) depth: usize,

    /// Take at most N paths of each function
    #[arg(long, value_name = "N", default_value_t = 500)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_paths: u64,

    /// The solver may take N steps for each function
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) solver_steps: u64,

    /// How to show what was found
    #[arg(long, value_enum, default_value_t = ProveFormat::Text)]
    pub(crate) format: ProveFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProveFormat {
    /// A line for each contract
    Text,
    /// See docs/json.md
    Json,
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
