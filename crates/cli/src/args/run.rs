//! `erlscope run`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{DELIVERY, DeliveryMode, Reading, Running, Tracing};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope run 'bank:start()'                  a function of the project in the current directory
  erlscope run src/bank.erl 'bank:balance(7)'  of one file and what stands beside it
  erlscope run script.escript -- a b           main([\"a\", \"b\"]) of a script
  erlscope run fib.erl                         main() of a module
  erlscope run --print 'lists:seq(1, 5)'       with the value of the call
  erlscope run --seed 7 'bank:start()'         another order of the processes, the same every time
  erlscope run --trace t 'bank:start()'        what happens, into a file for `erlscope trace`
  erlscope run --schedule t                    the same run again

Exit codes: 0 the call returned, 1 it failed or nobody could go on, 2 wrong use or unreadable
            input, 3 a bound was reached or something is not supported; halt(N) gives N";

#[derive(Args, Debug)]
pub(crate) struct Run {
    /// Files, directories or projects, then a call such as `m:f(1, [a])`; without a call, the one
    /// FILE is run: `main/1` with ARGS if it is a script, else `main/0`
    #[arg(value_name = "PATH… CALL")]
    pub(crate) what: Vec<String>,

    /// What a script is given
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) arguments: Vec<String>,

    /// Print the value of the call
    #[arg(long, short)]
    pub(crate) print: bool,

    /// How to tell how it ended; with `json` the program's output is part of the document
    #[arg(long, value_enum, default_value_t = RunFormat::Text)]
    pub(crate) format: RunFormat,

    #[command(flatten)]
    pub(crate) tracing: Tracing,

    /// Do what the schedule in FILE says: one that was saved, a trace, or a witness; without PATH
    /// and CALL, those that it was made with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "delivery"])]
    pub(crate) schedule: Option<PathBuf>,

    /// Write the schedule of the run to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) save_schedule: Option<PathBuf>,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY)]
    pub(crate) delivery: DeliveryMode,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RunFormat {
    /// As the Erlang shell would, with the source
    Text,
    /// See docs/json.md
    Json,
}
