//! `erlscope flow`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Limiting, Reading};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope flow                              the project in the current directory
  erlscope flow server.erl --entry server:start/0
  erlscope flow --processes                  who starts whom, and who sends what to whom
  erlscope flow server.erl --explain         in which order the edges were found
  erlscope flow --format html > flow.html    a picture to pan, zoom and fold

Exit codes: 0 done, 1 a module has errors (they are on standard error; the graph is that of the
            rest), 2 wrong use or unreadable input";

#[derive(Args, Debug)]
pub(crate) struct Flow {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Where the program is entered, as M:F/A or M:F; may be repeated [default: by the exported
    /// functions that the program itself does not use]
    #[arg(long = "entry", value_name = "M:F/A")]
    pub(crate) entries: Vec<String>,

    /// How to show the graph
    #[arg(long, value_enum, default_value_t = FlowFormat::Text)]
    pub(crate) format: FlowFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Show processes instead of functions
    #[arg(long, conflicts_with = "explain")]
    pub(crate) processes: bool,

    /// Show in which order iterations found the edges
    #[arg(long)]
    pub(crate) explain: bool,

    /// Show definitions and uses of variables: which reaches which
    #[arg(long, conflicts_with_all = ["explain", "processes"])]
    pub(crate) def_use: bool,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) limiting: Limiting,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FlowFormat {
    /// The edges that leave each function
    Text,
    /// See docs/json.md
    Json,
    /// For Graphviz
    Dot,
    /// A picture
    Svg,
    /// A picture to drag, zoom and fold, with the source
    Html,
}
