//! What the BEAM showed of the racing programs: a text file, one program a line, its outcomes
//! behind it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::problem::{Problem, Result};

#[derive(Default)]
pub(super) struct Seen {
    outcomes: BTreeMap<String, BTreeSet<String>>,
    none: BTreeSet<String>,
}

impl Seen {
    /// A file that is not there has nothing in it.
    pub(super) fn read(path: &Path) -> Result<Seen> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Problem::at(path, error)),
        };
        let mut seen = Seen::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('\t').map(str::to_owned);
            let call = columns.next().unwrap_or_default();
            seen.outcomes.entry(call).or_default().extend(columns);
        }
        Ok(seen)
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut text = String::from(
            "# Outcomes that the BEAM (OTP 25) showed of the programs beside this file: \
             `cargo xtask races --record`.\n",
        );
        for (call, outcomes) in &self.outcomes {
            text.push_str(call);
            for outcome in outcomes {
                text.push('\t');
                text.push_str(outcome);
            }
            text.push('\n');
        }
        std::fs::write(path, text).map_err(|error| Problem::at(path, error))
    }

    pub(super) fn add(&mut self, other: BTreeMap<String, BTreeSet<String>>) {
        for (call, outcomes) in other {
            self.outcomes.entry(call).or_default().extend(outcomes);
        }
    }

    pub(super) fn calls(&self) -> Vec<String> {
        self.outcomes.keys().cloned().collect()
    }

    pub(super) fn outcomes(&self, call: &str) -> &BTreeSet<String> {
        self.outcomes.get(call).unwrap_or(&self.none)
    }
}
