//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXIT_CODES: &str = "\
Exit codes: 0 nothing found, 1 something found, 2 wrong use or unreadable input,
            3 the end was not reached";

const CHECK_EXAMPLES: &str = "\
Examples:
  erlscope check                           the project in the current directory
  erlscope check src/server.erl            one module
  erlscope check --format short apps/      one line for each error
  erlscope check --format sarif > out.sarif
  erlscope check -I include -D TEST src    include directory and macro, as for erlc

Exit codes: 0 no errors, 1 errors (with --warnings-as-errors also warnings),
            2 wrong use or unreadable input, 3 interrupted";

const PARSE_EXAMPLES: &str = "\
Examples:
  erlscope parse server.erl                         the syntax tree
  erlscope parse server.erl --format source         the tree as Erlang again
  erlscope parse server.erl --format preprocessed   as erlc -P prints it
  erlscope parse server.erl --format abstract       OTP's abstract format, for file:consult/1
  erlscope parse -D DEBUG=1 - < server.erl          from standard input

Exit codes: 0 no errors, 1 the file has errors (they are on standard error),
            2 wrong use or unreadable input";

const FLOW_EXAMPLES: &str = "\
Examples:
  erlscope flow                              the project in the current directory
  erlscope flow server.erl --entry server:start/0
  erlscope flow --processes                  who starts whom, and who sends what to whom
  erlscope flow server.erl --explain         in which order the edges were found
  erlscope flow --format html > flow.html    a picture to pan, zoom and fold

Exit codes: 0 done, 1 a module has errors (they are on standard error; the graph is that of the
            rest), 2 wrong use or unreadable input";

const SLICE_EXAMPLES: &str = "\
Examples:
  erlscope slice bank.erl:42 Balance                 what the value of Balance on line 42 depends on
  erlscope slice bank.erl:42:13 Balance              the one in column 13
  erlscope slice bank.erl:42 Balance --highlight     in the whole text, the rest dimmed
  erlscope slice bank.erl:42 Balance --project .     through all modules of the project
  erlscope slice bank.erl:7 Amount --forward         what Amount on line 7 can influence
  erlscope slice bank.erl:7 Amount --to bank.erl:42:Balance
  erlscope slice bank.erl:42 Balance --why 17        why line 17 is in the slice

Exit codes: 0 done, 1 a module has errors, 2 wrong use or unreadable input";

const COVERAGE_EXAMPLES: &str = "\
Examples:
  erlscope coverage                            the project in the current directory, by its tests
  erlscope coverage src --tests test           these modules, by the tests in that directory
  erlscope coverage --tests test/bank_tests.erl --explore
                                               over all schedules of each test
  erlscope coverage m.erl --call 'm:main()'    by a call instead of tests
  erlscope coverage --format html > coverage.html
  erlscope coverage --format lcov > lcov.info

Exit codes: 0 done, 1 a test failed, 2 wrong use or unreadable input, 3 a bound was reached before
            the end";

const EXPLORE_EXAMPLES: &str = "\
Examples:
  erlscope explore ping_pong.erl ping_pong:pong       every schedule of one function
  erlscope explore . 'stock:buy(3)'                   of a call
  erlscope explore --tests                            every EUnit test of the project
  erlscope explore . m:f --witnesses found            files for erlscope replay
  erlscope explore . m:f --format html -o found.html  stories, diagrams and source in a page
  erlscope explore . m:f --treat-as-normal oops --ignore deadlock

Exit codes: 0 no schedule fails, 1 errors were found, 2 wrong use or unreadable input,
            3 the end was not reached (a bound, or something that is not supported)";

const RUN_EXAMPLES: &str = "\
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

const TRACE_EXAMPLES: &str = "\
Examples:
  erlscope run --trace bank.trace examples/bank 'bank:main()'
  erlscope trace bank.trace                              what happened, an event a line
  erlscope trace bank.trace --process 81 --kind send,receive
  erlscope trace bank.trace --at account:44              at a line of a module
  erlscope trace bank.trace --before 30                  what may have led to event 30
  erlscope trace bank.trace --format json | jq .kind

Exit codes: 0 done, 2 wrong use or unreadable input, 3 the trace was cut off";

const DELIVERY: &str = "How signals travel between processes";

const TEST_EXAMPLES: &str = "\
Examples:
  erlscope test                              all tests of the project in the current directory
  erlscope test test/bank_tests.erl          one module
  erlscope test --filter bank_tests:deposit  tests whose name matches
  erlscope test --format junit > tests.xml   for a CI server
  erlscope test --seed 3                     another order of the processes

Exit codes: 0 all tests passed, 1 some did not, 2 wrong use or unreadable input, 3 a bound was
            reached before the end";

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

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Check modules: all syntax and lint errors at once, shown in the source
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Show how a module is read: its tree, its expansion, or OTP's abstract format
    #[command(after_help = PARSE_EXAMPLES)]
    Parse(Parse),
    /// Show the flow graph: calls, spawns, exceptions and messages between functions
    #[command(after_help = FLOW_EXAMPLES)]
    Flow(Flow),
    /// Show the part of a program that a value depends on, as a program
    #[command(after_help = SLICE_EXAMPLES)]
    Slice(Slice),
    /// Run a function, or a script
    #[command(after_help = RUN_EXAMPLES)]
    Run(Run),
    /// Show what happened in a run that was recorded
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(Trace),
    /// Show what the tests exercise of the flow graph: expressions, clauses, guards, messages
    #[command(after_help = COVERAGE_EXAMPLES)]
    Coverage(Coverage),
    /// Run a function under every schedule that can make a difference
    #[command(after_help = EXPLORE_EXAMPLES)]
    Explore(Explore),
    /// Run a witness of an error again
    Replay(Replay),
    /// Run EUnit and Common Test
    #[command(after_help = TEST_EXAMPLES)]
    Test(Test),
    /// Print a completion script for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to show what is found
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub(crate) format: CheckFormat,

    #[command(flatten)]
    pub(crate) reading: Reading,

    /// Let warnings fail the check, as errors do
    #[arg(long)]
    pub(crate) warnings_as_errors: bool,

    /// Show errors only
    #[arg(long, conflicts_with = "warnings_as_errors")]
    pub(crate) no_warnings: bool,

    /// Read everything with this rebar3 profile
    #[arg(long = "profile", value_name = "NAME")]
    pub(crate) profiles: Vec<String>,

    /// Leave out modules in test directories
    #[arg(long)]
    pub(crate) no_tests: bool,

    /// How many modules are read at the same time [default: number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,
}

#[derive(Args, Debug)]
pub(crate) struct Parse {
    /// The file to read; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What to print
    #[arg(long, value_enum, default_value_t = ParseFormat::Tree)]
    pub(crate) format: ParseFormat,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

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

    /// Write what happens to FILE, for `erlscope trace` and others
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,

    /// In the trace: calls inside of libraries, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_all: bool,

    /// In the trace: every expression, clause and condition that is reached, too
    #[arg(long, requires = "trace")]
    pub(crate) trace_nodes: bool,

    /// Do what the schedule in FILE says: one that was saved, a trace, or a witness; without PATH and
    /// CALL, those that it was made with
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

#[derive(Args, Debug)]
pub(crate) struct Explore {
    /// Files, directories or projects, then a function such as `m:f`, or a call
    #[arg(value_name = "PATH… FUNCTION")]
    pub(crate) what: Vec<String>,

    /// Explore every EUnit test of the program, one after the other; 10,000 executions each unless
    /// --max-executions says otherwise
    #[arg(long)]
    pub(crate) tests: bool,

    /// With --tests: only tests with a matching name (module:function); text or a regular expression
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

    #[command(flatten)]
    pub(crate) searching: Searching,

    /// Stop at the first execution with an error
    #[arg(long)]
    pub(crate) first: bool,

    /// An exit reason (or the first element of one) that is no error
    #[arg(long, value_name = "REASON")]
    pub(crate) treat_as_normal: Vec<String>,

    /// A kind of error that is not told: abnormal_exit, assertion, killed, deadlock, endless, halted
    #[arg(long, value_name = "KIND", value_parser = clap::builder::PossibleValuesParser::new(explore::finding::Kind::NAMES), hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Tell also what depends on the schedule although nothing fails because of it
    #[arg(long)]
    pub(crate) warnings: bool,

    /// Tell every step of a schedule, also those of the library
    #[arg(long)]
    pub(crate) all_steps: bool,

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

/// How `explore` searches.
#[derive(Args, Debug)]
pub(crate) struct Searching {
    /// Workers that explore together; 0 for as many as there are processors
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,

    /// Stop a process that could go on at most this often; first without, then once, and so on
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

#[derive(Args, Debug)]
pub(crate) struct Trace {
    /// A file that `run --trace` wrote; `-` is standard input
    pub(crate) file: PathBuf,

    /// How to show events
    #[arg(long, value_enum, default_value_t = TraceFormat::Text)]
    pub(crate) format: TraceFormat,

    /// Only events of this process, such as 80 or <0.80.0>; may be repeated
    #[arg(long = "process", value_name = "PID", value_parser = pid)]
    pub(crate) processes: Vec<u64>,

    /// Only events of these kinds, such as send,receive [default: all but deliver, access, node and turn]
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    pub(crate) kinds: Vec<String>,

    /// Events of all kinds
    #[arg(long, conflicts_with = "kinds")]
    pub(crate) all: bool,

    /// Only events at this place, or in library code that was called from there; may be repeated
    #[arg(long = "at", value_name = "MODULE[:LINE[:COLUMN]]")]
    pub(crate) places: Vec<String>,

    /// Only what happened before event N, and so may have had an influence on it
    #[arg(long, value_name = "N")]
    pub(crate) before: Option<u64>,

    /// With JSON: the vector clock of each event
    #[arg(long)]
    pub(crate) clocks: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Coverage {
    /// Files, directories or projects to be measured [default: where the tests are, else the project
    /// in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Where the tests are: files, directories or projects [default: PATH]
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) tests: Vec<PathBuf>,

    /// Run a call such as `m:f()` instead of tests; may be repeated
    #[arg(long = "call", value_name = "CALL", conflicts_with = "tests")]
    pub(crate) calls: Vec<String>,

    /// Run only tests with a matching name, as `test` does
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Option<String>,

    /// Run each test function, or call, under every schedule that can make a difference
    #[arg(long)]
    pub(crate) explore: bool,

    /// With --explore: how many executions of each test
    #[arg(long, value_name = "N", default_value_t = 1_000, requires = "explore")]
    pub(crate) max_executions: u64,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY, conflicts_with = "explore")]
    pub(crate) delivery: DeliveryMode,

    /// How to show the result
    #[arg(long, value_enum, default_value_t = CoverageFormat::Text)]
    pub(crate) format: CoverageFormat,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// A file that `explore --witnesses` or `run --save-schedule` wrote, or a trace
    pub(crate) witness: PathBuf,

    /// How to tell it
    #[arg(long, value_enum, default_value_t = ReplayFormat::Text)]
    pub(crate) format: ReplayFormat,

    /// Write that to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Tell every step, also those of the library
    #[arg(long)]
    pub(crate) all_steps: bool,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Files, directories or projects [default: the project in the current directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Run only tests with a matching name: module:function, or suite:group:case; text or a regular
    /// expression
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Option<String>,

    /// How to show the results
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(crate) format: TestFormat,

    /// Show every test, and all output
    #[arg(long, short)]
    pub(crate) verbose: bool,

    #[arg(long, value_enum, default_value_t = DeliveryMode::Instant, help = DELIVERY)]
    pub(crate) delivery: DeliveryMode,

    #[command(flatten)]
    pub(crate) running: Running,

    #[command(flatten)]
    pub(crate) reading: Reading,
}

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
}

#[derive(Args, Debug)]
pub(crate) struct Slice {
    /// Where the variable stands
    #[arg(value_name = "FILE:LINE[:COL]")]
    pub(crate) place: String,

    #[arg(value_name = "VAR")]
    pub(crate) variable: String,

    /// Which of several on the line, from 1
    #[arg(long, value_name = "N")]
    pub(crate) occurrence: Option<u32>,

    /// Show what the value can influence, not what it depends on
    #[arg(long)]
    pub(crate) forward: bool,

    /// Show what lies between the value and this one
    #[arg(long, value_name = "FILE:LINE[:COL]:VAR", conflicts_with = "forward")]
    pub(crate) to: Option<String>,

    /// Another value to slice for at once; may be repeated
    #[arg(long, value_name = "FILE:LINE[:COL]:VAR")]
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

    /// Explain why what stands there is in the slice
    #[arg(long, value_name = "[FILE:]LINE[:COL]")]
    pub(crate) why: Option<String>,

    /// Write the modules of the slice into this directory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["highlight", "why"])]
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
}

/// How programs are run; the same for every command that runs them.
#[derive(Args, Clone, Debug)]
pub(crate) struct Running {
    /// Let processes take turns at random, by the numbers that this one leads to
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stop after this many function calls; `test` counts them for each test
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Stop at this much memory, such as 500M or 2G [default: three quarters of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    /// Stop after this much time, such as 10s or 2m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,

    /// Stop after this much of the program's own time, which stands still while it computes
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,

    /// What the program may reach beside its own directories, the current one and that for temporary
    /// files: all, none, read, read=PATH, write, write=PATH, env, env=NAME
    #[arg(long = "allow", value_name = "WHAT")]
    pub(crate) allowed: Vec<String>,

    /// Use OTP's own version of library modules where it is installed
    #[arg(long)]
    pub(crate) prefer_otp: bool,
}

impl Run {
    /// A run of what a schedule names.
    pub(crate) fn again(running: Running, reading: Reading) -> Run {
        Run {
            what: Vec::new(),
            arguments: Vec::new(),
            print: false,
            format: RunFormat::Text,
            trace: None,
            trace_all: false,
            trace_nodes: false,
            schedule: None,
            save_schedule: None,
            delivery: DeliveryMode::Instant,
            running,
            reading,
        }
    }
}

/// How source text is read; the same for every command that reads it.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reading {
    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include_dirs: Vec<PathBuf>,

    /// Define a macro; VALUE is an Erlang term, `true` if absent
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = define)]
    pub(crate) defines: Vec<(String, Option<String>)>,

    /// Enable a language feature, as -feature(NAME, enable) does
    #[arg(long = "enable-feature", value_name = "NAME")]
    pub(crate) features: Vec<String>,

    /// Use the Erlang/OTP in DIR for -include_lib [default: the one of `erl` on the PATH]
    #[arg(long, value_name = "DIR", conflicts_with = "no_otp")]
    pub(crate) otp: Option<PathBuf>,

    /// Use no Erlang/OTP installation
    #[arg(long)]
    pub(crate) no_otp: bool,

    /// The release that ?OTP_RELEASE names [default: that of the OTP in use]
    #[arg(long, value_name = "N")]
    pub(crate) otp_release: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Source excerpts
    Text,
    /// One line each.
    #[value(help = "file:line:column: severity: message [code]")]
    Short,
    /// See docs/json.md
    Json,
    /// SARIF 2.1.0
    Sarif,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CoverageFormat {
    /// A table, and what is not covered
    Text,
    /// See docs/json.md
    Json,
    /// A tracefile of lcov
    Lcov,
    /// Cobertura's XML
    Cobertura,
    /// One page with the source
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RunFormat {
    /// As the Erlang shell would, with the source
    Text,
    /// See docs/json.md
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TraceFormat {
    /// One line for each event
    Text,
    /// One JSON object on a line for each event, see docs/trace.md
    Json,
}

/// How signals travel between processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeliveryMode {
    /// They arrive when they are sent
    Instant,
    /// They arrive at any time, in order between two processes; `--seed` decides
    Any,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReplayFormat {
    /// The steps, and what is wrong at the end
    Text,
    /// A sequence diagram
    Svg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TestFormat {
    /// What failed, with the source
    Text,
    /// See docs/json.md
    Json,
    /// JUnit XML
    Junit,
}

/// `80`, `<0.80.0>`
fn pid(text: &str) -> Result<u64, String> {
    let inner = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let number = match inner.map(|inner| inner.split('.').collect::<Vec<_>>()) {
        Some(parts) => match parts[..] {
            ["0", number, "0"] => number.parse().ok(),
            _ => None,
        },
        None => text.parse().ok(),
    };
    number.ok_or_else(|| format!("`{text}` is no process such as 80 or <0.80.0>"))
}

fn kind(text: &str) -> Result<String, String> {
    if trace::event::KINDS.contains(&text) {
        return Ok(text.to_owned());
    }
    Err(format!("`{text}` is none of {}", trace::event::KINDS.join(", ")))
}

/// `500M`, `2G`, `1000000`.
fn size(text: &str) -> Result<u64, String> {
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.trim_end_matches('B').trim_end_matches('I');
    let (number, factor) = match digits.chars().last() {
        Some('K') => (&digits[..digits.len() - 1], 1 << 10),
        Some('M') => (&digits[..digits.len() - 1], 1 << 20),
        Some('G') => (&digits[..digits.len() - 1], 1 << 30),
        _ => (digits, 1),
    };
    let number: Option<u64> = number.trim().parse().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| format!("`{text}` is no size such as 500M or 2G"))
}

/// `10s`, `500ms`, `2m`, `1h`, or seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let number: Option<f64> = digits.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number * factor).ok())
        .ok_or_else(|| format!("`{text}` is no time such as 10s, 500ms or 2m"))
}

fn define(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    let first = name.chars().next();
    let is_name = first.is_some_and(|c| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '@');
    if is_name { Ok((name.to_string(), value)) } else { Err(format!("`{name}` is no macro name")) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::CommandFactory;

    use super::{Arguments, define, duration, size};

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("17"), Ok(17));
        assert!(size("0").is_err() && size("M").is_err() && size("99999999999G").is_err());
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(
            duration("-1s").is_err() && duration("5 parsecs").is_err() && duration("").is_err()
        );
    }

    #[test]
    fn macro_definitions() {
        assert_eq!(define("A"), Ok(("A".into(), None)));
        assert_eq!(define("a_1="), Ok(("a_1".into(), Some(String::new()))));
        assert_eq!(define("A={b,1}=c"), Ok(("A".into(), Some("{b,1}=c".into()))));
        assert!(define("1A").is_err());
        assert!(define("=x").is_err());
    }
}
