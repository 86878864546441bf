//! What explorations came to: as text, JSON (`docs/json.md` documents the shape), pages, JUnit XML
//! and SARIF.

pub mod ci;
mod format;
mod html;
mod picture;
mod text;

use ::explore::failure::Failure;
use ::explore::finding::Explained;
use ::explore::outcome::Execution;
use ::explore::place::Place;
use ::explore::story::{Race, Step, Story};
use ::explore::warning::Warning;
use serde::Serialize;
use serde_json::Value;
use session::Ending;
use session::contracts::Violation;
use trace::show;

use crate::json::{VERSION, to_line};
use crate::{contracts, words};

pub use format::{Format, Reported, render};
pub use picture::sequence;
pub use text::{figures, races, story};

/// What one exploration came to.
#[derive(Clone, Default, Debug)]
pub struct Figures {
    /// What was explored.
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
    pub also_read: Vec<String>,
    pub findings: Vec<Found>,
    /// What depends on the schedule although nothing fails because of it, if asked for.
    pub warnings: Vec<Warning>,
}

/// A finding with what was written of it.
#[derive(Clone, Debug)]
pub struct Found {
    pub explained: Explained,
    /// The file that `erlscope replay` runs again.
    pub witness: Option<String>,
}

impl Found {
    /// What happened, in one sentence.
    pub fn sentence(&self) -> String {
        words::failure(&self.explained.finding.failure)
    }
}

/// The steps of a story that matter, in their order.
pub(crate) fn shown(story: &Story) -> impl Iterator<Item = &Step> {
    story.steps.iter().filter(|step| step.shown)
}

/// The name of who does a step.
pub(crate) fn who<'a>(story: &'a Story, step: &Step) -> &'a str {
    story.players.get(step.player).map_or("", |player| &player.name)
}

/// The races between steps that are told, each with its number in diagrams.
pub fn told_races(story: &Story, all_steps: bool) -> impl Iterator<Item = (usize, &Race)> {
    let is_told = move |at: usize| story.steps.get(at).is_some_and(|step| step.shown || all_steps);
    let told = story.races.iter().filter(move |race| is_told(race.first) && is_told(race.second));
    told.enumerate().map(|(at, race)| (at + 1, race))
}

#[derive(Serialize)]
struct JsonExplored<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    call: String,
    executions: u64,
    erroneous: u64,
    redundant: u64,
    events: u64,
    complete: bool,
    incomplete_because: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also_read: Vec<&'a str>,
    findings: Vec<JsonFinding<'a>>,
    warnings: Vec<JsonWarning<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<JsonTest<'a>>,
}

/// One test of many; its findings are with those of the others.
#[derive(Serialize)]
struct JsonTest<'a> {
    call: &'a str,
    executions: u64,
    erroneous: u64,
    complete: bool,
    incomplete_because: Option<&'a str>,
    /// How many findings it has.
    found: usize,
}

#[derive(Serialize)]
struct JsonWarning<'a> {
    kind: &'static str,
    message: String,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    /// Of which exploration.
    call: &'a str,
    kind: &'static str,
    message: String,
    /// Of a contract that does not hold: which kind, and who is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blame: Option<&'static str>,
    /// The same whole, as other commands have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<Value>,
    failure: &'a Failure,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    consequences: Vec<JsonConsequence<'a>>,
    count: u64,
    witness: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    /// Of the schedule in the witness.
    preemptions: usize,
    story: Vec<JsonStep<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    races: Vec<JsonRace<'a>>,
}

/// What a finding brought down.
#[derive(Serialize)]
struct JsonConsequence<'a> {
    kind: &'static str,
    message: String,
    failure: &'a Failure,
    file: Option<&'a str>,
    line: Option<u32>,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    process: &'a str,
    /// `null` for a timer.
    pid: Option<String>,
    what: String,
    file: Option<&'a str>,
    line: Option<u32>,
    /// Whether this is what went wrong.
    failing: bool,
}

/// Two steps of a story that could have come in the other order.
#[derive(Serialize)]
struct JsonRace<'a> {
    first: JsonRaceStep<'a>,
    second: JsonRaceStep<'a>,
    about: String,
}

#[derive(Serialize)]
struct JsonRaceStep<'a> {
    process: &'a str,
    what: String,
    file: Option<&'a str>,
    line: Option<u32>,
}

/// The contract that does not hold, if it is that.
pub(super) fn violation(failure: &Failure) -> Option<&Violation> {
    match failure {
        Failure::Contract { violation, .. } => Some(violation),
        _ => None,
    }
}

fn file(place: Option<&Place>) -> Option<&str> {
    place.map(|place| place.file.as_str())
}

fn line(place: Option<&Place>) -> Option<u32> {
    place.map(|place| place.line)
}

impl<'a> JsonFinding<'a> {
    fn of(call: &'a str, found: &'a Found) -> JsonFinding<'a> {
        let (finding, story) = (&found.explained.finding, &found.explained.story);
        JsonFinding {
            call,
            kind: finding.kind().name(),
            message: found.sentence(),
            contract: violation(&finding.failure).map(|it| it.contract.kind.name()),
            blame: violation(&finding.failure).map(|it| it.blame.name()),
            violation: violation(&finding.failure).and_then(|it| {
                serde_json::to_value(contracts::told(&session::contracts::broken(it))).ok()
            }),
            failure: &finding.failure,
            consequences: found.explained.consequences.iter().map(JsonConsequence::of).collect(),
            count: finding.count,
            witness: found.witness.as_deref(),
            file: file(finding.place()),
            line: line(finding.place()),
            preemptions: finding.schedule.preemptions,
            story: shown(story).map(|step| JsonStep::of(story, step)).collect(),
            races: told_races(story, false).map(|(_, race)| JsonRace::of(story, race)).collect(),
        }
    }
}

impl<'a> JsonConsequence<'a> {
    fn of(failure: &'a Failure) -> JsonConsequence<'a> {
        let (kind, message) = (failure.kind().name(), words::failure(failure));
        let (file, line) = (file(failure.place()), line(failure.place()));
        JsonConsequence { kind, message, failure, file, line }
    }
}

impl<'a> JsonStep<'a> {
    fn of(story: &'a Story, step: &'a Step) -> JsonStep<'a> {
        let pid = story.players.get(step.player).and_then(|player| player.pid);
        JsonStep {
            process: who(story, step),
            pid: pid.map(show::pid),
            what: words::action(&step.action),
            file: file(step.place.as_ref()),
            line: line(step.place.as_ref()),
            failing: step.failing,
        }
    }
}

impl<'a> JsonRace<'a> {
    fn of(story: &'a Story, race: &Race) -> JsonRace<'a> {
        let step = |at: usize| {
            let step = &story.steps[at];
            JsonRaceStep {
                process: who(story, step),
                what: words::action(&step.action),
                file: file(step.place.as_ref()),
                line: line(step.place.as_ref()),
            }
        };
        let (first, second) = (step(race.first), step(race.second));
        JsonRace { first, second, about: words::about(&race.about) }
    }
}

impl<'a> JsonWarning<'a> {
    fn of(warning: &'a Warning) -> JsonWarning<'a> {
        let Place { file, line } = warning.place();
        JsonWarning { kind: warning.kind(), message: words::warning(warning), file, line: *line }
    }
}

impl<'a> JsonTest<'a> {
    fn of(figures: &'a Figures) -> JsonTest<'a> {
        JsonTest {
            call: &figures.call,
            executions: figures.executions,
            erroneous: figures.erroneous,
            complete: figures.complete,
            incomplete_because: figures.incomplete_because.as_deref(),
            found: figures.findings.len(),
        }
    }
}

/// One exploration, or all tests of a program, as JSON.
pub fn json(explorations: &[Figures], of_tests: bool) -> String {
    let sum = |count: fn(&Figures) -> u64| explorations.iter().map(count).sum();
    let calls: Vec<&str> = explorations.iter().map(|figures| figures.call.as_str()).collect();
    let why = explorations.iter().find_map(|figures| {
        let why = figures.incomplete_because.as_ref()?;
        Some(if of_tests { format!("{}: {why}", figures.call) } else { why.clone() })
    });
    let document = JsonExplored {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "explore",
        call: calls.join(" "),
        executions: sum(|figures| figures.executions),
        erroneous: sum(|figures| figures.erroneous),
        redundant: sum(|figures| figures.redundant),
        events: sum(|figures| figures.events),
        complete: explorations.iter().all(|figures| figures.complete),
        incomplete_because: why,
        also_read: explorations
            .iter()
            .flat_map(|figures| figures.also_read.iter().map(String::as_str))
            .collect(),
        findings: explorations
            .iter()
            .flat_map(|figures| {
                figures.findings.iter().map(|found| JsonFinding::of(&figures.call, found))
            })
            .collect(),
        warnings: explorations
            .iter()
            .flat_map(|figures| figures.warnings.iter().map(JsonWarning::of))
            .collect(),
        tests: if of_tests { explorations.iter().map(JsonTest::of).collect() } else { Vec::new() },
    };
    format!("{}\n", to_line(&document))
}

/// An execution in a log.
#[derive(Clone, Debug)]
pub struct LoggedExecution<'a> {
    pub call: &'a str,
    /// From 1 on.
    pub execution: u64,
    /// `finished`, `halted`, `unsupported`, `spins`, `too_deep` or `repeats`.
    pub end: &'static str,
    pub events: usize,
    pub preemptions: usize,
    /// With processes by their identifiers.
    pub failures: Vec<&'a Failure>,
    /// Who acts, as in a witness.
    pub schedule: String,
}

#[derive(Serialize)]
struct JsonExecution<'a> {
    call: &'a str,
    execution: u64,
    result: &'static str,
    end: &'static str,
    events: usize,
    preemptions: usize,
    findings: Vec<JsonFailure>,
    schedule: &'a str,
}

#[derive(Serialize)]
struct JsonFailure {
    kind: &'static str,
    message: String,
}

impl LoggedExecution<'_> {
    pub fn to_line(&self) -> String {
        let failure = |failure: &&Failure| JsonFailure {
            kind: failure.kind().name(),
            message: words::failure(failure),
        };
        let line = JsonExecution {
            call: self.call,
            execution: self.execution,
            result: if self.failures.is_empty() { "ok" } else { "error" },
            end: self.end,
            events: self.events,
            preemptions: self.preemptions,
            findings: self.failures.iter().map(failure).collect(),
            schedule: &self.schedule,
        };
        format!("{}\n", to_line(&line))
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

/// The name of how an execution ended, for a log.
pub fn end_of(execution: &Execution<'_>) -> &'static str {
    match execution.stop {
        Ending::Halted(_) => "halted",
        Ending::Unsupported { .. } => "unsupported",
        Ending::Spins(_) => "spins",
        Ending::Bound { .. } => "too_deep",
        Ending::Repeats(_) => "repeats",
        Ending::Quiescent
        | Ending::Returned(_)
        | Ending::Raised(_)
        | Ending::Ended(_)
        | Ending::NotStarted(_) => "finished",
    }
}
