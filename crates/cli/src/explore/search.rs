//! One search: bounds and rules from the command line, when it stops, and what it comes to.

use std::time::{Duration, Instant};

use explore::finding::{Explained, Finding, Findings, Kind, Rules, explain};
use explore::warning::{Warning, Warnings};
use explore::{Bounds, Search, Statistics};
use machine::Machine;

use super::start::Start;
use crate::args::Explore;
use crate::interrupt;

/// What an exploration came to.
pub(super) struct Explored {
    /// What a witness calls.
    pub(super) call: String,
    /// What was explored, for people.
    pub(super) name: String,
    pub(super) statistics: Statistics,
    /// Executions with an error.
    pub(super) erroneous: u64,
    /// Why the search did not come to its end.
    pub(super) why: Option<String>,
    pub(super) found: Vec<Explained>,
    /// With `--warnings`.
    pub(super) warnings: Vec<Warning>,
    pub(super) time: Duration,
    /// Where it began.
    pub(super) machine: Machine,
}

/// What counts as an error.
pub(super) fn rules_of(explore: &Explore, start: &Start) -> Rules {
    Rules {
        normal: explore.treat_as_normal.clone(),
        ignored: explore.ignore.clone(),
        main: Some(start.main),
        first: start.main.0,
    }
}

/// Explores from one beginning.
pub(super) fn search(explore: &Explore, start: Start) -> Explored {
    interrupt::watch();
    let started = Instant::now();
    let bounds = Bounds {
        max_executions: explore.max_executions.unwrap_or(match explore.tests {
            true => super::tests::BUDGET,
            false => u64::MAX,
        }),
        max_depth: explore.max_depth,
        after_limit: explore.after_limit.unwrap_or(match explore.tests {
            true => super::tests::TIME,
            false => u64::MAX,
        }),
        ..Bounds::default()
    };
    let rules = rules_of(explore, &start);
    let mut findings = Findings::new(rules.clone());
    let mut warnings = Warnings::default();
    let timeout = explore.running.timeout;
    let mut stopped = None;
    let mut seen = 0u64;
    let mut erroneous = 0u64;
    let mut search = Search::new(start.machine.clone(), bounds);
    let statistics = search.run(|execution| {
        seen += 1;
        let wrong = findings.look(execution);
        if explore.warnings {
            warnings.look(execution);
        }
        erroneous += u64::from(wrong);
        if wrong && explore.first {
            stopped = Some("an error was found");
        } else if interrupt::interrupted() {
            stopped = Some("it was interrupted");
        } else if seen.is_multiple_of(64) && timeout.is_some_and(|limit| started.elapsed() > limit)
        {
            stopped = Some("the time was up");
        }
        stopped.is_none()
    });
    let (unsupported, found): (Vec<Finding>, Vec<Finding>) =
        findings.into_list().into_iter().partition(|finding| finding.kind == Kind::Unsupported);
    let why = stopped.map(str::to_owned).or_else(|| not_complete(statistics, &unsupported));
    Explored {
        found: explain(found, &start.machine, &rules, &start.function),
        warnings: warnings.into_list(),
        call: start.call,
        name: start.name,
        statistics,
        erroneous: erroneous.saturating_sub(unsupported.iter().map(|finding| finding.count).sum()),
        why,
        time: started.elapsed(),
        machine: start.machine,
    }
}

fn not_complete(statistics: Statistics, unsupported: &[Finding]) -> Option<String> {
    if let Some(finding) = unsupported.first() {
        return Some(format!("something is not supported: {}", finding.message));
    }
    match statistics {
        Statistics { complete: true, .. } => None,
        Statistics { too_deep: 1.., .. } => {
            Some("executions were longer than --max-depth".to_owned())
        }
        _ => Some("--max-executions was reached".to_owned()),
    }
}
