//! `erlscope slice`: its options.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use session::minimal::Minimal;
use session::slice::Exceptions;

use super::shared::{Limiting, Reading};
use super::values::duration;

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
  erlscope slice bank.erl:42 Balance --minimal       nothing that could be left out, \
judged by runs
  erlscope slice bank.erl:42 Balance --trace t       only what happened in this run, \
for the last value
  erlscope slice bank.erl:42 Balance --trace t --nth 1
  erlscope slice Bank.java:42 account.balance        the same for Java

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

    /// Delete what can go while the values at the place stay, on inputs that are made for it
    #[arg(long, conflicts_with_all = ["forward", "to", "trace", "why", "highlight"])]
    pub(crate) minimal: bool,

    #[command(flatten)]
    pub(crate) small: Small,

    /// Of a Java object, its members in front of the call that gets it, not behind it
    #[arg(long)]
    pub(crate) before: bool,

    /// Explain why what stands there is in the slice
    #[arg(long, value_name = "[FILE:]LINE[:COL]")]
    pub(crate) why: Option<String>,

    /// Write that to PATH; a directory, or a PATH without an extension, gets the modules of the
    /// slice, each in a file of its own
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Which exceptions count
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = CountedExceptions::Handled)]
    pub(crate) exceptions: CountedExceptions,

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

/// Which exceptions count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CountedExceptions {
    /// All that anybody may notice, also other processes that go on where one has failed
    All,
    /// Those inside of a `try` or `catch`; else processes do not fail, or nobody goes on then
    Handled,
    /// None: nothing fails
    None,
}

impl From<CountedExceptions> for Exceptions {
    fn from(counted: CountedExceptions) -> Exceptions {
        match counted {
            CountedExceptions::All => Exceptions::All,
            CountedExceptions::Handled => Exceptions::Handled,
            CountedExceptions::None => Exceptions::None,
        }
    }
}

// How small a slice is made.
#[derive(Args, Clone, Debug)]
pub(crate) struct Small {
    /// With --minimal: give what is left after this much time, such as 10s
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "minimal")]
    pub(crate) budget: Option<Duration>,

    /// With --minimal: take the inputs of FILE, a call such as `m:f(1, [a])` a line, and no others
    #[arg(long, value_name = "FILE", requires = "minimal")]
    pub(crate) inputs: Option<PathBuf>,

    /// With --minimal: write the inputs that it rests on to FILE: for --inputs, or, if it ends in
    /// .erl, as tests that the program passes
    #[arg(long, value_name = "FILE", requires = "minimal")]
    pub(crate) save_inputs: Option<PathBuf>,

    /// With --minimal: make other inputs
    #[arg(long, value_name = "N", default_value_t = 0, requires = "minimal")]
    pub(crate) seed: u64,

    /// With --minimal: try to delete pairs, too
    #[arg(long, requires = "minimal")]
    pub(crate) thorough: bool,

    /// With --minimal: write what is left in a simpler way: constants in place of variables, no
    /// choices of one clause, no parameters that nobody looks at
    #[arg(long, requires = "minimal")]
    pub(crate) simplify: bool,

    /// With --minimal: threads that judge together; 0 for as many as there are processors
    #[arg(long, short, value_name = "N", default_value_t = 0, requires = "minimal")]
    pub(crate) jobs: usize,
}

impl Small {
    pub(crate) fn request(&self) -> Minimal {
        Minimal {
            budget: self.budget,
            inputs: self.inputs.clone(),
            seed: self.seed,
            thorough: self.thorough,
            simplify: self.simplify,
            jobs: self.jobs,
            with_outcomes: self.save_inputs.is_some(),
            verify: 0,
        }
    }
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
