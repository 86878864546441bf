//! What became of tests, as data.

use machine::Unsupported;
pub use runner::testing::Trouble;
use serde::{Serialize, Serializer};

use crate::contracts::Broken;
use crate::explore::Explained;
use crate::run::{Exception, LoadProblem};
use crate::{Excerpt, Place};

/// All tests of a program.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Modules with tests that were wanted, in order.
    pub modules: Vec<ModuleAnswer>,
    /// Files that could not be read, modules that could not be loaded.
    pub problems: Vec<LoadProblem>,
    /// False if it was stopped, or a bound was reached.
    pub complete: bool,
}

/// What became of a module of tests.
#[derive(Clone, Debug, Serialize)]
pub struct ModuleAnswer {
    pub module: String,
    pub kind: Framework,
    pub file: String,
    pub tests: Vec<CaseAnswer>,
    /// Why its tests could not be run to the end.
    #[serde(skip)]
    pub problem: Option<Trouble>,
    /// What was written past the tests' own output.
    pub output: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Framework {
    Eunit,
    CommonTest,
    Properties,
}

/// What became of a test.
#[derive(Clone, Debug, Serialize)]
pub struct CaseAnswer {
    /// `function`, or `group:function` in a suite.
    pub name: String,
    pub function: String,
    pub groups: Vec<String>,
    pub title: Option<String>,
    pub result: CaseResult,
    /// Why, in words.
    pub reason: Option<String>,
    pub exception: Option<Exception>,
    /// What an assertion said, entry by entry.
    pub assertion: Vec<(String, String)>,
    /// Contracts that did not hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<Broken>,
    /// What the test asked for that is not supported.
    #[serde(serialize_with = "in_words")]
    pub unsupported: Vec<Unsupported>,
    pub place: Option<Place>,
    /// The source there.
    #[serde(skip)]
    pub source: Option<Excerpt>,
    pub output: String,
    /// Milliseconds of the program's own time.
    pub virtual_ms: u64,
    pub comment: Option<String>,
    /// If it is a property: how it was tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<PropertyAnswer>,
}

/// What became of a property.
#[derive(Clone, Default, Debug, Serialize)]
pub struct PropertyAnswer {
    /// Tests that were run, the failing one with them; PropEr itself does not tell.
    pub tests: Option<u64>,
    /// Tests that did not meet the condition of an `?IMPLIES`, beside those.
    pub rejected: u64,
    /// How often the counterexample was made smaller.
    pub shrinks: u64,
    /// Whether no single step makes it smaller.
    pub minimal: bool,
    /// The values that it does not hold for.
    pub counterexample: Vec<Value>,
    /// Those that it was found with.
    pub first: Vec<Value>,
    /// The counterexample as one term, if it can be read again.
    pub input: Option<String>,
    /// What was collected.
    pub statistics: String,
    /// The file for `erlscope replay`.
    pub witness: Option<String>,
    /// What came of its cases under other schedules, if they were explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explored: Option<ExploredCases>,
}

/// Cases of a property that were run under every schedule.
#[derive(Clone, Default, Debug, Serialize)]
pub struct ExploredCases {
    pub cases: u32,
    pub executions: u64,
    /// Whether these are all executions that differ.
    pub complete: bool,
    pub found: Option<FoundCase>,
}

/// A case that fails under some schedule.
#[derive(Clone, Debug, Serialize)]
pub struct FoundCase {
    /// The values.
    pub input: String,
    #[serde(serialize_with = "kind")]
    pub finding: Explained,
    /// The file for `erlscope replay`.
    pub witness: Option<String>,
}

fn kind<S: Serializer>(finding: &Explained, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(finding.finding.kind().name())
}

/// The value of a `?FORALL`.
#[derive(Clone, Debug, Serialize)]
pub struct Value {
    /// The pattern that it is bound to, if that is known.
    pub name: Option<String>,
    pub value: String,
}

fn in_words<S: Serializer>(all: &[Unsupported], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(all.iter().map(Unsupported::to_string))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseResult {
    Ok,
    Failed,
    Skipped,
    Cancelled,
    Unsupported,
}

impl CaseResult {
    pub fn is_good(self) -> bool {
        matches!(self, CaseResult::Ok | CaseResult::Skipped)
    }
}

impl ModuleAnswer {
    /// Whether there is nothing to be said about it.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.problem.is_none()
    }
}
