//! `erlscope explore`: its options.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::shared::{DeliveryMode, Reading, Running, Telling};

pub(super) const EXAMPLES: &str = "\
Examples:
  erlscope explore ping_pong.erl ping_pong:pong       every schedule of one function
  erlscope explore . 'stock:buy(3)'                   of a call
  erlscope explore --tests                            every EUnit test of the project
  erlscope explore . m:f --witnesses found            files for erlscope replay
  erlscope explore . m:f --format html -o found.html  stories, diagrams and source in a page
  erlscope explore . m:f --treat-as-normal oops --ignore deadlock

Exit codes: 0 no schedule fails, 1 errors were found, 2 wrong use or unreadable input,
            3 the end was not reached (a bound, or something that is not supported)";

#[derive(Args, Debug)]
pub(crate) struct Explore {
    /// Files, directories or projects, then a function such as `m:f`, or a call
    #[arg(value_name = "PATH… FUNCTION")]
    pub(crate) what: Vec<String>,

    /// Explore every EUnit test of the program, and some cases of every property, one after the
    /// other; 10,000 executions each unless --max-executions says otherwise
    #[arg(long)]
    pub(crate) tests: bool,

    /// With --tests: only tests with a matching name (module:function); text or a regular
    /// expression
    #[arg(long, value_name = "PATTERN", requires = "tests")]
    pub(crate) filter: Option<String>,

    /// Stop after this many executions
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,

    /// How many events an execution may have
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) max_depth: usize,

    /// Let `after` give up only if its time is less than this, in milliseconds
    #[arg(long, value_name = "MS")]
    pub(crate) after_limit: Option<u64>,

    /// How messages travel between processes
    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant)]
    pub(crate) delivery: DeliveryMode,

    /// Let two processes also read the same time from clocks that count microseconds
    #[arg(long)]
    pub(crate) equal_times: bool,

    #[command(flatten)]
    pub(crate) searching: Searching,

    /// Stop at the first execution with an error
    #[arg(long)]
    pub(crate) first: bool,

    /// An exit reason (or the first element of one) that is no error
    #[arg(long, value_name = "REASON")]
    pub(crate) treat_as_normal: Vec<String>,

    /// A kind of error that is not told: abnormal_exit, assertion, contract, killed, deadlock,
    /// endless, halted
    #[arg(long, value_name = "KIND", hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(session::explore::Kind::NAMES))]
    pub(crate) ignore: Vec<String>,

    /// Tell also what depends on the schedule although nothing fails because of it
    #[arg(long)]
    pub(crate) warnings: bool,

    /// Tell every step of a schedule, also those of the library
    #[arg(long)]
    pub(crate) all_steps: bool,

    #[command(flatten)]
    pub(crate) telling: Telling,

    /// Write a line of JSON for each execution to FILE, as it comes: what it came to, and its
    /// schedule
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Tell failed assertions only
    #[arg(long)]
    pub(crate) assertions_only: bool,

    /// Write a witness of each error to a file in DIR [default: erlscope-witnesses]
    #[arg(long, value_name = "DIR")]
    pub(crate) witnesses: Option<PathBuf>,

    /// Write no witnesses
    #[arg(long, conflicts_with = "witnesses")]
    pub(crate) no_witnesses: bool,

    /// How to tell what was found
    #[arg(long, value_enum, default_value_t = ExploreFormat::Text)]
    pub(crate) format: ExploreFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

// How `explore` searches.
#[derive(Args, Debug)]
pub(crate) struct Searching {
    /// Workers that explore together; 0 for as many as there are processors (one with
    /// --preemptions)
    #[arg(long, short, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,

    /// All executions in which a process that could go on is stopped at most this often, the
    /// cheapest first
    #[arg(long, value_name = "N", conflicts_with_all = ["delays", "random", "save", "resume"])]
    pub(crate) preemptions: Option<u32>,

    /// Leave the usual order at most this often; first never, then once, and so on
    #[arg(long, value_name = "N", conflicts_with_all = ["random", "save", "resume"])]
    pub(crate) delays: Option<u32>,

    /// This many executions at random (PCT), from the number that --seed says
    #[arg(long, value_name = "N", conflicts_with_all = ["save", "resume"])]
    pub(crate) random: Option<u64>,

    /// With --random: how many steps in the right order an error may need
    #[arg(long, value_name = "N", default_value_t = 3, requires = "random")]
    pub(crate) bug_depth: u32,

    /// If the search does not come to its end, write what is left to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Go on with a search that --save wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExploreFormat {
    /// Each error with its story
    Text,
    /// See docs/json.md
    Json,
    /// A page with stories, sequence diagrams and source
    Html,
    /// JUnit XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
}
