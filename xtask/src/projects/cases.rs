//! What became of the cases of a project, by module and name, and how two sides differ.
//!
//! EUnit names the fun that a generated test is made of, we the generator: tests of generators are
//! compared by their number in each module.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::problem::{Problem, Result};

/// How often cases of a name ended in which way.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Count {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    pub(super) unsupported: u64,
}

impl Count {
    pub(super) fn all(&self) -> u64 {
        self.passed + self.failed + self.skipped + self.unsupported
    }

    fn add(&mut self, verdict: &str) {
        match verdict {
            "ok" => self.passed += 1,
            "skipped" | "cancelled" => self.skipped += 1,
            "unsupported" => self.unsupported += 1,
            _ => self.failed += 1,
        }
    }

    /// How many pass on the BEAM and are told as anything but passed or not supported here.
    pub(super) fn lost(&self, here: &Count) -> u64 {
        self.passed.saturating_sub(here.passed + here.unsupported)
    }

    /// How many do not pass on the BEAM and are told as passed.
    pub(super) fn won(&self, here: &Count) -> u64 {
        // Groups that are cancelled are not counted on the BEAM.
        if self.all() < here.all() { 0 } else { here.passed.saturating_sub(self.passed) }
    }
}

/// Cases by module and name.
#[derive(Clone, Default, Debug)]
pub(super) struct Cases(pub(super) BTreeMap<(String, String), Count>);

impl Cases {
    pub(super) fn add(&mut self, module: &str, name: &str, verdict: &str) {
        self.0.entry((module.to_owned(), name.to_owned())).or_default().add(verdict);
    }

    /// As the judge writes them.
    pub(super) fn of_lines(text: &str) -> Cases {
        let mut cases = Cases::default();
        for line in text.lines() {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            let field = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
            cases.add(field("module"), field("case"), field("result"));
        }
        cases
    }

    pub(super) fn total(&self) -> Count {
        let mut total = Count::default();
        for count in self.0.values() {
            total.passed += count.passed;
            total.failed += count.failed;
            total.skipped += count.skipped;
            total.unsupported += count.unsupported;
        }
        total
    }
}

/// One side of the comparison.
#[derive(Clone, Default, Debug)]
pub(super) struct Side {
    pub(super) cases: Cases,
    /// By the clock on the wall.
    pub(super) seconds: f64,
    /// How they were run, or why not.
    pub(super) note: String,
}

impl Side {
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let cases = self.cases.0.iter().map(|((module, name), count)| {
            json!([module, name, count.passed, count.failed, count.skipped, count.unsupported])
        });
        let value = json!({
            "seconds": self.seconds,
            "note": self.note,
            "cases": cases.collect::<Vec<_>>(),
        });
        std::fs::write(path, value.to_string()).map_err(|error| Problem::at(path, error))
    }

    pub(super) fn read(path: &Path) -> Option<Side> {
        let value: Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
        let mut cases = Cases::default();
        for entry in value.get("cases")?.as_array()? {
            let text = |at: usize| entry.get(at).and_then(Value::as_str).map(str::to_owned);
            let number = |at: usize| entry.get(at).and_then(Value::as_u64).unwrap_or(0);
            let count = Count {
                passed: number(2),
                failed: number(3),
                skipped: number(4),
                unsupported: number(5),
            };
            cases.0.insert((text(0)?, text(1)?), count);
        }
        Some(Side {
            cases,
            seconds: value.get("seconds")?.as_f64()?,
            note: value.get("note")?.as_str()?.to_owned(),
        })
    }
}
