//! The `erlscope` command: reads the command line, asks `session`, and shows the answer in the
//! words of `report`. No logic lives here.

mod args;
mod check;
mod compare;
mod concolic;
mod contracts;
mod coverage;
mod debug;
mod exit;
mod explain;
mod explore;
mod flow;
mod front;
mod guard;
mod inputs;
mod java;
mod limits;
mod output;
mod parse;
mod progress;
mod reduce;
mod replay;
mod revision;
mod run;
mod slice;
mod test;
mod trace_view;
mod types;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Arguments, Command};
use exit::Exit;
use front::Failure;

#[global_allocator]
static ALLOCATOR: guard::Counted = guard::Counted;

fn main() -> ExitCode {
    // Wrong use ends here: the message is on standard error and the exit code is 2.
    let arguments = Arguments::parse();
    limits::begin(&arguments.command);
    let color = arguments.color;
    let result = match &arguments.command {
        Command::Check(check) => check::run(check, color),
        Command::Parse(parse) => parse::run(parse),
        Command::Flow(flow) => flow::run(flow),
        Command::Slice(slice) => slice::run(slice, color),
        Command::Trace(trace) => trace_view::run(trace),
        Command::Types(types) => types::run(types, color),
        Command::Contracts(contracts) => contracts::run(contracts),
        Command::Coverage(coverage) => coverage::run(coverage),
        Command::Debug(debug) => debug::run(debug, color),
        Command::Explain(explain) => explain::run(explain, color),
        Command::Explore(explore) => explore::run(explore),
        Command::Inputs(inputs) => inputs::run(inputs),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Concolic(concolic) => concolic::run(concolic),
        Command::Reduce(reduce) => reduce::run(reduce),
        Command::Test(test) => test::run(test, color),
        Command::Completions { shell } => completions(*shell),
        // These may end with the status of the program.
        Command::Run(run) => return with_code(run::run(run, color)),
        Command::Replay(replay) => return with_code(replay::run(replay, color)),
    };
    front::exit_of(result).into()
}

fn with_code(result: Result<u8, Failure>) -> ExitCode {
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => front::exit_of(Err(failure)).into(),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<Exit, Failure> {
    let mut command = Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "erlscope", &mut script);
    output::write_all(&script)?;
    Ok(Exit::NothingFound)
}
