//! `erlscope slice`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope slice bank.erl:42 Balance                 what the value of Balance on line 42 depends on
  erlscope slice bank.erl:42:13 Balance              the one in column 13
  erlscope slice bank.erl:42:13                      the expression that begins in column 13
  erlscope slice bank.erl:42                         everything on line 42
  erlscope slice bank.erl:42 Balance --highlight     in the whole text, the rest dimmed
  erlscope slice bank.erl:42 Balance --project .     through all modules of the project
  erlscope slice bank.erl:7 Amount --forward         what Amount on line 7 can influence
  erlscope slice bank.erl:7 Amount --to bank.erl:42:Balance
  erlscope slice bank.erl:42 Balance --why 17        why line 17 is in the slice
  erlscope slice bank.erl:42 Balance --trace t       only what happened in this run, \
for the last value
  erlscope slice bank.erl:42 Balance --trace t --nth 1

Exit codes: 0 done, 1 a module has errors, 2 wrong use or unreadable input";

#[derive(Args, Debug)]
pub(crate) struct Slice {
    /// Where the value is: a line, or an expression by its first column
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub(crate) place: String,

    /// The variable there [default: the expression that begins in the column, or all that stands on
    /// the line]
    #[arg(value_name = "VAR")]
    pub(crate) variable: Option<String>,

    /// Which of several on the line, from 1
    #[arg(long, value_name = "N", requires = "variable")]
    pub(crate) occurrence: Option<u32>,

    /// Show what the value can influence, not what it depends on
    #[arg(long)]
    pub(crate) forward: bool,

    /// Show what lies between the value and this one
    #[arg(long, value_name = "FILE:LINE[:COL][:VAR]", conflicts_with = "forward")]
    pub(crate) to: Option<String>,

    /// Another value to slice for at once; may be repeated
    #[arg(long, value_name = "FILE:LINE[:COL][:VAR]")]
    pub(crate) also: Vec<String>,

    /// Files, directories or projects that belong to the program [default: the file alone]
    #[arg(long = "project", value_name = "PATH")]
    pub(crate) projects: Vec<PathBuf>,

    /// Show the original text, with what is not in the slice dimmed
    #[arg(long)]
    pub(crate) highlight: bool,

    /// How to show the slice
    #[arg(long, value_enum, default_value_t = SliceFormat::Text)]
    pub(crate) format: SliceFormat,

    /// Only what happened in this run: a trace, a schedule or a witness; the program is run again
    /// under it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["forward", "to", "also"])]
    pub(crate) trace: Option<PathBuf>,

    /// With --trace: which time that the variable has a value there [default: the last]
    #[arg(long, value_name = "N", requires = "trace")]
    pub(crate) nth: Option<u64>,

    /// With --trace: only what this one value came from; as a program that may not run
    #[arg(long, requires = "trace")]
    pub(crate) this_value: bool,

    /// Explain why what stands there is in the slice
    #[arg(long, value_name = "[FILE:]LINE[:COL]")]
    pub(crate) why: Option<String>,

    /// Write that to PATH; a directory, or a PATH without an extension, gets the modules of the
    /// slice, each in a file of its own
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Do not tell the parts of data structures apart
    #[arg(long)]
    pub(crate) no_constraints: bool,

    /// Keep or leave out whole expressions of bodies only
    #[arg(long)]
    pub(crate) statements: bool,

    /// Keep clauses that are never chosen, too
    #[arg(long)]
    pub(crate) all_clauses: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SliceFormat {
    /// Modules that compile and run
    Text,
    /// See docs/json.md
    Json,
    /// The dependence graph, for Graphviz
    Dot,
    /// A picture of the dependence graph
    Svg,
    /// The original text with the slice in it; with --why, the way
    Html,
}
