//! The paths of a function: for people, as JSON (`docs/json.md`), as a page, as JUnit, and as an
//! EUnit module.

mod html;
mod junit;

pub use html::html;
pub use junit::junit;

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;
use session::concolic::{
    Answer, Concretised, Failed, Incomplete, Kind, Ran, Solving, Source, Target,
};
use session::run::{Ending, Raised, name_of};
use syntax::wording::counted;

use crate::contracts::{Told, message};
use crate::endings;
use crate::json::{VERSION, to_line};
use crate::run::how;

/// What was found, for people. Inputs that fail come first.
pub fn text(what: &str, answer: &Answer, witnesses: &[Option<PathBuf>], all: bool) -> String {
    let mut text = String::new();
    for (failed, witness) in answer.errors.iter().zip(witnesses) {
        text.push_str(&told(failed));
        if let Some(witness) = witness {
            let _ = writeln!(text, "    erlscope replay {}", witness.display());
        }
    }
    if all {
        for ran in &answer.paths {
            let _ = writeln!(text, "{}\n    {}", ran.call, ending(&ran.ending));
        }
    }
    for taken in &answer.concretised {
        let _ = writeln!(text, "not followed: {}", concretised(taken));
    }
    if let Some(target) = &answer.target {
        let _ = writeln!(text, "{}", about_line(target, answer));
    }
    let _ = writeln!(text, "{}", summary(what, answer));
    for why in &answer.incomplete {
        let _ = writeln!(text, "  not every path: {}", incomplete(why, answer));
    }
    text
}

/// What was found out about a line.
fn about_line(target: &Target, answer: &Answer) -> String {
    let place = format!("{}:{}", target.at.file, target.at.line);
    let by = |call: &str| format!("{place} is reached by {call}");
    match (&target.reached, target.fails.and_then(|at| answer.errors.get(at))) {
        (_, Some(failed)) => format!("{}, and fails there", by(&failed.ran.call)),
        (Some(ran), None) if target.is_proven => {
            format!("{}, and nothing fails there, whatever the inputs", by(&ran.call))
        }
        (Some(ran), None) => by(&ran.call),
        (None, None) if target.is_proven => {
            format!("{place} cannot be reached, whatever the inputs of these types")
        }
        (None, None) => format!("{place} was not reached, but not every path was taken"),
    }
}

fn told(failed: &Failed) -> String {
    let place = match (&failed.file, failed.line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        _ => String::new(),
    };
    let what = match failed.kind {
        Kind::Raised => format!("{} {}{place}", failed.class, failed.reason),
        Kind::Process => format!("in a process: {} {}{place}", failed.class, failed.reason),
        Kind::Stuck => "stuck: every process waits for a message".to_owned(),
        Kind::Endless => format!("no end: {}", failed.reason),
        Kind::Contract => {
            let message = failed.broken.as_ref().map_or(String::new(), |it| message(it));
            let blame = failed.broken.as_ref().map_or("", |it| it.blame);
            format!("contract{place} ({blame}): {message}")
        }
        Kind::False => format!("the property does not hold: {}", failed.reason),
    };
    let what = match failed.by_schedule {
        true => format!("{what}, in another order of what processes do"),
        false => what,
    };
    let others = match failed.others {
        0 => String::new(),
        n => format!("    and on {}\n", counted(n, "other path")),
    };
    format!("{what}\n  {}\n{others}", failed.ran.call)
}

fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Returned(value) => format!("returns {value}"),
        Ending::Raised(Raised { exception, .. }) => {
            format!("{} {}", exception.class, exception.reason)
        }
        other => how(other),
    }
}

fn concretised(taken: &Concretised) -> String {
    let place = match (taken.module, taken.line) {
        (Some(module), Some(line)) => format!(" in {module}, line {line}"),
        (Some(module), None) => format!(" in {module}"),
        _ => String::new(),
    };
    format!("{}{place} ({})", taken.what, counted(taken.count, "time"))
}

fn summary(what: &str, answer: &Answer) -> String {
    let types = match answer.source {
        Some(Source::Spec) => ", by its spec",
        Some(Source::Inferred) => ", by what is inferred",
        None => "",
    };
    let paths = counted(answer.searched.paths, "path");
    let errors = match answer.errors.len() {
        0 => "none fails".to_owned(),
        n => counted(n as u64, "error"),
    };
    let covered = answer.branches.iter().filter(|branch| branch.reached).count();
    let branches = match answer.branches.len() {
        0 => String::new(),
        all => format!(", {covered} of {all} branches"),
    };
    let complete = match answer.is_complete() {
        true => "; these are all paths",
        false => "",
    };
    format!("{what}{types}: {paths}, {errors}{branches}{complete}")
}

fn incomplete(why: &Incomplete, answer: &Answer) -> String {
    let open = bound(why, answer.depth, answer.max_paths);
    match (why, answer.solver, &answer.searched.external_failure) {
        (Incomplete::Unknown(_), Solving::Own, _) => format!("{open} (--solver both asks z3)"),
        (Incomplete::Unknown(_), _, Some(failure)) => format!("{open}; {failure}"),
        _ => open,
    }
}

/// The same of a search of which only the bounds are known.
pub(crate) fn bound(why: &Incomplete, depth: usize, max_paths: u64) -> String {
    match why {
        Incomplete::Depth => {
            format!("decisions behind the first {depth} were not turned (--depth)")
        }
        Incomplete::Paths => format!("{max_paths} were taken (--max-paths)"),
        Incomplete::Stopped(bound) => endings::bound(bound),
        Incomplete::Found => "what was wanted was found".to_owned(),
        Incomplete::Steps => "the solver has used up what it may spend (--solver-steps)".to_owned(),
        Incomplete::Unknown(n) => {
            format!("the solver has no answer to {}", counted(*n, "question"))
        }
        Incomplete::Concretised => "values were taken as they were, see above".to_owned(),
        Incomplete::Departures(n) => {
            format!("{} went another way than predicted", counted(*n, "run"))
        }
        Incomplete::Runs(n) => format!("{} did not come to an end", counted(*n, "run")),
        Incomplete::Inputs => {
            "some inputs are not made up (native records, more than three different funs, large \
             values of generators)"
                .to_owned()
        }
        Incomplete::Schedules => "processes were not run in all orders".to_owned(),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    what: &'a str,
    types_from: Option<&'static str>,
    errors: Vec<JsonError<'a>>,
    paths: u64,
    runs: Vec<JsonRan<'a>>,
    branches: Branches,
    solver: Solver<'a>,
    concretised: Vec<JsonConcretised<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreachable: Option<JsonTarget<'a>>,
    complete: bool,
    bound: Vec<String>,
}

#[derive(Serialize)]
struct JsonError<'a> {
    kind: &'static str,
    class: &'a str,
    reason: &'a str,
    input: &'a str,
    /// `other` if it fails in another order than the usual one: the witness has it.
    schedule: Option<&'static str>,
    file: Option<&'a str>,
    line: Option<u32>,
    witness: Option<String>,
    other_paths: u64,
    /// The contract that does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<Told<'a>>,
}

#[derive(Serialize)]
struct JsonRan<'a> {
    input: &'a str,
    outcome: &'static str,
    value: Option<&'a str>,
}

#[derive(Serialize)]
struct Branches {
    covered: usize,
    all: usize,
}

#[derive(Serialize)]
struct Solver<'a> {
    name: &'static str,
    queries: u64,
    reused: u64,
    unsatisfiable: u64,
    unknown: u64,
    departures: u64,
    external: u64,
    external_answers: u64,
    external_failure: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonTarget<'a> {
    file: &'a str,
    line: u32,
    reached: bool,
    input: Option<&'a str>,
    fails: bool,
    /// Whether what was not met cannot be.
    proven: bool,
}

fn json_target<'a>(target: &'a Target, answer: &'a Answer) -> JsonTarget<'a> {
    let failed = target.fails.and_then(|at| answer.errors.get(at)).map(|failed| &failed.ran);
    let ran = failed.or(target.reached.as_ref());
    JsonTarget {
        file: &target.at.file,
        line: target.at.line,
        reached: ran.is_some(),
        input: ran.map(|ran| ran.call.as_str()),
        fails: failed.is_some(),
        proven: target.is_proven,
    }
}

#[derive(Serialize)]
struct JsonConcretised<'a> {
    function: &'a str,
    module: Option<&'a str>,
    line: Option<u32>,
    count: u64,
}

/// What was found, as one line of JSON.
pub fn json(what: &str, answer: &Answer, witnesses: &[Option<PathBuf>]) -> String {
    let searched = &answer.searched;
    let errors = answer.errors.iter().zip(witnesses);
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "concolic",
        what,
        types_from: answer.source.map(|source| match source {
            Source::Spec => "spec",
            Source::Inferred => "inferred",
        }),
        errors: errors.map(|(failed, witness)| json_error(failed, witness.as_ref())).collect(),
        paths: searched.paths,
        runs: answer.paths.iter().map(json_ran).collect(),
        branches: Branches {
            covered: answer.branches.iter().filter(|branch| branch.reached).count(),
            all: answer.branches.len(),
        },
        unreachable: answer.target.as_ref().map(|target| json_target(target, answer)),
        solver: Solver {
            name: match answer.solver {
                Solving::Own => "own",
                Solving::Z3 => "z3",
                Solving::Both => "both",
            },
            reused: searched.reused,
            external: searched.external,
            external_answers: searched.external_answers,
            external_failure: searched.external_failure.as_deref(),
            queries: searched.queries,
            unsatisfiable: searched.unsat,
            unknown: searched.unknown,
            departures: searched.departures + searched.wrong,
        },
        concretised: answer.concretised.iter().map(json_concretised).collect(),
        complete: answer.is_complete(),
        bound: answer.incomplete.iter().map(|why| incomplete(why, answer)).collect(),
    };
    format!("{}\n", to_line(&document))
}

fn json_error<'a>(failed: &'a Failed, witness: Option<&PathBuf>) -> JsonError<'a> {
    JsonError {
        kind: match failed.kind {
            Kind::Raised => "raised",
            Kind::Process => "process",
            Kind::Stuck => "stuck",
            Kind::Endless => "endless",
            Kind::False => "false",
            Kind::Contract => "contract",
        },
        contract: failed.broken.as_deref().map(crate::contracts::told),
        class: &failed.class,
        reason: &failed.reason,
        input: &failed.ran.call,
        schedule: failed.by_schedule.then_some("other"),
        file: failed.file.as_deref(),
        line: failed.line,
        witness: witness.map(|path| path.display().to_string()),
        other_paths: failed.others,
    }
}

fn json_ran(ran: &Ran) -> JsonRan<'_> {
    let value = match &ran.ending {
        Ending::Returned(value) => Some(value.as_str()),
        _ => None,
    };
    JsonRan { input: &ran.call, outcome: name_of(&ran.ending), value }
}

fn json_concretised(taken: &Concretised) -> JsonConcretised<'_> {
    JsonConcretised {
        function: &taken.what,
        module: taken.module.as_ref().map(|module| module.as_str()),
        line: taken.line,
        count: taken.count,
    }
}

/// An EUnit module with a test for each path: what returned returns the same, what failed fails.
pub fn tests(module: &str, what: &str, answer: &Answer) -> String {
    let name = atom::quote::atom(module);
    let mut text = format!(
        "%% One test for each path of {what} that was taken; those of errors fail.\n\
         -module({name}).\n\n-include_lib(\"eunit/include/eunit.hrl\").\n"
    );
    for (number, ran) in answer.paths.iter().enumerate() {
        let number = number + 1;
        let call = &ran.call;
        let _ = match &ran.ending {
            Ending::Returned(value) if can_be_written(value) => {
                writeln!(text, "\npath_{number}_test() ->\n    ?assertEqual({value}, {call}).")
            }
            Ending::Raised(Raised { exception, .. })
                if exception.class == "throw" && can_be_written(&exception.reason) =>
            {
                let reason = &exception.reason;
                writeln!(text, "\npath_{number}_test() ->\n    ?assertThrow({reason}, {call}).")
            }
            Ending::Raised(Raised { exception, .. }) => {
                let (class, reason) = (&exception.class, exception.reason.replace('\n', " "));
                writeln!(text, "\n%% {class}: {reason}\nbug_{number}_test() ->\n    {call}.")
            }
            _ => writeln!(text, "\npath_{number}_test() ->\n    {call}."),
        };
    }
    text
}

/// Whether the text of a value is an expression that has this value.
fn can_be_written(value: &str) -> bool {
    !["#Fun<", "#Ref<", "#Port<", "<0.", "..."].iter().any(|mark| value.contains(mark))
}
