//! `erlscope parse`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope parse server.erl                         the syntax tree
  erlscope parse server.erl --format source         the tree as Erlang again
  erlscope parse server.erl --format preprocessed   as erlc -P prints it
  erlscope parse server.erl --format abstract       OTP's abstract format, for file:consult/1
  erlscope parse -D DEBUG=1 - < server.erl          from standard input

Exit codes: 0 no errors, 1 the file has errors (they are on standard error),
            2 wrong use or unreadable input";

#[derive(Args, Debug)]
pub(crate) struct Parse {
    /// The file to read; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What to print
    #[arg(long, value_enum, default_value_t = ParseFormat::Tree)]
    pub(crate) format: ParseFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ParseFormat {
    /// The syntax tree, one node a line
    Tree,
    /// The tree as Erlang text, macros expanded
    Source,
    /// As `source`, with -file attributes that say where forms came from
    Preprocessed,
    /// The forms that epp:parse_file/2 gives, each ending in a full stop
    Abstract,
    /// The syntax tree as JSON, see docs/json.md
    Json,
}
