//! The limits of a command as its options say, and what is told where nothing more than that it was
//! cut can be.

use std::path::PathBuf;

use report::{Format, Problem, Report};
use session::Kept;

use crate::args::{
    CheckFormat, Command, CompareFormat, ConcolicFormat, Contracts, ContractsDeed, ContractsFormat,
    CoverageFormat, DebugFormat, ExploreFormat, FlowFormat, InputsFormat, Limiting, ParseFormat,
    ProveFormat, ReduceFormat, RunFormat, Running, SliceFormat, TraceFormat, TypesFormat,
};
use crate::exit::Exit;
use crate::guard::{self, Limits, Told};

/// Begins to watch a command.
pub(crate) fn begin(command: &Command) {
    let running =
        |running: &Running| Limits { timeout: running.timeout, memory: running.max_memory };
    let limiting =
        |limiting: &Limiting| Limits { timeout: limiting.timeout, memory: limiting.max_memory };
    let plain = |is_json: bool, name| if is_json { Cut::Json(name) } else { Cut::Nothing };
    let (limits, cut) = match command {
        Command::Check(check) => {
            (limiting(&check.limiting), Cut::Check(format_of(check.format), check.paths.clone()))
        }
        Command::Parse(parse) => {
            (limiting(&parse.limiting), plain(parse.format == ParseFormat::Json, "parse"))
        }
        Command::Flow(flow) => {
            (limiting(&flow.limiting), plain(flow.format == FlowFormat::Json, "flow"))
        }
        Command::Slice(slice) => {
            (limiting(&slice.limiting), plain(slice.format == SliceFormat::Json, "slice"))
        }
        Command::Reduce(reduce) => {
            (limiting(&reduce.limiting), plain(reduce.format == ReduceFormat::Json, "reduce"))
        }
        Command::Trace(trace) => {
            (limiting(&trace.limiting), plain(trace.format == TraceFormat::Json, "trace"))
        }
        Command::Types(types) => {
            (limiting(&types.limiting), plain(types.format == TypesFormat::Json, "types"))
        }
        Command::Contracts(Contracts { deed: Some(ContractsDeed::Prove(prove)), .. }) => {
            let is_json = prove.format == ProveFormat::Json;
            (limiting(&prove.limiting), plain(is_json, "contracts prove"))
        }
        Command::Contracts(contracts) => {
            let is_json = contracts.format == ContractsFormat::Json;
            (limiting(&contracts.limiting), plain(is_json, "contracts"))
        }
        Command::Run(run) if run.format == RunFormat::Json => (running(&run.running), Cut::Run),
        Command::Run(run) => (running(&run.running), Cut::Nothing),
        Command::Coverage(coverage) => {
            (running(&coverage.running), plain(coverage.format == CoverageFormat::Json, "coverage"))
        }
        Command::Inputs(inputs) => {
            (running(&inputs.running), plain(inputs.format == InputsFormat::Json, "inputs"))
        }
        Command::Compare(compare) => {
            (running(&compare.running), plain(compare.format == CompareFormat::Json, "compare"))
        }
        Command::Concolic(concolic) => {
            (running(&concolic.running), plain(concolic.format == ConcolicFormat::Json, "concolic"))
        }
        Command::Debug(debug) if debug.format == DebugFormat::Json => {
            (running(&debug.running), Cut::Debug)
        }
        Command::Debug(debug) => (running(&debug.running), Cut::Nothing),
        // These leave more than that.
        Command::Explore(explore) => {
            (running(&explore.running), plain(explore.format == ExploreFormat::Json, "explore"))
        }
        Command::Test(test) => (running(&test.running), Cut::Nothing),
        Command::Replay(replay) => (running(&replay.running), Cut::Nothing),
        Command::Explain(_) | Command::Completions { .. } => return,
    };
    guard::begin(limits, move |why| cut.text(why));
}

pub(crate) fn format_of(format: CheckFormat) -> Format {
    match format {
        CheckFormat::Text => Format::Text,
        CheckFormat::Short => Format::Short,
        CheckFormat::Json => Format::Json,
        CheckFormat::Sarif => Format::Sarif,
    }
}

/// What a limit kept `check` from doing.
pub(crate) fn problem(paths: &[PathBuf], why: &str) -> Problem {
    let path = paths.first().map_or_else(|| ".".to_owned(), |path| path.display().to_string());
    Problem { path, message: why.to_owned() }
}

/// What is told of a run that does not stop by itself: its output so far.
pub(crate) fn cut_run(why: &str, kept: &Kept) -> Told {
    let (output, error_output) = kept.so_far();
    let exit = Exit::Incomplete;
    Told { text: report::run::cut(why, exit.code(), &output, &error_output), exit }
}

/// The document that says that there is none.
enum Cut {
    Nothing,
    Json(&'static str),
    Run,
    Debug,
    Check(Format, Vec<PathBuf>),
}

impl Cut {
    fn text(&self, why: &str) -> String {
        match self {
            Cut::Nothing => String::new(),
            Cut::Json(command) => report::cut::json(command, why),
            Cut::Debug => report::cut::debug(why),
            Cut::Run => cut_run(why, &Kept::default()).text,
            Cut::Check(format, paths) => {
                let mut text = Vec::new();
                let report = Report::begin(&mut text, *format, "check");
                let problems = [problem(paths, why)];
                let _ = report.and_then(|report| report.finish(&problems, false));
                String::from_utf8(text).unwrap_or_default()
            }
        }
    }
}
