//! The command line: a file for each command.

mod check;
mod compare;
mod concolic;
mod contracts;
mod coverage;
mod debug;
mod explain;
mod explore;
mod flow;
mod inputs;
mod parse;
mod reduce;
mod replay;
mod run;
mod shared;
mod slice;
mod test;
mod trace;
mod types;
mod values;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use check::{Check, CheckFormat};
pub(crate) use compare::{Compare, CompareFormat, SchedulesArgument};
pub(crate) use concolic::{
    Concolic, ConcolicFormat, ConcolicSchedules, ConcolicSolver, ConcolicStrategy,
};
pub(crate) use contracts::{Contracts, ContractsDeed, ContractsFormat, Prove, ProveFormat};
pub(crate) use coverage::{Coverage, CoverageFormat};
pub(crate) use debug::{AskedBy, Debug, DebugFormat};
pub(crate) use explain::{Explain, ExplainFormat};
pub(crate) use explore::{Explore, ExploreFormat, Searching};
pub(crate) use flow::{Flow, FlowFormat};
pub(crate) use inputs::{Inputs, InputsFormat};
pub(crate) use parse::{Parse, ParseFormat};
pub(crate) use reduce::{Reduce, ReduceFormat};
pub(crate) use replay::{Replay, ReplayFormat};
pub(crate) use run::{Run, RunFormat};
pub(crate) use shared::{Limiting, Running};
pub(crate) use slice::{Slice, SliceFormat};
pub(crate) use test::{Test, TestFormat};
pub(crate) use trace::{Trace, TraceFormat};
pub(crate) use types::{Types, TypesFormat};

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found, 1 something found, 2 wrong use or unreadable input,
            3 the end was not reached";

/// One instrument for looking into Erlang programs
#[derive(Parser, Debug)]
#[command(name = "erlscope", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub(crate) color: Color,
}

// Only the command that is asked for learns its options. (So what several commands share, `shared`,
// must not have documentation: it would take the place of the command's.)
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Check modules: all syntax and lint errors at once, shown in the source
    #[command(after_help = check::EXAMPLES)]
    Check(Check),
    /// Show how a module is read: its tree, its expansion, or OTP's abstract format
    #[command(after_help = parse::EXAMPLES)]
    Parse(Parse),
    /// Show the flow graph: calls, spawns, exceptions and messages between functions
    #[command(after_help = flow::EXAMPLES)]
    Flow(Flow),
    /// Show the part of a program that a value depends on, as a program
    #[command(after_help = slice::EXAMPLES)]
    Slice(Slice),
    /// Show what functions take and give, as specs for those that have none
    #[command(after_help = types::EXAMPLES)]
    Types(Types),
    /// Show the contracts of functions and behaviours, or sources without them
    #[command(after_help = contracts::EXAMPLES)]
    Contracts(Contracts),
    /// Make inputs for a function: those that make it fail, and those that reach most of it
    #[command(after_help = inputs::EXAMPLES)]
    Inputs(Inputs),
    /// Compare two versions of a program: inputs for which they do something else
    #[command(after_help = compare::EXAMPLES)]
    Compare(Compare),
    /// Take every path of a function: inputs for each, and those that fail
    #[command(after_help = concolic::EXAMPLES)]
    Concolic(Concolic),
    /// Run a function, or a script
    #[command(after_help = run::EXAMPLES)]
    Run(Run),
    /// Find what is wrong by answering questions about what a run did
    #[command(after_help = debug::EXAMPLES)]
    Debug(Debug),
    /// Show what happened in a run that was recorded
    #[command(after_help = trace::EXAMPLES)]
    Trace(Trace),
    /// Show what the tests exercise of the flow graph: expressions, clauses, guards, messages
    #[command(after_help = coverage::EXAMPLES)]
    Coverage(Coverage),
    /// Run a function under every schedule that can make a difference
    #[command(after_help = explore::EXAMPLES)]
    Explore(Explore),
    /// Run a witness of an error again
    #[command(after_help = replay::EXAMPLES)]
    Replay(Replay),
    /// Make a failing program small: its modules, its input and its schedule
    #[command(after_help = reduce::EXAMPLES)]
    Reduce(Reduce),
    /// Say what a kind of diagnostic or finding means, with a wrong and a right example
    #[command(after_help = explain::EXAMPLES)]
    Explain(Explain),
    /// Run EUnit, Common Test and properties
    #[command(after_help = test::EXAMPLES)]
    Test(Test),
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
