//! `erlscope types`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope types                             specs for what has none, in the project here
  erlscope types src/server.erl --all        for all functions of a module
  erlscope types --check                     what cannot be right, without specs
  erlscope types --annotate typed            copies of the modules with specs in them, in typed/
  erlscope types --format json > types.json  clause by clause, for other programs

Exit codes: 0 nothing is wrong, 1 something is (by types, or a module has errors: then types are
            those of the rest), 2 wrong use or unreadable input";

#[derive(Args, Debug)]
pub(crate) struct Types {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to show them
    #[arg(long, value_enum, default_value_t = TypesFormat::Text)]
    pub(crate) format: TypesFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Tell only what is wrong: what cannot succeed, never happens, or contradicts a spec
    #[arg(long, conflicts_with_all = ["all", "annotate"])]
    pub(crate) check: bool,

    /// Show functions that have a spec, too
    #[arg(long)]
    pub(crate) all: bool,

    /// Write copies of the modules to DIR, with specs before the functions that have none
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all", "output"])]
    pub(crate) annotate: Option<PathBuf>,

    /// Take fields of records as they are declared (wrong types if a declaration is wrong)
    #[arg(long)]
    pub(crate) believe_records: bool,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TypesFormat {
    /// Specs; with --check source excerpts
    Text,
    /// One line each, with --check
    #[value(help = "with --check: file:line:column: severity: message [code]")]
    Short,
    /// See docs/json.md
    Json,
    /// SARIF 2.1.0, with --check
    Sarif,
}
