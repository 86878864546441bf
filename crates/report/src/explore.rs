//! What an exploration found, as JSON. `docs/json.md` documents the shape.

use serde::Serialize;

use crate::json::{VERSION, to_line};

/// A whole exploration.
#[derive(Clone, Debug, Serialize)]
pub struct Explored {
    pub version: u32,
    pub tool: &'static str,
    pub tool_version: &'static str,
    pub command: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
    /// With `--tests`: each test.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestFigures>,
}

/// What an exploration of one test of many came to; its findings are with those of the others.
#[derive(Clone, Debug, Serialize)]
pub struct TestFigures {
    pub call: String,
    pub executions: u64,
    pub erroneous: u64,
    pub complete: bool,
    pub incomplete_because: Option<String>,
    /// How many findings it has.
    pub found: usize,
}

#[derive(Clone, Default, Debug, Serialize)]
pub struct Figures {
    pub call: String,
    /// How many executions were explored.
    pub executions: u64,
    /// In how many of them something was found.
    pub erroneous: u64,
    /// Executions that were begun and turned out to be like others.
    pub redundant: u64,
    pub events: u64,
    /// Whether these are all executions that differ.
    pub complete: bool,
    pub incomplete_because: Option<String>,
    /// Files of the project that were read although only others were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also_read: Vec<String>,
    pub findings: Vec<Finding>,
    /// What depends on the schedule although nothing fails because of it, if asked for.
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Warning {
    /// `message_order`, `name` or `race`.
    pub kind: &'static str,
    pub message: String,
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Of which exploration.
    pub call: String,
    /// `abnormal_exit`, `assertion`, `killed`, `deadlock`, `endless`, `halted`.
    pub kind: &'static str,
    pub message: String,
    /// How many executions show it.
    pub count: u64,
    /// The file that `erlscope replay` runs again.
    pub witness: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Of the schedule in the witness.
    pub preemptions: usize,
    /// The steps that matter, in their order.
    pub story: Vec<StoryStep>,
    /// With `--show-races`: which of them could have come in the other order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub races: Vec<Race>,
}

#[derive(Clone, Debug, Serialize)]
pub struct StoryStep {
    /// The name of the process.
    pub process: String,
    /// `null` for a timer.
    pub pid: Option<String>,
    pub what: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Whether this is what went wrong.
    pub failing: bool,
}

/// Two steps of a story that could have come in the other order.
#[derive(Clone, Debug, Serialize)]
pub struct Race {
    pub first: RaceStep,
    pub second: RaceStep,
    /// What both are about.
    pub about: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct RaceStep {
    pub process: String,
    pub what: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// An execution in a log.
#[derive(Clone, Debug, Serialize)]
pub struct LoggedExecution<'a> {
    pub call: &'a str,
    /// From 1 on.
    pub execution: u64,
    /// `ok` or `error`.
    pub result: &'static str,
    /// `finished`, `halted`, `unsupported`, `spins`, `too_deep` or `repeats`.
    pub end: &'static str,
    pub events: usize,
    pub preemptions: usize,
    pub findings: Vec<LoggedFinding>,
    /// Who acts, as in a witness.
    pub schedule: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct LoggedFinding {
    pub kind: &'static str,
    /// With processes by their identifiers.
    pub message: String,
}

impl LoggedExecution<'_> {
    pub fn to_line(&self) -> String {
        format!("{}\n", to_line(self))
    }
}

/// Lines of a source file.
#[derive(Clone, Debug)]
pub struct Excerpt {
    pub file: String,
    pub lines: Vec<ExcerptLine>,
}

#[derive(Clone, Debug)]
pub struct ExcerptLine {
    pub number: u32,
    pub text: String,
    /// Whether a step of the story is there.
    pub in_story: bool,
    pub failing: bool,
}

impl Explored {
    /// One exploration, or all tests of a program.
    pub fn new(explorations: Vec<Figures>, of_tests: bool) -> Explored {
        let test = |figures: &Figures| TestFigures {
            call: figures.call.clone(),
            executions: figures.executions,
            erroneous: figures.erroneous,
            complete: figures.complete,
            incomplete_because: figures.incomplete_because.clone(),
            found: figures.findings.len(),
        };
        let tests = if of_tests { explorations.iter().map(test).collect() } else { Vec::new() };
        let sum = |count: fn(&Figures) -> u64| explorations.iter().map(count).sum();
        let calls: Vec<&str> = explorations.iter().map(|figures| figures.call.as_str()).collect();
        let why = explorations.iter().find_map(|figures| {
            let why = figures.incomplete_because.as_ref()?;
            Some(if of_tests { format!("{}: {why}", figures.call) } else { why.clone() })
        });
        Explored {
            version: VERSION,
            tool: "erlscope",
            tool_version: env!("CARGO_PKG_VERSION"),
            command: "explore",
            figures: Figures {
                call: calls.join(" "),
                executions: sum(|figures| figures.executions),
                erroneous: sum(|figures| figures.erroneous),
                redundant: sum(|figures| figures.redundant),
                events: sum(|figures| figures.events),
                complete: explorations.iter().all(|figures| figures.complete),
                incomplete_because: why,
                also_read: explorations.iter().flat_map(|f| f.also_read.iter().cloned()).collect(),
                warnings: explorations.iter().flat_map(|f| f.warnings.iter().cloned()).collect(),
                findings: explorations.into_iter().flat_map(|figures| figures.findings).collect(),
            },
            tests,
        }
    }

    pub fn to_json(&self) -> String {
        format!("{}\n", to_line(self))
    }
}
