//! What became of test cases, and the file that remembers it.
//!
//! One JSON object a line:
//! `{"group": G, "case": C, "result": "ok"|"failed"|"skipped", "reason": R}`, and `{"done": true}`
//! at the end of a run that was not cut short.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Verdict {
    Passed,
    Skipped,
    Failed,
}

/// A test case by its innermost group and its name. (A case that runs several times under the same
/// names counts once, with its worst result.)
pub(super) type Name = (Option<String>, String);

#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) verdict: Verdict,
    /// Why it did not pass, on one line.
    pub(super) reason: String,
}

/// The results of a suite.
#[derive(Clone, Default, Debug)]
pub(super) struct Results {
    pub(super) cases: BTreeMap<Name, Outcome>,
    /// Whether the suite ran to its end.
    pub(super) complete: bool,
}

/// Functions that are no test cases.
const CONFIGURATION: &[&str] =
    &["init_per_suite", "end_per_suite", "init_per_group", "end_per_group", "all", "suite"];

impl Results {
    pub(super) fn add(&mut self, name: Name, outcome: Outcome) {
        if CONFIGURATION.contains(&name.1.as_str()) {
            return;
        }
        let worst = match self.cases.get(&name) {
            Some(known) => known.verdict.max(outcome.verdict),
            None => outcome.verdict,
        };
        if worst == outcome.verdict {
            self.cases.insert(name, outcome);
        }
    }

    pub(super) fn read(path: &Path) -> Option<Results> {
        let text = std::fs::read_to_string(path).ok()?;
        let mut results = Results::default();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            if value.get("done").is_some() {
                results.complete = true;
            } else if let Some((name, outcome)) = case_of(&value) {
                results.add(name, outcome);
            }
        }
        Some(results)
    }

    pub(super) fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut text = String::new();
        for ((group, case), outcome) in &self.cases {
            let result = match outcome.verdict {
                Verdict::Passed => "ok",
                Verdict::Skipped => "skipped",
                Verdict::Failed => "failed",
            };
            let value =
                json!({"group": group, "case": case, "result": result, "reason": outcome.reason});
            text += &format!("{value}\n");
        }
        if self.complete {
            text += "{\"done\":true}\n";
        }
        std::fs::write(path, text)
    }

    pub(super) fn passed(&self, name: &Name) -> bool {
        self.cases.get(name).is_some_and(|outcome| outcome.verdict == Verdict::Passed)
    }
}

fn case_of(value: &Value) -> Option<(Name, Outcome)> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let verdict = match text("result")?.as_str() {
        "ok" => Verdict::Passed,
        "skipped" => Verdict::Skipped,
        _ => Verdict::Failed,
    };
    let name = (text("group"), text("case")?);
    Some((name, Outcome { verdict, reason: text("reason").unwrap_or_default() }))
}
