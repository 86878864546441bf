//! The `erlscope` command: reads the command line, calls the crates that do the work, and hands
//! what they found to `report`. No logic lives here.

mod args;
mod check;
mod coverage;
mod exit;
mod explain;
mod explore;
mod flow;
mod front_end;
mod guard;
mod limits;
mod output;
mod parse;
mod progress;
mod run;
mod slice;
mod test;
mod trace_view;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Arguments, Command};
use exit::Exit;

#[global_allocator]
static ALLOCATOR: guard::Counted = guard::Counted;

fn main() -> ExitCode {
    // Wrong use ends here: the message is on standard error and the exit code is 2.
    let arguments = Arguments::parse();
    limits::begin(&arguments.command);
    let result = match &arguments.command {
        Command::Check(check) => check::run(check, arguments.color),
        Command::Parse(parse) => parse::run(parse),
        Command::Flow(flow) => flow::run(flow),
        Command::Slice(slice_arguments) => slice::run(slice_arguments, arguments.color),
        Command::Run(run) => return run::run(run, arguments.color),
        Command::Trace(trace) => trace_view::run(trace),
        Command::Coverage(coverage) => return coverage::run(coverage),
        Command::Explain(explain) => return exit::told(explain::run(explain, arguments.color)),
        Command::Explore(arguments) => return explore::explore(arguments),
        Command::Replay(replay) => return explore::replay(replay, arguments.color),
        Command::Test(test) => return test::run(test, arguments.color),
        Command::Completions { shell } => {
            let mut command = Arguments::command();
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command, "erlscope", &mut script);
            output::write_all(&script).map(|()| Exit::NothingFound)
        }
    };
    result.unwrap_or_else(|error| output::failed(&error)).into()
}
